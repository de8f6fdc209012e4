"""Names and the versions they have: the part of a survey that makes assignments new versions."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from done_lint.flowgraph.ast_text import last_name


@dataclass(slots=True)
class Loop:
    """A loop under survey: head versions of the names it assigns, and what they are on the way back."""

    index: int
    #: A node that was made when it began: what was bound before has a smaller number.
    first: int = 0
    heads: dict[str, int] = field(default_factory=dict)
    backs: dict[int, int] = field(default_factory=dict)
    #: What the head versions are before the loop.
    starts: dict[int, int] = field(default_factory=dict)
    breaks: list[dict[str, int]] = field(default_factory=list)
    continues: list[dict[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class Scope:
    """One module, class, function or comprehension."""

    kind: str
    parent: Scope | None
    assigned: frozenset[str] = frozenset()
    versions: dict[str, int] = field(default_factory=dict)
    #: Joins all versions of a name, for readers in other scopes.
    cells: dict[str, int] = field(default_factory=dict)
    function: int = -1
    owner: int = -1


def counter(loop: ast.For | ast.AsyncFor) -> str:
    """`n` of `for n in range(...)`, `for n, x in enumerate(...)`; empty for other loops."""
    target: ast.expr = loop.target
    if not isinstance(loop.iter, ast.Call):
        return ""
    name = last_name(loop.iter.func)
    if name == "enumerate" and isinstance(target, ast.Tuple) and target.elts:
        return last_name(target.elts[0])
    return last_name(target) if name in ("range", "trange", "count") else ""

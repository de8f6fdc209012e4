"""Steps that are taken in both forms: `if len(result) == 5: o, r, d, _, _ = result`, and else four names.

On Gymnasium only the five are ever taken, whose third is *terminated*: what the four names hold is no evidence.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from done_lint.flowgraph.ast_text import unparsed
from done_lint.knowledge.env_apis import STEP_WIDTHS

_FOUR, _FIVE = STEP_WIDTHS


def superseded(one: Sequence[ast.stmt], other: Sequence[ast.stmt]) -> set[ast.expr]:
    """The targets of four values of what the other of two blocks takes apart as five."""
    return {*_fours(one, other), *_fours(other, one)}


def _fours(old: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> Iterator[ast.expr]:
    taken = {unparsed(value) for _, value in _unpackings(new, _FIVE)}
    yield from (target for target, value in _unpackings(old, _FOUR) if unparsed(value) in taken)


def _unpackings(block: Sequence[ast.stmt], width: int) -> Iterator[tuple[ast.Tuple, ast.expr]]:
    """The statements of a block itself that take so many values apart, each with what it takes them of."""
    for one in block:
        target = one.targets[0] if isinstance(one, ast.Assign) and len(one.targets) == 1 else None
        if not isinstance(one, ast.Assign) or not isinstance(target, ast.Tuple) or len(target.elts) != width:
            continue
        if not any(isinstance(part, ast.Starred) for part in target.elts):
            yield target, one.value

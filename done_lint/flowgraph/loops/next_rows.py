"""Where a program reads an array both at a place and at the next one: a buffer that keeps no next state."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import last_name, row_before, subscripts, unparsed

_AHEAD = re.compile(r"[\[(]\w+ ?\+ ?1")


def next_rows(tree: ast.Module, text: str) -> tuple[tuple[int, int], ...]:
    """The first and the last row of each class, of each function, and of each loop outside of both, that does so.

    What goes through its rows backwards, as returns and GAE do, has a recursion: that is no matter of a buffer.
    """
    if _AHEAD.search(text) is None:
        return ()
    found = ((block, around) for block, around in _blocks(tree.body, None) if _reads_both(block))
    return tuple(sorted({(one.lineno, one.end_lineno or one.lineno) for _, one in found}))


def _blocks(body: Iterable[ast.stmt], owner: ast.ClassDef | None) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """The functions of a file, and the loops that stand in none, each with itself or the class around it."""
    for one in body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.For)):
            yield one, owner or one
        else:
            inner = (child for child in ast.iter_child_nodes(one) if isinstance(child, ast.stmt))
            yield from _blocks(inner, one if isinstance(one, ast.ClassDef) else owner)


def _reads_both(block: ast.stmt) -> bool:
    reads: set[tuple[str, str]] = set()
    for one in walked(block):
        if isinstance(one, ast.Call) and last_name(one.func) == "reversed":
            return False
        if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Load):
            reads.add((unparsed(one.value), unparsed(subscripts(one.slice)[0])))
    return any((base, row_before(index)) in reads for base, index in reads if row_before(index))

"""Flags that a worker sends without the observation, which it writes somewhere else: into shared memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import libcst as cst

from done_lint.syntax.shapes import method_called
from done_lint.syntax.tree import Tree

#: Methods of pipes and queues.
_SENDING = frozenset({"send", "put", "put_nowait"})


def goes_apart(
    tree: Tree, later: Sequence[cst.CSTNode], observation: str, has_both_flags: Callable[[cst.Tuple], bool]
) -> bool:
    """Whether statements behind a step write its observation to a place, and send a row with both flags without it.

    Args:
        tree: the file.
        later: the statements.
        observation: what holds the observation, as it is written.
        has_both_flags: whether a tuple has both flags of the step.
    """
    written = any(_is_written(tree, one, observation) for one in later)
    rows = (row for one in later for row in _sent(tree, one)) if written else ()
    return any(has_both_flags(row) and observation not in _values(tree, row) for row in rows)


def _is_written(tree: Tree, statement: cst.CSTNode, observation: str) -> bool:
    """Whether a statement puts it to a place: `memory[i] = obs`, `write(i, obs, memory)`."""
    for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        if isinstance(small, cst.Assign) and isinstance(small.targets[0].target, cst.Subscript):
            return tree.source(small.value) == observation
        call = small.value if isinstance(small, cst.Expr) else None
        if isinstance(call, cst.Call) and len(call.args) > 1:
            return observation in {tree.source(one.value) for one in call.args}
    return False


def _sent(tree: Tree, statement: cst.CSTNode) -> Iterator[cst.Tuple]:
    """The rows that are given to a pipe, also inside of another one."""
    for call in tree.inside(cst.Call, statement):
        if method_called(call) in _SENDING:
            yield from tree.inside(cst.Tuple, call)


def _values(tree: Tree, row: cst.Tuple) -> set[str]:
    return {tree.source(one.value) for one in row.elements}

"""Flags that a worker sends without the observation, which it writes somewhere else: into shared memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import libcst as cst

from done_lint.syntax.shapes import method_called
from done_lint.syntax.tree import Tree

Row = cst.Tuple | cst.List | cst.Dict
#: Methods of pipes and queues.
SENDING = frozenset({"send", "put", "put_nowait"})


def goes_apart(
    tree: Tree, later: Sequence[cst.CSTNode], observation: str, has_both_flags: Callable[[Row], bool]
) -> bool:
    """Whether statements behind a step write its observation to a place, and send a row with both flags without it.

    Args:
        tree: the file.
        later: the statements.
        observation: what holds the observation, as it is written.
        has_both_flags: whether a row has both flags of the step.
    """
    written = any(_is_written(tree, one, observation) for one in later)
    rows = (row for one in later for row in _sent(tree, one)) if written else ()
    return any(has_both_flags(row) and observation not in map(tree.source, values_of(row)) for row in rows)


def rows_in(tree: Tree, statement: cst.CSTNode) -> Iterator[Row]:
    """The tuples, lists and dictionaries of a statement."""
    yield from tree.inside(cst.Tuple, statement)
    yield from tree.inside(cst.List, statement)
    yield from tree.inside(cst.Dict, statement)


def values_of(row: Row) -> Iterator[cst.BaseExpression]:
    """What a row is made of."""
    return (one.value for one in row.elements)


def is_given(tree: Tree, row: Row) -> bool:
    """Whether a row is given to a call, perhaps inside of another one: `send({"value": (obs, reward, done)})`."""
    around = tree.parents[row]
    while isinstance(around, (cst.BaseElement, cst.BaseDictElement)):
        around = tree.parents[tree.parents[around]]
    return isinstance(around, cst.Arg)


def _is_written(tree: Tree, statement: cst.CSTNode, observation: str) -> bool:
    """Whether a statement puts it to a place: `memory[i] = obs`, `write(i, obs, memory)`."""
    for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        if isinstance(small, cst.Assign) and isinstance(small.targets[0].target, cst.Subscript):
            return tree.source(small.value) == observation
        call = small.value if isinstance(small, cst.Expr) else None
        if isinstance(call, cst.Call) and len(call.args) > 1:
            return observation in {tree.source(one.value) for one in call.args}
    return False


def _sent(tree: Tree, statement: cst.CSTNode) -> Iterator[Row]:
    """The rows that are given to a pipe, also inside of another one."""
    for call in tree.inside(cst.Call, statement):
        if method_called(call) in SENDING:
            yield from rows_in(tree, call)

"""What loops do from time to time: behind a test of a count that no episode starts anew, `if step % 128 == 0:`.

A test of anything else may be one of an episode's end. Whether a count is started anew in an episode can only be said
once the loop is known whose turns are episodes, so the places are noted where that is done.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import last_name, unparsed

_COUNTING = frozenset({"count", "enumerate", "range", "tqdm", "trange"})
_AT_LEAST = (ast.Eq, ast.GtE, ast.Gt)
_AT_MOST = (ast.Eq, ast.LtE, ast.Lt)


class PacedBody(NamedTuple):
    """The statements behind such a test, and where what it reads is set anew: assignments and heads of loops."""

    body: list[ast.stmt]
    anew: list[ast.stmt]


def paced_work(tree: ast.Module) -> Iterator[PacedBody]:
    """Find all that stands in a loop behind tests of counts alone."""
    counts = _Counts(tree)
    for loop in walked(tree):
        if isinstance(loop, (ast.For, ast.While)):
            yield from counts.behind_tests(loop.body)


class _Counts:
    """The names and attributes that a file counts with."""

    def __init__(self, tree: ast.Module) -> None:
        #: By its text, where something is set anew.
        self._anew: dict[str, list[ast.stmt]] = {}
        self._raised: set[str] = set()
        for node in walked(tree):
            if isinstance(node, ast.AugAssign):
                self._set(node, [node.target], raised=isinstance(node.op, ast.Add))
            elif isinstance(node, ast.For):
                self._set(node, _parts(node.target), raised=False)
                if isinstance(node.iter, ast.Call) and last_name(node.iter.func) in _COUNTING:
                    self._raised.update(map(unparsed, _parts(node.target)[:1]))
            elif isinstance(node, ast.Assign):
                targets = [part for one in node.targets for part in _parts(one)]
                self._set(node, targets, raised=_adds_to(node.value, targets))

    def _set(self, statement: ast.stmt, targets: list[ast.expr], *, raised: bool) -> None:
        for text in map(unparsed, targets):
            if raised:
                self._raised.add(text)
            else:
                self._anew.setdefault(text, []).append(statement)

    def behind_tests(self, block: list[ast.stmt]) -> Iterator[PacedBody]:
        """What stands behind such tests in a block, and in no branch or loop beside."""
        for one in block:
            if isinstance(one, ast.With):
                yield from self.behind_tests(one.body)
            elif isinstance(one, ast.If) and self._is_pace(one.test):
                read = {unparsed(part) for part in ast.walk(one.test) if isinstance(part, (ast.Name, ast.Attribute))}
                yield PacedBody(one.body, [at for text in sorted(read) for at in self._anew.get(text, ())])

    def _is_pace(self, test: ast.expr) -> bool:
        """Whether a test asks for a count and for nothing else."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            return any(map(self._is_pace, test.values)) and all(map(self._reads_counts, test.values))
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._is_remainder(test.operand)
        if not isinstance(test, ast.Compare) or len(test.ops) > 1 or not self._reads_counts(test):
            return False
        left, op, right = test.left, test.ops[0], test.comparators[0]
        if self._is_remainder(left):
            return isinstance(op, ast.Eq)
        return (isinstance(op, _AT_LEAST) and self._is_count(left) and not _is_first(right)) or (
            isinstance(op, _AT_MOST) and self._is_count(right) and not _is_first(left)
        )

    def _is_remainder(self, e: ast.expr) -> bool:
        """`step % 128`."""
        return isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mod) and self._is_count(e.left)

    def _is_count(self, e: ast.expr) -> bool:
        """`step`, `self.steps + 1`, `len(rows)`."""
        if isinstance(e, ast.BinOp) and isinstance(e.op, (ast.Add, ast.Sub)):
            return self._is_count(e.left) and isinstance(e.right, ast.Constant)
        if isinstance(e, ast.Call):
            return last_name(e.func) == "len" and len(e.args) == 1
        own = isinstance(e, ast.Name) or (isinstance(e, ast.Attribute) and unparsed(e.value) == "self")
        return own and unparsed(e) in self._raised

    def _reads_counts(self, e: ast.expr) -> bool:
        """Whether an expression compares counts, lengths and what is no more than a name or a number."""
        return isinstance(e, ast.Compare) and all(
            isinstance(one, (ast.Constant, ast.Name, ast.Attribute)) or self._is_count(one) or self._is_remainder(one)
            for one in (e.left, *e.comparators)
        )


def _parts(target: ast.expr) -> list[ast.expr]:
    """What an assignment sets: the elements of a tuple one by one."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return [part for one in target.elts for part in _parts(one)]
    return [target.value] if isinstance(target, ast.Starred) else [target]


def _adds_to(value: ast.expr, targets: list[ast.expr]) -> bool:
    """`step = step + 1`."""
    adds = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)
    return adds and isinstance(value, ast.BinOp) and [unparsed(value.left)] == list(map(unparsed, targets))


def _is_first(e: ast.expr) -> bool:
    """Whether a bound is reached by the first row, or before: `len(rows) > 0`."""
    return isinstance(e, ast.Constant) and isinstance(e.value, (int, float)) and e.value <= 1

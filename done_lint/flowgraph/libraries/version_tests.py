"""Where a file asks which release of Gym it runs with, and Gymnasium's number gives no good answer.

Gymnasium counts by itself: 1.4 is newer than Gym 0.26, but a test of the second number alone takes it for an old one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.attempts import ends_program
from done_lint.flowgraph.libraries.release_values import FREE, NotFollowed, Releases

#: What is wrong with a test under Gymnasium: it stops the program there, or with a newer Gym; it takes another side
#: than with the newest Gym; its answer cannot be followed; it asks for an installed package that is gone then.
Kind = Literal["stops", "other", "unknown", "installed"]

#: The Gym whose step and reset answer as Gymnasium's, and releases of Gymnasium.
_NEWEST_GYM = "0.26.2"
_GYMNASIUM = ("0.28.1", "0.29.1", "1.0.0", "1.4.0")
#: Calls that only tell somebody: on which side of a test they stand has no bearing on what the program does.
_TELLS = frozenset("print warn warning info debug error log".split())
#: What stands for a test in a statement or an expression.
_TESTING = (ast.If, ast.While, ast.IfExp, ast.Assert)


class VersionTest(NamedTuple):
    """A test of Gym's version that does not answer for Gymnasium, or a look for the installed package."""

    node: ast.expr
    kind: Kind


def version_tests(tree: ast.Module, bound: Mapping[str, Sequence[ast.expr]], names: set[str]) -> list[VersionTest]:
    """The tests of one file, in their order.

    Args:
        tree: the file.
        bound: what names and attributes are bound to, and what functions return.
        names: the names that Gym has in the file.
    """
    releases = Releases(tree, bound, names)
    nodes = walked(tree)
    found = [VersionTest(one, "installed") for one in _installed(tree, releases)]
    if releases.read_anywhere(nodes):
        found += _Tests(releases).of(tree)
    return sorted(found, key=lambda one: (one.node.lineno, one.node.col_offset))


def _installed(tree: ast.Module, releases: Releases) -> Iterator[ast.expr]:
    """Looks for the installed package, but those that may fail."""
    tried = {node for one in ast.walk(tree) if isinstance(one, ast.Try) for part in one.body for node in ast.walk(part)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and releases.asks_installed(node) and node not in tried:
            yield node


class _Tests:
    """Walks over a file, to the outermost expressions that ask for the version."""

    def __init__(self, releases: Releases) -> None:
        self._releases = releases

    def of(self, node: ast.AST) -> Iterator[VersionTest]:
        """The tests in some syntax."""
        if isinstance(node, _TESTING) and self._releases.reads(node.test):
            yield from self._judged(node)
            inside = [one for one in ast.iter_child_nodes(node) if one is not node.test]
        elif isinstance(node, ast.expr) and self._asks(node):
            yield from self._answered(node)
            return
        else:
            inside = list(ast.iter_child_nodes(node))
        for one in inside:
            yield from self.of(one)

    def _asks(self, node: ast.expr) -> bool:
        """Whether an expression that no statement tests asks for the version, and does not only hand it on."""
        if isinstance(node, ast.Subscript):
            return self._releases.reads(node.slice)
        compares = isinstance(node, (ast.Compare, ast.BoolOp)) or _is_not(node) or _is_prefix(node)
        return compares and self._releases.reads(node)

    def _judged(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> Iterator[VersionTest]:
        """What a statement does by its test."""
        if isinstance(node, ast.If) and _only_tells([*node.body, *node.orelse]):
            return
        if self._stops(node):
            yield VersionTest(node.test, "stops")
        else:
            yield from self._answered(node.test)

    def _stops(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> bool:
        """Whether a newer Gym or Gymnasium stops the program."""
        if not isinstance(node, (ast.If, ast.Assert)):
            return False
        try:
            answers = {answer for one in (_NEWEST_GYM, *_GYMNASIUM) for answer in self._answers(node.test, one)}
        except NotFollowed:
            return False
        if isinstance(node, ast.Assert):
            return False in answers
        return any(side and ends_program(side[-1]) for side in (node.body if one else node.orelse for one in answers))

    def _answered(self, test: ast.expr) -> Iterator[VersionTest]:
        """The test, where Gymnasium's number gives another answer than that of the newest Gym."""
        try:
            expected = self._answers(test, _NEWEST_GYM)
            if any(self._answers(test, one) != expected for one in _GYMNASIUM):
                yield VersionTest(test, "other")
        except NotFollowed:
            yield VersionTest(test, "unknown")

    def _answers(self, test: ast.expr, release: str) -> tuple[bool, bool]:
        """The answers to a test with a release, where all else in it holds, and where nothing else does."""
        holds, fails = (self._releases.value(test, release, free=free) for free in (True, False))
        if FREE in (holds, fails):
            raise NotFollowed
        return bool(holds), bool(fails)


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _is_prefix(node: ast.expr) -> bool:
    """`gym.__version__.startswith("0.21")`."""
    return isinstance(node, ast.Call) and last_name(node.func) in ("startswith", "endswith")


def _only_tells(body: list[ast.stmt]) -> bool:
    """Whether statements only print, log or warn."""
    calls = [one.value for one in body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]
    return len(calls) == len(body) and all(last_name(one.func) in _TELLS for one in calls)

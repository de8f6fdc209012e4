"""Uses of what may be the result of a step that no fix follows: `result[DONE]`, `for value in result`, `match result:`.

What is unpacked, read by a number or a slice, handed on, stored or compared is followed, and rules look at it. Of all
other uses nothing tells which of the values they take.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.core.ast_walk import children, walked
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.constant_keys import constant_key
from done_lint.flowgraph.result_names import ResultNames
from done_lint.knowledge.env_apis import STEP_WIDTHS

if TYPE_CHECKING:
    from typing import TypeGuard

_FOUR, _FIVE = STEP_WIDTHS
_BY_INDEX = "reads the result of a step by an index that is no number"
_ONE_BY_ONE = "takes the values of a step one by one"
_BY_PATTERN = "matches the result of a step with patterns"
_COUNTED = "asks how many values a step has"
_SEARCHED = "asks whether something is among the values of a step"
_CHANGED = "changes a list of the values of a step"
_JOINED = "adds the values of a step to others"
_COLUMNS = "turns the results of steps into columns"
AGAIN = "takes four values of a step, and if these are not four steps once more"
_SENT = "hands the result of a step to whoever drives a generator by `send`"

_OF_VALUE: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.For, ast.AsyncFor, ast.comprehension, ast.YieldFrom), _ONE_BY_ONE),
    ast.Yield: _SENT,
    ast.AugAssign: _JOINED,
}
#: What may use a value so: most syntax does not.
_USING = frozenset({ast.Expr, ast.Try, ast.Subscript, ast.Call, ast.Compare, ast.Match, *_OF_VALUE})

#: Functions that give the values of their argument one by one. Python 3.13 `builtins` and `itertools`.
_GIVING = frozenset({"enumerate", "iter", "next", "reversed", "islice", "filter", "sorted"})
#: Methods of lists and tuples that count places, or change them.
_METHODS = frozenset({"pop", "append", "insert", "extend", "remove", "reverse", "sort", "clear", "index", "count"})


def odd_uses(tree: ast.Module, results: ResultNames) -> Iterator[tuple[ast.expr, str]]:
    """What may be such a result in a file, and what is done with it."""
    alone: set[ast.AST] = set()
    counts = False
    for node in walked(tree):
        if type(node) not in _USING:
            continue
        if isinstance(node, ast.Expr):
            alone.add(node.value)
        for value, what in _uses(node):
            # what a generator yields in a statement of its own is followed to the loop that takes it
            if (what != _SENT or node not in alone) and results.may_be(value):
                yield value, what
        if isinstance(node, ast.Try):
            yield from ((one, AGAIN) for one in _stepped_again(node))
        if isinstance(node, ast.Call) and last_name(node.func) == "zip" and _is_spread(node.args):
            # whoever takes them apart may stand anywhere
            yield node, _COLUMNS
        counts = counts or (_is_count(node) and results.may_be(node.args[0]))
    if counts:
        yield from ((value, _COUNTED) for value in _counted(tree) if results.may_be(value))


def _is_count(node: ast.AST) -> TypeGuard[ast.Call]:
    """`len(result)`."""
    return isinstance(node, ast.Call) and last_name(node.func) == "len" and len(node.args) == 1


def _is_spread(arguments: list[ast.expr]) -> bool:
    """`zip(*rows)`."""
    return len(arguments) == 1 and isinstance(arguments[0], ast.Starred)


def _stepped_again(attempt: ast.Try) -> Iterator[ast.expr]:
    """The step that is taken apart into four values, where a handler makes the same step again."""
    again = {ast.unparse(one.func) for handler in attempt.handlers for one in walked(handler) if _is_step(one)}
    for statement in attempt.body if again else ():
        if (
            isinstance(statement, ast.Assign)
            and _is_step(statement.value)
            and isinstance(statement.targets[0], ast.Tuple)
        ):
            four = len(statement.targets[0].elts) == _FOUR
            yield from (statement.value,) if four and ast.unparse(statement.value.func) in again else ()


def _is_step(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "step"


def _uses(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """What a node does, as one of these."""
    if isinstance(node, ast.Subscript):
        if isinstance(node.ctx, ast.Load) and not _is_fixed(node.slice):
            yield node.value, _BY_INDEX
    elif isinstance(node, ast.Call):
        yield from _called(node)
    elif isinstance(node, ast.Compare):
        asked = zip(node.ops, node.comparators)
        yield from ((one, _SEARCHED) for how, one in asked if isinstance(how, (ast.In, ast.NotIn)))
    elif isinstance(node, ast.Match):
        if not any(_takes_five(case.pattern) for case in node.cases):
            yield node.subject, _BY_PATTERN
    else:
        yield from ((value, _OF_VALUE[type(node)]) for value in _taken(node) if value is not None)


def _taken(node: ast.AST) -> Iterator[ast.expr | None]:
    """What a loop goes over, and what a generator or an addition takes whole."""
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield node.iter
    elif isinstance(node, (ast.YieldFrom, ast.Yield, ast.AugAssign)):
        yield node.value


def _called(node: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """What a call does with its arguments, or with the object whose method is called."""
    if last_name(node.func) in _GIVING:
        yield from ((one, _ONE_BY_ONE) for one in node.args if not isinstance(one, ast.Starred))
    elif isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
        yield node.func.value, _CHANGED


def _is_fixed(index: ast.expr) -> bool:
    """Whether an index or slice is written with numbers, or is a text: a step's result has no keys."""
    if isinstance(index, ast.Slice):
        return all(one is None or constant_key(one) is not None for one in (index.lower, index.upper, index.step))
    return constant_key(index) is not None


def _takes_five(pattern: ast.pattern) -> bool:
    """Whether a pattern takes five values, beside the one that takes four."""
    sequences = (one for one in ast.walk(pattern) if isinstance(one, ast.MatchSequence))
    return any(len(one.patterns) == _FIVE for one in sequences)


def _counted(scope: ast.AST) -> Iterator[ast.expr]:
    """What is counted by `len` in a scope and those inside, unless an assertion does or five values are known there."""
    waiting, asserted, counted, five = [*children(scope)], set[ast.AST](), list[ast.expr](), False
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _counted(node)
            continue
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and last_name(node.func).startswith("assert")):
            asserted.update(walked(node))
        elif _is_count(node):
            counted += [node.args[0]] if node not in asserted else []
        elif isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Store):
            five = five or len(node.elts) == _FIVE
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            five = five or node.value == _FIVE
        waiting += children(node)
    yield from () if five else counted

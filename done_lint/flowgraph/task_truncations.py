"""Which `step` says *truncated* of an end that is none of time: a lost game, a fall out of the grid.

Gymnasium's `truncated` is there for limits. Where a task ends so and says no `terminated`, a value target that is cut
at `terminated` alone goes on behind the end of the task.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from done_lint.core.ast_walk import children
from done_lint.core.reach import reach

#: What a name has in it that may count or be a limit: a comparison with that is one of time, as far as is known.
_OF_TIME = frozenset(
    "step steps timestep timesteps time times timeout timer max limit limits count counter counts counted elapsed iter "
    "iters iteration iterations tick ticks horizon length len budget episode episodes epoch epochs frame frames turn "
    "turns round rounds move moves duration clock day days date hour hours minute minutes index idx cursor pointer "
    "deadline remaining left patience lifetime age data truncated truncate trunc i k n t num number last".split()
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
#: How deep names are followed to what they are set to.
_DEEPEST = 6


def task_truncation(body: Sequence[ast.stmt]) -> int:
    """The row of a test that truncates an episode of a class and has nothing of time; 0: none is known."""
    methods = {one.name: one for one in body if isinstance(one, ast.FunctionDef) and one.args.args}
    step = methods.get("step")
    ends = [(one.elts[2], one.elts[3]) for one in _returned(step) if len(one.elts) == 5] if step is not None else []
    return next((row for both in ends if step is not None and (row := _Tests(methods, step).row(*both))), 0)


def _returned(method: ast.FunctionDef) -> Iterator[ast.Tuple]:
    for one in _inside(method):
        if isinstance(one, ast.Return) and isinstance(one.value, ast.Tuple):
            yield one.value


class _Tests:
    """Looks at what the flags of one method are set to."""

    def __init__(self, methods: dict[str, ast.FunctionDef], method: ast.FunctionDef) -> None:
        self._methods = methods
        self._own = method.args.args[0].arg
        self._counted = {name for made in methods.values() for one in _inside(made) if (name := _counted(one))}
        self._set = list(_settings(method.body, ()))

    def row(self, terminated: ast.expr, truncated: ast.expr) -> int:
        """The row of a test by which the second flag is set, and the first one is not; 0: none is known."""
        ended = [(value, guards) for value, guards in self._values(terminated) if not _is(value, False)]
        parts = [part for value, guards in ended for one in (value, *guards) for part in ast.walk(one)]
        if any(isinstance(one, (ast.Name, ast.Attribute)) and _same(one, truncated) for one in parts):
            return 0
        asked = {ast.dump(one) for one in parts}
        blocks = {tuple(map(ast.dump, guards)) for value, guards in ended if _is(value, True)}
        for value, guards in self._values(truncated):
            if _is(value, True):
                beside = {tuple(map(ast.dump, guards[:end])) for end in range(len(guards) + 1)} & blocks
                if guards and not beside and all(self._is_of_task(one) for one in guards):
                    return guards[-1].lineno
                continue
            for side in _sides(value):
                # what stands under a test of time is no other end
                if ast.dump(side) not in asked and self._is_of_task(side) and not any(map(self._tells_time, guards)):
                    return side.lineno
        return 0

    def _values(self, flag: ast.expr) -> list[tuple[ast.expr, tuple[ast.expr, ...]]]:
        """What a flag is set to, each with the tests that hold there."""
        if not isinstance(flag, (ast.Name, ast.Attribute)):
            return [(flag, ())]
        return [(value, guards) for target, value, guards in self._set if _same(target, flag)]

    def _is_of_task(self, test: ast.expr, depth: int = 0) -> bool:
        """Whether it is seen what a test asks, and nothing of that counts or is a limit."""
        if depth > _DEEPEST:
            return False
        if isinstance(test, ast.BoolOp):
            return all(self._is_of_task(one, depth) for one in test.values)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._is_of_task(test.operand, depth)
        if isinstance(test, ast.Compare):
            return not self._tells_time(test)
        if isinstance(test, ast.Name):
            values = [value for value, _ in self._values(test)]
            return bool(values) and all(self._is_of_task(one, depth + 1) for one in values)
        made = self._called(test)
        if made is None:
            return False
        given = [one.value for one in _inside(made) if isinstance(one, ast.Return)]
        return (
            bool(given)
            and all(_is_constant(one) or self._is_of_comparisons(one) for one in given)
            and not any(self._tells_time(one.test) for one in _inside(made) if isinstance(one, (ast.If, ast.While)))
        )

    def _is_of_comparisons(self, value: ast.expr | None) -> bool:
        """Whether a method answers by comparisons, none of which is one of time."""
        parts = list(_sides(value)) if value is not None else []
        return bool(parts) and all(isinstance(one, ast.Compare) and not self._tells_time(one) for one in parts)

    def _called(self, test: ast.expr) -> ast.FunctionDef | None:
        """The method that a test asks: `self.is_lost()`."""
        called = test.func if isinstance(test, ast.Call) else None
        if not isinstance(called, ast.Attribute) or not isinstance(called.value, ast.Name):
            return None
        return self._methods.get(called.attr) if called.value.id == self._own else None

    def _tells_time(self, test: ast.expr) -> bool:
        """Whether anything in a test, or in what its names are set to, counts or is called a time or a limit."""
        parts = (one for whole in reach([test], self._set_to) for one in ast.walk(whole))
        return any(
            name in self._counted or not _OF_TIME.isdisjoint(word.lower() for word in _WORD.findall(name))
            for name in map(_name, parts)
        )

    def _set_to(self, test: ast.expr) -> list[ast.expr]:
        """What the names in a test are set to."""
        names = (one for one in ast.walk(test) if isinstance(one, ast.Name))
        return [value for one in names for value, _ in self._values(one)]


def _settings(
    body: Sequence[ast.stmt], guards: tuple[ast.expr, ...]
) -> Iterator[tuple[ast.expr, ast.expr, tuple[ast.expr, ...]]]:
    """Every target in a block and the blocks in it, what it is set to, and the tests that hold there."""
    for one in body:
        if isinstance(one, ast.Assign):
            for target in one.targets:
                yield target, one.value, guards
                for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else ():
                    # a part of something: nobody sees which
                    yield part, ast.Constant(...), guards
        elif isinstance(one, (ast.AnnAssign, ast.AugAssign)) and one.value is not None:
            yield one.target, one.value, guards
        elif isinstance(one, ast.If):
            yield from _settings(one.body, (*guards, one.test))
            yield from _settings(one.orelse, guards)
        elif not isinstance(one, (ast.FunctionDef, ast.ClassDef)):
            for block in ("body", "orelse", "finalbody"):
                yield from _settings(getattr(one, block, ()), guards)
            for arm in (*getattr(one, "handlers", ()), *getattr(one, "cases", ())):
                # what an arm asks is no comparison: of what it sets nothing is known
                yield from _settings(arm.body, (*guards, ast.Constant(...)))


def _sides(value: ast.expr) -> Iterator[ast.expr]:
    """`a`, `b` of `a or b` and of `a | b`; the test of `bool(test)`."""
    if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or):
        for one in value.values:
            yield from _sides(one)
    elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        yield from _sides(value.left)
        yield from _sides(value.right)
    elif isinstance(value, ast.Call) and _name(value.func) == "bool" and len(value.args) == 1:
        yield from _sides(value.args[0])
    else:
        yield value


def _inside(method: ast.FunctionDef) -> Iterator[ast.AST]:
    """What stands in a method, not in functions of its own."""
    todo: list[ast.AST] = list(method.body)
    while todo:
        one = todo.pop()
        yield one
        if not isinstance(one, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            todo += children(one)


def _counted(one: ast.AST) -> str:
    """`n` of `self.n += 1`."""
    adds = isinstance(one, ast.AugAssign) and isinstance(one.value, ast.Constant) and isinstance(one.op, ast.Add)
    return _name(one.target) if adds and isinstance(one, ast.AugAssign) else ""


def _name(one: ast.AST) -> str:
    """The name, or the last part of one, that a node is."""
    if isinstance(one, ast.Name):
        return one.id
    if isinstance(one, ast.Constant) and isinstance(one.value, str):
        return one.value
    return one.attr if isinstance(one, ast.Attribute) else ""


def _same(one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions name the same, to read or to set it."""
    if isinstance(one, ast.Name) and isinstance(other, ast.Name):
        return one.id == other.id
    if isinstance(one, ast.Attribute) and isinstance(other, ast.Attribute):
        return one.attr == other.attr and _same(one.value, other.value)
    return False


def _is(value: ast.expr, truth: bool) -> bool:
    return isinstance(value, ast.Constant) and value.value is truth


def _is_constant(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)

"""Which `step` pays a reward for every end of an episode, also for one that it calls *truncated*.

A penalty or a win that comes with the limit makes the limit a part of the task: the value behind it is cut with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from done_lint.core.reach import reach


def pays_end(body: Sequence[ast.stmt]) -> bool:
    """Whether the `step` of a class gives a fixed reward wherever it truncates an episode, or ends it in any way."""
    step = next((one for one in body if isinstance(one, ast.FunctionDef) and one.name == "step"), None)
    if step is None:
        return False
    returned = [one.value for one in ast.walk(step) if isinstance(one, ast.Return) and isinstance(one.value, ast.Tuple)]
    rows = [one.elts for one in returned if len(one.elts) == 5]
    return bool(rows) and all(_Payments(step, *row[1:4]).found() for row in rows)


class _Payments:
    """Looks at what one method pays where its third flag is set."""

    def __init__(self, step: ast.FunctionDef, reward: ast.expr, terminated: ast.expr, truncated: ast.expr) -> None:
        self._step = step
        self._set = list(_settings(step))
        self._truncated = self._names(truncated)
        parts = reach([reward], self._paid_from)
        self._rewards = list({id(one): one for part in parts for one in ast.walk(part)}.values())
        self._targets = {ast.unparse(one) for one in self._rewards if isinstance(one, (ast.Name, ast.Attribute))}

    def found(self) -> bool:
        """Whether it pays."""
        chosen = (one for one in self._rewards if isinstance(one, ast.IfExp))
        if any(self._holds(one.test) and self._pays(one.body) for one in chosen):
            return True
        branches = (one for one in ast.walk(self._step) if isinstance(one, ast.If))
        return any(self._holds(one.test) and self._block_pays(one.body) for one in branches)

    def _names(self, flag: ast.expr) -> set[str]:
        """What a flag is called: `truncated` and `self.sim.truncated` of `truncated = bool(self.sim.truncated)`."""
        found = (one for one in reach([flag], self._same) if isinstance(one, (ast.Name, ast.Attribute)))
        return {ast.unparse(one) for one in found}

    def _same(self, flag: ast.expr) -> list[ast.expr]:
        """What a flag is, in other words; of one for each agent: that of each."""
        if isinstance(flag, ast.DictComp):
            return [flag.value]
        if inner := _converted(flag):
            return [inner]
        return self._values(ast.unparse(flag)) if isinstance(flag, ast.Name) else []

    def _paid_from(self, value: ast.expr) -> list[ast.expr]:
        """What the names in a reward are set to, also in part: `components["failure"] = -6.0`."""
        names = (ast.unparse(one) for one in ast.walk(value) if isinstance(one, (ast.Name, ast.Attribute)))
        return [given for name in names for given in self._values(name)]

    def _values(self, name: str) -> list[ast.expr]:
        return [value for target, value in self._set if target == name]

    def _holds(self, test: ast.expr, depth: int = 0) -> bool:
        """Whether a test is true at each truncation, but for what it leaves out by a `not`."""
        if inner := _converted(test):
            return self._holds(inner, depth)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
            return any(self._holds(one, depth) for one in test.values)
        if isinstance(test, ast.BoolOp):
            others = [one for one in test.values if not self._holds(one, depth)]
            return len(others) < len(test.values) and all(map(_is_negated, others))
        if not isinstance(test, (ast.Name, ast.Attribute)):
            return False
        name = ast.unparse(test)
        values = self._values(name) if depth < 3 and isinstance(test, ast.Name) else []
        return name in self._truncated or (bool(values) and all(self._holds(one, depth + 1) for one in values))

    def _block_pays(self, block: Sequence[ast.stmt]) -> bool:
        """Whether a block pays, whatever its tests say."""
        return any(map(self._statement_pays, block))

    def _statement_pays(self, one: ast.stmt) -> bool:
        if isinstance(one, ast.If):
            return self._block_pays(one.body) and self._block_pays(one.orelse)
        return any(target in self._targets and self._pays(value) for target, value in _settings_of(one))

    def _pays(self, value: ast.expr) -> bool:
        """Whether a value is a number other than zero, or one of several such."""
        if isinstance(value, ast.IfExp):
            return self._pays(value.body) and self._pays(value.orelse)
        if isinstance(value, ast.UnaryOp):
            return self._pays(value.operand)
        if isinstance(value, ast.Constant):
            return isinstance(value.value, (int, float)) and not isinstance(value.value, bool) and value.value != 0
        return isinstance(value, ast.Name) and value.id.isupper()


def _settings(step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """What is set in a method, whole or in part, and to what."""
    return (both for one in ast.walk(step) if isinstance(one, ast.stmt) for both in _settings_of(one))


def _settings_of(one: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    targets = one.targets if isinstance(one, ast.Assign) else []
    if isinstance(one, (ast.AnnAssign, ast.AugAssign)):
        targets = [one.target]
    value = one.value if isinstance(one, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else None
    for target in targets:
        while isinstance(target, ast.Subscript):
            target = target.value
        if value is not None:
            yield ast.unparse(target), value


def _converted(value: ast.expr) -> ast.expr | None:
    """`x` of `bool(x)`."""
    of_bool = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "bool"
    return value.args[0] if of_bool and isinstance(value, ast.Call) and len(value.args) == 1 else None


def _is_negated(test: ast.expr) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)

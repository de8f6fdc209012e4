"""Functions that return one of their parameters, converted: `lambda x: torch.as_tensor(x).float()`.

What such a function returns in one call is what that call gave it, and nothing of what other calls did. So its calls
are conversions themselves: in one node for all calls, the fields of all batches of a program would meet.
"""

from __future__ import annotations

import ast
from typing import Literal

from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.passing import CHANGING
from done_lint.knowledge import array_functions

#: By variable: the parameter that it is, converted or as it came.
_Known = dict[str, str]
#: Every way through a block returns or raises, some way goes on behind it, or it does something else.
_End = Literal["returned", "on", "unknown"]


def converted_parameter(arguments: ast.arguments, body: ast.expr | list[ast.stmt]) -> int:
    """Which parameter every way through a function returns, and some way converts, by its place; -1: none."""
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    statements: list[ast.stmt] = [ast.Return(body)] if isinstance(body, ast.expr) else body
    reader = _Reader()
    if reader.block(statements, dict(zip(names, names))) != "returned" or len(reader.found) != 1 or not reader.converts:
        return -1
    found = reader.found.pop()
    return names.index(found) if found else -1


class _Reader:
    """Reads a body that does nothing else."""

    def __init__(self) -> None:
        #: What is returned; empty: something else than a parameter.
        self.found: set[str] = set()
        self.converts = False

    def block(self, body: list[ast.stmt], known: _Known) -> _End:
        """How a block of statements ends."""
        for statement in body:
            state = self._statement(statement, known)
            if state != "on":
                return state
        return "on"

    def _statement(self, s: ast.stmt, known: _Known) -> _End:
        if isinstance(s, ast.Return):
            self.found.add(self._read(s.value, known) if s.value is not None else "")
            return "returned"
        if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
            known[s.targets[0].id] = self._read(s.value, known)
            return "on"
        if isinstance(s, ast.If):
            return self._if(s, known)
        if isinstance(s, ast.Raise):
            return "returned"
        harmless = isinstance(s, (ast.Pass, ast.Assert)) or (
            isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)
        )
        return "on" if harmless else "unknown"

    def _if(self, s: ast.If, known: _Known) -> _End:
        one, other = dict(known), dict(known)
        ends = self.block(s.body, one), self.block(s.orelse, other)
        if "unknown" in ends:
            return "unknown"
        going_on = [side for side, end in zip((one, other), ends) if end == "on"]
        for name in known.keys() | one.keys() | other.keys() if going_on else ():
            meant = {side.get(name, "") for side in going_on}
            known[name] = meant.pop() if len(meant) == 1 else ""
        return "on" if going_on else "returned"

    def _read(self, e: ast.expr, known: _Known) -> str:
        """The parameter that an expression is, converted or as it came; empty: something else."""
        if isinstance(e, ast.Name):
            return known.get(e.id, "")
        if isinstance(e, ast.IfExp):
            one, other = self._read(e.body, known), self._read(e.orelse, known)
            return one if one == other else ""
        if not isinstance(e, ast.Call):
            return ""
        name, found = last_name(e.func), ""
        if name in CHANGING:
            return ""
        if isinstance(e.func, ast.Attribute) and name in array_functions.PASSING_METHODS:
            found = self._read(e.func.value, known)
        if not found and name in array_functions.PASSING and e.args:
            found = self._read(e.args[0], known)
        self.converts |= bool(found)
        return found

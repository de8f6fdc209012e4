"""The functions of a file that a flag goes through: what calls them, and with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.kinds.flags import Ways
from done_lint.rewrites.context import Context, grouped, per_file
from done_lint.rewrites.env_methods import own_name


class Blocked(Exception):
    """The flag takes a path on which no second flag can follow it."""


class Functions:
    """Calls and parameters of the functions that this file alone calls."""

    def __init__(self, context: Context, ways: Ways) -> None:
        """Of one file."""
        self.context = context
        self.tree = context.tree
        self.facts = context.facts
        self.ways = ways

    def called(self, value: cst.BaseExpression) -> cst.FunctionDef | None:
        """The function of this file that a call means."""
        if not isinstance(value, cst.Call):
            return None
        span = self.tree.span(value)
        rows = _called_rows(self.context).get(span, ())
        found = _functions_by_row(self.context).get(rows[0], ()) if len(rows) == 1 else ()
        return found[0] if len(found) == 1 else None

    def calls(self, function: cst.FunctionDef) -> list[cst.Call]:
        """Every call of a function that only this file calls, and that is not passed as a value.

        Raises:
            Blocked: some use of it is no such call.
        """
        name = function.name.value
        known = self.ways.callers.get(self.tree.span(function).row, frozenset())
        if name in self.ways.shared or function.decorators:
            raise Blocked
        calls = sorted((call for span in known for call in self._calls_at(span)), key=self.tree.span)
        if not calls:
            raise Blocked
        named = [one for one in self.tree.names(name) if not self._is_another(one, known)]
        called = {call.func.attr if isinstance(call.func, cst.Attribute) else call.func for call in calls}
        if len(calls) != len(known) or not called.issuperset({*named} - {function.name}):
            raise Blocked
        return calls

    def _calls_at(self, span: Span) -> Sequence[cst.Call]:
        return _calls_by_span(self.context).get(span, ())

    def _is_another(self, name: cst.Name, known: frozenset[Span]) -> bool:
        """A method of the same name that is called on something else: on an environment, or on another class."""
        attribute = self.tree.parents[name]
        call = self.tree.parents.get(attribute)
        if not isinstance(attribute, cst.Attribute) or not isinstance(call, cst.Call) or call.func is not attribute:
            return False
        span, facts = self.tree.span(call), self.facts
        return span not in known and (span in facts.steps or span in facts.resets or span in self.ways.calls)

    def taker(self, param: cst.Param) -> tuple[cst.FunctionDef, int]:
        """The function of a parameter, and the place of its argument in a call."""
        function = self.tree.scope(param)
        params = self.tree.parents[param]
        if not isinstance(function, cst.FunctionDef) or not isinstance(params, cst.Parameters):
            raise Blocked
        if param not in params.params or param.default is not None:
            raise Blocked
        bound = isinstance(self.tree.scope(function), cst.ClassDef) and own_name(function)
        return function, list(params.params).index(param) - (1 if bound else 0)

    def argument(self, call: cst.Call, name: str, place: int) -> cst.Arg:
        """What a call gives for a parameter."""
        if any(argument.star for argument in call.args):
            raise Blocked
        for at, argument in enumerate(call.args):
            if argument.keyword.value == name if argument.keyword is not None else at == place:
                return argument
        raise Blocked


@per_file
def _called_rows(context: Context) -> Mapping[Span, Sequence[int]]:
    """The rows of the functions of the file that each call can mean."""
    callers = context.facts.ways.callers if context.facts.ways is not None else {}
    return grouped((span, row) for row, calls in callers.items() for span in calls)


@per_file
def _functions_by_row(context: Context) -> Mapping[int, Sequence[cst.FunctionDef]]:
    """The functions of the file by the row of the word `def`."""
    return grouped((context.tree.span(one).row, one) for one in context.tree.of_type(cst.FunctionDef))


@per_file
def _calls_by_span(context: Context) -> Mapping[Span, Sequence[cst.Call]]:
    """The calls of the file by place."""
    return grouped((context.tree.span(call), call) for call in context.tree.of_type(cst.Call))

"""Threads `terminated` along the path that `done` takes, to a place where only `done` arrives.

A second variable stands beside every one that the flag goes through: beside the attribute that is set from the
step, the list it is appended to, the helper's returned value, the parameter. What is bound to the first is bound
to the second, with *terminated* in the place of the joined flag; what the first one is read for stays.
"""

from __future__ import annotations

from typing import NamedTuple

import libcst as cst

from done_lint.core.findings import Edit, Span
from done_lint.facts.kinds.flags import Ways
from done_lint.knowledge.env_apis import STEP_WIDTHS
from done_lint.rewrites.context import Context
from done_lint.rewrites.thread_flag.callers import Blocked, Functions
from done_lint.rewrites.thread_flag.flag_values import FlagValues
from done_lint.rewrites.thread_flag.variables import Variable, Variables, is_bound
from done_lint.syntax.arguments import keyword_argument
from done_lint.syntax.edits import Edits, added_after, exchanged, replaced
from done_lint.syntax.expressions import assignment
from done_lint.syntax.shapes import only_target

#: Methods that put a value into a list, and those that take all values out of it.
_FILLING = frozenset({"append", "appendleft"})
_EMPTYING = frozenset({"clear"})
#: How many values a step of Gymnasium gives.
#: Methods after which two lists would not hold values of the same steps any more.
_MOVING = frozenset({"extend", "extendleft", "insert", "pop", "popleft", "remove", "reverse", "sort", "fill", "zero_"})


class Threaded(NamedTuple):
    """How *terminated* comes to a place."""

    #: What to write there.
    flag: cst.BaseExpression
    #: All that has to change for it.
    edits: Edits
    #: No caller outside of the file can be left behind.
    closed: bool


def threaded(context: Context, flag: cst.BaseExpression) -> Threaded | None:
    """*terminated* for the place of `flag`, which holds the joined flag; `None` where that is not possible.

    Only what this file shows is followed: functions on the path are called, attributes set in this file alone.
    """
    if context.facts.ways is None:
        return None
    thread = _Thread(context, context.facts.ways)
    try:
        second = thread.second(flag, at_sink=True)
    except Blocked:
        return None
    edits = tuple(dict.fromkeys(edit for edits in thread.edits for edit in edits))
    return Threaded(second, edits, not thread.through_calls or context.facts.ways.script)


class _Thread:
    """One attempt: the second variables so far, and the edits that bind and fill them."""

    def __init__(self, context: Context, ways: Ways) -> None:
        self.context = context
        self.tree = context.tree
        self.variables = Variables(context.tree, ways)
        self.values = FlagValues(context, ways, self.variables)
        self.functions = Functions(context, ways)
        self.edits: list[Edits] = []
        #: A function takes, or returns, one value more.
        self.through_calls = False
        self._names: dict[Variable, str] = {}
        #: Functions that return *terminated* too.
        self._returning: set[cst.FunctionDef] = set()
        #: Variables that need no start value: they are bound anew before they are read.
        self._bound_anew: set[Variable] = set()

    # --- what stands for the second variable -------------------------------------------------------

    def second(self, whole: cst.BaseExpression, *, at_sink: bool = False) -> cst.BaseExpression:
        """The expression with *terminated* in the place of the joined flag.

        Raises:
            Blocked: the flag comes here on a path that cannot be followed.
        """
        known = self.values.terminated_in(whole)
        if known is not None:
            return known
        variables = self.values.variables_in(whole)
        if not variables or any(self.values.is_own_call(node) for node in self.tree.descend(whole)):
            raise Blocked
        return exchanged(whole, {node: self._beside(node, variable, at_sink) for node, variable in variables.items()})

    def _beside(self, node: cst.CSTNode, variable: Variable, at_sink: bool) -> cst.BaseExpression:
        """What stands for the second variable where `node` stands for the first."""
        if isinstance(node, cst.Name):
            if (known := self.values.terminated_before(node)) is not None:
                return known
            if at_sink and (param := self.variables.parameter_of_sinks(node, variable, self._sinks)) is not None:
                self._pass_terminated(param)
                return node
            if self.values.is_flag_before(node):
                self._bound_anew.add(variable)
        name = self._name(variable)
        if isinstance(node, cst.Attribute):
            return node.with_changes(attr=cst.Name(name), lpar=(), rpar=())
        return cst.Name(name)

    def _name(self, variable: Variable) -> str:
        """The name of the second variable; the first call binds and fills it wherever the first one is."""
        if variable not in self._names:
            self._names[variable] = self.variables.second_name(variable)
            for mention in self.variables.mentions(variable):
                if is_bound(self.tree, mention):
                    self._bound(mention, variable)
                else:
                    self._used(mention)
        return self._names[variable]

    @property
    def _sinks(self) -> frozenset[Span]:
        """The flags of sinks at which *terminated* is all that is asked for."""
        return frozenset(
            sink.flag_span or sink.span
            for sink in self.context.facts.sinks.values()
            if sink.kind in ("mask", "branch", "store") and not sink.hindrance
        )

    def _again(self, target: cst.BaseExpression) -> cst.BaseExpression:
        """The second variable, where the first one is the target."""
        variable = self.variables.at(target)
        if variable is None or variable not in self._names:
            raise Blocked
        if isinstance(target, cst.Attribute):
            return target.with_changes(attr=cst.Name(self._names[variable]), lpar=(), rpar=())
        return cst.Name(self._names[variable])

    def _value(self, value: cst.BaseExpression) -> cst.BaseExpression:
        """What the second variable is bound to: the same, with *terminated* where the joined flag is."""
        if self.values.contains_joined_flag(value):
            return self.second(value)
        if not self.values.is_start(value):
            raise Blocked
        return value

    # --- where it is bound and filled --------------------------------------------------------------

    def _bound(self, target: cst.BaseExpression, variable: Variable) -> None:
        parent = self.tree.parents[target]
        if isinstance(parent, cst.Param):
            self._parameter(parent, self._names[variable])
            return
        if isinstance(parent, cst.AnnAssign) and parent.value is not None:
            self._statement_after(parent, self._again(target), self._value(parent.value))
            return
        if isinstance(parent, cst.Element):
            self._element(target, parent)
            return
        assign = self.tree.parents.get(parent)
        if not isinstance(parent, cst.AssignTarget) or not isinstance(assign, cst.Assign):
            raise Blocked
        if variable in self._bound_anew and not self.values.contains_joined_flag(assign.value):
            return
        if len(assign.targets) > 1 and not isinstance(assign.value, (cst.Name, cst.Integer, cst.Float)):
            raise Blocked
        self._statement_after(assign, self._again(target), self._value(assign.value))

    def _statement_after(
        self, statement: cst.BaseSmallStatement, target: cst.BaseExpression, value: cst.BaseExpression
    ) -> None:
        if not isinstance(target, (cst.Name, cst.Attribute, cst.Subscript)):
            raise Blocked
        if not target.deep_equals(value):
            self.edits.append(added_after(self.tree, statement, assignment(target, value)))

    def _element(self, target: cst.BaseExpression, element: cst.Element) -> None:
        """`rewards, dones = [], []`, or `obs, reward, done = helper()`."""
        packed = self.tree.parents[element]
        holder = self.tree.parents[packed]
        assign = self.tree.parents.get(holder)
        if not isinstance(packed, (cst.Tuple, cst.List)) or not isinstance(assign, cst.Assign):
            raise Blocked
        if len(assign.targets) > 1:
            raise Blocked
        place = packed.elements.index(element)
        if any(isinstance(one, cst.StarredElement) for one in packed.elements):
            raise Blocked
        if isinstance(assign.value, (cst.Tuple, cst.List)) and len(assign.value.elements) == len(packed.elements):
            given = assign.value.elements[place].value
            self._insert_behind(element, self._again(target))
            self._insert_behind(assign.value.elements[place], self._value(given))
            return
        function = self.functions.called(assign.value)
        if function is None:
            raise Blocked
        self._result(function, len(packed.elements), place)

    def _insert_behind(self, element: cst.BaseElement | cst.Arg | cst.Param, new: cst.CSTNode) -> None:
        """One more element of a tuple, argument or parameter, behind this one."""
        end = self.tree.offsets(element)[1]
        self.edits.append((Edit(end, end, f", {self.tree.module.code_for_node(new)}"),))

    def _result(self, function: cst.FunctionDef, width: int, place: int) -> None:
        """A function returns one value more, and all that call it take it."""
        if function in self._returning:
            return
        if function.name.value == "step" and width >= max(STEP_WIDTHS):
            raise Blocked  # wrappers and others take five values of a step, and have both flags in them
        self._returning.add(function)
        self.through_calls = True
        self._annotation(function, width, place)
        inside = self.tree.descend(function, into_functions=False)
        returned = [node.value for node in inside if isinstance(node, cst.Return)]
        if not returned:
            raise Blocked
        for value in returned:
            elements = value.elements if isinstance(value, cst.Tuple) else ()
            if len(elements) != width or not all(isinstance(one, cst.Element) for one in elements):
                raise Blocked
            self._insert_behind(elements[_before_second(width, place)], self._value(elements[place].value))
        for call in self.functions.calls(function):
            self._taken(call, width, place)

    def _taken(self, call: cst.Call, width: int, place: int) -> None:
        """`obs, reward, done = helper()` takes one value more; who does not need it, calls it `_`."""
        holder = self.tree.parents[call]
        target = only_target(holder)
        if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != width:
            raise Blocked
        taker = target.elements[place]
        variable = self.variables.at(taker.value)
        if variable is None or not all(isinstance(one, cst.Element) for one in target.elements):
            raise Blocked
        if variable not in self._names and self._is_cut_by(variable):
            self._bound_anew.add(variable)
            self._name(variable)
        before = target.elements[_before_second(width, place)]
        self._insert_behind(before, self._again(taker.value) if variable in self._names else cst.Name("_"))

    def _is_cut_by(self, variable: Variable) -> bool:
        """The variable is the flag of another sink, whose turn comes with the next pass."""
        flags = {sink.flag_span for sink in self.context.facts.sinks.values()}
        return any(self.tree.span(read) in flags for read in self.variables.reads(variable))

    def _annotation(self, function: cst.FunctionDef, width: int, place: int) -> None:
        """`-> tuple[Obs, float, bool]`."""
        if function.returns is None:
            return
        annotated = function.returns.annotation
        if not isinstance(annotated, cst.Subscript) or len(annotated.slice) != width:
            raise Blocked
        end = self.tree.offsets(annotated.slice[_before_second(width, place)])[1]
        code = self.tree.source(annotated.slice[place])
        self.edits.append((Edit(end, end, f", {code}"),))

    def _parameter(self, param: cst.Param, name: str) -> None:
        """A function takes one argument more, and all that call it give it."""
        function, place = self.functions.taker(param)
        calls = self.functions.calls(function)
        given = [self.functions.argument(call, param.name.value, place).value for call in calls]
        if given and all(self.tree.span(one) in self._sinks for one in given):
            raise Blocked  # *terminated* is what these calls will pass for the flag itself
        self.through_calls = True
        self._insert_behind(param, cst.Param(cst.Name(name), param.annotation, star=""))
        for call in calls:
            argument = self.functions.argument(call, param.name.value, place)
            value = self._value(argument.value)
            if argument.keyword is None:
                self._insert_behind(argument, value)
            else:
                self._insert_behind(argument, keyword_argument(name, value))

    def _pass_terminated(self, param: cst.Param) -> None:
        """All that call the function give it *terminated* for the joined flag."""
        function, place = self.functions.taker(param)
        self.through_calls = True
        for call in self.functions.calls(function):
            value = self.functions.argument(call, param.name.value, place).value
            self.edits.append(replaced(self.tree, value, self._value(value)))

    def _used(self, use: cst.BaseExpression) -> None:
        """A read that fills or empties what the variable holds happens to the second one, too."""
        parent = self.tree.parents[use]
        around = self.tree.parents.get(parent)
        if isinstance(parent, cst.Attribute) and isinstance(around, cst.Call) and around.func is parent:
            if parent.attr.value in (*_FILLING, *_EMPTYING):
                self._method(use, parent, around)
            elif parent.attr.value in _MOVING:
                raise Blocked
        elif isinstance(parent, cst.Subscript) and parent.value is use:
            self._subscript(use, parent)
        elif isinstance(parent, cst.Arg) and isinstance(around, cst.Call):
            self._handed(use, around)
        elif isinstance(parent, (cst.AugAssign, cst.Del)):
            raise Blocked

    def _handed(self, use: cst.BaseExpression, call: cst.Call) -> None:
        """A container that a function of the project is given may be filled there; a flag cannot."""
        if self.tree.span(use) in self.context.facts.flags or not self.values.is_own_call(call):
            return
        function = self.functions.called(call)
        if not any(variable.scope is function for variable in self._names):
            raise Blocked

    def _method(self, use: cst.BaseExpression, method: cst.Attribute, call: cst.Call) -> None:
        """`dones.append(done)`."""
        statement = self.tree.parents[call]
        if not isinstance(statement, cst.Expr):
            raise Blocked
        changes: dict[cst.CSTNode, cst.CSTNode] = {use: self._again(use)}
        if method.attr.value in _FILLING:
            changes[call.args[0].value] = self._value(call.args[0].value)
        self.edits.append(added_after(self.tree, statement, exchanged(statement, changes)))

    def _subscript(self, use: cst.BaseExpression, subscript: cst.Subscript) -> None:
        """`dones[t] = done`."""
        target = self.tree.parents[subscript]
        assign = self.tree.parents.get(target)
        if isinstance(target, (cst.AugAssign, cst.Del)):
            raise Blocked
        if isinstance(target, cst.AssignTarget) and isinstance(assign, cst.Assign):
            if len(assign.targets) > 1:
                raise Blocked
            self._statement_after(assign, exchanged(subscript, {use: self._again(use)}), self._value(assign.value))


def _before_second(width: int, place: int) -> int:
    """Behind which value of a result the second flag stands: behind the first one, or at the end.

    With five values `obs, reward, done, terminated, info` could be taken for what Gymnasium's `step` returns.
    """
    return width - 1 if (width, place) == (4, 2) else place

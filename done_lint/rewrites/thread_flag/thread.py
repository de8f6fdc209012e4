"""Carries `terminated` along the way that `done` takes, to a place where only `done` arrives.

A second variable stands beside every one that the flag goes through: beside the attribute that is set from the
step, the list it is appended to, the helper's returned value, the parameter. What is bound to the first is bound
to the second, with *terminated* in the place of the joined flag; what the first one is read for stays.
"""

from __future__ import annotations

from typing import NamedTuple

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.facts.facts import Ways
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import own_name
from done_lint.rewrites.thread_flag.callers import Blocked, Functions
from done_lint.syntax.arguments import keyword_argument
from done_lint.syntax.edits import Edits, added_after, exchanged, replaced
from done_lint.syntax.tree import Scope

#: Methods that put a value into a list, and those that take all values out of it.
_FILLING = frozenset({"append", "appendleft"})
_EMPTYING = frozenset({"clear"})
#: Methods after which two lists would not hold values of the same steps any more.
_MOVING = frozenset({"extend", "extendleft", "insert", "pop", "popleft", "remove", "reverse", "sort", "fill", "zero_"})
#: Suites whose statements run in order.
_BLOCKS = (cst.IndentedBlock, cst.Module)


class Way(NamedTuple):
    """How *terminated* comes to a place."""

    #: What to write there.
    flag: cst.BaseExpression
    #: All that has to change on the way.
    edits: Edits
    #: No caller outside of the file can be left behind.
    closed: bool


class _Variable(NamedTuple):
    """A variable of a scope, or (where the scope is a class) an attribute of its instances."""

    scope: Scope
    name: str


def carried(context: Context, flag: cst.BaseExpression) -> Way | None:
    """The way of *terminated* to `flag`, an expression that holds the joined flag; `None` where there is none.

    Only what this file shows is followed: functions on the way are called, attributes set in this file alone.
    """
    if context.facts.ways is None:
        return None
    carrier = _Carrier(context, context.facts.ways)
    try:
        second = carrier.second(flag, at_sink=True)
    except Blocked:
        return None
    edits = tuple(dict.fromkeys(edit for edits in carrier.edits for edit in edits))
    return Way(second, edits, not carrier.through_calls or context.facts.ways.script)


class _Carrier:
    """One attempt: the second variables so far, and the edits that make and fill them."""

    def __init__(self, context: Context, ways: Ways) -> None:
        self.context = context
        self.tree = context.tree
        self.ways = ways
        self.functions = Functions(context, ways)
        self.edits: list[Edits] = []
        #: A function takes, or returns, one value more.
        self.through_calls = False
        self._names: dict[_Variable, str] = {}
        #: By the name of an attribute: the class whose methods alone bind it.
        self._owners: dict[str, cst.ClassDef | None] = {}
        #: Functions that return *terminated* too.
        self._returning: set[cst.FunctionDef] = set()
        #: Variables that need no start value: they are bound anew before they are read.
        self._bound_anew: set[_Variable] = set()

    # --- expressions -------------------------------------------------------------------------------

    def second(self, whole: cst.BaseExpression, *, at_sink: bool = False) -> cst.BaseExpression:
        """The expression with *terminated* in the place of the joined flag."""
        known = self._terminated_in(whole)
        if known is not None:
            return known
        variables = self._variables_in(whole)
        if not variables:
            raise Blocked
        if any(self._is_own_call(node) for node in self.tree.descend(whole)):
            raise Blocked
        return exchanged(whole, {node: self._beside(node, variable, at_sink) for node, variable in variables.items()})

    def _terminated_in(self, whole: cst.BaseExpression) -> cst.BaseExpression | None:
        """`terminated` of `terminated or truncated`."""
        found = {
            self.tree.source(node): node
            for node in self.tree.descend(whole)
            if isinstance(node, (cst.Name, cst.Attribute))
            and (flag := self.context.facts.flags.get(self.tree.span(node))) is not None
            and flag.terminated_only
            and not any(meaning.keep for meaning in flag.meanings)
        }
        return next(iter(found.values())) if len(found) == 1 else None

    def _variables_in(self, whole: cst.BaseExpression) -> dict[cst.CSTNode, _Variable]:
        """The variables inside through which the joined flag comes."""
        found: dict[cst.CSTNode, _Variable] = {}
        for node in self.tree.descend(whole):
            if any(self.tree.within(node, one) for one in found):
                continue
            variable = self._variable(node)
            if variable is not None and self._carries(node):
                found[node] = variable
        return found

    def _variable(self, node: cst.CSTNode) -> _Variable | None:
        if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
            owner = self._own_class(node) or self._only_class(node)
            return _Variable(owner, node.attr.value) if owner is not None else None
        parent = self.tree.parents.get(node)
        if not isinstance(node, cst.Name) or (isinstance(parent, cst.Attribute) and parent.attr is node):
            return None
        if isinstance(parent, cst.Arg) and parent.keyword is node:
            return None
        return _Variable(self.tree.scopes.resolved(self.tree.scope(node), node.value), node.value)

    def _own_class(self, attribute: cst.Attribute) -> cst.ClassDef | None:
        """The class of `self.x`, where `self` is the method's own."""
        for ancestor in self.tree.ancestors(attribute):
            if isinstance(ancestor, cst.FunctionDef):
                scope = self.tree.scope(ancestor)
                if isinstance(scope, cst.ClassDef):
                    own = own_name(ancestor)
                    return scope if isinstance(attribute.value, cst.Name) and attribute.value.value == own else None
        return None

    def _only_class(self, attribute: cst.Attribute) -> cst.ClassDef | None:
        """The class of `runner.x`, where the methods of one class of this file, and nobody else, bind `x`."""
        name = attribute.attr.value
        if name not in self._owners:
            self._owners[name] = self._only_binder(name)
        return self._owners[name]

    def _only_binder(self, name: str) -> cst.ClassDef | None:
        bound = [one for one in self.tree.attributes(name) if self._is_bound(one)]
        owners = {self._own_class(one) for one in bound}
        return owners.pop() if len(owners) == 1 and name not in self.ways.shared else None

    def _carries(self, node: cst.CSTNode) -> bool:
        """The joined flag is the value, or stands somewhere inside it."""
        flag = self.context.facts.flags.get(self.tree.span(node))
        return flag.truncation if flag is not None else self.tree.span(node) in self.ways.holders

    # --- variables ---------------------------------------------------------------------------------

    def _beside(self, node: cst.CSTNode, variable: _Variable, at_sink: bool) -> cst.BaseExpression:
        """What stands for the second variable where `node` stands for the first."""
        if isinstance(node, cst.Name):
            if (known := self._known_before(node)) is not None:
                return known
            if at_sink and (param := self._only_read(node, variable)) is not None:
                self._given(param)
                return node
        if isinstance(node, cst.Name) and self._is_bound_before(node):
            self._bound_anew.add(variable)
        name = self._name(variable)
        if isinstance(node, cst.Attribute):
            return node.with_changes(attr=cst.Name(name), lpar=(), rpar=())
        return cst.Name(name)

    def _known_before(self, read: cst.Name) -> cst.BaseExpression | None:
        """`terminated`, where `done = terminated or truncated` stands in a block around the place that reads `done`."""
        binding = self._binding_before(read)
        assign = self.tree.parents[self.tree.parents[binding]] if binding is not None else None
        known = self._terminated_in(assign.value) if isinstance(assign, cst.Assign) else None
        if binding is None or not isinstance(known, cst.Name):
            return None
        again = self.tree.scopes.bindings(self.tree.scope(read), known.value)
        here = self.tree.span(read)
        return None if any(self.tree.span(binding) < self.tree.span(one) < here for one in again) else known

    def _binding_before(self, read: cst.Name) -> cst.Name | None:
        """The last binding of the name before it is read, where that always happens first."""
        bindings = self.tree.scopes.bindings(self.tree.scope(read), read.value)
        before = [one for one in bindings if self.tree.span(one) < self.tree.span(read)]
        row = self.tree.row(before[-1]) if before else None
        if row is None or not isinstance(self.tree.parents[row], _BLOCKS):
            return None
        return before[-1] if self.tree.within(read, self.tree.parents[row]) else None

    def _is_bound_before(self, read: cst.Name) -> bool:
        """What is read was bound to something that carries the flag, not to a start value."""
        binding = self._binding_before(read)
        if binding is None:
            return False
        parent = self.tree.parents[binding]
        assign = self.tree.parents[parent]
        return isinstance(parent, cst.Element) or (isinstance(assign, cst.Assign) and self._is_made_of_it(assign.value))

    def _is_made_of_it(self, value: cst.BaseExpression) -> bool:
        """The value is made of the joined flag."""
        flag = self.context.facts.flags.get(self.tree.span(value))
        return (flag is not None and flag.truncation) or bool(self._variables_in(value))

    def _is_own_call(self, node: cst.CSTNode) -> bool:
        """What the project's own functions return may be anything."""
        return isinstance(node, cst.Call) and self.tree.span(node) in self.ways.calls

    def _name(self, variable: _Variable) -> str:
        """The name of the second variable; on the first call, it is made wherever the first one is."""
        if variable not in self._names:
            self._names[variable] = self._fresh(variable)
            self._follow(variable)
        return self._names[variable]

    def _fresh(self, variable: _Variable) -> str:
        name = second_name(variable.name)
        if not isinstance(variable.scope, cst.ClassDef):
            return self.tree.scopes.fresh(variable.scope, name)[0]
        declared = [self.tree.scopes.bindings(variable.scope, one) for one in (variable.name, "__slots__")]
        if any(declared):
            raise Blocked
        if variable.name in self.ways.shared or self.tree.attributes(name):
            raise Blocked
        return name

    def _follow(self, variable: _Variable) -> None:
        """Make and fill the second variable wherever the first one is made and filled."""
        for mention in self._mentions(variable):
            if self._is_bound(mention):
                self._bound(mention, variable)
            else:
                self._used(mention)

    def _mentions(self, variable: _Variable) -> list[cst.BaseExpression]:
        """Bindings and reads of the variable.

        Raises:
            Blocked: somebody else may bind it, too.
        """
        if isinstance(variable.scope, cst.ClassDef):
            named = self.tree.attributes(variable.name)
            own = {one: (self._own_class(one) or self._only_class(one)) is variable.scope for one in named}
            if any(self._is_bound(one) for one, is_own in own.items() if not is_own):
                raise Blocked
            return [one for one, is_own in own.items() if is_own]
        scopes = self.tree.scopes
        if scopes.is_declared(variable.name):
            raise Blocked
        return [*scopes.bindings(variable.scope, variable.name), *scopes.reads(variable.scope, variable.name)]

    def _is_bound(self, mention: cst.BaseExpression) -> bool:
        """Whether the name or attribute stands where a value is bound to it."""
        node: cst.CSTNode = mention
        parent = self.tree.parents[node]
        if isinstance(parent, cst.Param):
            return parent.name is node
        while isinstance(parent, (cst.Element, cst.Tuple, cst.List)):
            node, parent = parent, self.tree.parents[parent]
        target = getattr(parent, "target", None)
        kinds = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.CompFor, cst.NamedExpr)
        return target is node and isinstance(parent, kinds)

    def _again(self, target: cst.BaseExpression) -> cst.BaseExpression:
        """The second variable, where the first one is the target."""
        variable = self._variable(target)
        if variable is None or variable not in self._names:
            raise Blocked
        if isinstance(target, cst.Attribute):
            return target.with_changes(attr=cst.Name(self._names[variable]), lpar=(), rpar=())
        return cst.Name(self._names[variable])

    def _value(self, value: cst.BaseExpression) -> cst.BaseExpression:
        """What the second variable is bound to: the same, with *terminated* where the joined flag is."""
        if self._is_made_of_it(value):
            return self.second(value)
        if not self._is_start(value):
            raise Blocked
        return value

    def _is_start(self, value: cst.BaseExpression) -> bool:
        """The flag is false in it, or it is an empty container; anything else may end an episode in its own way."""
        if isinstance(value, cst.Name):
            return value.value in ("False", "None")
        if isinstance(value, (cst.Integer, cst.Float)):
            return float(value.evaluated_value) == 0
        if isinstance(value, (cst.List, cst.Tuple)):
            return all(self._is_start(element.value) for element in value.elements)
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Multiply):
            return isinstance(value.left, cst.List) and self._is_start(value.left)
        own = any(self._is_own_call(node) for node in self.tree.descend(value))
        return isinstance(value, cst.Call) and not own and self.tree.span(value) in self.ways.holders

    # --- where it is made and filled ---------------------------------------------------------------

    def _bound(self, target: cst.BaseExpression, variable: _Variable) -> None:
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
        if variable in self._bound_anew and not self._is_made_of_it(assign.value):
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
            self.edits.append(added_after(self.tree, statement, cst.Assign([cst.AssignTarget(target)], value)))

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
            self._insert_behind(elements[place], self._value(elements[place].value))
        for call in self.functions.calls(function):
            self._taken(call, width, place)

    def _taken(self, call: cst.Call, width: int, place: int) -> None:
        """`obs, reward, done = helper()` takes one value more; who does not need it, calls it `_`."""
        holder = self.tree.parents[call]
        target = holder.targets[0].target if isinstance(holder, cst.Assign) and len(holder.targets) == 1 else None
        if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != width:
            raise Blocked
        taker = target.elements[place]
        variable = self._variable(taker.value)
        if variable is None or not all(isinstance(one, cst.Element) for one in target.elements):
            raise Blocked
        if variable not in self._names and self._is_cut_by(variable):
            self._bound_anew.add(variable)
            self._name(variable)
        self._insert_behind(taker, self._again(taker.value) if variable in self._names else cst.Name("_"))

    def _is_cut_by(self, variable: _Variable) -> bool:
        """The variable is the flag of another sink, whose turn comes with the next pass."""
        flags = {sink.flag_span for sink in self.context.facts.sinks.values()}
        return any(self.tree.span(read) in flags for read in self.tree.scopes.reads(variable.scope, variable.name))

    def _annotation(self, function: cst.FunctionDef, width: int, place: int) -> None:
        """`-> tuple[Obs, float, bool]`."""
        if function.returns is None:
            return
        annotated = function.returns.annotation
        if not isinstance(annotated, cst.Subscript) or len(annotated.slice) != width:
            raise Blocked
        end = self.tree.offsets(annotated.slice[place])[1]
        code = self.tree.source(annotated.slice[place])
        self.edits.append((Edit(end, end, f", {code}"),))

    def _parameter(self, param: cst.Param, name: str) -> None:
        """A function takes one argument more, and all that call it give it."""
        function, place = self.functions.taker(param)
        self.through_calls = True
        self._insert_behind(param, cst.Param(cst.Name(name), param.annotation, star=""))
        for call in self.functions.calls(function):
            argument = self.functions.argument(call, param.name.value, place)
            value = self._value(argument.value)
            if argument.keyword is None:
                self._insert_behind(argument, value)
            else:
                self._insert_behind(argument, keyword_argument(name, value))

    def _only_read(self, read: cst.Name, variable: _Variable) -> cst.Param | None:
        """The parameter that is read here and nowhere else: it may itself become *terminated*."""
        scopes = self.tree.scopes
        bound = scopes.bindings(variable.scope, variable.name)
        param = self.tree.parents[bound[0]] if len(bound) == 1 else None
        only = scopes.reads(variable.scope, variable.name) == [read] and not scopes.is_declared(variable.name)
        return param if only and isinstance(param, cst.Param) else None

    def _given(self, param: cst.Param) -> None:
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
        if self.tree.span(use) in self.context.facts.flags or not self._is_own_call(call):
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


def second_name(name: str) -> str:
    """`terminateds` beside `dones`."""
    for part in ("done", "terminal"):
        if part in name:
            return name.replace(part, "terminated")
    return f"{name}_terminated"

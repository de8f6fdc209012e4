"""Which variable an expression is, and where that variable is bound and read."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.kinds.flags import Ways
from done_lint.rewrites.env_methods import own_name
from done_lint.rewrites.thread_flag.callers import Blocked
from done_lint.syntax.tree import Scope, Tree

#: Suites whose statements run in order.
_BLOCKS = (cst.IndentedBlock, cst.Module)
_BINDING = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.CompFor, cst.NamedExpr)


class Variable(NamedTuple):
    """A variable of a scope, or (where the scope is a class) an attribute of its instances."""

    scope: Scope
    name: str


class Variables:
    """The variables of one file, attributes of its classes among them."""

    def __init__(self, tree: Tree, ways: Ways) -> None:
        """Of one file."""
        self.tree = tree
        self.ways = ways
        #: By the name of an attribute: the class whose methods alone bind it.
        self._owners: dict[str, cst.ClassDef | None] = {}

    def at(self, node: cst.CSTNode) -> Variable | None:
        """The variable that a name or an attribute is."""
        if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
            owner = self._class_of(node)
            return Variable(owner, node.attr.value) if owner is not None else None
        parent = self.tree.parents.get(node)
        if not isinstance(node, cst.Name) or (isinstance(parent, cst.Attribute) and parent.attr is node):
            return None
        if isinstance(parent, cst.Arg) and parent.keyword is node:
            return None
        return Variable(self.tree.scopes.resolved(self.tree.scope(node), node.value), node.value)

    def mentions(self, variable: Variable) -> list[cst.BaseExpression]:
        """Bindings and reads of the variable.

        Raises:
            Blocked: other code may bind it, too.
        """
        if isinstance(variable.scope, cst.ClassDef):
            named = self.tree.attributes(variable.name)
            own = {one: self._class_of(one) is variable.scope for one in named}
            if any(is_bound(self.tree, one) for one, is_own in own.items() if not is_own):
                raise Blocked
            return [one for one, is_own in own.items() if is_own]
        scopes = self.tree.scopes
        if scopes.is_declared(variable.name):
            raise Blocked
        return [*scopes.bindings(variable.scope, variable.name), *scopes.reads(variable.scope, variable.name)]

    def reads(self, variable: Variable) -> list[cst.Name]:
        """Where a variable of a function or module is read."""
        return self.tree.scopes.reads(variable.scope, variable.name)

    def parameter_of_sinks(self, read: cst.Name, variable: Variable, sinks: Collection[Span]) -> cst.Param | None:
        """The parameter that is read here, and elsewhere only as the flag of another sink."""
        bound = self.tree.scopes.bindings(variable.scope, variable.name)
        param = self.tree.parents[bound[0]] if len(bound) == 1 else None
        only = all(one is read or self.tree.span(one) in sinks for one in self.reads(variable))
        only = only and not self.tree.scopes.is_declared(variable.name)
        return param if only and isinstance(param, cst.Param) else None

    def binding_before(self, read: cst.Name) -> cst.Name | None:
        """The last binding of the name before it is read, where that always happens first."""
        bindings = self.tree.scopes.bindings(self.tree.scope(read), read.value)
        before = [one for one in bindings if self.tree.span(one) < self.tree.span(read)]
        row = self.tree.row(before[-1]) if before else None
        if row is None or not isinstance(self.tree.parents[row], _BLOCKS):
            return None
        return before[-1] if self.tree.within(read, self.tree.parents[row]) else None

    def second_name(self, variable: Variable) -> str:
        """A free name for a second variable beside this one.

        Raises:
            Blocked: the class declares its attributes, or other code may use the name.
        """
        name = second_name(variable.name)
        if not isinstance(variable.scope, cst.ClassDef):
            if self._is_part_of(name, variable):
                return name
            return self.tree.scopes.fresh(variable.scope, name)[0]
        if any(self.tree.scopes.bindings(variable.scope, one) for one in (variable.name, "__slots__")):
            raise Blocked
        if variable.name in self.ways.shared or self.tree.attributes(name):
            raise Blocked
        return name

    def _is_part_of(self, name: str, variable: Variable) -> bool:
        """Whether steps alone bind the name, each right before it is joined to the variable, and nothing else reads it.

        Then it is the second variable already: it only has to begin where the first one does.
        """
        tree, scopes = self.tree, self.tree.scopes
        bound = scopes.bindings(variable.scope, name)
        targets = [tree.parents[one] for one in scopes.bindings(variable.scope, variable.name)]
        joining = [tree.parents[one] for one in targets if isinstance(one, cst.AssignTarget)]
        read = scopes.reads(variable.scope, name)
        joined = {one for statement in joining for one in read if tree.within(one, statement)}
        rows = [tree.row(one) for one in bound]
        behind = [tree.following(row) if row is not None else None for row in rows]
        if not bound or joined != {*read} or scopes.is_declared(name):
            return False
        return all(_is_flag_of_step(tree, one) for one in bound) and all(
            row is not None and any(tree.within(one, row) for one in joined) for row in behind
        )

    def _class_of(self, attribute: cst.Attribute) -> cst.ClassDef | None:
        return self._own_class(attribute) or self._only_class(attribute)

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
        """The class of `runner.x`, where only the methods of one class of this file bind `x`."""
        name = attribute.attr.value
        if name not in self._owners:
            owners = {self._own_class(one) for one in self.tree.attributes(name) if is_bound(self.tree, one)}
            self._owners[name] = owners.pop() if len(owners) == 1 and name not in self.ways.shared else None
        return self._owners[name]


def is_bound(tree: Tree, mention: cst.BaseExpression) -> bool:
    """Whether the name or attribute stands where a value is bound to it."""
    node: cst.CSTNode = mention
    parent = tree.parents[node]
    if isinstance(parent, cst.Param):
        return parent.name is node
    while isinstance(parent, (cst.Element, cst.Tuple, cst.List)):
        node, parent = parent, tree.parents[parent]
    return isinstance(parent, _BINDING) and parent.target is node


def _is_flag_of_step(tree: Tree, target: cst.CSTNode) -> bool:
    """Whether a target is the third of five: `obs, reward, terminated, truncated, info = ...`."""
    element = tree.parents[target]
    targets = tree.parents[element]
    return isinstance(targets, cst.Tuple) and len(targets.elements) == 5 and targets.elements[2] is element


def second_name(name: str) -> str:
    """`terminateds` beside `dones`."""
    for part in ("done", "terminal"):
        if part in name:
            return name.replace(part, "terminated")
    return f"{name}_terminated"

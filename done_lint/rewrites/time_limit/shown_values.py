"""Which values of an environment its observation has: what happens to one from where it is read to the observation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from done_lint.knowledge import array_functions
from done_lint.rewrites.time_limit.bound_values import paired, single_value
from done_lint.syntax.dotted import last_name
from done_lint.syntax.tree import Tree

#: What puts values into an array or a record.
_GATHERING = array_functions.MAKING_ARRAYS | array_functions.JOINING | {"dict"}
#: What makes a number of one, or keeps it in bounds.
_NUMBERS = frozenset(
    {"float", "float32", "float64", "int", "int32", "int64", "min", "max", "clip", "minimum", "maximum"}
)
#: Methods that add to a list.
_ADDING = frozenset({"append", "extend", "insert"})
#: Methods that prepare an episode: what they alone set does not change in it.
_PREPARING = frozenset({"__init__", "reset"})
_SCALING = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)
_ROWS = (cst.Dict, cst.DictElement, cst.List, cst.Element, cst.Tuple)


def is_shown(tree: Tree, nodes: Sequence[cst.CSTNode]) -> bool:
    """Whether a count itself is one of the values observed: `np.array([self.level, self.hour])`, no index or test."""
    return any(is_value(tree, one) for one in nodes)


def is_value(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether nothing but rows, arrays and other units is made of a value on its way into the observation.

    A value alone (`hour = self.hour`) may be an index: it is followed to where its name is read.
    """
    return _Shown(tree).reaches(node)


class _Shown:
    """Follows a value through expressions and variables."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._names: set[cst.CSTNode] = set()

    def reaches(self, node: cst.CSTNode, gathered: bool = False) -> bool:
        """Whether what is made of a value becomes a part of a row, an array or a list that is returned or kept."""
        tree = self._tree
        parent = tree.parents[node]
        while not isinstance(parent, (cst.AnnAssign, cst.Assign, cst.Return)):
            if isinstance(parent, cst.Call) and self._adds(parent, node):
                return True
            if not self._carries(node, parent, gathered):
                return False
            gathered |= isinstance(parent, _ROWS) or (
                isinstance(parent, cst.Call) and last_name(parent.func) in _GATHERING
            )
            if isinstance(parent, cst.Element) and (target := paired(tree, parent)) is not None:
                return self._is_kept(target, gathered=False)
            if isinstance(parent, cst.Element) and _is_other_result(tree, parent):
                return False
            node, parent = parent, tree.parents[parent]
        if parent.value is not node:
            return False
        if gathered or isinstance(parent, cst.Return):
            return gathered
        targets = [parent.target] if isinstance(parent, cst.AnnAssign) else [one.target for one in parent.targets]
        return any(self._is_kept(one, gathered) for one in targets)

    def _carries(self, node: cst.CSTNode, parent: cst.CSTNode, gathered: bool) -> bool:
        """Whether an expression still has the value of a part of it."""
        if isinstance(parent, cst.BinaryOperation):
            return isinstance(parent.operator, _SCALING) and self._only_scales(node, parent)
        if isinstance(parent, cst.Call):
            name = last_name(parent.func)
            if parent.func is node:
                return isinstance(node, cst.Attribute)
            return gathered or name in _GATHERING or name in _NUMBERS
        if isinstance(parent, cst.Attribute):
            # `np.array([self.t]).astype(np.float32)`
            call = self._tree.parents[parent]
            return gathered and isinstance(call, cst.Call) and call.func is parent
        if isinstance(parent, cst.IfExp):
            return parent.test is not node
        return isinstance(parent, (cst.Arg, *_ROWS))

    def _only_scales(self, node: cst.CSTNode, whole: cst.BinaryOperation) -> bool:
        """Whether the other side of a sum or product is the same all through an episode."""
        return self._is_steady(whole.right if whole.left is node else whole.left)

    def _is_steady(self, value: cst.BaseExpression, copies: frozenset[str] = frozenset()) -> bool:
        """Whether a value has nothing in it that methods change in an episode, or that is looked up or computed.

        `copies`: the variables that it is the value of. One that is made of itself is not the same all through.
        """
        tree = self._tree
        nodes = list(tree.descend(value))
        calls = [one for one in nodes if isinstance(one, cst.Call)]
        if any(isinstance(one, cst.Subscript) for one in nodes) or any(not _is_number(one) for one in calls):
            return False
        attributes = [tree.source(one) for one in nodes if isinstance(one, cst.Attribute)]
        free = [one for one in nodes if isinstance(one, cst.Name) and not isinstance(tree.parents[one], cst.Attribute)]
        scope = tree.scope(value)
        for name in (one for one in free if tree.scopes.bindings(scope, one.value)):
            copied = single_value(tree, name) if name.value not in copies else None
            if copied is None or not self._is_steady(copied, copies | {name.value}):
                return False
        return set(attributes).isdisjoint(changed(tree, scope))

    def _adds(self, call: cst.Call, node: cst.CSTNode) -> bool:
        """`row.append(self.t)`, of a list of the method."""
        func = call.func
        return (
            isinstance(func, cst.Attribute)
            and func.attr.value in _ADDING
            and isinstance(func.value, cst.Name)
            and func is not node
            and isinstance(self._tree.parents[call], cst.Expr)
            and bool(self._tree.scopes.bindings(self._tree.scope(call), func.value.value))
        )

    def _is_kept(self, target: cst.BaseExpression, gathered: bool) -> bool:
        """Whether a value goes into a place of a row (`row[1] = self.t`), or into a variable that is shown."""
        if isinstance(target, cst.Subscript):
            return True
        if not isinstance(target, cst.Name) or target in self._names:
            return False
        self._names.add(target)
        scope = self._tree.scope(target)
        if len(self._tree.scopes.bindings(scope, target.value)) != 1:
            return False
        return any(self.reaches(one, gathered) for one in self._tree.scopes.reads(scope, target.value))


def changed(tree: Tree, inside: cst.CSTNode) -> set[str]:
    """The attributes that the class around a place changes in an episode."""
    owner = next((one for one in (inside, *tree.ancestors(inside)) if isinstance(one, cst.ClassDef)), None)
    rows = owner.body.body if owner is not None else ()
    found: set[str] = set()
    for row in rows:
        if isinstance(row, cst.FunctionDef) and row.name.value not in _PREPARING:
            found.update(tree.source(one) for one in _targets(tree, row) if isinstance(one, cst.Attribute))
    return found


def _targets(tree: Tree, function: cst.FunctionDef) -> Iterator[cst.BaseExpression]:
    for given in tree.inside(cst.Assign, function):
        for target in (one.target for one in given.targets):
            yield from (one.value for one in target.elements) if isinstance(target, cst.Tuple) else (target,)
    yield from (one.target for one in tree.inside(cst.AugAssign, function))


def _is_number(call: cst.Call) -> bool:
    """`float(self.length)`, `max(self.length, 1)`."""
    return last_name(call.func) in _NUMBERS


def _is_other_result(tree: Tree, element: cst.Element) -> bool:
    """Whether a value stands in the tuple that `step` returns, and not as its observation."""
    whole = tree.parents[element]
    method = tree.scope(element)
    if not isinstance(whole, cst.Tuple) or not isinstance(tree.parents[whole], cst.Return):
        return False
    return isinstance(method, cst.FunctionDef) and method.name.value == "step" and whole.elements[0] is not element

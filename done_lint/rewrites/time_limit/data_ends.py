"""Bounds that are the amount of the data: where nothing is left to read, an episode is over, and not cut."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.rewrites.env_methods import own_name
from done_lint.rewrites.time_limit.bound_values import single_value
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

#: What chooses one of two amounts, or makes a whole number of one.
_CHOOSING = frozenset({"min", "max", "int"})

#: What draws as many numbers as it is asked for (numpy 2.4 `random/_generator.pyx`, `mtrand.pyx`), or counts rows.
_DRAWING = frozenset("integers randint random rand uniform choice normal standard_normal poisson range".split())


def is_end_of_data(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, counter: str) -> bool:
    """Whether the bound of a count may be how many rows there are: `self.last = len(prices) - 1`.

    A number of steps for each row (`10 * len(goals)`) is a limit.
    """
    own = own_name(method)
    sides = (limit.left, *(one.comparator for one in limit.comparisons))
    owner = next((one for one in tree.ancestors(method) if isinstance(one, cst.ClassDef)), None)
    if owner is None or not own:
        return False
    amounts, bounds = _Amounts(tree, owner, own), [one for one in sides if tree.source(one) != f"{own}.{counter}"]
    return any(map(amounts.is_one, bounds)) or bool(
        {tree.source(one) for one in bounds} & set(_amounts_drawn(tree, owner, f"{own}.{counter}"))
    )


def _amounts_drawn(tree: Tree, owner: cst.ClassDef, count: str) -> Iterator[str]:
    """`self.n` of `self.weights = rng.random(self.n)`, from which a count takes one after the other."""
    taken = {
        tree.source(one.value)
        for one in tree.inside(cst.Subscript, owner)
        if len(one.slice) == 1 and isinstance(at := one.slice[0].slice, cst.Index) and tree.source(at.value) == count
    }
    for statement in tree.inside(cst.Assign, owner):
        if any(tree.source(one.target) in taken for one in statement.targets):
            calls = (one for one in tree.inside(cst.Call, statement) if last_name(one.func) in _DRAWING)
            yield from (tree.source(one.value) for call in calls for one in call.args)


class _Amounts:
    """Follows the attributes of a class to what they are set to."""

    def __init__(self, tree: Tree, owner: cst.ClassDef, own: str) -> None:
        self._tree = tree
        self._owner = owner
        self._own = own
        self._known: set[str] = set()
        self._copied: set[cst.BaseExpression] = set()

    def is_one(self, value: cst.BaseExpression) -> bool:
        """Whether a value is a number of rows, or is so in one of the ways in which it is set."""
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, (cst.Add, cst.Subtract)):
            return self.is_one(value.left)
        if isinstance(value, cst.BooleanOperation):
            return self.is_one(value.left) or self.is_one(value.right)
        if isinstance(value, cst.IfExp):
            return self.is_one(value.body) or self.is_one(value.orelse)
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Name):
            if value.func.value == "len":
                return True
            return value.func.value in _CHOOSING and any(self.is_one(one.value) for one in value.args)
        if isinstance(value, cst.Subscript):
            whole = single_value(self._tree, value.value) if isinstance(value.value, cst.Name) else value.value
            return isinstance(whole, cst.Attribute) and whole.attr.value == "shape"
        if isinstance(value, cst.Name):
            copied = single_value(self._tree, value)
            if copied is None or copied in self._copied:
                return False
            self._copied.add(copied)
            return self.is_one(copied)
        if isinstance(value, cst.Attribute) and is_name(value.value, self._own) and value.attr.value not in self._known:
            self._known.add(value.attr.value)
            return any(self._is_set_to_one(one, value.attr.value) for one in self._tree.inside(cst.Assign, self._owner))
        return False

    def _is_set_to_one(self, statement: cst.Assign, name: str) -> bool:
        """Whether a statement sets an attribute to a number of rows; `rows, columns = data.shape` does so too."""
        for target in (one.target for one in statement.targets):
            if self._is_of_class(target, name) and self.is_one(statement.value):
                return True
            places = [one.value for one in target.elements] if isinstance(target, cst.Tuple) else []
            if not places or not any(self._is_of_class(one, name) for one in places):
                continue
            if last_name(statement.value) == "shape":
                return self._is_of_class(places[0], name)
            values = [one.value for one in statement.value.elements] if isinstance(statement.value, cst.Tuple) else []
            pairs = zip(places, values) if len(places) == len(values) else ()
            if any(self._is_of_class(place, name) and self.is_one(value) for place, value in pairs):
                return True
        return False

    def _is_of_class(self, target: cst.BaseExpression, name: str) -> bool:
        return isinstance(target, cst.Attribute) and target.attr.value == name and is_name(target.value, self._own)

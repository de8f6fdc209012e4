"""Where a seed that a method takes goes: into a call, also by way of variables and attributes of the object.

`self.start = seed`, and `default_rng(self.start + self.episode)` in the same class: the reset seeds in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from done_lint.core.reach import reach
from done_lint.rewrites.env_methods import is_own

if TYPE_CHECKING:
    from done_lint.rewrites.context import Context

#: What a seed is part of, and still decides on: not the test of a choice.
_AROUND = (cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation, cst.Element, cst.Tuple, cst.List, cst.IfExp)
#: A read of a variable or an attribute.
_Read = cst.Name | cst.Attribute


class UsedSeeds:
    """Follows what methods of one class do with a seed."""

    def __init__(self, context: Context, body: cst.ClassDef) -> None:
        """Of a class of the file."""
        self._context = context
        self._tree = context.tree
        self._body = body

    def arguments(self, method: cst.FunctionDef, name: str, apart: cst.FunctionDef) -> Iterator[cst.Arg]:
        """The arguments of calls that a parameter of a method goes into, wherever in the class but in a method `apart`.

        What is kept under a key (`options["seed"] = self.start`) is given to a call, too, which takes all the keys.
        """
        starts: list[_Read] = [*self._tree.scopes.reads(method, name)]
        for read in reach(starts, lambda one: self._kept(one, apart)):
            around = self._tree.parents[self._whole(read)]
            if isinstance(around, cst.Arg):
                yield around

    def kept(self, method: cst.FunctionDef, name: str) -> frozenset[str]:
        """The attributes of the object that a method keeps what it takes in."""
        found: set[str] = set()
        for read in self._tree.scopes.reads(method, name):
            found.update(one.attr.value for one in self._targets(read) if isinstance(one, cst.Attribute))
        return frozenset(found)

    def reads_in(self, method: cst.FunctionDef, names: frozenset[str], apart: cst.FunctionDef) -> bool:
        """Whether a method gives one of these attributes to a call, or keeps it under a key, at once or in the end."""
        starts: list[_Read] = [
            read
            for read in self._tree.inside(cst.Attribute, method)
            if read.attr.value in names and is_own(self._context, read.value) and not self._is_target(read)
        ]
        for read in reach(starts, lambda one: self._kept(one, apart)):
            keys = (isinstance(one, cst.Subscript) for one in self._targets(read))
            if isinstance(self._tree.parents[self._whole(read)], cst.Arg) or any(keys):
                return True
        return False

    def _kept(self, read: _Read, apart: cst.FunctionDef) -> list[_Read]:
        """The reads of what a value is assigned to, in the same function or of an attribute of the object."""
        found: list[_Read] = []
        for target in self._targets(read):
            if isinstance(target, cst.Name):
                found += self._tree.scopes.reads(self._tree.scope(target), target.value)
            elif isinstance(target, cst.Attribute) and is_own(self._context, target.value):
                found += (
                    one
                    for one in self._tree.attributes(target.attr.value)
                    if self._tree.within(one, self._body)
                    and not self._tree.within(one, apart)
                    and is_own(self._context, one.value)
                    and not self._is_target(one)
                )
        return found

    def _targets(self, read: _Read) -> list[cst.BaseExpression]:
        """What the value that a read is part of is assigned to."""
        whole = self._whole(read)
        around = self._tree.parents[whole]
        if isinstance(around, cst.Assign) and around.value is whole:
            return [one.target for one in around.targets]
        if isinstance(around, cst.AnnAssign) and around.value is whole:
            return [around.target]
        return []

    def _whole(self, read: cst.CSTNode) -> cst.CSTNode:
        """The expression that a read is part of and decides on."""
        whole, around = read, self._tree.parents[read]
        while isinstance(around, _AROUND) and not (isinstance(around, cst.IfExp) and around.test is whole):
            whole, around = around, self._tree.parents[around]
        return whole

    def _is_target(self, node: cst.CSTNode) -> bool:
        return isinstance(self._tree.parents[node], (cst.AssignTarget, cst.AnnAssign, cst.AugAssign))

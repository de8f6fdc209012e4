"""The rest of a step's result, behind a star or in a slice, where more values in it than before change nothing."""

from __future__ import annotations

from collections.abc import Container, Sequence

import libcst as cst

from done_lint.knowledge.env_apis import STEP_WIDTHS
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking, gives_five
from done_lint.syntax.compared import compared_with
from done_lint.syntax.shapes import is_name, is_negation, is_number, only_index, only_target
from done_lint.syntax.tree import Scope


class Rests:
    """Looks at what a file does with such rests."""

    def __init__(self, context: Context) -> None:
        """Look at nothing yet."""
        self._context = context
        self._tree = context.tree

    def rebuilds_result(self, node: cst.Subscript, part: slice) -> bool:
        """Whether a slice of the middle or the end goes into a tuple at the place that it had in the result."""
        before, after = part.start or 0, -(part.stop or 0)
        if before < 0 or after < 0 or part.step is not None:
            return False
        parent = self._tree.parents[node]
        if (target := only_target(parent)) is not None:
            return self.only_rebuilds_result(self._tree.scope(node), target, before, after)
        return self._is_in_place(node, before, after)

    def only_rebuilds_result(self, scope: Scope, rest: cst.BaseExpression, before: int, after: int) -> bool:
        """Whether the name that holds the middle of a result is read only to build another result around it."""
        if not isinstance(rest, cst.Name) or isinstance(scope, cst.ClassDef):
            return False
        reads = self._tree.scopes.reads(scope, rest.value)
        return all(self._is_in_place(self._each(read), before, after) for read in reads)

    def _each(self, read: cst.Name) -> cst.BaseExpression:
        """`[to_tensor(x) for x in rest]` has an element for each of the rest; any other read stays what it is."""
        loop = self._tree.parents[read]
        made = self._tree.parents[loop]
        if not isinstance(loop, cst.CompFor) or loop.iter is not read or loop.ifs or loop.inner_for_in is not None:
            return read
        return made if isinstance(made, (cst.GeneratorExp, cst.ListComp)) else read

    def only_compared(self, unpacking: Unpacking, rest: cst.BaseExpression) -> bool:
        """Whether the rest of a result is read only to compare it with the same of another: `rest[1:] == other[1:]`."""
        if not isinstance(rest, cst.Name) or isinstance(unpacking.scope, cst.ClassDef):
            return False
        others = {
            self._tree.source(element.value)
            for one in self._context.unpackings
            if one.starred
            and one.scope is unpacking.scope
            and gives_five(one.step)
            and _around(one) == _around(unpacking)
            for element in one.target.elements
            if isinstance(element, cst.StarredElement) and one.target is not unpacking.target
        }
        reads = self._tree.scopes.reads(unpacking.scope, rest.value)
        return all(self._is_compared(read, others) for read in reads)

    def only_split_in_five(self, scope: Scope, rest: cst.BaseExpression, around: int) -> bool:
        """Whether the rest is only taken apart into as many values as five leave, asked as a whole, or handed on."""
        if not isinstance(rest, cst.Name) or isinstance(scope, cst.ClassDef):
            return False
        reads = self._tree.scopes.reads(scope, rest.value)
        return all(self._is_split(read, _FIVE - around) for read in reads)

    def begins_with_flag(self, scope: Scope, rest: cst.BaseExpression) -> bool:
        """Whether a program takes `truncated` out of the rest: `truncated, info = rest`, `done = over or rest[0]`."""
        if not isinstance(rest, cst.Name) or isinstance(scope, cst.ClassDef):
            return False
        reads = self._tree.scopes.reads(scope, rest.value)
        if any(self._is_in_two(read) for read in reads):
            return True
        above = [one for read in reads if isinstance(one := self._tree.parents[read], cst.Subscript)]
        firsts = [one for one in above if is_number(only_index(one), "0")]
        read_further = (cst.Subscript, cst.Attribute)  # an info
        if any(isinstance(self._tree.parents[one], read_further) for one in firsts):
            return False
        return any(map(self._is_tested, firsts))

    def _is_in_two(self, read: cst.Name) -> bool:
        """`truncated, info = rest`."""
        target = only_target(self._tree.parents[read])
        return isinstance(target, (cst.Tuple, cst.List)) and _plain(target.elements, 2)

    def _is_tested(self, above: cst.Subscript) -> bool:
        """`over or rest[0]`."""
        around = self._tree.parents[above]
        joins = isinstance(around, cst.BinaryOperation) and isinstance(around.operator, cst.BitOr)
        tests = isinstance(around, (cst.If, cst.While, cst.IfExp)) and around.test is above
        return joins or tests or is_negation(around) or isinstance(around, cst.BooleanOperation)

    def _is_split(self, read: cst.Name, count: int) -> bool:
        """`obs, reward, terminated, truncated = rest`, `any(flags)`, `(*rest, info)`."""
        parent = self._tree.parents[read]
        target = only_target(parent)
        if isinstance(target, (cst.Tuple, cst.List)):
            return _plain(target.elements, count)
        if isinstance(parent, cst.StarredElement):
            others = self._tree.parents[parent]
            return isinstance(others, cst.Tuple) and len(others.elements) == _FIVE - count + 1
        call = self._tree.parents[parent]
        return isinstance(call, cst.Call) and is_name(call.func, "any") and len(call.args) == 1

    def _is_compared(self, read: cst.Name, others: Container[str]) -> bool:
        """Whether a name, or a part of it, stands beside the same part of another one in a comparison."""
        above = self._tree.parents[read]
        part = above if isinstance(above, cst.Subscript) and above.value is read else read
        beside = compared_with(self._tree, part)
        name = beside.value if isinstance(beside, cst.Subscript) else beside
        if beside is None or not isinstance(name, cst.Name) or name.value not in others:
            return False
        return self._tree.source(beside).removeprefix(name.value) == self._tree.source(part).removeprefix(read.value)

    def _is_in_place(self, node: cst.BaseExpression, before: int, after: int) -> bool:
        """Whether `node` is starred in a tuple (or added to one), with as many values around it as it leaves out."""
        parent = self._tree.parents[node]
        if isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Add):
            left = parent.left
            return parent.right is node and not after and isinstance(left, cst.Tuple) and _plain(left.elements, before)
        around = self._tree.parents[parent]
        if not isinstance(parent, cst.StarredElement) or not isinstance(around, (cst.Tuple, cst.List)):
            return False
        place = around.elements.index(parent)
        return _plain(around.elements[:place], before) and _plain(around.elements[place + 1 :], after)


_, _FIVE = STEP_WIDTHS


def _around(unpacking: Unpacking) -> tuple[int, int]:
    """How many values stand before the star of an unpacking, and behind it."""
    starred = [isinstance(element, cst.StarredElement) for element in unpacking.target.elements]
    return starred.index(True), len(starred) - starred.index(True) - 1


def _plain(elements: Sequence[cst.BaseElement], count: int) -> bool:
    """Whether these are so many values, none of them starred."""
    return len(elements) == count and all(isinstance(element, cst.Element) for element in elements)

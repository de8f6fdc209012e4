"""What a program takes the slots of a step's result for that it reads by their numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set

import libcst as cst

from done_lint.knowledge import naming_conventions
from done_lint.rewrites.context import Context, per_file
from done_lint.syntax.compared import compared_with
from done_lint.syntax.shapes import is_name, is_number, is_place, only_index, only_target

#: What is asked of one value: `flags[0]`, `flags.any()`, `not flag`.
_OF_ONE_VALUE = (cst.Subscript, cst.Attribute, cst.Call, cst.Arg, cst.UnaryOperation)


class SlotReads:
    """Looks at the reads of a file."""

    def __init__(self, context: Context) -> None:
        """Look at nothing yet."""
        self._context = context
        self._tree = context.tree

    def knows_five_values(self, node: cst.Subscript) -> bool:
        """Whether the program knows of five values: it names or counts them, joins both flags, or reads slot 4."""
        parent = self._tree.parents[node]
        targets = parent.targets if isinstance(parent, cst.Assign) else ()
        names = [self._tree.source(target.target) for target in targets]
        if any(names_new_flag(name) or _names_another_slot(name, index_of(node)) for name in names):
            return True
        if (held := _held(self._context, node)) is None:
            return False
        return self._joins_flags(node) or 4 in _indices(self._context)[held] or held in _fives(self._context)

    def _joins_flags(self, node: cst.Subscript) -> bool:
        """Whether slots 2 and 3 are joined: `result[2] or result[3]`, or one part of both: `row[2][0] or row[3][0]`."""
        side: cst.CSTNode = node
        while not isinstance(above := self._tree.parents[side], (cst.BooleanOperation, cst.BinaryOperation)):
            if not isinstance(above, _OF_ONE_VALUE):
                return False
            side = above
        wanted, other = {2: 3, 3: 2}.get(index_of(node) or 0), above.left if side is above.right else above.right
        return wanted is not None and any(
            index_of(one) == wanted
            and self._tree.source(one.value) == self._tree.source(node.value)
            and self._around(one, other) == self._around(node, side)
            for one in self._tree.inside(cst.Subscript, other)
        )

    def _around(self, slot: cst.CSTNode, whole: cst.CSTNode) -> tuple[str, str]:
        """What is written before and behind a slot in what is made of it."""
        first, last = self._tree.offsets(slot)
        begin, end = self._tree.offsets(whole)
        text = self._tree.source(whole)
        return text[: first - begin], text[len(text) - (end - last) :] if end > last else ""

    def are_flags(self, node: cst.Subscript) -> bool:
        """Whether slots 2 and 3 of a result are both taken, and the latter goes nowhere, or is asked as a flag is."""
        held = _held(self._context, node)
        reads = _indices(self._context)[held] if held is not None else {}
        return bool(reads.get(2)) and bool(reads.get(3)) and all(map(self._is_flag, reads.get(3, ())))

    def _is_flag(self, node: cst.Subscript) -> bool:
        above, target = self._tree.parents[node], self.target_of(node)
        if isinstance(target, cst.Name):
            named = naming_conventions.info(target.value)
            return not named and not any(True for _ in self._tree.scopes.reads(self._tree.scope(node), target.value))
        tests = isinstance(above, (cst.If, cst.While, cst.IfExp)) and above.test is node
        return tests or isinstance(above, (cst.BooleanOperation, cst.UnaryOperation))

    def is_compared_alike(self, node: cst.Subscript) -> bool:
        """Whether a slot is only compared with the same one of another step: `a[2] == b[2]`, whatever it holds."""
        above = self._tree.parents[node]
        whole = self._tree.parents[above] if isinstance(above, cst.ComparisonTarget) else above
        sides: list[cst.BaseExpression] = []
        if isinstance(whole, cst.Comparison):
            sides = [whole.left, *(one.comparator for one in whole.comparisons)]
        elif isinstance(above, cst.Arg) and isinstance(call := self._tree.parents[above], cst.Call):
            sides = [one.value for one in call.args]
        others = (one for one in sides if isinstance(one, cst.Subscript) and one is not node)
        return any(
            index_of(one) == index_of(node) and self._tree.span(one.value) in self._context.facts.steps
            for one in others
        )

    def may_know_five_values(self, node: cst.Subscript, index: int) -> bool:
        """Whether slot 3 is read, and nothing tells whether as the info of old Gym or as `truncated`."""
        held = _held(self._context, node)
        read = index == 3 or (held is not None and 3 in _indices(self._context)[held])
        return read and not self.reads_info(node)

    def reads_info(self, node: cst.Subscript) -> bool:
        """Whether slot 3 of the same result is used, or named, as the info of old Gym."""
        held = _held(self._context, node)
        reads = [node] if held is None else _indices(self._context)[held][3]
        return any(self._is_used_as_info(read) for read in reads)

    def is_result(self, node: cst.Subscript) -> bool:
        """Whether a subscript takes a value out of a step's result."""
        return self._tree.span(node.value) in self._context.facts.steps

    def beside(self, node: cst.Subscript) -> Sequence[cst.Subscript]:
        """The reads of the observation and of the reward of the same result."""
        held = _held(self._context, node)
        found = _indices(self._context)[held] if held is not None else {}
        return [*found.get(0, ()), *found.get(1, ())]

    def target_of(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """What a read is bound to, alone or in a row: `obs, done = result[0], result[2]`."""
        parent = self._tree.parents[node]
        if isinstance(parent, cst.Element) and isinstance(values := self._tree.parents[parent], cst.Tuple):
            targets = only_target(self._tree.parents[values])
            if isinstance(targets, cst.Tuple) and len(targets.elements) == len(values.elements):
                return targets.elements[values.elements.index(parent)].value
        return only_target(parent)

    def _is_used_as_info(self, node: cst.Subscript) -> bool:
        """`result[3]["x"]`, `result[3].get("x")`, `"x" in result[3]`, `info = result[3]`."""
        parent = self._tree.parents[node]
        if isinstance(parent, (cst.Subscript, cst.Attribute)):
            return parent.value is node
        if isinstance(parent, cst.ComparisonTarget):
            return isinstance(parent.operator, (cst.In, cst.NotIn))
        if isinstance(parent, cst.Arg):
            return parent.keyword is not None and naming_conventions.info(parent.keyword.value)
        target = self.target_of(node)
        return target is not None and naming_conventions.info(self._tree.source(target).rpartition(".")[2])


@per_file
def _indices(context: Context) -> Mapping[tuple[cst.CSTNode, str], Mapping[int | None, Sequence[cst.Subscript]]]:
    """Where names, keys and attributes are read or set by constant indices, by where they are known and index."""
    found: dict[tuple[cst.CSTNode, str], defaultdict[int | None, list[cst.Subscript]]] = {}
    for node in context.tree.of_type(cst.Subscript):
        if (held := _held(context, node)) is not None:
            found.setdefault(held, defaultdict(list))[index_of(node)].append(node)
    return found


@per_file
def _fives(context: Context) -> Set[tuple[cst.CSTNode, str]]:
    """The names of which the program says that they have five values: `assert len(result) == 5`."""
    calls = (one for one in context.tree.of_type(cst.Call) if is_name(one.func, "len") and len(one.args) == 1)
    counted = (one for one in calls if (other := compared_with(context.tree, one)) and is_number(other, "5"))
    named = ((context.tree.scope(one), one.args[0].value) for one in counted)
    return {(scope, name.value) for scope, name in named if isinstance(name, cst.Name)}


def _held(context: Context, node: cst.Subscript) -> tuple[cst.CSTNode, str] | None:
    """The name, key or attribute that a subscript reads, and where it is known: an attribute is in all of its class."""
    tree = context.tree
    if isinstance(node.value, cst.Name) or (isinstance(node.value, cst.Subscript) and is_place(node.value)):
        return tree.scope(node), tree.source(node.value)
    if isinstance(node.value, cst.Attribute):
        around = (above for above in tree.ancestors(node) if isinstance(above, cst.ClassDef))
        return next(around, tree.module), tree.source(node.value)
    return None


def index_of(node: cst.Subscript) -> int | None:
    """The constant index of a subscript."""
    index = only_index(node)
    return integer(index) if index is not None else None


def integer(node: cst.BaseExpression) -> int | None:
    """The value of a whole number that is written as one, with or without a minus."""
    if isinstance(node, cst.Integer):
        return int(node.evaluated_value)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        value = integer(node.expression)
        return None if value is None else -value
    return None


def names_new_flag(text: str) -> bool:
    """A name that only code for five values gives."""
    return naming_conventions.terminated(text) or naming_conventions.truncated(text)


def _names_another_slot(text: str, index: int | None) -> bool:
    """A name that says of the slot what old Gym never had there: `done = result[3]`, `info = result[2]`."""
    name = text.rpartition(".")[2]
    if index == 3:
        return naming_conventions.done(name)
    return naming_conventions.STEP_SLOTS.get(name) == 4 or name.rstrip("s") == "reward"

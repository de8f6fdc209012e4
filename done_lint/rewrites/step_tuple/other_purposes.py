"""What the flag in slot 2 is for in a program on Gymnasium, beside the end of loops: there it may be right alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from done_lint.knowledge.array_functions import PASSING, PASSING_METHODS
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.slot_reads import SlotReads, index_of, names_new_flag
from done_lint.rewrites.step_tuple.unpacking import Unpacking

_MASK = "it is a mask as well, where `terminated` alone is right: only the tests of the loop have to change"
_CHOOSES = "it also chooses what a value is made of, where `terminated` alone may be right: only the loop has to change"
_KEPT = "it is kept beside the values of the step, where `terminated` alone may be right: only the loop has to change"
_GIVEN = "it is returned beside the values of the step, where `terminated` alone may be right: see what its callers do"
#: What stands between a value and the call that it is given to in a row.
_IN_ROWS = (cst.Arg, cst.Element, cst.Tuple, cst.List)
_PARTS_OF_TESTS = (cst.UnaryOperation, cst.BooleanOperation)


class OtherPurposes:
    """Looks at the reads of flags in a file."""

    def __init__(self, context: Context, slots: SlotReads) -> None:
        """Look at nothing yet."""
        self._tree = context.tree
        self._slots = slots

    def of_unpacked(self, unpacking: Unpacking, flag: cst.BaseExpression) -> str:
        """Why the flag that an unpacking binds stays as it is; empty: it is asked for the end of the loop alone."""
        others = {one.value.value for one in unpacking.target.elements if isinstance(one.value, cst.Name)}
        return self._of_reads(list(self._reads(flag, unpacking.value)), others - _named(flag))

    def of_indexed(self, node: cst.Subscript) -> str:
        """The same of `result[2]`, and of the name that it is bound to."""
        others = {name for one in self._slots.beside(node) for name in _named(self._target_of(one))}
        return self._of_reads([self._converted(one) for one in self._followed(node)], others)

    def ends_counted_loops(self, node: cst.Subscript) -> bool:
        """Whether the flag of `result[2]` is asked by loops alone that end without it, too.

        `while not done and step < 200`; it may be kept beside that, where `terminated` is right.
        """
        tests = [test for one in self._followed(node) if (test := self._test_around(one)) is not None]
        return bool(tests) and all(
            isinstance(one, cst.While)
            and isinstance(one.test, cst.BooleanOperation)
            and isinstance(one.test.operator, cst.And)
            for one in tests
        )

    def _test_around(self, read: cst.BaseExpression) -> cst.While | cst.If | None:
        """The statement that a read is asked in."""
        below: cst.CSTNode = read
        for above in self._tree.ancestors(read):
            if isinstance(above, (cst.While, cst.If)):
                return above if above.test is below else None
            if isinstance(above, cst.BaseSmallStatement):
                return None
            below = above
        return None

    def _followed(self, node: cst.Subscript) -> Iterator[cst.BaseExpression]:
        """The reads of a value under the names that it is bound to, converted or as it came; or else itself."""
        open_reads: list[cst.BaseExpression] = [node]
        seen = set[str]()
        while open_reads:
            read = open_reads.pop()
            bound = self._target_of(read)
            if bound is None:
                yield read
            elif (name := self._tree.source(bound)) not in seen:
                seen.add(name)
                open_reads += self._reads(bound, node)

    def _target_of(self, read: cst.BaseExpression) -> cst.BaseExpression | None:
        """What a value is bound to: `end` in `end = torch.tensor(result[2])`."""
        return self._slots.target_of(self._converted(read))

    def _converted(self, read: cst.BaseExpression) -> cst.BaseExpression:
        """A value with the conversions around it: `torch.tensor(result[2]).view(-1, 1)`."""
        above = self._tree.parents[read]
        call = self._tree.parents.get(above)
        if not isinstance(call, cst.Call):
            return read
        name = self._tree.source(call.func).rpartition(".")[2]
        if isinstance(above, cst.Arg) and above is call.args[0] and name in PASSING:
            return self._converted(call)
        return self._converted(call) if above is call.func and name in PASSING_METHODS else read

    def is_only_asserted(self, flag: cst.BaseExpression, near: cst.BaseExpression) -> bool:
        """Whether a flag is asked by assertions alone: a test says of one step that the task ends, or does not."""
        reads = list(self._reads(flag, near))
        return bool(reads) and all(map(self._is_asserted, reads))

    def _is_asserted(self, read: cst.BaseExpression) -> bool:
        for above in self._tree.ancestors(read):
            if isinstance(above, cst.Call) and isinstance(above.func, cst.Attribute):
                return above.func.attr.value.startswith("assert")
            if isinstance(above, cst.BaseSmallStatement):
                return isinstance(above, cst.Assert)
        return False

    def _reads(self, flag: cst.BaseExpression, near: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
        scope = self._tree.scope(near)
        if isinstance(flag, cst.Name) and not isinstance(scope, cst.ClassDef):
            yield from self._tree.scopes.reads(scope, flag.value)

    def _of_reads(self, reads: Collection[cst.BaseExpression], others: Collection[str]) -> str:
        if any(map(self._is_computed_with, reads)):
            return _MASK
        if any(self._chooses(read, others) for read in reads):
            return _CHOOSES
        if any(self._is_kept(read, others) for read in reads):
            return _KEPT
        return _GIVEN if any(self._is_given(read, others) for read in reads) else ""

    def is_renamed(self, flag: cst.BaseExpression, near: cst.BaseExpression) -> bool:
        """Whether a flag only goes where a name says that it is `terminated`: `self.terminated[i] = done`."""
        reads = list(self._reads(flag, near))
        statements = [self._tree.parents[read] for read in reads]
        targets = [one.targets[0].target for one in statements if isinstance(one, cst.Assign) and one.value in reads]
        places = [one.value if isinstance(one, cst.Subscript) else one for one in targets]
        return (
            bool(reads) and len(places) == len(reads) and all(names_new_flag(self._tree.source(one)) for one in places)
        )

    def _is_computed_with(self, read: cst.BaseExpression) -> bool:
        """`1 - done`, `(not done) * value`, `float(done) * value`."""
        node: cst.CSTNode = read
        while isinstance(above := self._tree.parents[node], (cst.UnaryOperation, cst.Arg, cst.Call)):
            node = above
        return isinstance(above, cst.BinaryOperation) and isinstance(above.operator, (cst.Subtract, cst.Multiply))

    def _chooses(self, read: cst.BaseExpression, others: Collection[str]) -> bool:
        """`reward if done else reward + gamma * value`, as an expression or in branches."""
        node: cst.CSTNode = read
        while isinstance(above := self._tree.parents[node], _PARTS_OF_TESTS):
            node = above
        if isinstance(above, cst.IfExp):
            return above.test is node and bool(self._parts(above, others))
        return (
            isinstance(above, cst.If)
            and above.test is node
            and any(
                isinstance(one, cst.BinaryOperation) and self._parts(one, others) for one in self._tree.descend(above)
            )
        )

    def _is_kept(self, read: cst.BaseExpression, others: Collection[str]) -> bool:
        """`memory.add(obs, reward, done)`: with other parts of the same step."""
        call = next((one for one in self._tree.ancestors(read) if not isinstance(one, _IN_ROWS)), None)
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
            return False
        return isinstance(self._tree.parents[call], cst.Expr) and bool(self._parts(call, others))

    def _is_given(self, read: cst.BaseExpression, others: Collection[str]) -> bool:
        """`return obs, reward, done`."""
        element = self._tree.parents[read]
        row = self._tree.parents[element]
        returned = isinstance(row, cst.Tuple) and isinstance(self._tree.parents[row], cst.Return)
        return returned and len(self._parts(row, others)) > 1

    def _parts(self, node: cst.CSTNode, others: Collection[str]) -> set[object]:
        """The other values of the step that are used in an expression, by name or by their places."""
        inside = list(self._tree.descend(node))
        names: set[object] = {one.value for one in inside if isinstance(one, cst.Name)}
        placed = {index_of(one) for one in inside if isinstance(one, cst.Subscript) and self._slots.is_result(one)}
        return (names & set(others)) | (placed & {0, 1})


def _named(target: cst.BaseExpression | None) -> set[str]:
    return {target.value} if isinstance(target, cst.Name) else set()

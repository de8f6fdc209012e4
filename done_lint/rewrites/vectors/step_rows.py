"""Which rows of a vector environment are left out: by the flags of the step before, or where they are learnt from.

With `NEXT_STEP` an environment resets in the step after the one that ended its episode. Code leaves that step out by
the flags that it still has from the step before, when it stores the row of this one. Which expressions are flags is
known from the analysis; which of them are those of the step before follows from where the loop gives them a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.kinds.rows import Row
from done_lint.knowledge.array_functions import LOCATING
from done_lint.rewrites.context import Context
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

#: What a flag is known by: its name, or its place in an array, `awaiting[i]`.
_NAMED = (cst.Name, cst.Attribute, cst.Subscript)
#: What takes rows by a mask, or tells where it is true. numpy 2.4, PyTorch 2.9 and TensorFlow 2.20.
_CHOOSING = LOCATING | {"compress", "masked_select", "boolean_mask", "delete", "extract"}


def leaves_out(context: Context, row: Row) -> bool:
    """Whether the environments that reset are left out, where their rows are stored or later."""
    return row.chosen or left_out_at_once(context, row)


def left_out_at_once(context: Context, row: Row) -> bool:
    """Whether the loop that steps leaves them out, or stores beside each row what says so."""
    return _Round(context, row).leaves_out


def keeping(tree: Tree, row: Row) -> cst.CSTNode:
    """The call or the assignment that keeps a row, or hands it on; or the target that a `return` makes of it."""
    kinds = (cst.Call, cst.Assign, cst.AnnAssign, cst.AugAssign)
    around = [one for kind in kinds for one in tree.of_type(kind) if row.place.within(tree.span(one))]
    return max(around, key=tree.span) if around else tree.expressions[row.place]


class _Round:
    """One round of the loop that steps, or one call of the method that does."""

    def __init__(self, context: Context, row: Row) -> None:
        self._tree: Tree = context.tree
        self._flags = context.facts.flags
        self._row = row
        self._body = self._around(row, context.path)

    @cached_property
    def leaves_out(self) -> bool:
        flags = [one for one in self._row.flags if not self._is_carried(one)]
        before = [one for one in flags if self._has_flag_before(one)]
        if before and len(before) < len(flags):
            return True
        if any(map(self._has_flag_before, self._row.chosen_by)):
            return True
        return any(self._chooses(node) for node in self._nodes)

    def _around(self, row: Row, path: str) -> cst.CSTNode:
        """The body of the loop around the step, or else that of the function that has its result.

        Where another function takes the step, the loop is the one that binds its flags.
        """
        around = [*self._tree.ancestors(keeping(self._tree, row))]
        function = next((one for one in around if isinstance(one, cst.FunctionDef)), None)
        step = self._tree.expressions.get(row.step.span) if row.step.path == path else None
        for one in self._tree.ancestors(step) if step is not None else ():
            if isinstance(one, (cst.For, cst.While)) or (isinstance(one, cst.FunctionDef) and one is function):
                return one.body
            if isinstance(one, cst.FunctionDef):
                break
        loops = (one for one in around if isinstance(one, (cst.For, cst.While)))
        body = function.body if function is not None else self._tree.module
        return next((one.body for one in loops if self._binds_flags(one.body)), body)

    def _binds_flags(self, body: cst.CSTNode) -> bool:
        every = self._tree.descend(body, into_functions=False)
        targets = (target.target for one in every if isinstance(one, cst.Assign) for target in one.targets)
        return any(self._tree.span(name) in self._flags for target in targets for name in self._named(target))

    @cached_property
    def _nodes(self) -> list[cst.CSTNode]:
        return list(self._tree.descend(self._body, into_functions=False))

    # --- flags of the step before -------------------------------------------------------------------------------------

    @cached_property
    def _before(self) -> frozenset[str]:
        """Names and attributes that still hold flags of the step before where they are read first."""
        names = set(self._changed)
        found: set[str] = set()
        while found != names:
            found = set(names)
            names |= {
                name for target, value in self._bindings for name in self._flags_in(target) if self._has(value, found)
            }
        return frozenset(names)

    @cached_property
    def _changed(self) -> dict[str, Span]:
        """Where the round first gives such a name, which was read before, another value."""
        return {
            name: min(bound)
            for name, read in self._first_reads.items()
            if (bound := self._bound(name)) and all(read <= span or read.within(span) for span in bound)
        }

    @cached_property
    def _first_reads(self) -> dict[str, Span]:
        """Where each flag is read first that has a name."""
        targets = {self._tree.span(one) for target, _ in self._bindings for one in self._named(target)}
        reads: dict[str, Span] = {}
        for node in self._nodes:
            span = self._tree.span(node) if isinstance(node, _NAMED) else None
            if span is None or span in targets or not (span in self._flags or self._is_mark(node)):
                continue
            if not self._is_of_comprehension(node):
                text = self._tree.source(node)
                reads[text] = min(span, reads.get(text, span))
        return reads

    def _is_mark(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Subscript):
            return bool(self._marks) and self._tree.source(node) in self._marks
        return bool(self._filled) and self._tree.source(node) in self._filled

    @cached_property
    def _filled(self) -> frozenset[str]:
        """The arrays that are given the flags of some environments: `over[live] = done[live]`, `over[done] = True`."""
        return frozenset(
            self._tree.source(target.value)
            for target, value in self._bindings
            if isinstance(target, cst.Subscript) and self._is_filled(target, value)
        )

    def _is_filled(self, target: cst.Subscript, value: cst.BaseExpression) -> bool:
        """Whether flags are put into an array by its environments; a place in time, `dones[t]`, is none of these."""
        by_flags = any(self._has_flag(index) for index in target.slice)
        if is_name(value, "True"):
            return by_flags
        index = self._index(target)
        same = any(self._index(one) == index for one in self._tree.inside(cst.Subscript, value))
        every = all(isinstance(one.slice, cst.Slice) and _is_whole(one.slice) for one in target.slice)
        return self._has_flag(value) and (by_flags or same or every)

    def _has_flag(self, node: cst.CSTNode) -> bool:
        return any(self._tree.span(one) in self._flags for one in (node, *self._tree.descend(node)))

    def _index(self, item: cst.Subscript) -> list[str]:
        return [self._tree.source(one.slice) for one in item.slice]

    @cached_property
    def _marks(self) -> frozenset[str]:
        """What keeps that an episode ended: `if done[i]: awaiting[i] = True`."""
        return frozenset(
            self._tree.source(target)
            for target, value in self._bindings
            if isinstance(target, cst.Subscript) and is_name(value, "True")
            if any(self._has_flag(one.test) for one in self._tree.ancestors(target) if isinstance(one, cst.If))
        )

    def _is_of_comprehension(self, read: cst.CSTNode) -> bool:
        """`done` in `[... if done else x for x, done in rows]`, which stands before what binds it."""
        name = self._tree.source(read)
        around = (one.for_in for one in self._tree.ancestors(read) if isinstance(one, cst.BaseComp))
        return any(self._tree.source(one) == name for loop in around for one in self._named(loop.target))

    def _bound(self, name: str) -> list[Span]:
        """What the round binds a name to."""
        return [
            self._tree.span(value)
            for target, value in self._bindings
            if any(self._tree.source(one) == name for one in self._named(target))
        ]

    @cached_property
    def _bindings(self) -> list[tuple[cst.CSTNode, cst.BaseExpression]]:
        """Targets in the round, and what they are bound to, or are an element of."""
        found: list[tuple[cst.CSTNode, cst.BaseExpression]] = []
        for node in self._nodes:
            if isinstance(node, cst.Assign):
                found += (pair for one in node.targets for pair in _pairs(one.target, node.value))
            elif isinstance(node, cst.AugAssign):
                found.append((node.target, node.value))
            elif isinstance(node, (cst.For, cst.CompFor)):
                found.append((node.target, node.iter))
        return found

    def _named(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        every = (node, *self._tree.descend(node))
        return (one for one in every if isinstance(one, _NAMED))

    def _flags_in(self, target: cst.CSTNode) -> Iterator[str]:
        """The flags that a target binds; one that is put into an array is known by its index only."""
        if not isinstance(target, cst.Subscript):
            yield from (self._tree.source(one) for one in self._named(target) if self._tree.span(one) in self._flags)

    def _has(self, node: cst.CSTNode, names: Iterable[str]) -> bool:
        return any(self._tree.source(one) in names and self._is_unchanged(one) for one in self._named(node))

    def _is_unchanged(self, read: cst.CSTNode) -> bool:
        """Whether a name is read before it gets the flags of this step."""
        changed, span = self._changed.get(self._tree.source(read)), self._tree.span(read)
        return changed is None or span <= changed or span.within(changed)

    def _has_flag_before(self, span: Span) -> bool:
        node = self._tree.expressions.get(span)
        return node is not None and (self._has(node, self._before) or self._has_kept_before(node))

    def _has_kept_before(self, target: cst.CSTNode) -> bool:
        """Whether an array is given a keep-mask of the step before, `valid[t] = ~over`; borders are no such masks."""
        values = [value for one, value in self._bindings if one is target]
        flags = [self._flags.get(self._tree.span(value)) for value in values]
        return any(flag is not None and all(one.keep for one in flag.meanings) for flag in flags) and any(
            self._has(value, self._before) for value in values
        )

    def _is_carried(self, span: Span) -> bool:
        """Whether flags are put back for the next round, where this one read those of the step before: `over[0]`."""
        node = self._tree.expressions.get(span)
        return (
            isinstance(node, cst.Subscript)
            and isinstance(self._tree.parents[node], cst.AssignTarget)
            and self._tree.source(node) in self._changed
        )

    # --- what they decide ---------------------------------------------------------------------------------------------

    def _chooses(self, node: cst.CSTNode) -> bool:
        """Whether flags of the step before decide what is stored here."""
        look = _DECIDING.get(type(node))
        return bool(self._before) and look is not None and any(self._has(one, self._before) for one in look(self, node))

    def _of_subscript(self, node: cst.CSTNode) -> Iterable[cst.CSTNode]:
        assert isinstance(node, cst.Subscript)
        return () if isinstance(self._tree.parents[node], cst.AssignTarget) else node.slice

    def _of_call(self, node: cst.CSTNode) -> Iterable[cst.CSTNode]:
        assert isinstance(node, cst.Call)
        return (node,) if last_name(node.func) in _CHOOSING else ()

    def _of_branch(self, node: cst.CSTNode) -> Iterable[cst.CSTNode]:
        """The test of a branch that holds the store, or goes on to the next round."""
        assert isinstance(node, cst.If)
        goes_on = any(isinstance(one, cst.Continue) for one in self._tree.descend(node, into_functions=False))
        holds = self._tree.within(keeping(self._tree, self._row), node)
        return (node.test,) if goes_on or holds or self._puts_others_into(node) else ()

    def _puts_others_into(self, branch: cst.If) -> bool:
        """Whether a branch puts other rows in the place of some, `obs[i] = obs[j]`, before they are stored."""
        store = keeping(self._tree, self._row)
        if self._tree.span(branch) > self._tree.span(store):
            return False
        stored = {one.value for one in self._tree.inside(cst.Name, store)}
        targets = (target.target for one in self._tree.inside(cst.Assign, branch) for target in one.targets)
        arrays = (one.value for each in targets for one in self._named(each) if isinstance(one, cst.Subscript))
        return len({one.value for one in arrays if isinstance(one, cst.Name)} & stored) > 1

    def _of_product(self, node: cst.CSTNode) -> Iterable[cst.CSTNode]:
        """What a reward is weighed with: where no observation is kept beside it, a row of zeros teaches nothing."""
        assert isinstance(node, cst.BinaryOperation)
        weighed = not self._row.observed and isinstance(node.operator, cst.Multiply)
        return (node,) if weighed and self._tree.within(node, keeping(self._tree, self._row)) else ()

    def _of_choice(self, node: cst.CSTNode) -> Iterable[cst.CSTNode]:
        return (node.test,) if isinstance(node, (cst.IfExp, cst.CompIf)) else ()


_DECIDING: dict[type[cst.CSTNode], Callable[[_Round, cst.CSTNode], Iterable[cst.CSTNode]]] = {
    cst.Subscript: _Round._of_subscript,
    cst.Call: _Round._of_call,
    cst.If: _Round._of_branch,
    cst.BinaryOperation: _Round._of_product,
    cst.IfExp: _Round._of_choice,
    cst.CompIf: _Round._of_choice,
}


def _is_whole(part: cst.Slice) -> bool:
    """`[:]`."""
    return part.lower is None and part.upper is None and part.step is None


def _pairs(target: cst.BaseExpression, value: cst.BaseExpression) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    """What is bound to what: `a, b = b, c` are two pairs."""
    several = [one.elements for one in (target, value) if isinstance(one, (cst.Tuple, cst.List))]
    if len(several) == 2 and len(several[0]) == len(several[1]):
        for one, other in zip(*several):
            yield from _pairs(one.value, other.value)
    else:
        yield target, value

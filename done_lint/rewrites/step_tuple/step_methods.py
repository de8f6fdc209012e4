"""The change from four step values to five: in any program, and inside an environment's own `step`.

In a program the old flag is kept as `done = terminated or truncated`. A `step` of the project's own that returns
the flag (a wrapper's) returns the two flags instead: its unpacking, what it does to the flag, every tuple that it
returns, its annotation and its docstring change together, or nothing does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.kinds.classes import EnvClass
from done_lint.rewrites.context import Context, grouped, per_file
from done_lint.rewrites.env_methods import class_of, environment_class
from done_lint.rewrites.joined_flag import joined_assignment
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.annotation import five_types, says_four, types_of
from done_lint.rewrites.step_tuple.documented_arity import asserted_lengths, named_values
from done_lint.rewrites.step_tuple.flag_names import FLAGS, keeps_its_name, step_names
from done_lint.rewrites.step_tuple.joined_parts import joined_parts
from done_lint.rewrites.step_tuple.returns import DONE, OldReturn, OldTuple
from done_lint.rewrites.step_tuple.shown_values import not_shown
from done_lint.rewrites.step_tuple.split_flag import FlagSplit
from done_lint.rewrites.step_tuple.unpack import (
    READ_LEFT,
    Slots,
    blocked_by,
    five_targets,
    infos_of,
    is_array,
    once,
    own_limit_changes,
    reads_of,
    still_read,
    time_limit_change,
    unpack_in_five,
    unpacking_edits,
)
from done_lint.rewrites.step_tuple.unpacking import Unpacking, four_valued
from done_lint.rewrites.step_tuple.value_order import ANOTHER_ORDER, in_another_order, says_another_order
from done_lint.rewrites.time_limit.declared_limits import declared_flags, is_declared
from done_lint.rewrites.time_limit.info_key import Read
from done_lint.rewrites.time_limit.limit_branches import runs_at_limit
from done_lint.rewrites.tuple_targets import Pair, two_for_one
from done_lint.syntax.docstrings import docstring
from done_lint.syntax.edits import Edits, added_after, exchanged, replaced
from done_lint.syntax.expressions import spaced_like
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Scope

_OUT_OF_SIGHT = "what it returns as `done` combines both flags outside this method"
_EARLY = "a return at the limit of steps may come before the step inside, which may end the task"
_DECLARED = "its info says of some ends that they are truncations, and the flag has to be split by them"
_AT_LIMIT = "which of the two flags a returned `True` is depends on the time limit"


def five_returned(node: OldTuple, pair: Pair, changes: Mapping[cst.CSTNode, cst.CSTNode]) -> OldTuple:
    """A tuple, or list, of five for one of four: `pair` in the place of the flag, and other reads of it exchanged."""
    new = exchanged(node, changes)
    if not isinstance(new, (cst.Tuple, cst.List)):
        raise TypeError("what is returned is no tuple")
    return new.with_changes(elements=two_for_one(new.elements, DONE, pair))


def fix_unpacking(context: Context, unpacking: Unpacking, slots: Slots) -> Outcome:
    """The fix that takes this unpacking, and what depends on it, from four values to five."""
    known = context.shared.get(unpacking.target)
    if known is not None:
        return known
    owner = _owners(context).get(unpacking.scope)
    if owner is not None and four_valued(unpacking):
        return fix_step_methods(context, owner)
    if _waits_for_its_name(context, unpacking.scope):
        return unfixed("the method has to be called `step` first")
    return unpack_in_five(context, unpacking, slots)


def _waits_for_its_name(context: Context, scope: Scope) -> bool:
    """Whether an unpacking stands in a method `_step` that becomes `step`: then what it returns changes with it."""
    if not isinstance(scope, cst.FunctionDef) or scope.name.value != "_step":
        return False
    owner = class_of(context, scope)
    known = environment_class(context, owner) if owner is not None else None
    return known is not None and not known.foreign and "step" not in known.methods and "step" not in known.overridden


def fix_step_methods(context: Context, owner: EnvClass) -> Outcome:
    """The fix that makes every `step` of an environment class in this file return five values."""
    returns = _returns_by_class(context)[owner.path, owner.row]
    known = context.shared.get(returns[0].node)
    if known is not None:
        return known
    scopes = list(dict.fromkeys(old.scope for old in returns))
    inside = [u for scope in scopes for u in _unpackings_by_scope(context).get(scope, ())]
    inside.sort(key=lambda one: context.tree.span(one.statement))
    change = _Change(context)
    for scope in scopes:
        change.scope(scope, [old for old in returns if old.scope is scope], [u for u in inside if u.scope is scope])
    waiting = [u for u in inside if not _is_waited_for(context, owner, u)]
    reason = next(filter(None, (blocked_by(u.step) for u in waiting)), "") or change.obstacle
    if reason:
        result = unfixed(reason)
    else:
        title, reads = f"return five values from `{owner.name}.step`", frozenset(change.reads)
        unsure = change.doubt or change.left
        result = fixed(title, *change.edits, unsure=unsure, together=owner.heirs, reads=reads)
    for node in [old.node for old in returns] + [u.target for u in inside]:
        context.shared[node] = result
    return result


def _is_waited_for(context: Context, owner: EnvClass, unpacking: Unpacking) -> bool:
    """Whether what is stepped waits for a class itself, directly or not: a wrapper around another one of its kind."""
    if unpacking.step.per_agent or unpacking.step.env.mixed:
        return False
    return (owner.path, owner.row) in reach(_awaited(context, unpacking), lambda one: _awaited_by(context, one))


def _awaited_by(context: Context, owner: tuple[str, int]) -> Iterator[tuple[str, int]]:
    """The path and the row of the classes whose old results the `step` of a class takes apart."""
    for scope in dict.fromkeys(old.scope for old in _returns_by_class(context)[owner]):
        for unpacking in _unpackings_by_scope(context).get(scope, ()):
            yield from _awaited(context, unpacking)


def _awaited(context: Context, unpacking: Unpacking) -> Iterator[tuple[str, int]]:
    """The path and the row of the class in this file whose old result arrives where a step is taken apart."""
    pending = unpacking.step.pending
    if pending is not None and pending.path == context.path and pending.span in (places := _classes_by_place(context)):
        yield places[pending.span]


@per_file
def _classes_by_place(context: Context) -> Mapping[Span, tuple[str, int]]:
    """The path and the row of the class that each old result is of, by the place of the result."""
    return {old.place: (old.owner.path, old.owner.row) for old in context.old_returns}


@per_file
def _owners(context: Context) -> Mapping[Scope, EnvClass]:
    """The environment classes by the scopes that write their old results."""
    return {old.scope: old.owner for old in reversed(context.old_returns)}


@per_file
def _returns_by_class(context: Context) -> Mapping[tuple[str, int], Sequence[OldReturn]]:
    """The old results by the path and the row of their class."""
    return grouped(((old.owner.path, old.owner.row), old) for old in context.old_returns)


@per_file
def _unpackings_by_scope(context: Context) -> Mapping[Scope, Sequence[Unpacking]]:
    """The four-value unpackings by the scope that they stand in."""
    return grouped((one.scope, one) for one in context.unpackings if four_valued(one))


class _Change:
    """Collects the edits of one class, scope by scope."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tree = context.tree
        self.edits: list[Edits] = []
        self.reads: set[cst.CSTNode] = set()
        self.obstacle = ""
        #: What is not shown of the values, so that nobody can promise that the fix is right.
        self.doubt = ""
        #: The same, of reads of the time limit key that stay as they are.
        self.left = ""

    def scope(self, scope: Scope, returns: Sequence[OldReturn], inside: Sequence[Unpacking]) -> None:
        """One method, or helper: the tuples it returns and the steps it makes."""
        returned = [u for u in inside if any(self._mentions(old, u) for old in returns)]
        names = step_names(self.context, scope)
        if returned and keeps_its_name(self.context, scope, returned[0].targets[DONE]):
            names = FLAGS
        split: FlagSplit | None = None
        if returned:
            split = self._split(scope, returned, names)
        reads = self._reads(inside)
        for old in returns:
            self._tuple(old, split, reads, [u for u in returned if self._comes_first(u, old)])
        self.doubt = self.doubt or (split.doubt if split is not None else "")
        for unpacking in inside:
            if in_another_order(unpacking.targets):
                self.obstacle = self.obstacle or ANOTHER_ORDER
            self.edits += asserted_lengths(self.context, unpacking)
            if unpacking not in returned:
                taken = step_names(self.context, scope, names) if returned else names
                self.edits += unpacking_edits(self.context, unpacking, Slots(done=DONE), taken, frozenset())
        if isinstance(scope, cst.FunctionDef):
            self._signature(scope)

    def _mentions(self, old: OldReturn, unpacking: Unpacking) -> bool:
        text = self.tree.source(unpacking.targets[DONE])
        return any(
            isinstance(one, (cst.Name, cst.Attribute)) and self.tree.source(one) == text
            for one in self.tree.descend(old.flag)
        )

    def _split(self, scope: Scope, inside: Sequence[Unpacking], names: tuple[str, str]) -> FlagSplit | None:
        """The unpackings whose flag is returned, and everything that is done to it."""
        slots = Slots(done=DONE)
        done = inside[0].targets[DONE]
        if len({self.tree.source(u.targets[DONE]) for u in inside}) > 1:
            self.obstacle = self.obstacle or "several flags are returned"
            return None
        array = any(is_array(self.context, u, slots) for u in inside)
        reads = self._reads(inside)
        split = FlagSplit(self.context, scope, done, names, array, reads)
        self.obstacle = self.obstacle or split.obstacle
        gone: set[cst.CSTNode] = {old.flag for old in self.context.old_returns}
        infos = infos_of(inside)
        for read in reads:
            found = [time_limit_change(self.context, read, u, slots, names, infos) for u in inside]
            change = next(filter(None, found), None)
            if change is None:
                self.left = READ_LEFT
                continue
            self.reads.add(read.node)
            gone.add(change[0])
            self.edits.append(replaced(self.tree, *change))
        for unpacking in inside:
            own, unclear = own_limit_changes(self.context, unpacking, slots, names, infos)
            gone |= {flag for flag, _ in own}
            self.edits += [replaced(self.tree, *one) for one in own]
            self.left = self.left or unclear
            self.edits.append(five_targets(self.tree, unpacking, slots, names))
        if split.vanishes:
            self.edits += [replaced(self.tree, *change) for change in split.changes]
            self._exchange_reads(split, inside, gone)
        elif still_read(self.context, scope, done, frozenset(gone)):
            for u in inside:
                line = joined_assignment(u.targets[DONE], names, array=array)
                self.edits.append(added_after(self.tree, u.statement, spaced_like(line, u.statement)))
        return split

    def _exchange_reads(self, split: FlagSplit, inside: Sequence[Unpacking], gone: set[cst.CSTNode]) -> None:
        """The old name goes: its other readers get the union."""
        settled = gone.union(u.target for u in inside).union(node for node, _ in split.changes)
        settled.update(old.node for old in self.context.old_returns)
        for read in split.mentions(split.scope):
            if settled.isdisjoint((read, *self.tree.ancestors(read))):
                self.edits.append(replaced(self.tree, read, split.joined(read)))

    def _reads(self, inside: Sequence[Unpacking]) -> Sequence[Read]:
        """Reads of the time limit key from the infos of these steps."""
        return once([read for u in inside for read in reads_of(self.context, u)])

    def _comes_first(self, unpacking: Unpacking, old: OldReturn) -> bool:
        """Whether every way to a return leads by a step."""
        row = self.tree.row(unpacking.statement)
        before = self.tree.span(unpacking.statement) < self.tree.span(old.node)
        return before and row is not None and self.tree.within(old.node, self.tree.parents[row])

    def _tuple(
        self, old: OldReturn, split: FlagSplit | None, reads: Sequence[Read], before: Sequence[Unpacking]
    ) -> None:
        if in_another_order([element.value for element in old.node.elements]):
            self.obstacle = self.obstacle or ANOTHER_ORDER
            return
        pair = split.pair(old.flag) if split is not None else None
        self.doubt = self.doubt or not_shown(self.context, old, of_step=pair is not None)
        changes: dict[cst.CSTNode, cst.CSTNode] = {}
        if split is not None and pair is None and any(split.mentions(old.flag)):
            self.obstacle = self.obstacle or f"`{self.tree.source(old.flag)}` cannot be split into two flags"
            return
        if split is not None and split.vanishes:
            others = [one for one in split.mentions(old.node) if not self.tree.within(one, old.flag)]
            changes = {one: split.joined(one) for one in others}
        if pair is None:
            flag = self.context.facts.flags.get(self.tree.span(old.flag))
            if flag is not None and any(meaning.truncated for meaning in flag.meanings):
                self.obstacle = self.obstacle or _OUT_OF_SIGHT
                return
            at_limit = runs_at_limit(self.tree, old.node, reads) if is_name(old.flag, "True") else False
            if at_limit is None:
                self.obstacle = self.obstacle or _AT_LIMIT
            parts = joined_parts(self.tree, old.scope, old.flag)
            pair = parts or self._at_own_limit(old, split, before) or self._flags_for(old, at_limit=bool(at_limit))
        if old.owner.checked and is_name(old.info, "None"):
            changes[old.info] = cst.Dict([])
        self.edits.append(replaced(self.tree, old.node, five_returned(old.node, pair, changes)))

    def _at_own_limit(self, old: OldReturn, split: FlagSplit | None, before: Sequence[Unpacking]) -> Pair | None:
        """The two flags for the `True` of a wrapper that returns early at its limit: what was over stays over."""
        if split is None or not is_name(old.flag, "True") or not split.runs_at_own_limit(old.node):
            return None
        if not before:
            self.doubt = self.doubt or _EARLY
        return split.terminated, old.flag

    def _flags_for(self, old: OldReturn, *, at_limit: bool) -> Pair:
        """The two flags for one that is no step's: termination, unless a test or the info says that time is up."""
        off = cst.Name("False")
        if at_limit or not is_declared(old):
            return (off, old.flag) if at_limit else (old.flag, off)
        _, truncated = step_names(self.context, old.scope)
        if (declared := declared_flags(self.context, old, truncated)) is None:
            self.obstacle = self.obstacle or _DECLARED
            return old.flag, off
        pair, line = declared
        self.edits.append(line)
        return pair

    def _signature(self, function: cst.FunctionDef) -> None:
        """`-> Tuple[Obs, float, bool, dict]` and "obs, reward, done, info" in the docstring."""
        annotation = _four_types(self.context, function.returns.annotation) if function.returns is not None else None
        if annotation is not None:
            if says_another_order(types_of(annotation)):
                self.obstacle = self.obstacle or ANOTHER_ORDER
            self.edits.append(five_types(self.tree, annotation))
        if (text := docstring(function)) is not None:
            self.edits += named_values(self.tree, text)


# --- the annotation -----------------------------------------------------------------------------------------


def _four_types(context: Context, annotation: cst.BaseExpression) -> cst.BaseExpression | None:
    """The annotation of a tuple of four, or the alias of this module that stands for one and for nothing else."""
    if isinstance(annotation, cst.Name):
        annotation = _aliased(context, annotation) or annotation
    return annotation if says_four(annotation) else None


def _aliased(context: Context, alias: cst.Name) -> cst.BaseExpression | None:
    """What the alias stands for, if only the functions that change use it."""
    tree = context.tree
    changing = {old.scope for old in context.old_returns}
    bindings = tree.scopes.bindings(tree.module, alias.value)
    reads = tree.scopes.reads(tree.module, alias.value)
    annotations = [scope.returns for scope in changing if isinstance(scope, cst.FunctionDef) and scope.returns]
    if len(bindings) != 1 or not all(any(tree.within(read, one) for one in annotations) for read in reads):
        return None
    statement = tree.parents[tree.parents[bindings[0]]]
    return statement.value if isinstance(statement, cst.Assign) else None

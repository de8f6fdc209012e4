"""An index, slice or star takes another value out of a step's result than in old Gym.

## What it does
Reports `env.step(action)[2]`, `[3]`, `[:3]` and starred targets like `obs, *rest = env.step(action)` where
`env` speaks the Gymnasium API, and the same on a name that holds the result. In a program that is written for old Gym
(nothing in it takes five values) also results that go where they are not followed: `Outcome(*env.step(action))`,
`(obs, *env.step(action))`, `pool.submit(env.step, action)`. The rests of two results that are only compared with each
other are right.

## Why it matters
These forms raise nothing. Slot 2 was `done` and is `terminated`, slot 3 was `info` and is `truncated`: a
loop that ends on `step(action)[2]` no longer sees the time limit, and on Pendulum never ends.

## Example
```python
import gymnasium as gym

env = gym.make("Pendulum-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, done = env.step(env.action_space.sample())[:3]
```

## Use instead
```python
import gymnasium as gym

env = gym.make("Pendulum-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, terminated, truncated, _ = env.step(env.action_space.sample())
    done = terminated or truncated
```

## Fix safety
Safe: the joined flag is what `done` was. `Outcome(*env.step(action))` takes the five values apart in the line before,
and hands on four. There is no fix where the step would have to be called twice, or where a starred target contains
the flag, nor where a program on Gymnasium computes with it (`1 - done`), keeps it beside the values of the step or
chooses a value by it: there `terminated` alone is right, and only the loop has to end on both. `result[2]` that does
nothing but cut a value target, at once or from where it is stored, is not reported. A name that says
otherwise is believed: `done = env.step(action)[3]` is not reported, because slot 3 was never `done` in old Gym. A
result of which a test asks for slot 3 is written for five values and not reported; where a program on Gymnasium reads
that slot and nothing tells as what, there is no fix. Nor is there a finding in such a program where one part of both
flags is joined (`row[2][0] or row[3][0]`), where slot 3 is taken beside slot 2 and goes nowhere, or where something
else than the flag ends the loop as well (`while not done and step < 200`).

## References
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from functools import cached_property, partial

import libcst as cst

from done_lint.core.findings import SHOWS_NO_MORE
from done_lint.facts.kinds.environments import Env
from done_lint.facts.kinds.results import StepResult
from done_lint.rewrites.joined_flag import joined_assignment, joined_flag
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.documented_arity import asserted_length, is_only_counted
from done_lint.rewrites.step_tuple.flag_names import step_names
from done_lint.rewrites.step_tuple.loop_headers import five_in_comprehension, five_in_header
from done_lint.rewrites.step_tuple.other_purposes import OtherPurposes
from done_lint.rewrites.step_tuple.rests import Rests
from done_lint.rewrites.step_tuple.sliced_values import five_compared, sliced_anew
from done_lint.rewrites.step_tuple.slot_reads import SlotReads, index_of, integer, names_new_flag
from done_lint.rewrites.step_tuple.spread_results import four_of_five
from done_lint.rewrites.step_tuple.starred_headers import Change, flag_slot, starred_targets
from done_lint.rewrites.step_tuple.step_methods import fix_unpacking
from done_lint.rewrites.step_tuple.unpack import HELP, PENDING, Slots, blocked_by
from done_lint.rewrites.step_tuple.unpacking import Unpacking, gives_five, is_read
from done_lint.rules.base import Rule, placed
from done_lint.syntax.compared import compared_with
from done_lint.syntax.edits import added_after, replaced
from done_lint.syntax.expressions import bare_tuple, fitting
from done_lint.syntax.shapes import is_place, only_target

#: Where the joined flag needs no parentheses.
_BARE_IN = (cst.Assign, cst.Arg, cst.If, cst.While, cst.Return, cst.AnnAssign)
_OLD: tuple[str, ...] = ("obs", "reward", "done", "info")
_NEW: tuple[str, ...] = ("obs", "reward", "terminated", "truncated", "info")


class StepIndex(Rule):
    """GYM102."""

    code = "GYM102"
    incompatibility = "takes the values of a step by their old places"

    @cached_property
    def _rests(self) -> Rests:
        return Rests(self.context)

    @cached_property
    def _slots(self) -> SlotReads:
        return SlotReads(self.context)

    @cached_property
    def _purposes(self) -> OtherPurposes:
        return OtherPurposes(self.context, self._slots)

    def visit_Module(self, node: cst.Module) -> None:
        """Look at slices and stars that take a result apart."""
        for unpacking in self.context.unpackings:
            if not gives_five(unpacking.step):
                continue
            if unpacking.part is not None:
                self._sliced(unpacking)
            elif unpacking.starred:
                self._starred(unpacking)

    def visit_Subscript(self, node: cst.Subscript) -> None:
        """Look at `result[2]` and `result[3]`, and at slices that are not unpacked."""
        columns = self.facts.columns.get(self.span(node.value))
        if columns is not None and gives_five(columns) and columns.gym_only and index_of(node) in (2, 3):
            self._say(node, columns, _TAKES_OTHERS, unfixed("`done` of each environment has to be computed"))
        step = self.facts.steps.get(self.span(node.value))
        if step is None or step.either or not gives_five(step):
            return
        if any(node is unpacking.part for unpacking in self.context.unpackings):
            return
        index = index_of(node)
        if index is None:
            part = _slice_of(node)
            if part is not None and not _same(part, whole=True) and not self._rests.rebuilds_result(node, part):
                outcome = sliced_anew(self.context, node, step, part, "the slice is not unpacked here")
                self._say(node, step, _TAKES_OTHERS, outcome)
        elif index in (-2, -3, -4) and step.pending is not None and is_place(node.value):
            self._say(node, step, _TAKES_OTHERS, self._counted_from_start(node, step, index))
        elif index in (-2, -3, -4) and step.is_old:
            self._say(node, step, _TAKES_OTHERS, unfixed("the places are counted from the end"))
        elif index in (2, 3) and not self._slots.knows_five_values(node):
            self._indexed(node, step, index)

    def visit_Arg(self, node: cst.Arg) -> None:
        """Look at results, and at the method `step`, that are handed to code which is not followed."""
        escaping = self.facts.escaping_results.get(self.span(node.value))
        if escaping is not None and escaping.method == "step":
            self._lost(node.value, escaping.env, self._counted(node.value))
        elif (step := self.facts.steps.get(self.span(node.value))) and is_only_counted(self.context, node.value):
            self._say(node.value, step, _TAKES_OTHERS, self._counted(node.value))
        elif node.star == "*" and not isinstance(self._called(node), cst.Lambda):
            self._merged(node.value, node)

    def visit_Assign(self, node: cst.Assign) -> None:
        """`rows[i] = env.step(action)`, where the rows are those of an array."""
        escaping = self.facts.escaping_results.get(self.span(node.value))
        if escaping is not None and isinstance(node.targets[0].target, cst.Subscript):
            self._lost(node.value, escaping.env, unfixed(_OTHER_WIDTH))

    def _called(self, argument: cst.Arg) -> cst.BaseExpression | None:
        call = self.tree.parents[argument]
        return call.func if isinstance(call, cst.Call) else None

    def visit_For(self, node: cst.For) -> None:
        """`for *_, done, _ in rows:`."""
        self._header(node.target, partial(five_in_header, self.context, node))

    def visit_CompFor(self, node: cst.CompFor) -> None:
        """The same in a comprehension."""
        self._header(node.target, partial(five_in_comprehension, self.context, node))

    def _header(self, target: cst.BaseExpression, change: Change) -> None:
        for one in starred_targets(self.context, target, change):
            self._say(one.target, one.step, one.message, one.outcome)

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        """`(obs, action) + env.step(action)`."""
        for side in (node.left, node.right):
            self._merged(side)

    def visit_Comparison(self, node: cst.Comparison) -> None:
        """`env.step(action) == (1, 0.0, True, {})`."""
        for side in (node.left, node.comparisons[0].comparator):
            step, other = self.facts.steps.get(self.span(side)), compared_with(self.tree, side)
            if step is None or not step.is_old or not gives_five(step) or not isinstance(other, cst.Tuple):
                continue
            if len(other.elements) == len(_OLD):
                message = "`{}` has five values, but is compared with four"
                self._say(side, step, message, five_compared(self.context, other, step))

    def visit_StarredElement(self, node: cst.StarredElement) -> None:
        """`(obs, action, *env.step(action))`."""
        self._merged(node.value)

    def _merged(self, node: cst.BaseExpression, argument: cst.Arg | None = None) -> None:
        """All values of a result become values of something else, as arguments of a call for example."""
        step = self.facts.steps.get(self.span(node))
        if step is not None and step.gym_only and gives_five(step):
            outcome = four_of_five(self.context, argument, step, _NOT_SEEN) if argument is not None else None
            self._lost(node, step.env, outcome)
        elif step is not None and step.pending is not None and gives_five(step):
            self._say(node, step, _TAKES_OTHERS, unfixed(_NOT_SEEN), SHOWS_NO_MORE)

    def _counted(self, result: cst.BaseExpression) -> Outcome:
        """What is done where an assertion says how many values the result has."""
        step = self.facts.steps.get(self.span(result))
        edits, other = asserted_length(self.context, result), compared_with(self.tree, result)
        if step is not None and step.is_old and isinstance(other, cst.Tuple) and len(other.elements) == len(_OLD):
            return five_compared(self.context, other, step)
        if step is None or not edits:
            return unfixed(_NOT_SEEN)
        # What asks for four values does not show any more, once the class gives five: both change in one pass.
        reason = blocked_by(step)
        return fixed("expect five values", *edits) if reason in ("", PENDING) else unfixed(reason)

    def _lost(self, node: cst.BaseExpression, env: Env, outcome: Outcome | None = None) -> None:
        self.report(node, _LOST.format(self.source(node)), help=HELP, outcome=outcome or unfixed(_NOT_SEEN), env=env)

    def _indexed(self, node: cst.Subscript, step: StepResult, index: int) -> None:
        message = (
            "`{}` is `terminated` alone: truncated episodes are missed"
            if index == 2
            else "`{}` is `truncated`, not the info as in old Gym"
        )
        if self._is_right_at(node, step, index):
            return
        also = self.facts.masking.get(self.span(node)) if index == 2 and not step.is_old else None
        if also is False:
            return  # it cuts a value target, and nothing else
        reason = blocked_by(step)
        if reason and not (reason == PENDING and step.gym_only and index == 3):
            outcome = unfixed(reason)
        elif not step.gym_only and self._slots.may_know_five_values(node, index):
            outcome = unfixed(_EITHER)
        elif also:
            outcome = unfixed(_CUTS)
        elif index == 2 and not step.gym_only and (reason := self._purposes.of_indexed(node)):
            outcome = unfixed(reason)
        elif index == 2 and not is_place(node.value):
            outcome = self._unpacked(node, step)
        else:
            new = (
                _at(node, 4)
                if index == 3
                else joined_flag(node, _at(node, 3), array=step.env.api.vector or step.array is True)
            )
            new = fitting(self.tree, node, new, bare_in=_BARE_IN)
            outcome = fixed("use the new place of the value", replaced(self.tree, node, new))
        # once its own class has changed, `terminated` may be all that ends an episode there
        as_before = index == 2 and reason == PENDING and step.env.unlimited
        self._say(node, step, message, outcome, incompatibility="" if as_before else None)

    def _is_right_at(self, node: cst.Subscript, step: StepResult, index: int) -> bool:
        """Whether a slot is read as one of five values, or `terminated` is all that is wanted."""
        if step.truncation_asked and not self._slots.reads_info(node):
            return True  # written for five values
        if index == 2 and self._is_never_truncated(step):
            return True
        if step.gym_only:
            return False
        # a program on Gymnasium asks whether two steps gave the same, or takes both flags
        if self._slots.is_compared_alike(node) or self._slots.are_flags(node):
            return True
        # what else ends the loop may end it at the limit
        return index == 2 and self._purposes.ends_counted_loops(node)

    def _counted_from_start(self, node: cst.Subscript, step: StepResult, index: int) -> Outcome:
        """`result[-2]` as the place from the start: what it takes does not show any more, once the class gives five."""
        if (reason := blocked_by(step)) != PENDING:
            return unfixed(reason)
        new: cst.BaseExpression = _at(node, len(_OLD) + index)
        if index == -2:
            new = joined_flag(_at(node, 2), _at(node, 3), array=step.env.api.vector or step.array is True)
        new = fitting(self.tree, node, new, bare_in=_BARE_IN)
        return fixed("use the new place of the value", replaced(self.tree, node, new))

    def _unpacked(self, node: cst.Subscript, step: StepResult) -> Outcome:
        """`done = env.step(a)[2]` as an unpacking of all five values."""
        statement = self.tree.parents[node]
        done = only_target(statement)
        if not isinstance(statement, cst.Assign) or done is None:
            return self._any_of_both(node, step)
        flags = step_names(self.context, self.tree.scope(node))
        edits = [
            replaced(self.tree, done, bare_tuple(*map(cst.Name, ("_", "_", *flags, "_")))),
            replaced(self.tree, node, node.value),
            added_after(
                self.tree, statement, joined_assignment(done, flags, array=step.env.api.vector or step.array is True)
            ),
        ]
        return fixed("unpack five values", *edits)

    def _any_of_both(self, node: cst.Subscript, step: StepResult) -> Outcome:
        """`if env.step(a)[2]:` as `if any(env.step(a)[2:4]):`."""
        several = step.env.api.vector or step.array is not None or step.per_agent
        if several or self.tree.scopes.bindings(self.tree.module, "any"):
            return unfixed("`terminated or truncated` would call `step` twice; bind its result first")
        both = cst.Slice(cst.Integer("2"), cst.Integer("4"))
        flags = node.with_changes(slice=[cst.SubscriptElement(both)], lpar=(), rpar=())
        return fixed("ask both flags", replaced(self.tree, node, cst.Call(cst.Name("any"), [cst.Arg(flags)])))

    def _sliced(self, unpacking: Unpacking) -> None:
        part = unpacking.part
        bounds = _slice_of(part) if part is not None else None
        if part is None or bounds is None or unpacking.starred:
            return
        old, targets = _OLD[bounds], unpacking.targets
        if _same(bounds, whole=False) or len(targets) != len(old):
            return
        if "done" in old and names_new_flag(self.tree.source(targets[old.index("done")])):
            return
        outcome = unfixed("the slice does not start at the observation")
        if old == ("obs", "reward", "done"):
            outcome = fix_unpacking(self.context, unpacking, Slots(done=2, missing=1))
        self._say(part, unpacking.step, _TAKES_OTHERS, outcome)

    def _starred(self, unpacking: Unpacking) -> None:
        targets = unpacking.target.elements
        before = next(place for place, one in enumerate(targets) if isinstance(one, cst.StarredElement))
        after = len(targets) - before - 1
        slot = flag_slot(before, after, old=unpacking.step.is_old)
        if slot is not None:
            flag = targets[slot].value
            if before > 2 and self._is_right_alone(unpacking, flag, targets[before].value):
                return
            if before + after <= 4 and not names_new_flag(self.tree.source(flag)):
                name = self.source(flag)
                what = "`terminated`" if before > 2 else "`truncated`"
                moved = targets[slot : slot + 1] if before else targets[1 : slot + 1]
                if any(is_read(self.tree, unpacking.scope, one.value) for one in moved):
                    outcome = fix_unpacking(self.context, unpacking, Slots(slot))
                    if slot == before - 1 and is_read(self.tree, unpacking.scope, targets[before].value):
                        rest = self.source(targets[before].value)
                        outcome = unfixed(f"everything that reads `{rest}` would get one value less")
                    elif slot == before - 1 and not unpacking.step.gym_only:
                        reason = self._purposes.of_unpacked(unpacking, flag)
                        outcome = unfixed(reason) if reason else outcome
                    self._say(
                        unpacking.statement,
                        unpacking.step,
                        f"`{name}` is {what} alone: episodes that end in the other way are missed",
                        outcome,
                    )
            return
        star = targets[before].value
        if before + after < 4 and is_read(self.tree, unpacking.scope, star):
            rests = self._rests
            if rests.only_rebuilds_result(unpacking.scope, star, before, after) or rests.only_compared(unpacking, star):
                return
            if not unpacking.step.gym_only and rests.only_split_in_five(unpacking.scope, star, before + after):
                return
            name = self.source(star)
            outcome = unfixed(f"everything that reads `{name}` would have to change")
            self._say(
                unpacking.statement,
                unpacking.step,
                f"`*{name}` holds one value more than in old Gym: there are two flags now",
                outcome,
            )

    def _is_right_alone(self, unpacking: Unpacking, flag: cst.BaseExpression, rest: cst.BaseExpression) -> bool:
        """Whether a program on Gymnasium asks for no more than `terminated`, or finds `truncated` in the rest."""
        if self._rests.begins_with_flag(unpacking.scope, rest):
            return True
        if unpacking.step.gym_only:
            return False
        asked = self._purposes.is_only_asserted(flag, unpacking.value)
        return asked or self._purposes.is_renamed(flag, unpacking.value) or self._is_never_truncated(unpacking.step)

    def _is_never_truncated(self, step: StepResult) -> bool:
        """Whether `terminated` is all that ends an episode, in a program on Gymnasium."""
        return step.never_truncated and not step.gym_only

    def _say(
        self, node: cst.CSTNode, step: StepResult, message: str, outcome: Outcome, incompatibility: str | None = None
    ) -> None:
        said = message.format(self.source(node))
        if (own := step.changing) is not None:
            said = f"what is taken of this step changes together with {placed(own)}, which returns four values"
        self.report(
            node,
            said,
            help=HELP,
            outcome=outcome,
            related=self.elsewhere(node, step.origin),
            env=step.env,
            incompatibility=incompatibility,
        )


#: Why a row of an array, or a value of a store, is left as it is.
_OTHER_WIDTH = "what it is stored in has room for four values only, or is read as four"
_LOST = "`{}` gives five values, and the program is written for four"
_CUTS = (
    "it also cuts a value target, where `terminated` alone is right: only what asks where episodes end has to change"
)
_EITHER = "in a program on Gymnasium slot 3 may be meant as `truncated`, and the flag in slot 2 as `terminated`"
_NOT_SEEN = "what takes the values cannot be seen from here"
_TAKES_OTHERS = "`{}` takes other values than in old Gym: slot 2 is `terminated` alone, slot 3 is `truncated`"


def _slice_of(node: cst.Subscript) -> slice | None:
    """The slice of a subscript, if its bounds are constant."""
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Slice):
        return None
    bounds = node.slice[0].slice
    values: list[int | None] = []
    for bound in (bounds.lower, bounds.upper, bounds.step):
        value = None if bound is None else integer(bound)
        if bound is not None and value is None:
            return None
        values.append(value)
    return slice(*values)


def _same(part: slice, *, whole: bool) -> bool:
    """Whether the slice takes the same values out of four and out of five; a copy of all is no slice."""
    if _OLD[part] == _NEW[part] or (whole and _OLD[part] == _OLD):
        return True
    # `[:4]` would be all of the old result: written for five values.
    return part.stop is not None and part.stop >= 4


def _at(node: cst.Subscript, index: int) -> cst.Subscript:
    """The same subscript with another index."""
    element = node.slice[0].with_changes(slice=cst.Index(cst.Integer(str(index))))
    return node.with_changes(slice=[element], lpar=(), rpar=())

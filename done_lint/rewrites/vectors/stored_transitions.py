"""Transitions of vector environments that reset in the same step: where its observation is kept, or a value made of it.

Eight forms: a call that is given a row, a row that is made and then kept, arrays that are assigned to at the same
index, lists that are appended to side by side, a product of a value with the mask of terminations, a branch on them
around a target, a call that is given both and makes a target of them, and a rollout that is given its last value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.kinds.flags import Flag
from done_lint.knowledge.replay_buffers import TAKING_LAST_VALUES
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.vectors.followed_observations import FollowedObservation, put_by_jax
from done_lint.rewrites.vectors.kept_side_by_side import appended_values
from done_lint.rewrites.vectors.repaired_flags import repaired
from done_lint.rewrites.vectors.same_step import resets_at_once
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, only_target


@dataclass(frozen=True)
class StoredTransition:
    """`buffer.add(obs, action, reward, next_obs, terminated)`, with the arrays of all environments."""

    step: Unpacking
    #: The step's observation, as it is stored or valued.
    observation: cst.Name
    #: The flag of the episode's end that is stored beside it, or masks its value.
    flag: Flag
    #: Names that hold what was made of the observation, and are read for something else, too.
    shared: Sequence[str] = ()
    #: It is the row of one environment, in a loop over all.
    single: bool = False
    #: It is no longer the array that the step returned.
    converted: bool = False
    #: What is made of it, as it stands beside the mask.
    masked: Span | None = None


def stored_transitions(context: Context) -> Iterator[StoredTransition]:
    """Every place where the observation and a flag of one step go together, in the function that took the step."""
    for step in context.unpackings:
        env = step.step.env
        if env.unlimited or step.starred or step.part is not None or len(step.targets) != len(env.api.step):
            continue
        if not resets_at_once(context, env):
            continue  # elsewhere the step that ends an episode returns the final observation itself
        if isinstance(step.targets[0], cst.Name):
            yield from _Uses(context, step, step.targets[0]).all()


#: So many values, one of each kind, are a transition: what was seen, done and gained, and what came then or a flag.
_ROW = 4


class _Uses(FollowedObservation):
    """What becomes of the observation of one step."""

    def __init__(self, context: Context, step: Unpacking, observation: cst.Name) -> None:
        super().__init__(context, step, observation)
        self._flags = context.facts.flags
        self._bootstrapped = context.facts.bootstrapped
        self._unpackings = context.unpackings
        origin = step.step.origin
        rows = [row for row in context.facts.rows if (row.step.path, row.step.span) == (origin.path, origin.span)]
        # where its flags choose among what is kept, the ends of episodes may be left out
        self._kept = frozenset(row.place for row in rows if not (row.chosen or row.chosen_by))

    def all(self) -> Iterator[StoredTransition]:
        """Its uses beside a flag."""
        for read in self.behind(self.name, self.step.statement):
            values = self._beside(read)
            if (flag := self._flag_of_several(values)) is not None:
                yield StoredTransition(self.step, read, flag)
            elif not values and (single := self._of_one(read)) is not None:
                yield StoredTransition(self.step, read, single, single=True)
            elif not values and (found := self._mask(read) or self._tested(read)) is not None:
                flag, masked = found
                yield StoredTransition(self.step, read, flag, self._shared(read), masked=self.span(masked))
            elif not values and (given := self._given_together(read) or self._given_last(read)) is not None:
                yield StoredTransition(self.step, read, given, self._shared(read))
        for read in self.renamed():
            if (flag := self._flag_of_several(self._beside(read))) is not None:
                yield StoredTransition(self.step, read, flag, converted=True)

    # --- rows ---------------------------------------------------------------------------------------------------------

    def _beside(self, read: cst.Name) -> Sequence[cst.BaseExpression]:
        """All that is stored with it, and the read itself."""
        whole = self.whole(read)
        return self._row(whole) or self._made_row(whole) or self._at_same_index(read) or self._in_lists(whole)

    def _flag_of_several(self, values: Sequence[cst.BaseExpression]) -> Flag | None:
        """The flag of the step among values by which targets are cut, if it is an array of them."""
        held = [one for one in values if self._flag(one) is not None and not self._is_later(one)]
        if len(held) > 1:
            held = [one for one in held if not self._is_of_before(one)]
        found = self._cutting([flag for one in held if (flag := self._flag(one)) is not None])
        return found if found is not None and found.array is True else None

    def _cutting(self, flags: Sequence[Flag]) -> Flag | None:
        """The only flag of a row, or *terminated* where it stands beside another and is known to cut targets alone."""
        if len(flags) > 1 and all(flag.terminated_only for flag in flags):
            return flags[0]  # under two names
        if len(flags) > 1 and self.tree.span(self.step.value) in self._bootstrapped:
            flags = [flag for flag in flags if flag.terminated_only]
        return flags[0] if len(flags) == 1 else None

    def _row(self, read: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
        """What the statement `buffer.add(...)` stores, in a tuple or a dictionary or without."""
        tree, place = self.tree, self.tree.parents[read]
        values: list[cst.BaseExpression] = []
        row = tree.parents[place]
        if isinstance(place, (cst.Element, cst.DictElement)) and isinstance(row, (cst.Tuple, cst.Dict)):
            values = [element.value for element in row.elements]
            place = tree.parents[row]
        call = tree.parents[place] if isinstance(place, cst.Arg) else None
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
            return ()
        if not isinstance(tree.parents[call], cst.Expr):
            return ()
        values = values or [argument.value for argument in call.args]
        return values if len(values) >= _ROW else ()

    def _made_row(self, whole: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
        """What is put together with it, if the analysis has seen that something keeps that.

        `rows.append(Transition(obs, action, reward, next_obs, terminated))`, or the row has a name in between.
        """
        place = self.tree.parents[whole]
        row = self.tree.parents[place]
        values: list[cst.BaseExpression]
        if isinstance(place, cst.Arg) and isinstance(row, cst.Call):
            values = [argument.value for argument in row.args]
        elif isinstance(place, (cst.Element, cst.DictElement)) and isinstance(row, (cst.Tuple, cst.Dict)):
            values = [element.value for element in row.elements]
        else:
            return ()
        held = {self.span(one) for one in (row, *values, *self._named(row))}
        return values if len(values) >= _ROW and not held.isdisjoint(self._kept) else ()

    def _named(self, value: cst.BaseExpression) -> Iterator[cst.Name]:
        """The reads of the name that an expression is given."""
        statement, target = self.tree.row(value), only_target(self.tree.parents[value])
        if statement is not None and isinstance(target, cst.Name):
            yield from self.behind(target, statement)

    def _in_lists(self, whole: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
        """What its block appends, each to a list of its own, as in `next_states.append(next_obs)`."""
        statement = self.tree.row(whole)
        if statement is None or whole not in appended_values(statement):
            return ()
        values = [one for row in self.tree.siblings(statement) for one in appended_values(row)]
        return values if len(values) >= _ROW else ()

    def _of_one(self, read: cst.Name) -> Flag | None:
        """The flag beside it in a row of one environment: `buffer.add(obs[i], ..., next_obs[i], terminated[i])`."""
        around = self.tree.parents[read]
        if isinstance(around, cst.Subscript) and around.value is read:
            rows = [self._row(around) or self._made_row(around)]
        else:
            rows = [self._row(one) or self._made_row(one) for one in self._zipped(around)]
            rows += [self._zipped_row(around)]
        values = next(filter(None, rows), ())
        flags = [flag for value in values if (flag := self._flag(value)) is not None]
        return self._cutting(flags)

    def _zipped(self, place: cst.CSTNode) -> Sequence[cst.Name]:
        """The reads of what `for o, ... in zip(obs, ..., next_obs, terminated)` makes of the argument at a place."""
        call, loop = self._zipping(place) or (None, None)
        if call is None or loop is None or not isinstance(loop.target, cst.Tuple):
            return ()
        elements = [one.value for one in loop.target.elements]
        element = (
            elements[call.args.index(cst.ensure_type(place, cst.Arg))] if len(elements) == len(call.args) else None
        )
        return self._in_turn(loop, element)

    def _zipped_row(self, place: cst.CSTNode) -> Sequence[cst.BaseExpression]:
        """What stands beside it in `for row in zip(obs, ..., next_obs, terminated): rows.append(row)`."""
        call, loop = self._zipping(place) or (None, None)
        if call is None or loop is None or len(call.args) < _ROW or any(one.star or one.keyword for one in call.args):
            return ()
        stored = any(self._is_given(one) for one in self._in_turn(loop, loop.target))
        return [one.value for one in call.args] if stored else ()

    def _zipping(self, place: cst.CSTNode) -> tuple[cst.Call, cst.For | cst.CompFor] | None:
        """The call of `zip` that is given an argument, and the loop over what it gives."""
        call = self.tree.parents[place] if isinstance(place, cst.Arg) else None
        if not isinstance(call, cst.Call) or not is_name(call.func, "zip"):
            return None
        loop = self.tree.parents[call]
        return (call, loop) if isinstance(loop, (cst.For, cst.CompFor)) and loop.iter is call else None

    def _in_turn(self, loop: cst.For | cst.CompFor, target: cst.BaseExpression | None) -> Sequence[cst.Name]:
        """The reads of a target in each turn of its loop."""
        reads = self.tree.scopes.reads(self.step.scope, target.value) if isinstance(target, cst.Name) else ()
        turn = loop.body if isinstance(loop, cst.For) else self.tree.parents[loop]
        return [one for one in reads if self.tree.within(one, turn)]

    def _is_given(self, row: cst.Name) -> bool:
        """Whether a statement stores a whole row: `rows.append(row)`, `rows.append(Transition(*row))`."""
        place = self.tree.parents[row]
        call = self.tree.parents[place] if isinstance(place, cst.Arg) else None
        while isinstance(call, cst.Call) and isinstance(self.tree.parents[call], cst.Arg):
            call = self.tree.parents[self.tree.parents[call]]
        stored = isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute)
        return stored and call is not None and isinstance(self.tree.parents[call], cst.Expr)

    def _flag(self, value: cst.BaseExpression) -> Flag | None:
        """The flag that is stored as a value, also converted, or as the only element of a list."""
        found = self._flags.get(self.tree.span(value))
        if found is not None:
            return repaired(self.context, value, found)
        if found is None and isinstance(value, cst.List) and len(value.elements) == 1:
            return self._flag(value.elements[0].value)
        if found is None and isinstance(value, cst.Call) and len(value.args) == 1:
            return self._flag(value.args[0].value)
        return found

    def _is_later(self, value: cst.BaseExpression) -> bool:
        """Whether another step, behind this one, has given a value its name."""
        start, end = self.span(self.step.statement), self.span(value)
        names = {one.value for one in self.tree.inside(cst.Name, value)}
        targets = (one.target for one in self._unpackings if start < self.span(one.statement) < end)
        return any(one.value in names for target in targets for one in self.tree.inside(cst.Name, target))

    def _is_of_before(self, value: cst.BaseExpression) -> bool:
        """Whether a name or attribute holds what it held before the step: the end of the step before."""
        if not isinstance(value, (cst.Name, cst.Attribute)):
            return False
        scope, text = self.step.scope, self.tree.source(value)
        start, end = self.span(self.step.target), self.span(value)
        bound = [one.target for one in self.tree.inside(cst.AssignTarget, scope)]
        bound += [one.target for one in self.tree.inside(cst.AugAssign, scope)]
        between = [one for one in bound if start <= self.span(one) < end]
        inside = (inner for one in between for inner in (one, *self.tree.descend(one)))
        return not any(self.tree.source(one) == text for one in inside if isinstance(one, (cst.Name, cst.Attribute)))

    def _at_same_index(self, read: cst.Name) -> Sequence[cst.BaseExpression]:
        """What its block assigns at the same index to other arrays, as in `next_states[t] = next_obs`."""
        target = self.target(read)
        statement = self.tree.row(read)
        if not isinstance(target, cst.Subscript) or statement is None:
            return ()
        index = [self.tree.source(one) for one in target.slice]
        found: list[cst.BaseExpression] = []
        for row in self.tree.siblings(statement):
            small = row.body if isinstance(row, cst.SimpleStatementLine) else ()
            for one in small:
                if isinstance(one, cst.Assign) and (stored := _item_stored(one)) is not None:
                    other, value = stored
                    found += [value] if [self.tree.source(key) for key in other.slice] == index else []
        return found

    # --- values -------------------------------------------------------------------------------------------------------

    def _mask(self, read: cst.Name) -> tuple[Flag, cst.Name] | None:
        """The flag whose mask is a factor beside what is computed from the observation, and the name of that."""
        for name in (read, *self.derived(read)):
            for product in self.tree.ancestors(name):
                if isinstance(product, (cst.BaseStatement, cst.BaseSmallStatement)):
                    break
                if isinstance(product, cst.BinaryOperation) and isinstance(product.operator, cst.Multiply):
                    sides = (product.left, product.right)
                    beside = next(one for one in sides if not self.tree.within(name, one))
                    found = [self._flags.get(self.tree.span(one)) for one in self._factors(beside)]
                    masks = [one for one in found if one is not None and all(each.keep for each in one.meanings)]
                    if len(masks) == 1 and masks[0].array is True:
                        return masks[0], name
        return None

    def _tested(self, read: cst.Name) -> tuple[Flag, cst.Name] | None:
        """The flag that a branch around a target tests: `r if terminated[i] else r + 0.99 * values[i]`; and the name.

        That such a target is left at terminations alone is known from the analysis.
        """
        if self.tree.span(self.step.value) not in self._bootstrapped:
            return None
        for name in self.derived(read):
            around = [one for one in self.tree.ancestors(name) if not self.tree.within(self.step.statement, one)]
            if not any(isinstance(one, cst.BinaryOperation) for one in around):
                continue
            for one in around:
                if isinstance(one, (cst.If, cst.IfExp)) and not self.tree.within(name, one.test):
                    flag = self._flag(one.test)
                    if flag is not None and flag.terminated_only:
                        return flag, name
        return None

    def _given_together(self, read: cst.Name) -> Flag | None:
        """The flag that a call is given beside a reward and what is made of the observation, if it cuts a target."""
        if self.tree.span(self.step.value) not in self._bootstrapped:
            return None
        rewards = self._of_reward()
        for name in (read, *self.derived(read)):
            for call in self.tree.ancestors(name):
                if isinstance(call, (cst.BaseStatement, cst.BaseSmallStatement)):
                    break
                others = [one.value for one in call.args] if isinstance(call, cst.Call) else []
                found = [self._flag(one) for one in others if not self.tree.within(name, one)]
                flag = self._cutting([one for one in found if one is not None])
                beside = (inner for one in others for inner in (one, *self.tree.descend(one)))
                if flag is not None and flag.array is True and any(_is_name_of(one, rewards) for one in beside):
                    return flag
        return None

    def _given_last(self, read: cst.Name) -> Flag | None:
        """The flag that a rollout is given with the value behind its last row, which it cuts by that flag."""
        for name in (read, *self.derived(read)):
            for call in self.tree.ancestors(name):
                if isinstance(call, (cst.BaseStatement, cst.BaseSmallStatement)):
                    break
                if isinstance(call, cst.Call) and last_name(call.func) == TAKING_LAST_VALUES:
                    others = [one.value for one in call.args if not self.tree.within(name, one)]
                    flag = self._cutting([flag for one in others if (flag := self._flag(one)) is not None])
                    return flag if flag is not None and flag.array is True else None
        return None

    def _of_reward(self) -> frozenset[str]:
        """The names of the step's reward, and of what is made of it."""
        reward = self.step.targets[1]
        reads = list(self.behind(reward, self.step.statement)) if isinstance(reward, cst.Name) else []
        return frozenset(one.value for read in reads for one in (read, *self.derived(read)))

    def _factors(self, node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
        yield node
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
            yield from self._factors(node.left)
            yield from self._factors(node.right)

    def _shared(self, read: cst.Name) -> Sequence[str]:
        """The names between it and the product that are read more than once."""
        target, found = self.target(read), list[str]()
        if isinstance(target, cst.Name):
            reads = [one.value for one in self.derived(read)]
            found = sorted({name for name in reads if reads.count(name) > 1})
        return found


def _item_stored(statement: cst.Assign) -> tuple[cst.Subscript, cst.BaseExpression] | None:
    """The item and the value of `rows[t] = value`, and of `rows = rows.at[t].set(value)`."""
    target = statement.targets[0].target
    if isinstance(target, cst.Subscript):
        return target, statement.value
    return put_by_jax(statement.value) if isinstance(statement.value, cst.Call) else None


def _is_name_of(node: cst.CSTNode, names: frozenset[str]) -> bool:
    return isinstance(node, cst.Name) and node.value in names

"""Where the rows of transitions are kept that a vector environment returns: a step's reward, with what belongs to it.

A row is found by what arrives where something is kept (`step_stores`), in whatever file: the reward of a step, and
beside it observations, flags or the action of the same step. It is shown where the function that takes the step, or
takes its result, hands the reward on.

Only environments that may reset in a step of their own are looked at, and of the places where something is kept only
those at which values of their steps arrive: most of a program keeps other things.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Object, Passage, Place, Pred, Shape, StepPart, StepValue
from done_lint.core.asked_once import asked_once
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.kinds.rows import Row
from done_lint.facts.rows.learnt_at_once import Learnt, learnt_at_once
from done_lint.facts.rows.made_rewards import MadeRewards
from done_lint.facts.rows.masked_resets import reset_by_flags, reset_one_by_one
from done_lint.facts.rows.read_by_key import rows_by_key
from done_lint.facts.rows.row_choices import RowChoices
from done_lint.facts.rows.single_steps import SingleSteps
from done_lint.facts.rows.step_means import StepMeans
from done_lint.facts.rows.step_rounds import StepRounds
from done_lint.facts.rows.step_stores import Store, Stores, is_array
from done_lint.facts.rows.untruncated_branches import UntruncatedBranches
from done_lint.facts.rows.ways_back import Ways, into
from done_lint.facts.value_targets.final_observations import asking_files
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.array_functions import LOG_PROBABILITY
from done_lint.knowledge.env_apis import NEXT_STEP

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.environments.environments import Environments
    from done_lint.facts.provenance import Provenance
    from done_lint.facts.value_targets.target_masks import Cut
    from done_lint.flowgraph.schema import Survey

_Part = StepPart | Literal["action", "chance"]
#: How far an action is followed.
_NEAR = 100
#: In the place of the number of a value: what is made of a reward.
_SUM = -1
#: A call of code that cannot be seen which is given so many values of a step is given a row.
_ROW = 3


class _Kept(NamedTuple):
    """A value of a step at a place where it is kept."""

    step: int
    part: _Part
    #: The number of the value; of an action the step again.
    number: int
    #: Its node; that of a field, where it is part of a row.
    node: int
    #: The node that is kept, and the number of the row there, or -1.
    whole: int
    row: int
    place: Place


@dataclass
class _Found:
    """What one function hands on of one step to be kept."""

    #: Where each part is handed on.
    parts: dict[_Part, set[Place]] = field(default_factory=dict)
    #: Of these, where it is kept for certain.
    kept: set[Place] = field(default_factory=set)
    #: The rewards among them.
    rewards: list[_Kept] = field(default_factory=list)
    #: Where one environment's reward is kept by itself, as a log may keep it.
    single: set[Place] = field(default_factory=set)
    #: Nothing is kept, and a target is made of it.
    at_once: bool = False
    #: The flags that cut such targets, by their nodes.
    cutting: set[int] = field(default_factory=set)
    #: Its flags end a sum over time: what the policy made beside them stands for what was seen and done.
    summed: bool = False

    @property
    def learnt(self) -> bool:
        """Whether these are rows of transitions."""
        return _makes_row(self.parts, summed=self.summed)


class KeptRows:
    """Reads from a solved graph which rows are kept."""

    def __init__(
        self, analysis: Analysis, provenance: Provenance, environments: Environments, cuts: Collection[Cut]
    ) -> None:
        """Read from a solved graph, in which value targets are cut at these places."""
        self._cuts = cuts
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._provenance = provenance
        self._environments = environments
        self._stores = Stores(analysis)
        self._choices = RowChoices(analysis)
        self._untruncated = UntruncatedBranches(analysis)
        self._singles = SingleSteps(analysis)
        self._rounds = StepRounds(analysis, provenance.running)
        found = {step: environments.stepped(envs) for step, envs in analysis.flags.steps_of_several.items()}
        later = {step: env for step, env in found.items() if env is not None and env.api in NEXT_STEP}
        reset = reset_by_flags(analysis) | reset_one_by_one(analysis) if later else frozenset()
        #: The environments that may reset in a step of their own, by the step that they take.
        self._steps = {step: env for step, env in later.items() if step not in reset}
        #: By file, the places of its calls.
        self._calls: dict[str, list[Span]] = {}
        #: By step, part and number.
        self._known_ways: dict[tuple[int, _Part, int], Ways] = {}

    def all(self) -> dict[str, tuple[Row, ...]]:
        """The rows by the file in which they are handed on to be kept."""
        rows: dict[str, list[Row]] = {}
        for (step, home), found in self._first_kept() if self._steps else ():
            env = self._steps[step]
            path, span = place = self._place(found)
            flags, observed = (_of_file(found.parts.get(part, ()), path) for part in ("flag", "obs"))
            origin = self._provenance.related(self._program.origin_site(step), "stepped here")
            unasked = not env.made and not self._environments.asks_for_modes
            chosen = self._is_chosen(step, self._rounds.of(step, self._home(step), home, place), path)
            alone = self._singles.at(step)
            final = any(self._analysis.imports.together(one, path) for one in self._asking)
            cut = bool(found.cutting) and all(map(self._is_terminated, found.cutting))
            row = Row(env, origin, span, flags, chosen, unasked, alone, found.at_once, cut, observed, final)
            rewards = [one.place for one in found.rewards]
            if rewards and not found.at_once and all(map(self._untruncated.holds, rewards)):
                row = replace(row, untruncated=True)
            rows.setdefault(path, []).append(row)
        return {path: tuple(found) for path, found in rows.items()}

    def _first_kept(self) -> Iterator[tuple[tuple[int, FunctionId], _Found]]:
        """The rows of each step, by the function that hands them on.

        Where what was kept before is taken out and kept again, that is none.
        """

        def beside(kept: _Kept) -> set[Place]:
            """Where the same value is handed on to be kept: by one function or by another."""
            return {place for place, _ in self._handed_on(kept)}

        every = sorted((key, found) for key, found in self._found().items() if found.learnt)
        for _, group in groupby(every, key=lambda one: one[0][0]):
            rows = list(group)
            for key, row in rows:
                before = set().union(*(one.parts["reward"] for _, one in rows)) - row.parts["reward"]
                if not before or any(
                    not _is_inside(self._kept_before(one), before - beside(one)) for one in row.rewards
                ):
                    yield key, row

    def _kept_before(self, kept: _Kept) -> frozenset[Place]:
        """Where a value was put into something else, before it came to where it is kept."""
        return self._ways(kept).places(kept.node)

    def _puts_before(self, kept: _Kept) -> list[Passage]:
        """How a value was put into something else, before it came to where it is kept; the last one first."""
        return self._ways(kept).puts(kept.node)

    def _found(self) -> dict[tuple[int, FunctionId], _Found]:
        """What is kept of each step, by the function that hands it on."""
        found: dict[tuple[int, FunctionId], _Found] = {}
        at_once = list(learnt_at_once(self._analysis, self._cuts, self._home))
        stored = list(self._stored())
        # who hands a value on is searched for where it may belong to a row: most of a program keeps rewards alone
        parts: defaultdict[int, set[_Part]] = defaultdict(set)
        for one in (value for _, values in stored for value in values):
            parts[one.step].add(one.part)
        asked = {one.step for one in at_once} | {step for step, kept in parts.items() if self._is_row(step, kept)}
        for store, values in stored:
            for one in values:
                for place, home in self._handed_on(one) if one.step in asked else ():
                    row = found.setdefault((one.step, home), _Found(summed=one.step in self._summed))
                    row.parts.setdefault(one.part, set()).add(place)
                    row.kept.update(() if store.unseen else (place,))
                    row.rewards += [one] if one.part == "reward" else []
                    row.single.update((place,) if one.part == "reward" and one.node in self._program.wholes else ())
        self._add_learnt(found, at_once)
        return found

    def _is_row(self, step: int, parts: Collection[_Part]) -> bool:
        return _makes_row(parts, summed=step in self._summed)

    @cached_property
    def _summed(self) -> frozenset[int]:
        """The steps whose flags end sums over time: returns, or the deltas of GAE."""
        ends = (one.node for one in self._cuts if one.kind == "recursion")
        values = (value for node in ends for value in self._solver.values(node, StepValue))
        return frozenset(value.step for value in values if value.part == "flag" and value.step in self._steps)

    def _stored(self) -> Iterator[tuple[Store, list[_Kept]]]:
        """The places at which values of steps are kept, with these."""
        for survey in self._program.surveys.values():
            for store in self._stores.of(survey, self._is_of_step):
                values = list(self._kept(store))
                values = _of_one_part(values) if store.unseen else values
                parts = {one.part for one in values}
                if not store.unseen or ("obs" in parts and _makes_row(parts)):
                    yield store, values

    def _add_learnt(self, found: dict[tuple[int, FunctionId], _Found], at_once: Iterable[Learnt]) -> None:
        """Add the steps of which nothing is kept, because a target is made of them as they come."""
        kept = {step for (step, _), row in found.items() if row.learnt}
        for reward, flag, step, place in at_once:
            if step not in self._steps or step in kept:
                continue
            given = _Kept(step, "reward", reward.number, reward.node, -1, reward.node, place)
            ended = _Kept(step, "flag", flag.number, flag.node, -1, flag.node, place)
            if self._kept_before(given) or self._kept_before(ended):
                continue
            flags = {at for at, _ in self._handed_on(ended)}
            for at, home in self._handed_on(given):
                row = found.setdefault((step, home), _Found())
                row.at_once = True
                row.cutting.add(flag.node)
                row.rewards.append(given)
                row.parts.setdefault("reward", set()).add(at)
                row.parts.setdefault("flag", set()).update(flags)
                # the value that is masked is that of the step's observation
                row.parts.setdefault("obs", set()).add(at)

    # --- values -------------------------------------------------------------------------------------------------------

    def _kept(self, store: Store) -> Iterator[_Kept]:
        """The values of steps that are kept at a place, also in the fields of a row."""
        for node, span in store.values:
            place = Place(store.place.path, span) if span is not None else store.place
            for row, one in ((-1, node), *self._stores.fields(node)):
                yield from (_Kept(*value, one, node, row, place) for value in self._values(one))
            for row, whole in self._by_key.get(node, ()):
                for _, one in self._analysis.objects.owned.get(row, ()):
                    yield from (_Kept(*value, one, whole, row, place) for value in self._values(one))

    def _is_of_step(self, node: int) -> bool:
        """Whether values of steps arrive at a node, by themselves or in the fields of a row."""
        of_steps, actions = self._of_steps, self._actions
        if not of_steps.isdisjoint(self._solver.held[node]) or node in actions or node in self._sums:
            return True
        if node in self._by_key:
            return True
        return not actions.keys().isdisjoint(self._stored_in(node))

    @cached_property
    def _holders(self) -> dict[int, set[int]]:
        """The nodes that hold a value of a step, by its number."""
        found: dict[int, set[int]] = {
            number: set()
            for number, value in enumerate(self._solver.interned)
            if isinstance(value, StepValue) and value.step in self._steps
        }
        for node, held in enumerate(self._solver.held):
            for number in held:
                if number in found:
                    found[number].add(node)
        return found

    @cached_property
    def _of_steps(self) -> frozenset[int]:
        """The numbers of the values of steps, and of the objects that hold one as a field."""
        found = frozenset(self._holders)
        nodes = set(self._actions).union(self._sums, *self._holders.values())
        return found.union(
            owner
            for owner, fields in self._analysis.objects.owned.items()
            if any(field in nodes or not nodes.isdisjoint(self._stored_in(field)) for _, field in fields)
        )

    @cached_property
    def _by_key(self) -> dict[int, list[tuple[int, int]]]:
        """What is read of rows of steps under keys that are computed."""
        return rows_by_key(self._analysis, self._of_steps)

    def _is_whole(self, value: StepValue, node: int, number: int) -> bool:
        """Whether a flag is one, and a reward has a number for each environment."""
        if value.part == "reward":
            return node in self._arriving(number)
        return value.part != "flag" or self._is_flag(node)

    @asked_once
    def _arriving(self, number: int) -> Set[int]:
        """The nodes that hold a reward not only as one number of all environments."""
        edges, wholes = self._solver.predecessors, self._program.wholes
        return self._means.others(self._holders[number], lambda node: (one.source for one in into(node, edges, wholes)))

    def _is_flag(self, node: int) -> bool:
        """Whether what flags arrive in is one: the memory of a model that they cut, `state * (1 - done)`, is none."""
        return bool(self._analysis.arrays.flat_flags(node))

    def _is_terminated(self, node: int) -> bool:
        """Whether a flag is *terminated*, or its negation, by whatever way it came."""
        flags = self._analysis.arrays.flat_flags(node)
        return bool(flags) and all(one & flag_lattice.CAUSES == flag_lattice.TERMINATED for one in flags)

    def _stored_in(self, node: int) -> Iterator[int]:
        """What is written into a field or an element that stands there."""
        return (edge.source for edge in self._solver.predecessors[node] if edge.way == "store")

    @asked_once
    def _values(self, node: int) -> list[tuple[int, _Part, int]]:
        """The values of steps that a node holds: the step, the part, the number of the value."""
        return list(self._each_value(node))

    def _each_value(self, node: int) -> Iterator[tuple[int, _Part, int]]:
        for number in self._solver.all(node, StepValue):
            value = self._solver.get(number, StepValue)
            if value.step in self._steps and self._is_whole(value, node, number):
                yield value.step, value.part, number
        for step in sorted({step for one in (node, *self._stored_in(node)) for step in self._actions.get(one, ())}):
            yield step, "action", step
        for step in sorted(self._chances.get(node, ())):
            yield step, "chance", step
        for step in sorted(self._sums.get(node, ())):
            yield step, "reward", _SUM

    @cached_property
    def _actions(self) -> dict[int, set[int]]:
        """The nodes of what steps are given, and of how likely it was: what a row has of an action."""
        found = {node: set(steps) for node, steps in self._given.items()}
        for node, steps in self._chances.items():
            found.setdefault(node, set()).update(steps)
        return found

    @cached_property
    def _given(self) -> dict[int, set[int]]:
        """The nodes of the actions that steps are given, before and after their conversions."""
        found: dict[int, set[int]] = {}
        for survey in self._program.surveys.values():
            base = self._program.bases[survey.path]
            for call in survey.calls():
                if (step := base + call.result) in self._steps and call.args and call.args[0].node:
                    for node in self._action(survey, base + call.args[0].node):
                        found.setdefault(node, set()).add(step)
        return found

    @cached_property
    def _chances(self) -> dict[int, set[int]]:
        """The nodes of `policy.log_prob(action)`: kept beside a reward, it stands for the action.

        Nothing but a learner asks for it, so that a reward and this alone are a row.
        """
        found: dict[int, set[int]] = {}
        for survey in self._program.surveys.values() if self._given else ():
            base = self._program.bases[survey.path]
            for call in survey.calls():
                given = base + call.args[0].node if call.args and call.args[0].node else -1
                attribute = self._program.attribute_at(base + call.called) if given in self._given else None
                if attribute is not None and attribute[1] == LOG_PROBABILITY:
                    for node in reach([base + call.result], self._behind, bound=_NEAR):
                        found.setdefault(node, set()).update(self._given[given])
        return found

    def _behind(self, node: int) -> Iterable[int]:
        return (*self._solver.successors[node], *self._program.items.get(node, ()))

    def _action(self, survey: Survey, given: int) -> Iterable[int]:
        """The nodes of an action, also where it is put into an array first: `acted[t] = ...`, `step(acted[t])`."""
        before = self._solver.predecessors

        def is_way(node: int, edge: Pred) -> bool:
            if edge.way in ("flow", "argument"):
                return True
            return edge.source in self._returned if edge.way == "load" else node in self._returned

        def sources(node: int) -> list[int]:
            return [edge.source for edge in before[node] if is_way(node, edge)]

        near = list(reach([given], sources, bound=_NEAR))
        return reach([*near, *self._put_beside(survey, near)], self._behind, bound=_NEAR)

    def _put_beside(self, survey: Survey, read: Collection[int]) -> Iterator[int]:
        """What the same file puts into an array where one of these is read from it."""
        base = self._program.bases[survey.path]
        places = {
            (array, one.keys)
            for one in survey.waits(ops.Item)
            if base + one.target in read
            for array in self._arrays(base + one.source)
        }
        for one in survey.waits(ops.SetItem) if places else ():
            if any((array, one.keys) in places for array in self._arrays(base + one.owner)):
                yield base + one.value

    def _arrays(self, node: int) -> Iterator[int]:
        return (one for one in self._solver.all(node, Object) if is_array(self._solver.value(one)))

    @cached_property
    def _returned(self) -> frozenset[int]:
        """The fields of what functions return side by side: `return action, policy.log_prob(action)`."""
        values, owned = enumerate(self._solver.interned), self._analysis.objects.owned
        rows = [number for number, one in values if isinstance(one, Object) and one.shape is Shape.RETURNED]
        return frozenset(field for number in rows for _, field in owned.get(number, ()))

    @cached_property
    def _sums(self) -> dict[int, set[int]]:
        """The nodes of what is made of a step's reward, until it is kept."""
        return MadeRewards(self._analysis, self._provenance, self._steps, self._means.made).all

    # --- places -------------------------------------------------------------------------------------------------------

    def _handed_on(self, kept: _Kept) -> list[tuple[Place, FunctionId]]:
        """Where each function that has a value from the step hands it on, and that function."""
        givers = self._ways(kept).givers(kept.node)
        home, place = self._home(kept.whole), kept.place
        if not givers and kept.row >= 0:
            written = self._written(kept)
            givers = self._ways_of_row(kept.row).givers(kept.whole)
            if not givers and any(self._home(one.node) != home for one in written):
                givers = written  # `def add(self, *row)`
            elif written and kept.part == "flag":
                # a mask beside the flag is told from it by where each is written
                given = home if not givers else self._home(givers[0].node)
                return [(one.place, given) for one in written[:1] if one.place is not None]
        handed = [(one.place, self._home(one.node)) for one in givers if one.place is not None]
        return handed or self._put_into_rows(kept, home) or [(place, home)]

    def _put_into_rows(self, kept: _Kept, home: FunctionId) -> list[tuple[Place, FunctionId]]:
        """Where other functions put a value into the row that is taken apart here: `for k, v in row.items()`."""
        puts = ((one.place, self._home(one.node)) for one in self._puts_before(kept))
        return [(place, giving) for place, giving in puts if place is not None and giving != home]

    def _home(self, node: int) -> FunctionId:
        owner = self._program.owner(node)
        return self._provenance.running.home(*owner) if owner is not None else FunctionId("", -1)

    def _written(self, kept: _Kept) -> list[Passage]:
        """Where a value is written as a field of its row."""
        edges, holds = self._solver.predecessors[kept.node], self._holding(kept)
        found = (edge.passage for edge in edges if edge.way == "store" and holds(edge.source))
        return [one for one in found if one is not None and one.place is not None]

    def _holding(self, kept: _Kept) -> Callable[[int], bool]:
        if kept.part in ("action", "chance") or kept.number == _SUM:
            steps, step = self._sums if kept.part == "reward" else self._actions, kept.step
            return lambda node: step in steps.get(node, ())
        return self._holders[kept.number].__contains__

    def _ways(self, kept: _Kept) -> Ways:
        """The ways of the same value of a step."""
        key = kept[:3]
        if key not in self._known_ways:
            self._known_ways[key] = Ways(self._solver.predecessors, self._program.wholes, self._holding(kept))
        return self._known_ways[key]

    @asked_once
    def _ways_of_row(self, row: int) -> Ways:
        held = self._solver.held
        return Ways(self._solver.predecessors, self._program.wholes, lambda node: row in held[node])

    @cached_property
    def _means(self) -> StepMeans:
        return StepMeans(self._analysis)

    @cached_property
    def _asking(self) -> list[str]:
        return sorted(asking_files(self._analysis))

    def _place(self, found: _Found) -> Place:
        """The place of the rewards: that of the call which takes most of the row, and of these the first."""
        together = Counter(call for places in found.parts.values() for call in {self._call(place) for place in places})
        every = found.parts["reward"] - found.single or found.parts["reward"]
        rewards = every & found.kept or every
        return min(rewards, key=lambda place: (-together[self._call(place)], place))

    def _call(self, place: Place) -> Place:
        """The innermost call around a place, or the place itself."""
        if place.path not in self._calls:
            survey = self._program.surveys[place.path]
            self._calls[place.path] = [call.at for call in survey.calls()]
        around = (at for at in self._calls[place.path] if place.span.within(at) and at != place.span)
        return Place(place.path, max(around, default=place.span))

    # --- masks --------------------------------------------------------------------------------------------------------

    def _is_chosen(self, step: int, rounds: list[Place], path: str) -> bool:
        """Whether flags of a step choose rows, or weigh them, outside of the loops that step.

        In a program that the file of the row is a part of: several may take steps by the same class.
        """
        number, together = self._solver.find(StepValue("flag", step)), self._analysis.imports.together
        return any(
            number in held
            and (at is None or together(at.path, path))
            and not any(at is not None and at.path == one.path and at.span.within(one.span) for one in rounds)
            for at, held in self._choices.all
        )


def _makes_row(parts: Collection[_Part], *, summed: bool = False) -> bool:
    """Whether these are the parts of a transition: a reward, what was seen or done, and one thing more.

    Rewards that are summed over time up to the flags beside them are learnt from with what the policy said of the same
    rows, which is made of what was seen and done.
    """
    return "reward" in parts and (len(parts) >= _ROW or (summed and "flag" in parts))


def _of_file(places: Iterable[Place], path: str) -> tuple[Span, ...]:
    return tuple(sorted(at for file, at in places if file == path))


def _is_inside(places: Iterable[Place], others: Iterable[Place]) -> bool:
    """Whether one of the places is one of the others, or stands there: a list in an argument, `keep([reward])`."""
    return any(one.path == other.path and one.span.within(other.span) for one in places for other in others)


def _of_one_part(every: list[_Kept]) -> list[_Kept]:
    """Those values that code which cannot be seen is given as an observation, a reward or a flag.

    A value that may be the observation or the reward, of a batch that is read back, is the part of no row.
    """
    parts: dict[int, set[_Part]] = {}
    for one in every:
        parts.setdefault(one.node, set()).add(one.part)
    return [one for one in every if not {"obs", "reward"} <= parts[one.node]]

"""Where the rows of a rollout go on behind the end of an episode.

A reset in the loop that steps says so; or a vector environment, which resets itself. Where nothing in all the loops
around a step resets anything, and nothing reads truncation, what is stepped there has to reset itself as well: an
environment that steps several copies, made by `gymnasium.make` or hidden in wrappers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import EnvMethod, FunctionRef, Place, Site
from done_lint.core.findings import Related, Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.flag_evidence import Ending

#: How many values a step gives, and which of them is truncation.
_VALUES, _TRUNCATED = 5, 3


class EpisodeBorders:
    """Finds what begins the next episode in the rows of a step."""

    def __init__(self, analysis: Analysis, running: CallGraph) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._classes = analysis.classes
        self._running = running

    def behind(self, ending: Ending, recursion: Place, function: int) -> tuple[Related, ...] | None:
        """Where the next episode begins in the rows of a recursion, as far as it is seen; None: nothing shows that."""
        home = FunctionId(recursion.path, function)
        if ending.step is None or self._inside(recursion, home, ending.step):
            return None
        if ending.vector:
            return ()
        for place in self.steps(ending.step):
            if self._inside(recursion, home, place):
                continue
            if (border := self._reset_beside(place)) is not None:
                return (Related(*border, "the next episode begins here"),)
            if self._resets_by_itself(place):
                return (Related(*place, "nothing resets what is stepped here: it begins the next episode by itself"),)
        return None

    def is_one_episode(self, ending: Ending, recursion: Place, function: int) -> bool:
        """Whether a function resets once and then steps, and no loop calls it again before the recursion."""
        if ending.step is None or ending.vector or self.loop_around(ending.step) is None:
            return False
        home, resets = self.homes.get(ending.step), self._resets.get(ending.step.path, ())
        if home is None or home.number < 0:
            return False
        if {self.loop_around(one) for one in resets if self.homes.get(one) == home} != {None}:
            return False
        calls = ((at, self.loop_around(at)) for at in self._running.callers.get(home, {}))
        ran_in = FunctionId(recursion.path, function)
        return all(loop is None or self._runs_in(ran_in, recursion, at.path, loop) for at, loop in calls)

    def has_one_episode(self, ending: Ending, target: Place, function: int) -> bool:
        """Whether a target is computed of the rows of one episode, in the loop or the function that resets for it."""
        home = FunctionId(target.path, function)
        if ending.step is None or ending.vector or self._inside(target, home, ending.step):
            return False
        return any(self._is_reset_for_each(place, target, home) for place in self.steps(ending.step))

    def _is_reset_for_each(self, step: Place, target: Place, home: FunctionId) -> bool:
        """Whether a reset comes before each loop that steps, and the target behind it, before the next reset."""
        collecting = self.loop_around(step)
        beside = (one for one in self._resets.get(step.path, ()) if self.homes.get(one) == self.homes.get(step))
        loops = {self.loop_around(one) for one in beside}
        if collecting is None or collecting in loops:
            return False
        if loops == {None}:
            return home == self.homes.get(step)
        around = [one for one in loops if one is not None and step.span.within(one)]
        return any(self._runs_in(home, target, step.path, one) for one in around)

    def has_episodes(self, step: Place, recursion: Place, function: int) -> bool:
        """Whether a loop around a step resets, and the recursion runs behind it: its rows are of many episodes."""
        resets = self._resets.get(step.path, ())
        around = [loop for loop in self._program.surveys[step.path].loop_spans if step.span.within(loop)]
        resetting = [loop for loop in around if any(place.span.within(loop) for place in resets)]
        home = FunctionId(recursion.path, function)
        return bool(resetting) and not self._runs_in(home, recursion, step.path, max(resetting))

    def steps(self, step: Place) -> Iterator[Place]:
        """A step, and where the `step` of the wrapper that it stands in is called, from wrapper to wrapper."""
        for place in reach([step], self._stepped_by):
            if self._stepper(place) is None:
                yield place

    def _stepped_by(self, place: Place) -> Iterable[Place]:
        stepper = self._stepper(place)
        return () if stepper is None else self._running.callers.get(stepper, {})

    def _stepper(self, place: Place) -> FunctionId | None:
        """The method `step` that a call stands in."""
        home = self.homes.get(place)
        if home is None or home.number < 0:
            return None
        function = self._program.function_at(home)
        return home if function.owner >= 0 and function.name == "step" else None

    @cached_property
    def homes(self) -> dict[Place, FunctionId | None]:
        """The function that each call stands in."""
        return {place: self._program.home(node) for node, place, _ in self._program.calls()}

    def _resets_by_itself(self, step: Place) -> bool:
        """Whether the program steps on for ever: a loop of loops, in which nothing resets or asks for truncation.

        In a single loop it may be one episode of as many steps as the limit allows.
        """
        loops = [loop for loop in self._program.surveys[step.path].loop_spans if step.span.within(loop)]
        if len(loops) < 2 or self._reads_truncation(step):
            return False
        outermost = min(loops)
        return not any(self._runs_in(home, place, step.path, outermost) for place, home in self._every_reset)

    def _runs_in(self, home: FunctionId, place: Place, path: str, loop: Span) -> bool:
        """Whether a loop runs what stands in a function: it stands in the loop, or a call that leads to it does."""
        callers = self._running.callers
        places = (place, *(at for one in self._running.called_from(home) for at in callers.get(one, ())))
        return any(at.path == path and at.span.within(loop) for at in places)

    @cached_property
    def _every_reset(self) -> list[tuple[Place, FunctionId]]:
        """Every call of something called `reset`, known or not, and the function around it."""
        found = []
        for path, survey in self._program.surveys.items():
            for read in (one for one in survey.telling if one.name == "reset"):
                for call in survey.waiting.get(read.target, ()):
                    if isinstance(call, ops.Call):
                        home = FunctionId(path, survey.homes.get(call.result, -1))
                        found.append((Place(path, call.at), home))
        return found

    def _reads_truncation(self, step: Place) -> bool:
        """Whether the program reads the fourth of the values that a call gives, or does not take them apart."""
        survey, base = self._program.surveys[step.path], self._program.bases[step.path]
        results = {one.result for one in survey.waits(ops.Call) if one.at == step.span}
        unpacks = [one for one in survey.waits(ops.Unpack) if one.source in results]
        if not unpacks or any(len(one.targets) != _VALUES for one in unpacks):
            return True
        bound = {survey.places.get(one.targets[_TRUNCATED]) for one in unpacks}
        starts = [base + one.targets[_TRUNCATED] for one in unpacks]
        behind = set(reach(starts, lambda node: self._solver.successors[node], bound=FORWARD))
        return any(base + node in behind and at not in bound for at, node in survey.uses)

    def _reset_beside(self, step: Place) -> Site:
        """A reset in the innermost loop around the step: the rows go on behind the end of an episode.

        Not one that waits for a termination: a truncated episode goes on past its limit, and no other one begins there.
        """
        loop = self.loop_around(step)
        return None if loop is None else self.reset_in(Place(step.path, loop), step)

    def reset_in(self, loop: Place, step: Place) -> Site:
        """The first reset of what is stepped in a loop, in none inside of it, that does not wait for a termination."""
        resets = (one for one in self._resets.get(loop.path, ()) if self.loop_around(one) == loop.span)
        beside = (one for one in resets if self._are_of_one(one, step))
        return min((one for one in beside if not self._waits_for_termination(one)), default=None)

    def _are_of_one(self, reset: Place, step: Place) -> bool:
        """Whether a reset and a step may be asked of one environment: another one that is shown beside it is none."""
        of_reset, of_step = (self._asked.get(one, frozenset()) for one in (reset, step))
        return not of_reset or not of_step or not of_reset.isdisjoint(of_step)

    @cached_property
    def _asked(self) -> dict[Place, frozenset[int]]:
        """By call of a method, what it is asked of."""
        found: dict[Place, frozenset[int]] = {}
        for _, place, called in self._program.calls():
            if (read := self._program.attribute_at(called)) is not None and read[1] in ("reset", "step"):
                found[place] = frozenset(self._solver.held[read[0]])
        return found

    def _waits_for_termination(self, reset: Place) -> bool:
        """Whether a reset stands behind a test of a flag that is true at terminations alone."""
        survey, base = self._program.surveys[reset.path], self._program.bases[reset.path]
        tests = (node for node, holds, side in survey.sides if holds and reset.span.within(side))
        return any(map(_is_termination, (self._solver.flags(base + node) for node in tests)))

    @cached_property
    def _resets(self) -> dict[str, list[Place]]:
        """Where environments are reset, by file."""
        found: dict[str, list[Place]] = {}
        for _, place, called in self._program.calls():
            known = any(method.name == "reset" for method in self._solver.values(called, EnvMethod))
            if known or any(map(self._is_own_reset, self._solver.values(called, FunctionRef))):
                found.setdefault(place.path, []).append(place)
        return found

    def _is_own_reset(self, called: FunctionRef) -> bool:
        """Whether a function is the `reset` of an environment or a wrapper of the project."""
        function = self._program.function_at(FunctionId(called.path, called.index))
        if function.name != "reset" or function.owner < 0:
            return False
        api, _ = self._classes.api_of_class(called.path, function.owner)
        return api is not None and not api.vector

    def loop_around(self, place: Place) -> Span | None:
        """The innermost loop that a place stands in."""
        around = [loop for loop in self._program.surveys[place.path].loop_spans if place.span.within(loop)]
        return max(around, default=None)

    def _inside(self, recursion: Place, home: FunctionId, step: Place) -> bool:
        """The recursion runs inside the loop that steps, there or in a function that is called there."""
        collecting = self.loop_around(step)
        return collecting is not None and self._runs_in(home, recursion, step.path, collecting)


def _is_termination(flags: Collection[int]) -> bool:
    """Whether a value is a flag, whatever comes, that no truncation sets."""
    return bool(flags) and all(
        one & flag_lattice.CAUSES == flag_lattice.TERMINATED and not flag_lattice.keeps(one) for one in flags
    )

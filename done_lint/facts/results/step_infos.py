"""Which expressions are the infos of steps, and whether the program may set the key of the time limit in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.facts.environments.named_vectors import sets_old_keys
from done_lint.facts.environments.own_info_keys import own_info_keys
from done_lint.facts.kinds.environments import Env
from done_lint.facts.kinds.results import Info, StepResult
from done_lint.facts.results.limit_keys import LimitKeys
from done_lint.facts.results.result_calls import ResultCalls
from done_lint.facts.results.whole_infos import WholeInfos
from done_lint.knowledge.env_apis import GYM_VECTOR

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_LISTS = frozenset({values.Shape.LIST, values.Shape.MANY})


class StepInfos:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis, calls: ResultCalls, step_result: Callable[[int], StepResult | None]) -> None:
        """Read from a solved graph; `step_result` says what a call of `step` is known to return."""
        self._step_result = step_result
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._calls = calls
        self._environments = calls.environments
        self._limit_keys = LimitKeys(analysis)
        self._whole = WholeInfos(analysis)

    def info(self, node: int) -> Info | None:
        """The info of a step, unless both APIs are taken care of."""
        numbers = sorted(self._solver.all(node, values.Info))
        found = [(number, self._solver.get(number, values.Info)) for number in numbers]
        if not found or any(not self._solver.get(info.env, values.Environment).api.five for _, info in found):
            return None
        if len({info.arity for _, info in found}) > 1:
            return None  # of a step of four values and of one of five: both APIs are taken care of
        unset = next((info for number, info in found if not self._limit_keys.may_be_set(number)), None)
        first = unset or found[0][1]
        envs = {info.env for _, info in found}
        several = {one for one in envs if self._solver.get(one, values.Environment).api.vector}
        # one environment or several, by a choice: what is asked of the infos of several is in those of one never
        env = self._environments.agreed(several) if envs - several and several else None
        place = self._environments.provenance.related(self._program.origin_site(first.node), "stepped here")
        lists = [one for one in self._solver.values(node, values.Object) if one.shape in _LISTS]
        # a stand-in for what Gym makes gives the list that Gym gave
        listed = any(not self._is_of_gyms_vector(one) for one in lists) if self._is_made(several) else bool(lists)
        shown = env or self._environments.of(first.env)
        return Info(
            shown,
            first.arity,
            place,
            listed=listed,
            only=self._are_only_infos(node),
            whole=bool(several) and self._whole.at(node),
            limit_may_be_set=unset is None,
            may_be_of_four=all(self._may_be_of_four(info) for _, info in found),
            own_keys=frozenset().union(*(own_info_keys(self._analysis, number) for number in numbers)),
            shaped=bool(several) and self._whole.is_shaped(node),
            unasked=envs <= self._analysis.envs.promised and self._is_unasked(shown),
        )

    def _is_unasked(self, env: Env) -> bool:
        """Whether nothing shows how an environment resets that only annotations promise, but how all others do."""
        known = env.usual is not None or not self._environments.modes.are_asked_for
        return known and not self._sets_old_keys

    @cached_property
    def _sets_old_keys(self) -> bool:
        return sets_old_keys(self._analysis)

    def _is_made(self, several: Iterable[int]) -> bool:
        """Whether the library makes one of these environments, by its own class."""
        made = (one for number in several for one in self._environments.of(number).made)
        return any(not one.subclass for one in made)

    def _is_of_gyms_vector(self, infos: values.Object) -> bool:
        """Whether a list is made in a class of the project that is a vector environment of Gym's.

        Gym gave lists itself, up to 0.23: such a class has no protocol of its own.
        """
        if (local := self._program.owner(infos.node)) is None:
            return False
        home = self._environments.provenance.running.home(*local)
        owner = self._program.function_at(home).owner if home.number >= 0 else -1
        if owner < 0:
            return False
        api, dotted = self._analysis.classes.api_of_class(home.path, owner)
        return api == GYM_VECTOR and dotted.startswith("gym.")

    def _may_be_of_four(self, info: values.Info) -> bool:
        """Whether four values are unpacked of a step that is not known to return five: old Gym may be stepped."""
        return info.arity == 4 and self._step_result(info.node) is None

    def _are_only_infos(self, node: int) -> bool:
        """Whether each call that gives a function what it reads there gives it infos, and no default does not.

        An empty dictionary has none of the keys that are asked for: it stands for no infos.
        """
        before = self._calls.before([node])
        return all(self._solver.all(one, values.Info) or self._whole.is_empty(one) for one in before)

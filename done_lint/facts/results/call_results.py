"""Which expressions are what `step` and `reset` return, and the infos of steps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import registrations, values
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import FunctionRef, Place
from done_lint.core.asked_once import asked_once
from done_lint.core.findings import Related, Span
from done_lint.core.reach import reach
from done_lint.facts.api_usage import ApiUsage
from done_lint.facts.classes.constant_truncation import ConstantTruncation
from done_lint.facts.environments.environments import Environments
from done_lint.facts.kinds.results import Info, ResetResult, StepResult
from done_lint.facts.results.asked_truncation import AskedTruncation
from done_lint.facts.results.called_methods import CalledMethods
from done_lint.facts.results.either_result import is_of_either
from done_lint.facts.results.env_method_results import OwnResults
from done_lint.facts.results.flag_arrays import FlagArrays
from done_lint.facts.results.flags_per_agent import FlagsPerAgent
from done_lint.facts.results.handed_resets import HandedResets
from done_lint.facts.results.limit_keys import LimitKeys
from done_lint.facts.results.observing_hooks import ObservingHooks
from done_lint.facts.results.step_orders import StepOrders
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_NOWHERE = Place("", Span(0, 0, 0, 0))
_LISTS = frozenset({values.Shape.LIST, values.Shape.MANY})
#: How far infos are followed back through calls and names.
_WAYS = 50


class CallResults:
    """Reads results of environments' methods from a solved graph."""

    def __init__(
        self,
        analysis: Analysis,
        environments: Environments,
        own: OwnResults,
        usage: ApiUsage,
        hooks: ObservingHooks,
    ) -> None:
        """Read from a solved graph; `own` is what the project's environment classes return themselves."""
        self._hooks = hooks
        self._usage = usage
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._analysis = analysis
        self._classes = analysis.classes
        self._envs = analysis.envs
        self._per_agent = FlagsPerAgent(analysis)
        self._asked_truncation = AskedTruncation(analysis)
        self._truncation = ConstantTruncation(analysis)
        self._flag_arrays = FlagArrays(analysis)
        self._limit_keys = LimitKeys(analysis)
        self._orders = StepOrders(analysis)
        self._running = environments.provenance.running
        self._called = CalledMethods(analysis)
        self.environments = environments
        self.own = own
        self.handed = HandedResets(analysis, own)

    # --- steps -------------------------------------------------------------------------------------

    def step(self, node: int) -> StepResult | None:
        """What one step returned."""
        found = self._solver.all(node, values.StepResult)
        found += [n for n in self._solver.all(node, values.OwnStepResult) if not self._is_own_api(self._call(n))]
        if not found or self._is_misfit(node, found):
            return None
        if self._called.is_replaced(node, "step") or self._is_replaced_outside(found, "step"):
            return None
        if self._is_adapted(node, found) or self._is_asked_of_unknown(found):
            return None
        if any(map(self.own.is_above_adapter, self._called.functions(node))):
            return None  # one of them gives four values on purpose, beside whatever else may arrive
        fours = {n for n in self._solver.all(node, values.Object) if self._objects.widths.get(n) == 4}
        own = not fours <= self.own.fours.keys()
        if own and (self._called.is_inner(node) or not self._called.share_an_api(node)):
            return None
        if own and not self.own.fours and self._solver.is_widened(node):
            return None  # where so many results arrive, those that are rightly of four values may be all
        mixed = own or self._may_be_another(node, found)
        env = self.environments.agreed([self._result(n).env for n in found], mixed=mixed)
        if env is None:
            return None
        nearest = min(found, key=lambda number: self._nearness(number, node))
        written = any(isinstance(self._solver.value(number), values.OwnStepResult) for number in found)
        pending = next((self.own.fours[number] for number in sorted(fours) if number in self.own.fours), None)
        return StepResult(
            env,
            self._origin(nearest, "stepped here"),
            pending=pending,
            pending_inside=self._four_inside(found),
            gym_only=self._usage.is_gym_only(node),
            per_agent=self._per_agent.of(node),
            array=self._flag_arrays.of(node),
            truncation_asked=self._asked_truncation.of(node),
            never_truncated=env.unlimited and (not written or self._truncation.of_rows(node)),
            truncates=written and self._truncates(node),
            either=is_of_either(self._solver, node),
            orders=frozenset().union(*(self._orders.of(self._call(number)) for number in found)),
        )

    def _four_inside(self, results: list[int]) -> Related | None:
        """The `step` of a class that a `make` makes by its id, where each of them returns four values."""
        methods = self._made_inside(results, "step")
        fours = [self._four_of(one) if one is not None else None for one in methods]
        return fours[0] if fours and None not in fours else None

    def _four_of(self, step: FunctionId) -> Related | None:
        """Where a `step` of the project returns four values that are to become five."""
        result = self._program.bases[step.path] + self._program.function_at(step).result
        answers = sorted(self._solver.all(result, values.Object))
        return next((self.own.fours[one] for one in answers if one in self.own.fours), None)

    def _truncates(self, call: int) -> bool:
        """Whether a call steps classes of the project alone, no wrappers, each with a limit that only truncates."""
        steps = self._called.functions(call)
        made = [self._called.instance(function) for function in steps]
        owners = [ClassId(one.path, one.index) for one in made if one is not None]
        return (
            bool(steps)
            and len(owners) == len(steps)
            and not any(self._classes.is_wrapper(*one) for one in owners)
            and all(registrations.may_truncate(self._analysis, one) for one in owners)
            and all(map(self.own.limits.truncates, steps, owners))
        )

    def columns(self, node: int) -> StepResult | None:
        """The columns of several steps."""
        found = [n for n in self._solver.all(node, values.StepColumns) if not self._is_own_api(self._call(n))]
        env = self.environments.agreed(self._result(number).env for number in found)
        if env is None:
            return None
        results = [one for number in found for one in self._solver.all(self._call(number), values.Object)]
        pending = next((self.own.fours[one] for one in sorted(results) if one in self.own.fours), None)
        gym_only = self._usage.is_gym_only(node)
        return StepResult(env, self._origin(min(found), "stepped here"), pending=pending, gym_only=gym_only)

    def info(self, node: int) -> Info | None:
        """The info of a step, unless the program takes care of its time limit."""
        numbers = sorted(self._solver.all(node, values.Info))
        found = [(number, self._solver.get(number, values.Info)) for number in numbers]
        if any(not self._solver.get(info.env, values.Environment).api.five for _, info in found):
            return None
        if len({info.arity for _, info in found}) > 1:
            return None  # of a step of four values and of one of five: both APIs are taken care of
        first = next((info for number, info in found if not self._limit_keys.may_be_set(number)), None)
        if first is None:
            return None
        envs = {info.env for _, info in found}
        several = {one for one in envs if self._solver.get(one, values.Environment).api.vector}
        # one environment or several, by a choice: what is asked of the infos of several is in those of one never
        env = self.environments.agreed(several) if envs - several and several else None
        place = self.environments.provenance.related(self._program.origin_site(first.node), "stepped here")
        listed = any(one.shape in _LISTS for one in self._solver.values(node, values.Object))
        return Info(env or self.environments.of(first.env), first.arity, place, listed, self._are_only_infos(node))

    def _are_only_infos(self, node: int) -> bool:
        """Whether each call that gives a function what it reads there gives it infos, and no default does not.

        An empty dictionary has none of the keys that are asked for: it stands for no infos.
        """
        before = reach([node], self._handed_on, bound=_WAYS)
        return all(self._solver.all(one, values.Info) or self._is_empty(one) for one in before)

    def _is_empty(self, node: int) -> bool:
        """Whether all that a node holds is dictionaries that nothing is put into."""
        held = self._solver.held[node]
        objects = {one for one in held if self._solver.value(one).__class__ is values.Object}
        shapes = {self._solver.get(one, values.Object).shape for one in objects}
        fields = (field for one in objects for _, field in self._objects.owned.get(one, ()))
        filled = any(self._solver.held[one] or self._solver.predecessors[one] for one in fields)
        return shapes == {values.Shape.DICT} and len(held) == len(objects) and not filled

    def _handed_on(self, node: int) -> Iterator[int]:
        return (edge.source for edge in self._solver.predecessors[node] if edge.way in ("flow", "argument"))

    def _may_be_another(self, call: int, results: list[int]) -> bool:
        """Whether a method may be called of something else, too; of what a name alone shows that is the same object."""
        envs = (self._solver.get(self._result(one).env, values.Environment) for one in results)
        return any(one.certainty != "by name" for one in envs) and self.environments.beside.may_answer(call)

    # --- resets ------------------------------------------------------------------------------------

    def reset(self, node: int) -> ResetResult | None:
        """What a reset returned."""
        resets = self._solver.all(node, values.ResetResult)
        if self._program.call_at(node) is None:
            # hundreds of results arrive at many places, most of which are no calls
            found = [n for n in resets if self._call(n) == node]
        else:
            found = [n for n in resets if self._comes_from(n, node)]
        if not found or self._is_own_api(node) or not self._called.share_an_api(node) or self._is_adapted(node, found):
            return None
        if self._is_misfit(node, found) or self._is_replaced_outside(found, "reset") or self._is_chosen(node):
            return None
        functions = self._called.functions(node)
        called = [FunctionId(one.path, one.index) for one in functions]
        if (
            any(map(self._answers_both, functions))
            or self._called.is_replaced(node, "reset")
            or self._is_asked_of_unknown(found)
        ):
            return None
        if not self.own.turned_back.isdisjoint(called):
            return None  # one of them gives the observation alone on purpose, beside whatever else may arrive
        if self._usage.is_gym_only(node) and any(self._hooks.has(one) for one in reach(called, self._helpers)):
            return None  # it will give the observation (see `ObservingHooks`)
        if functions and all(self._is_unseen(one, self._usage.is_gym_only(node)) for one in functions):
            return None
        answering = sorted(reach(called, self.own.delegates))
        if self._called.asks_a_protocol(node) and any(map(self._called.builds_own, answering)):
            return None  # what it asks may be one of its kind, which answers as the project wants it
        mixed = self._own_reset(node) or self._may_be_another(node, found)
        env = self.environments.agreed([self._result(n).env for n in found], mixed=mixed)
        if env is None:
            return None
        nearest = min(found, key=lambda number: self._nearness(number, node))
        return ResetResult(
            env,
            self._origin(nearest, "reset here"),
            handled=any(self._taken_apart(n, node) for n in found) or not self._adapted.isdisjoint(found),
            pending=next((self.own.bare[one] for one in answering if one in self.own.bare), None),
            pending_inside=self._bare_inside(found),
            own=bool(functions),
            uncertain=not self.own.uncertain.isdisjoint(answering),
            gym_only=self._usage.is_gym_only(node),
            used_as_gym=self._usage.is_used_as_gym(node),
            numbers=self._usage.takes_numbers(node),
        )

    def _bare_inside(self, results: list[int]) -> Related | None:
        """The `reset` of a class that a `make` makes by its id, where each of them returns the observation alone."""
        methods = self._made_inside(results, "reset")
        bare = [self.own.bare.get(one) if one is not None else None for one in methods]
        return bare[0] if bare and None not in bare else None

    def _made_inside(self, results: list[int], method: str) -> list[FunctionId | None]:
        """The method of each class that a `make` makes by the id of what was asked."""
        envs = {self._solver.get(self._result(one).env, values.Environment).node for one in results}
        made = [owner for one in sorted(envs) for owner in registrations.entries(self._analysis, one)]
        return [self._classes.method_of(*owner, method) for owner in made]

    def _is_unseen(self, function: FunctionRef, gym_only: bool) -> bool:
        """A `reset` that returns what came out of a pipe: observations, if these are what was sent.

        What a program for old Gym sends is the observation, and will be: its reset is taken apart where it is sent.
        """
        method = FunctionId(function.path, function.index)
        if method not in self.own.unseen or method in self.own.bare:
            return False
        return gym_only or not any(
            self._solver.all(node, values.ResetResult) for node in self._called.outcomes(function)
        )

    def _answers_both(self, function: FunctionRef) -> bool:
        """A `reset` that returns a pair here and something else there: what arrives is for the caller to know."""
        pairs = [
            bool(self._solver.all(node, values.ResetResult)) or self.own.is_pair(node)
            for node in self._made_outcomes(function)
        ]
        return any(pairs) and not all(pairs)

    def _made_outcomes(self, function: FunctionRef) -> list[int]:
        """What each `return` of a function gives; of one that returns what a helper gives, those of the helper."""
        nodes = reach(self._called.outcomes(function), self._helped)
        return [node for node in nodes if not self._helped(node)]

    def _helped(self, node: int) -> list[int]:
        """Where a node is the result of calls of the project's functions: what each `return` of these gives."""
        if self.own.resets_at(node):
            return []
        return [one for function in self._called.functions(node) for one in self._called.outcomes(function)]

    def _helpers(self, function: FunctionId) -> list[FunctionId]:
        """The functions whose results a function of the project returns."""
        base = self._program.bases[function.path]
        outcomes = self._program.function_at(function).outcomes
        helpers = (one for _, node, _ in outcomes for one in self._called.functions(base + node))
        return [FunctionId(one.path, one.index) for one in helpers]

    def _taken_apart(self, reset: int, call: int) -> bool:
        """Some use takes the value as a pair; a place where a step's observation arrives too is no such use.

        But for what is taken apart right where it is made: what else arrives there came by the project's own `reset`.
        No such use either is one in another function, which may take an observation apart for what it holds; but for a
        file that is on Gymnasium already, where `first(env.reset())` knows what a reset gives.
        """
        if self._usage.takes_numbers(call):
            return False  # position and velocity
        here = self._program.home(call)
        anywhere = here is not None and _is_migrated(self._program.surveys[here.path])
        taken = self._envs.taken.get(reset, ())
        if any(home is None or source == call for home, source in taken):
            return True
        # what a method gives beside observations tells nothing of those who call it, but something of what it calls
        bare = here in self.own.bare
        sources = {
            source
            for home, source in taken
            if home == here or (anywhere and (not bare or call in reach([source], self._handed_on, bound=_WAYS)))
        }
        return bool(self._without_own_pairs({one for one in sources if not self._is_something_else(one)}))

    @cached_property
    def _adapted(self) -> frozenset[int]:
        """The results of resets that some function returns as a whole behind a test of what they are.

        `if isinstance(result, tuple): return result`, and behind it `return result, {}`: it takes care of both forms.
        """
        tested = (
            self._program.bases[path] + node
            for path, survey in self._program.surveys.items()
            for function in survey.functions
            for _, node, guard in function.outcomes
            if guard and node
        )
        return frozenset(number for node in tested for number in self._solver.all(node, values.ResetResult))

    def _without_own_pairs(self, sources: set[int]) -> set[int]:
        """What is left when each pair that the program wrote itself, and sent the same way, has its place."""
        sent = {source for source in sources if self._program.call_at(source) and not self.own.resets_at(source)}
        pairs = {n for one in sent for n in self._solver.all(one, values.Object) if self._objects.widths.get(n) == 2}
        return sources if len(sent) > len(pairs) else sources - sent

    def _is_something_else(self, source: int) -> bool:
        """Whether what is taken apart may be an observation, or a message of the program's own."""
        if self._objects.takes_messages(source):
            return True
        return bool(self._solver.all(source, values.Observation)) and not self._gets_resets_alone(source)

    def _gets_resets_alone(self, source: int) -> bool:
        """Whether only results of resets arrive, some of the library's alone: the others have yet to change."""
        made = [one for one in reach([source], self._handed_on, bound=_WAYS) if not any(self._handed_on(one))]
        functions = [self._called.functions(one) for one in made]
        resets = [bool(self._solver.all(one, values.ResetResult) or self.own.resets_at(one)) for one in made]
        return all(resets) and any(not one for one in functions)

    def _comes_from(self, reset: int, call: int) -> bool:
        """The call is the reset itself, or one of a `reset` of the project that returns it as it is."""
        origin = self._call(reset)
        if origin == call:
            return True
        site = self._program.origin_site(origin)
        if site is None or not (self.own.resets_at(call) or self._only_resets(call, origin)):
            return False
        if not self.handed.is_returned(origin, site):
            return False
        return all(map(self._hands_on_alone, self._called.functions(call)))

    @asked_once
    def _hands_on_alone(self, function: FunctionRef) -> bool:
        """A function hands on what resets give, and nothing else, and no other function is called in its place."""
        if self.handed.is_beside_another(FunctionId(function.path, function.index)):
            return False
        return not (self._translates(function) or self._takes_rows(function))

    def _only_resets(self, call: int, origin: int) -> bool:
        """Whatever it is called, each function that a call can mean resets an old environment and hands that on.

        What one was given, or reads where it was stored, is taken apart before, where it was reset.
        """
        if not self._usage.is_gym_only(call):
            return False
        functions = self._called.functions(call)
        results = [self._program.bases[one.path] + self._result_of(one) for one in functions]
        if not results or not all(self._solver.all(node, values.ResetResult) for node in results):
            return False
        if not all(self.handed.hands_on(FunctionId(one.path, one.index)) for one in functions):
            return False
        home = self._program.home(origin)
        resetting = self._running.called_from(home) if home is not None else ()
        return any(FunctionId(one.path, one.index) in resetting for one in functions)

    def _is_chosen(self, call: int) -> bool:
        """`getattr(env, name)()`, where the name may be that of another method: it may give anything."""
        made = self._program.call_at(call)
        names = {one.name for one in self._solver.values(made[1], values.EnvMethod)} if made is not None else set()
        return len(names) > 1

    def _takes_rows(self, function: FunctionRef) -> bool:
        """A function returns what comes out of a pipe, results of steps as well: what was sent is for its sender."""
        return any(
            self._solver.all(node, values.StepResult)
            or self._solver.all(node, values.OwnStepResult)
            or any(self._objects.widths.get(one) in (4, 5) for one in self._solver.all(node, values.Object))
            for node in self._called.outcomes(function)
        )

    def _translates(self, function: FunctionRef) -> bool:
        """A class of no library's hands one `reset` on as it is, and takes another apart: its callers get the same."""
        if self._of_environment(function):
            return False
        held = [bool(self._solver.all(node, values.ResetResult)) for node in self._called.outcomes(function)]
        return any(held) and not all(held)

    def _own_reset(self, node: int) -> bool:
        """What is called can also be a method of the project that builds its own result."""
        for one in self._called.functions(node):
            function = self._program.function_at(FunctionId(one.path, one.index))
            result = self._program.bases[one.path] + function.result
            if function.abstract or self._of_environment(one):
                continue
            if not self._solver.all(result, values.ResetResult):
                return True
        return False

    # --- calls -------------------------------------------------------------------------------------

    def _result(self, number: int) -> values.EnvResult:
        return self._solver.get(number, values.EnvResult)

    def _call(self, number: int) -> int:
        """The node of the call that gave what a step or reset returned."""
        return self._result(number).node

    def _origin(self, result: int, message: str) -> Related:
        """The place of that call."""
        return self.environments.provenance.related(self._program.origin_site(self._call(result)), message)

    def _nearness(self, result: int, node: int) -> tuple[bool, Place, int]:
        """To order what was stepped or reset: the call at hand first, then by place."""
        origin = self._call(result)
        return origin != node, self._program.origin_site(origin) or _NOWHERE, result

    def _result_of(self, function: FunctionRef) -> int:
        return self._program.function_at(FunctionId(function.path, function.index)).result

    def _is_own_api(self, call: int) -> bool:
        """What is called is a method of the project with an API of its own, on purpose."""
        functions = self._called.functions(call)
        return bool(functions) and all(FunctionId(one.path, one.index) in self.own.aside for one in functions)

    def _is_adapted(self, node: int, results: list[int]) -> bool:
        """A method of an adapter for old environments uses what only an annotation, anywhere, says to be a new one."""
        home = self._program.home(node) if self._envs.adapters else None
        if home is None or home.number < 0:
            return False
        if ClassId(home.path, self._program.function_at(home).owner) not in self._envs.adapters:
            return False
        return all(self._result(number).env in self._envs.promised for number in results)

    def _is_misfit(self, node: int, results: list[int]) -> bool:
        """The file is written for other classes that arrive where these environments do."""
        owner = self._program.owner(node)
        return owner is not None and all((owner.path, self._result(one).env) in self._envs.misfits for one in results)

    def _is_replaced_outside(self, results: list[int], name: str) -> bool:
        """The program has put a function of its own in the place of the method: `env.reset = start`.

        Who calls the method by another name, as `first = env.reset` before, gets what the library gives.
        """
        for one in results:
            attribute = self._asked(one)
            env = self._solver.get(self._result(one).env, values.Environment)
            if (env.node, name) in self._envs.replaced and attribute is not None and attribute[1] == name:
                return True
        return False

    def _is_asked_of_unknown(self, results: list[int]) -> bool:
        """A page asks what may also be something else, whose class nothing shows."""
        for one in results:
            attribute = self._asked(one)
            env = self._solver.get(self._result(one).env, values.Environment)
            if attribute is None or env.certainty == "by name":
                continue
            if self.environments.beside.is_undefined(attribute[0]):
                return True
        return False

    def _asked(self, result: int) -> tuple[int, str] | None:
        """What a method was called of, and its name."""
        made = self._program.call_at(self._call(result))
        return self._program.attribute_at(made[1]) if made is not None else None

    def _of_environment(self, function: FunctionRef) -> bool:
        """It is a method of an environment class of the project, whose own results `env_method_results` reads."""
        instance = self._called.instance(function)
        return instance is not None and self.own.classes.of(instance.path, instance.index) is not None


def _is_migrated(survey: Survey) -> bool:
    """The file imports Gymnasium, and nothing of Gym."""
    return "gymnasium" in survey.packages and "gym" not in survey.packages

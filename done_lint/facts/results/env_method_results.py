"""What the environment classes of the project return that still looks like old Gym: in `step` and in `reset`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from done_lint.analysis.inherited_steps import InheritedSteps
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.replaced_methods import in_place_of
from done_lint.analysis.values import FunctionRef, Object, ResetResult
from done_lint.core.findings import Related, Span
from done_lint.facts.api_usage import ApiUsage
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.classes.old_stacks import OldStacks
from done_lint.facts.kinds.classes import EnvClass, OwnResult
from done_lint.facts.results.array_results import ends_in_array
from done_lint.facts.results.handed_to_libraries import handed_to_libraries
from done_lint.facts.results.limit_keys import LimitKeys
from done_lint.facts.results.observed_pairs import ObservedPairs
from done_lint.facts.results.own_limits import OwnLimits
from done_lint.facts.results.reset_answers import ResetAnswers
from done_lint.facts.results.split_results import SplitResults
from done_lint.facts.results.step_unpackings import StepUnpackings
from done_lint.facts.results.variable_origins import VariableOrigins
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_FIRST = IndexKey(0)


class OwnResults:
    """Reads what the methods of environment classes return from a solved graph."""

    def __init__(self, analysis: Analysis, classes: EnvClasses, usage: ApiUsage) -> None:
        """Look at every environment class once."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._envs = analysis.envs
        self.classes = classes
        self._usage = usage
        self.stacks = OldStacks(analysis, classes)
        self._pairs = ObservedPairs(analysis)
        self._limit_keys = LimitKeys(analysis)
        #: By path, then place (see `facts.Facts.results`).
        self.results: dict[str, dict[Span, OwnResult]] = {}
        #: Tokens of tuples of four that a `step` returns and that are to become five, and which `step` that is.
        self.fours: dict[int, Related] = {}
        #: `reset` methods that return the observation alone, and where.
        self.bare: dict[FunctionId, Related] = {}
        #: `reset` methods that return a pair, or one of very many other values.
        self.uncertain: set[FunctionId] = set()
        #: `reset` methods that return what was promised, or came out of a pipe.
        self.unseen: set[FunctionId] = set()
        #: `step` methods that give four of five values on purpose, and `reset` methods of an API of their own.
        self.aside: set[FunctionId] = {
            FunctionId(path, method)
            for path, index in analysis.classes.decided
            for name, method in analysis.program.class_at(path, index).methods.items()
            if name in ("step", "reset")
        }
        #: `reset` methods that take the pair apart and give the observation, beside a `step` that gives four values.
        self.turned_back: set[FunctionId] = set()
        self._inherited = InheritedSteps(analysis)
        #: `step` methods whose four values are only taken where a test has asked how many there are.
        self._counted_first: set[FunctionId] = set()
        self._unpackings = StepUnpackings(analysis)
        self.origins = VariableOrigins(analysis.program)
        self.answers = ResetAnswers(analysis, classes, self.origins, self._unpackings)
        for path in classes.classes:
            for index, made in enumerate(analysis.program.surveys[path].classes):
                if (found := classes.of(path, index)) is not None:
                    self._steps(path, made.methods.get("step"), found)
                    self._resets(path, made.methods, found)
        split = SplitResults(analysis)
        self.fours |= split.fours
        self.bare |= split.bare
        self.limits = OwnLimits(analysis, classes, self.aside)
        self._indexed_observations()
        self._handed_to_libraries(analysis)

    def is_above_adapter(self, method: FunctionRef) -> bool:
        """Whether a method is of a class in a stack that the project keeps on four values."""
        owner = self._program.surveys[method.path].functions[method.index].owner
        return ClassId(method.path, owner) in self.stacks.above

    def _steps(self, path: str, method: int | None, owner: EnvClass) -> None:
        """Literal tuples of four that arrive where `step` returns."""
        if method is None:
            return
        own = ClassId(path, self._program.surveys[path].functions[method].owner)
        if owner.private or own in self.stacks.above:
            self.aside.add(FunctionId(path, method))
            return
        step = FunctionId(path, method)
        for one in (step, *in_place_of(self._solver, self._program, step)):
            self._results_of(one, owner)

    def _results_of(self, function: FunctionId, owner: EnvClass) -> None:
        """Note the tuples of four of one function that stands for the `step` of a class."""
        path, method = function
        returned = self._returned(path, method)
        for number in filter(self.classes.named.is_old, returned):
            self._handed_on(function, number, OwnResult(owner, "step", named=True))
        fours = [one for one in returned if self._objects.widths.get(one) == 4]
        if fours and (self._adapts(path, method) or all(ends_in_array(self._analysis, one) for one in fours)):
            self.aside.add(function)
            return
        if (
            fours
            and all(map(self._unpackings.is_counted_first, fours))
            and not self._unpackings.is_wrapped(path, method)
        ):
            self.aside.add(function)
            self._counted_first.add(function)
            return
        for number in fours:
            home = self._program.owner(node := self._solver.get(number, Object).node)
            if home is None or self._program.is_guarded(node):
                continue
            where, local = home
            survey = self._program.surveys[where]
            if protocol := self._protocol(where, local, owner):
                self._handed_on(function, number, OwnResult(owner, "step", protocol=protocol))
            elif local in survey.fours:
                declared = self._limit_keys.declared_by(number)
                mine = OwnResult(self._writer(where, local) or owner, "step", limit_declared=declared)
                self.fours[number] = Related(where, survey.fours[local], f"`{mine.owner.name}.step`")
                self.results.setdefault(where, {}).setdefault(survey.fours[local], mine)

    def _returned(self, path: str, method: int) -> list[int]:
        """The objects that a method returns: of many, those of each statement where these are known."""
        base, function = self._program.bases[path], self._program.surveys[path].functions[method]
        nodes = [base + function.result]
        if self._solver.is_widened(nodes[0]):
            nodes = [base + local for _, local, _ in function.outcomes]
        known = (one for node in nodes if not self._solver.is_widened(node) for one in self._solver.all(node, Object))
        return list(dict.fromkeys(known))

    def _protocol(self, path: str, local: int, owner: EnvClass) -> str:
        """The `step` of a class that is no environment, nor a base of one, in which a tuple is written; or nothing."""
        survey = self._program.surveys[path]
        function = survey.functions[home] if (home := survey.homes.get(local, -1)) >= 0 else None
        if function is None or function.name != "step" or function.owner < 0:
            return ""
        made = survey.classes[function.owner]
        if self.classes.of(path, function.owner) is not None or (path, made.row) in owner.parents:
            return ""
        return f"{made.name}.step"

    def _handed_on(self, method: FunctionId, number: int, result: OwnResult) -> None:
        """Note where a `step` returns what another object answered or a named tuple, which stay as they are."""
        base = self._program.bases[method.path]
        for span, local, _ in self._program.function_at(method).outcomes:
            if number in self._solver.held[base + local]:
                self.fours[number] = Related(method.path, span, f"`{result.owner.name}.step`")
                self.results.setdefault(method.path, {})[span] = result

    def _writer(self, path: str, local: int) -> EnvClass | None:
        """The environment class in whose method a tuple is written; others may hand it on."""
        survey = self._program.surveys[path]
        function = survey.homes.get(local, -1)
        index = survey.functions[function].owner if function >= 0 else -1
        return self.classes.of(path, index) if index >= 0 else None

    def _adapts(self, path: str, method: int) -> bool:
        """It takes five values from what it wraps and gives four on purpose, or either, by an option."""
        if 5 in self._program.surveys[path].functions[method].arities:
            return True
        arities = self._unpackings.arities.get(FunctionId(path, method), set())
        return 5 in arities and 4 not in arities

    def _resets(self, path: str, methods: Mapping[str, int], owner: EnvClass) -> None:
        """Returned expressions of `reset` that can be no pair of observation and info."""
        method = methods.get("reset")
        if method is None:
            return
        own = ClassId(path, self._program.surveys[path].functions[method].owner)
        kept = own in self.stacks.above and bool(self._inherited.of(own, "reset"))
        if kept or self._turns_back(path, method, methods.get("step")):
            self.turned_back.add(FunctionId(path, method))
        counted_first = FunctionId(path, methods.get("step", -1)) in self._counted_first
        if owner.private or counted_first or FunctionId(path, method) in self.turned_back:
            self.aside.add(FunctionId(path, method))
            return
        survey, base = self._program.surveys[path], self._program.bases[path]
        outcomes = survey.functions[method].outcomes
        alone = {local for _, local, _ in outcomes if self.answers.is_first_of_step(path, local, methods.get("step"))}
        pairs = [local for _, local, _ in outcomes if local not in alone and self.answers.is_pair(base + local)]
        pairs = [local for local in pairs if not self.answers.is_stepped(path, local)]
        observed = bool(pairs) and self._pairs.are_observations(path, methods, pairs, self.answers.is_pair)
        written = 2 in survey.functions[method].arities and not observed
        if written or any(guarded for _, _, guarded in outcomes):
            return  # it asks which API it wraps, or has an option for it, and returns what belongs to that
        passed = (local for _, local, _ in outcomes if self.answers.is_passed_on(path, local))
        handed = {origin for local in passed for origin in self.origins.of(path, local)}
        for span, local, _ in outcomes:
            if local in pairs and not observed:
                self.uncertain |= {FunctionId(path, method)} if self._solver.is_widened(base + local) else set()
                continue
            if self.answers.is_passed_on(path, local) or self.answers.is_asked_part(path, local, handed):
                continue
            if local not in alone and (
                self.answers.is_unseen(base + local) or self.answers.is_of_old(path, local, owner)
            ):
                self.unseen.add(FunctionId(path, method))
                continue
            if self.answers.holds_rest(path, local):
                continue
            self.bare.setdefault(FunctionId(path, method), Related(path, span, f"`{owner.name}.reset`"))
            indexed = (observed and not self._is_for_gym(path, method)) or self.answers.holds_pairs(base + local)
            self.results.setdefault(path, {})[span] = OwnResult(owner, "reset", indexed=indexed)

    def _turns_back(self, path: str, method: int, step: int | None) -> bool:
        """`obs = self.env.reset()[0]`, perhaps behind a test, beside a `step` that gives four of five values."""
        if step is None or FunctionId(path, step) not in self.aside:
            return False
        survey = self._program.surveys[path]
        items = ((one.source, one.target) for one in survey.waits(ops.Item) if one.keys == (_FIRST,))
        pairs = ((one.source, one.targets[0]) for one in survey.waits(ops.Unpack) if one.arity == 2 and one.star < 0)
        taken = (source for source, target in chain(items, pairs) if survey.homes.get(target) == method)
        return any(self.answers.resets_at(origin) for source in taken for origin in self.origins.of(path, source))

    def _is_for_gym(self, path: str, method: int) -> bool:
        """Whether all that uses the objects of a method's class is written for old Gym."""
        own = self._program.surveys[path].functions[method].params[:1]
        return any(self._usage.is_used_as_gym(self._program.bases[path] + node) for _, node in own)

    def delegates(self, method: FunctionId) -> list[FunctionId]:
        """The `reset` methods of the project whose result a method returns as it is."""
        outcomes = self._program.function_at(method).outcomes
        made = {
            one
            for _, local, _ in outcomes
            for one in self.origins.of(method.path, local)
            if self.answers.resets_at(one)
        }
        calls = (self._program.call_at(one) for one in sorted(made))
        called = (one for call in calls if call is not None for one in self._solver.values(call[1], FunctionRef))
        return [FunctionId(one.path, one.index) for one in called]

    def answers_bare(self, method: FunctionId) -> bool:
        """Whether a `reset` gives a pair nowhere, whatever it asks for."""
        function, base = self._program.function_at(method), self._program.bases[method.path]
        return bool(function.outcomes) and not any(
            self.answers.is_pair(base + local) or self.answers.is_passed_on(method.path, local)
            for _, local, _ in function.outcomes
        )

    def _indexed_observations(self) -> None:
        """Mark what a caller takes the first element of: from a pair that would be the whole observation."""
        indexed = {
            self._program.bases[path] + operation.source
            for path, survey in self._program.surveys.items()
            for operation in survey.waits(ops.Item)
            if operation.keys[:1] == (IndexKey(0),)
        }
        for reset, uses in self._envs.taken.items():
            origin = self._solver.get(reset, ResetResult).node
            # Elsewhere it is an observation that was handed on: the call itself is reported and fixed then.
            if not any(source in indexed and home == self._program.home(origin) for home, source in uses):
                continue
            if self._usage.is_used_as_gym(origin):
                continue  # there it is the observation's element, and the pair is taken apart before
            _, called = self._program.call_at(origin) or (None, -1)
            functions = (FunctionId(one.path, one.index) for one in self._solver.values(called, FunctionRef))
            for function in functions if called >= 0 else ():
                results = self.results.get(function.path, {})
                for span, _, _ in self._program.function_at(function).outcomes:
                    if function in self.bare and span in results:
                        results[span] = replace(results[span], indexed=True)

    def _handed_to_libraries(self, analysis: Analysis) -> None:
        """Mark what a class of another library hands on: whether its callers take a pair is not seen."""
        for function, by in handed_to_libraries(analysis, self.classes, self.origins.of, self.bare).items():
            results = self.results.get(function.path, {})
            for span, _, _ in self._program.function_at(function).outcomes:
                if span in results:
                    results[span] = replace(results[span], handed_by=by)

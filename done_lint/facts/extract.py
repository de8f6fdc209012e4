"""Reads the solved graph: for each file, which expression is what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from done_lint.analysis import flag_lattice, values
from done_lint.analysis.gym_needs import needs
from done_lint.analysis.program import FunctionId
from done_lint.analysis.unused_functions import UnusedFunctions
from done_lint.core.findings import Span
from done_lint.facts.api_usage import ApiUsage
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.classes.metadata_keys import new_keys_read, old_keys_read
from done_lint.facts.classes.own_attributes import OwnAttributes
from done_lint.facts.classes.split_bases import split_bases
from done_lint.facts.classes.uncalled_methods import UncalledMethods
from done_lint.facts.environments.environments import Environments, is_library
from done_lint.facts.environments.given_shapes import given_heights, given_lists
from done_lint.facts.environments.named_vectors import named_vectors
from done_lint.facts.environments.renderings import Renderings
from done_lint.facts.environments.requests import Requests
from done_lint.facts.environments.space_sizes import SpaceSizes
from done_lint.facts.environments.unstepped_vectors import unstepped_vectors
from done_lint.facts.facts import Facts
from done_lint.facts.families import Families
from done_lint.facts.ids.env_ids import EnvIds
from done_lint.facts.kept_apart import apart
from done_lint.facts.kinds.flags import Flag, Sink
from done_lint.facts.kinds.ids import EnvId
from done_lint.facts.kinds.results import ResetResult, StepResult
from done_lint.facts.obstacles.lost_info_keys import obstacles_of_infos
from done_lint.facts.obstacles.obstacles import Obstacles
from done_lint.facts.obstacles.odd_uses import Readings, obstacles_of_odd_uses
from done_lint.facts.obstacles.unsure_messages import obstacles_of_either
from done_lint.facts.parts import Part
from done_lint.facts.provenance import Provenance
from done_lint.facts.results.arrivals import Arrivals
from done_lint.facts.results.env_method_results import OwnResults
from done_lint.facts.results.escaping_results import EscapingResults
from done_lint.facts.results.handed_resets import HandedResets, only_returned, places_by_node
from done_lint.facts.results.observing_hooks import ObservingHooks
from done_lint.facts.results.reset_results import ResetResults
from done_lint.facts.results.result_calls import ResultCalls
from done_lint.facts.results.step_infos import StepInfos
from done_lint.facts.results.step_results import StepResults
from done_lint.facts.results.unready_classes import UnreadyClasses
from done_lint.facts.rows.kept_rows import KeptRows
from done_lint.facts.rows.reset_values import ResetValues
from done_lint.facts.rows.single_steps import SingleSteps
from done_lint.facts.rows.untruncated_branches import untruncated_steps
from done_lint.facts.value_targets.bootstrapped_ends import bootstrapped_ends
from done_lint.facts.value_targets.final_observations import taking_calls
from done_lint.facts.value_targets.flag_routes import FlagRoutes
from done_lint.facts.value_targets.joined_ends import JoinedEnds
from done_lint.facts.value_targets.masking_flags import MaskingFlags
from done_lint.facts.value_targets.sinks import Sinks
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_Fact = TypeVar("_Fact")


class _Use(NamedTuple):
    """An expression, and the node of its values."""

    span: Span
    node: int


#: The facts of expressions, as `Facts` calls them.
_Kind = Literal["names", "generators", "envs", "members", "steps", "columns", "resets", "infos", "flags"]
#: Which of them rest on which kinds of values.
_READ_AS: dict[type[values.Value], _Kind] = {
    values.External: "names",
    values.Generator: "generators",
    values.Environment: "envs",
    values.Instance: "envs",
    values.EnvMethod: "members",
    values.StepResult: "steps",
    values.OwnStepResult: "steps",
    values.StepColumns: "columns",
    values.ResetResult: "resets",
    values.Info: "infos",
    values.Flag: "flags",
}


#: The facts whose expressions belong to a family.
_OF_ENVIRONMENTS: tuple[_Kind, ...] = ("envs", "members", "steps", "resets", "infos", "generators")


class Reading:
    """Turns values in nodes into facts at spans."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self.analysis = analysis
        self.provenance = Provenance(analysis)
        self._attributes = attributes = OwnAttributes(analysis)
        self._unused = UnusedFunctions(analysis)
        self._env_ids = EnvIds(analysis, self.provenance)
        self.env_classes = EnvClasses(analysis, attributes)
        self.environments = Environments(analysis, self.provenance, attributes, self._unused)
        self.families = Families(analysis, self.env_classes, self._unused)
        self.usage = ApiUsage(analysis, self.families)
        self.own_results = OwnResults(analysis, self.env_classes, self.usage)
        self._hooks = ObservingHooks(analysis, self.env_classes, self.own_results)
        self._handed_resets = HandedResets(analysis, self.own_results)
        calls = ResultCalls(analysis, self.environments, self.own_results)
        self.step_results = StepResults(analysis, calls, self.usage)
        self.step_infos = StepInfos(analysis, calls, self.step_results.step)
        self.reset_results = ResetResults(analysis, calls, self._handed_resets, self.usage, self._hooks)
        self._singles = SingleSteps(analysis)
        self.renderings = Renderings(analysis, self.environments)
        self.arrivals = Arrivals(analysis, self.families)
        self.unready_classes = UnreadyClasses(analysis, self.own_results, self.families)
        self.escaping_results = EscapingResults(analysis, self.usage, self.environments, self.provenance.running)
        self.routes = FlagRoutes(analysis)
        self.space_sizes = SpaceSizes(analysis)
        self.requests = Requests(analysis)
        self._uncalled = UncalledMethods(analysis, self.env_classes)
        self._keys_read = new_keys_read(analysis) if self.env_classes.classes else frozenset()
        classes = self.env_classes.classes
        self._old_keys_read = old_keys_read(analysis, classes) if classes else {}
        #: Values that no fact of an expression rests on: most expressions hold nothing else.
        self._silent = {
            number
            for number, value in enumerate(analysis.solver.interned)
            if type(value) not in _READ_AS or not self._is_evidence(number, value)
        }

    def part(self) -> Part:
        """Facts of every file, by path."""
        judged = Sinks(self.analysis, self.provenance)
        sinks = judged.all()
        ids = self._env_ids.looked_up()
        unseen_ids = self._env_ids.unseen()
        rows = KeptRows(self.analysis, self.provenance, self.environments, judged.every).all()
        facts = {
            path: replace(self._file(survey, sinks.get(path, {}), ids.get(path, {})), rows=rows.get(path, ()))
            for path, survey in self.analysis.program.surveys.items()
        }
        for path, steps_kept in untruncated_steps(rows.values()).items():
            facts[path] = replace(facts[path], untruncated=steps_kept)
        for path, calls in unseen_ids.items():
            facts[path] = replace(facts[path], unseen_ids=calls)
        for path, shifted in ResetValues(self.analysis, self.environments, judged).all().items():
            facts[path] = replace(facts[path], reset_values=shifted)
        if self.analysis.flags.steps_of_several:
            for path, taking in taking_calls(self.analysis, self.provenance.running).items():
                facts[path] = replace(facts[path], taking_finals=taking)
        for path, calls_made in unstepped_vectors(self.analysis).items():
            facts[path] = replace(facts[path], unstepped=calls_made)
        for path, named in named_vectors(self.analysis).items():
            facts[path] = replace(facts[path], named_steps=named)
        self._tell_of_steps(facts, judged)
        for path, known in facts.items():
            if known.infos:
                facts[path] = replace(known, idle=tuple(judged.cuts.not_taken.places.get(path, ())))
        obstacles = Obstacles(
            self.analysis, self.env_classes, self.families, self._unused, self._attributes, self.own_results.stacks
        )
        unsure = obstacles_of_either(self.analysis, self.families, self.escaping_results)
        odd = obstacles_of_odd_uses(
            self.analysis,
            self.families,
            Readings(self.own_results, self.step_results, self.reset_results, self.escaping_results),
        )
        return Part(
            facts,
            judged.guessed,
            self._stepping(),
            self._env_ids.registered,
            self._env_ids.registers_unseen,
            needs(self.analysis),
            [*obstacles.all(), *unsure, *odd, *obstacles_of_infos(self.analysis, self.families)],
            obstacles.unseen(),
            obstacles.loaded(),
            apart(self.analysis, self.env_classes.classes),
        )

    def _tell_of_steps(self, facts: dict[str, Facts], judged: Sinks) -> None:
        """Add what whoever takes the rows of steps makes of their flags, and which classes are split."""
        ends = JoinedEnds(self.analysis, self.provenance, judged.every)
        masks = MaskingFlags(self.analysis, judged.every, judged.second_uses)
        for path, survey in self.analysis.program.surveys.items():
            if bases := split_bases(self.analysis, survey):
                facts[path] = replace(facts[path], split_bases=bases)
            if masking := masks.of(survey):
                facts[path] = replace(facts[path], masking=masking)
            if joined := ends.of(survey):
                facts[path] = replace(facts[path], joined=joined)
        for path, ended in bootstrapped_ends(self.analysis, judged.every).items():
            facts[path] = replace(facts[path], bootstrapped=frozenset(ended))
        for path, steps in judged.separated.items():
            facts[path] = replace(facts[path], separated=frozenset(steps))

    def _is_evidence(self, number: int, value: values.Value) -> bool:
        """Whether a fact can rest on a value: on some names from outside, on some instances, on all else."""
        if isinstance(value, values.External):
            return is_library(value.dotted)
        return not isinstance(value, values.Instance) or number in self.analysis.envs.inherited

    def _stepping(self) -> set[str]:
        owners = [
            self.analysis.program.owner(node) or source.place for node, source in self.analysis.flags.sources.items()
        ]
        return {owner.path if owner is not None else "" for owner in owners}

    # --- one file ----------------------------------------------------------------------------------

    def _file(self, survey: Survey, sinks: dict[Span, Sink], ids: dict[Span, EnvId]) -> Facts:
        path, uses = survey.path, self._uses(survey)
        environments, steps = self.environments, self.step_results
        known = self.analysis.envs
        old_package = known.old_packages.get(path, known.needed.get(path, known.suspected.get(path, "")))
        keeps_gym = path in self.analysis.kept.files
        names = _facts(uses["names"], environments.name)
        return Facts(
            path,
            envs=_facts(uses["envs"], environments.env),
            members=_facts(uses["members"], environments.member),
            steps=_steps(uses["steps"], steps.step, survey),
            columns=_steps(uses["columns"], steps.columns, survey),
            resets=self._resets(uses["resets"], survey),
            escaping_results=self.escaping_results.of(survey),
            unequal=self.arrivals.of(survey),
            unready=self.unready_classes.of(survey),
            infos=_facts([use for use in uses["infos"] if use.span not in survey.guarded], self.step_infos.info),
            flags=_facts(uses["flags"], self._flag),
            sinks=sinks,
            ids=ids,
            names=_without_gym(names) if keeps_gym else names,
            classes=self.env_classes.classes.get(path, {}),
            results=self.own_results.results.get(path, {}),
            renderings=self.renderings.of(path),
            limits=self.own_results.limits.all.get(path, {}),
            generators=_facts([u for u in uses["generators"] if u.span not in survey.guarded], environments.generator),
            requested=self.requests.of(survey, names.values()),
            sizes=self.space_sizes.of(survey),
            lists=given_lists(self.analysis, survey),
            heights=given_heights(self.analysis, survey),
            left_alone=environments.single_vectors.left_alone(survey),
            unregistered=self._env_ids.unregistered.get(path, ""),
            given_to_all=frozenset(known.given_to_all),
            keys_read=self._keys_read,
            old_keys_read=self._old_keys_read.get(path, ()),
            old_package=old_package,
            kept_by=old_package if self.families.imports_gym(path) else "",
            kept=self.analysis.kept.spans.get(path, ()),
            keeps_gym=keeps_gym,
            families=_facts([use for kind in _OF_ENVIRONMENTS for use in uses[kind]], self.families.of_node),
            class_families=self.families.of_classes(path),
            file_family=self.families.of_file(path),
            ways=self.routes.of(survey) if sinks else None,
        )

    def _uses(self, survey: Survey) -> defaultdict[_Kind, list[_Use]]:
        """The expressions of a file that facts can rest on, by kind of fact."""
        base = self.analysis.program.bases[survey.path]
        kinds: dict[int, set[_Kind]] = {}
        for local, held in enumerate(self.analysis.solver.held[base : base + survey.size]):
            # most nodes hold no evidence
            if held and not self._silent.issuperset(held):
                kinds[local] = self._kinds(base + local, held)
        found: defaultdict[_Kind, list[_Use]] = defaultdict(list)
        for row, local in enumerate(survey.uses.nodes):
            if local in kinds:
                use = _Use(survey.uses.span(row), base + local)
                for kind in kinds[local]:
                    found[kind].append(use)
        return found

    def _kinds(self, node: int, held: Iterable[int]) -> set[_Kind]:
        """The facts that the values of a node can give, for every expression of the node."""
        kinds = {_READ_AS[kind] for number in held if (kind := type(self.analysis.solver.value(number))) in _READ_AS}
        return kinds - {"infos", "flags"} if self.analysis.solver.is_widened(node) else kinds

    def _resets(self, uses: list[_Use], survey: Survey) -> dict[Span, ResetResult]:
        """The results of resets, and which of them leave the function untouched."""
        base = self.analysis.program.bases[survey.path]
        places = places_by_node(((span, node - base) for span, node in uses), survey) if uses else {}
        found = _facts(uses, self._reset)
        passed_on = {
            span
            for span, (node, fact) in found.items()
            if (span in survey.returned or only_returned(span, places[node - base], survey))
            and not (fact.gym_only and self._is_for_old_callers(survey, node - base))
        }
        return {
            span: replace(
                fact, guarded=span in survey.guarded, passed_on=span in passed_on, dropped=span in survey.dropped
            )
            for span, (_, fact) in found.items()
        }

    def _is_for_old_callers(self, survey: Survey, local: int) -> bool:
        """Whether what takes the observation of a reset is not changed with it: it gets what it got before."""
        home = survey.homes.get(local, -1)
        if home >= 0 and self._handed_resets.is_beside_another(FunctionId(survey.path, home)):
            return True
        if self._hooks.has(FunctionId(survey.path, home)) or self._uncalled.has(survey.path, home):
            return True
        return _returns_old_rows(survey, local)

    def _reset(self, node: int) -> tuple[int, ResetResult] | None:
        fact = self.reset_results.reset(node)
        return (node, fact) if fact is not None else None

    def _flag(self, node: int) -> Flag | None:
        found = self.analysis.solver.flags(node)
        if not found:
            return None
        worst = max(found, key=lambda f: (flag_lattice.mixed(f), f))
        array = True if all(f & flag_lattice.ARRAY for f in found) and not self._singles.gives(node) else None
        return Flag(flag_lattice.meanings(found), array, self.provenance.trace(node, worst))


def _facts(uses: Iterable[_Use], read: Callable[[int], _Fact | None]) -> dict[Span, _Fact]:
    """One kind of fact, by expression; each node is read once."""
    facts: dict[int, _Fact | None] = {}
    found: dict[Span, _Fact] = {}
    for span, node in uses:
        if node not in facts:
            facts[node] = read(node)
        if (fact := facts[node]) is not None:
            found[span] = fact
    return found


def _returns_old_rows(survey: Survey, node: int) -> bool:
    """`if name == "step": ...; return obs, reward, done, info`, and else the reset: what is returned stays as it was.

    A step that is put together anew keeps its four values, and who asks gets the observation of the reset beside it.
    """
    home = survey.homes.get(node, -1)
    function = survey.functions[home] if home >= 0 else None
    return function is not None and 4 in function.arities and function.name not in ("step", "reset")


def _without_gym(names: dict[Span, str]) -> dict[Span, str]:
    """The names of the library without those of Gym."""
    return {span: name for span, name in names.items() if name.partition(".")[0] != "gym"}


def _steps(uses: Iterable[_Use], read: Callable[[int], StepResult | None], survey: Survey) -> dict[Span, StepResult]:
    """The results of steps, and which uses of them stand behind a test."""
    return {
        span: replace(fact, guarded=True) if span in survey.guarded else fact
        for span, fact in _facts(uses, read).items()
    }

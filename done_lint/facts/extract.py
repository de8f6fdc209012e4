"""Reads the solved graph: for each file, which expression is what."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from done_lint.analysis import flag_lattice, values
from done_lint.analysis.transfer.calls import WRAPPED
from done_lint.analysis.transfer.step_results import TIME_LIMIT
from done_lint.analysis.values import Made
from done_lint.core.findings import Span
from done_lint.core.paths import PROSE
from done_lint.facts.env_classes import EnvClasses
from done_lint.facts.env_method_results import OwnResults
from done_lint.facts.facts import Env, EnvId, Facts, Flag, Generator, Info, ResetResult, Sink, StepResult
from done_lint.facts.flag_routes import Wayfinder
from done_lint.facts.provenance import Provenance
from done_lint.facts.sinks import Verdicts
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_id_apis

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


#: How many wrappers of the project may stand around each other.
_DEEPEST = 6
#: Which facts of an expression rest on which kinds of values; the names are those of `Facts`.
_READ_AS: dict[type[values.Value], str] = {
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


@dataclass(frozen=True, slots=True)
class Part:
    """What is read of files that imports connect, and what the rest of the project may make of it."""

    facts: dict[str, Facts]
    #: Sinks of which only names tell (see `sinks`), by file.
    guessed: dict[str, dict[Span, Sink]]
    #: Files in which a flag is born.
    stepping: set[str]
    #: Ids of environments that are registered here.
    registered: set[str]


def rests_on_names(parts: Iterable[Part], paths: Container[str]) -> bool:
    """Whether a fact of these files rests on names alone, so that the rest of the project may tell more."""
    return any(path in paths for part in parts for path in part.guessed)


def joined(parts: Iterable[Part]) -> dict[str, Facts]:
    """The facts of all files: what a name alone tells counts only where nothing in the project tells more."""
    parts = list(parts)
    stepping = {path for part in parts for path in part.stepping}
    # a page's examples tell nothing of the program
    stepping_program = {path for path in stepping if not path.endswith(PROSE)}
    registered = {name for part in parts for name in part.registered}
    found: dict[str, Facts] = {}
    for part in parts:
        for path, facts in part.facts.items():
            told = stepping if path.endswith(PROSE) else stepping_program
            sinks = facts.sinks if told else {**part.guessed.get(path, {}), **facts.sinks}
            ids = {span: replace(one, own=one.value in registered) for span, one in facts.ids.items()}
            found[path] = replace(facts, sinks=sinks, ids=ids)
    return found


class Reading:
    """Turns values in nodes into facts at spans."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self.analysis = analysis
        self.provenance = Provenance(analysis)
        self.env_classes = EnvClasses(analysis)
        self.own_results = OwnResults(analysis, self.env_classes)
        self.ways = Wayfinder(analysis)
        #: Values that no fact of an expression rests on: most expressions hold nothing else.
        self._silent = {
            number
            for number, value in enumerate(analysis.solver.interned)
            if type(value) not in _READ_AS or not self._tells(number, value)
        }
        self._envs: dict[int, Env | None] = {}
        self._agreements: dict[tuple[int, ...], Env | None] = {}

    def part(self) -> Part:
        """Facts of every file, by path."""
        verdicts = Verdicts(self.analysis, self.provenance)
        sinks = verdicts.sinks()
        ids = self._ids()
        facts = {
            path: self._file(survey, sinks.get(path, {}), ids.get(path, {}))
            for path, survey in self.analysis.program.surveys.items()
        }
        return Part(facts, verdicts.guessed, self._stepping(), self._registered())

    def _tells(self, number: int, value: values.Value) -> bool:
        """Whether a fact can rest on a value: on some names from outside, on some instances, on all else."""
        if isinstance(value, values.External):
            return _is_library(value.dotted)
        return not isinstance(value, values.Instance) or number in self.analysis.envs.inherited

    def _stepping(self) -> set[str]:
        owners = [self.analysis.program.owner(node) or site for node, (site, _) in self.analysis.flags.sources.items()]
        return {owner[0] if owner is not None else "" for owner in owners}

    def _registered(self) -> set[str]:
        """The ids that the files register environments under."""
        return {
            text.text
            for node, dotted, _ in self.analysis.envs.id_arguments
            if dotted in env_id_apis.REGISTERING
            for text in self.analysis.solver.values(node, values.Text)
        }

    def _file(self, survey: Survey, sinks: dict[Span, Sink], ids: dict[Span, EnvId]) -> Facts:
        base = self.analysis.program.bases[survey.path]
        old_package = self.analysis.envs.old_packages.get(survey.path, self.analysis.envs.needed.get(survey.path, ""))
        facts = Facts(
            survey.path,
            envs={},
            members={},
            steps={},
            columns={},
            resets={},
            infos={},
            flags={},
            sinks=sinks,
            ids=ids,
            names={},
            classes=self.env_classes.classes.get(survey.path, {}),
            results=self.own_results.results.get(survey.path, {}),
            limits=self.own_results.limits.get(survey.path, {}),
            generators={},
            old_package=old_package,
            kept_by=old_package if any(module.partition(".")[0] == "gym" for module in survey.imports) else "",
            ways=self.ways.of(survey) if sinks else None,
        )
        # most nodes hold nothing that tells
        everywhere, silent = self.analysis.solver.held[base : base + survey.size], self._silent
        telling = {local for local, held in enumerate(everywhere) if held and not held <= silent}
        uses = [use for use in survey.uses if use[1] in telling]
        told: dict[int, list[tuple[str, Any]]] = {}
        spans: dict[int, list[Span]] = {}
        for span, local in uses:
            if local not in told:
                told[local] = self._told(base + local, everywhere[local])
            for kind, fact in told[local]:
                if span in survey.guarded:
                    if kind in ("generators", "infos"):
                        continue
                    if kind in ("steps", "columns", "resets"):
                        fact = replace(fact, guarded=True)
                if kind == "resets":
                    spans = spans or _places(uses)
                    if span in survey.returned or _only_returned(span, spans[local], survey):
                        fact = replace(fact, passed_on=True)
                getattr(facts, kind)[span] = fact
        return facts

    def _told(self, node: int, held: set[int]) -> list[tuple[str, Any]]:
        """What the values of a node tell of every expression that it stands for: the name in `Facts`, the fact."""
        names = {_READ_AS[kind] for number in held if (kind := type(self.analysis.solver.value(number))) in _READ_AS}
        if self.analysis.solver.is_widened(node):
            names -= {"infos", "flags"}
        return [(name, fact) for name, read in _READERS.items() if name in names and (fact := read(self, node))]

    def _ids(self) -> dict[str, dict[Span, EnvId]]:
        """The strings of each file that environments are looked up by."""
        found: dict[str, dict[Span, EnvId]] = {}
        for node, dotted, site in self.analysis.envs.id_arguments:
            if dotted in env_id_apis.REGISTERING:
                continue
            used = self.provenance.related(site, "made here")
            for text in self.analysis.solver.all(node, values.Text):
                value = self.analysis.solver.get(text, values.Text).text
                for place in self.provenance.texts(node, text):
                    path, span = place
                    found.setdefault(path, {}).setdefault(span, EnvId(value, dotted, used))
        return found

    def _name(self, node: int) -> str | None:
        """The one name of the library's that an expression stands for."""
        dotted = {external.dotted for external in self.analysis.solver.values(node, values.External)}
        if len(dotted) != 1 or not _is_library(name := dotted.pop()):
            return None
        return None if name.endswith("()") else name

    def _env_of(self, number: int) -> Env:
        env = self.analysis.solver.get(number, values.Environment)
        made = self.analysis.envs.makes.get(env.node)
        evidence, maker = self.provenance.evidence(env.node), self.analysis.envs.makers.get(env.node, "")
        return Env(
            env.api,
            env.certainty,
            evidence,
            env.unlimited,
            layers=env.layers,
            made=(made,) if made else (),
            maker=maker,
        )

    def _env(self, node: int) -> Env | None:
        if node not in self._envs:
            self._envs[node] = self._environment(node)
        return self._envs[node]

    def _environment(self, node: int) -> Env | None:
        found = self.analysis.solver.all(node, values.Environment)
        instances = self.analysis.solver.all(node, values.Instance)
        found += [
            self.analysis.envs.inherited[number] for number in instances if number in self.analysis.envs.inherited
        ]
        env = self._agreed(found)
        if env is None or not (instances or self.analysis.solver.all(node, values.External)):
            return env
        if not instances:
            # something else that the project does not show may stand here, with attributes of its own
            return replace(env, layers=(), made=())
        # an instance of a class of the project has attributes of its own, and what it wraps was made somewhere
        return replace(env, layers=(), made=self._made(node))

    def _made(self, node: int, depth: int = 0) -> tuple[Made, ...]:
        """Every call that made what arrives at a node, inside the project's wrappers too; none if one is not seen."""
        made: dict[Made, None] = {}
        for env in self.analysis.solver.values(node, values.Environment):
            call = self.analysis.envs.makes.get(env.node)
            if call is None:
                return ()
            made[call] = None
        for number in self.analysis.solver.all(node, values.Instance):
            inside = self._inside(number)
            calls = self._made(inside, depth + 1) if inside is not None and depth < _DEEPEST else ()
            if not calls:
                return ()
            made |= dict.fromkeys(calls)
        return tuple(made)

    def _inside(self, instance: int) -> int | None:
        """The node of what an instance of a wrapper class wraps."""
        value = self.analysis.solver.get(instance, values.Instance)
        path, index = value.path, value.index
        if not self.analysis.classes.is_wrapper(path, index):
            return None
        for ancestor in self.analysis.classes.lineage(path, index):
            if not isinstance(ancestor, str):
                own = self.analysis.solver.find(values.Instance(*ancestor))
                if own is not None and (own, WRAPPED) in self.analysis.objects.fields:
                    return self.analysis.objects.fields[own, WRAPPED]
        return None

    def _member(self, node: int) -> Env | None:
        """The environment whose own attribute this is, unless a class of the project can answer with any arguments."""
        own = self.analysis.solver.values(node, values.FunctionRef)
        attribute = self.analysis.program.attribute_at(node)
        if attribute is None or any(self._takes_more(one.path, one.index) for one in own):
            return None
        receiver, name = attribute
        methods = self.analysis.solver.values(node, values.EnvMethod)
        member = self._agreed([method.env for method in methods if method.name == name])
        owner = self._env(receiver) if member is not None else None
        if member is None or owner is None or own:
            return member and replace(member, layers=(), made=())
        return replace(member, layers=owner.layers, made=owner.made)

    def _takes_more(self, path: str, index: int) -> bool:
        """Whether a method of the project takes arguments."""
        function = self.analysis.program.surveys[path].functions[index]
        return len(function.params) > 1 or function.vararg >= 0 or function.kwarg >= 0

    def _generator(self, node: int) -> Generator | None:
        """An environment's generator, where no other one can arrive."""
        found = sorted(self.analysis.solver.all(node, values.Generator))
        if (
            not found
            or self.analysis.solver.all(node, values.OldGenerator)
            or self.analysis.solver.all(node, values.External)
        ):
            return None
        generator = self.analysis.solver.get(found[0], values.Generator)
        return Generator(generator.certainty, self.provenance.evidence(generator.node))

    def _agreed(self, numbers: list[int], mixed: bool = False) -> Env | None:
        """The environment that all values agree on; silent where arrays and single values can both arrive."""
        key = (*sorted(numbers), mixed)
        if key not in self._agreements:
            self._agreements[key] = self._agreement(sorted(numbers), mixed) if numbers else None
        return self._agreements[key]

    def _agreement(self, numbers: list[int], mixed: bool) -> Env | None:
        envs = [self._env_of(n) for n in numbers]
        if len({(e.api.step, e.api.reset, e.api.seed) for e in envs}) > 1:
            if len({e.api.vector for e in envs}) > 1 or not any(e.api.five for e in envs):
                return None
            envs, mixed = [e for e in envs if e.api.five], True
        best = min(envs, key=lambda e: (not e.api.vector, e.certainty != "proven", e.unlimited))
        layers = best.layers if len({e.layers for e in envs}) == 1 else ()
        made = tuple(dict.fromkeys(made for e in envs for made in e.made)) if all(e.made for e in envs) else ()
        return replace(best, mixed=mixed, layers=layers, made=made)

    def _step(self, node: int) -> StepResult | None:
        found = self.analysis.solver.all(node, values.StepResult)
        found += [n for n in self.analysis.solver.all(node, values.OwnStepResult) if not self._is_aside(self._call(n))]
        if not found:
            return None
        found.sort(key=lambda number: self._nearness(number, node))
        fours = {n for n in self.analysis.solver.all(node, values.Object) if self.analysis.objects.widths.get(n) == 4}
        own = not fours <= self.own_results.fours
        if own and not self._speak_alike(node):
            return None
        env = self._agreed([self._result(n).env for n in found], mixed=own)
        if env is None:
            return None
        origin = self.provenance.related(self.analysis.program.origin_site(self._call(found[0])), "stepped here")
        return StepResult(env, origin, pending=bool(fours & self.own_results.fours))

    def _columns(self, node: int) -> StepResult | None:
        """The columns of several steps."""
        found = sorted(self.analysis.solver.all(node, values.StepColumns))
        env = self._agreed([self._result(number).env for number in found])
        if env is None:
            return None
        origin = self.provenance.related(self.analysis.program.origin_site(self._call(found[0])), "stepped here")
        return StepResult(env, origin)

    def _result(self, number: int) -> values.EnvResult:
        return self.analysis.solver.get(number, values.EnvResult)

    def _call(self, number: int) -> int:
        """The node of the call that gave what a step or reset returned."""
        return self._result(number).node

    def _nearness(self, result: int, node: int) -> tuple[bool, tuple[str, Span], int]:
        """To sort what was stepped or reset: the call at hand first, then by place."""
        origin = self._call(result)
        return origin != node, self.analysis.program.origin_site(origin) or ("", Span(0, 0, 0, 0)), result

    def _is_aside(self, call: int) -> bool:
        """What is called is a method of the project that answers in its own way on purpose."""
        functions = self._functions(call)
        return bool(functions) and all((path, index) in self.own_results.aside for path, index, _ in functions)

    def _reset(self, node: int) -> ResetResult | None:
        found = [n for n in self.analysis.solver.all(node, values.ResetResult) if self._comes_from(n, node)]
        if not found or self._is_aside(node) or not self._speak_alike(node):
            return None
        if any(self._answers_both(path, index) for path, index, _ in self._functions(node)):
            return None
        found.sort(key=lambda number: self._nearness(number, node))
        env = self._agreed([self._result(n).env for n in found], mixed=self._own_reset(node))
        if env is None:
            return None
        origin = self.provenance.related(self.analysis.program.origin_site(self._call(found[0])), "reset here")
        return ResetResult(
            env,
            origin,
            handled=any(self._taken_apart(n, node) for n in found),
            pending=any((path, index) in self.own_results.bare for path, index, _ in self._functions(node)),
            own=bool(self._functions(node)),
        )

    def _answers_both(self, path: str, index: int) -> bool:
        """A `reset` that returns a pair here and something else there: what arrives is for the caller to know."""
        base = self.analysis.program.bases[path]
        outcomes = [base + local for _, local, _ in self.analysis.program.surveys[path].functions[index].outcomes]
        pairs = [
            bool(self.analysis.solver.all(node, values.ResetResult))
            or any(self.analysis.objects.widths.get(n) == 2 for n in self.analysis.solver.held[node])
            for node in outcomes
        ]
        return any(pairs) and not all(pairs)

    def _taken_apart(self, reset: int, call: int) -> bool:
        """Some use takes the value as a pair; a place where a step's observation arrives too is no such use.

        But for what is taken apart right where it is made: what else arrives there came by the project's own `reset`.
        No such use either is one in another function, which may take an observation apart for what it holds; but for a
        file that is on Gymnasium already, where `first(env.reset())` knows what a reset gives.
        """
        here = self.analysis.program.home(call)
        anywhere = here is not None and _is_migrated(self.analysis.program.surveys[here[0]])
        return any(
            home is None
            or source == call
            or ((anywhere or home == here) and not self.analysis.solver.all(source, values.Observation))
            for home, source in self.analysis.envs.taken.get(reset, ())
        )

    def _comes_from(self, reset: int, call: int) -> bool:
        """The call is the reset itself, or a `reset` of the project that returns it untouched."""
        origin = self._call(reset)
        if origin == call:
            return True
        site = self.analysis.program.origin_site(origin)
        made = self.analysis.program.call_at(call)
        if made is None or site is None:
            return False
        called = self.analysis.program.attribute_at(made[1])
        if called is None or called[1] != "reset" or site[1] not in self.analysis.program.surveys[site[0]].returned:
            return False
        return not any(self._translates(*function) for function in self._functions(call))

    def _translates(self, path: str, index: int, instance: int | None) -> bool:
        """A class of no library's hands one `reset` on as it is, and takes another apart: its callers get the same."""
        if self._of_environment(instance):
            return False
        base, outcomes = (
            self.analysis.program.bases[path],
            self.analysis.program.surveys[path].functions[index].outcomes,
        )
        held = [bool(self.analysis.solver.all(base + local, values.ResetResult)) for _, local, _ in outcomes]
        return any(held) and not all(held)

    def _functions(self, call: int) -> list[tuple[str, int, int | None]]:
        """Functions of the project that a call can mean, each with the instance it is bound to."""
        made = self.analysis.program.call_at(call)
        if made is None:
            return []
        return [(one.path, one.index, one.bound) for one in self.analysis.solver.values(made[1], values.FunctionRef)]

    def _speak_alike(self, call: int) -> bool:
        """No class that speaks another API (a vector environment of another library) can arrive here."""
        for _, _, bound in self._functions(call):
            instance = self._instance(bound)
            if instance is not None:
                api, _ = self.analysis.classes.api_of_class(instance.path, instance.index)
                if api is not None and not api.five:
                    return False
        return True

    def _own_reset(self, node: int) -> bool:
        """What is called can also be a method of the project that builds its own result."""
        for path, index, instance in self._functions(node):
            if self._of_environment(instance):
                continue
            result = self.analysis.program.bases[path] + self.analysis.program.surveys[path].functions[index].result
            if not self.analysis.solver.all(result, values.ResetResult):
                return True
        return False

    def _instance(self, bound: int | None) -> values.Instance | None:
        """The instance that a function is bound to."""
        value = self.analysis.solver.value(bound) if bound is not None else None
        return value if isinstance(value, values.Instance) else None

    def _of_environment(self, bound: int | None) -> bool:
        """The instance is of an environment class of the project, whose own answers are told apart elsewhere."""
        instance = self._instance(bound)
        return instance is not None and self.env_classes.of(instance.path, instance.index) is not None

    def _info(self, node: int) -> Info | None:
        found = [
            (number, self.analysis.solver.get(number, values.Info))
            for number in sorted(self.analysis.solver.all(node, values.Info))
        ]
        if any(not self.analysis.solver.get(info.env, values.Environment).api.five for _, info in found):
            return None
        if len({info.arity for _, info in found}) > 1:
            return None  # of a step of four values and of one of five: both APIs are taken care of
        for number, info in found:
            if (number, TIME_LIMIT) in self.analysis.objects.fields and self._written(number):
                continue
            place = self.provenance.related(self.analysis.program.origin_site(info.node), "stepped here")
            return Info(self._env_of(info.env), info.arity, place)
        return None

    def _written(self, info: int) -> bool:
        """The program writes the key itself, and may read it back."""
        return any(
            kind == "set"
            for _, kind, _ in self.analysis.solver.predecessors[self.analysis.objects.fields[info, TIME_LIMIT]]
        )

    def _flag(self, node: int) -> Flag | None:
        found = self.analysis.solver.flags(node)
        if not found:
            return None
        worst = max(found, key=lambda f: (flag_lattice.mixed(f), f))
        array = True if all(f & flag_lattice.ARRAY for f in found) else None
        return Flag(flag_lattice.meanings(found), array, self.provenance.trace(node, worst))


#: How each kind of fact is read of a node.
_READERS: dict[str, Callable[[Reading, int], Any]] = {
    "names": Reading._name,
    "generators": Reading._generator,
    "envs": Reading._env,
    "members": Reading._member,
    "steps": Reading._step,
    "columns": Reading._columns,
    "resets": Reading._reset,
    "infos": Reading._info,
    "flags": Reading._flag,
}


def _places(uses: Iterable[tuple[Span, int]]) -> dict[int, list[Span]]:
    """Every place that a node stands for."""
    found: dict[int, list[Span]] = {}
    for span, local in uses:
        found.setdefault(local, []).append(span)
    return found


def _only_returned(span: Span, places: Iterable[Span], survey: Survey) -> bool:
    """`result = env.reset(); ...; return result`: all that reads the variable is `return`."""
    others = [at for at in places if at != span]
    return bool(survey.returned.intersection(others)) and all(
        at in survey.returned or (at.row <= span.row and at.column < span.column) for at in others
    )


def _is_migrated(survey: Survey) -> bool:
    """The file imports Gymnasium, and nothing of Gym."""
    roots = {module.partition(".")[0] for module in survey.imports}
    return "gymnasium" in roots and "gym" not in roots


def _is_library(dotted: str) -> bool:
    return dotted.partition(".")[0] in ("gym", "gymnasium")

"""What keeps families from being changed, though no rule reports it: callers and results that cannot be followed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import registrations
from done_lint.analysis.open_steps import is_loaded, is_open, open_rows, open_steps, owner_name
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.replaced_methods import in_place_of
from done_lint.analysis.unused_functions import UnusedFunctions
from done_lint.analysis.values import Environment, EnvMethod, External, FunctionRef, Object, Shape, Text
from done_lint.core.findings import Family, Span
from done_lint.facts.classes.decorated_resets import replaced_resets
from done_lint.facts.classes.env_classes import EnvClasses, is_step
from done_lint.facts.classes.old_stacks import OldStacks
from done_lint.facts.classes.other_spaces import other_space
from done_lint.facts.classes.own_attributes import OwnAttributes
from done_lint.facts.families import Families
from done_lint.facts.ids.given_ids import given_ids, unregistered
from done_lint.facts.obstacles.replay_infos import ReplayInfos
from done_lint.facts.obstacles.spread_results import spreads_other
from done_lint.facts.obstacles.stand_ins import StandIns
from done_lint.facts.obstacles.step_doors import StepDoors
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.schema import Function, Survey
from done_lint.knowledge.env_apis import STEP_WIDTHS
from done_lint.knowledge.env_id_versions import is_removed
from done_lint.knowledge.wrapper_attributes import REQUIRED_OF_CLASSES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_STEPS = ("step", "_step")
_TUPLES = (Shape.TUPLE, Shape.RETURNED)
#: Where a step of four values returns its flag.
_DONE = IndexKey(2)
_UNPACKS = "unpacks four values of an environment that cannot be followed"
_TAKES = "takes four values of a step apart that nobody in sight makes"
_CHOOSES = "calls a method of an environment by a name in a variable"
_BESIDE = "calls `{}`, which returns what the `step` of its class does"
_RETURNS = "returns a result that cannot be followed"
_SEVERAL = "returns several values for `done`"
_ADAPTS = "gives the wrappers above it four of five values"
_CALLER = "operator.methodcaller"
_BY_NAME = "calls `{}` of whatever it is given"
_SEEDS = "calls the method `seed` of an environment by another name"
_HANDS = "hands an environment to `{}` of an object that cannot be followed"
_ASKS = 'hands infos to a replay buffer that asks them for "TimeLimit.truncated", which no step of Gymnasium sets'
REMOVED = "makes an environment that was removed without a successor"
_UNREGISTERED = "makes `{}`, an id that nothing in sight registers: it may be registered with Gym alone"
_PLAIN = "makes `{}`, a class without the base `Env`, which Gymnasium's `make` asks for"
_REPLACED = "is replaced by `{}`, which takes no seed or returns something else than `reset` does"
_ASSIGNED = "gives an environment a `step` that returns four of five values"
_LACKS = "has no `{}`, which Gymnasium's `make` asks for"
_NO_SPACE = "sets `{}` to what is no space, which Gymnasium's `make` refuses"
#: How many values a step gives.
_FOUR, _FIVE = STEP_WIDTHS


class Obstacle(NamedTuple):
    """A place that keeps families from being changed."""

    path: str
    span: Span
    #: The function that it stands in.
    owner: str
    #: What it does: "returns what cannot be followed".
    which: str
    family: Family
    #: What arrives there may come from files that no import connects with it.
    open: bool = False
    #: No code of its program calls it; what imports its file by a name that is put together may do so.
    unused: bool = False
    #: It is one unless the project registers these ids.
    ids: frozenset[str] = frozenset()
    #: And unless the project registers some that cannot be seen.
    unless_unseen: bool = False


class Obstacles:
    """Looks for them in a solved graph."""

    def __init__(
        self,
        analysis: Analysis,
        classes: EnvClasses,
        families: Families,
        unused: UnusedFunctions,
        attributes: OwnAttributes,
        stacks: OldStacks,
    ) -> None:
        """Look at nothing yet."""
        self._unused = unused
        self._attributes = attributes
        self._stacks = stacks
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = classes
        self._families = families
        self._doors = StepDoors(analysis)
        self._replays = ReplayInfos(analysis)
        self._stand_ins = StandIns(analysis)

    def all(self) -> list[Obstacle]:
        """The obstacles of all files; the family of one is empty where nothing here is stepped there."""
        steps = (self._callers, self._rows, self._chosen, self._named, self._seeding, self._mocked)
        users = (*steps, self._handed, self._beside, self._asking, self._assigned)
        classes = (self._results, self._replaced, self._without_spaces)
        found = [one for path in self._program.surveys for kind in (*users, *classes) for one in kind(path)]
        return [*found, *self._adapters(), *self._made()]

    def _assigned(self, path: str) -> Iterator[Obstacle]:
        """`env.step = step`, where the function takes five values and gives four, to who asks for these."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for one in survey.waits(ops.SetAttribute):
            family = self._families.of_node(base + one.owner) if one.name == "step" else None
            if family and any(map(self._gives_four_of_five, self._solver.values(base + one.value, FunctionRef))):
                yield Obstacle(path, one.at, owner_name(survey, -1), _ASSIGNED, family)

    def _gives_four_of_five(self, function: FunctionRef) -> bool:
        survey = self._program.surveys[function.path]
        taken = (one for one in survey.waits(ops.Unpack) if survey.homes.get(one.targets[0]) == function.index)
        return survey.functions[function.index].arities == (_FOUR,) and any(one.arity == _FIVE for one in taken)

    def _made(self) -> Iterator[Obstacle]:
        """The calls of Gym's `make` for which Gymnasium's has nothing: it is gone for good, unknown, or no `Env`."""
        for node, call in self._analysis.envs.make_calls.items():
            made = self._analysis.envs.makes.get(node)
            owner = self._program.owner(node)
            if made is None or owner is None or not call.id or not made.function.startswith("gym."):
                continue
            survey, family = self._program.surveys[owner.path], self._families.of(node)
            name = owner_name(survey, survey.homes.get(owner.node, -1))
            ids = given_ids(self._analysis, call.id)
            plain = next(filter(self._classes.is_plain, registrations.entries(self._analysis, node)), None)
            if plain is not None:
                which = _PLAIN.format(self._program.class_at(*plain).name)
                yield Obstacle(owner.path, made.place.span, name, which, family)
            elif ids and all(map(is_removed, ids)):
                yield Obstacle(owner.path, made.place.span, name, REMOVED, family, ids=ids)
            elif unknown := unregistered(self._analysis, owner.path, call.id):
                which = _UNREGISTERED.format(min(unknown))
                yield Obstacle(owner.path, made.place.span, name, which, family, ids=unknown, unless_unseen=True)

    def _adapters(self) -> Iterator[Obstacle]:
        """The project's own adapters, and the wrappers for four values in the same programs that nothing constructs."""
        for path, index in self._stacks.adapters:
            survey = self._program.surveys[path]
            step = survey.classes[index].methods.get("step")
            near = (one for one in self._stacks.without_place() if self._analysis.imports.together(one.path, path))
            family = frozenset().union(*map(self._of_class, near)) if step is not None else None
            if step is not None and family:
                span, _, _ = survey.functions[step].outcomes[0]
                yield Obstacle(path, span, f"{survey.classes[index].name}.step", _ADAPTS, family)

    def _of_class(self, owner: ClassId) -> Family:
        """The families of a class, and of what its methods use: nothing that is constructed joins the two."""
        found = map(self._families.of_node, self._families.used_by(owner))
        return self._families.of(owner).union(*(family for family in found if family))

    def unseen(self) -> dict[str, Family]:
        """By file, the families of what is for old Gym and that no code steps but environments: who does is elsewhere.

        These are classes, and files that name some of Gym's and have none, nor an import that leads to one.
        """
        found: defaultdict[str, Family] = defaultdict(frozenset)
        for one in self._waiting:
            if isinstance(one, ClassId):
                found[one.path] |= self._families.of(one)
        for path in self._families.without_environments():
            found[path] |= self._families.of_file(path)
        return found

    def loaded(self) -> dict[str, Family]:
        """By file, the families of what it hands to code of a module that it imports by a name."""
        found: defaultdict[str, Family] = defaultdict(frozenset)
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for call in survey.calls() if "importlib" in survey.packages and not survey.page else ():
                given = self._program.given_at(base + call.result)
                families = [one for one in map(self._families.of_node, filter(self._families.at, given)) if one]
                if any(map(self._families.has_gym_file, families)) and is_loaded(self._analysis, base + call.called):
                    found[path] = found[path].union(*families)
        return found

    # --- callers ---------------------------------------------------------------------------------------------------

    def _callers(self, path: str) -> Iterator[Obstacle]:
        """The steps in the old form in a file of which nothing shows what they step, and what may arrive there."""
        base = self._program.bases[path]
        for one in open_steps(self._analysis, path):
            if FunctionId(path, one.home) in self._unused.functions:
                yield Obstacle(path, one.at, one.owner, _UNPACKS, frozenset(), unused=True)
                continue
            named = self._families.of_node(base + one.source)
            family = self._arriving(path, self._waiting if named else self._families.gym_members)
            if one.loaded:
                # no import leads to a class that is loaded by its name: it is one that no code steps
                family = family.union(*map(self._families.of, self._waiting))
            family |= named or frozenset()
            if one.inherited:
                # its class moves with the base, which the file's import names
                family |= self._families.of(path)
            yield Obstacle(path, one.at, one.owner, _UNPACKS, family, open=True)

    def _rows(self, path: str) -> Iterator[Obstacle]:
        """The results of steps by their names, of which nothing shows who steps, and what nobody is seen to step."""
        for one in open_rows(self._analysis, path):
            if family := self._arriving(path, self._waiting):
                yield Obstacle(path, one.at, owner_name(self._program.surveys[path], one.home), _TAKES, family)

    def _arriving(self, path: str, members: Iterable[Hashable]) -> Family:
        """The families of these members that programs make which a file is a part of."""
        together = self._analysis.imports.together
        found = (one for one in members if together(self._families.path(one), path))
        return frozenset().union(*map(self._families.of, found))

    @cached_property
    def _waiting(self) -> list[Hashable]:
        """The environments and classes for old Gym of which no code steps any of the family, but environments."""
        stepped: set[Family] = set()
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for read in survey.telling if not survey.page else ():
                if read.name == "step" and self._is_outside(survey, read):
                    stepped |= {self._families.of(member) for member in self._families.at(base + read.source)}
        return [one for one in self._families.gym_members if self._families.of(one) not in stepped]

    def _is_outside(self, survey: Survey, read: ops.Attribute) -> bool:
        """Whether some method is read outside the environment classes."""
        calls = [one for one in survey.waiting.get(read.target, ()) if isinstance(one, ops.Call)]
        homes = [survey.homes.get(call.result, -1) for call in calls]
        owners = [survey.functions[home].owner if home >= 0 else -1 for home in homes]
        return any(owner < 0 or self._classes.of(survey.path, owner) is None for owner in owners)

    def _chosen(self, path: str) -> Iterator[Obstacle]:
        """The calls that may be a step or a reset here, and of another method there: `getattr(env, name)(*args)`."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for call in survey.waits(ops.Call) if not survey.page else ():
            family = self._families.of_node(base + call.result) if self._is_chosen(base + call.called) else None
            if family and self._families.has_gym_file(family):
                yield Obstacle(path, call.at, owner_name(survey, survey.homes.get(call.result, -1)), _CHOOSES, family)

    def _is_chosen(self, called: int) -> bool:
        """Whether a call may be a step and a reset, or one of these and another method of the library's."""
        names = {method.name for method in self._solver.values(called, EnvMethod)}
        of_library = len(names) > 1 and not names.isdisjoint(("step", "reset"))
        return of_library or {"step", "reset"} <= self._methods(called)

    def _named(self, path: str) -> Iterator[Obstacle]:
        """`methodcaller("step", 0)`, which somebody calls with any environment of the program."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for call in survey.calls() if "operator" in survey.imports and not survey.page else ():
            caller = any(one.dotted == _CALLER for one in self._solver.values(base + call.called, External))
            names = self._solver.values(base + call.args[0].node, Text) if caller and call.args else ()
            name = next((one.text for one in names if one.text in ("step", "reset", "seed")), "")
            if name and (family := self._arriving(path, self._families.gym_members)):
                owner = owner_name(survey, survey.homes.get(call.result, -1))
                yield Obstacle(path, call.at, owner, _BY_NAME.format(name), family)

    def _seeding(self, path: str) -> Iterator[Obstacle]:
        """The calls of a `seed` that was read before: `seed = env.seed`, `getattr(env, "seed")(3)`."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        reads = {read.target: survey.places.get(read.target) for read in survey.telling if read.name == "seed"}
        for call in survey.waits(ops.Call) if not survey.page else ():
            at = reads.get(call.called)
            if at is not None and at[:2] == call.at[:2]:
                continue
            methods = self._solver.values(base + call.called, EnvMethod)
            envs = [self._solver.get(one.env, Environment) for one in methods if one.name == "seed"]
            family = self._families.of_node(base + call.called) if any(_lacks_seed(one) for one in envs) else None
            if family and self._families.has_gym_file(family):
                yield Obstacle(path, call.at, owner_name(survey, survey.homes.get(call.result, -1)), _SEEDS, family)

    def _mocked(self, path: str) -> Iterator[Obstacle]:
        """The steps of an environment, or of a mock in its place, and what a test puts in the place of `gym.make`."""
        survey = self._program.surveys[path]
        for one in self._stand_ins.of(path):
            family = self._families.of_node(one.node) if one.node is not None else None
            if one.node is None:
                family = self._arriving(path, self._families.gym_members)
            if family and self._families.has_gym_file(family):
                owner = owner_name(survey, survey.homes.get(one.result, -1))
                yield Obstacle(path, one.at, owner, one.which, family)

    def _beside(self, path: str) -> Iterator[Obstacle]:
        """The calls that reach the result of a step by another method, where no fix follows it."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for read, call in self._doors.of(path):
            family = self._families.of_node(base + read.source)
            if family and self._families.has_gym_file(family):
                owner = owner_name(survey, survey.homes.get(call.result, -1))
                yield Obstacle(path, call.at, owner, _BESIDE.format(read.name), family)

    def _asking(self, path: str) -> Iterator[Obstacle]:
        """The calls that give infos of a step to a buffer of a library, which asks them for what only old Gym set."""
        survey = self._program.surveys[path]
        for call, infos in self._replays.of(path):
            family = self._families.of_node(infos)
            if family and self._families.has_gym_file(family):
                yield Obstacle(path, call.at, owner_name(survey, survey.homes.get(call.result, -1)), _ASKS, family)

    def _methods(self, node: int) -> set[str]:
        """The names of the methods that a node holds, of environments and of objects of the project."""
        functions = self._solver.values(node, FunctionRef)
        own = {self._program.function_at(FunctionId(one.path, one.index)).name for one in functions if one.bound}
        return own | {method.name for method in self._solver.values(node, EnvMethod)}

    def _handed(self, path: str) -> Iterator[Obstacle]:
        """The calls that hand an environment to a method of what nothing shows, where the program has such a method."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for read, call in self._open_calls(path):
            nodes: list[tuple[int | str | None, int]] = [(one.name, one.node) for one in call.keywords]
            # behind a star nobody knows which place it is
            nodes += [(None if call.stars else place, one.node) for place, one in enumerate(call.args)]
            given = {place: base + one for place, one in nodes if one and self._families.at(base + one)}
            families = (self._families.of_node(one) for one in given.values())
            family = frozenset[str]().union(*(one for one in families if one))
            if self._families.has_gym_file(family) and self._is_taken(read.name, path, given):
                owner = owner_name(survey, survey.homes.get(call.result, -1))
                yield Obstacle(path, call.at, owner, _HANDS.format(read.name), family)

    def _open_calls(self, path: str) -> Iterator[tuple[ops.Attribute, ops.Call]]:
        """The calls of methods that nothing is known of, where they may be the project's."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for read in (one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute)):
            if survey.page or read.name not in self._methods_by_name:
                continue
            if is_open(self._analysis, base + read.source) and is_open(self._analysis, base + read.target):
                calls = survey.waiting.get(read.target, ())
                yield from ((read, call) for call in calls if isinstance(call, ops.Call))

    def _is_taken(self, name: str, path: str, given: Iterable[int | str | None]) -> bool:
        """Whether a program has a method of this name, and nothing in sight hands an environment to it.

        A method that reads no more than the spaces of what it is given there does the same with any environment.
        """
        return any(
            self._analysis.imports.together(path, method.path)
            and not any(self._families.at(node) for node in self._parameters(method))
            and not _reads_spaces(self._program.function_at(method), given)
            for method in self._methods_by_name.get(name, ())
        )

    def _parameters(self, method: FunctionId) -> list[int]:
        function, base = self._program.function_at(method), self._program.bases[method.path]
        return [base + node for _, node in function.params[1:]]

    @cached_property
    def _methods_by_name(self) -> dict[str, list[FunctionId]]:
        """The methods of the project that take something, but those of environments, by their names."""
        found: defaultdict[str, list[FunctionId]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            for index, made in enumerate(survey.classes if not survey.page else ()):
                for name, number in made.methods.items() if self._classes.of(path, index) is None else ():
                    function = survey.functions[number]
                    if len(function.params) > 1 or function.vararg >= 0 or function.kwarg >= 0:
                        found[name].append(FunctionId(path, number))
        return found

    # --- results ---------------------------------------------------------------------------------------------------

    def _results(self, path: str) -> Iterator[Obstacle]:
        """What classes for old Gym return from their own `step`, where nothing shows what it is."""
        for index, made in enumerate(self._program.surveys[path].classes):
            member = ClassId(path, index)
            if self._classes.of(*member) is None or not self._families.imports_gym(member):
                continue
            for name in _STEPS:
                step = FunctionId(path, made.methods[name]) if name in made.methods else None
                for one in (step, *in_place_of(self._solver, self._program, step)) if step is not None else ():
                    for span, which in self._unfollowed(one):
                        yield Obstacle(one.path, span, f"{made.name}.{name}", which, self._families.of(member))

    def _unfollowed(self, step: FunctionId) -> Iterator[tuple[Span, str]]:
        """Where a function returns what cannot become five values, and why."""
        base = self._program.bases[step.path]
        for span, local, _ in self._program.function_at(step).outcomes:
            followed = self._is_followed(base + local) and not spreads_other(self._analysis, step, base + local)
            which = self._unlike_flags(base + local) if followed else _RETURNS
            if which:
                yield span, which

    def _replaced(self, path: str) -> Iterator[Obstacle]:
        """The `reset` methods of classes for old Gym that a decorator replaces by what has to stay."""
        survey = self._program.surveys[path]
        for member, name in replaced_resets(self._analysis, path):
            if self._classes.of(*member) is not None and self._families.imports_gym(member):
                made = survey.classes[member.number]
                row = survey.functions[made.methods["reset"]].row
                at = Span(row, 0, row, 0)
                yield Obstacle(path, at, f"{made.name}.reset", _REPLACED.format(name), self._families.of(member))

    def _unlike_flags(self, node: int) -> str:
        """What a `step` returns for `done`, where that is nothing that two flags take the place of; empty: a flag."""
        results = [one for one in self._solver.all(node, Object) if self._objects.widths.get(one) == 4]
        flags = (self._objects.fields.get((one, _DONE)) for one in results)
        held = (one for flag in flags if flag is not None for one in self._solver.values(flag, Object))
        return _SEVERAL if any(one.shape in _TUPLES for one in held) else ""

    def _without_spaces(self, path: str) -> Iterator[Obstacle]:
        """The classes for old Gym that `make` gives, and that do not say by spaces what they take and give."""
        for index, made in enumerate(self._program.surveys[path].classes):
            member = ClassId(path, index)
            if member not in self._checked or not self._families.imports_gym(member):
                continue
            names = self._attributes.of_environment(member)
            missing = next((one for one in REQUIRED_OF_CLASSES if names is not None and one not in names), "")
            other = other_space(self._analysis, member) if names is not None else ""
            if missing or other:
                at = Span(made.row, 0, made.row, 0)
                which = _LACKS.format(missing) if missing else _NO_SPACE.format(other)
                yield Obstacle(path, at, made.name, which, self._families.of(member))

    @cached_property
    def _checked(self) -> set[ClassId]:
        """The classes of the project that a `make` in sight gives inside of its checker."""
        return registrations.checked_classes(self._analysis)

    def _is_followed(self, node: int) -> bool:
        """Whether what a `step` returns is known: a tuple that is written somewhere, or what another step returned."""
        found = [self._solver.get(number, Object) for number in self._solver.all(node, Object)]
        # of so many tuples not all are there, and no rule changes those that are
        if self._solver.is_widened(node) or any(one.shape not in _TUPLES for one in found):
            return False
        return bool(found) or is_step(self._solver, node) or bool(self._solver.all(node, External))


def _lacks_seed(env: Environment) -> bool:
    """Whether environments of Gymnasium stand in its place one day, which have no method `seed`."""
    return env.api.five and not env.api.seed


def _reads_spaces(method: Function, given: Iterable[int | str | None]) -> bool:
    """Whether a method reads no more than the spaces of its arguments at these places, or by these names."""
    names = [name for name, _ in method.params[method.kind != "static" : method.positional]]
    places = [names[one] if isinstance(one, int) and one < len(names) else one for one in given]
    return method.abstract or all(one in method.spaces_of for one in places)

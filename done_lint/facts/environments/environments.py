"""Which expressions are environments, their attributes, generators and names of the library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING

from done_lint.analysis import registrations, values
from done_lint.analysis.program import ClassId
from done_lint.analysis.unused_functions import UnusedFunctions, UnusedParameters
from done_lint.analysis.values import Made
from done_lint.core.asked_once import asked_once
from done_lint.core.reach import reach
from done_lint.facts.classes.drawing_classes import DrawingClasses
from done_lint.facts.classes.handed_to_bases import HandedToBases
from done_lint.facts.classes.own_attributes import OwnAttributes
from done_lint.facts.environments.endless_episodes import EndlessEpisodes
from done_lint.facts.environments.inside import Inside
from done_lint.facts.environments.named_instances import NamedInstances
from done_lint.facts.environments.old_infos import OldInfos
from done_lint.facts.environments.seeding import Seeds
from done_lint.facts.environments.single_vectors import SingleVectors
from done_lint.facts.environments.single_wrappers import SingleWrappers
from done_lint.facts.environments.unknown_beside import UnknownBeside
from done_lint.facts.ids.dead_ids import DeadIds
from done_lint.facts.kinds.environments import Env, Generator
from done_lint.facts.provenance import Provenance
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.knowledge import env_apis, env_id_apis, env_id_owners
from done_lint.knowledge.made_layers import Wrapping, common_layers
from done_lint.knowledge.old_arguments import REGISTERED_VECTORS, VECTORIZATION
from done_lint.knowledge.rendering import RAISING
from done_lint.knowledge.vector_info_keys import ASKING_FOR_MODES, FIXED_MODES, MODE_ARGUMENT, MODES, Mode
from done_lint.knowledge.vector_sizes import WITHOUT_EPISODES
from done_lint.knowledge.wrapper_attributes import LOST, OWN, RENAMED, any_wrapper

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class Environments:
    """Reads environments from a solved graph."""

    def __init__(
        self, analysis: Analysis, provenance: Provenance, attributes: OwnAttributes, unused: UnusedFunctions
    ) -> None:
        """Read from a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes
        self._envs = analysis.envs
        self.provenance = provenance
        self._attributes = attributes
        self._unused = unused
        self._unused_parameters = UnusedParameters(analysis)
        self.inside = Inside(analysis)
        self._seeds = Seeds(analysis, provenance.running, self.inside)
        self.beside = UnknownBeside(analysis)
        self.single_vectors = SingleVectors(analysis)
        self._endless = EndlessEpisodes(analysis)
        self._handed = HandedToBases(analysis)
        self._drawing = DrawingClasses(analysis)
        self._old_infos = OldInfos(analysis, provenance)
        self._single_wrappers = SingleWrappers(analysis)
        self._dead_ids = DeadIds(analysis)
        self._named = NamedInstances(analysis)
        self._agreements: dict[tuple[int, ...], Env | None] = {}

    def name(self, node: int) -> str | None:
        """The one name of the library's that an expression stands for."""
        dotted = {external.dotted for external in self._solver.values(node, values.External)}
        if len(dotted) != 1 or not is_library(name := dotted.pop()):
            return None
        return None if name.endswith("()") else name

    def generator(self, node: int) -> Generator | None:
        """An environment's generator, where no other one can arrive, or where an object keeps it in another's place."""
        found = min(self._solver.all(node, values.Generator), default=None)
        if found is None:
            return None
        others = self._solver.all(node, values.OldGenerator) or self._solver.all(node, values.External)
        if others and not self._is_kept_by_helper(node):
            return None
        generator = self._solver.get(found, values.Generator)
        evidence = self.provenance.evidence(generator.node)
        return Generator(generator.certainty, evidence, generator.of_space, or_another=bool(others))

    def _is_kept_by_helper(self, node: int) -> bool:
        """Whether what is read is an attribute of an object of the project that is no environment."""
        read = self._program.attribute_at(node)
        made = self._solver.values(read[0], values.Instance) if read is not None else []
        if read is None or not made or self._solver.all(read[0], values.Environment):
            return False
        return all(self._classes.api_of_class(one.path, one.index)[0] is None for one in made)

    @asked_once
    def env(self, node: int) -> Env | None:
        """The environment that arrives at a node."""
        found = self._solver.all(node, values.Environment)
        instances = self._solver.all(node, values.Instance)
        if found:
            instances = [number for number in instances if not self._named.is_alone(number, node)]
        found += [self._envs.inherited[number] for number in instances if number in self._envs.inherited]
        env = self.agreed(found)
        if env is None or (env.certainty != "by name" and self.beside.is_undefined(node)):
            return None
        env = replace(env, seeding=self._seeds.of(node))
        if not instances and (not self._solver.all(node, values.External) or self._handed.is_of_others(node)):
            return env
        if self._solver.all(node, values.ClassRef):
            # the class itself: an annotation that promises an instance is wrong, and other things may arrive too
            return replace(env, layers=(), made=())
        if not instances:
            # something else that the project does not show may stand here, with attributes of its own
            return replace(env, layers=(), made=())
        # an instance of a class of the project has attributes of its own, and what it wraps was made somewhere
        return replace(env, layers=(), made=self._made(node), own=self._own(node))

    @asked_once
    def _made(self, node: int) -> tuple[Made, ...]:
        """Every call that made what arrives at a node, inside the project's wrappers too; none if one is not seen."""
        made: dict[Made, None] = {}
        for one in reach([node], self._wrapped, breadth_first=True):
            envs = self._shown(one)
            calls = [self._call(env.node) for env in envs if env.node not in self._endless.around]
            insides: list[int | None] = [
                self._endless.around[env.node] for env in envs if env.node in self._endless.around
            ]
            instances = self._solver.values(one, values.Instance)
            based = {one: self._based(one) for one in instances}
            calls += [made for made in based.values() if made is not None]
            insides += [self._inside(one) for one, made in based.items() if made is None]
            if not (calls or insides) and self._unused_parameters.are_all_of(one):
                continue
            if None in calls or None in insides or not (calls or insides):
                return ()
            made |= dict.fromkeys(call for call in calls if call is not None)
        return tuple(made)

    def _based(self, instance: values.Instance) -> Made | None:
        """What is known of an instance of a class that is based on the library's vector environments."""
        bases = self._program.class_at(instance.path, instance.index).bases
        node = self._program.bases[instance.path] + next(iter(bases), 0)
        made = self._subclassed(node) if node in self._envs.subclassed else None
        return made if made is None or node in self._answering else replace(made, as_library=False)

    @cached_property
    def _answering(self) -> frozenset[int]:
        """The nodes of environments that something steps or resets."""
        methods = (one for one in self._solver.interned if isinstance(one, values.EnvMethod))
        return frozenset(
            self._solver.get(one.env, values.Environment).node for one in methods if one.name not in WITHOUT_EPISODES
        )

    def _shown(self, node: int) -> list[values.Environment]:
        """The environments that arrive at a node; not what an annotation promises, where an instance keeps it."""
        found = self._solver.all(node, values.Environment)
        kept = bool(self._solver.all(node, values.Instance))
        shown = [one for one in found if not (kept and one in self._envs.promised)]
        envs = [self._solver.get(one, values.Environment) for one in shown]
        made = [one for number, one in zip(shown, envs, strict=True) if number not in self._envs.promised]
        # an annotation says which environments may come, and nothing of those that do
        return made if any(one.api.vector for one in made) else envs

    def _wrapped(self, node: int) -> Iterator[int]:
        """What is inside of the wrappers that arrive at a node, of the project's and of those around them."""
        found = (self._inside(instance) for instance in self._solver.values(node, values.Instance))
        yield from (inside for inside in found if inside is not None)
        envs = self._solver.values(node, values.Environment)
        yield from (self._endless.around[env.node] for env in envs if env.node in self._endless.around)

    def stepped(self, numbers: Iterable[int]) -> Env | None:
        """The environment that a step belongs to, with who made what is inside of wrappers that leave it to them."""
        env = self.agreed(numbers)
        if env is None or env.made:
            return env
        made = [self._made_inside(number) for number in sorted(numbers)]
        return replace(env, made=tuple(dict.fromkeys(one for calls in made for one in calls)) if all(made) else ())

    def ends_terminated(self, numbers: Iterable[int]) -> bool:
        """Whether the episodes of vector environments end where these say that one terminated, and nowhere else."""
        return all(self._endless.ends_terminated(self._solver.get(one, values.Environment).node) for one in numbers)

    def _made_inside(self, number: int) -> tuple[Made, ...]:
        """The calls that made an environment, or what stands inside of the wrappers that promise it."""
        if made := self._made_by_call(self._solver.get(number, values.Environment).node):
            return made
        owners = [one for one, promised in self._envs.inherited.items() if promised == number]
        inside = [self._inside(self._solver.get(one, values.Instance)) for one in sorted(owners)]
        calls = [self._made(one) if one is not None else () for one in inside]
        return tuple(dict.fromkeys(one for found in calls for one in found)) if all(calls) else ()

    def _made_by_call(self, node: int) -> tuple[Made, ...]:
        """The call that made an environment, if there is one."""
        made = self._call(node)
        return (made,) if made is not None else ()

    @asked_once
    def _call(self, node: int) -> Made | None:
        """The call that made an environment, with what a class of the project behind its id says about drawing."""
        made = self._envs.makes.get(node)
        if made is not None and made.function in FIXED_MODES:
            made = replace(made, mode=FIXED_MODES[made.function])
        elif made is not None and node in self._envs.modes:
            made = self._asked(replace(made, mode=self._mode(made, self._envs.modes[node])), node)
        if made is None:
            return self._subclassed(node)
        ids = registrations.made_ids(self._analysis, node)
        bare, single = registrations.makes_bare(self._analysis, node), self.single_vectors.is_single(node)
        task = bool(ids) and all(registrations.is_task(self._analysis, one) for one in ids)
        made = replace(made, ids=tuple(ids), bare=bare, task=task, single=single)
        if made.mode == "default" and self._may_bring_a_vector(made, node):
            made = replace(made, mode="unknown")
        entries = registrations.entries(self._analysis, node)
        if not entries:
            possible = self._possible_entries(node)
            if possible and all(map(self._drawing.draws_by_itself, possible)):
                return replace(made, drawing="own")
            if not all(map(self._drawing.takes_mode, possible)):
                return replace(made, drawing="either")
            if not task and not all(map(env_id_owners.is_known, ids)):
                return replace(made, drawing="unknown")
            return replace(made, drawing="raises") if ids and all(map(_raises, ids)) else made
        state = self._attributes.set_by_all(entries) if bare else frozenset[str]()
        taken = self._taken(entries, made.keywords)
        return replace(made, drawing=self._drawing.drawing(entries), state=state, taken=taken)

    def _taken(self, entries: Sequence[ClassId], keywords: frozenset[str]) -> frozenset[str] | None:
        """Which keywords some constructor of these classes of the project takes; None: one of them is not seen."""
        found: set[str] = set()
        for one in entries:
            begin = self._analysis.classes.method_of(one.path, one.number, "__init__")
            if begin is None:
                return None
            function = self._analysis.program.function_at(begin)
            found |= keywords if function.kwarg >= 0 else keywords.intersection(name for name, _ in function.params)
        return frozenset(found)

    def _may_bring_a_vector(self, made: Made, node: int) -> bool:
        """Whether another package may have registered a vector environment for the id, which resets in its own way.

        Of an id that is put together a part is seen: `f"Tasks/{name}"`. Who says how to vectorize asks for none.
        """
        if made.function not in REGISTERED_VECTORS or VECTORIZATION in made.keywords:
            return False
        given = self._program.given_at(node)
        named = registrations.ids(self._analysis, given[0]) if given else []
        return any("/" in one and not self._has_plain_vector(one) for one in named)

    def _has_plain_vector(self, env_id: str) -> bool:
        """Whether a table knows who registers an id, or the project does: it, or one that fits what is seen of it."""
        registered = self._envs.registered
        known = env_id_owners.is_known(env_id) or bool(env_id_apis.registering_package(env_id))
        return known or any(fnmatchcase(env_id, one) or fnmatchcase(one, env_id) for one in registered)

    def _possible_entries(self, node: int) -> list[ClassId]:
        """The classes of the project that a call of the library's `make` may make, where its id is not seen."""
        return registrations.possible_entries(self._analysis, node) if node in self._envs.make_calls else []

    def _subclassed(self, node: int) -> Made | None:
        """What is known of a vector environment by a class of the project: who makes it may ask for a mode."""
        made = self._envs.subclassed.get(node)
        if made is None:
            return self.single_vectors.subclassed.get(node)
        return self._asked(replace(made, mode="unknown" if self.asks_for_modes else "default"), node)

    def _asked(self, made: Made, node: int) -> Made:
        """The same with what shows the release that a vector environment was made for."""
        old = self._old_infos
        made = replace(made, old_infos=old.of(node), final_reads=old.handed_on(node), beside=old.beside(node))
        made = replace(made, own_beside=self._may_call_own(node))
        wrappers = self._single_wrappers
        made = replace(made, wrapped_as_single=wrappers.are_around(node), own_wrapper=wrappers.own_around(node))
        return replace(made, dead_ids=self._dead_ids.are_all_of(node))

    def _may_call_own(self, node: int) -> bool:
        """Whether the call that gives a node may be one of a function or a class of the project, too."""
        call = self._analysis.program.call_at(node)
        called = self._solver.held[call[1]] if call is not None else ()
        return any(isinstance(self._solver.value(one), (values.FunctionRef, values.ClassRef)) for one in called)

    def _mode(self, made: Made, argument: int) -> Mode:
        """The mode that a vector environment is made with."""
        given = bool(made.keywords & ASKING_FOR_MODES)
        if made.hidden and not given:
            return "unknown" if self.asks_for_modes else "probable"
        if not argument:
            return "unknown" if given else "default"
        found: set[Mode] = {self._written(number) for number in self._solver.held[argument]}
        return found.pop() if len(found) == 1 else "unknown"

    @cached_property
    def asks_for_modes(self) -> bool:
        """Whether something in the program names a mode, which arguments that cannot be seen may bring."""
        for survey in self._program.surveys.values():
            if any(not ASKING_FOR_MODES.isdisjoint(one.name for one in call.keywords) for call in survey.calls()):
                return True
            keys = [key for one in survey.operations if isinstance(one, ops.Allocate) for key in one.keys]
            keys += (key for one in survey.waits(ops.SetItem) for key in one.keys)
            if any(isinstance(key, TextKey) and key.text in ASKING_FOR_MODES for key in keys):
                return True
        return False

    def _written(self, number: int) -> Mode:
        """`AutoresetMode.SAME_STEP`, `"SameStep"`, `{"autoreset_mode": "SameStep"}`."""
        value = self._solver.value(number)
        if isinstance(value, values.Text):
            return MODES.get(value.text, "unknown")
        if isinstance(value, values.External):
            return MODES.get(value.dotted.rpartition(".")[2], "unknown")
        if not isinstance(value, values.Object) or value.shape is not values.Shape.DICT:
            return "unknown"
        fields = dict(self._objects.owned.get(number, ()))
        if not all(isinstance(key, TextKey) for key in fields):
            return "unknown"
        field = fields.get(TextKey(MODE_ARGUMENT))
        if field is None:
            return "default"
        found = {self._written(one) for one in self._solver.held[field]}
        return found.pop() if len(found) == 1 else "unknown"

    def _own(self, node: int) -> frozenset[str] | None:
        """What the wrappers that arrive at a node have, the project's and the library's; None where others do, too."""
        beside = [self.of(number).layers[:1] for number in self._solver.all(node, values.Environment)]
        known_layers = all(layers and layers[0] in OWN for layers in beside)
        others = self._solver.values(node, values.External)
        if self._solver.is_widened(node) or not known_layers or (beside and others):
            return None
        if any(one.dotted.endswith("()") for one in others):
            return None  # what a call made that nobody knows may be a wrapper with attributes of its own
        instances = self._solver.values(node, values.Instance)
        found = [self._attributes.of(ClassId(one.path, one.index)) for one in instances]
        known = [names for names in found if names is not None]
        known += [OWN[layer].union(LOST.get(layer, ()), RENAMED.get(layer, ())) for (layer,) in beside]
        return frozenset().union(*known) if len(known) == len(found) + len(beside) else None

    def _inside(self, instance: values.Instance) -> int | None:
        """The node of what an instance of a wrapper class wraps."""
        if not self._classes.is_wrapper(instance.path, instance.index):
            return None
        return next(iter(self._classes.inside(instance.path, instance.index)), None)

    def member(self, node: int) -> Env | None:
        """The environment whose own attribute this is; `shared` with classes of the project that take any arguments."""
        own = self._solver.values(node, values.FunctionRef)
        attribute = self._program.attribute_at(node)
        if attribute is None:
            return None
        receiver, name = attribute
        if any(map(self._is_of_a_protocol, own)):
            return None
        found = [method.env for method in self._solver.values(node, values.EnvMethod) if method.name == name]
        member = self.agreed(found)
        if member is not None and member.certainty != "by name" and self.beside.is_undefined(receiver):
            return None
        owner = self.env(receiver) if member is not None else None
        if member is None or owner is None or own:
            return member and replace(member, layers=(), made=(), shared=any(map(self._takes_more, own)))
        return replace(member, layers=owner.layers, made=owner.made)

    def _is_of_a_protocol(self, method: values.FunctionRef) -> bool:
        """Whether a method is that of an object of the project which is no environment of a library's."""
        owner = self._solver.value(method.bound) if method.bound is not None else None
        return isinstance(owner, values.Instance) and self._classes.api_of_class(owner.path, owner.index)[0] is None

    def _takes_more(self, method: values.FunctionRef) -> bool:
        """Whether a method of the project takes arguments."""
        function = self._program.surveys[method.path].functions[method.index]
        return len(function.params) > 1 or function.vararg >= 0 or function.kwarg >= 0

    @asked_once
    def of(self, number: int) -> Env:
        """The environment that a value stands for."""
        env = self._solver.get(number, values.Environment)
        around = self._endless.around.get(env.node)
        made = self._made_by_call(env.node)
        if around is not None:
            # a wrapper of the project stands between
            made = tuple(replace(one, bare=False) for one in self._made(around))
        wrapping = registrations.wrapping(self._analysis, env.node) if env.node in self._envs.make_calls else None
        return Env(
            env_apis.OLD_GYM if env.node in self._envs.adapted else env.api,
            env.certainty,
            self.provenance.evidence(env.node),
            self._endless.of(env),
            layers=_settled(env.layers, wrapping),
            doubtful=wrapping is not None and wrapping.doubtful and env_apis.TIME_LIMIT not in env.layers,
            made=made,
            maker=self._envs.makers.get(env.node, ""),
            unused=env.certainty == "by name" and env.node in self._unused.parameters,
        )

    def agreed(self, numbers: Iterable[int], mixed: bool = False) -> Env | None:
        """The environment that all values agree on; silent where arrays and single values can both arrive."""
        key = (*sorted(numbers), mixed)
        if not self._envs.contradicted.isdisjoint(key[:-1]):
            return None
        if key not in self._agreements:
            found = {number: self.of(number) for number in key[:-1]}
            # an annotation says which environments may come, and nothing of those that do
            shown = [one for number, one in found.items() if not (one.api.vector and number in self._envs.promised)]
            self._agreements[key] = self._agreement(list(found.values()), shown, mixed)
        return self._agreements[key]

    def _agreement(self, envs: list[Env], shown: list[Env], mixed: bool) -> Env | None:
        if any(e.api is env_apis.KEPT_GYM for e in envs):
            return None
        if len({(e.api.step, e.api.reset, e.api.seed) for e in envs}) > 1:
            if len({e.api.vector for e in envs}) > 1 or not any(e.api.five for e in envs):
                return None
            envs, mixed = [e for e in envs if e.api.five], True
        best = min(envs, key=lambda e: (not e.api.vector, e.certainty != "proven", e.unlimited), default=None)
        if best is None:
            return None
        around = [e.layers for e in envs]
        layers = common_layers(around) or any_wrapper(around)
        made = tuple(dict.fromkeys(made for e in shown for made in e.made)) if all(e.made for e in shown) else ()
        doubtful = all(e.doubtful for e in envs)
        alone = best.api.vector and not all(e.api.vector for e in envs)
        return replace(best, mixed=mixed, layers=layers, made=made, doubtful=doubtful, alone=alone)


def _settled(layers: tuple[str, ...], wrapping: Wrapping | None) -> tuple[str, ...]:
    """The layers around an environment, those of `make` by their names."""
    outside = tuple(takewhile(lambda layer: layer not in env_apis.MADE_LAYERS, layers))
    if outside == layers:
        return layers
    depth = env_apis.MADE_LAYERS.index(layers[len(outside)])
    return outside + (wrapping.layers[depth:] if wrapping is not None else ())


def is_library(dotted: str) -> bool:
    """Whether a name is Gym's or Gymnasium's."""
    return dotted.partition(".")[0] in ("gym", "gymnasium")


def _raises(env_id: str) -> bool:
    """Whether the task of an id raises an error where it is rendered without a mode."""
    return env_id_apis.is_of_mujoco(env_id) or env_id_apis.registering_package(env_id) in RAISING

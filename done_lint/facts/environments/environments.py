"""Which expressions are environments, their attributes, generators and names of the library."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING

from done_lint.analysis import registrations, values
from done_lint.analysis.program import ClassId
from done_lint.analysis.unused_functions import UnusedFunctions
from done_lint.analysis.unwrapped_makes import unwrapped_makes
from done_lint.core.asked_once import asked_once
from done_lint.facts.classes.handed_to_bases import HandedToBases
from done_lint.facts.classes.own_attributes import OwnAttributes
from done_lint.facts.environments.autoreset_modes import visible_mode
from done_lint.facts.environments.endless_episodes import EndlessEpisodes
from done_lint.facts.environments.inside import Inside
from done_lint.facts.environments.made_calls import MadeCalls
from done_lint.facts.environments.makers import Makers
from done_lint.facts.environments.named_instances import NamedInstances
from done_lint.facts.environments.seeding import Seeds
from done_lint.facts.environments.single_vectors import SingleVectors
from done_lint.facts.environments.unknown_beside import UnknownBeside
from done_lint.facts.kinds.environments import Env, Generator
from done_lint.facts.provenance import Provenance
from done_lint.knowledge import env_apis
from done_lint.knowledge.made_layers import Wrapping, common_layers
from done_lint.knowledge.vector_info_keys import Autoreset
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
        self._program = analysis.program
        self._classes = analysis.classes
        self._envs = analysis.envs
        self.provenance = provenance
        self._attributes = attributes
        self._unused = unused
        self.inside = Inside(analysis)
        self._seeds = Seeds(analysis, provenance.running, self.inside)
        self.beside = UnknownBeside(analysis)
        self.single_vectors = SingleVectors(analysis)
        self._endless = EndlessEpisodes(analysis)
        self._handed = HandedToBases(analysis)
        self._calls = MadeCalls(analysis, provenance, attributes, self.single_vectors)
        self.modes = self._calls.modes
        self._makers = Makers(analysis, self._calls, self._endless)
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
        return replace(env, layers=(), made=self._makers.of(node), own=self._own(node))

    def stepped(self, numbers: Iterable[int]) -> Env | None:
        """The environment that a step belongs to, with who made what is inside of wrappers that leave it to them."""
        env = self.agreed(numbers)
        if env is None or env.made:
            return env
        made = [self._makers.inside(number) for number in sorted(numbers)]
        return replace(env, made=tuple(dict.fromkeys(one for calls in made for one in calls)) if all(made) else ())

    def ends_terminated(self, numbers: Iterable[int]) -> bool:
        """Whether the episodes of vector environments end where these say that one terminated, and nowhere else."""
        return all(self._endless.ends_terminated(self._solver.get(one, values.Environment).node) for one in numbers)

    def terminates_always(self, node: int) -> bool:
        """Whether what is held at a node are objects of the project that say no truncation without a termination."""
        return self._endless.terminates_always(node)

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
            shared = any(map(self._takes_more, own))
            return member and replace(member, layers=(), made=member.made if shared else (), shared=shared)
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
        made = self._makers.by_call(env.node)
        if around is not None:
            # a wrapper of the project stands between
            made = tuple(replace(one, bare=False) for one in self._makers.of(around))
        wrapping = registrations.wrapping(self._analysis, env.node) if env.node in self._envs.make_calls else None
        if wrapping is not None and env.node in self._unwrapped:
            wrapping = replace(wrapping, limit=False, ordered=False, checked=False)
        return Env(
            env_apis.OLD_GYM if env.node in self._envs.adapted else env.api,
            env.certainty,
            self.provenance.evidence(env.node),
            self._endless.of(env),
            layers=_settled(env.layers, wrapping),
            doubtful=wrapping is not None and wrapping.doubtful and env_apis.TIME_LIMIT not in env.layers,
            made=made,
            usual=self._usual if env.api.vector and number in self._envs.promised and not made else None,
            maker=self._envs.makers.get(env.node, ""),
            unused=env.certainty == "by name" and env.node in self._unused.parameters,
        )

    @cached_property
    def _unwrapped(self) -> frozenset[int]:
        """The calls of `make` whose environments have no wrapper."""
        return unwrapped_makes(self._analysis)

    @cached_property
    def _usual(self) -> Autoreset | None:
        """How all vector environments reset that the program makes, if each call shows it."""
        made = [self._calls.of(node) for node in self._envs.modes]
        found = {visible_mode(one) for one in made if one is not None and not one.in_test}
        return found.pop() if len(found) == 1 else None

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
        if any(e.api == env_apis.KEPT_GYM for e in envs):
            return None
        if len({(e.api.step, e.api.reset, e.api.seed) for e in envs}) > 1:
            if len({e.api.vector for e in envs}) > 1 or not any(e.api.five for e in envs):
                return None
            if env_apis.FOREIGN in {e.api for e in envs} and not any(e.api.old_gym for e in envs):
                return None  # beside today's library, code that fits another one may well be for that
            envs, mixed = [e for e in envs if e.api.five], True
        best = min(envs, key=lambda e: (not e.api.vector, e.certainty != "proven", e.unlimited), default=None)
        if best is None:
            return None
        around = [e.layers for e in envs]
        layers = common_layers(around) or any_wrapper(around)
        made = tuple(dict.fromkeys(made for e in shown for made in e.made)) if all(e.made for e in shown) else ()
        doubtful = all(e.doubtful for e in envs)
        alone = best.api.vector and not all(e.api.vector for e in envs)
        usual = best.usual if all(e.usual == best.usual for e in envs) else None
        return replace(best, mixed=mixed, layers=layers, made=made, doubtful=doubtful, alone=alone, usual=usual)


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

"""What the call that makes an environment says of it: its ids, its mode, and how it draws."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import registrations, values
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.registrars import Registrars
from done_lint.analysis.values import Made
from done_lint.core.asked_once import asked_once
from done_lint.core.findings import Related
from done_lint.facts.classes.drawing_classes import DrawingClasses
from done_lint.facts.classes.own_attributes import OwnAttributes
from done_lint.facts.environments.asked_modes import AskedModes
from done_lint.facts.environments.old_infos import OldInfos
from done_lint.facts.environments.single_vectors import SingleVectors
from done_lint.facts.environments.single_wrappers import SingleWrappers
from done_lint.facts.ids.dead_ids import DeadIds
from done_lint.facts.provenance import Provenance
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.knowledge import env_id_apis, env_id_owners
from done_lint.knowledge.old_arguments import REGISTERED_VECTORS, VECTORIZATION
from done_lint.knowledge.rendering import RAISING
from done_lint.knowledge.vector_info_keys import FIXED_MODES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class MadeCalls:
    """Reads the calls that make environments, of the library's and of classes that are based on its vectors."""

    def __init__(
        self, analysis: Analysis, provenance: Provenance, attributes: OwnAttributes, single_vectors: SingleVectors
    ) -> None:
        """Read from a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._envs = analysis.envs
        self._attributes = attributes
        self._single_vectors = single_vectors
        self.modes = AskedModes(analysis)
        self._drawing = DrawingClasses(analysis)
        self._old_infos = OldInfos(analysis, provenance)
        self._single_wrappers = SingleWrappers(analysis)
        self._dead_ids = DeadIds(analysis)
        self._registrars = Registrars(analysis)

    @asked_once
    def of(self, node: int) -> Made | None:
        """The call that made an environment, with what a class of the project behind its id says about drawing."""
        made = self._envs.makes.get(node)
        if made is not None and made.function in FIXED_MODES:
            made = replace(made, mode=FIXED_MODES[made.function])
        elif made is not None and node in self._envs.modes:
            made = self._asked(replace(made, mode=self.modes.of(made, self._envs.modes[node])), node)
        if made is None:
            return self.subclassed(node)
        ids = registrations.made_ids(self._analysis, node)
        bare, single = registrations.makes_bare(self._analysis, node), self._single_vectors.is_single(node)
        task = bool(ids) and all(registrations.is_task(self._analysis, one) for one in ids)
        made = replace(made, ids=tuple(ids), bare=bare, task=task, single=single)
        if made.mode == "default" and self._may_bring_a_vector(made, node):
            made = replace(made, mode="unknown")
        entries = registrations.entries(self._analysis, node)
        if not entries:
            possible = self._possible_entries(node)
            alone = list(map(self._drawing.draws_by_itself, possible))
            if any(alone):
                # of several classes, one that is not the other may be what draws
                return replace(made, drawing="own" if all(alone) else "unknown")
            if not all(map(self._drawing.takes_mode, possible)):
                return replace(made, drawing="either")
            if self._may_be_of_others(made, ids) or (not task and not all(map(env_id_owners.is_known, ids))):
                return replace(made, drawing="unknown")
            return replace(made, drawing="raises") if ids and all(map(_raises, ids)) else made
        state = self._attributes.set_by_all(entries) if bare else frozenset[str]()
        taken = self._taken(entries, made.keywords)
        return replace(made, drawing=self._drawing.drawing(entries), state=state, taken=taken)

    def _may_be_of_others(self, made: Made, ids: Collection[str]) -> bool:
        """Whether an id is not seen, in a program that registers classes which are not seen, or whose packages may."""
        path = made.place.path
        if ids:
            return False
        together = self._analysis.imports.running_with([path])
        return bool(self._envs.unseen_entries) or self._registrars.of("", path, together) is not None

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

    def subclassed(self, node: int) -> Made | None:
        """What is known of a vector environment by a class of the project: who makes it may ask for a mode."""
        made = self._envs.subclassed.get(node)
        if made is None:
            return self._single_vectors.subclassed.get(node)
        return self._asked(replace(made, mode=self.modes.of_subclass(made)), node)

    def _asked(self, made: Made, node: int) -> Made:
        """The same with what shows the release that a vector environment was made for."""
        old = self._old_infos
        made = replace(made, old_infos=old.of(node), final_reads=old.handed_on(node), beside=old.beside(node))
        made = replace(made, own_beside=self._may_call_own(node), in_turn=self._in_turn.get(node))
        made = replace(made, written=self._written, in_test=self._analysis.imports.is_test(made.place.path))
        wrappers = self._single_wrappers
        made = replace(made, wrapped_as_single=wrappers.are_around(node), own_wrapper=wrappers.own_around(node))
        made = replace(made, either_wrapper=wrappers.either_around(node))
        return replace(made, dead_ids=self._dead_ids.are_all_of(node))

    def _may_call_own(self, node: int) -> bool:
        """Whether the call that gives a node may be one of a function or a class of the project, too."""
        called = map(self._solver.value, self._called(node))
        return any(isinstance(one, (values.FunctionRef, values.ClassRef)) for one in called)

    def _called(self, node: int) -> Collection[int]:
        """What the call that gives a node may call."""
        call = self._program.call_at(node)
        return self._solver.held[call[1]] if call is not None else ()

    @cached_property
    def _written(self) -> frozenset[str]:
        """The keys that the program writes into infos of single environments: `info["goals"] = ...`."""
        found: set[str] = set()
        for path, survey in self._program.surveys.items():
            for one in survey.waits(ops.SetItem):
                infos = self._solver.values(self._program.bases[path] + one.owner, values.Info)
                if isinstance(key := one.keys[-1], TextKey) and any(map(self._is_of_one, infos)):
                    found.add(key.text)
        return frozenset(found)

    def _is_of_one(self, info: values.Info) -> bool:
        env = self._solver.value(info.env)
        return isinstance(env, values.Environment) and not env.api.vector

    @cached_property
    def _in_turn(self) -> dict[int, Related]:
        """By vector environments that a function of the project makes, a call of it or of a class of the library's.

        `make = SyncVectorEnv if few else in_processes`, and then `make(functions)`: the function may take no mode.
        """
        found: dict[int, Related] = {}
        for node, argument in sorted(self._envs.modes.items()):
            made = self._envs.makes.get(node)
            called = map(self._solver.value, self._called(node))
            own = {FunctionId(one.path, one.index) for one in called if isinstance(one, values.FunctionRef)}
            if made is None or not own or self.modes.of(made, argument) not in ("default", "probable"):
                continue
            given = {one.node for one in self._solver.values(node, values.Environment)}
            inside = {one for one in self._envs.modes if self._program.home(one) in own}
            found |= dict.fromkeys((given & self._envs.modes.keys() | inside) - {node}, made.place)
        return found


def _raises(env_id: str) -> bool:
    """Whether the task of an id raises an error where it is rendered without a mode."""
    return env_id_apis.is_of_mujoco(env_id) or env_id_apis.registering_package(env_id) in RAISING

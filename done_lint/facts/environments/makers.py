"""Which calls made the environments that arrive somewhere, inside of the wrappers around them too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.analysis.unused_functions import UnusedParameters
from done_lint.analysis.values import Made
from done_lint.core.asked_once import asked_once
from done_lint.core.reach import reach
from done_lint.facts.environments.endless_episodes import EndlessEpisodes
from done_lint.facts.environments.made_calls import MadeCalls
from done_lint.knowledge.vector_sizes import WITHOUT_EPISODES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class Makers:
    """Looks through wrappers for the calls that made what is inside."""

    def __init__(self, analysis: Analysis, calls: MadeCalls, endless: EndlessEpisodes) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._classes = analysis.classes
        self._envs = analysis.envs
        self._calls = calls
        self._endless = endless
        self._unused_parameters = UnusedParameters(analysis)

    @asked_once
    def of(self, node: int) -> tuple[Made, ...]:
        """Every call that made what arrives at a node, inside the project's wrappers too; none if one is not seen."""
        made: dict[Made, None] = {}
        for one in reach([node], self._wrapped, breadth_first=True):
            envs = self._shown(one)
            calls = [self._calls.of(env.node) for env in envs if env.node not in self._endless.around]
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
        made = self._calls.subclassed(node) if node in self._envs.subclassed else None
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

    def inside(self, number: int) -> tuple[Made, ...]:
        """The calls that made an environment, or what stands inside of the wrappers that promise it."""
        if made := self.by_call(self._solver.get(number, values.Environment).node):
            return made
        owners = [one for one, promised in self._envs.inherited.items() if promised == number]
        inside = [self._inside(self._solver.get(one, values.Instance)) for one in sorted(owners)]
        calls = [self.of(one) if one is not None else () for one in inside]
        return tuple(dict.fromkeys(one for found in calls for one in found)) if all(calls) else ()

    def _inside(self, instance: values.Instance) -> int | None:
        """The node of what an instance of a wrapper class wraps."""
        if not self._classes.is_wrapper(instance.path, instance.index):
            return None
        return next(iter(self._classes.inside(instance.path, instance.index)), None)

    def by_call(self, node: int) -> tuple[Made, ...]:
        """The call that made an environment, if there is one."""
        made = self._calls.of(node)
        return (made,) if made is not None else ()

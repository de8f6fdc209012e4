"""What seeds of environments have to reach: the classes inside of the project's wrappers, and who resets them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import own_methods, registrations
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import Environment, Instance
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.kinds.environments import Seeding
from done_lint.knowledge import env_apis, env_id_apis, env_id_owners

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis
    from done_lint.facts.environments.inside import Inside
    from done_lint.flowgraph.schema import Function


class Seeds:
    """Reads what seeds have to reach from a solved graph."""

    def __init__(self, analysis: Analysis, graph: CallGraph, inside: Inside) -> None:
        """Read from a solved graph."""
        self._analysis = analysis
        self._graph = graph
        self._inside = inside

    def of(self, node: int) -> Seeding:
        """What a seed has to reach for what stands at a node."""
        if node not in self._seeded:
            return Seeding()
        made = list(self._inside.made(node))
        owners = [*self._inside.classes(node), *(owner for one in made for owner in self._inside.owners(one))]
        others = [one for one in made if not one.api.seed]
        own = any(map(self._seeds_more, owners)) or len(others) < len(made)
        without = any(not any(self._inside.owners(one)) for one in others if one.node not in self._inside.wrapped)
        return Seeding(
            own=own,
            others=own and (without or not all(map(self._seeds_more, owners))),
            refuses=any(map(self._refuses, self._inside.wrappers(node))),
            drawn=bool(made) and not owners and all(self._is_drawn(one) and self._is_reset(one) for one in made),
            method=any(self._method(one, "seed") for one in owners) or self._may_have_own(node, made),
            hidden=self._may_be_of(node, made, self._seeding_more),
            unseeded=self._may_be_of(node, made, self._taking_no_seed),
            lacking=self._is_lacking(node, owners),
            reset_by=self._reset_by(node, made),
        )

    def _is_lacking(self, node: int, owners: list[ClassId]) -> bool:
        """Whether all that arrives are instances of the project's classes, none of which has a `seed`."""
        solver = self._analysis.solver
        held = [solver.value(number) for number in solver.held[node]]
        known = not solver.is_widened(node) and all(isinstance(one, Instance) for one in held)
        return known and bool(owners) and not any(self._method(one, "seed") for one in owners)

    def _reset_by(self, node: int, made: list[Environment]) -> frozenset[Span]:
        """The calls in the file of a node that lead to a reset of an environment."""
        place = self._analysis.program.owner(node)
        homes = {home for one in made for home in self._resetting.get(one.node, ())}
        if place is None or not homes:
            return frozenset()
        leading = reach(sorted(homes), lambda home: self._graph.callers.get(home, {}).values())
        sites = (site for home in leading for site in self._graph.callers.get(home, ()))
        return frozenset(site.span for site in sites if site.path == place.path)

    @cached_property
    def _resetting(self) -> dict[int, set[FunctionId]]:
        """By the node where an environment was made, the functions that reset it."""
        program, found = self._analysis.program, dict[int, set[FunctionId]]()
        resets: dict[int, int] = {}
        for path, survey in program.surveys.items():
            base = program.bases[path]
            resets |= {base + one.target: base + one.source for one in survey.telling if one.name == "reset"}
        for node, _, called in program.calls():
            if called in resets and (home := program.home(node)) is not None:
                for env in self._inside.made(resets[called]):
                    found.setdefault(env.node, set()).add(home)
        return found

    def _may_have_own(self, node: int, made: list[Environment]) -> bool:
        """Whether an environment of which no class is seen may be one of the project's that define `seed`."""
        unseen = [one for one in made if not any(self._inside.owners(one)) and not self._is_drawn(one)]
        place = self._analysis.program.owner(node)
        return bool(unseen) and place is not None and own_methods.may_be_own(self._analysis, place.path, "seed")

    def _may_be_of(self, node: int, made: list[Environment], files: frozenset[str]) -> bool:
        """Whether an id is not visible, and the environment may be of a class of the project in one of some files."""
        unseen = any(not any(self._inside.owners(one)) and not self._is_known(one.node) for one in made)
        place = self._analysis.program.owner(node)
        if not unseen or place is None:
            return False
        return any(self._analysis.imports.together(path, place.path) for path in files)

    @cached_property
    def _seeding_more(self) -> frozenset[str]:
        """The files with environment classes whose own `seed` does what their `reset` does not."""
        return frozenset(one.path for one in self._environments("seed") if self._seeds_more(one))

    @cached_property
    def _taking_no_seed(self) -> frozenset[str]:
        """The files with environment classes whose `reset` takes no seed."""
        surveys = self._analysis.program.surveys
        return frozenset(
            one.path
            for one in self._environments("reset")
            if "reset without a seed" in surveys[one.path].classes[one.number].old_signs
        )

    def _environments(self, method: str) -> Iterator[ClassId]:
        """The environment classes of the project that define a method."""
        for path, survey in self._analysis.program.surveys.items():
            for index, made in enumerate(survey.classes):
                api, _ = self._analysis.classes.api_of_class(path, index)
                if method in made.methods and not survey.page and api in env_apis.SINGLE:
                    yield ClassId(path, index)

    def _is_known(self, node: int) -> bool:
        """Whether every id that is made is one of a library's."""
        ids = registrations.made_ids(self._analysis, node)
        return bool(ids) and all(map(env_id_owners.is_known, ids))

    def _is_drawn(self, env: Environment) -> bool:
        """Whether an environment is Gymnasium's own, or holds several of these."""
        return self._is_own(env.node) or (env.api.vector and self._holds_own(env.node))

    def _is_own(self, node: int) -> bool:
        ids = registrations.made_ids(self._analysis, node)
        return bool(ids) and all(map(env_id_apis.is_own, ids))

    def _holds_own(self, node: int) -> bool:
        """Whether the file that makes a vector environment of functions makes single ones of Gymnasium's own alone."""
        makes = self._analysis.envs.makes
        path = makes[node].place.path if node in makes else ""
        inside = [one for one, made in makes.items() if made.place.path == path and made.function.endswith(".make")]
        return bool(inside) and all(map(self._is_own, inside))

    def _is_reset(self, env: Environment) -> bool:
        """Whether the program resets an environment: itself, or in the vector environment that the same file makes."""
        place = self._analysis.program.owner(env.node)
        return env.node in self._reset or (place is not None and place.path in self._with_vectors)

    @cached_property
    def _with_vectors(self) -> frozenset[str]:
        """The files that make vector environments of functions, which these reset."""
        return frozenset(
            made.place.path for made in self._analysis.envs.makes.values() if made.function.endswith("VectorEnv")
        )

    @cached_property
    def _seeded(self) -> frozenset[int]:
        """The nodes of which `seed` is read."""
        return frozenset(self._read("seed"))

    @cached_property
    def _reset(self) -> frozenset[int]:
        """The nodes at which environments were made that are reset anywhere."""
        return frozenset(env.node for node in self._read("reset") for env in self._inside.made(node))

    def _read(self, method: str) -> Iterator[int]:
        """The nodes of which a method is read."""
        for path, survey in self._analysis.program.surveys.items():
            base = self._analysis.program.bases[path]
            yield from (base + read.source for read in survey.telling if read.name == method)

    def _seeds_more(self, owner: ClassId) -> bool:
        """Whether a class has a `seed` of its own that does more than Gym's, and a `reset` that uses no seed yet."""
        seed, reset = self._method(owner, "seed"), self._method(owner, "reset")
        return seed is not None and seed.seeds_more and not (reset is not None and reset.uses_seed)

    def _refuses(self, owner: ClassId) -> bool:
        """Whether the `reset` of a wrapper may raise an error at its second call, or takes no seed at all."""
        reset = self._method(owner, "reset")
        return reset is not None and (reset.refuses or not _takes_seed(reset))

    def _method(self, owner: ClassId, name: str) -> Function | None:
        found = self._analysis.classes.method_of(*owner, name)
        return self._analysis.program.function_at(found) if found is not None else None


def _takes_seed(reset: Function) -> bool:
    return reset.kwarg >= 0 or any(name == "seed" for name, _ in reset.params)

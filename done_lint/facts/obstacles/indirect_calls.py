"""Calls of environments' methods without their names: by a name in a variable, `methodcaller`, `seed = env.seed`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Environment, EnvMethod, External, FunctionRef, Text
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.obstacles.program_members import ProgramMembers
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_CHOOSES = "calls a method of an environment by a name in a variable"
#: The arguments of `getattr` that say what is read.
_NAMED = 2
_CALLERS = frozenset({"operator.methodcaller", "operator.attrgetter"})
#: Functions that run a text.
_RUNNING = frozenset({"builtins.exec", "builtins.eval", "builtins.compile"})
_RUNS = "runs a text that uses an environment"
_USING = (".step(", ".reset(")
_BY_NAME = "calls `{}` of whatever it is given"
_SEED = "seed"
_SEEDS = "calls the method `seed` of an environment by another name"


class IndirectCalls:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis, families: Families, members: ProgramMembers) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._families = families
        self._members = members
        #: What of the values that are called each question is about: of most calls there is nothing to ask.
        self._methods = self._solver.of_kinds(EnvMethod, FunctionRef)
        self._seeds = self._solver.chosen_of(EnvMethod, lambda one: one.name == _SEED)
        self._reading = self._solver.chosen_of(External, lambda one: one.dotted == "builtins.getattr")
        self._running_texts = self._solver.chosen_of(External, lambda one: one.dotted in _RUNNING)

    def of(self, path: str) -> Iterator[Obstacle]:
        """Those of a file."""
        yield from self._chosen(path)
        yield from self._asked(path)
        yield from self._named(path)
        yield from self._running(path)
        yield from self._written(path)
        yield from self._seeding(path)

    def _chosen(self, path: str) -> Iterator[Obstacle]:
        """The calls that may be a step or a reset here, and of another method there: `getattr(env, name)(*args)`."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for call in survey.waits(ops.Call) if not survey.page else ():
            called = base + call.called
            chosen = self._solver.holds(called, self._methods) and self._is_chosen(called)
            family = self._families.of_node(base + call.result) if chosen else None
            if family and self._families.has_gym_file(family):
                yield Obstacle(path, call.at, owner_name(survey, survey.homes.get(call.result, -1)), _CHOOSES, family)

    def _asked(self, path: str) -> Iterator[Obstacle]:
        """The calls by a name that nothing shows: `getattr(env, request["method"])(*request["args"])`.

        Where the same function also steps the environment by that name, the other names are of other methods.
        """
        survey, base = self._program.surveys[path], self._program.bases[path]
        read_steps = (survey.waiting.get(read.target, ()) for read in survey.telling if read.name == "step")
        steps = {survey.homes.get(one.result, -1) for found in read_steps for one in found if isinstance(one, ops.Call)}
        for read in survey.calls() if not survey.page else ():
            if not self._solver.holds(base + read.called, self._reading) or len(read.args) < _NAMED:
                continue
            owner, name = (base + one.node for one in read.args[:_NAMED])
            home = survey.homes.get(read.result, -1)
            calls = (one for one in survey.waiting.get(read.result, ()) if isinstance(one, ops.Call))
            if home in steps or self._solver.values(name, Text) or (call := next(calls, None)) is None:
                continue
            family = self._families.of_node(owner) if self._families.at(owner) else None
            if family and self._families.has_gym_file(family):
                yield Obstacle(path, call.at, owner_name(survey, home), _CHOOSES, family)

    def _is_chosen(self, called: int) -> bool:
        """Whether a call may be a step and a reset, or one of these and another method of the library's."""
        names = {method.name for method in self._solver.values(called, EnvMethod)}
        of_library = len(names) > 1 and not names.isdisjoint(("step", "reset"))
        return of_library or {"step", "reset"} <= self._names(called)

    def _names(self, node: int) -> set[str]:
        """The names of the methods that a node holds, of environments and of objects of the project."""
        functions = self._solver.values(node, FunctionRef)
        own = {self._program.function_at(FunctionId(one.path, one.index)).name for one in functions if one.bound}
        return own | {method.name for method in self._solver.values(node, EnvMethod)}

    def _named(self, path: str) -> Iterator[Obstacle]:
        """`methodcaller("step", 0)`, which somebody calls with any environment of the program."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for call in survey.calls() if "operator" in survey.imports and not survey.page else ():
            caller = any(one.dotted in _CALLERS for one in self._solver.values(base + call.called, External))
            names = self._solver.values(base + call.args[0].node, Text) if caller and call.args else ()
            name = next((one.text for one in names if one.text in ("step", "reset", "seed")), "")
            if name and (family := self._members.near(path)):
                owner = owner_name(survey, survey.homes.get(call.result, -1))
                yield Obstacle(path, call.at, owner, _BY_NAME.format(name), family)

    def _running(self, path: str) -> Iterator[Obstacle]:
        """`exec("obs, reward, done, info = env.step(0)")`."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for call in survey.calls() if not survey.page else ():
            if not call.args or not self._solver.holds(base + call.called, self._running_texts):
                continue
            texts = self._solver.values(base + call.args[0].node, Text)
            if any(word in one.text for one in texts for word in _USING) and (family := self._members.near(path)):
                yield Obstacle(path, call.at, owner_name(survey, survey.homes.get(call.result, -1)), _RUNS, family)

    def _written(self, path: str) -> Iterator[Obstacle]:
        """Texts that step an environment, in a file that runs texts."""
        for span in self._program.surveys[path].run_texts:
            if family := self._members.near(path):
                yield Obstacle(path, span, "", _RUNS, family)

    def _seeding(self, path: str) -> Iterator[Obstacle]:
        """The calls of a `seed` that was read before: `seed = env.seed`, `getattr(env, "seed")(3)`."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        reads = {read.target: survey.places.get(read.target) for read in survey.telling if read.name == _SEED}
        for call in survey.waits(ops.Call) if not survey.page else ():
            if not self._solver.holds(base + call.called, self._seeds):
                continue
            at = reads.get(call.called)
            if at is not None and at[:2] == call.at[:2]:
                continue
            methods = self._solver.values(base + call.called, EnvMethod)
            envs = [self._solver.get(one.env, Environment) for one in methods if one.name == _SEED]
            family = self._families.of_node(base + call.called) if any(_lacks_seed(one) for one in envs) else None
            if family and self._families.has_gym_file(family):
                yield Obstacle(path, call.at, owner_name(survey, survey.homes.get(call.result, -1)), _SEEDS, family)


def _lacks_seed(env: Environment) -> bool:
    """Whether environments of Gymnasium stand in its place one day, which have no method `seed`."""
    return env.api.five and not env.api.seed

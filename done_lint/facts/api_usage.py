"""Which library's API the uses of an environment are written for, where all of them together say so.

One use alone often does not tell: `obs[0]` is a number of an old observation, and the observation of a new pair. Nor
does a use in another program, which never runs with this one: only the class of the environment is in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis.program import FunctionId
from done_lint.analysis.registrations import made_ids
from done_lint.analysis.values import (
    Environment,
    EnvMethod,
    FunctionRef,
    Object,
    OwnStepResult,
    ResetResult,
    StepResult,
    Value,
)
from done_lint.core.asked_once import asked_once
from done_lint.core.findings import Family
from done_lint.core.reach import reach
from done_lint.facts.families import Families
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_id_apis import observes_two
from done_lint.knowledge.naming_conventions import info

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Members of families by the file that uses them.
_Uses = dict[str, set[str]]


class _Written(NamedTuple):
    """Members of families with a use that only one of the two APIs has."""

    gym: _Uses
    gymnasium: _Uses


#: What only a step of five values has.
_INFO = IndexKey(4)
#: The observation in both, since a reset gives a pair.
_FIRST = IndexKey(0)
#: The methods whose results one name may hold in turn.
_BOTH = ("reset", "step")
#: How far a name is followed back.
_NEAR = 20


class ApiUsage:
    """Tells the families whose every use is written for the API of old Gym."""

    def __init__(self, analysis: Analysis, families: Families) -> None:
        """Look at every use that tells one from the other."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._families = families
        self._receivers: dict[int, Family | None] = {}
        self._of_nodes: dict[int, Family] = {}
        self._imports = analysis.imports
        self._classes = analysis.classes
        #: Such uses in the methods of environment classes, which change before their callers, and elsewhere.
        self._inside, self._outside = _Written({}, {}), _Written({}, {})
        #: The files with such uses, by family, and for whom.
        self._files: dict[tuple[Family, bool], tuple[list[str], list[str]]] = {}
        #: Members of the families from whose observations two numbers are taken.
        self._of_numbers: set[str] = set()
        for path, survey in analysis.program.surveys.items():
            base = analysis.program.bases[path]
            for node, uses in self._uses(survey, base):
                uses.setdefault(path, set()).update(self._family(node))

    @asked_once
    def is_gym_only(self, node: int) -> bool:
        """Whether nothing that is done with the environments of a node is written for Gymnasium, and something for Gym.

        An import of Gym is such a thing: releases of Gym with five values show them somewhere. Where another program is
        written for Gymnasium, only what runs together with the node's own file counts.
        """
        if self._is_written_as_five(node):
            return False
        gym, gymnasium = self._uses_of(node)
        if not gymnasium:
            return bool(gym) or self._families.has_gym_file(self._family(node))
        owner = self._program.owner(node)
        if owner is None or any(self._imports.together(path, owner.path) for path in gymnasium):
            return False
        return any(self._imports.together(path, owner.path) for path in gym)

    def is_used_as_gym(self, node: int) -> bool:
        """The same, where more tells of Gym than an import: four values that are taken apart, or a seed."""
        gym, _ = self._uses_of(node)
        return bool(gym) and self.is_gym_only(node)

    def takes_numbers(self, node: int) -> bool:
        """Whether a program for old Gym takes two numbers out of such observations as the resets of a node give."""
        found = not self._of_numbers.isdisjoint(self._family(node))
        return found and self.observes_two(node) and self.is_used_as_gym(node)

    def observes_two(self, node: int) -> bool:
        """Whether two values that a node takes from resets may be two numbers of an observation.

        The ids are of such tasks, or classes of the project were called whose `reset` returns no pair.
        """
        resets = self._solver.values(node, ResetResult)
        return bool(resets) and all(self._has_two_numbers(one) or self._is_of_own(one) for one in resets)

    def _has_two_numbers(self, reset: ResetResult) -> bool:
        ids = made_ids(self._analysis, self._solver.get(reset.env, Environment).node)
        return bool(ids) and all(map(observes_two, ids))

    def _is_of_own(self, reset: ResetResult) -> bool:
        """Whether methods of the project were called, none of which returns a pair or what another reset gave."""
        _, called = self._program.call_at(reset.node) or (None, -1)
        methods = self._solver.values(called, FunctionRef) if called >= 0 else []
        return bool(methods) and not any(map(self._gives_pair, methods))

    def _gives_pair(self, method: FunctionRef) -> bool:
        """Whether a `reset` returns a pair, where that is no observation as the class's own `step` returns it."""
        function = self._program.function_at(FunctionId(method.path, method.index))
        result = self._program.bases[method.path] + function.result
        if self._solver.all(result, ResetResult):
            return True
        step = self._classes.method_of(method.path, function.owner, "step") if function.owner >= 0 else None
        return self._holds_pair(result) and not (step is not None and self._observes_pairs(step))

    def _observes_pairs(self, step: FunctionId) -> bool:
        result = self._program.bases[step.path] + self._program.function_at(step).result
        rows = [one for one in self._solver.all(result, Object) if self._objects.widths.get(one) == 4]
        observations = (self._objects.fields.get((one, IndexKey(0))) for one in rows)
        return any(one is not None and self._holds_pair(one) for one in observations)

    def _holds_pair(self, node: int) -> bool:
        return any(self._objects.widths.get(one) == 2 for one in self._solver.all(node, Object))

    def _uses_of(self, node: int) -> tuple[list[str], list[str]]:
        """The files that use the family of a node as Gym's, and those that use it as Gymnasium's.

        For those who call the methods of environment classes, that is what such code does.
        """
        family, home = self._family(node), self._program.home(node)
        inside = home is not None and self._is_of_environment(home)
        if (family, inside) not in self._files:
            within, without = ([_files_of(one, family) for one in uses] for uses in (self._inside, self._outside))
            both = [[*one, *other] for one, other in zip(within, without)]
            gym, gymnasium = without if any(without) and not inside else both
            self._files[family, inside] = gym, gymnasium
        return self._files[family, inside]

    def _is_written_as_five(self, node: int) -> bool:
        """Whether the project's own `step` writes the five values that arrive at a node."""
        return any(self._objects.widths.get(number) == 5 for number in self._solver.all(node, Object)) and self._holds(
            node, OwnStepResult
        )

    def _family(self, node: int) -> Family:
        """The families of a node; of what the project's own methods return, those of the objects that were called."""
        if node not in self._of_nodes:
            self._of_nodes[node] = self._found_family(node)
        return self._of_nodes[node]

    def _found_family(self, node: int) -> Family:
        found = [self._families.of_node(node)]
        for number in self._solver.held[node]:
            value = self._solver.value(number)
            if isinstance(value, (OwnStepResult, ResetResult)):
                found.append(self._of_receiver(value.node))
        return self._families.union(family for family in found if family)

    def _of_receiver(self, call: int) -> Family | None:
        """The families of the object that a method is called on, by the node of what the call gives."""
        if call not in self._receivers:
            _, called = self._program.call_at(call) or (None, -1)
            receiver, _ = (self._program.attribute_at(called) if called >= 0 else None) or (-1, "")
            self._receivers[call] = self._families.of_node(receiver) if receiver >= 0 else None
        return self._receivers[call]

    def _uses(self, survey: Survey, base: int) -> Iterator[tuple[int, _Uses]]:
        """The nodes that are used as only one API allows, and that API's uses."""
        for unpack in survey.waits(ops.Unpack):
            node = base + unpack.source
            home = survey.homes.get(unpack.targets[0], -1) if unpack.targets else -1
            written = self._inside if self._is_of_environment(FunctionId(survey.path, home)) else self._outside
            tested = bool(unpack.targets[:1]) and unpack.targets[0] in survey.tested
            if unpack.star >= 0 or (tested and unpack.arity == 4):
                continue  # where five values are unpacked beside the four, it is written for both
            if unpack.arity in (4, 5) and self._holds(node, StepResult, OwnStepResult):
                yield node, written.gymnasium if unpack.arity == 5 else written.gym
            elif unpack.arity == 2 and self._holds(node, ResetResult) and not self._is_channel(node):
                second = survey.names.get(unpack.targets[1], "")
                if info(second) or not second.strip("_") or not self.observes_two(node):
                    yield node, written.gymnasium
                else:
                    self._of_numbers.update(self._family(node))
        for item in survey.waits(ops.Item):
            node = base + item.source
            steps = self._holds(node, StepResult, OwnStepResult)
            if steps and (item.keys[:1] == (_INFO,) or (item.keys[:1] == (_FIRST,) and self._takes_turns(node))):
                yield node, self._outside.gymnasium
        yield from ((base + read.target, self._outside.gym) for read in survey.telling if self._seeds(survey, read))

    def _takes_turns(self, node: int) -> bool:
        """Whether a name holds what a reset gave, and later what a step gave: each is read as a tuple, so both are one.

        `state = env.reset()`, in the loop `act(state[0])` and `state = env.step(action)`. What comes through functions
        and pipes is left, where one node stands for answers to several questions.
        """

        def before(one: int) -> Iterator[int]:
            edges = self._solver.predecessors[one] if self._program.call_at(one) is None else ()
            return (edge.source for edge in edges if edge.way == "flow")

        calls = [one for one in reach([node], before, bound=_NEAR) if self._program.call_at(one) is not None]
        asked = {method: {self._program.home(one) for one in calls if method in self._methods(one)} for method in _BOTH}
        return not set.isdisjoint(*asked.values())

    def _methods(self, call: int) -> Iterator[str]:
        """The methods of environments that a call asks."""
        _, called = self._program.call_at(call) or (None, -1)
        return (one.name for one in self._solver.values(called, EnvMethod)) if called >= 0 else iter(())

    def _seeds(self, survey: Survey, read: ops.Attribute) -> bool:
        """Whether an environment is seeded as Gym's are; `env.unwrapped.seed` is a method of the class's own today."""
        base = self._program.bases[survey.path]
        called = any(isinstance(one, ops.Call) for one in survey.waiting.get(read.target, ()))
        if read.name != "seed" or not called or not self._holds(base + read.target, EnvMethod):
            return False
        _, before = self._program.attribute_at(base + read.source) or (0, "")
        return before != "unwrapped" or "gymnasium" not in survey.packages

    def _is_of_environment(self, home: FunctionId) -> bool:
        """Whether a function is a method of an environment class."""
        owner = self._program.function_at(home).owner if home.number >= 0 else -1
        return owner >= 0 and self._classes.api_of_class(home.path, owner)[0] is not None

    def _is_channel(self, node: int) -> bool:
        """Whether messages of several kinds arrive: `command, data`, or rows of four beside the pair that is taken."""
        widths = {self._objects.widths.get(number) for number in self._solver.all(node, Object)}
        return {2, 4} <= widths or self._objects.takes_messages(node)

    def _holds(self, node: int, *kinds: type[Value]) -> bool:
        """Whether what only an environment of five values gives arrives at a node."""
        held = (self._solver.value(number) for number in self._solver.held[node])
        return any(
            isinstance(value, kinds)
            and isinstance(value, (EnvMethod, StepResult, OwnStepResult, ResetResult))
            and self._solver.get(value.env, Environment).api.five
            for value in held
        )


def _files_of(uses: _Uses, family: Family) -> list[str]:
    """The files that use one of a family."""
    return [path for path, members in uses.items() if not members.isdisjoint(family)]

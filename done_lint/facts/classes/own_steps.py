"""Environment classes whose `step` answers in five values of the project's own: `obs, reward, cost, done, info`.

No release of Gym or Gymnasium has the end of the episode in the fourth place. Such a class inherits from `Env` for its
spaces and its name alone, if nothing of a library takes its objects: what its `reset` gives is up to the project too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import ClassRef, External, FunctionRef, Instance, Object
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.env_apis import STEP_WIDTHS
from done_lint.knowledge.naming_conventions import is_end_late

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_FIVE = max(STEP_WIDTHS)
#: Of what takes an object, the package that makes nothing of an environment.
_PLAIN = "builtins."
#: How deep functions and containers with an object are followed.
_DEPTH = 3


class OwnSteps:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program

    def has(self, step: FunctionId, family: Collection[ClassId]) -> bool:
        """Whether a `step` is such a one, and no object of its class or of those around it is handed to a library.

        Args:
            step: the method.
            family: its class, those that it inherits from, and those that inherit from any of these.
        """
        result = self._program.bases[step.path] + self._program.function_at(step).result
        widths = self._analysis.objects.widths
        returned = self._solver.held[result]
        if not returned or any(widths.get(one) != _FIVE for one in returned):
            return False
        return all(map(self._is_own, returned)) and not self._is_taken(frozenset(family))

    def _is_own(self, number: int) -> bool:
        """Whether five values that are returned are in such an order, by who returns or by all who take them apart."""
        if number in self._taken_by_four:
            return False  # who does so means the values of old Gym
        home = self._program.owner(self._solver.get(number, Object).node)
        survey = self._program.surveys[home.path] if home is not None else None
        function = survey.homes.get(home.node, -1) if survey is not None and home is not None else -1
        if survey is not None and function >= 0 and survey.functions[function].own_five:
            return True
        names = self._taken_apart.get(number, ())
        return bool(names) and all(third and is_end_late(third, fourth) for third, fourth in names)

    @cached_property
    def _taken_apart(self) -> dict[int, list[tuple[str, str]]]:
        """By five values, the names of the third and the fourth where they are taken apart."""
        found: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
        widths = self._analysis.objects.widths
        for path, survey in self._program.surveys.items():
            for one in survey.waits(ops.Unpack):
                for number in self._solver.held[self._program.bases[path] + one.source]:
                    if widths.get(number) == _FIVE == one.arity and one.star < 0:
                        third, fourth = (survey.names.get(target, "") for target in one.targets[2:4])
                        found[number].append((third, fourth))
        return found

    @cached_property
    def _taken_by_four(self) -> frozenset[int]:
        """The tuples of five values of which something takes four: it raises an error, whatever their order is."""
        widths = self._analysis.objects.widths
        return frozenset(
            number
            for path, survey in self._program.surveys.items()
            for one in survey.waits(ops.Unpack)
            if one.arity == min(STEP_WIDTHS) and one.star < 0
            for number in self._solver.held[self._program.bases[path] + one.source]
            if widths.get(number) == _FIVE
        )

    # --- who takes them ----------------------------------------------------------------------------

    def _is_taken(self, family: frozenset[ClassId]) -> bool:
        """Whether a call of a library or of what is unknown is given an object of some classes, or what makes one."""
        return any(any(self._makes(number, family, _DEPTH) for number in given) for given in self._given_away)

    def _makes(self, number: int, family: frozenset[ClassId], depth: int) -> bool:
        value = self._solver.value(number)
        if isinstance(value, (Instance, ClassRef)):
            return ClassId(value.path, value.index) in family
        nodes: Collection[int] = ()
        if isinstance(value, FunctionRef):
            function = self._program.function_at(FunctionId(value.path, value.index))
            nodes = (self._program.bases[value.path] + function.result,)
        elif isinstance(value, Object):
            nodes = self._fields.get(number, ())
        return depth > 0 and any(
            self._makes(one, family, depth - 1) for node in nodes for one in self._solver.held[node]
        )

    @cached_property
    def _fields(self) -> dict[int, list[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for (owner, _), node in self._analysis.objects.fields.items():
            found[owner].append(node)
        return found

    @cached_property
    def _given_away(self) -> list[tuple[int, ...]]:
        """The values of the arguments of all calls that may be a library's."""
        return [
            self._solver.held[base + node]
            for path, survey in self._program.surveys.items()
            for base in (self._program.bases[path],)
            for call in survey.calls()
            if self._is_of_library(base + call.called)
            for node in _arguments(call)
            if node
        ]

    def _is_of_library(self, called: int) -> bool:
        """Whether a call may be one of a library, or of a class of the project that is a library's environment."""
        held = [self._solver.value(number) for number in self._solver.held[called]]
        return not held or any(
            (isinstance(one, External) and not one.dotted.startswith(_PLAIN))
            or (isinstance(one, ClassRef) and self._analysis.classes.api_of_class(one.path, one.index)[0] is not None)
            for one in held
        )


def _arguments(call: ops.Call | ops.LibraryCall) -> Iterator[int]:
    yield from (node for node, _ in call.args)
    yield from (node for _, node, _ in call.keywords)

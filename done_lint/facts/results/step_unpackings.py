"""Where the results of steps are taken apart, and whether who does it asks before how many values there are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import ClassRef, Instance
from done_lint.facts.classes.own_apis import is_step
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.env_apis import BY_ARGUMENT, STEP_WIDTHS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_FOUR, _ = STEP_WIDTHS


class StepUnpackings:
    """Reads from a solved graph who takes which values of a step."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._classes = analysis.classes
        self._envs = analysis.envs

    @cached_property
    def all(self) -> Sequence[tuple[str, ops.Unpack]]:
        """Where the result of a step is taken apart, with the file."""
        return [
            (path, operation)
            for path, survey in self._program.surveys.items()
            for operation in survey.waits(ops.Unpack)
            if operation.targets and is_step(self._solver, self._program.bases[path] + operation.source)
        ]

    @cached_property
    def arities(self) -> dict[FunctionId, set[int]]:
        """Into how many targets each function takes the results of steps apart."""
        found: dict[FunctionId, set[int]] = {}
        for path, operation in self.all:
            if (home := self._program.surveys[path].homes.get(operation.targets[0])) is not None:
                found.setdefault(FunctionId(path, home), set()).add(operation.arity)
        return found

    @cached_property
    def observations(self) -> frozenset[int]:
        """What takes the observation of a step."""
        return frozenset(self._program.bases[path] + one.targets[0] for path, one in self.all)

    def is_counted_first(self, number: int) -> bool:
        """Whether whatever takes the four values of a step apart has asked before how many there are.

        Such a class is there for the adapter that asks: what is tested are both forms.
        """
        taken = [
            self._program.is_guarded(self._program.bases[path] + one.targets[0])
            for path, one in self.all
            if number in self._solver.held[self._program.bases[path] + one.source] and one.arity == _FOUR
        ]
        return bool(taken) and all(taken)

    def is_wrapped(self, path: str, method: int) -> bool:
        """Whether the class of a method is handed to what steps it as the library does, and not to who asks alone."""
        owner = Instance(path, self._program.surveys[path].functions[method].owner)
        wrapped = (inner for inner, _, api in self._envs.wrapped if api.five or api == BY_ARGUMENT)
        if any(owner in self._solver.values(inner, Instance) for inner in wrapped):
            return True
        return any(
            self._classes.method_of(made.path, made.index, "step") is None
            for where, survey in self._program.surveys.items()
            for call in survey.calls()
            for made in self._solver.values(self._program.bases[where] + call.called, ClassRef)
            if any(
                owner in self._solver.values(self._program.bases[where] + node, Instance)
                for node in (*(one for one, _ in call.args), *(one for _, one, _ in call.keywords))
                if node
            )
        )

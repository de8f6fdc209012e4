"""What gives four of five values to who asks for these: adapters of the project, and steps that it assigns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import FunctionRef
from done_lint.core.findings import Family
from done_lint.facts.classes.old_stacks import OldStacks
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.env_apis import STEP_WIDTHS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_ADAPTS = "gives the wrappers above it four of five values"
_ASSIGNED = "gives an environment a `step` that returns four of five values"
#: How many values a step gives.
_FOUR, _FIVE = STEP_WIDTHS


class FourOfFive:
    """Looks for it in a solved graph."""

    def __init__(self, analysis: Analysis, families: Families, stacks: OldStacks) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._families = families
        self._stacks = stacks

    def assigned(self, path: str) -> Iterator[Obstacle]:
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

    def adapters(self) -> Iterator[Obstacle]:
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

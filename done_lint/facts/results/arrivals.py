"""Where a number of values is taken apart, and another number of them arrives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.values import Environment, Object, StepResult
from done_lint.core.findings import Span
from done_lint.facts.families import Families
from done_lint.facts.kinds.results import Unequal
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_apis import GYMNASIUM, GYMNASIUM_VECTOR

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class Arrivals:
    """Reads from a solved graph what arrives where something is unpacked."""

    def __init__(self, analysis: Analysis, families: Families) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._families = families

    def of(self, survey: Survey) -> dict[Span, Unequal]:
        """The targets of a file that take another number of values than some value that arrives has."""
        base = self._program.bases[survey.path]
        found: dict[Span, Unequal] = {}
        for unpack in survey.waits(ops.Unpack):
            node = base + unpack.source
            if unpack.star >= 0 or not unpack.targets or self._solver.is_widened(node):
                continue
            unequal = self._unequal(node, unpack.arity)
            if unequal is not None and not self._program.is_guarded(base + unpack.targets[0]):
                found[unpack.at] = unequal
        return found

    def _unequal(self, node: int, arity: int) -> Unequal | None:
        """What arrives at a node and has another number of values."""
        made: list[tuple[str, Span]] = []
        fitting: list[tuple[str, Span]] = []
        apis: set[str] = set()
        today = False
        for number in self._solver.held[node]:
            value = self._solver.value(number)
            if isinstance(value, Object) and (width := self._objects.widths.get(number)) is not None:
                (fitting if width == arity else made).extend(self._places(value.node))
            elif isinstance(value, StepResult):
                env = self._solver.get(value.env, Environment)
                api = env.api
                if len(api.step) == arity:
                    fitting.extend(self._places(env.node))
                elif api.step:
                    apis.add(api.name)
                    today = today or api in (GYMNASIUM, GYMNASIUM_VECTOR)
        if not made and not apis:
            return None
        family = self._families.of_node(node) or frozenset()
        return Unequal(arity, tuple(sorted(made)), frozenset(apis), family, today, tuple(sorted(fitting)))

    def _places(self, node: int) -> Iterator[tuple[str, Span]]:
        """Where the tuple of a node is written, or its environment made."""
        owner = self._program.owner(node)
        place = self._program.surveys[owner.path].places.get(owner.node) if owner is not None else None
        if owner is not None and place is not None:
            yield owner.path, place

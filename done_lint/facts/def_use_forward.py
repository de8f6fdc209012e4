"""What else a stored flag is used for than to cut a value target: uses that *terminated* in its place would break."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.solver import ELEMENTWISE
from done_lint.analysis.values import ChosenNone, Object
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD
from done_lint.flowgraph import operations as ops
from done_lint.knowledge import array_functions

if TYPE_CHECKING:
    from done_lint.analysis.linker import Linker


class SecondUses:
    """Follows a flag forward from where it is stored."""

    def __init__(self, linker: Linker) -> None:
        """Of a solved linker."""
        self.linker = linker

    def hindrance(self, site: tuple[str, Span], source: int) -> str:
        """Why the flag of `source`, stored at `site`, cannot become *terminated*, in one clause; empty: it can."""
        stored = self._stores.get((source, site), ())
        if len(stored) > 1:
            stored = [target for target in self.linker.successors[source] if target in stored]
        return self._follow("the stored flag", stored)

    @cached_property
    def _stores(self) -> dict[tuple[int, object], list[int]]:
        """Where a value goes at a place, by the node of the value and the place."""
        found: dict[tuple[int, object], list[int]] = {}
        for target, before in enumerate(self.linker.predecessors):
            for source, _, passage in before:
                if passage is not None and target in self.linker.successors[source]:
                    found.setdefault((source, passage.place), []).append(target)
        return found

    def hindrance_of_none(self, test: int) -> str:
        """The same, where a flag decides by `test` whether something is None, for those who ask whether it is."""
        linker = self.linker
        asked = (
            asking
            for asking, about in linker.absences.items()
            if any(one.test == test for one in linker.values(about, ChosenNone))
        )
        return self._follow("what is None here", asked)

    def _follow(self, subject: str, starts: Iterable[int]) -> str:
        """What a flag is used for that starts at these nodes."""

        def mixed(nodes: Iterable[int]) -> list[int]:
            return [node for node in nodes if any(map(flag_lattice.mixed, self.linker.flags(node)))]

        def behind(node: int) -> list[int]:
            return mixed((*self.linker.successors[node], *self._combined.get(node, ())))

        for node in reach(mixed(starts), behind, bound=FORWARD, breadth_first=True):
            if node in self._tested:
                return f"{subject} also decides where an episode ends"
            if node in self._located:
                return f"{subject} also tells where in the store episodes end"
            if node in self._carried:
                return f"{subject} also cuts a recursion over time"
        return ""

    @cached_property
    def _tested(self) -> set[int]:
        """What an `if` or `while` tests, where the test is no sink itself."""
        found: set[int] = set()
        for path, survey in self.linker.surveys.items():
            base = self.linker.bases[path]
            sinks = {branch.span for branch in survey.branches}
            found.update(base + local for local, at in survey.tests if at not in sinks)
        return self._with_elements(found)

    @cached_property
    def _located(self) -> set[int]:
        """Arrays in which the place of a flag is asked for: `np.cumsum(dones)`, `dones.nonzero()`."""
        found: set[int] = set()
        for path, survey in self.linker.surveys.items():
            base = self.linker.bases[path]
            attributes = [
                operation
                for asked in survey.naming.values()
                for operation in asked
                if isinstance(operation, ops.Attribute) and operation.name in array_functions.LOCATING
            ]
            found.update(base + operation.source for operation in attributes)
            asking = {operation.target for operation in attributes}
            for binding in survey.bindings:
                if isinstance(binding, ops.External) and binding.dotted.rpartition(".")[2] in array_functions.LOCATING:
                    asking.add(binding.target)
            # `np.where` of three is a choice
            found.update(
                base + op.args[0].node for op in survey.calls() if op.called in asking and 1 <= len(op.args) <= 2
            )
        return self._with_elements(found) | self._inside(found)

    def _inside(self, nodes: set[int]) -> set[int]:
        """What the arrays hold that arrive at these nodes."""
        linker = self.linker
        arrays = {
            number
            for node in nodes
            for number in linker.all(node, Object)
            if linker.get(number, Object).shape in ELEMENTWISE
        }
        return {field for number in arrays for _, field in linker.owned.get(number, ())}

    @cached_property
    def _carried(self) -> set[int]:
        """The factors of what a loop carries on."""
        found: set[int] = set()
        for (path, index), (_, nodes) in self.linker.products.items():
            if self.linker.surveys[path].products[index].carried:
                found.update(nodes)
        return self._with_elements(found)

    @cached_property
    def _combined(self) -> dict[int, list[int]]:
        """Where a flag goes through an operation that is no edge: unions, choices."""
        found: dict[int, list[int]] = {}
        ways = [(node, target) for target, (inputs, _) in self.linker.combinations.items() for node in inputs]
        for test, a, ca, b, cb, c in self.linker.conditions.values():
            ways += [(node, c) for node in ((test,) if ca and cb else (a, b))]
        for node, target in ways:
            if node in self.linker.flats:
                found.setdefault(self.linker.flats[node], []).append(target)
        return found

    def _with_elements(self, nodes: set[int]) -> set[int]:
        """And the nodes at which the flags in arrays arrive that these hold."""
        return nodes | {self.linker.flats[node] for node in nodes if node in self.linker.flats}

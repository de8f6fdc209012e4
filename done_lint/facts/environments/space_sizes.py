"""Sizes of spaces (`env.action_space.n`) that go, as they are, to calls of packages that want Python's integers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.solver import ALL
from done_lint.analysis.values import External
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.array_functions import LAYERS_TAKING_INTEGERS, TAKING_INTEGERS
from done_lint.knowledge.env_members import SPACES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


_PACKAGES = TAKING_INTEGERS | {name.partition(".")[0] for name in LAYERS_TAKING_INTEGERS}


class SpaceSizes:
    """Follows the sizes of spaces through the assignments and calls of a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program

    def of(self, survey: Survey) -> frozenset[Span]:
        """The expressions of a file that are such sizes."""
        if not self._asked:
            return frozenset()
        base = self._program.bases[survey.path]
        return frozenset(survey.places[node] for node in _sizes(survey) if self._arrives(base + node))

    def _arrives(self, size: int) -> bool:
        """Whether a call that wants an integer is given what a node holds, however many names it passes."""
        return any(node in self._asked for node in reach([size], self._behind, bound=FORWARD))

    def _behind(self, node: int) -> list[int]:
        followed = [target for target, mode in self._solver.successors[node].items() if mode == ALL]
        return [*followed, *self._chosen.get(node, ())]

    @cached_property
    def _chosen(self) -> Mapping[int, list[int]]:
        """What two branches, or the sides of an expression, leave behind: `n if discrete else shape[0]`, `n + 1`."""
        found: dict[int, list[int]] = {}
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for choice in survey.choices:
                for side in (choice.a, choice.b):
                    found.setdefault(base + side, []).append(base + choice.result)
            for node, operations in survey.waiting.items():
                results = [base + one.result for one in operations if isinstance(one, (ops.Sum, ops.Times))]
                found.setdefault(base + node, []).extend(results)
        return found

    @cached_property
    def _asked(self) -> frozenset[int]:
        """The arguments of these calls."""
        wanting = self._solver.chosen_of(External, _wants_integers)
        return frozenset(
            self._program.bases[path] + node
            for path, survey in self._program.surveys.items()
            if not _PACKAGES.isdisjoint(survey.packages)
            for call in survey.calls()
            if self._solver.holds(self._program.bases[path] + call.called, wanting)
            for node in (*(one.node for one in call.args), *(one.node for one in call.keywords))
            if node
        )


def _wants_integers(function: External) -> bool:
    return function.dotted in LAYERS_TAKING_INTEGERS or function.dotted.partition(".")[0] in TAKING_INTEGERS


def _sizes(survey: Survey) -> Iterator[int]:
    """The nodes of `env.action_space.n` and its like that have a place."""
    reactions = (one for asked in survey.naming.values() for one in asked)
    attributes = [one for one in (*survey.bindings, *reactions) if isinstance(one, ops.Attribute)]
    spaces = {one.target for one in attributes if one.name in SPACES}
    return (
        one.target for one in attributes if one.name == "n" and one.source in spaces and one.target in survey.places
    )

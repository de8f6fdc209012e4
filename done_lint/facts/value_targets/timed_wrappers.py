"""Wrappers of the project whose observation tells the time: at a limit of theirs no value is lost."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.core.findings import Related
from done_lint.facts.provenance import Provenance

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class TimedWrappers:
    """Finds them by their `step`."""

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """Look at nothing yet."""
        self._program = analysis.program
        self._provenance = provenance

    def tell(self, way: list[int], trace: tuple[Related, ...]) -> bool:
        """Whether a flag comes through the `step` of a wrapper of the project whose observation tells the time."""
        if not self._steps:
            return False
        places = [*map(self._provenance.place, way), *trace]
        return any(
            first <= at.span.row <= last
            for at in places
            if at is not None
            for first, last in self._steps.get(at.path, ())
        )

    @cached_property
    def _steps(self) -> dict[str, list[tuple[int, int]]]:
        """By file: the rows of the `step` methods of such wrappers."""
        found: dict[str, list[tuple[int, int]]] = {}
        for path, survey in self._program.surveys.items():
            if rows := [one.timed for one in survey.classes if one.timed is not None]:
                found[path] = rows
        return found

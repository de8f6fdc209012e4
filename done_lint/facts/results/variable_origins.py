"""From where variables have their values, in whatever branch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from done_lint.analysis import versions
from done_lint.core.reach import reach

if TYPE_CHECKING:
    from done_lint.analysis.program import Program


class VariableOrigins:
    """Follows the versions of variables back."""

    def __init__(self, program: Program) -> None:
        """Look at no file yet."""
        self._program = program
        self._known: dict[str, Mapping[int, list[int]]] = {}

    def of(self, path: str, local: int) -> list[int]:
        """The nodes from which a variable has its values."""
        if path not in self._known:
            self._known[path] = versions.sources(self._program.surveys[path])
        known = self._known[path]
        every = reach([local], lambda node: known.get(node, ()))
        return [self._program.bases[path] + node for node in every if node not in known]

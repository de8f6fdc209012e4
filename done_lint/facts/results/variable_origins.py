"""From where variables have their values, in whatever branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.program import Program


class VariableOrigins:
    """Follows the versions of variables back, by assignments and joins of branches alone."""

    def __init__(self, program: Program) -> None:
        """Look at no file yet."""
        self._program = program
        self._known: dict[str, dict[int, list[int]]] = {}

    def of(self, path: str, local: int) -> list[int]:
        """The nodes from which a variable has its values."""
        sources = self._sources(path)
        versions = reach([local], lambda node: sources.get(node, ()))
        return [self._program.bases[path] + node for node in versions if node not in sources]

    def _sources(self, path: str) -> dict[int, list[int]]:
        """Where the versions of the variables of a file come from."""
        if path not in self._known:
            found = self._known.setdefault(path, {})
            survey = self._program.surveys[path]
            for operation in survey.bindings:
                if isinstance(operation, ops.Copy):
                    found.setdefault(operation.target, []).append(operation.source)
            for choice in survey.choices:
                found.setdefault(choice.result, []).extend((choice.a, choice.b))
        return self._known[path]

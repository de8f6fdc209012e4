"""Names that say what is stored: with *terminated* in `done_or_truncated`, the name would say what is not true."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.flowgraph.keys import AttributeKey, TextKey
from done_lint.knowledge import naming_conventions

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class NamesOfTruncation:
    """Finds such names of parameters, variables and fields."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._program = analysis.program
        self._objects = analysis.objects

    def first(self, reached: Collection[int]) -> str:
        """The first name of truncation that a flag comes to at these nodes, in one clause; empty: there is none."""
        names = (self._fields.get(node) or self._variable(node) for node in reached)
        found = next(filter(naming_conventions.truncated, names), "")
        return f"the stored flag goes into `{found}`, whose name says that truncations are in it" if found else ""

    def _variable(self, node: int) -> str:
        owner = self._program.owner(node)
        return "" if owner is None else self._program.surveys[owner.path].names.get(owner.node, "")

    @cached_property
    def _fields(self) -> dict[int, str]:
        """The names of the fields of objects, by their nodes."""
        fields = (one for owned in self._objects.owned.values() for one in owned)
        named = ((node, key) for key, node in fields if isinstance(key, (AttributeKey, TextKey)))
        return {node: key.name if isinstance(key, AttributeKey) else key.text for node, key in named}

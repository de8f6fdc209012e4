"""Keys of final observations and infos that a program puts into the infos of a step by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.flowgraph.keys import TextKey
from done_lint.knowledge.vector_info_keys import FINAL_OBSERVATION, OF_OLD_RELEASES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_KEYS = (*sorted(OF_OLD_RELEASES), FINAL_OBSERVATION)


def own_info_keys(at: Analysis, info: int) -> frozenset[str]:
    """Those of an info, by its number: `infos["final_info"] = ...`."""
    fields = {key: at.objects.fields.get((info, TextKey(key))) for key in _KEYS}
    return frozenset(
        key
        for key, field in fields.items()
        if field is not None and any(edge.way == "set" for edge in at.solver.predecessors[field])
    )

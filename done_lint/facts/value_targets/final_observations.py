"""Whether a program asks vector environments for the last observations of episodes, whose values are to be learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.values import Text
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.knowledge.vector_info_keys import asks_for_final

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def are_asked_for(analysis: Analysis) -> bool:
    """Whether something asks for final observations, or for final infos for more than an episode's statistics."""
    texts = {value.text for value in analysis.solver.interned if isinstance(value, Text)}
    for survey in analysis.program.surveys.values():
        texts |= {key.text for item in survey.waits(ops.Item) for key in item.keys if isinstance(key, TextKey)}
    return asks_for_final(texts)

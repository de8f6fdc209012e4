"""Whether a program asks vector environments for the last observations of episodes, whose values are to be learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.vector_info_keys import asks_for_final

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def are_asked_for(analysis: Analysis) -> bool:
    """Whether something asks for final observations, or for final infos for more than an episode's statistics."""
    return asks_for_final({text for survey in analysis.program.surveys.values() for text in _texts(survey)})


def asking_files(analysis: Analysis) -> frozenset[str]:
    """The files that ask for them."""
    surveys = analysis.program.surveys
    return frozenset(path for path, survey in surveys.items() if asks_for_final(_texts(survey)))


def _texts(survey: Survey) -> frozenset[str]:
    """The strings of a file, also those under which something is looked up."""
    looked_up = (key.text for item in survey.waits(ops.Item) for key in item.keys if isinstance(key, TextKey))
    return frozenset(looked_up).union(one.value for one in survey.operations if isinstance(one, ops.Text))

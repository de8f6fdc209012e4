"""Where a message is read that may be of a step or of a reset: what it reads can be told of neither.

No rule reports it, and no fix may change what is sent: the reader may take it for the result of an old step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import owner_name
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.results.either_result import is_of_either
from done_lint.facts.results.escaping_results import EscapingResults
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey, Key, SliceKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_WHICH = "takes what may be the result of a step or of a reset"
#: What stands there in a step's result stands there in each release.
_SAME = (IndexKey(0), IndexKey(1))


def obstacles_of_either(at: Analysis, families: Families, escaping: EscapingResults) -> Iterator[Obstacle]:
    """The places of all files where such a message is read by the old places, or handed on to other code."""
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        items = (item for item in survey.waits(ops.Item) if item.keys[:1] and _has_moved(item.keys[0]))
        read = ((survey.places.get(item.target), base + item.source, item.target) for item in items)
        found = [one for one in read if is_of_either(at.solver, one[1])]
        for span, node, result in (*found, *escaping.of_either(survey)):
            family = families.of_node(node)
            if span is not None and family and families.has_gym_file(family):
                yield Obstacle(path, span, owner_name(survey, survey.homes.get(result, -1)), _WHICH, family)


def _has_moved(key: Key) -> bool:
    """Whether this takes other values out of a step's result than out of four."""
    return isinstance(key, (IndexKey, SliceKey)) and key not in _SAME

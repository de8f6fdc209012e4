"""Where the versions of the variables of a file come from, by assignments and joins of branches alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey


def sources(survey: Survey) -> Mapping[int, list[int]]:
    """What each node takes as it is, in whatever branch; a node that is not there begins."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for one in survey.bindings:
        if isinstance(one, ops.Copy):
            found[one.target].append(one.source)
    for choice in survey.choices:
        found[choice.result] += (choice.a, choice.b)
    return found

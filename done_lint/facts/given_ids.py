"""All the ids that a look-up can be given, where the program itself writes every one of them."""

from __future__ import annotations

from done_lint.analysis.context import Analysis
from done_lint.analysis.values import Text
from done_lint.core.reach import reach

#: So many places a written id passes on its way, and few programs have more.
_FARTHEST = 64


def given_ids(at: Analysis, node: int) -> frozenset[str]:
    """The ids that arrive at a node, each written on the way there; none where another one may arrive, too.

    It may come from a file, from the command line, or from a caller of a function that has a default for it.
    """
    found: set[str] = set()
    passed = 0
    for place in reach([node], lambda one: _sources(at, one), bound=_FARTHEST):
        passed += 1
        if place in at.envs.texts:
            found.update(text.text for text in at.solver.values(place, Text))
        elif not at.solver.predecessors[place] or _has_default(at, place):
            return frozenset()
    return frozenset(found) if passed < _FARTHEST else frozenset()


def _sources(at: Analysis, node: int) -> list[int]:
    return [] if node in at.envs.texts else [edge.source for edge in at.solver.predecessors[node]]


def _has_default(at: Analysis, node: int) -> bool:
    """Whether a node is a parameter that callers may leave out: it flows there, where arguments are given."""
    owner = at.program.owner(node)
    is_parameter = owner is not None and owner.node in at.program.surveys[owner.path].parameters
    return is_parameter and any(edge.way == "flow" for edge in at.solver.predecessors[node])

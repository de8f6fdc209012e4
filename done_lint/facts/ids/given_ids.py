"""What ids a look-up can be given: all of them, where the program itself writes every one, and those nobody has."""

from __future__ import annotations

from done_lint.analysis import gym_needs
from done_lint.analysis.context import Analysis
from done_lint.analysis.values import Template, Text
from done_lint.core.reach import reach
from done_lint.knowledge import env_id_apis, env_id_owners

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


def unregistered(at: Analysis, path: str, node: int) -> frozenset[str]:
    """The ids that arrive at a look-up in this file, where neither a table nor an import says who may have one of them.

    What the files import that run together with it may be on Gymnasium, and register them there. What is no id at all
    comes from another option of the same collection.
    """
    ids = frozenset(one.text for one in at.solver.values(node, Text) if env_id_apis.may_be_id(one.text))
    if not ids or at.solver.values(node, Template) or any(map(_has_owner, ids)):
        return frozenset()
    around = at.imports.running_with([path])
    imported = {package for one in around for package in at.program.surveys[one].packages}
    return ids if imported.isdisjoint(gym_needs.MOVED | at.moved) else frozenset()


def _has_owner(env_id: str) -> bool:
    """Whether the tables know the environment, or the id names the package that registers it."""
    known = env_id_owners.is_known(env_id) or env_id_apis.by_id(env_id) is not None
    return known or ":" in env_id or bool(env_id_apis.registering_package(env_id))


def _sources(at: Analysis, node: int) -> list[int]:
    return [] if node in at.envs.texts else [edge.source for edge in at.solver.predecessors[node]]


def _has_default(at: Analysis, node: int) -> bool:
    """Whether a node is a parameter that callers may leave out: it flows there, where arguments are given."""
    owner = at.program.owner(node)
    is_parameter = owner is not None and owner.node in at.program.surveys[owner.path].parameters
    return is_parameter and any(edge.way == "flow" for edge in at.solver.predecessors[node])

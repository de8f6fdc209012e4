"""Where the info of a step is asked for what the package of the environment has taken out of it since."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.values import Environment, Info
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.knowledge.env_id_apis import registering_package
from done_lint.knowledge.info_keys import LOST_KEYS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_WHICH = 'reads `info["{}"]`, which `{}` does not set any more'


def obstacles_of_infos(at: Analysis, families: Families) -> Iterator[Obstacle]:
    """The places of all files where such a key is read, of an environment whose id the package registers."""
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for item in survey.waits(ops.Item):
            key, span = item.keys[0] if item.keys else None, survey.places.get(item.target)
            if not isinstance(key, TextKey) or key.text not in LOST_KEYS or span is None:
                continue
            package, node = LOST_KEYS[key.text], base + item.source
            infos = [one for one in at.solver.all(node, Info) if not _is_set(at, one, key)]
            makers = (at.solver.get(at.solver.get(one, Info).env, Environment).node for one in infos)
            family = families.of_node(node)
            if family and families.has_gym_file(family) and any(_is_of(at, package, one) for one in makers):
                owner = owner_name(survey, survey.homes.get(item.target, -1))
                yield Obstacle(path, span, owner, _WHICH.format(key.text, package), family)


def _is_set(at: Analysis, info: int, key: TextKey) -> bool:
    """Whether the program itself sets a key of an info."""
    field = at.objects.fields.get((info, key))
    return field is not None and any(edge.way == "set" for edge in at.solver.predecessors[field])


def _is_of(at: Analysis, package: str, made: int) -> bool:
    """Whether an environment was made by an id that a package registers."""
    call = at.envs.make_calls.get(made)
    return call is not None and any(registering_package(one) == package for one in registrations.ids(at, call.id))

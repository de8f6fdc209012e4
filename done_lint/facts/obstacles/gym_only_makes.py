"""The calls of Gym's `make` that Gymnasium has no counterpart for: what they make stays with Gym."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.open_steps import owner_name
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.families import Families
from done_lint.facts.ids.given_ids import given_ids, unregistered
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.knowledge.env_id_versions import is_removed

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

REMOVED = "makes an environment that was removed without a successor"
_UNREGISTERED = "makes `{}`, an id that nothing in sight registers: it may be registered with Gym alone"
_PLAIN = "makes `{}`, a class without the base `Env`, which Gymnasium's `make` asks for"


def obstacles_of_makes(at: Analysis, classes: EnvClasses, families: Families) -> Iterator[Obstacle]:
    """The calls of Gym's `make` for which Gymnasium's has nothing: it is gone for good, unknown, or no `Env`."""
    for node, call in at.envs.make_calls.items():
        made = at.envs.makes.get(node)
        owner = at.program.owner(node)
        if made is None or owner is None or not call.id or not made.function.startswith("gym."):
            continue
        survey, family = at.program.surveys[owner.path], families.of(node)
        name = owner_name(survey, survey.homes.get(owner.node, -1))
        ids = given_ids(at, call.id)
        plain = next(filter(classes.is_plain, registrations.entries(at, node)), None)
        if plain is not None:
            which = _PLAIN.format(at.program.class_at(*plain).name)
            yield Obstacle(owner.path, made.place.span, name, which, family)
        elif ids and all(map(is_removed, ids)):
            yield Obstacle(owner.path, made.place.span, name, REMOVED, family, ids=ids)
        elif unknown := unregistered(at, owner.path, call.id):
            which = _UNREGISTERED.format(min(unknown))
            yield Obstacle(owner.path, made.place.span, name, which, family, ids=unknown, unless_unseen=True)

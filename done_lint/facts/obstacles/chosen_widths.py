"""Where a parameter says whether a step has four values: `rollout(env, new_api=False)`.

Both forms are right there, and no rule reports them; but who says so for an environment of Gym goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import owner_name
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.env_apis import STEP_WIDTHS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_FOUR, _ = STEP_WIDTHS
_SAYS = "takes four values where a parameter says so, and who gives that is not seen to change"


def obstacles_of_chosen_widths(at: Analysis, families: Families, path: str) -> Iterator[Obstacle]:
    """Those of a file."""
    survey, base = at.program.surveys[path], at.program.bases[path]
    sides = [span for node, _, span in survey.sides if node in survey.parameters] if not survey.page else []
    for one in survey.waits(ops.Unpack) if sides else ():
        if one.arity != _FOUR or one.star >= 0 or one.source not in survey.tested:
            continue
        family = families.of_node(base + one.source) if any(one.at.within(side) for side in sides) else None
        if family and families.has_gym_file(family):
            yield Obstacle(path, one.at, owner_name(survey, survey.homes.get(one.targets[0], -1)), _SAYS, family)

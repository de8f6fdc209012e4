"""What an environment keeps, read from its dictionary past some of its wrappers: `env.env.__dict__["gain"]`.

A dictionary forwards nothing, and `make` of Gymnasium puts other wrappers around an environment than that of Gym.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import is_open, owner_name
from done_lint.analysis.values import Environment, External
from done_lint.core.findings import Span
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.obstacles.program_members import ProgramMembers
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_apis import BARE, GYM

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_READS = "reads the dictionary of what `make` gives: Gymnasium's puts other wrappers around an environment"
_VARS = "builtins.vars"


def obstacles_of_dictionaries(
    at: Analysis, families: Families, members: ProgramMembers, path: str
) -> Iterator[Obstacle]:
    """What is in the way in a file."""
    survey, base = at.program.surveys[path], at.program.bases[path]
    reads = [] if survey.page else [*_reads(at, survey)]
    attributes = (one for found in survey.naming.values() for one in _attributes(found)) if reads else ()
    insides = {one.target for one in attributes if one.name == "env"}
    for source, home, span in reads:
        made = at.solver.values(base + source, Environment)
        if any(one.api == GYM and one.layers != BARE for one in made):
            family = families.of_node(base + source)
        elif source in insides and is_open(at, base + source):
            family = members.near(path)  # `loaded[name].env.__dict__`: what is made may be there
        else:
            continue
        if span is not None and family and families.has_gym_file(family):
            yield Obstacle(path, span, owner_name(survey, survey.homes.get(home, -1)), _READS, family)


def _attributes(reactions: list[ops.Reaction]) -> Iterator[ops.Attribute]:
    return (one for one in reactions if isinstance(one, ops.Attribute))


def _reads(at: Analysis, survey: Survey) -> Iterator[tuple[int, int, Span | None]]:
    """What dictionaries are read of, a node of the function around it, and the place."""
    for read in (one for found in survey.naming.values() for one in _attributes(found)):
        if read.name == "__dict__":
            yield read.source, read.target, survey.places.get(read.target)
    base = at.program.bases[survey.path]
    for call in survey.calls():
        if len(call.args) == 1 and any(one.dotted == _VARS for one in at.solver.values(base + call.called, External)):
            yield call.args[0].node, call.result, call.at

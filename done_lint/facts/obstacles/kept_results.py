"""Where the tuple that a `step` of the project returns is read by its old places, but not as a step's result.

It is kept in an attribute or a list as well: `self.last = obs, reward, done, info`, then `self.last[3]`, or
`act(*env.last)`, also where `env` is a wrapper of the project around the one that keeps it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.values import Instance
from done_lint.core.findings import Span
from done_lint.facts.classes.own_apis import is_step
from done_lint.facts.environments.inside import Inside
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.results.env_method_results import OwnResults
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import AttributeKey, IndexKey, Key
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_apis import STEP_WIDTHS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Places of a result of four values that hold the same in five.
_SAME = (-1, 0, 1, 2)
_FOUR, _ = STEP_WIDTHS
_PARTS = "reads a tuple that a `step` returns by the places of four values"


class _Read(NamedTuple):
    """A read by places: the node of the tuple, where it stands, and a node of the function around it."""

    source: int
    span: Span | None
    home: int
    #: A rule reports it where the tuple is seen to arrive.
    reported: bool = False


def obstacles_of_kept_results(at: Analysis, families: Families, own: OwnResults) -> Iterator[Obstacle]:
    """Those of all files."""
    inside = Inside(at)
    for path, survey in at.program.surveys.items() if own.fours else ():
        base = at.program.bases[path]
        attributes = {one.target: one for found in survey.naming.values() for one in _attributes(found)}
        for read in _reads(survey):
            held = own.fours.keys() & at.solver.held[base + read.source]
            if (held and read.reported) or is_step(at.solver, base + read.source) or read.span is None:
                continue
            if not at.solver.held[base + read.source] and (attribute := attributes.get(read.source)) is not None:
                held = own.fours.keys() & _kept_inside(at, inside, base + attribute.source, attribute.name)
            places = (own.fours[number] for number in held)
            owners = (own.results.get(one.path, {}).get(one.span) for one in places)
            made = (one.owner for one in owners if one is not None)
            family = families.union(families.of_classes(one.path).get(one.row, frozenset()) for one in made)
            if family:
                yield Obstacle(path, read.span, owner_name(survey, survey.homes.get(read.home, -1)), _PARTS, family)


def _attributes(reactions: list[ops.Reaction]) -> Iterator[ops.Attribute]:
    return (one for one in reactions if isinstance(one, ops.Attribute))


def _kept_inside(at: Analysis, inside: Inside, node: int, name: str) -> set[int]:
    """What the objects inside of wrappers keep in an attribute, which wrappers of Gym forward."""
    key = AttributeKey(name)
    owners = (number for one in inside.around(node) for number in at.solver.all(one, Instance))
    fields = (at.objects.fields.get((owner, key)) for owner in owners)
    return {number for one in fields if one is not None for number in at.solver.held[one]}


def _reads(survey: Survey) -> Iterator[_Read]:
    """The reads of a file by places that are others among five values."""
    for item in survey.waits(ops.Item):
        if _has_moved(item.keys[0]):
            yield _Read(item.source, survey.places.get(item.target), item.target)
    for unpack in survey.waits(ops.Unpack):
        if (unpack.star >= 0 and not _drops_rest(survey, unpack)) or (unpack.star < 0 and unpack.arity == _FOUR):
            yield _Read(unpack.source, unpack.at, unpack.targets[0], reported=unpack.star < 0)
    for call in survey.calls():
        for place in call.stars:
            yield _Read(call.args[place].node, call.args[place].span or call.at, call.result)


def _drops_rest(survey: Survey, unpack: ops.Unpack) -> bool:
    """`obs, reward, *_ = env.last`: the first values only."""
    return unpack.star == unpack.arity - 1 < _FOUR and not survey.names.get(unpack.targets[-1], "_").strip("_")


def _has_moved(key: Key) -> bool:
    """Whether a place of four values holds another one among five, where the second flag is false."""
    return not isinstance(key, IndexKey) or key.position not in _SAME

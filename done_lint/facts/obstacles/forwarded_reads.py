"""What wrappers read as their own, and only old Gym's wrappers forwarded: nothing in sight sets it on them.

Where a class sets attributes by names that nothing shows (`setattr(self, key, value)`), no rule can say that the read
raises an error. With a default (`getattr(env, "solo", True)`) none is raised, and the default is taken in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Environment, External, Instance, Text
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.classes.own_attributes import OwnAttributes
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_apis import BARE
from done_lint.knowledge.env_members import METHODS
from done_lint.knowledge.wrapper_attributes import ALWAYS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_READS = "reads `{}` of a wrapper, where nothing sets it: the wrappers of Gymnasium 1.0 do not forward it"
_ASKS = "asks whether there is `{}`, which the wrappers of Gymnasium 1.0 do not forward"
_NAMES = "reads `{}` by its name, which the wrappers of Gymnasium 1.0 do not forward"
_ASKING = frozenset({"builtins.getattr", "builtins.hasattr"})
_OF_LIBRARY = ALWAYS | METHODS


class ForwardedReads:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis, classes: EnvClasses, families: Families, attributes: OwnAttributes) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._hierarchy = analysis.classes
        self._classes = classes
        self._families = families
        self._attributes = attributes

    def of(self, path: str) -> Iterator[Obstacle]:
        """What is in the way in a file."""
        survey = self._program.surveys[path]
        if not survey.page:
            yield from self._reads(path, survey)
            yield from self._questions(path, survey)

    def _reads(self, path: str, survey: Survey) -> Iterator[Obstacle]:
        """The attributes that methods of such a class read of their own object."""
        objects = {one.target: one.index for one in survey.operations if isinstance(one, ops.BindInstance)}
        seen = {index: self._attributes.seen_of(ClassId(path, index)) for index in set(objects.values())}
        for read in _attributes(survey):
            owner = objects.get(read.source, -1)
            names = seen.get(owner)
            if names is None or read.name in names or read.name in _OF_LIBRARY or read.name in self._keywords:
                continue
            family = self._families.of(ClassId(path, owner))
            span = survey.places.get(read.target)
            if span is not None and family and self._families.has_gym_file(family):
                function = owner_name(survey, survey.homes.get(read.target, -1))
                yield Obstacle(path, span, function, _READS.format(read.name), family)

    def _questions(self, path: str, survey: Survey) -> Iterator[Obstacle]:
        """The calls `getattr(env, name)` and `hasattr(env, name)` for what a class behind a wrapper has."""
        base = self._program.bases[path]
        for call in survey.calls():
            called = self._solver.values(base + call.called, External) if 1 < len(call.args) < 4 else []
            if not called or not all(one.dotted in _ASKING for one in called):
                continue
            asked = base + call.args[0].node
            for name in sorted(text.text for text in self._solver.values(base + call.args[1].node, Text)):
                family = self._families.of_node(asked) if self._is_hidden(asked, name) else None
                if family and self._families.has_gym_file(family):
                    function = owner_name(survey, survey.homes.get(call.result, -1))
                    which = _NAMES if len(call.args) == 2 and called[0].dotted == "builtins.getattr" else _ASKS
                    yield Obstacle(path, call.at, function, which.format(name), family)

    def _is_hidden(self, node: int, name: str) -> bool:
        """Whether an environment of the project has an attribute, and a wrapper around it, which may be there, not."""
        if name in _OF_LIBRARY or name not in self._of_environments:
            return False
        wrappers = [
            ClassId(one.path, one.index)
            for one in self._solver.values(node, Instance)
            if self._hierarchy.is_wrapper(one.path, one.index)
        ]
        return any(self._lacks(one, name) for one in wrappers) or any(
            one.layers not in ((), BARE) for one in self._solver.values(node, Environment)
        )

    def _lacks(self, owner: ClassId, name: str) -> bool:
        names = self._attributes.of(owner)
        names = names if names is not None else self._attributes.seen_of(owner)
        return names is not None and name not in names and name not in self._keywords

    @cached_property
    def _of_environments(self) -> frozenset[str]:
        """What the environment classes of the project that wrap nothing set, or define."""
        owners = (
            made
            for path, survey in self._program.surveys.items()
            for index, made in enumerate(survey.classes)
            if self._classes.of(path, index) is not None and not self._hierarchy.is_wrapper(path, index)
        )
        return frozenset(name for one in owners for name in (*one.assigned, *one.methods, *one.attrs))

    @cached_property
    def _keywords(self) -> frozenset[str]:
        """The names of all arguments that the program gives by their names: such a class may keep them."""
        calls = (call for survey in self._program.surveys.values() for call in survey.calls())
        return frozenset(one.name for call in calls for one in call.keywords if one.name is not None)


def _attributes(survey: Survey) -> Iterator[ops.Attribute]:
    return (one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute))

"""Environments of the project that are known by what is read of them: `env.goal`, which only one of its classes has."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import ClassId
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.env_members import METHODS
from done_lint.knowledge.wrapper_attributes import ALWAYS, OF_VECTORS, OF_WRAPPERS

#: What an environment may have though no class of the project gives it.
_ANYBODYS = ALWAYS | OF_WRAPPERS | METHODS


class OwnEnvironments:
    """Looks for the classes of a program that have an attribute which none of the library's has."""

    def __init__(self, at: Analysis) -> None:
        """Of a program whose classes are known."""
        self._at = at

    def at(self, node: int, *, several: bool) -> list[ClassId]:
        """The environment classes that alone have something which is read of what stands at a node.

        Args:
            node: the place.
            several: a vector environment stands there; what each of them has shows no class.
        """
        found: set[ClassId] = set()
        shared = _ANYBODYS | OF_VECTORS if several else _ANYBODYS
        for name in sorted(self._read_of(node) - shared):
            owners = self._owners.get(name, [])
            first = [one for one in owners if not self._inherits(one, owners)]
            found.update(first if len(first) == 1 else ())
        return sorted(one for one in found if not self._at.classes.is_wrapper(*one))

    def _read_of(self, node: int) -> set[str]:
        place = self._at.program.owner(node)
        if place is None:
            return set()
        survey = self._at.program.surveys[place.path]
        reactions = (*survey.waiting.get(place.node, ()), *survey.naming.get(place.node, ()))
        return {one.name for one in reactions if isinstance(one, ops.Attribute)}

    @cached_property
    def _owners(self) -> dict[str, list[ClassId]]:
        """The environment classes of the program, wrappers included, by each name that they define."""
        found: defaultdict[str, list[ClassId]] = defaultdict(list)
        for path, survey in self._at.program.surveys.items():
            for index, made in enumerate(survey.classes) if not survey.page else ():
                api, _ = self._at.classes.api_of_class(path, index)
                if api is not None and api.five:
                    for name in sorted(made.assigned | made.methods.keys() | made.attrs.keys()):
                        found[name].append(ClassId(path, index))
        return dict(found)

    def _inherits(self, owner: ClassId, others: list[ClassId]) -> bool:
        """Whether a class has one of the others among its bases."""
        above = set(self._at.classes.lineage(*owner)[1:])
        return not above.isdisjoint(others)

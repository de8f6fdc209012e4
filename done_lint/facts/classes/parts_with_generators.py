"""What an environment holds that draws from a generator of its own, which no seed of the environment reaches."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId
from done_lint.analysis.values import External, Instance
from done_lint.flowgraph.keys import AttributeKey
from done_lint.knowledge.array_functions import MAKING_GENERATORS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class PartsWithGenerators:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes

    def of(self, lineage: Iterable[ClassId]) -> frozenset[str]:
        """The attributes of the instances of such classes that hold what makes a generator by itself."""
        if not self._making:
            return frozenset()
        numbers = [self._solver.find(Instance(*one)) for one in lineage]
        fields = [pair for one in numbers if one is not None for pair in self._objects.owned.get(one, ())]
        return frozenset(key.name for key, field in fields if isinstance(key, AttributeKey) and self._is_part(field))

    def _is_part(self, field: int) -> bool:
        """Whether all that an attribute holds are such objects of the project, and no environments."""
        parts = [ClassId(one.path, one.index) for one in self._solver.values(field, Instance)]
        return bool(parts) and all(
            self._classes.api_of_class(*one)[0] is None and not self._making.isdisjoint(self._classes.lineage(*one))
            for one in parts
        )

    @cached_property
    def _making(self) -> frozenset[ClassId]:
        """The classes of which a method makes a generator without a seed: `np.random.RandomState()`."""
        found: set[ClassId] = set()
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for call in survey.calls():
                home = survey.homes.get(call.result, -1)
                owner = survey.functions[home].owner if home >= 0 else -1
                if owner < 0 or call.args or call.keywords:
                    continue
                names = (one.dotted.rpartition(".")[2] for one in self._solver.values(base + call.called, External))
                if not MAKING_GENERATORS.isdisjoint(names):
                    found.add(ClassId(path, owner))
        return frozenset(found)

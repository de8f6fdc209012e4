"""Which expressions are all infos of a step, as it returned them: not those of one environment, nor anything else.

They may have come through names, attributes, arguments and containers: every way back has to end where the result of a
step or of a reset is taken apart, or at an empty dictionary.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import EnvResult, External, Info, Object, Shape
from done_lint.core.asked_once import asked_once
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.array_functions import SHAPING

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: How far infos are followed back.
_FAR = 200


class WholeInfos:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._objects = analysis.objects

    @asked_once
    def at(self, node: int) -> bool:
        """Whether all that arrives at a node are such infos."""
        nodes = list(reach([node], self._before, bound=_FAR))
        return len(nodes) < _FAR and all(map(self._is_whole, nodes))

    @asked_once
    def is_shaped(self, node: int) -> bool:
        """Whether some of them have been through `np.reshape`, as a list."""
        return any(map(self._shapes, reach([node], self._before, bound=_FAR)))

    def _shapes(self, node: int) -> bool:
        called = self._program.call_at(node)
        names = self._solver.values(called[1], External) if called is not None else ()
        return any(one.dotted.rpartition(".")[2] == SHAPING for one in names)

    def is_empty(self, node: int) -> bool:
        """Whether all that a node holds is dictionaries that nothing is put into."""
        held = self._solver.held[node]
        objects = {one for one in held if self._solver.value(one).__class__ is Object}
        shapes = {self._solver.get(one, Object).shape for one in objects}
        fields = (field for one in objects for _, field in self._objects.owned.get(one, ()))
        filled = any(self._solver.held[one] or self._solver.predecessors[one] for one in fields)
        return shapes == {Shape.DICT} and len(held) == len(objects) and not filled

    def _is_unused(self, node: int) -> bool:
        """Whether nothing is put there: under no other key of a dictionary, in a field that a class declares."""
        if self._solver.held[node] or self._solver.predecessors[node]:
            return False
        owner = self._program.owner(node)
        return owner is None or owner.node in self._declared(owner.path)

    def _declared(self, path: str) -> frozenset[int]:
        """The names in bodies of classes of a file."""
        classes = self._program.surveys[path].classes
        return frozenset(node for made in classes for node in made.attrs.values())

    def _before(self, node: int) -> Iterable[int]:
        copied = self._copied(node)
        return (edge.source for edge in self._solver.predecessors[node]) if copied is None else (copied,)

    def _copied(self, node: int) -> int | None:
        """What `infos.copy()` copies."""
        called = self._program.call_at(node)
        read = self._program.attribute_at(called[1]) if called is not None else None
        return read[0] if read is not None and read[1] == "copy" else None

    def _is_whole(self, node: int) -> bool:
        if not self._solver.all(node, Info):
            return self.is_empty(node) or self._is_unused(node)
        return node in self._taken or any(self._solver.all(one, Info) for one in self._before(node))

    @cached_property
    def _taken(self) -> frozenset[int]:
        """The nodes to which results of steps and resets are taken apart."""
        found = set[int]()
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for row in survey.waits(ops.Unpack):
                if self._solver.all(base + row.source, EnvResult):
                    found.update(base + one for one in row.targets if one)
            for item in survey.waits(ops.Item):
                if self._solver.all(base + item.source, EnvResult):
                    found.add(base + item.target)
        return frozenset(found)

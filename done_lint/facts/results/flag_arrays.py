"""Steps of the project's own environments whose flag is an array, list or dictionary, with an entry for each agent.

An array shows by what makes it, and by what is done with it anywhere: `~done`, `np.all(done)`, `done.any()`. Where it
is one in some configurations only, as for several agents, all that is done with the flag has to be right for both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.solver import ALL
from done_lint.analysis.values import External, FunctionRef, Object, Shape
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD, FORWARD
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.knowledge.array_functions import ARRAYS, MAKING_ARRAYS
from done_lint.knowledge.env_apis import STEP_WIDTHS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_FLAG = IndexKey(2)
#: Functions of arrays, and methods of theirs, that ask all their entries.
_ASKING = frozenset({"any", "all"})
_LISTS = (Shape.LIST, Shape.TUPLE, Shape.MANY, Shape.DICT)


class FlagArrays:
    """Looks at what stands third in the tuples that steps return."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program

    def of(self, node: int) -> bool | None:
        """Whether the flag in the result at a node is an array; no: a list or dictionary; None: nothing tells."""
        results = (one for one in self._solver.all(node, Object) if self._objects.widths.get(one) in STEP_WIDTHS)
        fields = [field for one in results if (field := self._objects.fields.get((one, _FLAG))) is not None]
        origins = [one for field in fields for one in reach([field], self._before, bound=FORWARD)]
        if any(map(self._is_array, origins)):
            return True
        if any(one.shape in _LISTS for field in fields for one in self._solver.values(field, Object)):
            return False
        return True if not self._used_as_arrays.isdisjoint(origins) else None

    @cached_property
    def _used_as_arrays(self) -> frozenset[int]:
        """The flags that are used as only arrays are, where they come from, and what is inverted bit by bit."""
        program = self._program
        inverted = [
            program.bases[path] + one
            for path, survey in program.surveys.items()
            for one in chain.from_iterable(survey.inverted)
            if one
        ]
        asked = [one for one in chain(inverted, self._asked()) if self._is_flag(one)]
        return frozenset((*inverted, *reach(asked, self._before, bound=BACKWARD)))

    def _asked(self) -> Iterator[int]:
        """What `np.all(done)` and `done.all()` ask."""
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for one in chain.from_iterable(survey.naming.values()):
                if isinstance(one, ops.Attribute) and one.name in _ASKING:
                    yield base + one.source
            for call in survey.calls():
                if len(call.args) == 1 and any(map(_asks_array, self._solver.values(base + call.called, External))):
                    yield base + call.args[0].node

    @cached_property
    def _joined(self) -> dict[int, list[int]]:
        """What is joined, or chosen, flags or not: an array of which nothing is known is no flag."""
        found: dict[int, list[int]] = {}
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            joints: Iterator[ops.Or | ops.And] = chain(survey.waits(ops.Or), survey.waits(ops.And))
            for one in joints:
                found[base + one.result] = [base + node for node in one.inputs if node]
            for choice in survey.choices:
                found[base + choice.result] = [base + node for node in (choice.a, choice.b) if node]
        return found

    def _is_flag(self, node: int) -> bool:
        return any(number < flag_lattice.END for number in self._solver.held[node])

    def _is_array(self, node: int) -> bool:
        """Whether a call at this node makes an array."""
        called = self._program.call_at(node)
        if called is None:
            return False
        names = [one.dotted for one in self._solver.values(called[1], External)]
        return any(_makes_array(name) for name in names)

    def _before(self, node: int) -> list[int]:
        """What the value of a node is: what a variable holds, a function of the project returns, or what is joined."""
        if node in self._joined:
            return self._joined[node]
        called = self._program.call_at(node)
        if called is not None and not self._solver.all(called[1], FunctionRef):
            return []
        edges = self._solver.predecessors[node]
        return [one.source for one in edges if self._solver.successors[one.source].get(node) == ALL]


def _asks_array(function: External) -> bool:
    """`numpy.all`."""
    root, _, rest = function.dotted.partition(".")
    return root in ARRAYS - {"builtins"} and rest.rpartition(".")[2] in _ASKING


def _makes_array(name: str) -> bool:
    root, _, rest = name.partition(".")
    return root in ARRAYS - {"builtins"} and rest.rpartition(".")[2] in MAKING_ARRAYS

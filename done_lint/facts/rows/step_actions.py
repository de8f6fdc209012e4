"""The actions that steps are given, and how likely the policy says they were, until they are kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis.values import Object, Pred, Shape, StepValue
from done_lint.core.asked_once import asked_once
from done_lint.core.reach import reach
from done_lint.facts.rows.elements import Elements
from done_lint.facts.rows.step_stores import is_array
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import Key, SliceKey
from done_lint.knowledge.array_functions import LOG_PROBABILITY

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: An array, and where something is in it.
_Element = tuple[int, tuple[Key, ...]]
#: How far an action is followed.
_NEAR = 100


class _Choices(NamedTuple):
    """By their nodes, the sides of each choice, and what is chosen of each side."""

    sides: dict[int, list[int]]
    results: dict[int, list[int]]


class StepActions:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, steps: Collection[int], elements: Elements) -> None:
        """Of these steps; `elements` are those of the whole program."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._owned = analysis.objects.owned
        self._steps = steps
        self._parts = elements

    @cached_property
    def all(self) -> dict[int, set[int]]:
        """The nodes of what steps are given, and of how likely it was: what a row has of an action."""
        found = {node: set(steps) for node, steps in self._given.items()}
        for node, steps in self.log_probs.items():
            found.setdefault(node, set()).update(steps)
        return found

    @cached_property
    def log_probs(self) -> dict[int, set[int]]:
        """The nodes of `policy.log_prob(action)`: kept beside a reward, it stands for the action.

        Nothing but a learner asks for it, so that a reward and this alone are a row.
        """
        found: dict[int, set[int]] = {}
        for survey in self._program.surveys.values() if self._given else ():
            base = self._program.bases[survey.path]
            for call in survey.calls():
                given = base + call.args[0].node if call.args and call.args[0].node else -1
                attribute = self._program.attribute_at(base + call.called) if given in self._given else None
                if attribute is not None and attribute[1] == LOG_PROBABILITY:
                    for node in reach([base + call.result], self._behind, bound=_NEAR):
                        found.setdefault(node, set()).update(self._given[given])
        return found

    @cached_property
    def _given(self) -> dict[int, set[int]]:
        """The nodes of the actions that steps are given, before and after their conversions."""
        found: dict[int, set[int]] = {}
        for survey in self._program.surveys.values():
            base = self._program.bases[survey.path]
            for call in survey.calls():
                if (step := base + call.result) in self._steps and call.args and call.args[0].node:
                    for part in self._columns(survey.path, base + call.args[0].node):
                        for node in self._action(survey.path, part):
                            found.setdefault(node, set()).add(step)
        return found

    def _columns(self, path: str, given: int) -> list[int]:
        """The nodes of an action that is given whole, or column by column: `step({"a": act[:, 0], "b": act[:, 1]})`."""
        before = self._solver.predecessors
        tables = [one for one in self._solver.all(given, Object) if self._solver.get(one, Object).shape is Shape.DICT]
        fields = (field for one in tables for _, field in self._owned.get(one, ()))
        held = [edge.source for field in fields for edge in before[field] if edge.way == "store"]
        survey, base = self._program.surveys[path], self._program.bases[path]
        sliced = {base + one.target: base + one.source for one in survey.waits(ops.Item) if _is_slice(one.keys)}
        near = reach([given, *held], lambda at: [edge.source for edge in before[at] if edge.way == "flow"], bound=_NEAR)
        wholes = [sliced[one] for one in near if one in sliced]
        return [given, *(one for one in (*held, *wholes) if not self._is_seen(one))]

    def _is_seen(self, node: int) -> bool:
        """Whether something has what a step or a reset gave: an observation that a step is handed is no action."""
        return bool(self._solver.all(node, StepValue))

    def _action(self, path: str, given: int) -> Iterable[int]:
        """The nodes of an action, also where it is put into an array first: `acted[t] = ...`, `step(acted[t])`."""
        before = self._solver.predecessors

        def is_way(node: int, edge: Pred) -> bool:
            if edge.way in ("flow", "argument"):
                return True
            return edge.source in self._returned if edge.way == "load" else node in self._returned

        def sources(node: int) -> list[int]:
            return [*(edge.source for edge in before[node] if is_way(node, edge)), *self._choices.sides.get(node, ())]

        near = list(reach([given], sources, bound=_NEAR))
        return reach([*near, *self._put_beside(path, near)], self._behind, bound=_NEAR)

    def _put_beside(self, path: str, read: Iterable[int]) -> Iterator[int]:
        """What the same file puts into an array where one of these is read from it."""
        taken, put = self._elements(path)
        for place in dict.fromkeys(place for node in read for place in taken.get(node, ())):
            yield from put.get(place, ())

    @asked_once
    def _elements(self, path: str) -> tuple[dict[int, list[_Element]], dict[_Element, list[int]]]:
        """The elements of arrays in a file: by the nodes to which they are read, and the nodes of what is put there."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        taken: defaultdict[int, list[_Element]] = defaultdict(list)
        put: defaultdict[_Element, list[int]] = defaultdict(list)
        for read in survey.waits(ops.Item):
            for array in self._arrays(base + read.source):
                taken[base + read.target].append((array, read.keys))
        for written in survey.waits(ops.SetItem):
            for array in self._arrays(base + written.owner):
                put[array, written.keys].append(base + written.value)
        return taken, put

    def _arrays(self, node: int) -> Iterator[int]:
        return (one for one in self._solver.all(node, Object) if is_array(self._solver.value(one)))

    @cached_property
    def _choices(self) -> _Choices:
        """Names that branches bind, and `a if test else b`: an action that nothing is known of has no edge there."""
        found = _Choices({}, {})
        for survey in self._program.surveys.values():
            base = self._program.bases[survey.path]
            for one in dict.fromkeys(survey.waits(ops.Choice)):
                constants = one.a_constant, one.b_constant
                sides = [base + side for side, constant in zip((one.a, one.b), constants) if side and not constant]
                found.sides[base + one.result] = sides
                for side in sides:
                    found.results.setdefault(side, []).append(base + one.result)
        return found

    @cached_property
    def _returned(self) -> frozenset[int]:
        """The fields of what functions return side by side: `return action, policy.log_prob(action)`."""
        values = enumerate(self._solver.interned)
        rows = [number for number, one in values if isinstance(one, Object) and one.shape is Shape.RETURNED]
        return frozenset(field for number in rows for _, field in self._owned.get(number, ()))

    def _behind(self, node: int) -> Iterable[int]:
        return (*self._solver.successors[node], *self._parts.taken.get(node, ()), *self._choices.results.get(node, ()))


def _is_slice(keys: tuple[Key, ...]) -> bool:
    """`[:, 0]`: a part of the action of every environment."""
    return bool(keys) and isinstance(keys[0], SliceKey)

"""Where the environment classes of the project end an episode at a number of steps, as termination or as truncation."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import Count, FunctionRef, Object
from done_lint.core.findings import Span
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.classes.standalone_environments import standalone
from done_lint.facts.kinds.classes import EnvClass, OwnLimit
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.schema import Class

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Where a step returns termination, and, of five values, truncation.
_TERMINATED, _TRUNCATED = IndexKey(2), IndexKey(3)


class OwnLimits:
    """Reads the limits from a solved graph."""

    def __init__(self, analysis: Analysis, classes: EnvClasses, aside: Container[FunctionId]) -> None:
        """Look at every environment class once; of the methods in `aside` only five values count."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes
        self._env_classes = classes
        self._aside = aside
        #: By path, then place of the comparison.
        self.all: dict[str, dict[Span, OwnLimit]] = {}
        for path in classes.classes:
            for index, made in enumerate(analysis.program.surveys[path].classes):
                if (found := classes.of(path, index)) is not None:
                    self._add(path, index, made.methods.get("step"), found)
        for (path, index), alone in standalone(analysis):
            self._add(path, index, analysis.program.class_at(path, index).methods["step"], alone)

    def _add(self, path: str, index: int, method: int | None, owner: EnvClass) -> None:
        """Note comparisons of a step count that arrive where `step` returns termination."""
        if method is None:
            return
        result = self._program.bases[path] + self._program.surveys[path].functions[method].result
        kept_apart = self._kept_apart(self._solver.all(result, Object))
        for number in self._solver.all(result, Object):
            arity = self._objects.widths.get(number, 0)
            if arity not in ((5,) if FunctionId(path, method) in self._aside else (4, 5)):
                continue
            for count in self._counts_at(number, _TERMINATED):
                if any(_is_same(count, one) for one in kept_apart):
                    continue
                if count.reached and self._counts(count.name, ClassId(count.path, count.owner), ClassId(path, index)):
                    asked = self._env_classes.of(count.path, count.owner) or owner
                    both = arity == 5 and count in self._counts_at(number, _TRUNCATED)
                    limit = OwnLimit(asked, count.name, arity, both)
                    self.all.setdefault(count.path, {}).setdefault(count.at, limit)

    def _kept_apart(self, results: Sequence[int]) -> list[Count]:
        """The limits that some result has as truncation alone.

        Where another one has them as termination, that is the answer to a call after the end:
        `if self.over: return obs, 0.0, True, False, {}`, where both flags went into `self.over`.
        """
        found: list[Count] = []
        for number in results:
            if self._objects.widths.get(number) == 5:
                ends = self._counts_at(number, _TERMINATED)
                found += (
                    one for one in self._counts_at(number, _TRUNCATED) if not any(_is_same(one, each) for each in ends)
                )
        return found

    def truncates(self, method: FunctionRef, owner: ClassId) -> bool:
        """Whether the `step` of a class returns a comparison of a step count as truncation, not as termination too."""
        result = self._program.bases[method.path] + self._program.surveys[method.path].functions[method.index].result
        return any(
            count.reached and not any(_is_same(count, one) for one in self._counts_at(number, _TERMINATED))
            for number in self._solver.all(result, Object)
            if self._objects.widths.get(number) == 5
            for count in self._counts_at(number, _TRUNCATED)
            if self._counts(count.name, ClassId(count.path, count.owner), owner)
            or self._spends(count.name, ClassId(count.path, count.owner), owner)
        )

    def _counts_at(self, number: int, place: IndexKey) -> list[Count]:
        """The comparisons of a step count that arrive at a place of a tuple."""
        field = self._objects.fields.get((number, place))
        return list(self._solver.values(field, Count)) if field is not None else []

    def _counts(self, name: str, one: ClassId, other: ClassId) -> bool:
        """The attribute counts the steps of an object that belongs to both classes, and starts anew with it."""
        made = self._family(one, other)
        return any(name in each.counted for each in made) and any(name in each.restarted for each in made)

    def _spends(self, name: str, one: ClassId, other: ClassId) -> bool:
        """The attribute is lowered with each step of such an object.

        What is left may be fuel as well, which ends the task: only where it truncates is it known to be time.
        """
        return any(name in each.spent for each in self._family(one, other))

    def _family(self, one: ClassId, other: ClassId) -> list[Class]:
        """The classes above two of which one is above the other; none: neither is."""
        above, beside = self._classes.lineage(*one), self._classes.lineage(*other)
        if one not in beside and other not in above:
            return []
        return [self._program.class_at(*one) for one in (*above, *beside) if not isinstance(one, str)]


def _is_same(one: Count, other: Count) -> bool:
    """Whether two comparisons ask for the limit of the same count: one may be written for each flag."""
    return (one.path, one.owner, one.name, one.reached) == (other.path, other.owner, other.name, other.reached)

"""Methods of the project's classes that nothing in sight calls: who does was written for what they return so far.

That is said of classes that stand for no environment. One with a `step` of its own may take the place of one, unless
that gives so many values as no environment does, or four, which nothing in sight takes either: there the old protocol
stays as a whole. Code of another package that a class inherits from may call it. A class may also take the place of one
like it whose method is called: who puts it there gets what that one gives.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.registrars import is_unknown
from done_lint.analysis.unused_functions import is_named, used_functions
from done_lint.analysis.values import ResetResult
from done_lint.core.paths import PROSE
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.knowledge.env_apis import STEP_WIDTHS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: How many values the steps of the libraries give; 0: that is not seen.
_OF_LIBRARIES = frozenset({0, *STEP_WIDTHS})
_OLD = min(STEP_WIDTHS)


class UncalledMethods:
    """Finds them in a solved graph."""

    def __init__(self, at: Analysis, classes: EnvClasses) -> None:
        """Look at nothing before a method is asked for."""
        self._at = at
        self._classes = classes

    def has(self, path: str, number: int) -> bool:
        """Whether a function of a file is such a method."""
        if number < 0 or path.endswith(PROSE):
            return False
        function = self._at.program.function_at(FunctionId(path, number))
        if function.owner < 0 or function.decorated or not self._is_followed(ClassId(path, function.owner)):
            return False
        if FunctionId(path, number) in self._used or is_named(self._at, function.name):
            return False
        return not any(map(self._hands_on_pair, self._in_place_of(ClassId(path, function.owner), function.name)))

    def _in_place_of(self, owner: ClassId, name: str) -> Iterator[FunctionId]:
        """The methods of one name, which the program uses, of classes that a class can be exchanged for."""
        for other in self._with_method.get(name, ()):
            used = FunctionId(other.path, self._at.program.class_at(*other).methods[name])
            if other != owner and used in self._used and self._is_alike(owner, other):
                yield used

    def _is_alike(self, one: ClassId, other: ClassId) -> bool:
        """Whether two classes have a base in the project, or the same methods for others to call, at least two."""
        bases = [
            {base for base in self._at.classes.lineage(*owner)[1:] if isinstance(base, ClassId)}
            for owner in (one, other)
        ]
        if not bases[0].isdisjoint(bases[1]):
            return True
        methods = [
            {name for name in self._at.program.class_at(*owner).methods if not name.startswith("_")}
            for owner in (one, other)
        ]
        return methods[0] == methods[1] and len(methods[0]) > 1

    def _hands_on_pair(self, method: FunctionId) -> bool:
        """Whether a method gives the result of a reset as it is."""
        result = self._at.program.bases[method.path] + self._at.program.function_at(method).result
        return bool(self._at.solver.all(result, ResetResult))

    def _is_followed(self, owner: ClassId) -> bool:
        """Whether a class stands for no environment, and inherits from nothing that is not known."""
        if self._classes.of(*owner) is not None:
            return False
        step = self._at.classes.method_of(owner.path, owner.number, "step")
        if step is not None and not self._is_of_own_protocol(step):
            return False
        outside = (one.partition(".")[0] for one in self._at.classes.lineage(*owner) if isinstance(one, str))
        return not any(is_unknown(self._at, package) for package in outside)

    def _is_of_own_protocol(self, step: FunctionId) -> bool:
        """Whether a `step` returns so many values as none of Gym's or Gymnasium's, or four to nobody in sight."""
        arities = set(self._at.program.function_at(step).arities)
        if arities == {_OLD}:
            return step not in self._used
        return bool(arities) and _OF_LIBRARIES.isdisjoint(arities)

    @cached_property
    def _with_method(self) -> dict[str, list[ClassId]]:
        """The classes of the program, by the name of each method that they define."""
        found: defaultdict[str, list[ClassId]] = defaultdict(list)
        for path, survey in self._at.program.surveys.items():
            for index, made in enumerate(survey.classes):
                for name in made.methods:
                    found[name].append(ClassId(path, index))
        return dict(found)

    @cached_property
    def _used(self) -> frozenset[FunctionId]:
        return frozenset(used_functions(self._at))

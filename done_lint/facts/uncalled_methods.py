"""Methods of the project's classes that nothing in sight calls: who does was written for what they return so far.

That is said of classes that stand for no environment. One with a `step` of its own may take the place of one, and code
of another package that a class inherits from may call it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.registrars import is_unknown
from done_lint.analysis.unused_functions import is_named, used_functions
from done_lint.core.paths import PROSE
from done_lint.facts.env_classes import EnvClasses

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


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
        return FunctionId(path, number) not in self._used and not is_named(self._at, function.name)

    def _is_followed(self, owner: ClassId) -> bool:
        """Whether a class stands for no environment, and inherits from nothing that is not known."""
        if self._classes.of(*owner) is not None:
            return False
        if self._at.classes.method_of(owner.path, owner.number, "step") is not None:
            return False
        outside = (one.partition(".")[0] for one in self._at.classes.lineage(*owner) if isinstance(one, str))
        return not any(is_unknown(self._at, package) for package in outside)

    @cached_property
    def _used(self) -> frozenset[FunctionId]:
        return frozenset(used_functions(self._at))

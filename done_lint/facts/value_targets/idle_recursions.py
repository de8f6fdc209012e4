"""Methods with a recursion over time that nothing in the program calls: no flag that is stored reaches a value there.

That is said of a class that the program is seen to use, that is no package's to offer, with all it inherits in sight. A
method may be called where an attribute of its name is read of what is not known, by a string, and in the place of one
of its name in a class that it can be exchanged for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.unused_functions import is_named, used_functions
from done_lint.analysis.values import FunctionRef
from done_lint.core.paths import PROSE
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_PLAIN = frozenset({"object", "builtins.object", "abc.ABC"})


class IdleRecursions:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._classes = analysis.classes

    @cached_property
    def functions(self) -> frozenset[FunctionId]:
        """These methods, of a program in which a step is seen: where none is, names tell of what is not in sight."""
        if not self._analysis.flags.sources:
            return frozenset()
        return frozenset(one for one in self._candidates() if not self._may_be_called(one))

    def _candidates(self) -> Iterator[FunctionId]:
        for path, survey in self._program.surveys.items():
            if path.endswith(PROSE):
                continue
            for number in {product.function for product in survey.products if product.carried}:
                function = survey.functions[number] if number >= 0 else None
                if function is None or function.owner < 0 or function.decorated or function.name.startswith("__"):
                    continue
                yield FunctionId(path, number)

    def _may_be_called(self, method: FunctionId) -> bool:
        function = self._program.function_at(method)
        owner = ClassId(method.path, function.owner)
        lineage = self._classes.lineage(*owner)
        if any(isinstance(one, str) and one not in _PLAIN for one in lineage):
            return True
        if method in self._used or is_named(self._analysis, function.name) or self._is_offered(owner):
            return True
        if not self._is_in_use(lineage):
            return True  # who uses the class is not in sight
        return any(
            not called or any(self._is_alike(owner, one) for one in called) for called in self._reads[function.name]
        )

    def _is_in_use(self, lineage: Sequence[ClassId | str]) -> bool:
        """Whether another method of a class, or of one that it inherits from, is seen to be called."""
        own = ((one.path, number) for one in lineage if isinstance(one, ClassId) for number in self._methods(one))
        return any(FunctionId(*one) in self._used for one in own)

    def _methods(self, owner: ClassId) -> Iterable[int]:
        return self._program.class_at(*owner).methods.values()

    def _is_offered(self, owner: ClassId) -> bool:
        """Whether a package offers the class to others: it stands in `__init__.py`, or that imports its file."""
        importers = self._analysis.imports.importers_of(owner.path)
        packages = (one for one in importers if PurePath(one).name == "__init__.py")
        return any(self._analysis.imports.adjacent(one, owner.path) for one in packages)

    def _is_alike(self, owner: ClassId, other: ClassId) -> bool:
        """Whether an object of one class may stand where one of another does."""
        bases = [{one for one in self._classes.lineage(*each) if isinstance(one, ClassId)} for each in (owner, other)]
        methods = [
            {name for name in self._program.class_at(*each).methods if not name.startswith("_")}
            for each in (owner, other)
        ]
        return not bases[0].isdisjoint(bases[1]) or methods[0] == methods[1]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._program.function_at(one).name for one in self._candidates())

    @cached_property
    def _reads(self) -> defaultdict[str, list[list[ClassId]]]:
        """By the name of an attribute, the classes whose method each read of it gives; none: that is not known."""
        found: defaultdict[str, list[list[ClassId]]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            waiting = (one for kept in (survey.waiting, survey.naming) for reads in kept.values() for one in reads)
            for read in (one for one in waiting if isinstance(one, ops.Attribute) and one.name in self._names):
                functions = self._solver.values(base + read.target, FunctionRef)
                owners = ((one.path, self._program.surveys[one.path].functions[one.index].owner) for one in functions)
                found[read.name].append([ClassId(*one) for one in owners if one[1] >= 0])
        return found

    @cached_property
    def _used(self) -> frozenset[FunctionId]:
        return frozenset(used_functions(self._analysis))

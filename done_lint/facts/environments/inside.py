"""What is inside of the wrappers that stand somewhere, the project's and the library's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Environment, Instance
from done_lint.core.reach import reach

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class Inside:
    """Looks through wrappers in a solved graph."""

    def __init__(self, analysis: Analysis, closed: Callable[[ClassId], bool] | None = None) -> None:
        """Read from a solved graph; `closed` tells of a wrapper that what is inside of it does not matter."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._closed = closed

    def made(self, node: int) -> Iterator[Environment]:
        """The environments at a node, those inside of the project's wrappers too."""
        for one in self.around(node):
            yield from self._solver.values(one, Environment)

    def wrappers(self, node: int) -> Iterator[ClassId]:
        """The project's wrappers that stand at a node, and those inside of them."""
        return (one for one in self._every_class(node) if self._is_wrapper(one))

    def classes(self, node: int) -> Iterator[ClassId]:
        """The project's other classes that stand at a node, or inside of wrappers there."""
        return (one for one in self._every_class(node) if not self._is_wrapper(one))

    def _every_class(self, node: int) -> Iterator[ClassId]:
        for inner in self.around(node):
            yield from (ClassId(one.path, one.index) for one in self._solver.values(inner, Instance))

    def around(self, node: int) -> Iterator[int]:
        """A node, and those of what is inside of the wrappers that stand there: the project's and the library's."""
        return reach([node], self._next_inside, breadth_first=True)

    def _next_inside(self, node: int) -> Iterator[int]:
        for env in self._solver.values(node, Environment):
            if env.node in self.wrapped:
                yield self.wrapped[env.node]
        for one in self._solver.values(node, Instance):
            if self._is_wrapper(ClassId(one.path, one.index)):
                yield from self._analysis.classes.inside(one.path, one.index)

    def _is_wrapper(self, owner: ClassId) -> bool:
        return self._analysis.classes.is_wrapper(*owner) and not (self._closed and self._closed(owner))

    @cached_property
    def wrapped(self) -> dict[int, int]:
        """By the node of what a wrapper of the library gives, that of what it goes around."""
        return {result: first for first, result, _ in self._analysis.envs.wrapped}

    def owners(self, env: Environment) -> Iterator[ClassId]:
        """The classes of the project that an environment may be of, by the ids that it is made by."""
        yield from registrations.entries(self._analysis, env.node)

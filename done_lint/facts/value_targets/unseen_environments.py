"""Steps of environments that nobody sees, where a class of the project truncates by its task.

`terminated` in the place of the flag is a promise only where what it leaves out is a limit: a class that may be the one
says `truncated` of a lost game, behind which no value follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Environment
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_REASON = (
    "the environment may be a `{}`, whose `truncated` says more than a limit ({}:{}): "
    "if the task ends there, its value has to be cut as well"
)


class UnseenEnvironments:
    """Finds the classes that a step of unknown origin may be one of."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._flags = analysis.flags

    def doubt(self, node: int) -> str:
        """Why *terminated* alone may be wrong for a flag, in one clause; empty: nothing is known that it may be."""
        if not self._classes:
            return ""
        ways = reach([node], self._before, bound=BACKWARD)
        endings = (self._flags.endings[one] for one in ways if one in self._flags.endings)
        return _REASON.format(*self._classes[0]) if any(self._is_unseen(one.env) for one in endings) else ""

    def _before(self, node: int) -> list[int]:
        """The nodes that a flag comes from; a step is where it begins."""
        if node in self._flags.sources:
            return []
        return [edge.source for edge in self._solver.predecessors[node] if self._solver.flags(edge.source)]

    def _is_unseen(self, env: int) -> bool:
        """Whether an annotation or a name alone says what it is, or the id that it is made by is not seen."""
        if env in self._analysis.envs.make_calls:
            return not registrations.made_ids(self._analysis, env)
        return env in self._promised

    @cached_property
    def _promised(self) -> frozenset[int]:
        """The nodes of what annotations promise, and of what a name alone says to be an environment."""
        promised = self._analysis.envs.promised
        return frozenset(
            one.node
            for number, one in enumerate(self._solver.interned)
            if isinstance(one, Environment) and (number in promised or one.certainty == "by name")
        )

    @cached_property
    def _classes(self) -> list[tuple[str, str, int]]:
        """The name, the file and the row of each class of the program that truncates by its task."""
        return sorted(self._truncating())

    def _truncating(self) -> Iterator[tuple[str, str, int]]:
        classes = self._analysis.classes
        for path, survey in self._analysis.program.surveys.items():
            for index, made in enumerate(survey.classes):
                if not made.task_truncation or survey.page or self._analysis.imports.is_test(path):
                    continue
                api, _ = classes.api_of_class(path, index)
                if api is None or not api.five or api.vector or classes.is_wrapper(path, index):
                    continue
                if registrations.may_truncate(self._analysis, ClassId(path, index)) is not False:
                    yield made.name, PurePath(path).name, made.task_truncation

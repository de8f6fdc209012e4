"""Branches on a text that no call gives: `if mode == "train":` in a function that a script calls with "test".

That is said of a function all of whose uses are calls in sight, which give constants; one of them stands in its file.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.unused_functions import can_be_unused, handed_functions
from done_lint.analysis.values import FunctionRef, Text
from done_lint.core.paths import PROSE
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.core.findings import Span


class TextsNotTaken:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._at = analysis
        self._solver = analysis.solver
        self._program = analysis.program

    @cached_property
    def places(self) -> dict[str, list[Span]]:
        """These branches, by file."""
        found: defaultdict[str, list[Span]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            parameters = {
                node: FunctionId(path, number)
                for number, function in enumerate(survey.functions if survey.text_sides else ())
                for _, node in function.params
            }
            for side in survey.text_sides if not path.endswith(PROSE) else ():
                function = parameters.get(side.node)
                given = self._given(function, side.node) if function is not None else frozenset()
                if given and all(one is not None and (one == side.text) is not side.holds for one in given):
                    found[path].append(side.span)
        return dict(found)

    def _given(self, function: FunctionId, parameter: int) -> frozenset[str | None]:
        """What a parameter may be: what each call gives, and its default; None: that is not known."""
        calls = self._calls[function]
        if not any(path == function.path for path, _, _ in calls) or not self._is_private(function):
            return frozenset((None,))
        base = self._program.bases[function.path]
        defaults = [one.source for one in self._solver.predecessors[base + parameter] or () if one.way == "flow"]
        given = {self._argument(path, call, called, parameter, bool(defaults)) for path, call, called in calls}
        return frozenset(given.union(map(self._text, defaults)) - {""})

    def _is_private(self, function: FunctionId) -> bool:
        """Whether nothing but the calls in sight uses a function."""
        if function in self._handed or not can_be_unused(self._at, *function):
            return False
        if any(PurePath(one).name == "__init__.py" for one in self._at.imports.importers_of(function.path)):
            return False
        return not self._unclear(self._program.function_at(function).name)

    def _unclear(self, name: str) -> bool:
        """Whether something of the name of a function is read that no function is seen to come to."""
        return any(
            one == name and not self._solver.values(self._program.bases[path] + node, FunctionRef)
            for path, survey in self._program.surveys.items()
            for node, one in survey.names.items()
        )

    def _argument(
        self, path: str, call: ops.Call, called: FunctionRef, parameter: int, has_default: bool
    ) -> str | None:
        """The text that a call gives; empty if it leaves the default."""
        if called.bound is not None or any(one.name is None for one in call.keywords):
            return None
        function = self._program.function_at(FunctionId(called.path, called.index))
        taken, first = function.params[: function.positional], min(call.stars, default=len(call.args))
        nodes = {node: one.node for (_, node), one in zip(taken, call.args[:first])}
        if call.stars:
            # `play(*days, "test")`: what is starred fills the parameters that the others leave
            if len(call.stars) > 1 or call.keywords or function.required != len(taken) or function.vararg >= 0:
                return None
            nodes |= {node: one.node for (_, node), one in zip(reversed(taken), reversed(call.args[first + 1 :]))}
        names = dict(function.params)
        nodes |= {names[one.name]: one.node for one in call.keywords if one.name in names}
        if parameter in nodes:
            return self._text(self._program.bases[path] + nodes[parameter]) if nodes[parameter] else None
        return "" if has_default else None

    def _text(self, node: int) -> str | None:
        texts = [one.text for one in self._solver.values(node, Text)]
        return texts[0] if len(texts) == 1 and texts[0] and not self._solver.predecessors[node] else None

    @cached_property
    def _handed(self) -> frozenset[FunctionId]:
        return frozenset(handed_functions(self._at))

    @cached_property
    def _calls(self) -> defaultdict[FunctionId, list[tuple[str, ops.Call, FunctionRef]]]:
        """All calls of each function, those of tests and pages too."""
        found: defaultdict[FunctionId, list[tuple[str, ops.Call, FunctionRef]]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            for call in survey.waits(ops.Call):
                for called in self._solver.values(self._program.bases[path] + call.called, FunctionRef):
                    found[FunctionId(called.path, called.index)].append((path, call, called))
        return found

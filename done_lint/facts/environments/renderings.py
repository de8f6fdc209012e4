"""In which modes the program renders what each `make` of it has made, wherever that is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import EnvMethod, Text
from done_lint.core.findings import Related
from done_lint.facts.environments.environments import Environments
from done_lint.facts.kinds.environments import RenderedAs
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.rendering import HUMAN

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class Renderings:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis, environments: Environments) -> None:
        """Nothing is looked up before a file asks."""
        self._program = analysis.program
        self._solver = analysis.solver
        self._environments = environments

    def of(self, path: str) -> tuple[RenderedAs, ...]:
        """The renderings, in whatever file, of what a file makes or renders."""
        makes = {one.make for one in self._all if path in (one.make.path, one.at.path)}
        return tuple(one for one in self._all if one.make in makes)

    @cached_property
    def _all(self) -> list[RenderedAs]:
        return [one for path, survey in self._program.surveys.items() for one in self._in(path, survey)]

    def _in(self, path: str, survey: Survey) -> Iterator[RenderedAs]:
        base = self._program.bases[path]
        reads = [one for one in survey.telling if one.name == "render"]
        calls = {call.called: call for call in survey.calls()} if reads else {}
        for read in reads:
            node, span = base + read.target, survey.places.get(read.target)
            if span is None or not self._solver.all(node, EnvMethod):
                continue
            env = self._environments.member(node)
            call = calls.get(read.target)
            mode = self._mode(base, call) if call is not None else ""
            for made in env.made if env is not None else ():
                yield RenderedAs(made.place, mode, Related(path, span, "rendered here"))

    def _mode(self, base: int, call: ops.Call | ops.LibraryCall) -> str:
        """The mode that a call asks for, as in old Gym; empty where it is not one text."""
        if not (call.args or call.stars or call.keywords):
            return HUMAN
        given = [*(one.node for one in call.args), *(one.node for one in call.keywords if one.name == "mode")]
        if len(given) != len(call.args) + len(call.keywords) or len(given) != 1 or call.stars:
            return ""
        held = self._solver.held[base + given[0]]
        texts = {value.text for number in held if isinstance(value := self._solver.value(number), Text)}
        return texts.pop() if len(texts) == 1 == len(held) else ""

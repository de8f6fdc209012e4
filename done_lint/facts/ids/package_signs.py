"""What a program does with environments whose ids it does not write, and that only those of one package can do with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import Environment, Text
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.env_id_apis import ASKED_FOR, WRAPPED_AS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class PackageSigns:
    """Reads from a solved graph which package the environments behind an id are of."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._solver = analysis.solver

    def of(self, env_id: int) -> str:
        """The package of what a `make` gives that takes its id from a node, by its use; empty where nothing tells.

        An id that is written somewhere tells more: the same function may wrap games, and make other tasks as well.
        """
        if self._solver.all(env_id, Text):
            return ""
        made = (node for node, call in self._analysis.envs.make_calls.items() if call.id == env_id)
        return next(filter(None, map(self._packages.get, made)), "") or ""

    @cached_property
    def _packages(self) -> dict[int, str]:
        """By the call that made an environment, the package that its use tells."""
        return dict([*self._wrapped(), *self._asked()])

    def _wrapped(self) -> Iterator[tuple[int, str]]:
        """What is inside of a wrapper for such environments."""
        for value in self._solver.interned:
            if isinstance(value, Environment):
                yield from ((value.node, WRAPPED_AS[layer]) for layer in value.layers if layer in WRAPPED_AS)

    @cached_property
    def _telling(self) -> frozenset[str]:
        """The names of such attributes, but for those that a class of the project gives to a method of its own."""
        surveys = self._analysis.program.surveys.values()
        own = {one.name for survey in surveys for one in survey.functions if one.owner >= 0}
        return frozenset(ASKED_FOR.keys() - own)

    def _asked(self) -> Iterator[tuple[int, str]]:
        """What is asked for an attribute that only such environments have: `env.unwrapped.ale`."""
        for path, survey in self._analysis.program.surveys.items():
            base = self._analysis.program.bases[path]
            for read in (one for reads in survey.naming.values() for one in reads if isinstance(one, ops.Attribute)):
                if read.name in self._telling:
                    for env in self._solver.values(base + read.source, Environment):
                        yield env.node, ASKED_FOR[read.name]

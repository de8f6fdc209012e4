"""Which vector environments are made of one environment, in whatever file that is written."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import Environment
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.vector_sizes import OF_FUNCTIONS, WRAPPERS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class SingleVectors:
    """Looks at what is given to the calls that make vector environments."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._analysis = analysis

    def is_single(self, node: int, around: frozenset[int] = frozenset()) -> bool:
        """Whether the call at a node makes `DummyVecEnv([make])`, or a wrapper around one."""
        envs = self._analysis.envs
        made, given = envs.makes.get(node), envs.functions.get(node, 0)
        if made is None or not given:
            return False
        name = made.function.rpartition(".")[2]
        if name in OF_FUNCTIONS:
            return given in self._lists_of_one
        inside = self._analysis.solver.values(given, Environment) if name in WRAPPERS else []
        deeper = around | {node}
        return bool(inside) and all(one.node not in deeper and self.is_single(one.node, deeper) for one in inside)

    @cached_property
    def _lists_of_one(self) -> frozenset[int]:
        """The nodes of the lists and tuples that are given to such calls, and are written with one element."""
        program, given = self._analysis.program, set(self._analysis.envs.functions.values())
        paths = {place.path for node in given if (place := program.owner(node)) is not None}
        return frozenset(
            program.bases[path] + one.target
            for path in paths
            for one in program.surveys[path].operations
            if isinstance(one, ops.Allocate) and len(one.elements) == 1 and not one.keys and not one.stars
            if one.kind in ("list", "tuple") and program.bases[path] + one.target in given
        )

"""Renderings with a mode that a class of the project takes, where what `make` gives arrives as well.

`env.render(mode="human")` of a parameter: the wrapper of the project has a `render(mode)`, and stays as it is; what
`make` of Gymnasium gives takes no argument there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.values import Environment, EnvMethod, FunctionRef
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.env_apis import OF_LIBRARIES
from done_lint.knowledge.rendering import GYM_RENDER_ARGUMENTS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class SharedRenders:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._program, self._solver = analysis.program, analysis.solver
        self._makes = analysis.envs.makes

    def of(self, path: str) -> Iterator[tuple[ops.Attribute, ops.Call]]:
        """The reads and calls of such a `render` in a file."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for read in survey.telling if not survey.page else ():
            calls = survey.waiting.get(read.target, ()) if read.name == "render" else ()
            given = [one for one in calls if isinstance(one, ops.Call) and _passes_mode(one)]
            if given and self._meets_both(base + read.target):
                yield from ((read, one) for one in given)

    def _meets_both(self, method: int) -> bool:
        """Whether a `render` of the project that takes arguments, and that of what a library made, arrive at a node."""
        own = (self._program.surveys[one.path].functions[one.index] for one in self._solver.values(method, FunctionRef))
        if not any(len(one.params) > 1 or one.vararg >= 0 or one.kwarg >= 0 for one in own):
            return False
        found = (self._solver.get(one.env, Environment) for one in self._solver.values(method, EnvMethod))
        return any(one.api in OF_LIBRARIES and one.node in self._makes for one in found)


def _passes_mode(call: ops.Call) -> bool:
    """Whether a call gives a mode, and nothing that no `render` of Gym's took."""
    names = {key for key, *_ in call.keywords if key is not None}
    return bool(call.args or "mode" in names) and GYM_RENDER_ARGUMENTS.issuperset(names)

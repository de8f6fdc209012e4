"""Calls that give a library's replay buffer the infos of a step, and the buffer asks them for the time limit's key.

`rb.add(obs, next_obs, actions, rewards, dones, infos)`: under Gymnasium no step sets that key, so every truncation is
taken for a termination, and the infos of several environments are no list any more, which is what the buffer expects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.values import Environment, External, Info, Object
from done_lint.facts.results.limit_keys import LimitKeys
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.replay_buffers import ADDING, REPLAYS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class ReplayInfos:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._keys = LimitKeys(analysis)

    def of(self, path: str) -> Iterator[tuple[ops.Call, int]]:
        """The calls of a file, and the node of infos in which no step sets the key."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for read in (one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute)):
            if survey.page or read.name != ADDING or not self._asks(base + read.source):
                continue
            for call in (one for one in survey.waiting.get(read.target, ()) if isinstance(one, ops.Call)):
                nodes = [*(one.node for one in call.args), *(one.node for one in call.keywords)]
                given = [base + one for one in nodes if one]
                infos = next((part for one in given for part in self._parts(one) if self._lack_key(part)), None)
                if infos is not None:
                    yield call, infos

    def _asks(self, node: int) -> bool:
        """Whether a node holds such a buffer; of one that leaves the key alone there is another value."""
        made = (one.dotted for one in self._solver.values(node, External) if one.dotted.endswith("()"))
        return any(one.removesuffix("()") in REPLAYS for one in made)

    def _parts(self, node: int) -> Iterator[int]:
        """A node, and the elements of a list there: `[info]`."""
        yield node
        for number in self._solver.all(node, Object):
            yield from (field for _, field in self._objects.owned.get(number, ()))

    def _lack_key(self, node: int) -> bool:
        """Whether a node holds infos of such steps: those of other libraries' environments have the key."""
        return any(
            self._solver.get(self._solver.get(one, Info).env, Environment).api.five and not self._keys.may_be_set(one)
            for one in self._solver.all(node, Info)
        )

"""Where a flag is sent to another process or thread: what it is stored in, if it is, is there."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import ContainerMethod, Place
from done_lint.core.findings import Span
from done_lint.knowledge.array_functions import SENDING

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: What is done to a flag where a target gets it from; True: it is used at once, and nothing keeps it.
_WORD = {False: "stored here", True: "handed over here"}
_SENT = "sent here"


class SentFlags:
    """Looks for the places in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._solver, self._program = analysis.solver, analysis.program

    def has(self, site: Place) -> bool:
        """Whether what stands at a place is sent: `pipe.send((s, r, done))`, `queue.put(done)`."""
        return any(site.span.within(at) for at in self._calls.get(site.path, ()))

    def word(self, site: Place, *, at_once: bool) -> str:
        """What is done to a flag at a place from which a target gets it."""
        return _SENT if self.has(site) else _WORD[at_once]

    @cached_property
    def _calls(self) -> dict[str, list[Span]]:
        """By file, the calls that send something."""
        found: dict[str, list[Span]] = {}
        for path, survey in self._program.surveys.items():
            for call in survey.calls() if not SENDING.isdisjoint(survey.names.values()) else ():
                methods = self._solver.values(self._program.bases[path] + call.called, ContainerMethod)
                if any(one.name in SENDING for one in methods):
                    found.setdefault(path, []).append(call.at)
        return found

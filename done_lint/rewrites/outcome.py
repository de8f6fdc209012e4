"""What a rewrite comes to: a safe fix, an unsafe one with the reason why it is no promise, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace

import libcst as cst

from done_lint.core.findings import Fix
from done_lint.syntax.edits import Edits


@dataclass(frozen=True, slots=True)
class Outcome:
    """A fix, or the reason why there is none, or none that is safe."""

    fix: Fix | None = None
    #: The reason, in one clause: of every fix that is unsafe, too.
    unfixed: str = ""
    #: Reads of the time limit key that the fix changes too.
    reads: frozenset[cst.CSTNode] = frozenset()

    def only_since_one(self) -> Outcome:
        """The same, of a fix that no release before 1.0 runs."""
        return self if self.fix is None else replace(self, fix=replace(self.fix, since_one=True))

    def doubted(self, reason: str) -> Outcome:
        """The same, with an unsafe fix for a safe one, for this reason; where there is none, nothing changes."""
        if self.fix is None or self.fix.safety != "safe" or not reason:
            return self
        return replace(self, fix=replace(self.fix, safety="unsafe"), unfixed=reason)


def fixed(
    title: str,
    *edits: Edits,
    unsure: str = "",
    together: tuple[str, ...] = (),
    reads: frozenset[cst.CSTNode] = frozenset(),
) -> Outcome:
    """One fix of several groups of edits; unsafe where there is a reason to be unsure of it, in one clause."""
    merged = sorted({edit for group in edits for edit in group})
    return Outcome(Fix(title, tuple(merged), together=together), reads=reads).doubted(unsure)


def unfixed(reason: str) -> Outcome:
    """No fix, for this reason."""
    return Outcome(unfixed=reason)

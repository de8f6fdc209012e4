"""What a rewrite comes to: one fix, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from done_lint.core.findings import Fix
from done_lint.syntax.edits import Edits


@dataclass(frozen=True, slots=True)
class Outcome:
    """A fix, or the reason why there is none."""

    fix: Fix | None = None
    #: The reason, in one clause.
    unfixed: str = ""
    #: Reads of the time limit key that the fix changes too.
    reads: frozenset[cst.CSTNode] = frozenset()


def fixed(
    title: str,
    *edits: Edits,
    safe: bool = True,
    together: tuple[str, ...] = (),
    reads: frozenset[cst.CSTNode] = frozenset(),
) -> Outcome:
    """One fix of several groups of edits."""
    merged = sorted({edit for group in edits for edit in group})
    return Outcome(Fix(title, tuple(merged), "safe" if safe else "unsafe", together), reads=reads)


def unfixed(reason: str) -> Outcome:
    """No fix, for this reason."""
    return Outcome(unfixed=reason)

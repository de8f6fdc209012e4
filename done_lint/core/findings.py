"""The results of linting: places, edits, fixes, findings and diagnostics.

Plain frozen data, so that it can cross a process, be sorted, and be printed in any format.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Safety = Literal["safe", "unsafe", "display"]
Certainty = Literal["proven", "by name"]


class Span(NamedTuple):
    """A range of source text. Rows count from 1; columns count characters from 0, the end is exclusive."""

    row: int
    column: int
    end_row: int
    end_column: int

    def within(self, outer: Span) -> bool:
        """Whether this span lies in the other one, or is equal to it."""
        return outer[:2] <= self[:2] and self[2:] <= outer[2:]


class Edit(NamedTuple):
    """Replace the characters `start:end` of the decoded source by `text` (offsets count characters).

    In the report of a notebook they count in the cell of that number.
    """

    start: int
    end: int
    text: str
    cell: int | None = None


#: What changes together or not at all (see `facts/families.py`): files, classes, and calls that make environments,
#: under names that no fix changes.
Family = frozenset[str]
#: What stands between the path and the name of a class, or the number of a call, that is such a member.
OF_CLASS, OF_CALL = "::", "#"
#: What stands behind the path of a file for what no release of Gymnasium before 1.0 runs of it.
SINCE_ONE = "@1.0"


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together: all of them are applied, or none."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety = "safe"
    #: Files that the fix leaves broken unless they are fixed in the same run: those of a changed class's subclasses.
    together: tuple[str, ...] = ()
    #: It writes what no release of Gymnasium before 1.0 runs.
    since_one: bool = False


@dataclass(frozen=True, slots=True)
class Related:
    """A place that belongs to a finding: where the flag is returned, stored or read."""

    path: str
    span: Span
    message: str
    cell: int | None = None


#: What keeps a class from being changed although no finding is left behind: nothing shows there once it has changed.
SHOWS_NO_MORE = "hands four values of a step on to what is not followed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem that a rule found.

    `message` is one sentence about the user's own expression, `help` what to do about it.
    `unfixed` is a reason in one clause: why there is no `fix`, or why the `fix` is unsafe; that of a safe one is empty.
    """

    code: str
    name: str
    message: str
    path: str
    span: Span
    help: str = ""
    fix: Fix | None = None
    unfixed: str = ""
    #: `unfixed` names another place, or a package, that keeps this one from being changed.
    held_back: bool = False
    related: tuple[Related, ...] = ()
    certainty: Certainty = "proven"
    #: What it changes together with, and the function or class that it stands in: `RemoteEnv.step`.
    family: Family = frozenset()
    owner: str = ""
    #: What the code does that keeps the program from running the same under Gymnasium, and whether it says itself there
    #: what to write instead: see `Rule`.
    incompatibility: str = ""
    stops_with_advice: bool = False
    #: What it reports of Gymnasium runs with releases before 1.0, and not since then, or not the same; and which fixes
    #: wait for that (see `engine/release_border.py`).
    since_one: bool = False
    border: Family = frozenset()
    #: `done-lint fix` fixes it; if it has no safe fix of its own, together with a finding of the code `fixed_with`.
    fixable: bool = False
    fixed_with: str = ""
    #: In the report of a notebook: the number, from 1, of the cell that the rows count in.
    cell: int | None = None

    @property
    def sort_key(self) -> tuple[str, int, Span, str]:
        """Order of findings in every output: path, position, code."""
        return (self.path, self.cell or 0, self.span, self.code)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Why a file could not be linted (or only in part), or not be written: one clear line, never a traceback.

    The kind *folder* is a folder that cannot be read. *cell* is a part of a document that is not Python, and *skipped*
    a file that was left out; *kept* is a place that the project keeps old on purpose: these three are not errors.
    """

    path: str
    message: str
    row: int = 1
    column: int = 0
    kind: Literal["syntax", "unreadable", "folder", "unwritable", "internal", "warning", "cell", "skipped", "kept"] = (
        "syntax"
    )
    cell: int | None = None

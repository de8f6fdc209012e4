"""Applies fixes to a text, and renders changes as a diff."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from itertools import accumulate

from done_lint.core.findings import Edit, Fix
from done_lint.core.text import printable


def apply(text: str, fixes: Sequence[Fix]) -> tuple[str, int]:
    """Apply every fix that does not conflict with another one; the others are left for the next pass.

    All edits of a fix are applied or none. Fixes that are equal are applied once, and so is an edit that
    several fixes share (the import that all of them need). Returns the new text and how many fixes were applied.

    Raises:
        ValueError: a fix whose own edits overlap, or reach outside the text.
    """
    applied, count = chosen(len(text), fixes)
    return edited(text, applied), count


def chosen(length: int, fixes: Sequence[Fix]) -> tuple[list[Edit], int]:
    """The edits that `apply` makes in a text of this length, and the number of their fixes.

    Raises:
        ValueError: as `apply`.
    """
    applied: dict[Edit, None] = {}  # in order: insertions at one place stay as their fix lists them
    accepted: set[Fix] = set()
    touched = _Touched()
    for fix in sorted(_different(fixes), key=_place):
        _check(fix, length)
        if fix in accepted or not fix.edits:
            continue
        fresh = [edit for edit in fix.edits if edit not in applied]
        if any(map(touched.by, fresh)):
            continue
        applied.update(dict.fromkeys(fresh))
        touched.add(fresh)
        accepted.add(fix)
    return list(applied), len(accepted)


class Moved:
    """Where the characters of an edited text were in the text before."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        """Index the edits that were made; they do not overlap."""
        self._edits = sorted(edits, key=lambda edit: (edit.start, edit.end))
        growth = [len(edit.text) - (edit.end - edit.start) for edit in self._edits]
        #: How far the text behind each of them has moved, and where its own new text starts.
        self._shifts = list(accumulate(growth, initial=0))
        self._starts = [edit.start + shift for edit, shift in zip(self._edits, self._shifts)]

    def before(self, offset: int) -> int:
        """Where a character was; of new text, where it was inserted."""
        found = bisect_right(self._starts, offset)
        if found and offset < self._starts[found - 1] + len(self._edits[found - 1].text):
            return self._edits[found - 1].start
        return offset - self._shifts[found]


def _different(fixes: Sequence[Fix]) -> list[Fix]:
    """The fixes without duplicates, as far as these share their tuple of edits.

    Many findings may share one fix of many edits, and comparing fixes compares all edits.
    """
    found: dict[tuple[str, int, str, tuple[str, ...]], Fix] = {}
    for fix in fixes:
        found.setdefault((fix.title, id(fix.edits), fix.safety, fix.together), fix)
    return list(found.values())


class _Touched:
    """The ranges of a text that are changed already; they do not overlap."""

    def __init__(self) -> None:
        self._replaced: list[tuple[int, int]] = []
        self._inserted: list[int] = []

    def add(self, edits: Iterable[Edit]) -> None:
        """Add edits, none of which touches an earlier one."""
        for edit in edits:
            if edit.start == edit.end:
                insort(self._inserted, edit.start)
            else:
                insort(self._replaced, (edit.start, edit.end))

    def by(self, edit: Edit) -> bool:
        """Whether an edit overlaps an earlier one, or an insertion stands at the edge of the other."""
        place = bisect_left(self._inserted, edit.start)
        if place < len(self._inserted) and self._inserted[place] <= edit.end:
            return True
        edge = int(edit.start == edit.end)
        place = bisect_left(self._replaced, (edit.end + edge,))
        return place > 0 and self._replaced[place - 1][1] + edge > edit.start


def unified_diff(path: str, old: str, new: str) -> str:
    """The change as a unified diff, empty where there is none; newlines of the file stay in its rows.

    A row of a patch ends with a line feed alone: a file that has only carriage returns is one row.
    """
    before, after = _patch_rows(old), _patch_rows(new)
    # without `autojunk`: it leaves rows that stand in a file often, as blank ones do, out of what is the same
    groups = list(difflib.SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes())
    rows = [f"--- {printable(path)}\n", f"+++ {printable(path)}\n"] if groups else []
    for group in groups:
        (_, start, _, new_start, _), (_, _, end, _, new_end) = group[0], group[-1]
        rows.append(f"@@ -{_patch_range(start, end)} +{_patch_range(new_start, new_end)} @@\n")
        for change, first, last, new_first, new_last in group:
            if change == "equal":
                rows += [f" {row}" for row in before[first:last]]
                continue
            rows += [f"-{row}" for row in before[first:last]]
            rows += [f"+{row}" for row in after[new_first:new_last]]
    # A last row without newline would run into the next line of the diff.
    return "".join(row if row.endswith("\n") else row + "\n\\ No newline at end of file\n" for row in rows)


def _patch_range(start: int, end: int) -> str:
    """Rows as a patch counts them, from one; where there are none, the row before."""
    if end - start == 1:
        return f"{start + 1}"
    return f"{start + 1 if end > start else start},{end - start}"


def _patch_rows(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _place(fix: Fix) -> tuple[tuple[int, int], ...]:
    """Order of fixes: by their first edit in the text."""
    return tuple(sorted((edit.start, edit.end) for edit in fix.edits))


def _check(fix: Fix, length: int) -> None:
    """Refuse a fix whose own edits overlap: applying it would damage the file."""
    end = 0
    for edit in sorted(fix.edits, key=lambda edit: (edit.start, edit.end)):
        if not end <= edit.start <= edit.end <= length:
            raise ValueError(f"edits of the fix {fix.title!r} overlap or leave the text")
        end = edit.end


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with these edits, which do not overlap."""
    pieces: list[str] = []
    end = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += (text[end : edit.start], edit.text)
        end = edit.end
    return "".join((*pieces, text[end:]))

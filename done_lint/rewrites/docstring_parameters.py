"""What a docstring says of parameters that a method loses: their entries go, and a section that has no other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.syntax.docstrings import docstring
from done_lint.syntax.edits import Edits
from done_lint.syntax.tree import Tree

#: The head of a section on parameters, of numpy's style (its rule is the next row) and of Google's.
_HEAD = re.compile(r"[ \t]*(?:Parameters|Args:|Arguments:|Parameters:)[ \t]*$")
_RULE = re.compile(r"[ \t]*-{3,}[ \t]*$")
_ENTRY = re.compile(r"[ \t]*(?:[:@]param[ \t]+(?:\w+[ \t]+)?)?(?P<name>\w+)[ \t]*(?:\([^)]*\))?[ \t]*:")
_FIELD = re.compile(r"[ \t]*[:@]param[ \t]")


def entries_removed(tree: Tree, function: cst.FunctionDef, names: Collection[str]) -> Edits:
    """Edits that take the entries of these parameters out of the docstring of a function."""
    text = docstring(function)
    if not isinstance(text, cst.SimpleString):
        return ()
    rows = text.raw_value.splitlines(keepends=True)
    gone = set(_gone(rows, names))
    start = tree.offsets(text)[0] + len(text.prefix) + len(text.quote)
    kept = [number for number, row in enumerate(rows) if number not in gone and row.strip()]
    if not kept:
        return ()  # nothing would be left of it
    if len(rows) - 1 in gone:
        # the closing quotes stand on this row: they move up to what is left
        rest = "".join(rows[: kept[-1] + 1]).rstrip()
        alone = gone == set(range(min(gone), len(rows))) and kept[-1] < min(gone)
        return (Edit(start + len(rest), start + len(text.raw_value), ""),) if alone else ()
    edits: list[Edit] = []
    for number, row in enumerate(rows):
        if number in gone:
            edits.append(Edit(start, start + len(row), ""))
        start += len(row)
    return tuple(edits)


def _gone(rows: list[str], names: Collection[str]) -> Iterator[int]:
    """The rows of the entries, and those of sections with nothing else in them."""
    number = 0
    while number < len(rows):
        if _HEAD.match(rows[number].rstrip("\r\n")):
            first = number + 1 + (number + 1 < len(rows) and bool(_RULE.match(rows[number + 1].rstrip("\r\n"))))
            entries = list(_section(rows, first))
            last = entries[-1][1] if entries else first
            of_names = [entry for entry in entries if entry[2] in names]
            if of_names and len(of_names) == len(entries):
                if last < len(rows) and not "".join(rows[last:]).strip():
                    # the last one: with the blank row before it, but for the row of the closing quotes
                    yield from range(number - (number > 1 and not rows[number - 1].strip()), len(rows) - 1)
                    return
                # with the blank row behind the section
                blank = last < len(rows) and not rows[last].strip()
                yield from range(number, last + blank)
            else:
                yield from (row for begin, end, _ in of_names for row in range(begin, end))
            number = max(last, number + 1)
            continue
        found = _ENTRY.match(rows[number]) if _FIELD.match(rows[number]) else None
        end = _end(rows, number)
        if found is not None and found["name"] in names:
            yield from range(number, end)
            number = end
            continue
        number += 1


def _section(rows: list[str], first: int) -> Iterator[tuple[int, int, str]]:
    """The entries of a section: where each begins and ends, and the name of the parameter."""
    number = first
    while number < len(rows) and (found := _ENTRY.match(rows[number])) is not None:
        if _indent(rows[number]) < _indent(rows[first]):
            return
        end = _end(rows, number)
        yield number, end, found["name"]
        number = end


def _end(rows: list[str], entry: int) -> int:
    """Where an entry ends: its description is indented deeper."""
    end = entry + 1
    while end < len(rows) and rows[end].strip() and _indent(rows[end]) > _indent(rows[entry]):
        end += 1
    return end


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())

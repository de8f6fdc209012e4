"""Jupyter notebooks, nbformat 4 and 3: the position of each cell's source in the JSON, and new sources in it.

The JSON is walked, not loaded and dumped, so that only the changed rows of a cell change, not indentation, order of
keys, escapes or outputs. Everything else is skipped at the speed of `json`'s scanner.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from done_lint.core.file_io import SourceError
from done_lint.core.text import Lines
from done_lint.source.documents.layout import Block, Cell, rows_of

_SPACE = re.compile(r"[ \t\n\r]*")
_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[0-7])[0-9a-fA-F]{4}")
_PYTHON = re.compile(r"i?python[\d.]*$", re.IGNORECASE)
_DECODER = json.JSONDecoder()

#: Offsets of a value: its first character, and the one behind its last.
Extent = tuple[int, int]


@dataclass(slots=True)
class _Part:
    """A cell in the JSON: its kind, and the strings of its source."""

    kind: str = ""
    language: str = ""
    source: Extent | None = None
    items: list[Extent] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    listed: bool = False


def read(text: str) -> tuple[list[Cell], list[Block]]:
    """The code cells of a notebook, and each of them as a block; none if its language is not Python, or it is empty.

    Raises:
        SourceError: it is broken JSON, or not a notebook.
    """
    cells: list[Cell] = []
    for number, part in _code_cells(text):
        cells.append(Cell("".join(part.values), number))
    return cells, [Block(place, tuple(rows_of(cell.ended))) for place, cell in enumerate(cells)]


def has_kernel_of_python_2(text: str) -> bool:
    """Whether the metadata of a notebook that can be read say that it was last run by Python 2."""
    found: list[Any] = []

    def metadata(at: int) -> int:
        value, end = _value(text, at)
        found.append(value)
        return end

    _object(text, _skip(text, 0), {"metadata": metadata})
    about = found[-1] if found and isinstance(found[-1], dict) else {}
    kernel, language = (one if isinstance(one, dict) else {} for one in map(about.get, ("kernelspec", "language_info")))
    version = str(language.get("version", ""))
    return version.startswith("2.") if version else kernel.get("name") == "python2"


def rewritten(text: str, sources: Mapping[int, str]) -> str:
    """The notebook with new sources of some cells, by their number."""
    pieces: list[str] = []
    end = 0
    escaping: list[bool] = []  # of the whole notebook, once it is asked for

    def escapes() -> bool:
        if not escaping:
            escaping.append(text.isascii() and _ESCAPED.search(text) is not None)
        return escaping[0]

    for number, part in _code_cells(text):
        if number in sources and part.source is not None and sources[number] != "".join(part.values):
            for (start, stop), new in _changes(text, part, sources[number], escapes):
                pieces += (text[end:start], new)
                end = stop
    return "".join((*pieces, text[end:]))


def _changes(text: str, part: _Part, new: str, elsewhere: Callable[[], bool]) -> Iterator[tuple[Extent, str]]:
    """The replacements in the JSON that make `new` a cell's source; `elsewhere`: see `_escapes`."""
    ascii_only = _escapes(text, part, elsewhere)
    if not part.listed or (len(part.values) == 1 and "\n" in part.values[0][:-1]):  # one text, in a list or not
        yield part.items[0], json.dumps(new, ensure_ascii=ascii_only)
        return
    assert part.source is not None
    before, after = _kept(part.values, new)
    start = sum(map(len, part.values[:before]))
    stop = len(new) - sum(map(len, part.values[len(part.values) - after :]))
    known = dict(zip(part.values, part.items))
    rows = [
        text[slice(*known[row])] if row in known else json.dumps(row, ensure_ascii=ascii_only)
        for row in new[start:stop].splitlines(keepends=True)
    ]
    first, behind = before, len(part.items) - after
    if len(part.items) > 1:
        gap = text[part.items[0][1] : part.items[1][0]]
    elif part.items:
        gap = "," + (text[part.source[0] + 1 : part.items[0][0]] or " ")
    else:
        gap = ", "
    joined = gap.join(rows)
    if first < behind:
        if rows:
            yield (part.items[first][0], part.items[behind - 1][1]), joined
        elif behind < len(part.items):
            yield (part.items[first][0], part.items[behind][0]), ""
        elif first > 0:
            yield (part.items[first - 1][1], part.items[behind - 1][1]), ""
        else:
            yield part.source, "[]"
    elif not part.items:
        yield part.source, f"[{joined}]"
    elif first < len(part.items):
        yield (part.items[first][0], part.items[first][0]), joined + gap
    else:
        yield (part.items[-1][1], part.items[-1][1]), gap + joined


def _kept(values: list[str], new: str) -> tuple[int, int]:
    """How many items of a source do not change at its beginning and at its end."""
    before = start = 0
    while before < len(values) and new.startswith(values[before], start):
        end = start + len(values[before])
        if not (values[before].endswith("\n") or end == len(new)):
            break
        before, start = before + 1, end
    after, stop = 0, len(new)
    while before + after < len(values) and new.endswith(value := values[-1 - after], start, stop):
        begin = stop - len(value)
        if begin < start or (begin > 0 and new[begin - 1] != "\n"):
            break
        after, stop = after + 1, begin
    return before, after


def _escapes(text: str, part: _Part, elsewhere: Callable[[], bool]) -> bool:
    """Whether characters outside of ASCII are written as escapes: as in the cell, else as in the whole notebook."""
    raw = "".join(text[start:end] for start, end in part.items)
    if not raw.isascii():
        return False
    return _ESCAPED.search(raw) is not None or elsewhere()


# --- reading -------------------------------------------------------------------------------------------------


def _code_cells(text: str) -> list[tuple[int, _Part]]:
    """The cells that hold code in the notebook's language, with their numbers, if that is Python."""
    if not text.strip():
        return []  # made and never written to: nothing in it is wrong
    parts: list[_Part] = []
    languages: list[str] = []
    found = False

    def cells(at: int) -> int:
        nonlocal found
        found = True
        return _walk(text, at, "[]", lambda at: _cell(text, at, parts))

    def worksheets(at: int) -> int:
        nonlocal found
        found = True
        return _walk(text, at, "[]", lambda at: _object(text, at, {"cells": cells}))

    def metadata(at: int) -> int:
        value, end = _value(text, at)
        languages.extend(_languages(value))
        return end

    try:
        end = _object(text, _skip(text, 0), {"cells": cells, "worksheets": worksheets, "metadata": metadata})
        if _skip(text, end) != len(text):
            raise json.JSONDecodeError("Extra data", text, end)
    except json.JSONDecodeError as error:
        row, column = Lines(text).position(error.pos)
        # some of these texts go on with the place, which the line begins with
        said = re.sub(" at$", " here", error.msg)
        raise SourceError(f"is not valid JSON: {said}", row, column) from error
    except RecursionError as error:
        raise SourceError("is nested too deeply to be read") from error
    if not found:
        raise _not_a_notebook(text, 0, "it has no cells")
    if not all(_PYTHON.match(language) for language in languages):
        return []
    return [
        (number, part)
        for number, part in enumerate(parts, 1)
        if part.kind == "code" and part.source is not None and (not part.language or _PYTHON.match(part.language))
    ]


def _languages(metadata: Any) -> Iterator[str]:
    """The languages in the metadata of a notebook."""
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        about = metadata.get(key) if isinstance(metadata, dict) else None
        language = about.get(name) if isinstance(about, dict) else None
        if isinstance(language, str) and language:
            yield language


def _cell(text: str, at: int, parts: list[_Part]) -> int:
    """Read one cell."""
    part = _Part()
    parts.append(part)

    def kind(at: int) -> int:
        value, end = _value(text, at)
        part.kind = value if isinstance(value, str) else ""
        return end

    def language(at: int) -> int:
        value, end = _value(text, at)
        part.language = value if isinstance(value, str) else ""
        return end

    def metadata(at: int) -> int:  # VS Code stores the language of a cell there
        value, end = _value(text, at)
        about = value.get("vscode") if isinstance(value, dict) else None
        other = about.get("languageId") if isinstance(about, dict) else None
        part.language = other if isinstance(other, str) else part.language
        return end

    def source(at: int) -> int:
        part.items, part.values, part.listed = [], [], text[at : at + 1] == "["
        end = _walk(text, at, "[]", item) if part.listed else item(at)
        part.source = (at, end)
        return end

    def item(at: int) -> int:
        value, end = _value(text, at)
        if not isinstance(value, str):
            raise _not_a_notebook(text, at, "a cell's source must be text")
        part.items.append((at, end))
        part.values.append(value)
        return end

    readers = {"cell_type": kind, "language": language, "metadata": metadata, "source": source, "input": source}
    return _object(text, at, readers)


def _object(text: str, at: int, readers: Mapping[str, Callable[[int], int]]) -> int:
    """Walk an object; values of the keys in `readers` are read by these, the others are skipped."""
    return _walk(text, at, "{}", lambda at: _member(text, at, readers))


def _walk(text: str, at: int, brackets: str, reader: Callable[[int], int]) -> int:
    """Walk an array, or the members of an object."""
    if text[at : at + 1] != brackets[0]:
        _value(text, at)
        raise _not_a_notebook(text, at, f"expected {'an object' if brackets == '{}' else 'an array'} here")
    at = _skip(text, at + 1)
    if text[at : at + 1] == brackets[1]:
        return at + 1
    while True:
        at = _skip(text, reader(at))
        following = text[at : at + 1]
        if following == brackets[1]:
            return at + 1
        if following != ",":
            raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
        at = _skip(text, at + 1)


def _member(text: str, at: int, readers: Mapping[str, Callable[[int], int]]) -> int:
    key, at = _value(text, at)
    at = _skip(text, at)
    if not isinstance(key, str) or text[at : at + 1] != ":":
        raise json.JSONDecodeError("Expecting ':' delimiter", text, at)
    at = _skip(text, at + 1)
    reader = readers.get(key)
    return reader(at) if reader else _value(text, at)[1]


def _value(text: str, at: int) -> tuple[Any, int]:
    return _DECODER.raw_decode(text, at)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _not_a_notebook(text: str, at: int, why: str) -> SourceError:
    return SourceError(f"is not a notebook: {why}", *Lines(text).position(at))

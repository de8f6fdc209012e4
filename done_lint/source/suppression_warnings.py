"""Warnings about suppression comments that do not work: an unknown code, a rule's name, a misspelt `skip-file`.

Only comments that refer to done-lint are checked, not the codes of other tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from done_lint.core.codes import ALL, CODES, nearest, nearest_code
from done_lint.source.source import Source
from done_lint.source.suppressions import FILE, ROW, SKIP, Comment, comments, comments_of_rows, prefixes

_BY_NAME = {name: code for code, name in CODES.items()}
_WORD = rf"(?P<word>GYM[0-9]*\b|(?:{'|'.join(_BY_NAME)})\b(?!-))"
#: A code or a rule's name behind a `noqa` without codes: in brackets, behind a dash, behind too much space.
_BEHIND_NOQA = re.compile(rf"[\W_]*{_WORD}", re.IGNORECASE)
#: The same behind a list of codes, which only commas and spaces continue.
_BEHIND_CODES = re.compile(rf"\s*(?:[;|/&+.:]|\band\b|\bor\b)?\s*{_WORD}", re.IGNORECASE)
_OWN = re.compile(r"(?<![`'\"])#\s*(?:done-lint\s*[:=]|done[-_ ]?lint\b\W*(?=skip))\s*(?P<word>[\w-]*)", re.IGNORECASE)
#: Rows that can hold such a comment: reading all comments of a file takes longer than looking for these.
_WORTH_READING = re.compile(rf"#[^\n\r]*(?:done[-_ ]?lint\b|noqa\b[^\n\r]*{_WORD})", re.IGNORECASE)


class CommentWarning(NamedTuple):
    """The position of a suppression comment that does not work, and a message."""

    row: int
    column: int
    message: str


def comment_warnings(source: Source) -> list[CommentWarning]:
    """Warnings about the suppression comments of a source."""
    if not _WORTH_READING.search(source.text):
        return []
    return list(_of_comments(comments(source.text), cells=source.layout is not None))


def comment_warnings_in_rows(text: str) -> list[CommentWarning]:
    """Warnings about the suppression comments of a file that is not Python."""
    return list(_of_comments(comments_of_rows(text), cells=False)) if _WORTH_READING.search(text) else []


def _of_comments(found: Sequence[Comment], *, cells: bool) -> Iterator[CommentWarning]:
    for comment in found:
        messages = (*_of_own(comment.text, cells), *_of_file(comment), *_of_row(comment.text))
        for message in messages:
            yield CommentWarning(comment.row, comment.column, message)


def _of_own(comment: str, cells: bool) -> Iterator[str]:
    """Of `# done-lint: …`."""
    match = SKIP.search(comment)
    if match is None:
        if own := _OWN.search(comment):
            meant = nearest(f"done-lint: {own['word']}", _KNOWN)
            hint = f"did you mean {meant}?" if meant else f"write {' or '.join(_KNOWN)}"
            yield f"`{own.group().strip()}` is not a known comment; {hint}"
        return
    if match["what"].lower() == "skip-cell" and not cells:
        yield "`skip-cell` has no effect in a file without cells; did you mean skip-file?"
    elif match["codes"]:
        yield from _unknown(match, prefixes(match))
    elif word := _BEHIND_NOQA.match(comment, match.end()):
        yield f"`{_shown(match, word)}` silences every code; write `{match.group()}: {_code(word)}`"


def _of_file(comment: Comment) -> Iterator[str]:
    """Of `# flake8: noqa` and `# ruff: noqa`."""
    if (match := FILE.search(comment.text)) is None:
        return
    codes = prefixes(match) if match["codes"] else ()
    if any(map(_is_ours, codes)) and not comment.alone:
        yield f"`{match.group().strip()}` must be alone on its row"
    yield from _unknown(match, filter(_is_ours, codes))


def _of_row(comment: str) -> Iterator[str]:
    """Of `# noqa`."""
    for match in ROW.finditer(comment):
        codes = prefixes(match) if match["codes"] else ()
        yield from _unknown(match, filter(_is_ours, codes))
        word = (_BEHIND_CODES if codes else _BEHIND_NOQA).match(comment, match.end())
        if word is None:
            continue
        if not codes:
            yield f"`{_shown(match, word)}` silences every code, of all tools; write `# noqa: {_code(word)}`"
        elif not _code(word).startswith(codes):
            meant = ", ".join((*codes, _code(word)))
            yield f"`{word['word']}` is ignored in `{_shown(match, word)}`; write `# noqa: {meant}`"


def _unknown(match: re.Match[str], codes: Sequence[str] | Iterator[str]) -> Iterator[str]:
    """Of codes that no rule has."""
    for code in codes:
        if not any(known.startswith(code) for known in CODES):
            yield f"`{match.group().strip(', ')}` names the unknown code {code}; {nearest_code(code)}"


def _is_ours(code: str) -> bool:
    return code.startswith(ALL)


def _code(word: re.Match[str]) -> str:
    """The code that a word refers to; for the bare prefix, which is not a code, an example."""
    code = _BY_NAME.get(word["word"].lower(), word["word"].upper())
    return next(iter(CODES)) if code == ALL else code


def _shown(match: re.Match[str], word: re.Match[str]) -> str:
    """The part of the comment that was meant as codes."""
    return match.string[match.start() : word.end()]


_KNOWN = ("done-lint: skip-file", "done-lint: skip-cell")

"""Pages that show old and new code side by side: which of their examples are the old ones, on purpose.

A label is a heading, a bold beginning of a paragraph, the title of a tab or a row that ends in a colon before a block,
or a comment in the block; behind code, it is for its row.
An old one counts where the same page has a new one as well. So does what a session shows to raise an error, and what a
sentence introduces as past, if it imports Gym, and another example of the page Gymnasium.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from done_lint.core.findings import Span
from done_lint.core.text import NEWLINE
from done_lint.source.documents.layout import Block, Layout

Label = Literal["old", "new", ""]

_OLD = (
    r"old|before|previously|legacy|deprecated|wrong|(?:gym\s*)?v?0\.(?:1\d|2[0-5])\b"
    r"|gym(?=\s*\((?:old|before|legacy|deprecated)\b)"
)
_NEW = r"new|after|now|migrated|updated|right|correct|gymnasium|(?:gym\s*)?v?0\.2[6-9]\b"
#: What may follow such a word: `Before the loop` is no label.
_NOUNS = "code|way|api|style|version|gym|step|library|release|interface|behaviou?r|usage|examples?|environments?"
_END = rf"(?=\W*$|\s*[:(\-\N{{EN DASH}}\N{{EM DASH}}*]|\s+(?:{_NOUNS})\b|\s+v?\d)"
_LABEL = re.compile(rf"[\s\d.=*_`-]*(?:the\s+)?(?:(?P<old>{_OLD})|(?P<new>{_NEW})){_END}", re.IGNORECASE)
_COMMENT = re.compile(r"\s*#+(?P<title>.*)")
_BEHIND_CODE = re.compile(r"[^#\"']*[^\s#\"'][^#\"']*\s#+(?P<title>.*)")
#: A heading of Markdown, a bold beginning, the title of a tab; or a short row above a row of signs (reStructuredText).
_TITLE = re.compile(
    r"""\s*(?:\#{1,6}\s+|\*\*|__|===\s*["']|:::?\s*tab-item\S*\s+|\.\.\s+tab(?:-item|)::\s+)(?P<title>.+)"""
)
#: A row of prose that only introduces what follows.
_INTRODUCES = re.compile(r"\s*(?P<title>[^\s:][^:]*):{1,2}\s*$")
#: What opens a block of code below its prose.
_OPENS = re.compile(r"\s*(?:```|~~~|\.\.\s+\w|:\w+:)")
#: What a sentence says of code that is past, and what that code and today's import.
_PAST = re.compile(
    r"\b(?:before|previous(?:ly)?|formerly|until|older|old|legacy|deprecated|looked|used\s+to|openai\s+gym)\b",
    re.IGNORECASE,
)
_ON_GYM = re.compile(r"^\s*(?:import|from)\s+gym\b", re.MULTILINE)
_ON_GYMNASIUM = re.compile(r"^\s*(?:import|from)\s+gymnasium\b", re.MULTILINE)
#: How an error is shown in the output of a session.
_TRACEBACK = "Traceback (most recent call last)"
_UNDERLINE = re.compile(r"\s*([=\-~^\"'*+#])\1{2,}\s*$")


def old_examples(layout: Layout) -> list[Span]:
    """The rows of the program that are old on purpose."""
    found = [*_raising(layout), *_introduced(layout)]
    labelled = list(_labelled(layout))
    if {"old", "new"} <= {label for label, _, _ in labelled}:
        found += [(first, last) for label, first, last in labelled if label == "old"]
    return [Span(first, 0, last + 1, 0) for first, last in found]


def _raising(layout: Layout) -> Iterator[tuple[int, int]]:
    """The first and last row of statements at a prompt whose output is the traceback of an error."""
    numbers = {origin: number for number, origin in enumerate(layout.origins, 1)}
    for place, block in enumerate(layout.blocks):
        text = layout.cells[block.cell].text
        first = 0
        for number, row in enumerate(block.rows):
            if ">>>" in text[row.start : row.content]:
                first = number
            if block.prompts and text[row.after :].lstrip().startswith(_TRACEBACK):
                yield numbers[place, first], numbers[place, number]


def _introduced(layout: Layout) -> Iterator[tuple[int, int]]:
    """The rows of examples on Gym that a sentence introduces as past: `Before version 2 the code looked like this:`."""
    rows = NEWLINE.split(layout.program)
    texts = ["\n".join(rows[first - 1 : last]) for first, last in layout.spans_of_blocks()]
    if not any(_ON_GYMNASIUM.search(text) for text in texts):
        return
    for span, text, block in zip(layout.spans_of_blocks(), texts, layout.blocks):
        if _ON_GYM.search(text) and not _ON_GYMNASIUM.search(text):
            last = next((row for row in reversed(_prose(layout, block)) if row.strip() and not _OPENS.match(row)), "")
            if _INTRODUCES.match(last) and _PAST.search(last):
                yield span


def _labelled(layout: Layout) -> Iterator[tuple[Label, int, int]]:
    """Labels, and the first and last row of the program that each is for."""
    rows = NEWLINE.split(layout.program)
    for (first, last), block in zip(layout.spans_of_blocks(), layout.blocks):
        label, start = _of_title(layout, block), first
        for number in range(first, last + 1):
            comment = _COMMENT.match(rows[number - 1])
            if comment and (found := _says(comment["title"])):
                if label:
                    yield label, start, number - 1
                label, start = found, number
            behind = _BEHIND_CODE.match(rows[number - 1])
            if behind and (found := _says(behind["title"])):
                yield found, number, number
        if label:
            yield label, start, last


def _of_title(layout: Layout, block: Block) -> Label:
    """What the prose directly before a block says: its last title, if no other code stands between."""
    rows = _prose(layout, block)
    last = next((row for row in reversed(rows) if row.strip() and not _OPENS.match(row)), "")
    if (found := _INTRODUCES.match(last)) and (label := _says(found["title"])):
        return label
    for above, row in reversed([*zip(["", *rows], rows)]):
        title = _TITLE.match(row)
        text = title["title"] if title else above if _UNDERLINE.match(row) else ""
        if text:
            return _says(text)
    return ""


def _prose(layout: Layout, block: Block) -> list[str]:
    """The rows between a block of a page and the code before it; none in a notebook."""
    cell = layout.cells[block.cell]
    if cell.number is not None:
        return []
    others = [one.rows[-1].after for one in layout.blocks if one.rows and one.rows[-1].after <= block.rows[0].start]
    return NEWLINE.split(cell.text[max(others, default=0) : block.rows[0].start])


def _says(title: str) -> Label:
    """What a title begins with."""
    match = _LABEL.match(title)
    if match is None:
        return ""
    return "old" if match["old"] else "new"

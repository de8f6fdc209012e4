"""Markdown, MDX and MyST: the fenced blocks that hold Python."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from done_lint.core.text import NEWLINE
from done_lint.source.documents import restructuredtext
from done_lint.source.documents.code_blocks import LANGUAGES, SESSIONS, code_block, comment_behind
from done_lint.source.documents.layout import Block, Row

_WORD = re.compile(r"\s*(?:\{(?P<directive>[\w:.-]+)[^}]*\}\s*)?(?P<word>[\w+-]*)")
_CODE_DIRECTIVES = frozenset("code code-block code-cell sourcecode testcode".split())
_OPTION = re.compile(r"\s*:[\w-]+:")
#: A row of nothing but a tag, which ends a paragraph in MDX.
_TAG = re.compile(r"\s*</?\w[^`]*>\s*$")
#: The comment before a fence that silences its block, in Markdown and in MDX.
_SKIP = re.compile(r"[\s>]*(?:<!--|\{/\*)\s*(?P<comment>done-lint:.*?)\s*(?:-->|\*/\})\s*", re.IGNORECASE)


def blocks(text: str, rows: Sequence[Row], *, mdx: bool = False) -> Iterator[Block]:
    """The Python blocks in rows of a document; MDX has no indented code and no HTML."""
    if not any("```" in text[row.content : row.end] or "~~~" in text[row.content : row.end] for row in rows):
        return
    # Markdown's parser is slow to import, and documents are rare.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 100})
    if mdx:
        parser.disable(["code", "html_block"])
    bodies = (text[row.content : row.end] for row in rows)
    for token in parser.parse("\n".join("" if mdx and _TAG.match(body) else body for body in bodies)):
        if token.type == "fence" and token.map is not None:
            content = NEWLINE.split(token.content.removesuffix("\n"))
            inner = [_inner(text, row, code) for row, code in zip(rows[token.map[0] + 1 : token.map[1]], content)]
            found = _of_fence(text, token.info, inner, mdx)
            comment = comment_behind(_SKIP, text, rows[: token.map[0]])
            yield from (block.under(comment) for block in found)


def _inner(text: str, row: Row, code: str) -> Row:
    """A row in a fence, without the indentation and marks of the containers around the fence."""
    body = text[row.content : row.end]
    if body.endswith(code):
        return row._replace(content=row.end - len(code))
    bare = code.lstrip()  # a tab that is partly the indentation of the list
    return row._replace(content=row.end - len(bare), head=code[: len(code) - len(bare)])


def _of_fence(text: str, info: str, rows: Sequence[Row], mdx: bool) -> Iterator[Block]:
    match = _WORD.match(info)
    word, directive = (match["word"].lower(), match["directive"]) if match else ("", None)
    if directive is not None and (directive in ("eval-rst", "eval_rst") or directive.startswith(".")):
        if directive == ".python":
            word = "python"
        elif directive.startswith("eval"):
            yield from restructuredtext.blocks(text, rows)
            return
    elif directive is not None and directive.lower() in (*LANGUAGES, *SESSIONS):
        word = directive.lower()
    elif directive is not None:
        body = _without_options(text, rows)
        if directive not in _CODE_DIRECTIVES:
            yield from blocks(text, body, mdx=mdx)  # a note, a tab
            return
        rows, word = body, word or ("python" if directive in ("code-cell", "testcode") else "")
    if word == "eval_rst":
        yield from restructuredtext.blocks(text, rows)
    elif word in LANGUAGES or word in SESSIONS or not word:
        yield from code_block(text, rows, named=bool(word))


def _without_options(text: str, rows: Sequence[Row]) -> Sequence[Row]:
    """A directive's content without its options, `:key: value` or a block between `---`."""
    bodies = [text[row.content : row.end].strip() for row in rows]
    if bodies and bodies[0] == "---" and "---" in bodies[1:]:
        return rows[bodies.index("---", 1) + 1 :]
    start = next((place for place, body in enumerate(bodies) if not _OPTION.match(body)), len(rows))
    return rows[start:]

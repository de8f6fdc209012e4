"""A parsed file with what LibCST leaves out: parents, spans, statements and their blocks.

LibCST's own parent provider and visitors rebuild every node they pass; this walk only looks.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from done_lint.findings import Span
from done_lint.source import Lines
from done_lint.syntax.scopes import Scopes

Node = TypeVar("Node", bound=cst.CSTNode)
Scope = cst.FunctionDef | cst.ClassDef | cst.Module
#: One line of small statements: `a = 1; b = 2`, alone or behind the colon of a one-line suite.
Row = cst.SimpleStatementLine | cst.SimpleStatementSuite

_LAYOUT = (cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace, cst.EmptyLine)
_FIELDS: dict[type[cst.CSTNode], tuple[str, ...]] = {}


class Tree:
    """One parse of a file, walked once."""

    def __init__(self, text: str) -> None:
        """Parse.

        Raises:
            libcst.ParserSyntaxError: LibCST cannot parse `text`.
        """
        wrapper = MetadataWrapper(_parsed(text), unsafe_skip_copy=True)
        self.module = wrapper.module
        self.text = text
        self.lines = Lines(text)
        self._positions: Mapping[cst.CSTNode, CodeRange] = wrapper.resolve(PositionProvider)
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.nodes: dict[str, list[cst.CSTNode]] = {}
        self._walk()

    def _walk(self) -> None:
        """Record each node's parent, and the nodes of each type."""
        waiting: list[cst.CSTNode] = [self.module]
        while waiting:
            node = waiting.pop()
            self.nodes.setdefault(type(node).__name__, []).append(node)
            for child in _children(node):
                self.parents[child] = node
                waiting.append(child)

    def of_type(self, kind: type[Node]) -> list[Node]:
        """All nodes of exactly this type, in the order of the source."""
        found = [node for node in self.nodes.get(kind.__name__, ()) if isinstance(node, kind)]
        return sorted(found, key=self.span)

    def span(self, node: cst.CSTNode) -> Span:
        """Where the node stands, without enclosing parentheses."""
        place = self._positions[node]
        return Span(place.start.line, place.start.column, place.end.line, place.end.column)

    def offsets(self, node: cst.CSTNode) -> tuple[int, int]:
        """First and last character offset of the node, without enclosing parentheses."""
        span = self.span(node)
        return self.lines.offset(span.row, span.column), self.lines.offset(span.end_row, span.end_column)

    def source(self, node: cst.CSTNode) -> str:
        """The node as the user wrote it, without enclosing parentheses."""
        start, end = self.offsets(node)
        return self.text[start:end]

    @cached_property
    def expressions(self) -> Mapping[Span, cst.BaseExpression]:
        """Expressions by span."""
        return {self.span(node): node for node in self._positions if isinstance(node, cst.BaseExpression)}

    @cached_property
    def scopes(self) -> Scopes:
        """Who binds and who reads which name."""
        return Scopes(self)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Parent, its parent, and so on up to the module."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def scope(self, node: cst.CSTNode) -> Scope:
        """The function, class or module whose body holds the node."""
        for ancestor in self.ancestors(node):
            if isinstance(ancestor, (cst.FunctionDef, cst.ClassDef, cst.Module)):
                return ancestor
        return self.module

    def row(self, node: cst.CSTNode) -> Row | None:
        """The line of small statements that holds the node, if no compound statement does first."""
        for ancestor in (node, *self.ancestors(node)):
            if isinstance(ancestor, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
                return ancestor
            if isinstance(ancestor, cst.BaseCompoundStatement):
                return None
        return None

    def siblings(self, statement: cst.CSTNode) -> Sequence[cst.CSTNode]:
        """The statements of the block that this statement stands in."""
        body = getattr(self.parents.get(statement), "body", ())
        return body if isinstance(body, (list, tuple)) else ()

    def within(self, node: cst.CSTNode, outer: cst.CSTNode) -> bool:
        """Whether `node` is `outer` or stands inside it."""
        return node is outer or any(ancestor is outer for ancestor in self.ancestors(node))

    def descend(self, node: cst.CSTNode, *, into_functions: bool = True) -> Iterator[cst.CSTNode]:
        """The node and everything inside it."""
        waiting = [node]
        while waiting:
            current = waiting.pop()
            yield current
            if (
                into_functions
                or current is node
                or not isinstance(current, (cst.FunctionDef, cst.ClassDef, cst.Lambda))
            ):
                waiting.extend(reversed(list(_children(current))))


def _parsed(text: str) -> cst.Module:
    """Parse, also where blocks mix tabs and spaces in a way that Python allows and LibCST does not.

    Python asks that indentation nests alike whether a tab counts for one column or for eight. So one space
    for each tab means the same, and every offset stays.
    """
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError:
        without_tabs = _spaces_for_tabs(text)
        if without_tabs == text:
            raise
        return cst.parse_module(without_tabs)


def _spaces_for_tabs(text: str) -> str:
    """The text with one space for each tab of its blocks' indentation; continuation rows keep theirs."""
    lines = Lines(text)
    starts: list[int] = []
    fresh = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.NEWLINE:
                fresh = True
            elif fresh and token.type not in _NO_CODE:
                starts.append(lines.offset(token.start[0], 0))
                fresh = False
    except (tokenize.TokenError, SyntaxError):
        return text
    pieces: list[str] = []
    end = 0
    for start in starts:
        margin = _MARGIN.match(text, start)
        if margin is not None:
            pieces += [text[end:start], margin.group().replace("\t", " ")]
            end = margin.end()
    return "".join((*pieces, text[end:]))


_MARGIN = re.compile(r"[ \t\f]*")
_NO_CODE = frozenset(
    {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}
)


def _children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Nodes directly below, without whitespace and comments."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(item.name for item in fields(node))
    for name in names:
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            if not isinstance(value, _LAYOUT):
                yield value
        elif isinstance(value, (list, tuple)):
            for item in value:
                if isinstance(item, cst.CSTNode) and not isinstance(item, _LAYOUT):
                    yield item

"""A parsed file with what LibCST leaves out: parents, spans, statements and their blocks.

LibCST's own parent provider and visitors rebuild every node they pass; this walk only looks.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TypeVar, cast

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from done_lint.core.findings import Span
from done_lint.source.source import Lines
from done_lint.syntax.scopes import Scopes

Node = TypeVar("Node", bound=cst.CSTNode)
Scope = cst.FunctionDef | cst.ClassDef | cst.Module
_SCOPES = frozenset({cst.FunctionDef, cst.ClassDef, cst.Module})
#: One line of small statements: `a = 1; b = 2`, alone or behind the colon of a one-line suite.
Row = cst.SimpleStatementLine | cst.SimpleStatementSuite

_LAYOUT = (cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace, cst.EmptyLine)
_FIELDS: dict[type[cst.CSTNode], tuple[str, ...]] = {}
#: Which types are nodes of code.
_CODE: dict[type, bool] = {}


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
        #: The number of a node in the walk, and that of the last node inside it.
        self._extents: dict[cst.CSTNode, tuple[int, int]] = {}
        self._spans: dict[cst.CSTNode, Span] = {}
        self._scopes: dict[cst.CSTNode, Scope] = {}
        self._sorted: dict[type[cst.CSTNode], Sequence[cst.CSTNode]] = {}
        #: The numbers of the nodes of each type, in the order of `nodes`.
        self._numbers: dict[type[cst.CSTNode], list[int]] = {}
        self._places: dict[cst.CSTNode, int] = {}
        self._walk()

    def _walk(self) -> None:
        """Record each node's parent, the nodes of each type, and which nodes stand inside which."""
        walked: list[cst.CSTNode] = []
        #: By number: that of the parent.
        outer: list[int] = []
        waiting: list[tuple[cst.CSTNode, int]] = [(self.module, 0)]
        while waiting:
            node, above = waiting.pop()
            number = len(walked)
            walked.append(node)
            outer.append(above)
            self.nodes.setdefault(type(node).__name__, []).append(node)
            scope = cast("Scope", node) if type(node) in _SCOPES else self._scopes[node]
            for child in _children(node):
                self.parents[child] = node
                self._scopes[child] = scope
                waiting.append((child, number))
        last = list(range(len(walked)))
        for number in range(len(walked) - 1, 0, -1):
            if last[number] > last[outer[number]]:
                last[outer[number]] = last[number]
        self._extents = dict(zip(walked, enumerate(last)))

    def of_type(self, kind: type[Node]) -> Sequence[Node]:
        """All nodes of exactly this type, in the order of the source."""
        if kind not in self._sorted:
            found = [node for node in self.nodes.get(kind.__name__, ()) if isinstance(node, kind)]
            self._sorted[kind] = sorted(found, key=self.span)
        return cast("Sequence[Node]", self._sorted[kind])

    def inside(self, kind: type[Node], outer: cst.CSTNode) -> list[Node]:
        """Nodes of exactly this type inside another node, or that node itself, in the order of the source."""
        nodes = self.nodes.get(kind.__name__, [])
        numbers = self._numbers.get(kind)
        if numbers is None:
            numbers = self._numbers[kind] = [self._extents[node][0] for node in nodes]
        first, last = self._extents[outer]
        found = nodes[bisect_left(numbers, first) : bisect_right(numbers, last)]
        return cast("list[Node]", sorted(found, key=self.span))

    def behind(self, nodes: Sequence[Node], start: Span, end: Span) -> Iterator[Node]:
        """Of nodes in the order of the source, those whose span is greater than `start`, and not than `end`."""
        for place in range(bisect_right(nodes, start, key=self.span), len(nodes)):
            if self.span(nodes[place]) > end:
                return
            yield nodes[place]

    @cached_property
    def _attributes(self) -> Mapping[str, Sequence[cst.Attribute]]:
        found: dict[str, list[cst.Attribute]] = {}
        for node in self.of_type(cst.Attribute):
            found.setdefault(node.attr.value, []).append(node)
        return found

    @cached_property
    def _names(self) -> Mapping[str, Sequence[cst.Name]]:
        found: dict[str, list[cst.Name]] = {}
        for node in self.of_type(cst.Name):
            found.setdefault(node.value, []).append(node)
        return found

    def names(self, name: str) -> Sequence[cst.Name]:
        """All nodes that are this name, keywords and attributes among them, in the order of the source."""
        return self._names.get(name, ())

    def attributes(self, name: str) -> Sequence[cst.Attribute]:
        """All attributes of this name, on whatever object, in the order of the source."""
        return self._attributes.get(name, ())

    def span(self, node: cst.CSTNode) -> Span:
        """Where the node stands, without enclosing parentheses."""
        span = self._spans.get(node)
        if span is None:
            place = self._positions[node]
            span = self._spans[node] = Span(place.start.line, place.start.column, place.end.line, place.end.column)
        return span

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
        return self._scopes.get(node, self.module)

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

    def following(self, statement: cst.CSTNode) -> cst.CSTNode | None:
        """The statement behind this one in its block."""
        block = self.siblings(statement)
        if block and statement not in self._places:
            self._places.update((one, place) for place, one in enumerate(block))
        place = self._places.get(statement, len(block))
        return block[place + 1] if place + 1 < len(block) else None

    def within(self, node: cst.CSTNode, outer: cst.CSTNode) -> bool:
        """Whether `node` is `outer` or stands inside it."""
        inside, around = self._extents.get(node), self._extents.get(outer)
        if inside is None or around is None:
            return node is outer
        return around[0] <= inside[0] <= around[1]

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
        if _is_code(value):
            yield value
        elif isinstance(value, (list, tuple)):
            for item in value:
                if _is_code(item):
                    yield item


def _is_code(value: object) -> bool:
    """Whether this is a node, and not whitespace; the classes of LibCST are slow to be asked."""
    kind = type(value)
    known = _CODE.get(kind)
    if known is None:
        known = _CODE[kind] = issubclass(kind, cst.CSTNode) and not issubclass(kind, _LAYOUT)
    return known

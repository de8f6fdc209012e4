"""A parsed file with what LibCST leaves out: parents, spans, statements and their blocks.

LibCST's own parent provider and visitors rebuild every node they pass; this walk only looks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache, cached_property
from typing import TypeVar, cast
from weakref import proxy

import libcst as cst

from done_lint.core.findings import Span
from done_lint.core.text import Lines
from done_lint.syntax.parse import parsed
from done_lint.syntax.positions import positions

Node = TypeVar("Node", bound=cst.CSTNode)
Scope = cst.FunctionDef | cst.ClassDef | cst.Module
_SCOPES = frozenset({cst.FunctionDef, cst.ClassDef, cst.Module})
#: One line of small statements: `a = 1; b = 2`, alone or behind the colon of a one-line suite.
Row = cst.SimpleStatementLine | cst.SimpleStatementSuite

_LAYOUT = (cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace, cst.EmptyLine)
#: Fields without code.
_WHITESPACE = ("whitespace", "leading_lines", "lines_after", "header", "footer", "trailing_whitespace", "indent")
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
        self.module = parsed(text)
        self.text = text
        self.lines = Lines(text)
        self._positions = positions(self.module, self.lines)
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
            start, end = self._positions[id(node)]
            span = self._spans[node] = Span(*self.lines.position(start), *self.lines.position(end))
        return span

    def literal_span(self, node: cst.BaseExpression) -> Span:
        """Where `ast` says that the node stands: the same, but of a tuple in parentheses with these."""
        if not isinstance(node, cst.Tuple) or not node.lpar:
            return self.span(node)
        (start, _), (_, end) = (self._positions[id(one)] for one in (node.lpar[-1], node.rpar[0]))
        return Span(*self.lines.position(start), *self.lines.position(end))

    def offsets(self, node: cst.CSTNode) -> tuple[int, int]:
        """First and last character offset of the node, without enclosing parentheses."""
        return self._positions[id(node)]

    def source(self, node: cst.CSTNode) -> str:
        """The node as the user wrote it, without enclosing parentheses."""
        start, end = self.offsets(node)
        return self.text[start:end]

    @cached_property
    def expressions(self) -> Mapping[Span, cst.BaseExpression]:
        """Expressions by span."""
        # of two with the same span the outer one counts
        inner_first = (node for node in reversed(self._extents) if _is_expression(type(node)))
        return {self.span(node): cast("cst.BaseExpression", node) for node in inner_first}

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


def _children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Nodes directly below, without whitespace and comments."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(item.name for item in fields(node) if not item.name.startswith(_WHITESPACE))
    for name in names:
        value = getattr(node, name)
        if _is_code(value):
            yield value
        elif isinstance(value, (list, tuple)):
            for item in value:
                if _is_code(item):
                    yield item


@cache
def _is_expression(kind: type[cst.CSTNode]) -> bool:
    return issubclass(kind, cst.BaseExpression)


def _is_code(value: object) -> bool:
    """Whether this is a node, and not whitespace; the classes of LibCST are slow to be asked."""
    kind = type(value)
    known = _CODE.get(kind)
    if known is None:
        known = _CODE[kind] = issubclass(kind, cst.CSTNode) and not issubclass(kind, _LAYOUT)
    return known


_PACKING = (cst.Element, cst.StarredElement, cst.Tuple, cst.List)


class Scopes:
    """Bindings and reads of a file, by scope and name.

    Lambdas and comprehensions count to the function around them: a name too many only makes a rule careful.
    """

    def __init__(self, tree: Tree) -> None:
        """Sort every name of the file into bindings and reads.

        The tree keeps its scopes; if they kept the tree, both would stay in memory until a collector comes.
        """
        self._tree: Tree = proxy(tree)
        self._bindings: dict[tuple[Scope, str], list[cst.Name]] = {}
        self._reads: dict[tuple[Scope, str], list[cst.Name]] = {}
        #: Annotations without a value: they make a name local, and bind nothing.
        self._noted: dict[tuple[Scope, str], list[cst.Name]] = {}
        self._declared: set[tuple[Scope, str]] = set()
        reads: list[cst.Name] = []
        for name in tree.of_type(cst.Name):
            role = _role(tree, name)
            if role == "bind":
                self._bindings.setdefault((self._owner(name), name.value), []).append(name)
            elif role == "read":
                reads.append(name)
            elif role == "declare":
                self._declared.add((tree.scope(name), name.value))
            elif role == "note":
                self._noted.setdefault((tree.scope(name), name.value), []).append(name)
        self._declared_names = {name for _, name in self._declared}
        for name in reads:
            scope = self.resolved(tree.scope(name), name.value)
            self._reads.setdefault((scope, name.value), []).append(name)

    def bindings(self, scope: Scope, name: str) -> list[cst.Name]:
        """Where `scope` binds `name`."""
        return self._bindings.get((scope, name), [])

    def reads(self, scope: Scope, name: str) -> list[cst.Name]:
        """Where the variable that `name` is in `scope` is read, in inner functions too."""
        return self._reads.get((self.resolved(scope, name), name), [])

    def is_declared(self, name: str) -> bool:
        """Whether some function says that a variable of this name is `global` or `nonlocal`."""
        return name in self._declared_names

    def is_read(self, scope: Scope, name: str) -> bool:
        """Whether someone can read the variable: an attribute of a class and a `global` always."""
        if isinstance(scope, cst.ClassDef) or (scope, name) in self._declared:
            return True
        return bool(self.reads(scope, name))

    def mentions(self, scope: Scope, name: str) -> list[cst.Name]:
        """Bindings and reads of the variable that `name` is, or would be, in `scope`."""
        if (scope, name) in self._declared:
            return [*self._bindings.get((self._tree.module, name), []), *self.reads(scope, name)]
        here = [read for read in self.reads(scope, name) if self._tree.within(read, scope)]
        return [*self.bindings(scope, name), *self._noted.get((scope, name), ()), *here]

    def fresh(self, scope: Scope, *names: str) -> tuple[str, ...]:
        """The names, all with one suffix where one of them is taken in the scope."""
        suffix, count = "", 0
        while any(self.mentions(scope, name + suffix) for name in names):
            count += 1
            suffix = f"_{count}"
        return tuple(name + suffix for name in names)

    def _owner(self, name: cst.Name) -> Scope:
        """The scope that a binding belongs to: a function's own name belongs to the scope around it."""
        parent = self._tree.parents[name]
        scope = self._tree.scope(name)
        return self._tree.scope(scope) if scope is parent else scope

    def resolved(self, scope: Scope, name: str) -> Scope:
        """The scope whose variable `name` is when it is read in `scope`."""
        inner = scope
        while not isinstance(scope, cst.Module):
            # A class's names are not seen from the functions inside it.
            visible = scope is inner or not isinstance(scope, cst.ClassDef)
            variable = (scope, name)
            if visible and (variable in self._bindings or variable in self._noted) and variable not in self._declared:
                return scope
            scope = self._tree.scope(scope)
        return scope


def _role(tree: Tree, name: cst.Name) -> str:
    """What a name does where it stands: "bind", "read", "declare", "note" (its type alone), or nothing ("")."""
    parent = tree.parents[name]
    if isinstance(parent, cst.Attribute):
        return "read" if parent.value is name and not _imported(tree, parent) else ""
    if isinstance(parent, cst.Arg):
        return "" if parent.keyword is name else "read"
    if isinstance(parent, (cst.Param, cst.FunctionDef, cst.ClassDef)):
        return "bind" if parent.name is name else "read"
    if isinstance(parent, cst.NameItem):
        return "declare"
    if isinstance(parent, cst.ImportAlias):
        return "bind" if parent.asname is None else ""
    if isinstance(parent, (cst.ImportFrom, cst.MatchKeywordElement)):
        return ""
    node: cst.CSTNode = name
    while isinstance(parent, _PACKING):
        node, parent = parent, tree.parents[parent]
    if isinstance(parent, (cst.AssignTarget, cst.AsName, cst.MatchAs, cst.MatchStar)):
        return "bind"
    if isinstance(parent, (cst.For, cst.CompFor, cst.AnnAssign, cst.NamedExpr)) and parent.target is node:
        return "note" if _is_note(tree, parent) else "bind"
    return "read"


def _is_note(tree: Tree, binding: cst.CSTNode) -> bool:
    """Whether this is an annotation without a value; a field of a class is there without one."""
    noted = isinstance(binding, cst.AnnAssign) and binding.value is None
    return noted and not isinstance(tree.scope(binding), cst.ClassDef)


def _imported(tree: Tree, attribute: cst.Attribute) -> bool:
    """Whether a dotted name stands in an import; `import a.b` binds `a`, which matters to nobody here."""
    outer = tree.parents[attribute]
    while isinstance(outer, cst.Attribute):
        outer = tree.parents[outer]
    return isinstance(outer, (cst.ImportAlias, cst.ImportFrom))

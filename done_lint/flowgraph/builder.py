"""Nodes, operations and places while one file is surveyed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from itertools import count
from typing import TypeVar

from done_lint.core.file_io import PROSE
from done_lint.core.findings import Span
from done_lint.flowgraph import external_names
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Combination, Node, Operation, Reaction
from done_lint.flowgraph.schema import Function, Survey
from done_lint.flowgraph.scopes import Loop, Scope

_tuple = tuple.__new__
Entry = TypeVar("Entry")


class Graph:
    """The survey in the making: hands out nodes, records operations, knows places and scopes."""

    def __init__(self, path: str, text: str) -> None:
        """Begin the survey of one file's decoded text."""
        self.result = Survey(path, page=path.endswith(PROSE))
        # These are asked for once an expression.
        self._next = count().__next__
        self._uses, self._places, self._names = self.result.uses, self.result.places, self.result.names
        self._operations, self._bindings = self.result.operations, self.result.bindings
        self._waiting, self._naming = self.result.waiting, self.result.naming
        #: The rows in which `ast`, which counts bytes, and we, who count characters, do not agree.
        self._wide = {} if text.isascii() else {n: row for n, row in enumerate(_rows(text), 1) if not row.isascii()}
        #: Node 0 stands for every value that no rule can care about.
        self.nothing = self.node()
        self.constants: dict[Node, object] = {}
        #: Local flow of values, to see what a loop carries: node -> nodes it is computed from.
        self.flow: dict[Node, list[Node]] = {}
        #: What each subscript reads: `adv[t + 1]`.
        self.elements: dict[Node, ast.Subscript] = {}
        #: Values put into elements, by the text of the first index and that of the base.
        self.written: dict[str, dict[str, Node]] = {}
        #: Products of a discount and a value, by their number, and sums that they are a part of.
        self.discounted: dict[Node, int] = {}
        self.targets: dict[Node, tuple[int, ...]] = {}
        #: Sums of several values.
        self.sums: set[Node] = set()
        #: Nodes that are None.
        self.nones: set[Node] = set()
        #: Nodes that hold an array of zeros.
        self.zeros: set[Node] = set()
        #: Names that mean nothing of the project, and the nodes of what they and their attributes mean, dotted.
        self.outside_names: Mapping[str, str] = {}
        self._externals: dict[str, Node] = {}
        #: Modules all of whose names are imported.
        self.stars: list[tuple[str, int]] = []
        self._spans: dict[ast.AST, Span] = {}
        self.scope = Scope("module", None)
        self.loops: list[Loop] = []
        self.loop_count = 0
        self.guard = 0
        #: The test of the branch at hand, and whether it holds there.
        self.branch: tuple[Node, bool] = (0, True)
        self.step_counters: frozenset[str] = frozenset()
        #: Names of the module that are bound more than once, or by functions too.
        self.changing: frozenset[str] = frozenset()
        #: Names bound to slot 2 of a five-value unpack, in the scope at hand.
        self.slots: dict[str, Node] = {}

    def node(self, at: Span | None = None, name: str = "") -> Node:
        """A new node, made at a place."""
        number = self._next()
        if at is not None:
            self._places[number] = at
        if name:
            self._names[number] = name
        return number

    def none(self) -> Node:
        """A new node for a value that is None."""
        node = self.node()
        self.nones.add(node)
        return node

    def op(self, operation: Operation) -> None:
        """Record one operation (see `operations`)."""
        self._operations.append(operation)

    def wait(self, node: Node, operation: Reaction) -> None:
        """Record a reaction to what a node holds (see `operations`)."""
        _file(self._waiting, node, operation)

    def combine(self, inputs: Iterable[Node], operation: Combination) -> None:
        """Record a combination of what several nodes hold."""
        for node in dict.fromkeys(inputs):
            if node:
                self.wait(node, operation)

    def ask(self, node: Node, operation: Reaction) -> None:
        """The same, of those that tell what classes are called."""
        _file(self._naming, node, operation)

    def copy(self, source: Node, target: Node) -> None:
        """`target` takes what `source` holds."""
        if source:
            self._bindings.append(ops.Copy(source, target))
            _file(self.flow, target, source)

    def derive(self, target: Node, *sources: Node) -> None:
        """Remember that `target` is computed from `sources` (recursions are found by it)."""
        for source in sources:
            if source:
                _file(self.flow, target, source)

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> Span:
        """The place of a syntax node, its columns in characters."""
        span = self._spans.get(node)
        if span is None:
            row, column, end_row, end_column = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
            if self._wide:
                column, end_column = self._characters(row, column), self._characters(end_row or row, end_column or 0)
            # every expression has one: the constructor of a named tuple is a call of its own
            span = self._spans[node] = _tuple(Span, (row, column, end_row, end_column))
        return span

    def _characters(self, row: int, column: int) -> int:
        wide = self._wide.get(row)
        if wide is None:
            return column
        return len(wide.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))

    def at_home(self, node: Node) -> None:
        """Remember the function that an expression stands in."""
        self.result.homes[node] = self.scope.function
        if self.guard:
            self.result.tested.add(node)

    def in_loop(self, node: Node) -> None:
        """Remember the loop that a choice is made in."""
        if self.loops:
            self.result.loops[node] = self.loops[-1].index

    def use(self, node: ast.expr, value: Node) -> Node:
        """Note that a rule may ask about this expression."""
        if value:
            self.used(self.span(node), value)
        return value

    def used(self, at: Span, value: Node) -> Node:
        """The same, of the expression at a place."""
        self._uses.append((at, value))
        if self.guard or self.slots:
            self._situated(at)
        return value

    def _situated(self, at: Span) -> None:
        """Note what stands around an expression."""
        if self.guard:
            self.result.guarded.add(at)
        if self.slots:
            self.result.live.setdefault(at, tuple(self.slots.items()))

    def function_scope(self) -> Scope:
        """The scope at hand, without the comprehensions in it."""
        scope = self.scope
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        return scope

    # --- names -------------------------------------------------------------------------------------

    def lookup(self, name: str) -> Node:
        """The version of a name that is current here; a cell for names of outer scopes."""
        scope: Scope | None = self.scope
        while scope is not None and scope.kind == "comprehension":
            if (version := scope.versions.get(name)) is not None:
                return version
            scope = scope.parent
        if scope is not None and (version := scope.versions.get(name)) is not None:
            return version
        here = scope
        while scope is not None:
            if name in scope.assigned and (scope.kind in ("module", "function") or scope is here):
                return self.cell(scope, name)
            scope = scope.parent
        module = self._module()
        if (cell := module.cells.get(name)) is not None:
            return cell
        builtin = module.cells[name] = self.node()
        if self.stars and name not in external_names.BUILTINS:
            for starred, level in self.stars:
                self._bindings.append(ops.Import(builtin, starred, name, level))
        else:
            self._bindings.append(ops.External(builtin, f"builtins.{name}"))
        return builtin

    def _module(self) -> Scope:
        scope = self.scope
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def cell(self, scope: Scope, name: str) -> Node:
        """The node that joins all versions of a name of a scope."""
        if name not in scope.cells:
            scope.cells[name] = self.node(name=name)
            if (version := scope.versions.get(name)) is not None:
                self.copy(version, scope.cells[name])
        return scope.cells[name]

    def bind(self, name: str, value: Node) -> None:
        """Assign: the name's version is now `value`."""
        scope = self.scope
        owner: Scope | None = scope
        if scope.kind != "comprehension" and name not in scope.assigned and scope.kind != "module":
            # global or nonlocal
            owner = scope.parent
            while owner is not None and name not in owner.assigned:
                owner = owner.parent
            if owner is not None:
                self.copy(value, self.cell(owner, name))
                return
        scope.versions[name] = value
        if name in scope.cells:
            self.copy(value, scope.cells[name])
        elif scope.kind == "module":
            if name in self.changing:
                self.copy(value, self.cell(scope, name))
            else:
                scope.cells[name] = value
        if self.slots.get(name, value) != value:
            del self.slots[name]

    def from_outside(self, e: ast.expr) -> str:
        """The dotted name of what is certainly from outside the project, `numpy.random.rand`; else empty."""
        root = e
        while type(root) is ast.Attribute:
            root = root.value
        if type(root) is not ast.Name or (dotted := self.outside_names.get(root.id)) is None:
            return ""
        scope = self.scope
        while scope.parent is not None:
            if root.id in scope.assigned or root.id in scope.versions:
                return ""
            scope = scope.parent
        attributes: list[str] = []
        while type(e) is ast.Attribute:
            if external_names.is_telling(e.attr):
                return ""
            attributes.append(e.attr)
            e = e.value
        if attributes:
            dotted = ".".join([dotted, *reversed(attributes)])
        return dotted if dotted.count(".") <= external_names.DEPTH else ""

    def external(self, dotted: str) -> Node:
        """The one node of this file for a name from outside."""
        node = self._externals.get(dotted)
        if node is None:
            node = self._externals[dotted] = self.node(name=dotted.rpartition(".")[2])
            self._bindings.append(ops.External(node, dotted))
        return node

    def function_at(self, index: int) -> Function:
        """A function of this file."""
        return self.result.functions[index]


def _file(lists: dict[Node, list[Entry]], node: Node, entry: Entry) -> None:
    """One more entry in the list of a node."""
    known = lists.get(node)
    if known is None:
        lists[node] = [entry]
    else:
        known.append(entry)


def _rows(text: str) -> list[str]:
    """Rows as Python's tokenizer counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

"""The survey of one file in the making: nodes, operations, places, and the dispatch to the visitors of syntax."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import NamedTuple, TypeVar, cast

from done_lint.core.findings import Span
from done_lint.core.paths import PROSE
from done_lint.flowgraph.binding_scan import Outline
from done_lint.flowgraph.operations import Combination, Copy, Node, Operation, Reaction
from done_lint.flowgraph.schema import Function, Survey
from done_lint.flowgraph.scopes import Constants, Loop, Names, Position, Trail
from done_lint.flowgraph.space_readers import names_spaces

_span = tuple.__new__
Entry = TypeVar("Entry")
#: How syntax is read, by type.
ExpressionVisitors = dict[type[ast.expr], Callable[["Builder", ast.expr], Node]]
StatementVisitors = dict[type[ast.stmt], Callable[["Builder", ast.stmt], object]]
Expression = TypeVar("Expression", bound=ast.expr)
Statement = TypeVar("Statement", bound=ast.stmt)


class Unpacked(NamedTuple):
    """A value that is taken apart."""

    width: int
    #: The name of the function that gave it; empty where no call did.
    callee: str
    #: The call of `gymnasium.make` that made what it is a method of; 0 where none is in sight.
    made: Node


class Builder:
    """Records the survey of one file, and knows the place in it that is at hand.

    Visitors are functions of it, so it holds all that they share; what belongs together is one field.
    """

    def __init__(
        self, path: str, text: str, outline: Outline, expressions: ExpressionVisitors, statements: StatementVisitors
    ) -> None:
        """Begin with an empty survey of decoded text; the visitors are functions of the builder and a syntax node."""
        self.result = Survey(path, page=path.endswith(PROSE))
        self.outline = outline
        self._expressions = expressions
        self._statements = statements
        self._next = count().__next__
        #: The rows in which `ast`, which counts bytes, and we, who count characters, do not agree.
        self._wide = {} if text.isascii() else {n: row for n, row in enumerate(_rows(text), 1) if not row.isascii()}
        self._spans: dict[ast.AST, Span] = {}
        self.names_spaces = names_spaces(text)
        #: Node 0 stands for every value that no rule can care about.
        self.nothing = self.node()
        self.names = Names()
        self.here = Position()
        #: The positions around the function or class at hand.
        self._around: list[Position] = []
        self.known = Constants()
        self.trail = Trail()
        #: Attributes whose tag is known at a place, and the name of what they hold there (see `tagged_attributes`).
        self.tagged_attributes: Mapping[ast.Attribute, str] = {}
        #: The texts that an entry point can be which is put together (see `entry_points`).
        self.entry_points: Mapping[ast.expr, tuple[str, ...]] = {}
        #: Every loop, by its number.
        self.loops: list[Loop] = []
        #: The body of every class, by its number.
        self.class_bodies: list[list[ast.stmt]] = []
        #: Names of functions that a scan calls, and what these carry, by node (see `scanned`).
        self.scanned: frozenset[str] = frozenset()
        self.carries: dict[Node, Loop] = {}
        self.step_counters = frozenset(outline.counters)
        #: The counters of loops around that count rounds of many steps, and their own bounds (see `counted_rounds`).
        self.rounds: Mapping[str, frozenset[str]] = {}
        #: Functions that hand on what they are given, by the class they are methods of and name (see `dispatched`).
        self.generics: dict[tuple[int, str], Function] = {}
        #: Widths of unpacks, and what call gave the value, on the side at hand of every `if` around, and on its other.
        self.unpacks: list[tuple[set[Unpacked], set[Unpacked]]] = []
        #: Targets of four values that are taken as five, too (see `superseded_forms`).
        self.superseded: set[ast.expr] = set()
        #: Elements whose value nothing reads before another one is stored there (see `overwritten_stores`).
        self.overwritten: frozenset[ast.expr] = frozenset()
        #: The name of the function that is called, by the node of its result.
        self.callees: dict[Node, str] = {}
        #: What a method is called of, by the node of its result, where `gymnasium.make` gave that just before.
        self.makers: dict[Node, Node] = {}
        #: The calls of `gymnasium.make`.
        self.makes: set[Node] = set()

    # --- syntax ------------------------------------------------------------------------------------

    def expr(self, e: ast.expr | None) -> Node:
        """The node that holds the expression's value."""
        return self.nothing if e is None else self._expressions[type(e)](self, e)

    def operand(self, e: ast.expr) -> Node:
        """The same, of an expression of which no text is asked for."""
        return self.nothing if isinstance(e, ast.Constant) and isinstance(e.value, str) else self.expr(e)

    def block(self, body: list[ast.stmt]) -> None:
        """Statements in order."""
        here = self.here
        early, left, old, settled = here.early, here.left, here.old, here.settled
        known_tests = here.known_tests
        for statement in body:
            self._statements[type(statement)](self, statement)
        here.early, here.left, here.old, here.known_tests = early, left, old, known_tests
        # the block may not have run: only what it left as it was is known behind it
        here.settled = {key: known for key, known in settled.items() if here.settled.get(key) == known}

    def open_body(self) -> None:
        """Put aside what holds of the statements around a function or class."""
        self._around.append(self.here)
        self.here = Position()

    def close_body(self) -> None:
        """Go back to the scope and the position around."""
        assert self.names.scope.parent is not None
        self.names.scope = self.names.scope.parent
        self.here = self._around.pop()

    # --- nodes -------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """One more than the largest node, which is used up by asking."""
        return self._next()

    def node(self, at: Span | None = None, name: str = "") -> Node:
        """A new node, made at a place."""
        number = self._next()
        if at is not None:
            self.result.places.add(number, at)
        if name:
            self.result.names[number] = name
        return number

    def none(self) -> Node:
        """A new node for a value that is None."""
        node = self.node()
        self.known.nones.add(node)
        return node

    def function_at(self, index: int) -> Function:
        """A function of this file."""
        return self.result.functions[index]

    # --- operations --------------------------------------------------------------------------------

    def op(self, operation: Operation) -> None:
        """Record one operation."""
        self.result.operations.append(operation)

    def declare(self, operation: Operation) -> None:
        """The same, of those that tell what classes are called."""
        self.result.bindings.append(operation)

    def wait(self, node: Node, reaction: Reaction) -> None:
        """Record a reaction to what a node holds."""
        _file(self.result.waiting, node, reaction)

    def ask(self, node: Node, reaction: Reaction) -> None:
        """The same, of those that tell what classes are called."""
        _file(self.result.naming, node, reaction)

    def combine(self, inputs: Iterable[Node], combination: Combination) -> None:
        """Record a combination of what several nodes hold."""
        for node in dict.fromkeys(inputs):
            if node:
                self.wait(node, combination)

    def copy(self, source: Node, target: Node) -> None:
        """`target` takes what `source` holds."""
        if source:
            self.declare(Copy(source, target))
            _file(self.trail.flow, target, source)

    # --- places ------------------------------------------------------------------------------------

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> Span:
        """The place of a syntax node, its columns in characters."""
        span = self._spans.get(node)
        if span is None:
            row, column, end_row, end_column = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
            if self._wide:
                column, end_column = self._characters(row, column), self._characters(end_row or row, end_column or 0)
            # every expression has one: the constructor of a named tuple is a call of its own
            span = self._spans[node] = _span(Span, (row, column, end_row, end_column))
        return span

    def _characters(self, row: int, column: int) -> int:
        wide = self._wide.get(row)
        if wide is None:
            return column
        return len(wide.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))

    def at_home(self, node: Node, source: Node = 0) -> None:
        """Remember the function that an expression stands in; it may take another value apart."""
        self.result.homes[node] = self.names.scope.function
        if self.here.guard or source in self.here.old:
            self.result.tested.add(node)

    def in_loop(self, node: Node) -> None:
        """Remember the loop that a choice is made in."""
        if self.here.loops:
            self.result.loops[node] = self.here.loops[-1].index

    def use(self, e: ast.expr, value: Node) -> Node:
        """Note that a rule may ask about this expression."""
        if value:
            self.used(self.span(e), value)
        return value

    def used(self, at: Span, value: Node) -> Node:
        """The same, of the expression at a place, together with what stands around it."""
        self.result.uses.add(value, at)
        if self.here.guard or value in self.here.old:
            self.result.guarded.add(at)
        if self.here.slots:
            self.result.live.setdefault(at, tuple(self.here.slots.items()))
        return value


def expression(kind: type[Expression], visit: Callable[[Builder, Expression], Node]) -> ExpressionVisitors:
    """One row of the table: the visitor is called with expressions of its type alone."""
    return {kind: cast("Callable[[Builder, ast.expr], Node]", visit)}


def statement(kind: type[Statement], visit: Callable[[Builder, Statement], object]) -> StatementVisitors:
    """The same of a statement."""
    return {kind: cast("Callable[[Builder, ast.stmt], object]", visit)}


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

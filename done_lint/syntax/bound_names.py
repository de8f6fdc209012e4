"""Which bindings of a name can arrive where it is read: a plain look at one text, to compare it with the text before.

The standard library's `symtable` says which scope binds a name, not which binding arrives, and the chains of `beniget`
have no path without a binding, nor all bindings that a function may meet when it is called.
It knows nothing of values. `Names.reads` has every read of a name that its scope binds, with the statements that may
have bound it last; `UNBOUND` is among them where some path leads there without any.
"""

from __future__ import annotations

import ast
import builtins
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

from done_lint.core.text import Lines

#: In place of a statement: nothing has bound the name, or it was deleted.
UNBOUND = -1

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Sources = frozenset[int]
#: The bindings that can arrive, by name; None: no path leads here.
_State = dict[str, _Sources] | None

_NOTHING: _Sources = frozenset((UNBOUND,))
_BUILTIN = frozenset((*dir(builtins), "__file__", "__name__", "__doc__", "__class__", "__path__", "__spec__"))


@dataclass(frozen=True, slots=True)
class Read:
    """A name that is read."""

    name: str
    offset: int
    #: Where the statements begin that may have bound it last.
    sources: _Sources

    @property
    def possibly_unbound(self) -> bool:
        """Some path leads here on which nothing has bound the name."""
        return UNBOUND in self.sources


@dataclass
class Names:
    """The reads of one text, and its statements."""

    reads: dict[int, Read] = field(default_factory=dict)
    #: Start and end of each simple statement, and of the head of each compound one, sorted.
    statements: list[tuple[int, int]] = field(default_factory=list)
    #: Those that give a name another value than what a parameter, an import, a function or a class is called.
    assigning: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, text: str) -> Names | None:
        """Look at a text; None where it is no Python."""
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return None
        names = cls()
        _Scopes(names, Lines(text)).module(tree)
        names.statements.sort()
        return names

    def statement(self, offset: int) -> int:
        """Where the innermost statement begins that an offset is in, or that ends before it."""
        return self.extent(offset)[0]

    def extent(self, offset: int) -> tuple[int, int]:
        """Start and end of that statement, or of its head."""
        place = bisect_left(self.statements, (offset + 1,))
        return self.statements[place - 1] if place else (UNBOUND, UNBOUND)

    def read_in(self, statement: int) -> list[Read]:
        """What a statement reads."""
        _, end = self.extent(statement)
        offsets = self._offsets
        return [self.reads[offset] for offset in offsets[bisect_left(offsets, statement) : bisect_left(offsets, end)]]

    @cached_property
    def by_binding(self) -> dict[tuple[str, int], list[Read]]:
        """The reads of a name that a statement may have bound last."""
        found: dict[tuple[str, int], list[Read]] = {}
        for read in self.reads.values():
            for source in read.sources:
                found.setdefault((read.name, source), []).append(read)
        return found

    @cached_property
    def possibly_unbound(self) -> list[Read]:
        """The reads that may find no value, in order."""
        return [self.reads[offset] for offset in self._offsets if self.reads[offset].possibly_unbound]

    @cached_property
    def _offsets(self) -> list[int]:
        return sorted(self.reads)


class _Scopes:
    """Looks at the scopes of a module, each by itself."""

    def __init__(self, names: Names, lines: Lines) -> None:
        self.names = names
        self._lines = lines
        self._everything = False

    def module(self, tree: ast.Module) -> None:
        self._everything = any(
            isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
            for node in ast.walk(tree)
        )
        flow = _Flow(self, _bound(tree.body), [])
        flow.run(tree.body, {})

    def start(self, node: ast.expr | ast.stmt | ast.arg | ast.excepthandler | ast.pattern) -> int:
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, row: int, column: int) -> int:
        text = self._lines.row(row)
        if not text.isascii():
            column = len(text.encode()[:column].decode(errors="ignore"))
        return self._lines.offset(row, column)

    def read(self, name: str, offset: int, sources: _Sources) -> None:
        """Note a read; a loop is looked at more than once."""
        known = self.names.reads.get(offset)
        joined = known.sources | sources if known is not None else sources
        self.names.reads[offset] = Read(name, offset, joined)

    def unknown(self, name: str) -> bool:
        """Nothing in the file binds this name, nor Python itself."""
        return not self._everything and name not in _BUILTIN


class _Flow:
    """The flow of one scope, and what its inner scopes see of the names outside."""

    def __init__(self, scopes: _Scopes, local: frozenset[str], outside: Sequence[_Flow]) -> None:
        self.scopes = scopes
        self.local = local
        self.outside = outside
        #: Every binding of the scope, by name: what an inner function may see, whenever it is called.
        self.all: dict[str, set[int]] = {}
        self.state: _State = None
        self.statement = UNBOUND
        self._loops: list[tuple[list[_State], list[_State]]] = []
        self._caught: list[_State] = []
        #: What is looked at when the scope itself is done, by function.
        self._later: dict[_FunctionNode, Callable[[], None]] = {}

    def run(self, body: Iterable[ast.stmt | ast.expr], state: dict[str, _Sources]) -> None:
        """Follow the statements, then look into the functions: they are called when all names may be bound."""
        self.state = state
        for part in body:
            if isinstance(part, ast.stmt):
                self.visit(part)
            else:
                self.expression(part)
        for look in self._later.values():
            look()

    # --- names ---------------------------------------------------------------------------------------------------

    def bind(self, name: str, *, plain: bool = False) -> None:
        """A statement binds a name; `plain`: it assigns a value."""
        if name not in self.local:
            return
        self.all.setdefault(name, set()).add(self.statement)
        if plain:
            self.scopes.names.assigning.add(self.statement)
        if self.state is not None:
            self.state[name] = frozenset((self.statement,))
            self._note_caught()

    def _note_caught(self) -> None:
        for index, caught in enumerate(self._caught):
            self._caught[index] = _join(caught, self.state)

    def read(self, name: str, offset: int) -> None:
        """A statement reads a name."""
        if self.state is None:
            return
        if name in self.local:
            self.scopes.read(name, offset, self.state.get(name, _NOTHING))
        else:
            self._read_outside(name, offset)

    def _read_outside(self, name: str, offset: int) -> None:
        for flow in reversed(self.outside):
            if name in flow.local:
                sources = frozenset(flow.all.get(name, ()))
                self.scopes.read(name, offset, sources or _NOTHING)
                return
        if self.scopes.unknown(name):
            self.scopes.read(name, offset, _NOTHING)

    # --- statements ------------------------------------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    def visit(self, statement: ast.stmt) -> None:
        scopes = self.scopes
        self.statement = scopes.start(statement)
        inner = getattr(statement, "body", None) or getattr(statement, "cases", None)
        if isinstance(inner, list):
            first = inner[0]
            end = scopes.start(first.pattern if isinstance(first, ast.match_case) else first)
        else:
            end = scopes.end(statement)
        scopes.names.statements.append((self.statement, end))
        _STATEMENTS.get(type(statement), _simple)(self, statement)

    def branches(self, *bodies: Sequence[ast.stmt]) -> None:
        """One of these is done."""
        before, after = _copy(self.state), None
        for body in bodies:
            self.state = _copy(before)
            self.block(body)
            after = _join(after, self.state)
        self.state = after

    def loop(self, head: Callable[[], None], node: ast.For | ast.AsyncFor | ast.While, *, endless: bool) -> None:
        """The body is done any number of times; `endless`: only `break` leaves it."""
        start = self.statement
        before = _copy(self.state)
        leaving: list[_State] = []
        while True:
            again: list[_State] = []
            self._loops.append((leaving, again))
            self.statement, self.state = start, _copy(before)
            head()
            self.block(node.body)
            self._loops.pop()
            joined = before
            for state in (self.state, *again):
                joined = _join(joined, state)
            if joined == before:
                break
            before = joined
        self.statement, self.state = start, None if endless else _copy(before)
        self.block(node.orelse)
        for state in leaving:
            self.state = _join(self.state, state)

    def leave(self, statement: ast.Break | ast.Continue) -> None:
        if self._loops:
            self._loops[-1][isinstance(statement, ast.Continue)].append(_copy(self.state))
        self.state = None

    def attempt(self, node: ast.Try) -> None:
        """`try`: a handler begins with whatever was bound when an error was raised."""
        self._caught.append(_copy(self.state))
        self.block(node.body)
        caught = self._caught.pop()
        self.block(node.orelse)
        after = self.state
        for handler in node.handlers:
            self.state, self.statement = _copy(caught), self.scopes.start(handler)
            self.scopes.names.statements.append((self.statement, self.scopes.start(handler.body[0])))
            if handler.type is not None:
                self.expression(handler.type)
            if handler.name is not None:
                self.bind(handler.name)
            self.block(handler.body)
            after = _join(after, self.state)
        if node.finalbody:
            self.state = _join(_copy(caught), after)
            self.block(node.finalbody)
            self.state = _copy(after)
            self.block(node.finalbody)
        else:
            self.state = after

    def choose(self, node: ast.Match) -> None:
        """`match`: one of the cases, or none of them."""
        self.expression(node.subject)
        start, before, after = self.statement, _copy(self.state), _copy(self.state)
        for case in node.cases:
            self.statement, self.state = start, _copy(before)
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.bind(name, plain=True)
            if case.guard is not None:
                self.expression(case.guard)
            self.block(case.body)
            after = _join(after, self.state)
        self.state = after

    # --- scopes ----------------------------------------------------------------------------------------------------

    def function(self, node: _FunctionNode) -> None:
        """A function: its defaults are read now, its body whenever it is called."""
        arguments = node.args
        for value in (*arguments.defaults, *arguments.kw_defaults):
            if value is not None:
                self.expression(value)
        statement = self.statement
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        given = [argument.arg for argument in every if argument is not None]

        def look() -> None:
            body = node.body if isinstance(node.body, list) else [node.body]
            inner = _Flow(self.scopes, _bound(body).union(given), self._seen_inside())
            inner.all = {name: {statement} for name in given}
            # what a lambda gives is no statement of its own
            inner.statement = statement
            inner.run(body, {name: frozenset((statement,)) for name in given})

        self._later[node] = look

    def _seen_inside(self) -> list[_Flow]:
        """The scopes that a function in this one sees: not those of classes."""
        return [flow for flow in (*self.outside, self) if not isinstance(flow, _ClassFlow)]

    def made_class(self, node: ast.ClassDef) -> None:
        statement = self.statement
        for value in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            self.expression(value)
        inner = _ClassFlow(self.scopes, _bound(node.body), [*self.outside, self])
        inner.run(node.body, {})
        self.statement = statement
        self.bind(node.name)

    # --- expressions -----------------------------------------------------------------------------------------------

    def expression(self, node: ast.AST) -> None:
        """What an expression reads and binds, in the order of evaluation as far as that matters."""
        if isinstance(node, ast.Name):
            self._name(node)
        elif isinstance(node, ast.Lambda):
            self.function(node)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            self._comprehension(node)
        elif isinstance(node, ast.NamedExpr):
            self.expression(node.value)
            self.target(node.target)
        else:
            for child in ast.iter_child_nodes(node):
                self.expression(child)

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.read(node.id, self.scopes.start(node))
        elif isinstance(node.ctx, ast.Del) and self.state is not None and node.id in self.local:
            self.state[node.id] = _NOTHING

    def _comprehension(self, node: _Comprehension) -> None:
        self.expression(node.generators[0].iter)
        inner = _Flow(self.scopes, frozenset(_targets(node)), [*self.outside, self])
        inner.statement = self.statement
        inner.state = {}
        for place, part in enumerate(node.generators):
            if place:
                self._inside(inner, part.iter)
            inner.target(part.target)
            for test in part.ifs:
                self._inside(inner, test)
        for value in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self._inside(inner, value)

    def _inside(self, inner: _Flow, value: ast.expr) -> None:
        """An expression in a comprehension: names that it does not bind itself are those of this scope, now."""
        if isinstance(value, ast.Name) and value.id not in inner.local:
            self.expression(value)
        elif isinstance(value, (ast.Name, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            inner.expression(value)
        elif isinstance(value, ast.NamedExpr):
            self._inside(inner, value.value)
            self.target(value.target)
        else:
            for child in ast.iter_child_nodes(value):
                self._inside(inner, child)  # type: ignore[arg-type]

    def target(self, node: ast.expr) -> None:
        """What is assigned to."""
        if isinstance(node, ast.Name):
            self.bind(node.id, plain=True)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for element in node.elts:
                self.target(element)
        elif isinstance(node, ast.Starred):
            self.target(node.value)
        else:
            self.expression(node)


class _ClassFlow(_Flow):
    """The body of a class, whose names its functions do not see."""


# --- statements by type ----------------------------------------------------------------------------------------------


def _simple(flow: _Flow, node: ast.stmt) -> None:
    flow.expression(node)


def _assign(flow: _Flow, node: ast.Assign) -> None:
    flow.expression(node.value)
    for target in node.targets:
        flow.target(target)


def _annotated(flow: _Flow, node: ast.AnnAssign) -> None:
    if node.value is not None:
        flow.expression(node.value)
        flow.target(node.target)


def _augmented(flow: _Flow, node: ast.AugAssign) -> None:
    flow.expression(node.value)
    if isinstance(node.target, ast.Name):
        flow.read(node.target.id, flow.scopes.start(node.target))
    flow.target(node.target)


def _if(flow: _Flow, node: ast.If) -> None:
    flow.expression(node.test)
    flow.branches(node.body, node.orelse)


def _for(flow: _Flow, node: ast.For | ast.AsyncFor) -> None:
    flow.expression(node.iter)
    flow.loop(lambda: flow.target(node.target), node, endless=False)


def _while(flow: _Flow, node: ast.While) -> None:
    endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
    flow.loop(lambda: flow.expression(node.test), node, endless=endless)


def _with(flow: _Flow, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        flow.expression(item.context_expr)
        if item.optional_vars is not None:
            flow.target(item.optional_vars)
    flow.block(node.body)


def _stop(flow: _Flow, node: ast.Return | ast.Raise) -> None:
    flow.expression(node)
    flow.state = None


def _import(flow: _Flow, node: ast.Import | ast.ImportFrom) -> None:
    for alias in node.names:
        flow.bind(alias.asname or alias.name.partition(".")[0])


def _define(flow: _Flow, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    for decorator in node.decorator_list:
        flow.expression(decorator)
    flow.function(node)
    flow.bind(node.name)


Statement = TypeVar("Statement", bound=ast.stmt)
_Follow = Callable[[_Flow, ast.stmt], None]


def _row(kind: type[Statement], follow: Callable[[_Flow, Statement], None]) -> dict[type[ast.stmt], _Follow]:
    """One row of the table: the function is called with statements of its type alone."""
    return {kind: cast("_Follow", follow)}


#: How statements are followed, by type.
_STATEMENTS: dict[type[ast.stmt], _Follow] = {
    **_row(ast.Assign, _assign),
    **_row(ast.AnnAssign, _annotated),
    **_row(ast.AugAssign, _augmented),
    **_row(ast.If, _if),
    **_row(ast.For, _for),
    **_row(ast.AsyncFor, _for),
    **_row(ast.While, _while),
    **_row(ast.With, _with),
    **_row(ast.AsyncWith, _with),
    **_row(ast.Try, _Flow.attempt),
    **_row(ast.Match, _Flow.choose),
    **_row(ast.Break, _Flow.leave),
    **_row(ast.Continue, _Flow.leave),
    **_row(ast.Return, _stop),
    **_row(ast.Raise, _stop),
    **_row(ast.Import, _import),
    **_row(ast.ImportFrom, _import),
    **_row(ast.FunctionDef, _define),
    **_row(ast.AsyncFunctionDef, _define),
    **_row(ast.ClassDef, _Flow.made_class),
}


# --- states and scopes -----------------------------------------------------------------------------------------------


def _copy(state: _State) -> _State:
    return dict(state) if state is not None else None


def _join(one: _State, other: _State) -> _State:
    if one is None or other is None:
        return _copy(other if one is None else one)
    return {name: one.get(name, _NOTHING) | other.get(name, _NOTHING) for name in {**one, **other}}


def _bound(body: Iterable[ast.AST]) -> frozenset[str]:
    """The names that statements bind in their own scope."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    for node in _own_nodes(body):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            elsewhere.update(node.names)
        elif isinstance(name := getattr(node, "name", None) or getattr(node, "rest", None), str):
            found.add(name)  # an exception, or a pattern
    return frozenset(found - elsewhere)


def _own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The syntax of a scope, without that of the scopes in it; a name that a comprehension assigns is of its scope."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            waiting += (part.target for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def _targets(node: _Comprehension) -> Iterator[str]:
    """The names that a comprehension binds."""
    for part in node.generators:
        yield from (name.id for name in ast.walk(part.target) if isinstance(name, ast.Name))

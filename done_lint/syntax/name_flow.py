"""The flow of a text, from statement to statement: it finds which bindings of a name arrive where it is read.

It follows branches, loops, `try`, `match` and inner scopes, and evaluates nothing (see `bound_names`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

from done_lint.core.text import Lines
from done_lint.syntax.bound_names import UNBOUND, Names, Recorder
from done_lint.syntax.name_scopes import Comprehension, names_bound, names_of_comprehension
from done_lint.syntax.name_states import NOTHING, Sources, State, copied, joined

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def names_of(text: str) -> Names | None:
    """Look at a text; None where it is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    names = Names()
    everything = any(
        isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names) for node in ast.walk(tree)
    )
    recorder = Recorder(names, Lines(text), everything=everything)
    _Flow(recorder, names_bound(tree.body), []).run(tree.body, {})
    names.statements.sort()
    return names


class _Flow:
    """The flow of one scope, and what its inner scopes see of the names outside."""

    def __init__(self, recorder: Recorder, local: frozenset[str], outside: Sequence[_Flow]) -> None:
        self.recorder = recorder
        self.local = local
        self.outside = outside
        #: Every binding of the scope, by name: what an inner function may see, whenever it is called.
        self.all: dict[str, set[int]] = {}
        self.state: State = None
        self.statement = UNBOUND
        self._loops: list[tuple[list[State], list[State]]] = []
        self._caught: list[State] = []
        #: What is looked at when the scope itself is done, by function.
        self._later: dict[_FunctionNode, Callable[[], None]] = {}

    def run(self, body: Iterable[ast.stmt | ast.expr], state: dict[str, Sources]) -> None:
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
            self.recorder.names.assigning.add(self.statement)
        if self.state is not None:
            self.state[name] = frozenset((self.statement,))
            self._note_caught()

    def _note_caught(self) -> None:
        for index, caught in enumerate(self._caught):
            self._caught[index] = joined(caught, self.state)

    def read(self, name: str, offset: int) -> None:
        """A statement reads a name."""
        if self.state is None:
            return
        if name in self.local:
            self.recorder.read(name, offset, self.state.get(name, NOTHING))
        else:
            self._read_outside(name, offset)

    def _read_outside(self, name: str, offset: int) -> None:
        for flow in reversed(self.outside):
            if name in flow.local:
                sources = frozenset(flow.all.get(name, ()))
                self.recorder.read(name, offset, sources or NOTHING)
                return
        if self.recorder.unknown(name):
            self.recorder.read(name, offset, NOTHING)

    # --- statements ------------------------------------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    def visit(self, statement: ast.stmt) -> None:
        recorder = self.recorder
        self.statement = recorder.start(statement)
        inner = getattr(statement, "body", None) or getattr(statement, "cases", None)
        if isinstance(inner, list):
            first = inner[0]
            end = recorder.start(first.pattern if isinstance(first, ast.match_case) else first)
        else:
            end = recorder.end(statement)
        recorder.names.statements.append((self.statement, end))
        _STATEMENTS.get(type(statement), _simple)(self, statement)

    def branches(self, *bodies: Sequence[ast.stmt]) -> None:
        """One of these is done."""
        before, after = copied(self.state), None
        for body in bodies:
            self.state = copied(before)
            self.block(body)
            after = joined(after, self.state)
        self.state = after

    def loop(self, head: Callable[[], None], node: ast.For | ast.AsyncFor | ast.While, *, endless: bool) -> None:
        """The body is done any number of times; `endless`: only `break` leaves it."""
        start = self.statement
        before = copied(self.state)
        leaving: list[State] = []
        while True:
            again: list[State] = []
            self._loops.append((leaving, again))
            self.statement, self.state = start, copied(before)
            head()
            self.block(node.body)
            self._loops.pop()
            arriving = before
            for state in (self.state, *again):
                arriving = joined(arriving, state)
            if arriving == before:
                break
            before = arriving
        self.statement, self.state = start, None if endless else copied(before)
        self.block(node.orelse)
        for state in leaving:
            self.state = joined(self.state, state)

    def leave(self, statement: ast.Break | ast.Continue) -> None:
        if self._loops:
            self._loops[-1][isinstance(statement, ast.Continue)].append(copied(self.state))
        self.state = None

    def attempt(self, node: ast.Try) -> None:
        """`try`: a handler begins with whatever was bound when an error was raised."""
        self._caught.append(copied(self.state))
        self.block(node.body)
        caught = self._caught.pop()
        self.block(node.orelse)
        after = self.state
        for handler in node.handlers:
            self.state, self.statement = copied(caught), self.recorder.start(handler)
            self.recorder.names.statements.append((self.statement, self.recorder.start(handler.body[0])))
            if handler.type is not None:
                self.expression(handler.type)
            if handler.name is not None:
                self.bind(handler.name)
            self.block(handler.body)
            after = joined(after, self.state)
        if node.finalbody:
            self.state = joined(copied(caught), after)
            self.block(node.finalbody)
            self.state = copied(after)
            self.block(node.finalbody)
        else:
            self.state = after

    def choose(self, node: ast.Match) -> None:
        """`match`: one of the cases, or none of them."""
        self.expression(node.subject)
        start, before, after = self.statement, copied(self.state), copied(self.state)
        for case in node.cases:
            self.statement, self.state = start, copied(before)
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.bind(name, plain=True)
            if case.guard is not None:
                self.expression(case.guard)
            self.block(case.body)
            after = joined(after, self.state)
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
            inner = _Flow(self.recorder, names_bound(body).union(given), self._seen_inside())
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
        inner = _ClassFlow(self.recorder, names_bound(node.body), [*self.outside, self])
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
        elif isinstance(node, Comprehension):
            self._comprehension(node)
        elif isinstance(node, ast.NamedExpr):
            self.expression(node.value)
            self.target(node.target)
        else:
            for child in ast.iter_child_nodes(node):
                self.expression(child)

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.read(node.id, self.recorder.start(node))
        elif isinstance(node.ctx, ast.Del) and self.state is not None and node.id in self.local:
            self.state[node.id] = NOTHING

    def _comprehension(self, node: Comprehension) -> None:
        self.expression(node.generators[0].iter)
        inner = _Flow(self.recorder, frozenset(names_of_comprehension(node)), [*self.outside, self])
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
        flow.read(node.target.id, flow.recorder.start(node.target))
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

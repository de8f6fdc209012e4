"""Statements of one file: branches and loops join the versions that assignments make."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container
from dataclasses import replace

from done_lint.flowgraph import external_names
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.assignments import Assignments
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.binding_scan import Outline
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.recurrences import mark_recursions
from done_lint.flowgraph.schema import Branch, Survey
from done_lint.flowgraph.scopes import Loop, Scope, counter
from done_lint.knowledge import env_apis


class Flows(Assignments):
    """Surveys one file."""

    def __init__(self, path: str, text: str) -> None:
        """Begin the survey of one file's decoded text."""
        super().__init__(path, text)
        self._loops: list[Loop] = []

    def survey(self, tree: ast.Module, text: str, inside: Container[str] | None) -> Survey:
        """The whole file (`inside`: see `external_names.names`)."""
        self.outline = Outline(tree, text)
        self.imported = frozenset(self.outline.imported)
        self.result.imports = tuple(self.outline.imports)
        needed = {module.partition(".")[0] for module in self.outline.needed}
        self.result.made_for_gym = tuple(sorted(needed & env_apis.MADE_FOR_GYM))
        self.step_counters = frozenset(self.outline.counters)
        self.changing = frozenset(self.outline.top.again | self.outline.shared)
        self.outside_names = external_names.names(self.outline, inside)
        region = self.outline.regions[tree]
        self.scope, self.stepping = Scope("module", None, region.bound), region.steps
        self.block(tree.body)
        self.result.exports = {
            name: self.cell(self.scope, name) for name in self.scope.assigned | set(self.scope.versions)
        }
        self.result.size = self._next()
        mark_recursions(self.result, self.flow, self.sums, self.elements, self._loops, self.added)
        return self.result

    # --- statements --------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> None:
        """Statements in order."""
        for statement in body:
            _STATEMENTS[type(statement)](self, statement)

    def s_Expr(self, s: ast.Expr) -> None:
        if type(s.value) is not ast.Constant:
            self.expr(s.value)

    def s_Return(self, s: ast.Return) -> None:
        if s.value is not None:
            index = self.function_scope().function
            value = self.expr(s.value)
            if index >= 0:
                function = self.function_at(index)
                function.outcomes.append((self.span(s.value), value, bool(self.guard)))
                if self.guard:
                    # an adapter between the APIs: what it returns is no longer what a step returned
                    self.op(ops.Values(value, function.result))
                else:
                    self.copy(value, function.result)
                if isinstance(s.value, ast.Name):
                    self.result.returned.add(self.span(s.value))
                if isinstance(s.value, ast.Tuple):
                    function.arities += (len(s.value.elts),)
                    self._returned(s.value)
                elif isinstance(s.value, ast.Call):
                    self.result.returned.add(self.span(s.value))
        self._dead = True

    def _returned(self, value: ast.Tuple) -> None:
        """A tuple that is returned as it is hands values on; it is no store."""
        for number in range(len(self.result.operations) - 1, -1, -1):
            operation = self.result.operations[number]
            if isinstance(operation, ops.Allocate) and self.result.places.get(operation.target) == self.span(value):
                self.result.operations[number] = replace(operation, kind="returned")
                if len(operation.elements) == 5:
                    index = self.function_scope().function
                    self.function_at(index).returned.append(operation.elements)
                    self.result.falses.update(e for e, _ in operation.elements if self.constants.get(e) is False)
                return

    def s_Assert(self, s: ast.Assert) -> None:
        self.expr(s.test)
        self.scope.versions = self._known(s.test, self.scope.versions, True)

    def s_Raise(self, s: ast.Raise) -> None:
        self.expr(s.exc)
        self._dead = True

    def s_Break(self, s: ast.Break) -> None:
        if self.loops:
            self.loops[-1].breaks.append(dict(self.scope.versions))
        self._dead = True

    def s_Continue(self, s: ast.Continue) -> None:
        if self.loops:
            self.loops[-1].continues.append(dict(self.scope.versions))
        self._dead = True

    def s_If(self, s: ast.If) -> None:
        test = self.expr(s.test)
        if test:
            self.result.tests.append((test, self.span(s.test)))
        guard = self.is_guard(s.test)
        self.guard += guard
        around, before = self.branch, dict(self.scope.versions)
        first, uses = len(self.result.products), len(self.result.uses)
        self.arities.append((set(), set()))
        self.branch = (test, True)
        body, dead_body = self._side(s.body, self._known(s.test, before, True))
        middle = len(self.result.products)
        self.arities[-1] = self.arities[-1][::-1]
        self.branch = (test, False)
        orelse, dead_orelse = self._side(s.orelse, self._known(s.test, before, False))
        self.branch = around
        last = len(self.result.products)
        self.guard -= guard
        one, other = self.arities.pop()
        if (4 in one and 5 in other) or (5 in one and 4 in other):
            # both APIs are taken care of, whatever the test is called
            self.result.guarded.update(at for at, _ in self.result.uses[uses:])
            self.result.tested.update(node for _, node in self.result.uses[uses:])
        if last > first and test:
            self.result.branches.append(
                Branch(test, self.span(s.test), tuple(range(first, middle)), tuple(range(middle, last)))
            )
        self._dead = dead_body and dead_orelse
        if dead_body or dead_orelse:
            self.scope.versions = orelse if dead_body else body
            return
        self.scope.versions = self._joined(s.test, test, body, orelse)

    def _known(self, test: ast.expr, versions: dict[str, Node], holds: bool) -> dict[str, Node]:
        """Versions on one side of `isinstance(x, C)`: there, x is a C."""
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, holds = test.operand, not holds
        if not (
            holds
            and isinstance(test, ast.Call)
            and last_name(test.func) == "isinstance"
            and len(test.args) == 2
            and isinstance(test.args[0], ast.Name)
            and isinstance(test.args[1], (ast.Name, ast.Attribute))
            and test.args[0].id in versions
        ):
            return versions
        name = test.args[0].id
        node = self.node(self.result.places.get(versions[name]), name)
        kind = self.expr(test.args[1])
        self.ask(kind, ops.Narrow(kind, versions[name], node))
        self.derive(node, versions[name])
        return {**versions, name: node}

    def _side(self, body: list[ast.stmt], before: dict[str, Node]) -> tuple[dict[str, Node], bool]:
        self.scope.versions = dict(before)
        self._dead = False
        self.block(body)
        return self.scope.versions, self._dead

    def _joined(self, syntax: ast.expr, test: Node, body: dict[str, Node], orelse: dict[str, Node]) -> dict[str, Node]:
        """After a branch: a name's version is a choice between its two versions."""
        joined = dict(orelse)
        for name, version in body.items():
            other = orelse.get(name)
            if other is None or other == version:
                joined[name] = version
                continue
            node = self.node(self.result.places.get(version), name)
            kinds = self.constant_of(version), self.constant_of(other)
            self.in_loop(node)
            self.choose(test, version, kinds[0], other, kinds[1], node, self.span(syntax))
            if kinds == ("zero", "zero"):
                self.zeros.add(node)
            joined[name] = node
            self._publish(name, node)
        return joined

    def _publish(self, name: str, node: Node) -> None:
        if name in self.scope.cells:
            self.copy(node, self.scope.cells[name])

    # --- loops -------------------------------------------------------------------------------------

    def _enter(self, s: ast.stmt) -> Loop:
        loop = Loop(self.loop_count, self.node())
        self.loop_count += 1
        self.result.loop_spans.append(self.span(s))
        self._loops.append(loop)
        for name in sorted(self.outline.regions[s].bound):
            if (version := self.scope.versions.get(name)) is not None:
                head = self.node(self.result.places.get(version), name)
                self.copy(version, head)
                self.scope.versions[name] = head
                loop.heads[name] = head
                loop.starts[head] = version
        self.loops.append(loop)
        return loop

    def _leave(self, loop: Loop, forever: bool = False) -> None:
        self.loops.pop()
        ends = [*loop.continues, *([] if self._dead else [self.scope.versions])]
        for name, head in loop.heads.items():
            backs = {end[name] for end in ends if name in end} - {head}
            for back in sorted(backs):
                self.copy(back, head)
            if backs:
                loop.backs[head] = self.node()
                self.derive(loop.backs[head], *backs)
        after: dict[str, Node] = {}
        exits = [*loop.breaks]
        if not forever or not exits:
            exits.append({**self.scope.versions, **loop.heads})
        for versions in exits:
            for name, version in versions.items():
                if name not in after or after[name] == version:
                    after[name] = version
                else:
                    joined = self.node(self.result.places.get(version), name)
                    self.copy(after[name], joined)
                    self.copy(version, joined)
                    after[name] = joined
        # names first bound inside the loop stay visible after it
        for name, version in self.scope.versions.items():
            after.setdefault(name, version)
        self.scope.versions = after
        self._dead = False

    def s_While(self, s: ast.While) -> None:
        loop = self._enter(s)
        test = self.expr(s.test)
        if test:
            self.result.tests.append((test, self.span(s.test)))
        self.block(s.body)
        self._leave(loop, forever=isinstance(s.test, ast.Constant) and bool(s.test.value))
        self.block(s.orelse)

    def s_For(self, s: ast.For | ast.AsyncFor) -> None:
        iterated = self.expr(s.iter)
        loop = self._enter(s)
        item = self.node(self.span(s.target))
        self.wait(iterated, ops.Iterate(iterated, item))
        self.assign(s.target, item)
        counters = self.step_counters
        if (name := counter(s)) and self.outline.regions[s].steps:
            # only a loop that steps the environment counts its steps
            self.step_counters = counters | {name}
        self.block(s.body)
        self.step_counters = counters
        self._leave(loop)
        self.block(s.orelse)

    s_AsyncFor = s_For

    # --- other blocks ------------------------------------------------------------------------------

    def s_With(self, s: ast.With | ast.AsyncWith) -> None:
        for item in s.items:
            value = self.expr(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value)
        self.block(s.body)

    s_AsyncWith = s_With

    def s_Try(self, s: ast.Try) -> None:
        guard = any(_catches_unpacking(h.type) for h in s.handlers)
        self.guard += guard
        before = dict(self.scope.versions)
        body, dead_body = self._side(s.body, before)
        self.scope.versions = dict(body)
        if not dead_body:
            self.block(s.orelse)
            body, dead_body = self.scope.versions, self._dead
        ends = [] if dead_body else [body]
        for handler in s.handlers:
            versions, dead = self._side(handler.body, {**before, **{k: v for k, v in body.items() if k not in before}})
            if not dead:
                ends.append(versions)
        self.guard -= guard
        self._meet(ends or [body])
        self._dead = not ends
        self.block(s.finalbody)

    s_TryStar = s_Try

    def _meet(self, ends: list[dict[str, Node]]) -> None:
        """After blocks of which any may have run last."""
        self.scope.versions = dict(ends[0])
        for end in ends[1:]:
            for name, version in end.items():
                mine = self.scope.versions.get(name)
                if mine is not None and mine != version:
                    joined = self.node(self.result.places.get(version), name)
                    self.copy(mine, joined)
                    self.copy(version, joined)
                    self.scope.versions[name] = joined
                    self._publish(name, joined)
                elif mine is None:
                    self.scope.versions[name] = version

    def s_Match(self, s: ast.Match) -> None:
        self.expr(s.subject)
        before = dict(self.scope.versions)
        self.guard += 1
        ends = [before]
        for case in s.cases:
            versions, dead = self._side(case.body, dict(before))
            if not dead:
                ends.append(versions)
        self.guard -= 1
        self._dead = False
        self._meet(ends)


def _catches_unpacking(kind: ast.expr | None) -> bool:
    """`except ValueError` (or a bare except, or TypeError) around an unpack is a test of its length."""
    if kind is None:
        return True
    return any(isinstance(n, ast.Name) and n.id in ("ValueError", "TypeError", "Exception") for n in ast.walk(kind))


#: How statements are read, by type.
_STATEMENTS: dict[type, Callable[..., object]] = {
    kind: getattr(Flows, "s_" + kind.__name__, Flows.other) for kind in ast.stmt.__subclasses__()
}

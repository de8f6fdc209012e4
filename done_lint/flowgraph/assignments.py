"""Assignments of one file: names get versions, attributes and items get values, tuples are taken apart."""

from __future__ import annotations

import ast

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name, subscripts, unparsed
from done_lint.flowgraph.comparisons import constant, is_none, truth
from done_lint.flowgraph.expressions import Expressions, passed
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Branch


class Assignments(Expressions):
    """Gives values to targets."""

    def __init__(self, path: str, text: str) -> None:
        """Begin the survey of one file's decoded text."""
        super().__init__(path, text)
        #: Widths of unpacks on the side at hand of every `if` around, and on its other side.
        self.arities: list[tuple[set[int], set[int]]] = []
        #: What was put into a list or an array: the text of its base, the value, the loops around.
        self.added: list[tuple[str, Node, tuple[int, ...]]] = []

    def s_Assign(self, s: ast.Assign) -> None:
        if (
            len(s.targets) == 1
            and isinstance(s.targets[0], (ast.Tuple, ast.List))
            and isinstance(s.value, (ast.Tuple, ast.List))
            and len(s.targets[0].elts) == len(s.value.elts)
            and not any(isinstance(x, ast.Starred) for x in [*s.targets[0].elts, *s.value.elts])
        ):
            values = [self.expr(v) for v in s.value.elts]
            for target, value in zip(s.targets[0].elts, values):
                self.assign(target, value)
            return
        first = len(self.result.products)
        value = self.none() if is_none(s.value) and isinstance(s.targets[0], ast.Name) else self.expr(s.value)
        if isinstance(s.value, ast.Call) and constant(s.value) == "zero":
            self.zeros.add(value)
        for target in s.targets:
            self.assign(target, value)
            if len(self.result.products) > first:
                self._picked(target, first, s.value)
            elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name):
                self._converted(target, _at_key(s.value, target.slice.id))

    def _converted(self, target: ast.Subscript, source: ast.expr | None) -> None:
        """`batch[key] = torch.tensor(rows[key])`: what stands at each key of `rows` goes to the same key of `batch`."""
        if source is not None:
            base, node = self.expr(target.value), self.node()
            self.op(ops.Remap(self.expr(source), node, "dict"))
            self.wait(base, ops.Update(base, node))

    def s_AnnAssign(self, s: ast.AnnAssign) -> None:
        value = self.expr(s.value) if s.value is not None else self.node()
        if s.value is None or isinstance(s.target, ast.Name):
            self.annotate(s.annotation, value)
        if s.value is not None or self.scope.kind == "class":
            self.assign(s.target, value)

    def s_AugAssign(self, s: ast.AugAssign) -> None:
        load = ast.copy_location(_load(s.target), s.target)
        first = len(self.result.products)
        self.assign(s.target, self.expr(ast.copy_location(ast.BinOp(load, s.op, s.value), s)))
        self._picked(s.target, first, s.value)

    def _picked(self, target: ast.expr, first: int, value: ast.expr) -> None:
        """`y[~done] += gamma * q[~done]` is a branch for every row.

        `self.total[~done] = gamma * self.total[~done] + r` is a sum that the object carries on, and no target.
        """
        last = len(self.result.products)
        if last > first and isinstance(target, ast.Subscript) and (index := _picking(target)) is not None:
            if isinstance(target.value, ast.Attribute) and _multiplies(value, ast.dump(_load(target))):
                return
            test = self.expr(index)
            if test:
                self.result.branches.append(Branch(test, self.span(target), tuple(range(first, last)), (), rows=True))

    # --- targets -----------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Node) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, value)
            self.result.names.setdefault(value, target.id)
            if value:
                self.result.uses.append((self.span(target), value))
        elif isinstance(target, ast.Attribute):
            owner = self.expr(target.value)
            if value:
                self.result.attributes.add(target.attr)
                self.wait(owner, ops.SetAttribute(owner, target.attr, value, self.span(target)))
                self.result.uses.append((self.span(target), value))
        elif isinstance(target, ast.Subscript):
            self._assign_item(target, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)

    def _assign_item(self, target: ast.Subscript, value: Node) -> None:
        base = self.expr(target.value)
        keys = subscripts(target.slice)
        at = self.span(target)
        base_text = unparsed(target.value)
        self.appended(base_text, value)
        written = self.written.setdefault(unparsed(keys[0]), {})
        self._rewrite(written.get(base_text, self.nothing), value)
        written[base_text] = value
        if value not in self.zeros and self.constant_of(value) == "zero" and _picking(target) is not None:
            # `q_next[done] = 0`: the array is another one from here on
            node = self.node(at, last_name(target.value))
            self.op(ops.Masked(base, self.expr(keys[0]), node, at))
            self.derive(node, base)
            if isinstance(target.value, ast.Name):
                self.bind(target.value.id, node)
            return
        if (index := _picking(target)) is not None and (products := self.parts(base)) and not self.parts(value):
            # `y = r + gamma * v`, then `y[done] = r[done]`
            self.result.branches.append(Branch(self.expr(index), at, (), products, rows=True))
        operation = ops.SetItem(base, tuple([self.key(k) for k in keys]), value, at)
        if value:
            self.wait(base, operation)
        if base in self.zeros and isinstance(target.value, ast.Name) and _picking(target) is not None:
            # `q = zeros(n); q[~done] = values`: zero stays where the episode ended
            node = self.node(at, target.value.id)
            self.op(ops.Filled(base, self.expr(keys[0]), node, at))
            self.derive(node, base, value)
            self.bind(target.value.id, node)

    def _rewrite(self, before: Node, value: Node) -> None:
        """`y[i] = r + gamma * v`, then `if done: y[i] = r`: the branch cuts a target that was made before."""
        (test, holds), products = self.branch, self.parts(before)
        if not (test and products) or self.parts(value) or self.constant_of(value):
            return
        place = self.loops[-1].index if self.loops else -1, self.function_scope().function
        if all((self.result.products[i].loop, self.result.products[i].function) == place for i in products):
            at = next(at for node, at in reversed(self.result.tests) if node == test)
            self.result.branches.append(Branch(test, at, *(((), products) if holds else (products, ()))))

    def _unpack(self, target: ast.Tuple | ast.List, value: Node) -> None:
        nodes = [self.node(self.span(x), last_name(x)) for x in target.elts]
        star = next((i for i, x in enumerate(target.elts) if isinstance(x, ast.Starred)), -1)
        self.at_home(nodes[0] if nodes else 0)
        for sides in self.arities:
            sides[0].add(len(nodes))
        self.wait(value, ops.Unpack(value, len(nodes), star, tuple(nodes), self.span(target)))
        for x, node in zip(target.elts, nodes):
            self.assign(x, node)
        if len(nodes) == 5 and star < 0 and isinstance(target.elts[2], ast.Name) and target.elts[2].id != "_":
            self.slots = {**self.slots, target.elts[2].id: nodes[2]}

    def appended(self, base: str, value: Node) -> None:
        self.added.append((base, value, tuple(loop.index for loop in self.loops)))

    def constant_of(self, node: Node) -> ops.Constant:
        return "zero" if node in self.zeros else truth(self.constants.get(node))


def _at_key(value: ast.expr, key: str) -> ast.expr | None:
    """`rows` in `torch.tensor(rows[key][chosen])`, whatever it is converted by."""
    for one in passed(value):
        if isinstance(one, ast.Subscript):
            found = isinstance(one.slice, ast.Name) and one.slice.id == key
            return one.value if found else _at_key(one.value, key)
    return None


def _multiplies(value: ast.expr, factor: str) -> bool:
    """Whether an expression, as it is dumped, is a factor of a product inside."""
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mult)
        and factor in (ast.dump(node.left), ast.dump(node.right))
        for node in ast.walk(value)
    )


def _picking(target: ast.Subscript) -> ast.expr | None:
    """The index that may pick rows: one, and no constant or slice."""
    keys = subscripts(target.slice)
    return keys[0] if len(keys) == 1 and not isinstance(keys[0], (ast.Slice, ast.Constant)) else None


def _load(target: ast.expr) -> ast.expr:
    made: ast.expr
    if isinstance(target, ast.Name):
        made = ast.Name(target.id, ast.Load())
    elif isinstance(target, ast.Attribute):
        made = ast.Attribute(target.value, target.attr, ast.Load())
    elif isinstance(target, ast.Subscript):
        made = ast.Subscript(target.value, target.slice, ast.Load())
    else:
        made = target
    return made

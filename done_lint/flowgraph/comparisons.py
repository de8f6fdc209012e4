"""Comparisons: a flag against a constant, a counter against its limit, a result against its length."""

from __future__ import annotations

import ast

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Graph
from done_lint.flowgraph.operations import Constant, Node
from done_lint.flowgraph.step_counters import reached
from done_lint.knowledge.array_functions import PASSING_METHODS

#: Arrays of one value.
_FILLED: dict[str, Constant] = {"zeros": "zero", "zeros_like": "zero", "ones": "one", "ones_like": "one"}
_TRUTHS: dict[object, Constant] = {0: "zero", 1: "one"}
_LIMITS = {"_max_episode_steps", "max_episode_steps", "_elapsed_steps"}


def truth(value: object) -> Constant:
    """`zero`, `one` or empty: what a value is as a flag."""
    return _TRUTHS.get(value, "") if isinstance(value, (bool, int, float)) else ""


def constant(node: ast.expr) -> Constant:
    """`zero`, `one` or empty: what a constant is as a flag."""
    if isinstance(node, ast.Constant):
        return truth(node.value)
    if (
        isinstance(node, ast.Call)
        and len(node.args) == 1
        and last_name(node.func) in ("float", "int", "bool", "tensor")
    ):
        return constant(node.args[0])
    if isinstance(node, ast.Call) and (made := _FILLED.get(last_name(node.func))) and node.args:
        return made
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PASSING_METHODS:
        # `torch.zeros(n).unsqueeze(1)`; ones may be summed
        return "zero" if constant(node.func.value) == "zero" else ""
    if isinstance(node, ast.List) and len(node.elts) == 1:
        return constant(node.elts[0])
    return ""


def is_none(node: ast.expr) -> bool:
    """Whether the expression is the word `None`."""
    return isinstance(node, ast.Constant) and node.value is None


class Comparisons(Graph):
    """Turns comparisons into nodes."""

    #: The function at hand steps an environment: what it counts are steps of the episode.
    stepping = False

    def expr(self, e: ast.expr | None) -> Node:
        """The node that holds the expression's value (see `expressions`)."""
        raise NotImplementedError

    def operand(self, e: ast.expr) -> Node:
        """The same, of an expression of which no text is asked for."""
        return self.nothing if isinstance(e, ast.Constant) and isinstance(e.value, str) else self.expr(e)

    def e_Compare(self, e: ast.Compare) -> Node:
        node = self._compared(e)
        scope = self.function_scope()
        params = self.function_at(scope.function).params if scope.owner >= 0 and scope.function >= 0 else ()
        for name, holds in reached(e, params[0][0]) if params else ():
            node = node or self.node(self.span(e))
            self.op(ops.Count(node, name, scope.owner, self.span(e), holds))
        return node

    def _compared(self, e: ast.Compare) -> Node:
        left = self.operand(e.left)
        rights = [self.operand(c) for c in e.comparators]
        if len(e.ops) != 1:
            return self.nothing
        op, right = e.ops[0], e.comparators[0]
        at = self.span(e)
        if isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)) and last_name(right) == "LAST":
            return self._last(e, left, isinstance(op, (ast.NotEq, ast.IsNot)))
        if left and is_none(right) and isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
            node = self.node(at)
            self.wait(left, ops.IsNone(left, node, isinstance(op, (ast.Eq, ast.Is))))
            return self.use(e, node)
        if isinstance(op, ast.In) and isinstance(e.left, ast.Constant):
            node = self.node(at)
            self.wait(rights[0], ops.Item(rights[0], ("'" + str(e.left.value),), node))
            return self.use(e, node)
        if isinstance(op, ast.NotIn) and isinstance(e.left, ast.Constant):
            inner, node = self.node(at), self.node(at)
            self.wait(rights[0], ops.Item(rights[0], ("'" + str(e.left.value),), inner))
            self.wait(inner, ops.Not(inner, node, at))
            return self.use(e, node)
        if constant(right) and isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.Gt, ast.GtE, ast.Lt)):
            # `done == True`, `dones == 0`, `mask > 0`
            same = (constant(right) == "one") == isinstance(op, (ast.Eq, ast.Is, ast.GtE))
            if isinstance(op, ast.Gt):
                same = constant(right) == "zero"
            elif isinstance(op, ast.Lt):
                same = False
            node = self.node(at)
            if same:
                self.copy(left, node)
            else:
                self.combine((left,), ops.Not(left, node, at))
                self.derive(node, left)
            if isinstance(e.left, ast.BinOp) and self._counts(e.left):
                # `n % horizon == 0`; a plain `n == 0` is the first step, and no limit
                self._limit(e, node)
            return self.use(e, node)
        if isinstance(op, (ast.Eq, ast.GtE, ast.Gt, ast.Lt, ast.LtE, ast.NotEq)):
            if isinstance(op, (ast.NotEq, ast.Eq)) and left and rights[0] and not self._counts(e.left):
                # PyMARL: `terminated != info.get("episode_limit")` takes the limit out
                node = self.node(at)
                if isinstance(op, ast.Eq):
                    self.combine((left, rights[0]), ops.And((left, rights[0]), node, at))
                else:
                    self._differ(left, rights[0], node, e)
                if not self._counts(right):
                    return self.use(e, node)
            if self._counts(e.left) or self._counts(right):
                node = self.node(at)
                self._limit(e, node)
                return self.use(e, node)
        return self.nothing

    def _last(self, e: ast.Compare, step_type: Node, negated: bool) -> Node:
        """`timestep.step_type == StepType.LAST`."""
        node = self.node(self.span(e))
        self.wait(step_type, ops.IsLast(step_type, node, self.span(e)))
        if negated:
            inner, node = node, self.node(self.span(e))
            self.wait(inner, ops.Not(inner, node, self.span(e)))
        return self.use(e, node)

    def _differ(self, left: Node, right: Node, node: Node, e: ast.expr) -> None:
        inverse = self.node()
        self.wait(right, ops.Not(right, inverse, self.span(e)))
        self.combine((left, inverse), ops.And((left, inverse), node, self.span(e)))

    def _limit(self, e: ast.Compare, node: Node) -> None:
        """`n >= limit` is the loop's own limit, `n < limit` that it is not reached."""
        if not self.stepping:
            return
        left_counts = self._counts(e.left)
        reached = isinstance(e.ops[0], (ast.Eq, ast.GtE, ast.Gt) if left_counts else (ast.Eq, ast.LtE, ast.Lt))
        if reached:
            self.op(ops.Limit(node, self.span(e)))
            return
        inner = self.node(self.span(e))
        self.op(ops.Limit(inner, self.span(e)))
        self.wait(inner, ops.Not(inner, node, self.span(e)))

    def _counts(self, e: ast.expr) -> bool:
        if isinstance(e, ast.BinOp) and isinstance(e.op, (ast.Add, ast.Sub, ast.Mod)):
            return self._counts(e.left) and isinstance(e.right, ast.Constant)
        if isinstance(e, ast.Attribute) and e.attr in _LIMITS:
            return True
        name = last_name(e) if isinstance(e, (ast.Name, ast.Attribute)) else ""
        return bool(name) and name in self.step_counters

    def is_guard(self, test: ast.expr) -> bool:
        """The test asks how long a result is, or which version of the library runs."""
        if self._asks(test):
            self.result.testing.add(self.function_scope().function)
            return True
        return False

    def _asks(self, test: ast.expr) -> bool:
        todo: list[ast.AST] = [test]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Name):
                if _is_version(node.id):
                    return True
            elif isinstance(node, ast.Attribute):
                if node.attr == "__version__" or _is_version(node.attr):
                    return True
                todo.append(node.value)
            elif isinstance(node, ast.Compare):
                length = isinstance(node.left, ast.Call) and last_name(node.left.func) == "len"
                if length and any(isinstance(c, ast.Constant) and c.value in (2, 3, 4, 5) for c in node.comparators):
                    return True
                todo += [node.left, *node.comparators]
            elif isinstance(node, ast.Call):
                kinds = ast.walk(node.args[1]) if last_name(node.func) == "isinstance" and len(node.args) == 2 else ()
                if any(isinstance(n, ast.Name) and n.id in ("tuple", "list") for n in kinds):
                    return True
                todo += [node.func, *node.args, *node.keywords]
            elif not isinstance(node, ast.Constant):
                todo += ast.iter_child_nodes(node)
        return False


def _is_version(name: str) -> bool:
    """What programs call the choice between the two APIs."""
    lower = name.lower()
    return "step_api" in lower or "gym_version" in lower or lower in ("is_gymnasium", "use_gymnasium")

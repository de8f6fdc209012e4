"""Comparisons: a flag against a constant, a counter against its limit, a result against its length."""

from __future__ import annotations

import ast

from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.loops.counted_rounds import is_bound
from done_lint.flowgraph.loops.step_counters import reached
from done_lint.flowgraph.names import function_scope
from done_lint.flowgraph.operations import Constant, Node
from done_lint.flowgraph.scopes import truth
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.array_functions import PASSING_METHODS

#: What only changes the type of a value.
_CONVERSIONS = frozenset({"float", "int", "bool", "tensor", "as_tensor", "array", "asarray"})
#: Arrays of one value.
_FILLED: dict[str, Constant] = {"zeros": "zero", "zeros_like": "zero", "ones": "one", "ones_like": "one"}
_LIMITS = {"_max_episode_steps", "max_episode_steps", "_elapsed_steps"}


def constant(node: ast.expr) -> Constant:
    """`zero`, `one` or empty: what a constant is as a flag."""
    if isinstance(node, ast.Constant):
        return truth(node.value)
    if isinstance(node, ast.Call) and len(node.args) == 1 and _takes_value(node.func, node.args[0]):
        return constant(node.args[0])
    if isinstance(node, ast.Call) and (made := _FILLED.get(last_name(node.func))) and node.args:
        return made
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PASSING_METHODS:
        # `torch.zeros(n).unsqueeze(1)`; ones may be summed
        return "zero" if constant(node.func.value) == "zero" else ""
    if isinstance(node, ast.List) and len(node.elts) == 1:
        return constant(node.elts[0])
    return ""


def _takes_value(function: ast.expr, argument: ast.expr) -> bool:
    """Whether a call only changes a type: a number is the size of a `torch.FloatTensor`, a list its values."""
    name = last_name(function)
    return name in _CONVERSIONS or (name.endswith("Tensor") and isinstance(argument, ast.List))


def is_none(node: ast.expr) -> bool:
    """Whether the expression is the word `None`."""
    return isinstance(node, ast.Constant) and node.value is None


def asks_no_more(test: ast.expr) -> bool:
    """Whether each part of a test makes it true by itself: `done or stuck`, and not `done and reward > 0`."""
    both = (one for one in ast.walk(test) if isinstance(one, (ast.And, ast.BitAnd)) or _is_intersection(one))
    return next(both, None) is None


def _is_intersection(one: ast.AST) -> bool:
    return isinstance(one, ast.Call) and last_name(one.func) in ("logical_and", "bitwise_and", "minimum", "min", "all")


def visit_compare(b: Builder, e: ast.Compare) -> Node:
    node = _compared(b, e)
    scope = function_scope(b)
    params = b.function_at(scope.function).params if scope.owner >= 0 and scope.function >= 0 else ()
    for name, holds in reached(e, params[0][0], b.class_bodies[scope.owner]) if params else ():
        node = node or b.node(b.span(e))
        b.op(ops.Count(node, name, scope.owner, b.span(e), holds))
    return node


_EQUALITIES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)
_ORDERS = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)


def _note_ids(b: Builder, e: ast.Compare) -> None:
    """The places of ids of environments that something is compared with: what renames an id asks for them."""
    for one in (e.left, *e.comparators):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and "-v" in one.value:
            b.expr(one)


def _compared(b: Builder, e: ast.Compare) -> Node:
    left = b.operand(e.left)
    rights = [b.operand(c) for c in e.comparators]
    _note_ids(b, e)
    if len(e.ops) != 1:
        return b.nothing
    op, right = e.ops[0], e.comparators[0]
    if isinstance(op, _EQUALITIES) and last_name(right) == "LAST":
        return _last(b, e, left, isinstance(op, (ast.NotEq, ast.IsNot)))
    if left and is_none(right) and isinstance(op, _EQUALITIES):
        node = b.node(b.span(e))
        b.wait(left, ops.IsNone(left, node, isinstance(op, (ast.Eq, ast.Is))))
        return b.use(e, node)
    if isinstance(op, (ast.In, ast.NotIn)) and isinstance(e.left, ast.Constant):
        return _contained(b, e, TextKey(str(e.left.value)), rights[0])
    if constant(right) and isinstance(op, (*_EQUALITIES, ast.Gt, ast.GtE, ast.Lt)):
        return _with_constant(b, e, left, constant(right))
    if isinstance(op, (ast.Eq, ast.NotEq, *_ORDERS)):
        return _with_value(b, e, left, rights[0])
    return b.nothing


def _contained(b: Builder, e: ast.Compare, key: TextKey, container: Node) -> Node:
    """`"TimeLimit.truncated" in info` is what stands there; `not in` is the opposite."""
    node = found = b.node(b.span(e))
    if isinstance(e.ops[0], ast.NotIn):
        node = b.node(b.span(e))
    b.wait(container, ops.Item(container, (key,), found))
    if node != found:
        b.wait(found, ops.Not(found, node, b.span(e)))
    return b.use(e, node)


def _with_constant(b: Builder, e: ast.Compare, left: Node, value: Constant) -> Node:
    """`done == True`, `dones == 0`, `mask > 0`."""
    op = e.ops[0]
    if isinstance(op, ast.Gt):
        same = value == "zero"
    else:
        same = not isinstance(op, ast.Lt) and (value == "one") == isinstance(op, (ast.Eq, ast.Is, ast.GtE))
    node = b.node(b.span(e))
    if same:
        b.copy(left, node)
    else:
        b.combine((left,), ops.Not(left, node, b.span(e)))
        b.trail.derive(node, left)
    if isinstance(e.left, ast.BinOp) and _counts(b, e.left):
        # `n % horizon == 0`; a plain `n == 0` is the first step, and no limit
        _limit(b, e, node)
    return b.use(e, node)


def _with_value(b: Builder, e: ast.Compare, left: Node, right: Node) -> Node:
    """Two flags that are equal or differ, or a count of steps and its limit."""
    op, counts = e.ops[0], _counts(b, e.left, e.comparators[0])
    if isinstance(op, (ast.NotEq, ast.Eq)) and left and right and not counts:
        # PyMARL: `terminated != info.get("episode_limit")` takes the limit out
        node = b.node(b.span(e))
        if isinstance(op, ast.Eq):
            b.combine((left, right), ops.And((left, right), node, b.span(e)))
        else:
            _differ(b, left, right, node, e)
        if not _counts(b, e.comparators[0], e.left):
            return b.use(e, node)
    if counts or _counts(b, e.comparators[0], e.left):
        node = b.node(b.span(e))
        _limit(b, e, node)
        return b.use(e, node)
    return b.nothing


def _last(b: Builder, e: ast.Compare, step_type: Node, negated: bool) -> Node:
    """`timestep.step_type == StepType.LAST`."""
    node = b.node(b.span(e))
    b.wait(step_type, ops.IsLast(step_type, node, b.span(e)))
    if negated:
        inner, node = node, b.node(b.span(e))
        b.wait(inner, ops.Not(inner, node, b.span(e)))
    return b.use(e, node)


def _differ(b: Builder, left: Node, right: Node, node: Node, e: ast.expr) -> None:
    inverse = b.node()
    b.wait(right, ops.Not(right, inverse, b.span(e)))
    b.combine((left, inverse), ops.And((left, inverse), node, b.span(e)))


def _limit(b: Builder, e: ast.Compare, node: Node) -> None:
    """`n >= limit` is the loop's own limit, `n < limit` that it is not reached."""
    if not (b.here.stepping or _is_environments(e.left) or _is_environments(e.comparators[0])):
        return
    left_counts = _counts(b, e.left, e.comparators[0])
    reached = isinstance(e.ops[0], (ast.Eq, ast.GtE, ast.Gt) if left_counts else (ast.Eq, ast.LtE, ast.Lt))
    if reached:
        b.op(ops.Limit(node, b.span(e)))
        return
    inner = b.node(b.span(e))
    b.op(ops.Limit(inner, b.span(e)))
    b.wait(inner, ops.Not(inner, node, b.span(e)))


def _is_environments(e: ast.expr) -> bool:
    """`env._max_episode_steps`, `env.spec.max_episode_steps`: a limit of episodes, wherever the step stands.

    An environment that asks its own attribute is not meant: `self._max_episode_steps`.
    """
    if not isinstance(e, ast.Attribute):
        return False
    owner = last_name(e.value)
    if e.attr == "_max_episode_steps":
        return naming_conventions.environment(owner)
    return e.attr == "max_episode_steps" and owner == "spec"


def _counts(b: Builder, e: ast.expr, bound: ast.expr | None = None) -> bool:
    """Whether a count of steps is asked for; of rounds, only beside their own bound."""
    if isinstance(e, ast.BinOp) and isinstance(e.op, (ast.Add, ast.Sub, ast.Mod)):
        return _counts(b, e.left, bound) and isinstance(e.right, ast.Constant)
    if isinstance(e, ast.Attribute) and e.attr in _LIMITS:
        return True
    name = last_name(e) if isinstance(e, (ast.Name, ast.Attribute)) else ""
    if name in b.rounds:
        return bound is not None and is_bound(bound, b.rounds[name])
    return bool(name) and name in b.step_counters


def is_guard(b: Builder, test: ast.expr) -> bool:
    """The test asks how long a result is, or which version of the library runs."""
    starts: list[ast.AST] = [test]
    if any(_tells_version(b, part) for part in reach(starts, _parts)):
        b.result.testing.add(function_scope(b).function)
        return True
    return False


def asks_for_word(test: ast.expr) -> bool:
    """`mode == "train"`: a word chooses what the program does, and changes nothing of an environment made before.

    What a name alone says, `if five:`, may have been found out by anything.
    """
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.NotEq)):
        return False
    sides = (test.left, test.comparators[0])
    words = [side for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str)]
    return len(words) == 1


def _parts(node: ast.AST) -> list[ast.AST]:
    """What a test is made of; the names of attributes and of keyword arguments are no parts."""
    if isinstance(node, ast.Attribute):
        return [node.value]
    if isinstance(node, ast.Call):
        return [node.func, *node.args, *node.keywords]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return [] if isinstance(node, (ast.Name, ast.Constant)) else [*ast.iter_child_nodes(node)]


def _tells_version(b: Builder, node: ast.AST) -> bool:
    """Whether a part of a test asks how long a result is, whether it is a tuple, or which version runs.

    Other values are tuples too, and have a length: `isinstance(action, tuple)` says nothing of the API.
    """
    if isinstance(node, ast.Name):
        return _is_version(node.id)
    if isinstance(node, ast.Attribute):
        return node.attr == "__version__" or _is_version(node.attr)
    if isinstance(node, ast.Compare):
        if not isinstance(node.left, ast.Call) or last_name(node.left.func) != "len" or not node.left.args:
            return False
        length = any(isinstance(c, ast.Constant) and c.value in (2, 3, 4, 5) for c in node.comparators)
        return length and b.outline.results.may_be(node.left.args[0])
    if isinstance(node, ast.Call) and last_name(node.func) == "isinstance" and len(node.args) == 2:
        kinds = [kind.id for kind in ast.walk(node.args[1]) if isinstance(kind, ast.Name)]
        return not {"tuple", "list"}.isdisjoint(kinds) and b.outline.results.may_be(node.args[0])
    return False


def _is_version(name: str) -> bool:
    """What programs call the choice between the two APIs."""
    lower = name.lower()
    return "step_api" in lower or "gym_version" in lower or lower in ("is_gymnasium", "use_gymnasium")

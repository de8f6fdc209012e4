"""Which attributes of a class count its steps, and which comparisons ask whether such a count has reached a bound."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from done_lint.core.ast_walk import walked
from done_lint.knowledge import naming_conventions

#: Methods in which a counter begins; where it counts or starts anew is elsewhere.
_BEGINNING = "__init__"
#: What a bound that is the amount of the data reads: the end of the data is no limit of time.
_AMOUNTS = frozenset({"shape", "size", "index", "columns", "values"})
_REACHED = (ast.GtE, ast.Gt, ast.Eq)
_BELOW = (ast.Lt, ast.LtE)


def counted(body: Sequence[ast.stmt]) -> tuple[str, ...]:
    """Attributes of `self` that a method of the class raises each time it runs, by ones, whatever else happens."""
    found: set[str] = set()
    for method, own in _methods(body):
        if method.name != _BEGINNING:
            for statement in _always(method.body):
                found.add(_raised(statement, own))
    return tuple(sorted(found - {""}))


def spent(body: Sequence[ast.stmt]) -> tuple[str, ...]:
    """Attributes of `self` that a method lowers each time it runs, by ones, and that another one sets anew."""
    lowered: set[str] = set()
    filled: set[str] = set()
    for method, own in _methods(body):
        if method.name not in (_BEGINNING, "step"):
            filled |= {
                _attribute(target, own)
                for statement in _every(method.body)
                if isinstance(statement, ast.Assign)
                for target, _ in _assigned(statement)
            }
        if method.name != _BEGINNING:
            lowered |= {_lowered(statement, own) for statement in _always(method.body)}
    return tuple(sorted((lowered & filled) - {""}))


def restarted(body: Sequence[ast.stmt]) -> tuple[str, ...]:
    """Attributes of `self` that a method starts anew; one that `step` starts anew wraps around, and so ends nothing."""
    found: set[str] = set()
    methods = list(_methods(body))
    for method, own in methods:
        if method.name not in (_BEGINNING, "step"):
            found |= _started(method, own)
            if any(_begins_anew(statement, own) for statement in _every(method.body)):
                found = found.union(*(_started(one, its) for one, its in methods if one.name == _BEGINNING))
    return tuple(sorted(found - {""}))


def _started(method: ast.FunctionDef, own: str) -> set[str]:
    """What a method sets to a number."""
    return {
        _attribute(target, own)
        for statement in _every(method.body)
        if isinstance(statement, ast.Assign)
        for target, value in _assigned(statement)
        if _is_number(value)
    }


def _begins_anew(statement: ast.AST, own: str) -> bool:
    """`self.__init__(self.size)`: the object is made again in its place."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and _attribute(call.func, own) == _BEGINNING


def timed_step(body: Sequence[ast.stmt]) -> tuple[int, int] | None:
    """The rows of a wrapper's `step` that adds the time since `reset` to the observation."""
    methods = {method.name: (method, own) for method, own in _methods(body)}
    if "step" not in methods or "reset" not in methods:
        return None
    (step, own), (reset, its) = methods["step"], methods["reset"]
    nodes = list(walked(step))
    wraps = any(
        isinstance(one, ast.Call) and isinstance(f := one.func, ast.Attribute) and f.attr == "step" for one in nodes
    )
    clocks = {_attribute(one.target, own) for one in nodes if isinstance(one, ast.AugAssign) and _is_tick(one)}
    begun = {
        _attribute(target, its)
        for one in _every(reset.body)
        if isinstance(one, ast.Assign)
        for target, value in _assigned(one)
        if _is_any_number(value)
    }
    clocks &= begun - {""}
    tells = wraps and bool(clocks) and any(_attribute(one, own) in clocks for one in _observed(nodes))
    return (step.lineno, step.end_lineno or step.lineno) if tells else None


def _observed(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """What the first of five returned values is made of, in a `step`."""
    returned = [one.value for one in nodes if isinstance(one, ast.Return)]
    firsts = [one.elts[0] for one in returned if isinstance(one, ast.Tuple) and len(one.elts) == 5]
    names = {one.id for one in firsts if isinstance(one, ast.Name)}
    for one in nodes:
        if isinstance(one, ast.Assign) and any(isinstance(t, ast.Name) and t.id in names for t in one.targets):
            firsts.append(one.value)
    for first in firsts:
        yield from (part for part in walked(first) if isinstance(part, ast.expr))


def _is_tick(statement: ast.AugAssign) -> bool:
    """`self.n += 1`, `self.time += 1.0 / self.limit`."""
    value = statement.value
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div):
        value = value.left
    return isinstance(statement.op, ast.Add) and isinstance(value, ast.Constant)


def changing(body: Sequence[ast.stmt]) -> frozenset[str]:
    """Attributes of `self` that a method of the class sets after the beginning."""
    later = ((method, own) for method, own in _methods(body) if method.name != _BEGINNING)
    return frozenset(
        _attribute(node, own)
        for method, own in later
        for node in walked(method)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    )


def is_setting(e: ast.expr, own: str, body: Sequence[ast.stmt]) -> bool:
    """`self.config.kind == "timed"`: what an object was made with, which no method sets later."""
    if not isinstance(e, ast.Compare) or len(e.ops) != 1 or not isinstance(e.ops[0], (ast.Eq, ast.NotEq)):
        return False
    asked, text = e.left, e.comparators[0]
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str) or not isinstance(asked, ast.Attribute):
        return False
    inner: ast.expr = asked
    names = []
    while isinstance(inner, ast.Attribute):
        names.append(inner.attr)
        inner = inner.value
    later = (node for method, _ in _methods(body) if method.name != _BEGINNING for node in walked(method))
    stored = {one.attr for one in later if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load)}
    return isinstance(inner, ast.Name) and inner.id == own and stored.isdisjoint(names)


def reached(e: ast.Compare, own: str, body: Sequence[ast.stmt]) -> Iterator[tuple[str, bool]]:
    """Attributes of `own` that may have reached their bound, and whether the comparison is true then.

    Which side counts, only the class as a whole, whose body is given, can tell.
    """
    if len(e.ops) != 1:
        return
    op, (left, right) = e.ops[0], _sides(e)
    for side, bound, above, below in ((left, right, _REACHED, _BELOW), (right, left, (*_BELOW, ast.Eq), _REACHED)):
        name = _attribute(_counter(_scaled(side, own, body)), own)
        if name and isinstance(op, (*above, *below)) and _is_bound(bound):
            yield name, isinstance(op, above)
        elif _is_zero(bound) and isinstance(op, (*above, *below)) and _attribute(side, own) in spent(body):
            yield _attribute(side, own), isinstance(op, (*below, ast.Eq))


def _sides(e: ast.Compare) -> tuple[ast.expr, ast.expr]:
    """What is compared; of `self.limit - self.n <= 0`, where no step remains, `self.limit` and `self.n`."""
    left, right = e.left, e.comparators[0]
    if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Sub) and _is_zero(right):
        return left.left, left.right
    if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Sub) and _is_zero(left):
        return right.right, right.left
    return left, right


def _is_zero(e: ast.expr) -> bool:
    return isinstance(e, ast.Constant) and e.value == 0 and not isinstance(e.value, bool)


def _scaled(e: ast.expr, own: str, body: Sequence[ast.stmt]) -> ast.expr:
    """`self.n` of `self.n * self.step_size`, the time that has passed: a step always takes the same."""
    if not isinstance(e, ast.BinOp) or not isinstance(e.op, (ast.Mult, ast.Div)):
        return e
    sides = [(e.left, e.right), (e.right, e.left)] if isinstance(e.op, ast.Mult) else [(e.left, e.right)]
    for count, factor in sides:
        if isinstance(factor, ast.Constant):
            return count
        if _attribute(count, own) and _attribute(factor, own) and _attribute(factor, own) not in changing(body):
            return count
    return e


def _counter(e: ast.expr) -> ast.expr:
    """`self.n` of `self.n + 1`."""
    if isinstance(e, ast.BinOp) and isinstance(e.op, (ast.Add, ast.Sub)) and isinstance(e.right, ast.Constant):
        return e.left
    return e


def _is_bound(e: ast.expr) -> bool:
    """More than a first step, not the amount of the data, and not called the end of the task."""
    if isinstance(e, ast.Constant):
        return isinstance(e.value, (int, float)) and e.value > 1
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Add) and isinstance(e.right, ast.Constant):
        return False  # `delay + 1` is the step at which the task asks for its answer
    return not any(
        (isinstance(node, ast.Name) and (node.id == "len" or naming_conventions.terminated(node.id)))
        or (isinstance(node, ast.Attribute) and (node.attr in _AMOUNTS or naming_conventions.terminated(node.attr)))
        for node in walked(e)
    )


def _methods(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.FunctionDef, str]]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef) and statement.args.args:
            yield statement, statement.args.args[0].arg


def _always(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a block that no branch skips; a step may do some of them for each of several frames."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.With, ast.Try)) or (isinstance(statement, ast.For) and _repeats(statement)):
            yield from _always(statement.body)


def _repeats(loop: ast.For) -> bool:
    """`for _ in range(self.frame_skip)`, to its end."""
    call = loop.iter
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "range"
        and not any(isinstance(one, ast.Continue) for one in _every(loop.body))
    )


def _every(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Statements of a block and of the blocks in it."""
    todo = list(body)
    while todo:
        statement = todo.pop()
        yield statement
        for block in ("body", "orelse", "handlers", "finalbody", "cases"):
            todo += getattr(statement, block, ())


def _assigned(statement: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target and its value; those of `self.steps, self.place = 0, 0.0` one by one."""
    for target in statement.targets:
        yield target, statement.value
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(statement.value, (ast.Tuple, ast.List)):
            plain = not any(isinstance(one, ast.Starred) for one in (*target.elts, *statement.value.elts))
            yield from zip(target.elts, statement.value.elts) if plain else ()


def _raised(statement: ast.stmt, own: str) -> str:
    if isinstance(statement, ast.AugAssign):
        return _attribute(statement.target, own) if _adds_one(statement.op, statement.value) else ""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.BinOp):
        return ""
    name = _attribute(statement.targets[0], own)
    again = _attribute(statement.value.left, own) == name
    return name if again and _adds_one(statement.value.op, statement.value.right) else ""


def _lowered(statement: ast.stmt, own: str) -> str:
    """`n` of `self.n -= 1`."""
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.op, ast.Sub):
        return ""
    by_one = isinstance(statement.value, ast.Constant) and statement.value.value == 1
    return _attribute(statement.target, own) if by_one else ""


def _adds_one(op: ast.operator, value: ast.expr) -> bool:
    return isinstance(op, ast.Add) and isinstance(value, ast.Constant) and value.value == 1


def _is_number(e: ast.expr) -> bool:
    if isinstance(e, ast.UnaryOp):
        e = e.operand
    return isinstance(e, ast.Constant) and isinstance(e.value, int)


def _is_any_number(e: ast.expr) -> bool:
    if isinstance(e, ast.UnaryOp):
        e = e.operand
    return isinstance(e, ast.Constant) and isinstance(e.value, (int, float))


def _attribute(e: ast.expr, own: str) -> str:
    """`n` of `self.n`."""
    return e.attr if isinstance(e, ast.Attribute) and isinstance(e.value, ast.Name) and e.value.id == own else ""

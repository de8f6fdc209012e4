"""What reads a value without handing it on: tests, indices, comparisons, texts.

All else that reads an expression is an operation of the survey: whoever follows a value through these knows with
these readings all that is done with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from done_lint.core.ast_walk import children, walked
from done_lint.flowgraph.ast_text import last_name, subscripts, unparsed
from done_lint.flowgraph.comparisons import constant, is_none
from done_lint.knowledge import array_functions

#: How a value is read: as it is, as a truth, or as a truth (or an index) by which nothing but a target is chosen; where
#: it is known to be no None; and as the test that leaves the Nones out of what is stacked.
AS_VALUE, AS_TRUTH, FOR_TARGET, PRESENT, LEAVING_OUT = range(5)

#: What may read a value so: most syntax does not.
_READING: frozenset[type[ast.AST]] = frozenset(
    {ast.If, ast.While, ast.Assert, ast.comprehension, ast.Subscript, ast.BoolOp, ast.Call, ast.Compare}
    | {ast.BinOp, ast.AugAssign, ast.FormattedValue, ast.Match, ast.Raise, ast.Dict, ast.IfExp}
    | {ast.ListComp, ast.GeneratorExp}
)
#: Operators that are operations of the survey; of the others only some are.
_FOLLOWED = (ast.Mult, ast.Add, ast.Sub, ast.BitOr, ast.BitAnd)
_EQUALITIES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)
_KEEPING = ("append", "appendleft")
#: `x.masked_fill(done, 0)`.
_FILLING = ("masked_fill", "masked_fill_")
#: Calls that change a type, and do nothing else.
_CONVERSIONS = frozenset({"float", "int", "bool", "len", "isinstance"})


def readings(tree: ast.Module) -> Iterator[tuple[ast.expr, int]]:
    """The expressions of a file that are read in such a way, and how."""
    for node in walked(tree):
        if type(node) not in _READING:
            continue
        yield from ((one, PRESENT) for one in _present(node))
        yield from ((one, LEAVING_OUT) for one in _leaving_out(node))
        if isinstance(node, (ast.If, ast.While, ast.Assert)):
            yield node.test, FOR_TARGET if _chooses_target(node) else AS_TRUTH
        elif isinstance(node, ast.comprehension):
            yield from ((one, AS_TRUTH) for one in node.ifs)
        elif isinstance(node, ast.Subscript):
            yield from ((one, FOR_TARGET) for one in _indices(node))
        elif isinstance(node, ast.BoolOp):
            yield from ((one, AS_TRUTH) for one in _deciding(node))
        elif isinstance(node, ast.Call) and last_name(node.func) in _FILLING:
            yield from ((one, FOR_TARGET) for one in node.args[-2:-1])
        elif not isinstance(node, (ast.IfExp, ast.ListComp, ast.GeneratorExp)):
            yield from ((one, AS_VALUE) for one in _read(node) if not isinstance(one, ast.Constant))


def _read(node: ast.AST) -> Iterator[ast.expr]:
    """What a node reads as it is."""
    if isinstance(node, ast.Compare):
        yield from () if _is_followed(node) else (node.left, *node.comparators)
    elif isinstance(node, ast.BinOp):
        yield from () if isinstance(node.op, _FOLLOWED) else (node.left, node.right)
    elif isinstance(node, ast.AugAssign):
        yield from () if isinstance(node.op, _FOLLOWED) else (node.value,)
    elif isinstance(node, ast.FormattedValue):
        yield node.value
    elif isinstance(node, ast.Match):
        yield node.subject
    elif isinstance(node, ast.Raise):
        yield from (one for one in (node.exc,) if one is not None)
    elif isinstance(node, ast.Dict):
        yield from (key for key in node.keys if key is not None)


def _present(node: ast.AST) -> Iterator[ast.expr]:
    """What stands behind `x is not None` and reads `x`."""
    if isinstance(node, (ast.If, ast.IfExp)):
        body, orelse = ([one] if isinstance(one, ast.expr) else one for one in (node.body, node.orelse))
        yield from _naming(_not_none(node.test), body)
        yield from _naming(_not_none(node.test, absent=True), orelse)
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        yield from _naming(_not_none(node.values[0]), node.values[1:])
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)) and len(node.generators[-1].ifs) == 1:
        yield from _naming(_not_none(node.generators[-1].ifs[0]), [node.elt])


def _leaving_out(node: ast.AST) -> Iterator[ast.expr]:
    """The test of `stack([x for x in xs if x is not None])`."""
    if isinstance(node, ast.Call) and last_name(node.func) in array_functions.MAKING_ARRAYS:
        rows = [one for one in node.args[:1] if isinstance(one, (ast.ListComp, ast.GeneratorExp))]
        yield from (test for one in rows for test in one.generators[-1].ifs if _not_none(test) == unparsed(one.elt))


def _not_none(test: ast.expr, *, absent: bool = False) -> str:
    """The name that a test tells to be no None (or to be None); empty: another test."""
    op = (ast.Is, ast.Eq) if absent else (ast.IsNot, ast.NotEq)
    tells = isinstance(test, ast.Compare) and isinstance(test.ops[0], op) and is_none(test.comparators[0])
    return unparsed(test.left) if tells and isinstance(test, ast.Compare) else ""


def _naming(name: str, parts: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """The places where parts read a name, and nothing sets it before."""
    found = [one for part in parts for one in walked(part)] if name else []
    reads = [one for one in found if isinstance(one, (ast.Name, ast.Attribute)) and unparsed(one) == name]
    yield from () if any(isinstance(one.ctx, ast.Store) for one in reads) else reads


def _is_followed(node: ast.Compare) -> bool:
    """`done == 1`, `row is None`, `"done" in row`: a flag again, or nothing that one could change."""
    if len(node.ops) > 1:
        return False
    op, right = node.ops[0], node.comparators[0]
    if isinstance(op, (ast.In, ast.NotIn)):
        return isinstance(node.left, ast.Constant)
    return is_none(right) or bool(constant(right) and isinstance(op, (*_EQUALITIES, ast.Gt, ast.Lt)))


def _indices(node: ast.Subscript) -> Iterator[ast.expr]:
    for one in subscripts(node.slice):
        parts = children(one) if isinstance(one, ast.Slice) else [one]
        yield from (part for part in parts if isinstance(part, ast.expr) and not isinstance(part, ast.Constant))


def _deciding(node: ast.BoolOp) -> list[ast.expr]:
    """What decides whether something behind it is called: `done and self.finish()`."""
    calls = [number for number, one in enumerate(node.values) if _does(one)]
    return node.values[: calls[-1]] if calls else []


def _does(e: ast.expr) -> bool:
    return any(isinstance(one, ast.Call) and last_name(one.func) not in _CONVERSIONS for one in ast.walk(e))


def _chooses_target(node: ast.If | ast.While | ast.Assert) -> bool:
    """Whether both sides of a test give a value, and do nothing else."""
    return isinstance(node, ast.If) and all(map(_gives, (*node.body, *node.orelse)))


def _gives(statement: ast.stmt) -> bool:
    """`y = r`, `y[i] += v`, `ys.append(r)`, `yield r`."""
    if isinstance(statement, ast.Expr):
        made = statement.value
        return isinstance(made, ast.Yield) or (isinstance(made, ast.Call) and last_name(made.func) in _KEEPING)
    if isinstance(statement, ast.If):
        return _chooses_target(statement)
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    assigned = isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign))
    if assigned:
        return all(isinstance(one, (ast.Name, ast.Subscript)) for one in targets)
    return isinstance(statement, (ast.Return, ast.Pass, ast.Continue))

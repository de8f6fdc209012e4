"""Values of a step that go each to a container of its own: `seen.append(obs)`, `ends[i] = terminated`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from done_lint.facts.kinds.flags import Flag
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.shapes import is_name, method_called
from done_lint.syntax.tree import Tree


def goes_side_by_side(
    context: Context, step: Unpacking, behind: Iterable[cst.CSTNode], observation: str, *, alone: bool
) -> bool:
    """Whether statements behind a step of one of several environments keep an observation, and beside it both flags.

    Or *terminated* `alone`, if that is all.

    In a loop over environments what stands at one place of these lists belongs together, and to one environment.
    """
    if not is_one_of_several(context.tree, step.statement, step.value):
        return False
    values = [_unconverted(context, value) for one in behind for value in kept_values(one)]
    found = (context.facts.flags.get(context.tree.span(one)) for one in values)
    flags = [flag for flag in found if flag is not None]
    both = any(flag.terminated_only for flag in flags) and (alone or any(map(has_truncation, flags)))
    return both and any(is_name(one, observation) for one in values)


def kept_values(statement: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What a row of a block keeps in containers, one value in each."""
    yield from appended_values(statement)
    for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        if isinstance(small, cst.Assign) and isinstance(small.targets[0].target, cst.Subscript):
            yield small.value


def appended_values(statement: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What a row of a block appends to lists."""
    for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        call = small.value if isinstance(small, cst.Expr) else None
        if isinstance(call, cst.Call) and method_called(call) == "append" and len(call.args) == 1:
            yield call.args[0].value


def has_truncation(flag: Flag) -> bool:
    """Whether a flag may tell of a truncation."""
    return any(one.truncated for one in flag.meanings)


def names_flags(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether a flag is given a name, or stands where that is done: `done = terminated or truncated`."""
    row = tree.row(node)
    small = row.body[0] if row is not None and len(row.body) == 1 else None
    target = small.targets[0].target if isinstance(small, cst.Assign) and len(small.targets) == 1 else None
    return isinstance(target, cst.Name)


def _unconverted(context: Context, value: cst.BaseExpression) -> cst.BaseExpression:
    """The flag in `float(terminated)`."""
    while isinstance(value, cst.Call) and len(value.args) == 1 and context.tree.span(value) not in context.facts.flags:
        value = value.args[0].value
    return value


def is_one_of_several(tree: Tree, statement: cst.Assign, call: cst.BaseExpression) -> bool:
    """Whether the innermost loop around a step is one over environments: `for i, env in enumerate(self.envs)`."""
    loops = (one for one in tree.ancestors(statement) if isinstance(one, (cst.For, cst.While)))
    loop = next(loops, None)
    if not isinstance(loop, cst.For) or not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return False
    bound = {one.value for one in tree.inside(cst.Name, loop.target)}
    return any(one.value in bound for one in tree.inside(cst.Name, call.func.value))

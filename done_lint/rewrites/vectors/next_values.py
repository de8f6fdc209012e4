"""Whether the value that a mask cuts may be that of another episode's first observation."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import chain

import libcst as cst

from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.knowledge.array_functions import PASSING, PASSING_METHODS
from done_lint.rewrites.context import Context, per_file
from done_lint.syntax.bound_names import Names, Read


def reset_before(context: Context, flag: cst.BaseExpression) -> str:
    """The name in the product around a flag whose value a reset may have given; empty: none.

    `s = env.reset()` at the head of an outer loop replaces the final observation, before the code below it bootstraps
    with `V(s) * (1 - done)`: with `terminated` that would be the value of the next episode.
    """
    product, names = _product(context, flag), context.bound_names
    if product is None or names is None or not context.facts.resets:
        return ""
    offsets = (context.tree.offsets(node)[0] for node in context.tree.descend(product) if isinstance(node, cst.Name))
    for read in (names.reads[offset] for offset in offsets if offset in names.reads):
        copied = [*_copied(context, read)]
        found = (read, *(one for copy in copied for one in _behind(context, names, copy)))
        if lost := next((one.name for one in found if _of_either(context, one)), ""):
            return lost
    return ""


def _product(context: Context, flag: cst.BaseExpression) -> cst.BinaryOperation | None:
    """The outermost product that a flag, or what it becomes, is a factor of."""
    found: cst.BinaryOperation | None = None
    for node in context.tree.ancestors(flag):
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
            found = node
        elif found is not None or not isinstance(node, (cst.BinaryOperation, cst.UnaryOperation, cst.Call, cst.Arg)):
            break
    return found


def _behind(context: Context, names: Names, read: Read) -> Iterator[Read]:
    """What is read where the value of a name was computed, but not by the step itself: `v = V(s)`.

    What is computed of itself, as weights are, is no value of an observation.
    """
    for source in sorted(read.sources - step_statements(context)):
        inner = names.read_in(source)
        if read.name not in (one.name for one in inner):
            yield from inner


def _of_either(context: Context, read: Read) -> bool:
    """Whether a reset and a step may have given a value, as it is or as a copy of it."""
    sources = {source for one in _copied(context, read) for source in one.sources}
    return not sources.isdisjoint(reset_statements(context)) and not sources.isdisjoint(step_statements(context))


def _copied(context: Context, read: Read) -> Iterator[Read]:
    """The read itself, and those of the names whose values it has as they are: `s = s_next`, `s = torch.tensor(s)`."""
    return reach([read], lambda one: chain.from_iterable(_copies(context, source) for source in sorted(one.sources)))


@per_file
def _copies(context: Context, statement: int) -> list[Read]:
    """The name that a statement gives another name to, or converts."""
    names = context.bound_names
    if names is None or statement in reset_statements(context) or statement in step_statements(context):
        return []
    text = context.tree.text[slice(*names.extent(statement))]
    try:
        body = ast.parse(text).body
    except SyntaxError:  # the head of a loop
        return []
    given = {one.id for node in body if isinstance(node, ast.Assign) for one in _given(node)}
    return [one for one in names.read_in(statement) if one.name in given]


def _given(node: ast.Assign) -> Iterator[ast.Name]:
    """The name whose value is assigned, through conversions; a function that a name is given to and from is one."""
    value, target = node.value, node.targets[0]
    yield from _through(value)
    if isinstance(value, ast.Call) and isinstance(target, ast.Name):
        yield from (one for one in value.args if isinstance(one, ast.Name) and one.id == target.id)


def _through(value: ast.expr) -> Iterator[ast.Name]:
    """The names that an expression gives on, through conversions: of `torch.tensor([s]).to(device)` it is `s`."""
    if isinstance(value, ast.Name):
        yield value
    elif isinstance(value, ast.Subscript):
        yield from _through(value.value)
    elif isinstance(value, (ast.List, ast.Tuple)) and len(value.elts) == 1:
        yield from _through(value.elts[0])
    elif isinstance(value, ast.Call) and isinstance(value.func, (ast.Attribute, ast.Name)):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else value.func.id
        if isinstance(value.func, ast.Attribute) and name in PASSING_METHODS:
            yield from _through(value.func.value)
        if value.args and name in PASSING:
            yield from _through(value.args[0])


@per_file
def reset_statements(context: Context) -> frozenset[int]:
    """Where the statements begin that reset an environment."""
    return _statements(context, context.facts.resets)


@per_file
def step_statements(context: Context) -> frozenset[int]:
    """Where the statements begin that step an environment."""
    return _statements(context, context.facts.steps)


def _statements(context: Context, spans: Iterable[Span]) -> frozenset[int]:
    """Where the statements begin that these places are in."""
    names, lines = context.bound_names, context.tree.lines
    if names is None:
        return frozenset()
    return frozenset(names.statement(lines.offset(span.row, span.column)) for span in spans)

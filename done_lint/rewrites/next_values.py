"""Whether the value that a mask cuts may be that of another episode's first observation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from done_lint.core.findings import Span
from done_lint.rewrites.context import Context, per_file
from done_lint.syntax.bound_names import Names, Read


def reset_before(context: Context, flag: cst.BaseExpression) -> str:
    """The name in the product around a flag whose value a reset may have given; empty: none.

    `s = env.reset()` at the head of an outer loop replaces the final observation, before the code below it bootstraps
    with `V(s) * (1 - done)`: with `terminated` that would be the value of the next episode.
    """
    product, names = _product(context, flag), _names(context)
    if product is None or names is None or not context.facts.resets:
        return ""
    resets, steps = _resets(context), _steps(context)
    for node in context.tree.descend(product):
        read = names.reads.get(context.tree.offsets(node)[0]) if isinstance(node, cst.Name) else None
        found = (read, *_behind(names, read, steps)) if read is not None else ()
        if lost := next((one.name for one in found if _of_either(one, resets, steps)), ""):
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


def _behind(names: Names, read: Read, steps: frozenset[int]) -> Iterator[Read]:
    """What is read where the value of a name was computed, but not by the step itself: `v = V(s)`."""
    for source in sorted(read.sources - steps):
        yield from names.read_in(source)


def _of_either(read: Read, resets: frozenset[int], steps: frozenset[int]) -> bool:
    """Whether a reset and a step may have given a value."""
    return not read.sources.isdisjoint(resets) and not read.sources.isdisjoint(steps)


@per_file
def _names(context: Context) -> Names | None:
    return Names.of(context.tree.text)


@per_file
def _resets(context: Context) -> frozenset[int]:
    return _statements(context, context.facts.resets)


@per_file
def _steps(context: Context) -> frozenset[int]:
    return _statements(context, context.facts.steps)


def _statements(context: Context, spans: Iterable[Span]) -> frozenset[int]:
    """Where the statements begin that these places are in."""
    names, lines = _names(context), context.tree.lines
    if names is None:
        return frozenset()
    return frozenset(names.statement(lines.offset(span.row, span.column)) for span in spans)

"""Operators on flags: unions, intersections, negations, sums and products."""

from __future__ import annotations

from collections.abc import Callable

from done_lint.analysis import flag_lattice
from done_lint.analysis.context import Analysis
from done_lint.analysis.flag_evidence import Combined
from done_lint.analysis.solver import MARKS, NEGATED
from done_lint.analysis.transfer.counts import pass_counts
from done_lint.analysis.values import (
    Object,
    Passage,
    Place,
    ProductMark,
    Shape,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey


def negate(at: Analysis, survey: Survey, base: int, op: ops.Not) -> None:
    at.solver.edge(
        at.arrays.flat(base + op.source),
        base + op.result,
        NEGATED,
        "not",
        Passage(Place.of(survey.path, op.at), base + op.source),
    )
    at.solver.edge(base + op.source, base + op.result, MARKS)
    pass_counts(at, base + op.source, base + op.result, False)


def _combine(
    at: Analysis, survey: Survey, base: int, op: ops.Or | ops.And, merge: Callable[[int, int], int | None]
) -> None:
    """Union or intersection of the flags of all inputs that have any."""
    inputs = [base + one for one in op.inputs if one]
    result, place = base + op.result, Place(survey.path, op.at)
    nodes = [at.arrays.flat(one) for one in inputs]
    at.flags.combinations[result] = Combined(inputs, place)
    for node in nodes:
        at.solver.precede(result, node, "combined", Passage(place, node))

    def evaluate() -> None:
        found: set[int] | None = None
        for node in nodes:
            mine = set(at.solver.flags(node))
            if not mine:
                continue
            if found is None:
                found = mine
            else:
                found = {m for left in found for right in mine if (m := merge(left, right)) is not None}
        for flag in found or ():
            source = next((node for node in nodes if at.solver.held[node]), -1)
            origin = next(iter(at.solver.flags(source)), -1) if source >= 0 else -1
            at.solver.add(result, flag, source, origin)

    at.solver.narrowing(result, nodes, evaluate)


def unite(at: Analysis, survey: Survey, base: int, op: ops.Or) -> None:
    _combine(at, survey, base, op, flag_lattice.united)
    for a in op.inputs:
        if a:
            at.solver.edge(base + a, base + op.result, MARKS)
            pass_counts(at, base + a, base + op.result)


def intersect(at: Analysis, survey: Survey, base: int, op: ops.And) -> None:
    _combine(at, survey, base, op, flag_lattice.conjunction)
    for a in op.inputs:
        if a:
            at.solver.edge(base + a, base + op.result, MARKS)


def add_up(at: Analysis, survey: Survey, base: int, op: ops.Sum) -> None:
    nodes = [base + a for a in op.inputs if a]
    for node in nodes:
        at.solver.edge(node, base + op.result, MARKS)
    if len(nodes) < len(op.inputs):
        return
    flat = [at.arrays.flat(node) for node in nodes]

    def evaluate() -> None:
        sets = [set(at.solver.flags(node)) for node in flat]
        if not all(sets):
            return
        found = sets[0]
        for other in sets[1:]:
            found = {u for x in found for y in other if (u := flag_lattice.united(x, y)) is not None}
        for flag in found:
            at.solver.add(base + op.result, flag, flat[0], next(iter(sets[0])))

    for node in flat:
        at.solver.precede(base + op.result, node, "combined")
    at.solver.narrowing(base + op.result, flat, evaluate)
    for node in nodes:
        _pass_lists(at, node, base + op.result)


def _pass_lists(at: Analysis, source: int, target: int) -> None:
    """`a + [b]`, `[None] * n`: the list itself goes on."""

    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Object) and value.shape in (Shape.LIST, Shape.MANY):
            at.solver.add(target, number, source, number)

    at.solver.watch(source, react)


def multiply(at: Analysis, survey: Survey, base: int, op: ops.Times) -> None:
    product = survey.products[op.index]
    nodes = [base + f.node for f in product.factors]
    scalars = [f.role in ("discount", "constant", "trace") for f in product.factors]
    mark = at.solver.intern(ProductMark(survey.path, op.index))
    flat = [at.arrays.flat(node) if f.node else 0 for node, f in zip(nodes, product.factors)]
    for node, factor in zip(nodes, product.factors):
        if factor.node:
            at.solver.edge(node, base + op.result, MARKS)
    if sum(1 for f in product.factors if f.role != "constant") == 1 or len(product.factors) == 2:
        for node, factor in zip(nodes, product.factors):
            if factor.node and not factor.role:
                _pass_lists(at, node, base + op.result)
    for node, factor in zip(flat, product.factors):
        if factor.node:
            at.solver.precede(base + op.result, node, "combined")

    def evaluate() -> None:
        sets = [set(at.solver.flags(node)) if node else set() for node in flat]
        masks = [x for x in sets if x]
        if not masks:
            return
        if all(x or scalar for x, scalar in zip(sets, scalars)):
            found = masks[0]
            for other in masks[1:]:
                found = {m for x in found for y in other if (m := flag_lattice.conjunction(x, y)) is not None}
            discount = flag_lattice.DISCOUNTED if product.discounted else 0
            source = next(node for node, x in zip(flat, sets) if x)
            for flag in found:
                at.solver.add(base + op.result, flag | discount, source, next(iter(masks[0])))
        elif any(flag_lattice.keeps(flag) for x in masks for flag in x):
            at.solver.add(base + op.result, mark)

    at.solver.narrowing(base + op.result, [x for x in flat if x], evaluate)

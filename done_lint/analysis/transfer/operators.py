"""Operators on flags: unions, intersections, negations, sums and products."""

from __future__ import annotations

from collections.abc import Callable

from done_lint.analysis import flag_lattice
from done_lint.analysis.context import Analysis
from done_lint.analysis.flag_evidence import Combined
from done_lint.analysis.solver import MARKS, NEGATED, TERMS
from done_lint.analysis.transfer.counts import pass_counts
from done_lint.analysis.values import (
    Object,
    Passage,
    Place,
    ProductMark,
    Shape,
    StepValue,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Product, Survey

#: Roles of factors that are plain numbers.
_NUMBERS = frozenset({"discount", "constant", "trace"})


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
    at: Analysis, survey: Survey, base: int, op: ops.Or | ops.And, merged: Callable[[list[set[int]]], set[int]]
) -> None:
    """Union or intersection of the flags of all inputs that have any."""
    inputs = [base + one for one in op.inputs if one]
    result, place = base + op.result, Place(survey.path, op.at)
    nodes = [at.arrays.flat(one) for one in inputs]
    partly = len(inputs) < len(op.inputs)
    at.flags.combinations[result] = Combined(inputs, place, isinstance(op, ops.Or), partly)
    for node in nodes:
        at.solver.precede(result, node, "combined", Passage(place, node))

    def evaluate() -> None:
        source = next((node for node in nodes if at.solver.held[node]), -1)
        if sets := [set(flags) for node in nodes if (flags := at.solver.flags(node))]:
            origin = next(iter(at.solver.flags(source)), -1)
            for flag in merged(sets):
                at.solver.add(result, flag, source, origin)

    at.solver.narrowing(result, nodes, evaluate)


def _merged(sets: list[set[int]], merge: Callable[[int, int], int | None]) -> set[int]:
    """All that flags of each set can be together."""
    found, *others = sets
    for other in others:
        found = {one for left in found for right in other if (one := merge(left, right)) is not None}
    return found


def _masked(sets: list[set[int]]) -> set[int]:
    """All that the product of flags can be: where a factor is there to take truncation out, it has been taken out."""
    found = _merged(sets, flag_lattice.conjunction)
    if any(map(flag_lattice.spares_truncation, set().union(*sets))):
        return {one for one in found if not flag_lattice.mixed(one)} or found
    return found


def unite(at: Analysis, survey: Survey, base: int, op: ops.Or) -> None:
    _combine(at, survey, base, op, lambda sets: _merged(sets, flag_lattice.united))
    for a in op.inputs:
        if a:
            at.solver.edge(base + a, base + op.result, MARKS)
            pass_counts(at, base + a, base + op.result)


def intersect(at: Analysis, survey: Survey, base: int, op: ops.And) -> None:
    _combine(at, survey, base, op, _masked)
    for a in op.inputs:
        if a:
            at.solver.edge(base + a, base + op.result, MARKS)


def add_up(at: Analysis, survey: Survey, base: int, op: ops.Sum) -> None:
    nodes, result = [base + one for one in op.inputs if one], base + op.result
    for node in nodes:
        at.solver.edge(node, result, MARKS if len(op.inputs) == 1 else TERMS)
    if len(nodes) < len(op.inputs):
        return
    flat = [at.arrays.flat(node) for node in nodes]

    def evaluate() -> None:
        sets = [set(at.solver.flags(node)) for node in flat]
        if all(sets):
            for flag in _merged(sets, flag_lattice.united):
                at.solver.add(result, flag, flat[0], next(iter(sets[0])))

    for node in flat:
        at.solver.precede(result, node, "combined")
    at.solver.narrowing(result, flat, evaluate)
    for node in nodes:
        _pass_lists(at, node, result)


def round_off(at: Analysis, survey: Survey, base: int, number: int, op: ops.Rounded) -> None:
    value = at.solver.value(number)
    if isinstance(value, StepValue) and value.part == "reward":
        at.solver.add(base + op.result, number, base + op.source, number)
        at.solver.precede(base + op.result, base + op.source, "flow")


def _pass_lists(at: Analysis, source: int, target: int) -> None:
    """`a + [b]`, `[None] * n`: the list itself goes on."""

    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Object) and value.shape in (Shape.LIST, Shape.MANY):
            at.solver.add(target, number, source, number)

    at.solver.watch(source, react)


def _may_repeat(product: Product) -> bool:
    """`[None] * n`: two factors, or one beside plain numbers, are a list that goes on; a mask repeats nothing."""
    return len(product.factors) == 2 or sum(factor.role != "constant" for factor in product.factors) == 1


def multiply(at: Analysis, survey: Survey, base: int, op: ops.Times) -> None:
    product, result = survey.products[op.index], base + op.result
    mark = at.solver.intern(ProductMark(survey.path, op.index))
    factors = [(base + factor.node, factor) for factor in product.factors if factor.node]
    flat = [at.arrays.flat(node) for node, _ in factors]
    for node, _ in factors:
        at.solver.edge(node, result, MARKS)
    if _may_repeat(product) and not any(at.program.negation_at(node) for node, _ in factors):
        for node in (node for node, factor in factors if not factor.role):
            _pass_lists(at, node, result)
    for node in flat:
        at.solver.precede(result, node, "combined")
    # a factor that is neither a mask nor a number leaves a value that is masked
    numbers = all(factor.node or factor.role in _NUMBERS for factor in product.factors)
    discount = flag_lattice.DISCOUNTED if product.discounted else 0

    def evaluate() -> None:
        sets = [(node, factor, set(at.solver.flags(node))) for node, (_, factor) in zip(flat, factors)]
        masks = [(node, flags) for node, _, flags in sets if flags]
        if not masks:
            return
        if numbers and all(flags or factor.role in _NUMBERS for _, factor, flags in sets):
            source, first = masks[0]
            for flag in _masked([flags for _, flags in masks]):
                at.solver.add(result, flag | discount, source, next(iter(first)))
        elif any(flag_lattice.keeps(flag) for _, flags in masks for flag in flags):
            at.solver.add(result, mark)

    at.solver.narrowing(result, flat, evaluate)

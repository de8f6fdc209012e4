"""Steps that a value target is made of as they come: the reward, and a later value that a flag of the step masks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Place, ProductMark, StepValue
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Product, Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.value_targets.target_masks import Cut


class Valued(NamedTuple):
    """A value of a step at a node."""

    number: int
    node: int


class Learnt(NamedTuple):
    """A one-step target: `reward + 0.99 * value(next_obs) * (1 - terminated)`."""

    #: The values, by their numbers, and the nodes where they are.
    reward: Valued
    flag: Valued
    step: int
    place: Place


def learnt_at_once(analysis: Analysis, cuts: Iterable[Cut], home: Callable[[int], FunctionId]) -> Iterator[Learnt]:
    """The targets of a program whose reward and mask are of the same step.

    Args:
        analysis: The solved graph.
        cuts: Where values are cut; `if terminated[i]:` and `np.where(terminated, ...)` are no factors of a product.
        home: In which function a node is.
    """
    tests = _tests(analysis, cuts, home)
    products = {found.node: _product(analysis, *at)[0] for at, found in analysis.flags.products.items()}
    discounted = {node: product for node, product in products.items() if product.discounted}
    for survey in analysis.program.surveys.values():
        base = analysis.program.bases[survey.path]
        for op in dict.fromkeys(survey.waits(ops.Sum)):
            inputs = [base + one for one in op.inputs if one]
            masks = {step: found for one in inputs for step, found in _masks(analysis, discounted, one).items()}
            later = [discounted[one] for one in inputs if one in discounted] if tests else []
            for product in (one for one in later if not one.carried and not one.running):
                tested = tests[home(base + op.result)].items()
                masks = {step: (flag, product.span) for step, flag in tested} | masks
            for node in inputs if masks else ():
                yield from _rewarded(analysis, survey, node, masks)


def _rewarded(analysis: Analysis, survey: Survey, node: int, masks: dict[int, tuple[Valued, Span]]) -> Iterator[Learnt]:
    """The rewards at a node whose step has a mask."""
    for number in analysis.solver.all(node, StepValue):
        value = analysis.solver.get(number, StepValue)
        if value.part == "reward" and value.step in masks:
            flag, span = masks[value.step]
            yield Learnt(Valued(number, node), flag, value.step, Place(survey.path, span))


def _tests(
    analysis: Analysis, cuts: Iterable[Cut], home: Callable[[int], FunctionId]
) -> defaultdict[FunctionId, dict[int, Valued]]:
    """By the function, and by their step, the flags that a branch around a one-step target tests."""
    found: defaultdict[FunctionId, dict[int, Valued]] = defaultdict(dict)
    for cut in cuts:
        if cut.kind == "branch" and cut.form == "one-step target" and not cut.hindrance:
            for number in analysis.solver.all(cut.node, StepValue):
                value = analysis.solver.get(number, StepValue)
                if value.part == "flag":
                    found[home(cut.node)].setdefault(value.step, Valued(number, cut.node))
    return found


def _masks(analysis: Analysis, discounted: Container[int], node: int) -> dict[int, tuple[Valued, Span]]:
    """By their step, the masks of the products that arrive at a node and are discounted there at the latest."""
    solver, found = analysis.solver, dict[int, tuple[Valued, Span]]()
    for mark in solver.values(node, ProductMark):
        product, factors = _product(analysis, mark.path, mark.index)
        if product.carried or product.running or not (product.discounted or node in discounted):
            continue
        for factor in factors:
            for number in solver.all(factor, StepValue) if analysis.arrays.flat_flags(factor) else ():
                value = solver.get(number, StepValue)
                if value.part == "flag":
                    found[value.step] = Valued(number, factor), product.span
    return found


def _product(analysis: Analysis, path: str, index: int) -> tuple[Product, list[int]]:
    """A product, and the nodes of its factors."""
    return analysis.program.surveys[path].products[index], analysis.flags.products[path, index].factors

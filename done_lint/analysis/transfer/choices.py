"""Choices between two values: by a condition, by a mask, or of None."""

from __future__ import annotations

from typing import NamedTuple

from done_lint.analysis import flag_lattice
from done_lint.analysis.context import Analysis
from done_lint.analysis.solver import MARKS
from done_lint.analysis.transfer.counts import pass_counts
from done_lint.analysis.values import (
    ChoiceMark,
    ChosenNone,
    Flag,
    Mark,
    MaskedMark,
    Passage,
    Place,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Constant
from done_lint.flowgraph.schema import Survey


def choose(at: Analysis, survey: Survey, base: int, op: ops.Choice) -> None:
    """A choice between two values; between constants it is the test itself, or its negation."""
    result, mark = base + op.result, at.solver.intern(ChoiceMark(survey.path, op.at, op.result))
    tested = at.arrays.flat(base + op.test) if op.test else 0
    if op.test and {op.a_constant, op.b_constant} == {"one", "zero"}:
        pass_counts(at, base + op.test, result, op.a_constant == "one")
    for side, constant in ((op.a, op.a_constant), (op.b, op.b_constant)):
        if side:
            _carry_objects(at, base + side, result)
            if not constant:
                at.solver.edge(base + side, result, MARKS)
    if op.a_constant and op.b_constant:
        _choose_constant(at, Place(survey.path, op.at), tested, op, result)
    elif not op.a_constant and not op.b_constant:
        # the arrays come along as they are: the flags in a table of rows keep their columns
        sides = _Sides(base + op.a if op.a else 0, "", base + op.b if op.b else 0, "")
        _choose_value(at, tested, sides, result, mark)
    elif op.joins and tested:
        _join_word(at, Place(survey.path, op.at), tested, op, base)
    else:
        flat_a = at.arrays.flat(base + op.a) if op.a and not op.a_constant else 0
        flat_b = at.arrays.flat(base + op.b) if op.b and not op.b_constant else 0
        _choose_value(at, tested, _Sides(flat_a, op.a_constant, flat_b, op.b_constant), result, mark)


class _Sides(NamedTuple):
    """The two sides of a choice: the nodes of their flags (0: none), and what they are as constants."""

    a: int
    a_constant: Constant
    b: int
    b_constant: Constant


def _choose_constant(at: Analysis, place: Place, tested: int, op: ops.Choice, result: int) -> None:
    constants = {op.a_constant, op.b_constant}
    negated = op.a_constant == "zero"
    if tested:
        at.solver.precede(result, tested, "not" if negated else "flow", Passage(place, tested))
    discount = flag_lattice.DISCOUNTED if "discount" in constants else 0

    def evaluate() -> None:
        if tested and "zero" in constants and len(constants) == 2:
            for flag in set(at.solver.flags(tested)):
                at.solver.add(result, (flag_lattice.negated(flag) if negated else flag) | discount, tested, flag)

    at.solver.narrowing(result, [tested] if tested else [], evaluate)


def _choose_value(at: Analysis, tested: int, sides: _Sides, result: int, mark: int) -> None:
    flat = [node for node in (sides.a, sides.b) if node]
    for node in flat:
        at.solver.precede(result, node, "flow")

    def evaluate() -> None:
        tests = set(at.solver.flags(tested)) if tested else set()
        for source, constant, when_true in ((sides.a, sides.b_constant, True), (sides.b, sides.a_constant, False)):
            for flag in at.solver.flags(source) if source else ():
                for chosen in _chosen(flag, constant, tests, when_true):
                    at.solver.add(result, chosen, source, flag)
        if any(at.solver.flags(node) for node in flat):
            return
        for flag in tests:
            # one side is zero where the episode ended, the other a value: the value is masked
            if (sides.b_constant if flag_lattice.keeps(flag) else sides.a_constant) == "zero":
                at.solver.add(result, mark)

    at.solver.narrowing(result, [tested, *flat] if tested else flat, evaluate)


def _join_word(at: Analysis, place: Place, tested: int, op: ops.Choice, base: int) -> None:
    """`if test: over = True` is `over = over or test`; a word on the other side is joined with the opposite."""
    result, other = base + op.result, at.arrays.flat(base + (op.b if op.a_constant else op.a))
    word = op.a_constant or op.b_constant
    negated = (word == "zero") == bool(op.a_constant)
    merge = flag_lattice.united if word == "one" else flag_lattice.conjunction
    at.solver.precede(result, other, "flow")
    at.solver.precede(result, tested, "not" if negated else "flow", Passage(place, tested))

    def evaluate() -> None:
        tests = [flag_lattice.negated(one) if negated else one for one in at.solver.flags(tested)]
        before = list(at.solver.flags(other))
        for flag in tests:
            for one in before:
                if (both := merge(one, flag)) is not None:
                    at.solver.add(result, both, other, one)
            if not before:
                at.solver.add(result, flag, tested, flag)
        if not tests:
            for one in before:
                at.solver.add(result, one, other, one)

    at.solver.narrowing(result, [tested, other], evaluate)


def _chosen(flag: int, constant: str, tests: set[int], when_true: bool) -> list[int]:
    """What is left of a flag that is chosen where a test is (or is not) true, else a constant."""
    if not constant or not tests:
        return [flag]
    results = []
    silent = "one" if flag_lattice.keeps(flag) else "zero"
    for test in tests:
        # causes for which the constant is taken instead
        causes_true = not flag_lattice.keeps(test)
        taken_when_cause = causes_true != when_true
        if not taken_when_cause:
            results.append(flag)
        elif constant == silent:
            left = flag_lattice.narrowed(flag, test)
            if left is not None:
                results.append(left)
        else:
            results.append(flag | test & flag_lattice.CAUSES)
    return results


def _carry_objects(at: Analysis, source: int, target: int) -> None:
    def react(number: int) -> None:
        if not isinstance(at.solver.value(number), (Flag, Mark)):
            at.solver.add(target, number, source, number)

    at.solver.watch(source, react)


def stand(at: Analysis, survey: Survey, base: int, op: ops.Stands) -> None:
    """The word `True` where tests decide that it stands there: all of them are tests of flags."""
    result, place = base + op.result, Place(survey.path, op.at)
    tests = [at.arrays.flat(base + one) for one in op.tests]
    for test, holds in zip(tests, op.holds):
        at.solver.precede(result, test, "flow" if holds else "not", Passage(place, test))

    def evaluate() -> None:
        found: set[int] | None = None
        for test, holds in zip(tests, op.holds):
            flags = {one if holds else flag_lattice.negated(one) for one in at.solver.flags(test)}
            pairs = ((one, other) for one in found for other in flags) if found is not None else ()
            both = (flag_lattice.conjunction(*pair) for pair in pairs)
            found = flags if found is None else {one for one in both if one is not None}
        for flag in found or ():
            if not flag_lattice.keeps(flag):
                at.solver.add(result, flag, tests[-1], flag)

    at.solver.narrowing(result, tests, evaluate)


def none_where(at: Analysis, survey: Survey, base: int, number: int, op: ops.NoneWhere) -> None:
    """`next_state = None if done else obs`: what the test decides is kept for a later test of None."""
    if number < flag_lattice.END:
        decided = number if op.holds else flag_lattice.negated(number)
        none = at.solver.intern(ChosenNone(decided, base + op.test, Place(survey.path, op.at)))
        at.solver.add(base + op.target, none, base + op.test, number)


def is_none(at: Analysis, survey: Survey, base: int, number: int, op: ops.IsNone) -> None:
    """`next_state is not None`."""
    value = at.solver.value(number)
    if isinstance(value, ChosenNone):
        source, target = base + op.source, base + op.target
        if target not in at.flags.absences:
            at.solver.precede(target, source, "none")
        at.flags.absences[target] = source
        at.solver.add(target, value.flag if op.holds else flag_lattice.negated(value.flag), source, number)


def mask(at: Analysis, survey: Survey, base: int, op: ops.Masked) -> None:
    at.solver.edge(base + op.source, base + op.target)
    flat = at.arrays.flat(base + op.index)
    masked = MaskedMark(survey.path, op.at)
    mark = at.solver.intern(masked)
    at.flags.masked[masked] = base + op.index

    def react(number: int) -> None:
        if number < flag_lattice.END and not flag_lattice.keeps(number):
            at.solver.add(base + op.target, mark)

    at.solver.watch(flat, react)


def fill(at: Analysis, survey: Survey, base: int, op: ops.Filled) -> None:
    """The array holds values only where the index is true: masked, if that is where the episode goes on."""
    at.solver.edge(base + op.source, base + op.target)
    masked = MaskedMark(survey.path, op.at)
    mark = at.solver.intern(masked)
    at.flags.masked[masked] = base + op.index
    at.flags.filled[masked] = base + op.value

    def react(number: int) -> None:
        if number < flag_lattice.END and flag_lattice.keeps(number):
            at.solver.add(base + op.target, mark)

    at.solver.watch(at.arrays.flat(base + op.index), react)

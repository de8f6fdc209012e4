"""Counts of steps: comparisons with a bound, and what they decide."""

from __future__ import annotations

from dataclasses import replace

from done_lint.analysis import flag_lattice
from done_lint.analysis.context import Analysis
from done_lint.analysis.flag_evidence import FlagSource
from done_lint.analysis.values import (
    Count,
    Place,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey


def limit(at: Analysis, survey: Survey, base: int, op: ops.Limit) -> None:
    at.solver.add(base + op.target, flag_lattice.LIMIT)
    at.flags.sources.setdefault(base + op.target, FlagSource(Place.of(survey.path, op.at), "the loop's own limit"))


def count(at: Analysis, survey: Survey, base: int, op: ops.Count) -> None:
    at.put(base + op.target, Count(survey.path, op.at, op.name, op.owner, op.reached))


def decides(at: Analysis, survey: Survey, base: int, op: ops.Decides) -> None:
    pass_counts(at, base + op.test, base + op.target, op.holds)


def pass_counts(at: Analysis, source: int, target: int, holds: bool = True) -> None:
    """What a count decides; not `holds`: the other way round."""

    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Count):
            decided = at.solver.intern(replace(value, reached=value.reached is holds))
            at.solver.add(target, decided, source, number)

    at.solver.watch(source, react)

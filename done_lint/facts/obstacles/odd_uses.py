"""Where the four values of a step are used in a way that no fix follows: there nobody would see that they are five now.

An index that is computed, a loop over the values, a pattern, a call of other code: which values are taken is not to be
seen, so that what gives four values has to go on doing so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.values import ResetResult
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.obstacles.kept_results import obstacles_of_kept_results
from done_lint.facts.results.env_method_results import OwnResults
from done_lint.facts.results.escaping_results import EscapingResults
from done_lint.facts.results.reset_results import ResetResults
from done_lint.facts.results.step_results import StepResults

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_HANDED = "hands the observation of a `reset` on, and who takes it is not seen to change"
_ESCAPES = "hands the result of a step to code that is not followed"


class Readings(NamedTuple):
    """What is known of results: those of the project's own classes, of steps and resets, and where they are lost."""

    own: OwnResults
    steps: StepResults
    resets: ResetResults
    escaping: EscapingResults


def obstacles_of_odd_uses(at: Analysis, families: Families, results: Readings) -> Iterator[Obstacle]:
    """Those of all files."""
    yield from _uses(at, families, results.steps)
    yield from obstacles_of_kept_results(at, families, results.own)
    yield from _returned_resets(at, families, results.resets)
    yield from _escapes(at, families, results.steps, results.escaping)


def _uses(at: Analysis, families: Families, steps: StepResults) -> Iterator[Obstacle]:
    """The results of steps that are used otherwise than a fix can follow."""
    for path, survey in at.program.surveys.items():
        if not survey.odd_uses:
            continue
        base = at.program.bases[path]
        nodes = {span: node for span, node in survey.uses if at.solver.held[base + node]}
        for span, what in survey.odd_uses:
            local = nodes.get(span)
            step = (steps.step(base + local) or steps.columns(base + local)) if local is not None else None
            if local is None or step is None or not step.env.api.five or not step.is_old:
                continue
            if family := families.of_node(base + local):
                yield Obstacle(path, span, owner_name(survey, survey.homes.get(local, -1)), what, family)


def _returned_resets(at: Analysis, families: Families, resets: ResetResults) -> Iterator[Obstacle]:
    """Where a function hands on the observation of a class's `reset`, in a program that is not all for Gym.

    An example of a document holds back no class of the program, but one that it shows itself.
    """
    for path, survey in at.program.surveys.items():
        if not survey.returned:
            continue
        base = at.program.bases[path]
        for span, local in survey.uses:
            if span not in survey.returned or not at.solver.all(base + local, ResetResult):
                continue
            home = survey.homes.get(local, -1)
            reset = resets.reset(base + local) if home >= 0 and survey.functions[home].name != "reset" else None
            if reset is None or reset.pending is None or reset.gym_only or reset.handled:
                continue
            if survey.page and reset.pending.path != path:
                continue
            if family := families.of_node(base + local):
                yield Obstacle(path, span, owner_name(survey, home), _HANDED, family)


def _escapes(at: Analysis, families: Families, steps: StepResults, escaping: EscapingResults) -> Iterator[Obstacle]:
    """Where a class still gives four values, and these are handed to other code, in a program that is not all for Gym.

    In one that is, a rule reports the place.
    """
    for path, survey in at.program.surveys.items():
        for span, result in escaping.all_of(survey) if not survey.page else ():
            step = steps.step(result)
            if step is None or step.pending is None or step.gym_only or not step.env.api.five:
                continue
            if family := families.of_node(result):
                home = survey.homes.get(result - at.program.bases[path], -1)
                yield Obstacle(path, span, owner_name(survey, home), _ESCAPES, family)

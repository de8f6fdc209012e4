"""Where the four values of a step are used in a way that no fix follows: there nobody would see that they are five now.

An index that is computed, a loop over the values, a pattern, a call of other code: which values are taken is not to be
seen, so that what gives four values has to go on doing so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import values
from done_lint.analysis.open_steps import owner_name
from done_lint.core.findings import Span
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.kinds.results import ResetResult
from done_lint.facts.obstacles.kept_results import obstacles_of_kept_results
from done_lint.facts.results.env_method_results import OwnResults
from done_lint.facts.results.escaping_results import EscapingResults
from done_lint.facts.results.reset_results import ResetResults
from done_lint.facts.results.step_results import StepResults
from done_lint.flowgraph.odd_uses import AGAIN

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_HANDED = "hands the observation of a `reset` on, and who takes it is not seen to change"
_BESIDE_OTHERS = "returns the observation of a `reset`, or something else, and who takes it is not seen to change"
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
            if local is None or step is None or not step.env.api.five or not (step.is_old or what == AGAIN):
                continue
            family = families.of_node(base + local)
            if family and (step.is_old or families.has_gym_file(family)):
                yield Obstacle(path, span, owner_name(survey, survey.homes.get(local, -1)), what, family)


class _Returned(NamedTuple):
    """A reset that a function other than `reset` returns as it is: where, its node, the function, and what is known."""

    path: str
    span: Span
    node: int
    home: int
    reset: ResetResult


def _returned(at: Analysis, resets: ResetResults) -> Iterator[_Returned]:
    """Those that no use takes for a pair."""
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for span, local in survey.uses if survey.returned else ():
            if span not in survey.returned or not at.solver.all(base + local, values.ResetResult):
                continue
            home = survey.homes.get(local, -1)
            reset = resets.reset(base + local) if home >= 0 and survey.functions[home].name != "reset" else None
            if reset is not None and not reset.handled:
                yield _Returned(path, span, base + local, home, reset)


def _returned_resets(at: Analysis, families: Families, resets: ResetResults) -> Iterator[Obstacle]:
    """Where a function hands on the observation of a class's `reset`, in a program that is not all for Gym.

    Or, in one that is, that of any environment from one `return`, and something else from another. An example of a
    document holds back no class of the program, but one that it shows itself.
    """
    for one in _returned(at, resets):
        survey, reset = at.program.surveys[one.path], one.reset
        if reset.gym_only:
            # of what stands in a name, the observation is taken where that gets it
            call = at.program.call_at(one.node)
            direct = call is not None and call[0].span == one.span and one.span not in survey.guarded
            found = direct and reset.env.api.five and _gives_others(at, one.path, one.home)
        else:
            found = reset.pending is not None and not (survey.page and reset.pending.path != one.path)
        family = families.of_node(one.node) if found else None
        if family and (not reset.gym_only or families.has_gym_file(family)):
            which = _BESIDE_OTHERS if reset.gym_only else _HANDED
            yield Obstacle(one.path, one.span, owner_name(survey, one.home), which, family)


def _gives_others(at: Analysis, path: str, home: int) -> bool:
    """Whether a function returns something else than what a reset gave, too: no rule knows what its callers get."""
    base = at.program.bases[path]
    outcomes = at.program.surveys[path].functions[home].outcomes
    return not all(at.solver.all(base + node, values.ResetResult) for _, node, _ in outcomes)


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

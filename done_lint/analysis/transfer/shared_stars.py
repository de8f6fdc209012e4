"""What a function hands on by its own star, `self.make(*args)`: the arguments of all its callers, in one tuple.

Where it calls several functions, nothing says which caller's arguments are for which of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis
from done_lint.analysis.solver import ALL, OTHERS
from done_lint.analysis.values import Environment, Instance, Passage, Way


class Shared(NamedTuple):
    """What stands at a place of a star: its node, the parameter that takes it, the call and the star."""

    source: int
    target: int
    call: int
    rest: int
    place: int


def hands_on_star(at: Analysis, rest: int, params: list[int], call: Call) -> bool:
    """Whether a call hands on the star of the function around it to these parameters, which is noted."""
    if rest not in at.rests or not params or call.result >= at.solver.surveyed:
        return False
    at.spread.setdefault(call.result, set()).add(params[0])
    return True


def share_star(at: Analysis, shared: Shared, passage: Passage | None, way: Way, *, merges: bool) -> None:
    """Let what stands in a star go on; `merges`: an environment once it is known what the call calls."""
    at.solver.edge(shared.source, shared.target, OTHERS if merges else ALL, way, passage)
    if merges:
        at.solver.watch(shared.source, lambda number: _react(at, shared, number))


def _react(at: Analysis, shared: Shared, number: int) -> None:
    if _is_environment(at, number):
        at.solver.postpone(shared.call, lambda: _pass(at, shared, number))
    elif isinstance(at.solver.value(number), Instance):
        at.solver.add(shared.target, number, shared.source, number)


def _pass(at: Analysis, shared: Shared, number: int) -> None:
    """Put an environment where it may belong; where others are handed in as well, it is one by name alone."""
    value = at.solver.value(number)
    if _is_for_one(at, shared):
        at.solver.add(shared.target, number, shared.source, number)
    elif isinstance(value, Environment):
        weak = at.solver.intern(replace(value, certainty="by name"))
        at.solver.add(shared.target, weak, shared.source, number)


def _is_for_one(at: Analysis, shared: Shared) -> bool:
    """Whether one function is called, or one caller hands in, or all of them hand in an environment at a place."""
    callers = at.rests[shared.rest].values()
    if len(at.spread[shared.call]) < 2 or len(callers) < 2:
        return True
    handed = [one[shared.place] if shared.place < len(one) else 0 for one in callers if one is not None]
    return all(node and any(_is_environment(at, one) for one in at.solver.held[node]) for node in handed)


def _is_environment(at: Analysis, number: int) -> bool:
    value = at.solver.value(number)
    own = isinstance(value, Instance) and at.classes.api_of_class(value.path, value.index)[0] is not None
    return own or isinstance(value, Environment)

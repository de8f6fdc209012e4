"""The parts of a row of transitions, and which of them make one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from done_lint.analysis.values import Place, StepPart

Part = StepPart | Literal["action", "log_prob"]
#: A call of code that cannot be seen which is given so many values of a step is given a row.
_ROW = 3


class Kept(NamedTuple):
    """A value of a step at a place where it is kept."""

    step: int
    part: Part
    #: The number of the value; of an action the step again.
    number: int
    #: Its node; that of a field, where it is part of a row.
    node: int
    #: The node that is kept, and the number of the row there, or -1.
    whole: int
    row: int
    place: Place


def makes_row(parts: Collection[Part], *, summed: bool = False) -> bool:
    """Whether these are the parts of a transition: a reward, what was seen or done, and one thing more.

    Rewards that are summed over time up to the flags beside them are learnt from with what the policy said of the same
    rows, which is made of what was seen and done.
    """
    return "reward" in parts and (len(parts) >= _ROW or (summed and "flag" in parts))


def may_predict(parts: Collection[Part]) -> bool:
    """Whether what an action leads to may be learnt from these, if what was seen before and after it is there."""
    return "obs" in parts and not {"action", "reward"}.isdisjoint(parts)


def of_one_part(every: list[Kept]) -> list[Kept]:
    """Those values that code which cannot be seen is given as an observation, a reward or a flag.

    A value that may be the observation or the reward, of a batch that is read back, is the part of no row.
    """
    parts: dict[int, set[Part]] = {}
    for one in every:
        parts.setdefault(one.node, set()).add(one.part)
    return [one for one in every if not {"obs", "reward"} <= parts[one.node]]

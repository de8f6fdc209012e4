"""Both flags of a step that one call gives: `terminated, truncated = self.judge(state)`, once or in a loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from done_lint.analysis.program import Program
from done_lint.analysis.versions import sources
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Placed
from done_lint.flowgraph.schema import Survey


class _Slots(NamedTuple):
    """Where two flags stand in what a call gives, and the node of what is called."""

    called: int
    terminated: int
    truncated: int


def never_alone(
    program: Program, survey: Survey, terminated: int, truncated: int, around: frozenset[str] = frozenset()
) -> bool:
    """Whether every method of the project that the call may mean says `truncated` only beside `terminated`.

    Such a method may ask another one; `around` are the names of those that ask.
    """
    known = sources(survey)
    ends = set(reach([terminated], lambda node: known.get(node, ())))
    begins = [node for node in reach([truncated], lambda node: known.get(node, ())) if node not in known]
    # `terminated = truncated = True` gives both the same value
    said = [node for node in begins if survey.booleans.get(node) is not False and node not in ends]
    slots = list(_slots(survey, ends, set(said)))
    return len(slots) == len(said) and all(_say_both(program, survey, one, around) for one in slots)


def _slots(survey: Survey, ends: set[int], said: set[int]) -> Iterator[_Slots]:
    results = {call.result: call.called for call in survey.calls()}
    for unpack in survey.waits(ops.Unpack):
        first = [place for place, target in enumerate(unpack.targets) if target in ends]
        second = [place for place, target in enumerate(unpack.targets) if target in said]
        if unpack.star < 0 and unpack.source in results and len(first) == len(second) == 1:
            yield _Slots(results[unpack.source], *first, *second)


def _say_both(program: Program, survey: Survey, slots: _Slots, around: frozenset[str]) -> bool:
    """Whether all methods of the name that return anything give tuples, and in none of them truncation stands alone."""
    _, name = program.attribute_at(program.bases[survey.path] + slots.called) or (0, "")
    if name == "step" or name in around:
        return False  # a step may be that of any environment
    rows = list(_returned(program, name))
    return bool(rows) and all(_says_both(program, *row, slots, around | {name}) for row in rows)


def _returned(program: Program, name: str) -> Iterator[tuple[Survey, tuple[Placed, ...]]]:
    """What the functions of a name return, as far as these are tuples."""
    for survey in program.surveys.values():
        nodes = {node for one in survey.functions if one.name == name for _, node, _ in one.outcomes}
        rows = (one for one in survey.operations if isinstance(one, ops.Allocate)) if nodes else ()
        tuples = {one.target: one.elements for one in rows}
        yield from ((survey, tuples.get(node, ())) for node in nodes)


def _says_both(
    program: Program, survey: Survey, row: tuple[Placed, ...], slots: _Slots, around: frozenset[str]
) -> bool:
    """Whether one of these tuples says that the episode goes on, or has terminated."""
    if len(row) <= max(slots.terminated, slots.truncated):
        return False
    nodes = row[slots.terminated].node, row[slots.truncated].node
    terminated, truncated = map(survey.booleans.get, nodes)
    said = truncated is False or (truncated is True and terminated is True)
    return said or never_alone(program, survey, *nodes, around)

"""Steps whose reward or flag is a list: those of several agents, or of several environments."""

from __future__ import annotations

from done_lint.analysis.context import Analysis
from done_lint.analysis.solver import ALL
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_apis import STEP_WIDTHS

#: What takes a list and no single value, and where four values of a step have what it is given.
_GATHERING = {"builtins.all": 2, "builtins.any": 2, "builtins.sum": 1}
_FOUR, _ = STEP_WIDTHS
#: How far a value is followed.
_NEAR = 50


def gathered(at: Analysis, survey: Survey) -> set[tuple[str, int]]:
    """What is handed to `all`, `any` or `sum`, which take lists alone: the name of what is called, the node."""
    outside = (one for one in (*survey.bindings, *survey.operations) if isinstance(one, ops.External))
    builtins = {one.target: one.dotted for one in outside if one.dotted in _GATHERING}
    base = at.program.bases[survey.path]
    return {
        (builtins[call.called], base + call.args[0].node)
        for call in (survey.calls() if builtins else ())
        if call.called in builtins and len(call.args) == 1
    }


def is_gathered(at: Analysis, survey: Survey, step: ops.Call, lists: set[tuple[str, int]]) -> bool:
    """Whether the reward or the flag of a step is such a list itself: `while not all(done)`."""
    base = at.program.bases[survey.path]
    return bool(lists) and any(
        (name, node) in lists
        for unpack in survey.waiting.get(step.result, ())
        if isinstance(unpack, ops.Unpack) and unpack.star < 0 and unpack.arity == _FOUR
        for name, place in _GATHERING.items()
        for node in reach([base + unpack.targets[place]], lambda one: _behind(at, one), bound=_NEAR)
    )


def _behind(at: Analysis, node: int) -> list[int]:
    """Where the same object arrives next."""
    return [one for one, mode in at.solver.successors[node].items() if mode == ALL]

"""Steps whose reward or flag is a list: those of several agents, or of several environments."""

from __future__ import annotations

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_apis import STEP_WIDTHS

#: What takes a list and no single value, and where four values of a step have what it is given.
_GATHERING = {"builtins.all": 2, "builtins.any": 2, "builtins.sum": 1}
_FOUR, _ = STEP_WIDTHS


def gathered(survey: Survey) -> set[tuple[int, str, str]]:
    """Names that are handed to `all`, `any` or `sum`, which take lists alone: the function, what it calls, the name."""
    outside = (one for one in (*survey.bindings, *survey.operations) if isinstance(one, ops.External))
    builtins = {one.target: one.dotted for one in outside if one.dotted in _GATHERING}
    return {
        (survey.homes.get(call.result, -1), builtins[call.called], survey.names.get(call.args[0][0], ""))
        for call in (survey.calls() if builtins else ())
        if call.called in builtins and len(call.args) == 1
    }


def is_gathered(survey: Survey, step: ops.Call, lists: set[tuple[int, str, str]]) -> bool:
    """Whether the reward or the flag of a step is a list in the function of the step: `while not all(done)`."""
    home = survey.homes.get(step.result, -1)
    return any(
        (home, name, survey.names.get(unpack.targets[place], "")) in lists
        for unpack in survey.waiting.get(step.result, ())
        if isinstance(unpack, ops.Unpack) and unpack.star < 0 and unpack.arity == _FOUR
        for name, place in _GATHERING.items()
    )

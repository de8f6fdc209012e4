"""Calls with more arguments than a method of the library takes: `env.step(action, sparse)`, `env.reset(picture)`.

No environment of the library answers them, with four values or with five: they raise `TypeError` there, and are meant
for something else of the project.
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.results import ResetResult, StepResult
from done_lint.knowledge.env_apis import GYM, GYMNASIUM
from done_lint.syntax.arguments import keyword
from done_lint.syntax.shapes import is_name


def steps_otherwise(call: cst.BaseExpression, step: StepResult) -> bool:
    """Whether a call gives a `step` more than the action, and no function of the project is known that takes it."""
    return not step.own and _is_asked_for_more(call, step, "step", 1)


def resets_otherwise(call: cst.BaseExpression, reset: ResetResult) -> bool:
    """Whether a call gives a `reset` something by its place, and no function of the project is known that takes it.

    Where all layers of the environment are known the call is a mistake (`GYM110`), as is what is done with the result.
    """
    return not reset.own and not reset.env.layers and _is_asked_for_more(call, reset, "reset", 0)


def _is_asked_for_more(call: cst.BaseExpression, result: StepResult | ResetResult, method: str, taken: int) -> bool:
    if not isinstance(call, cst.Call) or result.env.api not in (GYM, GYMNASIUM):
        return False
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != method:
        return False
    placed = [one for one in call.args if not one.star and not keyword(one)]
    if placed and is_name(placed[0].value, "self"):
        placed = placed[1:]  # `gym.Wrapper.step(self, action)`
    return len(placed) > taken

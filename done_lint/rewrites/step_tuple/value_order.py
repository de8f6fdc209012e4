"""A step of four values in an order of its own: `state, done, reward, info`.

A second flag behind the third value would be one behind the reward.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.knowledge.naming_conventions import step_slot
from done_lint.rewrites.step_tuple.returns import DONE
from done_lint.syntax.dotted import last_name

#: Where a step returns the reward.
_REWARD = 1
#: Why there is no fix.
ANOTHER_ORDER = "the reward stands where `done` belongs: the values have to be put in order first"
_NUMBERS = ("float", "int")


def in_another_order(values: Sequence[cst.BaseExpression], done: int = DONE) -> bool:
    """Whether names say that the reward stands where the flag belongs."""
    return step_slot(last_name(values[done])) == _REWARD


def says_another_order(types: Sequence[cst.BaseExpression]) -> bool:
    """Whether an annotation says that the second of four values is a flag, and the third a number."""
    return len(types) == 4 and last_name(types[_REWARD]) == "bool" and last_name(types[DONE]) in _NUMBERS

"""The five values of a step are unpacked in a wrong order.

## What it does
Reports five targets whose names show that the last three are in a wrong order, as in
`obs, reward, done, info, truncated = env.step(action)`.

## Why it matters
Nothing raises: the info becomes a flag that is always true once it holds a key, or `terminated` and
`truncated` change places, so that the value target is cut at the time limit and not at the real end.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
obs, reward, terminated, info, truncated = env.step(env.action_space.sample())
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
```

## Fix safety
Safe: the targets change places, and each name is bound to the value that it names.

## References
- [Gymnasium: Env.step](https://gymnasium.farama.org/api/env/#gymnasium.Env.step)
"""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.naming_conventions import STEP_SLOTS
from done_lint.rewrites.outcome import fixed
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.tuple_targets import in_order
from done_lint.rules.base import Rule
from done_lint.syntax.edits import replaced


class SwappedStepValues(Rule):
    """GYM109."""

    code = "GYM109"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every unpacking of five values."""
        for unpacking in self.context.unpackings:
            whole = len(unpacking.targets) == 5 and not unpacking.starred and unpacking.part is None
            if whole and unpacking.step.env.api.five and not unpacking.step.guarded:
                self._check(unpacking)

    def _check(self, unpacking: Unpacking) -> None:
        order = right_order([_name(target) for target in unpacking.targets])
        if order is None:
            return
        names = ", ".join(self.source(unpacking.targets[place]) for place in order)
        target = unpacking.target
        edits = replaced(self.tree, target, target.with_changes(elements=in_order(target.elements, order)))
        self.report(
            unpacking.statement,
            f"`{self.source(target)}` unpacks the five values of a step in the wrong order: names are bound to "
            "other values",
            help=f"unpack `{names}`",
            outcome=fixed("put the values in order", edits),
            env=unpacking.step.env,
        )


def right_order(names: list[str]) -> tuple[int, ...] | None:
    """Which target belongs to which slot, if the names say that the present order is wrong."""
    if any(name in STEP_SLOTS for name in names[:2]):
        return None
    wanted = {place: STEP_SLOTS[names[place]] for place in (2, 3, 4) if names[place] in STEP_SLOTS}
    unknown = [place for place in (2, 3, 4) if place not in wanted]
    if len(set(wanted.values())) != len(wanted) or all(place == slot for place, slot in wanted.items()):
        return None
    if unknown and (len(unknown) > 1 or names[unknown[0]] != "_"):
        return None
    free = ({2, 3, 4} - set(wanted.values())).pop() if unknown else None
    slots = {**wanted, **({unknown[0]: free} if free is not None else {})}
    place_of = {slot: place for place, slot in slots.items()}
    return (0, 1, place_of[2], place_of[3], place_of[4])


def _name(target: cst.BaseExpression) -> str:
    """The last name of a target."""
    if isinstance(target, cst.Attribute):
        return target.attr.value
    return target.value if isinstance(target, cst.Name) else ""

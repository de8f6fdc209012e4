"""The five values of a step are unpacked in a wrong order.

## What it does
Reports five targets whose names show that the last three are in a wrong order, as in
`obs, reward, done, info, truncated = env.step(action)`, or that the reward comes before the observation, and the `step`
of an environment class that returns its values in such an order, or that returns `truncated` in the place of
`terminated` too where another of its returns hands on both. Code that takes them in the order in which that class
returns them is right, and not reported.

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
Safe: the targets change places, and each name is bound to the value that it names. Not reported where what follows
puts a value back in its place: `return obs, reward, truncated, terminated, info`, `self.terminated = truncated`, or a
container that holds it (`ends[agent] = truncated`).

There is no fix of a `return`, because code that takes its values has to change together with it. Where a
class of the project that may be stepped returns its values in some wrong order, the fix of the targets is unsafe.
So is that of a doubled `truncated`: what steps the wrapper sees an end that it did not see before.

## References
- [Gymnasium: Env.step](https://gymnasium.farama.org/api/env/#gymnasium.Env.step)
"""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.naming_conventions import right_order, step_slot
from done_lint.rewrites.env_methods import EnvMethod, env_methods
from done_lint.rewrites.outcome import fixed, unfixed
from done_lint.rewrites.step_tuple.doubled_flag import doubled
from done_lint.rewrites.step_tuple.lost_truncation import ANOTHER_END
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.tuple_targets import in_order
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword
from done_lint.syntax.edits import replaced
from done_lint.syntax.shapes import only_index, only_target, string_value

_OWN_ORDER = "a class of the project that may be stepped here returns its values in another order"
#: What a step returns.
_VALUES = ("observation", "reward", "terminated", "truncated", "info")


class SwappedStepValues(Rule):
    """GYM109."""

    code = "GYM109"
    incompatibility = ""

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every unpacking of five values, and at what environments return."""
        for unpacking in self.context.unpackings:
            whole = len(unpacking.targets) == 5 and not unpacking.starred and unpacking.part is None
            if whole and unpacking.step.env.api.five and not unpacking.step.guarded:
                self._check(unpacking)
                self._doubled(unpacking)
        for method in env_methods(self.context, "step"):
            if method.owner.order and not method.owner.double:
                self._returned(method)

    def _doubled(self, unpacking: Unpacking) -> None:
        """Report where a wrapper returns one flag of the step inside twice, and the other one not at all."""
        terminated = self.source(unpacking.targets[2])
        for value in doubled(self.context, unpacking):
            self.report(
                value,
                f"`step` returns `{self.source(value)}` where `{terminated}` belongs: the end of the task is lost",
                help=f"return `{terminated}`, as another `return` of this method does",
                outcome=fixed("return it", replaced(self.tree, value, cst.Name(terminated)), unsure=ANOTHER_END),
                env=unpacking.step.env,
            )

    def _returned(self, method: EnvMethod) -> None:
        """Report where a `step` returns its values under the places of others."""
        for node in self.tree.inside(cst.Return, method.function):
            if not isinstance(node.value, cst.Tuple) or len(node.value.elements) != 5:
                continue
            values = [self.source(element.value) for element in node.value.elements]
            order = method.owner.order
            ordered = ", ".join(values[place] for place in order)
            first = 2 if order[:2] == (0, 1) else 0
            self.report(
                node.value,
                f"`{method.owner.name}.step` returns `{', '.join(values[first:])}` where "
                f"`{', '.join(_VALUES[first:])}` belong: each value is taken for another one",
                help=f"return `{ordered}`, and unpack it in this order",
                outcome=unfixed("code that takes the values in the present order has to change together with it"),
                related=method.owner.evidence,
            )

    def _check(self, unpacking: Unpacking) -> None:
        names = [_name(target) for target in unpacking.targets]
        order = right_order(names)
        orders = unpacking.step.orders
        if order is None or orders == {order} or unpacking.step.own_order or self._is_put_back(unpacking, order):
            return
        proven = unpacking.step.env.certainty == "proven"
        if order[:2] != (0, 1) and not proven and None in map(step_slot, names[2:]):
            return  # another order of other values: nothing but a name says that it is an environment of Gym's
        ordered = ", ".join(self.source(unpacking.targets[place]) for place in order)
        target = unpacking.target
        edits = replaced(self.tree, target, target.with_changes(elements=in_order(target.elements, order)))
        self.report(
            unpacking.statement,
            f"`{self.source(target)}` unpacks the five values of a step in the wrong order: names are bound to "
            "other values",
            help=f"unpack `{ordered}`",
            outcome=fixed("put the values in order", edits, unsure=_OWN_ORDER if any(orders) else ""),
            env=unpacking.step.env,
        )

    def _is_put_back(self, unpacking: Unpacking, order: tuple[int, ...]) -> bool:
        """Whether a value under the name of another one is handed on as what it is."""
        return any(
            self._handed_on_as(read) == slot
            for slot, target in enumerate(unpacking.targets)
            if order[slot] != slot and isinstance(target, cst.Name)
            for read in self.tree.scopes.reads(unpacking.scope, target.value)
        )

    def _handed_on_as(self, read: cst.Name) -> int | None:
        """The slot that a value gets: by its place in a new result, or by the name that it is stored under."""
        parent = self.tree.parents[read]
        if isinstance(parent, cst.Arg):
            return step_slot(keyword(parent))
        if isinstance(parent, cst.DictElement):
            return step_slot(string_value(parent.key)) if parent.value is read else None
        if isinstance(parent, cst.Assign):
            target = only_target(parent)
            slot = _slot_of(target)
            return self._returned_as(read, target) if slot is None else slot
        whole = self.tree.parents.get(parent)
        if not isinstance(parent, cst.Element) or not isinstance(whole, (cst.Tuple, cst.List)):
            return None
        return self._placed_as(parent, whole)

    def _returned_as(self, read: cst.Name, target: cst.BaseExpression | None) -> int | None:
        """The slot of the container that keeps a value (`ends[agent] = done`), where five values are returned."""
        kept = target.value if isinstance(target, cst.Subscript) else None
        if not isinstance(kept, cst.Name):
            return None
        for one in self.tree.scopes.reads(self.tree.scope(read), kept.value):
            element, whole = self.tree.parents[one], self.tree.parents.get(self.tree.parents[one])
            if isinstance(element, cst.Element) and isinstance(whole, cst.Tuple) and len(whole.elements) == 5:
                return whole.elements.index(element)
        return None

    def _placed_as(self, parent: cst.Element, whole: cst.Tuple | cst.List) -> int | None:
        """The slot that an element of a new result gets, or the target that it is bound to."""
        place, statement = whole.elements.index(parent), self.tree.parents[whole]
        if (target := only_target(statement)) is not None and isinstance(target, (cst.Tuple, cst.List)):
            return _slot_of(target.elements[place].value) if len(target.elements) == len(whole.elements) else None
        return place if len(whole.elements) == 5 else None


def _slot_of(target: cst.BaseExpression | None) -> int | None:
    """The slot that a target is named after, or its key."""
    if isinstance(target, cst.Subscript):
        return step_slot(string_value(only_index(target)))
    return step_slot(_name(target)) if target is not None else None


def _name(target: cst.BaseExpression) -> str:
    """The last name of a target."""
    if isinstance(target, cst.Attribute):
        return target.attr.value
    return target.value if isinstance(target, cst.Name) else ""

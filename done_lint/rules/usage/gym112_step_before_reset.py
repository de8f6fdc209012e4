"""An environment of `make` is stepped before its first reset.

## What it does
Reports `env.step(...)` that runs before `env.reset()`, where one function makes the environment, steps it and resets
it later. Where no reset is visible at all, the code may be a part of a program, and nothing is said.

## Why it matters
Old Gym let such a step through, and a class that resets itself in its constructor worked. `make` of Gymnasium puts
`OrderEnforcing` around every environment, which raises `ResetNeeded` at a step before the first reset.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
for _ in range(10):
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    if terminated or truncated:
        obs, info = env.reset()
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
for _ in range(10):
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    if terminated or truncated:
        obs, info = env.reset()
```

## Fix safety
There is no fix: where a reset belongs, and what it does to numbers that are drawn later, is for the author to say.

## References
- [Gymnasium: OrderEnforcing](https://gymnasium.farama.org/api/wrappers/misc_wrappers/#gymnasium.wrappers.OrderEnforcing)
"""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.env_apis import GYM, GYMNASIUM
from done_lint.knowledge.made_layers import ORDER_ENFORCING
from done_lint.rewrites.compatibility_code import is_expected_to_fail
from done_lint.rewrites.outcome import unfixed
from done_lint.rules.base import Rule
from done_lint.syntax.shapes import method_called


class StepBeforeReset(Rule):
    """GYM112."""

    code = "GYM112"
    incompatibility = "steps an environment before its first reset"
    stops_alone = True

    def visit_Call(self, node: cst.Call) -> None:
        """Look at every step of an environment that a variable holds."""
        if method_called(node) != "step" or not isinstance(node.func, cst.Attribute):
            return
        receiver = node.func.value
        env = self.facts.envs.get(self.span(receiver))
        if env is None or env.mixed or env.certainty != "proven" or env.api not in (GYM, GYMNASIUM):
            return
        if ORDER_ENFORCING not in env.layers or not isinstance(receiver, cst.Name) or len(env.made) != 1:
            return
        assignment = self._assignment(receiver)
        if assignment is None or not self._is_first(receiver, assignment) or self._is_chosen(node, assignment):
            return
        made = env.made[0]
        here = made.place.path == self.facts.path and made.place.span.within(self.span(assignment))
        if here and made.function.endswith(".make"):
            self.report(
                node,
                f"`{self.source(node)}` comes before the first reset: this raises `ResetNeeded`",
                help=f"call `{receiver.value}.reset()` before",
                outcome=unfixed("the code does not show where the first episode begins"),
                env=env,
            )

    def _assignment(self, name: cst.Name) -> cst.CSTNode | None:
        """The assignment of the variable that comes last before this use of it, in the same scope."""
        here = self.span(name)
        bound = [one for one in self.tree.scopes.bindings(self.tree.scope(name), name.value) if self.span(one) < here]
        last = max(bound, key=self.span, default=None)
        parent = self.tree.parents[last] if last is not None else None
        if isinstance(parent, cst.AssignTarget):
            parent = self.tree.parents[parent]
        return parent if isinstance(parent, (cst.Assign, cst.AnnAssign)) else None

    def _is_first(self, step: cst.Name, assignment: cst.CSTNode) -> bool:
        """Whether a reset comes behind, and nothing between can reset the environment, nor any other function."""
        scope, start, end = self.tree.scope(step), self.span(assignment), self.span(step)
        mentions = self.tree.scopes.mentions(scope, step.value)
        parents = [self.tree.parents[one] for one in mentions if self.span(one) > end]
        resets = any(isinstance(one, cst.Attribute) and one.attr.value == "reset" for one in parents)
        return resets and all(
            self._is_harmless(one)
            for one in mentions
            if one is not step
            and (self.tree.scope(one) is not scope or start < self.span(one) < end)
            and not self.tree.within(one, assignment)
        )

    def _is_harmless(self, mention: cst.Name) -> bool:
        """Only an attribute of the outermost layer is read, which is none that resets or that leads inside."""
        parent = self.tree.parents[mention]
        if not isinstance(parent, cst.Attribute) or parent.value is not mention:
            return False
        return parent.attr.value not in ("reset", "step", "env", "unwrapped")

    def _is_chosen(self, step: cst.Call, assignment: cst.CSTNode) -> bool:
        """Whether the step stands under a condition, or where an error is expected."""
        scope = self.tree.scope(step)
        for one in self.tree.ancestors(step):
            if one is scope or self.tree.within(assignment, one):
                break
            if isinstance(one, (cst.If, cst.IfExp, cst.BooleanOperation, cst.Try, cst.Match, cst.Lambda)):
                return True
        return is_expected_to_fail(self.tree, step)

"""The step in which a vector environment resets is kept as if it were a transition.

## What it does
Reports the call that stores the arrays of a whole step where the vector environment resets in the next step,
and nothing leaves the resetting environments out.

## Why it matters
Since Gymnasium 1.0 a vector environment resets in the step *after* an episode's end. That step ignores the
action and returns the first observation, a reward of zero and both flags false. Stored, it is a transition
that never happened: from the final observation of one episode to the start of the next, for any action.

## Example
```python
import gymnasium as gym


def collect(envs_id, policy, buffer):
    envs = gym.make_vec(envs_id, num_envs=4)
    obs, infos = envs.reset()
    for _ in range(1000):
        action = policy(obs)
        next_obs, reward, terminated, truncated, infos = envs.step(action)
        buffer.add(obs, action, reward, next_obs, terminated)
        obs = next_obs
```

## Use instead
```python
import gymnasium as gym
import numpy as np


def collect(envs_id, policy, buffer):
    envs = gym.make_vec(envs_id, num_envs=4)
    obs, infos = envs.reset()
    resets = np.zeros(4, dtype=bool)
    for _ in range(1000):
        action = policy(obs)
        next_obs, reward, terminated, truncated, infos = envs.step(action)
        kept = ~resets
        buffer.add(obs[kept], action[kept], reward[kept], next_obs[kept], terminated[kept])
        resets = terminated | truncated
        obs = next_obs
```

## Fix safety
No fix: a buffer may expect one row for each environment in every step.

## References
- [Gymnasium: Vector autoreset modes](https://farama.org/Vector-Autoreset-Mode)
"""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.outcome import unfixed
from done_lint.rewrites.stored_transitions import StoredTransition, stored_transitions
from done_lint.rules.base import Rule


class AutoresetRow(Rule):
    """GYM207."""

    code = "GYM207"
    incompatibility = ""

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every stored transition of the file."""
        for stored in stored_transitions(self.context):
            if stored.mode != "NextStep" or not self._kept(stored):
                continue
            self.report(
                stored.call,
                "the step after an episode's end only resets: stored here, it is a transition that never happened",
                help="leave out the environments whose episode ended in the step before",
                outcome=unfixed("the buffer may expect one row for each environment in every step"),
                related=self.elsewhere(stored.call, stored.step.step.origin),
                env=stored.step.step.env,
            )

    def _kept(self, stored: StoredTransition) -> bool:
        """Whether every row is stored, in every round of the loop that steps."""
        if not all(isinstance(value, (cst.Name, cst.Attribute, cst.Dict)) for value in stored.values):
            return False
        loop = self._loop(stored.step.statement)
        block = self.tree.parents[self.tree.parents[self.tree.parents[stored.call]]]
        return loop is not None and self.tree.parents[block] is loop and not self._skips(loop)

    def _loop(self, node: cst.CSTNode) -> cst.For | cst.While | None:
        """The loop whose body holds the step itself."""
        block = self.tree.parents[self.tree.parents[node]]
        loop = self.tree.parents.get(block)
        return loop if isinstance(loop, (cst.For, cst.While)) else None

    def _skips(self, loop: cst.For | cst.While) -> bool:
        """Whether some rounds are cut short."""
        return any(isinstance(one, cst.Continue) for one in self.tree.descend(loop, into_functions=False))

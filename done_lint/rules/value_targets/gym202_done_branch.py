"""A branch around a one-step value target tests a flag that contains truncation.

## What it does
Reports the same mistake as `GYM201` in the form of a branch: `if done: target = reward`,
`reward if done else reward + ...`, `np.where(done, ...)` and `next_q[done] = 0`; also where the target was computed
before the branch, and where `next_state = None if done else obs` is tested later: `state is not None`.

## Why it matters
At a truncation the next state still has a value; a target without it is too small. See `GYM201` for the
size of the error.

## Example
```python
import gymnasium as gym

env = gym.make("FrozenLake-v1")
state, info = env.reset()
next_state, reward, terminated, truncated, info = env.step(0)
done = terminated or truncated
target = reward if done else reward + 0.99 * q[next_state].max()
```

## Use instead
```python
import gymnasium as gym

env = gym.make("FrozenLake-v1")
state, info = env.reset()
next_state, reward, terminated, truncated, info = env.step(0)
target = reward if terminated else reward + 0.99 * q[next_state].max()
```

## Fix safety
Safe where the flag's whole path is visible, `terminated` is in scope and the branch does nothing else, and where a
chosen `None` is read for nothing but the target. Where only the name of the flag is evidence, the fix is unsafe. There
is no fix behind a loop that resets what the target takes the value of: the final observation is lost, and the first one
of the next episode would take its place.

## References
- [Pardo et al.: Time Limits in Reinforcement Learning](https://arxiv.org/abs/1712.00378)
- [Gymnasium: Handling time limits](https://gymnasium.farama.org/tutorials/gymnasium_basics/handling_time_limits/)
"""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.terminated_only import use_terminated
from done_lint.rules.value_targets.base import ValueTargetRule


class DoneBranch(ValueTargetRule):
    """GYM202."""

    code = "GYM202"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every branch that the model found."""
        for sink in self.sinks("branch"):
            text = self.text(sink)
            self.sink(
                sink,
                f"the branch on `{text}` drops the next state's value at truncations too: the agent learns "
                "wrong values",
                by_name=f"the branch on `{text}` drops the next value by a flag that, by its name, "
                "marks truncations too",
                outcome=use_terminated(self.context, sink),
            )

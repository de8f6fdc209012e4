"""A one-step value target is masked by a flag that contains truncation.

## What it does
Reports a mask such as `1 - done` in `reward + gamma * (1 - done) * next_value`, where `done` is
`terminated or truncated`, or the third of four values of an old step.

## Why it matters
At a truncation the episode was cut from outside: the next state still has a value. A target masked there
treats it as worth nothing, and the value function learns wrong values. With a reward of 1 a step,
gamma 0.99 and a limit of 200 steps the learnt value of a task without end is 67 instead of 100.

A mask that is `truncated` itself is reported as well: it keeps the next value in the very steps that were cut, and
drops it everywhere else, so that the value of a state is its reward.

Only targets that a mask cuts are judged. A reward that is changed where the episode ends (`reward = -10 if done`),
and a target that has no mask at all, are choices of the task's author, and are not reported.

## Example
```python
import gymnasium as gym

env = gym.make("FrozenLake-v1")
state, info = env.reset()
next_state, reward, terminated, truncated, info = env.step(0)
done = terminated or truncated
target = reward + 0.99 * (1 - done) * q[next_state].max()
```

## Use instead
```python
import gymnasium as gym

env = gym.make("FrozenLake-v1")
state, info = env.reset()
next_state, reward, terminated, truncated, info = env.step(0)
target = reward + 0.99 * (1 - terminated) * q[next_state].max()
```

## Fix safety
Safe where the flag's whole path is visible and `terminated` is in scope: the target becomes the right one, and
training changes with it. Where only the name of the flag is evidence, the fix is unsafe. So it is (in `GYM202` to
`GYM204` as well) where nobody sees which environment is stepped, and a class of the project that it may be says
`truncated` of what is no limit, such as a lost game. A flag that was stored elsewhere is fixed where it is stored
(`GYM203`).

## References
- [Pardo et al.: Time Limits in Reinforcement Learning](https://arxiv.org/abs/1712.00378)
- [Gymnasium: Handling time limits](https://gymnasium.farama.org/tutorials/gymnasium_basics/handling_time_limits/)
"""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.terminated_only import use_terminated
from done_lint.rules.value_targets.base import ValueTargetRule


class DoneMask(ValueTargetRule):
    """GYM201; GYM202 and GYM203 share its fix."""

    code = "GYM201"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every mask that the model found."""
        for sink in self.sinks("mask"):
            text = self.text(sink)
            if sink.reversed:
                self.reversed(sink, f"`{text}` lets the value target bootstrap at truncations only, where it is 1")
                continue
            self.sink(
                sink,
                f"`{text}` cuts the value target at truncations too: {self.harm(sink)}",
                by_name=f"`{text}`, which by its name marks truncations too, cuts the value target: the agent "
                "learns wrong values",
                outcome=use_terminated(self.context, sink),
            )

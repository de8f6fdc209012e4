"""What a recursion over time carries is cut by *terminated* alone.

## What it does
Reports GAE, returns and V-trace over a rollout of several episodes whose carry is cut where an episode
terminated, and nowhere else. It needs evidence of both: an environment that can truncate, and a loop that
resets it and goes on, or what resets itself: a vector environment, or an environment that loop after loop steps and
that nothing in them resets.

## Why it matters
At a truncation the sum continues into the next episode and adds its advantages, which have nothing to do with the
steps before. This happens where `done` is renamed to `terminated` everywhere. Errors of a rollout with known values
(`benchmarks/value_bias.py`, T `terminated`, D `terminated | truncated`):

| masks | GAE | returns to the end of the episode |
|---|---|---|
| D in the bootstrap, D in the carry | 0.93 | 0.61 |
| T in the bootstrap, T in the carry | 0.46 | 1.18 |
| T in the bootstrap with the final observation's value, D in the carry | 0 | 0 |

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
rewards, values, next_values, terminateds = [], [], [], []
for step in range(128):
    values.append(value(obs))
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    rewards.append(reward)
    next_values.append(value(obs))
    terminateds.append(terminated)
    if terminated or truncated:
        obs, info = env.reset()
advantages = [0.0] * len(rewards)
last = 0.0
for t in reversed(range(len(rewards))):
    delta = rewards[t] + 0.99 * next_values[t] * (1 - terminateds[t]) - values[t]
    last = delta + 0.99 * 0.95 * (1 - terminateds[t]) * last
    advantages[t] = last
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
rewards, values, next_values, terminateds, dones = [], [], [], [], []
for step in range(128):
    values.append(value(obs))
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    rewards.append(reward)
    next_values.append(value(obs))
    terminateds.append(terminated)
    dones.append(terminated or truncated)
    if terminated or truncated:
        obs, info = env.reset()
advantages = [0.0] * len(rewards)
last = 0.0
for t in reversed(range(len(rewards))):
    delta = rewards[t] + 0.99 * next_values[t] * (1 - terminateds[t]) - values[t]
    last = delta + 0.99 * 0.95 * (1 - dones[t]) * last
    advantages[t] = last
```

## Fix safety
No fix: the rollout has to keep a second flag. `values[t + 1]` belongs to the next episode where one ended, so the
value of the final observation has to be kept, too.

## References
- [Pardo et al.: Time Limits in Reinforcement Learning](https://arxiv.org/abs/1712.00378)
- [Schulman et al.: Generalized Advantage Estimation](https://arxiv.org/abs/1506.02438)
"""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.outcome import unfixed
from done_lint.rules.value_targets.base import ValueTargetRule

_HELP = (
    "cut the carry where the episode is over, `terminated | truncated`, and only the bootstrap where it `terminated`"
)
_REASON = "the rollout has to keep a second flag, for every end of an episode"


class LeakingRecursion(ValueTargetRule):
    """GYM206: a report without a fix."""

    code = "GYM206"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every leak that the model found."""
        for sink in self.sinks("leak"):
            message = (
                f"`{self.text(sink)}` cuts the carry of {sink.form} at terminations only: "
                "it runs over truncations into the next episode"
            )
            self.sink(sink, message, outcome=unfixed(_REASON), help=_HELP)

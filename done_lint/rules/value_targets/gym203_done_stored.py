"""A flag that contains truncation is stored, and later cuts a value target.

## What it does
Reports the value `done` in `memory.push(state, action, reward, next_state, done)`, when what is read back
from the memory masks a one-step value target; and in `agent.learn(state, reward, next_state, done)`, where another
file masks the target with it at once.

## Why it matters
The mask looks right where it stands: `1 - dones` is correct if `dones` says where episodes *terminated*.
The error is in what was stored. See `GYM201` for the size of the error.

## Example
```python
from collections import deque

import gymnasium as gym

env = gym.make("CartPole-v1")
memory = deque(maxlen=1000)
obs, info = env.reset()
done = False
while not done:
    next_obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
    memory.append((obs, reward, next_obs, done))
    obs = next_obs

for obs, reward, next_obs, ended in memory:
    target = reward + 0.99 * (1 - ended) * value(next_obs)
```

## Use instead
```python
from collections import deque

import gymnasium as gym

env = gym.make("CartPole-v1")
memory = deque(maxlen=1000)
obs, info = env.reset()
done = False
while not done:
    next_obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
    memory.append((obs, reward, next_obs, terminated))
    obs = next_obs

for obs, reward, next_obs, ended in memory:
    target = reward + 0.99 * (1 - ended) * value(next_obs)
```

## Fix safety
Safe where everything that reads the stored flag is known: a value target, a conversion, or a container, field,
parameter or result whose own readings are known, too. Anything else that reads it (a sum, a test, a message, a file)
makes it unsafe, and the reason says where. Where `terminated` is not in scope, the fix passes it along beside `done`:
through attributes, lists, and what functions take and return (unsafe, where programs outside the project may call
them). When the stored flag also marks where sequences end (n-step returns, episodes, frames of another episode that
are set to zero), there is no fix: two flags are needed. Nor is there one where the program ends episodes by itself
(`if lost: done = True`). Unsafe where the comment on the line names truncation: its author may want the cut; where
what the flag goes into does (`done_or_truncated`): its name would say what is no longer true; where another branch
stores `terminated` alone in the same place; where another place of the program writes truncations into the same field,
and has to go on so; and where a vector environment that resets at once gives its final observations behind an option
alone. A mask or number computed from the flag is computed from `terminated` in the same way.

## References
- [Pardo et al.: Time Limits in Reinforcement Learning](https://arxiv.org/abs/1712.00378)
- [Gymnasium: Handling time limits](https://gymnasium.farama.org/tutorials/gymnasium_basics/handling_time_limits/)
"""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.terminated_only import use_terminated
from done_lint.rules.value_targets.base import ValueTargetRule


class DoneStored(ValueTargetRule):
    """GYM203."""

    code = "GYM203"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every store that the model found."""
        for sink in self.sinks("store"):
            text = self.text(sink)
            stored = "is handed over here and" if sink.at_once else "is stored here and later"
            stored = "is sent here and later" if sink.sent else stored
            if sink.reversed:
                self.reversed(sink, f"`{text}` {stored} lets a value target bootstrap at truncations only")
                continue
            self.sink(
                sink,
                f"`{text}` {stored} cuts a value target at truncations too: {self.harm(sink)}",
                by_name=f"`{text}`, which by its name marks truncations too, is stored here and later cuts "
                "a value target",
                outcome=use_terminated(self.context, sink),
            )

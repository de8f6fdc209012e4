"""A dm_env episode that was truncated is taken, or given, for one that terminated.

## What it does
Reports `timestep.last()` and `timestep.step_type == StepType.LAST` of a dm_env environment where they mask a value
target, or are stored to do so. It needs evidence that the object is a dm_env `TimeStep`: a constructor or a base
class of dm_env, dm_control, Acme or bsuite, or an annotation. In an adapter around an environment of Gym or
Gymnasium, it reports the test of an `if` that ends in `dm_env.termination(...)`, where its flag is true at truncations
too: Gym's `done`, or `terminated or truncated`. A file that also calls `dm_env.truncation`, or gives a `discount`,
tells the two apart. It is silent where a loop resets a task of dm_control and steps it fewer times than its limit, so
that no step is the last.

## Why it matters
In dm_env, `last()` is true where the episode is over, for whatever reason. What Gymnasium calls `terminated` is in
`discount`: it is 0.0 at a termination and 1.0 at a truncation. Most tasks of dm_control never terminate at all, so
every `last()` there is a time limit, and the masked target learns that the task ends. `dm_env.termination` sets that
discount to 0.0, and `dm_env.truncation` to 1.0.

## Example
```python
from dm_control import suite

env = suite.load("cartpole", "swingup")
timestep = env.step(0.0)
target = timestep.reward + 0.99 * (1 - timestep.last()) * value(timestep.observation)
```

## Use instead
```python
from dm_control import suite

env = suite.load("cartpole", "swingup")
timestep = env.step(0.0)
target = timestep.reward + 0.99 * timestep.discount * value(timestep.observation)
```

## Fix safety
No fix: `discount` is 1 where a flag is 0, and everything between the flag and the target has to change with it. What
an adapter returns at a truncation changes what every agent learns from it.

## References
- [dm_env: environment API and semantics](https://github.com/google-deepmind/dm_env/blob/master/docs/index.md)
- [Pardo et al.: Time Limits in Reinforcement Learning](https://arxiv.org/abs/1712.00378)
"""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.outcome import unfixed
from done_lint.rules.value_targets.base import ValueTargetRule

_HELP = "multiply the next value with the time step's `discount`, which is 0 only where the episode terminated"
_REASON = "`discount` is 1 where the flag is 0: the mask has to change with what is stored"
_ENDING_HELP = "return `dm_env.truncation(...)` where the episode was truncated and did not terminate"
_ENDING_REASON = "what every agent learns from this adapter changes"


class LastAsTerminal(ValueTargetRule):
    """GYM208: a report without a fix."""

    code = "GYM208"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every mask from the last step of a dm_env episode, and at what makes such a step."""
        for sink in self.sinks("last"):
            message = (
                f"`{self.text(sink)}` cuts the {sink.form or 'value target'} at the last step of every episode, "
                "truncated ones too: the agent learns wrong values"
            )
            self.sink(sink, message, outcome=unfixed(_REASON), help=_HELP)
        for sink in self.sinks("ending"):
            message = (
                f"`{self.text(sink)}` makes truncated episodes a `dm_env.termination` too, with the discount 0: "
                "agents learn wrong values"
            )
            self.sink(sink, message, outcome=unfixed(_ENDING_REASON), help=_ENDING_HELP)

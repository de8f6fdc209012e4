"""An environment of `make` is stepped or rendered before its first reset.

## What it does
Reports `env.step(...)` and `env.render()` that run before `env.reset()`, where one function, or the code under
`if __name__ == "__main__":`, makes the environment, or is handed it as it was made, and uses it. At the top of a file
or of a notebook code without a reset may be a part of a program: there a reset has to come later, in the same file.

## Why it matters
Old Gym let such calls through, and a class that resets itself in its constructor worked. `make` of Gymnasium puts
`OrderEnforcing` around every environment, which raises `ResetNeeded` at a step or a rendering before the first reset.

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

from done_lint.facts.kinds.environments import Env
from done_lint.rewrites.before_reset import before_reset
from done_lint.rewrites.outcome import unfixed
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword
from done_lint.syntax.shapes import method_called


class StepBeforeReset(Rule):
    """GYM112."""

    code = "GYM112"
    incompatibility = "uses an environment before its first reset"
    stops_alone = True

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every step and rendering of an environment that a variable holds."""
        for call, env in before_reset(self.context).items():
            receiver = self.source(call.func).rpartition(".")[0].rstrip()
            self.report(
                call,
                f"`{self.source(call)}` comes before the first reset: this raises {_error(call, env)}",
                help=f"call `{receiver}.reset()` before",
                outcome=unfixed("the code does not show where the first episode begins"),
                env=env,
            )


def _error(call: cst.Call, env: Env) -> str:
    """What is raised: `ResetNeeded`, unless a wrapper of the program or another argument may raise an error first."""
    arguments = ["" if one.star else keyword(one) or "action" for one in call.args]
    fits = arguments == (["action"] if method_called(call) == "step" else [])
    return "`ResetNeeded`" if fits and not any("." in layer for layer in env.layers) else "an error"

"""One mask cuts a recursion over time, and its bootstrap too.

## What it does
Reports GAE, n-step and Monte-Carlo returns whose only mask is `done`: it ends the sum at the end of an
episode, which is right, and drops the next state's value there, which is wrong at truncations. A method that nothing
calls is left, where the program is seen to use its class.

## Why it matters
The two purposes need two masks. With T for `terminated`, D for `terminated | truncated` and V' for the value of
the observation that the step really led to (at an end: of the final observation, not of the reset one):

    delta[t]     = r[t] + gamma * (1 - T[t]) * V'[t] - V[t]
    advantage[t] = delta[t] + gamma * lambda * (1 - D[t]) * advantage[t + 1]

The carry must be cut at every end, or the next episode leaks in; the bootstrap only where the episode terminated.
Equal to that, with D in both places, is a reward that holds the bootstrap:

    rewards += gamma * V(final_obs) * (truncated & ~terminated)

Writing `terminated` in both places replaces one error by the other. Errors on 400 rows with known values
(`benchmarks/value_bias.py`: gamma and lambda 0.95, the limit after 25 steps, right advantages spread by 0.86):

| recipe | rmse | largest |
|---|---|---|
| T in the delta with V(final), D in the carry | 0 | 0 |
| `r += gamma * V(final)` at truncations, D in both | 0 | 0 |
| D in both | 0.93 | 2.14 |
| T in both, V(reset) | 0.46 | 2.00 |
| T in both, V(final) | 0.42 | 2.17 |
| T in the delta with V(reset), D in the carry | 0.17 | 0.47 |

Returns that begin with zero (Monte-Carlo returns) bootstrap from no value: they end at a truncation as if nothing
followed. Where no value is learnt from them, as in REINFORCE without a baseline, there is nothing better.

For returns that are summed to the end of the episode the plain rename is worse than `done`: 1.18 against 0.61 on
longer episodes with noisier rewards.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
rewards, values, dones = [], [], []
for step in range(128):
    values.append(value(obs))
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
    rewards.append(reward)
    dones.append(done)
    if done:
        obs, info = env.reset()
values.append(value(obs))
advantages = [0.0] * len(rewards)
last = 0.0
for t in reversed(range(len(rewards))):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - dones[t]) - values[t]
    last = delta + 0.99 * 0.95 * (1 - dones[t]) * last
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
    done = terminated or truncated
    rewards.append(reward)
    next_values.append(value(obs))
    terminateds.append(terminated)
    dones.append(done)
    if done:
        obs, info = env.reset()
advantages = [0.0] * len(rewards)
last = 0.0
for t in reversed(range(len(rewards))):
    delta = rewards[t] + 0.99 * next_values[t] * (1 - terminateds[t]) - values[t]
    last = delta + 0.99 * 0.95 * (1 - dones[t]) * last
    advantages[t] = last
```

## Fix safety
Unsafe, and only where the value that the delta adds is stored for every step (`next_values[t]`): then
`terminated` is passed along beside `done`, and gets a mask of its own. Where the delta takes `values[t + 1]`, which
after an end is the value of the next episode, there is no fix: the program has no value of the final observation. A
vector environment returns it from the step that ends the episode (NEXT_STEP) or puts it into `infos["final_obs"]`
(SAME_STEP).

## References
- [Pardo et al.: Time Limits in Reinforcement Learning](https://arxiv.org/abs/1712.00378)
- [Schulman et al.: Generalized Advantage Estimation](https://arxiv.org/abs/1506.02438)
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.flags import MONTE_CARLO, Sink
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.terminated_only import substituted
from done_lint.rewrites.thread_flag.thread import threaded
from done_lint.rules.value_targets.base import ValueTargetRule

_BOOTSTRAPPED = "it also drops the next value at truncations, and the agent learns wrong values"
_SUMMED = "they end at truncations as if nothing followed, and a value that is learnt from them is wrong"
_HELP_FOR_SUMS = (
    "where a value is learnt from them, add that of the final observation at each truncation: "
    "`gamma * V(final_obs) * (truncated & ~terminated)`"
)
_HELP = "use two masks: cut the delta's bootstrap where the episode `terminated`, and the carry where it is `done`"
_NOT_FINAL = "the value that is added at a truncation may be that of an observation after a reset, which is not checked"
_REASON = "the recursion needs `done` for its carry; a plain `terminated` would let the next episode leak in"


def _two_masks(context: Context, sink: Sink) -> Outcome:
    """A second mask for the bootstrap, where the value that it cuts is that of the final observation."""
    mask = context.tree.expressions.get(sink.cut) if sink.cut is not None else None
    way = threaded(context, mask) if mask is not None else None
    if mask is None or way is None:
        return unfixed(_REASON)
    edits = substituted(context, mask, way.flag)
    return fixed("cut the bootstrap by `terminated`, with a mask of its own", edits, way.edits, unsure=_NOT_FINAL)


class DoneRecursion(ValueTargetRule):
    """GYM204."""

    code = "GYM204"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every recursion that the model found."""
        for sink in self.sinks("recursion"):
            text, form = self.text(sink), sink.form or "the recursion"
            wrong = _SUMMED if form == MONTE_CARLO else _BOOTSTRAPPED
            self.sink(
                sink,
                f"`{text}` is the only mask of {form}: {wrong}",
                by_name=f"`{text}`, which by its name marks truncations too, is the only mask of {form}",
                outcome=_two_masks(self.context, sink),
                help=_HELP_FOR_SUMS if form == MONTE_CARLO else _HELP,
            )

"""Rollouts of several episodes, their advantages by a loop, and by themselves episode by episode."""

from __future__ import annotations

from typing import Any

import pytest
from recorded_batch import GAMMA

np = pytest.importorskip("numpy")

LAMBDA = 0.8

GAE = """
advantages = np.zeros(len(rewards))
last = 0.0
for t in reversed(range(len(rewards))):
    delta = rewards[t] + gamma * {next_value} * (1 - {bootstrap}[t]) - values[t]
    last = delta + gamma * lam * (1 - {carry}[t]) * last
    advantages[t] = last
"""


class Rollout:
    """Rows of several episodes, with the value of every state and of the state behind it."""

    def __init__(self, rewards: Any, values: Any, next_values: Any, terminated: Any, truncated: Any) -> None:
        self.rewards, self.values, self.next_values = map(np.array, (rewards, values, next_values))
        self.terminated, self.truncated = np.array(terminated), np.array(truncated)
        self.done = self.terminated | self.truncated
        #: What stands in the rollout behind row t: the first state of the next episode, where t ends one.
        self.shifted = np.append(self.values[1:], self.next_values[-1])

    def advantages(self, bootstrap: str, carry: str, *, final: bool) -> Any:
        """GAE by the loop, with the masks of these names; `final`: with the value of the final observation."""
        names = {**vars(self), "np": np, "gamma": GAMMA, "lam": LAMBDA}
        shape = "next_values[t]" if final else "shifted[t]"
        exec(GAE.format(next_value=shape, bootstrap=bootstrap, carry=carry), names)
        return names["advantages"]

    def reference(self) -> Any:
        """GAE of every episode by itself, as the sum of its discounted deltas."""
        found = np.zeros(len(self.rewards))
        begin = 0
        for end in range(len(self.rewards)):
            if self.done[end] or end == len(self.rewards) - 1:
                for t in range(begin, end + 1):
                    for k in range(t, end + 1):
                        delta = self.rewards[k] - self.values[k]
                        if not self.terminated[k]:
                            delta += GAMMA * self.next_values[k]
                        found[t] += (GAMMA * LAMBDA) ** (k - t) * delta
                begin = end + 1
        return found


#: Six rows, cut by the limit behind the third: values that rise by one, and the next episode begins low.
TOY = Rollout(
    rewards=[1.0] * 6,
    values=[5.0, 6.0, 7.0, 2.0, 3.0, 4.0],
    next_values=[6.0, 7.0, 8.0, 3.0, 4.0, 5.0],
    terminated=[False] * 6,
    truncated=[False, False, True, False, False, False],
)


def long_rollout() -> Rollout:
    """Four hundred rows, twenty-five an episode; every third episode terminates."""
    chance = np.random.default_rng(4)
    steps = np.arange(400)
    last = steps % 25 == 24
    terminated = last & (steps // 25 % 3 == 0)
    return Rollout(
        chance.normal(size=400), chance.normal(size=400), chance.normal(size=400), terminated, last & ~terminated
    )

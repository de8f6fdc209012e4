"""Replay buffers of libraries that give back the flag they were given (data).

Stable-Baselines3 2.9.2 `common/buffers.py`: `sample` returns `dones * (1 - timeouts)`. The timeouts are read from the
infos of the steps, unless `handle_timeout_termination=False` leaves them all at zero: then what was stored comes back.
"""

from __future__ import annotations

from typing import NamedTuple


class Replay(NamedTuple):
    """A replay buffer, if the argument that separates truncation is False."""

    #: That argument, and its place.
    separates: str
    place: int
    #: What `add` takes, in order, and what the fields of a sample are called that have it.
    takes: dict[str, str]


#: The method that takes a transition.
ADDING = "add"
_ADDED = {
    "obs": "observations",
    "next_obs": "next_observations",
    "action": "actions",
    "reward": "rewards",
    "done": "dones",
}
REPLAYS = dict.fromkeys(
    ("stable_baselines3.common.buffers.ReplayBuffer", "stable_baselines3.common.buffers.DictReplayBuffer"),
    Replay("handle_timeout_termination", 6, _ADDED),
)
#: The method of a rollout that takes the values behind its last row, and the flags by which it cuts them.
#: Stable-Baselines3 2.9.2 `common/buffers.py` (`RolloutBuffer`): `next_non_terminal = 1.0 - dones`.
TAKING_LAST_VALUES = "compute_returns_and_advantage"

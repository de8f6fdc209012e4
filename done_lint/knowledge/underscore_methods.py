"""Methods that environments defined before Gym 0.9.6, where the public ones of the library called them (data)."""

from __future__ import annotations

#: What runs an episode: a class that has one of these in the old form is of that time. The others only go with them,
#: for alone they may be helpers.
RUNNING = ("_step", "_reset")
OTHERS = ("_seed", "_render", "_close")
#: What a wrapper of one kind has to define: without the public method it cannot step.
TRANSFORMING = {"_action": "ActionWrapper", "_observation": "ObservationWrapper", "_reward": "RewardWrapper"}
#: Goes with `_action`.
REVERSE = "_reverse_action"
NAMES = frozenset({*RUNNING, *OTHERS, *TRANSFORMING, REVERSE})

"""After how many steps the tasks of dm_control end (data)."""

from __future__ import annotations

#: What makes a task, and the arguments that leave its limit as it is, by their names and places. dm_control 1.0.44
#: `suite.load`.
LOADING = "dm_control.suite.load"
ARGUMENTS: tuple[str, ...] = ("domain_name", "task_name")
#: The domains that end after so many steps, and never before. The same, `suite`: the limit of the time by that of a
#: step, which is 10 by 0.01 or 25 by 0.025; only `lqr` has a `get_termination`, and no limit.
STEPS = 1000
DOMAINS: frozenset[str] = frozenset(
    {
        *("acrobot", "ball_in_cup", "cartpole", "cheetah", "dog", "finger", "fish", "hopper", "humanoid"),
        *("humanoid_CMU", "manipulator", "pendulum", "point_mass", "quadruped", "reacher", "stacker", "swimmer"),
        "walker",
    }
)

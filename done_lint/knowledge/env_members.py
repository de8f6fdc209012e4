"""What can be called on an environment of Gym's (data)."""

from __future__ import annotations

#: Methods of Gym's environments and wrappers; another one is of somebody's own class.
METHODS: frozenset[str] = frozenset(
    {
        # gym 0.26 and before: core.py, Env and Wrapper
        "class_name",
        "close",
        "render",
        "reset",
        "seed",
        "step",
        # gym 0.26: core.py, ObservationWrapper, RewardWrapper, ActionWrapper
        "action",
        "observation",
        "reverse_action",
        "reward",
        # gym 0.21: core.py, GoalEnv
        "compute_reward",
        # gymnasium 1.4: core.py, Env
        "get_wrapper_attr",
        "has_wrapper_attr",
        "set_wrapper_attr",
        # gym 0.26: envs/atari and wrappers/atari_preprocessing.py
        "get_action_meanings",
        "get_keys_to_action",
    }
)

#: Attributes that are spaces of an environment or of a vector of them. gymnasium 1.4: core.py, vector/vector_env.py
SPACES = frozenset({"action_space", "observation_space", "single_action_space", "single_observation_space"})

#: What only an environment of several agents has, which take turns or act together. pettingzoo 1.27: utils/env.py
OF_AGENTS = frozenset({"agent_iter", "agent_selection", "last", "possible_agents"})

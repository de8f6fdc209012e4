"""Packages that are made for Gym, by what they require (data): their environments, and what learns in them."""

from __future__ import annotations

from done_lint.knowledge.env_api_rows import CONSTRUCTORS
from done_lint.knowledge.env_apis import ENVPOOL_FOR_GYM, GYM

#: Packages without a row that register environments with Gym, or make them for it, by what they require: allenact
#: `gym==0.17.*`, BabyAI 0.0.2 `gym>=0.9.6`, gfootball 2.10.2 `gym>=0.11.0` (its `FootballEnv.step` returns four
#: values), gym-microrts 0.4.3 `gym>=0.18.3,<0.19.0`, gym-sokoban 0.0.6 `gym>=0.2.3` (`SokobanEnv.step` too),
#: habitat-lab `gym>=0.22.0,<0.23.1`, iGibson 2.0.0 `gym>=0.12`, rllab `gym@v0.7.4`, safety-gym `gym~=0.21.0`,
#: slimevolleygym 0.1.0 `gym>=0.9.4`; atari-py 0.2.9, which Gym's own Atari environments imported (Gym 0.19); and
#: openai/multiagent-particle-envs 0.0.1 `gym`, whose `MultiAgentEnv` is a `gym.Env` (a row says what it answers).
_NEED_GYM = frozenset(
    """allenact atari_py babyai gfootball gym_microrts gym_sokoban habitat habitat_baselines igibson multiagent rllab
    safety_gym slimevolleygym""".split()
)

#: Libraries that learn in Gym's environments alone, whatever of them is imported, those that Gymnasium has too among
#: them: garage 2021.3.0 `gym==0.17.2`, and stable-baselines 2.10.2 `gym>=0.11` (`common.vec_env` takes four values).
_LEARN_WHOLLY = frozenset({"garage", "stable_baselines"})
#: These, and what `FOR_GYM_IN` has a module of that does so.
LEARN_IN_GYM: frozenset[str] = _LEARN_WHOLLY | {"ray"}

#: Packages (first names) whose environments are made for Gym.
MADE_FOR_GYM: frozenset[str] = (_NEED_GYM | _LEARN_WHOLLY) | (
    frozenset(
        package.partition(".")[0]
        for row in CONSTRUCTORS
        if row.api == GYM or (row.api is not None and row.api.old_gym and row.api != ENVPOOL_FOR_GYM)
        for package in row.packages
    )
    - {"gym", "rl_games"}  # rl-games is on Gymnasium since 1.6.2
)

#: Packages of which one module alone is for Gym: ML-Agents' own API is another one (mlagents-envs 0.30 and 1.0), and
#: `GymWrapper` of brax 0.14 is a `gym.Env` with four values. What RLlib's agents were is called algorithms since 2.0,
#: and takes Gymnasium's environments since 2.3: beside Gym, agents are those of before.
FOR_GYM_IN: dict[str, str] = {
    "brax": "brax.envs.wrappers.gym",
    "mlagents_envs": "mlagents_envs.envs.unity_gym_env",
    "ray": "ray.rllib.agents",
}

#: Libraries (first names) that step and reset Gym's environments themselves, as Gym before 0.26 does, by what they
#: require: openai/baselines 0.1.6 `gym>=0.15.4,<0.16.0`, chainerrl 0.8 `gym>=0.9.7`, keras-rl 0.4.2 (`rl.core` takes
#: four values), pfrl 0.4 `gym>=0.9.7`, rl-coach 1.0.1 `gym==0.12.5`, spinup 0.2 `gym~=0.15.3`, dm-acme 0.4
#: `gym==0.25.0` (`acme.wrappers.GymWrapper` takes four values), tf-agents 0.19 (`environments.gym_wrapper` takes four).
RUN_BY_GYM: frozenset[str] = frozenset(
    {"acme", "baselines", "chainerrl", "pfrl", "rl", "rl_coach", "spinup", "tf_agents"}
)

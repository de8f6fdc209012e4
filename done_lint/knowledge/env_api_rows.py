"""Which constructors, base classes, wrappers and methods speak which API (data).

Everything here is a table, which `env_api_lookup.py` reads. A row says which import roots it holds for (`packages`),
which names under them (`names`), what they speak, and where that was read.

A dotted path such as `stable_baselines3.common.vec_env.DummyVecEnv` matches a row when one of the packages is
its beginning and one of the names its end, so that submodules and re-exports need no rows of their own.
`*` in a name matches as in a shell. The longest package wins, then a name without `*`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from done_lint.knowledge.env_apis import (
    BASELINES_VEC_ENV,
    BRAX,
    BRAX_GYM,
    BRAX_GYM_VECTOR,
    BY_ARGUMENT,
    CRAFTER,
    DM_ENV,
    DM_TO_GYM,
    ENVPOOL,
    ENVPOOL_FOR_GYM,
    GYM,
    GYM3,
    GYM_RETRO,
    GYM_VECTOR,
    GYMNASIUM,
    GYMNASIUM_VECTOR,
    GYMNAX,
    ISAAC_GYM,
    ISAAC_LAB,
    ISAAC_WRAPPER,
    JAXMARL,
    JUMANJI,
    JUMANJI_GYM,
    LEGGED_GYM,
    METAWORLD,
    METAWORLD_2,
    MINERL,
    MPE,
    NES_PY,
    OLD_GYM,
    OLD_VECTOR,
    PETTINGZOO_AEC,
    PETTINGZOO_PARALLEL,
    PROCGEN,
    PROCGEN_VECTOR,
    PYBULLET,
    RLLIB_MULTI_AGENT,
    RLLIB_OTHER,
    ROBOSUITE,
    RSL_RL,
    SAFETY,
    SAFETY_VECTOR,
    SB3_VEC_ENV,
    SHIMMY,
    SMAC,
    TEXT_GAME,
    TEXT_STATES,
    TF_AGENTS,
    TIANSHOU,
    TORCHRL,
    UNITY,
    UNITY_GYM,
    VMAS,
    Api,
)


@dataclass(frozen=True, slots=True)
class Row:
    """Names under packages, and the API that they speak (None: that of the environment they wrap)."""

    packages: tuple[str, ...]
    names: tuple[str, ...]
    api: Api | None
    source: str
    #: Made without `make`: there is no time limit, so `truncated` is never set.
    unlimited: bool = False


#: Package of rows for names so distinctive that any module may hold them (vendored copies).
ANYWHERE = "*"

_BASELINES = ("baselines", "a2c_ppo_acktr")
_SB3_ALGORITHMS = (
    *("A2C", "DDPG", "DQN", "PPO", "SAC", "TD3"),
    *("ARS", "CrossQ", "MaskablePPO", "QRDQN", "RecurrentPPO", "TQC", "TRPO"),
)
_SB3 = ("stable_baselines3", "sb3_contrib", "rl_zoo3", "stable_baselines", "imitation", "huggingface_sb3")
_LAB = ("isaaclab", "isaaclab_rl", "isaaclab_tasks", "omni.isaac.lab", "omni.isaac.lab_tasks", "omni.isaac.orbit")
_ISAAC_GYM = ("isaacgymenvs", "isaacgym", "omniisaacgymenvs", "omni.isaac.gym", "bidexhands", "phc")
_LEGGED = ("legged_gym", "humanoid.envs", "humanoid.utils", "go1_gym")
_NES = ("nes_py", "gym_super_mario_bros", "gym_tetris", "gym_zelda_1")
_BULLET = ("pybullet_envs", "pybulletgym", "pybullet_envs_gymnasium_v21")

#: The environments of Gym and Gymnasium whose names do not end as those of the others do. Gymnasium's classes
#: `BipedalWalkerHardcore` and `LunarLanderContinuous` only raise. Gym 0.26 and Gymnasium 1.4 envs.box2d.
_BOX2D = ("BipedalWalker", "CarRacing", "LunarLander")

# --- Constructors -----------------------------------------------------------------------------------------------

#: Calls whose result is an environment: classes and factory functions.
CONSTRUCTORS: tuple[Row, ...] = (
    # Gymnasium and what is built on it.
    Row(("gymnasium",), ("make",), GYMNASIUM, "Gymnasium 1.4 gymnasium.make"),
    Row(("gymnasium",), ("make_vec", "vector.make"), GYMNASIUM_VECTOR, "Gymnasium 1.4 make_vec, 0.29 vector.make"),
    Row(("gymnasium",), ("SyncVectorEnv", "AsyncVectorEnv", "*VectorEnv"), GYMNASIUM_VECTOR, "Gymnasium 1.4 vector"),
    Row(("mo_gymnasium",), ("MOSyncVectorEnv",), GYMNASIUM_VECTOR, "mo-gymnasium 1.3.2 wrappers.vector"),
    Row(("gymnasium.envs",), ("*Env",), GYMNASIUM, "Gymnasium 1.4 envs", unlimited=True),
    Row(("gymnasium.envs.box2d",), _BOX2D, GYMNASIUM, "Gymnasium 1.4 envs.box2d", unlimited=True),
    Row(("gymnasium.wrappers",), ("EnvCompatibility",), GYMNASIUM, "Gymnasium 0.29 EnvCompatibility"),
    Row(("gymnasium.wrappers",), ("StepAPICompatibility",), BY_ARGUMENT, "Gymnasium 0.29 StepAPICompatibility"),
    Row(("minigrid", "highway_env", "panda_gym"), ("*Env",), GYMNASIUM, "minigrid 3.2", unlimited=True),
    Row(("ale_py",), ("AtariVectorEnv",), GYMNASIUM_VECTOR, "ale-py 0.12.1 vector_env"),
    Row(("gymnasium_robotics", "ale_py"), ("*Env",), GYMNASIUM, "gymnasium-robotics, ale-py 0.12.1", unlimited=True),
    Row(("stable_retro",), ("make", "RetroEnv"), GYMNASIUM, "stable-retro RetroEnv.step"),
    Row(("metaworld",), ("*Env", "*EnvV2", "*EnvV3", "make_mt_envs", "make_ml_envs"), METAWORLD, "metaworld 3.1.1"),
    Row(("metaworld",), ("ALL_V2_ENVIRONMENTS*",), METAWORLD_2, "metaworld before 3.0, env_dict: tables of classes"),
    Row(("metaworld",), ("ALL_V3_ENVIRONMENTS*",), METAWORLD, "metaworld 3.1.1 env_dict: tables of classes"),
    Row(("safety_gymnasium",), ("make", "Builder", "Gymnasium2SafetyGymnasium"), SAFETY, "safety-gymnasium 1.0.0"),
    Row(("safety_gymnasium",), ("with_gymnasium_wrappers",), SAFETY, "safety-gymnasium 1.0.0 wrappers"),
    Row(("safety_gymnasium",), ("vector.make", "Safety*VectorEnv"), SAFETY_VECTOR, "safety-gymnasium 1.0.0 vector"),
    Row(("safety_gymnasium",), ("SafetyGymnasium2Gymnasium", "gymnasium_make"), GYMNASIUM, "safety-gymnasium 1.0.0"),
    Row(("shimmy",), ("*CompatibilityV0", "AtariEnv"), SHIMMY, "Shimmy 2.0.1"),
    Row(("shimmy",), ("OpenSpielCompatibilityV0", "BSuite*"), BY_ARGUMENT, "Shimmy 2.0.1: several APIs"),
    Row(("shimmy",), ("MeltingPotCompatibilityV0", "DmControlMultiAgent*"), PETTINGZOO_PARALLEL, "Shimmy 2.0.1"),
    # Gym.
    Row(("gym",), ("make",), GYM, "Gym 0.26 gym.make"),
    Row(("gym",), ("vector.make", "make_vec"), GYM_VECTOR, "Gym 0.26 gym.vector.make"),
    Row(("gym",), ("SyncVectorEnv", "AsyncVectorEnv", "*VectorEnv"), GYM_VECTOR, "Gym 0.26 gym.vector"),
    Row(("gym.envs",), ("*Env",), GYM, "Gym 0.26 envs", unlimited=True),
    Row(("gym.envs.box2d",), _BOX2D, GYM, "Gym 0.26 envs.box2d", unlimited=True),
    Row(("gym.wrappers",), ("EnvCompatibility",), GYM, "Gym 0.26 EnvCompatibility"),
    Row(("gym.wrappers",), ("StepAPICompatibility",), BY_ARGUMENT, "Gym 0.26 StepAPICompatibility"),
    Row(("gym_minigrid", "d4rl"), ("*Env",), GYM, "gym-minigrid 1.0", unlimited=True),
    Row(("baselines",), ("make_atari", "make_mujoco_env", "make_robotics_env"), GYM, "openai/baselines cmd_util"),
    # Stable-Baselines3 and its relatives.
    Row(("stable_baselines3.common.envs",), ("*",), GYMNASIUM, "stable-baselines3 2.9.2 common.envs", unlimited=True),
    Row(
        _SB3,
        ("DummyVecEnv", "SubprocVecEnv", "Vec*", "Vec*.load", "StackedObservations", "make_vec_env", "make_atari_env"),
        SB3_VEC_ENV,
        "stable-baselines3 2.9.2 common.vec_env, env_util",
    ),
    Row(("rl_zoo3", "utils"), ("create_test_env",), SB3_VEC_ENV, "rl-zoo3 utils.create_test_env"),
    Row(_BASELINES, ("*VecEnv", "Vec*", "make_vec_env", "make_vec_envs"), BASELINES_VEC_ENV, "openai/baselines"),
    Row(
        (ANYWHERE,),
        ("DummyVecEnv", "SubprocVecEnv", "ShmemVecEnv", "VecNormalize", "VecFrameStack", "VecMonitor", "VecPyTorch"),
        BASELINES_VEC_ENV,
        "vendored copies of openai/baselines common.vec_env",
    ),
    Row((ANYWHERE,), ("make_vec_envs",), BASELINES_VEC_ENV, "ikostrikov/pytorch-a2c-ppo-acktr-gail envs.py"),
    # SuperSuit, PettingZoo, multi-agent.
    Row(("supersuit",), ("gym_vec_env_v0",), GYMNASIUM_VECTOR, "SuperSuit 3.11"),
    Row(("supersuit",), ("stable_baselines3_vec_env_v0", "stable_baselines_vec_env_v0"), SB3_VEC_ENV, "SuperSuit 3.11"),
    Row(("supersuit",), ("concat_vec_envs_v*", "pettingzoo_env_to_vec_env_v*"), BY_ARGUMENT, "SuperSuit 3.11"),
    Row(("pettingzoo", "mpe2", "magent2"), ("env", "raw_env", "*_to_aec", "AECEnv"), PETTINGZOO_AEC, "pettingzoo 1.27"),
    Row(("pettingzoo", "mpe2", "magent2"), ("parallel_env", "*_to_parallel"), PETTINGZOO_PARALLEL, "pettingzoo 1.27"),
    Row(("smac", "smacv2", "smacv3"), ("StarCraft2Env", "*Wrapper*"), SMAC, "smac StarCraft2Env"),
    Row(("multiagent",), ("MultiAgentEnv", "BatchMultiAgentEnv", "make_env"), MPE, "openai/multiagent-particle-envs"),
    Row(("vmas",), ("make_env",), VMAS, "vmas make_env"),
    # dm_env and its relatives.
    Row(("dm_control",), ("suite.load", "load", "*Environment", "build_environment"), DM_ENV, "dm_control"),
    Row(("acme.wrappers",), ("*Wrapper", "wrap_all"), DM_ENV, "dm-acme wrappers"),
    Row(("bsuite",), ("load", "load_from_id", "load_and_record*", "DMEnvFromGym"), DM_ENV, "bsuite"),
    Row(("meltingpot",), ("build", "build_from_config"), DM_ENV, "meltingpot substrate.build"),
    Row(("dm_env", "dm_env_wrappers", "dm_robotics"), ("*Environment", "*Wrapper"), DM_ENV, "dm_env"),
    Row(("bsuite",), ("GymFromDMEnv",), DM_TO_GYM, "bsuite utils.gym_wrapper"),
    Row(("dmc2gym", "dm_control2gym"), ("make", "DMCWrapper"), DM_TO_GYM, "dmc2gym wrappers.DMCWrapper.step"),
    Row(
        ("tf_agents",),
        ("load", "load_single_env", "wrap_env", "*Environment", "*Wrapper"),
        TF_AGENTS,
        "tf_agents environments",
    ),
    # Functional.
    Row(("gymnax",), ("make",), GYMNAX, "gymnax.make returns (env, params)"),
    Row(("gymnax.wrappers", "purejaxrl"), ("LogWrapper", "FlattenObservationWrapper"), GYMNAX, "gymnax"),
    Row(("jaxmarl",), ("make", "*Env", "*Wrapper"), JAXMARL, "JaxMARL jaxmarl.make"),
    Row(("jumanji",), ("make", "AutoResetWrapper", "VmapWrapper"), JUMANJI, "jumanji.make"),
    Row(("jumanji",), ("JumanjiToGymWrapper",), JUMANJI_GYM, "jumanji wrappers"),
    Row(("brax",), ("get_environment", "create", "create_fn", "*Env", "*Wrapper"), BRAX, "brax envs"),
    Row(("brax",), ("create_gym_env", "GymWrapper"), BRAX_GYM, "brax envs.wrappers.gym"),
    Row(("brax",), ("VectorGymWrapper",), BRAX_GYM_VECTOR, "brax envs.wrappers.gym"),
    # Isaac.
    Row(_ISAAC_GYM, ("make", "VecTask", "VecTaskPython", "VecEnvRLGames", "*Task"), ISAAC_GYM, "IsaacGymEnvs VecTask"),
    Row(("rl_games",), ("create_vec_env", "*VecEnv", "RayVecEnv"), ISAAC_GYM, "rl_games common.vecenv"),
    Row(_LEGGED, ("make_env", "LeggedRobot"), LEGGED_GYM, "task_registry.make_env returns (env, cfg)"),
    Row(("rsl_rl",), ("VecEnv",), RSL_RL, "rsl_rl env.VecEnv"),
    Row(_LAB, ("*RLEnv", "*MARLEnv", "RLTaskEnv"), ISAAC_LAB, "IsaacLab envs"),
    Row(_LAB, ("*VecEnvWrapper",), ISAAC_WRAPPER, "IsaacLab isaaclab_rl wrappers"),
    # Vector pools and tensor environments.
    Row(("envpool",), ("make", "make_spec"), BY_ARGUMENT, "envpool make(env_type=...)"),
    Row(("envpool",), ("make_gym",), ENVPOOL_FOR_GYM, "envpool make_gym"),
    Row(("envpool",), ("make_gymnasium",), ENVPOOL, "envpool make_gymnasium"),
    Row(("envpool",), ("make_dm",), DM_ENV, "envpool make_dm"),
    Row(("tianshou",), ("*VectorEnv", "VectorEnv*", "RayVectorEnv"), TIANSHOU, "tianshou 2.0.1 env.venvs"),
    Row(("torchrl",), ("*Env", "*Wrapper", "TransformedEnv", "EnvBase"), TORCHRL, "torchrl envs"),
    # Old Gym inside, four values today.
    Row(("procgen",), ("ProcgenEnv",), PROCGEN_VECTOR, "procgen 0.10"),
    Row(("procgen",), ("ProcgenGym3Env",), GYM3, "procgen 0.10"),
    Row(("gym3",), ("ToGymEnv",), PROCGEN, "gym3 interop"),
    Row(("gym3",), ("ToBaselinesVecEnv",), PROCGEN_VECTOR, "gym3 interop"),
    Row(("gym3",), ("vectorize_gym", "FromGymEnv", "*Env", "*Wrapper"), GYM3, "gym3"),
    Row(_NES, ("make", "SuperMarioBrosEnv", "NESEnv", "TetrisEnv", "ZeldaEnv"), NES_PY, "nes_py 8.2.1"),
    Row(("retro",), ("make", "RetroEnv"), GYM_RETRO, "gym-retro retro.make"),
    Row(_BULLET, ("make", "*Env"), PYBULLET, "pybullet_envs"),
    Row(("mlagents_envs", "gym_unity", "mlagents"), ("UnityToGymWrapper", "UnityEnv"), UNITY_GYM, "gym_unity"),
    Row(("mlagents_envs", "mlagents", "unityagents"), ("UnityEnvironment",), UNITY, "mlagents_envs, unityagents"),
    Row(("minerl", "minedojo"), ("make", "*Env", "HumanSurvival"), MINERL, "minerl, minedojo.make"),
    Row(("robosuite", "robomimic"), ("make", "GymWrapper", "*Wrapper", "create_env*"), ROBOSUITE, "robosuite.make"),
    Row(("crafter",), ("Env", "Recorder"), CRAFTER, "crafter.Env"),
    Row(("jericho",), ("FrotzEnv",), TEXT_GAME, "jericho FrotzEnv"),
    Row(("textworld",), ("start",), TEXT_STATES, "TextWorld: below its gym"),
    Row(("textworld", "alfworld"), ("make", "*Env", "get_environment"), TEXT_GAME, "TextWorld, ALFWorld"),
)


class Choice(NamedTuple):
    """An argument that chooses the API of what a constructor makes."""

    name: str
    #: Where it stands among the arguments.
    place: int
    apis: dict[str, Api]


#: Of constructors whose API an argument chooses: which one. EnvPool 1.0 `registration.py`, SuperSuit 3.11
#: `vector/vector_constructors.py`.
CHOSEN: dict[str, Choice] = {
    "envpool.make": Choice("env_type", 1, {"gym": ENVPOOL_FOR_GYM, "gymnasium": ENVPOOL, "dm": DM_ENV}),
    **{
        f"supersuit.{name}": Choice("base_class", 3, {"gym": OLD_VECTOR, "stable_baselines3": SB3_VEC_ENV})
        for name in ("concat_vec_envs_v0", "concat_vec_envs_v1")
    },
}

# --- Base classes -----------------------------------------------------------------------------------------------

_SINGLE = ("Env", "GoalEnv", "Wrapper", "ObservationWrapper", "RewardWrapper", "ActionWrapper")
_VECTOR = ("VectorEnv", "VectorEnvWrapper", "VectorWrapper", "Vector*Wrapper")

#: Base classes of user classes, and annotations: an instance speaks the API.
BASES: tuple[Row, ...] = (
    Row(("gymnasium",), _SINGLE, GYMNASIUM, "Gymnasium 1.4 core"),
    Row(("gymnasium",), _VECTOR, GYMNASIUM_VECTOR, "Gymnasium 1.4 vector"),
    Row(("gymnasium.wrappers",), ("*",), GYMNASIUM, "Gymnasium 1.4 wrappers"),
    Row(("gymnasium.wrappers.vector",), ("*",), GYMNASIUM_VECTOR, "Gymnasium 1.4 wrappers.vector"),
    Row(("gym",), _SINGLE, GYM, "Gym 0.26 core"),
    Row(("gym",), _VECTOR, GYM_VECTOR, "Gym 0.26 vector"),
    Row(("gym.wrappers",), ("*",), GYM, "Gym 0.26 wrappers"),
    Row(("minigrid.wrappers", "highway_env"), ("*",), GYMNASIUM, "minigrid 3.2, highway-env 1.12"),
    Row(("gym_minigrid.wrappers",), ("*",), GYM, "gym-minigrid 1.0"),
    Row(("panda_gym",), ("RobotTaskEnv",), GYMNASIUM, "panda-gym 3.0.7"),
    Row(("metaworld",), ("SawyerXYZEnv", "MujocoEnv"), METAWORLD, "metaworld 3.1.1"),
    Row(("stable_baselines3", "sb3_contrib"), ("Monitor",), GYMNASIUM, "stable-baselines3 2.9.2 Monitor"),
    Row(("stable_baselines3.common.atari_wrappers",), ("*",), GYMNASIUM, "stable-baselines3 2.9.2"),
    Row(_SB3, ("VecEnv", "VecEnvWrapper"), SB3_VEC_ENV, "stable-baselines3 2.9.2 common.vec_env"),
    Row(_BASELINES, ("VecEnv", "VecEnvWrapper", "VecEnvObservationWrapper"), BASELINES_VEC_ENV, "openai/baselines"),
    Row((ANYWHERE,), ("VecEnv", "VecEnvWrapper"), BASELINES_VEC_ENV, "vendored copies of openai/baselines"),
    Row(("pettingzoo", "mpe2"), ("AECEnv",), PETTINGZOO_AEC, "pettingzoo 1.27"),
    Row(("pettingzoo", "mpe2"), ("ParallelEnv",), PETTINGZOO_PARALLEL, "pettingzoo 1.27"),
    Row(("pettingzoo",), ("BaseWrapper", "OrderEnforcingWrapper"), PETTINGZOO_AEC, "pettingzoo 1.27 utils.wrappers"),
    Row(("pettingzoo",), ("BaseParallelWrapper",), PETTINGZOO_PARALLEL, "pettingzoo 1.27 utils.wrappers"),
    Row(("dm_env", "acme"), ("Environment", "EnvironmentWrapper"), DM_ENV, "dm_env, dm-acme wrappers"),
    Row(("tf_agents",), ("PyEnvironment", "TFEnvironment", "*Wrapper"), TF_AGENTS, "tf_agents environments"),
    Row(("ray",), ("MultiAgentEnv",), RLLIB_MULTI_AGENT, "ray 2 rllib.env.multi_agent_env"),
    Row(("ray",), ("VectorEnv", "BaseEnv", "ExternalEnv", "ExternalMultiAgentEnv"), RLLIB_OTHER, "ray 2 rllib.env"),
    Row(("gymnax",), ("Environment", "GymnaxWrapper"), GYMNAX, "gymnax environments.environment"),
    Row(("jaxmarl",), ("MultiAgentEnv", "JaxMARLWrapper"), JAXMARL, "JaxMARL environments"),
    Row(("jumanji",), ("Environment", "Wrapper"), JUMANJI, "jumanji env"),
    Row(("brax",), ("Env", "PipelineEnv", "Wrapper"), BRAX, "brax envs.base"),
    Row(("mujoco_playground",), ("MjxEnv", "Wrapper"), BRAX, "mujoco_playground: brax-like State"),
    Row(_ISAAC_GYM, ("VecTask", "BaseTask", "VecEnvBase", "RLTask", "Env"), ISAAC_GYM, "IsaacGymEnvs VecTask"),
    Row(("rl_games",), ("IVecEnv",), ISAAC_GYM, "rl_games common.ivecenv"),
    Row(_LEGGED, ("BaseTask", "LeggedRobot"), LEGGED_GYM, "legged_gym envs.base"),
    Row(("rsl_rl",), ("VecEnv",), RSL_RL, "rsl_rl env.vec_env"),
    Row(_LAB, ("ManagerBasedEnv", "*RLEnv", "*MARLEnv"), ISAAC_LAB, "IsaacLab envs"),
    Row(("tianshou",), ("BaseVectorEnv", "VectorEnvWrapper"), TIANSHOU, "tianshou 2.0.1 env.venvs"),
    Row(("torchrl",), ("EnvBase", "Transform", "_EnvWrapper"), TORCHRL, "torchrl envs.common"),
    Row(("gym3",), ("Env", "Wrapper"), GYM3, "gym3"),
    Row(("smac", "smacv2"), ("MultiAgentEnv",), SMAC, "smac env.multiagentenv"),
    Row(("nes_py",), ("NESEnv",), NES_PY, "nes_py 8.2.1"),
    Row(("robosuite",), ("MujocoEnv", "*Env", "Wrapper"), ROBOSUITE, "robosuite environments"),
)

# --- Wrappers ---------------------------------------------------------------------------------------------------

#: Calls that take an environment first and answer in its API; `BY_ARGUMENT`: in whatever API that has.
WRAPPERS: tuple[Row, ...] = (
    Row(("gymnasium.wrappers", "gymnasium.experimental.wrappers"), ("*",), None, "Gymnasium 1.4 wrappers"),
    Row(("gym.wrappers", "gym.experimental.wrappers"), ("*",), None, "Gym 0.26 wrappers"),
    Row(("stable_baselines3", "stable_baselines", "sb3_contrib"), ("Monitor",), None, "stable-baselines3 Monitor"),
    Row(("stable_baselines3.common.atari_wrappers",), ("*",), None, "stable-baselines3 2.9.2 atari_wrappers"),
    Row(("stable_baselines.common.atari_wrappers",), ("*",), None, "stable-baselines 2.10 atari_wrappers"),
    Row(("baselines.common.atari_wrappers", "baselines.common.wrappers"), ("*",), None, "openai/baselines"),
    Row(("baselines",), ("Monitor", "wrap_deepmind", "TimeLimit", "ClipActionsWrapper"), None, "openai/baselines"),
    Row(("sb3_contrib",), ("ActionMasker", "TimeFeatureWrapper"), None, "sb3-contrib common.wrappers"),
    Row(("rl_zoo3.wrappers",), ("*",), None, "rl-zoo3 wrappers"),
    Row(("minigrid.wrappers", "gym_minigrid.wrappers"), ("*",), None, "minigrid 3.2 wrappers"),
    Row(("nes_py.wrappers", "nes_py"), ("JoypadSpace", "BinarySpaceToDiscreteSpaceEnv"), None, "nes_py 8.2.1"),
    # these are put around environments of several APIs: nothing is known of one around something unknown
    Row(("supersuit",), ("*_v0", "*_v1", "*_v2", "*_v3"), BY_ARGUMENT, "SuperSuit 3.11"),
    Row(("pettingzoo.utils",), ("*Wrapper",), BY_ARGUMENT, "pettingzoo 1.27 utils.wrappers"),
    Row(("safety_gymnasium",), ("Safe*",), None, "safety-gymnasium 1.0.0 wrappers"),
    Row(("gymnasium_robotics", "metaworld", "highway_env"), ("*Wrapper",), None, "gymnasium-robotics, metaworld 3.1.1"),
    Row(
        ("mo_gymnasium",),
        ("MORecordEpisodeStatistics", "MONormalizeReward", "MOClipReward", "LinearReward"),
        None,
        "mo-gymnasium 1.1.0 utils, 1.3.2 wrappers",
    ),
)

# --- Methods and attributes -------------------------------------------------------------------------------------

#: Methods and attributes that give an environment, in files that import one of the packages.
METHODS: tuple[Row, ...] = (
    Row(
        ("stable_baselines3", "sb3_contrib", "rl_zoo3", "stable_baselines", "huggingface_sb3"),
        ("get_env", "training_env", "get_vec_normalize_env"),
        SB3_VEC_ENV,
        "stable-baselines3 2.9.2 BaseAlgorithm.get_env, BaseCallback.training_env",
    ),
)

#: Classes whose instances hold an environment as `env`, in this API whatever they are given.
HOLDERS: tuple[Row, ...] = (
    Row(
        ("stable_baselines3", "sb3_contrib"),
        ("*Algorithm", *_SB3_ALGORITHMS),
        SB3_VEC_ENV,
        "stable-baselines3 2.9.2 BaseAlgorithm.__init__, sb3-contrib 2.9.0",
    ),
    Row(("ray",), ("PettingZooEnv",), PETTINGZOO_AEC, "ray 2 rllib.env.wrappers.pettingzoo_env"),
)
#: Methods of theirs that are given it, and which of the parameters it is. The same, `collect_rollouts(self, env, ...)`.
GIVEN_HELD: dict[str, int] = {"collect_rollouts": 1}


#: Names so distinctive that they are known in whatever module they are.
DISTINCTIVE: frozenset[str] = frozenset(
    name for row in (*CONSTRUCTORS, *BASES, *WRAPPERS, *METHODS) if ANYWHERE in row.packages for name in row.names
)

#: Every API by the name that a user's configuration gives it (`env-apis`).
APIS: dict[str, Api] = {
    api.name: api
    for api in (
        *(row.api for row in (*CONSTRUCTORS, *BASES)),
        *(api for choice in CHOSEN.values() for api in choice.apis.values()),
        OLD_GYM,
    )
    if api is not None
}

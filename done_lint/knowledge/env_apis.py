"""Which environment APIs there are: what `step` and `reset` return (data)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Api:
    """How one kind of environment answers.

    `step` and `reset` name the slots of the returned tuple (empty: no plain tuple). `seed` says whether
    a `seed()` method is right. `vector` marks arrays of flags, one an environment.

    The slots `terminated`, `truncated` and `done` (their union) are flags; plural names are
    containers with one entry an agent, of which nothing is concluded.
    """

    name: str
    step: tuple[str, ...]
    reset: tuple[str, ...]
    seed: bool = False
    vector: bool = False
    source: str = ""
    #: Made for Gym: Gymnasium's `make` does not know such environments, and its wrappers do not take them.
    old_gym: bool = False

    @property
    def five(self) -> bool:
        """`step` returns obs, reward, terminated, truncated, info."""
        return self.step[2:4] == ("terminated", "truncated")

    @property
    def per_agent(self) -> bool:
        """`step` returns five tables with one value for each agent."""
        return self.step == PER_AGENT


FIVE = ("obs", "reward", "terminated", "truncated", "info")
FOUR = ("obs", "reward", "done", "info")
#: How many values a step gives, before and today.
STEP_WIDTHS = (len(FOUR), len(FIVE))
PER_AGENT = ("observations", "rewards", "terminations", "truncations", "infos")

# --- The APIs ---------------------------------------------------------------------------------------------------

GYMNASIUM = Api("Gymnasium", FIVE, ("obs", "info"), source="Gymnasium 1.4 Env.step")
GYMNASIUM_VECTOR = Api("Gymnasium vector", FIVE, ("obs", "info"), vector=True, source="Gymnasium 1.4 VectorEnv.step")
#: `import gym`: what it is to become is Gymnasium; from 0.26 on it answers alike.
GYM = Api("Gym", FIVE, ("obs", "info"), source="Gym 0.26 Env.step")
GYM_VECTOR = Api("Gym vector", FIVE, ("obs", "info"), vector=True, source="Gym 0.26 VectorEnv.step")

#: Gym of whatever release, where a program keeps it beside Gymnasium on purpose: nothing of it is a mistake.
KEPT_GYM = Api("Gym, kept", (), (), seed=True, source="Gym 0.9 to 0.26 Env.step: four values or five")

# Five values as in Gymnasium, and a `seed` method that exists.
SHIMMY = Api("Shimmy", FIVE, ("obs", "info"), seed=True, source="Shimmy 2.0.1")
METAWORLD = Api("Meta-World", FIVE, ("obs", "info"), seed=True, source="metaworld 3.1.1")
# Six values: the cost stands between the reward and the flags.
COSTS = ("obs", "reward", "cost", "terminated", "truncated", "info")
SAFETY = Api("Safety-Gymnasium", COSTS, ("obs", "info"), source="safety-gymnasium 1.0.0 Builder.step")
SAFETY_VECTOR = Api(
    "Safety-Gymnasium vector", COSTS, ("obs", "info"), vector=True, source="safety-gymnasium 1.0.0 SafetySyncVectorEnv"
)

#: Four values beside Gym, five beside Gymnasium.
METAWORLD_2 = Api("Meta-World 2", (), (), seed=True, source="metaworld before 3.0: Gym, then Gymnasium since 2.0")
JUMANJI_GYM = Api("Jumanji's Gym wrapper", FIVE, ("obs", "info"), seed=True, source="jumanji JumanjiToGymWrapper")
ISAAC_LAB = Api("Isaac Lab", FIVE, ("obs", "info"), seed=True, vector=True, source="IsaacLab DirectRLEnv.step")
TIANSHOU = Api("Tianshou vector", FIVE, ("obs", "info"), seed=True, vector=True, source="tianshou 2.0.1 BaseVectorEnv")
#: Four values beside Gym before 0.26, and five beside 0.26: what unpacks four is made for the former.
ENVPOOL_FOR_GYM = Api("EnvPool for Gym", FOUR, (), seed=True, vector=True, source="envpool make_gym", old_gym=True)
ENVPOOL = Api("EnvPool", FIVE, ("obs", "info"), seed=True, vector=True, source="envpool make_gymnasium")

#: APIs whose step has another form beside other releases of what they are made for, and that form.
OTHER_STEPS: dict[Api, tuple[str, ...]] = {ENVPOOL_FOR_GYM: FIVE}

#: Vector environments that reset in the step after an episode's end, and have no other mode.
#: https://github.com/sail-sg/envpool/issues/194
NEXT_STEP_ONLY: frozenset[Api] = frozenset({ENVPOOL, ENVPOOL_FOR_GYM})
#: And those that may reset then: the library's own have it as one of their modes.
NEXT_STEP: frozenset[Api] = frozenset({GYMNASIUM_VECTOR}) | NEXT_STEP_ONLY

# Four values, today: right as it stands.
SB3_VEC_ENV = Api("SB3 VecEnv", FOUR, (), seed=True, vector=True, source="stable-baselines3 2.9.2 VecEnv.step")
BASELINES_VEC_ENV = Api("Baselines VecEnv", FOUR, (), seed=True, vector=True, source="openai/baselines VecEnv.step")
#: Vector environments that their libraries put around a single environment, too: most programs that play with a trained
#: policy have one. stable-baselines3 2.9.2 `BaseAlgorithm._wrap_env`, openai/baselines `cmd_util.make_vec_env`.
AROUND_ONE = frozenset({SB3_VEC_ENV, BASELINES_VEC_ENV})
OLD_VECTOR = Api(
    "SuperSuit's vector environment for Gym", FOUR, (), seed=True, vector=True, source="SuperSuit 3.3", old_gym=True
)
PROCGEN = Api("Procgen", FOUR, (), seed=True, source="procgen 0.10 over gym3.ToGymEnv", old_gym=True)
PROCGEN_VECTOR = Api("ProcgenEnv", FOUR, (), seed=True, vector=True, source="gym3 ToBaselinesVecEnv", old_gym=True)
ISAAC_GYM = Api("Isaac Gym VecTask", FOUR, (), seed=True, vector=True, source="IsaacGymEnvs VecTask.step", old_gym=True)
ISAAC_WRAPPER = Api("Isaac Lab library wrapper", FOUR, (), seed=True, vector=True, source="IsaacLab isaaclab_rl")
BRAX_GYM = Api("Brax's Gym wrapper", FOUR, (), seed=True, source="brax envs/wrappers/gym.py GymWrapper")
BRAX_GYM_VECTOR = Api("Brax's vector Gym wrapper", FOUR, (), seed=True, vector=True, source="brax VectorGymWrapper")
UNITY_GYM = Api("Unity's Gym wrapper", FOUR, (), seed=True, source="mlagents_envs UnityToGymWrapper", old_gym=True)
MINERL = Api("MineRL", FOUR, (), seed=True, source="minerl (gym>=0.19,<=0.23.1)", old_gym=True)
NES_PY = Api("nes-py", FOUR, (), seed=True, source="nes_py 8.2.1, gym_super_mario_bros 7.4", old_gym=True)
GYM_RETRO = Api("Gym Retro", FOUR, (), seed=True, source="gym-retro RetroEnv.step", old_gym=True)
PYBULLET = Api("PyBullet Gym", FOUR, (), seed=True, source="pybullet_envs, pybullet-gym", old_gym=True)
ROBOSUITE = Api("robosuite", FOUR, (), seed=True, source="robosuite MujocoEnv.step")
DM_TO_GYM = Api(
    "dm_env as old Gym", FOUR, (), seed=True, source="dmc2gym DMCWrapper, bsuite GymFromDMEnv", old_gym=True
)
CRAFTER = Api("Crafter", FOUR, (), source="crafter Env.step")
TEXT_GAME = Api("Text game", FOUR, ("obs", "info"), seed=True, source="jericho FrotzEnv, TextWorld, ALFWorld")
TEXT_STATES = Api("TextWorld states", ("state", "score", "done"), (), seed=True, source="textworld core.Environment")
MPE = Api("Multi-agent particle envs", ("observations", "rewards", "dones", "infos"), (), source="openai/multiagent")
VMAS = Api("VMAS", (), (), seed=True, vector=True, source="vmas: 4 values, 5 with terminated_truncated=True")

# Other shapes that look alike.
SMAC = Api("SMAC", ("reward", "done", "info"), ("obs", "state"), seed=True, source="smac StarCraft2Env.step")
LEGGED_GYM = Api(
    "legged_gym",
    ("obs", "privileged_obs", "reward", "done", "info"),
    ("obs", "privileged_obs"),
    vector=True,
    source="legged_gym BaseTask.step, rsl_rl 1.x VecEnv",
)
RSL_RL = Api("rsl_rl VecEnv", (), (), seed=True, vector=True, source="rsl_rl: 5 values to 1.x, 4 from 2.0")
GYMNAX = Api("gymnax", ("obs", "state", "reward", "done", "info"), ("obs", "state"), source="gymnax 0.0.9; 1.0 has 6")
JAXMARL = Api("JaxMARL", ("observations", "state", "rewards", "dones", "infos"), ("obs", "state"), source="jaxmarl")
JUMANJI = Api("Jumanji", ("state", "timestep"), ("state", "timestep"), source="jumanji Environment.step")
BRAX = Api("Brax", (), (), source="brax Env.step returns a State")
DM_ENV = Api("dm_env", (), (), source="dm_env TimeStep(step_type, reward, discount, observation)")
TF_AGENTS = Api("TF-Agents", (), (), seed=True, source="tf_agents TimeStep(step_type, reward, discount, observation)")
TORCHRL = Api("TorchRL", (), (), seed=True, source="torchrl EnvBase.step returns a TensorDict")
#: Since these releases `step` of a parallel environment gives five tables, and `reset` a pair. pettingzoo 1.20 to 1.23.
PETTINGZOO_FIVE, PETTINGZOO_PAIR = (1, 21), (1, 23)
PETTINGZOO_AEC = Api("PettingZoo AEC", (), (), source="pettingzoo 1.27 AECEnv.step returns None")
PETTINGZOO_PARALLEL = Api("PettingZoo parallel", PER_AGENT, ("obs", "info"), source="pettingzoo 1.27 ParallelEnv.step")
RLLIB_MULTI_AGENT = Api("RLlib multi-agent", PER_AGENT, ("obs", "info"), source="ray 2 MultiAgentEnv.step")
RLLIB_OTHER = Api("RLlib environment", (), (), seed=True, source="ray 2 vector_step, poll/send_actions")
UNITY = Api("Unity ML-Agents", (), (), source="mlagents_envs UnityEnvironment.step returns None")
GYM3 = Api("gym3", (), (), source="gym3 Env.act, Env.observe")
#: What packages register with Gym that need a release before 0.26.
OLD_GYM = Api("Gym before 0.26", FOUR, (), seed=True, source="Gym 0.21 Env.step", old_gym=True)
#: A class of a package that no table knows: what it answers is not known, however it was made.
FOREIGN = Api("environment of another package", ("unknown",), (), seed=True, source="no table")
BY_ARGUMENT = Api("API chosen by an argument", (), (), seed=True, source="envpool env_type, SuperSuit base_class")

#: The APIs of the two libraries themselves.
SINGLE: frozenset[Api] = frozenset({GYM, GYMNASIUM})
VECTORS: frozenset[Api] = frozenset({GYM_VECTOR, GYMNASIUM_VECTOR})
OF_LIBRARIES: frozenset[Api] = SINGLE | VECTORS

#: Arguments of `make` with which an old four-value environment answers in five.
COMPATIBILITY_ARGUMENTS: tuple[str, ...] = ("apply_api_compatibility", "new_step_api")

# --- Layers -----------------------------------------------------------------------------------------------------

#: The class of all environments of Gym and Gymnasium.
BASE = "Env"
TIME_LIMIT = "TimeLimit"
#: The wrapper that adds the number of the step to the observation. Gym 0.26 and Gymnasium 1.4 wrappers.
TIME_AWARE = "TimeAwareObservation"
#: No wrapper at all: `env.unwrapped`, or a class that was called.
BARE: tuple[str, ...] = ("",)
#: What `make` gives, and what is inside that, until the facts say which layers these are (see `made_layers`).
MADE_LAYERS: tuple[str, ...] = ("make()", "make().env", "make().env.env", "make().env.env.env")
#: The layers that a time limit may be.
LIMITING: frozenset[str] = frozenset({TIME_LIMIT, MADE_LAYERS[0]})

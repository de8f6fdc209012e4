"""What the packages that a file imports say of the environments in it (data)."""

from __future__ import annotations

from functools import cache

#: Imports that mean that another API may be in play: there, a name such as `env` proves nothing.
LOOK_ALIKE_ROOTS: frozenset[str] = frozenset(
    {
        "acme",
        "alfworld",
        "baselines.common.cmd_util",
        "baselines.common.vec_env",
        "bidexhands",
        "brax",
        "bsuite",
        "crafter",
        "dm_control",
        "dm_control2gym",
        "dm_env",
        "dm_env_wrappers",
        "dmc2gym",
        "envpool",
        "go1_gym",
        "gym3",
        "gym_super_mario_bros",
        "gym_tetris",
        "gym_unity",
        "gym_zelda_1",
        "gymnax",
        "humanoid.envs",
        "isaacgym",
        "isaacgymenvs",
        "isaaclab",
        "isaaclab_rl",
        "isaaclab_tasks",
        "jaxmarl",
        "jericho",
        "jumanji",
        "legged_gym",
        "magent2",
        "meltingpot",
        "minedojo",
        "minerl",
        "mlagents",
        "mlagents_envs",
        "mpe2",
        "mujoco_playground",
        "multiagent",
        "nes_py",
        "omni",
        "omniisaacgymenvs",
        "pettingzoo",
        "procgen",
        "pybullet_envs",
        "pybulletgym",
        "ray.rllib",
        "retro",
        "rl_games",
        "rl_zoo3",
        "robomimic",
        "robosuite",
        "rsl_rl",
        "safety_gymnasium",
        "sb3_contrib",
        "smac",
        "smacv2",
        "stable_baselines",
        "stable_baselines3.common.env_util",
        "stable_baselines3.common.vec_env",
        "supersuit",
        "textworld",
        "tf_agents",
        "tianshou.env",
        "torchrl",
        "unityagents",
        "vmas",
    }
)

#: What Gym and Gymnasium are built with and tested by, as it is imported: none of them registers an environment.
#: `setup.py` of Gym 0.7 to 0.26 and `Requires-Dist` of Gymnasium 1.4, all extras.
REQUIRED_BY_GYM: frozenset[str] = frozenset(
    """Box2D OpenGL PIL array_api_compat array_api_extra cloudpickle cv2 dill flax gym_notices imageio
    importlib_metadata jax jaxlib keras lz4 matplotlib moviepy mujoco mujoco_py numpy packaging pygame pyglet pytest
    requests scipy seaborn six theano torch typing_extensions""".split()
)

#: Debuggers, loggers and general libraries whose imports are often left behind unused; none registers an environment.
GENERAL: frozenset[str] = frozenset(
    """IPython absl bs4 colorama comet_ml einops h5py ipdb loguru mlflow munch natsort networkx numba omegaconf pandas
    plotly psutil pudb rich skimage sklearn statsmodels sympy tabulate tensorboard tensorboardX
    tensorboard_logger termcolor torchvision tqdm visdom wandb yaml""".split()
)

#: Libraries that read the command line, whose calls the analysis follows: click 8, simple-parsing 0.1, tyro 0.9.
COMMAND_LINES: frozenset[str] = frozenset({"click", "simple_parsing", "tyro"})

#: Libraries that give back what the program or its configuration names, whoever made it: hydra-core 1.3
#: `utils.instantiate`, joblib 1.4 `load`, dill 0.3 and cloudpickle 3 `load` and `loads`.
GIVING_BACK: frozenset[str] = frozenset({"cloudpickle", "dill", "hydra", "joblib"})

#: Simulators that step thousands of environments as one tensor. What a project writes on them for Gym follows the
#: protocol of their own examples: four values, whose flags are a buffer, and observations alone from a reset.
_OF_MANY = frozenset({"isaacgym"})

#: Of those that look alike, the packages whose steps give objects, and never five values. dm_env 1.6 `TimeStep`.
OF_TIME_STEPS: frozenset[str] = frozenset({"acme", "bsuite", "dm_control", "dm_env", "dm_env_wrappers"})

#: Imports that mean that plain Gym or Gymnasium environments are in play.
GYM_ROOTS: frozenset[str] = frozenset(
    {
        "ale_py",
        "d4rl",
        "gym",
        "gym_minigrid",
        "gymnasium",
        "gymnasium_robotics",
        "highway_env",
        "metaworld",
        "minigrid",
        "panda_gym",
        "stable_retro",
    }
)


@cache
def is_look_alike(module: str) -> bool:
    """Whether a module is of a package with an API of its own, or is one."""
    while module:
        if module in LOOK_ALIKE_ROOTS:
            return True
        module = module.rpartition(".")[0]
    return False


def knows_gym_alone(text: str) -> bool:
    """Whether a file never speaks of Gymnasium, nor of Shimmy, which adapts to it: an import of Gym chooses nothing."""
    return "gymnasium" not in text and "shimmy" not in text


def simulates_many(module: str) -> bool:
    """Whether a module is of a simulator of many environments at once."""
    return module.partition(".")[0] in _OF_MANY

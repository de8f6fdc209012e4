"""What is known of an environment by its id, and which functions take ids (data)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from done_lint.core.gymnasium_release import Release
from done_lint.knowledge.env_apis import ISAAC_LAB, MINERL, NES_PY, PROCGEN, PYBULLET, SHIMMY, TEXT_GAME, Api
from done_lint.knowledge.gymnasium_changes import ROOTS


@dataclass(frozen=True, slots=True)
class IdPattern:
    """Ids given to `make` (a regular expression for their beginning) that speak another API than `make` does."""

    pattern: str
    api: Api
    source: str


ID_PATTERNS: tuple[IdPattern, ...] = (
    IdPattern(r"(procgen:)?procgen-", PROCGEN, "procgen 0.10 over gym3.ToGymEnv"),
    IdPattern(r"(.*:)?.*Bullet(Env)?-v\d+$", PYBULLET, "pybullet_envs"),
    IdPattern(r"(.*:)?.*(PyBulletEnv|MuJoCoEnv)-v\d+$", PYBULLET, "pybullet-gym"),
    IdPattern(r"(.*:)?GymV(21|26)Environment-v0$", SHIMMY, "Shimmy 2.0.1"),
    IdPattern(r"(.*:)?Isaac-", ISAAC_LAB, "IsaacLab tasks"),
    IdPattern(r"(.*:)?(SuperMarioBros|Tetris[AB]|Zelda1)", NES_PY, "gym_super_mario_bros 7.4"),
    IdPattern(r"(.*:)?MineRL", MINERL, "minerl"),
    IdPattern(r"(.*:)?(tw-|jericho-|textworld)", TEXT_GAME, "TextWorld"),
)

#: Functions that look an environment up by the id in their first argument, and the name of that argument.
ID_ARGUMENTS: dict[str, str] = {
    **{f"{root}.make": "id" for root in ("gym", "gym.envs", "gym.envs.registration")},
    **{f"{root}.make": "id" for root in ("gymnasium", "gymnasium.envs", "gymnasium.envs.registration")},
    **{f"{root}.spec": "env_id" for root in ("gym", "gym.envs", "gym.envs.registration")},
    **{f"{root}.spec": "env_id" for root in ("gymnasium", "gymnasium.envs", "gymnasium.envs.registration")},
    **{f"{root}.make_vec": "id" for root in ("gymnasium", "gymnasium.envs.registration")},
    **{f"{root}.vector.make": "id" for root in ("gym", "gymnasium")},
    **{f"stable_baselines3.common.{module}make_vec_env": "env_id" for module in ("env_util.", "")},
    **{f"gym.envs.{module}registry.{name}": "path" for module in ("", "registration.") for name in ("make", "spec")},
    **{f"{root}.register": "id" for root in ("gym", "gym.envs", "gym.envs.registration")},
    **{f"{root}.register": "id" for root in ("gymnasium", "gymnasium.envs", "gymnasium.envs.registration")},
}
#: Those of them that make an id known.
REGISTERING: frozenset[str] = frozenset(name for name in ID_ARGUMENTS if name.endswith(".register"))

#: What gives the specification of an environment, and collections of them; `make` of one makes the environment.
SPECIFICATIONS: frozenset[str] = frozenset(
    f"{root}.{name}()"
    for root in ROOTS
    for name in (
        *("spec", "envs.spec", "envs.registration.spec"),
        *("envs.registry.spec", "envs.registration.registry.spec"),
    )
)
REGISTRIES: frozenset[str] = frozenset(
    f"{root}{module}.{name}"
    for root in ROOTS
    for module in ("", ".envs", ".envs.registration")
    for name in ("registry.all()", "registry.values()", "registry.env_specs.values()")
)

#: The tasks of MuJoCo, without version.
MUJOCO = (
    *("Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum"),
    *("Pusher", "Reacher", "Swimmer", "Walker2d"),
)
#: The games that ale-py registers under the names of old Gym.
ATARI = (
    *("Adventure", "AirRaid", "Alien", "Amidar", "Assault", "Asterix", "Asteroids", "Atlantis", "BankHeist"),
    *("BattleZone", "BeamRider", "Berzerk", "Bowling", "Boxing", "Breakout", "Carnival", "Centipede"),
    *("ChopperCommand", "CrazyClimber", "Defender", "DemonAttack", "DoubleDunk", "ElevatorAction", "Enduro"),
    *("FishingDerby", "Freeway", "Frostbite", "Gopher", "Gravitar", "Hero", "IceHockey", "Jamesbond"),
    *("JourneyEscape", "Kangaroo", "Krull", "KungFuMaster", "MontezumaRevenge", "MsPacman", "NameThisGame"),
    *("Phoenix", "Pitfall", "Pong", "Pooyan", "PrivateEye", "Qbert", "Riverraid", "RoadRunner", "Robotank"),
    *("Seaquest", "Skiing", "Solaris", "SpaceInvaders", "StarGunner", "Tennis", "TimePilot", "Tutankham"),
    *("UpNDown", "Venture", "VideoPinball", "WizardOfWor", "YarsRevenge", "Zaxxon"),
)
#: The packages that register ids (a regular expression) since Gymnasium 1.0, where they are imported; releases before
#: it loaded them unasked, and Gym had Atari itself. ale-py 0.10 `ale_py.registration`.
REGISTERED_BY: dict[str, str] = {rf"ALE/\w+-v5|({'|'.join(ATARI)})(NoFrameskip)?-v[04]": "ale_py"}
REGISTERING_SINCE: Release = (1, 0)
#: Parts of ids that only the ids of a package have: `assert "NoFrameskip" in env.spec.id`. OpenAI's baselines ask so.
REGISTERED_PARTS: dict[str, str] = {"NoFrameskip": "ale_py", "ALE/": "ale_py"}
#: Wrappers of the library's, and attributes, that only the environments of a package can do with. Gym 0.21 and
#: Gymnasium 1.4 `wrappers.AtariPreprocessing`, ale-py 0.10 `AtariEnv`.
WRAPPED_AS: dict[str, str] = {"AtariPreprocessing": "ale_py"}
ASKED_FOR: dict[str, str] = {"ale": "ale_py", "get_action_meanings": "ale_py"}
#: Ids (without version) of environments that Gymnasium itself has, under any version. `gymnasium.registry`, 1.4.
OWN: frozenset[str] = frozenset(
    {
        *("Acrobot", "CartPole", "MountainCar", "MountainCarContinuous", "Pendulum"),
        *("Blackjack", "CliffWalking", "CliffWalkingSlippery", "FrozenLake", "FrozenLake8x8", "Taxi"),
        *("BipedalWalker", "BipedalWalkerHardcore", "CarRacing", "LunarLander", "LunarLanderContinuous"),
        *MUJOCO,
    }
)


#: The version at the end of an id.
_VERSION = re.compile(r"-v\d+$")
#: Every id, with the module that registers it. Gymnasium 1.4 `envs.registration.ENV_ID_RE`, `load_env_creator`.
_ID = re.compile(r"([\w.]+:)?([\w:-]+/)?[\w:.-]+")

#: Ids (a regular expression) whose observation has two numbers, so that a program may take it apart like a pair.
#: Gymnasium 1.4 `envs.classic_control`: position and velocity.
_OBSERVING_TWO = r"MountainCar(Continuous)?-v\d+"


def observes_two(env_id: str) -> bool:
    """Whether the observation of a task has two numbers."""
    return re.fullmatch(_OBSERVING_TWO, env_id) is not None


@cache
def by_id(env_id: str) -> Api | None:
    """API that an id forces on `make`, or None where `make` itself decides."""
    for row in ID_PATTERNS:
        if re.match(row.pattern, env_id):
            return row.api
    return None


def registering_package(env_id: str) -> str:
    """The package that has to be imported before an id is made; empty where none has.

    A default in other capitals (`PongNoFrameSkip-v4`) tells as well what the program is for. In an id that is put
    together (`*NoFrameskip-v4`), a part of it tells.
    """
    if "*" in env_id:
        return next((package for part, package in REGISTERED_PARTS.items() if part in env_id), "")
    return next((package for ids, package in REGISTERED_BY.items() if re.fullmatch(ids, env_id, re.IGNORECASE)), "")


def is_of_mujoco(env_id: str) -> bool:
    """Whether an id is one of Gymnasium's own tasks of MuJoCo, whatever its version."""
    return task_name(env_id) in MUJOCO


def is_own(env_id: str) -> bool:
    """Whether Gymnasium itself has an environment of this id, whatever its version."""
    return task_name(env_id) in OWN


def may_be_id(text: str) -> bool:
    """Whether `make` takes a string for an id at all: `Learning curves` is none."""
    return _ID.fullmatch(text) is not None


def has_version(text: str) -> bool:
    """Whether a string ends as ids of environments do: `CartPole-v1`."""
    return re.search(_VERSION, text) is not None


def task_name(env_id: str) -> str:
    """An id without its package and its version."""
    return re.sub(_VERSION, "", env_id.rpartition(":")[2])

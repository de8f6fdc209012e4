"""Which versions of Gymnasium's own environments a release can make (data).

The source of each row is `gymnasium.make` itself, run with 0.29.1, 1.0.0 and 1.4.0, and what changed in a task is
the section *Version History* of the environment's page. Versions that work, and be it with a warning, are in the
table: `CartPole-v0` and the MuJoCo tasks of version 4.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from done_lint.core.gymnasium_release import NEWEST, Release
from done_lint.knowledge.env_id_apis import ATARI, MUJOCO

#: What an environment of the newer version is: the same task, another one that is close to it, or one whose
#: results cannot be compared.
Change = Literal["same", "near", "other"]

_FIRST: Release = (0, 26)
_NEVER: Release = (1_000, 0)


@dataclass(frozen=True, slots=True)
class Task:
    """The versions of one environment, and in which releases each can be made: from the first, before the second."""

    name: str
    versions: dict[int, tuple[Release, Release]]
    change: Change = "same"
    #: The oldest version for which `change` holds; from an older one it is "near" at best.
    same_since: int = 0
    needs: str = ""
    #: What the newer versions ask of a program beside the id.
    asks: str = ""


def _since(number: int, release: Release = _FIRST) -> dict[int, tuple[Release, Release]]:
    return {number: (release, _NEVER)}


def _replaced(old: int, release: Release, new: int) -> dict[int, tuple[Release, Release]]:
    return {old: (_FIRST, release), new: (release, _NEVER)}


_MUJOCO = {
    # Versions 2 and 3, which need mujoco-py, moved to gymnasium-robotics.
    2: (_FIRST, (1, 0)),
    3: (_FIRST, (1, 0)),
    4: (_FIRST, _NEVER),
    5: ((1, 0), _NEVER),
}

TASKS: tuple[Task, ...] = (
    Task("CartPole", {0: (_FIRST, _NEVER), 1: (_FIRST, _NEVER)}, "other"),
    Task("Pendulum", _since(1)),
    Task("Blackjack", _since(1)),
    Task("FrozenLake", _since(1)),
    Task("FrozenLake8x8", _since(1)),
    Task("CliffWalking", _replaced(0, (1, 2), 1)),
    # Version 3 corrected the map.
    Task("Taxi", _replaced(3, (1, 3), 4), same_since=3),
    Task("LunarLander", _replaced(2, (1, 0), 3), "near", needs="gymnasium[box2d]"),
    Task("LunarLanderContinuous", _replaced(2, (1, 0), 3), "near", needs="gymnasium[box2d]"),
    Task("BipedalWalker", _since(3), "near", needs="gymnasium[box2d]"),
    Task("BipedalWalkerHardcore", _since(3), "near", needs="gymnasium[box2d]"),
    # `step` of Gym 0.21 read the elements of an action; that of version 3 asks for its `dtype`, and that it is inside.
    Task(
        "CarRacing",
        _replaced(2, (1, 0), 3),
        "other",
        needs="gymnasium[box2d]",
        asks="an action is an array now, no list or tuple: `env.step(np.array(action, dtype=np.float32))`",
    ),
    *(Task(name, _MUJOCO, "other", needs="gymnasium[mujoco]") for name in MUJOCO),
)

_BY_NAME = {task.name: task for task in TASKS}

#: An id is a game's by its name, not by its form.
_GAME = "|".join(ATARI)

#: Environments that no release of Gymnasium has, and no other package that it knows of.
REMOVED: tuple[str, ...] = (
    r"(NChain|Roulette|KellyCoinflip|KellyCoinflipGeneralized)-v\d+",
    r"(GuessingGame|HotterColder|CubeCrash\w*|MemorizeDigits)-v\d+",
    r"(Copy|DuplicatedInput|RepeatCopy|Reverse|ReversedAddition3?)-v\d+",
    r"(Thrower|Striker)-v\d+",
)

#: Environments that no release of Gymnasium has under these names, and what to do instead.
GONE: tuple[tuple[str, str], ...] = (
    (r"CarRacingDiscrete-v\d+", 'pass `continuous=False` to `make("CarRacing-v3")`'),
    (r"CarRacingDomainRandomize-v\d+", 'pass `domain_randomize=True` to `make("CarRacing-v3")`'),
    (
        r"(Fetch(Reach|Push|Slide|PickAndPlace)(Dense)?|Hand(Reach|Manipulate\w+))-v[01]",
        "install `gymnasium-robotics`, import and register it, and take a version that it has",
    ),
    (
        rf"({_GAME})Deterministic-v\d+",
        "install `ale-py`, register it, and make `ALE/...-v5` with `frameskip` and `repeat_action_probability=0`",
    ),
    (
        rf"(ALE/[A-Z]\w*|{_GAME})-ram(NoFrameskip|Deterministic)?-v\d+",
        'install `ale-py`, register it, and make `ALE/...-v5` with `obs_type="ram"`',
    ),
)


@dataclass(frozen=True, slots=True)
class Outdated:
    """Why an id cannot be made, and what can be done."""

    #: The id to use instead, if there is one, and what it changes.
    successor: str = ""
    change: Change = "same"
    needs: str = ""
    asks: str = ""
    #: What to do where there is no such id.
    advice: str = ""
    #: The first release that can make the successor.
    since: Release = _FIRST


@cache
def outdated(env_id: str, target: Release, lowest: Release | None = None) -> Outdated | None:
    """What to say about an id under a release; None where it can be made, or is no environment of Gymnasium's.

    Of the versions that can be made, one that `lowest` can make too comes first.
    """
    name, _, version = env_id.rpartition("-v")
    task = _BY_NAME.get(name)
    if task is not None and version.isdigit():
        number = int(version)
        made = [at for at, (first, last) in task.versions.items() if first <= target < last]
        if number in made or not made or not _is_missing(task, number, made, target):
            return None
        other = number < task.same_since or number > max(made)
        change: Change = "near" if task.change == "same" and other else task.change
        in_both = [at for at in made if lowest is None or task.versions[at][0] <= lowest]
        new = max(in_both or made)
        return Outdated(f"{name}-v{new}", change, task.needs, task.asks, since=task.versions[new][0])
    advice = _advice(env_id)
    return Outdated(advice=advice) if advice else None


def _is_missing(task: Task, number: int, made: list[int], target: Release) -> bool:
    """Whether a version is known not to be there: an older one, or under an older release one that none has.

    A release that comes after this table may have a newer one.
    """
    return number < max(made) or (target < NEWEST and number > max(task.versions))


def is_lost(env_id: str, release: Release) -> bool:
    """Whether the releases before this one made an environment of this id, and none does since."""
    name, _, version = env_id.rpartition("-v")
    task = _BY_NAME.get(name)
    known = task.versions.get(int(version)) if task is not None and version.isdigit() else None
    return known is not None and known[1] == release


def is_gone(env_id: str) -> bool:
    """Whether Gym had an environment of this id, and Gymnasium has none under it."""
    return bool(_advice(env_id))


def is_removed(env_id: str) -> bool:
    """Whether Gym had an environment of this id, and nothing has taken its place."""
    return any(re.fullmatch(pattern, env_id) for pattern in REMOVED)


def _advice(env_id: str) -> str:
    if is_removed(env_id):
        return "it was removed and has no successor"
    return next((advice for pattern, advice in GONE if re.fullmatch(pattern, env_id)), "")

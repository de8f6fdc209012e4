"""What the infos of vector environments are called, by version and autoreset mode (data)."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Literal

from done_lint.core.gymnasium_release import Release

#: How a vector environment goes on after an episode's end. Gymnasium 1.1 vector.AutoresetMode.
Autoreset = Literal["NextStep", "SameStep", "Disabled"]


@dataclass(frozen=True, slots=True)
class FinalKeys:
    """The keys under which the step that ended an episode reports it; empty where there is none."""

    observation: str
    info: str
    #: `info` holds a list of dictionaries, not a dictionary of arrays.
    listed: bool
    source: str


#: Keys by the first version that has them and the mode.
FINAL_KEYS: dict[tuple[Release, Autoreset], FinalKeys] = {
    ((0, 24), "SameStep"): FinalKeys("terminal_observation", "", False, "Gym 0.24 vector.SyncVectorEnv"),
    ((0, 26), "SameStep"): FinalKeys("final_observation", "final_info", True, "Gym 0.26.2, Gymnasium 0.26 to 0.29"),
    ((1, 0), "NextStep"): FinalKeys("", "", False, "Gymnasium 1.0: the observation is the final one"),
    ((1, 1), "SameStep"): FinalKeys("final_obs", "final_info", False, "Gymnasium 1.1 to 1.4 vector.SyncVectorEnv"),
}

#: The mode where none is asked for, by the first version that has it. Gym 0.21 and Gymnasium 1.0 vector.SyncVectorEnv.
DEFAULT_MODES: dict[Release, Autoreset] = {(0, 21): "SameStep", (1, 0): "NextStep"}

#: What Stable-Baselines3 keeps in the infos of an environment. stable-baselines3 2.9.2 DummyVecEnv, SubprocVecEnv.
SB3_FINAL = "terminal_observation"

#: Members of `AutoresetMode` and their values. Gymnasium 1.1 vector.vector_env.
MODES: dict[str, Autoreset] = {
    "NEXT_STEP": "NextStep",
    "NextStep": "NextStep",
    "SAME_STEP": "SameStep",
    "SameStep": "SameStep",
    "DISABLED": "Disabled",
    "Disabled": "Disabled",
}

#: What is known of the mode of a vector environment: asked for, that of the release, that of the release as far as can
#: be seen (some arguments cannot, and nothing in the program names a mode), or not visible.
#: "old": that of the releases before 1.0, with which alone it exists.
Mode = Autoreset | Literal["default", "probable", "unknown", "old"]

#: Where an argument stands that is given by name alone: behind all others.
BY_NAME = 1000
#: Constructors that take a mode, by where it stands among their arguments; None: `vector_kwargs` has it.
#: Gymnasium 1.4 vector.SyncVectorEnv, vector.AsyncVectorEnv, make_vec; Gym 0.26 vector.make; ale-py 0.12.1
#: vector_env.AtariVectorEnv, which takes it by name alone and resets in the next step by default.
TAKING_MODE: dict[str, int | None] = {
    "SyncVectorEnv": 3,
    "AsyncVectorEnv": 7,
    "make_vec": None,
    "vector.make": None,
    "AtariVectorEnv": BY_NAME,
}
#: Packages whose vector environments came after Gymnasium 1.0: ale-py 0.11.
SINCE_ONE = "ale_py."
_WITH_MODES = ("gym", "gymnasium", "ale_py")
MODE_ARGUMENT = "autoreset_mode"
#: What steps one environment in a process of its own, in place of the library's function, and resets it as it likes:
#: a mode is for that one alone. Gym 0.21 to Gymnasium 1.4 vector.AsyncVectorEnv.
WORKER_ARGUMENT = "worker"
#: Vector environments of other packages that have one mode, and take none.
FIXED_MODES: dict[str, Mode] = {
    # mo-gymnasium 1.3.2 wrappers.vector, whose `step` resets what ended in the step before
    "mo_gymnasium.wrappers.vector.MOSyncVectorEnv": "NextStep",
    # mo-gymnasium 1.1.0 utils, for `gymnasium <0.30`: its `SyncVectorEnv`, with rewards of several numbers
    "mo_gymnasium.MOSyncVectorEnv": "old",
}
#: Functions whose environments reset in the next step, and have no other mode. EnvPool, issue 194.
MAKING_NEXT_STEP = frozenset({"envpool.make", "envpool.make_gym", "envpool.make_gymnasium"})
#: Keys and names that a program has which asks for a mode anywhere.
ASKING_FOR_MODES = frozenset({MODE_ARGUMENT, "vector_kwargs"})
#: The first release that can be asked for a mode.
MODES_SINCE: Release = (1, 1)

#: Wrappers of vector environments that take no other mode than `NEXT_STEP`. Gymnasium 1.4 wrappers.vector.
ONLY_NEXT_STEP = frozenset({"NormalizeObservation"})

#: Wrappers after which infos are a list. Gymnasium 1.4 wrappers.vector, Gym 0.26 wrappers.
LISTING = frozenset({"DictInfoToList", "VectorListInfo"})

#: Every key that some version has, by what stands under it; its mask has an underscore before the name.
OF_OBSERVATIONS = frozenset(
    prefix + keys.observation for keys in FINAL_KEYS.values() if keys.observation for prefix in ("", "_")
)
OF_INFOS = frozenset(prefix + keys.info for keys in FINAL_KEYS.values() if keys.info for prefix in ("", "_"))

#: What was a list of dictionaries up to 0.29, and is a dictionary of arrays since 1.1.
FINAL_INFO = "final_info"

#: What `RecordEpisodeStatistics` writes into the infos. Gymnasium 0.26 to 1.4.
STATISTICS = "episode"

#: What no release before 1.0 calls the final observations.
FINAL_OBSERVATION = "final_obs"

#: Those that no release from 1.0 on sets unless it is asked for a mode: who reads them has an older release in mind.
OF_OLD_RELEASES = (OF_OBSERVATIONS | OF_INFOS) - {FINAL_OBSERVATION, f"_{FINAL_OBSERVATION}"}

#: Packages whose vector environments set the old keys whatever the release. ManiSkill 3 vector/wrappers/gymnasium.py.
SETTING_OLD_KEYS = frozenset({"mani_skill"})


def final_keys(mode: Autoreset, target: Release) -> FinalKeys:
    """The keys of a release in a mode: those of the newest row that is not newer."""
    rows = [first for first, of_mode in FINAL_KEYS if of_mode == mode and first <= target]
    if not rows:
        return FinalKeys("", "", False, "this mode does not exist there, or has no such keys")
    return FINAL_KEYS[max(rows), mode]


def asks_for_final(texts: Set[str]) -> bool:
    """Whether code with these strings asks for final observations, or for final infos for more than statistics.

    The mask of final observations alone tells which episodes ended.
    """
    observations = any(one in OF_OBSERVATIONS and not one.startswith("_") for one in texts)
    return observations or (not texts.isdisjoint(OF_INFOS) and STATISTICS not in texts)


def taking_mode(dotted: str) -> str:
    """The row of `TAKING_MODE` that a name of the library has; empty: none."""
    root, _, name = dotted.partition(".")
    fitting = (row for row in TAKING_MODE if name == row or name.endswith(f".{row}"))
    return next(fitting, "") if root in _WITH_MODES else ""


def default_mode(target: Release) -> Autoreset:
    """How a vector environment of a release resets when it is not told."""
    return DEFAULT_MODES[max(first for first in DEFAULT_MODES if first <= target)]

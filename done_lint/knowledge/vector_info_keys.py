"""What the infos of vector environments are called, by version and autoreset mode (data)."""

from __future__ import annotations

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

#: Members of `AutoresetMode` and their values. Gymnasium 1.1 vector.vector_env.
MODES: dict[str, Autoreset] = {
    "NEXT_STEP": "NextStep",
    "NextStep": "NextStep",
    "SAME_STEP": "SameStep",
    "SameStep": "SameStep",
    "DISABLED": "Disabled",
    "Disabled": "Disabled",
}

#: Wrappers after which infos are a list. Gymnasium 1.4 wrappers.vector, Gym 0.26 wrappers.
LISTING = frozenset({"DictInfoToList", "VectorListInfo"})

#: Every key that some version has, by what stands under it; its mask has an underscore before the name.
OF_OBSERVATIONS = frozenset(
    prefix + keys.observation for keys in FINAL_KEYS.values() if keys.observation for prefix in ("", "_")
)
OF_INFOS = frozenset(prefix + keys.info for keys in FINAL_KEYS.values() if keys.info for prefix in ("", "_"))


def final_keys(mode: Autoreset, target: Release) -> FinalKeys:
    """The keys of a release in a mode: those of the newest row that is not newer."""
    rows = [first for first, of_mode in FINAL_KEYS if of_mode == mode and first <= target]
    if not rows:
        return FinalKeys("", "", False, "this mode does not exist there, or has no such keys")
    return FINAL_KEYS[max(rows), mode]


def default_mode(target: Release) -> Autoreset:
    """How a vector environment of a release resets when it is not told."""
    return DEFAULT_MODES[max(first for first in DEFAULT_MODES if first <= target)]

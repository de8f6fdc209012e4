"""Which releases of Gymnasium other packages allow (data).

Only packages that name one release, or bound it above. Source of each row: the field `Requires-Dist` in the metadata
of these releases (package index, 2026-11); what a package requires at least is left out, because an installation
takes the newest release that it may.
"""

from __future__ import annotations

from typing import NamedTuple


class Bound(NamedTuple):
    """The releases of a package that bound Gymnasium in the same way; an empty bound: any release is allowed."""

    versions: tuple[str, ...]
    gymnasium: str


#: Which releases each version of Python can have. Source: the field `Requires-Python` of Gymnasium 0.26.3, 0.27.1,
#: 0.28.1, 0.29.1, 1.0.0, 1.1.1, 1.2.3 and 1.4.0.
PYTHON: tuple[Bound, ...] = (
    Bound(("3.6",), "<0.27"),
    Bound(("3.7",), "<0.29"),
    Bound(("3.8", "3.9"), "<1.2"),
    Bound(("3.10", "3.11", "3.12", "3.13", "3.14"), ""),
)

REQUIREMENTS: dict[str, tuple[Bound, ...]] = {
    "bullet-safety-gym": (Bound(("1.4.0",), "~=0.28.1"),),
    "d3rlpy": (
        Bound(("2.0.2", "2.3.0", "2.4.0", "2.5.0", "2.6.0", "2.6.1", "2.6.2", "2.7.0", "2.8.0"), ""),
        Bound(("2.8.1",), "==1.0.0"),
    ),
    # by safety-gymnasium 0.4.0 and bullet-safety-gym 1.4.0, which it names
    "dsrl": (Bound(("0.1.0",), "==0.28.1"),),
    # by bullet-safety-gym
    "fast-safe-rl": (Bound(("0.1.0",), "~=0.28.1"),),
    "memory-gym": (
        Bound(("0.3.2", "0.3.3", "0.3.4", "0.3.5"), "==0.26.3"),
        Bound(("1.0.0", "1.0.1", "1.0.2"), "==0.29.0"),
    ),
    "mo-gymnasium": (
        Bound(("0.3.0", "0.3.4", "1.0.0"), ""),
        Bound(("1.0.1", "1.1.0"), "<0.30"),
        Bound(("1.2.0", "1.3.0", "1.3.1", "1.3.2"), ""),
    ),
    "safety-gymnasium": (
        Bound(("0.1.0", "0.1.1", "0.1.2", "0.1.3", "0.2.0"), "==0.26.3"),
        Bound(("0.3.0", "0.4.0", "0.4.1", "1.0.0"), "==0.28.1"),
    ),
    "sheeprl": (
        Bound(("0.4.9", "0.5.0", "0.5.5", "0.5.6", "0.5.7"), "==0.29.*"),
        Bound(("0.6.0", "0.6.1", "0.7.0", "0.8.0", "0.8.1", "0.8.3", "0.8.4"), ""),
    ),
    "stable-baselines3": (
        Bound(("2.0.0",), "==0.28.1"),
        Bound(("2.1.0", "2.2.1", "2.3.2"), "<0.30"),
        Bound(("2.4.0", "2.4.1", "2.5.0"), "<1.1"),
        Bound(("2.6.0",), "<1.2"),
        Bound(("2.7.0", "2.7.1", "2.8.0"), "<1.3"),
        Bound(("2.9.0", "2.9.2"), ""),
    ),
}

#: Packages that bring both libraries into an installation, a Gym of before 0.26 among what they allow: DI-engine 0.5.3
#: requires `gym==0.25.1` and `gymnasium` (and types its environments with Gym's spaces), nnabla-rl 0.16.0
#: `gym<0.26.0` and `gymnasium`, openrl 0.2.0 `gym` and `gymnasium>=0.29`. d3rlpy 2.8.1 is none: `gym>=0.26.0` answers
#: as Gymnasium does.
BRINGING_BOTH: frozenset[str] = frozenset({"di-engine", "nnabla-rl", "openrl"})

#: Modules of those that pin a Gym of before 0.26 in every release that has both: a file on Gym that uses one has that
#: Gym. DI-engine 0.4.9 to 0.5.3 (`ding`, `dizoo`) `gym==0.25.1`, nnabla-rl 0.15 and 0.16 `gym<0.26.0`.
PINNING_GYM: frozenset[str] = frozenset({"ding", "dizoo", "nnabla_rl"})

#: The first release on Gymnasium, its major and minor number, of packages that were made for Gym before, and took its
#: version of the environments with them. Changelogs of stable-baselines3 and sb3-contrib 2.0.0: "Switched to Gymnasium
#: as primary backend"; metadata of ray 2.2.0, extra `rllib`: `gym<0.24.0,>=0.21.0`, of 2.3.0: `gymnasium==0.26.3`.
#: d3rlpy 1.1.1 steps four values, 2.0.2 requires `gymnasium`.
FIRST_ON_GYMNASIUM: dict[str, tuple[int, int]] = {
    "stable-baselines3": (2, 0),
    "sb3-contrib": (2, 0),
    "ray": (2, 3),
    "d3rlpy": (2, 0),
}

#: How names end that only the releases on Gymnasium have, by the module: in d3rlpy 2 an algorithm is made by its
#: configuration, `d3rlpy.algos.DQNConfig().create()`.
NAMED_ON_GYMNASIUM: dict[str, str] = {"d3rlpy": "Config"}

#: The extras by which a package of that table brings Gym; any, where it is not named here.
EXTRAS_WITH_GYM: dict[str, frozenset[str]] = {"ray": frozenset({"all", "rllib"})}

#: The modules that code imports of these packages. `ray.tune.registry` makes environments known to RLlib.
IMPORTED_AS: dict[str, str] = {
    "stable_baselines3": "stable-baselines3",
    "sb3_contrib": "sb3-contrib",
    "ray.rllib": "ray",
    "ray.tune.registry": "ray",
    "d3rlpy": "d3rlpy",
}

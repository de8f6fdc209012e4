"""Parameters of the library's environment classes that stood in other places in older releases (data)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from done_lint.core.gymnasium_release import Release
from done_lint.knowledge.gymnasium_changes import ONE, below_root

#: What an argument is, as far as it is seen; `none` may be given for anything, `unknown` may be anything.
Kind = Literal["text", "number", "switch", "grid", "none", "unknown"]


class Parameter(NamedTuple):
    """One parameter of a class, and what is given for it."""

    name: str
    kind: Kind


_MODE = Parameter("render_mode", "text")

#: The parameters of Gym up to 0.24. Since Gym 0.25, and in all of Gymnasium, `render_mode` stands before them.
_BEHIND_MODE: Mapping[str, Sequence[Parameter]] = {
    "PendulumEnv": (Parameter("g", "number"),),
    "MountainCarEnv": (Parameter("goal_velocity", "number"),),
    "Continuous_MountainCarEnv": (Parameter("goal_velocity", "number"),),
    "BlackjackEnv": (Parameter("natural", "switch"), Parameter("sab", "switch")),
    "FrozenLakeEnv": (Parameter("desc", "grid"), Parameter("map_name", "text"), Parameter("is_slippery", "switch")),
    "LunarLander": (
        Parameter("continuous", "switch"),
        Parameter("gravity", "number"),
        Parameter("enable_wind", "switch"),
        Parameter("wind_power", "number"),
        Parameter("turbulence_power", "number"),
    ),
    "BipedalWalker": (Parameter("hardcore", "switch"),),
    "CarRacing": (
        Parameter("verbose", "switch"),
        Parameter("lap_complete_percent", "number"),
        Parameter("domain_randomize", "switch"),
        Parameter("continuous", "switch"),
    ),
}
#: The class that got another parameter before `render_mode`, in Gymnasium 1.0.
_CART_POLE = "CartPoleEnv"
_CART_POLE_TODAY = (Parameter("sutton_barto_reward", "switch"), _MODE)

#: The classes whose parameters have moved.
MOVED = frozenset({_CART_POLE, *_BEHIND_MODE})

#: What each kind of parameter can be given.
_FITTING: Mapping[Kind, frozenset[Kind]] = {
    "text": frozenset({"text", "none", "unknown"}),
    "number": frozenset({"number", "switch", "none", "unknown"}),
    "switch": frozenset({"number", "switch", "none", "unknown"}),
    "grid": frozenset({"grid", "none", "unknown"}),
}


class Meaning(NamedTuple):
    """What positional arguments are given for, and the parameter that stands first today."""

    names: Sequence[str]
    first_today: str


def moved_class(name: str) -> str:
    """The class that a dotted name of the library is, if its parameters have moved."""
    below = below_root(name)
    last = below.rpartition(".")[2]
    return last if below.startswith("envs.") and last in MOVED else ""


def old_meaning(name: str, target: Release, given: Sequence[Kind], keywords: Collection[str]) -> Meaning | None:
    """What the positional arguments of a class were given for, if that is certain and is not what they are today."""
    moved = moved_class(name)
    if not moved or all(kind == "none" for kind in given):
        return None
    before: Sequence[Parameter]
    today: Sequence[Parameter]
    if moved == _CART_POLE:
        if target < ONE:
            return None
        before, today = (_MODE,), _CART_POLE_TODAY
        either = not name.startswith("gym.")  # the parameter of today was never in Gym
    else:
        before, today = _BEHIND_MODE[moved], (_MODE, *_BEHIND_MODE[moved])
        either = True
    if not _fit(before, given, keywords) or (either and _fit(today, given, keywords)):
        return None
    return Meaning([one.name for one in before[: len(given)]], today[0].name)


def _fit(parameters: Sequence[Parameter], given: Sequence[Kind], keywords: Collection[str]) -> bool:
    """Whether a class with these parameters can be given the arguments."""
    behind = {one.name for one in parameters[len(given) :]}
    return (
        len(given) <= len(parameters)
        and behind.issuperset(keywords)
        and all(kind in _FITTING[one.kind] for one, kind in zip(parameters, given, strict=False))
    )

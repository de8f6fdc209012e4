"""Which wrappers `make` puts around an environment, by its id and by what is asked of `make` and `register` (data)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product, takewhile

from done_lint.knowledge.env_apis import BARE, TIME_LIMIT
from done_lint.knowledge.env_id_apis import ATARI, MUJOCO

#: One of the layers of `make`, and it is not known which. Outermost first: Gymnasium 1.4 envs.registration.make.
SOME_LAYER = "make"
ORDER_ENFORCING, _CHECK = "OrderEnforcing", "PassiveEnvChecker"
_OF_MAKE = frozenset({TIME_LIMIT, ORDER_ENFORCING, _CHECK, SOME_LAYER})


@dataclass(frozen=True, slots=True)
class Wrapping:
    """What is known of the layers that `make` puts around an environment; None: nothing."""

    #: `TimeLimit`, which `max_episode_steps` asks for.
    limit: bool | None = None
    #: `OrderEnforcing` and `PassiveEnvChecker`.
    ordered: bool | None = True
    checked: bool | None = True
    #: The environment sets `truncated` by itself.
    truncates: bool | None = None
    #: There may be others as well, outside of these.
    others: bool = False

    @property
    def endless(self) -> bool:
        """Nothing ever truncates an episode."""
        return self.limit is False and self.truncates is False

    @property
    def doubtful(self) -> bool:
        """Nothing says whether an episode can be truncated."""
        return not self.limit and self.truncates is None

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers as far as they are certain, outermost first, and "" for the bare environment."""
        if self.others:
            return ()
        choices = [
            [(name,)] if there else [()] if there is False else [(name,), ()]
            for name, there in ((TIME_LIMIT, self.limit), (ORDER_ENFORCING, self.ordered), (_CHECK, self.checked))
        ]
        return common_layers(tuple(name for part in one for name in part) + BARE for one in product(*choices))


#: An id of which no table says anything.
UNKNOWN = Wrapping()

_LIMITED = Wrapping(limit=True)
_OWN_LIMIT = Wrapping(limit=False, truncates=True)
_ENDLESS = Wrapping(limit=False, truncates=False)


@dataclass(frozen=True, slots=True)
class _Row:
    """Ids (a regular expression), how `make` wraps their environments, and where that was read."""

    pattern: str
    wrapping: Wrapping
    source: str


_OF_LIBRARY = (
    r"(Acrobot|CartPole|MountainCar|MountainCarContinuous|Pendulum|FrozenLake|FrozenLake8x8|Taxi"
    rf"|(BipedalWalker|LunarLander)\w*|CarRacing|{'|'.join(MUJOCO)})-v\d+"
)
#: The most steps that the library registers one of these with: `BipedalWalkerHardcore-v3`. Gymnasium 1.4 envs.
LONGEST_LIMIT = 2000

_ROWS: tuple[_Row, ...] = (
    _Row(r"ALE/\w+-v5", _OWN_LIMIT, "ale-py 0.12.1 registration: no limit; AtariEnv.step counts frames"),
    _Row(rf"({'|'.join(ATARI)})(NoFrameskip)?-v[04]", _OWN_LIMIT, "ale-py 0.12.1 registration, the same"),
    _Row(r"(Blackjack|CliffWalking|CliffWalkingSlippery)-v\d+", _ENDLESS, "Gymnasium 1.4 envs"),
    _Row(_OF_LIBRARY, _LIMITED, "Gymnasium 1.4 envs"),
    _Row(r"phys2d/\w+-v\d+", Wrapping(True, ordered=False, checked=False), "Gymnasium 1.4 envs"),
    _Row(
        r"tabular/\w+-v\d+",
        Wrapping(False, ordered=False, checked=False, truncates=False),
        "Gymnasium 1.4 envs",
    ),
    _Row(r"GymV(21|26)Environment-v0", _OWN_LIMIT, "Gymnasium 1.4 envs: what is inside has a limit of its own"),
    _Row(r"(MiniGrid|BabyAI)-[\w.-]+-v\d+", _OWN_LIMIT, "minigrid 3.2.0: max_steps"),
    _Row(
        r"(exit|highway|intersection|lane-keeping|merge|parking|racetrack|roundabout|two-way|u-turn)[\w-]*-v\d+",
        _OWN_LIMIT,
        "highway-env 1.12.1: duration",
    ),
    _Row(
        r"(Fetch(Slide|PickAndPlace|Reach|Push)|Hand(Reach|Manipulate))\w*-v\d+", _LIMITED, "gymnasium-robotics 1.4.2"
    ),
    _Row(r"(Ant|Point)Maze\w*-v\d+|AdroitHand\w+-v\d+|FrankaKitchen-v\d+", _LIMITED, "gymnasium-robotics 1.4.2"),
    _Row(r"Panda(Reach|Slide|Push|PickAndPlace|Stack|Flip)\w*-v\d+", _LIMITED, "panda-gym 3.0.7"),
)

#: What an id that is not visible may stand for: any environment, those that are truncated among them.
ANY_ID = Wrapping(truncates=True)

#: Arguments of `make` and `register` that decide about layers.
OPTIONS = frozenset(
    """max_episode_steps timestep_limit disable_env_checker order_enforce autoreset additional_wrappers
    tags""".split()
)
#: What may stand for none of them.
_NOTHING = frozenset({"None", "False", "()", "[]", "{}"})


@cache
def by_id(env_id: str) -> Wrapping | None:
    """How `make` wraps the environment of an id, if a table says so."""
    name = env_id.rpartition(":")[2]
    return next((row.wrapping for row in _ROWS if re.fullmatch(row.pattern, name)), None)


def is_limited_by_library(env_id: str) -> bool:
    """Whether an id is one of those that the library registers with a time limit of its own."""
    return re.fullmatch(_OF_LIBRARY, env_id.rpartition(":")[2]) is not None


def is_endless(text: str) -> bool:
    """Whether a text is an id of an environment that nothing ever truncates."""
    wrapping = by_id(text) if "-v" in text else None
    return wrapping is not None and wrapping.endless


def any_of(wrappings: Sequence[Wrapping]) -> Wrapping:
    """One of several: what they agree on, and whether any of them can be truncated."""
    (first, *others) = wrappings
    if all(one == first for one in others):
        return first
    return Wrapping(
        limit=first.limit if len({one.limit for one in wrappings}) == 1 else None,
        ordered=first.ordered if len({one.ordered for one in wrappings}) == 1 else None,
        checked=first.checked if len({one.checked for one in wrappings}) == 1 else None,
        truncates=True if any(one.limit or one.truncates for one in wrappings) else None,
        others=any(one.others for one in wrappings),
    )


def as_asked(wrapping: Wrapping, options: Mapping[str, str], hidden: bool = False) -> Wrapping:
    """A wrapping after the arguments of a call; those of an option that is no constant are empty texts.

    Args:
        wrapping: what holds without them.
        options: the arguments by name, of those in `OPTIONS`.
        hidden: the call may have others, which are not visible.
    """
    if hidden:
        wrapping = replace(wrapping, limit=wrapping.limit or None, checked=None, truncates=True)
    # `timestep_limit`: Gym 0.7
    steps = options.get("max_episode_steps", options.get("timestep_limit", "None"))
    if steps == "-1":
        wrapping = replace(wrapping, limit=False)
    elif steps.isdigit():
        wrapping = replace(wrapping, limit=True)
    elif steps != "None" and not wrapping.limit:
        wrapping = replace(wrapping, limit=None, truncates=True)
    if "disable_env_checker" in options and options["disable_env_checker"] not in _NOTHING:
        wrapping = replace(wrapping, checked=False if options["disable_env_checker"] == "True" else None)
    if (order := options.get("order_enforce", "True")) != "True":
        wrapping = replace(wrapping, ordered=False if order == "False" else None)
    others = any(options.get(name, "None") not in _NOTHING for name in ("autoreset", "additional_wrappers", "tags"))
    return replace(wrapping, others=wrapping.others or others)


def is_layered_by_make(layers: Sequence[str]) -> bool:
    """Whether all wrappers around an environment are known, and each is one of `make`."""
    return bool(layers) and layers[-1:] == BARE and _OF_MAKE.issuperset(layers[:-1])


def is_added_by_make(layers: Sequence[str]) -> bool:
    """Whether there are wrappers, each of which `make` adds."""
    return bool(layers) and _OF_MAKE.issuperset(layers)


def common_layers(found: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The layers that several environments have in common, outermost first.

    Where layers of `make` differ, it is some layer of `make`; behind anything else that differs nothing is known.
    """

    def one(names: tuple[str, ...]) -> str | None:
        if len(set(names)) == 1:
            return names[0]
        return SOME_LAYER if _OF_MAKE.issuperset(names) else None

    alternatives = list(found)
    shared = tuple(name for name in takewhile(lambda name: name is not None, map(one, zip(*alternatives))) if name)
    return alternatives[0] if len(set(alternatives)) == 1 else shared

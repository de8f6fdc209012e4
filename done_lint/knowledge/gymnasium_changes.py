"""What Gym's and Gymnasium's own names are called today, and which are gone (data).

Names are written without their root package, as they are the same below `gym` and below `gymnasium`. Each row holds
from the release of Gymnasium that it names. Source: every name imported from Gymnasium 0.26.3, 0.29.1, 1.0.0 and
1.4.0, and from Gym 0.21.0 and 0.26.2; for `envs.mujoco`, `error`, `logger` and `registration` also 1.1.1 and 1.2.0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from done_lint.core.gymnasium_release import Release
from done_lint.knowledge.lost_names import lost_names
from done_lint.knowledge.wrapper_modules import WRAPPER_MODULES, is_gone_wrapper_module

Row = TypeVar("Row")

ROOTS = ("gym", "gymnasium")

#: The first release of Gymnasium, and the one that ordered the wrappers anew.
FIRST: Release = (0, 26)
ONE: Release = (1, 0)
#: The last release before that one.
BEFORE_ONE: Release = (0, 29)
#: What the names begin with that no release before has. Gymnasium 1.0 `wrappers/vector/__init__.py`.
_OF_VECTORS = "wrappers.vector."
_NEVER: Release = (1_000, 0)

#: Modules that `import gymnasium` loads by itself. Gymnasium 0.26.3, 0.28.1, 0.29.1, 1.0.0, 1.4.0: `sys.modules`.
LOADED: frozenset[str] = frozenset(
    {"core", "envs", "envs.registration", "error", "logger", "spaces", "utils", "utils.seeding", "vector", "wrappers"}
)


_SPLIT_IN = {"VectorEnv": "vector_env.", "VectorEnvWrapper": "vector_env.", "SyncVectorEnv": "sync_vector_env."}
_SPLIT = {"step": ("step_async", "step_wait"), "reset": ("reset_async", "reset_wait")}
#: Vector environments whose public method called these up to 0.29, and calls none of them since 1.0: the successor of
#: `VectorEnvWrapper` calls `step` of what is inside. Gymnasium 0.29.1 and 1.0.0 `vector`; `AsyncVectorEnv` still has
#: them.
SPLIT_METHODS: dict[str, dict[str, tuple[str, str]]] = {
    f"vector.{module}{name}": _SPLIT for name, module in _SPLIT_IN.items() for module in ("", module)
}
#: Those of them whose constructor took the number of environments and the spaces, and takes nothing since 1.0.
WITHOUT_ARGUMENTS: frozenset[str] = frozenset({"vector.VectorEnv", "vector.vector_env.VectorEnv"})


@dataclass(frozen=True, slots=True)
class Renamed:
    """A name that another one replaces."""

    new: str
    since: Release = ONE
    #: Keyword arguments by their old name; empty: there is no such argument any more.
    arguments: Mapping[str, str] = field(default_factory=dict)
    #: How many positional arguments mean the same as before.
    positional: int = 9
    #: What is different, in one clause, where the change is no rename alone.
    differs: str = ""
    #: The difference is so large that a rename alone would not run.
    manual: bool = False


RENAMED: dict[str, Renamed] = {
    "wrappers.FrameStack": Renamed(
        "wrappers.FrameStackObservation", arguments={"num_stack": "stack_size", "lz4_compress": ""}, positional=2
    ),
    "wrappers.GrayScaleObservation": Renamed("wrappers.GrayscaleObservation"),
    "wrappers.VectorListInfo": Renamed("wrappers.vector.DictInfoToList"),
    "wrappers.AutoResetWrapper": Renamed(
        "wrappers.Autoreset", differs="it resets at the step after the end, no longer at the end itself"
    ),
    "wrappers.PixelObservationWrapper": Renamed(
        "wrappers.AddRenderObservation", differs="its arguments and its observations are others", manual=True
    ),
    **{
        f"vector.{module}VectorEnvWrapper": Renamed(
            "vector.VectorWrapper", differs="it wraps `step` and `reset` alone", manual=True
        )
        for module in ("", "vector_env.")
    },
}


@dataclass(frozen=True, slots=True)
class Signature:
    """Arguments of a wrapper that changed while its name stayed."""

    since: Release = ONE
    #: Keyword arguments by their old name.
    arguments: Mapping[str, str] = field(default_factory=dict)
    #: An argument that must be given now, its position, and what it was when it was left out ("": no such value).
    required: str = ""
    place: int = 0
    default: str = ""
    #: An argument that has to be a tuple now, at `place`: one number stood for both of it, and any sequence was taken.
    pair: str = ""
    #: No release before took the required argument.
    added: bool = False


SIGNATURES: dict[str, Signature] = {
    "wrappers.RecordEpisodeStatistics": Signature(arguments={"deque_size": "buffer_length"}),
    "wrappers.TransformObservation": Signature(
        arguments={"f": "func"}, required="observation_space", place=2, default="None", added=True
    ),
    "wrappers.TransformReward": Signature(arguments={"f": "func"}),
    "wrappers.FilterObservation": Signature(required="filter_keys", place=1),
    # Gym 0.12.6, 0.21.0 and 0.26.2, Gymnasium 0.29.1, 1.0.0 and 1.4.0.
    "wrappers.ResizeObservation": Signature(pair="shape", place=1),
    "wrappers.TimeLimit": Signature(since=(0, 28), required="max_episode_steps", place=1),
}


@dataclass(frozen=True, slots=True)
class Gone:
    """A module or name without a successor of its own, and what to write instead."""

    advice: str
    since: Release = FIRST
    #: Of a function, the attribute that it set.
    sets: str = ""
    #: What to write in the place of the last name; empty: what stands before it is the successor. None: neither.
    member: str | None = None
    #: Of a method of the registry, the function beside the registry that does the same.
    beside: str = ""
    #: Of a constant, its value, which means the same today.
    value: str = ""
    #: Of a class, the base that takes its place where a subclass has all methods that it adds, and these.
    base: str = ""
    methods: tuple[str, ...] = ()
    #: Why nothing is written in its place.
    unfixed: str = "its replacement has another interface"


_ROBOTICS = "use the package `gymnasium-robotics`"
_ATARI = "use the package `ale-py`"
_RENDERING = "draw with `pygame`, as Gymnasium's own environments do"
_SHIMMY = "use the package `shimmy`"
_NONE = "it has no successor; take it out"
_LOST = "import it from where it is defined today, or take it out"
_EXPERIMENTAL = "use `gymnasium.{}`, which has the same classes without the suffix `V0`"

_BY_ID = "make it by its id, or import it from the module of a version, such as `gymnasium.envs.mujoco.ant_v5`"
_ERRORS = "catch the error that the code raises today"
_LEVEL = "set `gymnasium.logger.min_level`"
_BY_KEY = "`gymnasium.registry` is a dictionary of the specifications by id"
_BY_FUNCTION = "`gymnasium.registry` is a dictionary: use `gymnasium.{}(id)`"
_LOGGING = "use the module `logging`"
#: Environments of MuJoCo by their modules.
_MUJOCO = {
    "ant": "AntEnv",
    "half_cheetah": "HalfCheetahEnv",
    "hopper": "HopperEnv",
    "humanoid": "HumanoidEnv",
    "humanoidstandup": "HumanoidStandupEnv",
    "inverted_double_pendulum": "InvertedDoublePendulumEnv",
    "inverted_pendulum": "InvertedPendulumEnv",
    "pusher": "PusherEnv",
    "reacher": "ReacherEnv",
    "swimmer": "SwimmerEnv",
    "walker2d": "Walker2dEnv",
}
#: Names of `typing` that `gym.core` imports, and that Gymnasium writes as `dict` and `X | None` from this release on.
_TYPING = ("Dict", "List", "Optional", "Tuple", "Union")
_OWN_TYPING: Release = (0, 27)
_BY_IMPORT = "the module had the name by an import of its own only"
#: The first release without the environments that need the package `mujoco-py`.
_WITHOUT_MUJOCO_PY: Release = (1, 2)

GONE: dict[str, Gone] = {
    **{name: Gone(_LOST, since) for name, since in lost_names()},
    **{f"envs.mujoco.{name}": Gone(_BY_ID, ONE) for name in _MUJOCO.values()},
    **{f"envs.mujoco.{module}": Gone(_BY_ID, _WITHOUT_MUJOCO_PY) for module in _MUJOCO},
    **{
        f"envs.mujoco.{module}_v3": Gone(_BY_ID, _WITHOUT_MUJOCO_PY)
        for module in ("ant", "half_cheetah", "hopper", "humanoid", "swimmer", "walker2d")
    },
    **{f"envs.mujoco.{name}": Gone(_NONE) for name in ("striker", "thrower", "StrikerEnv", "ThrowerEnv")},
    "envs.mujoco.MuJocoPyEnv": Gone("subclass `gymnasium.envs.mujoco.MujocoEnv`", ONE),
    "envs.mujoco.mujoco_env.MuJocoPyEnv": Gone("subclass `gymnasium.envs.mujoco.MujocoEnv`", ONE),
    "envs.registration.EnvRegistry": Gone(_BY_KEY),
    "envs.registration.env_id_re": Gone("use `gymnasium.envs.registration.parse_env_id`"),
    "envs.registration.load": Gone("use `gymnasium.envs.registration.load_env_creator`", (0, 29)),
    "envs.registration.load_env_plugins": Gone(_NONE, (0, 29)),
    "envs.tests": Gone(_NONE),
    **{
        f"error.{name}": Gone(_ERRORS, ONE)
        for name in (
            *("APIConnectionError", "APIError", "AuthenticationError", "DoubleWrapperError", "InvalidFrame"),
            *("InvalidRequestError", "RateLimitError", "ResetNotAllowed", "RetriesExceededError", "Unregistered"),
            *("UnregisteredBenchmark", "UnseedableEnv", "VideoRecorderError", "WrapAfterConfigureError"),
        )
    },
    **{f"logger.{name}": Gone(_LEVEL, ONE, "min_level") for name in ("set_level", "setLevel")},
    **{f"logger.{name}": Gone(_LOGGING, ONE) for name in ("debug", "info")},
    # Gym 0.21 logger.py; the level of Gymnasium is compared with such numbers too.
    **{
        f"logger.{name}": Gone(_LOGGING, ONE, value=value)
        for name, value in {"DEBUG": "10", "INFO": "20", "DISABLED": "50"}.items()
    },
    **{f"utils.{name}": Gone(_NONE) for name in ("atomic_write", "closer", "json_utils")},
    "vector.utils.numpy_utils": Gone("import its functions from `gymnasium.vector.utils`", ONE),
    "vector.utils.spaces": Gone("import its functions from `gymnasium.vector.utils`", ONE),
    "version": Gone("read `gymnasium.__version__`"),
    "envs.external": Gone(_SHIMMY, (0, 29)),
    "logger.MIN_LEVEL": Gone("`gymnasium.logger.min_level` is the level"),
    "notices": Gone(_NONE),
    "core.env_closer": Gone(_NONE),
    # Gym has them by its own imports alone. Gym 0.26.2, Gymnasium 0.26.3, 0.27.1, 0.29.1, 1.0.0 and 1.4.0 `core`.
    **{f"core.{name}": Gone(f"import `{name}` from `typing`", _OWN_TYPING, unfixed=_BY_IMPORT) for name in _TYPING},
    "core.warn": Gone("use `gymnasium.logger.warn`", _OWN_TYPING, unfixed=_BY_IMPORT),
    "spaces.tests": Gone(_NONE),
    "vector.tests": Gone(_NONE),
    "envs.registration.patch_deprecated_methods": Gone(_NONE),
    "envs.mujoco.mujoco_env.convert_observation_to_space": Gone(_NONE),
    "utils.reraise": Gone("use `raise ... from ...`"),
    **{
        f"envs.toy_text.{name}": Gone(_NONE)
        for name in (
            *("guessing_game", "hotter_colder", "kellycoinflip", "nchain", "roulette", "GuessingGame", "HotterColder"),
            *("KellyCoinflipEnv", "KellyCoinflipGeneralizedEnv", "NChainEnv", "RouletteEnv"),
        )
    },
    "GoalEnv": Gone(
        "subclass `gymnasium_robotics.core.GoalEnv`, or `gymnasium.Env` with a dictionary of observations",
        base="Env",
        methods=("reset", "compute_reward"),
    ),
    "core.GoalEnv": Gone("subclass `gymnasium_robotics.core.GoalEnv`, or `gymnasium.Env`"),
    "benchmark_spec": Gone(_NONE),
    "benchmarks": Gone(_NONE),
    "configuration": Gone(_NONE),
    "undo_logger_setup": Gone(_NONE),
    "envs.registry.env_specs": Gone(_BY_KEY, member=""),
    "envs.registry.all": Gone(_BY_KEY, member="values"),
    # Gym 0.21 `envs.registration.EnvRegistry`. Gym 0.26.2, Gymnasium 0.26.3 to 1.4.0: the registry is a `dict`.
    **{
        f"envs.{module}registry.{name}": Gone(_BY_FUNCTION.format(name), beside=name)
        for module in ("", "registration.")
        for name in ("make", "spec")
    },
    "envs.registration.registry.env_specs": Gone(_BY_KEY, member=""),
    "envs.registration.registry.all": Gone(
        "`gymnasium.registry` is a dictionary: `gymnasium.registry.values()`", member="values"
    ),
    "monitoring": Gone("use `gymnasium.wrappers.RecordVideo`"),
    "scoreboard": Gone(_NONE),
    "envs.algorithmic": Gone(_NONE),
    "envs.atari": Gone(_ATARI),
    "envs.board_game": Gone(_NONE),
    "envs.classic_control.rendering": Gone(_RENDERING),
    "envs.debugging": Gone(_NONE),
    "envs.parameter_tuning": Gone(_NONE),
    "envs.robotics": Gone(_ROBOTICS),
    "envs.safety": Gone(_NONE),
    "envs.toy_text.discrete": Gone("subclass `gymnasium.Env` and draw from `self.np_random`"),
    "envs.unittest": Gone(_NONE),
    "experimental.vector": Gone(_EXPERIMENTAL.format("vector"), ONE),
    "experimental.wrappers": Gone(_EXPERIMENTAL.format("wrappers"), ONE),
    **{f"spaces.{name}": Gone("seed a space with `space.seed(...)`") for name in ("prng", "seed")},
    "utils.seeding.hash_seed": Gone("`seeding.np_random(seed)` takes any seed"),
    "utils.seeding.create_seed": Gone("`seeding.np_random(seed)` takes any seed"),
    "wrappers.EnvCompatibility": Gone(_SHIMMY, ONE),
    "wrappers.FlattenDictWrapper": Gone("wrap in `FilterObservation`, then in `FlattenObservation`"),
    "wrappers.LazyFrames": Gone("`FrameStackObservation` gives arrays", ONE),
    "wrappers.SkipWrapper": Gone("write a wrapper that repeats the action", FIRST),
    "wrappers.StepAPICompatibility": Gone("`gymnasium.utils.step_api_compatibility` has the functions behind it", ONE),
    "wrappers.compatibility": Gone(_SHIMMY, ONE),
}

_OF_ONE_WRAPPER = Gone(
    "import its class from `gymnasium.wrappers`", ONE, unfixed="what it had stands in another module"
)
#: Modules that Gym itself has lost, and that no program runs: they described tasks for a web site. Gym 0.21 has none.
LONG_GONE: frozenset[str] = frozenset({"scoreboard"})
#: All that stood in the package `envs` of any release. Gym 0.5.6 to 0.26.2, Gymnasium 0.29.1 to 1.4.0.
_IN_ENVS: frozenset[str] = frozenset(
    """algorithmic atari board_game box2d classic_control debugging functional_jax_env mujoco parameter_tuning phys2d
    robotics safety tabular tests toy_text unittest
    make pprint_registry register registration registry spec""".split()
)
#: Base classes of Gym whose constructor and simulation are others in Gymnasium, and their module: a subclass has to be
#: written anew. Gym 0.21 and Gymnasium 0.26.3 `envs.mujoco.mujoco_env`: `observation_space` is required, `sim` is gone.
REWRITTEN: frozenset[str] = frozenset({"envs.mujoco.MujocoEnv", "envs.mujoco.mujoco_env"})
#: The class itself, what its constructor has to be given, at which place, and what it had that is gone. The same.
MUJOCO_ENV: frozenset[str] = frozenset({"envs.mujoco.MujocoEnv", "envs.mujoco.mujoco_env.MujocoEnv"})
MUJOCO_SPACE = ("observation_space", 2)
MUJOCO_GONE: Mapping[str, str] = {
    "sim": "read `self.data` and `self.model`, which are those of the package `mujoco`",
    "viewer": "`self.mujoco_renderer` draws",
    "_viewers": "`self.mujoco_renderer` draws",
    "_get_viewer": "`self.mujoco_renderer` draws",
}

#: What GYM402 is about.
MONITOR: dict[str, Release] = {
    "wrappers.Monitor": FIRST,
    "wrappers.monitor": FIRST,
    "wrappers.monitoring": ONE,
}

#: Wrappers of one environment, and those of them that `wrappers.vector` has for vector environments (Gymnasium 1.4).
WRAPPERS = frozenset(
    """AddRenderObservation AddWhiteNoise ArrayConversion AtariPreprocessing Autoreset ClipAction ClipReward
    DelayObservation DiscretizeAction DiscretizeObservation DtypeObservation FilterObservation FlattenObservation
    FrameStackObservation GrayscaleObservation HumanRendering JaxToNumpy JaxToTorch MaxAndSkipObservation
    NormalizeObservation NormalizeReward NumpyToTorch ObstructView OrderEnforcing PassiveEnvChecker
    RecordEpisodeStatistics RecordVideo RenderCollection RepeatAction RescaleAction RescaleObservation
    ReshapeObservation ResizeObservation StickyAction TimeAwareObservation TimeLimit TransformAction
    TransformObservation TransformReward""".split()
)
VECTOR_WRAPPERS = frozenset(
    """ArrayConversion ClipAction ClipReward DtypeObservation FilterObservation FlattenObservation GrayscaleObservation
    HumanRendering JaxToNumpy JaxToTorch NormalizeObservation NormalizeReward NumpyToTorch RecordEpisodeStatistics
    RecordVideo RescaleAction RescaleObservation ReshapeObservation ResizeObservation TransformAction
    TransformObservation TransformReward""".split()
)
#: Those of the wrappers of one environment that 0.29 has as well, under the same name (Gymnasium 0.29.1 `wrappers`).
_OF_BEFORE = frozenset(
    """AtariPreprocessing ClipAction FilterObservation FlattenObservation HumanRendering NormalizeObservation
    NormalizeReward OrderEnforcing PassiveEnvChecker RecordEpisodeStatistics RecordVideo RenderCollection RescaleAction
    ResizeObservation TimeAwareObservation TimeLimit TransformObservation TransformReward""".split()
)
_SINCE_ONE = frozenset(f"wrappers.{name}" for name in WRAPPERS - _OF_BEFORE)
#: Functions and names that a module has not any more, and that other rules are about.
_ELSEWHERE: dict[str, Release] = {"vector.make": ONE}


def below_root(dotted: str) -> str:
    """`wrappers.Monitor` of `gym.wrappers.Monitor`; empty for the package itself and for any other."""
    root, _, rest = dotted.partition(".")
    return rest if root in ROOTS else ""


def is_since_one(name: str) -> bool:
    """Whether no release before 1.0 has a wrapper, or a module of wrappers."""
    return f"{name}.".startswith(_OF_VECTORS) or name in _SINCE_ONE


def canonical(name: str, target: Release) -> str:
    """`wrappers.FrameStack` for `wrappers.frame_stack.FrameStack`, whose module is gone."""
    parts = name.split(".")
    moved = (
        len(parts) == 3 and parts[0] == "wrappers" and target >= ONE and is_gone_wrapper_module(f"wrappers.{parts[1]}")
    )
    return f"wrappers.{parts[2]}" if moved else name


def wrapper_class(name: str, target: Release) -> str:
    """`wrappers.TransformObservation` of `wrappers.transform_observation.TransformObservation`, gone module or not."""
    parts = name.split(".")
    in_module = len(parts) == 3 and parts[0] == "wrappers" and parts[1] in WRAPPER_MODULES - {"vector"}
    return f"wrappers.{parts[2]}" if in_module else canonical(name, target)


def is_copied_in(name: str) -> bool:
    """Whether a name stands in a module that the library never had: somebody copied it into the installed package."""
    package, _, rest = name.partition(".")
    module, inside, _ = rest.partition(".")
    return package == "envs" and bool(inside) and module not in _IN_ENVS


def renamed(name: str, target: Release) -> Renamed | None:
    """What replaces a name under the target."""
    row = RENAMED.get(canonical(name, target))
    return row if row is not None and target >= row.since else None


def gone(name: str, target: Release) -> Gone | None:
    """What to do about a name that is gone, or that stands in a module that is."""
    return _within(GONE, name, lambda row: target >= row.since) or _within(
        GONE, canonical(name, target), lambda row: target >= row.since
    )


def lost(name: str, target: Release) -> Gone | None:
    """The same of what an import asks for: also a module of one wrapper, whose class stands in `wrappers` today."""
    if target >= ONE and name.count(".") == 1 and is_gone_wrapper_module(name):
        return gone(name, target) or _OF_ONE_WRAPPER
    return gone(name, target)


def is_monitor(name: str, target: Release) -> bool:
    """Whether the name belongs to the old recording of videos and statistics."""
    return _within(MONITOR, name, lambda since: target >= since) is not None


def is_missing(name: str, target: Release) -> bool:
    """Whether the target does not have a name of that spelling."""
    return is_monitor(name, target) or gone(name, target) is not None


def current(name: str, target: Release) -> str:
    """The name under the target; empty where there is none that means the same."""
    if is_monitor(name, target) or gone(name, target) or target >= _ELSEWHERE.get(name, _NEVER):
        return ""
    if row := renamed(name, target):
        return "" if row.manual else row.new
    moved = canonical(name, target)
    if moved != name and moved.rpartition(".")[2] not in WRAPPERS:
        return ""
    return "" if target >= ONE and is_gone_wrapper_module(moved) else moved


def _within(rows: Mapping[str, Row], name: str, holds: Callable[[Row], bool]) -> Row | None:
    """The row of the name, or of a module around it."""
    while name:
        row = rows.get(name)
        if row is not None and holds(row):
            return row
        name = name.rpartition(".")[0]
    return None

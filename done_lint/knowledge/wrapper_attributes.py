"""Which attributes the wrappers of Gymnasium have, and which they forward (data)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from done_lint.core.gymnasium_release import Release
from done_lint.knowledge.made_layers import SOME_LAYER

#: The first release whose wrappers have `get_wrapper_attr`. Gymnasium 0.29.1 core.Wrapper, which 0.28.1 lacks.
GET_WRAPPER_ATTR: Release = (0, 29)

#: What every wrapper has, and an environment that `make` gave without any is called anew by.
INITIALIZER = "__init__"
#: What every wrapper has or forwards. Gymnasium 1.4 core.Env and core.Wrapper.
ALWAYS: frozenset[str] = frozenset(
    {
        "action_space",
        "class_name",
        "close",
        "env",
        "get_wrapper_attr",
        "has_wrapper_attr",
        "metadata",
        "np_random",
        "np_random_seed",
        "observation_space",
        "render",
        "render_mode",
        "reset",
        "set_wrapper_attr",
        "spec",
        "step",
        "unwrapped",
        "wrapper_spec",
        "_action_space",
        "_cached_spec",
        "_metadata",
        "_np_random",
        "_np_random_seed",
        "_observation_space",
        "_saved_kwargs",
    }
)

_STATISTICS = "_update_running_mean update_running_mean epsilon"

#: What each wrapper adds, by its name. Gymnasium 1.4 wrappers; a wrapper that is not here may have any attribute.
OWN: dict[str, frozenset[str]] = {
    name: frozenset(attributes.split())
    for name, attributes in {
        "AtariPreprocessing": "_get_obs ale frame_skip game_over grayscale_newaxis grayscale_obs lives noop_max "
        "obs_buffer scale_obs screen_size terminal_on_life_loss",
        "Autoreset": "autoreset",
        "ClipAction": "action func",
        "ClipReward": "func reward",
        "DelayObservation": "delay observation observation_queue",
        "DtypeObservation": "dtype func observation",
        "FilterObservation": "filter_keys func observation",
        "FlattenObservation": "func observation",
        "FrameStackObservation": "obs_queue padding_type padding_value stack_size stacked_obs",
        "GrayscaleObservation": "func keep_dim observation",
        "HumanRendering": "ACCEPTED_RENDER_MODES _render_frame clock screen_size window",
        "MaxAndSkipObservation": "_obs_buffer _skip",
        "NormalizeObservation": f"obs_rms observation {_STATISTICS}",
        "NormalizeReward": f"discounted_reward gamma return_rms {_STATISTICS}",
        "OrderEnforcing": "_disable_render_order_enforcing _has_reset has_reset",
        "PassiveEnvChecker": "_previous_data checked_data_reuse checked_render checked_reset checked_step close_called",
        "RecordEpisodeStatistics": "_stats_key episode_count episode_lengths episode_returns episode_start_time "
        "length_queue return_queue time_queue",
        "RecordVideo": "_capture_frame _video_name disable_logger episode_id episode_trigger frames_per_sec gc_trigger "
        "name_prefix recorded_frames recording render_history start_recording step_id step_trigger stop_recording "
        "video_folder video_length",
        "RenderCollection": "frame_list pop_frames reset_clean",
        "RescaleAction": "action func min_action max_action",
        "RescaleObservation": "func observation",
        "ReshapeObservation": "func observation shape",
        "ResizeObservation": "cv2_shape func observation shape",
        "TimeAwareObservation": "_append_data_func _obs_postprocess_func _time_preprocess_func flatten max_timesteps "
        "normalize_time observation timesteps",
        "TimeLimit": "_elapsed_steps _max_episode_steps",
        "TransformAction": "action func",
        "TransformObservation": "func observation",
        "TransformReward": "func reward",
    }.items()
}

#: By their names before 1.0.
OWN["FrameStack"], OWN["GrayScaleObservation"] = OWN["FrameStackObservation"], OWN["GrayscaleObservation"]

#: What the bases of wrappers have besides `ALWAYS`, by their dotted names below the package.
BASES: dict[str, frozenset[str]] = {
    f"{module}{name}": frozenset(added)
    for name, added in {
        "Wrapper": (),
        "ObservationWrapper": ("observation",),
        "RewardWrapper": ("reward",),
        "ActionWrapper": ("action",),
    }.items()
    for module in ("", "core.")
}

#: The same of bases of environments that wrap nothing: what is only annotated is not there. Gymnasium 1.4 core.Env.
PLAIN_BASES: dict[str, frozenset[str]] = dict.fromkeys(
    ("Env", "core.Env", "utils.EzPickle", "utils.ezpickle.EzPickle"), frozenset()
)
#: What `make` asks a class for, unless its checker is off. Gymnasium 1.4 wrappers/common.py, PassiveEnvChecker.
REQUIRED_OF_CLASSES: tuple[str, ...] = ("action_space", "observation_space")

#: The same of the layers that `make` adds, where it is not known which of them is there.
OWN[SOME_LAYER] = OWN["TimeLimit"] | OWN["OrderEnforcing"] | OWN["PassiveEnvChecker"]

#: The classes of the library whose attributes every wrapper has. Gymnasium 1.4 core.
WITH_HEIRS: frozenset[str] = frozenset(
    f"{root}.{module}{name}" for root in ("gym", "gymnasium") for module in ("", "core.") for name in ("Env", "Wrapper")
)

#: Methods that environments commonly have by the same name.
_OF_BOTH = frozenset({"_get_obs", "_render_frame"})
#: Attributes that some wrapper adds: what asks for one must search all wrappers that are not known.
OF_WRAPPERS: frozenset[str] = frozenset(name for names in OWN.values() for name in names) - _OF_BOTH

#: Counts that old Gym's tables had; Gymnasium 1.4 has them in the spaces alone (CliffWalking excepted).
TABLE_SIZES: dict[str, str] = {"nS": "observation_space.n", "nA": "action_space.n"}
#: Environments that are such a table, the beginning of their ids: those that have lost the counts, and all of them.
WITHOUT_SIZES: tuple[str, ...] = ("FrozenLake", "Taxi")
TABLES: tuple[str, ...] = (*WITHOUT_SIZES, "CliffWalking")

#: What only vector environments have: no environment inside of a wrapper has it. Gymnasium 1.4 vector.VectorEnv.
OF_VECTORS: frozenset[str] = frozenset(
    {"get_attr", "num_envs", "reset_async", "reset_wait", "set_attr", "single_action_space", "single_observation_space"}
    | {"step_async", "step_wait"}
)

#: Methods that a rule of their own knows (GYM103).
ELSEWHERE: frozenset[str] = frozenset({"seed"})

#: Attributes of every environment of old Gym that exist nowhere in Gymnasium, and what is to be said about them.
GONE: dict[str, str] = {
    "configure": "Gymnasium has no `configure`: give the arguments to `make`",
    "monitor": "Gymnasium has no `monitor`: wrap the environment with `RecordVideo`",
}
#: Of these the methods that were there for classes of environments to define, as those of packages still do.
OVERRIDDEN: frozenset[str] = frozenset({"configure"})

#: Attributes of old Gym's tasks that the same tasks of Gymnasium do not have. Gym 0.21 envs/classic_control and
#: envs/box2d; no environment that Gymnasium 1.4 registers has one.
GONE_FROM_TASKS: dict[str, str] = {
    "viewer": "Gymnasium draws without a `viewer`: take the picture that `render()` returns",
    "steps_beyond_done": "where a task still has it, it is called `steps_beyond_terminated`",
}

#: Of these, the names that they have now. Gymnasium 1.4 envs/classic_control/cartpole.py.
RENAMED_OF_TASKS: dict[str, str] = {"steps_beyond_done": "steps_beyond_terminated"}

#: What a task of Gymnasium need not have to be missed where it is asked for: wrappers have it, or old Gym had.
ELSEWHERE_THAN_TASKS: frozenset[str] = frozenset(
    {*OF_WRAPPERS, *GONE, *GONE_FROM_TASKS, *TABLE_SIZES, INITIALIZER, "np_random", "reward_range"}
    | {"bounds", "guess_count", "guess_max", "human_render", "isd", "large", "n", "number", "observation", "range"}
    | {"rounds", "score_label", "slip", "small", "transform", "wealth"}
)

#: By what a task can be put into a state. Gymnasium 1.4 envs/classic_control and envs/toy_text.
STATE: frozenset[str] = frozenset({"s", "state"})

#: Attributes of old Gym's `EnvSpec` by another name. Gym 0.7 to 0.21 envs/registration.py, Gymnasium 1.4 `EnvSpec`.
RENAMED_OF_SPEC: dict[str, str] = {
    "timestep_limit": "max_episode_steps",
    "_entry_point": "entry_point",
    "_env_name": "name",
    "_kwargs": "kwargs",
}
#: Since when the `spec` of what is inside of `TimeLimit` has no limit. Gymnasium 0.28 and 0.29 envs/registration.py.
LIMIT_OF_WRAPPER: Release = (0, 29)
#: Those that are gone, and what is to be said about them. The same.
GONE_FROM_SPEC: dict[str, str] = {
    "tags": "Gymnasium has no tags: the limit of the steps is `spec.max_episode_steps`",
    "trials": "write the number of episodes itself: it was 100 unless `register` was given another",
}
#: What Gym's `AtariPreprocessing` looks for in `env.spec.id`, which programs set where the game skips frames; today's
#: asks the game itself, which an argument of `make` tells. Gym 0.21 and Gymnasium 1.4 `wrappers.AtariPreprocessing`.
ASKS_SPEC = "AtariPreprocessing"
NOT_SKIPPING = "NoFrameskip"
SKIPPED = "frameskip"
#: The tag of old Gym's `EnvSpec` that holds the limit of the steps. Gym 0.9 envs/registration.py.
LIMIT_TAG = "wrapper_config.TimeLimit.max_episode_steps"

#: Where `TimeLimit` keeps the limit that `make` is given as `max_episode_steps`. Gymnasium 1.4 wrappers/common.py.
LIMIT = "_max_episode_steps"

#: What wrappers had before 1.0 and have not any more, by the names of today's wrappers, and what is to be said about
#: it. Gym 0.21 to 0.26 and Gymnasium 0.29 wrappers; in `RecordEpisodeStatistics` what `Monitor` had, which it replaces.
LOST: dict[str, dict[str, str]] = {
    "RecordEpisodeStatistics": {
        "get_episode_lengths": "read `length_queue` of `RecordEpisodeStatistics`",
        "get_episode_rewards": "read `return_queue` of `RecordEpisodeStatistics`",
        "get_total_steps": "count the steps",
        "stats_recorder": "read the queues of `RecordEpisodeStatistics`",
    },
    "RecordVideo": {
        "start_video_recorder": "call `start_recording` of `RecordVideo`, which is given a name",
        "close_video_recorder": "call `stop_recording` of `RecordVideo`, if there is a recording",
        "video_recorder": "read `recorded_frames` of `RecordVideo`",
    },
}
_OF_STACKS = {"frames": "obs_queue", "num_stack": "stack_size"}
#: The same of what only has another name.
RENAMED: dict[str, dict[str, str]] = {
    "FrameStack": _OF_STACKS,
    "FrameStackObservation": _OF_STACKS,
    "NormalizeReward": {"returns": "discounted_reward"},
    "TimeAwareObservation": {"t": "timesteps"},
    "TransformObservation": {"f": "func"},
    "TransformReward": {"f": "func"},
}

#: The outermost of several environments, where each is a known wrapper and they differ: what any of them has, or had by
#: another name, is a matter of the right one.
SOME_WRAPPER = "wrapper"
OWN[SOME_WRAPPER] = frozenset(name for names in (*OWN.values(), *LOST.values(), *RENAMED.values()) for name in names)


def any_wrapper(found: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The same for the layers around these environments; empty: one of them has none, or one that is not known."""
    return (SOME_WRAPPER,) if all(layers and layers[0] in OWN for layers in found) else ()

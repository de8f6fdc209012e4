"""Arguments of calls in old Gym, and what became of them (data)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from done_lint.core.gymnasium_release import Release
from done_lint.knowledge.gymnasium_changes import FIRST, ONE

#: Arguments of `make` that are gone, and since when. Gym 0.25 alone has the first; Gymnasium 0.29 has the others.
GONE_FROM_MAKE: Mapping[str, Release] = {"new_step_api": FIRST, "apply_api_compatibility": ONE, "autoreset": ONE}
#: The functions that hand on what they do not know to the constructor of the environment.
HANDING_ON = frozenset({"make", "make_vec"})
#: Those of the arguments that are no matter of Gym's API alone: an environment may have one of this name.
OF_ENVIRONMENTS_TOO = frozenset({"autoreset"})
#: Why one that asks for something cannot simply go.
STILL_WANTED: Mapping[str, str] = {
    "new_step_api": "",
    "apply_api_compatibility": "the environment may still answer in the old way: Shimmy's `GymV26CompatibilityV0` or "
    "`GymV21CompatibilityV0` adapts it",
    "autoreset": "`gymnasium.wrappers.Autoreset` takes its place, but resets one step later",
}

#: The functions that register an environment, without the root package.
REGISTER = frozenset({"register", "envs.register", "envs.registration.register"})
#: A class of the library's as `register` takes it: `gym.envs.classic_control:CartPoleEnv`.
ENTRY_OF_GYM = re.compile(r"gym(?:\.\w+)+:\w+", re.ASCII)
#: A name of the library's as code that imports by texts is given it: `gym.make`, `gym.wrappers.TimeLimit`.
NAME_OF_GYM = re.compile(r"gym\.(?:make|Env|Wrapper|(?:wrappers|envs)\.(?:\w+\.)*[A-Z]\w*)", re.ASCII)
#: A module of the library's as `import_module` is given it.
MODULE_OF_GYM = re.compile(r"gym(?:\.\w+)*", re.ASCII)
#: What `register` takes by keyword. Gymnasium 1.0 and 1.4; up to 0.28 other keywords went to the environment.
REGISTER_ARGUMENTS = frozenset(
    """id entry_point reward_threshold nondeterministic max_episode_steps order_enforce disable_env_checker
    additional_wrappers vector_entry_point kwargs""".split()
)

#: The space whose shape Gym took as a number, as numpy does, up to 0.14: `spaces.Box` since 0.15 makes a tuple of it.
BOX = frozenset({"spaces.Box", "spaces.box.Box"})
#: The place of that argument.
PLACE_OF_SHAPE = 2

#: Wrappers of vector environments whose `reset` takes a seed by position. Gymnasium 1.4 wrappers.vector.
SEED_BY_POSITION = frozenset({"RecordEpisodeStatistics"})

#: The function that is `make_vec` now, and its parameters in order. Gym 0.26 vector.make.
VECTOR_MAKE = ("gym.vector.make", "gymnasium.vector.make")
#: What asks the registration of an id for a vector environment of its own. Gymnasium 1.4 envs/registration.py.
REGISTERED_VECTORS = frozenset({"gymnasium.make_vec", "gymnasium.envs.registration.make_vec"})
#: With this argument it puts the environments side by side itself.
VECTORIZATION = "vectorization_mode"
#: Where `make_vec` takes it by position, and those of its values that leave it to the id: such a vector environment
#: resets as it likes, and `vector_kwargs` beside it raises an error. Gymnasium 1.4 envs/registration.py.
VECTORIZATION_PLACE = 2
LEFT_TO_THE_ID = frozenset({'"vector_entry_point"', "'vector_entry_point'", "VectorizeMode.VECTOR_ENTRY_POINT", "None"})
#: Gymnasium's ids with a vector environment of their own; `make_vec` makes that one unless it is told another way.
#: Gymnasium 1.4 envs/__init__.py.
OWN_VECTORS = frozenset(
    {"CartPole-v0", "CartPole-v1"} | {f"phys2d/{one}" for one in ("CartPole-v0", "CartPole-v1", "Pendulum-v0")}
)
#: The first release with `make_vec`. Gymnasium 0.28.1.
MAKE_VEC: Release = (0, 28)
VECTOR_MAKE_PARAMETERS = ("id", "num_envs", "asynchronous", "wrappers", "disable_env_checker")

#: Arguments of `Monitor` under the names that `RecordVideo` gives them, and those that are gone. Gym 0.21.
MONITOR: Mapping[str, str] = {"env": "env", "directory": "video_folder", "video_callable": "episode_trigger"}
MONITOR_LOST = frozenset({"force", "resume", "write_upon_reset", "uid", "mode"})
#: What `RecordVideo` asks at every step, and what it asks at every reset. Up to Gymnasium 0.29 the first one was asked
#: only while nothing was recorded; since 1.0 each yes ends a recording and begins another one. wrappers/rendering.py.
STEP_TRIGGER, EPISODE_TRIGGER = "step_trigger", "episode_trigger"
#: The most frames of one video.
CLIP_LENGTH = "video_length"
#: Where the arguments of `Monitor` stand.
MONITOR_PARAMETERS = (*MONITOR, "force", "resume")

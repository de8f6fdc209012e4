"""In which way a vector environment resets by itself, as far as the calls that make it say so, and what is known of it.

All that can be said without the code around these calls stands here, so that a file in which nothing comes of it need
not be parsed by LibCST.
"""

from __future__ import annotations

from done_lint.core.gymnasium_release import Release, Supported
from done_lint.facts.facts import Facts
from done_lint.facts.kinds.environments import Env, Made
from done_lint.facts.kinds.rows import Row
from done_lint.knowledge.env_apis import NEXT_STEP_ONLY
from done_lint.knowledge.gymnasium_changes import ONE
from done_lint.knowledge.old_arguments import VECTOR_MAKE
from done_lint.knowledge.vector_info_keys import MAKING_NEXT_STEP, SINCE_ONE, Autoreset, default_mode

_SINGLE = frozenset({"gym.make", "gymnasium.make"})
_MODES = ".vector.AutoresetMode"


def autoreset_mode(env: Env, target: Release) -> Autoreset | None:
    """The mode of a vector environment: where nothing asks for one that of the target, None where it is not visible.

    One that only an annotation shows has the mode of all that the program makes.
    """
    if env.api in NEXT_STEP_ONLY:
        return "NextStep"
    if not env.made:
        return env.usual
    # where one environment may stand in the place of several, the others have a mode all the same
    several = [made for made in env.made if made.function not in _SINGLE]
    # what tests try says nothing of the program, which makes its own
    of_program = [made for made in several if not made.in_test]
    modes = {_of(made, target) for made in of_program or several}
    return modes.pop() if len(modes) == 1 else None


def is_asked_for_same_step(env: Env) -> bool:
    """Whether some program asks for the reset in the same step, whatever other ones do."""
    return any(made.mode == "SameStep" and not made.in_test for made in env.made)


def row_mode(row: Row, target: Release) -> Autoreset | None:
    """The mode of the environment of a row; where only an annotation or a base class shows it, that of the release.

    What has no other mode keeps it, whatever the release.
    """
    of_release = row.unasked and row.env.api not in NEXT_STEP_ONLY
    return default_mode(target) if of_release else autoreset_mode(row.env, target)


def _of(made: Made, target: Release) -> Autoreset | None:
    if made.function in MAKING_NEXT_STEP:
        return "NextStep"
    mode = made.mode
    if mode == "unknown" or (mode == "old" and target >= ONE):
        return None
    return default_mode(target) if mode == "default" or mode == "probable" or mode == "old" else mode


def visible_mode(made: Made) -> Autoreset | None:
    """The mode that a call asks for, or has because no release from 1.0 on has what it calls; None: it shows none."""
    if made.mode == "NextStep" or made.mode == "SameStep" or made.mode == "Disabled":
        return made.mode
    return "SameStep" if made.mode == "default" and _is_gone(made) else None


def _is_gone(made: Made) -> bool:
    """Whether Gymnasium has what makes it no longer, or never had."""
    return made.function.startswith("gym.") or made.function in VECTOR_MAKE


def knows_modes(facts: Facts) -> bool:
    """Whether a file asks for a mode itself: then it was written for a release that has them."""
    made = (one for env in facts.envs.values() for one in env.made)
    written = any(name.endswith(_MODES) for name in facts.names.values())
    return written or any(one.mode not in ("default", "probable", "unknown", "old") for one in made)


def asks_for_one(releases: Supported) -> bool:
    """Whether the project's own files allow no release before 1.0."""
    return releases.own is not None and releases.own[0] >= ONE


def made_before_one(made: Made, releases: Supported, *, knows_modes: bool) -> bool | None:
    """Whether a vector environment was made for a release that resets in another step than the newest one.

    Args:
        made: the call that makes it.
        releases: what the file has to run with.
        knows_modes: whether the file asks for a mode anywhere.

    Returns:
        None where only the code around the call can show it.
    """
    if made.mode != "default" or releases.newest < ONE or made.function.startswith(SINCE_ONE):
        return False
    if _is_gone(made):
        return True
    if knows_modes:
        return False
    if asks_for_one(releases):
        return None  # what the file calls may be gone there
    own = releases.own
    shown = made.old_infos or made.wrapped_as_single or made.own_wrapper
    return True if shown or (own is not None and own[1] < ONE) else None

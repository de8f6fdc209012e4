"""In which way a vector environment resets by itself, as far as the calls that make it say so."""

from __future__ import annotations

from done_lint.facts.facts import Env
from done_lint.knowledge.env_apis import NEXT_STEP_ONLY
from done_lint.knowledge.vector_info_keys import Autoreset, Mode, default_mode
from done_lint.rewrites.context import Context

_SINGLE = frozenset({"gym.make", "gymnasium.make"})


def autoreset_mode(context: Context, env: Env) -> Autoreset | None:
    """The mode of a vector environment: where nothing asks for one that of the target, None where it is not visible."""
    if env.api in NEXT_STEP_ONLY:
        return "NextStep"
    # where one environment may stand in the place of several, the others have a mode all the same
    modes = {_of(context, made.mode) for made in env.made if made.function not in _SINGLE}
    return modes.pop() if len(modes) == 1 else None


def _of(context: Context, mode: Mode) -> Autoreset | None:
    if mode == "unknown":
        return None
    return default_mode(context.target) if mode == "default" or mode == "probable" else mode

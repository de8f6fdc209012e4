"""The slots of what a step or a reset returned."""

from __future__ import annotations

from done_lint.analysis import flag_lattice
from done_lint.analysis.context import Analysis
from done_lint.analysis.env_evidence import Use
from done_lint.analysis.flag_evidence import Ending, FlagSource
from done_lint.analysis.values import (
    Environment,
    EnvResult,
    Info,
    Observation,
    Site,
    StepPart,
    StepValue,
)
from done_lint.flowgraph.keys import TextKey
from done_lint.knowledge import env_apis

#: The slots of a step that rows of transitions are made of.
_PARTS: dict[str, StepPart] = {
    "obs": "obs",
    "reward": "reward",
    "terminated": "flag",
    "truncated": "flag",
    "done": "flag",
}
TIME_LIMIT = TextKey("TimeLimit.truncated")
#: The same of Isaac Gym's environments, and of those that are written after them. IsaacGymEnvs `VecTask.step`.
TIME_OUTS = TextKey("time_outs")


def slot(at: Analysis, result: EnvResult, arity: int, position: int, target: int) -> None:
    """Slot `position` of a step of `arity` values: a flag, the info, the observation or the reward."""
    made = at.solver.get(result.env, Environment)
    api = made.api
    if position < 0:
        position += arity
    names = _names(api, arity)
    if not 0 <= position < len(names):
        return
    name = names[position]
    if api.vector and (api.five or api in env_apis.NEXT_STEP_ONLY) and name in _PARTS:
        _of_several(at, result, _PARTS[name], target)
    if name in ("terminated", "truncated", "done"):
        _flag(at, made, name, at.program.origin_site(result.node), target)
    elif name == "obs":
        at.put(target, Observation())
    elif name in ("reward", "rewards"):
        at.flags.rewards.add(target)
    elif name == "info":
        at.put(target, Info(result.env, arity, result.node))


def _names(api: env_apis.Api, arity: int) -> tuple[str, ...]:
    """What the values of a step are that is unpacked into so many."""
    if len(api.step) == arity:
        return api.step
    other = env_apis.OTHER_STEPS.get(api, env_apis.FOUR if api.five else ())
    return other if len(other) == arity else ()


def _flag(at: Analysis, made: Environment, name: str, site: Site, target: int) -> None:
    """A flag; without a time limit, *done* is *terminated*, and nothing is ever truncated.

    Where the observation tells the time, the limit is a part of the task: the value behind it is zero. The episode
    still ends there.
    """
    array = flag_lattice.ARRAY if made.api.vector else 0
    limitless = made.unlimited or env_apis.TIME_AWARE in made.layers
    if name == "truncated":
        if not limitless:
            at.solver.add(target, flag_lattice.TRUNCATED | array)
            at.flags.sources[target] = FlagSource(site, "truncated")
        return
    word = "terminated" if limitless else name
    at.solver.add(target, (flag_lattice.TERMINATED if word == "terminated" else flag_lattice.DONE) | array)
    at.flags.sources[target] = FlagSource(site, word)
    if not made.unlimited:
        at.flags.endings[target] = Ending(site, made.api.vector, made.node)


def _of_several(at: Analysis, result: EnvResult, part: StepPart, target: int) -> None:
    """A part of the row that a step gives of each of several environments."""
    at.put(target, StepValue(part, result.node))
    at.flags.steps_of_several.setdefault(result.node, set()).add(result.env)


def take_reset(at: Analysis, reset: int, use: int, source: int) -> None:
    """A use that takes a reset's value apart: one of the same function, or behind a test of what it is.

    An observation that travels into another function may be unpacked there for what it holds.
    """
    at.envs.taken.setdefault(reset, []).append(
        Use(None if at.program.is_guarded(use) else at.program.home(use), source)
    )


def time_limit(at: Analysis, info: Info, target: int) -> None:
    """What an info says of the time limit is truncation, but never set by a step of five values."""
    if info.arity == 4 or not at.solver.get(info.env, Environment).api.five:
        # what a vector environment writes itself is read back above
        at.solver.add(target, flag_lattice.TRUNCATED)
        at.flags.sources.setdefault(target, FlagSource(at.program.origin_site(info.node), "the time limit"))

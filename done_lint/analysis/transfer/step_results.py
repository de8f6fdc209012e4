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
)
from done_lint.flowgraph.keys import TextKey
from done_lint.knowledge import env_apis

TIME_LIMIT = TextKey("TimeLimit.truncated")


def slot(at: Analysis, result: EnvResult, arity: int, position: int, target: int) -> None:
    """Slot `position` of a step of `arity` values: a flag, the info, the observation or the reward."""
    made = at.solver.get(result.env, Environment)
    api, unlimited = made.api, made.unlimited
    if position < 0:
        position += arity
    array = flag_lattice.ARRAY if api.vector else 0
    site = at.program.origin_site(result.node)
    names = api.step if len(api.step) == arity else env_apis.FOUR if api.five and arity == 4 else ()
    if not 0 <= position < len(names):
        return
    name = names[position]
    if name == "terminated" or (name == "done" and unlimited):
        at.solver.add(target, flag_lattice.TERMINATED | array)
        at.flags.sources[target] = FlagSource(site, "terminated")
        if not unlimited:
            at.flags.endings[target] = Ending(site, api.vector)
    elif name == "done":
        at.solver.add(target, flag_lattice.DONE | array)
        at.flags.sources[target] = FlagSource(site, "done")
        at.flags.endings[target] = Ending(site, api.vector)
    elif name == "truncated" and not unlimited:
        at.solver.add(target, flag_lattice.TRUNCATED | array)
        at.flags.sources[target] = FlagSource(site, "truncated")
    elif name == "obs":
        at.put(target, Observation())
    elif name in ("reward", "rewards"):
        at.flags.rewards.add(target)
    elif name == "info":
        at.put(target, Info(result.env, arity, result.node))


def take_reset(at: Analysis, reset: int, use: int, source: int) -> None:
    """A use that takes a reset's value apart: one of the same function, or behind a test of what it is.

    An observation that travels into another function may be unpacked there for what it holds.
    """
    at.envs.taken.setdefault(reset, []).append(
        Use(None if at.program.is_guarded(use) else at.program.home(use), source)
    )


def time_limit(at: Analysis, info: Info, target: int) -> None:
    """`info["TimeLimit.truncated"]` is truncation, but never set by a step of five values."""
    if info.arity == 4 or not at.solver.get(info.env, Environment).api.five:
        # what a vector environment writes itself is read back above
        at.solver.add(target, flag_lattice.TRUNCATED)
        at.flags.sources.setdefault(target, FlagSource(at.program.origin_site(info.node), "the time limit"))

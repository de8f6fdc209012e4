"""What a dm_env `TimeStep` says of an episode's end.

dm_env 1.6, `docs/index.md`: a `TimeStep(step_type, reward, discount, observation)`. The last step of an episode has the
type LAST, whether it terminated or was truncated; its `discount` is 0 only where it terminated. So `last()` is what Gym
called *done*, and `discount` is a mask of *terminated* that is 1 where the value goes on.
"""

from __future__ import annotations

from done_lint.analysis import flag_lattice
from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis, AttributeRule, CallRule
from done_lint.analysis.flag_evidence import FlagSource
from done_lint.analysis.values import (
    IsLast,
    StepType,
    TimeStep,
    Value,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_apis

#: The class itself, as annotations and constructors name it. dm_env 1.6.
TIME_STEP = "dm_env.TimeStep"
#: Its fields: a NamedTuple is also unpacked and indexed.
_FIELDS = ("step_type", "reward", "discount", "observation")


def stepped(at: Analysis, name: str, api: env_apis.Api | None, target: int) -> None:
    """A dm_env environment was stepped or reset."""
    if api == env_apis.DM_ENV and name in ("step", "reset"):
        at.put(target, TimeStep())


def _read_time_step(at: Analysis, name: str, target: int) -> None:
    """A field of a time step, or its method `last`."""
    if name == "discount":
        at.solver.add(target, flag_lattice.TERMINATED | flag_lattice.KEEP)
        at.flags.sources.setdefault(target, FlagSource(None, "discount"))
    elif name in ("last", "step_type"):
        at.put(target, StepType() if name == "step_type" else IsLast())


def attribute_of_time_step(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    _read_time_step(at, name, target)


def attribute_of_step_type(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    if name == "last":
        at.put(target, IsLast())


def call_last(at: Analysis, number: int, call: Call) -> None:
    """`timestep.last()`."""
    _comes_from_last(at, call.result)


def is_last(at: Analysis, survey: Survey, base: int, number: int, op: ops.IsLast) -> None:
    """`timestep.step_type == StepType.LAST`."""
    if isinstance(at.solver.value(number), StepType):
        _comes_from_last(at, base + op.target)


def item_of_time_step(at: Analysis, position: int, target: int) -> None:
    """One of its four fields by position."""
    if -len(_FIELDS) <= position < len(_FIELDS):
        _read_time_step(at, _FIELDS[position], target)


def _comes_from_last(at: Analysis, target: int) -> None:
    at.solver.add(target, flag_lattice.DONE)
    at.flags.sources.setdefault(target, FlagSource(None, "LAST"))
    at.flags.lasts.add(target)


ATTRIBUTES: dict[type[Value], AttributeRule] = {TimeStep: attribute_of_time_step, StepType: attribute_of_step_type}
CALLS: dict[type[Value], CallRule] = {IsLast: call_last}

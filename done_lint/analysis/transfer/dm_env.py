"""What a dm_env `TimeStep` says of an episode's end.

dm_env 1.6, `docs/index.md`: a `TimeStep(step_type, reward, discount, observation)`. The last step of an episode has the
type LAST, whether it terminated or was truncated; its `discount` is 0 only where it terminated. So `last()` is what Gym
called *done*, and `discount` is a mask of *terminated* that is 1 where the value goes on.
"""

from __future__ import annotations

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import Birth, Call, Program
from done_lint.analysis.values import IsLast, StepType, TimeStep
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_apis

#: The class itself, as annotations and constructors name it. dm_env 1.6.
TIME_STEP = "dm_env.TimeStep"
#: Its fields: a NamedTuple is also unpacked and indexed.
_FIELDS = ("step_type", "reward", "discount", "observation")


class TimeSteps(Program):
    """Knows which values are time steps, and what is read of them."""

    def stepped(self, name: str, api: env_apis.Api | None, target: int) -> None:
        """A dm_env environment was stepped or reset."""
        if api is env_apis.DM_ENV and name in ("step", "reset"):
            self.add(target, self.intern(TimeStep()))

    def read_time_step(self, name: str, target: int) -> None:
        """A field of a time step, or its method `last`."""
        if name == "discount":
            self.add(target, flag_lattice.TERMINATED | flag_lattice.KEEP)
            self.births.setdefault(target, Birth(None, "discount"))
        elif name in ("last", "step_type"):
            self.add(target, self.intern(StepType() if name == "step_type" else IsLast()))

    def a_timestep(self, number: int, name: str, target: int, source: int) -> None:
        self.read_time_step(name, target)

    def a_steptype(self, number: int, name: str, target: int, source: int) -> None:
        if name == "last":
            self.add(target, self.intern(IsLast()))

    def c_last(self, number: int, call: Call) -> None:
        """`timestep.last()`."""
        self._born(call.result)

    def w_last(self, s: Survey, n: int, number: int, op: ops.IsLast) -> None:
        """`timestep.step_type == StepType.LAST`."""
        if isinstance(self.value(number), StepType):
            self._born(n + op.target)

    def item_of_time_step(self, position: int, target: int) -> None:
        """One of its four fields by position."""
        if -len(_FIELDS) <= position < len(_FIELDS):
            self.read_time_step(_FIELDS[position], target)

    def _born(self, target: int) -> None:
        self.add(target, flag_lattice.DONE)
        self.births.setdefault(target, Birth(None, "LAST"))
        self.lasts.add(target)

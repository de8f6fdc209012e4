"""Which vector environments are reset by the program: `envs.reset(options={"reset_mask": done})`, `envs.reset(ended)`.

Such a reset also takes back the one that would be due in the next step: no step only resets.
Gymnasium 1.1 `vector/sync_vector_env.py`, `vector/async_vector_env.py`; EnvPool `python/envpool.py`, `reset(env_id)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Object, ResetResult, StepValue
from done_lint.flowgraph.keys import TextKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_MASK = TextKey("reset_mask")


def reset_by_flags(analysis: Analysis) -> frozenset[int]:
    """The steps whose flags, both of them, choose which environments are reset."""
    solver = analysis.solver
    return frozenset(
        value.step
        for node in _masks(analysis)
        if any(map(flag_lattice.mixed, analysis.arrays.flat_flags(node)))
        for value in solver.values(node, StepValue)
        if value.part == "flag"
    )


def reset_one_by_one(analysis: Analysis) -> frozenset[int]:
    """The steps of environments of which some are reset by their numbers."""
    solver, program = analysis.solver, analysis.program
    given = [
        program.bases[path] + call.result
        for path, survey in program.surveys.items()
        for call in survey.calls()
        if call.args
    ]
    reset = {one.env for node in given for one in solver.values(node, ResetResult) if one.node == node}
    several = analysis.flags.steps_of_several.items() if reset else ()
    return frozenset(step for step, envs in several if not reset.isdisjoint(envs))


def _masks(analysis: Analysis) -> Iterator[int]:
    """The nodes of the masks that are options of a call."""
    solver, owned = analysis.solver, analysis.objects.owned
    for path, survey in analysis.program.surveys.items():
        base = analysis.program.bases[path]
        options = (base + one.node for call in survey.calls() for one in call.keywords if one.name == "options")
        fields = (field for node in options for number in solver.all(node, Object) for field in owned.get(number, ()))
        yield from (node for key, node in fields if key == _MASK)

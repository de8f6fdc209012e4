"""Calls of Gymnasium's `make` that put no wrapper around: the program gives the environment what no wrapper takes.

`env.step(action, fast=True)`, `env.reset(level=2)`: around an id that another package registers without wrappers
(`order_enforce=False, disable_env_checker=True`) both are right, and inside of a wrapper they raise `TypeError`
(1.0, `wrappers/common.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Environment
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import made_layers
from done_lint.knowledge.env_apis import MADE_LAYERS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Arguments that the wrappers of `make` hand on, and one that a rule takes away; None: `**arguments`.
_HANDED_ON = {"reset": frozenset({"seed", "options", "return_info", None}), "step": frozenset({"action", None})}


def calls_past_wrappers(survey: Survey, method: str) -> Iterator[tuple[ops.Attribute, ops.Call, str]]:
    """The calls of a method with an argument that no wrapper of `make` hands on: the read, the call, the argument."""
    for read in survey.telling:
        for call in survey.waiting.get(read.target, ()) if read.name == method else ():
            if isinstance(call, ops.Call):
                other = next((one.name for one in call.keywords if one.name not in _HANDED_ON[method]), None)
                if other:
                    yield read, call, other


def unwrapped_makes(at: Analysis) -> frozenset[int]:
    """The nodes of such calls of `make`; of ids that a table or the project has, the wrappers are known."""
    found: set[int] = set()
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for method in _HANDED_ON:
            for read, call, argument in calls_past_wrappers(survey, method):
                values = [at.solver.value(number) for number in at.solver.held[base + read.source]]
                made = [one.node for one in values if isinstance(one, Environment) and one.layers == MADE_LAYERS]
                if len(made) < len(values) or at.program.is_guarded(base + call.result):
                    continue
                if all(_may_be_bare(at, one, method, argument) for one in made):
                    found.update(made)
    return frozenset(found)


def _may_be_bare(at: Analysis, made: int, method: str, argument: str) -> bool:
    """Whether another package may have registered what a call of Gymnasium's `make` makes."""
    if made not in at.envs.make_calls or not at.envs.makes[made].function.startswith("gymnasium."):
        return False  # wrappers of old Gym hand any argument on
    if registrations.wrapping(at, made).limit:
        return False
    ids = [one.rpartition(":")[2] for one in registrations.made_ids(at, made)]
    if any(made_layers.by_id(one) or registrations.registered_as(one, at.envs.registered) for one in ids):
        return False
    return not any(_takes(at, one, method, argument) for one in registrations.possible_entries(at, made))


def _takes(at: Analysis, owner: ClassId, method: str, argument: str) -> bool:
    """Whether a method of a class of the project, which may be the one that is made, takes an argument."""
    found = at.classes.method_of(owner.path, owner.number, method)
    if found is None:
        return False
    function = at.program.function_at(found)
    return function.kwarg >= 0 or any(name == argument for name, _ in function.params)

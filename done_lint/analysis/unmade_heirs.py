"""Environment classes that are called by the `step` of a base, and made by nothing in sight: their id is elsewhere.

`def _move(self, action): return obs, reward, done, {}` is a step where the base returns `self._move(action)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Instance
from done_lint.flowgraph import operations as ops


def note(at: Analysis) -> None:
    """Give such objects to the `step` that their class inherits, as who makes and steps one would."""
    for path, survey in at.program.surveys.items():
        writing = {survey.homes.get(local, -1) for local in survey.fours}
        for index, made in enumerate(survey.classes if writing and not survey.page else ()):
            hooks = {name for name, method in made.methods.items() if method in writing}
            if not hooks or "step" in made.methods or at.classes.is_wrapper(path, index):
                continue  # a wrapper may give four of five values on purpose
            api, _ = at.classes.api_of_class(path, index)
            step = at.classes.method_of(path, index, "step") if api is not None and api.five else None
            if step is not None and not hooks.isdisjoint(_called(at, step)):
                _, own = at.program.function_at(step).params[0]
                at.put(at.program.bases[step.path] + own, Instance(path, index))


def _called(at: Analysis, method: FunctionId) -> Iterator[str]:
    """The names that a method reads of its object."""
    survey, params = at.program.surveys[method.path], at.program.function_at(method).params
    for one in survey.naming.get(params[0][1], ()) if params else ():
        if isinstance(one, ops.Attribute):
            yield one.name

"""Methods behind a `step`: what `_step` gives is what `step` returns, and who takes it apart changes with both."""

from __future__ import annotations

from collections.abc import Iterator

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import ClassId
from done_lint.analysis.transfer.classes import by_class
from done_lint.analysis.values import Environment, Object, OwnStepResult, StepResult
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_apis import STEP_WIDTHS


def note(at: Analysis) -> None:
    """Take what such a method gives for the result of a step, wherever it is unpacked."""
    inner = {number: owner for owner in _classes(at) for number in _written_inside(at, owner)}
    for path, survey in at.program.surveys.items() if inner else ():
        base = at.program.bases[path]
        for result in _unpacked(survey):
            held = at.solver.all(base + result, Object)
            if not held or not inner.keys() >= set(held) or _is_step(at, base + result):
                continue
            owner = inner[held[0]]
            api, dotted = at.classes.api_of_class(*owner)
            if api is not None:
                env = by_class(at, api, dotted, *owner, unlimited=True)
                at.put(base + result, OwnStepResult(env, base + result))


def _classes(at: Analysis) -> Iterator[ClassId]:
    """The environment classes of the project that define a `step`."""
    for path, survey in at.program.surveys.items():
        for index, made in enumerate(survey.classes if not survey.page else ()):
            if "step" in made.methods and _is_environment(at, ClassId(path, index)):
                yield ClassId(path, index)


def _is_environment(at: Analysis, owner: ClassId) -> bool:
    api, _ = at.classes.api_of_class(*owner)
    return api is not None and api.five and not api.vector


def _written_inside(at: Analysis, owner: ClassId) -> Iterator[int]:
    """The tuples that the `step` of a class returns and another method of an environment writes."""
    survey = at.program.surveys[owner.path]
    result = at.program.bases[owner.path] + survey.functions[survey.classes[owner.number].methods["step"]].result
    for number in at.solver.all(result, Object) if not at.solver.is_widened(result) else ():
        home = at.program.home(at.solver.get(number, Object).node)
        if home is None or home.number < 0 or at.objects.widths.get(number) not in STEP_WIDTHS:
            continue
        writer = at.program.function_at(home)
        if writer.owner >= 0 and writer.name != "step" and _is_environment(at, ClassId(home.path, writer.owner)):
            yield number


def _unpacked(survey: Survey) -> Iterator[int]:
    """The nodes of the results of calls that are taken apart into as many values as a step has."""
    for one in survey.waits(ops.Call):
        unpacks = (other for other in survey.waiting.get(one.result, ()) if isinstance(other, ops.Unpack))
        if any(other.star < 0 and other.arity in STEP_WIDTHS for other in unpacks):
            yield one.result


def _is_step(at: Analysis, node: int) -> bool:
    kinds = (StepResult, OwnStepResult, Environment)
    return any(at.solver.all(node, kind) for kind in kinds)

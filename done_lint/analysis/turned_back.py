"""Classes that turn what today's environments answer back into the old form, in `step` and in `reset`.

`step` takes five values apart and returns four, `reset` takes the pair apart and returns the observation: who writes
both has code around the class that is written for the old form. So has who asks Gymnasium's own function for four
values.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId, Program
from done_lint.analysis.values import External, Instance
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_apis
from done_lint.knowledge.api_converters import MAKE_FOUR

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

(_FOUR, _FIVE), _PAIR = env_apis.STEP_WIDTHS, 2
_OBSERVATION = IndexKey(0)


def note(at: Analysis) -> None:
    """Find these classes, and the files that wrap one of them with Gym: it has to stay while they do."""
    turning = turning_methods(at.program)
    at.classes.turning_steps = frozenset(one for one in turning if at.program.function_at(one).name == "step")
    found = {*_classes(at, turning), *_asking_for_four(at)}
    wrapped = [
        (ClassId(one.path, one.index), result, api)
        for inner, result, api in (at.envs.wrapped if found else ())
        for one in at.solver.values(inner, Instance)
    ]
    # the wrappers of Gymnasium itself need today's form, and so do those that go around its environments among others
    found -= {owner for owner, _, api in wrapped if api in (env_apis.GYMNASIUM, env_apis.BY_ARGUMENT)}
    for owner, result, api in wrapped:
        if owner in found and api == env_apis.GYM and (place := at.program.owner(result)) is not None:
            at.envs.old_packages.setdefault(place.path, at.program.class_at(*owner).name)
    at.classes.turned_back = frozenset(found)


def turning_methods(program: Program) -> frozenset[FunctionId]:
    """The methods of the program that turn what the same method of something else answers into its old form."""
    return frozenset(FunctionId(path, one) for path, survey in program.surveys.items() for one in _methods(survey))


def _classes(at: Analysis, turning: Set[FunctionId]) -> Iterator[ClassId]:
    for path, survey in at.program.surveys.items() if turning else ():
        for index, made in enumerate(survey.classes):
            methods = [at.classes.method_of(path, index, name) for name in ("step", "reset")] if made.bases else [None]
            if all(one in turning for one in methods):
                yield ClassId(path, index)


def _asking_for_four(at: Analysis) -> Iterator[ClassId]:
    """The classes whose own `step` returns four values, in files that ask the library to make four of five."""
    for path, survey in at.program.surveys.items():
        if "gymnasium" not in survey.packages or survey.page:
            continue
        if any(_makes_four(at, path, call) for call in survey.calls()):
            for index, made in enumerate(survey.classes):
                step = made.methods.get("step") if made.bases else None
                if step is not None and set(survey.functions[step].arities) == {_FOUR}:
                    yield ClassId(path, index)


def _makes_four(at: Analysis, path: str, call: ops.Call | ops.LibraryCall) -> bool:
    """`step_api_compatibility(env.step(action), output_truncation_bool=False)`."""
    for one in at.solver.values(at.program.bases[path] + call.called, External):
        asked = MAKE_FOUR.get(one.dotted)
        if asked is not None and (not asked or len(call.args) > 1 or any(word.name == asked for word in call.keywords)):
            return True
    return False


def _methods(survey: Survey) -> Iterator[int]:
    """The methods of a file that turn what the same method of something else answers into its old form.

    Behind a test they may also take the old form, which is handed on as it is.
    """
    taken: dict[int, list[bool]] = {}
    for read in survey.telling:
        for call in survey.waiting.get(read.target, ()) if read.name in ("step", "reset") else ():
            home = survey.homes.get(call.result, -1) if isinstance(call, ops.Call) else -1
            if home >= 0 and isinstance(call, ops.Call) and survey.functions[home].name == read.name:
                new = _is_new(survey, read.name, call)
                if new or not (call.result in survey.tested or _is_beside_new(survey, call)):
                    taken.setdefault(home, []).append(new)
    for home, ways in taken.items():
        function = survey.functions[home]
        old = set(function.arities) == {_FOUR} if function.name == "step" else not {0, _PAIR} & set(function.arities)
        if function.owner >= 0 and function.outcomes and old and all(ways):
            yield home


def _is_beside_new(survey: Survey, call: ops.Call) -> bool:
    """`obs, _ = self.env.reset()` in one branch, and in the other one `obs = self.env.reset()`."""
    uses = survey.waiting.get(call.result, ())
    choices = [one for one in uses if isinstance(one, ops.Choice)]
    sides = {side for one in choices for side in (one.a, one.b)} - {call.result}
    return len(choices) == len(uses) == 1 and any(
        isinstance(use, ops.Unpack) and use.arity == _PAIR and use.targets[0] in sides
        for read in survey.telling
        if read.name == "reset"
        for other in survey.waiting.get(read.target, ())
        if isinstance(other, ops.Call)
        for use in survey.waiting.get(other.result, ())
    )


def _is_new(survey: Survey, name: str, call: ops.Call) -> bool:
    """Whether all that is done with a result is right for today's form alone."""
    uses = survey.waiting.get(call.result, ())
    width = _FIVE if name == "step" else _PAIR
    return bool(uses) and all(
        (isinstance(use, ops.Unpack) and use.arity == width)
        or (isinstance(use, ops.Item) and name == "reset" and use.keys[:1] == (_OBSERVATION,))
        for use in uses
    )

"""Files that call an environment of the library as only another class that arrives there can be called.

A registry hands every environment of a project to every algorithm, and the graph cannot tell which of them goes with
which. What is done with them can: two arguments by position are a `TypeError` for Gymnasium's `reset` and `step`, and
no pair and no array has the attributes of a record of the project. What an object asks behind `__getattr__` is that of
every object of its class. An annotation is weaker than a registry: what takes
four values, the first of them a pair, is written for another class of it.
"""

from __future__ import annotations

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import (
    ClassRef,
    Environment,
    EnvMethod,
    FunctionRef,
    Instance,
    Object,
    OwnStepResult,
    Shape,
    StepResult,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey


def note(at: Analysis) -> None:
    """Fill `misfits`: by file, the environments that are none of those which it is written for."""
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for read in survey.telling:
            if read.name not in ("step", "reset"):
                continue
            calls = [one for one in survey.waiting.get(read.target, ()) if isinstance(one, ops.Call)]
            method = base + read.target
            others = _others(at, method)
            beside = others and _stands_behind_others(at, base + read.source)
            if beside or (others and any(_is_for_others(at, survey, call, others) for call in calls)):
                found = {method.env for method in at.solver.values(method, EnvMethod)}
                at.envs.misfits.update((path, number) for number in found)
            for call in calls if read.name == "step" else ():
                if _observes_pairs(survey, call) and (others or _stands_beside_others(at, method)):
                    node = base + call.result
                    results = (*at.solver.values(node, StepResult), *at.solver.values(node, OwnStepResult))
                    at.envs.misfits.update((path, result.env) for result in results)


def _observes_pairs(survey: Survey, call: ops.Call) -> bool:
    """`(obs, length), reward, done, info = env.step(a)`: hardly an environment of which only an annotation tells."""
    unpacks = [one for one in survey.waiting.get(call.result, ()) if isinstance(one, ops.Unpack)]
    firsts = [one.targets[0] for one in unpacks if one.arity == 4 and one.star != 0]
    return any(isinstance(one, ops.Unpack) for first in firsts for one in survey.waiting.get(first, ()))


def _stands_behind_others(at: Analysis, node: int) -> bool:
    """Whether an environment is only one of those that objects ask for what they lack: it may be inside of others."""
    if at.solver.all(node, Environment):
        return False
    found = [ClassId(one.path, one.index) for one in at.solver.values(node, Instance)]
    return bool(found) and all(at.classes.delegate(*one) for one in found if at.classes.api_of_class(*one)[0] is None)


def _stands_beside_others(at: Analysis, method: int) -> bool:
    """Whether the class of a method is in one registry with a class that steps and is no environment of Gym's."""
    owners: set[ClassId] = set()
    for one in at.solver.values(method, FunctionRef):
        bound = at.solver.value(one.bound) if one.bound is not None else None
        if isinstance(bound, Instance):
            owners.add(ClassId(bound.path, bound.index))
    for number in at.objects.owned if owners else ():
        registered = {
            ClassId(kind.path, kind.index)
            for _, field in at.objects.owned[number]
            for kind in at.solver.values(field, ClassRef)
        }
        if owners & registered and any(_is_other_protocol(at, one) for one in registered - owners):
            return True
    return False


def _is_other_protocol(at: Analysis, owner: ClassId) -> bool:
    """Whether a class has a `step` and no base of Gym's."""
    return at.classes.api_of_class(*owner)[0] is None and at.classes.method_of(*owner, "step") is not None


def _others(at: Analysis, method: int) -> list[FunctionId]:
    """The methods that arrive beside the library's, of classes that are none of its environments."""
    found: list[FunctionId] = []
    for one in at.solver.values(method, FunctionRef):
        function = FunctionId(one.path, one.index)
        owner = at.program.function_at(function).owner
        if owner >= 0 and at.classes.api_of_class(one.path, owner)[0] is None:
            found.append(function)
    return found


def _is_for_others(at: Analysis, survey: Survey, call: ops.Call, others: list[FunctionId]) -> bool:
    """Whether only these methods can be meant: by the arguments, or by what is read of the result."""
    reads = any(isinstance(one, ops.Attribute) for one in survey.naming.get(call.result, ()))
    return any(_takes(at, call, one) or (reads and _gives_record(at, one)) for one in others)


def _takes(at: Analysis, call: ops.Call, method: FunctionId) -> bool:
    """Whether several arguments are given by position, and a method takes that many."""
    function = at.program.function_at(method)
    count = len(call.args)
    return count > 1 and not call.stars and (count < function.positional or function.vararg >= 0)


def _gives_record(at: Analysis, method: FunctionId) -> bool:
    """Whether a method returns nothing but objects of the project that have names for what they hold."""
    result = at.program.bases[method.path] + at.program.function_at(method).result
    held = [at.solver.value(number) for number in at.solver.held[result]]
    return bool(held) and all(
        isinstance(one, Instance) or (isinstance(one, Object) and one.shape is Shape.RECORD) for one in held
    )

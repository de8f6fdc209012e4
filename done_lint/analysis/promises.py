"""What annotations and base classes promise of environments, where nothing stronger is known.

The order of evidence is: what visibly arrives (a constructor, a class of the project), then an annotation, then the
base class of a wrapper. A wrapper of the project answers as what is inside it does: `class Statistics(gym.Wrapper)`
around an environment that returns four values returns four values, and is right.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Environment, EnvMethod, External, Instance
from done_lint.knowledge import packages
from done_lint.knowledge.env_apis import Api

#: How many wrappers of the project may stand around each other.
_DEEPEST = 6


def of_annotations(at: Analysis) -> None:
    """`env: gym.Env`, where no environment visibly arrives."""
    for node, env in at.envs.annotated:
        if node not in at.solver.refused and _is_unknown(at, node):
            at.solver.add(node, env)


def of_base_classes(at: Analysis) -> None:
    """Wrappers around something unknown have the API that their base class promises."""
    _decide_wrappers(at)
    for inner, result, api in at.envs.wrapped:
        if not at.solver.all(inner, Environment) and not at.solver.all(inner, Instance):
            at.solver.add(result, at.environment(api, False, "proven", result))
    for target, promised in at.envs.insides:
        if _is_unknown(at, target):
            note_makers(at, at.solver.get(promised, Environment).node, at.solver.held[target])
            at.solver.add(target, promised)
    for target, name, owner, promised in at.envs.inherited_methods:
        inside = _others_inside(at, owner) if owner in at.classes.by_inside else []
        for env in inside or [promised]:
            at.put(target, EnvMethod(name, env))


def _is_unknown(at: Analysis, node: int) -> bool:
    """No environment arrives at a node, and no object of the project with a `step` of its own."""
    return not at.solver.all(node, Environment) and not any(
        at.classes.method_of(one.path, one.index, "step") is not None for one in at.solver.values(node, Instance)
    )


def _decide_wrappers(at: Analysis) -> None:
    """Find the wrapper classes inside which only environments of another API than their base's are seen."""
    decided: dict[ClassId, Api] = {}
    for path, survey in at.program.surveys.items():
        for index in range(len(survey.classes)):
            owner = ClassId(path, index)
            if at.classes.is_wrapper(path, index) and (others := _others_inside(at, owner)):
                apis = [at.solver.get(env, Environment).api for env in others]
                decided[owner] = min(apis, key=lambda api: api.name)
                for api in apis:
                    if api.old_gym:
                        at.envs.old_packages[path] = api.name
    at.classes.speaks(decided)


def _others_inside(at: Analysis, owner: ClassId) -> list[int]:
    """The environments inside a wrapper class, if not one of them returns five values."""
    found = sorted(set(_inside(at, owner, 0)))
    apis = [at.solver.get(env, Environment).api for env in found]
    return [] if any(api.five for api in apis) else found


def _inside(at: Analysis, owner: ClassId, depth: int) -> Iterator[int]:
    """The environments inside a wrapper class, through other wrappers of the project too."""
    for node in at.classes.inside(*owner):
        yield from at.solver.all(node, Environment)
        for one in at.solver.values(node, Instance):
            if depth < _DEEPEST and at.classes.is_wrapper(one.path, one.index):
                yield from _inside(at, ClassId(one.path, one.index), depth + 1)


def note_makers(at: Analysis, node: int, held: Iterable[int]) -> None:
    """Note what package visibly made the environments that a node is held to stand for, if it is none we know."""
    origins = (one.dotted for number in held if isinstance(one := at.solver.value(number), External))
    makers = {name.partition(".")[0] for name in origins} - packages.GYM_ROOTS - sys.stdlib_module_names
    if makers:
        at.envs.makers.setdefault(node, min(makers))

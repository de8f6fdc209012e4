"""What a decorator of the project puts in the place of a method, which is called as the method would be."""

from __future__ import annotations

from done_lint.analysis.context import Analysis
from done_lint.analysis.values import FunctionRef, Instance
from done_lint.flowgraph.schema import Function, Survey


def give_instances(at: Analysis, survey: Survey, base: int) -> None:
    """Let the functions that stand in the place of methods take the instances that these are called on."""
    for index, function in enumerate(survey.functions):
        if function.owner >= 0 and function.kind == "function":
            for node in function.replacements:
                _give_instance(at, survey.path, index, function, base + node)


def _give_instance(at: Analysis, path: str, index: int, method: Function, node: int) -> None:
    instance = at.solver.intern(Instance(path, method.owner))

    def react(number: int) -> None:
        made = at.solver.value(number)
        if not isinstance(made, FunctionRef) or made.bound is not None or (made.path, made.index) == (path, index):
            return
        params = at.program.surveys[made.path].functions[made.index].params
        if params:
            at.solver.add(at.program.bases[made.path] + params[0][1], instance)

    at.solver.watch(node, react)

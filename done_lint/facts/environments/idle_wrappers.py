"""Vector environments inside wrappers of the project of which only attributes are read: nobody steps them.

All instances of the class are one for the analysis, so that another one's steps say nothing of this one.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING

from done_lint.analysis.values import ClassRef, EnvMethod, FunctionRef
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.vector_sizes import WITHOUT_EPISODES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def idle_in_wrappers(at: Analysis, envs: Mapping[int, int], escaping: Set[int]) -> set[int]:
    """The nodes of the calls that make such environments.

    Args:
        at: the solved graph.
        envs: the vector environments whose calls are seen, each with the node of its call.
        escaping: the nodes whose values others may take: arguments, attributes, and what functions return.
    """
    idle, busy = set[int](), set[int]()
    for path, survey in at.program.surveys.items() if envs else ():
        base = at.program.bases[path]
        for call in survey.calls():
            made = {envs[one] for node in ops.given(call) for one in at.solver.held[base + node] if one in envs}
            # `super().__init__(env)`: what it was given by the call that is looked at
            if made and not _is_in_wrapper(at, path, survey.homes.get(call.result, -1)):
                alone = _is_wrapping(at, base + call.called) and _is_idle(at, base + call.result, escaping)
                (idle if alone else busy).update(made)
    return idle - busy


def _is_in_wrapper(at: Analysis, path: str, function: int) -> bool:
    """Whether a function, by its number in a file, is a method of a wrapper class."""
    owner = at.program.surveys[path].functions[function].owner if function >= 0 else -1
    return owner >= 0 and at.classes.is_wrapper(path, owner)


def _is_wrapping(at: Analysis, called: int) -> bool:
    """Whether all that a node may call are wrapper classes of the project."""
    classes = [at.solver.value(number) for number in at.solver.held[called]]
    return bool(classes) and all(
        isinstance(one, ClassRef) and at.classes.is_wrapper(one.path, one.index) for one in classes
    )


def _is_idle(at: Analysis, result: int, escaping: Set[int]) -> bool:
    """Whether nothing is done with an object but to read attributes that are no methods."""
    for node in reach([result], lambda one: at.solver.successors[one]):
        owner = at.program.owner(node)
        if owner is None or node in escaping:
            return False
        survey = at.program.surveys[owner.path]
        for operation in (*survey.waiting.get(owner.node, ()), *survey.naming.get(owner.node, ())):
            if not isinstance(operation, ops.Attribute):
                return False
            if _is_used(at, at.program.bases[owner.path] + operation.target):
                return False
    return True


def _is_used(at: Analysis, read: int) -> bool:
    """Whether what is read of an object is one of its methods that may begin or end an episode."""
    values = [at.solver.value(number) for number in at.solver.held[read]]
    return any(
        isinstance(one, FunctionRef) or (isinstance(one, EnvMethod) and one.name not in WITHOUT_EPISODES)
        for one in values
    )

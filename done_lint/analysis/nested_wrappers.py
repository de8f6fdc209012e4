"""What wrapper classes of the project are put around: other wrappers of the project, and what is inside of all."""

from __future__ import annotations

from collections.abc import Iterator

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import ClassRef, Environment, Instance
from done_lint.core.reach import reach
from done_lint.knowledge.env_apis import VECTORS, Api

#: How far the instances of a wrapper class are followed back.
_FAR = 100


def nodes_inside(at: Analysis, owner: ClassId) -> list[int]:
    """Where a wrapper class keeps what it wraps, and where the wrappers of the project that are in it do."""
    within = reach([owner], lambda one: wrappers_inside(at, one))
    return [node for one in within for node in at.classes.inside(*one)]


def wrappers_inside(at: Analysis, owner: ClassId) -> Iterator[ClassId]:
    """The wrapper classes of the project that instances of a wrapper class are put around."""
    for node in at.classes.inside(*owner):
        for one in at.solver.values(node, Instance):
            if at.classes.is_wrapper(one.path, one.index):
                yield ClassId(one.path, one.index)


def several_inside(at: Analysis, node: int, owner: ClassId) -> Api | None:
    """The API of the vector environments of the library that are all that is seen inside of a wrapper of the project.

    Of the instance that arrives at a node, where the calls that make it show what they are given; else of any.
    """
    made = list(reach([node], lambda one: _made_around(at, one), bound=_FAR))
    apis = {one.api for inside in made for one in at.solver.values(inside, Environment)}
    if not apis or len(made) >= _FAR:
        apis = {one.api for inside in nodes_inside(at, owner) for one in at.solver.values(inside, Environment)}
    return next(iter(apis)) if len(apis) == 1 and apis <= VECTORS else None


def _made_around(at: Analysis, node: int) -> Iterator[int]:
    """What the call of a wrapper class is given, or where an instance of one comes from."""
    instances = at.solver.values(node, Instance)
    if not any(at.classes.is_wrapper(one.path, one.index) for one in instances):
        return
    call = at.program.call_at(node)
    given = at.program.given_at(node) if call is not None and at.solver.all(call[1], ClassRef) else ()
    yield from given[:1] if given else (edge.source for edge in at.solver.predecessors[node])

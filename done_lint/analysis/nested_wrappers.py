"""What wrapper classes of the project are put around: other wrappers of the project, and what is inside of all."""

from __future__ import annotations

from collections.abc import Iterator

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Environment, Instance
from done_lint.core.reach import reach
from done_lint.knowledge.env_apis import VECTORS, Api


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


def several_inside(at: Analysis, owner: ClassId) -> Api | None:
    """The API of the vector environments of the library that are all that is seen inside of a wrapper class."""
    apis = {one.api for node in nodes_inside(at, owner) for one in at.solver.values(node, Environment)}
    return next(iter(apis)) if len(apis) == 1 and apis <= VECTORS else None

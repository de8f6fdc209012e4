"""Environments of other packages inside of Gym's wrappers: Gymnasium's ask for the type of what they are given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.values import External
from done_lint.knowledge.env_apis import GYM

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def wrapped_packages(at: Analysis) -> Iterator[tuple[str, str]]:
    """What calls of other packages gave and a wrapper of Gym's is put around: the file of the wrapper, the package."""
    for node, path in _insides(at):
        for one in at.solver.values(node, External):
            if one.dotted.endswith("()"):
                yield path, one.dotted.partition(".")[0]


def _insides(at: Analysis) -> Iterator[tuple[int, str]]:
    """The nodes of what is inside of a wrapper, the project's or the library's, and the files that these belong to."""
    for path, survey in at.program.surveys.items():
        for index in range(len(survey.classes)) if not survey.page else ():
            if at.classes.is_wrapper(path, index) and at.classes.api_of_class(path, index)[0] == GYM:
                yield from ((node, path) for node in at.classes.inside(path, index))
    for first, result, api in at.envs.wrapped:
        if api == GYM and (owner := at.program.owner(result)) is not None:
            yield first, owner.path

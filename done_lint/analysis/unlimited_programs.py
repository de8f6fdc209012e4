"""Programs in which nothing ever truncates an episode: what only a name shows to be an environment does not either."""

from __future__ import annotations

from done_lint.analysis import registrations
from done_lint.analysis.context import Analysis
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Environment, External


def nothing_truncates(at: Analysis) -> bool:
    """Whether the program has environment classes of its own that never truncate, and makes no other environment.

    A function that nobody calls takes what the rest of the program has; a library of agents alone shows nothing.
    """
    if at.envs.makes or any(_is_made_by_library(at, one) for one in at.solver.interned if isinstance(one, Environment)):
        return False
    own = [
        ClassId(path, index)
        for path, survey in at.program.surveys.items()
        for index, made in enumerate(survey.classes)
        if not survey.page and "step" in made.methods and _is_environment(at, path, index)
    ]
    return bool(own) and all(registrations.may_truncate(at, one) is False for one in own)


def _is_environment(at: Analysis, path: str, index: int) -> bool:
    """Whether a class is an environment by its base, and no wrapper, which hands on what is inside."""
    api, _ = at.classes.api_of_class(path, index)
    return api is not None and api.five and not at.classes.is_wrapper(path, index)


def _is_made_by_library(at: Analysis, env: Environment) -> bool:
    """Whether a call of a library gives it: that may put a limit around it."""
    call = at.program.call_at(env.node)
    return not env.unlimited and call is not None and bool(at.solver.values(call[1], External))

"""Methods of an environment that classes of the project define themselves: what is called may be one of these."""

from __future__ import annotations

from done_lint.analysis.context import Analysis

#: Methods that Gymnasium's environments lack, or that take other arguments there, and that a project may define.
METHODS = frozenset({"seed", "render"})


def may_be_own(at: Analysis, path: str, method: str) -> bool:
    """Whether an environment that nothing in sight makes may be of a class of the project with its own such method.

    Args:
        at: the analysis.
        path: the file that the environment is used in.
        method: what is called.
    """
    if method not in METHODS:
        return False
    return any(at.imports.together(other, path) for other in at.classes.environments_with(method))

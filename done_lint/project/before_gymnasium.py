"""Packages that a project has in a release from before they moved to Gymnasium: programs with them stay on Gym."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from done_lint.knowledge.package_requirements import FIRST_ON_GYMNASIUM, IMPORTED_AS
from done_lint.project.release_bounds import specifiers
from done_lint.project.required_release import upwards
from done_lint.project.script_metadata import statement_of

_BOUND = re.compile(r"(?P<operator>===?|[!<>~]=|[<>=~^])?\s*v?(?P<major>\d+)(?:\.(?P<minor>\d+))?(?P<rest>[\w.*+-]*)")
#: Operators after which the major version cannot be higher.
_HIGHEST = frozenset({"===", "==", "=", "~=", "~", "^", "<=", "<"})
#: Operators after which the minor version cannot be higher either.
_EXACT = frozenset({"===", "==", "=", "<="})


def imported_before(modules: Iterable[str], path: str, root: str) -> str:
    """The first package among the modules that a file imports that is pinned to such a release; empty: none is.

    It comes with its bounds.
    """
    for module, package in IMPORTED_AS.items():
        named = any(f"{one}.".startswith(f"{module}.") for one in modules)
        if named and (pinned := _pinned(package, statement_of(path), root)):
            return pinned
    return ""


@lru_cache(maxsize=4096)
def _pinned(package: str, place: str, root: str) -> str:
    """The package with its bounds in the nearest files that bound it, if none of them allows a release on Gymnasium."""
    for one in upwards(place, root):
        if bounds := [str(bound) for bound in specifiers(one, package) if str(bound)]:
            below = all(is_below(bound, FIRST_ON_GYMNASIUM[package]) for bound in bounds)
            return f"{package}{bounds[0]}" if below else ""
    return ""


def is_below(version: str, first: tuple[int, int]) -> bool:
    """Whether the bounds of a version leave out the release `first` and all later ones."""
    for bound in _BOUND.finditer(version):
        operator, rest = bound["operator"] or "==", bound["rest"]
        asked = (int(bound["major"]), int(bound["minor"] or 0))
        if operator in _HIGHEST and asked[0] < first[0]:
            return True
        if operator in _EXACT and asked < first and (bound["minor"] or not rest.startswith(".*")):
            return True
        if operator == "<" and (asked < first or (asked == first and not rest.strip(".0"))):
            return True
    return False

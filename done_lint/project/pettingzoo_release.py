"""Which release of PettingZoo the code of a folder runs with, as its project's own files say.

It decides what a parallel environment gives: `step` four tables up to 1.20 and five since 1.21, `reset` the
observations alone up to 1.22 and a pair with the infos since 1.23.
"""

from __future__ import annotations

import re
from functools import lru_cache

from done_lint.core.gymnasium_release import Release, release
from done_lint.project.release_bounds import specifiers
from done_lint.project.required_release import upwards

_PACKAGE = "pettingzoo"
#: A release of each minor number (package index, 2026-11), oldest first; others that bounds name are tried as well.
_RELEASES = tuple(f"1.{minor}.0" for minor in range(28))
_VERSION = re.compile(r"\d+(?:\.\d+)+")


@lru_cache(maxsize=4096)
def pettingzoo(place: str, root: str) -> Release | None:
    """The newest release that the nearest files allow which bound it, from `place` up to `root`; None: none does.

    A place is a folder, or a script that has metadata of its own.
    """
    for one in upwards(place, root):
        bounds = [bound for bound in specifiers(one, _PACKAGE) if str(bound)]
        known = {*_RELEASES, *(version for bound in bounds for version in _VERSION.findall(str(bound)))}
        allowed = [release(version) for version in known if all(version in bound for bound in bounds)]
        if bounds and allowed:
            return max(allowed)
    return None

"""Which release of PettingZoo the code of a folder runs with, as its project's own files say, or its own error.

It decides what a parallel environment gives: `step` four tables up to 1.20 and five since 1.21, `reset` the
observations alone up to 1.22 and a pair with the infos since 1.23.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from done_lint.core.gymnasium_release import Release, release
from done_lint.project.missing_package import asked_for
from done_lint.project.release_bounds import specifiers
from done_lint.project.required_release import upwards

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

_PACKAGE = "pettingzoo"
#: A release of each minor number (package index, 2026-11), oldest first; others that bounds name are tried as well.
_RELEASES = tuple(f"1.{minor}.0" for minor in range(28))
_VERSION = re.compile(r"\d+(?:\.\d+)+")


def pettingzoo(path: str, place: str, root: str) -> Release | None:
    """The newest release that the project's files allow for a file, or that the file asks for; None: nothing does.

    A place is its folder, or the file itself if it is a script that has metadata of its own.
    """
    return _of_files(place, root) or _newest(asked_for(path, _PACKAGE))


@lru_cache(maxsize=4096)
def _of_files(place: str, root: str) -> Release | None:
    """The newest release that the nearest files allow which bound it, from `place` up to `root`."""
    return next(filter(None, (_newest(specifiers(one, _PACKAGE)) for one in upwards(place, root))), None)


def _newest(stated: Iterable[SpecifierSet]) -> Release | None:
    """The newest release that bounds allow; None: there are none, or they allow no release."""
    bounds = [bound for bound in stated if str(bound)]
    known = {*_RELEASES, *(version for bound in bounds for version in _VERSION.findall(str(bound)))}
    allowed = [release(version) for version in known if all(version in bound for bound in bounds)]
    return max(allowed) if bounds and allowed else None

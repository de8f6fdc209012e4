"""Whether a project says that it is on Gymnasium, in files that no fix changes.

What its code imports says less: fixes change that, and what they leave is no choice of the project's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from done_lint.core import witness
from done_lint.core.file_io import SourceError, read_bytes
from done_lint.project.release_bounds import release_bounds
from done_lint.project.required_release import upwards

_PAGES = (".md", ".rst", ".txt")
#: The name in words or in a command; neither an import nor an attribute, which a fix may have written on a page.
_NAMED = re.compile(rb"^(?![ \t>.]*(?:import|from)\b).*\bgymnasium\b(?!\.\w)", re.MULTILINE | re.IGNORECASE)
#: Pages are short.
_LARGEST = 500_000


def names_gymnasium(root: str, paths: Iterable[str]) -> bool:
    """Whether a list of requirements, or a page at the root, names Gymnasium.

    Args:
        root: of the project.
        paths: its files, in whose folders such lists are.
    """
    folders = dict.fromkeys(one for path in paths for one in upwards(os.path.dirname(path), root))
    listed = (bound for folder in (root, *folders) for bound in release_bounds(folder) if not bound.through)
    return any(True for _ in listed) or any(map(_names, _pages(root)))


def _pages(folder: str) -> list[str]:
    try:
        return sorted(one.path for one in witness.entries(folder) if one.name.lower().endswith(_PAGES))
    except OSError:
        return []


def _names(path: str) -> bool:
    try:
        return _NAMED.search(read_bytes(path, _LARGEST)) is not None
    except SourceError:
        return False

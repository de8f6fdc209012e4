"""Where a package says that Gym finds its environments: the group `gym.envs` of its entry points.

Gymnasium looks for `gymnasium.envs` (1.0, `load_plugin_envs` in `envs/registration.py`): without that, nobody registers
them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from done_lint.core.file_io import SourceError, read_bytes
from done_lint.core.text import NEWLINE

#: The files that list entry points.
_FILES = ("pyproject.toml", "setup.cfg", "setup.py")
_LARGEST = 200_000
_GROUP = re.compile(r"""(?<![\w./])gym\.envs(?=["']?\s*[:=\]])""")
_COMMENT = re.compile(r"(^|\s)#.*")
#: Who has this one as well is found by both.
_TODAY = "gymnasium.envs"
#: All these files have one of the two words.
_LISTS = ("entry", "plugins")


class Group(NamedTuple):
    """Where a file names the group: from row 1 and column 0."""

    path: str
    row: int
    column: int


def groups_of_gym(folder: str) -> Iterator[Group]:
    """Where the files in a folder name the group, and not that of today beside it."""
    for path in (os.path.join(folder, name) for name in _FILES):
        try:
            text = read_bytes(path, _LARGEST).decode("utf-8", "replace")
        except SourceError:
            continue
        if _TODAY in text or not any(word in text for word in _LISTS):
            continue
        for row, line in enumerate(NEWLINE.split(text), 1):
            if match := _GROUP.search(_COMMENT.sub("", line)):
                yield Group(path, row, match.start())
                break

"""The folder that a run keeps for the next one: how it begins, how a file in it is replaced, how it ends."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from done_lint.core import interrupts
from done_lint.core.paths import CACHE
from done_lint.project.discovery import Project, is_shared

_TAG = "CACHEDIR.TAG"
#: As the specification of such folders has it.
_SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55\n# Answers of done-lint; `done-lint clean` removes them.\n"


def folder_of(project: Project, folder: str) -> str | None:
    """Where something about a project is kept (`folder`: what the user says); None: nowhere."""
    if project.alone or (not folder and is_shared(project.root)):
        return None
    found = folder or os.path.join(project.root, CACHE)
    return None if os.path.islink(found) else found


def clean(folder: str) -> bool:
    """Remove a folder of answers; whether there was one."""
    with contextlib.suppress(OSError):
        if not os.path.islink(folder) and _is_own(folder):
            import shutil  # only here: it is slow to import

            shutil.rmtree(folder)
            return True
    return False


def _is_own(folder: str) -> bool:
    """Whether a folder was made to keep answers in."""
    try:
        return Path(folder, _TAG).read_text(encoding="utf-8") == _SIGNATURE
    except (OSError, UnicodeDecodeError):
        return False


def begin(folder: str) -> None:
    """Make the folder, which no version control and no backup has to keep."""
    if _is_own(folder):
        return
    os.makedirs(folder, exist_ok=True)
    for name, text in ((".gitignore", "*\n"), (_TAG, _SIGNATURE)):
        write(os.path.join(folder, name), text.encode())


@interrupts.delayed()
def write(path: str, data: bytes) -> None:
    """Write a file in one step: another process finds the old one or the new one."""
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def forget_oldest(folder: str, ending: str, most: int) -> None:
    """Remove all but the newest files of a kind."""
    with os.scandir(folder) as entries:
        found = [one for one in entries if one.name.endswith(ending)]
    if len(found) > most:
        for one in sorted(found, key=lambda one: one.stat().st_mtime_ns)[:-most]:
            os.unlink(one.path)

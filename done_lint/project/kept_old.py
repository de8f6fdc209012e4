"""Code that a project keeps old on purpose: its other code is on Gymnasium, and a folder or file says that it is not.

A project that is old throughout is to be migrated, whatever its folders are called.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from done_lint.core.paths import DOCUMENTS
from done_lint.knowledge.naming_conventions import for_gymnasium, says_old, today
from done_lint.project.parts_for_gym import part_around
from done_lint.project.settings import Settings, matches

_IMPORTS = re.compile(rb"^[ \t]*(?:import|from)[ \t]+(gym|gymnasium)\b(?=[\s.,])", re.MULTILINE)


class OldPlace(NamedTuple):
    """A folder or a file, and why it is old on purpose."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class KeptOld:
    """What a project keeps old on purpose."""

    #: The place that each such file belongs to.
    files: Mapping[str, OldPlace] = field(default_factory=dict)
    #: The other code of the project is on Gymnasium: what calls itself old is so on purpose.
    migrated: bool = False
    #: It says so in files that no fix changes: what needs Gym beside it has it on purpose.
    stated: bool = False
    #: Files that use Gym as Gym, as their own code is known to do.
    gym: frozenset[str] = frozenset()
    #: By file, a package that it imports and that the project has in a release made for Gym.
    needs: Mapping[str, str] = field(default_factory=dict)

    def around(self, path: str) -> OldPlace | None:
        """The place that a file of any kind is in."""
        return next((place for place in self.files.values() if f"{path}/".startswith(f"{place.path}/")), None)


def kept_old(
    settings: Settings,
    root: str,
    paths: Iterable[str],
    *,
    migrated: bool,
    stated: bool = False,
    parts: Mapping[str, str] | None = None,
) -> KeptOld:
    """Of the files of a project, those that the settings name, and those that say so themselves.

    Args:
        settings: of the project.
        root: its folder.
        paths: its files.
        migrated: its other code is on Gymnasium (see `is_migrated`).
        stated: it says so beside its code (see `stated_library`).
        parts: folders that need Gym, and documents for older releases, and why (see `parts_for_gym` and
            `pinned_documents`).
    """
    files: dict[str, OldPlace] = {}
    known = dict.fromkeys(paths)
    found = migrated and settings.find_kept_old
    for path in known:
        if matches(settings.kept_old, path, settings.root):
            files[path] = OldPlace(path, "`kept-old` names it")
        elif found and (place := old_place(path, root)) is not None:
            files[path] = place
        elif found and (new := today(os.path.basename(path))) and os.path.join(os.path.dirname(path), new) in known:
            files[path] = OldPlace(path, f"`{new}` beside it is the same for today")
        elif found and parts and (part := part_around(path, root, parts)) is not None:
            files[path] = OldPlace(part, parts[part])
    return KeptOld(files, found, found and stated)


def old_place(path: str, root: str) -> OldPlace | None:
    """The outermost folder around a file, or the file itself, whose name says that it is old."""
    folder, name = os.path.split(path)
    if (found := _old_folder(folder, root)) is not None:
        return found
    return OldPlace(path, _reason("file", word)) if (word := says_old(name.partition(".")[0])) else None


@lru_cache
def _old_folder(folder: str, root: str) -> OldPlace | None:
    """The outermost folder around the files of this one, itself among them, whose name says that it is old."""
    inside = os.path.relpath(folder, root).split(os.sep)
    for depth, part in enumerate(inside, 1):
        if part != os.pardir and (word := says_old(part)):
            return OldPlace(os.path.join(root, *inside[:depth]), _reason("folder", word))
    return None


def _reason(kind: str, word: str) -> str:
    return f"the name of the {kind} says `{word}`, and the project is on Gymnasium"


def twin(path: str, known: Collection[str]) -> str:
    """The file beside this one that is called the same for Gymnasium."""
    folder, name = os.path.split(path)
    names = (os.path.join(folder, new) for new in for_gymnasium(name))
    return next((one for one in names if one in known), "")


def is_migrated(
    root: str, paths: Iterable[str], read: Callable[[str], bytes | None], stated: Callable[[], bool] = lambda: False
) -> bool:
    """Whether more files import Gymnasium than Gym, of those that do not say that they are old.

    A page of text is no code of the project, and one file beside an old one is too little to go by; but for a project
    that says itself (`stated`) that it is on Gymnasium.
    """
    old = new = 0
    for path in paths:
        data = b"" if path.endswith(DOCUMENTS) else read(path) or b""
        if b"gym" not in data or old_place(path, root) is not None:
            continue
        libraries = set(_IMPORTS.findall(data))
        old += b"gym" in libraries and b"gymnasium" not in libraries
        new += b"gymnasium" in libraries
    return new > max(old, 1) or (new > old and stated())

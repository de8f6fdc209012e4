"""Parts of a project on Gymnasium that need Gym: they lean on a package made for it, or are a project of their own."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from done_lint.core import witness
from done_lint.knowledge.packages_for_gym import MADE_FOR_GYM
from done_lint.project.release_bounds import specifiers
from done_lint.project.requirements import declares_gym

_LIBRARIES = "|".join(("gym", "gymnasium", *sorted(MADE_FOR_GYM)))
_IMPORT = re.compile(rf"^[ \t]*(?:import|from)[ \t]+({_LIBRARIES})\b(?=[\s.,])".encode(), re.MULTILINE)
#: A part is more than a file: one of them says for itself what it needs.
_FEWEST = 2
#: The releases of Gym whose steps give five values.
_FIVE_VALUES = ("0.26.0", "0.26.1", "0.26.2")
#: How the pages begin that a program of its own has.
_OWN_PAGES = ("readme", "license", "licence")


def parts_for_gym(
    root: str,
    paths: Iterable[str],
    read: Callable[[str], bytes | None],
    *,
    stated: bool,
    is_apart: Callable[[str], bool],
    is_own: Callable[[str, str], bool],
) -> Mapping[str, str]:
    """The outermost folders that have nothing on Gymnasium and need Gym, and why.

    Args:
        root: of the project, which is no such folder itself.
        paths: its files.
        read: the bytes of a file, if it can be read.
        stated: the project says beside its code that it is on Gymnasium (see `stated_library`).
        is_apart: whether no import leads into a folder, or out of it.
        is_own: whether a package that a file imports is the project's, though it is called like another one.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for path in paths:
        named = {name.decode() for name in _IMPORT.findall(read(path) or b"")}
        found = {name for name in named if name not in MADE_FOR_GYM or not is_own(path, name)}
        for folder in _around(path, root) if found else ():
            counts[folder].update(found)
    parts: dict[str, str] = {}
    for folder, imports in sorted(counts.items()):
        if imports["gymnasium"] or part_around(os.path.join(folder, ""), root, parts) is not None:
            continue
        if stated and (package := _leans_on(imports)):
            parts[folder] = f"its files need {package}, which is made for Gym"
        elif imports["gym"] and declares_gym(folder):
            parts[folder] = "it is a project of its own that requires Gym, and the project around it is on Gymnasium"
        elif stated and imports["gym"] and _pins_old_gym(folder) and _has_own_page(folder) and is_apart(folder):
            parts[folder] = "it is a program of its own that pins an old Gym, and the project around it is on Gymnasium"
    return parts


def part_around(path: str, root: str, parts: Mapping[str, str]) -> str | None:
    """The part that a file is, or is in."""
    return next((part for part in (path, *_around(path, root)) if part in parts), None)


def _around(path: str, root: str) -> Iterator[str]:
    """The folders around a path, up to the root, but not that."""
    folder = os.path.dirname(path)
    while len(folder) > len(root) and folder.startswith(root):
        yield folder
        folder = os.path.dirname(folder)


def _leans_on(imports: Counter[str]) -> str:
    """The package made for Gym that the files of a folder import: most of them, if there are enough."""
    times, package = max(((times, name) for name, times in imports.items() if name in MADE_FOR_GYM), default=(0, ""))
    return package if times >= max(_FEWEST, imports["gym"]) else ""


def _pins_old_gym(folder: str) -> bool:
    """Whether the lists in a folder ask for releases of Gym from before Gymnasium, and for those alone."""
    allowed = specifiers(folder, "gym")
    newer = any(one.contains(release) for one in allowed for release in _FIVE_VALUES)
    return bool(allowed) and not newer and not specifiers(folder, "gymnasium")


def _has_own_page(folder: str) -> bool:
    """Whether a folder says for itself what it is, or by whose leave it is there."""
    try:
        return any(one.name.lower().startswith(_OWN_PAGES) for one in witness.entries(folder))
    except OSError:
        return False

"""The release that parts of a project pin, for the code beside them of which nothing says what it runs with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, islice

from done_lint.core.gymnasium_release import Supported
from done_lint.project.imported_parts import entries, is_folder

#: Parts lie near the root; folders far below it are data, or other people's code.
_DEEPEST = 3
_MOST_FOLDERS = 300
#: Folders of installed packages.
_INSTALLED = frozenset({"node_modules", "site-packages"})
#: What a virtual environment has, and a project of its own, which says what it needs for itself alone.
_MARKS = frozenset({"pyvenv.cfg", "pyproject.toml", "setup.cfg", "setup.py"})


def pinned_by_parts(root: str, of_folder: Callable[[str], Supported | None]) -> Supported:
    """From the release that all files on requirements below the root pin, if it is one, to the newest.

    What stands beside these parts may be run by whoever has installed one of them: a finding holds on the newest
    release, and a fix has to be right on both. Where no folder that pins it has code of its own, these are the ways to
    install the whole project (`install/docker`, `install/conda`), which runs with that release alone.
    """
    found = {folder: one for folder in _folders(root) if (one := of_folder(folder)) is not None}
    releases = {(one.lowest, one.newest) for one in found.values()}
    first = next(iter(found.values()), Supported())
    if len(releases) != 1 or first.lowest != first.newest:
        return Supported()
    if not any(map(_has_code, found)):
        return first
    return Supported(lowest=first.lowest, lowest_source=first.lowest_source)


def _has_code(folder: str) -> bool:
    """Whether there is Python code in a folder, or in one in it."""
    within = _below(folder, _DEEPEST)
    return any(one.name.endswith((".py", ".ipynb")) for inside in within for one in entries(inside))


@lru_cache(maxsize=64)
def _folders(root: str) -> tuple[str, ...]:
    """The folders below the root, as deep as parts lie, without projects inside the project."""
    inside = chain.from_iterable(_below(one.path, _DEEPEST) for one in _inside(entries(root)))
    return tuple(islice(inside, _MOST_FOLDERS))


def _below(folder: str, depth: int) -> Iterator[str]:
    """A folder and those in it."""
    found = entries(folder)
    if _MARKS.isdisjoint(one.name for one in found):
        yield folder
        for one in _inside(found) if depth > 1 else ():
            yield from _below(one.path, depth - 1)


def _inside(found: list[os.DirEntry[str]]) -> list[os.DirEntry[str]]:
    return sorted((one for one in found if is_folder(one) and one.name not in _INSTALLED), key=lambda one: one.path)

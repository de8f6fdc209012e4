"""What a project inside the project requires, where the programs beside it import its package.

Whoever imports an installed package has in the same environment what that package requires.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from done_lint.core import witness
from done_lint.core.file_io import SourceError, read_bytes
from done_lint.project.prefilter import imported
from done_lint.project.release_bounds import ReleaseBound, release_bounds

#: A folder with as many entries is full of data.
_MOST_ENTRIES = 1_000
#: How deep parts stand below the root, and how many folders are looked at for them.
_DEPTH, _MOST_FOLDERS = 3, 300
#: The files that make a folder a part.
_METADATA = frozenset({"pyproject.toml", "setup.cfg", "setup.py"})
#: A program is shorter.
_LARGEST = 1_000_000
#: The name of a list of requirements, as a string.
_LIST = re.compile(rb"""["'](?:\./)?([A-Za-z0-9_.-]+\.txt)["']""")


class _Part(NamedTuple):
    """A folder with metadata of its own: the packages that it installs, and what every installation has."""

    packages: frozenset[str]
    bounds: tuple[ReleaseBound, ...]
    #: What its lists of an environment pin, for who works on it.
    pins: tuple[ReleaseBound, ...]


def pins_of_imports(folder: str, root: str) -> list[ReleaseBound]:
    """What lists of the same parts pin: who works on them runs the files in a folder with that."""
    return [bound for part in _imported_parts(folder, root) for bound in part.pins]


def bounds_of_imports(folder: str, root: str) -> list[ReleaseBound]:
    """What the parts below the root require whose packages the files in a folder import.

    A part's own files import it as well: what it requires is what they have. Pages and scripts at the root use the
    packages that stand there, and so have what these import.
    """
    return [bound for part in _imported_parts(folder, root) for bound in part.bounds]


def _imported_parts(folder: str, root: str) -> list[_Part]:
    parts = _parts(root)
    users = (folder, *_own_packages(root)) if parts and folder == root else (folder,)
    names = frozenset[str]().union(*map(first_names, users)) if parts else frozenset()
    # `tests` in several parts is none of them that others mean
    times = Counter(name for part in parts for name in part.packages)
    meant = {name for name in names if times[name] == 1}
    return [part for part in parts if part.packages & meant]


@lru_cache(maxsize=64)
def _parts(root: str) -> tuple[_Part, ...]:
    """The parts that bound the releases."""
    return tuple(part for one in _part_folders(root) if (part := _part(one)).bounds and part.packages)


def _part_folders(root: str) -> list[str]:
    """The folders below the root, and those in folders that are no parts themselves: `libs/core`."""
    level, found = [root], list[str]()
    for _ in range(_DEPTH):
        inside = sorted(one.path for folder in level for one in entries(folder) if is_folder(one))
        found += inside
        level = [one for one in inside if _METADATA.isdisjoint(each.name for each in entries(one))]
        if len(found) > _MOST_FOLDERS:
            break
    return found


def _own_packages(root: str) -> list[str]:
    """The folders of the packages at the root."""
    folders = (one.path for place in (root, os.path.join(root, "src")) for one in entries(place) if is_folder(one))
    return [one for one in folders if any(inside.name == "__init__.py" for inside in entries(one))]


def _part(folder: str) -> _Part:
    bounds = [bound for bound in release_bounds(folder) if bound.clauses]
    lists = _lists_of_script(folder)
    listed = (one for one in bounds if os.path.dirname(one.path) == folder and os.path.basename(one.path) in lists)
    required = (
        *(bound for bound in bounds if bound.kind == "required"),
        *(bound._replace(kind="required", group="") for bound in listed),
    )
    places = (folder, os.path.join(folder, "src")) if required else ()
    pins = tuple(one for one in bounds if one.kind == "installed" and one.clauses.startswith("=="))
    return _Part(frozenset(name for place in places for name in _packages(place)), required, pins)


def _lists_of_script(folder: str) -> frozenset[str]:
    """The lists beside a set-up script that it reads by their names, for what it requires."""
    script = _data(os.path.join(folder, "setup.py"))
    return frozenset(one.decode() for one in _LIST.findall(script)) if b"install_requires" in script else frozenset()


def _packages(folder: str) -> Iterator[str]:
    """The names of the packages that stand in a folder."""
    for one in entries(folder):
        if is_folder(one) and any(inside.name == "__init__.py" for inside in entries(one.path)):
            yield one.name


@lru_cache(maxsize=4096)
def first_names(folder: str) -> frozenset[str]:
    """The first names of the modules that the programs in a folder import."""
    programs = sorted(one.path for one in entries(folder) if one.name.endswith(".py"))
    return frozenset(module.partition(".")[0] for path in programs for module in imported(_data(path)))


def _data(path: str) -> bytes:
    try:
        return read_bytes(path, _LARGEST)
    except SourceError:
        return b""


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder that is neither hidden nor a link."""
    return not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)


def entries(folder: str) -> list[os.DirEntry[str]]:
    """The entries of a folder; none of one that is full of data, and none that is a link."""
    try:
        found = witness.entries(folder, _MOST_ENTRIES)
    except OSError:
        return []
    return [one for one in found if not one.is_symlink()] if len(found) < _MOST_ENTRIES else []

"""Which releases of Gymnasium the code of a folder has to run with, as its project's own files say."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from done_lint.core.gymnasium_release import NEWEST, RELEASES, Supported, release
from done_lint.core.paths import shown
from done_lint.project.imported_parts import bounds_of_imports, first_names, pins_of_imports
from done_lint.project.pinned_parts import pinned_by_parts
from done_lint.project.release_bounds import ReleaseBound, installed_by_pages, release_bounds
from done_lint.project.script_metadata import is_script

#: A bound with one of these names the oldest release that the code runs with.
_FROM = (">=", ">", "~=", "==")


class _Range(NamedTuple):
    """Releases that bounds allow, as indices of `RELEASES`, which begins with the newest; and what each end is from."""

    newest: int
    lowest: int
    above: ReleaseBound
    below: ReleaseBound

    @property
    def pinned(self) -> bool:
        """Whether an exact version, or its beginning, says which releases these are."""
        return self.above.clauses.startswith("==") and "," not in self.above.clauses


@lru_cache(maxsize=4096)
def supported(place: str, root: str) -> Supported:
    """The releases that the code in a folder, or a script that says so itself, has to run with.

    A script comes first: its own metadata make its environment, in which the newest release is where they name none.
    The project's files may be what it is run with all the same, so that a fix has to be right on what they allow too.
    """
    if not is_script(place):
        return _of_project(place, root)
    if (found := _of_folder(place)) is not None:
        return found
    around = supported(os.path.dirname(place), root)
    named = next((bound for bound in _bounds(place) if not bound.through), None)
    return around if named is None else replace(around, newest=NEWEST, newest_source=_place(named), own=None)


def _of_project(folder: str, root: str) -> Supported:
    """What the project's files say of a folder.

    The nearest folder decides whose files bound them, from `folder` up to `root`, the folder of the project. These are
    metadata (`pyproject.toml`, `setup.cfg`, `setup.py`), lists of what an environment has, and lock files. Where none
    does, a package of the project's that the programs there import decides by what it requires, and without one the
    commands on the project's own pages tell. What other parts of the project pin bounds no finding, but the fixes.
    An extra bounds the code that imports the package which it asks for.
    """
    for one in upwards(folder, root):
        if (found := _of_folder(one)) is not None:
            return _of_extras(one, folder) or found
    return _of_imports(folder, root) or _of_pages(root) or pinned_by_parts(root, _of_folder)


def upwards(place: str, root: str) -> Iterator[str]:
    """A folder or script and the folders around it, up to the root; the root alone for one that is not inside."""
    while place.startswith(root.rstrip(os.sep) + os.sep):
        yield place
        place = os.path.dirname(place)
    yield root


@lru_cache(maxsize=4096)
def _of_folder(folder: str) -> Supported | None:
    """The releases that the files in one folder allow; None where they do not bound them."""
    return _of_bounds(_bounds(folder))


@lru_cache(maxsize=4096)
def _bounds(folder: str) -> Sequence[ReleaseBound]:
    """What the files in one folder say of releases, which is asked for many folders below it."""
    return release_bounds(folder)


def _of_extras(stated: str, folder: str) -> Supported | None:
    """The same for code that runs only where an extra is installed: it imports a package that the extra pins."""
    bounds = _bounds(stated)
    through = [bound for bound in bounds if bound.kind == "optional" and bound.through and bound.clauses]
    names = first_names(folder) if through else frozenset()
    used = [one for one in through if one.through.split()[0].replace("-", "_") in names]
    if not used:
        return None
    required = [bound for bound in bounds if not bound.group]
    return _of_bounds([*required, *(one._replace(kind="required", group="") for one in used)])


def _of_imports(folder: str, root: str) -> Supported | None:
    """What an installation of the imported packages of the project gets: the newest release that they allow."""
    found = next(filter(None, (_of_bounds(bounds_of_imports(one, root)) for one in upwards(folder, root))), None)
    if found is None:
        return None
    newest, source = found.newest, found.newest_source
    if not source:
        return _of_pins(folder, root)
    return replace(found, lowest=newest, lowest_source=source, own=(newest, newest))


def _of_pins(folder: str, root: str) -> Supported | None:
    """From the release that the imported parts pin for themselves, which bounds the fixes, to the newest."""
    pins = next(filter(None, (pins_of_imports(one, root) for one in upwards(folder, root))), [])
    pinned = _range(pins)
    if pinned is None:
        return None
    return Supported(lowest=release(RELEASES[pinned.lowest]), lowest_source=_place(pinned.above))


@lru_cache(maxsize=4096)
def _of_pages(root: str) -> Supported | None:
    """The releases that the pages of a project tell to install."""
    return _of_bounds(installed_by_pages(root))


def _of_bounds(bounds: Sequence[ReleaseBound]) -> Supported | None:
    if not any(bound.clauses for bound in bounds):
        return None
    required = [bound for bound in bounds if not bound.group]
    base = _range(required)
    groups: dict[str, list[ReleaseBound]] = {}
    for bound in bounds:
        if bound.group:
            groups.setdefault(bound.group, []).append(bound)
    # A list that contradicts the metadata is older than that, and says nothing.
    ranges = [one for members in groups.values() if (one := _range([*required, *members])) is not None]
    newest = _newest(base, ranges)
    if base is not None:
        ranges.append(base)
    lowest = max(ranges, key=lambda one: one.lowest, default=None)
    if lowest is None or not any(one.above.clauses for one in ranges):
        return None
    top = newest.newest if newest is not None else 0
    above = _place(newest.above) if newest is not None and top else ""
    below = _place(lowest.below) if lowest.lowest > top else above
    oldest, latest = release(RELEASES[max(lowest.lowest, top)]), release(RELEASES[top])
    return Supported(oldest, latest, below, above, own=(oldest, latest))


def _newest(base: _Range | None, ranges: Sequence[_Range]) -> _Range | None:
    """What has the newest release that the code runs with; None where nothing bounds it.

    In lists of what is installed the exact versions say it, else the other bounds; without such a list the metadata
    does, and extras and groups only where nothing else names the package.
    """
    installed = [one for one in ranges if one.above.kind == "installed" and one.above.clauses]
    optional = [one for one in ranges if one.above.kind == "optional"]
    choices = ([one for one in installed if one.pinned], installed, [base] if base else [], optional)
    return min((next(filter(None, choices), [])), key=lambda one: one.newest, default=None)


def _range(bounds: Sequence[ReleaseBound]) -> _Range | None:
    """What bounds allow together; None for none, and for those that contradict each other."""
    direct = [bound for bound in bounds if not bound.through]
    for chosen in (bounds, direct):
        allowed = set(range(len(RELEASES))).intersection(*(_allowed(bound.clauses) for bound in chosen))
        if chosen and allowed:
            above = max(chosen, key=lambda bound: min(_allowed(bound.clauses)))
            named = [bound for bound in chosen if _names_oldest(bound.clauses)]
            below = min(named, key=lambda bound: max(_allowed(bound.clauses)), default=above)
            return _Range(min(allowed), max(allowed) if named else min(allowed), above, below)
    return None


@lru_cache(maxsize=1024)
def _allowed(clauses: str) -> frozenset[int]:
    """The releases, as indices, that a bound allows."""
    if not clauses:
        return frozenset(range(len(RELEASES)))
    # Few projects bound the library: only they pay for the parser of bounds.
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        allowed = SpecifierSet(clauses)
    except InvalidSpecifier:  # the version of a damaged lock file
        return frozenset()
    return frozenset(index for index, version in enumerate(RELEASES) if version in allowed)


def _names_oldest(clauses: str) -> bool:
    return any(clause.strip().startswith(_FROM) for clause in clauses.split(","))


def _place(bound: ReleaseBound) -> str:
    """The file and row of a bound, and the required package that it comes from."""
    through = f", through {bound.through}" if bound.through else ""
    return f"{shown(bound.path)}:{bound.row}{through}"

"""Which release of Gymnasium the code is to run on: asked for, or read from the project's own dependencies."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Major and minor number of a release of Gymnasium: `(0, 29)`.
Release = tuple[int, int]

#: Every release of Gymnasium, newest first (package index, 2026-11).
RELEASES = (
    *("1.4.0", "1.3.0", "1.2.3", "1.2.2", "1.2.1", "1.2.0", "1.1.1", "1.1.0", "1.0.0"),
    *("0.29.1", "0.29.0", "0.28.1", "0.28.0", "0.27.1", "0.27.0", "0.26.3", "0.26.2", "0.26.1"),
)


def release(version: str) -> Release:
    """`(1, 0)` for "1.0.0", and for "1"."""
    major, _, rest = version.partition(".")
    return int(major), int(rest.partition(".")[0] or 0)


def is_release(version: str) -> bool:
    """Whether Gymnasium has this release; "1" and "1.0" stand for one that begins so."""
    # "0" would stand for 0.0, which begins nothing.
    return any(f"{known}.".startswith(f"{version}.") for known in RELEASES if release(known) == release(version))


NEWEST = release(RELEASES[0])

#: Major and minor numbers of all releases, newest first, as a user writes them.
MINORS = tuple(dict.fromkeys(version.rpartition(".")[0] for version in RELEASES))

_PACKAGE = "gymnasium"


@lru_cache(maxsize=256)
def required(folder: str) -> str:
    """The newest release that the dependencies declared in `folder` allow; empty where they allow the newest of all.

    Read are `pyproject.toml`, `setup.cfg` and `requirements*.txt`. A lower bound says nothing about the future and
    changes nothing. Nor does a requirement with a marker, which holds on some machines only, nor what cannot be read.
    """
    return _newest(_specifiers(_requirements(Path(folder))))


def _newest(specifiers: Iterable[str]) -> str:
    """The newest release that all of these allow, empty if that is the newest one or none at all."""
    clauses = [clause for clause in specifiers if clause]
    if not clauses:
        return ""
    # Few projects bound the library: only they pay for the parser of bounds.
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        allowed = SpecifierSet(",".join(clauses))
    except InvalidSpecifier:
        return ""
    newest = next((version for version in RELEASES if version in allowed), RELEASES[0])
    return "" if newest == RELEASES[0] else newest


def _requirements(folder: Path) -> Iterator[str]:
    """Requirements in the form of PEP 508, one a line, from all that a project can declare them in."""
    yield from _of_pyproject(_toml(folder / "pyproject.toml"))
    yield from _of_setup(folder / "setup.cfg")
    for path in sorted(folder.glob("requirements*.txt")):
        for line in _text(path).splitlines():
            # An exact pin in such a file is the snapshot of an installation (`pip freeze`), which grows old by
            # itself; what the project supports is said by bounds, and by the metadata above.
            if not re.search(r"===?", line):
                yield line


def _specifiers(requirements: Iterable[str]) -> Iterator[str]:
    """`<1.0` for `gymnasium[atari]<1.0`."""
    for requirement in requirements:
        text, _, marker = requirement.partition("#")[0].partition(";")
        match = re.fullmatch(r"\s*([\w.-]+)\s*(?:\[[^]]*\])?\s*\(?([^()@]*?)\)?\s*", text)
        if match and match[1].lower() == _PACKAGE and not marker.strip():
            yield match[2]


def _of_pyproject(data: Mapping[str, Any]) -> Iterator[str]:
    """The standard's dependencies with all extras and groups, and Poetry's."""
    project = _table(data, "project")
    groups = [project.get("dependencies")]
    groups += _table(project, "optional-dependencies").values()
    groups += _table(data, "dependency-groups").values()
    for group in groups:
        if isinstance(group, list):
            yield from (item for item in group if isinstance(item, str))
    poetry = _table(data, "tool", "poetry")
    tables = [poetry, *(group for group in _table(poetry, "group").values() if isinstance(group, dict))]
    for table in tables:
        wanted = _table(table, "dependencies").get(_PACKAGE)
        version = wanted.get("version") if isinstance(wanted, dict) else wanted
        if isinstance(version, str):
            yield f"{_PACKAGE} {_from_poetry(version)}"


def _from_poetry(version: str) -> str:
    """Poetry's `^0.29`, `~0.29`, `0.29.1`, `*` as the standard writes them."""
    clauses = []
    for clause in (part.strip() for part in version.split(",")):
        mark, number = clause[:1], clause.lstrip("^~=")
        parts = number.split(".")
        if mark == "^" and all(part.isdigit() for part in parts):
            # The first number that is not zero may not change.
            place = next((at for at, part in enumerate(parts) if part != "0"), len(parts) - 1)
            clauses += [f">={number}", f"=={'.'.join(parts[: place + 1])}.*"]
        elif mark == "~" and not clause.startswith("~="):
            clauses += [f">={number}", f"=={'.'.join(parts[:2])}.*"]
        elif mark.isdigit():
            clauses.append(f"=={clause}")
        elif clause != "*":
            clauses.append(clause)
    return ",".join(clauses)


def _of_setup(path: Path) -> Iterator[str]:
    """`install_requires` and the extras of a `setup.cfg`."""
    import configparser  # few projects have the file

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(_text(path))
    except configparser.Error:
        return
    yield from parser.get("options", "install_requires", fallback="").splitlines()
    if parser.has_section("options.extras_require"):
        for _, lines in parser.items("options.extras_require"):
            yield from lines.splitlines()


def _table(data: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """A table inside of tables, empty where there is none."""
    for key in keys:
        found = data.get(key)
        data = found if isinstance(found, dict) else {}
    return data


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}  # the configuration, which is read from the same file, says so


def _text(path: Path) -> str:
    """The file's text; a dependency in a file that cannot be read is not known."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""

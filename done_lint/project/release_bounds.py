"""What the files in one folder, or a script, say about the releases of Gymnasium: every bound, with its place."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from done_lint.core import witness
from done_lint.core.file_io import SourceError, read_bytes
from done_lint.core.text import NEWLINE
from done_lint.knowledge.package_requirements import REQUIREMENTS
from done_lint.project.install_commands import arguments
from done_lint.project.lock_files import LOCK_FILES, locked
from done_lint.project.python_bounds import python_bounds
from done_lint.project.requirement_files import Requirement, decoded, is_requirements_file, requirements
from done_lint.project.script_metadata import is_script, metadata
from done_lint.project.setup_script import declared

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

#: Where a bound stands: in what every installation must have, in an extra or a group, in what some machines need, or
#: in the list of one environment that the code runs in.
Kind = Literal["required", "optional", "machine", "installed"]

_PACKAGE = "gymnasium"
_SCRIPT, _PIPFILE = "setup.py", "Pipfile"
_METADATA = ("pyproject.toml", "setup.cfg")
#: The keys of what every installation has; the last is a script's own.
_REQUIRED = (("project", "dependencies"), ("options", "install_requires"), ("dependencies",))
#: Bytes above which a file is not read. Lock files of large projects have a few megabytes; other lists are short.
_LARGEST, _LARGEST_LOCK = 500_000, 10_000_000
#: A longer requirement is none.
_LONGEST = 500
#: A folder with as many entries is full of data.
_MOST_ENTRIES = 1_000
_CONDA_FILES = (".yml", ".yaml")

#: One of the packages that tell something, however it is written.
_NAMES = re.compile("|".join((_PACKAGE, *REQUIREMENTS)).replace("-", "[-_.]"), re.IGNORECASE)
#: A requirement without its spaces.
_SPECIFIER = re.compile(r"([\w.-]+)(?:\[[^]]*\])?\(?([^()@]*)\)?")
#: `gymnasium @ git+https://host/fork.git@v0.29.2`: a tag of the library's, or of somebody's copy of it.
_TAGGED = re.compile(r"(?P<name>[\w.-]+)(?:\[[^]]*\])?@\w+\+\S+@v?(?P<release>\d+\.\d+)(?:\.\d+)*(?:#\S*)?")
_PRERELEASE = re.compile(r"(?<=\d)(?:a|b|rc)\d+")
#: conda's `channel::gymnasium=0.29.1=build`, `gymnasium==0.29.1=build` and `gymnasium 0.29.1 build`.
_CONDA = re.compile(
    r"(?:\S*::)?(?P<name>[\w.-]+(?:\[[^]]*\])?)\s*"
    r"(?:==\s*(?P<exact>[\d.]+)|=(?P<prefix>[\d.]+)|(?P<plain>(?<=\s)[\d.]+))(?:[=\s][^=\s]+)?\s*"
)
#: Pages that say how to install a project, and an exact release in a command of theirs.
_PAGES = ".md"
_EXACT = re.compile(rf"(?<![\w.-]){_PACKAGE}(?:\[[^\]]*\])?===?(?P<version>\d+(?:\.\d+)+)(?![\w.*])")
#: The machines that markers are tried for: the releases of Python that code of today runs with, on Linux.
_PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13")
_LINUX = {
    "os_name": "posix",
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_machine": "x86_64",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "extra": "",
}
#: The version in the value of a key of Poetry or Pipenv: the value itself, or a field of an inline table.
_TABLE_VERSION = re.compile(r"""(?:\{.*?\bversion\s*=\s*)?(?:"([^"]*)"|'([^']*)')""")
_PIPFILE_KEY = re.compile(r"""["']?([\w.-]+)["']?\s*=\s*(.+)""")


class ReleaseBound(NamedTuple):
    """One statement about the releases, such as `<1.0`; an empty one names the package without a bound."""

    clauses: str
    kind: Kind
    #: Bounds of one group hold together; those of several are alternatives.
    group: str
    path: str
    row: int
    #: The required package that asks for this, if it is not the file itself.
    through: str = ""


class _Stated(NamedTuple):
    """A requirement of any package in the standard's form, before it is known whether it says something."""

    text: str
    row: int
    kind: Kind
    group: str


def release_bounds(place: str) -> list[ReleaseBound]:
    """The bounds that the files in a folder state, in the order of their paths; or those that a script states."""
    if is_script(place):
        return _bounds_in(place, _METADATA[0], metadata(place))
    found: list[ReleaseBound] = []
    for path in _files(place):
        name = os.path.basename(path)
        if name in LOCK_FILES:
            entries = locked(name, _text(path, _LARGEST_LOCK), _PACKAGE)
            found += (ReleaseBound(f"=={one}", "installed", f"{path}:{row}", path, row) for row, one in entries)
            continue
        found += _bounds_in(path, name, _text(path, _LARGEST))
    return found


def _bounds_in(path: str, name: str, text: str) -> list[ReleaseBound]:
    """The bounds in a file that is no lock file, read as one with that name."""
    found: list[ReleaseBound] = []
    if _NAMES.search(text):
        found += (bound for one in _stated(path, name, text) if (bound := _bound(path, one)) is not None)
    if name == _SCRIPT or name in _METADATA:
        found += (
            ReleaseBound(one.gymnasium, "required", "", path, one.row, f"Python {one.python}")
            for one in python_bounds(name, text)
        )
    return found


def installed_by_pages(folder: str) -> list[ReleaseBound]:
    """The exact releases that commands on the Markdown pages of a folder install: `pip install gymnasium==0.29.1`."""
    found: list[ReleaseBound] = []
    for path in sorted(one.path for one in _entries(folder) if one.name.lower().endswith(_PAGES)):
        text = _text(path, _LARGEST)
        for at, argument, _ in arguments(text):
            for match in _EXACT.finditer(argument):
                row = text.count("\n", 0, at + match.start()) + 1
                found.append(ReleaseBound(f"=={match['version']}", "installed", f"{path}:{row}", path, row))
    return found


@lru_cache(maxsize=4096)
def specifiers(place: str, package: str) -> tuple[SpecifierSet, ...]:
    """What the files in a folder, or a script, allow of another package, whatever machine or extra it is for."""
    found: list[SpecifierSet] = []
    named = re.compile(package.replace("-", "[-_.]"), re.IGNORECASE)
    own = is_script(place)
    for path in [place] if own else _files(place):
        name = _METADATA[0] if own else os.path.basename(path)
        text = metadata(path) if own else _text(path, _LARGEST_LOCK if name in LOCK_FILES else _LARGEST)
        if not named.search(text):
            continue
        if name in LOCK_FILES:
            clauses = [f"=={version}" for _, version in locked(name, text, package)]
        else:
            matches = (
                _SPECIFIER.fullmatch("".join(_requirement(one.text).split())) for one in _stated(path, name, text)
            )
            clauses = [match[2] for match in matches if match is not None and _normal(match[1]) == package]
        found += (allowed for one in clauses if (allowed := _specifiers(one)) is not None)
    return tuple(found)


def _requirement(text: str) -> str:
    """A requirement without its comment and its marker."""
    return re.split(r"(?:^|\s)#", text[:_LONGEST])[0].partition(";")[0]


def _normal(name: str) -> str:
    """The name of a package as the index writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _files(folder: str) -> list[str]:
    """The files that state requirements: in the folder, and in those inside of it that hold nothing of their own."""
    entries = _entries(folder)
    inside = [one.path for one in entries if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")]
    lists = (more for path in inside if len(more := _entries(path, _MOST_ENTRIES)) < _MOST_ENTRIES)
    chosen = (more for more in lists if not any(map(_is_code, more)))
    return sorted(one.path for some in (entries, *chosen) for one in some if _states(one))


def _entries(folder: str, most: int = 0) -> list[os.DirEntry[str]]:
    """The first entries of a folder; none that is a link, which may lead out of the project."""
    try:
        return [one for one in witness.entries(folder, most) if not one.is_symlink()]
    except OSError:
        return []


def _is_code(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a program, may hold some, or says that its folder is a package: then lists are about that."""
    return entry.name.endswith((".py", ".ipynb")) or entry.name in _METADATA or entry.is_dir(follow_symlinks=False)


def _states(entry: os.DirEntry[str]) -> bool:
    known = entry.name in (_SCRIPT, _PIPFILE) or entry.name in LOCK_FILES
    return known or is_requirements_file(entry.path)


def _text(path: str, limit: int) -> str:
    """The file's text; a dependency in a file that cannot be read is not known."""
    try:
        return decoded(read_bytes(path, limit))
    except SourceError:
        return ""


def _stated(path: str, name: str, text: str) -> Iterator[_Stated]:
    """Every requirement in a file that is no lock file."""
    if name == _SCRIPT:
        for one in declared(text):
            yield _Stated(one.text, one.row, "optional" if one.extra else "required", one.extra)
    elif name == _PIPFILE:
        yield from _of_pipfile(text)
    elif name in _METADATA:
        if name != "pyproject.toml" or _is_toml(text):
            yield from filter(None, map(_of_metadata, requirements(name, text)))
    else:
        for requirement in requirements(path, text):
            stated = _of_conda(requirement.text) if name.endswith(_CONDA_FILES) else requirement.text
            yield _Stated(stated, requirement.row, "installed", path)


def _bound(path: str, stated: _Stated) -> ReleaseBound | None:
    """What a requirement says about the package: itself, or what the package that it names requires."""
    if len(stated.text) > _LONGEST:
        return None
    text, _, marker = re.split(r"(?:^|\s)#", stated.text)[0].partition(";")
    match = _SPECIFIER.fullmatch(_TAGGED.sub(r"\g<name>==\g<release>.*", "".join(text.split())))
    name = _normal(match[1]) if match else ""
    if match is None or (name != _PACKAGE and name not in REQUIREMENTS):
        return None
    # A version before a release has what the release has.
    allowed = _specifiers(_PRERELEASE.sub("", match[2]))
    if allowed is None:
        return None
    through, clauses = ("", str(allowed)) if name == _PACKAGE else _through(name, allowed)
    if name != _PACKAGE and not clauses:
        return None
    kind, group = stated.kind, f"{path}:{stated.group}" if stated.group else ""
    if marker.strip() and not _holds_everywhere(marker):
        # A list for an environment has a row for each kind of machine, and each is one that the code runs on.
        kind, group = kind if kind == "installed" else "machine", f"{path}:{stated.row}"
    return ReleaseBound(clauses, kind, group, path, stated.row, through)


def _specifiers(clauses: str) -> SpecifierSet | None:
    """The parsed bounds; None where they are none."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # only few projects name the package

    try:
        return SpecifierSet(clauses)
    except InvalidSpecifier:
        return None


def _holds_everywhere(marker: str) -> bool:
    """Whether a marker, such as one that an export writes in every row, holds with each Python of today."""
    from packaging.markers import InvalidMarker, Marker, UndefinedEnvironmentName

    try:
        parsed = Marker(marker)
        machines = ({**_LINUX, "python_version": one, "python_full_version": f"{one}.0"} for one in _PYTHONS)
        return all(map(parsed.evaluate, machines))
    except (InvalidMarker, UndefinedEnvironmentName, RecursionError):
        return False


def _through(name: str, allowed: SpecifierSet) -> tuple[str, str]:
    """The newest release of a package that a requirement allows, and what that requires."""
    for bound in reversed(REQUIREMENTS[name]):
        for version in reversed(bound.versions):
            if version in allowed:
                return f"{name} {version}", bound.gymnasium
    return "", ""


def _is_toml(text: str) -> bool:
    """Whether the file can be read; if not, the configuration, which is read from the same file, reports it."""
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
    return True


def _of_metadata(requirement: Requirement) -> _Stated | None:
    """A requirement in `pyproject.toml` or `setup.cfg`: what every installation has, or an extra or a group."""
    keys, text = requirement.keys, requirement.text
    if keys[:2] == ("tool", "poetry"):
        return _of_poetry(keys[2:], requirement)
    if requirement.value is not None:
        return None
    if keys in _REQUIRED:
        return _Stated(text, requirement.row, "required", "")
    return _Stated(text, requirement.row, "optional", ".".join(keys))


def _of_poetry(keys: tuple[str, ...], requirement: Requirement) -> _Stated | None:
    """Poetry's `gymnasium = "^0.29"`, in its own table and in those of its groups."""
    group = keys[1] if keys[:1] == ("group",) else ""
    if group:
        keys = keys[2:]
    if len(keys) == 2 and requirement.value is not None:
        match = _TABLE_VERSION.match(requirement.value)
        version = (match[1] or match[2] or "") if match else ""
    elif len(keys) == 3 and keys[2] == "version" and requirement.value is None:
        version = requirement.text
    else:
        return None
    text = keys[1] + _from_poetry(version)
    return _Stated(text, requirement.row, "optional" if group else "required", group)


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


def _of_pipfile(text: str) -> Iterator[_Stated]:
    """The packages in a `Pipfile`; its groups are tables with a key for each package."""
    group = ""
    for row, line in enumerate(NEWLINE.split(text), 1):
        if header := re.match(r"\[+([^\[\]]+)\]", line):
            group = header[1].strip()
        elif (key := _PIPFILE_KEY.match(line)) and (version := _TABLE_VERSION.match(key[2])):
            bound = (version[1] or version[2] or "").replace("*", "")
            yield _Stated(key[1] + bound, row, "installed", group)


def _of_conda(requirement: str) -> str:
    """A requirement of conda in the standard's form: a plain version, or one behind `=`, stands for its beginning."""
    match = _CONDA.fullmatch(requirement) if len(requirement) <= _LONGEST else None
    if match is None:
        return requirement.rpartition("::")[2]
    version = match["exact"] or f"{match['prefix'] or match['plain']}.*"
    return f"{match['name']}=={version}"

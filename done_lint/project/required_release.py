"""Which release of Gymnasium a project's own dependencies allow."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from done_lint.core.gymnasium_release import RELEASES
from done_lint.project.requirement_files import Requirement, requirements

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_PACKAGE = "gymnasium"
_SPECIFIER = re.compile(r"\s*([\w.-]+)\s*(?:\[[^]]*\])?\s*\(?([^()@]*?)\)?\s*")
#: The version in the value of a key of Poetry: the value itself, or a field of an inline table.
_POETRY_VERSION = re.compile(r"""(?:\{.*?\bversion\s*=\s*)?(?:"([^"]*)"|'([^']*)')""")


@lru_cache(maxsize=256)
def required(folder: str) -> str:
    """The newest release that the dependencies declared in `folder` allow; empty where they allow the newest of all.

    Read are `pyproject.toml`, `setup.cfg` and `requirements*.txt`. A lower bound says nothing about the future and
    changes nothing. Nor does a requirement with a marker, which holds on some machines only, nor what cannot be read.
    """
    return _newest(_specifiers(Path(folder)))


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


def _specifiers(folder: Path) -> Iterator[str]:
    """The bounds of the package, such as `<1.0`, from all files in which a project can declare them."""
    pyproject = _text(folder / "pyproject.toml")
    if found := list(filter(None, map(_of_pyproject, requirements("pyproject.toml", pyproject)))):
        try:
            tomllib.loads(pyproject)
        except (tomllib.TOMLDecodeError, RecursionError):
            found = []  # the configuration, which is read from the same file, reports it
    yield from found
    for one in requirements("setup.cfg", _text(folder / "setup.cfg")):
        if one.keys[0] == "options.extras_require" or one.keys[1] == "install_requires":
            yield _specifier(one.text + one.rest)
    for path in sorted(folder.glob("requirements*.txt")):
        for one in requirements("requirements.txt", _text(path)):
            # An exact pin in such a file is the snapshot of an installation (`pip freeze`), which grows old by
            # itself; what the project supports is declared by bounds, and by the metadata above.
            if "==" not in one.text + one.rest:
                yield _specifier(one.text + one.rest)


def _of_pyproject(requirement: Requirement) -> str:
    """The bound in one requirement of `pyproject.toml`: of the standard's dependencies and groups, and of Poetry's."""
    keys = requirement.keys
    if keys[:2] == ("tool", "poetry"):
        return _of_poetry(keys[2:], requirement)
    standard = keys == ("project", "dependencies") or keys[0] == "dependency-groups"
    if requirement.value is None and (standard or keys[:2] == ("project", "optional-dependencies")):
        return _specifier(requirement.text)
    return ""


def _of_poetry(keys: tuple[str, ...], requirement: Requirement) -> str:
    """Poetry's `gymnasium = "^0.29"`, in its own table and in those of its groups."""
    if keys[:1] == ("group",):
        keys = keys[2:]
    if keys == ("dependencies", _PACKAGE) and (found := _POETRY_VERSION.match(requirement.value or "")):
        return _from_poetry(found[1] or found[2] or "")
    if keys == ("dependencies", _PACKAGE, "version") and requirement.value is None:
        return _from_poetry(requirement.text)
    return ""


def _specifier(requirement: str) -> str:
    """`<1.0` for `gymnasium[atari]<1.0`; empty for another package, or one that a marker limits to some machines."""
    text, _, marker = requirement.partition("#")[0].partition(";")
    match = _SPECIFIER.fullmatch(text)
    return match[2] if match and match[1].lower() == _PACKAGE and not marker.strip() else ""


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


def _text(path: Path) -> str:
    """The file's text; a dependency in a file that cannot be read is not known."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""

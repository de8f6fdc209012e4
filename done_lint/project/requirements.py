"""Dependencies on `gym` outside of Python code: the part of GYM401 that is not Python.

They stand in the files that name a project's packages, and in the commands of notebooks that install packages. What
`setup.py` says is Python, so the rule itself finds it (`done_lint.rules.library.gym_import`).

A file that names `gymnasium` as well has no findings: it supports both, or is being migrated.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from done_lint.core import witness
from done_lint.core.codes import CODES
from done_lint.core.file_io import SourceError, read_bytes
from done_lint.core.findings import Finding, Span
from done_lint.core.text import Lines
from done_lint.knowledge.package_requirements import BRINGING_BOTH, EXTRAS_WITH_GYM, FIRST_ON_GYMNASIUM
from done_lint.project import setup_script
from done_lint.project.before_gymnasium import is_below
from done_lint.project.install_commands import arguments, is_branch_for_gym
from done_lint.project.requirement_files import Requirement, decoded, is_requirements_file, requirements
from done_lint.source.source import Source
from done_lint.source.suppressions import Suppressions

CODE = "GYM401"
#: The version to require: fixed code runs on the releases since 1.0.
SINCE = ">=1.0"
#: Every release of Gym is below it.
_GYMNASIUM = (1, 0)
#: What is said of another package whose older releases come with Gym.
MADE_FOR_GYM = "asks for a release that is made for Gym; later ones are made for Gymnasium"
#: Why there is no fix.
OWN_CHOICE = "you decide which releases your project supports"
#: Extras of Gym's releases that Gymnasium 1.4 lacks (its metadata; it has `classic_control` and `toy_text`).
GONE_EXTRAS = frozenset(
    """
    accept-rom-license algorithmic board-game nomujoco mujoco-py parameter-tuning robotics safety
    """.split()
)

#: What a list has to speak of.
_SPOKEN = re.compile("|".join(("gym", *(re.sub("-", "[-_]", one) for one in FIRST_ON_GYMNASIUM))), re.IGNORECASE)
_REQUIREMENT = re.compile(
    r"""
    (?:[\w-]+::)?                                # conda's channel
    (?P<name>gym(?:nasium)?)(?![\w.-])
    \s*(?:\[(?P<extras>[^\]]*)\])?
    [^;\#\\"']*                                  # the version, an address
    (?P<marker>;[^\#\\"']*(?:(?P<quote>["'])[^"']*(?P=quote)[^\#\\"']*)*)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: A package with the releases that are asked for, of Python's tools, poetry's and conda's.
_PINNED = re.compile(
    r"""
    (?:[\w-]+::)?                                # conda's channel
    (?P<name>[\w.-]*[a-z]\d?)
    (?P<extras>\[[^\]]*\])?
    \s*(?P<version>[(\s=<>!~^\d][^;\#]*)
    (?:;.*)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: Gym in one release: pip's, conda's, and what poetry has as the value of its key.
_EXACT = re.compile(
    r"""
    (?:[\w-]+::)?gym(?:\[[^\]]*\])?\s*={1,3}\s*\d[\w.]*(?:=\w+)?(?:\s*;.*)?
    | ["'](?:==\s*)?\d[\w.]*["']
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: A repository in the place of a release.
_REPOSITORY = re.compile(r"(?:-e\s+|--editable[ =])?git\+\S*/(?P<name>gym(?:nasium)?)(?:\.git)?(?=[@#\s]|$)\S*", re.I)

#: So many packages are more than a program names itself.
_FROZEN = 8
#: Where the packages of a file of conda begin.
_DEPENDENCIES = "dependencies:"
#: The name of the package that a requirement is of.
_PACKAGE = re.compile(r"[\w.-]+")


class Named(NamedTuple):
    """A place that names a package: its position, its text, and the text to write instead."""

    row: int
    column: int
    text: str
    new: str


def check(path: str, data: bytes, imports_gym: Callable[[], bool] | None = None) -> tuple[str, list[Finding]]:
    """The text of a requirements file, and its dependencies on `gym`, each with the text to write instead.

    Those that bring Gym without naming it count where they stand beside it, or where `imports_gym` says that code does.
    """
    text = decoded(data)
    if not _SPOKEN.search(text):
        return text, []
    named = [one for requirement in requirements(path, text) if (one := _named(requirement)) is not None]
    if any(not one.new for one in named):
        return text, []
    suppressions = Suppressions.of_rows(text)
    beside = [one for requirement in requirements(path, text) if (one := _named_beside(requirement)) is not None]
    if not named and (imports_gym is None or not beside or not imports_gym()):
        return text, []
    found = [_finding(path, one) for one in sorted([*named, *beside])]
    return text, [finding for finding in found if not suppressions.hides(finding)]


def declares_gym(folder: str) -> bool:
    """Whether a folder is a project of its own, whose metadata name Gym and not Gymnasium."""
    paths = (os.path.join(folder, name) for name in ("pyproject.toml", "setup.cfg"))
    listed = (requirement for path in paths for requirement in requirements(path, _text(path)))
    found = [one for one in map(_named, listed) if one is not None]
    texts = [one.text for one in setup_script.declared(_text(os.path.join(folder, "setup.py")))]
    if any(one.new for one in found) or any(map(names_gymnasium, texts)):
        return False
    return bool(found) or any(map(replacement, texts))


def asks_for_both(folder: str) -> bool:
    """Whether a file in a project's own folder names both packages: the project supports both."""
    try:
        found = witness.entries(folder)
        paths = sorted(entry.path for entry in found if is_requirements_file(entry.path) and entry.is_file())
    except OSError:
        return False
    return any(_names_both(path) for path in paths) or declares_both(folder)


def is_frozen(data: bytes | None) -> bool:
    """Whether a list of packages names the release of each: what some of them require is in it, too.

    In one of conda's, they are the entries below `dependencies:`, also those of `pip:`.
    """
    rows = [row.strip() for row in (data or b"").decode(errors="replace").splitlines()]
    if _DEPENDENCIES in rows:
        entries = [row for row in rows[rows.index(_DEPENDENCIES) :] if row.startswith("- ")]
        named = [row for row in entries if not row.endswith(":")]
        return len(named) >= _FROZEN and all("=" in row for row in named)
    named = [row for row in rows if row and not row.startswith(("#", "-"))]
    return len(named) >= _FROZEN and all("==" in row for row in named)


def pins_gym(path: str, data: bytes | None) -> bool:
    """Whether a list names Gym in one release each time: who pins it so may need it for another package."""
    named = [one for one in requirements(path, decoded(data or b"")) if _named(one) is not None]
    return bool(named) and all(_EXACT.fullmatch(one.text if one.value is None else one.value.strip()) for one in named)


def requires_gymnasium(folder: str) -> bool:
    """Whether a project's own metadata require Gymnasium."""
    names = ("pyproject.toml", "setup.cfg")
    scripts = setup_script.declared(_text(os.path.join(folder, "setup.py")))
    declared = any(names_gymnasium(one.text) and not one.extra for one in scripts)
    return declared or any(_names_new(os.path.join(folder, name)) for name in names)


def declares_both(folder: str) -> bool:
    """Whether the metadata of a package names both: an installation has both, each for what needs it.

    A list of what is installed somewhere says less: both are often there while a program moves.
    """
    if any(_names_both(os.path.join(folder, name)) for name in ("pyproject.toml", "setup.cfg")):
        return True
    found = list(setup_script.declared(_text(os.path.join(folder, "setup.py"))))
    gym = [one for one in found if replacement(one.text)]
    if any(names_gymnasium(one.text) for one in found):
        return bool(gym)
    if brings_both(folder):
        return True
    # Gym for an extra alone, beside a list that the script reads
    return bool(gym) and all(one.extra for one in gym) and _names_new(os.path.join(folder, "requirements.txt"))


def brings_both(folder: str) -> bool:
    """Whether a package that is required has both: in what `setup.py` declared, in the metadata, or in the list."""
    declared = [one.text for one in setup_script.declared(_text(os.path.join(folder, "setup.py")))]
    files = (os.path.join(folder, name) for name in ("pyproject.toml", "setup.cfg", "requirements.txt"))
    listed = (one.text for path in files for one in requirements(path, _text(path)))
    names = (_PACKAGE.match(text.strip()) for text in (*declared, *listed))
    return any(name is not None and name[0].lower().replace("_", "-") in BRINGING_BOTH for name in names)


def _names_both(path: str) -> bool:
    text = _text(path)
    found = [one for requirement in requirements(path, text) if (one := _named(requirement)) is not None]
    return {bool(one.new) for one in found} == {True, False}


def _names_new(path: str) -> bool:
    found = (_named(requirement) for requirement in requirements(path, _text(path)))
    return any(one is not None and not one.new for one in found)


def _text(path: str) -> str:
    """The text of a file; empty where it cannot be read."""
    try:
        return decoded(read_bytes(path))
    except SourceError:
        return ""


def in_commands(source: Source) -> list[Finding]:
    """Installations of `gym` by a notebook's commands; none where one of them installs `gymnasium`."""
    if source.layout is None:
        return []
    lines = Lines(source.text)
    named: list[Named] = []
    for start, end in source.layout.commands():
        row, column = lines.position(start)
        for at, text, is_quoted in arguments(source.text, start, end):
            if _match(text) is not None:
                new = replacement(text)
                quoted = new if is_quoted or not new else f'"{new}"'  # a shell's `>` writes to a file
                named.append(Named(row, column + at - start, text, quoted))
    if any(not one.new for one in named):
        return []
    return [_finding(source.path, one) for one in named]


def installed_for_gym(text: str, places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """What the commands in some places of a document install that is for Gym, by where it stands.

    That is Gym in an old release or from its repository, a package in a release that was made for it, and a branch
    called after it; nothing where one of the commands installs Gymnasium.
    """
    named = [one for start, end in places for one in arguments(text, start, end)]
    if not any(names_gymnasium(one.text) for one in named):
        for at, requirement, _ in named:
            match = _match(requirement)
            from_there = match is not None and "git+" in requirement
            old = match is not None and is_below(requirement[match.end("name") :], _GYMNASIUM)
            if from_there or old or beside(requirement) or is_branch_for_gym(requirement):
                yield at, requirement


def replacement(requirement: str) -> str:
    """What to write for a requirement of `gym`; empty for another package's, and for `gymnasium`'s own.

    The version is dropped, because it counts Gym's releases; extras that Gymnasium has and markers are kept.
    """
    match = _match(requirement)
    if match is None or match["name"].lower() != "gym":
        return ""
    groups = match.groupdict()
    extras = [extra.strip() for extra in (groups.get("extras") or "").split(",")]
    kept = [extra for extra in extras if extra and extra.lower().replace("_", "-") not in GONE_EXTRAS]
    marker = (groups.get("marker") or "").rstrip()
    return f"gymnasium{'[' + ','.join(kept) + ']' if kept else ''}{SINCE}{marker}"


def beside(requirement: str) -> str:
    """What to write for a requirement of a package whose releases up to the one that is asked for are made for Gym."""
    match = _PINNED.fullmatch(requirement.strip())
    if match is None:
        return ""
    name = match["name"].lower().replace("_", "-")
    first, extras = FIRST_ON_GYMNASIUM.get(name), EXTRAS_WITH_GYM.get(name)
    if first is None or not is_below(match["version"], first):
        return ""
    if extras is not None and extras.isdisjoint(re.split(r"[\[\],\s]+", match["extras"] or "")):
        return ""
    return f"{match['name']}{match['extras'] or ''}>={first[0]}.{first[1]}"


def names_gymnasium(requirement: str) -> bool:
    """Whether a requirement is one of `gymnasium`."""
    match = _match(requirement)
    return match is not None and match["name"].lower() == "gymnasium"


def _match(requirement: str) -> re.Match[str] | None:
    return _REQUIREMENT.fullmatch(requirement.strip()) or _REPOSITORY.fullmatch(requirement.strip())


def _named(requirement: Requirement) -> Named | None:
    """The place of a requirement, if it names one of the two packages."""
    row, column, text, _, keys, value = requirement
    if value is None:
        return Named(row, column, text, replacement(text)) if _match(text) is not None else None
    if text.lower() not in ("gym", "gymnasium"):
        return None
    wide = re.sub(r'(version\s*=\s*)"[^"]*"', rf'\1"{SINCE}"', value) if value.startswith("{") else f'"{SINCE}"'
    new = f"gymnasium = {wide.strip()}" if value else "[" + ".".join([*keys[:-1], "gymnasium"]) + "]"
    return Named(row, column, text, new if text.lower() == "gym" else "")


def _named_beside(requirement: Requirement) -> Named | None:
    """The place of a requirement whose package is made for Gym in the releases that are asked for."""
    row, column, text, _, _, value = requirement
    bounds = next(iter(re.findall(r"[\"']([^\"']*)[\"']", value)), "") if value is not None else ""
    new = beside(f"{text}{bounds}")
    return Named(row, column, text, new) if new else None


def _finding(path: str, named: Named) -> Finding:
    end = named.column + len(named.text)
    return Finding(
        code=CODE,
        name=CODES[CODE],
        message=f"`{named.text}` {'is no longer maintained' if _match(named.text) else MADE_FOR_GYM}",
        path=path,
        span=Span(named.row, named.column, named.row, end),
        help=f"write `{named.new}`",
        unfixed=OWN_CHOICE,
    )

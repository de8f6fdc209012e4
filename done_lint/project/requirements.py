"""Dependencies on `gym` in the files that name a project's packages: the part of GYM401 that is not Python.

Requirements files, `pyproject.toml`, `setup.cfg` and conda environments are read row by row, because a finding
needs the row and the parsers of these formats do not tell it. What `setup.py` says is Python, so the rule itself
finds it (`done_lint.rules.library.gym_import`).

So are the commands of notebooks that install packages.

A file that names `gymnasium` as well is silent: it supports both, or is in the middle of the move.
"""

from __future__ import annotations

import codecs
import fnmatch
import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from done_lint.core.codes import CODES
from done_lint.core.findings import Finding, Span
from done_lint.core.text import Lines
from done_lint.source.source import Source
from done_lint.source.suppressions import Suppressions

CODE = "GYM401"
#: The version to ask for: what `fix` writes runs on the releases since 1.0.
SINCE = ">=1.0"
#: Why there is no fix.
OWN_CHOICE = "which releases a project supports is its own choice"
#: Extras that Gym's releases had and Gymnasium 1.4 has not (its metadata; `classic_control` and `toy_text` it has).
GONE_EXTRAS = frozenset(
    """
    accept-rom-license algorithmic board-game nomujoco mujoco-py parameter-tuning robotics safety
    """.split()
)

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
#: A repository in the place of a release.
_REPOSITORY = re.compile(r"(?:-e\s+|--editable[ =])?git\+\S*/(?P<name>gym(?:nasium)?)(?:\.git)?(?=[@#\s]|$)\S*", re.I)

#: A command that installs packages, and one of its arguments.
_INSTALL = re.compile(r"(?:\b(?:pip[\d.]*|conda|mamba|uv)\s+(?:install|add)\s)(?P<arguments>[^&|;#]*)")
_ARGUMENT = re.compile(r"""(?P<quote>["'])(?P<quoted>.*?)(?P=quote)|(?P<bare>[^\s"']+)""")


class Named(NamedTuple):
    """A place that names a package: where its text stands, and what it is to be."""

    row: int
    column: int
    text: str
    new: str


def is_requirements_file(path: str) -> bool:
    """Whether a file of that name says which packages a project needs."""
    return _reader(path) is not None


def check(path: str, data: bytes) -> tuple[str, list[Finding]]:
    """The text of such a file, and its dependencies on `gym`, each with the line to write in its place."""
    text = _decoded(data)
    reader = _reader(path)
    if reader is None or "gym" not in text.lower():
        return text, []
    named = list(reader(text))
    if any(not one.new for one in named):
        return text, []
    suppressions = Suppressions.of_rows(text)
    found = [_finding(path, one) for one in named]
    return text, [finding for finding in found if not suppressions.hides(finding)]


def in_commands(source: Source) -> list[Finding]:
    """Installations of `gym` by a notebook's commands; none where one of them installs `gymnasium`."""
    if source.layout is None:
        return []
    lines = Lines(source.text)
    named: list[Named] = []
    for start, end in source.layout.commands():
        row, column = lines.position(start)
        for install in _INSTALL.finditer(source.text, start, end):
            for word in _ARGUMENT.finditer(source.text, *install.span("arguments")):
                group = "quoted" if word["quoted"] is not None else "bare"
                if _match(word[group]) is not None:
                    new = replacement(word[group])
                    quoted = new if group == "quoted" or not new else f'"{new}"'  # a shell's `>` writes to a file
                    named.append(Named(row, column + word.start(group) - start, word[group], quoted))
    if any(not one.new for one in named):
        return []
    return [_finding(source.path, one) for one in named]


def replacement(requirement: str) -> str:
    """What to write for a requirement of `gym`; empty for another package's, and for `gymnasium`'s own.

    The version goes, because it counts Gym's releases; extras and markers stay as far as they mean something.
    """
    match = _match(requirement)
    if match is None or match["name"].lower() != "gym":
        return ""
    groups = match.groupdict()
    extras = [extra.strip() for extra in (groups.get("extras") or "").split(",")]
    kept = [extra for extra in extras if extra and extra.lower().replace("_", "-") not in GONE_EXTRAS]
    marker = (groups.get("marker") or "").rstrip()
    return f"gymnasium{'[' + ','.join(kept) + ']' if kept else ''}{SINCE}{marker}"


def names_gymnasium(requirement: str) -> bool:
    """Whether a requirement is one of `gymnasium`."""
    match = _match(requirement)
    return match is not None and match["name"].lower() == "gymnasium"


# --- the formats -------------------------------------------------------------------------------------------


def _plain(text: str) -> Iterator[Named]:
    """Requirements files: a requirement a row."""
    for number, row in enumerate(_rows(text), 1):
        yield from _named(number, row, 0, re.split(r"(?:^|\s)#|\s\\$|\s--hash", row)[0])


def _conda(text: str) -> Iterator[Named]:
    """Conda environments: the items of the list `dependencies`, those for pip among them."""
    inside = False
    for number, row in enumerate(_rows(text), 1):
        if row[:1].strip() and not row.startswith(("-", "#")):
            inside = row.startswith("dependencies:")
        elif inside and (item := re.match(r"""\s*-\s+(?P<quote>["']?)(?P<text>[^"'#]+)""", row)):
            yield from _named(number, row, item.start("text"), item["text"])


def _setup_cfg(text: str) -> Iterator[Named]:
    """Of `setup.cfg`, the lists of requirements in `[options]` and all of `[options.extras_require]`."""
    section = key = ""
    for number, row in enumerate(_rows(text), 1):
        if header := re.match(r"\[(.+)\]", row):
            section, key = header[1].strip(), ""
            continue
        start = 0
        if head := re.match(r"([^\s#;=][^=]*?)\s*=\s*", row):
            key, start = head[1], head.end()
        listed = section == "options" and re.fullmatch(r"(install|setup|tests)_requires?", key)
        if listed or section == "options.extras_require":
            yield from _named(number, row, start, re.split(r"(?:^|\s)#", row[start:])[0])


#: A key with one of these names, at whatever depth, holds what a project depends on: of PEP 621 and PEP 735, and of
#: the tools poetry, pdm, uv and hatch.
_LISTS = frozenset(
    "dependencies dependency-groups dev-dependencies extra-dependencies optional-dependencies".split(),
)
_HEADER = re.compile(r"\s*\[\[?(?P<name>[^\[\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*(?P<key>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=\s*""")
#: A string, a bracket, or a comment to the end of the row.
_TOKEN = re.compile(r'"(?P<basic>(?:[^"\\]|\\.)*)"|\'(?P<literal>[^\']*)\'|(?P<bracket>[\[\]])|#.*')


def _pyproject(text: str) -> Iterator[Named]:
    """Of `pyproject.toml`, lists of requirements, and poetry's tables with a key a package."""
    table: list[str] = []
    path: list[str] = []
    depth = 0
    quoted = ""
    for number, row in enumerate(_rows(text), 1):
        if fences := re.findall(r'"""|\'\'\'', row):  # prose over many rows
            quoted = "" if quoted else fences[0] * (len(fences) % 2)
            continue
        if quoted:
            continue
        start = 0
        if not depth and (header := _HEADER.match(row)):
            table = path = _parts(header["name"])
            yield from _of_poetry(path, number, row[: header.end("name")], "")
            continue
        if not depth and (key := _KEY.match(row)):
            path, start = table + _parts(key["key"]), key.end()
            yield from _of_poetry(path, number, row[: key.end("key")], row[start:])
        for token in _TOKEN.finditer(row, start):
            if bracket := token["bracket"]:
                depth += 1 if bracket == "[" else -1
            elif token.lastgroup in ("basic", "literal") and not _LISTS.isdisjoint(path):
                yield from _named(number, row, token.start(token.lastgroup), token[token.lastgroup])


def _of_poetry(path: list[str], number: int, head: str, value: str) -> Iterator[Named]:
    """A table's key that is a package's name: `gym = "^0.21"`; a list would be an extra of that name.

    `head` is the row up to the key's end, `value` what is behind the equal sign.
    """
    if len(path) < 2 or path[-2] not in _LISTS or value.startswith("[") or path[0] == "project":
        return
    name = path[-1].lower()
    if name in ("gym", "gymnasium"):
        wide = re.sub(r'(version\s*=\s*)"[^"]*"', rf'\1"{SINCE}"', value) if value.startswith("{") else f'"{SINCE}"'
        new = f"gymnasium = {wide.strip()}" if value else "[" + ".".join([*path[:-1], "gymnasium"]) + "]"
        yield Named(number, head.rindex(path[-1]), path[-1], "" if name == "gymnasium" else new)


def _parts(dotted: str) -> list[str]:
    """The names of a dotted key."""
    return [part.strip().strip("\"'") for part in dotted.split(".")]


_READERS: tuple[tuple[str, Callable[[str], Iterator[Named]]], ...] = (
    ("pyproject.toml", _pyproject),
    ("setup.cfg", _setup_cfg),
    ("*requirements*.txt", _plain),
    ("*requirements*.in", _plain),
    ("*requirements/*.txt", _plain),
    ("*requirements/*.in", _plain),
    ("*env*.yml", _conda),
    ("*env*.yaml", _conda),
    ("*conda*.yml", _conda),
    ("*conda*.yaml", _conda),
)


#: How their names end: most files of a project need no other look.
_ENDINGS = tuple({"." + pattern.rpartition(".")[2] for pattern, _ in _READERS})


def _reader(path: str) -> Callable[[str], Iterator[Named]] | None:
    if not path.endswith(_ENDINGS):
        return None
    name = os.path.basename(path)
    folder = os.path.basename(os.path.dirname(path))
    for pattern, reader in _READERS:
        if fnmatch.fnmatchcase(f"{folder}/{name}" if "/" in pattern else name, pattern):
            return reader
    return None


def _match(requirement: str) -> re.Match[str] | None:
    return _REQUIREMENT.fullmatch(requirement.strip()) or _REPOSITORY.fullmatch(requirement.strip())


def _named(number: int, row: str, start: int, text: str) -> Iterator[Named]:
    """What a requirement names, if it is one of the two packages; `text` stands at or behind `start`."""
    requirement = text.strip()
    if _match(requirement) is not None:
        yield Named(number, row.index(requirement, start), requirement, replacement(requirement))


def _rows(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text)


def _finding(path: str, named: Named) -> Finding:
    end = named.column + len(named.text)
    return Finding(
        code=CODE,
        name=CODES[CODE],
        message=f"`{named.text}` is no longer maintained",
        path=path,
        span=Span(named.row, named.column, named.row, end),
        help=f"write `{named.new}`",
        unfixed=OWN_CHOICE,
    )


def _decoded(data: bytes) -> str:
    """As pip reads such files: by their byte order mark (some shells write UTF-16), else as UTF-8."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff")
    return data.decode("utf-8", "replace")

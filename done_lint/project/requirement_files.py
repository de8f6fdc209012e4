"""Reads the files that name a project's packages: every requirement, with its place.

Requirements files, `pyproject.toml`, `setup.cfg` and conda environments are read row by row, because a finding needs
the row, and the parsers of these formats do not report it.
"""

from __future__ import annotations

import codecs
import fnmatch
import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from done_lint.core.text import NEWLINE


class Requirement(NamedTuple):
    """One requirement as it stands in a file."""

    row: int
    column: int
    text: str
    #: What follows it on its row: a comment, hashes.
    rest: str = ""
    #: The names of the tables and keys that hold it, outermost first.
    keys: tuple[str, ...] = ()
    #: In a table with one key for each package, the value of the key; `text` is the key then.
    value: str | None = None


def is_requirements_file(path: str) -> bool:
    """Whether a file of that name says which packages a project needs."""
    return _reader(path) is not None


def requirements(path: str, text: str) -> Iterator[Requirement]:
    """The requirements in a file, in order; none if its name is not that of a requirements file."""
    reader = _reader(path)
    return iter(()) if reader is None else reader(text)


def decoded(data: bytes) -> str:
    """The text as pip decodes it: by its byte order mark (some shells write UTF-16), else as UTF-8."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff")
    return data.decode("utf-8", "replace")


def _requirements_txt(text: str) -> Iterator[Requirement]:
    """Requirements files: a requirement a row."""
    for number, row in enumerate(NEWLINE.split(text), 1):
        yield from _located(number, row, 0, re.split(r"(?:^|\s)#|\s\\$|\s--hash", row)[0])


def _conda(text: str) -> Iterator[Requirement]:
    """Conda environments: the items of the list `dependencies`, those for pip among them."""
    inside = False
    for number, row in enumerate(NEWLINE.split(text), 1):
        if row[:1].strip() and not row.startswith(("-", "#")):
            inside = row.startswith("dependencies:")
        elif inside and (item := re.match(r"""\s*-\s+(?P<quote>["']?)(?P<text>[^"'#]+)""", row)):
            yield from _located(number, row, item.start("text"), item["text"])


def _setup_cfg(text: str) -> Iterator[Requirement]:
    """Of `setup.cfg`, the lists of requirements in `[options]` and all of `[options.extras_require]`."""
    section = key = ""
    for number, row in enumerate(NEWLINE.split(text), 1):
        if header := re.match(r"\[(.+)\]", row):
            section, key = header[1].strip(), ""
            continue
        start = 0
        if head := re.match(r"([^\s#;=][^=]*?)\s*=\s*", row):
            key, start = head[1], head.end()
        listed = section == "options" and re.fullmatch(r"(install|setup|tests)_requires?", key)
        if listed or section == "options.extras_require":
            yield from _located(number, row, start, re.split(r"(?:^|\s)#", row[start:])[0], (section, key))


#: A key with one of these names, at whatever depth, holds what a project depends on: of PEP 621 and PEP 735, and of
#: the tools poetry, pdm, uv and hatch.
_LISTS = frozenset(
    "dependencies dependency-groups dev-dependencies extra-dependencies optional-dependencies".split(),
)
_HEADER = re.compile(r"\s*\[\[?(?P<name>[^\[\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*(?P<key>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=\s*""")
#: A string, a bracket, or a comment to the end of the row.
_TOKEN = re.compile(r'"(?P<basic>(?:[^"\\]|\\.)*)"|\'(?P<literal>[^\']*)\'|(?P<bracket>[\[\]])|#.*')


def _pyproject(text: str) -> Iterator[Requirement]:
    """Of `pyproject.toml`, lists of requirements, and tables with a key for each package."""
    table: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    depth = 0
    fence = ""
    for number, row in enumerate(NEWLINE.split(text), 1):
        if fences := re.findall(r'"""|\'\'\'', row):  # a string of many rows
            fence = "" if fence else fences[0] * (len(fences) % 2)
            continue
        if fence:
            continue
        start = 0
        if not depth and (header := _HEADER.match(row)):
            table = keys = _names(header["name"])
            yield from _package_key(keys, number, row[: header.end("name")], "")
            continue
        if not depth and (key := _KEY.match(row)):
            keys, start = table + _names(key["key"]), key.end()
            yield from _package_key(keys, number, row[: key.end("key")], row[start:])
        for token in _TOKEN.finditer(row, start):
            if bracket := token["bracket"]:
                depth += 1 if bracket == "[" else -1
            elif token.lastgroup in ("basic", "literal") and not _LISTS.isdisjoint(keys):
                yield from _located(number, row, token.start(token.lastgroup), token[token.lastgroup], keys)


def _package_key(keys: tuple[str, ...], number: int, head: str, value: str) -> Iterator[Requirement]:
    """A key that is the name of a package: `gym = "^0.21"`; with a list as its value it is the name of an extra.

    `head` is the row up to the end of the key, `value` what follows the equals sign.
    """
    if len(keys) >= 2 and keys[-2] in _LISTS and keys[0] != "project" and not value.startswith("["):
        yield Requirement(number, head.rindex(keys[-1]), keys[-1], keys=keys, value=value)


def _names(dotted: str) -> tuple[str, ...]:
    """The names in a dotted key."""
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _located(number: int, row: str, start: int, text: str, keys: tuple[str, ...] = ()) -> Iterator[Requirement]:
    """The requirement in a text that stands at or behind the column `start`; none in an empty text."""
    if requirement := text.strip():
        column = row.index(requirement, start)
        yield Requirement(number, column, requirement, row[column + len(requirement) :], keys)


_READERS: tuple[tuple[str, Callable[[str], Iterator[Requirement]]], ...] = (
    ("pyproject.toml", _pyproject),
    ("setup.cfg", _setup_cfg),
    ("*requirements*.txt", _requirements_txt),
    ("*requirements*.in", _requirements_txt),
    ("*requirements/*.txt", _requirements_txt),
    ("*requirements/*.in", _requirements_txt),
    ("*env*.yml", _conda),
    ("*env*.yaml", _conda),
    ("*conda*.yml", _conda),
    ("*conda*.yaml", _conda),
)
#: How their names end: most files of a project need no other look.
_ENDINGS = tuple({"." + pattern.rpartition(".")[2] for pattern, _ in _READERS})


def _reader(path: str) -> Callable[[str], Iterator[Requirement]] | None:
    if not path.endswith(_ENDINGS):
        return None
    # people call it `Requirements.txt` as well
    name = os.path.basename(path).lower()
    folder = os.path.basename(os.path.dirname(path)).lower()
    for pattern, reader in _READERS:
        if fnmatch.fnmatchcase(f"{folder}/{name}" if "/" in pattern else name, pattern):
            return reader
    return None

"""Selects the files that are worth parsing by literal searches in their bytes, without decoding.

A *seed* is surveyed always. Where one of them is an *environment's user*, so is every file that imports connect, in
either direction, with a seed or with a file in which a fact *may begin*: no other can change an answer. Elsewhere only
a package's `__init__` is surveyed that a seed imports, which may re-export names of another file.
Seeds are searched for in every file of every project, so each of their words is as short as possible without also
matching the prose and the gamma functions of numerical libraries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_GYM = b"gym"
#: The library's name as code writes it; `gym` alone is also in "gymnastics".
_BEGINNINGS = (b"gymnasium", b"gym.", b"gym_")
_LEADS = (b"import ", b"from ", b'"', b"'", b",", b", ")
#: Datasets of logged episodes: their flags go where those of a step go. A literal is found much faster than a pattern.
_DATASETS = b"minari"
_LOGGED = re.compile(rb"\bminari\b")
#: Modules of the new library in which names changed.
_RENAMED = (b"gymnasium.wrappers", b"gymnasium.experimental")
#: The value of an optimizer's step is seldom used; where it is unpacked into four or more, stands beside a reset, or
#: comes from what is called `env`, it is no solver's either.
_STEP = b".step("
_RESET = b".reset("
_USED = re.compile(rb"[=(,\[]|\b(?:return|yield|await|in)\b")
_ENVIRONMENT = b"env"
#: A value target in a file that never sees the environment: a discount, and a flag or a mask.
_DISCOUNT = b"discount"
_FLAG_STEMS = (b"done", b"termina", b"mask", b".last()", b".LAST")
#: Gamma is also a function, and "done" a common word: both must look as they do in a value target.
_GAMMA = b"gamma"
_GREEK_GAMMA = "\N{GREEK SMALL LETTER GAMMA}"
_GAMMA_BEFORE, _GAMMA_AFTER = (b"self.", b"args.", b"fig.", b"params.", b"* ", b"*"), (b"gamma *", b"gamma*")
_FLAGS = (
    *(b" dones", b".dones", b"(dones", b"[dones", b"_done"),
    *(b"- done", b" -done", b"1-done", b"0-done", b".-done", b")-done"),
    *(b"not done", b"~done", b"if done", b"done else", b"[done]", b"(done"),
    *(b"terminals", b"- termina", b"not termina", b"~termina", b"if termina", b"terminal else", b"terminated else"),
    *(b".last()", b".LAST"),
    *(b"masks[", b"masks)", b"* mask", b"*mask", b"mask * gamma", b"mask * self.", b"mask*gamma"),
)
#: A comment on a row without a text before it, in which `#` may stand.
_COMMENT = re.compile(rb"(?<=\n)([^'\"#\n\r]*)#[^\n\r]*")

#: The modules that an import statement names, anywhere in a text; too many do no harm.
_IMPORTS = re.compile(rb"\bfrom[\s\\]+([.\w]+)[\s\\]+import\b[\s(\\]*([\w \t,.*\\]*)|\bimport[\s\\]+([\w \t,.\\]+)")


#: Modules of classes that are registered by a string, which may stand in a table.
_ENTRIES = re.compile(rb"['\"]([A-Za-z_][\w.]*):[A-Za-z_][\w.]*['\"]", re.ASCII)
#: The module in which pytest looks for fixtures beside a file itself.
SHARED_FIXTURES = "conftest"
#: What a file has that takes fixtures of another one, and what names modules with fixtures.
_TESTING, _PLUGINS = (b"def test", b"fixture"), b"pytest_plugins"
_QUOTED = re.compile(rb"""['"]([A-Za-z_][\w.]*)['"]""", re.ASCII)
#: The module in an id, which `make` imports before it looks the rest up: `mazes:Maze-v0`, f"mazes:{name}",
#: `"mazes:" + name`.
_OF_ID = r"""['"]([A-Za-z_][\w.]*):(?:[\w/-]+-v\d+['"]|[{%]|['"]\s*\+)"""
_IDS, _IDS_IN_TEXT = re.compile(_OF_ID.encode(), re.ASCII), re.compile(_OF_ID, re.ASCII)
#: An import of the old library: a statement, or a call. The group: a module of another package has this name.
_GYM_MODULE = re.compile(
    rb"""\bfrom\s+gym(?![\w-])|(\bfrom\s+[\w.]+\s+)?\bimport\s+(?:[\w. \t]+,\s*)*gym(?![\w-])"""
    rb"""|(?:import_module|__import__)\(\s*["']gym[."']"""
)


def is_seed(data: bytes) -> bool:
    """Whether the file may hold a finding by itself."""
    if _names_library(data) or _names_logged(data):
        return True
    if _STEP in data and (_RESET in data or any(map(_is_environments, _used_steps(data)))):
        return True
    # comments are prose: few files are looked at twice
    return _may_discount(data) and (b"#" not in data or _may_discount(_COMMENT.sub(rb"\1", data)))


def _may_discount(data: bytes) -> bool:
    """Whether a value target may be computed."""
    if _DISCOUNT in data:
        return any(word in data for word in _FLAG_STEMS)
    return _names(data, _GAMMA, _GAMMA_BEFORE, _GAMMA_AFTER) and any(word in data for word in _FLAGS)


def is_user(data: bytes) -> bool:
    """Whether the file may handle an environment, so that what it imports matters too."""
    if _names_library(data) or _names_logged(data):
        return True
    steps = list(_used_steps(data))
    return any(map(_is_environments, steps)) or (bool(steps) and _RESET in data)


def may_begin(data: bytes) -> bool:
    """Whether a fact may begin in a file, in a program where environments are used."""
    return _beginnings().search(data) is not None


def imported(data: bytes) -> frozenset[str]:
    """The modules that a file may import, dotted, relative ones with their leading dots; some may not exist."""
    found: set[str] = set()
    for source, names, modules in _IMPORTS.findall(data):
        module = source.decode()
        if module:
            found.add(module)
        for part in (names or modules).replace(b"\\", b" ").split(b","):
            if words := part.split():
                name = words[0].decode("ascii", "ignore")
                joined = f"{module}{name}" if module.endswith(".") or not module else f"{module}.{name}"
                found.add(joined)
    entries = _ENTRIES.findall(data) if b"entry_point" in data else []
    found.update(module.decode("ascii") for module in (*entries, *_IDS.findall(data)))
    if may_take_fixtures(data):
        found.add(SHARED_FIXTURES)
    if (place := data.find(_PLUGINS)) >= 0:
        found.update(module.decode("ascii") for module in _QUOTED.findall(data, place))
    return frozenset(found)


def may_take_fixtures(data: bytes) -> bool:
    """Whether pytest may hand functions of a file what a `conftest.py` makes; no import says so."""
    return any(word in data for word in _TESTING)


def modules_of_ids(text: str) -> list[str]:
    """The modules that ids name, which `make` imports."""
    return _IDS_IN_TEXT.findall(text)


def may_import_gym(data: bytes) -> bool:
    """Whether the file may import the old library, or renamed names; an import alone is reported too."""
    return data.count(_GYM) > data.count(b"gymnasium") or any(module in data for module in _RENAMED)


def imports_gym(data: bytes) -> bool:
    """Whether code imports the old library or a module of it, by a statement or by `import_module("gym")`."""
    return _GYM in data and any(found[1] is None for found in _GYM_MODULE.finditer(data))


def may_install_gym(data: bytes) -> bool:
    """Whether a notebook may hold a command that installs the old library."""
    return b"install" in data and _GYM in data


def _names_library(data: bytes) -> bool:
    return _names(data, _GYM, _LEADS, _BEGINNINGS)


def _names_logged(data: bytes) -> bool:
    return _DATASETS in data and _LOGGED.search(data) is not None


def _names(data: bytes, word: bytes, before: tuple[bytes, ...], beginnings: tuple[bytes, ...]) -> bool:
    """Whether a word stands somewhere behind one of some texts, or begins one of others."""
    place = data.find(word)
    while place >= 0:
        if data.startswith(beginnings, place) or data.endswith(before, 0, place):
            return True
        place = data.find(word, place + 1)
    return False


def _used_steps(data: bytes) -> Iterator[bytes]:
    """The text before each `.step(` on its row, where the value seems to be used."""
    place = data.find(_STEP)
    while place >= 0:
        row = max(data.rfind(b"\n", 0, place), data.rfind(b"\r", 0, place)) + 1
        before = data[row:place]
        if _USED.search(before):
            yield before
        place = data.find(_STEP, place + 1)


def _is_environments(before: bytes) -> bool:
    """Whether a step seems to be an environment's, by the text before it; it may be unpacked over several rows."""
    return before.count(b",") >= 3 or before.count(b")") > before.count(b"(") or _ENVIRONMENT in before.lower()


@cache
def _beginnings() -> re.Pattern[bytes]:
    """The name of an environment, of what only environments are called, of a package of the tables, or a discount."""
    # only a program with environments has to load the tables
    from done_lint.knowledge import env_api_rows, env_packages

    roots = "|".join(sorted(env_packages.ROOTS))
    names = "|".join(sorted(name for name in env_api_rows.DISTINCTIVE if "env" not in name.lower()))
    words = rf"env|\._?step\b|gam(?!e)|discount|{_GREEK_GAMMA}|{names}|\b(?:from|import)\s+(?:{roots})\b"
    return re.compile(words.encode(), re.IGNORECASE)

"""Selects the files that are worth parsing by literal searches in their bytes, without decoding.

A *seed* is surveyed always. Any other file is surveyed only where the imports of an *environment's user* lead to it,
or if it is a package's `__init__` that a surveyed file imports, which may re-export names of another file.
No rule sees a file without these words, so each is as short as possible without also matching the prose and the gamma
functions of numerical libraries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_GYM = b"gym"
#: The library's name as code writes it; `gym` alone is also in "gymnastics".
_BEGINNINGS = (b"gymnasium", b"gym.", b"gym_")
_LEADS = (b"import ", b"from ", b'"', b"'")
#: Modules of the new library in which names changed.
_RENAMED = (b"gymnasium.wrappers", b"gymnasium.experimental")
#: A step alone may be an optimizer's or a solver's; beside a reset, or unpacked into four or more, it is not.
_STEP = b".step("
_RESET = b".reset("
#: A value target in a file that never sees the environment: a discount, and a flag or a mask.
_DISCOUNT = b"discount"
_FLAG_STEMS = (b"done", b"termina", b"mask", b".last()", b".LAST")
#: Gamma is also a function, and "done" a common word: both must look as they do in a value target.
_GAMMA = b"gamma"
_GAMMAS = (b"self.gamma", b"args.gamma", b"fig.gamma", b"params.gamma", b"gamma *", b"gamma*", b"* gamma", b"*gamma")
_FLAGS = (
    *(b" dones", b".dones", b"(dones", b"[dones", b"_done"),
    *(b"- done", b"-done", b"not done", b"~done", b"if done", b"done else", b"[done]", b"(done"),
    *(b"terminals", b"- termina", b"not termina", b"~termina", b"if termina", b"terminal else", b"terminated else"),
    *(b".last()", b".LAST"),
    *(b"masks[", b"masks)", b"* mask", b"*mask", b"mask * gamma", b"mask * self.", b"mask*gamma"),
)

#: A file without one of these that is not a seed has no findings.
_WORDS = re.compile(
    rb"env|gym|step|reset|seed|render|done|termin|trunc|mask|np_random|metadata|infos?\b|[A-Za-z]-v\d", re.IGNORECASE
)

#: The modules that an import statement names, anywhere in a text; too many do no harm.
_IMPORTS = re.compile(rb"\bfrom[\s\\]+([.\w]+)[\s\\]+import\b[\s(\\]*([\w \t,.*\\]*)|\bimport[\s\\]+([\w \t,.\\]+)")


def is_seed(data: bytes) -> bool:
    """Whether the file may hold a finding by itself."""
    if _names_library(data):
        return True
    if _STEP in data and (_RESET in data or any(before.count(b",") >= 3 for before in _before_steps(data))):
        return True
    if _DISCOUNT in data:
        return any(word in data for word in _FLAG_STEMS)
    return _GAMMA in data and any(word in data for word in _GAMMAS) and any(word in data for word in _FLAGS)


def is_user(data: bytes) -> bool:
    """Whether the file may handle an environment, so that what it imports matters too."""
    if _names_library(data):
        return True
    # The value of a turtle's step is not used.
    return _RESET in data and any(sign in before for before in _before_steps(data) for sign in (b"=", b" ", b"("))


def is_caller(data: bytes) -> bool:
    """Whether a file may pass an environment to others, such as a script that creates one by a function."""
    return b"env" in data and b"import" in data


def has_words(data: bytes) -> bool:
    """Whether a file may hold a finding at all, by itself or through values from other files."""
    return _WORDS.search(data) is not None or is_seed(data)


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
    return frozenset(found)


def may_import_gym(data: bytes) -> bool:
    """Whether the file may import the old library, or renamed names; an import alone is reported too."""
    return data.count(_GYM) > data.count(b"gymnasium") or any(module in data for module in _RENAMED)


def may_install_gym(data: bytes) -> bool:
    """Whether a notebook may hold a command that installs the old library."""
    return b"install" in data and _GYM in data


def _names_library(data: bytes) -> bool:
    place = data.find(_GYM)
    while place >= 0:
        if data.startswith(_BEGINNINGS, place) or data.endswith(_LEADS, 0, place):
            return True
        place = data.find(_GYM, place + 1)
    return False


def _before_steps(data: bytes) -> Iterator[bytes]:
    """The text before each `.step(` on its row."""
    place = data.find(_STEP)
    while place >= 0:
        row = max(data.rfind(b"\n", 0, place), data.rfind(b"\r", 0, place)) + 1
        yield data[row:place].strip()
        place = data.find(_STEP, place + 1)

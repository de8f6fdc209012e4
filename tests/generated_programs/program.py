"""Puts the parts of a generated program together."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import indent

from generated_flows.choose import Choose

from generated_programs.callers import CALLERS
from generated_programs.places import PLACES, Place
from generated_programs.worlds import WORLDS, World
from generated_programs.wrappers import PROXIES, WRAPPERS

#: What definitions may use, by the word that shows it.
IMPORTS = {
    "gym.": "import gym",
    "np.": "import numpy as np",
    "deque(": "from collections import deque",
    "namedtuple(": "from collections import namedtuple",
    "contextmanager": "from contextlib import contextmanager",
    "partial(": "from functools import partial",
    "wraps(": "from functools import wraps",
}
FILES = ("world.py", "parts.py", "tools.py", "main.py")
_DEFINED = re.compile(r"^(?:def|class) (\w+)|^(\w+) = ", re.MULTILINE)


@dataclass(frozen=True)
class Parts:
    """What a program is made from."""

    world: World
    wrappers: tuple[str, ...]
    place: Place
    callers: tuple[str, ...]

    def __str__(self) -> str:
        around = "".join(f", around it {name}" for name in self.wrappers)
        return f"{self.world.name}{around}, in {self.place.name}, stepped by {' and '.join(self.callers)}"

    def names(self) -> set[str]:
        """Kind and name of each part."""
        return {
            f"world: {self.world.name}",
            f"place: {self.place.name}",
            *(f"wrapper: {name}" for name in self.wrappers),
            *(f"caller: {name}" for name in self.callers),
        }


@dataclass(frozen=True)
class GeneratedProgram:
    """Its parts and its files."""

    parts: Parts
    files: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.parts}\n" + "".join(f"\n# {path}\n{text}" for path, text in self.files.items())


def program(choose: Choose, left_out: Collection[str] = ()) -> GeneratedProgram:
    """One program, chosen part by part.

    Args:
        choose: takes one of several parts.
        left_out: parts that are not taken, as `Parts.names` has them.
    """

    def kept(kind: str, names: Iterable[str]) -> list[str]:
        return [name for name in names if f"{kind}: {name}" not in left_out]

    wrappers = [choose(kept("wrapper", WRAPPERS)) for _ in range(choose((0, 1, 1, 2, 3)))]
    proxies = [choose(kept("wrapper", PROXIES))] if choose((False, False, False, True)) else []
    parts = Parts(
        choose([world for world in WORLDS if f"world: {world.name}" not in left_out]),
        (*wrappers, *proxies),
        choose([place for place in PLACES if f"place: {place.name}" not in left_out]),
        tuple(choose(kept("caller", CALLERS)) for _ in range(choose((1, 1, 2, 3)))),
    )
    return GeneratedProgram(parts, _files(parts, choose))


def alone() -> dict[str, GeneratedProgram]:
    """Each part by itself, the others being plain."""
    world, place, caller = WORLDS[0], PLACES[0], next(iter(CALLERS))
    made = {f"world: {one.name}": Parts(one, (), place, (caller,)) for one in WORLDS}
    made |= {f"wrapper: {name}": Parts(world, (name,), place, (caller,)) for name in (*WRAPPERS, *PROXIES)}
    made |= {f"place: {one.name}": Parts(world, (), one, (caller,)) for one in PLACES}
    made |= {f"caller: {name}": Parts(world, (), place, (name,)) for name in CALLERS}
    first = Choose(lambda count: 0)
    return {name: GeneratedProgram(parts, _files(parts, first)) for name, parts in made.items()}


def _files(parts: Parts, choose: Choose) -> dict[str, str]:
    """Definitions in their order, cut into files at chosen places."""
    found: dict[str, list[str]] = {}
    place = 0
    for definition in _definitions(parts):
        place = max(place, choose(range(len(FILES))))
        found.setdefault(FILES[place], []).append(definition)
    found.setdefault("main.py", []).append(_main(parts))
    return {path: _with_imports(path, texts, found) for path, texts in found.items()}


def _made(parts: Parts) -> str:
    made = parts.world.made
    for number, _ in enumerate(parts.wrappers, 1):
        made = f"Wrapper{number}({made})"
    return made


def _definitions(parts: Parts) -> Iterator[str]:
    yield from parts.world.definitions
    for number, name in enumerate(parts.wrappers, 1):
        yield (WRAPPERS | PROXIES)[name].format(name=f"Wrapper{number}")
    if parts.place.definition:
        yield parts.place.definition.format(name="kept", made=_made(parts))
    for number, name in enumerate(parts.callers, 1):
        yield CALLERS[name].format(name=f"play{number}")


def _main(parts: Parts) -> str:
    rows = parts.place.rows.format(name="kept", made=_made(parts))
    calls = "\n".join(f"print(play{number}(env))" for number, _ in enumerate(parts.callers, 1))
    last = rows.splitlines()[-1]
    depth = len(last) - len(last.lstrip()) + (4 if last.endswith(":") else 0)
    return f"{rows}\n{indent(calls, ' ' * depth)}\n"


def _with_imports(path: str, texts: list[str], files: Mapping[str, list[str]]) -> str:
    """A file with the imports of what it uses, and of the files before it that only have to run."""
    body = "\n\n".join(texts)
    rows = [row for word, row in IMPORTS.items() if re.search(rf"\b{re.escape(word)}", body)]
    for other, definitions in files.items():
        if other == path:
            break
        defined = [name for pair in _DEFINED.findall("\n".join(definitions)) for name in pair if name]
        used = sorted({name for name in defined if re.search(rf"\b{name}\b", body)})
        module = other.removesuffix(".py")
        if used or path == "main.py":
            rows.append(f"from {module} import {', '.join(used)}" if used else f"import {module}")
    return "\n".join(rows) + "\n\n\n" + body

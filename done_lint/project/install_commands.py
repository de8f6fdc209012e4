"""Commands that install packages, in the cells of notebooks and on pages: what they name, and what is there for Gym."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

#: A command, up to the end of its last row, or to what follows it.
_INSTALL = re.compile(
    r"\b(?:pip[\d.]*|conda|mamba|uv|poetry)\s+(?:pip\s+)?(?:install|add)\s(?P<arguments>(?:\\\n|[^\n&|;#`])*(?:#egg=\S+)?)"
)
_ARGUMENT = re.compile(r"""(?P<quote>["'])(?P<quoted>.*?)(?P=quote)|(?P<bare>[^\s"']+)""")
#: A branch or a tag of a repository that is called after Gym: `git+https://host/mazes.git@gym_0.26`.
_BRANCH = re.compile(r"(?:.*\s)?\S*git\+\S*@[\w./-]*?(?<![a-z])gym(?!nasium)[\w./-]*(?:#\S*)?", re.IGNORECASE)


class Argument(NamedTuple):
    """One argument of a command that installs packages: where it starts, its text, and whether it is in quotes."""

    at: int
    text: str
    quoted: bool


def arguments(text: str, start: int = 0, end: int | None = None) -> Iterator[Argument]:
    """The arguments of all such commands in a text, or in a part of it."""
    for install in _INSTALL.finditer(text, start, len(text) if end is None else end):
        for word in _ARGUMENT.finditer(text, *install.span("arguments")):
            group = "quoted" if word["quoted"] is not None else "bare"
            yield Argument(word.start(group), word[group], group == "quoted")


def is_branch_for_gym(requirement: str) -> bool:
    """Whether a repository is asked for in a branch or by a tag that is called after Gym."""
    return _BRANCH.fullmatch(requirement.strip()) is not None

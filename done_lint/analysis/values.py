"""What the analysis tells of a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from done_lint.core.findings import Related


@dataclass(frozen=True, slots=True)
class Made:
    """A call of the library that made an environment."""

    place: Related
    #: What was called: `gymnasium.make`.
    function: str
    #: The keywords of the call.
    keywords: frozenset[str] = frozenset()
    #: Some arguments cannot be seen: `*args`, `**kwargs`.
    hidden: bool = False


class Meaning(NamedTuple):
    """One alternative of what a flag can be: which causes it holds, and its polarity."""

    terminated: bool
    truncated: bool
    own_limit: bool = False
    #: True for a keep-mask (`1 - done`): it is 1 where the episode goes on.
    keep: bool = False

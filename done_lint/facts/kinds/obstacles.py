"""Places that keep families from being changed, though no rule reports them."""

from __future__ import annotations

from typing import NamedTuple

from done_lint.core.findings import Family, Span


class Obstacle(NamedTuple):
    """A place that keeps families from being changed."""

    path: str
    span: Span
    #: The function that it stands in.
    owner: str
    #: What it does: "returns what cannot be followed".
    which: str
    family: Family
    #: What arrives there may come from files that no import connects with it.
    open: bool = False
    #: No code of its program calls it; what imports its file by a name that is put together may do so.
    unused: bool = False
    #: It is one unless the project registers these ids.
    ids: frozenset[str] = frozenset()
    #: And unless the project registers some that cannot be seen.
    unless_unseen: bool = False
    #: Its base has this name, and cannot be found: what belongs to a class of that name is of its family, or there is
    #: no obstacle; empty: no class is asked for.
    namesake: str = ""
    #: Its place is one in the whole document, and not in the program of its examples.
    around: bool = False

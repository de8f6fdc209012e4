"""The ids by which environments are made."""

from __future__ import annotations

from dataclasses import dataclass

from done_lint.core.findings import Related, Span


@dataclass(frozen=True, slots=True)
class EnvId:
    """The expression is a string that reaches a look-up of an environment by its id."""

    value: str
    #: What looks it up, `gymnasium.make`, and where.
    taker: str
    used: Related
    #: The project registers an environment of this id itself.
    own: bool = False
    #: Other files of the program have the id in a string that no environment is looked up by: to compare, as a key.
    elsewhere: bool = False
    #: The package that registers it since Gymnasium 1.0, where nothing of the program imports it.
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class UnseenId:
    """A call that looks an environment up by an id that no code gives: it comes from a file, or from outside."""

    span: Span
    #: What looks it up: `gymnasium.make`.
    taker: str
    #: The files that run with the call, and may open the one that has the id.
    program: frozenset[str] = frozenset()
    #: The ids that the project registers, as far as they are known.
    registered: frozenset[str] = frozenset()

"""Flags of an episode's end, and the places where they cut a value target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from done_lint.analysis.values import Meaning
from done_lint.core.findings import Certainty, Related, Span


@dataclass(frozen=True, slots=True)
class Flag:
    """The expression is a flag (or a mask) of the episode's end."""

    #: Every alternative that can arrive here; more than one where flows join.
    meanings: frozenset[Meaning]
    #: Array of flags, one an environment (vector environments), when known.
    array: bool | None = None
    #: The path by which the worst alternative came: its step, where it was combined, stored, ..., here.
    path: tuple[Related, ...] = ()

    @property
    def truncation(self) -> bool:
        """Some alternative holds termination and truncation (or an own limit) in one flag."""
        return any(m.terminated and (m.truncated or m.own_limit) for m in self.meanings)

    @property
    def terminated_only(self) -> bool:
        """Every alternative is exactly *terminated*."""
        return all(m.terminated and not m.truncated and not m.own_limit for m in self.meanings)


#: The form of a recursion that sums rewards alone: it bootstraps from no value.
MONTE_CARLO = "Monte-Carlo returns"


SinkKind = Literal["mask", "branch", "store", "recursion", "leak", "last", "ending"]


@dataclass(frozen=True, slots=True)
class Sink:
    """A place where a flag that holds truncation cuts a value target, or is stored to do so later.

    mask       a one-step target multiplied with the mask at `span` (GYM201)
    branch     a branch, conditional expression or masked assignment around the target (GYM202)
    store      the flag at `span` is stored or passed, and later cuts a one-step target (GYM203)
    recursion  one mask cuts a recursion over time and its bootstrap (GYM204)
    leak       a recursion cut by terminated alone (GYM206)
    last       any of the first four where the flag is `last()` of a dm_env time step (GYM208)
    ending     a test by which a dm_env time step is made a termination (GYM208)
    """

    kind: SinkKind
    span: Span
    certainty: Certainty = "proven"
    #: Where the flag comes from, is stored and is misused, in order.
    path: tuple[Related, ...] = ()
    #: Source text of an expression in scope at `span` that is exactly *terminated* (for the fix).
    terminated: str = ""
    #: Source text of the flag expression that `terminated` would replace at `span`.
    flag_span: Span | None = None
    #: Why the one-token fix is not safe, in one clause (empty: it is).
    hindrance: str = ""
    #: Why a fix is no promise, in one clause (empty: it is one).
    doubt: str = ""
    #: Short name of the sink's form, for the message: "one-step target", "GAE", "returns", ...
    form: str = ""
    #: The mask as it stands in the target, where the value that it cuts is of the observation the step led to.
    cut: Span | None = None
    #: Of a store: the flag is handed over to be used at once, and nothing keeps it.
    at_once: bool = False
    #: Of a store: the flag is sent to another process or thread.
    sent: bool = False
    #: Nothing is learnt from the target: its error weighs what is drawn.
    drawn: bool = False
    #: The mask is 1 at truncations alone: there the target bootstraps, and nowhere else.
    reversed: bool = False


@dataclass(frozen=True, slots=True)
class Ways:
    """By what ways flags go through a file, for a second flag that is to go beside the first."""

    #: By the row of the word `def`: the calls, in this file, of each of its functions.
    callers: Mapping[int, frozenset[Span]]
    #: Names of its functions that other files call, or that a call may mean beside another one (a method and its
    #: override), and of its classes' attributes that other files set.
    shared: frozenset[str]
    #: Expressions that are, or hold, flags with truncation.
    holders: frozenset[Span]
    #: Calls of functions and classes of the project.
    calls: frozenset[Span]
    #: No other file of the project imports this one, and it is in no package.
    script: bool

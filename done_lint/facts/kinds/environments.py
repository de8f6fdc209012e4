"""What a finding can rest on of an environment: its API, what made it, what is around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from done_lint.analysis.values import Made as Made  # rules and rewrites take it from here
from done_lint.core.findings import Certainty, Related, Span
from done_lint.knowledge.env_apis import Api
from done_lint.knowledge.env_id_apis import is_own
from done_lint.knowledge.vector_info_keys import Autoreset


@dataclass(frozen=True, slots=True)
class Seeding:
    """What a seed for an environment has to reach."""

    #: A class of the project is inside, by whose own `seed` more is seeded than `np_random`, or one of a package whose
    #: environments have a `seed`.
    own: bool = False
    #: Something else may stand there, too, that has no such method.
    others: bool = False
    #: A wrapper of the project around it may refuse a reset, or one with a seed.
    refuses: bool = False
    #: It is Gymnasium's own, which draws from `np_random` alone, and the program resets it, wherever that is.
    drawn: bool = False
    #: It is, or may be, of a class of the project with a `seed` of its own, which wrappers forwarded up to 0.29.
    method: bool = False
    #: It may be of such a class, which no id in sight shows, and its `seed` seeds what no reset does.
    hidden: bool = False
    #: It may be of a class of the project whose `reset` takes no seed, which no id in sight shows.
    unseeded: bool = False
    #: Only instances of classes of the project arrive, and none of these classes has a `seed`.
    lacking: bool = False
    #: The calls in this file of functions of the project that reset it, themselves or by what they call.
    reset_by: frozenset[Span] = frozenset()


@dataclass(frozen=True, slots=True)
class Env:
    """The expression is an environment that speaks `api`."""

    api: Api
    certainty: Certainty = "proven"
    evidence: tuple[Related, ...] = ()
    #: The time limit was stripped (`.unwrapped`, `make(...).env`), or it is a vector environment of classes of the
    #: project that have none: `truncated` is never set.
    unlimited: bool = False
    #: It is made by an id of which no table and no registration says whether anything truncates its episodes.
    doubtful: bool = False
    #: It is a vector environment, or a single one: both arrive.
    alone: bool = False
    #: Another way to answer can arrive here too (a class of the project with a `step` of its own).
    mixed: bool = False
    #: Of an attribute: a class of the project that arrives here too has it, with arguments of its own.
    shared: bool = False
    #: Wrappers around it, outermost first and "" last for the bare environment; empty: not known.
    #: A wrapper of the library itself has its plain name, any other its dotted one.
    layers: tuple[str, ...] = ()
    #: Every call that can have made it; empty: some of them are not visible.
    made: tuple[Made, ...] = ()
    #: Of a vector environment that only an annotation shows: how all that the program makes reset; None: not known.
    usual: Autoreset | None = None
    #: Of an instance of wrappers of the project: what these have by themselves; None: not known.
    own: frozenset[str] | None = None
    #: The package that makes it, or may do so, where its API is only guessed.
    maker: str = ""
    #: Only its name shows it, in a function that no code calls.
    unused: bool = False
    seeding: Seeding = Seeding()

    @property
    def is_task(self) -> bool:
        """Whether every `make` asks for a class of the library itself, as far as ids are seen, or is one."""
        return bool(self.made) and all(
            made.task or made.own_class or (made.ids and all(map(is_own, made.ids))) for made in self.made
        )

    def is_made_as(self, names: tuple[str, ...]) -> bool:
        """Whether every `make` asks for a task by an id that begins with one of some names, or is a class of one.

        Of ids that are not seen nobody knows.
        """
        found = [made.called for made in self.made]
        return bool(found) and all(one and all(name.startswith(names) for name in one) for one in found)


@dataclass(frozen=True, slots=True)
class RenderedAs:
    """What a `make` has made is rendered in a mode (empty: it is not known in which)."""

    make: Related
    mode: str
    at: Related


@dataclass(frozen=True, slots=True)
class Generator:
    """The expression is the random generator of an environment, as `seeding.np_random` makes it."""

    certainty: Certainty = "proven"
    evidence: tuple[Related, ...] = ()
    #: It is that of a space, which takes no other one.
    of_space: bool = False
    #: An object has another one until it is given this one.
    or_another: bool = False


@dataclass(frozen=True, slots=True)
class Requested:
    """What a file does on request alone."""

    #: What tests may ask for, and the constants that it may be by default: texts, empty for False.
    asked: Mapping[Span, frozenset[str]] = field(default_factory=dict)
    #: Functions, by row, that run on request alone, or that nobody calls.
    functions: frozenset[int] = frozenset()

    @staticmethod
    def is_request(known: Iterable[str], holds: bool) -> bool:
        """Whether what is asked for is not so by default: no constant makes the test hold, or one makes it fail."""
        return not any(known) if holds else all(known) and any(known)

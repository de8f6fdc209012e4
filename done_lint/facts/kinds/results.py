"""What `step` and `reset` return, and where it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from done_lint.core.findings import Family, Related, Span
from done_lint.facts.kinds.environments import Env

#: Stands for the order in which a class returns values that belong nowhere in Gymnasium's five.
OWN_ORDER = (-1,)


@dataclass(frozen=True, slots=True)
class StepResult:
    """The expression is the whole value that `env.step(action)` returned."""

    env: Env
    #: Place of the `step` call (possibly in another file).
    origin: Related
    #: The value is used behind a test of its length, of the library's version and the like.
    guarded: bool = False
    #: The `step` of the project's own environment class that still returns four values, which has to change first.
    pending: Related | None = None
    #: That of a class that is made by its id: the call changes in the same round.
    pending_inside: Related | None = None
    #: Nothing that is done with the environment is written for five values (see `api_usage`).
    gym_only: bool = False
    #: What `make` has of the library itself, by an id that is seen, may answer.
    library: bool = False
    #: Its flags are tables with a value for each agent.
    per_agent: bool = False
    #: A class of the project returns an array for its flag; no: a list, tuple or dictionary; None: nothing tells.
    array: bool | None = None
    #: Some `if` or `while` asks for its value at place 3, which is read by that index.
    truncation_asked: bool = False
    #: Nothing truncates the episode and does not terminate it: neither a limit around the environment nor, as far as it
    #: is the project's, its own `step`.
    never_truncated: bool = False
    #: The `step` of each class of the project that may be asked can truncate an episode and not terminate it.
    truncates: bool = False
    #: What a reset returned, or an observation, arrives, too, as by one pipe: only what unpacks it is sure of it.
    either: bool = False
    #: By what the `step` of each class of the project that is inside returns: where its values belong by their names;
    #: () where they stand where they belong, or something else is inside.
    orders: frozenset[tuple[int, ...]] = frozenset()
    #: What is called is (also) a function of the project, with parameters of its own.
    own: bool = False

    @property
    def changing(self) -> Related | None:
        """The `step` of the project that still returns four values, which a message names: it is true today.

        Not where what `make` has of the library itself arrives, too: another call may be meant.
        """
        return None if self.beside_made else self.pending or self.pending_inside

    @property
    def beside_made(self) -> bool:
        """A class of the project may answer, and what `make` has of the library itself as well."""
        return self.pending is not None and self.library

    @property
    def is_old(self) -> bool:
        """Whether four values are meant: by all that uses the environment, or by the class that answers."""
        return self.gym_only or self.pending is not None

    @property
    def own_order(self) -> bool:
        """Whether a class returns five values that are no others' in any order."""
        return OWN_ORDER in self.orders


@dataclass(frozen=True, slots=True)
class ResetResult:
    """The expression is the whole value that `env.reset()` returned."""

    env: Env
    origin: Related
    #: Some use of the value takes it as `(observation, info)`: unpacked in two, indexed, tested.
    handled: bool = False
    #: The value leaves the function with `return`, untouched.
    passed_on: bool = False
    guarded: bool = False
    #: The `reset` of the project's own environment class that still returns the observation alone: the same.
    pending: Related | None = None
    #: That of a class that is made by its id: the call changes in the same round.
    pending_inside: Related | None = None
    #: What is called is (also) a method of the project, with parameters of its own.
    own: bool = False
    #: It is one that returns too many kinds of values to know whether it is a pair.
    uncertain: bool = False
    #: It stands alone in a statement: nothing takes the value.
    dropped: bool = False
    #: Nothing that is done with the environment is written for pairs (see `api_usage`).
    gym_only: bool = False
    #: And something is: four values of a step are taken apart, or it is seeded.
    used_as_gym: bool = False
    #: What `make` has of the library itself, by an id that is seen, may answer.
    library: bool = False
    #: Two values that are taken of it, or of another one beside it, are numbers of an observation.
    numbers: bool = False

    @property
    def changing(self) -> Related | None:
        """The `reset` of the project that still returns the observation alone, which a message names (the same)."""
        return None if self.beside_made else self.pending or self.pending_inside

    @property
    def beside_made(self) -> bool:
        """A class of the project may answer, and what `make` has of the library itself as well."""
        return self.pending is not None and self.library


@dataclass(frozen=True, slots=True)
class EscapingResult:
    """The expression is handed to code that the analysis does not follow: a result, or what gives one."""

    env: Env
    method: Literal["step", "reset"]


@dataclass(frozen=True, slots=True)
class Unequal:
    """The targets take `arity` values apart, and something with another number of values arrives."""

    arity: int
    #: The places where such tuples are written.
    made: tuple[tuple[str, Span], ...]
    #: The APIs of the libraries' environments whose steps are among them, by name.
    apis: frozenset[str]
    family: Family
    #: Of these, Gymnasium's own: the program fails there, whatever its fixes do.
    today: bool = False
    #: Where the tuples are written that arrive as well and have that number, or the environments made that give them.
    fitting: tuple[tuple[str, Span], ...] = ()


@dataclass(frozen=True, slots=True)
class Unready:
    """A method of an environment class that is based on Gymnasium answers as old Gym asked it to."""

    #: What would be so, as a clause.
    message: str
    #: The rule that reports it, where it is not meant so.
    code: str
    family: Family


@dataclass(frozen=True, slots=True)
class Info:
    """The expression is the info of a step, of `arity` values (0: not visible)."""

    env: Env
    arity: int
    origin: Related
    #: A list that the project makes arrives here too.
    listed: bool = False
    #: Whoever hands something on to here hands on the infos of steps, as far as the program shows it.
    only: bool = False
    #: All that arrives are the infos that steps and resets returned, whatever names, attributes and calls they came
    #: through: not those of one environment.
    whole: bool = False
    #: The program may set the key of the time limit itself, as old Gym's wrapper did: nothing is wrong with its reads.
    limit_may_be_set: bool = False
    #: It is one of four values, and nothing shows that the step gives five: old Gym, which sets its keys, may answer.
    may_be_of_four: bool = False
    #: Keys of final observations and infos that the program sets itself.
    own_keys: frozenset[str] = frozenset()
    #: On their way they were put into the shape of an array, as a list is.
    shaped: bool = False
    #: Only annotations promise the vector environment, and nothing in the program asks for a mode, or all do for one.
    unasked: bool = False

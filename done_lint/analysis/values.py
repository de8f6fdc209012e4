"""The abstract values of the analysis: what a node of the solved graph can stand for.

A node holds a set of them, its points-to set. They are frozen, so that the solver can intern each as a small integer:
where a value has a field that is another value (`env`, `bound`, `inner`), that field is the number of the other one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, NamedTuple

from done_lint.core.findings import Certainty, Related, Span
from done_lint.knowledge.env_api_lookup import own_class
from done_lint.knowledge.env_apis import Api
from done_lint.knowledge.vector_info_keys import Mode


class Place(NamedTuple):
    """A stretch of a file of the project."""

    path: str
    span: Span

    @classmethod
    def of(cls, path: str, span: Span | None) -> Place | None:
        """A place, if there is a span."""
        return cls(path, span) if span is not None else None


Site = Place | None


class Passage(NamedTuple):
    """Where a value is handed on, and the node that it is handed on from there."""

    place: Site
    node: int


#: How a value can come from one node to the next.
Way = Literal["flow", "flat", "combined", "not", "none", "load", "store", "set", "hand", "argument", "return"]


class Pred(NamedTuple):
    """One edge, seen from its end."""

    source: int
    way: Way
    passage: Passage | None


class Shape(Enum):
    """How an object keeps its elements."""

    TUPLE = "tuple"
    #: A tuple that a `return` writes.
    RETURNED = "returned"
    LIST = "list"
    #: The elements of a comprehension or a generator.
    MANY = "many"
    DICT = "dict"
    #: An object with named fields: a dataclass, a named tuple, the options of a command line.
    RECORD = "record"
    ARRAY = "array"
    #: A row of `zip`, `enumerate` or `items`.
    ZIPPED = "zipped"
    #: The columns of a table of rows.
    TRANSPOSED = "transposed"
    #: One end of a pipe.
    PIPE = "pipe"


class Value:
    """One abstract value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Flag(Value):
    """What a flag can be, as an element of the lattice of flags."""

    bits: int


# --- objects and strings -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Object(Value):
    """A container, by the node that it was made at."""

    node: int
    shape: Shape


@dataclass(frozen=True, slots=True)
class Text(Value):
    """A string constant."""

    text: str


@dataclass(frozen=True, slots=True)
class Template(Value):
    """Text with `*` for what is not known of it."""

    text: str


@dataclass(frozen=True, slots=True)
class ContainerMethod(Value):
    """A method of a container or of an info: `rows.append`."""

    owner: int
    name: str


@dataclass(frozen=True, slots=True)
class RecordClass(Value):
    """What `namedtuple(...)` makes."""

    node: int
    fields: tuple[str, ...]


# --- code of the project, and names from outside ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Module(Value):
    """A file of the project."""

    path: str


@dataclass(frozen=True, slots=True)
class ClassRef(Value):
    """A class of the project."""

    path: str
    index: int


@dataclass(frozen=True, slots=True)
class Instance(Value):
    """An instance of a class of the project; all of them are one value."""

    path: str
    index: int


@dataclass(frozen=True, slots=True)
class FunctionRef(Value):
    """A function of the project."""

    path: str
    index: int
    #: The instance or class that is its first argument.
    bound: int | None = None


@dataclass(frozen=True, slots=True)
class Super(Value):
    """`super()` in a class of the project."""

    path: str
    index: int
    #: The node of the method's own instance.
    node: int


@dataclass(frozen=True, slots=True)
class SuperInit(Value):
    """`super().__init__` where the base is not of the project."""

    path: str
    index: int


@dataclass(frozen=True, slots=True)
class ReturningSelf(Value):
    """A method from outside the project that returns the instance it is called on."""

    #: The number of the instance.
    instance: int


@dataclass(frozen=True, slots=True)
class Partial(Value):
    """`functools.partial(f, ...)`, by the node of that call; `jax.grad(f)`, which does not give what f `gives`."""

    node: int
    inner: int
    gives: bool = True


@dataclass(frozen=True, slots=True)
class External(Value):
    """A name from outside the project: `numpy.where`; with `()`, what a call of it gives."""

    dotted: str


@dataclass(frozen=True, slots=True)
class Parser(Value):
    """A parser of command line options, by the node that it was made at."""

    node: int


@dataclass(frozen=True, slots=True)
class ParserMethod(Value):
    """A method of such a parser."""

    parser: int
    name: str


@dataclass(frozen=True, slots=True)
class LibraryReplay(Value):
    """A replay buffer of a library, by the node that it was made at."""

    dotted: str
    node: int


@dataclass(frozen=True, slots=True)
class ReplayMethod(Value):
    """A method of such a buffer."""

    buffer: int
    name: str


# --- environments -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Environment(Value):
    """An environment, by the node that it was made at."""

    api: Api
    #: It certainly has no time limit.
    unlimited: bool
    certainty: Certainty
    node: int
    #: The wrappers around it, outermost first (see `facts.Env`).
    layers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EnvMethod(Value):
    """A method of an environment."""

    name: str
    env: int


@dataclass(frozen=True, slots=True)
class EnvResult(Value):
    """What a method of an environment returned, by the node of the call."""

    env: int
    node: int


@dataclass(frozen=True, slots=True)
class StepResult(EnvResult):
    """What `step` of an environment returned."""


@dataclass(frozen=True, slots=True)
class OwnStepResult(EnvResult):
    """What the project's own `step` of an environment class returned."""


@dataclass(frozen=True, slots=True)
class StepColumns(EnvResult):
    """The columns of what several steps returned: `zip(*results)`."""


@dataclass(frozen=True, slots=True)
class ResetResult(EnvResult):
    """What `reset` of an environment returned."""


@dataclass(frozen=True, slots=True)
class ResetColumns(EnvResult):
    """The columns of what several resets returned: `zip(*results)`."""


@dataclass(frozen=True, slots=True)
class Info(Value):
    """The info of a step of `arity` values, by the node of the call."""

    env: int
    arity: int
    node: int


@dataclass(frozen=True, slots=True)
class Observation(Value):
    """The observation of some step."""


#: What a step returns of each environment, as far as rows of transitions are made of it.
StepPart = Literal["obs", "reward", "flag"]


@dataclass(frozen=True, slots=True)
class StepValue(Value):
    """What a step of a vector environment returned of all environments, by the node of the call."""

    part: StepPart
    step: int


@dataclass(frozen=True, slots=True)
class Generator(Value):
    """A generator of random numbers of Gymnasium's kind."""

    certainty: Certainty
    node: int
    #: It is that of a space.
    of_space: bool = False


@dataclass(frozen=True, slots=True)
class OldGenerator(Value):
    """A generator of numpy's kind of before."""


@dataclass(frozen=True, slots=True)
class LoggedDataset(Value):
    """A dataset of logged episodes."""


@dataclass(frozen=True, slots=True)
class LoggedEpisode(Value):
    """An episode of such a dataset."""


@dataclass(frozen=True, slots=True)
class DatasetMethod(Value):
    """A method of such a dataset."""

    name: str


@dataclass(frozen=True, slots=True)
class TimeStep(Value):
    """What `step` or `reset` of a dm_env environment returned."""


@dataclass(frozen=True, slots=True)
class StepType(Value):
    """The type of such a time step: FIRST, MID or LAST."""


@dataclass(frozen=True, slots=True)
class IsLast(Value):
    """The method `last` of a time step or of its type."""


# --- decisions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Count(Value):
    """A comparison of a count of steps with its bound."""

    path: str
    at: Span
    name: str
    #: The class whose methods count.
    owner: int
    #: It is true where the bound has been reached, not before.
    reached: bool


@dataclass(frozen=True, slots=True)
class ChosenNone(Value):
    """The None of a choice that a flag decides: `None if done else obs`."""

    flag: int
    test: int
    place: Place


class Mark(Value):
    """A value that was masked, by the place where that was done."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ProductMark(Mark):
    """A product with a mask, by the number of the product in its file."""

    path: str
    index: int


@dataclass(frozen=True, slots=True)
class ChoiceMark(Mark):
    """A choice between zero and a value."""

    path: str
    at: Span
    #: The choice's node in its survey.
    node: int


@dataclass(frozen=True, slots=True)
class MaskedMark(Mark):
    """An array of which some rows are zero."""

    path: str
    at: Span


# --- beside the values ------------------------------------------------------------------------------------------------


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
    #: The class of the project that the id is registered for takes no render mode, or its `render` asks for none
    #: (`own`), or that still takes a mode (`old`), or its constructor has a mode by default (`default`), or it takes
    #: none and draws in the one that its base has by default (`inherited`), or gives none to the library's class that
    #: draws for it (`withheld`); no table knows the id, nor does the project (`unknown`); `render` without a mode
    #: raises an error (`raises`); the id is not seen, and some class that the project registers takes no render mode
    #: (`either`).
    drawing: Literal["", "own", "old", "default", "inherited", "withheld", "unknown", "raises", "either"] = ""
    #: Each id is seen to stand for a class that wraps nothing, so that `unwrapped` is all there is below `make`.
    bare: bool = False
    #: Each id is seen to be one that the project registers for a class of the library itself.
    task: bool = False
    #: The id is registered for classes of the project, and which of the keywords some constructor takes; None:
    #: what it stands for is not seen.
    taken: frozenset[str] | None = None
    #: Of a vector environment: how it goes on after an episode's end.
    mode: Mode = "unknown"
    #: Of a vector environment: a file of tests makes it.
    in_test: bool = False
    #: Of an instance of a class of the project that is based on the library's: the name of that class. The place is
    #: that of the base.
    subclass: str = ""
    #: That class has neither a constructor nor a step of its own, and something steps it.
    as_library: bool = False
    #: Its infos are asked for what only releases before 1.0 set by themselves.
    old_infos: bool = False
    #: A vector environment of ids that 1.0 took away, and of nothing else.
    dead_ids: bool = False
    #: A class of the project that is put around it, and is a wrapper of single environments.
    own_wrapper: str = ""
    #: The same of a class that may be put around single ones as well, so that it shows no release.
    either_wrapper: str = ""
    #: A wrapper of single environments is put around it, which raises an error since 1.0.
    wrapped_as_single: bool = False
    #: Where the final infos are read as a list, of infos that another function was handed.
    final_reads: tuple[Related, ...] = ()
    #: A class of the project whose instances may be asked for the same in its place.
    beside: str = ""
    #: What is called may also be a function or a class of the project.
    own_beside: bool = False
    #: A call that makes another vector environment in its place, and that cannot be asked for a mode: what it calls may
    #: also be the function that makes this one.
    in_turn: Related | None = None
    #: Of a vector environment: the keys that the program writes into infos of single ones.
    written: frozenset[str] = frozenset()
    #: A vector environment of one: made of a list with one function, or around such a one.
    single: bool = False
    #: The ids that are seen to arrive there.
    ids: tuple[str, ...] = ()
    #: What the methods of the project's classes set that it makes, where each id stands for one that wraps nothing.
    state: frozenset[str] = frozenset()

    @property
    def own_class(self) -> str:
        """The class of the library's own that was called itself, `FrozenLakeEnv`; empty: something else was."""
        return "" if self.subclass else own_class(self.function)

    @property
    def called(self) -> tuple[str, ...]:
        """What the task is called: its ids, or its class; empty: nobody knows."""
        return self.ids or ((self.own_class,) if self.own_class else ())


class Meaning(NamedTuple):
    """One alternative of what a flag can be: which causes it holds, and its polarity."""

    terminated: bool
    truncated: bool
    own_limit: bool = False
    #: True for a keep-mask (`1 - done`): it is 1 where the episode goes on.
    keep: bool = False

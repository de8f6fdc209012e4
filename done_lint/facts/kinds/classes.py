"""Environment classes of the project, and what their methods return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from done_lint.core.findings import Related
from done_lint.knowledge.env_apis import Api


@dataclass(frozen=True, slots=True)
class InheritedReset:
    """What `super().reset` means in a class of the project."""

    #: Dotted name of the library's class, or the name of a class of the project.
    owner: str
    #: Names that it takes, or `None` where it takes every keyword.
    takes: frozenset[str] | None = None
    #: It is a class of the project, and what it does besides seeding is not known.
    project: bool = False
    #: It is a class of the project, and the library's `reset` above it only seeds.
    below_seeding: bool = False

    @property
    def only_seeds(self) -> bool:
        """The library's abstract `Env.reset`: it seeds `np_random` and returns nothing."""
        return not self.project and self.owner.rpartition(".")[2] in ("Env", "GoalEnv")

    def accepts(self, name: str) -> bool:
        """Whether the argument may be passed by keyword."""
        return self.takes is None or name in self.takes


@dataclass(frozen=True, slots=True)
class EnvClass:
    """A class of this file that inherits from the library's environments or wrappers, perhaps through others.

    Each field answers one question of the rules about classes.
    """

    path: str
    name: str
    #: Row of the word `class`.
    row: int
    #: What its base promises: that of a package that still speaks old Gym is no Gymnasium API.
    api: Api
    #: Dotted name of the library's class at the top: `gym.Env`.
    base: str
    #: It wraps another environment (`gym.Wrapper` and the like).
    wrapper: bool
    #: Where the class statement names its base.
    evidence: tuple[Related, ...] = ()
    #: Classes of the project that it inherits from, nearest first: `(path, row)`.
    parents: tuple[tuple[str, int], ...] = ()
    #: The rows of the methods an environment has, by name, inherited from classes of the project or its own.
    methods: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    #: What `super().reset` means; `None` where a base that is not visible may have a `reset` of its own.
    inherited: InheritedReset | None = None
    #: Where other files read one of its methods by the name that it had before Gym 0.9.6: `self.world._step`.
    old_reads: tuple[Related, ...] = ()
    #: Its `step` returns neither four values nor five, or five in an order of the project's own that no library takes,
    #: or it turns today's answers back into the old form on purpose: an API of its own, whatever it inherits.
    private: bool = False
    #: Calls of its `seed` from the `seed` of a class that inherits from it, and, in other files, with a seed on `self`.
    seed_heirs: tuple[Related, ...] = ()
    #: Code of the project calls this `seed`, though the class is one of Gymnasium's: the project's own way to seed.
    seed_called: bool = False
    #: The first call of it with a seed, by code that is no environment's or by a `reset`.
    seed_caller: Related | None = None
    #: A call past all wrappers that may be one of it: `env.unwrapped.seed(3)`.
    seed_past_wrappers: Related | None = None
    #: Code of the project seeds by `seed` what may be such an environment, with wrappers around it.
    seed_asked: bool = False
    #: A call that seeds what the program steps, of which nothing tells which class it is: perhaps this one.
    seed_maybe_called: Related | None = None
    #: A call of its `render` with arguments, other than one by an environment class of the same file.
    render_caller: Related | None = None
    #: One of these calls has an argument that no `render` of Gym's took.
    own_render: bool = False
    #: A call of its `render` by code that is no environment's.
    rendered: Related | None = None
    #: Classes of the project that inherit from it: `(path, row)`, and which of an environment's methods they define.
    children: tuple[tuple[str, int], ...] = ()
    overridden: frozenset[str] = frozenset()
    #: Some base, its own or inherited, is of a package that is in no table: it may define any method.
    foreign: bool = False
    #: Of a wrapper: what its instances have by themselves, and those of its heirs; None: that is not known.
    attributes: frozenset[str] | None = None
    #: The attributes that its methods and those of its parents in the project set on its instances.
    assigned: frozenset[str] = frozenset()
    #: A stand-in of the tests': it implements what its tests call, and no more.
    double: bool = False
    #: A wrapper around what is visibly no environment of Gym's: its `reset` has nothing to hand a seed to.
    adapter: bool = False
    #: A wrapper of which no call makes one, nor of a class that inherits from it, in a program that has both libraries:
    #: nothing shows from which of them what would be inside is.
    unmade: bool = False
    #: `make` gives it, or a class that inherits from it, inside of a checker, which asks for an info that is a `dict`.
    checked: bool = False
    #: Where the values that its own `step` returns belong by their names, if they are in a wrong order.
    order: tuple[int, ...] = ()
    #: What its own methods look like in a class for old Gym (see `method_signs`); some of it may mean nothing.
    old_signs: frozenset[str] = frozenset()
    #: Its attributes that hold objects of the project which make generators of their own, without a seed.
    drawing_parts: frozenset[str] = frozenset()

    @property
    def heirs(self) -> tuple[str, ...]:
        """Other files with classes that inherit from it."""
        return tuple(sorted({path for path, _ in self.children if path != self.path}))


@dataclass(frozen=True, slots=True)
class OwnResult:
    """What the `step` or `reset` of an environment class of the project returns as Gym did."""

    owner: EnvClass
    method: Literal["step", "reset"]
    #: Of `reset`: a caller takes an element of the observation by its number, and would silently take it of the pair.
    #: Or the observation is itself a tuple of two, which callers may take apart; or its elements are, or may be, pairs.
    indexed: bool = False
    #: It is handed on from a class that is no environment, which returns four values to whoever asks: `Engine.step`.
    protocol: str = ""
    #: Of `step`: a named tuple of four, whose fields nothing in sight reads by their names.
    named: bool = False
    #: Of `reset`: a class of another library hands it on as it is, by this method; who asks that one is not seen.
    handed_by: str = ""
    #: Of `step`: its info may hold the key of old Gym's time limit, which the project sets: it says when time is up.
    limit_declared: bool = False


@dataclass(frozen=True, slots=True)
class OwnLimit:
    """A comparison in which the steps that an environment class counts have reached a bound, and so end the episode.

    What it decides arrives in the place of `terminated`, or of the old `done`.
    """

    owner: EnvClass
    #: The attribute that counts.
    counter: str
    #: How many values the `step` returns that it decides about: 4 or 5.
    arity: int
    #: It arrives in the place of `truncated`, too.
    both: bool = False


@dataclass(frozen=True, slots=True)
class SplitBase:
    """A vector environment of the library that a class inherits from through classes of the project."""

    #: Without its package: `vector.VectorEnv`.
    base: str
    #: What the classes in between define, and which of the methods that the base called they call themselves.
    methods: frozenset[str]
    called: frozenset[str]

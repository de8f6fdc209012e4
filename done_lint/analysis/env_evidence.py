"""What is noted of environments while the graph is solved: why they are known, who made them, how they are used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import Made, Site
from done_lint.knowledge.env_apis import Api
from done_lint.knowledge.made_layers import Wrapping


class Evidence(NamedTuple):
    """Why an environment is known."""

    place: Site
    message: str


class Use(NamedTuple):
    """Where a reset's result is taken apart: the function (None: behind a test of what it is), the node."""

    home: FunctionId | None
    node: int


class IdArgument(NamedTuple):
    """An argument that is an environment's id: its node, what is called, where."""

    node: int
    function: str
    place: Site


class Promise(NamedTuple):
    """An annotation says which environment stands at a node: true where nothing better is known."""

    node: int
    env: int


class InheritedMethod(NamedTuple):
    """A method that a wrapper class does not define: the node, its name, the class, what the base class promises."""

    node: int
    name: str
    owner: ClassId
    env: int


class MakeCall(NamedTuple):
    """A call of the library's `make`: the node of the id (0: not visible), and what decides about layers."""

    id: int
    options: Mapping[str, str]
    #: It has arguments that cannot be told.
    hidden: bool


class OldRead(NamedTuple):
    """`infos["final_info"]`: the nodes of the vector environment, of the step and of what is read, and the key.

    The key is one that only old releases set by themselves, or the name that today's have for one of these.
    """

    env: int
    step: int
    read: int
    key: str


class EnvEvidence:
    """Notes on environments, by node."""

    def __init__(self) -> None:
        """None are known."""
        #: By file, those that ask for a class of Gym's what it makes, or make what it asks (see `class_tests`).
        self.sharing: dict[str, set[str]] = {}
        #: Why environments are known, by the node they were made at.
        self.evidence: dict[int, Evidence] = {}
        #: The calls that made them.
        self.makes: dict[int, Made] = {}
        #: By the node of such a call, that of its first argument: a vector environment's functions, or what it wraps.
        self.functions: dict[int, int] = {}
        #: By the node of such a call, that of the mode that a vector environment is asked for, or of a dictionary
        #: that may have it; 0: it is asked for none.
        self.modes: dict[int, int] = {}
        #: What is known of vector environments by classes of the project that are based on the library's.
        self.subclassed: dict[int, Made] = {}
        #: Where the infos of vector environments are asked for what only old releases set.
        self.old_reads: set[OldRead] = set()
        #: Of the calls that made environments, those of the library's `make`.
        self.make_calls: dict[int, MakeCall] = {}
        #: The classes of the project behind the ids that its files register.
        self.entries: dict[str, list[ClassId]] = {}
        #: Of these ids, those that may have a class which is not seen, or a function.
        self.unseen_entries: set[str] = set()
        #: What the files register, by id, which may have `*` for what is not known of it.
        self.registered: dict[str, list[Wrapping]] = {}
        #: Of these ids, those that stand for a class of the library itself, once for each time they are registered.
        self.tasks: list[str] = []
        #: Of these ids, those whose vector environments are made by an entry point of their own.
        self.own_vectors: set[str] = set()
        #: By file, the packages of the classes that it registers, by their entry points.
        self.entry_points: dict[str, set[str]] = {}
        #: What files give to the library's own classes, and so to all wrappers: `gym.Wrapper.label = label`.
        self.given_to_all: set[str] = set()
        #: They register ids that cannot be seen.
        self.registers_unseen = False
        #: The packages that may have made them, where their API is only guessed.
        self.makers: dict[int, str] = {}
        #: By file, a package that it needs, and whose environments are made for Gym.
        self.needed: dict[str, str] = {}
        #: The same of the files that never run without one of those.
        self.needed_around: dict[str, str] = {}
        #: By file, a package that it imports and that the project has in a release made for Gym, with its bounds.
        self.pinned: dict[str, str] = {}
        #: The same of packages that are only called after Gym: what they need is not known.
        self.suspected: dict[str, str] = {}
        #: The same of files that make environments: what keeps them with Gym; empty where all can move.
        self.old_packages: dict[str, str] = {}
        #: Arguments that are an environment's id.
        self.id_arguments: list[IdArgument] = []
        #: Calls that are given the id among other arguments (`**config`): what is called, where.
        self.spread_ids: list[tuple[str, Site]] = []
        #: The same of `make` of a Gym that stays.
        self.kept_ids: list[int] = []
        #: Where strings that may be ids stand, by node.
        self.texts: dict[int, Site] = {}
        #: Strings of the program that are ids of environments which nothing truncates.
        self.endless_ids: set[str] = set()
        #: Where reset results are taken apart.
        self.taken: dict[int, list[Use]] = {}
        #: What annotations promise.
        self.annotated: list[Promise] = []
        #: Nodes that hold an instance of a class of the project because an annotation says so.
        self.named: set[int] = set()
        #: `self.env` of a wrapper: the node, the class, what its base class promises.
        self.insides: list[tuple[int, ClassId, int]] = []
        #: Reads of `unwrapped` that went into a wrapper: its number, and the node of what they give.
        self.unwrapping: set[tuple[int, int]] = set()
        #: The same of reads that `__getattr__` hands on.
        self.delegating: set[tuple[int, int]] = set()
        #: Classes whose `step` makes five values of four: what is inside is made for old Gym.
        self.adapters: frozenset[ClassId] = frozenset()
        #: Methods that wrapper classes of the project leave to what is inside.
        self.inherited_methods: list[InheritedMethod] = []
        #: Reads of `self.np_random`: the node, the class, and the environment that its base class promises.
        self.inherited_generators: list[tuple[int, str, int, int]] = []
        #: Instances that answer as an environment of the library, by number, and that environment.
        self.inherited: dict[int, int] = {}
        #: What is handed to adapters for old Gym, and the nodes of the environments that were found to arrive there.
        self.handed: list[int] = []
        self.adapted: set[int] = set()
        #: Environments that an annotation names, by number: what arrives is better evidence.
        self.promised: set[int] = set()
        #: Environments that no constructor shows, by number, and with which the program does what none of Gym's can.
        self.contradicted: set[int] = set()
        #: Environments with which a file does what only another class that arrives there can: the file, the number.
        self.misfits: set[tuple[str, int]] = set()
        #: Environments known by name, by node, and methods of theirs that may be anybody's.
        self.withheld: set[tuple[int, str]] = set()
        #: Nodes where what nobody knows arrives beside the same in a wrapper of the library.
        self.half_wrapped: set[int] = set()
        #: Nodes of what a test says is no `Env` of Gym's.
        self.outside: set[int] = set()
        #: Methods of theirs in whose place the program puts what it likes, `env.reset = start`: the node, the name.
        self.replaced: set[tuple[int, str]] = set()
        #: Wrapper calls: inner node, result, the API that holds when nothing is known of the inside; `BY_ARGUMENT`:
        #: the wrapper goes around several APIs, and nothing is known of the result then.
        self.wrapped: list[tuple[int, int, Api]] = []
        #: What is given to Gymnasium's own wrappers of single environments, and to those of vector environments.
        self.given_to_single: list[int] = []
        self.given_to_vector: list[int] = []

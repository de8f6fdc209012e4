"""What the analysis knows about one file, for the rules: facts by span.

The model says what is there; a rule decides whether it is wrong. A rule asks with the span of an
expression (see `done_lint.rules.base.Rule.span`), as LibCST rules ask a metadata provider.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from done_lint.core.findings import Family, Related, Span
from done_lint.facts.kinds.classes import EnvClass, OwnLimit, OwnResult, SplitBase
from done_lint.facts.kinds.environments import Env, Generator, RenderedAs, Requested
from done_lint.facts.kinds.flags import Flag, Sink, Ways
from done_lint.facts.kinds.ids import EnvId, UnseenId
from done_lint.facts.kinds.results import EscapingResult, Info, ResetResult, StepResult, Unequal, Unready
from done_lint.facts.kinds.rows import ResetValue, Row
from done_lint.knowledge.packages_for_gym import MADE_FOR_GYM


@dataclass(frozen=True, slots=True)
class Keeper:
    """A package that keeps the programs of a file with Gym; or a test of Gym's version, for which it is empty."""

    package: str
    #: The file that imports it.
    path: str
    #: Only because nobody else is known to register this id; empty: in any case.
    env_id: str = ""
    #: Only because it may have registered an id that cannot be seen.
    hidden_id: bool = False
    #: Where the version of Gym is asked for; the message says what is wrong with Gymnasium's (see `version_tests`).
    test: Related | None = None
    #: The package is on Gymnasium by now, but the project has it in a release that is not; it is named with its bounds.
    pinned: bool = False

    @property
    def certain(self) -> bool:
        """Whether the environments of the package are known to be Gym's, whatever is made."""
        guessed = self.env_id or self.hidden_id or self.pinned
        return not guessed and self.package.partition(".")[0] in MADE_FOR_GYM


@dataclass(frozen=True, slots=True)
class Facts:
    """The model's knowledge of one file, by span of expression.

    Each field holds one kind of facts.
    """

    path: str
    envs: Mapping[Span, Env] = field(default_factory=dict)
    #: Attributes (`env.render`) that an environment itself answers, not only classes of the project.
    members: Mapping[Span, Env] = field(default_factory=dict)
    steps: Mapping[Span, StepResult] = field(default_factory=dict)
    #: `zip(*results)` of several environments: each value is a column.
    columns: Mapping[Span, StepResult] = field(default_factory=dict)
    resets: Mapping[Span, ResetResult] = field(default_factory=dict)
    #: Where results go to code that the analysis does not follow, in programs that are written for old Gym.
    escaping_results: Mapping[Span, EscapingResult] = field(default_factory=dict)
    unequal: Mapping[Span, Unequal] = field(default_factory=dict)
    unready: Mapping[Span, Unready] = field(default_factory=dict)
    infos: Mapping[Span, Info] = field(default_factory=dict)
    flags: Mapping[Span, Flag] = field(default_factory=dict)
    sinks: Mapping[Span, Sink] = field(default_factory=dict)
    #: Rows of vector environments that are handed on here to be kept.
    rows: tuple[Row, ...] = ()
    reset_values: tuple[ResetValue, ...] = ()
    #: Calls that make vector environments of which only the spaces are read.
    unstepped: frozenset[Span] = frozenset()
    #: Steps of what only its use shows to be a vector environment (see `named_vectors`).
    named_steps: frozenset[Span] = frozenset()
    #: By row, the classes that override what such a base called.
    split_bases: Mapping[int, SplitBase] = field(default_factory=dict)
    #: Steps whose flags are joined wherever they arrive in other functions (see `joined_ends`).
    joined: frozenset[Span] = frozenset()
    #: Steps whose *terminated* alone cuts a one-step target, which bootstraps where an episode was truncated.
    bootstrapped: frozenset[Span] = frozenset()
    #: Where *terminated* is read by its index that cuts a one-step target, and whether it has another purpose as well.
    masking: Mapping[Span, bool] = field(default_factory=dict)
    #: Steps whose episodes a recursion over the rows of many tells apart by *terminated* alone.
    separated: frozenset[Span] = frozenset()
    #: Steps of which no row of a truncated environment is kept, in whatever file.
    untruncated: frozenset[Span] = frozenset()
    #: Calls of functions of the project that ask for final observations themselves.
    taking_finals: frozenset[Span] = frozenset()
    ids: Mapping[Span, EnvId] = field(default_factory=dict)
    #: Look-ups by an id that the code does not have, and the ids in the configuration files that their programs open.
    unseen_ids: tuple[UnseenId, ...] = ()
    configured_ids: Mapping[str, Related] = field(default_factory=dict)
    #: Names and attributes that come from the library itself: `gymnasium.wrappers.FrameStack`, however imported.
    names: Mapping[Span, str] = field(default_factory=dict)
    #: Environment classes of this file, by the row of the word `class`.
    classes: Mapping[int, EnvClass] = field(default_factory=dict)
    #: Old results of environment classes: for `step`, literal tuples of four, by the place of their first value (the
    #: first value of that, where it is a tuple itself); for `reset`, returned expressions that are no pair.
    results: Mapping[Span, OwnResult] = field(default_factory=dict)
    #: Comparisons of an environment class's step count that end its episode as termination.
    limits: Mapping[Span, OwnLimit] = field(default_factory=dict)
    generators: Mapping[Span, Generator] = field(default_factory=dict)
    #: The renderings, in whatever file, of what this file makes or renders.
    renderings: tuple[RenderedAs, ...] = ()
    #: Of a file that names `Monitor`.
    requested: Requested = field(default_factory=Requested)
    #: Sizes of spaces that a call is given which wants one of Python's integers: `Dense(env.action_space.n)`.
    sizes: frozenset[Span] = frozenset()
    #: Lists that a wrapper of the library is given which wants a tuple now (see `given_shapes`).
    lists: frozenset[Span] = frozenset()
    #: Names of numbers that such a wrapper is given, and whether every caller that may give it another one is seen.
    heights: Mapping[Span, bool] = field(default_factory=dict)
    #: A package that registers an id which this file makes, and that some program does not import: `ale_py`.
    unregistered: str = ""
    #: Calls of functions of the project that make one environment by default, and get no other number.
    left_alone: frozenset[Span] = frozenset()
    #: What code that runs together with this file gives to the library's own classes, and so to all wrappers.
    given_to_all: frozenset[str] = frozenset()
    #: Which of the new keys of `metadata` code asks for that runs together with this file.
    keys_read: frozenset[str] = frozenset()
    #: Where another file asks a class of this one, or this one a class of another, for an old key (the message).
    old_keys_read: tuple[Related, ...] = ()
    #: A package that the file needs, and whose environments are made for Gym.
    old_package: str = ""
    #: The same, where the file imports Gym itself, and has to keep it.
    kept_by: str = ""
    #: The package that keeps the whole program, wherever it is imported.
    keeper: Keeper | None = None
    #: Code that is there for old Gym on purpose: no rule speaks about it.
    kept: tuple[Span, ...] = ()
    #: Branches that no call of the program takes: of a file that reads infos.
    idle: tuple[Span, ...] = ()
    #: The file uses Gym as Gym beside Gymnasium: its imports of Gym stay.
    keeps_gym: bool = False
    #: Every file of the project that imports Gym uses it as Gym: its requirement is right, too.
    requires_gym: bool = False
    #: The families (see `families`) of environments, their methods and results, of classes by row, and of the file.
    families: Mapping[Span, Family] = field(default_factory=dict)
    class_families: Mapping[int, Family] = field(default_factory=dict)
    file_family: Family = frozenset()
    #: Only of a file with sinks.
    ways: Ways | None = None

    @property
    def all_families(self) -> Family:
        """All families that something in this file belongs to."""
        return frozenset().union(self.file_family, *self.families.values(), *self.class_families.values())

    @property
    def families_within(self) -> Family:
        """The same, but not those of a file that gets no Gym, for all that runs it: nothing of them stands here."""
        own = self.file_family if self.path in self.file_family else frozenset()
        return frozenset().union(own, *self.families.values(), *self.class_families.values())

    def __bool__(self) -> bool:
        """Whether the model found anything at all here."""
        found = (self.envs, self.steps, self.columns, self.resets, self.sinks, self.ids, self.names, self.generators)
        own = (self.classes, self.results, self.limits, self.rows, self.reset_values, self.infos, self.split_bases)
        return any(found) or any(own) or bool(self.named_steps)

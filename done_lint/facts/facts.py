"""What the analysis knows about one file, for the rules: facts by span.

The model says what is there; a rule decides whether it is wrong. A rule asks with the span of an
expression (see `done_lint.rules.base.Rule.span`), as LibCST rules ask a metadata provider.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from done_lint.analysis.values import Made as Made  # rules and rewrites take it from here
from done_lint.analysis.values import Meaning
from done_lint.core.findings import Certainty, Family, Related, Span
from done_lint.knowledge.env_apis import Api
from done_lint.knowledge.env_id_apis import is_own


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
    #: Another way to answer can arrive here too (a class of the project with a `step` of its own).
    mixed: bool = False
    #: Of an attribute: a class of the project that arrives here too has it, with arguments of its own.
    shared: bool = False
    #: Wrappers around it, outermost first and "" last for the bare environment; empty: not known.
    #: A wrapper of the library itself has its plain name, any other its dotted one.
    layers: tuple[str, ...] = ()
    #: Every call that can have made it; empty: some of them are not visible.
    made: tuple[Made, ...] = ()
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
    #: Nothing that is done with the environment is written for five values (see `api_usage`).
    gym_only: bool = False
    #: Its flags are tables with a value for each agent.
    per_agent: bool = False
    #: A class of the project returns an array for its flag; no: a list, tuple or dictionary; None: nothing tells.
    array: bool | None = None
    #: Some `if` or `while` asks for its value at place 3, which is read by that index.
    truncation_asked: bool = False
    #: Nothing truncates the episode: neither a limit around the environment nor, as far as it is the project's, its own
    #: `step`.
    never_truncated: bool = False
    #: What a reset returned, or an observation, arrives, too, as by one pipe: only what unpacks it is sure of it.
    either: bool = False
    #: By what the `step` of each class of the project that is inside returns: where its values belong by their names;
    #: () where they stand where they belong, or something else is inside.
    orders: frozenset[tuple[int, ...]] = frozenset()

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
    #: Two values that are taken of it, or of another one beside it, are numbers of an observation.
    numbers: bool = False


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
    #: What a step of the library's environments gives is among them.
    library: bool
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


@dataclass(frozen=True, slots=True)
class Row:
    """What one step of a vector environment returned is kept as a transition of each environment."""

    env: Env
    step: Related
    #: Where the reward is handed on to be kept.
    place: Span
    #: Where flags are, in the same file.
    flags: tuple[Span, ...] = ()
    #: Somewhere behind the loop that steps, flags of the step choose rows or weigh them.
    chosen: bool = False
    #: It is not seen who makes the environment, and nothing in the program names a mode.
    unasked: bool = False
    #: Environments that are no vectors arrive at the same step.
    alone: bool = False
    #: Nothing keeps it: a target is made of it as it comes.
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class ResetValue:
    """A delta bootstraps at truncations from the value one row on, of the rollouts of vector environments."""

    #: The environments of all programs that run this, and their steps.
    envs: tuple[Env, ...]
    steps: tuple[Related, ...]
    #: Where the value is written.
    place: Span


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
    #: Short name of the sink's form, for the message: "one-step target", "GAE", "returns", ...
    form: str = ""
    #: The mask as it stands in the target, where the value that it cuts is of the observation the step led to.
    cut: Span | None = None
    #: Of a store: the flag is handed over to be used at once, and nothing keeps it.
    at_once: bool = False
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
    #: Its `step` returns neither four values nor five, or it turns today's answers back into the old form on purpose:
    #: an API of its own, whatever it inherits.
    private: bool = False
    #: Calls of its `seed` from the `seed` of a class that inherits from it, and, in other files, with a seed on `self`.
    seed_heirs: tuple[Related, ...] = ()
    #: Code of the project calls this `seed`, though the class is one of Gymnasium's: the project's own way to seed.
    seed_called: bool = False
    #: Code of the project seeds by `seed` what may be such an environment, with wrappers around it.
    seed_asked: bool = False
    #: A call that seeds what the program steps, of which nothing tells which class it is: perhaps this one.
    seed_maybe_called: Related | None = None
    #: A call of its `render` with arguments, other than one by an environment class of the same file.
    render_caller: Related | None = None
    #: One of these calls has an argument that no `render` of Gym's took.
    own_render: bool = False
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
    #: `make` gives it, or a class that inherits from it, inside of a checker, which asks for an info that is a `dict`.
    checked: bool = False
    #: Where the values that its own `step` returns belong by their names, if they are in a wrong order.
    order: tuple[int, ...] = ()
    #: What its own methods look like in a class for old Gym (see `method_signs`); some of it may mean nothing.
    old_signs: frozenset[str] = frozenset()

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
    #: Of `reset`: a class of another library hands it on as it is, by this method; who asks that one is not seen.
    handed_by: str = ""


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


@dataclass(frozen=True, slots=True)
class SplitBase:
    """A vector environment of the library that a class inherits from through classes of the project."""

    #: Without its package: `vector.VectorEnv`.
    base: str
    #: What the classes in between define, and which of the methods that the base called they call themselves.
    methods: frozenset[str]
    called: frozenset[str]


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
    #: By row, the classes that override what such a base called.
    split_bases: Mapping[int, SplitBase] = field(default_factory=dict)
    #: Steps whose flags are joined wherever they arrive in other functions (see `joined_ends`).
    joined: frozenset[Span] = frozenset()
    #: Steps whose episodes a recursion over the rows of many tells apart by *terminated* alone.
    separated: frozenset[Span] = frozenset()
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
        return any(found) or any(own)

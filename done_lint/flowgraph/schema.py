"""Facts of one file, with no knowledge of others: what the link step joins.

A survey is a small graph. *Nodes* are numbers: a version of a variable, a slot of a step, a parameter, a
returned value, the result of an expression. *Operations* say how values flow between them (see `operations`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, NamedTuple, TypeVar, cast

from done_lint.core.findings import Span
from done_lint.flowgraph.operations import Attribute, Call, Choice, LibraryCall, Node, Operation, Placed, Reaction
from done_lint.flowgraph.placed_nodes import Places, Uses
from done_lint.knowledge.env_api_lookup import modules_for_gym
from done_lint.knowledge.packages_for_gym import FOR_GYM_IN, MADE_FOR_GYM

Waiting = TypeVar("Waiting", bound=Reaction)


@dataclass(slots=True)
class Function:
    """A function or lambda: the nodes of its parameters and of what it returns."""

    name: str
    params: list[tuple[str, Node]]
    result: Node
    #: Row of the word `def`.
    row: int = 0
    vararg: Node = -1
    kwarg: Node = -1
    owner: int = -1
    kind: str = "function"
    #: It has decorators, which may hand it to anything.
    decorated: bool = False
    #: The nodes of what the project's own decorators make of it.
    replacements: list[Node] = field(default_factory=list)
    #: Its body does nothing, or raises at once: subclasses do the work.
    abstract: bool = False
    #: How many values the tuple has that it returns by its annotation; 0 where that is not said.
    promises: int = 0
    #: How many arguments by position a call has to have, `self` included, and how many parameters can take one.
    required: int = 0
    positional: int = 0
    #: Arities of the tuples it returns literally; 0 for one with a star.
    arities: tuple[int, ...] = ()
    #: Nodes of the elements of returned five-tuples, where an environment's flags come from.
    returned: list[tuple[Placed, ...]] = field(default_factory=list)
    #: What each `return` gives: the place of the expression, its node, and whether it stands behind a test.
    outcomes: list[tuple[Span, Node, bool]] = field(default_factory=list)
    #: Of a `reset`: it may raise, on purpose; it does more with its seed than to hand it to another reset.
    refuses: bool = False
    uses_seed: bool = False
    #: It is given to a scan by its name, and read as the body of a loop (see `scanned`).
    scanned: bool = False
    #: Its parameter `render_mode` has a default that is a text.
    has_mode: bool = False
    #: Of a `render`: it draws, and asks for no mode before.
    draws_anyhow: bool = False
    #: The place of the parameter that it only converts and returns (see `converters`); -1: it does anything else.
    converts: int = -1
    #: The nodes between which it makes arrays that it returns at once, which are new in every call.
    makes: list[tuple[Node, Node]] = field(default_factory=list)
    #: Its parameter that is called the number of environments, if that is one by default.
    one_env: str = ""
    #: Of a method: its parameters of which it reads no more than spaces (see `space_readers`).
    spaces_of: tuple[str, ...] = ()
    #: Of a `seed`: it does more than to seed `np_random`, or to hand the seed on.
    seeds_more: bool = False
    #: Of a `step`: where the values that it returns belong, by their names, if not where they are; or nothing.
    order: tuple[int, ...] = ()
    #: The same, in an order of its own: a reward stands behind the first two values.
    own_order: bool = False
    #: Where it returns five values, they are those of no step of Gymnasium's (see `returns_own_five`).
    own_five: bool = False


@dataclass(slots=True)
class Class:
    """A class: the nodes of its bases, its methods and class attributes."""

    name: str
    bases: list[Node]
    #: Row of the word `class`.
    row: int = 0
    methods: dict[str, int] = field(default_factory=dict)
    #: Functions that are called with what is assigned to an attribute: `@env.setter`.
    setters: dict[str, int] = field(default_factory=dict)
    attrs: dict[str, Node] = field(default_factory=dict)
    #: Of these attributes, those that are None: its subclasses have to set them.
    unset: tuple[str, ...] = ()
    #: Attributes that its methods raise by one, and those that they start anew (see `step_counters`).
    counted: tuple[str, ...] = ()
    restarted: tuple[str, ...] = ()
    #: Attributes that they lower by one, and set anew.
    spent: tuple[str, ...] = ()
    #: The rows of its `step`, if it is a wrapper whose observation tells the time (see `step_counters.timed_step`).
    timed: tuple[int, int] | None = None
    #: The row of a test by which its `step` truncates an episode, and which asks nothing of time (0: none is known).
    task_truncation: int = 0
    #: Attributes that its methods set, of whatever object; "*": they may set any.
    assigned: set[str] = field(default_factory=set)
    #: Of these, those that they set to something: `self.env = None` leaves it to others.
    filled: set[str] = field(default_factory=set)
    #: Field names in order, for a dataclass or a NamedTuple.
    fields: tuple[str, ...] = ()
    #: Its methods put values into what its instances hold (see `keeping_classes`).
    keeps: bool = False
    #: What its methods look like in a class for old Gym (see `method_signs.old_signs`).
    old_signs: set[str] = field(default_factory=set)
    #: The attribute of its instances whose attributes are theirs as well: `return getattr(self._env, name)`.
    delegate: str = ""


@dataclass(slots=True)
class Factor:
    """One factor of a product. `role` is what its text alone tells: discount, trace, constant, or empty."""

    node: Node
    span: Span
    role: str = ""
    #: It is a number, or a name or an attribute that the loop around does not change.
    steady: bool = False
    #: It is a value that was multiplied with a discount before: `future = gamma * v`.
    discounted: bool = False
    #: It is a discount over so many steps as are the same for every row: `gamma ** n`.
    powered: bool = False
    #: It is the decay that a loop carries: the masks of the turns before have cut it.
    decays: bool = False
    #: A function gave it as the logarithms of how likely each class is: `log_softmax(logits)`.
    log_likelihood: bool = False
    #: It comes from the next row of what it reads (`values[1:]`), or from one that may be the first row again:
    #: `np.roll(values, -1)`, `values[(t + 1) % n]`.
    ahead: Literal["", "next", "rolled"] = ""


@dataclass(slots=True)
class Product:
    """A product that may mask a value target."""

    factors: list[Factor]
    span: Span
    node: Node
    #: Innermost loop and function it stands in (-1: none), for recursions over time.
    loop: int = -1
    function: int = -1
    #: One factor is the value that the loop carries on: a recursion over time.
    carried: bool = False
    #: The recursion adds something, as returns do: it is no decay, such as `epsilon *= 0.99`.
    summed: bool = False
    #: The recursion adds a delta or has a λ: GAE, not plain returns.
    gae: bool = False
    #: The product stands in a loop that carries a recursion.
    beside: bool = False
    #: What the carried value is before the loop.
    starts: tuple[Node, ...] = ()
    #: That is zero: returns of rewards alone, which bootstrap from no value.
    from_zero: bool = False
    #: A factor is the neighbour in time of something (`values[t + 1]`), or is carried by the loop.
    shifted: bool = False
    #: A factor is the sum of the steps before that the product is added to (see `running_sums`).
    running: bool = False
    #: What all that is made of it is for, where nothing else is (see `shown_values`): "shown", "drawn" or empty.
    purpose: str = ""

    @property
    def discounted(self) -> bool:
        """A factor is a discount by its name or value, and not beside numbers alone, or was multiplied with one."""
        roles = {factor.role for factor in self.factors}
        values = "discount" in roles and roles != {"discount", "constant"}
        return values or any(factor.discounted for factor in self.factors)

    @property
    def only_shown(self) -> bool:
        """Returns that are compared, averaged and printed: no value is learnt from them."""
        return self.carried and self.purpose == "shown"

    @property
    def powered(self) -> bool:
        """A factor is a discount over so many steps as are the same for every row."""
        return any(factor.powered for factor in self.factors)

    @property
    def rolled(self) -> bool:
        """A factor may come from the first row again."""
        return any(f.ahead == "rolled" for f in self.factors)


@dataclass(slots=True)
class Branch:
    """An `if` (or conditional expression) and the products on its two sides."""

    test: Node
    span: Span
    body: tuple[int, ...]
    orelse: tuple[int, ...]
    #: It is no branch, but an assignment to the rows that the test picks: `y[~done] += ...`.
    rows: bool = False
    #: One side alone changes an attribute from what it was: `self.epsilon *= 0.99`, once an episode.
    counts: bool = False
    #: It holds the whole update of a table (see `whole_updates`): nothing is learnt where it is not taken.
    whole: bool = False


class Ending(NamedTuple):
    """A call of a function called `termination`, as dm_env has one, on one side of an `if`."""

    called: Node
    #: The innermost test around it, with its place, and whether it holds there.
    test: Node
    at: Span
    holds: bool
    made: Span


class TextSide(NamedTuple):
    """A side of `if name == "text":`: the node of the name, the text, whether the name holds it there, the place."""

    node: Node
    text: str
    holds: bool
    span: Span


class Paced(NamedTuple):
    """What a loop does from time to time, behind a test of a count, and where what the test reads is set anew."""

    body: Span
    anew: tuple[Span, ...]


class Package(NamedTuple):
    """How a file imports a package."""

    #: Some import of it stands in no `try` and under no condition: the file cannot do without it.
    needed: bool = False
    #: Nothing reads what some import of it binds: it is imported for what it does then.
    for_effect: bool = False
    #: It is read as a module, or is given a name to be read by: a library.
    as_library: bool = False


class _Reactions:
    """The reactions of a survey by kind, and all its calls: sorted for dozens of readers, and no part of the data."""

    __slots__ = ("_by_kind", "_calls")
    _by_kind: defaultdict[type[Reaction], list[Reaction]]
    _calls: list[Call | LibraryCall]
    waiting: dict[Node, list[Reaction]]
    operations: list[Operation]

    def waits(self, kind: type[Waiting]) -> Sequence[Waiting]:
        """The reactions of one kind that `waiting` has, once the survey is complete."""
        try:
            by_kind = self._by_kind
        except AttributeError:
            by_kind = self._by_kind = defaultdict(list)
            for operation in chain.from_iterable(self.waiting.values()):
                by_kind[type(operation)].append(operation)
        return cast("Sequence[Waiting]", by_kind.get(kind, ()))

    def calls(self) -> Sequence[Call | LibraryCall]:
        """All calls, first those of what may be the project's own."""
        try:
            return self._calls
        except AttributeError:
            self._calls = [*self.waits(Call), *(one for one in self.operations if type(one) is LibraryCall)]
            return self._calls


@dataclass(slots=True)
class Survey(_Reactions):
    """Plain data about one file; it goes to a worker or a cache, never back to source.

    It has many fields, because each is a table of its own that the link step or a reader of facts asks.
    """

    path: str
    #: It is a page of text with examples (see `done_lint.source.documents`), which show what a program could do.
    page: bool = False
    #: Modules it imports, dotted; relative ones keep their leading dots.
    imports: tuple[str, ...] = ()
    #: Of these, those that it can do without: they stand in a `try`, or under a condition, and none stands for another.
    by_choice: tuple[str, ...] = ()
    #: The packages of these modules by their first names, in order: `gym` of `gym.spaces`. Relative imports have none.
    packages: dict[str, Package] = field(default_factory=dict)
    #: Code that is there for old Gym alone (see `library_choices`); and what is so only in a program that knows the new
    #: library as well.
    kept: tuple[Span, ...] = ()
    kept_beside: tuple[Span, ...] = ()
    #: Tests of Gym's version to which Gymnasium's number is no good answer, and of which kind they are.
    version_tests: tuple[tuple[Span, str], ...] = ()
    #: Classes whose names say that they are old, and the word for that.
    old_classes: tuple[tuple[Span, str], ...] = ()
    #: It treats the two libraries as two; it plainly imports both, each under a name of its own.
    tells_apart: bool = False
    imports_both: bool = False
    #: Modules of the classes that it registers by a string, `entry_point="maze.envs:Maze"`.
    entries: tuple[str, ...] = ()
    #: Folders that it adds to those where modules are looked for (see `import_folders`).
    import_folders: tuple[str, ...] = ()
    #: Modules whose every name it imports: `(module, level)`.
    stars: tuple[tuple[str, int], ...] = ()
    size: int = 0
    operations: list[Operation] = field(default_factory=list)
    #: Reactions by the node they wait for, and the operations and reactions that tell what classes are called.
    waiting: dict[Node, list[Reaction]] = field(default_factory=dict)
    bindings: list[Operation] = field(default_factory=list)
    naming: dict[Node, list[Reaction]] = field(default_factory=dict)
    #: Names of the attributes that it sets.
    attributes: set[str] = field(default_factory=set)
    #: Those attributes by which an environment may be known (see `external_names.is_telling`).
    telling: list[Attribute] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    products: list[Product] = field(default_factory=list)
    #: The rows of code that reads an array both at a place and at the next one (see `next_rows`).
    next_rows: tuple[tuple[int, int], ...] = ()
    #: The operations `Choice`.
    choices: list[Choice] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    #: Module-level names and the node that joins all their values.
    exports: dict[str, Node] = field(default_factory=dict)
    #: Expressions a rule may ask about.
    uses: Uses = field(default_factory=Uses)
    #: Lists that a comprehension makes of one element.
    made_once: set[Node] = field(default_factory=set)
    #: Where a node was made, and the name it was given.
    places: Places = field(default_factory=Places)
    names: dict[Node, str] = field(default_factory=dict)
    #: Literal tuples of four, by node: where their first value starts (see `facts.Facts.results`).
    fours: dict[Node, Span] = field(default_factory=dict)
    #: Elements of returned five-tuples that are always false: there an environment never truncates.
    falses: set[Node] = field(default_factory=set)
    #: By the place of a call, what it says about the layers around an environment (see `made_layers.OPTIONS`).
    options: dict[Span, dict[str, str]] = field(default_factory=dict)
    #: Functions that calls, unpacks and subscripts stand in, by node.
    homes: dict[Node, int] = field(default_factory=dict)
    #: Packages whose ids a function asserts to be given, by function (see `env_id_apis.REGISTERED_PARTS`).
    asserted_ids: dict[int, str] = field(default_factory=dict)
    #: Choices made inside a loop, by node, and the innermost loop.
    loops: dict[Node, int] = field(default_factory=dict)
    #: Every loop statement, by its number.
    loop_spans: list[Span] = field(default_factory=list)
    #: What stands behind every `if` without an `else`: it may not be done.
    optional: list[Span] = field(default_factory=list)
    #: What loops do behind tests of counts (see `paced_work`), and what rows are taken out of, with the row of the
    #: function around (see `emptied_stores`).
    paced: tuple[Paced, ...] = ()
    emptied: tuple[tuple[Span, int], ...] = ()
    #: Calls of `last()` in loops of a known number of steps, what is stepped, and the number (see `short_episodes`).
    short_episodes: tuple[tuple[Span, Span, int], ...] = ()
    #: Steps right behind a reset, each time that they are taken, and what takes them (see `first_steps`).
    first_steps: tuple[tuple[Span, Span], ...] = ()
    #: Parameters: where nothing arrives, the origin of a value is not visible.
    parameters: set[Node] = field(default_factory=set)
    #: Spans of expressions that stand behind a test of length or version.
    guarded: set[Span] = field(default_factory=set)
    #: Nodes of subscripts and unpacks behind such a test.
    tested: set[Node] = field(default_factory=set)
    #: Functions that make such a test anywhere.
    testing: set[int] = field(default_factory=set)
    #: What may be the result of a step, and is used in a way that no fix follows (see `odd_uses`).
    odd_uses: tuple[tuple[Span, str], ...] = ()
    #: Texts that step or reset an environment, where the file runs texts (see `run_texts`).
    run_texts: tuple[Span, ...] = ()
    #: Calls that make a box with a bound that its dtype may not hold, and what they do (see `narrow_boxes`).
    narrow_boxes: tuple[tuple[Span, str], ...] = ()
    #: Calls and names that are returned as they are.
    returned: set[Span] = field(default_factory=set)
    #: Calls that stand alone in a statement, so that nothing takes their value.
    dropped: set[Span] = field(default_factory=set)
    #: Nodes tested by `if`, `while`, `assert`: another purpose of a flag.
    tests: list[tuple[Node, Span]] = field(default_factory=list)
    #: Expressions that are read without being handed on, and how (see `readings`).
    readings: Uses = field(default_factory=Uses)
    #: What rows of an array are picked by (`obs[kept]`), and by whose number they are averaged (`/ kept.sum()`).
    picks: list[tuple[Node, Span]] = field(default_factory=list)
    #: What is inverted bit by bit, and what that gives: `~done`, which only arrays and numpy's own booleans do.
    inverted: list[tuple[Node, Node]] = field(default_factory=list)
    #: Arrays whose rows are set to true or false, and what picks those rows: `alive[truncated] = False`.
    rows_set: list[tuple[Node, Node]] = field(default_factory=list)
    #: The sides of each `if name:`, `if self.name:` and `if not name:`: the node of the test, whether it holds there,
    #: the place.
    sides: list[tuple[Node, bool, Span]] = field(default_factory=list)
    #: The sides of each `if name == "text":`.
    text_sides: list[TextSide] = field(default_factory=list)
    #: The nodes of `True` and `False`.
    booleans: dict[Node, bool] = field(default_factory=dict)
    #: The nodes of integers that may be the height of a picture.
    heights: set[Node] = field(default_factory=set)
    #: At a stored or passed expression: names bound to slot 2 of five in scope, unchanged since.
    live: dict[Span, tuple[tuple[str, Node], ...]] = field(default_factory=dict)

    @property
    def needed_packages(self) -> list[str]:
        """The packages that it cannot do without."""
        return [name for name, package in self.packages.items() if package.needed]

    @property
    def made_for_gym(self) -> list[str]:
        """Of these, those whose environments are made for Gym, as a whole or in one module that is imported."""
        found = (MADE_FOR_GYM | FOR_GYM_IN.keys()).intersection(self.needed_packages)
        modules = modules_for_gym(self.imports)
        return [one for one in sorted(found) if FOR_GYM_IN.get(one) in (None, *modules)]

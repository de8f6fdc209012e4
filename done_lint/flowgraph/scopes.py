"""What is kept of a file while it is surveyed: scopes, loops, the place at hand, constants, and how values flow."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from done_lint.core.findings import Span
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.keys import Key
from done_lint.flowgraph.operations import Constant, Node
from done_lint.flowgraph.schema import Branch

#: What attributes are known to be, by the object and the attribute (see `narrowing`).
Narrowed: TypeAlias = Mapping[tuple[Node, str], Node]


@dataclass(slots=True)
class Loop:
    """A loop under survey: head versions of the names it assigns, and what they are on the way back."""

    index: int
    #: A node that was made when it began: what was bound before has a smaller number.
    first: int = 0
    heads: dict[str, int] = field(default_factory=dict)
    backs: dict[int, int] = field(default_factory=dict)
    #: What the head versions are before the loop.
    starts: dict[int, int] = field(default_factory=dict)
    breaks: list[dict[str, int]] = field(default_factory=list)
    continues: list[dict[str, int]] = field(default_factory=list)
    #: What attributes were known to be before it.
    narrowed: Narrowed = field(default_factory=dict)
    #: What was known of tests before it.
    known_tests: tuple[tuple[Node, bool], ...] = ()
    #: The statement, if it is a `for`.
    syntax: ast.For | ast.AsyncFor | None = None
    #: The statement, unless the loop is that of a function which calls a function again and again.
    statement: ast.stmt | None = None


@dataclass(slots=True)
class Scope:
    """One module, class, function or comprehension."""

    kind: str
    parent: Scope | None
    assigned: frozenset[str] = frozenset()
    versions: dict[str, int] = field(default_factory=dict)
    #: Joins all versions of a name, for readers in other scopes.
    cells: dict[str, int] = field(default_factory=dict)
    function: int = -1
    owner: int = -1


#: What tests have asked: the text, the version of the name in it, and whether it is true.
Answers = frozenset[tuple[str, int, bool]]


class Choice(NamedTuple):
    """A version that is one of two behind a branch: what is known on its two sides, and the version of each."""

    sides: tuple[Answers, Answers]
    versions: tuple[int, int]


@dataclass(slots=True)
class Names:
    """The scope at hand, and what is known of the names of the whole file."""

    scope: Scope = field(default_factory=lambda: Scope("module", None))
    #: Names of the module that are bound more than once, or by functions too.
    changing: frozenset[str] = frozenset()
    #: Targets of the module whose values no function sees, and the names that have such a value now.
    passing: frozenset[ast.expr] = frozenset()
    unseen: set[str] = field(default_factory=set)
    #: Names of the module that stand for the key of an element.
    keys: Mapping[str, Key] = field(default_factory=dict)
    #: Names that mean nothing of the project, and what they mean, dotted.
    external: Mapping[str, str] = field(default_factory=dict)
    #: The nodes of such names and of their attributes, by what they mean.
    nodes: dict[str, Node] = field(default_factory=dict)
    #: Versions that a branch has chosen (see `repeated_tests`).
    choices: dict[Node, Choice] = field(default_factory=dict)
    #: Names that expressions read, of any scope.
    read: set[str] = field(default_factory=set)
    #: Modules all of whose names are imported.
    stars: list[tuple[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class Position:
    """What holds of the statements at hand; a function or a class begins with a new one."""

    loops: list[Loop] = field(default_factory=list)
    #: How many tests of length or version stand around.
    guard: int = 0
    #: How many texts are around: what is computed there is shown, and nothing is learnt from it.
    shown: int = 0
    #: Results that are not as Gymnasium returns them: a test of length left before the statements at hand otherwise.
    old: frozenset[Node] = frozenset()
    #: Names bound to slot 2 of a five-value unpack, in the scope at hand.
    slots: dict[str, Node] = field(default_factory=dict)
    #: The function at hand steps an environment: what it counts are steps of the episode.
    stepping: bool = False
    #: The test of the branch at hand, and whether it holds there.
    branch: tuple[Node, bool] = (0, True)
    #: All tests that are known to hold or not, of the branches around and of those that left; 0: one that asks more.
    known_tests: tuple[tuple[Node, bool], ...] = ()
    #: How many calls, and assignments to names, are around whose values are read.
    given: int = 0
    #: Tests that return a value early, before the statements at hand: each test, and its place.
    early: tuple[tuple[Node, Span], ...] = ()
    #: Branches that left before the statements at hand, by what they wrote to (see `leaving_branches`).
    left: Mapping[str, Branch] = field(default_factory=dict)
    #: Nothing behind the last statement is reached.
    dead: bool = False
    #: What attributes of objects were just set to, by the object and the attribute (see `settled_attributes`).
    settled: Mapping[tuple[Node, str], Node] = field(default_factory=dict)
    #: What attributes are where a test of their class has held.
    narrowed: Narrowed = field(default_factory=dict)
    #: Of a `reset`: what it returns only where it is asked for the info, and which part of it else (see `asked_infos`).
    for_info: Mapping[ast.Return, ast.expr | None] = field(default_factory=dict)
    #: The method is an `@abstractmethod`: `return None` is all that a base can say, and is no result.
    abstract: bool = False


class Pair(NamedTuple):
    """What a loop over the items of a mapping takes out beside a key."""

    #: The name of the value.
    name: str
    value: Node
    mapping: Node


@dataclass(slots=True)
class Constants:
    """Nodes whose value the text tells."""

    numbers: dict[Node, object] = field(default_factory=dict)
    nones: set[Node] = field(default_factory=set)
    #: Parameters that are True where no call says otherwise.
    switched_on: set[Node] = field(default_factory=set)
    #: Nodes that hold an array of zeros, and of ones.
    zeros: set[Node] = field(default_factory=set)
    ones: set[Node] = field(default_factory=set)
    #: The keys that loops over the items of mappings take out of them.
    pairs: dict[Node, Pair] = field(default_factory=dict)
    #: Of the names of the places in which a mask is true, `ended = np.flatnonzero(done)`: the mask.
    places: dict[Node, Node] = field(default_factory=dict)
    #: Of what loops take out of a name or an attribute, what that is called: keys, if it is a mapping.
    keys_of: dict[Node, str] = field(default_factory=dict)

    def kind(self, node: Node) -> Constant:
        """What the value of a node is as a flag."""
        return "zero" if node in self.zeros else truth(self.numbers.get(node))


@dataclass(slots=True)
class Trail:
    """How values flow inside the file, to see what a loop carries (see `recurrences`)."""

    #: Node to the nodes it is computed from.
    flow: dict[Node, list[Node]] = field(default_factory=dict)
    #: What each subscript reads: `adv[t + 1]`.
    elements: dict[Node, ast.Subscript] = field(default_factory=dict)
    #: What each subscript is a part of.
    wholes: dict[Node, Node] = field(default_factory=dict)
    #: What each attribute inside a loop reads: `self.advantage`.
    attributes: dict[Node, ast.Attribute] = field(default_factory=dict)
    #: Values put into elements, by the text of the first index and that of the base.
    written: dict[str, dict[str, Node]] = field(default_factory=dict)
    #: What was put into a list, an array or (in a loop) an attribute: the text of its base, the value, and the loops
    #: around.
    added: list[tuple[str, Node, tuple[int, ...]]] = field(default_factory=list)
    #: Products of a discount and a value, by their number, and sums that they are a part of.
    discounted: dict[Node, int] = field(default_factory=dict)
    targets: dict[Node, tuple[int, ...]] = field(default_factory=dict)
    #: Sums of several values.
    sums: set[Node] = field(default_factory=set)

    def derive(self, target: Node, *sources: Node) -> None:
        """Remember that `target` is computed from `sources`."""
        for source in sources:
            if source:
                self.flow.setdefault(target, []).append(source)

    def parts(self, node: Node) -> tuple[int, ...]:
        """The discounted values that a sum, or one of its terms, is made of."""
        product = self.discounted.get(node)
        return self.targets.get(node, ()) if product is None else (product,)


_TRUTHS: dict[object, Constant] = {0: "zero", 1: "one"}


def truth(value: object) -> Constant:
    """`zero`, `one` or empty: what a value is as a flag."""
    return _TRUTHS.get(value, "") if isinstance(value, (bool, int, float)) else ""


def counter(loop: ast.For | ast.AsyncFor) -> str:
    """`n` of `for n in range(...)`, `for n, x in enumerate(...)`; empty for other loops."""
    target: ast.expr = loop.target
    if not isinstance(loop.iter, ast.Call):
        return ""
    name = last_name(loop.iter.func)
    if name == "enumerate" and isinstance(target, ast.Tuple) and target.elts:
        return last_name(target.elts[0])
    return last_name(target) if name in ("range", "trange", "count") else ""

"""How values flow between the nodes of a survey: one class an operation.

Three kinds differ in when the link step does them. `Operation`s are done once. A `Reaction` is done for every value
of the node that it waits for, a `Combination` when the first of its inputs gets a value that matters: most nodes of a
program never do. All are plain data, which goes to a worker as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from done_lint.core.findings import Span
from done_lint.flowgraph.keys import Key, PlainData

Node = int
#: What a value is as a flag, by its text alone; empty: something else.
Constant = Literal["zero", "one", "discount", ""]


class Placed(NamedTuple):
    """An argument or an element: its node and the place of its expression."""

    node: Node
    span: Span | None = None


class Keyword(NamedTuple):
    """A keyword argument; the name is None for `**mapping`."""

    name: str | None
    node: Node
    span: Span | None = None


class Operation(PlainData):
    """Done once. In the docstrings below the fields stand for what their nodes hold."""

    __slots__ = ()


class Reaction(Operation):
    """Done for every value of the node that it is filed under (`Survey.waiting`, `Survey.naming`)."""

    __slots__ = ()


class Combination(Reaction):
    """Filed under each of its inputs, and connected with all of them at the first value that matters."""

    __slots__ = ()

    if TYPE_CHECKING:
        result: Node


# --- what classes are called ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Copy(Operation):
    """`target` takes all that `source` holds."""

    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class External(Operation):
    """`target` is a name from outside the file: `numpy.where`."""

    target: Node
    dotted: str


@dataclass(frozen=True, slots=True)
class Import(Operation):
    """`target` is what an import binds, which the link step finds in the project; `name` is None for a module."""

    target: Node
    module: str
    name: str | None
    level: int


@dataclass(frozen=True, slots=True)
class Fixture(Operation):
    """`target` is the pytest fixture of a name that the file imports, or in the nearest `conftest.py` that has one."""

    target: Node
    name: str


@dataclass(frozen=True, slots=True)
class BindClass(Operation):
    """`target` is a class of this file."""

    target: Node
    index: int


@dataclass(frozen=True, slots=True)
class Attribute(Reaction):
    """`target = source.name`."""

    source: Node
    name: str
    target: Node


@dataclass(frozen=True, slots=True)
class Annotated(Reaction):
    """`target` is annotated with the class `kind`: an instance of it, or (`type[kind]`) the class itself."""

    kind: Node
    target: Node
    instance: bool = True
    #: It is where a value is assigned, which is then no instance of a class beside that one.
    chosen: bool = False
    #: The annotation names no other class beside it: `Env | VectorEnv` does.
    alone: bool = True


@dataclass(frozen=True, slots=True)
class Narrow(Reaction):
    """`target` is `source` where `isinstance(source, kind)`; or where not, unless `holds`."""

    kind: Node
    source: Node
    target: Node
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Unset(Operation):
    """`target` is `source` where it is false: whatever cause a flag stands for, it is none of them there."""

    source: Node
    target: Node


# --- values ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Values(Operation):
    """`target` takes the flags and objects that `source` holds."""

    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Elements(Operation):
    """`target` is one of the flags in `source`: `flags.any()`."""

    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Scaled(Operation):
    """`target` is one of the values in `source`, or another number for each: `q.max(1)`, `q.div_(2)`.

    They are masked together or not; of a flag it is none that is known.
    """

    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class BindFunction(Operation):
    """`target` is a function of this file."""

    target: Node
    index: int


@dataclass(frozen=True, slots=True)
class BindInstance(Operation):
    """`target` is an instance of a class of this file: its `self`."""

    target: Node
    index: int


@dataclass(frozen=True, slots=True)
class Super(Operation):
    """`target` is `super()` in a class of this file, of the instance `own`."""

    target: Node
    index: int
    own: Node


@dataclass(frozen=True, slots=True)
class Text(Operation):
    """`target` is a string constant."""

    target: Node
    value: str


@dataclass(frozen=True, slots=True)
class Template(Operation):
    """`target` is text that may be an environment id, with `*` for what is put in: `f"Reach{suffix}-v1"`."""

    target: Node
    value: str


@dataclass(frozen=True, slots=True)
class Limit(Operation):
    """`target` is true where the loop's own step counter reaches its bound."""

    target: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Count(Operation):
    """`target` is true where a count of the class's has reached its bound, or (`reached` is false) has not yet."""

    target: Node
    name: str
    owner: int
    at: Span
    reached: bool


@dataclass(frozen=True, slots=True)
class Decides(Operation):
    """`target` is a truth that stands where the test is true (`holds`), or where it is not."""

    test: Node
    target: Node
    holds: bool


@dataclass(frozen=True, slots=True)
class Allocate(Operation):
    """`target` is a new tuple, list or dict; `keys` are those of a dict, `stars` positions of starred elements.

    A key is None where a mapping is spread: `{**mapping}`.
    """

    target: Node
    kind: str
    elements: tuple[Placed, ...]
    keys: tuple[Key | None, ...] = ()
    stars: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LibraryCall(Operation):
    """`result = called(*args, **keywords)`, where `called` is certainly from outside the project."""

    called: Node
    args: tuple[Placed, ...]
    stars: tuple[int, ...]
    keywords: tuple[Keyword, ...]
    result: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Remap(Operation):
    """`target` is a dict or list with the keys of `source`, its values passed through something."""

    source: Node
    target: Node
    kind: str


@dataclass(frozen=True, slots=True)
class MadeByKey(Reaction):
    """The mapping `owner` has a container of its own under each key, like `element`: `{k: [] for k in keys}`."""

    owner: Node
    element: Node
    at: Span


@dataclass(frozen=True, slots=True)
class AppendByKey(Reaction):
    """`for key, value in mapping.items(): owner[key].append(value)`."""

    owner: Node
    mapping: Node
    value: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Rebuilt(Reaction):
    """`target` has one `element` for each element of a source: `[zeros if d else x for x, d in zip(a, b)]`."""

    sources: tuple[Node, ...]
    element: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Masked(Operation):
    """`target` is `source` after `source[index] = 0`."""

    source: Node
    index: Node
    target: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Filled(Operation):
    """`target` is `source`, an array of zeros, after `source[index] = value`."""

    source: Node
    index: Node
    value: Node
    target: Node
    at: Span


# --- reactions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetAttribute(Reaction):
    """`owner.name = value`."""

    owner: Node
    name: str
    value: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Item(Reaction):
    """`target = source[keys]`."""

    source: Node
    keys: tuple[Key, ...]
    target: Node


@dataclass(frozen=True, slots=True)
class SetItem(Reaction):
    """`owner[keys] = value`."""

    owner: Node
    keys: tuple[Key, ...]
    value: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Update(Reaction):
    """`owner` has what `source` has at each key."""

    owner: Node
    source: Node


@dataclass(frozen=True, slots=True)
class Unpack(Reaction):
    """`targets = source`, of `arity` targets; `star` is the position of a starred one, or negative."""

    source: Node
    arity: int
    star: int
    targets: tuple[Node, ...]
    at: Span
    #: Four values of what the program also takes as five, so that on Gymnasium these are never taken.
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class Iterate(Reaction):
    """`for target in source`."""

    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Call(Reaction):
    """`result = called(*args, **keywords)`."""

    called: Node
    args: tuple[Placed, ...]
    stars: tuple[int, ...]
    keywords: tuple[Keyword, ...]
    result: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Enter(Reaction):
    """`with source as target`."""

    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Begins(Reaction):
    """The text of `target` begins with that of `source`, and goes on with `rest`, with `*` for what is not known."""

    source: Node
    target: Node
    rest: str


@dataclass(frozen=True, slots=True)
class Spread(Reaction):
    """`*source` in a call or a display, where `target` stands for it: what a step returned is a row of its values."""

    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Fallback(Reaction):
    """`target = source or default`, of one of the two: objects go through as they are."""

    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class NoneWhere(Reaction):
    """`target` is None where the test is true (`holds`), or where it is not."""

    test: Node
    target: Node
    holds: bool
    at: Span


@dataclass(frozen=True, slots=True)
class IsNone(Reaction):
    """`target` is true where `source` is None (`holds`), or where it is not."""

    source: Node
    target: Node
    holds: bool


@dataclass(frozen=True, slots=True)
class IsLast(Reaction):
    """`target` is true where `source`, the type of a dm_env step, is LAST."""

    source: Node
    target: Node
    at: Span


# --- combinations ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Not(Combination):
    """`not source`, `~source`, `1 - source`."""

    source: Node
    result: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Or(Combination):
    """A union: `or`, `|`, `logical_or`, `maximum`, `+`."""

    inputs: tuple[Node, ...]
    result: Node
    at: Span


@dataclass(frozen=True, slots=True)
class And(Combination):
    """An intersection: `and`, `&`, `logical_and`."""

    inputs: tuple[Node, ...]
    result: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Stands(Combination):
    """`result` is the word `True`, given to a call where tests are true (`holds`), or where they are not."""

    tests: tuple[Node, ...]
    holds: tuple[bool, ...]
    result: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Times(Combination):
    """One of the survey's `products`."""

    index: int
    result: Node


@dataclass(frozen=True, slots=True)
class Choice(Combination):
    """`result = a if test else b`; what `a` and `b` are as constants.

    `joins`: one of them is the word `True` or `False`, and the test says no more than the flags in it.
    """

    test: Node
    a: Node
    a_constant: Constant
    b: Node
    b_constant: Constant
    result: Node
    at: Span
    joins: bool = False


@dataclass(frozen=True, slots=True)
class Sum(Combination):
    """`result = a + ...`: it carries no flag unless all inputs do."""

    inputs: tuple[Node, ...]
    result: Node


@dataclass(frozen=True, slots=True)
class Rounded(Reaction):
    """`result = a // b`, `a % b`: of a reward it is a reward, of a flag or a product it is neither."""

    source: Node
    result: Node


@dataclass(frozen=True, slots=True)
class Longer(Combination):
    """`result = a + [...]`."""

    inputs: tuple[Node, ...]
    result: Node


def given(call: Call | LibraryCall) -> list[Node]:
    """The nodes of all arguments of a call."""
    nodes = [one.node for one in call.args] + [one.node for one in call.keywords]
    return [node for node in nodes if node]

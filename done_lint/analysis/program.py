"""The surveyed program behind the nodes: which file, function and operation a node belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from done_lint.analysis.solver import Solver
from done_lint.analysis.values import Place, Site
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Operation
from done_lint.flowgraph.schema import Class, Function, Survey


class ClassId(NamedTuple):
    """A class of the project, by its number in its file."""

    path: str
    number: int


class FunctionId(NamedTuple):
    """A function of the project, by its number in its file; a negative one stands for the file's own rows."""

    path: str
    number: int


class Local(NamedTuple):
    """A node as its file's survey numbers it."""

    path: str
    node: int


class Program:
    """The surveys, and the first node of each."""

    def __init__(self, solver: Solver, surveys: dict[str, Survey], dotted: dict[str, str]) -> None:
        """Room in the solver for the nodes of these surveys; `dotted` names the module that each path is."""
        self.surveys = surveys
        self.dotted = dotted
        self.bases = {path: solver.add_nodes(survey.size) for path, survey in surveys.items()}
        self._paths, self._starts = list(self.bases), list(self.bases.values())
        #: By file, operations by the node of what they give (see `_maker`).
        self._makers: dict[str, dict[int, Operation]] = {}
        #: By file, the names of methods by the node of their first parameter.
        self._selves: dict[str, dict[int, str]] = {}

    @cached_property
    def items(self) -> dict[int, list[int]]:
        """The nodes of the items that are read of a node: an item of flags has them without an edge."""
        found: dict[int, list[int]] = {}
        for path, survey in self.surveys.items():
            base = self.bases[path]
            for one in survey.waits(ops.Item):
                found.setdefault(base + one.source, []).append(base + one.target)
        return found

    @cached_property
    def wholes(self) -> dict[int, list[int]]:
        """The nodes that items are read of, by the items."""
        found: dict[int, list[int]] = {}
        for whole, items in self.items.items():
            for item in items:
                found.setdefault(item, []).append(whole)
        return found

    def home(self, node: int) -> FunctionId | None:
        """The function that a call or a use of its value stands in."""
        owner = self.owner(node)
        if owner is None:
            return None
        return FunctionId(owner.path, self.surveys[owner.path].homes.get(owner.node, -2))

    def method_with(self, own: int) -> str:
        """The name of the method whose `self` a node is; empty for other nodes."""
        owner = self.owner(own)
        if owner is None:
            return ""
        if owner.path not in self._selves:
            methods = (one for one in self.surveys[owner.path].functions if one.owner >= 0 and one.params)
            self._selves[owner.path] = {one.params[0][1]: one.name for one in methods}
        return self._selves[owner.path].get(owner.node, "")

    def is_guarded(self, node: int) -> bool:
        """Whether a node was made behind a test of length or version."""
        home = self.home(node)
        if home is None:
            return False
        survey = self.surveys[home.path]
        return node - self.bases[home.path] in survey.tested or (home.number >= 0 and home.number in survey.testing)

    def owner(self, node: int) -> Local | None:
        """The file that a node belongs to, and its number there."""
        at = bisect_right(self._starts, node) - 1
        if at < 0:
            return None
        path, local = self._paths[at], node - self._starts[at]
        return Local(path, local) if local < self.surveys[path].size else None

    def origin_site(self, node: int) -> Site:
        """The place of the call that the result of a step or reset came from."""
        place, _ = self.call_at(node) or (None, 0)
        return place

    def attribute_at(self, node: int) -> tuple[int, str] | None:
        """Of `x.name`: the node of `x`, and the name; None: the node was made by something else."""
        _, base, op = self._maker(node)
        return (base + op.source, op.name) if isinstance(op, ops.Attribute) else None

    def call_at(self, node: int) -> tuple[Place, int] | None:
        """Of a call, by the node of what it gives: its place, and the node of what is called."""
        path, base, op = self._maker(node)
        return (Place(path, op.at), base + op.called) if isinstance(op, (ops.Call, ops.LibraryCall)) else None

    def given_at(self, node: int) -> list[int]:
        """Of a call, by the node of what it gives: the nodes of its arguments."""
        _, base, op = self._maker(node)
        if not isinstance(op, (ops.Call, ops.LibraryCall)):
            return []
        return [base + one for one in (*(one.node for one in op.args), *(one.node for one in op.keywords)) if one]

    def arguments_at(self, node: int) -> dict[int | str, int]:
        """Of a call, by the node of what it gives: the nodes of its arguments, by place or name; none if some hide."""
        _, base, op = self._maker(node)
        if not isinstance(op, (ops.Call, ops.LibraryCall)) or op.stars:
            return {}
        named: dict[int | str, int] = {one.name: base + one.node for one in op.keywords if one.name is not None}
        if len(named) < len(op.keywords):
            return {}
        return named | {place: base + one.node for place, one in enumerate(op.args)}

    def names_arguments(self, node: int, *names: str) -> bool:
        """Whether the call that gave the value of a node has one of these keywords."""
        _, _, op = self._maker(node)
        return isinstance(op, (ops.Call, ops.LibraryCall)) and any(one.name in names for one in op.keywords)

    def negation_at(self, node: int) -> tuple[int, Site] | None:
        """Of `not x` and what is like it: the node of `x`, and the place."""
        path, base, op = self._maker(node)
        if isinstance(op, ops.Not):
            return base + op.source, Place(path, op.at)
        if isinstance(op, ops.Choice) and (op.a_constant, op.b_constant) == ("zero", "one"):
            return base + op.test, Place(path, op.at)
        return None

    def operands(self, node: int) -> list[int]:
        """The nodes that a combination or a choice combines."""
        path, base, op = self._maker(node)
        inputs: tuple[int, ...] = ()
        if isinstance(op, (ops.Or, ops.And, ops.Sum, ops.Longer)):
            inputs = op.inputs
        elif isinstance(op, ops.Times):
            inputs = tuple(factor.node for factor in self.surveys[path].products[op.index].factors)
        elif isinstance(op, ops.Choice):
            constant = op.a_constant and op.b_constant
            inputs = (op.test,) if constant else (0 if op.a_constant else op.a, 0 if op.b_constant else op.b)
        return [base + one for one in inputs if one]

    def calls(self) -> Iterator[tuple[int, Place, int]]:
        """Calls of what may be the project's own: the node of the result, the place, the node of what is called."""
        for path, survey in self.surveys.items():
            base = self.bases[path]
            for op in survey.waits(ops.Call):
                yield base + op.result, Place(path, op.at), base + op.called

    def _maker(self, node: int) -> tuple[str, int, Operation | None]:
        """The file that a node belongs to, its first node, and the operation that the node is the result of."""
        owner = self.owner(node)
        if owner is None:
            return "", 0, None
        path, local = owner
        if path not in self._makers:
            survey = self.surveys[path]
            made = self._makers[path] = {}
            done: tuple[Sequence[Operation], ...] = (
                survey.operations,
                *survey.naming.values(),
                *survey.waiting.values(),
            )
            for operations in done:
                for op in operations:
                    if isinstance(op, (ops.Call, ops.LibraryCall, ops.Combination)):
                        made[op.result] = op
                    elif isinstance(op, ops.Attribute):
                        made[op.target] = op
        return path, self.bases[path], self._makers[path].get(local)

    def function_at(self, function: FunctionId) -> Function:
        """A function of the project."""
        return self.surveys[function.path].functions[function.number]

    def class_at(self, path: str, index: int) -> Class:
        """A class of the project."""
        return self.surveys[path].classes[index]

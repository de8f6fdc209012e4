"""Which vector environments are made of one environment, in whatever file that is written."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import ClassRef, Environment, FunctionRef, Instance, Made, Site
from done_lint.core.findings import Related, Span
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.vector_sizes import LOADING, OF_FUNCTIONS, WRAPPERS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.flowgraph.schema import Function, Survey


class SingleVectors:
    """Looks at what is given to the calls that make vector environments."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._analysis = analysis

    def is_single(self, node: int, around: frozenset[int] = frozenset()) -> bool:
        """Whether the call at a node makes `DummyVecEnv([make])`, or a wrapper around one."""
        envs = self._analysis.envs
        made, given = envs.makes.get(node), envs.functions.get(node, 0)
        if made is None or not given:
            return False
        name = made.function.removesuffix(LOADING).rpartition(".")[2]
        if name in OF_FUNCTIONS:
            return given in self._lists_of_one
        if name not in WRAPPERS:
            return False
        inside = self._analysis.solver.values(given, Environment)
        owners = [ClassId(one.path, one.index) for one in self._analysis.solver.values(given, Instance)]
        deeper = around | {node}
        return (
            bool(inside or owners)
            and all(one.node not in deeper and self.is_single(one.node, deeper) for one in inside)
            and all(self._base_of(one) in self.subclassed for one in owners)
        )

    @cached_property
    def subclassed(self) -> dict[int, Made]:
        """By the node of their base, the classes of the project whose every call makes a vector environment of one."""
        found: dict[int, Made] = {}
        for owner, given in self._given_to_classes.items():
            dotted, site = self._of_functions(owner)
            if site is not None and self._lists_of_one.issuperset(given):
                name = self._analysis.program.class_at(*owner).name
                found[self._base_of(owner)] = Made(Related(*site, ""), dotted, subclass=name, single=True)
        return found

    def _of_functions(self, owner: ClassId) -> tuple[str, Site]:
        """The library's base of a class that is made of a list of functions as that is, and its place."""
        classes = self._analysis.classes
        above = (one for one in classes.lineage(*owner) if isinstance(one, str))
        base = next((one for one in above if one.rpartition(".")[2] in OF_FUNCTIONS), "")
        own = classes.method_of(*owner, "__init__") is not None
        return base, None if own or not base else classes.base_site(*owner, base)

    def _base_of(self, owner: ClassId) -> int:
        """The node that stands for what a class is by its base (see `transfer.classes.by_class`)."""
        program = self._analysis.program
        return program.bases[owner.path] + next(iter(program.class_at(*owner).bases), 0)

    @cached_property
    def _given_to_classes(self) -> dict[ClassId, list[int]]:
        """What the calls of each class of the project are given first; 0: something else than one argument."""
        found: dict[ClassId, list[int]] = {}
        for path, survey in self._analysis.program.surveys.items():
            base = self._analysis.program.bases[path]
            for call in survey.waits(ops.Call):
                alone = len(call.args) == 1 and not call.stars
                for one in self._analysis.solver.values(base + call.called, ClassRef):
                    owner = ClassId(one.path, one.index)
                    found.setdefault(owner, []).append(base + call.args[0].node if alone else 0)
        return found

    def left_alone(self, survey: Survey) -> frozenset[Span]:
        """The calls of a file to functions that make one environment by default, and get no other number."""
        if not self._makers:
            return frozenset()
        base = self._analysis.program.bases[survey.path]
        return frozenset(call.at for call in survey.waits(ops.Call) if self._leaves_alone(base, call))

    def _leaves_alone(self, base: int, call: ops.Call) -> bool:
        solver = self._analysis.solver
        called = [FunctionId(one.path, one.index) for one in solver.values(base + call.called, FunctionRef)]
        if not called or len(called) < len(solver.held[base + call.called]) or not self._makers.issuperset(called):
            return False
        given = {keyword.name for keyword in call.keywords}
        functions = map(self._analysis.program.function_at, called)
        return not call.stars and None not in given and not any(_is_given_number(one, call, given) for one in functions)

    @cached_property
    def _makers(self) -> frozenset[FunctionId]:
        """The functions that take the number of environments, and make one by default."""
        return frozenset(
            FunctionId(path, index)
            for path, survey in self._analysis.program.surveys.items()
            for index, function in enumerate(survey.functions)
            if function.one_env and function.owner < 0
        )

    @cached_property
    def _lists_of_one(self) -> frozenset[int]:
        """The nodes of the lists and tuples that are given to such calls, and are written or made with one element."""
        program, given = self._analysis.program, set(self._analysis.envs.functions.values())
        given.update(node for nodes in self._given_to_classes.values() for node in nodes)
        paths = {place.path for node in given if (place := program.owner(node)) is not None}
        return frozenset(
            program.bases[path] + one.target
            for path in paths
            for one in program.surveys[path].operations
            if isinstance(one, ops.Allocate) and len(one.elements) == 1 and not one.keys and not one.stars
            if one.kind in ("list", "tuple") or one.target in program.surveys[path].made_once
            if program.bases[path] + one.target in given
        )


def _is_given_number(function: Function, call: ops.Call, given: Set[str | None]) -> bool:
    """Whether a call gives the number of environments, by its name or by position."""
    names = [name for name, _ in function.params[: function.positional]]
    return function.one_env in given or function.one_env in names[: len(call.args)]

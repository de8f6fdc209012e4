"""What every transfer function is given: the parts of the analysis, and what a value does by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from done_lint.analysis.calls import Call
from done_lint.analysis.class_fields import ClassFields
from done_lint.analysis.class_hierarchy import ClassHierarchy
from done_lint.analysis.env_evidence import EnvEvidence
from done_lint.analysis.flag_evidence import FlagEvidence
from done_lint.analysis.import_graph import ImportGraph
from done_lint.analysis.kept_code import KeptCode
from done_lint.analysis.module_files import ModuleFiles
from done_lint.analysis.objects import Arrays, Objects
from done_lint.analysis.program import Program
from done_lint.analysis.solver import ALL, Solver
from done_lint.analysis.values import Environment, Value
from done_lint.core.findings import Certainty
from done_lint.flowgraph.keys import Key
from done_lint.knowledge.env_apis import Api

#: `target = source.name`, for one value of the source: its number, the name, the nodes of target and source.
AttributeRule = Callable[["Analysis", int, str, int, int], None]
#: A call, for one value of what is called.
CallRule = Callable[["Analysis", int, Call], None]
#: `target = source[keys]`, for one value of the source: its number, the keys, the nodes of target and source.
ItemRule = Callable[["Analysis", int, tuple[Key, ...], int, int], None]


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What attributes, calls and items of a value give, by its kind; of other kinds they give nothing."""

    attributes: Mapping[type[Value], AttributeRule]
    calls: Mapping[type[Value], CallRule]
    items: Mapping[type[Value], ItemRule]


@dataclass(eq=False)
class Analysis:
    """The parts of the analysis of files that imports connect."""

    dispatch: Dispatch
    solver: Solver
    objects: Objects
    arrays: Arrays
    program: Program
    classes: ClassHierarchy
    fields: ClassFields
    imports: ImportGraph
    #: The user's own table.
    user_apis: dict[str, Api]
    #: What is there for old Gym on purpose.
    kept: KeptCode
    #: Packages that are on Gymnasium, as the user says.
    moved: frozenset[str] = frozenset()
    envs: EnvEvidence = field(default_factory=EnvEvidence)
    flags: FlagEvidence = field(default_factory=FlagEvidence)
    #: Until the bases of classes are known: what waits for that. None: they are.
    unclassed: list[Callable[[], object]] | None = field(default_factory=list)
    #: Calls of `functools.partial`, by the node of what they make.
    partials: dict[int, Call] = field(default_factory=dict)
    #: By the `*args` of a function, what each of its calls hands in there; None: a call has a star as well.
    rests: dict[int, dict[int, list[int] | None]] = field(default_factory=dict)
    #: By a call that hands such a star on, the first parameter of each function that it is seen to call.
    spread: dict[int, set[int]] = field(default_factory=dict)
    #: What calls of names from outside give, where it does not depend on the arguments (see `environments`).
    constant_results: dict[int, int | None] = field(default_factory=dict)

    @property
    def modules(self) -> ModuleFiles:
        """Which file an import means."""
        return self.imports.modules

    def attribute(self, number: int, name: str, target: int, source: int) -> None:
        """`source.name` for one value of the source."""
        if (rule := self.dispatch.attributes.get(type(self.solver.interned[number]))) is not None:
            rule(self, number, name, target, source)

    def call(self, number: int, call: Call) -> None:
        """A call, for one value of what is called."""
        if (rule := self.dispatch.calls.get(type(self.solver.interned[number]))) is not None:
            rule(self, number, call)

    def load_item(self, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
        """`source[keys]` for one value of the source."""
        if (rule := self.dispatch.items.get(type(self.solver.interned[number]))) is not None:
            rule(self, number, keys, target, source)

    def environment(
        self, api: Api, unlimited: bool, certainty: Certainty, node: int, layers: tuple[str, ...] = ()
    ) -> int:
        """The number of an environment that was made at `node`; `layers` as in `facts.Env`."""
        return self.solver.intern(Environment(api, unlimited, certainty, node, layers))

    def put(self, node: int, value: Value) -> int:
        """Put a value into a node; the result is its number."""
        number = self.solver.intern(value)
        self.solver.add(node, number)
        return number

    def once_classed(self, do: Callable[[], object]) -> None:
        """Do something that depends on what classes inherit: at once, or when that is known."""
        if self.unclassed is None:
            do()
        else:
            self.unclassed.append(do)

    def load_fields(self, owner: int, target: int) -> None:
        """Whatever an object holds, or will hold, flows to `target`."""
        self.objects.each_field(owner, lambda _, field: self.solver.edge(field, target, ALL, "load"))

    def inputs(self, node: int) -> list[int]:
        """The nodes that lead to a node: what flows there, or would if it held anything."""
        if before := self.solver.predecessors[node]:
            return [pred.source for pred in before]
        return self.program.operands(node)

    def freeze(self) -> None:
        """Refuse every change from now on: what is solved is only read."""
        for part in (self.solver, self.objects, self.arrays):
            part.freeze()

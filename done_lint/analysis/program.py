"""The surveyed program behind the nodes: whose a node is, what a class inherits, which method a name means."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from done_lint.analysis.solver import Solver
from done_lint.analysis.values import ChoiceMark, ClassRef, External, Made, MaskedMark, Module, Passage, Place, Site
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Constant, Keyword, Operation, Placed
from done_lint.flowgraph.schema import Class, Function, Survey
from done_lint.knowledge import env_api_lookup, env_apis
from done_lint.knowledge.env_apis import Api


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


#: A class of the project, or the dotted name of one from outside.
Ancestor = ClassId | str


class Birth(NamedTuple):
    """Where a flag comes from, and its name there."""

    place: Site
    word: str


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


class Combined(NamedTuple):
    """The inputs of a union or an intersection, and its place."""

    inputs: list[int]
    place: Site


class ProductNodes(NamedTuple):
    """The nodes of a product and of its factors."""

    node: int
    factors: list[int]


class Condition(NamedTuple):
    """The nodes of a choice, and what its sides are as constants."""

    test: int
    a: int
    a_constant: Constant
    b: int
    b_constant: Constant
    result: int


class Ending(NamedTuple):
    """Where a *terminated* is born beside which the environment can also truncate."""

    step: Site
    #: It steps several environments, which reset themselves.
    vector: bool


class Program(Solver):
    """A solver that knows which file, function and class a node belongs to."""

    def __init__(self, surveys: dict[str, Survey], dotted: dict[str, str], apis: Mapping[str, str]) -> None:
        """A solver of these surveys; `dotted` names the module that each path is, `apis` the user's own table."""
        super().__init__()
        self.user_apis = {name: env_apis.APIS[api] for name, api in apis.items() if api in env_apis.APIS}
        self.surveys = surveys
        self.dotted = dotted
        self.bases = {path: self.add_nodes(survey.size) for path, survey in surveys.items()}
        self._starts = sorted((base, path) for path, base in self.bases.items())
        #: What classes inherit, and whose API they have so, as far as their bases are known by now.
        self._lineages: dict[tuple[str, int], list[Ancestor]] = {}
        self._class_apis: dict[tuple[str, int], tuple[Api | None, str]] = {}
        #: Until the bases of classes are known: their attributes that are asked for.
        self.unread: list[tuple[int, str, int, int]] | None = []
        #: And the methods and attributes that their instances have.
        self._methods: dict[tuple[str, int, str, bool], FunctionId | None] = {}
        #: Names of attributes that anything sets; a wrapper's base sets `env`.
        self.set_names = {"env"}.union(*(survey.attributes for survey in surveys.values()))
        self._fields_of: dict[tuple[str, int, str], list[int]] = {}
        for path, survey in surveys.items():
            self.ancestors.update(self.bases[path] + node for made in survey.classes for node in made.bases)
        #: By file, operations by the node of what they give (see `_maker`).
        self._makers: dict[str, dict[int, Operation]] = {}
        #: Where reset results are taken apart.
        self.taken: dict[int, list[Use]] = {}
        self.births: dict[int, Birth] = {}
        #: Of these, the ends of episodes that a time limit can end too.
        self.endings: dict[int, Ending] = {}
        #: And where the last step of a dm_env episode is told from the others.
        self.lasts: set[int] = set()
        #: Where the reward of a step is taken out of its result.
        self.rewards: set[int] = set()
        #: Combinations that are connected with their inputs.
        self.connected: set[int] = set()
        self.combinations: dict[int, Combined] = {}
        self.products: dict[tuple[str, int], ProductNodes] = {}
        self.conditions: dict[ChoiceMark, Condition] = {}
        self.masked: dict[MaskedMark, int] = {}
        #: Those that fill an array of zeros.
        self.filled: set[MaskedMark] = set()
        #: What calls of names from outside give, where it does not depend on the arguments (see `library_calls`).
        self._heeded: dict[int, int | None] = {}
        #: Arguments that are an environment's id.
        self.id_arguments: list[IdArgument] = []
        #: Where strings that may be ids stand, by node.
        self.texts: dict[int, Site] = {}
        #: Why environments are known, by the node they were made at.
        self.evidence: dict[int, Evidence] = {}
        #: The calls that made them.
        self.makes: dict[int, Made] = {}
        #: The packages that may have made them, where their API is only guessed.
        self.makers: dict[int, str] = {}
        #: By file, a package that it needs, and whose environments are made for Gym.
        self.needed: dict[str, str] = {}
        #: The same of files that make environments: what keeps them with Gym; empty where all can move.
        self.old_packages: dict[str, str] = {}
        #: Calls of `functools.partial`, by the node of what they make.
        self.partials: dict[int, Call] = {}
        #: The other end of a pipe.
        self.peers: dict[int, int] = {}
        #: Tests of whether something is None that a flag decides, and what is asked about.
        self.absences: dict[int, int] = {}
        #: How many elements a literal tuple has.
        self.widths: dict[int, int] = {}
        #: How many elements a row has where it is made; a list may grow.
        self.lengths: dict[int, int] = {}
        #: The rows that a longer one is made of.
        self.shorter: dict[int, set[int]] = {}
        #: `self.env` of a wrapper: the node, and the environment that its base class promises.
        self.insides: list[tuple[int, int]] = []
        #: Reads of `self.np_random`: the node, the class, and the environment that its base class promises.
        self.inherited_generators: list[tuple[int, str, int, int]] = []
        #: Instances that answer as an environment of the library, by their tokens, and that environment.
        self.inherited: dict[int, int] = {}
        #: Wrapper calls: inner node, result, the API that holds when nothing is known of the inside.
        self.wrapped: list[tuple[int, int, Api]] = []

    def resolve_import(self, path: str, module: str, name: str | None, level: int) -> External | Module | int:
        """What an import binds: a name from outside, a file, or the node of a name of one."""
        raise NotImplementedError

    def home(self, node: int) -> FunctionId | None:
        """The function that a call or a use of its value stands in."""
        owner = self.owner(node)
        if owner is None:
            return None
        return FunctionId(owner.path, self.surveys[owner.path].homes.get(owner.node, -2))

    def is_guarded(self, node: int) -> bool:
        """Whether a node was made behind a test of length or version."""
        home = self.home(node)
        if home is None:
            return False
        survey = self.surveys[home.path]
        return node - self.bases[home.path] in survey.tested or (home.number >= 0 and home.number in survey.testing)

    def owner(self, node: int) -> Local | None:
        """The file that a node belongs to, and its number there."""
        at = bisect_right(self._starts, (node, "\U0010ffff")) - 1
        if at < 0:
            return None
        base, path = self._starts[at]
        return Local(path, node - base) if node - base < self.surveys[path].size else None

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

    def negation_at(self, node: int) -> tuple[int, Site] | None:
        """Of `not x` and what is like it: the node of `x`, and the place."""
        path, base, op = self._maker(node)
        if isinstance(op, ops.Not):
            return base + op.source, Place(path, op.at)
        if isinstance(op, ops.Choice) and (op.a_constant, op.b_constant) == ("zero", "one"):
            return base + op.test, Place(path, op.at)
        return None

    def inputs(self, node: int) -> list[int]:
        """What a node is made of: what flows there, or would if it held anything."""
        if before := self.predecessors[node]:
            return [source for source, _, _ in before]
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

    def lineage(self, path: str, index: int) -> list[Ancestor]:
        """The class, its bases and theirs: `(path, index)` in the project, dotted names outside it."""
        found = self._lineages.get((path, index))
        if found is None:
            found = self._lineages[path, index] = self._lineage(path, index, 0)
        return found

    def inherits(self) -> None:
        self._lineages.clear()
        self._class_apis.clear()
        self._methods.clear()
        self._fields_of.clear()

    def _lineage(self, path: str, index: int, depth: int) -> list[Ancestor]:
        found: list[Ancestor] = [ClassId(path, index)]
        if depth > 8:
            return found
        for node in self.class_at(path, index).bases:
            found.extend(x for x in self._inherited(path, node, depth) if x not in found)
        return found

    def _inherited(self, path: str, base: int, depth: int = 0) -> list[Ancestor]:
        """What a class has from one of its bases, like `lineage`."""
        found: list[Ancestor] = []
        node = self.bases[path] + base
        # of the names of one class, `gym.Env` and `gym.core.Env`, the shortest
        found += sorted(
            (external.dotted for external in self.values(node, External)), key=lambda name: (len(name), name)
        )
        for one in sorted(self.values(node, ClassRef), key=lambda one: (one.path, one.index)):
            found.extend(x for x in self._lineage(one.path, one.index, depth + 1) if x not in found)
        return found

    def api_of_class(self, path: str, index: int) -> tuple[Api | None, str]:
        """The API that a class of the project inherits, and the base that says so."""
        found = self._class_apis.get((path, index))
        if found is None:
            found = self._class_apis[path, index] = self._api_of_class(path, index)
        return found

    def _api_of_class(self, path: str, index: int) -> tuple[Api | None, str]:
        for ancestor in self.lineage(path, index):
            dotted = self._dotted_ancestor(ancestor)
            api = self.user_apis.get(dotted) or env_api_lookup.base(dotted)
            if api is not None:
                return api, dotted
        return None, ""

    def is_wrapper(self, path: str, index: int) -> bool:
        """Whether a class of the project inherits from one that wraps another environment."""
        dotted = map(self._dotted_ancestor, self.lineage(path, index))
        return any("Wrapper" in one.rpartition(".")[2] and env_api_lookup.base(one) is not None for one in dotted)

    def base_site(self, path: str, index: int, dotted: str) -> Site:
        """The place of the base, in the class statement, by which a class inherits from `dotted`."""
        for node in self.class_at(path, index).bases:
            span = self.surveys[path].places.get(node)
            if span is not None and dotted in map(self._dotted_ancestor, self._inherited(path, node)):
                return Place(path, span)
        return None

    def _dotted_ancestor(self, ancestor: Ancestor) -> str:
        return ancestor if isinstance(ancestor, str) else self.dotted_class(*ancestor)

    def dotted_class(self, path: str, index: int) -> str:
        """Import path of a project's class, for projects that are themselves in the tables."""
        return f"{self.dotted.get(path, '')}.{self.class_at(path, index).name}"

    def method_of(self, path: str, index: int, name: str, after: bool = False) -> FunctionId | None:
        """The function that a method name means on instances of a class (`after`: past the class itself)."""
        key = (path, index, name, after)
        if key not in self._methods:
            self._methods[key] = self._method_of(path, index, name, after)
        return self._methods[key]

    def _method_of(self, path: str, index: int, name: str, after: bool) -> FunctionId | None:
        for ancestor in self.lineage(path, index)[after:]:
            if not isinstance(ancestor, str):
                where, which = ancestor
                method = self.class_at(where, which).methods.get(name)
                if method is not None:
                    return FunctionId(where, method)
        return None


class Call:
    """One call: its arguments as nodes with their places, and the node of its result."""

    __slots__ = ("args", "named", "result", "site", "stars", "survey")

    def __init__(
        self,
        survey: Survey,
        args: list[Placed],
        stars: tuple[int, ...],
        named: list[Keyword],
        result: int,
        site: Site,
    ) -> None:
        """Plain data."""
        self.survey, self.args, self.stars, self.named = survey, args, stars, named
        self.result, self.site = result, site

    @property
    def given(self) -> list[int]:
        """The positional arguments that may be anything to a rule."""
        return [one.node for one in self.args if one.node]

    def passage(self, node: int, span: Span | None) -> Passage:
        """How an argument is handed on."""
        return Passage(Place(self.survey.path, span) if span is not None else None, node)

    def keyword(self, name: str) -> int:
        """The node of a keyword argument, or 0."""
        return next((one.node for one in self.named if one.name == name), 0)

    @classmethod
    def read(cls, survey: Survey, base: int, op: ops.Call | ops.LibraryCall) -> Call:
        """A call as a survey has it, whose first node is `base`."""
        placed = [Placed(base + node if node else 0, span) for node, span in op.args]
        named = [Keyword(key, base + node if node else 0, span) for key, node, span in op.keywords]
        return cls(survey, placed, op.stars, named, base + op.result, Place(survey.path, op.at))

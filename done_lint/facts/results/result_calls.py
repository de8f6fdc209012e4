"""The calls that results of steps and resets come from, and what speaks against reading them as the library's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import registrations, values
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import FunctionRef, Place
from done_lint.core.findings import Related, Span
from done_lint.core.reach import reach
from done_lint.facts.environments.environments import Environments
from done_lint.facts.results.called_methods import CalledMethods
from done_lint.facts.results.env_method_results import OwnResults
from done_lint.knowledge.env_id_apis import is_own

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_NOWHERE = Place("", Span(0, 0, 0, 0))
#: How far values are followed back through calls and names.
_WAYS = 50


class ResultCalls:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis, environments: Environments, own: OwnResults) -> None:
        """Read from a solved graph; `own` is what the project's environment classes return themselves."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._classes = analysis.classes
        self._envs = analysis.envs
        self.called = CalledMethods(analysis)
        self.environments = environments
        self.own = own

    def result(self, number: int) -> values.EnvResult:
        """The value of this number, which a step or a reset returned."""
        return self._solver.get(number, values.EnvResult)

    def call(self, number: int) -> int:
        """The node of the call that gave what a step or reset returned."""
        return self.result(number).node

    def origin(self, result: int, message: str) -> Related:
        """The place of that call."""
        return self.environments.provenance.related(self._program.origin_site(self.call(result)), message)

    def nearness(self, result: int, node: int) -> tuple[bool, Place, int]:
        """To order what was stepped or reset: the call at hand first, then by place."""
        origin = self.call(result)
        return origin != node, self._program.origin_site(origin) or _NOWHERE, result

    def made_inside(self, results: list[int], method: str) -> list[FunctionId | None]:
        """The method of each class that a `make` makes by the id of what was asked; None: of the library itself."""
        envs = self._envs_of(results)
        made = [owner for one in sorted(envs) for owner in registrations.entries(self._analysis, one)]
        library = [None] if self.asks_library(results) else []
        return [*(self._classes.method_of(*owner, method) for owner in made), *library]

    def asks_library(self, results: list[int]) -> bool:
        """Whether what a `make` has of the library itself is asked, by an id that is seen."""
        envs = self._envs_of(results)
        return any(is_own(name) for one in envs for name in registrations.made_ids(self._analysis, one))

    def _envs_of(self, results: list[int]) -> set[int]:
        return {self._solver.get(self.result(one).env, values.Environment).node for one in results}

    def may_be_another(self, call: int, results: list[int]) -> bool:
        """Whether a method may be called of something else, too; of what a name alone shows that is the same object."""
        envs = (self._solver.get(self.result(one).env, values.Environment) for one in results)
        return any(one.certainty != "by name" for one in envs) and self.environments.beside.may_answer(call)

    def is_own_api(self, call: int) -> bool:
        """What is called is a method of the project with an API of its own, on purpose."""
        functions = self.called.functions(call)
        return bool(functions) and all(FunctionId(one.path, one.index) in self.own.aside for one in functions)

    def is_adapted(self, node: int, results: list[int]) -> bool:
        """A method of an adapter for old environments uses what only an annotation, anywhere, says to be a new one."""
        home = self._program.home(node) if self._envs.adapters else None
        if home is None or home.number < 0:
            return False
        if ClassId(home.path, self._program.function_at(home).owner) not in self._envs.adapters:
            return False
        return all(self.result(number).env in self._envs.promised for number in results)

    def is_misfit(self, node: int, results: list[int]) -> bool:
        """The file is written for other classes that arrive where these environments do."""
        owner = self._program.owner(node)
        return owner is not None and all((owner.path, self.result(one).env) in self._envs.misfits for one in results)

    def is_replaced_outside(self, results: list[int], name: str) -> bool:
        """The program has put a function of its own in the place of the method: `env.reset = start`.

        Who calls the method by another name, as `first = env.reset` before, gets what the library gives.
        """
        for one in results:
            attribute = self.asked(one)
            env = self._solver.get(self.result(one).env, values.Environment)
            if (env.node, name) in self._envs.replaced and attribute is not None and attribute[1] == name:
                return True
        return False

    def is_asked_of_unknown(self, results: list[int]) -> bool:
        """A page asks what may also be something else, whose class nothing shows."""
        for one in results:
            attribute = self.asked(one)
            env = self._solver.get(self.result(one).env, values.Environment)
            if attribute is None or env.certainty == "by name":
                continue
            if self.environments.beside.is_undefined(attribute[0]):
                return True
        return False

    def asked(self, result: int) -> tuple[int, str] | None:
        """What a method was called of, and its name."""
        made = self._program.call_at(self.call(result))
        return self._program.attribute_at(made[1]) if made is not None else None

    def of_environment(self, function: FunctionRef) -> bool:
        """It is a method of an environment class of the project, whose own results `env_method_results` reads."""
        instance = self.called.instance(function)
        return instance is not None and self.own.classes.of(instance.path, instance.index) is not None

    def handed_on(self, node: int) -> Iterator[int]:
        """The nodes that a node gets its values from as they are, by a name or as an argument."""
        return (edge.source for edge in self._solver.predecessors[node] if edge.way in ("flow", "argument"))

    def before(self, nodes: Iterable[int]) -> Iterator[int]:
        """These nodes, and those that their values come from, through calls and names."""
        return reach(nodes, self.handed_on, bound=_WAYS)

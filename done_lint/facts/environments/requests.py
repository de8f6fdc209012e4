"""What a program does on request alone: what tests ask whose answer comes from outside, and is no by default.

An option of the command line, a parameter, an attribute or an element that is set to one: no constant that arrives
there says yes. Of functions, those that are called behind such tests only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.unused_functions import can_be_unused, used_functions
from done_lint.analysis.values import ClassRef, FunctionRef, Instance, Text
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.kinds.environments import Requested
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: What of the library may stay where it is asked for on request.
_LEFT_ALONE = frozenset({"Monitor"})
#: What is asked and comes by more ways than this may be anything.
_MOST_WAYS = 100


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a function of the project: where it stands, and in which function of that file (-1: in none)."""

    path: str
    at: Span
    home: int


class Requests:
    """Looks at what tests ask, and at calls behind them."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._at = analysis
        self._solver = analysis.solver
        self._program = analysis.program

    def of(self, survey: Survey, names: Iterable[str]) -> Requested:
        """What can be asked in a file, and the functions that run on request alone, where it has one of the names."""
        if not any(name.rpartition(".")[2] in _LEFT_ALONE for name in names):
            return Requested()
        base = self._program.bases[survey.path]
        asked = {span: known for span, node in survey.uses if (known := self._known(base + node)) is not None}
        functions = enumerate(survey.functions)
        rows = {one.row for index, one in functions if self._is_requested(FunctionId(survey.path, index), frozenset())}
        return Requested(asked, frozenset(rows))

    def _known(self, node: int) -> frozenset[str] | None:
        """The constants that what is asked may be by default, as text, empty for False; None: it is worked out here."""
        nodes = list(reach([node], self._defaults, bound=_MOST_WAYS))
        found: set[str] = set()
        for one in nodes:
            if one in self._worked_out:
                return None
            owner = self._program.owner(one)
            if self._solver.predecessors[one] or owner is None:
                continue
            survey = self._program.surveys[owner.path]
            texts = [text.text for text in self._solver.values(one, Text)]
            found.update(texts)
            if owner.node in survey.booleans:
                found.add("True" if survey.booleans[owner.node] else "")
            elif not (texts or owner.node in survey.parameters or self._is_read(one)):
                return None
        return frozenset(found) if len(nodes) < _MOST_WAYS else None

    def _defaults(self, node: int) -> list[int]:
        """What comes to a node; of an option of the command line its default, but not what else it may be."""
        edges = self._solver.predecessors[node]
        return [edge.source for edge in edges if edge.way != "load" or node not in self._options]

    @cached_property
    def _options(self) -> frozenset[int]:
        """What objects have under names."""
        return frozenset(node for (_, key), node in self._at.objects.fields.items() if isinstance(key, TextKey))

    def _is_read(self, node: int) -> bool:
        """Whether a node is an attribute or an element of something: `args.record`, `config["record"]`."""
        owner = self._program.owner(node)
        if self._program.attribute_at(node) is not None or owner is None:
            return owner is not None
        return owner.node in self._elements[owner.path]

    @cached_property
    def _elements(self) -> dict[str, frozenset[int]]:
        """What is read from something by a constant, by file."""
        return {
            path: frozenset(one.target for one in survey.waits(ops.Item))
            for path, survey in self._program.surveys.items()
        }

    def _is_requested(self, function: FunctionId, around: frozenset[FunctionId]) -> bool:
        """Whether all calls of a function stand behind tests of a request, or in such functions; or nobody calls it."""
        calls = self._calls.get(function, ())
        if not calls:
            return function not in self._used and can_be_unused(self._at, *function)
        inner = around | {function}
        return all(self._is_behind(one, inner) for one in calls)

    @cached_property
    def _used(self) -> frozenset[FunctionId]:
        return frozenset(used_functions(self._at))

    def _is_behind(self, call: _Call, around: frozenset[FunctionId]) -> bool:
        if any(call.at.within(side) for side in self._sides[call.path]):
            return True
        home = FunctionId(call.path, call.home)
        return call.home >= 0 and home not in around and self._is_requested(home, around)

    @cached_property
    def _sides(self) -> dict[str, list[Span]]:
        """The sides of tests that a request alone leads to, by file."""
        found: defaultdict[str, list[Span]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            for test, holds, side in survey.sides:
                node = self._program.bases[path] + test
                negated = self._program.negation_at(node)
                known = self._known(node if negated is None else negated[0])
                if known is not None and Requested.is_request(known, holds is (negated is None)):
                    found[path].append(side)
        return found

    @cached_property
    def _worked_out(self) -> frozenset[int]:
        """Parameters that some call gives what the analysis has no node for: `made(episode == 0)`."""
        found: set[int] = set()
        for _, call, called in self._called:
            base = self._program.bases[called.path]
            function = self._program.function_at(FunctionId(called.path, called.index))
            params = function.params[called.bound is not None :]
            names = dict(params)
            found.update(base + node for (_, node), given in zip(params, call.args, strict=False) if not given.node)
            found.update(base + names[name] for name, node, _ in call.keywords if name in names and not node)
        return frozenset(found)

    @cached_property
    def _calls(self) -> dict[FunctionId, list[_Call]]:
        """Where functions of the project are called."""
        found: defaultdict[FunctionId, list[_Call]] = defaultdict(list)
        for path, call, called in self._called:
            home = self._program.surveys[path].homes.get(call.result, -1)
            found[FunctionId(called.path, called.index)].append(_Call(path, call.at, home))
        return found

    @cached_property
    def _called(self) -> list[tuple[str, ops.Call, FunctionRef]]:
        """The calls of functions of the project, by file; of a class its constructor is called."""
        found: list[tuple[str, ops.Call, FunctionRef]] = []
        for path, survey in self._program.surveys.items():
            for call in survey.waits(ops.Call):
                node = self._program.bases[path] + call.called
                found += ((path, call, one) for one in self._solver.values(node, FunctionRef))
                found += (
                    (path, call, one) for made in self._solver.values(node, ClassRef) for one in self._made_by(made)
                )
        return found

    def _made_by(self, made: ClassRef) -> list[FunctionRef]:
        method = self._at.classes.method_of(made.path, made.index, "__init__")
        instance = self._solver.find(Instance(made.path, made.index))
        return [FunctionRef(*method, instance)] if method is not None and instance is not None else []

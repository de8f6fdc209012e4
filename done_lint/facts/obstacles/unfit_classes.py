"""Classes for old Gym that no fix makes fit: by what their `step` returns, by their `reset`, or by their spaces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.replaced_methods import in_place_of
from done_lint.analysis.values import EnvMethod, External, FunctionRef, Info, Object, ResetResult, Shape, Super
from done_lint.core.findings import Span
from done_lint.facts.classes.decorated_resets import replaced_resets
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.classes.other_spaces import other_space
from done_lint.facts.classes.own_apis import is_step
from done_lint.facts.classes.own_attributes import OwnAttributes
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.obstacles.spread_results import spreads_other
from done_lint.facts.results.variable_origins import VariableOrigins
from done_lint.flowgraph.keys import IndexKey
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.env_apis import STEP_WIDTHS
from done_lint.knowledge.wrapper_attributes import REQUIRED_OF_CLASSES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_STEPS = ("step", "_step")
_FOUR, _FIVE = STEP_WIDTHS
_TUPLES = (Shape.TUPLE, Shape.RETURNED)
#: Where a step of four values returns its flag.
_DONE = IndexKey(2)
_RETURNS = "returns a result that cannot be followed"
_EXTRA = "returns four values, or five of which the fourth is the info"
_HANDS_ON = "hands on what the `reset` of something gives that cannot be followed"
_SEVERAL = "returns several values for `done`"
_REPLACED = "is replaced by `{}`, which takes no seed or returns something else than `reset` does"
_LACKS = "has no `{}`, which Gymnasium's `make` asks for"
_SILENT = "returns nothing, where Gymnasium's `make` asks for a pair"
_NO_SPACE = "sets `{}` to what is no space, which Gymnasium's `make` refuses"


class UnfitClasses:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis, classes: EnvClasses, families: Families, attributes: OwnAttributes) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = classes
        self._families = families
        self._attributes = attributes
        self._origins = VariableOrigins(analysis.program)

    def of(self, path: str) -> Iterator[Obstacle]:
        """What is in the way in the classes of a file."""
        yield from self._results(path)
        yield from self._handed_resets(path)
        yield from self._replaced(path)
        yield from self._without_spaces(path)
        yield from self._without_results(path)

    def _results(self, path: str) -> Iterator[Obstacle]:
        """What classes for old Gym return from their own `step`, where nothing shows what it is."""
        for index, made in enumerate(self._program.surveys[path].classes):
            member = ClassId(path, index)
            if self._classes.of(*member) is None or not self._families.imports_gym(member):
                continue
            for name in _STEPS:
                step = FunctionId(path, made.methods[name]) if name in made.methods else None
                for one in (step, *in_place_of(self._solver, self._program, step)) if step is not None else ():
                    for span, which in self._unfollowed(one):
                        yield Obstacle(one.path, span, f"{made.name}.{name}", which, self._families.of(member))

    def _handed_resets(self, path: str) -> Iterator[Obstacle]:
        """`return self.game.reset()` in a class for old Gym, where nothing shows what that is: it may be no pair."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for index, made in enumerate(survey.classes):
            member = ClassId(path, index)
            if self._classes.of(*member) is None or not self._families.imports_gym(member):
                continue
            outcomes = survey.functions[made.methods["reset"]].outcomes if "reset" in made.methods else ()
            for span, local, _ in outcomes:
                if any(self._asks_unknown(base + local, node) for node in self._origins.of(path, local)):
                    yield Obstacle(path, span, f"{made.name}.reset", _HANDS_ON, self._families.of(member))

    def _asks_unknown(self, result: int, node: int) -> bool:
        """Whether a node is what a `reset` gives of something unseen, or of environments and of what is none."""
        call = self._program.call_at(node)
        source, name = (self._program.attribute_at(call[1]) if call is not None else None) or (-1, "")
        if name != "reset" or call is None or self._solver.values(source, Super):
            return False
        functions, asked = self._solver.values(call[1], FunctionRef), self._solver.values(call[1], EnvMethod)
        owners = [(one.path, self._program.function_at(FunctionId(one.path, one.index)).owner) for one in functions]
        plain = [one for one in owners if one[1] < 0 or self._classes.of(*one) is None]
        if plain:
            return bool(asked) or len(plain) < len(owners)
        return not (owners or asked or self._solver.all(result, ResetResult))

    def _unfollowed(self, step: FunctionId) -> Iterator[tuple[Span, str]]:
        """Where a function returns what cannot become five values, and why."""
        base, function = self._program.bases[step.path], self._program.function_at(step)
        fourths = (row[3].node for row in function.returned if len(row) == _FIVE)
        if _FOUR in function.arities and any(self._is_info(step.path, one) for one in fourths):
            yield function.outcomes[0][0], _EXTRA
        for span, local, _ in function.outcomes:
            followed = self._is_followed(base + local) and not spreads_other(self._analysis, step, base + local)
            which = self._unlike_flags(base + local) if followed else _RETURNS
            if which:
                yield span, which

    def _is_followed(self, node: int) -> bool:
        """Whether what a `step` returns is known: a tuple that is written somewhere, or what another step returned."""
        found = [self._solver.get(number, Object) for number in self._solver.all(node, Object)]
        # of so many tuples not all are there, and no rule changes those that are
        if self._solver.is_widened(node) or any(one.shape not in _TUPLES for one in found):
            return False
        return bool(found) or is_step(self._solver, node) or bool(self._solver.all(node, External))

    def _is_info(self, path: str, local: int) -> bool:
        """Whether a value is an info by what it holds, or by its name."""
        held = [self._solver.value(one) for one in self._solver.held[self._program.bases[path] + local]]
        known = any(isinstance(one, Info) or (isinstance(one, Object) and one.shape is Shape.DICT) for one in held)
        return known or naming_conventions.info(self._program.surveys[path].names.get(local, ""))

    def _unlike_flags(self, node: int) -> str:
        """What a `step` returns for `done`, where that is nothing that two flags take the place of; empty: a flag."""
        results = [one for one in self._solver.all(node, Object) if self._objects.widths.get(one) == 4]
        flags = (self._objects.fields.get((one, _DONE)) for one in results)
        held = (one for flag in flags if flag is not None for one in self._solver.values(flag, Object))
        return _SEVERAL if any(one.shape in _TUPLES for one in held) else ""

    def _replaced(self, path: str) -> Iterator[Obstacle]:
        """The `reset` methods of classes for old Gym that a decorator replaces by what has to stay."""
        survey = self._program.surveys[path]
        for member, name in replaced_resets(self._analysis, path):
            if self._classes.of(*member) is not None and self._families.imports_gym(member):
                made = survey.classes[member.number]
                row = survey.functions[made.methods["reset"]].row
                at = Span(row, 0, row, 0)
                yield Obstacle(path, at, f"{made.name}.reset", _REPLACED.format(name), self._families.of(member))

    def _without_spaces(self, path: str) -> Iterator[Obstacle]:
        """The classes for old Gym that `make` gives, and that do not say by spaces what they take and give."""
        for index, made in enumerate(self._program.surveys[path].classes):
            member = ClassId(path, index)
            if member not in self._checked or not self._families.imports_gym(member):
                continue
            names = self._attributes.of_environment(member)
            missing = next((one for one in REQUIRED_OF_CLASSES if names is not None and one not in names), "")
            other = other_space(self._analysis, member) if names is not None else ""
            if missing or other:
                at = Span(made.row, 0, made.row, 0)
                which = _LACKS.format(missing) if missing else _NO_SPACE.format(other)
                yield Obstacle(path, at, made.name, which, self._families.of(member))

    def _without_results(self, path: str) -> Iterator[Obstacle]:
        """The classes for old Gym that `make` gives, whose `reset` returns nothing: its wrappers take a pair apart."""
        survey = self._program.surveys[path]
        for index, made in enumerate(survey.classes):
            member = ClassId(path, index)
            reset = survey.functions[made.methods["reset"]] if "reset" in made.methods else None
            if reset is None or member not in self._checked or not self._families.imports_gym(member):
                continue
            if not (reset.outcomes or reset.abstract or reset.decorated):
                at = Span(made.row, 0, made.row, 0)
                yield Obstacle(path, at, f"{made.name}.reset", _SILENT, self._families.of(member))

    @cached_property
    def _checked(self) -> set[ClassId]:
        """The classes of the project that a `make` in sight gives inside of its checker."""
        return registrations.checked_classes(self._analysis)

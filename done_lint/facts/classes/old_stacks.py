"""Stacks of wrappers that a project keeps on four values by an adapter of its own.

The adapter takes the five values of a step apart and returns four; all that stands above it takes four, and runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.promises import taken_as_five
from done_lint.analysis.values import ClassRef, External, FunctionRef, Instance, Object
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.classes.env_classes import EnvClasses


class OldStacks:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis, classes: EnvClasses) -> None:
        """Read from a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._classes = analysis.classes
        self._env_classes = classes

    @cached_property
    def adapters(self) -> list[ClassId]:
        """The wrappers that take five values apart and return four, and that wrap something."""
        turning = self._classes.turning_steps
        return [one for one in self._wrappers if self._step(one) in turning and self._is_made(one)] if turning else []

    @cached_property
    def above(self) -> frozenset[ClassId]:
        """The wrappers with nothing but an adapter below them, and nothing above them that asks for five values."""
        if not self.adapters:
            return frozenset()
        inside = {one: self._inside(one) for one in self._wrappers}
        allowed = {
            one for one in self._wrappers if self._is_made(one) and inside[one] and self._gives_four(one)
        } - self._asked_for_five()
        before: set[ClassId] = set()
        while before != allowed:
            before = set(allowed)
            # what a class without a place in the stack wraps is asked for five values, if it takes any
            asking = [one for one in self._wrappers if one not in before and one not in self._handing_on]
            around = {within for one in asking for within in inside[one] or ()}
            allowed -= around
            allowed = {one for one in allowed if one in self.adapters or inside[one] <= allowed}
        return frozenset(allowed - set(self.adapters))

    def without_place(self) -> Iterator[ClassId]:
        """The wrappers that return four values and that nothing constructs: they may be for a place in the stack."""
        for one in self._wrappers if self.adapters else ():
            made = self._program.class_at(*one)
            step = self._step(one) if "step" in made.methods else None
            if step is not None and set(self._program.function_at(step).arities) == {4} and not self._is_made(one):
                yield one

    @cached_property
    def _wrappers(self) -> list[ClassId]:
        """The wrapper classes of the program."""
        found = (
            ClassId(path, index) for path, one in self._program.surveys.items() for index in range(len(one.classes))
        )
        return [one for one in found if self._env_classes.of(*one) is not None and self._classes.is_wrapper(*one)]

    def _step(self, owner: ClassId) -> FunctionId | None:
        return self._classes.method_of(*owner, "step")

    def _inside(self, owner: ClassId) -> frozenset[ClassId | None]:
        """The classes of what instances of a wrapper wrap; None for what is no class of the project."""
        held = (self._solver.value(one) for node in self._classes.inside(*owner) for one in self._solver.held[node])
        return frozenset(ClassId(one.path, one.index) if isinstance(one, Instance) else None for one in held)

    def _is_made(self, owner: ClassId) -> bool:
        """Whether a call makes a wrapper of this class, or of one that inherits from it."""
        return any(owner in self._classes.lineage(*one) for one in self._called)

    @cached_property
    def _called(self) -> frozenset[ClassId]:
        """The classes that are called."""
        return frozenset(
            ClassId(made.path, made.index)
            for path, survey in self._program.surveys.items()
            for call in survey.calls()
            for made in self._solver.values(self._program.bases[path] + call.called, ClassRef)
        )

    def _gives_four(self, owner: ClassId) -> bool:
        """Whether the `step` of a wrapper returns four values, or what the inner one does."""
        step = self._step(owner)
        if step is None:
            return self._classes.api_of_class(*owner)[1].rpartition(".")[2] == "Wrapper"
        return set(self._program.function_at(step).arities) == {4} or self._hands_on(step)

    @cached_property
    def _handing_on(self) -> frozenset[ClassId]:
        """The wrappers with such a `step`, which ask for nothing."""
        return frozenset(
            one for one in self._wrappers if (step := self._step(one)) is not None and self._hands_on(step)
        )

    def _hands_on(self, step: FunctionId) -> bool:
        """Whether a `step` returns what the inner one does: `return self.env.step(action)`."""
        survey, outcomes = self._program.surveys[step.path], self._program.function_at(step).outcomes
        stepped = {
            call.result
            for read in survey.telling
            for call in (survey.waiting.get(read.target, ()) if read.name == "step" else ())
            if isinstance(call, ops.Call)
        }
        return bool(outcomes) and all(local in stepped for _, local, _ in outcomes)

    def _asked_for_five(self) -> set[ClassId]:
        """The classes that are registered, that the library gets, or that a caller takes five values from."""
        at = self._analysis
        found = {owner for owners in at.envs.entries.values() for owner in owners} | taken_as_five(at)
        given = [inner for inner, _, _ in at.envs.wrapped]
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for call in survey.calls():
                if any(self._is_library(one) for one in self._solver.values(base + call.called, External)):
                    given += [base + one.node for one in call.args] + [base + one.node for one in call.keywords]
        for node in given:
            found.update(self._instances(node))
        return found

    @staticmethod
    def _is_library(called: External) -> bool:
        """Whether a call is of what may step an environment: nothing that comes with Python does."""
        root, dot, name = called.dotted.partition(".")
        return bool(dot) and root not in sys.stdlib_module_names and not name.endswith(".__init__")

    def _instances(self, node: int) -> Iterator[ClassId]:
        """The classes of the objects in a node, of what functions in it return, and of the elements of a list there."""
        nodes = [node]
        fields = self._analysis.objects.owned
        nodes += [field for one in self._solver.all(node, Object) for _, field in fields.get(one, ())]
        for one in list(nodes):
            for made in self._solver.values(one, FunctionRef):
                function = self._program.function_at(FunctionId(made.path, made.index))
                nodes.append(self._program.bases[made.path] + function.result)
        for one in nodes:
            yield from (ClassId(made.path, made.index) for made in self._solver.values(one, Instance))

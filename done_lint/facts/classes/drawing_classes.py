"""What the classes of the project say about drawing: whether they take a render mode, and what one would change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import Text
from done_lint.knowledge.gymnasium_changes import below_root
from done_lint.knowledge.rendering import MODES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.flowgraph.schema import Function

_MODE = "render_mode"


class DrawingClasses:
    """Reads them from a solved graph."""

    def __init__(self, at: Analysis) -> None:
        """Of all classes of the project."""
        self._classes = at.classes
        self._program = at.program
        self._solver = at.solver

    def drawing(self, entries: Sequence[ClassId]) -> Literal["", "own", "old", "default", "inherited", "withheld"]:
        """What the classes behind an id say (see `Made.drawing`)."""
        if any(self._takes(one, "render", "mode") for one in entries):
            return "old"
        if entries and all(map(self._withholds_mode, entries)):
            return "withheld"
        if not all(self.takes_mode(one) and self._may_ask_mode(one) for one in entries):
            return "inherited" if any(map(self._hides_mode, entries)) else "own"
        return "default" if any(map(self._has_mode, entries)) else ""

    def draws_by_itself(self, owner: ClassId) -> bool:
        """Whether a class has a `render` of its own, and no mode that `make` is given could change what it does."""
        return self._method(owner, "render") is not None and self.drawing([owner]) not in ("", "withheld")

    def takes_mode(self, owner: ClassId) -> bool:
        """Whether the constructor of a class takes a render mode."""
        return self._takes(owner, "__init__", _MODE)

    def _takes(self, owner: ClassId, method: str, name: str) -> bool:
        """Whether a method of a class takes a keyword."""
        found = self._method(owner, method)
        return found is not None and (found.kwarg >= 0 or any(param == name for param, _ in found.params))

    def _may_ask_mode(self, owner: ClassId) -> bool:
        """Whether a mode may change what the `render` of a class does; not if it is empty."""
        render = self._method(owner, "render")
        return render is None or not (render.abstract or render.draws_anyhow)

    def _has_mode(self, owner: ClassId) -> bool:
        """Whether the constructor of a class has a render mode by default."""
        found = self._method(owner, "__init__")
        return found is not None and found.has_mode

    def _hides_mode(self, owner: ClassId) -> bool:
        """Whether a class draws in the mode that a base of the project has by default, and hands on no other one."""
        bases = (one for one in self._classes.lineage(*owner)[1:] if isinstance(one, ClassId))
        return not self.takes_mode(owner) and self._may_ask_mode(owner) and any(map(self._has_mode, bases))

    def _withholds_mode(self, owner: ClassId) -> bool:
        """Whether the library draws for a class, whose constructor neither takes a mode nor hands one on."""
        lineage = self._classes.lineage(*owner)
        begin = self._classes.method_of(owner.path, owner.number, "__init__")
        of_library = any(isinstance(one, str) and below_root(one).startswith("envs.") for one in lineage)
        if begin is None or not of_library or self.takes_mode(owner) or self._method(owner, "render") is not None:
            return False
        own = [self._program.class_at(*one) for one in lineage if isinstance(one, ClassId)]
        if any(not {_MODE, "*"}.isdisjoint((*one.assigned, *one.attrs)) for one in own):
            return False
        return not self._hands_mode_on(begin)

    def _hands_mode_on(self, begin: FunctionId) -> bool:
        """Whether a constructor gives a mode to something that it calls, or arguments that are not seen."""
        survey, base = self._program.surveys[begin.path], self._program.bases[begin.path]
        calls = [one for one in survey.calls() if survey.homes.get(one.result) == begin.number]
        texts = (text for call in calls for one in call.args for text in self._solver.values(base + one.node, Text))
        named = any(one.name == _MODE for call in calls for one in call.keywords)
        return named or any(call.stars for call in calls) or any(text.text in MODES for text in texts)

    def _method(self, owner: ClassId, name: str) -> Function | None:
        """The method of a class, its own or inherited from another class of the project."""
        found = self._classes.method_of(owner.path, owner.number, name)
        return self._program.function_at(found) if found is not None else None

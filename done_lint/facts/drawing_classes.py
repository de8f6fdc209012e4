"""What the classes of the project say about drawing: whether they take a render mode, and what one would change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from done_lint.analysis.program import ClassId

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

    def drawing(self, entries: Sequence[ClassId]) -> Literal["", "own", "old", "default", "inherited"]:
        """What the classes behind an id say (see `Made.drawing`)."""
        if any(self._takes(one, "render", "mode") for one in entries):
            return "old"
        if not all(self.takes_mode(one) and self._may_ask_mode(one) for one in entries):
            return "inherited" if any(map(self._hides_mode, entries)) else "own"
        return "default" if any(map(self._has_mode, entries)) else ""

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

    def _method(self, owner: ClassId, name: str) -> Function | None:
        """The method of a class, its own or inherited from another class of the project."""
        found = self._classes.method_of(owner.path, owner.number, name)
        return self._program.function_at(found) if found is not None else None

"""Environment classes that inherit from Gymnasium and whose methods do not answer as it asks them to.

Rules leave a class alone where it may be meant so: it asks which API it wraps, or has an option for it. What a fix has
moved to Gymnasium is tested without such excuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.core.findings import Span
from done_lint.facts.kinds.results import Unready
from done_lint.flowgraph.schema import Class, Function, Survey
from done_lint.knowledge import env_api_lookup

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.families import Families
    from done_lint.facts.results.env_method_results import OwnResults

#: A `step` takes itself and an action; with more it is the method of another API.
_PARAMETERS_OF_STEP = 2


class UnreadyClasses:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis, own: OwnResults, families: Families) -> None:
        """Read from a solved graph."""
        self._classes = analysis.classes
        self._own = own
        self._families = families

    def of(self, survey: Survey) -> dict[Span, Unready]:
        """Of the classes of a file, what is left for Gymnasium to stumble over, by place."""
        found: dict[Span, Unready] = {}
        for index, made in enumerate(survey.classes):
            if self._is_on_gymnasium(owner := ClassId(survey.path, index)):
                for span, code, message in self._left(survey, owner, made):
                    found[span] = Unready(message, code, self._families.of(owner))
        return found

    def _is_on_gymnasium(self, owner: ClassId) -> bool:
        """Whether the nearest base that a table knows is one of Gymnasium's own."""
        bases = (one for one in self._classes.lineage(*owner) if isinstance(one, str))
        known = next((one for one in bases if env_api_lookup.base(one) is not None), "")
        return known.startswith("gymnasium.")

    def _left(self, survey: Survey, owner: ClassId, made: Class) -> Iterator[tuple[Span, str, str]]:
        step = survey.functions[made.methods["step"]] if "step" in made.methods else None
        if step is not None and _returns_four(step):
            for span, _, _ in step.outcomes:
                yield span, "GYM301", f"`{made.name}.step` would still return four values"
        reset = made.methods.get("reset")
        if reset is not None and self._own.answers_bare(FunctionId(survey.path, reset)):
            for span, _, _ in survey.functions[reset].outcomes:
                yield span, "GYM303", f"`{made.name}.reset` would still return the observation alone"
        for name in ("step", "reset"):
            old = made.methods.get(f"_{name}")
            if old is not None and self._classes.method_of(*owner, name) is None:
                row = survey.functions[old].row
                yield Span(row, 0, row, 0), "GYM308", f"`{made.name}._{name}` would not be called"


def _returns_four(step: Function) -> bool:
    """Whether a `step` returns four values, and never five."""
    return 4 in step.arities and not {0, 5} & set(step.arities) and step.required <= _PARAMETERS_OF_STEP

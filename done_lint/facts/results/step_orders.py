"""In what order the classes of the project return the values of a step that somebody takes apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.facts.environments.inside import Inside
from done_lint.facts.kinds.results import OWN_ORDER

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.program import ClassId


class StepOrders:
    """Asks the classes that are inside of what is stepped."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._analysis = analysis
        # a wrapper that puts values in an order of its own gives this order, whatever is inside
        self._inside = Inside(analysis, closed=lambda owner: bool(_order(analysis, owner)))
        functions = (one for survey in analysis.program.surveys.values() for one in survey.functions)
        self._any = any(one.order or one.own_order for one in functions)

    def of(self, call: int) -> frozenset[tuple[int, ...]]:
        """See `facts.StepResult.orders`; `call` is the node of what a call of `step` gave."""
        program = self._analysis.program
        made = program.call_at(call) if self._any else None
        stepped = program.attribute_at(made[1]) if made is not None else None
        if stepped is None:
            return frozenset()
        node, _ = stepped
        found = {_order(self._analysis, owner) for owner in self._inside.classes(node)}
        for env in self._inside.made(node):
            entries = [_order(self._analysis, owner) for owner in self._inside.owners(env)]
            found |= set(entries) if entries or env.node in self._inside.wrapped else {()}
        if any(self._answers(owner) for owner in self._inside.wrappers(node)):
            found.add(())
        return frozenset(found)

    def _answers(self, wrapper: ClassId) -> bool:
        """Whether the `step` of a wrapper returns values that it may have put in order."""
        step = self._analysis.classes.method_of(*wrapper, "step")
        return step is not None and bool(self._analysis.program.function_at(step).arities)


def _order(analysis: Analysis, owner: ClassId) -> tuple[int, ...]:
    """The order in which the `step` of a class returns its values; empty for the right one, or none that is known."""
    step = analysis.classes.method_of(*owner, "step")
    if step is None:
        return ()
    function = analysis.program.function_at(step)
    return OWN_ORDER if function.own_order else function.order

"""Marks of what is masked by the end of an episode, and is no value of a state: traces, rewards, losses, and flags."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import ChoiceMark, Object, ProductMark
from done_lint.core.reach import reach
from done_lint.facts.value_targets.marks import marks_at
from done_lint.flowgraph.keys import IndexKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.flag_evidence import Condition

#: Where a step returns the reward.
_REWARD = IndexKey(1)
#: So many nodes have the sums that a name is bound to.
_SUMS = 12


class UnvaluedMarks:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._flags = analysis.flags

    @property
    def of_no_value(self) -> set[int]:
        """All of them."""
        return self.rewards | self.traces | self.losses | self.ends

    @cached_property
    def traces(self) -> set[int]:
        """The marks of eligibility traces, which an episode's end sets to zero, however it came.

        They reach values as well: a trace times the error is added to the weights that values are made of.
        """
        found: set[int] = set()
        for (path, index), (_, nodes) in self._flags.products.items():
            product = self._program.surveys[path].products[index]
            if product.carried or product.beside or all(factor.role != "discount" for factor in product.factors):
                continue
            by_lambda = any(factor.role == "trace" for factor in product.factors)
            decayed = (node for factor, node in zip(product.factors, nodes) if factor.node and not factor.role)
            made = self._program.bases[path] + product.node
            found.update(
                mark
                for node in decayed
                for mark in marks_at(self._analysis, node)
                if by_lambda or self._adds(mark, made)
            )
        return found

    def _adds(self, number: int, product: int) -> bool:
        """Whether a choice leaves as it is what was made right there by adding to a product, which it masks next."""
        mark = self._solver.value(number)
        if not isinstance(mark, ChoiceMark):
            return False
        _, a, ca, b, _, _ = self._flags.conditions[mark]

        def before(node: int) -> list[int]:
            return [source for source, way, _ in self._solver.predecessors[node] if way in ("flow", "combined")]

        return product in set(reach([b if ca else a], before, bound=_SUMS))

    @cached_property
    def rewards(self) -> set[int]:
        """The marks of what a `step` of the project returns as its reward: a bonus that is masked is no value."""
        return {mark for field in self._rewards_returned() for mark in marks_at(self._analysis, field)}

    def _rewards_returned(self) -> Iterator[int]:
        """The nodes of the second of the four or five values that each `step` returns."""
        for path, survey in self._program.surveys.items():
            for method in (made.methods["step"] for made in survey.classes if "step" in made.methods):
                result = self._program.bases[path] + survey.functions[method].result
                tuples = [one for one in self._solver.all(result, Object) if self._objects.widths.get(one) in (4, 5)]
                fields = (self._objects.fields.get((one, _REWARD)) for one in tuples)
                yield from (field for field in fields if field is not None)

    @cached_property
    def ends(self) -> set[int]:
        """The marks of `float(terminated) if steps < limit else 0.0`, whose flag arrived after the limit was seen."""
        found = {self._solver.find(mark) for mark, one in self._flags.conditions.items() if self._chooses_flag(one)}
        return {number for number in found if number is not None}

    def _chooses_flag(self, choice: Condition) -> bool:
        """Whether one side is a constant, and the other a flag."""
        value = choice.b if choice.a_constant else choice.a
        return bool(choice.a_constant or choice.b_constant) and bool(self._analysis.arrays.flat_flags(value))

    @cached_property
    def losses(self) -> set[int]:
        """The marks of `log_softmax(logits) * label`: the cross entropy of a label, which may be a flag, and no value.

        What sums it may weigh its rows by a discount, as it does with those of any loss.
        """
        found: set[int] = set()
        for path, index in self._flags.products:
            product = self._program.surveys[path].products[index]
            parts = [factor for factor in product.factors if factor.role != "constant"]
            if len(parts) == 2 and any(factor.log_likelihood for factor in parts):
                found.update(self._solver.all(self._program.bases[path] + product.node, ProductMark))
        return found

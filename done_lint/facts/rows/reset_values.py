"""Deltas of GAE that bootstrap from the value one row on, by the ends of a vector environment's episodes.

Where the environments reset in the same step, the observation of the row after an episode's end is the first one of the
next episode. A mask of *terminated* drops its value where the episode terminated, and keeps it where it was truncated:
no value of the final observation can be there if nothing in the program asks for that observation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import ChoiceMark, Mark, MaskedMark, Object, ProductMark, StepValue
from done_lint.core.findings import Span
from done_lint.facts.environments.environments import Environments
from done_lint.facts.kinds.rows import ResetValue
from done_lint.facts.rows.row_choices import RowChoices
from done_lint.facts.rows.single_steps import SingleSteps
from done_lint.facts.value_targets.final_observations import asking_files
from done_lint.facts.value_targets.sinks import Sinks
from done_lint.flowgraph.schema import Product

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class ResetValues:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, environments: Environments, judged: Sinks) -> None:
        """`judged` are the sinks, which were all found."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._products = analysis.flags.products
        self._steps = analysis.flags.steps_of_several
        self._environments = environments
        self._judged = judged
        self._choices = RowChoices(analysis)
        self._singles = SingleSteps(analysis)

    def all(self) -> dict[str, tuple[ResetValue, ...]]:
        """The values, by file."""
        found: dict[str, list[ResetValue]] = {}
        asking = sorted(asking_files(self._analysis)) if self._steps else []
        together = self._analysis.imports.together
        for (path, index), (_, nodes) in self._products.items() if self._steps else ():
            product = self._program.surveys[path].products[index]
            if path in self._judged.added.patched:
                continue  # the bootstrap of truncations is in the reward
            asked = any(together(one, path) for one in asking)
            if product.discounted and (_in_recursion(product) or _of_next_rows(product)) and not asked:
                found.setdefault(path, []).extend(self._of(path, product, nodes))
        return {path: tuple(values) for path, values in found.items() if values}

    def _of(self, path: str, product: Product, nodes: list[int]) -> Iterator[ResetValue]:
        masks = self._masks(nodes)
        values = {node: f.span for f, node in zip(product.factors, nodes) if f.node and not f.role}
        values = {node: span for node, span in values.items() if node not in masks}
        cuts = masks or [one for node in values for one in self._cuts_before(path, product, node)]
        if len(cuts) != 1 or len(values) != 1 or not self._is_of_terminations(cuts[0], negated=bool(masks)):
            return
        steps = {one.step for one in self._solver.values(cuts[0], StepValue) if one.part == "flag"}
        if not _in_recursion(product) and any(self._chooses(step) for step in steps):
            return  # rows behind an episode's end may be left out
        truncated = (one for one in sorted(steps) if not self._environments.ends_terminated(self._steps[one]))
        stepped = {step: self._environments.stepped(self._steps[step]) for step in truncated}
        envs = tuple(env for env in stepped.values() if env is not None)
        if envs and len(envs) == len(stepped):
            related, site_of = self._environments.provenance.related, self._program.origin_site
            origins = {step: related(site_of(step), "stepped here") for step in stepped}
            alone = frozenset(origin for step, origin in origins.items() if self._singles.at(step))
            (place,) = values.values()
            yield ResetValue(envs, tuple(origins.values()), place, alone)

    def _cuts_before(self, path: str, product: Product, value: int) -> set[int]:
        """What cuts a value before it is discounted in its turn: `after[end] = 0`, `np.where(end, 0, after)`.

        Also `after = after * (1 - end)`.
        """
        found = set[int]()
        loops = self._program.surveys[path].loop_spans
        for mark in self._solver.values(value, Mark) if product.loop >= 0 else ():
            if isinstance(mark, ProductMark) and mark.path == path:
                if self._program.surveys[path].products[mark.index].loop == product.loop:
                    found.update(self._masks(self._products[path, mark.index].factors))
            elif isinstance(mark, (ChoiceMark, MaskedMark)) and _is_in(loops[product.loop], path, mark):
                found.add(self._test(mark))
        return found

    def _is_of_terminations(self, cut: int, *, negated: bool) -> bool:
        """Whether all that cuts there is *terminated*, a mask of what goes on where that is a factor."""
        return all(
            flag & flag_lattice.CAUSES == flag_lattice.TERMINATED and (flag_lattice.keeps(flag) or not negated)
            for flag in self._arrays.flat_flags(cut)
        )

    def _test(self, mark: ChoiceMark | MaskedMark) -> int:
        """The node of the test by which a choice or the rows of an array were set to zero."""
        flags = self._analysis.flags
        return flags.conditions[mark].test if isinstance(mark, ChoiceMark) else flags.masked[mark]

    def _chooses(self, step: int) -> bool:
        """Whether flags of a step choose rows anywhere."""
        number = self._solver.find(StepValue("flag", step))
        return any(number in one.held for one in self._choices.all)

    def _masks(self, nodes: list[int]) -> list[int]:
        """The factors that are masks.

        Where rows are rebuilt under names that are not known, a flag may arrive at every column: no mask is what is
        not negated, and may be something else as well.
        """
        flags = {node: self._arrays.flat_flags(node) for node in nodes}
        kept = {node for node, found in flags.items() if all(map(flag_lattice.keeps, found))}
        return [node for node, found in flags.items() if found and (node in kept or not self._is_of_all(node))]

    def _is_of_all(self, node: int) -> bool:
        """Whether whole rows may arrive at a node, or other parts of a step."""
        others = any(one.part in ("obs", "reward") for one in self._solver.values(node, StepValue))
        return others or bool(self._solver.all(node, Object))


def _is_in(loop: Span, path: str, mark: ChoiceMark | MaskedMark) -> bool:
    """Whether something is set to zero inside a loop of a file."""
    return mark.path == path and mark.at.within(loop)


def _in_recursion(product: Product) -> bool:
    """Whether it is a part of a recursion, and takes a value one row on."""
    return product.beside and product.shifted


def _of_next_rows(product: Product) -> bool:
    """Whether it takes values one row on outside of any recursion: `next_values = concatenate((values[1:], last))`."""
    return not product.carried and not product.rolled and any(one.ahead == "next" for one in product.factors)

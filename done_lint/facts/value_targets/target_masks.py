"""What cuts a value target: masks in products, branches around them, values that were masked before.

Whether a cut is wrong is for `sinks` to say.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import ChoiceMark, MaskedMark, Place, ProductMark, Site
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.kinds.flags import SinkKind
from done_lint.facts.value_targets.branches_not_taken import BranchesNotTaken
from done_lint.facts.value_targets.episode_sums import EpisodeSums
from done_lint.facts.value_targets.error_sums import ErrorSums
from done_lint.facts.value_targets.final_values import FinalValues
from done_lint.facts.value_targets.marks import is_mask, marks_at
from done_lint.facts.value_targets.product_forms import RETURNS, ahead_of, classify, form_of_returns
from done_lint.facts.value_targets.rewards import Rewards
from done_lint.facts.value_targets.unvalued_marks import UnvaluedMarks
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.purposes import DRAWN
from done_lint.flowgraph.schema import Branch, Product, Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


#: `q[~done] = values[~done]`: one mask, written twice.
_ROWS = "the rows that are assigned are picked by the same mask: both have to change"


@dataclass(slots=True)
class Cut:
    """A place where a mask or a test cuts something valued."""

    kind: SinkKind
    place: Place
    #: Node of the mask or test.
    node: int
    #: Of the target; empty where *done* is right.
    form: str
    #: What a loop carries on, where a test stands around it.
    carried: Product | None = None
    #: Why the mask cannot be fixed at this place alone.
    hindrance: str = ""
    #: Why a fix at this place is no promise.
    doubt: str = ""
    #: Where the target is masked, if this is the choice of a None that the mask asks for.
    masked: Site = None
    #: What it cuts is the value of the observation that the step led to.
    next_value: bool = False
    #: The one-step target that takes this value from the next row, in whose place a new episode may begin.
    ahead: Product | None = None
    #: It is discounted over so many steps as are the same for every row.
    powered: bool = False
    #: All that becomes of the target are the weights of a draw.
    drawn: bool = False


class Cuts:
    """Finds the cuts of a solved model."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._flags = analysis.flags
        self.not_taken = BranchesNotTaken(analysis)
        self._episode_sums = EpisodeSums(analysis)
        self.rewards = Rewards(analysis)
        self._final_values = FinalValues(analysis, self.rewards)
        self._unvalued = UnvaluedMarks(analysis)
        self._error_sums = ErrorSums(analysis, self._discounting)
        #: By file (see `_stepped_at`).
        self._stepping: dict[str, list[Span]] = {}

    def all(self) -> list[Cut]:
        """Every cut; those of targets that something is learnt from come first."""
        return sorted((*self._products(), *self._branches(), *self._marked()), key=lambda cut: cut.drawn)

    @property
    def _discounting(self) -> frozenset[tuple[str, int]]:
        """The products that discount a value, by file and number."""
        products = self._flags.products.items()
        return frozenset(
            (path, index)
            for (path, index), (_, nodes) in products
            if self._discounted(self._program.surveys[path].products[index], nodes)
        )

    def discounted_values(self, paths: Container[str]) -> Iterator[list[int]]:
        """The nodes of the factors of each product of these files that discounts a value."""
        for (path, index), (_, nodes) in self._flags.products.items():
            if path in paths and self._discounted(self._program.surveys[path].products[index], nodes):
                yield nodes

    def _products(self) -> list[Cut]:
        cuts = []
        for (path, index), (_, nodes) in self._flags.products.items():
            product = self._program.surveys[path].products[index]
            if (path, index) in self.not_taken.products or (path, product.loop) in self._final_values.loops:
                continue
            if not self._discounted(product, nodes) or self._runs(path, product) or product.only_shown:
                continue
            kind, form = classify(product)
            if not form or (form in RETURNS and self._is_window(path, index, product)):
                continue
            if product.beside and not product.carried and (path, product.loop) in self._sums_of_rewards:
                continue
            if self._error_sums.carries(path, product) or self._error_sums.keeps(path, product):
                continue
            for factor, node in zip(product.factors, nodes):
                if factor.node and not factor.decays and (not factor.role or is_mask(self._arrays, node)):
                    own = product.beside and not product.shifted
                    place = Place(path, factor.span)
                    cut = Cut(kind, place, node, form, next_value=own, powered=product.powered)
                    cut.ahead, cut.drawn = ahead_of(product, factor), kind == "mask" and product.purpose == DRAWN
                    cuts.append(cut)
        return cuts

    @cached_property
    def _sums_of_rewards(self) -> set[tuple[str, int]]:
        """The loops, by file, that sum returns by a mask of ends, and have no GAE.

        What else they discount is the last row, which begins the same recursion: one finding says it all.
        """
        found: set[tuple[str, int]] = set()
        others: set[tuple[str, int]] = set()
        for (path, index), (_, nodes) in self._flags.products.items():
            product = self._program.surveys[path].products[index]
            if product.carried and product.gae:
                others.add((path, product.loop))
            elif product.carried and self._discounted(product, nodes) and not self._is_window(path, index, product):
                held = [flag for node in nodes for flag in self._arrays.flat_flags(node)]
                if any(flag_lattice.mixed(flag) and flag_lattice.keeps(flag) for flag in held):
                    found.add((path, product.loop))
        return found - others

    def _runs(self, path: str, product: Product) -> bool:
        """The discounted sum of the rewards so far, of a reward normaliser: each end of an episode ends it.

        In a loop it is one where the loop itself steps the environment: returns to learn from are summed backwards.
        """
        if product.loop < 0 or product.gae:
            return product.running
        if not (product.running or product.carried):
            return False
        loop = self._program.surveys[path].loop_spans[product.loop]
        return any(at.within(loop) for at in self._stepped_at(path))

    def _stepped_at(self, path: str) -> list[Span]:
        """The calls of `step` in a file."""
        if path not in self._stepping:
            survey = self._program.surveys[path]
            called = [survey.waiting.get(read.target, ()) for read in survey.telling if read.name == "step"]
            self._stepping[path] = [one.at for calls in called for one in calls if isinstance(one, ops.Call)]
        return self._stepping[path]

    def _is_window(self, path: str, index: int, product: Product) -> bool:
        """Rewards of n steps are summed, which rightly stop at the end of an episode.

        What bootstraps behind them has a mask of its own: the carry starts from a step's reward, not from a value, or
        the sum is the reward of a one-step target later.
        """
        base = self._program.bases[path]
        if product.starts and all(self.rewards.is_one(base + start) for start in product.starts):
            return True
        return self._solver.find(ProductMark(path, index)) in self._rewards_of_targets

    @cached_property
    def _rewards_of_targets(self) -> set[int]:
        """The marks of what one-step targets add to a discounted value."""
        found: set[int] = set()
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            plain = (p for p in survey.products if p.discounted and not p.carried and not p.beside)
            values = {product.node for product in plain}
            for op in survey.waits(ops.Sum):
                if not values.isdisjoint(op.inputs):
                    found.update(
                        mark for one in op.inputs if one not in values for mark in marks_at(self._analysis, base + one)
                    )
        return found

    def _discounted(self, product: Product, nodes: list[int]) -> bool:
        """A value is discounted: by a factor's text, or because a mask was multiplied with one before."""
        masked = any(f & flag_lattice.DISCOUNTED for node in nodes for f in self._arrays.flat_flags(node))
        return (product.discounted or masked) and not self._is_of_reward(product, nodes)

    def _is_of_reward(self, product: Product, nodes: list[int]) -> bool:
        """`reward * discount**step` is a part of a sum of rewards; what bootstraps behind that stands elsewhere.

        Only the reward as the step gave it counts: what was stored and read back may be the next state as well.
        """
        factors = zip(product.factors, nodes)
        return not product.carried and any(
            f.node and not f.role and self.rewards.is_one(n, stored=False) for f, n in factors
        )

    def _branches(self) -> list[Cut]:
        cuts = []
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for branch in (one for one in survey.branches if not one.whole):
                for form, kind, carried in self._branch_forms(survey, branch, base + branch.test):
                    rows = _ROWS if branch.rows else ""
                    powered = any(survey.products[one].powered for one in (*branch.body, *branch.orelse))
                    place, test = Place(path, branch.span), base + branch.test
                    cuts.append(Cut(kind, place, test, form, carried, rows, powered=powered))
        return cuts

    def _valued(self, survey: Survey, products: Iterable[int]) -> list[Product]:
        """Those of them that discount a value."""
        taken = [index for index in products if (survey.path, index) not in self.not_taken.products]
        known = ((survey.products[index], self._flags.products[survey.path, index].factors) for index in taken)
        discounted = (one for one, nodes in known if one.discounted and not self._is_of_reward(one, nodes))
        return [one for one in discounted if not self._runs(survey.path, one) and not one.only_shown]

    def _branch_forms(self, survey: Survey, branch: Branch, test: int) -> list[tuple[str, SinkKind, Product | None]]:
        held = self._arrays.flat_flags(test)
        if held:
            going_on = branch.body if flag_lattice.keeps(max(held)) else branch.orelse
            ended = branch.orelse if flag_lattice.keeps(max(held)) else branch.body
        else:
            negated = self._program.negation_at(test) is not None
            going_on, ended = (branch.body, branch.orelse) if negated else (branch.orelse, branch.body)
        valued = self._valued(survey, going_on)
        targets = [product for product in valued if not product.gae]
        if not targets or self._valued(survey, ended):
            return []
        if all(p.carried for p in targets):
            return [(form_of_returns(targets), "recursion", next(iter(targets)))]
        if any(product.carried or product.beside for product in valued):
            # the test is the only mask of what the loop carries, and of the bootstrap, or the delta of a GAE
            return [("GAE", "recursion", next((p for p in valued if p.carried), None))]
        return [("one-step target", "branch", None)]

    def _marked(self) -> list[Cut]:
        """Values that were masked first and discounted later: `q[done] = 0`, `0 if done else V`, `q * mask`."""
        cuts: list[Cut] = []
        for number, product in self._discounted_marks().items():
            mark, known = self._solver.value(number), len(cuts)
            if isinstance(mark, ChoiceMark):
                cuts += self._cut_of_choice(mark, product)
            elif isinstance(mark, MaskedMark):
                if mark in self._flags.filled and self._adds_rewards(mark.path, self._flags.filled[mark]):
                    continue
                kind, form = classify(product) if product.carried else ("branch", "one-step target")
                rows = _ROWS if mark in self._flags.filled else ""
                node, carried = self._flags.masked[mark], product if product.carried else None
                cuts.append(Cut(kind, Place(mark.path, mark.at), node, form, carried, rows))
            elif isinstance(mark, ProductMark) and not self._program.surveys[mark.path].products[mark.index].running:
                cuts += self._cuts_of_product(mark)
            for cut in cuts[known:]:
                cut.powered = product.powered
        return cuts

    def _discounted_marks(self) -> dict[int, Product]:
        """The marks of masked values, and the first product that discounts each."""
        found: dict[int, Product] = {}
        not_of_values = self._masks_of_sums | self._unvalued.of_no_value
        for (path, index), (_, nodes) in self._flags.products.items():
            product = self._program.surveys[path].products[index]
            taken = (path, index) not in self.not_taken.products
            for factor, node in zip(product.factors, nodes) if product.discounted and taken else ():
                if not factor.node or factor.role or self._program.negation_at(node) is not None:
                    continue  # `if steps == limit: done = False`, then `1 - done`: the mask was changed, no value
                for number in marks_at(self._analysis, node):
                    if number not in not_of_values and self._masks(number, product, path):
                        found.setdefault(number, product)
        return found

    @cached_property
    def _masks_of_sums(self) -> set[int]:
        """The marks of rows that a recursion sets to zero on its way: `total[done] = 0; total = r + gamma * total`.

        What is cut there is the sum that the loop carries, and nothing that is discounted after it.
        """
        found: set[int] = set()
        for (path, index), (_, nodes) in self._flags.products.items():
            product = self._program.surveys[path].products[index]
            if not (product.carried and product.discounted and product.starts):
                continue
            for number in (mark for node in nodes if node for mark in marks_at(self._analysis, node)):
                value = self._solver.value(number)
                if isinstance(value, MaskedMark) and value.path == path and not self._masks(number, product, path):
                    found.add(number)
        return found

    def _cut_of_choice(self, mark: ChoiceMark, product: Product) -> list[Cut]:
        """`0 if done else V`, unless it stands where the reward, or a sum of the episode, is set back."""
        test, a, ca, b, _, _ = self._flags.conditions[mark]
        value = b if ca else a
        if self.rewards.is_one(value) or self._episode_sums.is_one(value):
            return []
        place = Place(mark.path, mark.at)
        if self._program.surveys[mark.path].loops.get(mark.node, -1) != product.loop:
            # not reset on the way, but the value that the recursion starts from
            return [Cut("branch", place, test, "bootstrap", None)]
        kind, form = classify(product) if product.carried else ("branch", "one-step target")
        return [Cut(kind, place, test, form, product if product.carried else None)]

    def _cuts_of_product(self, mark: ProductMark) -> list[Cut]:
        """`q * mask`, which is discounted later: any factor may be the mask; a reward that it silences is no value."""
        inner = self._program.surveys[mark.path].products[mark.index]
        kind, form = classify(inner)
        nodes = self._flags.products[mark.path, mark.index].factors
        if inner.discounted or not form or self._is_of_reward(inner, nodes):
            return []
        if (mark.path, inner.loop) in self._final_values.loops:
            return []
        if kind == "recursion" and self._final_values.is_added_to(mark.path, inner):
            return []
        return [
            Cut(kind, Place(mark.path, factor.span), node, form, ahead=ahead_of(inner, factor))
            for factor, node in zip(inner.factors, nodes)
            if factor.node
        ]

    def _adds_rewards(self, path: str, node: int) -> bool:
        """`total[~done] += reward[~done]`: rewards of the episodes that go on are summed, and no value is masked."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        terms = {one for added in survey.waits(ops.Sum) if base + added.result == node for one in added.inputs}
        rows = {one.source for one in survey.waits(ops.Item) if one.target in terms}
        if not self.rewards.products.isdisjoint(base + one for one in terms):
            return False
        return any(self.rewards.is_one(base + one) for one in terms | rows)

    def _masks(self, mark: int, product: Product, path: str) -> bool:
        """The masked value is what is discounted; in a recursion, its start or its reset, never a reward added.

        What is masked in a file that has nothing to do with that one came a long way, and may be a state.
        """
        value = self._solver.value(mark)
        if isinstance(value, (ProductMark, MaskedMark)) and not self._analysis.imports.adjacent(value.path, path):
            return False
        if isinstance(value, ProductMark) and value.path == path and self._is_term(value, product):
            return False
        if not product.starts:
            return True
        if (
            isinstance(value, ChoiceMark)
            and self._program.surveys[value.path].loops.get(value.node, -1) == product.loop
        ):
            return True
        base = self._program.bases[path]
        return any(mark in marks_at(self._analysis, base + start) for start in product.starts)

    def _is_term(self, mark: ProductMark, carry: Product) -> bool:
        """`total[t] = gamma * total[t + 1] + mask[t] * reward[t]`: what is masked is added to the carry in this turn.

        It may be a reward, but no next value, which stands in the next row or has a discount of its own.
        """
        survey = self._program.surveys[mark.path]
        added = survey.products[mark.index]
        if not carry.carried or added.loop != carry.loop or added.carried or added.shifted:
            return False
        factors = self._flags.products[mark.path, mark.index].factors
        values = (
            self._solver.get(number, ProductMark) for node in factors for number in self._solver.all(node, ProductMark)
        )
        if any(self._program.surveys[one.path].products[one.index].discounted for one in values):
            return False
        of_both = [set(reach([one], partial(_sums_of, survey))) for one in (carry.node, added.node)]
        return not set.isdisjoint(*of_both)


def _sums_of(survey: Survey, part: int) -> list[int]:
    """The sums that a node is a part of."""
    return [one.result for one in survey.waiting.get(part, ()) if isinstance(one, ops.Sum)]

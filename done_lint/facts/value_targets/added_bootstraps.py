"""Values of final observations that are added to the reward where an episode was truncated: `r += gamma * V(final)`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.facts.value_targets.info_bootstraps import bootstrapping_from_infos
from done_lint.facts.value_targets.rewards import Rewards
from done_lint.facts.value_targets.truncation_values import TruncationValues, is_truncation
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Product

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class AddedBootstraps:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, rewards: Rewards) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._imports = analysis.imports
        self._flags = analysis.flags
        self._rewards = rewards
        self.values = TruncationValues(analysis)

    @cached_property
    def patched(self) -> set[str]:
        """Files within reach of one that adds `gamma * V(final)` to the reward, at truncation or by an info (SB3).

        There the bootstrap is already in the reward, and the one mask of the recursion is right.
        """
        starts = set(bootstrapping_from_infos(self._analysis))
        starts.update(path for path, _ in self._at_truncation)
        for (path, index), (_, nodes) in self._flags.products.items():
            product = self._program.surveys[path].products[index]
            cut = product.carried and product.discounted
            if not cut and any(is_truncation(self._arrays, node, keep=True) for node in nodes):
                # `gae * bad_masks`: the advantage at a truncation is dropped (ikostrikov), and not only the carry cut
                starts.add(path)
        return self._imports.reachable(starts)

    @cached_property
    def _at_truncation(self) -> list[tuple[str, Product]]:
        """What is discounted at truncations alone, by a factor or behind a test, and the file of each."""
        found: list[tuple[str, Product]] = []
        for (path, index), (_, nodes) in self._flags.products.items():
            product = self._program.surveys[path].products[index]
            masked = any(is_truncation(self._arrays, node) for node in nodes)
            if product.discounted and (masked or self._adds_values(path, product)):
                found.append((path, product))
        for path, survey in self._program.surveys.items():
            put = self.values.put_at_truncations(path)
            found += ((path, one) for one in survey.products if one.discounted and one.node in put)
            for branch in survey.branches:
                if is_truncation(self._arrays, self._program.bases[path] + branch.test):
                    products = (survey.products[index] for index in branch.body)
                    found += ((path, one) for one in products if one.discounted and not one.carried)
        return found

    def _adds_values(self, path: str, product: Product) -> bool:
        """Whether a method adds to a reward what it is given, values of truncations alone: `reward + 0.99 * left`."""
        return not product.carried and self.values.arrive_at(path, product) and bool(self._added_to(path, product))

    @cached_property
    def _raised_rewards(self) -> frozenset[int]:
        """The rewards of steps that such a value is added to: the mask of every end is right behind them."""
        found: set[int] = set()
        for path, product in self._at_truncation:
            found.update(self._added_to(path, product))
        return frozenset(found)

    def _added_to(self, path: str, product: Product) -> list[int]:
        """The rewards of steps that a product is added to."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        sums = [one.inputs for one in survey.waits(ops.Sum) if product.node in one.inputs]
        others = {node for inputs in sums for node in inputs if node != product.node}
        # `reward[mask]`: the rewards of some environments
        others.update(one.source for one in survey.waits(ops.Item) if one.target in others)
        added = {node for one in others for node in (base + one, *self._arrays.elements(base + one))}
        added |= {source for node in added for source in self._indexed(node)}
        return [reward for one in added for reward in self._rewards.at(one)]

    def _indexed(self, node: int) -> Iterator[int]:
        """What a node gets an element or a view of: `kept[t] = rewards[..., None]`."""
        for edge in self._solver.predecessors[node]:
            if (owner := self._program.owner(edge.source)) is not None:
                items = self._program.surveys[owner.path].waits(ops.Item)
                base = self._program.bases[owner.path]
                yield from (base + one.source for one in items if one.target == owner.node)

    def is_in_reward(self, source: int) -> bool:
        """Whether a flag comes from a step whose reward has the bootstrap of its truncations."""
        owner = self._program.owner(source) if self._raised_rewards else None
        if owner is None:
            return False
        survey, base = self._program.surveys[owner.path], self._program.bases[owner.path]
        steps = (one.targets for one in survey.waits(ops.Unpack) if owner.node in one.targets)
        return any(base + target in self._raised_rewards for targets in steps for target in targets)

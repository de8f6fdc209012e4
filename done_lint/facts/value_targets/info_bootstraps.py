"""Files that discount the value of an observation which an info has: `reward += gamma * value(info["last_obs"])`.

A wrapper of the project, or the library, keeps the last observation there at the end of an episode. Whoever adds its
value to the reward has bootstrapped, whatever the key is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Info
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.schema import Product, Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: How many calls, attributes and items may stand between the info and the product.
_NEAR = 20


def bootstrapping_from_infos(at: Analysis) -> Iterator[str]:
    """These files, of a solved graph."""
    for path, survey in at.program.surveys.items():
        if items := frozenset(_of_infos(at, survey)):
            made = _made(survey)
            if any(_values_one(at, survey, product, items, made) for product in survey.products):
                yield path


def _of_infos(at: Analysis, survey: Survey) -> Iterator[int]:
    """What is read from an info by a key."""
    base = at.program.bases[survey.path]
    for item in survey.waits(ops.Item):
        if isinstance(item.keys[-1], TextKey) and at.solver.values(base + item.source, Info):
            yield item.target


def _made(survey: Survey) -> dict[int, tuple[int, ...]]:
    """By node: what an item, an attribute or the result of a call comes from."""
    found: dict[int, tuple[int, ...]] = {item.target: (item.source,) for item in survey.waits(ops.Item)}
    read = (one for several in survey.naming.values() for one in several if isinstance(one, ops.Attribute))
    found |= {one.target: (one.source,) for one in read}
    return found | {one.result: (one.called, *(node for node, _ in one.args)) for one in survey.calls()}


def _values_one(
    at: Analysis, survey: Survey, product: Product, items: frozenset[int], made: dict[int, tuple[int, ...]]
) -> bool:
    """Whether a product discounts what a call makes of such an item, and is no value target."""
    base = at.program.bases[survey.path]
    if not product.discounted or product.carried or any(_keeps(at, base + one.node) for one in product.factors):
        return False
    starts = [one.node for one in product.factors if one.node]
    nodes = reach(starts, lambda node: made.get(node, ()), bound=_NEAR)
    return not items.isdisjoint(set(nodes).difference(starts))


def _keeps(at: Analysis, node: int) -> bool:
    """Whether a factor is a mask that is 1 where the episode goes on: that is a value target."""
    return any(map(flag_lattice.keeps, at.arrays.flat_flags(node)))

"""What kind of target a discounted product belongs to, by its place in the loops of its file."""

from __future__ import annotations

from collections.abc import Iterable

from done_lint.facts.kinds.flags import MONTE_CARLO, SinkKind
from done_lint.flowgraph.schema import Factor, Product

#: The forms of returns: those that begin with a value, or may do so, and sums of rewards alone.
_BOOTSTRAPPING = "returns"
RETURNS = frozenset({_BOOTSTRAPPING, MONTE_CARLO})


def form_of_returns(products: Iterable[Product]) -> str:
    """Whether they are sums of rewards alone, which begin with no value."""
    return MONTE_CARLO if all(one.from_zero for one in products) else _BOOTSTRAPPING


def ahead_of(product: Product, mask: Factor) -> Product | None:
    """The product, if a value in it comes from the row behind that of a mask."""
    return product if not mask.ahead and any(one.ahead for one in product.factors) else None


def classify(product: Product) -> tuple[SinkKind, str]:
    """What a discounted product is; an empty form where a mask in it is right."""
    if product.carried:
        return "recursion", "" if product.gae else form_of_returns([product])
    if product.beside:
        return "recursion", "GAE"
    return "mask", "one-step target"

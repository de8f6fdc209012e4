"""Which products belong to a recursion over time: they multiply what their own loop carries on."""

from __future__ import annotations

import ast
from collections.abc import Callable

from done_lint.flowgraph.ast_text import subscripts, unparsed
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Product, Survey
from done_lint.flowgraph.scopes import Loop, Trail

Flow = dict[Node, list[Node]]


def mark_recursions(survey: Survey, trail: Trail, loops: list[Loop]) -> None:
    """Set `carried`, `gae`, `beside` and `starts` of the survey's products.

    Args:
        survey: the file's, whose operations are complete.
        trail: how values flow in it.
        loops: every loop, with the head versions of its names and where they come back.
    """
    flow, sums, elements = trail.flow, trail.sums, trail.elements
    heads = {head: loop for loop in loops for head in loop.backs}
    closures: dict[Node, set[Node]] = {}

    def behind(node: Node) -> set[Node]:
        """Everything that `node` is computed from, itself included."""
        if node not in closures:
            seen, todo = {node}, [node]
            while todo and len(seen) < 4000:
                for source in flow.get(todo.pop(), ()):
                    if source not in seen:
                        seen.add(source)
                        todo.append(source)
            closures[node] = seen
        return closures[node]

    stored: dict[str, list[Node]] = {}
    for base, value, around in trail.added:
        if around:
            stored.setdefault(base, []).append(value)

    def carries(product: Product) -> bool:
        if product.loop < 0:
            return False
        found = False
        for factor in product.factors:
            if factor.role in ("discount", "constant"):
                continue
            for source in _nearest(factor.node, flow, heads):
                if source in heads and product.node in behind(heads[source].backs[source]):
                    product.starts += (heads[source].starts[source],)
                    found = True
                element = elements.get(source)
                if (
                    element is not None
                    and _shifted(element)
                    and any(product.node in behind(v) for v in stored.get(unparsed(element.value), ()))
                ):
                    found = True
        return found

    for product in survey.products:
        product.carried = carries(product)
    carrying = [product for product in survey.products if product.carried]
    for product in carrying:
        _name_traces(product)
        product.gae = any(f.role == "trace" for f in product.factors) or any(
            # the sum it stands in has another discounted product: a delta
            other is not product
            and other.discounted
            and other.loop == product.loop
            and _added(product.node, other.node, flow, sums)
            for other in survey.products
        )
    in_recursion = {product.loop for product in carrying}
    decays = _decays(survey, heads, flow, behind)
    for product in survey.products:
        product.beside = not product.carried and product.loop in in_recursion and product.loop >= 0
        product.shifted = product.beside and any(
            source in heads or (source in elements and _shifted(elements[source]))
            for factor in product.factors
            if not factor.role
            for source in _nearest(factor.node, flow, heads)
        )
    for product in decays:
        product.beside = True


def _name_traces(product: Product) -> None:
    """`gamma * l * gae * mask`: beside its discount, what the loop does not change is a λ, whatever it is called.

    A mask tells the rows apart, so it changes from turn to turn, and so does what is carried.
    """
    if product.discounted:
        for factor in product.factors:
            if factor.steady and not factor.role:
                factor.role = "trace"


def _nearest(node: Node, flow: Flow, heads: dict[Node, Loop]) -> set[Node]:
    """The factor itself and what it merely hands on: loop heads stop the way."""
    seen, todo = {node}, [node]
    while todo and len(seen) < 200:
        here = todo.pop()
        if here in heads:
            continue
        for source in flow.get(here, ()):
            if source not in seen:
                seen.add(source)
                todo.append(source)
    return seen


def _shifted(element: ast.Subscript) -> bool:
    """At `t + 1`, `i - 1`, `-1`, `0`: a neighbour in time, or the end of the list that grows."""
    index = unparsed(subscripts(element.slice)[0])
    return "+ 1" in index or "- 1" in index or index in ("-1", "0") or "+1" in index


def _added(result: Node, other: Node, flow: Flow, sums: set[Node]) -> bool:
    """Whether some sum is made of both products, and one is not computed from the other."""
    for node in sums:
        reach = [_nearest(source, flow, {}) for source in flow.get(node, ())]
        if any(result in r for r in reach) and any(other in r and result not in r for r in reach):
            return True
    return False


def _decays(survey: Survey, heads: dict[Node, Loop], flow: Flow, behind: Callable[[Node], set[Node]]) -> list[Product]:
    """Products that are deltas of a GAE written as a sum.

    `a += decay * (r + gamma * v_next * mask - v); decay *= gamma * lam`: nothing valued is carried but the decay,
    and the sum runs over the border of an episode just the same.
    """
    scalar = ("discount", "trace", "constant")
    decaying = {
        head
        for product in survey.products
        for factor in product.factors
        if all(other.role in scalar for other in product.factors if other is not factor)
        for head in _nearest(factor.node, flow, heads)
        if head in heads and product.node in behind(heads[head].backs[head])
    }
    weighted = {
        node
        for product in survey.products
        if any(f.node in decaying for f in product.factors)
        for f in product.factors
        if f.node not in decaying
        for node in behind(f.node)
    }
    return [product for product in survey.products if product.discounted and product.node in weighted]

"""Which products belong to a recursion over time: they multiply what their own loop carries on."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping

from done_lint.core.reach import reach
from done_lint.flowgraph.ast_text import row_before, subscripts, unparsed
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Product, Survey
from done_lint.flowgraph.scopes import Constants, Loop, Trail

#: How many nodes are looked at behind a value: a loop body rarely has a hundred.
_BEHIND = 4000
#: How many nodes may hand a factor on.
_HANDED_ON = 200
#: Turns an array round: `np.roll(values, -1)`, and so in PyTorch.
_TURNING = "roll"
#: A slice from the second row on.
_FROM_SECOND = re.compile(r"1:(-1|\w+ \+ 1)?")
_SCALARS = frozenset({"discount", "trace", "constant"})


def mark_recursions(
    survey: Survey, trail: Trail, loops: list[Loop], known: Constants, callees: Mapping[Node, str]
) -> None:
    """Set what the survey's products, and their factors, have to do with time.

    Args:
        survey: the file's, whose operations are complete.
        trail: how values flow in it.
        loops: every loop, with the head versions of its names and where they come back.
        known: the constants among its nodes.
        callees: the names of the functions whose results are nodes.
    """
    recurrences = _Recurrences(survey.products, trail, loops)
    recurrences.mark()
    recurrences.mark_next_rows({node for node, name in callees.items() if name == _TURNING})
    for product in survey.products:
        product.from_zero = bool(product.starts) and all(known.kind(one) == "zero" for one in product.starts)


class _Recurrences:
    """The products of a file, and what its loops carry."""

    def __init__(self, products: list[Product], trail: Trail, loops: list[Loop]) -> None:
        self._products = products
        self._trail = trail
        #: The loop of each head version that comes back.
        self._heads = {head: loop for loop in loops for head in loop.backs}
        #: What was put into lists and arrays inside loops, by the text of their base.
        self._stored: dict[str, list[Node]] = {}
        for base, value, around in trail.added:
            if around:
                self._stored.setdefault(base, []).append(value)
        #: The names that each `for` binds, by the number of the loop.
        self._variables = {loop.index: _names(loop.syntax.target) for loop in loops if loop.syntax is not None}
        self._known_behind: dict[Node, set[Node]] = {}

    def mark(self) -> None:
        for product in self._products:
            product.carried = product.loop >= 0 and (self._carries(product) or self._comes_back_in_place(product))
        carrying = [product for product in self._products if product.carried]
        added = self._parts_of_sums() if carrying else set()
        for product in carrying:
            _name_traces(product)
            product.summed = product.node in added
            product.gae = any(f.role == "trace" for f in product.factors) or self._has_delta(product)
        in_recursion = {product.loop for product in carrying if product.summed}
        decays = self._decays()
        for product in self._products:
            product.beside = not product.carried and product.loop in in_recursion and product.loop >= 0
        for product in decays:
            product.beside = True
        for product in self._products:
            product.shifted = product.beside and self._has_neighbour(product)

    def _parts_of_sums(self) -> set[Node]:
        """What sums are made of, and what that merely hands on: in a long sum much is looked at again and again."""
        parts = (part for node in self._trail.sums for part in self._trail.flow.get(node, ()))
        return {one for part in parts for one in self._nearest(part)}

    def mark_next_rows(self, turned: Collection[Node]) -> None:
        """Set `ahead` of the factors of all products that belong to no recursion.

        Args:
            turned: the nodes of arrays whose rows were moved, the last one to the other end.
        """
        rows = {node: unparsed(subscripts(one.slice)[0]) for node, one in self._trail.elements.items()}
        ahead = {node: index for node, index in rows.items() if row_before(index) or _FROM_SECOND.fullmatch(index)}
        if not ahead and not turned:
            return
        plain = (product for product in self._products if not (product.carried or product.beside))
        for factor in (one for product in plain for one in product.factors if not one.role):
            behind = set(reach((factor.node,), self._made_of, bound=_BEHIND))
            following = behind & ahead.keys()
            if not behind.isdisjoint(turned) or any("%" in ahead[one] for one in following):
                factor.ahead = "rolled"
            elif following:
                factor.ahead = "next"

    def _made_of(self, node: Node) -> list[Node]:
        """What a value is computed from, or is a part of."""
        whole = self._trail.wholes.get(node)
        return [*self._trail.flow.get(node, ()), *(() if whole is None else (whole,))]

    def _has_neighbour(self, product: Product) -> bool:
        """Whether a factor is carried by the loop, or stands at the next or the last place in time."""
        factors = (factor.node for factor in product.factors if not factor.role)
        return any(one in self._heads or self._is_shifted(one) for node in factors for one in self._nearest(node))

    def _behind(self, node: Node) -> set[Node]:
        """Everything that `node` is computed from, itself included."""
        if node not in self._known_behind:
            found = reach((node,), lambda one: self._trail.flow.get(one, ()), bound=_BEHIND)
            self._known_behind[node] = set(found)
        return self._known_behind[node]

    def _nearest(self, node: Node) -> set[Node]:
        """The factor itself and what it merely hands on, up to the heads of loops."""
        return self._handed_on(node, self._heads)

    def _handed_on(self, node: Node, stops: Collection[Node] = ()) -> set[Node]:
        flow = self._trail.flow
        return set(reach((node,), lambda one: () if one in stops else flow.get(one, ()), bound=_HANDED_ON))

    def _carries(self, product: Product) -> bool:
        """Whether a factor is what the loop has computed from this product in an earlier turn; `starts` are noted."""
        found = False
        for factor in product.factors:
            if factor.role in ("discount", "constant"):
                continue
            for source in self._nearest(factor.node):
                loop = self._heads.get(source)
                if loop is not None and self._comes_back(product, loop.backs[source]):
                    product.starts += (loop.starts[source],)
                    found = True
                found = found or self._is_kept(product, source)
        return found

    def _comes_back(self, product: Product, back: Node) -> bool:
        """Whether what a turn hands to the next one is computed from a product, or is where that was put just before.

        `out.append(delta + decay * last); last = out[-1]`.
        """
        if product.node in self._behind(back):
            return True
        return any(self._is_kept(product, one) for one in self._handed_on(back) if one in self._trail.elements)

    def _comes_back_in_place(self, product: Product) -> bool:
        """`last[env] = delta + decay * mask * last[env]`: the carry of each environment has its own place.

        A loop over the places themselves comes to each of them once, so some loop around has to have another variable.
        Only beside a delta: any other sum may be a table's entry, which learns of itself.
        """
        factors = [one for one in product.factors if one.role not in ("discount", "constant")]
        sources = {node for factor in factors for node in self._multiplied(factor.node)} & self._trail.elements.keys()
        return any(self._is_put_back(product, one) for one in sources) and self._has_delta(product)

    def _is_put_back(self, product: Product, source: Node) -> bool:
        """Whether what is computed of a product is put where a factor of it was read, and read there again."""
        element = self._trail.elements[source]
        index, base = subscripts(element.slice)[0], unparsed(element.value)
        value = self._trail.written.get(unparsed(index), {}).get(base)
        if isinstance(index, ast.Slice) or value is None or product.node not in self._behind(value):
            return False
        around = next((around for text, one, around in self._trail.added if (text, one) == (base, value)), ())
        names = _names(index)
        return any(names.isdisjoint(self._variables.get(loop, ())) for loop in around)

    def _is_kept(self, product: Product, source: Node) -> bool:
        """Whether a value comes from where something that is computed from a product has been put."""
        kept = self._kept_in(source)
        return kept is not None and any(product.node in self._behind(one) for one in self._stored.get(kept, ()))

    def _kept_in(self, source: Node) -> str | None:
        """The text of what an earlier turn has put the value into: `adv` of `adv[t + 1]`, or `self.adv` itself."""
        if source in self._trail.attributes:
            return unparsed(self._trail.attributes[source])
        return unparsed(self._trail.elements[source].value) if self._is_shifted(source) else None

    def _is_shifted(self, node: Node) -> bool:
        element = self._trail.elements.get(node)
        return element is not None and _shifted(element)

    def _has_delta(self, product: Product) -> bool:
        """Whether the sum that a product stands in has another discounted product: a delta."""
        return any(
            other is not product
            and other.discounted
            and other.loop == product.loop
            and self._added(product.node, other.node)
            for other in self._products
        )

    def _added(self, result: Node, other: Node) -> bool:
        """Whether some sum is made of both products, and one is not computed from the other."""
        for node in self._trail.sums:
            parts = [self._handed_on(source) for source in self._trail.flow.get(node, ())]
            if any(result in part for part in parts) and any(other in part and result not in part for part in parts):
                return True
        return False

    def _decays(self) -> list[Product]:
        """Products that are deltas of a GAE written as a sum; the masks of its decay are those of a carry.

        `a += decay * (r + gamma * v_next * mask - v); decay *= gamma * lam`: nothing valued is carried but the decay,
        and the sum runs over the border of an episode just the same, unless the decay ends there.
        """
        found: list[Product] = []
        for head, decays in self._decaying().items():
            loops = {product.loop for product in decays}
            others = [one for one in self._products if one.loop in loops and one not in decays]
            weighing = [one for one in others if any(factor.node == head for factor in one.factors)]
            factors = (factor.node for one in weighing for factor in one.factors if factor.node != head)
            weighted = set[Node]().union(*map(self._behind, factors))
            deltas = [product for product in self._products if product.discounted and product.node in weighted]
            masked = any(f.node != head and f.role not in _SCALARS for product in decays for f in product.factors)
            for product in (*decays, *weighing) if deltas else decays if masked else ():
                product.carried, product.gae = True, bool(deltas)
            for factor in (factor for product in (*decays, *weighing) for factor in product.factors):
                factor.decays = factor.decays or factor.node == head
            found += deltas
        return found

    def _decaying(self) -> dict[Node, list[Product]]:
        """What loops carry as a product of itself, to which nothing is added, by its head: the products."""
        found: dict[Node, list[Product]] = {}
        for product in self._products:
            for factor in product.factors:
                for head in self._nearest(factor.node) & self._heads.keys():
                    if product.node in self._multiplied(self._heads[head].backs[head]):
                        found.setdefault(head, []).append(product)
        return found

    def _multiplied(self, node: Node) -> set[Node]:
        """What a value is made of by products alone."""
        flow, sums = self._trail.flow, self._trail.sums
        return set(reach((node,), lambda one: () if one in sums else flow.get(one, ()), bound=_HANDED_ON))


def _name_traces(product: Product) -> None:
    """`gamma * l * gae * mask`: beside its discount, what the loop does not change is a λ, whatever it is called.

    A mask tells the rows apart, so it changes from turn to turn, and so does what is carried. A second discount is one
    as well: `0.99 * 0.95 * gae * mask`.
    """
    if product.discounted:
        discounts = [factor for factor in product.factors if factor.steady and factor.role == "discount"]
        for factor in discounts[1:]:
            factor.role = "trace"
        for factor in product.factors:
            if factor.steady and not factor.role:
                factor.role = "trace"


def _names(target: ast.expr) -> set[str]:
    return {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}


def _shifted(element: ast.Subscript) -> bool:
    """At `t + 1`, `i - 1`, `-1`, `0`: a neighbour in time, or the end of the list that grows."""
    index = unparsed(subscripts(element.slice)[0])
    return "+ 1" in index or "- 1" in index or index in ("-1", "0") or "+1" in index

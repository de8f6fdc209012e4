"""Loops over episode statistics in the infos of a vector environment, from lists to arrays.

Old: one dictionary an environment, `for item in infos: if "episode" in item: item["episode"]["r"]`.
New: one array a key, `infos["episode"]["r"][i]`, and a mask `infos["_episode"]` of who has an entry.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst
from libcst.helpers import parse_template_expression

from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.expressions import bare_tuple
from done_lint.syntax.shapes import is_name, is_negation, only_index, string_value
from done_lint.syntax.tree import Tree

_KEY = "episode"


@dataclass(frozen=True)
class EpisodeLoop:
    """One `for` over the infos of all environments."""

    tree: Tree
    loop: cst.For
    #: The infos of the step: a plain name.
    infos: cst.Name
    #: The test around the loop that asks for the key which the loop goes over, if there is one.
    guard: cst.Comparison | None = None

    def edits(self) -> Edits:
        """Edits that make it a loop over the mask; none where the loop does anything else."""
        item, index = self._names()
        if item is None or not isinstance(self.loop.body, cst.IndentedBlock) or self.loop.orelse is not None:
            return ()
        scope = self.tree.scope(self.loop)
        reads = [one for one in self.tree.scopes.reads(scope, item.value) if self.tree.within(one, self.loop.body)]
        others = [one for one in self.tree.scopes.reads(scope, item.value) if one not in reads]
        if item.value == self.infos.value or not all(self._of_another_loop(one) for one in others):
            return ()
        choice = self._choice(item.value)
        if choice is None:
            return ()
        test, negative = choice
        free = [name for name in ("i", "j", "k") if not self.tree.scopes.mentions(scope, name)]
        index = index or (free[0] if free else self.tree.scopes.fresh(scope, "index")[0])
        (ended,) = self.tree.scopes.fresh(scope, "ended")
        edits = [*self._header(index, ended)]
        new_test = f"not {ended}" if negative else ended
        edits += replaced(self.tree, test, parse_template_expression(new_test))
        for read in reads:
            if self.tree.within(read, test):
                continue
            value = self._statistic(read)
            if value is None:
                return ()
            edits += self._moved(value, index)
        return tuple(edits)

    def _of_another_loop(self, read: cst.Name) -> bool:
        """Whether a name is read in another loop, or comprehension, that binds it."""
        for ancestor in self.tree.ancestors(read):
            bound = ancestor.for_in.target if isinstance(ancestor, cst.BaseSimpleComp) else None
            bound = ancestor.target if isinstance(ancestor, cst.For) else bound
            names = self.tree.descend(bound) if bound is not None else ()
            if any(isinstance(one, cst.Name) and one.value == read.value for one in names):
                return True
        return False

    def _names(self) -> tuple[cst.Name | None, str]:
        """The loop's item, and its index where `enumerate` counts."""
        target, counted = self.loop.target, isinstance(self.loop.iter, cst.Call)
        if not counted:
            return (target if isinstance(target, cst.Name) else None), ""
        if isinstance(target, cst.Tuple) and len(target.elements) == 2:
            index, item = (element.value for element in target.elements)
            if isinstance(index, cst.Name) and isinstance(item, cst.Name):
                return item, index.value
        return None, ""

    def _choice(self, item: str) -> tuple[cst.BaseExpression, bool] | None:
        """The test that picks the environments whose episode ended, and whether it skips the others."""
        first, *others = self.loop.body.body
        if not isinstance(first, cst.If) or first.orelse is not None:
            return None
        if not others and self._asks(first.test, item, cst.And, cst.In, cst.IsNot):
            return first.test, False
        skips = self.tree.source(first.body).strip() == "continue"
        if others and skips and self._asks(first.test, item, cst.Or, cst.NotIn, cst.Is):
            return first.test, True
        return None

    def _asks(
        self,
        test: cst.BaseExpression,
        item: str,
        joint: type[cst.BaseBooleanOp],
        inside: type[cst.BaseCompOp],
        known: type[cst.BaseCompOp],
    ) -> bool:
        """`"episode" in item`, maybe behind `item` or `item is not None`; or all of that negated."""
        if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, joint):
            left = test.left
            if joint is cst.Or and isinstance(left, cst.UnaryOperation) and is_negation(left):
                left = left.expression
            some = is_name(left, item)
            exists = isinstance(left, cst.Comparison) and self.tree.source(left) in (
                f"{item} is not None" if known is cst.IsNot else f"{item} is None",
            )
            return (some or exists) and self._asks(test.right, item, joint, inside, known)
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return False
        (comparison,) = test.comparisons
        container = self.tree.source(comparison.comparator)
        return (
            isinstance(comparison.operator, inside)
            and string_value(test.left) == _KEY
            and container in (item, f"{item}.keys()")
        )

    def _statistic(self, read: cst.Name) -> cst.Subscript | None:
        """`item["episode"]["r"]`, with the `[0]` that the arrays of Gymnasium 0.29 needed."""
        entry = self.tree.parents[read]
        value = self.tree.parents[entry]
        if not (isinstance(entry, cst.Subscript) and entry.value is read and string_value(only_index(entry)) == _KEY):
            return None
        if not (
            isinstance(value, cst.Subscript)
            and value.value is entry
            and string_value(only_index(value)) in ("r", "l", "t")
        ):
            return None
        return value

    def _moved(self, value: cst.Subscript, index: str) -> Edits:
        outer = self.tree.parents[value]
        place: cst.BaseExpression = value
        if isinstance(outer, cst.Subscript) and outer.value is value and self.tree.source(outer).endswith("[0]"):
            place = outer
        entry = cst.ensure_type(value.value, cst.Subscript)
        element = [cst.SubscriptElement(cst.Index(cst.Name(index)))]
        new = cst.Subscript(value.with_changes(value=entry.with_changes(value=cst.Name(self.infos.value))), element)
        return replaced(self.tree, place, new)

    def _header(self, index: str, ended: str) -> Edits:
        """`for i, ended in enumerate(...)`, and the test around it."""
        infos = self.infos.value
        mask = f'{infos}["_{_KEY}"]' if self.guard is not None else f'{infos}.get("_{_KEY}", ())'
        target = bare_tuple(cst.Name(index), cst.Name(ended))
        edits = replaced(self.tree, self.loop.target, target)
        edits += replaced(self.tree, self.loop.iter, parse_template_expression(f"enumerate({mask})"))
        if self.guard is not None:
            edits += replaced(self.tree, self.guard, parse_template_expression(f'"{_KEY}" in {infos}'))
        return edits

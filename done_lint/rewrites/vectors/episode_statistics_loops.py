"""Loops over episode statistics in the infos of a vector environment, from lists to arrays.

Old: one dictionary an environment, `for item in infos: if "episode" in item: item["episode"]["r"]`.
New: one array a key, `infos["episode"]["r"][i]`, and a mask `infos["_episode"]` of who has an entry. Where the step
that ends an episode resets, all of it stands under `infos["final_info"]`, as the old dictionaries of Gym 0.26 did.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst
from libcst.helpers import parse_template_expression

from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.expressions import bare_tuple
from done_lint.syntax.shapes import is_name, is_negation, only_index, string_value
from done_lint.syntax.tree import Scope, Tree

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
    #: What the statistics stand under; empty: in the infos themselves.
    key: str = ""

    def edits(self) -> Edits:
        """Edits that make it a loop over the mask; none where the loop does anything else."""
        item, index = self._names()
        if item is None or not isinstance(self.loop.body, cst.IndentedBlock) or self.loop.orelse is not None:
            return ()
        scope = self.tree.scope(self.loop)
        reads = [one for one in self.tree.scopes.reads(scope, item.value) if self.tree.within(one, self.loop.body)]
        others = [one for one in self.tree.scopes.reads(scope, item.value) if one not in reads]
        if item.value == self.infos.value or not all(of_another_loop(self.tree, one) for one in others):
            return ()
        choice = self._choice(item.value)
        if choice is None:
            return ()
        test, negative, mask = choice
        free = [name for name in ("i", "j", "k") if not self.tree.scopes.mentions(scope, name)]
        index = index or (free[0] if free else self.tree.scopes.fresh(scope, "index")[0])
        (ended,) = self.tree.scopes.fresh(scope, "ended")
        edits = [*self._header(index, ended if test is not None else "", mask)]
        if test is not None:
            new_test = f"not {ended}" if negative else ended
            edits += replaced(self.tree, test, parse_template_expression(new_test))
        for read in reads:
            if test is not None and self.tree.within(read, test):
                continue
            edited = self._read(scope, read, index)
            if not edited:
                return ()
            edits += edited
        return tuple(edits)

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

    def _choice(self, item: str) -> tuple[cst.BaseExpression | None, bool, str] | None:
        """The test that picks the environments whose episode ended, whether it skips the others, and its mask.

        Without a test every environment is taken for one whose episode ended: the first that did so.
        """
        first, *others = self.loop.body.body
        if not isinstance(first, cst.If) or first.orelse is not None:
            last = (others or [first])[-1]
            alone = self.key and self.tree.source(last).strip() == "break" and not isinstance(self.loop.iter, cst.Call)
            return (None, False, f"_{self.key}") if alone else None
        if not others and self._asks(first.test, item, cst.And, cst.In, cst.IsNot):
            return first.test, False, f"_{_KEY}"
        if not others and self.key and self._exists(first.test, item, cst.IsNot):
            return first.test, False, f"_{self.key}"
        skips = others and self.tree.source(first.body).strip() == "continue"
        if skips and self._asks(first.test, item, cst.Or, cst.NotIn, cst.Is):
            return first.test, True, f"_{_KEY}"
        if skips and self.key and self._exists(first.test, item, cst.Is):
            return first.test, True, f"_{self.key}"
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
            return self._exists(test.left, item, known) and self._asks(test.right, item, joint, inside, known)
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return False
        (comparison,) = test.comparisons
        container = self.tree.source(comparison.comparator)
        return (
            isinstance(comparison.operator, inside)
            and string_value(test.left) == _KEY
            and container in (item, f"{item}.keys()")
        )

    def _exists(self, test: cst.BaseExpression, item: str, known: type[cst.BaseCompOp]) -> bool:
        """`item`, `item is not None`; or (`known` is `is`) `not item`, `item is None`."""
        if isinstance(test, cst.Comparison):
            return self.tree.source(test) == (f"{item} is not None" if known is cst.IsNot else f"{item} is None")
        if known is cst.Is:
            return isinstance(test, cst.UnaryOperation) and is_negation(test) and is_name(test.expression, item)
        return is_name(test, item)

    def _read(self, scope: Scope, read: cst.Name, index: str) -> Edits:
        """One number of the statistics, `item["episode"]["r"]`, or all of them; none where it is anything else."""
        if (value := self._statistic(read)) is not None:
            return self._moved(value, index)
        entry = self.tree.parents[read]
        if not (isinstance(entry, cst.Subscript) and entry.value is read and string_value(only_index(entry)) == _KEY):
            return ()
        if isinstance(self.tree.parents[entry], (cst.Subscript, cst.Attribute)):
            return ()
        (name,), (values,) = self.tree.scopes.fresh(scope, "name"), self.tree.scopes.fresh(scope, "values")
        statistics = self._in_quotes_of(entry, f'{self._container}["{_KEY}"].items() if {name} in ("r", "l", "t")')
        new = f"{{{name}: {values}[{index}] for {name}, {values} in {statistics}}}"
        return replaced(self.tree, entry, parse_template_expression(new))

    def _in_quotes_of(self, entry: cst.Subscript, text: str) -> str:
        """The text with the quotes of an expression that it replaces: an f-string may leave only one kind."""
        return text.replace('"', "'") if self.tree.source(entry).endswith("']") else text

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
        container = parse_template_expression(self._in_quotes_of(entry, self._container))
        new = cst.Subscript(value.with_changes(value=entry.with_changes(value=container)), element)
        return replaced(self.tree, place, new)

    @property
    def _container(self) -> str:
        """What the statistics stand in."""
        return f'{self.infos.value}["{self.key}"]' if self.key else self.infos.value

    def _mask(self, name: str) -> str:
        """The mask of ended episodes, which is not there while none has ended."""
        infos = self.infos.value
        if self.key and name == f"_{self.key}":
            return f'{infos}["{name}"]'
        if self.guard is not None:
            return f'{infos}["{name}"]'
        inside = self._container
        if self.key and not isinstance(_iterated(self.loop), cst.Subscript):
            inside = f'{infos}.get("{self.key}", {{}})'
        return f'{inside}.get("{name}", ())'

    def _header(self, index: str, ended: str, name: str) -> Edits:
        """`for i, ended in enumerate(...)`, and the test around it; without a test `for i in mask.nonzero()[0]`."""
        infos, mask = self.infos.value, self._mask(name)
        if not ended:
            edits = replaced(self.tree, self.loop.target, cst.Name(index))
            return edits + replaced(self.tree, self.loop.iter, parse_template_expression(f"{mask}.nonzero()[0]"))
        target = bare_tuple(cst.Name(index), cst.Name(ended))
        edits = replaced(self.tree, self.loop.target, target)
        edits += replaced(self.tree, self.loop.iter, parse_template_expression(f"enumerate({mask})"))
        if self.guard is not None:
            edits += replaced(self.tree, self.guard, parse_template_expression(f'"{_KEY}" in {infos}'))
        return edits


def _iterated(loop: cst.For) -> cst.BaseExpression:
    """What the loop goes over, without `enumerate`."""
    return loop.iter.args[0].value if isinstance(loop.iter, cst.Call) and loop.iter.args else loop.iter


def of_another_loop(tree: Tree, read: cst.Name) -> bool:
    """Whether a name is read in another loop, or comprehension, that binds it."""
    for ancestor in tree.ancestors(read):
        bound = ancestor.for_in.target if isinstance(ancestor, cst.BaseSimpleComp) else None
        bound = ancestor.target if isinstance(ancestor, cst.For) else bound
        names = tree.descend(bound) if bound is not None else ()
        if any(isinstance(one, cst.Name) and one.value == read.value for one in names):
            return True
    return False

"""`a, b = x, y`: an assignment of several values to as many targets, and how one of them leaves it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from done_lint.syntax.edits import Edits, added_after, replaced
from done_lint.syntax.expressions import assignment, bare_tuple
from done_lint.syntax.shapes import only_target
from done_lint.syntax.tree import Tree

_WORD = re.compile(r"[A-Za-z]\w*")
#: Values that are the same whenever they are computed, if no name in them is bound in between.
_PLAIN = (
    cst.BinaryOperation,
    cst.Dict,
    cst.Float,
    cst.Integer,
    cst.List,
    cst.Name,
    cst.SimpleString,
    cst.Tuple,
    cst.UnaryOperation,
)


@dataclass(frozen=True)
class SideBySide:
    """Such an assignment, and the place in it that is asked for."""

    tree: Tree
    statement: cst.Assign
    targets: Sequence[cst.BaseExpression]
    values: Sequence[cst.BaseExpression]
    place: int

    def parted(self, target: cst.BaseExpression) -> Edits:
        """A statement with another target for the place, and one for the others; none if that could change them."""
        if len(self.values) == 1 or "#" in self.tree.source(self.statement) or self._breaks():
            return ()
        first, second = _assigned(target, self.values[self.place]), self._rest()
        if not self._goes_first():
            if not self._goes_last():
                return ()
            first, second = second, first
        added = added_after(self.tree, self.statement, second, commented=self._is_about(second, first))
        return (*replaced(self.tree, self.statement, first), *added)

    def _is_about(self, second: cst.Assign, first: cst.Assign) -> bool:
        """Whether the comment in the row speaks of what the second statement binds, and not of the first one's."""
        row = self.tree.row(self.statement)
        comment = row.trailing_whitespace.comment if isinstance(row, cst.SimpleStatementLine) else None
        words = set(_WORD.findall(comment.value)) if comment is not None else set()
        one, other = (_WORD.findall(self.tree.module.code_for_node(each.targets[0])) for each in (second, first))
        return not words.isdisjoint(one) and words.isdisjoint(other)

    def _rest(self) -> cst.Assign:
        """The assignment without the place."""
        targets, values = self._others(self.targets), self._others(self.values)
        target, value = (bare_tuple(*row) if len(row) > 1 else row[0] for row in (targets, values))
        return _assigned(target, value)

    def _others(self, row: Sequence[cst.BaseExpression]) -> list[cst.BaseExpression]:
        return [one for index, one in enumerate(row) if index != self.place]

    def _breaks(self) -> bool:
        """Whether one of the values goes over a line's end, which parentheses around all of them may allow."""
        return any(self.tree.span(one).row != self.tree.span(one).end_row for one in (*self.targets, *self.values))

    def _goes_first(self) -> bool:
        """Whether the others do not see that the place has its value, and was computed, before them."""
        target = self.targets[self.place]
        others = [*self._others(self.targets), *self._others(self.values)]
        if any(self._meet(one, target) for one in others):
            return False
        later = self.values[: self.place] if self._is_local(target) else others
        return isinstance(target, (cst.Name, cst.Attribute)) and all(map(self._is_plain, later))

    def _goes_last(self) -> bool:
        """Whether the place does not see that the others have their values, and were computed, before it."""
        targets = self._others(self.targets)
        own = (self.targets[self.place], self.values[self.place])
        if not all(map(self._is_local, targets)) or any(self._meet(one, each) for one in own for each in targets):
            return False
        return all(map(self._is_plain, self.values[self.place + 1 :]))

    def _is_local(self, target: cst.BaseExpression) -> bool:
        """A variable that no function called here sees."""
        scope = self.tree.scope(self.statement)
        if not isinstance(target, cst.Name) or not isinstance(scope, cst.FunctionDef):
            return False
        names = self.tree.names(target.value)
        return not self.tree.scopes.is_declared(target.value) and all(
            self.tree.scope(one) is scope for one in names if self.tree.within(one, scope)
        )

    def _meet(self, other: cst.CSTNode, target: cst.BaseExpression) -> bool:
        """Whether something mentions the target."""
        kind = cst.Name if isinstance(target, cst.Name) else cst.Attribute
        text = self.tree.source(target)
        return any(self.tree.source(one) == text for one in self.tree.inside(kind, other))

    def _is_plain(self, value: cst.BaseExpression) -> bool:
        """Whether a value calls nothing and looks nothing up."""
        inside = self.tree.descend(value)
        return all(isinstance(one, _PLAIN) or not isinstance(one, cst.BaseExpression) for one in inside)


def side_by_side(tree: Tree, element: cst.CSTNode) -> SideBySide | None:
    """The assignment, if the element is one of its values and each target takes one."""
    values = tree.parents.get(element)
    if not isinstance(element, cst.Element) or not isinstance(values, cst.Tuple):
        return None
    statement = tree.parents[values]
    if not isinstance(statement, cst.Assign) or statement.value is not values:
        return None
    target = only_target(statement)
    if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != len(values.elements):
        return None
    if any(isinstance(one, cst.StarredElement) for one in (*target.elements, *values.elements)):
        return None
    place = values.elements.index(element)
    targets = [one.value for one in target.elements]
    return SideBySide(tree, statement, targets, [one.value for one in values.elements], place)


def _assigned(target: cst.BaseExpression, value: cst.BaseExpression) -> cst.Assign:
    if not isinstance(target, cst.BaseAssignTargetExpression):
        raise TypeError(f"{type(target).__name__} takes no value")
    return assignment(target, value)

"""Tests of how many environments there are: `if num_envs == 1:`, the `else` of `if num_envs > 1:`."""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.naming_conventions import environment_count
from done_lint.rewrites.vectors.vector_sizes import VectorSizes
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_negation, is_number, string_value
from done_lint.syntax.tree import Tree

#: How a number is compared of which only 1 is left, where the answer is yes and where it is no.
_ONE: dict[bool, frozenset[tuple[type[cst.BaseCompOp], str]]] = {
    True: frozenset({(cst.Equal, "1"), (cst.LessThan, "2"), (cst.LessThanEqual, "1")}),
    False: frozenset({(cst.NotEqual, "1"), (cst.GreaterThan, "1"), (cst.GreaterThanEqual, "2")}),
}
#: The same comparison from its other side: `1 < num_envs`.
_TURNED: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.GreaterThan,
    cst.LessThanEqual: cst.GreaterThanEqual,
    cst.GreaterThan: cst.LessThan,
    cst.GreaterThanEqual: cst.LessThanEqual,
}
#: What a block ends with that goes no further.
_LEAVING = (cst.Continue, cst.Break, cst.Return, cst.Raise)


class CountedAsOne:
    """Finds what one file tests of the number of its environments."""

    def __init__(self, tree: Tree, sizes: VectorSizes) -> None:
        """Look in a file, of whose vector environments the sizes are known."""
        self._tree = tree
        self._sizes = sizes

    def holds(self, node: cst.CSTNode) -> bool:
        """Whether a node is reached only where there is one environment."""
        inside = node
        for around in self._tree.ancestors(node):
            if isinstance(around, (cst.If, cst.IfExp)) and self._is_one_in(around, inside):
                return True
            if isinstance(around, cst.BaseStatement) and self._is_left_before(around):
                return True
            if isinstance(around, (cst.FunctionDef, cst.ClassDef)):
                break
            inside = around
        return False

    def _is_one_in(self, choice: cst.If | cst.IfExp, part: cst.CSTNode) -> bool:
        """Whether a part of a choice, which holds the node, is taken for one environment alone."""
        return part is not choice.test and self.is_settled(choice.test, yes=part is choice.body)

    def is_settled(self, test: cst.BaseExpression, *, yes: bool) -> bool:
        """Whether there is one environment where a test has this answer."""
        if isinstance(test, cst.UnaryOperation) and is_negation(test):
            return self.is_settled(test.expression, yes=not yes)
        if isinstance(test, cst.BooleanOperation):
            sides = [self.is_settled(one, yes=yes) for one in (test.left, test.right)]
            # both sides have the answer, or nobody knows which of them
            return any(sides) if isinstance(test.operator, cst.And) is yes else all(sides)
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return False
        (target,) = test.comparisons
        operator = type(target.operator)
        number, count = target.comparator, test.left
        if isinstance(count, cst.Integer):
            operator, number, count = _TURNED.get(operator, operator), count, number
        return any(operator is one and is_number(number, than) for one, than in _ONE[yes]) and self._is_count(count)

    def leaves(self, branch: cst.If, kinds: tuple[type[cst.CSTNode], ...] = _LEAVING) -> bool:
        """Whether a branch ends in `raise`, `continue` and the like where there is more than one."""
        return _last(branch.body, kinds) and self.is_settled(branch.test, yes=False)

    def _is_left_before(self, statement: cst.BaseStatement) -> bool:
        """Whether the block around goes no further where there are several: `if num_envs > 1: ...; continue`."""
        span = self._tree.span(statement)
        before = (one for one in self._tree.siblings(statement) if isinstance(one, cst.If))
        return any(self._tree.span(one) < span and self.leaves(one) for one in before)

    def _is_count(self, value: cst.BaseExpression) -> bool:
        """`env.num_envs`, `getattr(env, "num_envs", 1)`, and a name that is bound to it."""
        if isinstance(value, cst.Call) and last_name(value.func) == "getattr" and len(value.args) > 1:
            return environment_count(string_value(value.args[1].value))
        if environment_count(last_name(value)) or last_name(value) in self._sizes.counts - {""}:
            return True
        if not isinstance(value, cst.Name):
            return False
        bound = [self._tree.parents[one] for one in self._tree.scopes.bindings(self._tree.scope(value), value.value)]
        values = [self._tree.parents[one] for one in bound if isinstance(one, cst.AssignTarget)]
        return (
            len(values) == len(bound) == 1
            and isinstance(values[0], cst.Assign)
            and environment_count(last_name(values[0].value))
        )


def _last(body: cst.BaseSuite, kinds: tuple[type[cst.CSTNode], ...]) -> bool:
    """Whether a block ends with one of these statements."""
    last = body.body[-1]
    return isinstance(last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last, kinds)

"""Which expressions of a file hold the joined flag, and where `terminated` stands ready beside it."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.flags import Ways
from done_lint.rewrites.context import Context
from done_lint.rewrites.thread_flag.conversions import is_join
from done_lint.rewrites.thread_flag.variables import Variable, Variables
from done_lint.syntax.edits import exchanged


class FlagValues:
    """What the analysis knows of the values of one file."""

    def __init__(self, context: Context, ways: Ways, variables: Variables) -> None:
        """Of one file."""
        self.tree = context.tree
        self.flags = context.facts.flags
        self.ways = ways
        self.variables = variables

    def terminated_in(self, whole: cst.BaseExpression) -> cst.BaseExpression | None:
        """`terminated` of `terminated or truncated`, and `terminated.float()` of `(terminated | truncated).float()`."""
        known = self._known_in(whole)
        return known and self._converted(whole, known)

    def _converted(self, whole: cst.BaseExpression, known: cst.BaseExpression) -> cst.BaseExpression:
        """The flag, after what the whole does with the join of it and another."""
        around: list[cst.CSTNode] = [known]
        for one in self.tree.ancestors(known):
            if not self.tree.within(one, whole):
                break
            around.append(one)
        join = next((one for one in reversed(around) if is_join(one)), None)
        if join is None or join is whole:
            return known
        handed_on = (cst.Call, cst.Attribute, cst.Arg)
        direct = all(isinstance(one, handed_on) for one in around[around.index(join) + 1 :])
        return exchanged(whole, {join: known}) if direct else known

    def _known_in(self, whole: cst.BaseExpression) -> cst.BaseExpression | None:
        """The only name of `terminated` alone in an expression."""
        found = {
            self.tree.source(node): node
            for node in self.tree.descend(whole)
            if isinstance(node, (cst.Name, cst.Attribute))
            and (flag := self.flags.get(self.tree.span(node))) is not None
            and flag.terminated_only
            and not any(meaning.keep for meaning in flag.meanings)
        }
        return next(iter(found.values())) if len(found) == 1 else None

    def variables_in(self, whole: cst.BaseExpression) -> dict[cst.CSTNode, Variable]:
        """The variables inside that hold the joined flag."""
        found: dict[cst.CSTNode, Variable] = {}
        for node in self.tree.descend(whole):
            if any(self.tree.within(node, one) for one in found):
                continue
            variable = self.variables.at(node)
            if variable is not None and self._holds_joined_flag(node):
                found[node] = variable
        return found

    def contains_joined_flag(self, value: cst.BaseExpression) -> bool:
        """The value is computed from the joined flag."""
        flag = self.flags.get(self.tree.span(value))
        return (flag is not None and flag.truncation) or bool(self.variables_in(value))

    def is_own_call(self, node: cst.CSTNode) -> bool:
        """A call of one of the project's functions, which may return anything."""
        return isinstance(node, cst.Call) and self.tree.span(node) in self.ways.calls

    def is_start(self, value: cst.BaseExpression) -> bool:
        """The flag is false in it, or it is an empty container; anything else may end an episode in its own way."""
        if isinstance(value, cst.Name):
            return value.value in ("False", "None")
        if isinstance(value, (cst.Integer, cst.Float)):
            return float(value.evaluated_value) == 0
        if isinstance(value, (cst.List, cst.Tuple)):
            return all(self.is_start(element.value) for element in value.elements)
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Multiply):
            return isinstance(value.left, cst.List) and self.is_start(value.left)
        own = any(self.is_own_call(node) for node in self.tree.descend(value))
        return isinstance(value, cst.Call) and not own and self.tree.span(value) in self.ways.holders

    def terminated_before(self, read: cst.Name) -> cst.BaseExpression | None:
        """`terminated`, where `done = terminated or truncated` stands in a block around the place that reads `done`."""
        binding = self.variables.binding_before(read)
        assign = self.tree.parents[self.tree.parents[binding]] if binding is not None else None
        known = self._known_in(assign.value) if isinstance(assign, cst.Assign) else None
        if binding is None or not isinstance(assign, cst.Assign) or not isinstance(known, cst.Name):
            return None
        again = self.tree.scopes.bindings(self.tree.scope(read), known.value)
        start, end = self.tree.span(binding), self.tree.span(read)
        if any(start < self.tree.span(one) < end for one in again):
            return None
        return self._converted(assign.value, known)

    def is_flag_before(self, read: cst.Name) -> bool:
        """What is read was bound to something that holds the flag, not to a start value."""
        binding = self.variables.binding_before(read)
        if binding is None:
            return False
        parent = self.tree.parents[binding]
        assign = self.tree.parents[parent]
        return isinstance(parent, cst.Element) or (
            isinstance(assign, cst.Assign) and self.contains_joined_flag(assign.value)
        )

    def _holds_joined_flag(self, node: cst.CSTNode) -> bool:
        """The joined flag is the value, or stands somewhere inside it."""
        flag = self.flags.get(self.tree.span(node))
        return flag.truncation if flag is not None else self.tree.span(node) in self.ways.holders

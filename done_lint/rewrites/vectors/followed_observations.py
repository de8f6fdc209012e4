"""The observation that a step returned, followed through the names of the function that took the step."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.core.findings import Span
from done_lint.knowledge.array_functions import JOINING, PASSING, PASSING_METHODS
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import only_index, only_target, string_value
from done_lint.syntax.tree import Tree

#: Functions that put arrays into one.
_SIDE_BY_SIDE = JOINING & PASSING


class FollowedObservation:
    """Where the observation of one step is read, under whatever name."""

    def __init__(self, context: Context, step: Unpacking, observation: cst.Name) -> None:
        """Follow what the step gives to the name `observation`."""
        self.context = context
        self.tree: Tree = context.tree
        self.step, self.name = step, observation

    def behind(self, name: cst.Name, statement: cst.CSTNode) -> Iterator[cst.Name]:
        """The reads of what a statement gives to a name, until the name gets another value."""
        tree, scope, start = self.tree, self.step.scope, self.span(statement)
        others = [one for one in tree.scopes.bindings(scope, name.value) if one is not name]
        for read in tree.scopes.reads(scope, name.value):
            end = self.span(read)
            if tree.scope(read) is not scope or end < start or tree.within(read, statement):
                continue
            row = tree.row(read)  # what it binds gets its value later
            if not any(start < self.span(one) < end and tree.row(one) is not row for one in others):
                yield read

    def renamed(self) -> Iterator[cst.Name]:
        """The reads of the names that are given the same observation: `next_obs = torch.from_numpy(seen)`."""
        waiting, seen = list(self.behind(self.name, self.step.statement)), {self.name}
        while waiting:
            whole = self.whole(waiting.pop())
            statement = self.tree.row(whole)
            target = only_target(self.tree.parents[self._replaced(whole)])
            if statement is None or not isinstance(target, cst.Name) or target in seen:
                continue
            seen.add(target)
            later = list(self.behind(target, statement))
            yield from later
            waiting += later

    def whole(self, read: cst.BaseExpression) -> cst.BaseExpression:
        """The expression around a read that is the same observation: in another kind of array, or one part of it."""
        tree = self.tree
        around, outer = tree.parents[read], tree.parents[tree.parents[read]]
        found: cst.BaseExpression | None = None
        if isinstance(around, cst.Element) and isinstance(outer, (cst.Tuple, cst.List)):
            # side by side with something else, in one array: `np.hstack((next_obs, goal))`
            call = tree.parents[tree.parents[outer]]
            if isinstance(call, cst.Call) and call.args[0].value is outer and last_name(call.func) in _SIDE_BY_SIDE:
                return self.whole(call)
        if isinstance(around, cst.Arg) and isinstance(outer, cst.Call) and outer.args[0] is around:
            name = outer.func.attr.value if isinstance(outer.func, cst.Attribute) else tree.source(outer.func)
            found = outer if name in PASSING else None
        elif isinstance(around, cst.Attribute) and isinstance(outer, cst.Call) and outer.func is around:
            found = outer if around.attr.value in PASSING_METHODS else None
        elif isinstance(around, cst.Subscript) and around.value is read and string_value(only_index(around)):
            found = around
        return read if found is None else self.whole(found)

    def _replaced(self, read: cst.BaseExpression) -> cst.BaseExpression:
        """The call that makes the observation what is called the same from there on: `next_obs = scaled(next_obs)`."""
        around = self.tree.parents[read]
        call = self.tree.parents[around] if isinstance(around, cst.Arg) else None
        if not isinstance(call, cst.Call) or not isinstance(read, cst.Name):
            return read
        others = [one.value for one in call.args if one is not around]
        if not all(isinstance(one, (cst.BaseNumber, cst.SimpleString, cst.UnaryOperation)) for one in others):
            return read
        target = only_target(self.tree.parents[call])
        return call if isinstance(target, cst.Name) and target.value == read.value else read

    def target(self, read: cst.CSTNode) -> cst.BaseExpression | None:
        """What is assigned a value that is made of nothing else: `x` in `x = torch.tensor(next_obs)`.

        By JAX `rows.at[t].set(next_obs)` assigns it to an item of a copy.
        """
        node = self.tree.parents[read]
        while isinstance(node, (cst.Arg, cst.Call, cst.Attribute)):
            if isinstance(node, cst.Call) and (put := put_by_jax(node)) is not None:
                return put[0]
            node = self.tree.parents[node]
        return node.targets[0].target if isinstance(node, cst.Assign) and len(node.targets) == 1 else None

    def derived(self, read: cst.Name) -> Iterator[cst.Name]:
        """The reads of the names that are given what was computed from it: `next_value = critic(next_obs)`."""
        waiting, seen = [read], {self.name.value}
        while waiting:
            target = self.target(waiting.pop())
            if isinstance(target, cst.Name) and target.value not in seen:
                seen.add(target.value)
                start = self.tree.span(target)
                later = [one for one in self.tree.scopes.reads(self.step.scope, target.value) if start < self.span(one)]
                yield from later
                waiting += later

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node stands."""
        return self.tree.span(node)


def put_by_jax(call: cst.Call) -> tuple[cst.Subscript, cst.BaseExpression] | None:
    """The item and the value of `rows.at[t].set(value)`."""
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value != "set" or len(call.args) != 1:
        return None
    item = func.value
    of_at = isinstance(item, cst.Subscript) and isinstance(item.value, cst.Attribute) and item.value.attr.value == "at"
    return (item, call.args[0].value) if isinstance(item, cst.Subscript) and of_at else None

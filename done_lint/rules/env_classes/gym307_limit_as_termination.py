"""An environment ends at its own limit of steps and calls that termination.

## What it does
Reports the comparison of a step count with its limit, in an environment class, whose result `step` returns as
`terminated` (or as the old `done`). A step count is an attribute that a method increases by one each time it runs and
that `reset` sets back. The end of data (`self.day >= len(self.prices)`, also where an attribute has that amount, or as
many were drawn as the limit says and the count takes one after the other) is not reported, nor is a limit that is part
of the task: it alone ends the episode and decides the reward or is one step by default (a bandit), the whole reward is
given there, or it is returned as both flags and the observation has the time. Neither is one that the observation
tells: it has the count or the part of the time that has passed (in any unit that stays the same, as sine and cosine, in
two parts: `self.steps // 60`, `self.steps % 60`), the count as the place of a one (`row[self.steps] = 1`), in a record
or a text, a list to which each step adds one, or, where the limit alone ends the episode, a stage computed from the
count alone. Left are also a board that is full, where each action fills a place of it, a match that is decided there (a
branch on the limit pays by what else has changed), and what only answers calls after the end.

## Why it matters
Termination means that no reward can follow: a value target is cut there. A step limit is truncation: without it, the
task would have continued. Returned as termination it makes every agent learn values that are wrong near the limit,
and no agent can correct that, because the flags no longer tell the two apart.

## Example
```python
import gymnasium as gym


class Walk(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = self.steps = 0
        return self.x, {}

    def step(self, action):
        self.x += action
        self.steps += 1
        terminated = self.x < 0 or self.steps >= 200
        return self.x, 1.0, terminated, False, {}
```

## Use instead
```python
import gymnasium as gym


class Walk(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = self.steps = 0
        return self.x, {}

    def step(self, action):
        self.x += action
        self.steps += 1
        terminated = self.x < 0
        truncated = self.steps >= 200
        return self.x, 1.0, terminated, truncated, {}
```

## Fix safety
Unsafe: agents bootstrap at the limit from then on, as they should, but code that tests `terminated` alone does
not see the limit any more. There is a fix where `step` returns five values in one place, the fourth of them `False`
or a flag that the branch can set instead, and nothing else in it reads the flag.

## References
- [Gymnasium: Handling time limits](https://gymnasium.farama.org/tutorials/gymnasium_basics/handling_time_limits/)
- [Pardo et al.: Time Limits in Reinforcement Learning](https://arxiv.org/abs/1712.00378)
"""

from __future__ import annotations

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.facts.kinds.classes import OwnLimit
from done_lint.rewrites.env_methods import class_around, method_around
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.step_methods import fix_step_methods
from done_lint.rewrites.step_tuple.unpack import PENDING
from done_lint.rewrites.time_limit.finite_horizon import is_answer, is_only_end
from done_lint.rewrites.time_limit.info_key import KEY
from done_lint.rewrites.time_limit.own_limits import is_of_task
from done_lint.rules.base import Rule
from done_lint.syntax.edits import Edits, added_after, added_before
from done_lint.syntax.shapes import is_name, only_index, only_target, string_value

_TITLE = "return the limit as `truncated`"
#: The key of dm_env's discount, which is zero only where the task is over. dm_env 1.6 `TimeStep`.
_DISCOUNT = "discount"
_ANOTHER = "`step` has another value for `truncated` already"
_ALONE = "code that tests `terminated` alone would not see the limit any more"
_MIXED = "`step` does not show which part of the flag is the limit"


class LimitAsTermination(Rule):
    """GYM307."""

    code = "GYM307"
    incompatibility = ""

    def visit_Comparison(self, node: cst.Comparison) -> None:
        """Look at every comparison of a step count."""
        limit = self.facts.limits.get(self.span(node))
        method = method_around(self.context, node) if limit is not None else None
        if limit is None or method is None or limit.owner.double:
            return
        if limit.arity == 4 and (self._tells_apart(node, method) or self._stays_four(limit)):
            return  # the fix of GYM301 makes it truncation, or there is no other flag to return it as
        if is_of_task(self.context, node, method, limit):
            return
        outcome = self._outcome(node, method, limit)
        self.report(
            node,
            f"the limit `{self.source(node)}` is returned as termination, but it is truncation: agents learn "
            "wrong values",
            help="return it as `truncated`, separate from the real end of the task",
            outcome=outcome,
            related=[place for one in limit.owner.evidence for place in self.elsewhere(node, one)],
        )

    def _tells_apart(self, node: cst.Comparison, method: cst.FunctionDef) -> bool:
        """Whether the info says that the end is a limit: by the key of old Gym, or by a discount of one beside it."""
        if any(string_value(one) == KEY for one in self.tree.descend(method)):
            return True
        branch = next((one for one in self.tree.ancestors(node) if isinstance(one, cst.If)), None)
        if branch is None or not self.tree.within(node, branch.test):
            return False
        return any(self._is_full_discount(one) for one in self.tree.inside(cst.Assign, branch.body))

    def _is_full_discount(self, given: cst.Assign) -> bool:
        """`info["discount"] = np.float32(1.0)`: what dm_env gives at a limit, where `1 - done` would cut the value."""
        target = given.targets[0].target
        if not isinstance(target, cst.Subscript) or string_value(only_index(target)) != _DISCOUNT:
            return False
        floats = [one.evaluated_value for one in self.tree.inside(cst.Float, given.value)]
        integers = [one.evaluated_value for one in self.tree.inside(cst.Integer, given.value)]
        return floats + integers == [1]

    def _stays_four(self, limit: OwnLimit) -> bool:
        """GYM301 cannot give the step five values: one flag is all that it can return until what it steps changes.

        A class of the project that it steps is reported itself, and changes with it.
        """
        if not any(old.owner.row == limit.owner.row for old in self.context.old_returns):
            return False
        outcome = fix_step_methods(self.context, limit.owner)
        return outcome.fix is None and outcome.unfixed != PENDING

    def _outcome(self, node: cst.Comparison, method: cst.FunctionDef, limit: OwnLimit) -> Outcome:
        if method.name.value != "step":
            return unfixed(self._in_another_method(node, method))
        if (owner := class_around(self.context, node)) is not None and owner.order:
            return unfixed("`step` returns its values in the wrong order")
        if limit.arity == 4:
            return unfixed("`step` has to return five values first")
        returns = [one for one in self.tree.descend(method, into_functions=False) if isinstance(one, cst.Return)]
        values = returns[0].value if len(returns) == 1 else None
        if not isinstance(values, cst.Tuple) or len(values.elements) != 5:
            return unfixed("`step` returns in several ways")
        terminated, truncated = values.elements[2].value, values.elements[3].value
        if isinstance(truncated, cst.Name) and isinstance(terminated, cst.Name) and truncated.value != "False":
            return self._between_flags(node, method, terminated, truncated)
        if not is_name(truncated, "False"):
            return unfixed(_ANOTHER)
        if self.tree.within(node, terminated):
            return self._in_return(node, terminated, truncated)
        if not isinstance(terminated, cst.Name) or self.tree.scopes.mentions(method, "truncated"):
            return unfixed(_MIXED)
        edits = self._of_name(node, method, returns[0], terminated)
        if edits is None:
            return unfixed(_MIXED)
        return fixed(_TITLE, edits, self._replaced(truncated, "truncated"), unsure=_ALONE)

    def _in_another_method(self, node: cst.Comparison, method: cst.FunctionDef) -> str:
        """Why there is no fix of a limit in a method that `step` calls."""
        name, inner = method.name.value, self.tree.descend(method, into_functions=False)
        if all(one.value is None for one in inner if isinstance(one, cst.Return)):
            return f"`{name}` sets the flag of real ends at the limit: set another one there"
        alone = is_answer(self.tree, node, method) or is_only_end(self.tree, node, method)
        rest = "alone: return it as another flag" if alone else "and the real end as one flag: split it in two"
        return f"`{name}` returns the limit {rest}"

    def _in_return(
        self, node: cst.Comparison, terminated: cst.BaseExpression, truncated: cst.BaseExpression
    ) -> Outcome:
        """The comparison stands in the returned tuple itself."""
        rest = "False" if node is terminated else self._without(node, terminated)
        if not rest:
            return unfixed(_MIXED)
        limit = self._replaced(truncated, self.tree.source(node))
        return fixed(_TITLE, self._replaced(terminated, rest), limit, unsure=_ALONE)

    def _of_name(
        self, node: cst.Comparison, method: cst.FunctionDef, end: cst.Return, terminated: cst.Name
    ) -> Edits | None:
        """The comparison decides a variable that `step` returns."""
        scopes = self.tree.scopes
        bindings = scopes.bindings(method, terminated.value)
        asked = [one for one in scopes.reads(method, terminated.value) if one is not terminated]
        parent = self.tree.parents[node]
        if self._is_whole(node, method, terminated):
            renamed = [edit for one in (*bindings, *asked) for edit in self._replaced(one, "truncated")]
            return (*renamed, *self._replaced(terminated, "False"))
        if asked or not self._is_straight(end, method):
            return None
        if isinstance(parent, cst.If) and parent.test is node and self._is_straight(parent, method):
            return self._of_branch(parent, terminated.value)
        statement = next((one for one in self.tree.ancestors(node) if isinstance(one, cst.BaseSmallStatement)), None)
        if isinstance(statement, cst.Assign) and self._binds(statement, terminated.value):
            rest = self._without(node, statement.value)
            # what comes after may take the flag back
            last = statement.targets[0].target is bindings[-1]
            if rest and last and self._is_straight(statement, method):
                value = cst.parse_expression(self.tree.source(node))
                found = cst.Assign([cst.AssignTarget(cst.Name("truncated"))], value)
                return (*self._replaced(statement.value, rest), *added_after(self.tree, statement, found))
        return None

    def _between_flags(
        self, node: cst.Comparison, method: cst.FunctionDef, terminated: cst.Name, truncated: cst.Name
    ) -> Outcome:
        """`step` returns two variables."""
        whole = self._is_whole(node, method, terminated)
        edits = (
            self._exchanged(method, terminated, truncated)
            if whole
            else self._of_flags(node, method, terminated, truncated)
        )
        if edits is None:
            return unfixed(_ANOTHER if whole else _MIXED)
        return fixed(_TITLE, edits, unsure=_ALONE)

    def _of_flags(
        self, node: cst.Comparison, method: cst.FunctionDef, terminated: cst.Name, truncated: cst.Name
    ) -> Edits | None:
        """`if limit: terminated = True` where there is a flag of truncation: it is the one to set."""
        scopes, branch = self.tree.scopes, self.tree.parents[node]
        if not isinstance(branch, cst.If) or branch.test is not node or terminated.value == truncated.value:
            return None
        around = [scopes.bindings(method, truncated.value), scopes.reads(method, terminated.value)]
        bound = any(self.span(one) < self.span(branch) for one in around[0])
        asked = any(one is not terminated and self.span(one) > self.span(branch) for one in around[1])
        target = None if asked or not bound else self._set_in(branch, terminated.value)
        return self._replaced(target, truncated.value) if target is not None else None

    def _is_whole(self, node: cst.Comparison, method: cst.FunctionDef, terminated: cst.Name) -> bool:
        """Whether the flag is the limit and nothing else."""
        parent = self.tree.parents[node]
        bindings = self.tree.scopes.bindings(method, terminated.value)
        return isinstance(parent, cst.Assign) and len(bindings) == 1 and self._binds(parent, terminated.value)

    def _exchanged(self, method: cst.FunctionDef, terminated: cst.Name, truncated: cst.Name) -> Edits | None:
        """`truncated = limit` and `terminated = False`, where they were the other way round."""
        scopes = self.tree.scopes
        other = scopes.bindings(method, truncated.value)
        statement = self.tree.parents.get(self.tree.parents[other[0]]) if len(other) == 1 else None
        asked = any(one is not truncated for one in scopes.reads(method, truncated.value))
        if asked or not isinstance(statement, cst.Assign) or not self._binds(statement, truncated.value):
            return None
        if not is_name(statement.value, "False"):
            return None
        of_limit = (*scopes.bindings(method, terminated.value), *scopes.reads(method, terminated.value))
        renamed = [edit for one in of_limit if one is not terminated for edit in self._replaced(one, truncated.value)]
        return (*renamed, *self._replaced(other[0], terminated.value))

    def _of_branch(self, branch: cst.If, name: str) -> Edits | None:
        """`if limit: done = True`, and nothing else."""
        target = self._set_in(branch, name)
        if target is None:
            return None
        before = cst.Assign([cst.AssignTarget(cst.Name("truncated"))], cst.Name("False"))
        return (*added_before(self.tree, branch, before), *self._replaced(target, "truncated"))

    def _set_in(self, branch: cst.If, name: str) -> cst.BaseExpression | None:
        """The target of `name = True`, where that is all the branch does."""
        rows = branch.body.body
        row = rows[0] if len(rows) == 1 and branch.orelse is None else None
        statement = row.body[0] if isinstance(row, cst.SimpleStatementLine) and len(row.body) == 1 else row
        if not isinstance(statement, cst.Assign) or not self._binds(statement, name):
            return None
        if not is_name(statement.value, "True"):
            return None
        return statement.targets[0].target

    def _without(self, node: cst.Comparison, whole: cst.BaseExpression) -> str:
        """The rest of `a or limit`, without the limit; empty where it is not one side of it."""
        if not isinstance(whole, cst.BooleanOperation) or not isinstance(whole.operator, cst.Or):
            return ""
        if whole.right is node:
            return self.tree.source(whole.left)
        if whole.left is node:
            return self.tree.source(whole.right)
        return ""

    def _binds(self, statement: cst.Assign, name: str) -> bool:
        return is_name(only_target(statement), name)

    def _is_straight(self, statement: cst.CSTNode, method: cst.FunctionDef) -> bool:
        """Whether the statement stands in the method's own block, where every run of it comes by."""
        place = statement if isinstance(statement, cst.BaseCompoundStatement) else self.tree.parents[statement]
        return self.tree.parents[place] is method.body

    def _replaced(self, node: cst.BaseExpression, text: str) -> Edits:
        return (Edit(*self.tree.offsets(node), text),)

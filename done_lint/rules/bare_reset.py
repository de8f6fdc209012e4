"""The result of `reset()` is used as the observation, but it is a pair.

## What it does
Reports `env.reset()` whose value is used as the observation, in any expression, where `env` speaks the
Gymnasium API.

## Why it matters
`reset` returns `(observation, info)`. Used as the observation the pair fails far from its origin
(`inhomogeneous shape`, `Could not infer dtype of dict`), or not at all: on MountainCar
`position, velocity = env.reset()` quietly takes the observation and the info.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs = env.reset()
print(obs.shape)
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, _ = env.reset()
print(obs.shape)
```

## Fix safety
Safe: the info is new, nobody reads it. A bare statement `env.reset()` is right as it is. There is no fix
where an environment of the project that returns the observation alone can arrive as well.

## References
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

import libcst as cst

from done_lint.findings import Fix
from done_lint.model.facts import ResetResult
from done_lint.rules.own_reset import HELD_UP as _PENDING
from done_lint.rules.own_reset import mend_of_call
from done_lint.rules.pair_target import split
from done_lint.rules.rule import Mend, Rule, fix_of
from done_lint.syntax.edits import Edits, rewritten


class FirstOfPair(cst.CSTTransformer):
    """Turns one call `env.reset()` into `env.reset()[0]`."""

    def __init__(self, call: cst.Call) -> None:
        """`call` is the one to rewrite."""
        super().__init__()
        self.call = call

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Take the observation out of the pair."""
        if original_node is not self.call:
            return updated_node
        first = cst.SubscriptElement(cst.Index(cst.Integer("0")))
        return cst.Subscript(
            updated_node.with_changes(lpar=(), rpar=()), [first], lpar=updated_node.lpar, rpar=updated_node.rpar
        )


class BareReset(Rule):
    """GYM104."""

    code = "GYM104"

    def visit_Call(self, node: cst.Call) -> None:
        """Look at every call of `reset`."""
        reset = self.facts.resets.get(self.span(node))
        if reset is None or reset.env.api.reset != ("obs", "info"):
            return
        if reset.handled or reset.guarded or reset.passed_on or self._right(node):
            return
        mended = self._mend(node, reset)
        self.report(
            node,
            f"`{self.source(node)}` returns an observation and an info, but is used as the observation",
            help=f"take both: `obs, info = {self.source(node)}`",
            fix=mended.fix,
            unfixed=mended.unfixed,
            related=self.elsewhere(node, reset.origin),
            certainty=reset.env.certainty,
        )

    def _right(self, node: cst.Call) -> bool:
        """Forms that are right with a pair, or that nobody uses as an observation."""
        parent = self.tree.parents[node]
        if isinstance(parent, (cst.Lambda, cst.Await)) or self._unused(node):
            return True
        if isinstance(parent, cst.Subscript) and parent.value is node:
            return True
        keywords = {argument.keyword.value for argument in node.args if argument.keyword is not None}
        # `return_info` is an argument of old Gym: such a call has its pair already.
        return "return_info" in keywords or (bool(keywords & {"seed", "options"}) and self._handed_on(parent))

    def _unused(self, node: cst.CSTNode) -> bool:
        """A statement of its own, a branch of one (`env.reset() if done else None`), or `_ = env.reset()`."""
        parent = self.tree.parents[node]
        if isinstance(parent, cst.Assign):
            target = self._only_target(parent)
            if not isinstance(target, cst.Name) or target.value.strip("_"):
                return False
            return not self.tree.scopes.is_read(self.tree.scope(parent), target.value)
        branch = isinstance(parent, cst.IfExp) and parent.test is not node
        last = isinstance(parent, cst.BooleanOperation) and parent.right is node
        return isinstance(parent, cst.Expr) or ((branch or last) and self._unused(parent))

    def _handed_on(self, parent: cst.CSTNode) -> bool:
        """Whether code that knows today's arguments hands the pair on, other than to make an array of it."""
        if isinstance(parent, cst.Element):
            return not isinstance(self.tree.parents.get(self.tree.parents[parent]), cst.Assign)
        call = self.tree.parents[parent]
        return isinstance(parent, cst.Arg) and isinstance(call, cst.Call) and _last_name(call.func) not in _ARRAYS

    def _mend(self, node: cst.Call, reset: ResetResult) -> Mend:
        if reset.env.mixed:
            return Mend(unfixed=_MIXED)
        if (together := mend_of_call(self.context, node)) is not None:
            return together
        return Mend(unfixed=_PENDING) if reset.pending else Mend(self._fix(node))

    def _fix(self, node: cst.Call) -> Fix:
        edits = self._pair(node) or rewritten(self.tree, node, FirstOfPair(node))
        return fix_of("take the observation out of the pair", edits)

    def _pair(self, node: cst.Call) -> Edits:
        """The target that can take the pair: of a plain assignment, or of its place in a tuple."""
        element = self.tree.parents[node]
        values = self.tree.parents.get(element)
        if isinstance(element, cst.Assign):
            target = self._only_target(element)
            return () if target is None else self._split(target, element, inside=False)
        if not isinstance(element, cst.Element) or not isinstance(values, cst.Tuple):
            return ()
        statement = self.tree.parents[values]
        if not isinstance(statement, cst.Assign) or statement.value is not values:
            return ()
        target = self._only_target(statement)
        if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != len(values.elements):
            return ()
        if any(isinstance(one, cst.StarredElement) for one in (*target.elements, *values.elements)):
            return ()
        return self._split(target.elements[values.elements.index(element)].value, statement, inside=True)

    def _only_target(self, statement: cst.Assign) -> cst.BaseExpression | None:
        """The target of an assignment that is not chained."""
        return statement.targets[0].target if len(statement.targets) == 1 else None

    def _split(self, target: cst.BaseExpression, statement: cst.Assign, *, inside: bool) -> Edits:
        scopes, scope = self.tree.scopes, self.tree.scope(statement)
        (info,) = ("_",) if not scopes.is_read(scope, "_") else scopes.fresh(scope, "info")
        if isinstance(target, cst.List):
            return ()
        return split(self.tree, target, info, inside=inside)


_MIXED = "another environment that arrives here returns the observation alone"

#: Functions that want the observation alone.
_ARRAYS = frozenset({"array", "asarray", "as_tensor", "from_numpy", "stack", "tensor", "FloatTensor", "Tensor"})


def _last_name(func: cst.BaseExpression) -> str:
    """The name of what is called, without its module."""
    name = func.attr if isinstance(func, cst.Attribute) else func
    return name.value if isinstance(name, cst.Name) else ""

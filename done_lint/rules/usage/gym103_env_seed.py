"""`env.seed(s)` does not exist any more.

## What it does
Reports calls of `seed` on environments that speak the Gymnasium API. `env.action_space.seed(s)` is another
method and not reported, nor is `env.unwrapped.seed(s)` in a file that imports Gymnasium: it is a method of the
environment's own class. A `seed` that a class of the project defines is the project's own: it is not
reported where such an environment arrives, nor where nothing shows what arrives and the program has such a class.

## Why it matters
Since Gym 0.26 an environment is seeded by `reset(seed=s)`; `env.seed(s)` raises `AttributeError`.

A seed belongs to the first reset only: in a loop over episodes `reset(seed=s)` would make all episodes
start alike.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
env.seed(0)
obs, info = env.reset()
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset(seed=0)
```

## Fix safety
Safe. The seed goes into the next reset of the same environment in the same block. Where that reset stands
in a loop or in another function, `env.reset(seed=s)` takes the place of the call. There is no fix where
the call's value is used, none inside a method `seed`, and none where an environment of the old API may be
used as well.

## References
- [Gymnasium: Env.reset](https://gymnasium.farama.org/api/env/#gymnasium.Env.reset)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.facts.facts import Env
from done_lint.knowledge.env_apis import BARE, GYMNASIUM
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.env_methods import receiver as receiver_of
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword, keyword_argument
from done_lint.syntax.edits import removed, replaced
from done_lint.syntax.shapes import is_name, method_called

_MIXED = "another environment that is used here may still have the method"


def _is_unwrapped(env: Env) -> bool:
    """The bare environment behind the wrappers of `make`, which may be anybody's; no class of the library's own."""
    return env.layers == BARE and env.api == GYMNASIUM and all(made.function.endswith("make") for made in env.made)


class EnvSeed(Rule):
    """GYM103."""

    code = "GYM103"

    def visit_Call(self, node: cst.Call) -> None:
        """Look at every call of a method `seed`."""
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "seed":
            return
        env = self.facts.envs.get(self.span(node.func.value))
        if env is None or env.api.seed or not env.api.five or asks_first(self.tree, node):
            return
        if self.span(node.func) not in self.facts.members:
            return  # a class of the project that arrives here, or may, has that method
        if _is_unwrapped(env):
            return  # who goes around every wrapper means a method of the environment's own
        outcome = unfixed(_MIXED) if env.mixed or self._is_mixed(node.func.value) else self._outcome(node)
        receiver = self.source(node.func.value)
        self.report(
            node,
            f"`{receiver}` has no method `seed`: this raises `AttributeError`",
            help=f"seed the first reset: `{receiver}.reset(seed=...)`",
            outcome=outcome,
            env=env,
        )

    def _is_mixed(self, receiver: cst.BaseExpression) -> bool:
        """Whether a step or reset of the same object, in the same function, can be answered in the old way."""
        text, scope = self.tree.source(receiver), self.tree.scope(receiver)
        mixed = [span for span, step in self.facts.steps.items() if step.env.mixed]
        mixed += [span for span, reset in self.facts.resets.items() if reset.env.mixed]
        for call in map(self.tree.expressions.get, mixed):
            if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
                continue
            if self.tree.source(call.func.value) == text and self.tree.scope(call) is scope:
                return True
        return False

    def _outcome(self, node: cst.Call) -> Outcome:
        statement = self.tree.parents[node]
        seed = self._seed(node)
        if isinstance(statement, (cst.ListComp, cst.GeneratorExp)) and seed is not None:
            outer = self.tree.parents[statement]
            if isinstance(outer, cst.Expr) and isinstance(statement, cst.ListComp):
                return self._in_place(node, seed)
        if not isinstance(statement, cst.Expr):
            return unfixed("its value is used")
        if len(node.args) > 1 or any(argument.star for argument in node.args):
            return unfixed("it has more than one argument")
        scope = self.tree.scope(node)
        if isinstance(scope, cst.FunctionDef) and scope.name.value in ("seed", "_seed"):
            return unfixed("it stands in a method `seed`, whose own seed has to go to `reset` as well")
        if seed is None:
            return fixed("remove the call", removed(self.tree, statement))
        reset = self._next_reset(node, statement, seed)
        if reset is None:
            return self._in_place(node, seed)
        edits = [removed(self.tree, statement)]
        if not any(keyword(argument) == "seed" for argument in reset.args):
            edits.append(replaced(self.tree, reset, reset.with_changes(args=[seed, *reset.args])))
        return fixed("seed the next reset", *edits)

    def _in_place(self, node: cst.Call, seed: cst.Arg) -> Outcome:
        """`env.seed(s)` as `env.reset(seed=s)`."""
        reset = node.with_changes(func=node.func.with_changes(attr=cst.Name("reset")), args=[seed])
        return fixed("seed a reset", replaced(self.tree, node, reset))

    def _seed(self, node: cst.Call) -> cst.Arg | None:
        """`seed=s` for the argument of the call; none where it asks for a random seed."""
        if not node.args or is_name(node.args[0].value, "None"):
            return None
        value = node.args[0].value
        if self._from_numpy(value):
            # Gymnasium takes Python's own integers only.
            value = cst.Call(cst.Name("int"), [cst.Arg(value)])
        return keyword_argument("seed", value)

    def _from_numpy(self, value: cst.BaseExpression) -> bool:
        """Whether the seed is drawn by numpy in the call itself."""
        text = self.tree.source(value)
        return isinstance(value, cst.Call) and text.startswith(
            ("np.", "numpy.", "rng.", "self.np_random.", "self.rng.")
        )

    def _next_reset(self, node: cst.Call, statement: cst.Expr, seed: cst.Arg) -> cst.Call | None:
        """The next reset of the same environment in the same block, on a straight line from here."""
        line = self.tree.parents[statement]
        if not isinstance(line, cst.SimpleStatementLine) or not isinstance(node.func, cst.Attribute):
            return None
        receiver = self.tree.source(node.func.value)
        root = receiver.split(".")[0].split("[")[0]
        names = {one.value for one in self.tree.descend(node.args[0].value) if isinstance(one, cst.Name)}
        moves = not any(isinstance(one, cst.Call) for one in self.tree.descend(node.args[0].value))
        block = self.tree.siblings(line)
        following: list[cst.CSTNode] = [*line.body[line.body.index(statement) + 1 :], *block[block.index(line) + 1 :]]
        for later in following:
            if isinstance(later, cst.BaseCompoundStatement):
                if self._resets(later, receiver) or self._leaves(later):
                    return None
            else:
                if found := self._resets(later, receiver):
                    return (
                        found[0] if len(found) == 1 and _takes_keyword(found[0]) and self._straight(found[0]) else None
                    )
                if self._rebinds(later, root):
                    return None
            moves = moves and not any(self._binds(later, name) for name in names)
            if not moves:
                return None
        return None

    def _resets(self, node: cst.CSTNode, receiver: str) -> list[cst.Call]:
        """Calls of this environment's `reset`."""
        return [
            call
            for call in self.tree.descend(node)
            if isinstance(call, cst.Call)
            and method_called(call) == "reset"
            and self.tree.source(receiver_of(call)) == receiver
        ]

    def _straight(self, reset: cst.Call) -> bool:
        """Whether the reset happens once, and always, when its statement is run."""
        for ancestor in self.tree.ancestors(reset):
            if isinstance(ancestor, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
                return True
            if isinstance(ancestor, (cst.Lambda, cst.CompFor, cst.BaseComp, cst.IfExp, cst.BooleanOperation)):
                return False
        return True

    def _leaves(self, node: cst.CSTNode) -> bool:
        """Whether a branch may leave the block before the reset."""
        leaving = (cst.Return, cst.Break, cst.Continue)
        return any(isinstance(one, leaving) for one in self.tree.descend(node, into_functions=False))

    def _rebinds(self, node: cst.CSTNode, root: str) -> bool:
        """Whether the environment becomes another one; a wrapper around it passes the seed on."""
        if not self._binds(node, root):
            return False
        values = [one.value for one in self.tree.descend(node) if isinstance(one, cst.Assign)]
        return not any(
            isinstance(one, cst.Name) and one.value == root for value in values for one in self.tree.descend(value)
        )

    def _binds(self, node: cst.CSTNode, name: str) -> bool:
        """Whether the statement binds the name."""
        bindings: Sequence[cst.Name] = self.tree.scopes.bindings(self.tree.scope(node), name)
        return any(self.tree.within(binding, node) for binding in bindings)


def _takes_keyword(call: cst.Call) -> bool:
    """Only keywords stand in the call, none of them hidden in `**kwargs`."""
    return all(argument.keyword is not None and not argument.star for argument in call.args)

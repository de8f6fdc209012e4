"""`env.seed(s)` does not exist any more.

## What it does
Reports calls of `seed` on environments that speak the Gymnasium API. `env.action_space.seed(s)` is another
method and not reported, nor is `env.unwrapped.seed(s)` in a file that imports Gymnasium: it is a method of the
environment's own class. A `seed` that a class of the project defines is the project's own: it is not
reported where such an environment arrives, nor where nothing shows what arrives and the program has such a class; up to
Gymnasium 0.29, whose wrappers forward any method, nor behind wrappers. A test around the call counts where it asks for
`seed`, for what only some environments have, or for something of the library.

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
in a loop, `env.reset(seed=s)` takes the place of the call. Where the first reset stands in another function, a second
one would begin another episode: one of Gymnasium's own environments gets a seeded generator instead
(`env.np_random = np.random.default_rng(s)`, from which that first reset draws), and so does one behind `RecordVideo`,
which numbers the episodes; several of them in a vector environment
that is seeded with a number get theirs by `set_attr`, and any other environment gets a reset. The `seed` of a
class of the project that does more than to seed `np_random` is still called, as `env.unwrapped.seed(s)`, until its
`reset` takes a seed; where no id in sight shows whether such an environment is seeded, there is no fix. A test
`hasattr(env, "seed")` around the call alone goes with it. Where the call's value is used, and inside a method `seed` of
an environment or of a class with bases, only such a generator can be seeded. There is no fix where an environment of
the old API may be used as well, and none where a reset would end an episode that goes on, or a wrapper of the project
may refuse it.

## References
- [Gymnasium: Env.reset](https://gymnasium.farama.org/api/env/#gymnasium.Env.reset)
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.environments import Env, Seeding
from done_lint.knowledge.env_apis import BARE, GYMNASIUM
from done_lint.knowledge.gymnasium_changes import ONE
from done_lint.knowledge.rendering import COUNTING_EPISODES
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.outcome import Outcome, unfixed
from done_lint.rewrites.seeds.next_reset import outermost_of, resets_of
from done_lint.rewrites.seeds.seed_calls import MIXED, SeedCall
from done_lint.rewrites.seeds.seed_guards import seed_guard
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword


class EnvSeed(Rule):
    """GYM103."""

    code = "GYM103"
    incompatibility = "calls `seed`"

    def visit_Call(self, node: cst.Call) -> None:
        """Look at every call of a method `seed`."""
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "seed":
            return
        receiver = node.func.value
        direct = self.facts.envs.get(self.span(receiver))
        env = direct or self.facts.members.get(self.span(node.func))
        if env is None or env.api.seed or not env.api.five:
            return
        guard = self._guard(node, receiver, env)
        if guard is None and asks_first(self.tree, node):
            return
        if self.span(node.func) not in self.facts.members or _is_own_method(receiver, env):
            return  # a class of the project that arrives here, or may, has that method
        if env.seeding.method and self.context.target < ONE:
            return  # wrappers forward it
        text, own = self.source(receiver), env.seeding.own and not env.seeding.others
        self.report(
            node,
            f"`{text}` has no method `seed`: "
            + ("this raises `AttributeError`" if guard is None else "the seed is never set"),
            help=f"call the environment's own method: `{text}.unwrapped.seed(...)`"
            if own
            else f"seed the first reset: `{text}.reset(seed=...)`",
            outcome=self._outcome(node, receiver, env, guard, handed_on=direct is None),
            env=env,
        )

    def _outcome(
        self,
        node: cst.Call,
        receiver: cst.BaseExpression,
        env: Env,
        guard: cst.If | cst.Try | None,
        *,
        handed_on: bool,
    ) -> Outcome:
        """The fix; `handed_on`: the method is that of an environment inside of the object."""
        if env.mixed or self._is_mixed(receiver):
            return unfixed(MIXED)
        if handed_on:
            return SeedCall(self.context, node, Seeding()).handed_on()
        recorded = not COUNTING_EPISODES.isdisjoint(env.layers)
        return SeedCall(self.context, node, env.seeding, guard, env.api.vector, recorded).outcome()

    def _guard(self, node: cst.Call, receiver: cst.BaseExpression, env: Env) -> cst.If | cst.Try | None:
        """What asks for the method around this call alone, where nothing else seeds an environment that is known."""
        guard = seed_guard(self.tree, node)
        if guard is None or env.certainty != "proven":
            return None
        resets = resets_of(self.tree, self.tree.scope(node), self.tree.source(receiver))
        return None if any(keyword(argument) == "seed" for reset in resets for argument in reset.args) else guard

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


def _is_unwrapped(env: Env) -> bool:
    """The bare environment behind the wrappers of `make`, which may be anybody's; no class of the library's own."""
    return env.layers == BARE and env.api == GYMNASIUM and all(made.function.endswith("make") for made in env.made)


def _is_own_method(receiver: cst.BaseExpression, env: Env) -> bool:
    """Whether who goes around every wrapper means a method of the environment's own."""
    unwrapped = outermost_of(receiver) is not receiver
    unseen = not env.made and not env.seeding.lacking
    return _is_unwrapped(env) or (unwrapped and (env.seeding.own or unseen))

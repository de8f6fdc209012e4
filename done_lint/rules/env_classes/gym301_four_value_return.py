"""An environment's or wrapper's own `step` returns four values.

## What it does
Reports each tuple `obs, reward, done, info` that the `step` of a class returns which inherits from the library's
environments or wrappers, also where a helper builds it, or where it is a named tuple. A wrapper around environments
that return four values (EnvPool for Gym, Procgen, Isaac Gym) is right with four. Adapters that take five values and
return four are not reported, nor are classes of other APIs (Stable-Baselines3's `VecEnv`, multi-agent environments),
nor named tuples whose fields the program reads by their names.

## Why it matters
Everything around the environment expects five values: `TimeLimit`, the checker, every training loop. Four raise
`ValueError: not enough values to unpack (expected 5, got 4)`.

## Example
```python
import gymnasium as gym


class Corridor(gym.Env):
    def step(self, action):
        self.position += action
        done = self.position >= 10
        return self.position, float(done), done, {}
```

## Use instead
```python
import gymnasium as gym


class Corridor(gym.Env):
    def step(self, action):
        self.position += action
        done = self.position >= 10
        return self.position, float(done), done, False, {}
```

## Fix safety
Safe. An environment's own flag becomes `terminated`, and `truncated` is `False`: a step limit of its own is reported as
`GYM307`. Where a wrapper returns the flag of the inner step, it returns both flags, and what the wrapper adds to
`done` it adds to `terminated`, but for a limit of steps, which truncates. An info that is `None` becomes `{}` in a
class that `make` gives, whose checker asks for a dictionary. Where an info may hold `TimeLimit.truncated`, which
trainers asked for, both flags are taken from it. All
tuples of one class change together with its unpackings (`GYM101`), the return annotation and the docstring, or none
does; callers are fixed in the next round. A simulator that is no
environment keeps its four values: the `step` that hands them on takes them apart. Wrappers above one of the project's
that takes five values and gives four are right as they are, unless the library wraps them or a caller takes five; one
of four values that nothing constructs is for a place there, and has no safe fix.

Unsafe where it is not shown that the values are a step's: the flag has to be a truth value, and the info a dictionary,
by their form, by an annotation, by what their names are bound to, or by what they are called (`done`, `is_stuck`,
`info`); a list or a dictionary with a value for each agent, the name of a winner, a number of several, a reward in the
place of the flag are none. Nor is it safe where something uses the four values in a way that no fix follows:
`result[DONE]`, `for value in result`, `match result:`, `if len(result) != 4:`. A named tuple has no fix.

## References
- [Gymnasium: Env.step](https://gymnasium.farama.org/api/env/#gymnasium.Env.step)
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.classes import OwnResult
from done_lint.rewrites.outcome import unfixed
from done_lint.rewrites.step_tuple.handed_on import five_for_four
from done_lint.rewrites.step_tuple.step_methods import fix_step_methods
from done_lint.rules.base import Rule


class FourValueReturn(Rule):
    """GYM301."""

    code = "GYM301"
    incompatibility = "returns four values"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every tuple of four that the model followed out of a `step`."""
        for old in self.context.old_returns:
            outcome = fix_step_methods(self.context, old.owner)
            statement = self.tree.parents[old.node]
            self.report(
                statement if isinstance(statement, cst.Return) else old.node,
                f"`{old.owner.name}.step` returns four values, but Gymnasium unpacks five: this raises `ValueError`",
                help="return five: `observation, reward, terminated, truncated, info`",
                outcome=outcome,
                related=[place for evidence in old.owner.evidence for place in self.elsewhere(old.node, evidence)],
            )
        for span, result in self.facts.results.items():
            if result.protocol and (value := self.tree.expressions.get(span)) is not None:
                self._report_protocol(value, result)
            if result.named and (value := self.tree.expressions.get(span)) is not None:
                self._report_named(value, result)

    def _report_protocol(self, value: cst.BaseExpression, result: OwnResult) -> None:
        """A `step` hands on what an object that is no environment answered: that one is right as it is."""
        self.report(
            self.tree.parents[value],
            f"`{result.owner.name}.step` returns what `{result.protocol}` does, which is four values",
            help="take them apart, and return five: `observation, reward, terminated, truncated, info`",
            outcome=five_for_four(self.context, value),
        )

    def _report_named(self, value: cst.BaseExpression, result: OwnResult) -> None:
        """`return Step(observation, reward, done, info)`: a named tuple is unpacked as any other one."""
        self.report(
            self.tree.parents[value],
            f"`{result.owner.name}.step` returns a named tuple of four values, but Gymnasium unpacks five: "
            "this raises `ValueError`",
            help="return five: `observation, reward, terminated, truncated, info`",
            outcome=unfixed("the fields of the named tuple have to change with it"),
        )

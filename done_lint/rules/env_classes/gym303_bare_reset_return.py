"""An environment's `reset` returns the observation alone, without the info.

## What it does
Reports what `reset` returns, in a class that inherits from the library's environments or wrappers, where it
is not a pair of an observation and an info.

## Why it matters
Since Gym 0.26 `reset` returns `(observation, info)`, and every wrapper and training loop unpacks the pair.
An observation of two values is unpacked without an error: its second value becomes the info.

## Example
```python
import gymnasium as gym


class Corridor(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return self.place
```

## Use instead
```python
import gymnasium as gym


class Corridor(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return self.place, {}
```

## Fix safety
Safe: all code that uses the environment through Gymnasium expects the pair, and callers that do not are reported as
`GYM104` and fixed in the next round (where that rule is off, this fix is unsafe if there are such callers). Every
`return` of the method changes, with its annotation and docstring. Where the method first resets the wrapped
environment, it returns the info of that reset; where the other branch steps instead, the info of that step.
The fix is unsafe where a caller takes an element of the observation by its index, as in `env.reset()[0]`:
the element of a pair is another value. A caller that takes four values of the steps means the observation's.

## References
- [Gymnasium: Env.reset](https://gymnasium.farama.org/api/env/#gymnasium.Env.reset)
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.env_methods import class_of, is_abstract, keywords
from done_lint.rewrites.env_methods import method as method_named
from done_lint.rewrites.outcome import Outcome
from done_lint.rewrites.reset_tuple.own_forms import is_own_form
from done_lint.rewrites.reset_tuple.reset_methods import fix_reset, sides_for_info
from done_lint.rules.base import Rule
from done_lint.syntax.shapes import is_name, method_called, only_target
from done_lint.syntax.tree import Scope


class BareResetReturn(Rule):
    """GYM303; GYM104 shares its fix."""

    code = "GYM303"
    incompatibility = "returns the observation alone"

    def visit_Return(self, node: cst.Return) -> None:
        """Look at every `return` that the model knows to give an observation alone."""
        result = self.facts.results.get(self.tree.literal_span(node.value)) if node.value is not None else None
        if node.value is None or result is None or result.method != "reset" or self._hands_on(node.value):
            return
        function = self.tree.scope(node)
        if is_own_form(self.context, node):
            return
        if is_name(node.value, "None") and "reset" in result.owner.overridden and self._is_of_abstract(function):
            return
        sides = sides_for_info(self.tree, node.value)
        alone = sides.alone if sides is not None else node.value
        outcome = fix_reset(self.context, function) if isinstance(function, cst.FunctionDef) else Outcome()
        self.report(
            node.value,
            f"`{result.owner.name}.reset` returns `{self.source(alone)}` without an info, but Gymnasium unpacks a pair",
            help="return a pair: `return observation, info`; the info may be `{}`",
            outcome=outcome,
            related=result.owner.evidence,
        )

    def _is_of_abstract(self, function: Scope) -> bool:
        """Whether the class leaves its `step` to others: their `reset` calls this one for what it does alone."""
        owner = class_of(self.context, function) if isinstance(function, cst.FunctionDef) else None
        step = method_named(owner, "step") if owner is not None else None
        return step is not None and is_abstract(step)

    def _hands_on(self, value: cst.BaseExpression) -> bool:
        """`return converted(self.env.reset(seed=seed))`: code that passes today's arguments returns the pair.

        So does code that returns the values of such a `reset` as it took them apart, however many there are.
        """
        if isinstance(value, cst.Tuple):
            returned = [self.source(element) for element in value.elements]
            return self._are_of_inner_reset(returned, self.tree.scope(value))
        return isinstance(value, cst.Call) and any(
            isinstance(argument.value, cst.Call)
            and method_called(argument.value) == "reset"
            and bool(keywords(argument.value) & {"seed", "options"})
            for argument in value.args
        )

    def _are_of_inner_reset(self, returned: list[str], function: Scope) -> bool:
        """Whether two values or more are what a `reset` in the same function was taken apart into."""
        for node in self.tree.inside(cst.Assign, function) if len(returned) > 1 else ():
            target = only_target(node)
            if (
                isinstance(target, cst.Tuple)
                and isinstance(node.value, cst.Call)
                and method_called(node.value) == "reset"
                and keywords(node.value) & {"seed", "options"}
                and [self.source(element) for element in target.elements] == returned
            ):
                return True
        return False

"""The generator of an environment is numpy's new `Generator`, which has other methods.

## What it does
Reports `randint`, `rand`, `randn`, `random_sample`, `random_integers`, `seed`, `get_state`, `set_state` and
`tomaxint` on an environment's generator: on `np_random` of an environment, or on what
`seeding.np_random(seed)` returned. The functions of `numpy.random` and a `RandomState` of one's own are right.

## Why it matters
Since Gym 0.26 `np_random` is a `numpy.random.Generator`. It has none of these methods; a call raises
`AttributeError`.

## Example
```python
import gymnasium as gym


class Walk(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.np_random.randint(10), {}
```

## Use instead
```python
import gymnasium as gym


class Walk(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.np_random.integers(10), {}
```

## Fix safety
Safe: the new call draws from the same distribution. `integers` returns a number of numpy's; where it becomes a
seed, which has to be one of Python's own, the fix writes `int(...)` around it. There is no fix for methods without
a counterpart, and where the arguments change but are not visible.

## References
- [NumPy: What's new or different in Generator](https://numpy.org/doc/stable/reference/random/new-or-different.html)
"""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.numpy_generator_methods import METHODS, Replacement
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword, keyword_argument
from done_lint.syntax.edits import replaced, rewritten


class NewCall(cst.CSTTransformer):
    """Turns one call of an old method into one of the new method."""

    def __init__(self, call: cst.Call, new: Replacement, *, as_int: bool) -> None:
        """`call` is the call of the old method; `as_int` asks for a number of Python's own."""
        super().__init__()
        self.call = call
        self.new = new
        self.as_int = as_int

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Rename the method, and change the arguments with it."""
        if original_node is not self.call or not isinstance(updated_node.func, cst.Attribute):
            return updated_node
        args = list(updated_node.args)
        if self.new.arguments == "shape":
            args = _one_shape(args)
        elif self.new.arguments == "closed":
            args = _closed_range(args)
        func = updated_node.func.with_changes(attr=cst.Name(self.new.method))
        call = updated_node.with_changes(func=func, args=args)
        return cst.Call(cst.Name("int"), [cst.Arg(call)]) if self.as_int else call


class LegacyRandom(Rule):
    """GYM306."""

    code = "GYM306"

    def visit_Attribute(self, node: cst.Attribute) -> None:
        """Look at every method of a generator."""
        new = METHODS.get(node.attr.value)
        generator = self.facts.generators.get(self.span(node.value)) if new is not None else None
        if new is None or generator is None or asks_first(self.tree, node):
            return
        outcome = self._outcome(node, new)
        self.report(
            node,
            f"the generator `{self.source(node.value)}` has no method `{node.attr.value}` any more",
            help=new.help,
            outcome=outcome,
            related=[place for one in generator.evidence for place in self.elsewhere(node, one)],
            certainty=generator.certainty,
        )

    def _outcome(self, node: cst.Attribute, new: Replacement) -> Outcome:
        title, call = f"call `{new.method}`", self.tree.parents[node]
        if not new.method:
            return unfixed("the new generator has no method that does the same")
        if not isinstance(call, cst.Call) or call.func is not node:
            if new.arguments != "same":
                return unfixed("it is not called here, and its arguments change")
            return fixed(title, replaced(self.tree, node, node.with_changes(attr=cst.Name(new.method))))
        if new.arguments == "closed" and not _is_plain_range(call):
            return unfixed("its arguments do not show the range")
        as_int = self._is_seed(call) and not any(keyword(one) == "size" for one in call.args)
        return fixed(title, rewritten(self.tree, call, NewCall(call, new, as_int=as_int)))

    def _is_seed(self, call: cst.Call) -> bool:
        """`reset(seed=...)`, `action_space.seed(...)`: Gymnasium takes Python's own integers only."""
        argument = self.tree.parents[call]
        outer = self.tree.parents.get(argument)
        if not isinstance(argument, cst.Arg) or not isinstance(outer, cst.Call):
            return False
        method = outer.func.attr.value if isinstance(outer.func, cst.Attribute) else ""
        return keyword(argument) == "seed" or method == "seed"


def _one_shape(args: list[cst.Arg]) -> list[cst.Arg]:
    """`d0, d1` as `(d0, d1)`, `*shape` as `shape`."""
    if not args or (len(args) == 1 and not args[0].star):
        return args
    if len(args) == 1:
        return [args[0].with_changes(star="", whitespace_after_star=cst.SimpleWhitespace(""))]
    elements: list[cst.BaseElement] = [
        cst.StarredElement(one.value, comma=one.comma) if one.star else cst.Element(one.value, comma=one.comma)
        for one in args
    ]
    return [cst.Arg(cst.Tuple([*elements[:-1], elements[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]))]


def _closed_range(args: list[cst.Arg]) -> list[cst.Arg]:
    """`low, high` with its upper end; `high` alone begins at one."""
    if len(args) == 1 or keyword(args[1]) == "size":
        args = [cst.Arg(cst.Integer("1")), *args]
    end = keyword_argument("endpoint", cst.Name("True"))
    return [*args[:-1], args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT), end]


def _is_plain_range(call: cst.Call) -> bool:
    """No star hides an argument, and the first one is not given by its name alone."""
    if not call.args or any(one.star for one in call.args) or keyword(call.args[0]) == "size":
        return False
    return not keyword(call.args[0]) or any(keyword(one) == "high" for one in call.args)

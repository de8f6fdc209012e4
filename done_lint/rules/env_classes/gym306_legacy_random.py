"""The generator of an environment is numpy's new `Generator`, which has other methods.

## What it does
Reports `randint`, `rand`, `randn`, `random_sample`, `random_integers`, `seed`, `get_state`, `set_state` and
`tomaxint` on an environment's generator: on `np_random` of an environment or of one of its spaces, or on what
`seeding.np_random(seed)` returned. The functions of `numpy.random` and a `RandomState` of the program's own are not
reported.

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
Safe: the new call draws from the same distribution. `integers` returns an integer of numpy; where it is used as a
seed, which has to be an `int` of Python, the fix writes `int(...)` around it. A statement
`env.np_random.seed(s)` becomes an assignment of a new generator with that seed, and `space.np_random.seed(s)`, whose
generator cannot be assigned, becomes `space.seed(s)`. There is no fix for methods without
a counterpart, where the arguments change but are not visible, and where an object begins with a generator of another
kind before it is given the environment's.

## References
- [NumPy: What's new or different in Generator](https://numpy.org/doc/stable/reference/random/new-or-different.html)
"""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.numpy_generator_methods import METHODS, Replacement
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.imports import module_name, numpy_added
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword, keyword_argument
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.expressions import assignment

_OF_SPACE = "seed the space itself: `space.seed(...)`"
_ANOTHER = "the object begins with another generator, which has the method: both have to change"


class LegacyRandom(Rule):
    """GYM306."""

    code = "GYM306"
    incompatibility = "calls what the random generator does not have"

    def visit_Attribute(self, node: cst.Attribute) -> None:
        """Look at every method of a generator."""
        new = METHODS.get(node.attr.value)
        generator = self.facts.generators.get(self.span(node.value)) if new is not None else None
        if new is None or generator is None or asks_first(self.tree, node):
            return
        outcome = unfixed(_ANOTHER) if generator.or_another else self._outcome(node, new, generator.of_space)
        self.report(
            node,
            f"the generator `{self.source(node.value)}` has no method `{node.attr.value}`: this raises "
            "`AttributeError`",
            help=_OF_SPACE if node.attr.value == "seed" and generator.of_space else new.help,
            outcome=outcome,
            related=[place for one in generator.evidence for place in self.elsewhere(node, one)],
            certainty=generator.certainty,
        )

    def _outcome(self, node: cst.Attribute, new: Replacement, of_space: bool) -> Outcome:
        title, call = f"call `{new.method}`", self.tree.parents[node]
        if node.attr.value == "seed" and (seeded := self._seeded(node, call, of_space)) is not None:
            return seeded
        if not new.method:
            return unfixed("the new generator has no method that does the same")
        if not isinstance(call, cst.Call) or call.func is not node:
            if new.arguments != "same":
                return unfixed("it is not called here, and its arguments change")
            return fixed(title, replaced(self.tree, node, node.with_changes(attr=cst.Name(new.method))))
        if new.arguments == "closed" and not _is_plain_range(call):
            return unfixed("its arguments do not show the range")
        as_int = self._is_seed(call) and not any(keyword(one) == "size" for one in call.args)
        renamed = _new_call(call, node, new)
        whole = cst.Call(cst.Name("int"), [cst.Arg(renamed)]) if as_int else renamed
        return fixed(title, replaced(self.tree, call, whole))

    def _seeded(self, node: cst.Attribute, call: cst.CSTNode, of_space: bool) -> Outcome | None:
        """`env.np_random = np.random.default_rng(s)`, in place of a statement `env.np_random.seed(s)`.

        The generator of a space cannot be assigned: the space itself takes the seed.
        """
        own, statement = node.value, self.tree.parents.get(call)
        if not isinstance(call, cst.Call) or not isinstance(statement, cst.Expr) or len(call.args) != 1:
            return None
        if not isinstance(own, cst.Attribute) or own.attr.value != "np_random" or call.args[0].star:
            return None
        if of_space:
            seed = cst.Attribute(own.value, cst.Name("seed"))
            return fixed("seed the space", replaced(self.tree, call, call.with_changes(func=seed)))
        added: Edits | None = ()
        if not (numpy := module_name(self.tree, "numpy")):
            numpy, added = "np", numpy_added(self.tree)
        if added is None:
            return None
        made = cst.Call(cst.parse_expression(f"{numpy}.random.default_rng"), [cst.Arg(call.args[0].value)])
        return fixed("make a new generator", replaced(self.tree, statement, assignment(own, made)), added)

    def _is_seed(self, call: cst.Call) -> bool:
        """`reset(seed=...)`, `action_space.seed(...)`: Gymnasium takes Python's own integers only."""
        argument = self.tree.parents[call]
        outer = self.tree.parents.get(argument)
        if not isinstance(argument, cst.Arg) or not isinstance(outer, cst.Call):
            return False
        method = outer.func.attr.value if isinstance(outer.func, cst.Attribute) else ""
        return keyword(argument) == "seed" or method == "seed"


def _new_call(call: cst.Call, method: cst.Attribute, new: Replacement) -> cst.Call:
    """The call of the new method, with the arguments that it takes."""
    args = list(call.args)
    if new.arguments == "shape":
        args = _one_shape(args)
    elif new.arguments == "closed":
        args = _closed_range(args)
    return call.with_changes(func=method.with_changes(attr=cst.Name(new.method)), args=args)


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

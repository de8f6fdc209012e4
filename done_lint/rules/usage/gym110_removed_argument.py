"""An argument that `make`, `register` or `reset` does not take any more.

## What it does
Reports `return_info=` and positional arguments of `reset`, and `new_step_api=`, `apply_api_compatibility=`
and `autoreset=` of `make`, of wrappers and of vector environments. Also what `register` of Gymnasium 1.0 does not
take: `timestep_limit=` and `tags=` of the first releases of Gym, and arguments that Gym 0.26 handed on to the
environment; and a number, written there, as the shape of `spaces.Box`, which has to be a tuple. Also positional
arguments of the library's own environment classes that stand in the place of another parameter today
(`PendulumEnv(1.6)`: `render_mode` stands first since Gym 0.25), where what is given shows which one is meant.

## Why it matters
Most of these arguments belong to releases in which Gym moved from four values to five. Gymnasium raises
`TypeError` for each of them, whatever its value is; of `register`, where the package is imported. `make` hands
what it does not know on to the constructor of the environment, which raises unless it takes the argument. An
argument in the place of another parameter raises nothing: the environment is another one.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1", new_step_api=True)
obs, info = env.reset(seed=0, return_info=True)
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset(seed=0)
```

## Fix safety
Safe where the argument asks for what Gymnasium does anyway, but for an `autoreset=` that an environment may take which
nothing shows; with `return_info=False` the observation is
taken out of the pair as well. There is no fix for `autoreset=True` (`gymnasium.wrappers.Autoreset` resets one
step later), for `apply_api_compatibility=True` (the environment inside still answers in the old way), for a
value that is not a constant, and for a positional argument of `reset`, whose meaning is not known. A limit of the
steps by an old name of `register` becomes `max_episode_steps=`; its other arguments have no fix. Arguments whose
places have changed get the names of their parameters, which every release knows.

## References
- [Gymnasium: make](https://gymnasium.farama.org/api/registry/#gymnasium.make)
- [Gymnasium: Env.reset](https://gymnasium.farama.org/api/env/#gymnasium.Env.reset)
"""

from __future__ import annotations

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.core.gymnasium_release import shown
from done_lint.facts.kinds.environments import Env
from done_lint.facts.kinds.results import ResetResult
from done_lint.knowledge.env_apis import GYM, GYM_VECTOR, GYMNASIUM, GYMNASIUM_VECTOR
from done_lint.knowledge.env_parameters import moved_class, old_meaning
from done_lint.knowledge.gymnasium_changes import ONE, below_root
from done_lint.knowledge.old_arguments import (
    BOX,
    GONE_FROM_MAKE,
    HANDING_ON,
    OF_ENVIRONMENTS_TOO,
    PLACE_OF_SHAPE,
    REGISTER,
    REGISTER_ARGUMENTS,
    SEED_BY_POSITION,
    STILL_WANTED,
)
from done_lint.knowledge.wrapper_attributes import GONE_FROM_SPEC, LIMIT_TAG, RENAMED_OF_SPEC
from done_lint.rewrites.named_arguments import initialized_class, kinds, named
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.reset_tuple.calls import is_remote, observation_alone
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword
from done_lint.syntax.edits import argument_removed, replaced
from done_lint.syntax.shapes import string_value


class RemovedArgument(Rule):
    """GYM110."""

    code = "GYM110"
    incompatibility = "passes an argument of old Gym"

    def visit_Call(self, node: cst.Call) -> None:
        """Look at calls of the library, and at every `reset` of an environment."""
        if node.args and (reset := self.facts.resets.get(self.span(node))) is not None:
            if not reset.own:
                self._reset(node, reset)
            return
        self._look_at_places(node)
        if called := self.facts.names.get(self.span(node.func)):
            if below_root(called) in REGISTER:
                self._register(node)
            if below_root(called) in BOX and (shape := _shape(node)) is not None:
                self._number(shape)
            for argument in node.args:
                name = keyword(argument)
                if name in GONE_FROM_MAKE and self.context.target >= GONE_FROM_MAKE[name]:
                    self._make(node, argument, name)

    def _look_at_places(self, node: cst.Call) -> None:
        """`PendulumEnv(1.6)`, and `super().__init__(1.6)` of a subclass: the place is that of another parameter."""
        if not node.args or node.args[0].keyword is not None or any(one.star == "*" for one in node.args):
            return
        name = initialized_class(self.tree, self.facts, node)
        if not name:
            return
        keywords = [keyword(one) for one in node.args if one.keyword is not None]
        meaning = old_meaning(name, self.context.target, kinds(self.tree, node), keywords)
        if meaning is None:
            return
        self.report(
            node.args[0],
            f"the first parameter of `{moved_class(name)}` is `{meaning.first_today}` in Gymnasium "
            f"{shown(self.context.target)}, not `{meaning.names[0]}`",
            help=f"write `{meaning.names[0]}={self.source(node.args[0])}`",
            outcome=fixed("give the arguments their names", named(self.tree, node, meaning.names)),
        )

    def _make(self, node: cst.Call, argument: cst.Arg, name: str) -> None:
        value = self.source(argument.value)
        adapts = name == "apply_api_compatibility" and value == "True"
        if adapts and self.facts.names[self.span(node.func)].startswith("gym."):
            return  # Gym has the argument, and the environment needs it: it is asked for once the import moves
        reason = "" if value in ("False", "None") else STILL_WANTED[name] if value == "True" else _NOT_CONSTANT
        raises = self._raises(node, name)
        if raises is False:
            return
        unsure = _MAY_TAKE_IT if raises is None and name in OF_ENVIRONMENTS_TOO else ""
        removed = fixed(_TITLE, argument_removed(self.tree, node, argument), unsure=unsure) if not reason else None
        self.report(
            argument,
            f"`{self.source(node.func)}` has no argument `{name}`: {_RAISES if raises else _HANDED_ON}",
            help=f"leave `{name}` out",
            outcome=removed or unfixed(reason),
        )

    def _raises(self, call: cst.Call, name: str) -> bool | None:
        """Whether a call raises an error for an argument that is gone; None: what gets it is not seen."""
        if self.facts.names[self.span(call.func)].rpartition(".")[2] not in HANDING_ON:
            return True
        env, here = self.facts.envs.get(self.span(call)), self.span(call)
        made = [one for one in env.made if one.place.span.within(here)] if env is not None else []
        if made and all(one.taken is not None for one in made):
            return not any(one.taken is not None and name in one.taken for one in made)
        return True if made and env is not None and env.is_task else None

    def _number(self, shape: cst.BaseExpression) -> None:
        """`Box(0, 1, shape=(80 * 80))`: the parentheses make no tuple."""
        bare = shape.with_deep_changes(shape, lpar=(), rpar=())
        new = cst.Tuple([cst.Element(bare, comma=cst.Comma())])
        self.report(
            shape,
            f"the shape of a `Box` has to be a tuple: `{self.source(shape)}` raises `TypeError`",
            help=f"write `{self.tree.module.code_for_node(new)}`",
            outcome=fixed("make it a tuple", replaced(self.tree, shape, new)),
            incompatibility="gives a number for the shape of a space",
        )

    def _register(self, node: cst.Call) -> None:
        """`register(id="Walk-v0", timestep_limit=200)`, and the same by a tag."""
        if self.facts.keeps_gym or self.context.target < ONE:
            return
        limited = any(keyword(one) == _LIMIT for one in node.args)
        for argument in node.args:
            name = keyword(argument)
            if not name or name in (*REGISTER_ARGUMENTS, *GONE_FROM_MAKE):
                continue
            limit = _limit(argument) if not limited else None
            self.report(
                argument,
                f"`{self.source(node.func)}` has no argument `{name}`: this raises `TypeError`",
                help=f"write `{_LIMIT}`" if limit is not None else _HELP.get(name, _KWARGS),
                outcome=unfixed(_NOTHING) if limit is None else self._renamed(argument, limit),
            )

    def _renamed(self, argument: cst.Arg, limit: cst.BaseExpression) -> Outcome:
        start, end = self.tree.offsets(argument.value)
        if argument.keyword is not None:
            start, _ = self.tree.offsets(argument.keyword)
        return fixed(f"call it `{_LIMIT}`", (Edit(start, end, f"{_LIMIT}={self.tree.source(limit)}"),))

    def _reset(self, node: cst.Call, reset: ResetResult) -> None:
        if reset.guarded or reset.env.api not in (GYM, GYMNASIUM, GYM_VECTOR, GYMNASIUM_VECTOR):
            return
        named = next((a for a in node.args if keyword(a) == "return_info"), None)
        if named is not None:
            outcome = unfixed(_MIXED) if reset.env.mixed else self._pair(node, named)
            self.report(
                named,
                f"`{self.source(node.func)}` has no argument `return_info` and raises `TypeError`: it always "
                "returns a pair",
                help="leave `return_info` out",
                outcome=outcome,
                env=reset.env,
            )
        first = node.args[0]
        if first.keyword is None and not first.star and _takes_keywords(reset.env) and not reset.env.mixed:
            self.report(
                first,
                f"`{self.source(node.func)}` takes no positional argument: this raises `TypeError`",
                help=f"if it is a seed, write `{self.source(node.func)}(seed={self.source(first)})`",
                outcome=unfixed("the code does not show what the argument means"),
                env=reset.env,
            )

    def _pair(self, node: cst.Call, argument: cst.Arg) -> Outcome:
        """Without the argument the call returns the observation and the info."""
        value = self.source(argument.value)
        if value not in ("True", "False"):
            return unfixed("whether the result is a pair depends on its value")
        edits = [argument_removed(self.tree, node, argument)]
        if value == "False" and is_remote(node):
            return unfixed("the call promises its result, and what waits for it would have to take the observation")
        if value == "False" and not isinstance(self.tree.parents[node], cst.Expr):
            edits.append(observation_alone(self.tree, node))
        return fixed(_TITLE, *edits)


def _shape(call: cst.Call) -> cst.BaseExpression | None:
    """The shape that a `Box` is given, if it is a number that is written there."""
    named = next((one.value for one in call.args if keyword(one) == "shape"), None)
    placed = [one.value for one in call.args if not (one.star or keyword(one))][PLACE_OF_SHAPE:]
    shape = named or next(iter(placed), None)
    return shape if shape is not None and _is_number(shape) else None


def _is_number(value: cst.BaseExpression) -> bool:
    """`6400`, `80 * 80`."""
    if isinstance(value, cst.BinaryOperation):
        return _is_number(value.left) and _is_number(value.right)
    return isinstance(value, cst.Integer)


def _takes_keywords(env: Env) -> bool:
    """Whether the outermost layer is known, and its `reset` takes keywords alone."""
    return bool(env.layers) and not (env.api.vector and env.layers[0] in SEED_BY_POSITION)


def _limit(argument: cst.Arg) -> cst.BaseExpression | None:
    """The limit of the steps that an argument of old Gym's `register` is, or that is its only tag."""
    if keyword(argument) in RENAMED_OF_SPEC:
        return argument.value
    tags = argument.value
    if keyword(argument) != "tags" or not isinstance(tags, cst.Dict) or len(tags.elements) != 1:
        return None
    tag = tags.elements[0]
    return tag.value if isinstance(tag, cst.DictElement) and string_value(tag.key) == LIMIT_TAG else None


_LIMIT = RENAMED_OF_SPEC["timestep_limit"]
_NOTHING = "`register` has nothing that does the same"
_KWARGS = "if the environment takes it, write `kwargs={...}`"
_HELP = {"tags": GONE_FROM_SPEC["tags"].replace("`spec.max_episode_steps`", f"`{_LIMIT}`")}
_RAISES = "this raises `TypeError`"
_HANDED_ON = "it goes to the constructor of the environment, which may not take it"
_MAY_TAKE_IT = "the constructor of the environment is not known, and may take it"
_TITLE = "leave the argument out"
_NOT_CONSTANT = "its value is not a constant"
_MIXED = "another environment that is used here may take it"

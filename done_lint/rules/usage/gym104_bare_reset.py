"""The result of `reset()` is used as the observation, but it is a pair.

## What it does
Reports `env.reset()` whose value is used as the observation, in any expression, where `env` speaks the Gymnasium API.
A value that is only shown (`print(env.reset())`) or that nothing reads is not reported in a file that is otherwise on
Gymnasium, nor what an object returns that replaces its method (`self.reset = self.reset_all`), nor a value that is
called: it is a promise; nor one that goes where the whole results of steps go (`pipe.send(env.reset())` beside
`pipe.send(env.step(action))`, `[one[0] for one in result]` in `reset` and in `step`). Where all that is done
with the environment is written for old Gym, `obs[0]` of the result is a use of the observation too, and so is a method
that is handed to code which is not followed, `pool.submit(env.reset)`, or a result that a class of the project returns
from a method which nothing in sight calls.

## Why it matters
`reset` returns `(observation, info)`. Used as the observation, the pair raises an error far from this line
(`inhomogeneous shape`, `Could not infer dtype of dict`), or none at all: on MountainCar
`position, velocity = env.reset()` binds the observation and the info, without an error.

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
Safe: no old program reads the info. A bare statement `env.reset()` is right as it is. There is no fix
where an environment of the project that returns the observation alone may be used as well, nor where a function of the
file takes the value apart like a step's. Unsafe where a program that is not written for old Gym sends the value inside
of a dictionary, a tuple or a list: the other end may take the pair. A program that asks whether the result is a tuple,
and takes the first value then, has both forms already and is not reported.

## References
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.results import ResetResult
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.env_apis import PETTINGZOO_PAIR, PETTINGZOO_PARALLEL
from done_lint.rewrites.handed_on import handed_on
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.own_arguments import resets_otherwise
from done_lint.rewrites.reset_tuple.annotation import annotation_edits
from done_lint.rewrites.reset_tuple.calls import observation_alone, pair_of_call
from done_lint.rewrites.reset_tuple.own_forms import is_own_form
from done_lint.rewrites.reset_tuple.pair_forms import is_beside_another, is_right, takes_first, takes_step
from done_lint.rewrites.reset_tuple.reset_methods import PENDING, fix_of_reset_call
from done_lint.rewrites.reset_tuple.steps_beside import is_beside_pending_step, takes_four
from done_lint.rewrites.reset_tuple.taken_apart import is_taken_apart
from done_lint.rewrites.reset_tuple.time_steps import takes_time_step
from done_lint.rewrites.reset_tuple.unused_values import unread_target
from done_lint.rewrites.step_tuple.unpack import PENDING as STEP_PENDING
from done_lint.rewrites.whole_results import goes_where_steps_go, is_sent_inside
from done_lint.rules.base import Rule, placed
from done_lint.rules.usage.evidence import gives_two_numbers
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import only_target


class BareReset(Rule):
    """GYM104."""

    code = "GYM104"
    incompatibility = "takes the result of `reset` for the observation"

    def visit_Call(self, node: cst.Call) -> None:
        """Look at every call of `reset`."""
        reset = self.facts.resets.get(self.span(node))
        if reset is None or reset.env.api.reset != ("obs", "info") or self._is_old_parallel(reset):
            return
        if resets_otherwise(node, reset) or takes_step(self.context, node):
            return
        old = reset.gym_only and reset.env.api.five and not takes_first(self.context, node, reset)
        handled = reset.handled and not old and not self._takes_two(node, reset)
        if handled or is_right(self.context, node) or is_own_form(self.context, node):
            return
        if reset.guarded or reset.passed_on or self._goes_where_steps_go(node, reset):
            return
        if reset.env.mixed and takes_time_step(self.tree, node):
            return
        outcome = self._outcome(node, reset)
        pair = f"the pair `(observation, info)`{' where `make` made the environment' if reset.beside_made else ''}"
        message = f"`{self.source(node)}` returns {pair}, but is used as the observation"
        if (unread := unread_target(self.context, node)) is not None:
            message = f"`{self.source(node)}` returns {pair}: `{unread.value}` is no observation"
        if (changing := reset.changing) is not None:
            alone = "which returns the observation alone"
            message = f"`{self.source(node)}` changes together with {placed(changing)}, {alone}"
        self.report(
            node,
            message,
            help=f"take both: `obs, info = {self.source(node)}`",
            outcome=outcome,
            related=self.elsewhere(node, reset.origin),
            env=reset.env,
        )

    def _is_old_parallel(self, reset: ResetResult) -> bool:
        """Whether the release of PettingZoo that the project has gives the observations alone."""
        release = self.context.releases.pettingzoo
        return reset.env.api == PETTINGZOO_PARALLEL and release is not None and release < PETTINGZOO_PAIR

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """`def reset(self) -> np.ndarray: return self.env.reset()`."""
        if node.returns is None or not self.facts.resets or not _is_alone(node.returns.annotation):
            return
        reset = handed_on(self.tree, node, self.facts.resets)
        if reset is None or reset.env.api.reset != ("obs", "info") or reset.env.certainty != "proven":
            return
        if self._is_old_parallel(reset):
            return
        if reset.handled or reset.guarded or reset.env.mixed or reset.pending is not None or not reset.passed_on:
            return
        self.report(
            node.returns.annotation,
            f"`{node.name.value}` returns the pair of a reset, but is annotated with the observation alone",
            help="annotate both: the observation and the info",
            outcome=fixed("annotate the pair", annotation_edits(self.tree, node)),
            env=reset.env,
        )

    def visit_Arg(self, node: cst.Arg) -> None:
        """Look at what gives a reset's result to code that is not followed: `pool.submit(env.reset)`."""
        escaping = self.facts.escaping_results.get(self.span(node.value))
        if escaping is not None and escaping.method == "reset":
            message = f"`{self.source(node.value)}` gives a pair, and the program is written for an observation"
            outcome = unfixed("what takes it cannot be seen from here")
            self.report(node.value, message, help="take both: `obs, info = ...`", outcome=outcome, env=escaping.env)

    def _takes_two(self, node: cst.Call, reset: ResetResult) -> bool:
        """`position, velocity = env.reset()`: the two numbers of an observation, in a file for old Gym."""
        target = only_target(self.tree.parents[node])
        if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != 2 or node.args:
            return False
        second = target.elements[1].value
        if not isinstance(second, cst.Name) or naming_conventions.info(second.value) or not second.value.strip("_"):
            return False
        if not takes_four(self.context):
            return False
        return gives_two_numbers(reset.env) or any(
            one.step.env.made == reset.env.made and _is_pair(one.targets[0]) for one in self.context.unpackings
        )

    def _goes_where_steps_go(self, node: cst.Call, reset: ResetResult) -> bool:
        """Whether the value goes where the whole results of steps go.

        But in a program that is written for old Gym what is handed on was the observation.
        """
        return not reset.gym_only and goes_where_steps_go(self.context, node)

    def _outcome(self, node: cst.Call, reset: ResetResult) -> Outcome:
        if reset.env.mixed:
            return unfixed(_MIXED)
        if (together := fix_of_reset_call(self.context, node)) is not None:
            return together
        value = pair_of_call(self.tree, node)
        if value is None:
            return unfixed(_PROMISED)
        if reset.pending and reset.numbers:
            # once the class returns a pair, two values would be taken for one: both change in one pass
            return fixed("take the observation out of the pair", observation_alone(self.tree, value))
        if reset.pending:
            return unfixed(PENDING)
        if reset.used_as_gym and is_beside_pending_step(self.context, reset):
            return unfixed(STEP_PENDING)
        if why := self._why_not(node, reset):
            return unfixed(why)
        unsure = ""
        if reset.env.api == PETTINGZOO_PARALLEL and self.context.releases.pettingzoo is None:
            unsure = _OLD_PETTINGZOO  # and a module like `simple_v2` may be in these only
        elif not reset.gym_only and is_sent_inside(self.tree, node):
            unsure = _SENT
        return fixed("take the observation out of the pair", observation_alone(self.tree, value), unsure=unsure)

    def _why_not(self, node: cst.Call, reset: ResetResult) -> str:
        """Why no fix takes the observation out of the pair; empty where one can."""
        if reset.uncertain:
            return _UNCERTAIN
        if is_beside_another(self.context, node):
            return _SECOND
        return _TAKEN_APART if is_taken_apart(self.context, node) else ""


#: Types that are no pair, whatever they are called by.
_ALONE = frozenset({"array", "bool", "dict", "float", "int", "list", "ndarray", "str", "Dict", "List", "Tensor"})

_UNCERTAIN = "the `reset` of the project that is called may return a pair, or something else"
_OLD_PETTINGZOO = "the release of PettingZoo is not known, and those before 1.23 return the observations alone"
_SENT = "it is sent inside of a row, and the other end may take the pair"
_PROMISED = "the call promises the pair, and what waits for it stands elsewhere"
_SECOND = "the value returned beside it may be a part of the observation, or an info"
_TAKEN_APART = "a function that gets it takes more than two values out of it, as a step gives them"
_MIXED = "another environment that may be used here returns the observation alone"


def _is_alone(annotation: cst.BaseExpression) -> bool:
    """`np.ndarray`, `Dict[str, float]`: a type that is no pair."""
    return last_name(annotation.value if isinstance(annotation, cst.Subscript) else annotation) in _ALONE


def _is_pair(target: cst.BaseExpression) -> bool:
    """Whether a target takes two values apart."""
    return isinstance(target, (cst.Tuple, cst.List)) and len(target.elements) == 2

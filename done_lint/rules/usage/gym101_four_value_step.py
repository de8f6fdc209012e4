"""Four values are unpacked from a step that returns five.

## What it does
Reports an assignment that unpacks the result of `env.step(action)` into four targets, where `env`
speaks the Gymnasium API.

## Why it matters
Since Gym 0.26 and in every release of Gymnasium, `step` returns `obs, reward, terminated, truncated, info`. Four
targets raise `ValueError: too many values to unpack (expected 4)`.

The old `done` was the union of the two flags. It still is the right test for "start a new episode", but
a value target must be cut at `terminated` only: see `GYM201`.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, done, info = env.step(env.action_space.sample())
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
```

## Fix safety
Safe: the joined flag is what `done` was. Flags of vector environments are arrays and are joined by `|`. A flag that
is never read gets no line of its own; in the header of a loop over results that line comes first in the body, and in
a comprehension whatever reads the flag joins the two. `assert len(result) == 4` becomes 5. Reads of
`info["TimeLimit.truncated"]` change in the same fix (`GYM106`); where one of them cannot be changed the fix is
unsafe, because that read would always be false, without an error. Where a program counts to `env._max_episode_steps`
to tell the limit from the real end, `terminated` takes the place of that test. Where `terminated` and `truncated`
begin as false and are read together, the fix gives them the flags, and is unsafe. There is no fix where an
environment of the project that returns four values may be used as well, nor for the tables of a parallel environment
of PettingZoo.

## References
- [Gymnasium: Handling time limits](https://gymnasium.farama.org/tutorials/gymnasium_basics/handling_time_limits/)
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from done_lint.facts.kinds.results import StepResult
from done_lint.knowledge.env_apis import GYM, GYMNASIUM, PETTINGZOO_FIVE, PETTINGZOO_PARALLEL
from done_lint.rewrites.compatibility_code import expects
from done_lint.rewrites.handed_on import handed_on
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.annotation import five_types, says_four
from done_lint.rewrites.step_tuple.loop_headers import five_in_comprehension, five_in_header
from done_lint.rewrites.step_tuple.step_methods import fix_unpacking
from done_lint.rewrites.step_tuple.unpack import HELP, PER_AGENT, Slots, blocked_by
from done_lint.rewrites.step_tuple.unpacking import Unpacking, four_valued, takes_four
from done_lint.rules.base import Rule, placed


class FourValueStep(Rule):
    """GYM101; GYM102 and GYM106 share its fix."""

    code = "GYM101"
    incompatibility = "unpacks four values"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every unpacking of a step's result."""
        for unpacking in self.context.unpackings:
            if unpacking.step.env.api == GYMNASIUM and expects(self.tree, unpacking.statement, "ValueError"):
                continue  # a test of what Gymnasium does
            if four_valued(unpacking):
                self._report(unpacking)
            elif self._is_parallel(unpacking) and takes_four(unpacking):
                what = "returns five tables, but four are unpacked: this raises `ValueError`"
                message = f"`{self.source(unpacking.value)}` {what}"
                self._report_place(unpacking.statement, unpacking.step, message, unfixed(PER_AGENT))

    def _is_parallel(self, unpacking: Unpacking) -> bool:
        """Whether an environment of PettingZoo is stepped whose release gives five tables."""
        release = self.context.releases.pettingzoo
        return unpacking.step.env.api == PETTINGZOO_PARALLEL and (release is None or release >= PETTINGZOO_FIVE)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """`def step(self, action) -> Tuple[Obs, float, bool, dict]: return self.env.step(action)`."""
        if node.returns is None or not self.facts.steps or not says_four(node.returns.annotation):
            return
        step = handed_on(self.tree, node, self.facts.steps)
        if step is None or not _is_five(step) or step.env.certainty != "proven":
            return
        reason = blocked_by(step)
        self.report(
            node.returns.annotation,
            f"`{node.name.value}` returns the five values of a step, but is annotated with four",
            help="add the type of `truncated`",
            outcome=unfixed(reason)
            if reason
            else fixed("annotate five values", five_types(self.tree, node.returns.annotation)),
            env=step.env,
        )

    def visit_For(self, node: cst.For) -> None:
        """`for o, r, d, i in [env.step(a)]:`."""
        self._loop(
            node.target,
            node.iter,
            "a loop's header has no place for the line `done = terminated or truncated`",
            lambda target, step: five_in_header(self.context, node, target, step),
        )

    def visit_CompFor(self, node: cst.CompFor) -> None:
        """The same in a comprehension."""
        self._loop(
            node.target,
            node.iter,
            "a comprehension has no place for the line `done = terminated or truncated`",
            lambda target, step: five_in_comprehension(self.context, node, target, step),
        )

    def visit_Call(self, node: cst.Call) -> None:
        """`(lambda o, r, d, i: d)(*env.step(a))`."""
        if isinstance(node.func, cst.Lambda) and len(node.args) == 1 and node.args[0].star == "*":
            step = self._five(node.args[0].value)
            if step is not None and len(node.func.params.params) == 4:
                self._say(
                    node.args[0].value,
                    step,
                    "four are taken: this raises `TypeError`",
                    "a lambda has no place for the line `done = terminated or truncated`",
                )

    def visit_Assign(self, node: cst.Assign) -> None:
        """`obs, rewards, dones, infos = zip(*[env.step(a) for ...])`."""
        step = self.facts.columns.get(self.span(node.value))
        if step is not None and _is_five(step) and any(_four(target.target) for target in node.targets):
            reason = "`done` of each environment has to be computed in a loop of its own"
            self._say(node, step, "four are unpacked: this raises `ValueError`", reason)

    def _loop(
        self,
        target: cst.BaseExpression,
        values: cst.BaseExpression,
        reason: str,
        change: Callable[[cst.Tuple | cst.List, StepResult], Outcome] | None = None,
    ) -> None:
        """Look at what a loop takes apart; `change` is what can be done where it goes over results of many steps."""
        for inner in _inner_targets(target):
            # `for t, (obs, reward, done, info) in enumerate(rows):`
            self._loop(inner, values, reason, change)
        if not _four(target):
            return
        if (step := self._five(target)) is not None and not isinstance(values, (cst.List, cst.Tuple)):
            what = f"`{self.source(values)}` holds results of five values, but four are unpacked"
            outcome = unfixed(reason)
            if change is not None and isinstance(target, (cst.Tuple, cst.List)):
                outcome = change(target, step)
            self._report_place(target, step, f"{what}: this raises `ValueError`", outcome)
        for result in _literal(values):
            if (step := self._five(result)) is not None:
                self._say(result, step, "four are unpacked: this raises `ValueError`", reason)

    def _report(self, unpacking: Unpacking) -> None:
        outcome = fix_unpacking(self.context, unpacking, Slots(done=2))
        verb = "returns" if isinstance(unpacking.value, cst.Call) else "holds"
        five = _five_values(unpacking.step)
        message = f"`{self.source(unpacking.value)}` {verb} {five}, but four are unpacked: this raises `ValueError`"
        if (own := unpacking.step.changing) is not None:
            message = f"`{self.source(unpacking.value)}` changes together with {placed(own)}, which returns four values"
        self.report(
            unpacking.statement,
            message,
            help=HELP,
            outcome=outcome,
            related=self.elsewhere(unpacking.statement, unpacking.step.origin),
            env=unpacking.step.env,
        )

    def _say(self, place: cst.BaseExpression | cst.Assign, step: StepResult, what: str, reason: str) -> None:
        value = place.value if isinstance(place, cst.Assign) else place
        message = f"`{self.source(value)}` returns {_five_values(step)}, but {what}"
        if (own := step.changing) is not None:
            message = f"`{self.source(value)}` changes together with {placed(own)}, which returns four values"
        self._report_place(place, step, message, unfixed(reason))

    def _report_place(self, place: cst.CSTNode, step: StepResult, message: str, outcome: Outcome) -> None:
        self.report(
            place,
            message,
            help=HELP,
            outcome=outcome,
            related=self.elsewhere(place, step.origin),
            env=step.env,
        )

    def _five(self, result: cst.BaseExpression) -> StepResult | None:
        """The step result at this expression, if it is known to hold five values."""
        step = self.facts.steps.get(self.span(result))
        return step if step is not None and _is_five(step) else None


def _is_five(step: StepResult) -> bool:
    return step.env.api.five and not step.guarded


def _five_values(step: StepResult) -> str:
    """What a step returns, as far as that is true today: what is inside a class for Gym, and not seen, may be old."""
    if step.beside_made:
        return "five values where `make` made the environment"
    unseen = step.env.api == GYM and not step.env.made
    return "five values under Gymnasium" if unseen else "five values"


def _four(target: cst.BaseExpression) -> bool:
    """Four targets, none of them starred."""
    if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != 4:
        return False
    return not any(isinstance(element, cst.StarredElement) for element in target.elements)


def _inner_targets(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The tuples in a tuple of targets."""
    if isinstance(target, (cst.Tuple, cst.List)):
        yield from (one.value for one in target.elements if isinstance(one.value, (cst.Tuple, cst.List)))


def _literal(values: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Elements of a list or tuple display."""
    if isinstance(values, (cst.List, cst.Tuple)):
        yield from (element.value for element in values.elements)

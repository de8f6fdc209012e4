"""An episode loop ends on `terminated` only, and `truncated` is never read.

## What it does
Reports a step whose fourth value is dropped, where the loop around it can end on the third alone: `while not
terminated`, or `while True` with `if terminated: break`. Or a loop whose only end asks both flags, and goes on at a
truncation: `while not terminated or truncated`, `while not (terminated and truncated)`. Or where the method around it
is the `step` of a wrapper of the project, which hands on the third value as it is and returns `False` as the fourth:
what is around it never sees the limit. Not where nothing can truncate the episode: the id has no time limit (by a
table, or as the project registers it), and the environment never truncates by itself; a class of the project that is
made without `make` has to return a limit of its own as truncation alone; nor for an id of a package that is in no
table, nor where only a name says that something is an environment; nor for a wrapper that does nothing else, or ends
episodes by itself. A loop over episodes is reported where it has no end of its own (`while True`) or takes more steps
than any limit of the library's own ids, and resets on the flag alone.

## Why it matters
The time limit sets `truncated`, not `terminated`. On an environment that never terminates (Pendulum, most
MuJoCo tasks) such a loop never ends; on others it continues to step after the episode is over.

## Example
```python
import gymnasium as gym

env = gym.make("Pendulum-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, done, _, info = env.step(env.action_space.sample())
```

## Use instead
```python
import gymnasium as gym

env = gym.make("Pendulum-v1")
obs, info = env.reset()
done = False
truncated = False
while not (done or truncated):
    obs, reward, done, truncated, info = env.step(env.action_space.sample())
```

## Fix safety
Safe in a loop: only the loop's own tests change. The flag itself stays `terminated`, which is right for a value
target. Where the next episode's only reset stands in a branch on the flag, that branch is taken on either flag too, and
so is one at the end of the loop's body that closes the episode.
A branch on it that uses the reward stays as it is, where the loop ends by its own test; else there is no fix. Nor is
there one where a recursion over several episodes tells them apart by the flag: it has to be `done` there first.
Unsafe where the flag is read again behind the loop, where it was always true, or in a branch at the end of its body
that may mean either; and in a wrapper: what steps it sees an end that it did not see before.
Not reported where a counter or another condition can end the loop too, but for a `for` over more steps than the limits
of the library's own ids; nor where each round of the loop resets the environment and counts its steps in a `for`: it
tries again until the task is solved.

## References
- [Gymnasium: Handling time limits](https://gymnasium.farama.org/tutorials/gymnasium_basics/handling_time_limits/)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.core.text import one_line
from done_lint.knowledge import naming_conventions
from done_lint.rewrites.episode_loops.either_flag import end_on_either, reset_on_either
from done_lint.rewrites.episode_loops.either_missed import end_at_either, going_on
from done_lint.rewrites.episode_loops.lasting_loops import is_endless, is_longer, lasting_loops, tries_again
from done_lint.rewrites.episode_loops.loop_ends import Loop, ends, inner_breaks, loops_around
from done_lint.rewrites.episode_loops.next_resets import resetting
from done_lint.rewrites.step_tuple import lost_truncation
from done_lint.rewrites.step_tuple.unpacking import Unpacking, is_read
from done_lint.rules.base import Rule


class TruncationIgnored(Rule):
    """GYM107."""

    code = "GYM107"
    incompatibility = ""

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every unpacking of five values."""
        for unpacking in self.context.unpackings:
            if not self._may_truncate(unpacking):
                continue
            if self._drops_truncated(unpacking):
                self._loop(unpacking)
                self._next_episode(unpacking)
                self._wrapper(unpacking)
            elif (loop := going_on(self.context, unpacking)) is not None:
                self._test_of_both(unpacking, loop)

    def _may_truncate(self, unpacking: Unpacking) -> bool:
        env = unpacking.step.env
        targets = unpacking.targets
        if unpacking.starred or unpacking.part is not None or len(targets) != 5 or unpacking.step.guarded:
            return False
        if not env.api.five or env.api.vector or env.doubtful or unpacking.step.per_agent:
            return False
        if env.unlimited and not unpacking.step.truncates:
            return False
        if env.certainty == "by name":
            return False  # nothing says whether it has a limit
        return naming_conventions.right_order([self.source(one) for one in targets]) is None  # else it is GYM109's

    def _drops_truncated(self, unpacking: Unpacking) -> bool:
        targets = unpacking.targets
        if not isinstance(targets[3], cst.Name) or is_read(self.tree, unpacking.scope, targets[3]):
            return False
        return is_read(self.tree, unpacking.scope, targets[2])

    def _loop(self, unpacking: Unpacking) -> None:
        for loop in lasting_loops(self.tree, unpacking):
            tests = ends(self.context, loop, unpacking)
            if tests and not tries_again(self.context, loop, unpacking):
                self._report_loop(unpacking, loop, tests)
                return

    def _report_loop(self, unpacking: Unpacking, loop: Loop, tests: Sequence[cst.BaseExpression]) -> None:
        flag = self.source(unpacking.targets[2])
        flags = [*tests, *inner_breaks(self.context, loop, unpacking)]
        self.report(
            unpacking.statement,
            f"the loop ends on `{flag}` alone: it runs past the time limit that "
            f"`{self.source(unpacking.value)}` reports",
            help="end the episode on `terminated or truncated`",
            outcome=end_on_either(self.context, unpacking, loop, flags),
            related=self.elsewhere(unpacking.statement, unpacking.step.origin),
            env=unpacking.step.env,
        )

    def _test_of_both(self, unpacking: Unpacking, loop: cst.While) -> None:
        """`while not terminated or truncated`, and a loop that waits for both."""
        self.report(
            loop.test,
            f"`{one_line(self.source(loop.test))}` is true at a truncation: the loop runs past the time limit that "
            f"`{self.source(unpacking.value)}` reports",
            help="end the episode on either flag: `while not (terminated or truncated)`",
            outcome=end_at_either(self.context, unpacking, loop),
            related=self.elsewhere(unpacking.statement, unpacking.step.origin),
            env=unpacking.step.env,
        )

    def _next_episode(self, unpacking: Unpacking) -> None:
        """A loop beyond any time limit, which begins the next episode at the end of the task alone."""
        around = list(loops_around(self.tree, unpacking.statement))
        endless = any(is_endless(self.tree, loop) for loop in around)
        lasting = endless or is_longer(self.tree, around[:1], unpacking.step.env)
        tests = resetting(self.context, unpacking, around) if lasting else []
        if tests:
            self.report(
                unpacking.statement,
                f"the next episode begins on `{self.source(tests[0])}` alone: this one runs past the time limit that "
                f"`{self.source(unpacking.value)}` reports",
                help="reset on `terminated or truncated`",
                outcome=reset_on_either(self.context, unpacking, around, tests),
                related=self.elsewhere(unpacking.statement, unpacking.step.origin),
                env=unpacking.step.env,
            )

    def _wrapper(self, unpacking: Unpacking) -> None:
        """The `step` of a class that steps what is inside of it."""
        lost = lost_truncation.ends(self.context, unpacking)
        if lost:
            self.report(
                lost[0],
                f"`step` returns `False` where the `truncated` of `{self.source(unpacking.value)}` belongs: nothing "
                "around it sees the time limit",
                help="return the `truncated` of the environment inside",
                outcome=lost_truncation.handed_on(self.context, unpacking, lost),
                related=self.elsewhere(unpacking.statement, unpacking.step.origin),
                env=unpacking.step.env,
            )

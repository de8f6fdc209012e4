"""The step in which a vector environment resets is kept as if it were a transition.

## What it does
Reports where the rows of a step are stored (arrays that the step indexes, lists, buffers, dictionaries), or learnt from
at once, where the vector environment resets in the next step, and nothing leaves the resetting environments out: before
they are stored, where they are sampled, or in the loss. Code that reads in the infos which environments were reset
(`infos["reset_mask"]`) knows of these steps. A loop that breaks or resets everything at the first end of any episode
has no such step. Rows that only assertions read are not reported: nothing is learnt from them. A row has a reward, or
the action with what was seen before it and after; observations and actions alone may be right, as for a policy that is
imitated.

## Why it matters
Since Gymnasium 1.0 a vector environment resets in the step *after* an episode's end. That step ignores the
action and returns the first observation, a reward of zero and both flags false. Stored, it is a transition
that never happened: from the final observation of one episode to the start of the next, for any action. Where the
environment keeps its mode (EnvPool has no other one), remember `resets = terminated | truncated` of the step before,
and store `obs[~resets]`, `reward[~resets]` and so on; or keep that mask beside the rows, and leave them out where they
are sampled.

## Example
```python
import gymnasium as gym
import numpy as np


def collect(make, policy):
    envs = gym.vector.SyncVectorEnv([make] * 4)
    seen, rewards = np.zeros((128, 4, 4)), np.zeros((128, 4))
    dones = np.zeros((128, 4))
    obs, infos = envs.reset()
    for step in range(128):
        seen[step] = obs
        obs, reward, terminated, truncated, infos = envs.step(policy(obs))
        rewards[step] = reward
        dones[step] = terminated | truncated
    return seen, rewards, dones
```

## Use instead
```python
import gymnasium as gym
import numpy as np


def collect(make, policy):
    envs = gym.vector.SyncVectorEnv([make] * 4, autoreset_mode=gym.vector.AutoresetMode.SAME_STEP)
    seen, rewards = np.zeros((128, 4, 4)), np.zeros((128, 4))
    dones = np.zeros((128, 4))
    obs, infos = envs.reset()
    for step in range(128):
        seen[step] = obs
        obs, reward, terminated, truncated, infos = envs.step(policy(obs))
        rewards[step] = reward
        dones[step] = terminated | truncated
    return seen, rewards, dones
```

## Fix safety
Unsafe, where the call that makes the vector environment stands in the same file and shows all of its arguments: it is
asked for `AutoresetMode.SAME_STEP`, which has no such rows. `make_vec` is told to put environments side by side
(`vectorization_mode="sync"`) where the id may have a vector environment of its own, as `CartPole-v1` has: that one
takes no mode, and `vector_kwargs` beside it raises an error. What then is wrong (the next observation of the row that
ends an episode belongs to another one: GYM205) is reported in the same run. Elsewhere no fix: a buffer may expect one
row for each environment in every step.

## References
- [Gymnasium: Vector autoreset modes](https://farama.org/Vector-Autoreset-Mode)
"""

from __future__ import annotations

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.environments.autoreset_modes import row_mode
from done_lint.facts.kinds.environments import Made
from done_lint.facts.kinds.rows import Row
from done_lint.knowledge.env_apis import NEXT_STEP_ONLY
from done_lint.knowledge.vector_info_keys import MAKING_NEXT_STEP
from done_lint.rewrites.outcome import Outcome, unfixed
from done_lint.rewrites.vectors.compared_rows import only_compared
from done_lint.rewrites.vectors.final_observations import counts_on_final
from done_lint.rewrites.vectors.first_steps import follows_reset
from done_lint.rewrites.vectors.passed_over import marks_resets, passes_over_resets
from done_lint.rewrites.vectors.same_step import in_same_step, is_said
from done_lint.rewrites.vectors.step_rows import keeping, leaves_out
from done_lint.rewrites.vectors.stepped_alone import steps_alone
from done_lint.rules.base import Rule

_LEAVE_OUT = "leave out the environments whose episode ended in the step before"
_OF_NEXT = "the step that ends an episode then returns the first observation of the next, which may be stored with it"


class AutoresetRow(Rule):
    """GYM207."""

    code = "GYM207"
    incompatibility = ""

    def visit_Module(self, node: cst.Module) -> None:
        """Look at all rows that are kept."""
        said: set[Span] = set()
        for row in self.context.facts.rows:
            if row_mode(row, self.context.target) != "NextStep" or row.place in said:
                continue
            if self._is_said(row.env.made) or follows_reset(self.context, row) or steps_alone(self.context, row):
                continue
            if passes_over_resets(self.context, row) or marks_resets(self.context, row):
                continue
            if not (leaves_out(self.context, row) or self._has_final(row) or only_compared(self.context, row)):
                said.add(row.place)
                self._say(row)

    def _is_said(self, made: tuple[Made, ...]) -> bool:
        """Whether every call that makes it is reported as one of before 1.0, and gets the mode that it had."""
        return bool(made) and all(is_said(self.context, one) for one in made)

    def _has_final(self, row: Row) -> bool:
        """Whether code counts on final observations, which an environment without that mode never gives it."""
        return row.env.api in NEXT_STEP_ONLY and counts_on_final(self.tree, self.tree.scope(keeping(self.tree, row)))

    def _say(self, row: Row) -> None:
        place = keeping(self.tree, row)
        only_mode = row.env.api in NEXT_STEP_ONLY
        any_only = only_mode or any(one.function in MAKING_NEXT_STEP for one in row.env.made)
        self.report(
            place,
            f"the step after an episode's end only resets: {'learnt from' if row.at_once else 'stored'} here, it is a "
            "transition that never happened",
            help=_LEAVE_OUT if any_only else f"{_LEAVE_OUT}, or make them with `AutoresetMode.SAME_STEP`",
            outcome=unfixed(f"{row.env.api.name} resets in the next step only")
            if only_mode
            else self._in_same_step(row.env.made),
            related=self.elsewhere(place, row.step),
            env=row.env,
        )

    def _in_same_step(self, made: tuple[Made, ...]) -> Outcome:
        """The other mode, where the one call that makes the environment stands in this file."""
        here = len(made) == 1 and made[0].place.path == self.context.path
        call = self.tree.expressions.get(made[0].place.span) if here else None
        if not isinstance(call, cst.Call):
            return unfixed("the call that makes the vector environment is not in this file, or not the only one")
        return in_same_step(self.context, call, made[0], unsure=_OF_NEXT)

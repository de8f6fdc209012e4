"""A transition of a vector environment keeps the observation after the reset for its next observation.

## What it does
Reports an observation that is stored beside `terminated` (in a row, or at the same index of an array; beside both flags
if `terminated` alone is seen to cut the targets), or whose value is masked with it, where the vector environment resets
in the same step (or did so in the release that the program was made for: GYM407), and nothing in the function asks for
the final observation but for terminated episodes, or for what is added to the reward. In a recursion over the rows of a
rollout it reports the value one row on (`values[t + 1]`) that a delta bootstraps from by a mask of `terminated`, if
nothing in the files that run with it asks for final observations. So it does where the value of the next observation is
added to the reward of an episode that was truncated, or stands for the rest of it where zero stands for that of a
terminated one. The vector environments of Stable-Baselines3 reset in the same step as well, and keep the last
observation under `terminal_observation`. Code of the project that steps one of several environments, resets it where
its episode ended, and sends the new observation with the old flags, or with `terminated` where nothing else tells of a
truncation, does the same, and is reported where it resets; also where only this code shows what it steps, and not where
whoever takes the rows joins their flags.

## Why it matters
With `AutoresetMode.SAME_STEP` the step that ends an episode returns the *first* observation of the next
episode; the last one of the old episode stands in `infos["final_obs"]`. Where the time limit ended it, the
value target bootstraps from the stored observation: from the start of another episode.

## Example
```python
import gymnasium as gym
from gymnasium.vector import AutoresetMode


def collect(make, policy, buffer):
    envs = gym.vector.SyncVectorEnv([make, make], autoreset_mode=AutoresetMode.SAME_STEP)
    obs, infos = envs.reset()
    for _ in range(1000):
        action = policy(obs)
        next_obs, reward, terminated, truncated, infos = envs.step(action)
        buffer.add(obs, action, reward, next_obs, terminated)
        obs = next_obs
```

## Use instead
```python
import gymnasium as gym
from gymnasium.vector import AutoresetMode


def collect(make, policy, buffer):
    envs = gym.vector.SyncVectorEnv([make, make], autoreset_mode=AutoresetMode.SAME_STEP)
    obs, infos = envs.reset()
    for _ in range(1000):
        action = policy(obs)
        next_obs, reward, terminated, truncated, infos = envs.step(action)
        real_next_obs = next_obs.copy()
        for i, trunc in enumerate(truncated):
            if trunc:
                real_next_obs[i] = infos["final_obs"][i]
        buffer.add(obs, action, reward, real_next_obs, terminated)
        obs = next_obs
```

## Fix safety
Unsafe, where the flags and the infos of the step are still there: observations are taken for arrays. Where the episode
terminated nothing is bootstrapped, so that only truncated environments need their final observation. Elsewhere no fix:
how final observations get into the batch depends on what an observation is.

## References
- [Gymnasium: Vector autoreset modes](https://farama.org/Vector-Autoreset-Mode)
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

import libcst as cst

from done_lint.core.findings import Related, Span
from done_lint.facts.environments.autoreset_modes import is_asked_for_same_step
from done_lint.facts.kinds.rows import Row
from done_lint.rewrites.outcome import unfixed
from done_lint.rewrites.vectors.asked_finals import asks_for_its_final, asks_for_row, final_key, takes_finals
from done_lint.rewrites.vectors.final_observations import is_given_final, with_final
from done_lint.rewrites.vectors.own_resets import own_resets
from done_lint.rewrites.vectors.reset_rows import hands_infos_on, keeps_reset_observation
from done_lint.rewrites.vectors.same_step import resets_at_once
from done_lint.rewrites.vectors.step_rows import keeping
from done_lint.rewrites.vectors.stepped_alone import steps_one
from done_lint.rewrites.vectors.stored_transitions import StoredTransition, stored_transitions
from done_lint.rewrites.vectors.truncation_values import truncation_values
from done_lint.rules.base import Rule


class ResetObservation(Rule):
    """GYM205."""

    code = "GYM205"
    incompatibility = ""

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every stored transition of the file, and at workers that reset by themselves."""
        self._own_resets()
        said = set(self._values())
        seen: set[Related] = set()
        for stored in stored_transitions(self.context):
            seen.add(stored.step.step.origin)
            key = final_key(self.context, stored.step.step.env)
            if not key or not stored.flag.terminated_only or asks_for_row(self.context, stored.step):
                continue
            if is_given_final(self.context, stored.step, stored.observation):
                continue
            if takes_finals(self.context, stored.step, stored.observation):
                continue
            if self._leaves_truncated_out(stored):
                continue  # where it terminated, nothing is bootstrapped
            if stored.masked in said:
                continue  # the last value of a rollout, in the same product
            self.report(
                stored.observation,
                f"where an episode ended, `{stored.observation.value}` is the first observation of the next "
                "one, from which the value target bootstraps",
                help=f'where an episode ended, take `infos["{key}"]` instead',
                outcome=with_final(self.context, stored, key),
                related=self.elsewhere(stored.observation, stored.step.step.origin),
                env=stored.step.step.env,
            )
        self._ending_values()
        self._rows({(one.path, one.span) for one in seen})

    def _ending_values(self) -> None:
        """Look at values that count at truncations: they are added to the reward, or are what an episode ends with."""
        for value in truncation_values(self.context):
            step, observation = value.step, value.observation
            key = final_key(self.context, step.step.env)
            if not key or asks_for_its_final(self.context, step) or is_given_final(self.context, step, observation):
                continue
            use = "is added to the reward" if value.rewarded else "stands for the rest of the episode"
            self.report(
                observation,
                f"where the time limit ended an episode, `{observation.value}` is the first observation of the next "
                f"one, whose value {use}",
                help=f'where an episode was truncated, take the value of `infos["{key}"]` instead',
                outcome=unfixed("how final observations are valued depends on what an observation is"),
                related=self.elsewhere(observation, step.step.origin),
                env=step.step.env,
            )

    def _leaves_truncated_out(self, stored: StoredTransition) -> bool:
        """Whether all that is kept of a step are rows of environments that were not truncated."""
        origin = stored.step.step.origin
        return origin.path == self.context.path and origin.span in self.facts.untruncated

    def _rows(self, seen: AbstractSet[tuple[str, Span]]) -> None:
        """Look at the rows that the analysis has seen to be kept, of the steps that nothing was said of."""
        for row in self.facts.rows:
            key = final_key(self.context, row.env)
            if not key or (row.step.path, row.step.span) in seen or not resets_at_once(self.context, row.env):
                continue
            if row.untruncated or not keeps_reset_observation(self.context, row) or self._is_final_taken(row):
                continue
            place = keeping(self.tree, row)
            self.report(
                place,
                f"where the time limit ended an episode, the next observation that is {_done_with(row)} here is the "
                "first one of the next episode",
                help=f'where an episode was truncated, take `infos["{key}"]` instead',
                outcome=unfixed("how final observations get into the rows depends on what an observation is"),
                related=self.elsewhere(place, row.step),
                env=row.env,
            )

    def _is_final_taken(self, row: Row) -> bool:
        """Whether the function that takes the step asks for its final observations, or may by what it calls."""
        origin = (row.step.path, row.step.span)
        steps = [one for one in self.context.unpackings if (one.step.origin.path, one.step.origin.span) == origin]
        return any(asks_for_its_final(self.context, one) or hands_infos_on(self.context, one) for one in steps)

    def _values(self) -> Iterator[Span]:
        """Look at what deltas bootstrap from one row on; where that is."""
        for one in self.facts.reset_values:
            node = self.tree.expressions.get(one.place)
            # elsewhere the row after an episode's end begins with its final observation
            wrong = [
                (env, step)
                for env, step in zip(one.envs, one.steps, strict=True)
                if not env.unlimited
                and (resets_at_once(self.context, env) or is_asked_for_same_step(env))
                and not (step in one.alone and self._may_be_alone(step))
            ]
            key = final_key(self.context, wrong[0][0]) if wrong else ""
            if node is None or not key:
                continue
            self.report(
                node,
                f"where the time limit ended an episode, `{self.source(node)}` is the value of the first observation "
                "of the next one",
                help=f'where an episode was truncated, take the value of `infos["{key}"]` instead',
                outcome=unfixed("how final observations get into the rollout depends on what an observation is"),
                related=tuple(at for _, step in wrong for at in self.elsewhere(node, step)),
                env=wrong[0][0],
            )
            yield one.place

    def _may_be_alone(self, step: Related) -> bool:
        """Whether the loop around a step is one of a single environment, or cannot be seen from here."""
        return step.path != self.context.path or steps_one(self.context, step.span)

    def _own_resets(self) -> None:
        for reset in own_resets(self.context):
            self.report(
                reset.observation,
                f"`{self.source(reset.observation)}` goes out with the flags of the episode that ended, and is the "
                "first observation of the next one, from which a value target bootstraps",
                help='hand the final observation on, as `info["final_obs"]`',
                outcome=unfixed("whoever takes the row has to take the final observation as well"),
                related=self.elsewhere(reset.observation, reset.origin),
                env=reset.env,
                certainty="by name",
            )


def _done_with(row: Row) -> str:
    return "learnt from" if row.at_once else "kept"

"""How a vector environment goes on after an episode's end, as far as the program shows it."""

from __future__ import annotations

import pytest
from model_programs import facts, span_of

PROGRAM = """
import gymnasium as gym
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

KEPT = {{"autoreset_mode": AutoresetMode.DISABLED}}


class Cast(gym.vector.VectorWrapper):
    pass


def several(makers, mode=AutoresetMode.SAME_STEP, **options):
    return SyncVectorEnv(makers, autoreset_mode=mode)


envs = {made}
print(envs)
"""


@pytest.mark.parametrize(
    ("made", "mode"),
    [
        ("SyncVectorEnv(makers)", "default"),
        ("SyncVectorEnv(makers, autoreset_mode=AutoresetMode.SAME_STEP)", "SameStep"),
        ('SyncVectorEnv(makers, autoreset_mode="Disabled")', "Disabled"),
        ('SyncVectorEnv(makers, True, "same", gym.vector.AutoresetMode.SAME_STEP)', "SameStep"),
        ("AsyncVectorEnv(makers, autoreset_mode=AutoresetMode.NEXT_STEP)", "NextStep"),
        ("AsyncVectorEnv(makers, autoreset_mode=chosen)", "unknown"),
        ("SyncVectorEnv(makers, **options)", "unknown"),
        ('gym.make_vec("CartPole-v1", 3)', "default"),
        ('gym.make_vec("CartPole-v1", 3, vector_kwargs=KEPT)', "Disabled"),
        ('gym.make_vec("CartPole-v1", vector_kwargs=dict(autoreset_mode="SameStep"))', "SameStep"),
        ('gym.make_vec("CartPole-v1", vector_kwargs={"copy": False})', "default"),
        ('gym.make_vec("CartPole-v1", vector_kwargs=options)', "unknown"),
        ("several(makers)", "SameStep"),
        ("Cast(SyncVectorEnv(makers, autoreset_mode=AutoresetMode.SAME_STEP))", "SameStep"),
        ("gym.wrappers.vector.ClipReward(SyncVectorEnv(makers))", "default"),
    ],
)
def test_the_mode_is_that_of_the_call_that_makes_it(made: str, mode: str) -> None:
    program = PROGRAM.format(made=made)
    (found,) = facts(program).envs[span_of(program, "envs")].made
    assert found.mode == mode

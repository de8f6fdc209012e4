"""A mask whose origin is not visible is judged by its name alone."""

from __future__ import annotations

import pytest
from model_programs import STEP, assert_sinks


def test_a_mask_whose_origin_is_not_visible_is_reported_by_name() -> None:
    assert_sinks("""
        import torch
        def loss(rewards, next_q, dones):
            return rewards + 0.99 * next_q * (1 - dones)  # sink: mask by name
    """)


def test_a_branch_whose_origin_is_not_visible_is_reported_by_name() -> None:
    assert_sinks("""
        import torch
        def target(reward, next_q, done):
            return reward if done else reward + 0.99 * next_q  # sink: branch by name
    """)


@pytest.mark.parametrize("name", ["terminated", "mask", "not_done", "weights"])
def test_a_name_that_does_not_mean_done_is_not_reported(name: str) -> None:
    assert_sinks(f"import torch\ndef loss(rewards, q, {name}):\n    return rewards + 0.99 * q * (1 - {name})\n")


def test_a_name_proves_nothing_next_to_a_look_alike() -> None:
    assert_sinks("import gymnax\ndef loss(rewards, q, dones):\n    return rewards + 0.99 * q * (1 - dones)\n")


def test_a_name_proves_nothing_where_flags_come_from_a_step_elsewhere() -> None:
    assert_sinks(f"{STEP}def loss(rewards, q, dones):\n    return rewards + 0.99 * q * (1 - dones)\n")

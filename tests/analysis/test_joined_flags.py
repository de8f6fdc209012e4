"""Termination united with truncation is `done`, however it is written."""

from __future__ import annotations

import pytest
from model_programs import STEP, after_step, meanings


@pytest.mark.parametrize(
    "expression",
    [
        "terminated or truncated",
        "truncated or terminated",
        "terminated | truncated",
        "terminated + truncated",
        "bool(terminated + truncated)",
        "np.logical_or(terminated, truncated)",
        "torch.logical_or(terminated, truncated)",
        "np.maximum(terminated, truncated)",
        "max(terminated, truncated)",
        "np.bitwise_or(terminated, truncated)",
        "any([terminated, truncated])",
        "any((terminated, truncated))",
        "np.any([terminated, truncated])",
        "torch.tensor(terminated).logical_or(torch.tensor(truncated))",
        "True if truncated else terminated",
        "True if terminated or truncated else False",
        "terminated or truncated or done",
        "done or truncated",
        "not (not terminated and not truncated)",
        "1 - (1 - terminated) * (1 - truncated)",
        "terminated if not truncated else True",
    ],
)
def test_termination_united_with_truncation_is_done(expression: str) -> None:
    assert after_step(expression) == {"done"}


def test_an_update_in_place_unites() -> None:
    assert meanings(STEP + "terminated |= truncated\nprint(terminated)", "terminated") == {"done"}


def test_an_update_of_a_summed_flag_unites() -> None:
    assert meanings(STEP + "over = terminated\nover += truncated\nprint(over)", "over") == {"done"}


def test_an_if_that_sets_the_flag_unites() -> None:
    program = STEP + "over = terminated\nif truncated:\n    over = True\nprint(over)"
    assert meanings(program, "over") == {"done"}


def test_if_and_else_around_constants_make_the_test_itself() -> None:
    program = STEP + "if done:\n    mask = 0.0\nelse:\n    mask = 1.0\nprint(mask)"
    assert meanings(program, "mask") == {"not done"}


def test_a_constant_replaced_under_a_test_makes_the_test_itself() -> None:
    program = STEP + "mask = 1.0\nif done:\n    mask = 0.0\nprint(mask)"
    assert meanings(program, "mask") == {"not done"}


def test_a_union_with_what_is_not_known_keeps_what_is_known() -> None:
    assert after_step("terminated or crashed(obs)") == {"terminated"}

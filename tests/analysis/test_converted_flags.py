"""Casts, negations and arithmetic: what they make of a flag."""

from __future__ import annotations

import pytest
from model_programs import after_step


@pytest.mark.parametrize(
    "cast",
    [
        "float(done)",
        "int(done)",
        "bool(done)",
        "np.array(done)",
        "np.float32(done)",
        "torch.tensor(done)",
        "torch.as_tensor(done).float()",
        "torch.from_numpy(np.array(done)).to('cpu')",
        "np.array(done).astype(np.float32)",
        "torch.tensor(done).unsqueeze(-1)",
        "torch.tensor(done).view(-1, 1)",
        "torch.tensor(done).detach().cpu().numpy()",
        "np.array([done])[0]",
        "np.expand_dims(done, 0)",
        "done == True",
        "done == 1",
        "done is True",
        "done != False",
        "done > 0",
        "1.0 if done else 0.0",
        "1.0 * done",
        "done * 1.0",
        "np.where(done, 1.0, 0.0)",
        "np.array(done)[None]",
        "np.array([done])[:, None]",
    ],
)
def test_a_cast_keeps_the_flag(cast: str) -> None:
    assert after_step(cast) == {"done"}


@pytest.mark.parametrize(
    "negation",
    [
        "not done",
        "~done",
        "1 - done",
        "1.0 - done",
        "1 - float(done)",
        "np.logical_not(done)",
        "torch.logical_not(torch.tensor(done))",
        "np.invert(done)",
        "torch.tensor(done).logical_not()",
        "0.0 if done else 1.0",
        "0 if done else 1",
        "1.0 if not done else 0.0",
        "False if done else True",
        "done == False",
        "done == 0",
        "done is False",
        "np.where(done, 0.0, 1.0)",
        "np.ones(1) - done",
        "torch.ones(1) - done",
        "torch.ones_like(q) - done",
        "float(not done)",
        "not terminated and not truncated",
        "not (terminated or truncated)",
        "(1 - terminated) * (1 - truncated)",
    ],
)
def test_a_negation_turns_the_flag_into_a_keep_mask(negation: str) -> None:
    assert after_step(negation) == {"not done"}


@pytest.mark.parametrize(
    "array",
    [
        "np.asarray([done])",
        "np.array([done])[:, None]",
        "torch.tensor([done], dtype=torch.float32)",
        "torch.FloatTensor([done, done])",
        "np.stack([done])",
        "torch.cat([torch.tensor(done)])",
        "torch.stack([torch.tensor(done)]).view(-1, 1)",
        "np.array([float(done) for _ in range(3)])",
    ],
)
def test_arithmetic_on_an_array_sees_the_flags_it_was_made_of(array: str) -> None:
    assert after_step(f"1 - {array}") == {"not done"}
    assert after_step(f"~{array}") == {"not done"}


def test_two_negations_are_none() -> None:
    assert after_step("not not done") == {"done"}
    assert after_step("1 - (1 - done)") == {"done"}


def test_a_discount_keeps_the_mask_a_mask() -> None:
    assert after_step("0.99 * (1 - done)") == {"not done"}


def test_a_value_times_a_mask_is_no_flag() -> None:
    assert after_step("value(next_obs) * (1 - done)") == set()
    assert after_step("reward * (1 - done)") == set()


def test_a_sum_with_a_number_is_no_flag() -> None:
    assert after_step("reward + done") == set()


def test_an_unknown_function_returns_no_flag() -> None:
    assert after_step("shaped(done)") == set()

"""Flags of vector environments are arrays; a row or a reduction of one is a single flag."""

from __future__ import annotations

import pytest
from model_programs import STEP, VECTOR_STEP, flag, meanings


def after_vector_step(expression: str) -> set[str]:
    """What an expression means after one step of a vector environment."""
    return meanings(f"{VECTOR_STEP}seen = {expression}\n", expression)


def test_flags_of_a_vector_environment_are_arrays() -> None:
    found = flag(VECTOR_STEP + "print(done)", "done")
    assert found is not None
    assert found.array


def test_flags_of_a_plain_environment_are_not_known_to_be_arrays() -> None:
    found = flag(STEP + "print(done)", "done")
    assert found is not None
    assert not found.array


@pytest.mark.parametrize(
    "expression",
    ["terminated | truncated", "np.logical_or(terminated, truncated)", "terminated + truncated", "done.copy()"],
)
def test_a_union_of_arrays_is_an_array(expression: str) -> None:
    found = flag(f"{VECTOR_STEP}seen = {expression}", expression)
    assert found is not None
    assert found.array


@pytest.mark.parametrize("expression", ["done[0]", "done[i]"])
def test_one_row_of_an_array_is_a_single_flag(expression: str) -> None:
    found = flag(f"{VECTOR_STEP}i = 1\nseen = {expression}", expression)
    assert found is not None
    assert not found.array


@pytest.mark.parametrize("expression", ["done.any()", "any(done)", "np.any(done)", "done.all()", "all(done)"])
def test_any_and_all_of_an_array_keep_what_it_means(expression: str) -> None:
    assert after_vector_step(expression) == {"done"}


@pytest.mark.parametrize("expression", ["done.any()", "any(done)", "np.any(done)", "done.all()", "all(done)"])
def test_any_and_all_make_one_flag_of_an_array(expression: str) -> None:
    found = flag(f"{VECTOR_STEP}seen = {expression}", expression)
    assert found is not None
    assert not found.array


def test_iterating_an_array_gives_single_flags() -> None:
    for loop in ("for d in done:", "for i, d in enumerate(done):", "for o, d in zip(obs, done):"):
        found = flag(f"{VECTOR_STEP}{loop}\n    print(d)", "d")
        assert found is not None, loop
        assert not found.array, loop


def test_arithmetic_on_a_list_sees_the_flags_of_its_elements() -> None:
    program = STEP + "dones = []\ndones.append(done)\nmask = 1 - np.array(dones)\nprint(mask)"
    assert meanings(program, "mask") == {"not done"}


def test_a_masked_assignment_narrows_an_array() -> None:
    program = VECTOR_STEP + "ends = done.copy()\nends[truncated] = False\nprint(ends)"
    assert meanings(program, "ends") <= {"terminated", "done"}

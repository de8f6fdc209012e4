"""The lattice of flags, and what a name alone is evidence for."""

from __future__ import annotations

import pytest

from done_lint.analysis import flag_lattice
from done_lint.analysis.flag_lattice import DONE, KEEP, LIMIT, TERMINATED, TRUNCATED
from done_lint.analysis.values import Meaning
from done_lint.facts.kinds.flags import Flag
from done_lint.knowledge import naming_conventions

EVERY = [causes | keep for causes in range(1, 8) for keep in (0, KEEP)]


def test_a_way_that_all_kinds_of_flags_take_proves_nothing() -> None:
    assert flag_lattice.is_anything(EVERY)
    assert not flag_lattice.is_anything([DONE, DONE | KEEP, TERMINATED, TERMINATED | KEEP])
    assert not flag_lattice.is_anything([DONE, TERMINATED, TRUNCATED | KEEP])


@pytest.mark.parametrize("keep", [0, KEEP])
def test_a_way_that_truncation_alone_takes_too_proves_nothing(keep: int) -> None:
    assert flag_lattice.is_anything([DONE | keep, TERMINATED | keep, TRUNCATED | keep])
    assert not flag_lattice.is_anything([DONE | keep, TERMINATED | keep])


@pytest.mark.parametrize("flag", EVERY)
def test_negating_twice_changes_nothing(flag: int) -> None:
    assert flag_lattice.negated(flag_lattice.negated(flag)) == flag
    assert flag_lattice.keeps(flag_lattice.negated(flag)) != flag_lattice.keeps(flag)


@pytest.mark.parametrize("left", EVERY)
@pytest.mark.parametrize("right", EVERY)
def test_a_union_does_not_ask_for_the_order(left: int, right: int) -> None:
    assert flag_lattice.united(left, right) == flag_lattice.united(right, left)


@pytest.mark.parametrize(
    ("left", "right"), [(left, right) for left in EVERY for right in EVERY if left & right & flag_lattice.CAUSES]
)
def test_a_conjunction_of_flags_that_share_a_cause_does_not_ask_for_the_order(left: int, right: int) -> None:
    assert flag_lattice.conjunction(left, right) == flag_lattice.conjunction(right, left)


def test_a_conjunction_of_flags_without_a_common_cause_does_not_ask_for_the_order() -> None:
    assert flag_lattice.conjunction(TERMINATED, TRUNCATED) == flag_lattice.conjunction(TRUNCATED, TERMINATED)


@pytest.mark.parametrize("left", EVERY)
@pytest.mark.parametrize("right", EVERY)
def test_nothing_combined_holds_a_cause_of_neither(left: int, right: int) -> None:
    for result in (
        flag_lattice.united(left, right),
        flag_lattice.conjunction(left, right),
        flag_lattice.narrowed(left, right),
    ):
        assert result is None or not result & flag_lattice.CAUSES & ~(left | right)


def test_termination_united_with_truncation_is_done() -> None:
    assert flag_lattice.united(TERMINATED, TRUNCATED) == DONE


@pytest.mark.parametrize("keep", [flag for flag in EVERY if flag & KEEP])
@pytest.mark.parametrize("flag", [flag for flag in EVERY if not flag & KEEP])
def test_a_keep_mask_united_with_a_flag_loses_the_causes_of_the_flag(keep: int, flag: int) -> None:
    assert flag_lattice.united(keep, flag) == flag_lattice.narrowed(keep, flag)


def test_not_done_or_truncated_is_not_terminated() -> None:
    assert flag_lattice.united(DONE | KEEP, TRUNCATED) == TERMINATED | KEEP
    assert flag_lattice.united(TERMINATED, TRUNCATED | KEEP) == TRUNCATED | KEEP


def test_a_keep_mask_united_with_all_its_causes_is_nothing() -> None:
    assert flag_lattice.united(TERMINATED | KEEP, TERMINATED) is None
    assert flag_lattice.united(TRUNCATED | KEEP, DONE) is None


def test_done_and_not_truncated_is_terminated() -> None:
    assert flag_lattice.narrowed(DONE, TRUNCATED) == TERMINATED
    assert flag_lattice.conjunction(DONE, TRUNCATED | KEEP) == TERMINATED
    assert flag_lattice.conjunction(TRUNCATED | KEEP, DONE) == TERMINATED


def test_an_own_limit_taken_out_takes_truncation_with_it() -> None:
    """`ep_len == max_ep_len` is how old code recognised the environment's time limit."""
    assert flag_lattice.narrowed(DONE, LIMIT) == TERMINATED
    assert flag_lattice.narrowed(DONE | LIMIT, LIMIT) == TERMINATED


def test_truncation_taken_out_leaves_the_own_limit_in() -> None:
    assert flag_lattice.narrowed(DONE | LIMIT, TRUNCATED) == TERMINATED | LIMIT


def test_a_flag_without_its_own_causes_is_nothing() -> None:
    assert flag_lattice.narrowed(TERMINATED, TERMINATED) is None
    assert flag_lattice.conjunction(DONE, DONE | KEEP) is None


def test_the_product_of_two_keep_masks_cuts_for_both_causes() -> None:
    assert flag_lattice.conjunction(TERMINATED | KEEP, TRUNCATED | KEEP) == DONE | KEEP


def test_both_flags_at_once_hold_what_they_share() -> None:
    assert flag_lattice.conjunction(DONE, TERMINATED) == TERMINATED
    assert flag_lattice.conjunction(DONE, TRUNCATED) == TRUNCATED


@pytest.mark.parametrize(
    ("flag", "mixed"),
    [
        (TERMINATED, False),
        (TRUNCATED, False),
        (LIMIT, False),
        (TRUNCATED | LIMIT, False),
        (DONE, True),
        (TERMINATED | LIMIT, True),
        (DONE | LIMIT, True),
    ],
)
def test_only_termination_together_with_something_else_is_mixed(flag: int, mixed: bool) -> None:
    assert flag_lattice.mixed(flag) is mixed
    assert flag_lattice.mixed(flag | KEEP) is mixed


@pytest.mark.parametrize("flag", EVERY)
def test_every_flag_is_smaller_than_every_other_token(flag: int) -> None:
    assert flag | flag_lattice.DISCOUNTED | flag_lattice.ARRAY < flag_lattice.END


def test_a_meaning_names_causes_and_polarity() -> None:
    assert flag_lattice.meaning(DONE | KEEP) == Meaning(True, True, False, True)
    assert flag_lattice.meaning(TERMINATED | flag_lattice.ARRAY | flag_lattice.DISCOUNTED) == Meaning(True, False)
    assert flag_lattice.meanings([LIMIT, LIMIT | flag_lattice.ARRAY]) == {Meaning(False, False, True)}


def test_a_flag_holds_truncation_when_one_alternative_does() -> None:
    assert Flag(flag_lattice.meanings([TERMINATED, DONE])).truncation
    assert Flag(flag_lattice.meanings([TERMINATED | LIMIT])).truncation
    assert not Flag(flag_lattice.meanings([TERMINATED, TRUNCATED])).truncation


def test_a_flag_is_terminated_only_when_every_alternative_is() -> None:
    assert Flag(flag_lattice.meanings([TERMINATED, TERMINATED | KEEP])).terminated_only
    assert not Flag(flag_lattice.meanings([TERMINATED, DONE])).terminated_only
    assert not Flag(flag_lattice.meanings([TERMINATED | LIMIT])).terminated_only


# --- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["env", "_env", "test_env", "eval_env", "env_", "environment", "ENV", "env_test"])
def test_a_name_of_an_environment(name: str) -> None:
    assert naming_conventions.environment(name)


@pytest.mark.parametrize("name", ["envs", "environ", "envelope", "venv_path_", "inventory", "vec_envs", "e", ""])
def test_no_name_of_one_environment(name: str) -> None:
    assert not naming_conventions.environment(name)


@pytest.mark.parametrize(
    "name",
    (
        "d ds done dones terminal terminals done_batch batch_done b_done d_t done_mask dones_b next_done is_done "
        "isdone finished mb_dones done_flags all_dones done_buf done_tensor _done done_"
    ).split(),
)
def test_a_name_that_means_done(name: str) -> None:
    assert naming_conventions.done(name)


@pytest.mark.parametrize(
    "name",
    ["terminated", "truncated", "not_done", "condone", "mask", "data", "undone", "dd", "time_out", "abandoned", ""],
)
def test_a_name_that_does_not_mean_done(name: str) -> None:
    assert not naming_conventions.done(name)


@pytest.mark.parametrize("name", ["gamma", "GAMMA", "discount", "discount_factor", "gamma_", "self_gamma", "\u03b3"])
def test_a_name_of_a_discount(name: str) -> None:
    assert naming_conventions.discount(name)


@pytest.mark.parametrize("name", ["discounted_return", "discounted", "game", "gambit", "lam", "learning_rate"])
def test_no_name_of_a_discount(name: str) -> None:
    assert not naming_conventions.discount(name)


@pytest.mark.parametrize(
    "name", ["lam", "lambda_", "lmbda", "gae_lambda", "gae_lam", "tau", "gae_tau", "λ", "td_lambda"]
)
def test_a_name_of_a_trace(name: str) -> None:
    assert naming_conventions.trace(name)


@pytest.mark.parametrize("name", ["lamp", "lambda_fn", "taut", "llama", "flame"])
def test_no_name_of_a_trace(name: str) -> None:
    assert not naming_conventions.trace(name)


def test_a_name_of_truncation() -> None:
    for name in ("truncated", "trunc", "timeout", "time_outs", "timeouts", "time_limit"):
        assert naming_conventions.truncated(name), name
    for name in ("terminated", "done", "time", "out"):
        assert not naming_conventions.truncated(name), name

"""What a flag means: where it is born, and what every way of combining and converting makes of it."""

from __future__ import annotations

import pytest
from model_programs import STEP, VECTOR_STEP, flag, meanings


def after_step(expression: str) -> set[str]:
    """What an expression means after one step of a plain environment."""
    return meanings(f"{STEP}seen = {expression}\n", expression)


def after_vector_step(expression: str) -> set[str]:
    """What an expression means after one step of a vector environment."""
    return meanings(f"{VECTOR_STEP}seen = {expression}\n", expression)


# --- births ----------------------------------------------------------------------------------------


def test_five_values_bear_terminated_and_truncated() -> None:
    assert meanings(STEP + "print(terminated, truncated)", "terminated") == {"terminated"}
    assert meanings(STEP + "print(terminated, truncated)", "truncated") == {"truncated"}


def test_four_values_bear_done() -> None:
    program = """
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, reward, finished, info = env.step(0)
        print(finished)
    """
    assert meanings(program, "finished") == {"done"}


def test_five_values_under_swapped_names_mean_what_their_slots_mean() -> None:
    program = """
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, reward, truncated, terminated, info = env.step(0)
        print(terminated, truncated)
    """
    assert meanings(program, "terminated") == {"truncated"}
    assert meanings(program, "truncated") == {"terminated"}


@pytest.mark.parametrize(
    ("expression", "meaning"),
    [
        ("env.step(0)[2]", {"terminated"}),
        ("env.step(0)[3]", {"truncated"}),
        ("env.step(0)[-2]", {"truncated"}),
        ("env.step(0)[-3]", {"terminated"}),
        ("env.step(0)[1]", set()),
        ("env.step(0)[4]", set()),
    ],
)
def test_an_index_takes_a_slot_of_the_step(expression: str, meaning: set[str]) -> None:
    assert after_step(expression) == meaning


def test_a_step_kept_whole_and_unpacked_later_bears_the_same_flags() -> None:
    program = STEP + "result = env.step(1)\no, r, t, u, i = result\nprint(t, u)"
    assert meanings(program, "t") == {"terminated"}
    assert meanings(program, "u") == {"truncated"}


def test_a_starred_unpack_bears_no_wrong_flag() -> None:
    program = STEP + "_, _, *ends, _ = env.step(1)\nprint(ends[0], ends[1])"
    assert meanings(program, "ends[0]") in ({"terminated"}, set())
    assert meanings(program, "ends[1]") in ({"truncated"}, set())


def test_a_name_alone_bears_no_flag() -> None:
    assert meanings("def f(done):\n    return not done\n", "done") == set()


def test_the_time_limit_key_of_a_four_value_step_is_truncation() -> None:
    program = """
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, reward, done, info = env.step(0)
        print(info["TimeLimit.truncated"])
        print(info.get("TimeLimit.truncated", False))
        print("TimeLimit.truncated" in info)
    """
    assert meanings(program, 'info["TimeLimit.truncated"]') == {"truncated"}
    assert meanings(program, 'info.get("TimeLimit.truncated", False)') == {"truncated"}
    assert meanings(program, '"TimeLimit.truncated" in info') == {"truncated"}


def test_the_time_limit_key_of_a_five_value_step_is_never_set() -> None:
    assert after_step('info["TimeLimit.truncated"]') == set()


def test_without_a_time_limit_done_is_terminated() -> None:
    program = """
        import gymnasium as gym
        env = gym.make("CartPole-v1").unwrapped
        obs, reward, done, info = env.step(0)
        print(done)
    """
    assert meanings(program, "done") == {"terminated"}


def test_without_a_time_limit_truncated_is_never_set() -> None:
    program = STEP.replace('"CartPole-v1")', '"CartPole-v1").env') + "print(truncated)\nprint(done)"
    assert meanings(program, "truncated") == set()
    assert meanings(program, "done") == {"terminated"}


def test_an_unpack_in_an_expression_bears_flags() -> None:
    assert meanings(STEP + "for o, r, t, u, i in [env.step(0)]:\n    print(t)", "t") == {"terminated"}


# --- combined --------------------------------------------------------------------------------------


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


# --- narrowed --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "expression",
    [
        "done and not truncated",
        "not truncated and done",
        "done & ~truncated",
        "done * (1 - truncated)",
        "(1 - truncated) * done",
        "np.logical_and(done, np.logical_not(truncated))",
        "np.logical_and(done, ~truncated)",
        "False if truncated else done",
        "done if not truncated else False",
        "0.0 if truncated else float(done)",
        "float(done) * (1.0 - float(truncated))",
        "done and terminated",
        "bool(done) and not bool(truncated)",
        "np.where(truncated, False, done)",
        "np.where(truncated, 0.0, float(done))",
    ],
)
def test_done_without_truncation_is_terminated(expression: str) -> None:
    assert after_step(expression) == {"terminated"}


@pytest.mark.parametrize(
    "expression",
    [
        "1.0 if truncated else 1.0 - float(done)",
        "1 if truncated else not done",
        "not done or truncated",
        "not (done and not truncated)",
        "np.logical_or(np.logical_not(done), truncated)",
    ],
)
def test_a_keep_mask_that_truncation_opens_again_keeps_until_terminated(expression: str) -> None:
    assert after_step(expression) == {"not terminated"}


def test_an_if_that_clears_the_flag_narrows() -> None:
    program = STEP + "stored = done\nif truncated:\n    stored = False\nprint(stored)"
    assert meanings(program, "stored") == {"terminated"}


def test_truncation_without_termination_stays_truncation() -> None:
    assert after_step("truncated and not terminated") == {"truncated"}
    assert after_step("truncated & ~terminated") == {"truncated"}
    assert after_step("done and truncated") == {"truncated"}


@pytest.mark.parametrize(
    "narrowed",
    [
        'done and not info.get("TimeLimit.truncated", False)',
        'done and not info["TimeLimit.truncated"]',
        'done and "TimeLimit.truncated" not in info',
        'done and not ("TimeLimit.truncated" in info)',
        'done * (1 - info["TimeLimit.truncated"])',
        'False if info.get("TimeLimit.truncated") else done',
    ],
)
def test_old_idioms_take_the_time_limit_out(narrowed: str) -> None:
    program = f"""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, reward, done, info = env.step(0)
        seen = {narrowed}
    """
    assert meanings(program, narrowed) == {"terminated"}


def test_a_key_that_is_never_set_narrows_nothing() -> None:
    """After the migration to five values the same text is a bug."""
    assert after_step('done and not info.get("TimeLimit.truncated", False)') == {"done"}


LIMITED = """
    import gymnasium as gym
    env = gym.make("CartPole-v1")
    obs, info = env.reset()
    steps, max_steps = 0, 1000
    while True:
        obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        steps += 1
        seen = {}
"""


@pytest.mark.parametrize(
    "expression",
    [
        "False if steps == max_steps else done",
        "float(done) if steps < max_steps else 0",
        "0 if steps == max_steps else float(done)",
        "0.0 if steps == env._max_episode_steps else float(done)",
        "0 if steps + 1 == env._max_episode_steps else float(done)",
        "float(done) if steps < env._max_episode_steps else 0",
        "done and steps < max_steps",
        "done and not steps == max_steps",
    ],
)
def test_the_own_limit_taken_out_leaves_terminated(expression: str) -> None:
    assert meanings(LIMITED.format(expression), expression) == {"terminated"}


def test_the_own_limit_opens_a_keep_mask() -> None:
    expression = "1 if steps == env._max_episode_steps else float(not done)"
    assert meanings(LIMITED.format(expression), expression) == {"not terminated"}


@pytest.mark.parametrize("limit", ["steps >= max_steps", "steps == max_steps", "max_steps <= steps"])
def test_the_own_limit_joins_a_flag(limit: str) -> None:
    assert meanings(LIMITED.format(limit), limit) == {"limit"}
    assert meanings(LIMITED.format(f"terminated or {limit}"), f"terminated or {limit}") == {"terminated + limit"}
    assert meanings(LIMITED.format(f"done or {limit}"), f"done or {limit}") == {"done + limit"}


def test_a_counter_that_does_not_count_steps_is_no_limit() -> None:
    program = """
        count, most = 0, 10
        for line in open("log"):
            count += 1
            seen = count >= most
    """
    assert meanings(program, "count >= most") == set()


def test_both_flags_at_once_are_neither_of_them() -> None:
    assert after_step("terminated and truncated") == after_step("truncated and terminated")


# --- kept and negated ------------------------------------------------------------------------------


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


# --- versions, branches, loops ---------------------------------------------------------------------


def test_an_assignment_makes_a_new_version() -> None:
    program = STEP + "flag = done\nprint(flag)  # here\nflag = terminated\nprint(flag)"
    assert meanings(program, "flag") == {"done"}
    assert meanings(program.replace("  # here", ""), "flag") == {"terminated"}


def test_branches_join_as_alternatives() -> None:
    program = STEP + "if obs:\n    flag = done\nelse:\n    flag = terminated\nprint(flag)"
    assert meanings(program, "flag") == {"done", "terminated"}


def test_a_loop_joins_what_it_brings_back() -> None:
    program = STEP + "flag = terminated\nfor _ in range(9):\n    print(flag)  # here\n    flag = done\n"
    assert meanings(program, "flag") == {"terminated", "done"}


def test_the_worst_alternative_decides_the_properties_of_a_flag() -> None:
    program = STEP + "if obs:\n    flag = done\nelse:\n    flag = terminated\nprint(flag)"
    found = flag(program, "flag")
    assert found is not None
    assert found.truncation
    assert not found.terminated_only


def test_terminated_knows_that_it_is_nothing_else() -> None:
    found = flag(STEP + "print(terminated)", "terminated")
    assert found is not None
    assert found.terminated_only
    assert not found.truncation


def test_the_path_of_a_flag_begins_where_the_environment_stepped() -> None:
    found = flag(STEP + "mask = 1 - done\nprint(mask)", "mask")
    assert found is not None
    assert found.path[0].span.row == 7
    assert found.path[0].path == "main.py"


def test_del_and_rebinding_by_a_loop_variable_forget_the_flag() -> None:
    assert meanings(STEP + "for done in range(3):\n    print(done)", "done") == set()


def test_a_walrus_binds_the_flag() -> None:
    assert meanings(STEP + "if over := done:\n    print(over)", "over") == {"done"}


def test_a_chain_of_assignments_binds_every_name() -> None:
    assert meanings(STEP + "a = b = done\nprint(a, b)", "a") == {"done"}
    assert meanings(STEP + "a = b = done\nprint(a, b)", "b") == {"done"}


def test_names_swapped_in_one_assignment_are_swapped() -> None:
    program = STEP + "terminated, truncated = truncated, terminated\nprint(terminated, truncated)"
    assert meanings(program, "terminated") == {"truncated"}
    assert meanings(program, "truncated") == {"terminated"}


def test_try_and_except_join() -> None:
    program = STEP + "try:\n    flag = done\nexcept ValueError:\n    flag = terminated\nprint(flag)"
    assert meanings(program, "flag") == {"done", "terminated"}


# --- arrays ----------------------------------------------------------------------------------------


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

"""Which flags the values of a step are, however they are taken out of it."""

from __future__ import annotations

import pytest
from model_programs import STEP, after_step, meanings


def test_five_values_give_terminated_and_truncated() -> None:
    assert meanings(STEP + "print(terminated, truncated)", "terminated") == {"terminated"}
    assert meanings(STEP + "print(terminated, truncated)", "truncated") == {"truncated"}


def test_four_values_give_done() -> None:
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


def test_a_step_kept_whole_and_unpacked_later_gives_the_same_flags() -> None:
    program = STEP + "result = env.step(1)\no, r, t, u, i = result\nprint(t, u)"
    assert meanings(program, "t") == {"terminated"}
    assert meanings(program, "u") == {"truncated"}


def test_a_starred_unpack_gives_no_wrong_flag() -> None:
    program = STEP + "_, _, *ends, _ = env.step(1)\nprint(ends[0], ends[1])"
    assert meanings(program, "ends[0]") in ({"terminated"}, set())
    assert meanings(program, "ends[1]") in ({"truncated"}, set())


def test_a_name_alone_gives_no_flag() -> None:
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


def test_an_unpack_in_an_expression_gives_flags() -> None:
    assert meanings(STEP + "for o, r, t, u, i in [env.step(0)]:\n    print(t)", "t") == {"terminated"}

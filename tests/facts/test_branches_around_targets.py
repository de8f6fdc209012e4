"""Which branches and masked arrays cut a value target wrongly, and which are right."""

from __future__ import annotations

import pytest
from model_programs import STEP, VECTOR_STEP, assert_sinks, sink, sinks


@pytest.mark.parametrize(
    "rows",
    [
        "y = reward if done else reward + 0.99 * value(next_obs)  # sink: branch",
        "y = reward + (0 if done else 0.99 * value(next_obs))  # sink: branch",
        "y = reward + 0.99 * (0 if done else value(next_obs))  # sink: branch",
        "y = reward + 0.99 * value(next_obs) if not done else reward  # sink: branch",
        "if done:  # sink: branch\n    y = reward\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "if not done:  # sink: branch\n    y = reward + 0.99 * value(next_obs)\nelse:\n    y = reward",
        "y = reward\nif not done:  # sink: branch\n    y = y + 0.99 * value(next_obs)",
        "y = reward\nif not done:  # sink: branch\n    y += 0.99 * value(next_obs)",
        "if terminated or truncated:  # sink: branch\n    y = reward\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "if done == True:  # sink: branch\n    y = reward\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "y = np.where(done, reward, reward + 0.99 * value(next_obs))  # sink: branch",
        "y = reward + 0.99 * np.where(done, 0.0, value(next_obs))  # sink: branch",
        "y = reward + 0.99 * value(next_obs)\nif done:  # sink: branch\n    y = reward",
        "y = reward + 0.99 * value(next_obs)\ny = reward if done else y  # sink: branch",
        "y = reward + 0.99 * value(next_obs)\ny[done] = reward[done]  # sink: branch",
        "y[0][1] = reward + 0.99 * value(next_obs)\nif done:  # sink: branch\n    y[0][1] = reward",
        "y[i] = reward + 0.99 * value(next_obs)\nif not done:  # sink: branch\n    pass\nelse:\n    y[i] = reward",
        "for i in range(9):\n    y[i] = reward + 0.99 * v[i]\n    if done:  # sink: branch\n        y[i] = -1.0",
        "future = 0.99 * value(next_obs)\ny = reward if done else reward + future  # sink: branch",
        "future = 0.99 * value(next_obs)\ny = reward\nif not done:  # sink: branch\n    y += future",
        "future = 0.99 * value(next_obs)\ny = np.where(done, reward, future + reward)  # sink: branch",
        "d = reward + 0.99 * value(next_obs) - value(obs)\nif done:  # sink: branch\n    d = reward - value(obs)",
        "q = 0.0 if done else value(next_obs)  # sink: branch\ny = reward + 0.99 * q",
        "q = value(next_obs)\nif done:  # sink: branch\n    q = 0.0\ny = reward + 0.99 * q",
    ],
)
def test_a_branch_around_a_target(rows: str) -> None:
    assert_sinks(f"{STEP}{rows}\n")


@pytest.mark.parametrize(
    "rows",
    [
        "if done:  # sink: branch\n    return reward\nreturn reward + 0.99 * value(next_obs)",
        "if done:  # sink: branch\n    return 0\nreturn 0.99 * value(next_obs)",
        "if done:  # sink: branch\n    return reward\nv = value(next_obs)\nreturn np.reshape(reward + 0.99 * v, 1)",
        "if done:  # sink: branch\n    return np.array([reward])\ny = reward + 0.99 * value(next_obs)\nreturn float(y)",
        "_, last = next_obs, done\nif last:  # sink: branch\n    return reward\n"
        "with torch.no_grad():\n    return reward + 0.99 * value(next_obs)",
        "if done:  # sink: branch\n    return reward\nprint(reward)\nif reward > 9:\n    return reward\n"
        "return reward + 0.99 * value(next_obs)",
    ],
)
def test_a_value_that_is_returned_early_is_a_target(rows: str) -> None:
    assert_sinks(_in_function(rows))


@pytest.mark.parametrize(
    "rows",
    [
        "if done:\n    return None\nreturn reward + 0.99 * value(next_obs)",
        "if done:\n    return\nreturn reward + 0.99 * value(next_obs)",
        "if done:\n    return obs, reward\nreturn obs, reward + 0.99 * value(next_obs)",
        "if done:\n    return reward\ny = 0.99 * value(next_obs)\nreturn obs",
        "if done:\n    print(reward)\nreturn reward + 0.99 * value(next_obs)",
        "if terminated:\n    return reward\nreturn reward + 0.99 * value(next_obs)",
        "for _ in range(3):\n    if done:\n        return reward\nreturn reward + 0.99 * value(next_obs)",
    ],
)
def test_what_else_is_returned_early_is_none(rows: str) -> None:
    assert_sinks(_in_function(rows))


def _in_function(rows: str) -> str:
    """A step, and a function behind it that is handed what it returned."""
    body = "".join(f"    {row}\n" for row in rows.splitlines())
    names = "obs, reward, next_obs, done, terminated"
    return f"{STEP}def target({names}):\n{body}target({names})\n"


@pytest.mark.parametrize(
    "rows",
    [
        "q[done] = 0  # sink: branch\ny = reward + 0.99 * q",
        "q[done] = 0.0  # sink: branch\ny = reward + 0.99 * q",
        "q[np.array(done)] = 0.0  # sink: branch\ny = reward + 0.99 * q",
        "y = reward + 0.99 * torch.where(done, torch.zeros_like(q), q)  # sink: branch",
        "q = q.masked_fill(done, 0.0)  # sink: branch\ny = reward + 0.99 * q",
        "q = torch.zeros(4)\nq[~done] = value(next_obs[~done])  # sink: branch\ny = reward + 0.99 * q",
        "y = reward.copy()\ny[~done] += 0.99 * q[~done]  # sink: branch",
        "for i in range(4):\n    y = reward[i] if done[i] else reward[i] + 0.99 * q[i]  # sink: branch",
        "import jax\ny = reward + 0.99 * jax.lax.select(done, jax.numpy.zeros_like(q), q)  # sink: branch",
        "from jax import lax\ny = reward + 0.99 * lax.select(done, 0.0, q)  # sink: branch",
        "from jax import lax\ny = reward + 0.99 * lax.select(~done, q, 0.0)  # sink: branch",
    ],
)
def test_a_masked_array_of_values(rows: str) -> None:
    assert_sinks(f"{VECTOR_STEP}q = value(next_obs)\n{rows}\n")


@pytest.mark.parametrize(
    "rows",
    [
        "y = reward.copy()\ny[~done] += 0.99 * q[~done]",
        "y[done] = reward[done]\ny[~done] = reward[~done] + 0.99 * q[~done]",
        "nq = np.zeros(4)\nnq[~done] = q[~done]\ny = reward + 0.99 * nq",
    ],
)
def test_rows_picked_by_a_mask_written_twice_are_not_fixed_at_one_place(rows: str) -> None:
    found = sink(f"{VECTOR_STEP}q = value(next_obs)\n{rows}\n", "branch")
    assert "both have to change" in found.hindrance


@pytest.mark.parametrize(
    "rows",
    [
        "y = reward.copy()\ny[~terminated] += 0.99 * q[~terminated]",
        "nq = np.zeros(4)\nnq[~terminated] = q[~terminated]\ny = reward + 0.99 * nq",
        "nq = np.zeros(4)\nnq[done] = q[done]\ny = reward + 0.99 * nq",
        "nq = np.zeros(4)\nnq[~done] = 1.0\ncount = nq.sum()",
        "y = reward.copy()\ny[chosen] += 0.99 * q[chosen]",
        "hidden[~done] += 0.5 * q[~done]",
    ],
)
def test_rows_picked_by_another_mask_or_for_no_target_are_right(rows: str) -> None:
    assert_sinks(f"{VECTOR_STEP}q = value(next_obs)\n{rows}\n")


def test_a_flag_that_was_negated_twice_is_no_mask() -> None:
    """The branch is reported, not the row that joins the two flags."""
    assert_sinks(f"""{VECTOR_STEP}
over = ~(~terminated & ~truncated)
y = np.where(over, reward, reward + 0.99 * value(next_obs))  # sink: branch
""")


NEVER_CUT = """\
import gymnasium as gym

class Grid(gym.Env):
    def reset(self, *, seed=None, options=None):
        return 0, {{}}
    def step(self, action):
        {step}
        return 0, -1.0, self.lost, {cut}, {{}}

env = {made}
obs, reward, terminated, truncated, info = env.step(0)
done = terminated or truncated
y = reward + 0.99 * (1 - done) * value(obs)
"""


@pytest.mark.parametrize(("step", "cut"), [("pass", "False"), ("cut = False", "cut")])
@pytest.mark.parametrize("made", ["Grid()", "gym.wrappers.RecordEpisodeStatistics(Grid())"])
def test_done_of_an_environment_that_never_truncates_is_right(step: str, cut: str, made: str) -> None:
    assert_sinks(NEVER_CUT.format(step=step, cut=cut, made=made))


@pytest.mark.parametrize(
    ("step", "cut", "made"),
    [
        ("pass", "self.late", "Grid()"),
        ("pass", "False", "gym.wrappers.TimeLimit(Grid(), 100)"),
        ("cut = False\n        if self.late:\n            cut = True", "cut", "Grid()"),
        ("cut = False\n        cut |= self.late", "cut", "Grid()"),
    ],
)
def test_done_of_an_environment_that_may_truncate_cuts_the_target(step: str, cut: str, made: str) -> None:
    program = NEVER_CUT.format(step=step, cut=cut, made=made)
    assert {kind for _, _, kind in sinks(program)} == {"mask"}


@pytest.mark.parametrize(
    "rows",
    [
        "if terminated:\n    y = reward\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "y = reward if terminated else reward + 0.99 * value(next_obs)",
        "y = np.where(terminated, reward, reward + 0.99 * value(next_obs))",
        "from jax import lax\ny = reward + 0.99 * lax.select(terminated, 0.0, value(next_obs))",
        "q = value(next_obs)\nq[terminated] = 0\ny = reward + 0.99 * q",
        "if done:\n    obs, info = env.reset()\ny = reward + 0.99 * value(next_obs)",
        "if not done:\n    obs = next_obs\ny = reward + 0.99 * value(next_obs)",
        "if done:\n    y = reward + 0.99 * value(final)\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "if len(memory) > 32:\n    y = reward + 0.99 * value(next_obs)",
    ],
)
def test_a_branch_that_is_right(rows: str) -> None:
    assert_sinks(f"{STEP}{rows}\n")

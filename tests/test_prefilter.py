"""What is worth a parser: programs that handle environments or value targets, and not numerical libraries."""

from __future__ import annotations

import pytest

from done_lint.prefilter import is_seed, is_user, may_import_gym


@pytest.mark.parametrize(
    "text",
    [
        "import gym",
        "from gymnasium.spaces import Box",
        "importlib.import_module('gym')",
        "obs = env.reset()\nresult = env.step(0)",
        "obs, reward, d, info = self.venv.step(action)",
        "target = reward + self.gamma * q * (1 - done)",
        "target = reward + args.gamma * q * (1.0 - dones)",
        "returns = returns * gamma * masks[t]",
        "def learn(self, done):\n    y = r if done else r + gamma * v",
        "y = r + self.discount * to_tensor(terminal_batch) * v",
    ],
)
def test_these_are_surveyed(text: str) -> None:
    assert is_seed(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "print('hello')",
        "# some gymnastics are needed here",
        "loss.backward()\noptimizer.step()  # and it is done",
        "t, y = signal.step(system)  # done",
        "x = scipy.special.gamma(z)  # the tail is done by recursion",
        "badones = [p for p in patterns if gamma * p]",
        "masked = np.ma.masked_array(x)",
    ],
)
def test_these_are_not(text: str) -> None:
    assert not is_seed(text.encode())


def test_the_imports_of_a_program_that_takes_a_steps_value_are_followed_and_a_turtles_are_not() -> None:
    assert is_user(b"obs = e.reset()\nresult = e.step(0)\n")
    assert is_user(b"import gym\n")
    assert not is_user(b"t.reset()\nwhile True:\n    t.step()\n")


def test_a_file_that_only_says_gymnasium_does_not_import_gym() -> None:
    assert may_import_gym(b"import gym")
    assert not may_import_gym(b"import gymnasium\nfrom gymnasium import spaces\n")

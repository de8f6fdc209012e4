"""Which files are parsed: programs that handle environments or value targets, and not numerical libraries."""

from __future__ import annotations

import pytest

from done_lint.analysis.relevance import may_report
from done_lint.flowgraph.build import survey
from done_lint.project.prefilter import imported, is_seed, is_user, may_import_gym


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
        "for episode in minari.load_dataset(name):\n    add(episode)",
        "y = r + self.discount * to_tensor(terminal_batch) * v",
        "# the target\ny = r + gamma * v * (1-done)  # cut at the end",
        "print('#', r + gamma * v * (1 - done))",
        "y = r + gamma * (np.ones(n)-done) * v",
    ],
)
def test_these_are_surveyed(text: str) -> None:
    assert is_seed(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "print('hello')",
        "# some gymnastics are needed here",
        "# preliminaries",
        "loss.backward()\noptimizer.step()  # and it is done",
        "t, y = signal.step(system)  # done",
        "x = scipy.special.gamma(z)  # the tail is done by recursion",
        "badones = [p for p in patterns if gamma * p]",
        "masked = np.ma.masked_array(x)",
        "y = 0\n    # entries at the end are discounted\nidx.putmask(mask, y)",
        "y = gamma * x\nf(x)  # computed -- done above",
        "y = gamma * x  # an un-done task",
    ],
)
def test_these_are_not(text: str) -> None:
    assert not is_seed(text.encode())


def test_the_imports_of_a_program_that_uses_the_value_of_a_step_are_followed() -> None:
    assert is_user(b"obs = e.reset()\nresult = e.step(0)\n")
    assert is_user(b"import gym\n")
    assert not is_user(b"t.reset()\nwhile True:\n    t.step()\n")


def test_a_file_that_only_mentions_gymnasium_does_not_import_gym() -> None:
    assert may_import_gym(b"import gym")
    assert not may_import_gym(b"import gymnasium\nfrom gymnasium import spaces\n")


@pytest.mark.parametrize(
    "text",
    [
        "import gym\n",
        "def f(space):\n    return space.np_random.randint(5)\n",
        "class A(Base):\n    metadata = {'render.modes': []}\n",
        "def f(env):\n    return env.max_steps\n",
        "def f(envs):\n    return envs . num_envs\n",
        "ID = 'CartPole-v0'\n",
        "def f(infos):\n    return infos[0]\n",
        "class A(Base):\n    def step(self, action):\n        return self.inner(action)\n",
        "def f(game, step):\n    a, b, c, d = game(step)\n",
        "def f(game):\n    game.reset()\n",
        "def f(done):\n    return done\n",
        "def f(reset):\n    return 0.99 * g * reset\n",
    ],
)
def test_these_may_hold_a_finding(text: str) -> None:
    assert may_report(text.encode(), survey("a.py", text))


@pytest.mark.parametrize(
    "text",
    [
        "def area(width, height):\n    return width * height\n",
        "import os\n\nHOME = os.environ.get('HOME')\n",
        "import torch\n\ntorch.manual_seed(0)\n",
        "def f(mask, x):\n    return mask * x\n",
        "class Environment:\n    def describe(self):\n        return 'steps'\n",
    ],
)
def test_these_cannot(text: str) -> None:
    assert not may_report(text.encode(), survey("a.py", text))


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("import a.b, c as d", {"a.b", "c"}),
        ("from .x import (y as z, w)", {".x", ".x.y"}),
        ("from . import y", {".", ".y"}),
        ("from a \\\n    import b", {"a", "a.b"}),
        ('"from a import b\\n",', {"a", "a.b"}),
    ],
)
def test_the_modules_that_a_text_may_import(text: str, modules: set[str]) -> None:
    assert modules <= imported(text.encode())

"""A name, an annotation or a base class is not enough against what the code does with an environment."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

#: Gym's step, as far as names tell.
RUN = "    obs = env.reset()\n    obs, reward, done, info = env.step(0)\n"
RUNNER = """class Runner:
    def __init__(self, env{annotation}):
        self.env = env

    def run(self):
        obs = self.env.reset()
        obs, reward, done, info = self.env.step(0)

    def again(self):
        {again}
"""
PROTOCOL = """class Base:
    def reset(self):
        raise NotImplementedError

    def step(self, action):
        raise NotImplementedError


"""
THREE = """class Base(gym.Env):
    def play(self):
        return 1


class Own(Base):
    def reset(self):
        return 0

    def step(self, action):
        return 0, 0.0, True


"""


def codes(folder: Path, text: str) -> set[str]:
    (folder / "main.py").write_text(f"import gym\n\n\n{text}")
    found = done_lint(folder, "check", "--output-format", "concise", "--ignore", "GYM401").stdout
    return {row.split()[1] for row in found.splitlines()}


@pytest.mark.parametrize("annotation", ["", ": gym.Env"])
@pytest.mark.parametrize(
    "again",
    [
        "self.env.step(0, 1)",
        "self.env.step(action=0, frames=4)",
        "obs, reward, done = self.env.step(0)",
        "obs, info, done, score = self.env.step(0)",
        "obs, mask, done, reward = self.env.step(0)",
    ],
)
def test_what_is_also_stepped_otherwise_is_not_gyms(tmp_path: Path, annotation: str, again: str) -> None:
    assert codes(tmp_path, RUNNER.format(annotation=annotation, again="self.env.step(0)")) == {"GYM101", "GYM104"}
    assert not codes(tmp_path, RUNNER.format(annotation=annotation, again=again))


def test_what_make_gives_is_gyms_whatever_is_done_with_it(tmp_path: Path) -> None:
    text = 'env = gym.make("CartPole-v1")\nenv.step(0, 1)\nobs, reward, done, info = env.step(0)\n'
    assert codes(tmp_path, text) == {"GYM101"}


def test_a_reset_with_an_argument_of_its_own(tmp_path: Path) -> None:
    assert codes(tmp_path, f"def run(env):\n{RUN}") == {"GYM101", "GYM104"}
    assert not codes(tmp_path, f"def run(env):\n{RUN}".replace("reset()", 'reset(split="train")'))


@pytest.mark.parametrize(
    "function",
    [
        "def run(env):\n",
        "def run(env: Base):\n",
        "def run(envs: list[Base]):\n    env = envs[0]\n",
        "def run(envs: dict[str, Base]):\n    env = envs['one']\n",
        "def run(envs: tuple[Base, ...]):\n    env = envs[0]\n",
    ],
)
def test_a_class_that_only_says_what_there_is(tmp_path: Path, function: str) -> None:
    assert not codes(tmp_path, PROTOCOL + function + RUN)


@pytest.mark.parametrize("held", ["list[gym.Env]", "dict[str, gym.Env]"])
def test_a_container_of_environments_of_gyms(tmp_path: Path, held: str) -> None:
    assert codes(tmp_path, f"def run(envs: {held}):\n    env = envs[0]\n{RUN}") == {"GYM101", "GYM104"}


def test_a_base_is_what_its_subclasses_are(tmp_path: Path) -> None:
    run = "def run(env: Base):\n    obs = env.reset()\n    obs, reward, done = env.step(0)\n"
    assert not codes(tmp_path, THREE + run)


def test_a_step_of_a_class_that_asks_for_more(tmp_path: Path) -> None:
    text = """class Own(gym.Env):
    def step(self, action, speed):
        return 0, 0.0, True, {}


obs, reward, done, info = Own().step(0, 1)
"""
    assert not codes(tmp_path, text)
    assert codes(tmp_path, text.replace("speed", "speed=1")) == {"GYM101", "GYM301"}


PAGE = """# The simulator

```python
{above}def step(self, action):
    obs, reward, done, info = self.env.step(action)
    return obs, reward, done, done, info
```
"""


@pytest.mark.parametrize("above", ["", "import gymnasium as gym\n\n\n"])
def test_a_method_without_its_class_on_a_page(tmp_path: Path, above: str) -> None:
    (tmp_path / "main.py").write_text("import gymnasium as gym\n\nobs, info = gym.make('CartPole-v1').reset()\n")
    (tmp_path / "page.md").write_text(PAGE.replace("{above}", above))
    result = done_lint(tmp_path, "check", "--include-docs", "--output-format", "concise").stdout
    assert "GYM101" not in result


def test_a_function_on_a_page_that_is_given_an_environment(tmp_path: Path) -> None:
    page = PAGE.replace("{above}", "import gymnasium as gym\n\n\n").replace("self.env", "env").replace("self", "env")
    (tmp_path / "page.md").write_text(page)
    assert "GYM101" in done_lint(tmp_path, "check", "--include-docs", "--output-format", "concise").stdout


def test_what_a_page_makes_of_a_name_that_it_does_not_show(tmp_path: Path) -> None:
    page = """```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
```

```python
env = Arcade("maze")

def play():
    env.seed(3)
    state = env.reset()
    state, reward, done, info = env.step(1)
    return state + 1
```
"""
    (tmp_path / "page.md").write_text(page)
    assert not done_lint(tmp_path, "check", "--include-docs", "--output-format", "concise").stdout.count("GYM")
    (tmp_path / "page.md").write_text(page.replace("Arcade(", "gym.make("))
    assert done_lint(tmp_path, "check", "--include-docs", "--output-format", "concise").stdout.count("GYM") == 2


REPLACED = """import gymnasium as gym


def test_replaced(monkeypatch):
    monkeypatch.setattr({replaced}, lambda *given: Answers())
    env = gym.make("Any-v0")
    obs = env.reset()
    obs, reward, done, info = env.step(0)
    assert obs + 1


def test_real():
    env = gym.make("CartPole-v1")
    obs, _ = env.reset()
    assert obs.shape
"""


@pytest.mark.parametrize("replaced", ['gym, "make"', '"gymnasium.make"'])
def test_what_a_test_puts_in_the_place_of_make(tmp_path: Path, replaced: str) -> None:
    assert not codes(tmp_path, REPLACED.replace("{replaced}", replaced))
    assert codes(tmp_path, REPLACED.replace("{replaced}", 'gym, "register"')) == {"GYM101"}


def test_an_example_above_the_one_that_makes_the_environment(tmp_path: Path) -> None:
    above = "```python\nobs = env.reset()\nobs, reward, done, info = env.step(action)\n```\n\n"
    below = '```python\nimport gymnasium as gym\n\nenv = gym.make("CartPole-v1")\nobs, info = env.reset()\n```\n\n'
    for page, changed in ((above + below, False), (below + above, True)):
        (tmp_path / "page.md").write_text(page)
        done_lint(tmp_path, "fix", "--include-docs")
        assert ((tmp_path / "page.md").read_text() != page) == changed

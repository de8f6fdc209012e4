"""What a page or a notebook installs for Gym keeps the examples beside it from moving alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import OLD, done_lint
from notebooks import of_sources

PAGE = "# Walk\n\n```sh\n{}\n```\n\n```python\n" + OLD + "```\n"


def reasons(folder: Path) -> list[tuple[str, str]]:
    """The safety and the reason of each fix in the documents of a folder, with the file."""
    result = done_lint(folder, "check", "--no-cache", "--include-docs", "--output-format", "json")
    found = json.loads(result.stdout)
    return sorted({(one["fix"]["applicability"], one["unfixed"]) for one in found if one["fix"] is not None})


@pytest.mark.parametrize(
    "installed",
    [
        "gym==0.21",
        "gym<0.26",
        "gym[atari]~=0.19",
        "gym==0.26.2",
        "stable-baselines3==1.8.0",
        "git+https://github.com/openai/gym.git@v0.21.0",
        "git+https://example.org/mazes@gym_0.26",
        "git+https://example.org/mazes.git@dev/gym26#egg=mazes",
    ],
)
@pytest.mark.parametrize("command", ["pip install {}", "python -m pip install -U numpy {}", "pip install \\\n  {}"])
def test_examples_wait_for_what_their_page_installs(tmp_path: Path, command: str, installed: str) -> None:
    (tmp_path / "page.md").write_text(PAGE.format(command.format(installed)), encoding="utf-8")
    row = 4 + command.count("\n")
    assert reasons(tmp_path) == [("unsafe", f"blocked by page.md:{row}, which installs `{installed}`")]


def test_the_cells_of_a_notebook_wait_for_what_it_installs(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(of_sources(["%matplotlib inline\n!pip install 'gym<0.26'", OLD]))
    assert reasons(tmp_path) == [("unsafe", "blocked by a.ipynb:cell 1:2, which installs `gym<0.26`")]


@pytest.mark.parametrize(
    "commands",
    [
        "pip install gym",
        "pip install 'gym>=0.21'",
        "pip install gymnastics==0.1 gym-lite==0.2",
        "pip install gym==0.21\npip install gymnasium",
        "pip install git+https://example.org/mazes@gymnasium",
        "pip install git+https://example.org/gym-mazes@v2",
        "pip install stable-baselines3==2.3.0",
        "pip uninstall gym==0.21",
    ],
)
def test_other_commands_keep_no_example(tmp_path: Path, commands: str) -> None:
    (tmp_path / "page.md").write_text(PAGE.format(commands), encoding="utf-8")
    assert reasons(tmp_path) == [("safe", "")]


def test_an_example_with_a_class_of_the_project_changes_with_it(tmp_path: Path) -> None:
    """The project chooses its releases, as where its list of packages names Gym."""
    (tmp_path / "walk.py").write_text(
        "import gym\n\n\nclass Walk(gym.Env):\n    def step(self, action):\n        return 0, 1.0, self.ends(), {}\n\n"
        "    def ends(self):\n        return False\n",
        encoding="utf-8",
    )
    example = "import gym\nfrom walk import Walk\n\nenv = Walk()\nobs, reward, done, info = env.step(0)\n"
    page = f"    pip install gym==0.21\n\n```python\n{example}```\n"
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    assert reasons(tmp_path) == [("safe", "")]

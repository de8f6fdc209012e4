"""On pages and in notebooks a name may stand for an environment in one block, and for anything in another one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

MAKE = "import gymnasium as gym\n\nenv = gym.make('Maze-v0')\n"
PLAY = """def play():
    obs = env.reset()
    print(obs.shape, env.walls)
"""


def fixes(folder: Path, blocks: list[str], *, notebook: bool) -> dict[str, str]:
    """The codes that are reported of a page or a notebook, with the kind of their fixes."""
    if notebook:
        cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": [one]} for one in blocks]
        text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    else:
        text = "\n".join(f"```python\n{one}```\n" for one in blocks)
    (folder / ("page.ipynb" if notebook else "page.md")).write_text(text)
    found = json.loads(done_lint(folder, "check", "--include-docs", "--output-format", "json").stdout)
    return {one["code"]: one["fix"]["applicability"] if one["fix"] else "none" for one in found}


@pytest.mark.parametrize("notebook", [False, True])
@pytest.mark.parametrize("imported", ["", "from mazes import Maze\n"])
def test_no_safe_fix_where_another_block_makes_something_unknown(tmp_path: Path, notebook: bool, imported: str) -> None:
    """A function runs after either block: what the other object returns nobody knows."""
    blocks = [MAKE, f"{imported}env = Maze('small')\n", PLAY]
    # a name that nothing gives may be anything, so that nothing is said; a package's class may be a wrapper's
    assert fixes(tmp_path, blocks, notebook=notebook) == ({"GYM104": "none"} if imported else {})


@pytest.mark.parametrize("notebook", [False, True])
def test_what_one_block_makes_is_known(tmp_path: Path, notebook: bool) -> None:
    """A variable that one block fills is what that block says."""
    assert fixes(tmp_path, [MAKE, PLAY], notebook=notebook) == {"GYM104": "safe", "GYM406": "safe"}


@pytest.mark.parametrize("wrap", ["Walled(env, 3)", "Walled(Other(env))", "Walled(Maze(), env)"])
def test_a_wrapper_of_a_package_is_no_other_object(tmp_path: Path, wrap: str) -> None:
    """What is given the environment answers as it does, but may have attributes of its own."""
    blocks = [f"from walls import Maze, Other, Walled\n{MAKE}", f"env = {wrap}\n", PLAY]
    assert fixes(tmp_path, blocks, notebook=False) == {"GYM104": "safe"}


def test_an_object_that_was_given_none_is_another_one(tmp_path: Path) -> None:
    """An argument that is no environment makes no wrapper."""
    blocks = [f"from walls import SIZE, Maze, Walled\n{MAKE}", "env = Walled(Maze(), SIZE)\n", PLAY]
    assert fixes(tmp_path, blocks, notebook=False) == {"GYM104": "none"}


def test_the_block_that_makes_it_shows_what_it_is(tmp_path: Path) -> None:
    """A block that makes the environment itself is read as it stands, whatever others make."""
    blocks = [MAKE, "env = Maze('small')\n", f"{MAKE}obs = env.reset()\nprint(obs.shape)\n"]
    assert fixes(tmp_path, blocks, notebook=False) == {"GYM104": "safe"}

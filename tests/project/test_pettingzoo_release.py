"""What a parallel environment of PettingZoo gives depends on the release that the project has."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

MAIN = """from pettingzoo.mpe import simple_spread_v2

env = simple_spread_v2.parallel_env(max_cycles=25)
for episode in range(10):
    obs = env.reset()
    while env.agents:
        action = {agent: env.action_space(agent).sample() for agent in env.agents}
        next_obs, reward, done, info = env.step(action)
        for agent in obs:
            print(obs[agent].shape)
        obs = next_obs
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("notes.txt", "PettingZoo==1.18.1", {"GYM101", "GYM104"}),
        ("requirements.txt", "PettingZoo[mpe]==1.24.3", {"GYM101", "GYM104"}),
        ("requirements.txt", "pettingzoo", {"GYM101", "GYM104"}),
        ("requirements.txt", "pettingzoo>=1.18", {"GYM101", "GYM104"}),
        ("requirements.txt", "pettingzoo==1.22.3  # no pair yet", {"GYM101"}),
        ("requirements.txt", "PettingZoo[mpe]==1.18.1", set()),
        ("requirements.txt", "pettingzoo>=1.15,<1.21", set()),
        ("pyproject.toml", '[project]\nname = "x"\ndependencies = ["pettingzoo~=1.20.0"]\n', set()),
        ("poetry.lock", '[[package]]\nname = "pettingzoo"\nversion = "1.20.1"\n', set()),
    ],
)
def test_the_release_decides_what_a_parallel_environment_gives(
    tmp_path: Path, name: str, text: str, expected: set[str]
) -> None:
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / name).write_text(text)
    found = done_lint(tmp_path, "check", "--output-format", "concise").stdout
    assert {row.split()[1] for row in found.splitlines()} == expected


_ASKING = """try:
    {imported}
except ImportError as error:
    raise ImportError("{text}") from error

from pettingzoo.mpe import simple_spread_v2

env = simple_spread_v2.parallel_env(max_cycles=25)
seen = env.reset()
first = list(seen.values())
next_seen, reward, done, info = env.step(act(first))
"""


@pytest.mark.parametrize(
    ("imported", "text", "listed", "expected"),
    [
        ("import pettingzoo", "please run pip install pettingzoo[mpe]==1.17.0", "", set()),
        ("from pettingzoo import mpe", "needs PettingZoo >= 1.15, < 1.21", "numpy", set()),
        ("import pettingzoo", "pip install 'pettingzoo==1.22.3'", "", {"GYM101"}),
        # what the project installs is what the code runs with
        ("import pettingzoo", "please run pip install pettingzoo==1.17.0", "pettingzoo==1.24.3", {"GYM101", "GYM104"}),
        ("import pettingzoo", "please run pip install pettingzoo", "", {"GYM101", "GYM104"}),
        ("import pettingzoo", "pip install my-pettingzoo==1.17.0", "", {"GYM101", "GYM104"}),
        # the error of another package
        ("import supersuit", "for pettingzoo==1.17.0 alone", "", {"GYM101", "GYM104"}),
    ],
)
def test_the_error_of_an_import_names_the_release(
    tmp_path: Path, imported: str, text: str, listed: str, expected: set[str]
) -> None:
    (tmp_path / "main.py").write_text(_ASKING.format(imported=imported, text=text))
    (tmp_path / "requirements.txt").write_text(listed)
    found = done_lint(tmp_path, "check", "--output-format", "concise").stdout
    assert {row.split()[1] for row in found.splitlines()} == expected

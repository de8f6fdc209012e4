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

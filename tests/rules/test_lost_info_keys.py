"""Programs that read of the info of a step what its environment does not set any more stay as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

PLAY = """import gym

env = gym.make({made})
env.reset()
frames = []
done = False
while not done:
    obs, reward, done, info = env.step(env.action_space.sample())
    frames.append(info[{key}])
"""
ATARI = '"ALE/Breakout-v5", render_mode="rgb_array"'


@pytest.mark.parametrize(
    ("made", "key", "held"),
    [
        (ATARI, '"rgb"', True),
        (ATARI, '"lives"', False),
        ('"CartPole-v1", render_mode="rgb_array"', '"rgb"', False),
    ],
)
def test_the_frame_in_the_info_of_a_game(tmp_path: Path, made: str, key: str, held: bool) -> None:
    text = PLAY.format(made=made, key=key)
    (tmp_path / "main.py").write_text(text)
    found = json.loads(done_lint(tmp_path, "check", "--output-format", "json").stdout)
    reasons = {str(one["unfixed"]) for one in found if one["code"] == "GYM101"}
    held_back = 'blocked by main.py:9, which reads `info["rgb"]`, which `ale_py` does not set any more'
    assert (reasons == {held_back}) == held
    done_lint(tmp_path, "fix")
    assert ((tmp_path / "main.py").read_text() == text) == held


def test_a_key_that_the_program_sets_itself(tmp_path: Path) -> None:
    text = PLAY.format(made=ATARI, key='"rgb"').replace("    frames", '    info["rgb"] = obs\n    frames')
    (tmp_path / "main.py").write_text(text)
    done_lint(tmp_path, "fix")
    assert "import gymnasium as gym" in (tmp_path / "main.py").read_text()

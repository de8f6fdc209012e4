"""What is said of a subclass of `MujocoEnv` that was written for mujoco-py."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

WALKER = """from gymnasium.envs.mujoco import MujocoEnv


class Walker(MujocoEnv):
    def __init__(self, path, space):
        super().__init__(path, 5, observation_space=space)

    def reset_model(self):
        return {reset}

    def viewer_setup(self):
        assert self.viewer is not None
        {setup}
"""
CAMERA = "the constructor takes `default_camera_config=` in the place of `viewer_setup`"
ANEW = "the class has to be written anew"


@pytest.mark.parametrize(
    ("reset", "setup", "reason"),
    [
        ("self.data.qpos", "self.viewer.cam.distance = 4.0", CAMERA),
        ("self.data.qpos", 'setattr(self.viewer.cam, "distance", 4.0)', CAMERA),
        ("self.data.qpos", "self.viewer.add_marker(1)", ANEW),
        ("self.sim.data.qpos", "self.viewer.cam.distance = 4.0", ANEW),
        ("self.viewer.cam", "self.viewer.cam.distance = 4.0", ANEW),
    ],
)
def test_a_viewer_that_only_sets_the_camera(tmp_path: Path, reset: str, setup: str, reason: str) -> None:
    (tmp_path / "walker.py").write_text(WALKER.format(reset=reset, setup=setup))
    found = done_lint(tmp_path, "check").stdout
    assert "and has no `viewer`" in found
    assert f"no fix: {reason}" in found
    assert (CAMERA in found) == (reason == CAMERA)

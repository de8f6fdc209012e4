"""A module of one wrapper, imported as a whole, is reported by the release that the project asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint


@pytest.mark.parametrize(("pin", "reported"), [("gymnasium>=1.0", True), ("", True), ("gymnasium==0.29.1", False)])
@pytest.mark.parametrize(
    "line", ["from gymnasium.wrappers import record_video", "import gymnasium.wrappers.frame_stack"]
)
def test_by_release(pin: str, line: str, tmp_path: Path, *, reported: bool) -> None:
    (tmp_path / "requirements.txt").write_text(f"{pin}\n")
    (tmp_path / "main.py").write_text(f"import gymnasium as gym\n{line}\n")
    assert ("main.py:2:1: GYM403 " in done_lint(tmp_path, "check", "--output-format", "concise").stdout) is reported

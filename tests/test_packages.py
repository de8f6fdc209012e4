"""What a package hands out keeps its name when its origin gets another."""

from __future__ import annotations

from pathlib import Path

from command import done_lint


def test_an_init_hands_on_the_old_name(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    package = tmp_path / "wrapping"
    package.mkdir()
    (package / "__init__.py").write_text("from gym.wrappers import ClipAction, FrameStack\n")
    user = "from wrapping import FrameStack\n\n\ndef stacked(env):\n    return FrameStack(env, 4)\n"
    (tmp_path / "main.py").write_text(user)
    done_lint(tmp_path, "fix")
    moved = "from gymnasium.wrappers import ClipAction, FrameStackObservation as FrameStack\n"
    assert (package / "__init__.py").read_text() == moved
    assert (tmp_path / "main.py").read_text() == user

"""An id that a package registers is reported where nothing of the program imports it, and nothing does so unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

MAKING = """import gymnasium as gym


def made(name="ALE/Pong-v5"):
    return gym.make(name)
"""
RUNNING = "from games import made\n\nmade().reset()\n"
IMPORTED = "import ale_py\n"


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        ({"main.py": RUNNING}, True),
        ({"main.py": IMPORTED + RUNNING}, False),
        ({"tests/test_games.py": IMPORTED + RUNNING}, False),
        ({"main.py": RUNNING, "other.py": IMPORTED}, True),
        ({"main.py": "import rl_zoo3\n" + RUNNING}, False),
        ({"main.py": RUNNING, "requirements.txt": "gymnasium==0.29.1\n"}, False),
        ({"main.py": RUNNING, "requirements.txt": "gymnasium==1.0.0\n"}, True),
    ],
)
def test_what_imports_the_package(files: dict[str, str], tmp_path: Path, *, reported: bool) -> None:
    for name, text in {"pyproject.toml": "", "games.py": MAKING, **files}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    out = done_lint(tmp_path, "check", "--output-format", "concise").stdout
    assert ("games.py:4:15: GYM404 [*] `make` raises an error for `ALE/Pong-v5`" in out) is reported
    done_lint(tmp_path, "fix")
    assert (tmp_path / "games.py").read_text().startswith("import ale_py" if reported else "import gymnasium")
    assert "GYM404" not in done_lint(tmp_path, "check").stdout

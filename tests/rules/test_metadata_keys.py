"""A key of `metadata` is renamed where all that reads it from the class changes too."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

BIRD = """import gymnasium as gym


class Bird(gym.Env):
    metadata = {"render.modes": ["human"]}
"""

READER = """
    def wait(self):
        return 1 / self.metadata["render_fps"]
"""


def fix(folder: Path, main: str) -> tuple[str, str]:
    """The two files after the fix."""
    (folder / "pyproject.toml").write_text("")
    bird, reader = folder / "bird.py", folder / "main.py"
    bird.write_text(BIRD)
    reader.write_text(main)
    done_lint(folder, "fix", ".")
    return bird.read_text(), reader.read_text()


@pytest.mark.parametrize("read", ['["render.modes"]', '.get("render.modes")'])
def test_a_key_that_another_file_reads_from_the_class_stays(tmp_path: Path, read: str) -> None:
    main = f"from bird import Bird\n\nprint(Bird.metadata{read})\n"
    assert fix(tmp_path, main) == (BIRD, main)
    assert "main.py:3 reads the old key from the class" in done_lint(tmp_path, "check", "-v", ".").stdout


def test_a_key_that_another_file_reads_from_the_environment_changes_there_too(tmp_path: Path) -> None:
    main = 'from bird import Bird\n\nbird = Bird()\nprint(bird.metadata["render.modes"])\n'
    bird, reader = fix(tmp_path, main)
    assert '"render_modes"' in bird
    assert '"render_modes"' in reader


def test_a_key_that_a_heir_reads_from_itself_stays(tmp_path: Path) -> None:
    main = """from bird import Bird


class Duck(Bird):
    pass


print(Duck.metadata["render.modes"])
"""
    assert fix(tmp_path, main) == (BIRD, main)


def test_a_class_that_nobody_asks_changes_alone(tmp_path: Path) -> None:
    cat = tmp_path / "cat.py"
    cat.write_text(BIRD.replace("Bird", "Cat"))
    bird, _ = fix(tmp_path, 'import cat\nfrom bird import Bird\n\nprint(Bird.metadata["render.modes"], cat)\n')
    assert bird == BIRD
    assert '"render_modes"' in cat.read_text()


@pytest.mark.parametrize("own", ["type(self)", "self.__class__", "self"])
def test_a_heir_that_asks_its_own_class_changes_too(tmp_path: Path, own: str) -> None:
    main = f"""from bird import Bird


class Duck(Bird):
    def modes(self):
        return {own}.metadata["render.modes"]
"""
    bird, heir = fix(tmp_path, main)
    assert '"render_modes"' in bird
    assert '"render_modes"' in heir


def test_a_key_that_is_held_back_stays_reported_beside_one_that_is_renamed(tmp_path: Path) -> None:
    old = '{"render.modes": ["human"], "video.frames_per_second": 30}'
    bird = tmp_path / "bird.py"
    bird.write_text(BIRD.replace('{"render.modes": ["human"]}', old) + READER)
    assert "1 fixable with done-lint fix, 1 more with --unsafe-fixes" in done_lint(tmp_path, "check", ".").stderr
    done_lint(tmp_path, "fix", ".")
    assert '"render_modes": ["human"], "video.frames_per_second": 30' in bird.read_text()
    left = done_lint(tmp_path, "check", "-v", ".").stdout
    assert "does not know the key `video.frames_per_second`" in left
    assert "code of the program asks for `render_fps`" in left

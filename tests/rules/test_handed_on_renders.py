"""A wrapper of the project that hands `render` on, to what another file makes without a mode."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

WRAPPER = """import {library} as gym


class Twice(gym.Wrapper):
    def render(self{parameter}):
        for _ in range(2):
            frame = self.env.render({mode})
        return frame
"""
SHOW = "def show(env):\n    env.reset()\n    env.step(0)\n    {}\n"
MAIN = """import {library} as gym

from show import show
from wrap import Twice

env = gym.make({make})
show(Twice(env))
"""


def _write(folder: Path, library: str = "gymnasium", use: str = "env.render()", **parts: str) -> None:
    given = {"library": library, "parameter": "", "mode": "", "make": '"CartPole-v1"', **parts}
    (folder / "wrap.py").write_text(WRAPPER.format(**given))
    (folder / "show.py").write_text(SHOW.format(use))
    (folder / "main.py").write_text(MAIN.format(**given))


def _said(folder: Path) -> str:
    return done_lint(folder, "check", "--isolated").stdout


def test_the_program_draws_by_a_wrapper_of_another_file(tmp_path: Path) -> None:
    _write(tmp_path)
    shown = _said(tmp_path)
    assert shown.count("GYM111") == 1
    assert "--> wrap.py:7" in shown
    assert "rendered here (show.py:4:5)" in shown
    assert 'help: pass `render_mode="human"` to `make`, which opens a window, or `"rgb_array"`' in shown


@pytest.mark.parametrize(
    ("use", "make"),
    [
        # nobody draws
        ("env.close()", '"CartPole-v1"'),
        ("env.render()", '"CartPole-v1", render_mode="human"'),
        # what such an id makes may draw by itself
        ("env.render()", "input()"),
    ],
)
def test_nothing_is_drawn_that_is_asked_for(tmp_path: Path, use: str, make: str) -> None:
    _write(tmp_path, use=use, make=make)
    assert "GYM111" not in _said(tmp_path)


def test_a_window_that_is_lost_with_the_mode_of_a_wrapper_is_still_reported(tmp_path: Path) -> None:
    _write(tmp_path, "gym", parameter=', mode="human"', mode="mode=mode")
    assert 'help: pass `render_mode="human"` to `make`, and call `self.env.render()`' in _said(tmp_path)
    done_lint(tmp_path, "fix", "--isolated")
    assert "self.env.render()" in (tmp_path / "wrap.py").read_text()
    assert "GYM111 `self.env.render()` draws nothing" in _said(tmp_path)


def test_a_mode_that_does_not_show_is_not_named(tmp_path: Path) -> None:
    _write(tmp_path, parameter=", mode", mode="mode")
    assert "help: pass the mode to `make`, and call `self.env.render()`" in _said(tmp_path)

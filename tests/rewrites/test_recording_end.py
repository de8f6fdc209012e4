"""Where the environment is closed that `Monitor` recorded: its last video is written then."""

from __future__ import annotations

import textwrap

import pytest
from markdown_cases import fixed, fixed_in_cell

CODES = frozenset({"GYM402"})
MADE = 'env = gym.make("CartPole-v1")\nenv = gym.wrappers.Monitor(env, "videos")\n'
RECORDED = 'env = gym.make("CartPole-v1", render_mode="rgb_array")\nenv = gym.wrappers.RecordVideo(env, "videos")\n'


def program(head: str, body: str, tail: str = "") -> tuple[str, str]:
    """A program that records, before and after, without what closes it."""
    inside = "    " if head else ""
    start = f"import gym\n\n{head}"
    return start + textwrap.indent(MADE + body, inside) + tail, start + textwrap.indent(RECORDED + body, inside)


@pytest.mark.parametrize(
    ("head", "body", "tail"),
    [
        ("", "env.reset()\n", ""),
        ('if __name__ == "__main__":\n', "env.reset()\n", ""),
        ("def main():\n", "env.reset()\nwhile True:\n    if env.step(0)[2]:\n        break\n", "\n\nmain()\n"),
        ("def main():\n", "env = gym.wrappers.ClipAction(env)\nprint(env.reset())\n", "\n\nmain()\n"),
    ],
)
def test_the_end_of_what_records_is_the_end_of_the_recording(head: str, body: str, tail: str) -> None:
    before, after = program(head, body, tail)
    assert fixed(before, CODES) == after + ("    " if head else "") + "env.close()\n" + tail


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("def main():\n", "while True:\n    for one in [1]:\n        break\n"),
        ("def main(short):\n", "if short:\n    return\nenv.reset()\n"),
        ("def main(self):\n", "self.env = env\nenv.reset()\n"),
        ("def main():\n", "play = lambda: env.reset()\nprint(play())\n"),
        ("def main():\n", "yield env.reset()\n"),
        ("def main(runner):\n", "runner.take(env)\nprint(1)\n"),
        ("def main():\n", "agent = dict(env=env)\nreturn agent\n"),
        ("def main():\n", 'env.reset()\nenv = gym.make("Acrobot-v1")\nprint(env)\n'),
        ("for run in [1]:\n", "env.reset()\n"),
    ],
)
def test_an_end_that_is_not_visible_has_no_safe_fix(head: str, body: str) -> None:
    before, _ = program(head, body)
    assert fixed(before, CODES) == before


def test_a_notebook_has_no_end() -> None:
    before, _ = program("", "env.reset()\n")
    assert fixed_in_cell(before, CODES) == before

"""A `step` with more results than the analysis keeps at one place."""

from __future__ import annotations

from pathlib import Path

from command import done_lint

MANY = 12

STAND_IN = """import gym


class Walk(gym.Env):
    def __init__(self, first, next):
        self.first = first
        self.next = next

    def step(self, action):
        return self.next(action)

    def reset(self):
        return self.first()


class Doubled(gym.Wrapper):
    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs, 2 * reward, done, info
"""


def stand_ins(count: int) -> str:
    calls = [
        f"walk = Doubled(Walk(lambda: {one}, lambda _: ({one}, 1, False, {{}})))\nobs = walk.reset()\n"
        "obs, reward, done, info = walk.step(0)\nprint(obs, done)\n"
        for one in range(count)
    ]
    return STAND_IN + "\n\n" + "".join(calls)


def fixed(folder: Path, text: str) -> tuple[str, str]:
    (folder / "pyproject.toml").write_text("")
    (folder / "main.py").write_text(text)
    out = done_lint(folder, "fix").stdout
    return (folder / "main.py").read_text(), out


def test_each_function_that_a_step_is_given_changes(tmp_path: Path) -> None:
    text, _ = fixed(tmp_path, stand_ins(2))
    assert "lambda _: (1, 1, False, False, {})" in text


def test_too_many_of_them_keep_all_as_it_is(tmp_path: Path) -> None:
    before = stand_ins(MANY)
    text, out = fixed(tmp_path, before)
    assert text == before
    assert "blocked by `Walk.step` (main.py:10), which returns a result that cannot be followed" in out


def test_each_return_statement_is_known_by_itself(tmp_path: Path) -> None:
    rows = [f"        if action == {one}:\n            return {one}, 0.0, True, {{}}\n" for one in range(MANY)]
    text, _ = fixed(
        tmp_path,
        "import gym\n\n\nclass Walk(gym.Env):\n    def reset(self):\n        return 0\n\n"
        f"    def step(self, action):\n{''.join(rows)}        return 0, 0.0, False, {{}}\n\n\n"
        "walk = Walk()\nobs = walk.reset()\nobs, reward, done, _ = walk.step(0)\nprint(done)\n",
    )
    assert text.count("0.0, True, False, {}") == MANY
    assert "return 0, 0.0, False, False, {}" in text
    assert "done = terminated or truncated" in text

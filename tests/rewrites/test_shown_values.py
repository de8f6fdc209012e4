"""What the four values of a `step` are shown to be."""

from __future__ import annotations

import libcst as cst
import pytest
from markdown_cases import findings_in

from done_lint.rewrites.step_tuple import shown_values

STEP = """import gym


class Walk(gym.Env):
    def step(self, action):
        done = False
{}
        return 0, 1.0, done, {{}}
"""


def asked(monkeypatch: pytest.MonkeyPatch, bindings: int) -> int:
    """How many expressions are looked at where the flag is bound so often."""
    seen: list[cst.BaseExpression] = []
    look = shown_values._of_literal

    def counted(value: cst.BaseExpression) -> str:
        seen.append(value)
        return look(value)

    monkeypatch.setattr(shown_values, "_of_literal", counted)
    lines = (f"        done = done or self.at > {place}" for place in range(bindings))
    assert findings_in(STEP.format("\n".join(lines)), frozenset({"GYM301"}))
    monkeypatch.undo()
    return len(seen)


def test_a_name_is_followed_once_however_often_it_is_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < asked(monkeypatch, 20) <= 3 * asked(monkeypatch, 10)

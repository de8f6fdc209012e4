"""`terminated` is passed along where only `done` arrives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint
from markdown_cases import findings_in, fixed
from recorded_batch import CUT, RIGHT, computed, program
from threaded_programs import (
    ATTRIBUTE,
    ENDED,
    FILLED_ELSEWHERE,
    FOUR,
    GIVEN,
    IN_ARRAY,
    KEYWORD,
    METHODS,
    OVERRIDDEN,
    PARAMETER,
    RESULT,
    RUNNER,
    TARGETS,
)


@pytest.mark.parametrize(
    ("text", "there"),
    [
        (ATTRIBUTE, "self.terminated = terminated"),
        (RESULT, "return obs, reward, done, terminated"),
        (RESULT, "obs, reward, done, _ = act(env)"),
        (FOUR, "return obs, reward, done, info, terminated"),
        (FOUR, "obs, reward, done, info, terminated = act(env)"),
        (FOUR, "obs, reward, done, info, _ = act(env)"),
        (PARAMETER, "def target_of(reward, obs, done, terminated):"),
        (GIVEN, "target_of(reward, obs, terminated)"),
        (KEYWORD, "target_of(reward, done=done, terminated=terminated, obs=obs)"),
        (METHODS, "-> tuple[int, float, bool, bool]:"),
        (METHODS, "self.learn(reward, obs, terminated)"),
        (RUNNER, "(1 - runner.ended_terminated)"),
        (IN_ARRAY, 'data["d"][t] = float(done)'),
    ],
)
def test_terminated_goes_beside_done(text: str, there: str) -> None:
    text = program(text)
    result = fixed(text, TARGETS)

    assert there in result, result
    assert computed(text) == pytest.approx(CUT, abs=1e-12)
    assert computed(result) == pytest.approx(RIGHT, abs=1e-12), result
    assert not findings_in(result, TARGETS)


@pytest.mark.parametrize(
    "text",
    [
        RESULT.replace("return obs, reward, done", "return [obs, reward, done]"),
        RESULT.replace(
            "    obs, reward, done = act(env)\n    memory",
            "    obs, reward, done = list(map(act, [env]))[0]\n    memory",
        ),
        PARAMETER.replace("obs, done)\n    if", "*(obs, done))\n    if").replace(
            "append(target_of(reward, obs, done))", "append(target_of(reward, *(obs, done)))"
        ),
        PARAMETER.replace("def target_of(reward, obs, done):", "def target_of(reward, obs, done=False):"),
        ATTRIBUTE + "\nagent.done = False\n",
        OVERRIDDEN,
        ENDED,
        ATTRIBUTE.replace(
            "class Agent:\n", "class Agent:\n    __slots__ = ('env', 'memory', 'done', 'obs', 'reward')\n\n"
        ),
        ATTRIBUTE.replace("class Agent:\n", "class Agent:\n    done = False\n\n"),
        FILLED_ELSEWHERE,
    ],
    ids=[
        "returns a list",
        "handed on",
        "starred",
        "default",
        "set from outside",
        "overridden",
        "ended by itself",
        "slots",
        "class attribute",
        "filled elsewhere",
    ],
)
def test_what_cannot_be_followed_is_left_with_a_reason(text: str) -> None:
    text = program(text)
    found = findings_in(text, TARGETS)
    assert found
    assert all(finding.unfixed for finding in found)
    assert fixed(text, TARGETS, unsafe=True) == text


def test_a_module_that_others_import_may_have_callers_outside(tmp_path: Path) -> None:
    """The result of a helper is changed on request only, where other programs may call it."""
    (tmp_path / "library.py").write_text(program(RESULT))
    (tmp_path / "main.py").write_text("import library\n\nlibrary.evaluate(library.env)\n")
    assert _safety(tmp_path, "library.py") == "unsafe"
    (tmp_path / "main.py").unlink()
    assert _safety(tmp_path, "library.py") == "safe"


def _safety(folder: Path, name: str) -> str:
    found = json.loads(done_lint(folder, "check", "--select", "GYM203", "--output-format", "json", name).stdout)
    return str(found[0]["fix"]["applicability"])

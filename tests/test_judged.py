"""The score of a check against judged places."""

from __future__ import annotations

import json
from pathlib import Path

import judged
import pytest

OLD = "import gymnasium as gym\n\nenv = gym.make('CartPole-v1')\nobs, reward, done, info = env.step(0)\n"


def row(line: int, **more: object) -> dict[str, object]:
    return {"repo": "a/b", "commit": "0" * 40, "path": "train.py", "line": line, "code": "GYM101", **more}


def test_findings_are_counted_by_their_verdicts(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(OLD)
    found = judged.findings_in(tmp_path)
    assert [(one.place, one.safe_fix) for one in found] == [(judged.Place("train.py", 4, "GYM101"), True)]
    score = judged.score_findings([row(4, verdict="false", fix="harmful"), row(9, verdict="true")], found)
    assert score == {"false": 1, "harmful": 1, "lost": 1, "new": 0}
    assert judged.score_findings([], found) == {"new": 1}


@pytest.mark.parametrize(("line", "kind"), [(4, "hit"), (4 + judged.NEAR, "hit"), (5 + judged.NEAR, "missed")])
def test_an_expected_place_is_found_by_a_report_nearby(line: int, kind: str) -> None:
    found = [judged.Found(judged.Place("train.py", 4, "GYM101"), safe_fix=True)]
    assert judged.score_places([row(line, expected=True)], found) == {f"GYM101 {kind}": 1}


def test_a_report_is_false_where_nothing_is_expected() -> None:
    found = [judged.Found(judged.Place("train.py", 4, "GYM101"), safe_fix=True)]
    assert judged.score_places([row(4, expected=False)], found) == {"GYM101 false": 1}
    assert judged.score_places([row(4, expected=False), row(5, expected=True)], found) == {"GYM101 hit": 1}


@pytest.mark.parametrize("name", ["findings.jsonl", "vector.jsonl"])
def test_every_judgement_has_a_place_and_a_verdict(name: str) -> None:
    rows = [one for rows in judged.read(name).values() for one in rows]
    assert rows
    for one in rows:
        assert {"repo", "commit", "path", "line", "code"} <= one.keys()
        assert len(str(one["commit"])) == 40
        assert one.get("verdict") in ("true", "false", "arguable") or isinstance(one.get("expected"), bool)
        assert "\n" not in json.dumps(one)

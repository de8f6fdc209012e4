"""Surveys go through columns of numbers and texts, and come back as they were."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from model_programs import STEP

from done_lint.engine import survey_columns
from done_lint.engine.columns import fields_of
from done_lint.flowgraph.build import survey
from done_lint.flowgraph.schema import Survey

ROOT = Path(__file__).parents[2]
#: What data of somebody else may raise, and nothing else.
REFUSED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
PROGRAM = STEP + "y = reward + 0.99 * (1 - done) * value(next_obs)\nmemory = {**a, 'done': done}\nrows[0]['x'].y = 1\n"


def test_surveys_come_back_as_they_were() -> None:
    folders = (ROOT / "done_lint" / "facts" / "results", ROOT / "fixtures")
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        made = survey(str(path), path.read_text(encoding="utf-8"))
        again = survey_columns.read(survey_columns.written(made))
        assert again == made
        assert survey_columns.written(again) == survey_columns.written(made)


@pytest.mark.parametrize("text", ["", "x = 1\n", "x[True] = x[1]\n", "s = '\\ud800'\n", PROGRAM])
def test_small_surveys_do(text: str) -> None:
    made = survey("main.py", text)
    assert survey_columns.read(survey_columns.written(made)) == made


@pytest.mark.parametrize("text", [b"", b"null", b"[]", b"{}", b"\xff", b"[" * 100_000, b"[[],[],[],[],[],[]]"])
def test_other_texts_are_refused(text: bytes) -> None:
    with pytest.raises(REFUSED):
        survey_columns.read(text)


def test_what_is_changed_is_refused_or_is_a_survey() -> None:
    text = survey_columns.written(survey("main.py", PROGRAM))
    chosen = random.Random(0)
    for _ in range(500):
        changed = bytearray(text)
        changed[chosen.randrange(len(text))] = chosen.choice(b'0123456789[],"x-')
        try:
            again = survey_columns.read(bytes(changed))
        except REFUSED:
            continue
        assert type(again) is Survey
        assert again.size <= len(text)


def test_no_survey_has_more_nodes_than_it_names() -> None:
    whole = json.loads(survey_columns.written(survey("main.py", "x = 1\n")))
    names = [name for name, _ in fields_of(Survey)]
    whole[0][names.index("size")] = [10**9]
    with pytest.raises(ValueError, match="nodes"):
        survey_columns.read(json.dumps(whole).encode())

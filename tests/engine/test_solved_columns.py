"""What was read of solved parts goes through columns, and comes back as it was."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from command import OLD, ROOT
from markdown_cases import CASES, PATH, cases_of
from model_programs import ROLLOUT, VECTOR_STEP

from done_lint.engine import solved_columns
from done_lint.facts.build import link
from done_lint.facts.parts import Part
from done_lint.facts.solved_parts import Around, SolvedParts
from done_lint.flowgraph.build import survey
from done_lint.flowgraph.schema import Survey

REFUSED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


class Noted(SolvedParts):
    """Notes what is kept, and keeps nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[Part] = []

    def keep(self, surveys: Sequence[Survey], around: Around, part: Part) -> None:
        self.parts.append(part)


def parts_of(surveys: Sequence[Survey]) -> list[Part]:
    noted = Noted()
    link(surveys, before=noted)
    return noted.parts


@pytest.mark.parametrize("folder", ["projects", "result_shapes", "documents"])
def test_parts_of_programs_come_back_as_they_were(folder: str) -> None:
    paths = sorted((ROOT / "fixtures" / folder).rglob("*.py"))
    for part in parts_of([survey(str(path), path.read_text(encoding="utf-8")) for path in paths]):
        assert solved_columns.read(solved_columns.written(part)) == part


@pytest.mark.parametrize("path", sorted(CASES.glob("*.md")), ids=lambda path: path.stem)
def test_parts_of_the_cases_of_rules_do(path: Path) -> None:
    for case in cases_of(path)[::3]:
        for part in parts_of([survey(PATH, case.source)]):
            assert solved_columns.read(solved_columns.written(part)) == part


@pytest.mark.parametrize("text", [b"", b"null", b"[]", b"{}", b"\xff", b"[" * 100_000, b"[[],[],[],[],[],[]]"])
def test_other_texts_are_refused(text: bytes) -> None:
    with pytest.raises(REFUSED):
        solved_columns.read(text)


@pytest.mark.parametrize("program", [OLD, ROLLOUT, VECTOR_STEP])
def test_what_is_changed_is_refused_or_is_a_part(program: str) -> None:
    (part,) = parts_of([survey(PATH, program)])
    text = solved_columns.written(part)
    chosen = random.Random(0)
    for _ in range(200):
        changed = bytearray(text)
        changed[chosen.randrange(len(text))] = chosen.choice(b'0123456789[],"x-')
        try:
            again = solved_columns.read(bytes(changed))
        except REFUSED:
            continue
        assert type(again) is Part

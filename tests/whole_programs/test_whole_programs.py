"""Programs of several files change as a whole or not at all: `fixtures/whole_programs/` says which, and why.

An old program runs on the shim (`tests/shim/gym`), its fixed copy on Gymnasium itself, and both print the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from fixing import Fixed, fix, texts
from running import on_gymnasium, on_shim

pytest.importorskip("gymnasium", minversion="1.0")

CASES = Path(__file__).parents[2] / "fixtures" / "whole_programs"
#: Folders of installed packages: beside both libraries, beside Gym, beside Gymnasium.
SITES = ("site", "old_site", "new_site")
VERDICTS = {"whole", "untouched", "either", "right", "kept"}

_SECTION = re.compile(r"^## +([^\n]*)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```(?:py|toml) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^(Must be|Fails today): (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """One project, and what must become of it."""

    name: str
    files: Mapping[str, str]
    verdict: str
    #: Why the test fails today; empty if it does not.
    failing: str

    def write(self, folder: Path) -> tuple[Path, list[Path], list[Path]]:
        """Write the files: the project's folder, and the folders of packages beside Gym and beside Gymnasium."""
        for name, text in self.files.items():
            path = folder / name if name.startswith(tuple(f"{site}/" for site in SITES)) else folder / "project" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        both, old, new = (folder / site for site in SITES)
        return folder / "project", [both, old], [both, new]


def programs_of(path: Path) -> list[Program]:
    """The programs of one file, in order."""
    found = []
    for section in _SECTION.finditer(path.read_text(encoding="utf-8")):
        lines = dict(_LINE.findall(section[2]))
        files = dict(_FENCE.findall(section[2]))
        found.append(Program(f"{path.stem}: {section[1]}", files, lines["Must be"], lines.get("Fails today", "")))
    return found


PROGRAMS = [program for path in sorted(CASES.glob("*.md")) for program in programs_of(path)]


def _case(program: Program) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=program.failing)] if program.failing else []
    return pytest.param(program, marks=marks, id=program.name)


def complaint(program: Program, folder: Path) -> str:
    """What is wrong with what `fix` does to a program; empty where it is right."""
    project, beside_gym, beside_gymnasium = program.write(folder)
    before = texts(project)
    old = (on_gymnasium() if program.verdict == "right" else on_shim()).run(project, *beside_gym)
    assert not old.failure, f"the program does not run before the fix:\n{old.failure}"
    result = fix(project)
    if program.verdict in ("right", "kept"):
        return _said("it is right", result) if result.findings or result.changed else ""
    if not result.changed:
        return _said("it must change", result) if program.verdict == "whole" else _unexplained(result)
    if program.verdict == "untouched":
        return _said("it must not change", result)
    new = on_gymnasium().run(project, *beside_gymnasium)
    if new.failure:
        return _said(f"the fixed program fails\n{new.failure}", result)
    if new.printed != old.printed:
        return _said(f"the fixed program prints\n{new.printed}\nand not\n{old.printed}", result)
    if any(one.incompatibility and not one.stops_with_advice for one in result.findings):
        return _said("it is changed, and findings are left", result)
    again = fix(project)
    if texts(project) != {**before, **result.changed} or len(again.findings) != len(result.findings):
        return _said("a second fix goes on", again)
    return ""


def _unexplained(result: Fixed) -> str:
    """What is wrong where nothing changed: each place needs a finding that says why."""
    if not result.findings:
        return "nothing is fixed and nothing is said"
    silent = [one for one in result.findings if not one.unfixed and not (one.fix and one.fix.safety == "display")]
    return _said("findings do not say why they are not fixed", result) if silent else ""


def _said(complaint: str, result: Fixed) -> str:
    findings = (
        f"{Path(one.path).name}:{one.span.row} {one.code} {one.message} [{one.unfixed}]" for one in result.findings
    )
    return "\n".join([complaint, *findings, *result.diffs])


@pytest.mark.parametrize("program", [_case(program) for program in PROGRAMS])
def test_a_program_changes_as_a_whole_or_not_at_all(program: Program, tmp_path: Path) -> None:
    assert not (found := complaint(program, tmp_path)), found


def test_every_program_has_a_verdict_and_a_first_file() -> None:
    for program in PROGRAMS:
        assert program.verdict in VERDICTS, program.name
        assert "main.py" in program.files, program.name
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS)

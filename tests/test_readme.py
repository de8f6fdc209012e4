"""What the README shows and claims is true."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_layout import ROOMS

from done_lint.core.codes import CODES

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(mark: str) -> str:
    """The fenced block behind an HTML comment."""
    found = re.search(rf"<!-- {mark} -->\n```\w*\n(.*?)```", README, re.DOTALL)
    assert found, f"the README has no block marked {mark}"
    return found[1]


def done_lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command of this checkout in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "done_lint", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_fix_turns_the_program_before_into_the_program_after(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(block("before"), encoding="utf-8")
    result = done_lint(tmp_path, "fix", "--no-cache", "program.py")
    assert program.read_text(encoding="utf-8") == block("after"), result.stdout + result.stderr


def test_the_program_after_runs(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    program = tmp_path / "program.py"
    program.write_text(block("after").replace("10_000", "450"), encoding="utf-8")
    subprocess.run([sys.executable, str(program)], check=True, timeout=60)


@pytest.mark.parametrize("mark", ["main-command", "test-command"])
def test_the_test_command_is_one_line_that_sets_up_first(mark: str) -> None:
    command = block(mark)
    assert command.count("\n") == 1
    assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")


def test_the_main_command_reports_on_the_fixture_projects() -> None:
    arguments = block("main-command").rpartition(".venv/bin/done-lint ")[2].split()
    result = done_lint(ROOT, *arguments)
    assert result.returncode == 0, result.stderr
    for code in ("GYM101", "GYM103", "GYM104", "GYM107", "GYM202", "GYM203", "GYM401"):
        assert code in result.stdout


@pytest.mark.parametrize(
    "command", [row.partition("#")[0].split() for row in block("commands").splitlines()], ids=" ".join
)
def test_every_command_is_one(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(block("before"), encoding="utf-8")
    name, *arguments = command
    assert name == "done-lint"
    result = done_lint(tmp_path, *arguments)
    finds = {"check", "--diff"} & set(arguments)
    assert result.returncode == (1 if finds else 0), result.stderr


def test_the_configuration_does_what_it_says(tmp_path: Path) -> None:
    for name, text in {
        "main.py": "import gym\n",
        "third_party/old.py": block("before"),
        "experiments/old.py": block("before"),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    def found() -> set[tuple[str, str]]:
        result = done_lint(tmp_path, "check", "--no-cache", "--output-format", "json")
        assert result.returncode in (0, 1), result.stderr
        return {(finding["filename"], finding["code"]) for finding in json.loads(result.stdout)}

    without = found()
    assert {"main.py", "third_party/old.py", "experiments/old.py"} == {path for path, _ in without}
    (tmp_path / "pyproject.toml").write_text(block("configuration"), encoding="utf-8")
    assert found() == {one for one in without if one[0] == "experiments/old.py" and one[1] != "GYM401"}


@pytest.mark.parametrize(("hook", "left"), [("done-lint", block("before")), ("done-lint-fix", block("after"))])
def test_a_pre_commit_hook_is_a_command_that_takes_files(hook: str, left: str, tmp_path: Path) -> None:
    assert hook in re.findall(r"done-lint(?:-fix)?", block("pre-commit"))
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entry = re.search(rf"^- id: {hook}$\n(?:  .*\n)*?  entry: done-lint (.*)$", hooks, re.MULTILINE)
    assert entry is not None
    program = tmp_path / "program.py"
    program.write_text(block("before"), encoding="utf-8")
    result = done_lint(tmp_path, *entry[1].split(), "program.py")
    assert result.returncode in (0, 1), result.stderr
    assert program.read_text(encoding="utf-8") == left


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git in this checkout."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_the_revision_for_pre_commit_is_a_commit_of_this_history_with_these_hooks() -> None:
    revision = re.search(r"^  rev: (\S+)$", block("pre-commit"), re.MULTILINE)
    assert revision is not None
    assert re.fullmatch("[0-9a-f]{40}", revision[1])
    if not (ROOT / ".git").exists() or git("rev-parse", "--is-shallow-repository").stdout != "false\n":
        pytest.skip("this copy has no whole git history; .ci/run looks into that of the checkout")
    assert git("merge-base", "--is-ancestor", revision[1], "HEAD").returncode == 0
    then = git("show", f"{revision[1]}:.pre-commit-hooks.yaml").stdout
    now = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    for hook in re.findall(r"^- id: .+$", now, re.MULTILINE):
        assert hook in then.splitlines()


def test_the_table_lists_every_rule_by_code_and_name() -> None:
    rows = re.findall(r"^\| (GYM\d{3}) \| ([\w-]+) \|", README, re.MULTILINE)
    assert dict(rows) == CODES
    assert [code for code, _ in rows] == sorted(CODES)


def test_the_table_names_a_fix_exactly_where_the_cases_of_a_rule_show_one() -> None:
    rows = re.findall(r"^\| (GYM\d{3}) \|.*\| (yes|no|on request)\b[^|]*\|$", README, re.MULTILINE)
    assert len(rows) == len(CODES)
    for code, fixes in rows:
        cases = ROOT / "fixtures" / "rules" / f"{CODES[code]}.md"
        assert ("```py fixed" in cases.read_text(encoding="utf-8")) == (fixes != "no"), code


def test_the_changelog_names_every_rule() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for code, name in CODES.items():
        assert f"{code} {name}" in " ".join(changelog.split())


def test_the_modules_that_the_architecture_names_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    known = [
        path.as_posix()
        for folder in ("done_lint", "tests", "fixtures", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
    ]
    named = set(re.findall(r"`([\w/]+\.py)`", text))
    assert len(named) > 10
    for name in named:
        assert any(path.endswith(f"/{name}") for path in known), name


def test_the_picture_of_the_architecture_has_every_room_from_the_roof_to_the_ground() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = re.findall(r"^ (\w+)/ ", text, re.MULTILINE)
    rooms = {path.parent.name for path in (ROOT / "done_lint").glob("*/__init__.py")}
    assert set(picture) == rooms
    assert picture == [room for room in reversed(ROOMS) if room in rooms]


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "docs/architecture.md"])
def test_links_and_named_files_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    named = re.findall(r"`((?:done_lint|tests|fixtures|benchmarks|docs)/[\w./]*)`", text)
    assert links or named
    for target in [*links, *named]:
        found = [(ROOT / document).parent / target, ROOT / target]
        assert any(path.exists() for path in found), f"{document} names {target}"

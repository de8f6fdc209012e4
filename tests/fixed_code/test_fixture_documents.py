"""A notebook and two documents, written for old Gym, are fixed as a whole and then run under Gymnasium."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from command import ROOT, done_lint
from nbclient import NotebookClient
from notebooks import sources

from done_lint.source.source import Source

NOTEBOOK = ROOT / "fixtures" / "notebooks" / "cart_pole.ipynb"
DOCUMENTS = ROOT / "fixtures" / "documents"
FIX = ["fix", "--isolated", "--output-format", "concise"]


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notebook")
    shutil.copy(NOTEBOOK, folder)
    result = done_lint(folder, *FIX)
    assert result.stdout == ""
    return folder / NOTEBOOK.name


def test_every_cell_of_the_old_notebook_is_seen(tmp_path: Path) -> None:
    shutil.copy(NOTEBOOK, tmp_path)  # where it stands, all of this project is around it
    found = json.loads(done_lint(tmp_path, "check", "--isolated", "--output-format", "json", NOTEBOOK.name).stdout)
    by_cell: dict[int, list[str]] = {}
    for finding in found:
        by_cell.setdefault(finding["cell"], []).append(finding["code"])
    assert {cell: sorted(codes) for cell, codes in by_cell.items()} == {
        2: ["GYM401"],
        3: ["GYM103"],
        5: ["GYM104"],
        9: ["GYM101", "GYM201", "GYM203"],
        10: ["GYM104"],
        13: ["GYM101", "GYM103", "GYM104"],
        14: ["GYM101", "GYM104", "GYM105"],
    }


def test_the_fixed_notebook_runs_under_gymnasium(fixed: Path) -> None:
    content = nbformat.reads(fixed.read_text(encoding="utf-8"), as_version=4)
    nbformat.validate(content)
    NotebookClient(content, timeout=120, kernel_name="python3").execute()
    by_id = {cell["id"]: cell for cell in content["cells"]}
    # a busy kernel sends one line in parts
    assert "".join(one["text"] for one in by_id["render"]["outputs"]) == "60 3\n"
    assert [output["ename"] for output in by_id["todo"]["outputs"]] == ["SyntaxError"]


def test_the_fixed_notebook_differs_in_sources_only(fixed: Path) -> None:
    before, after = json.loads(NOTEBOOK.read_bytes()), json.loads(fixed.read_bytes())
    changed = [old["id"] for old, new in zip(before["cells"], after["cells"]) if old != new]
    assert changed == ["imports", "make", "look", "learn", "train", "evaluate", "render"]
    for cell in (*before["cells"], *after["cells"]):
        cell["source"] = []
    assert before == after
    train = sources(fixed.read_bytes())[9]
    assert train.startswith("%%time\nreturns = []\n")
    assert '        !echo "episode {episode}"' in train


@pytest.mark.parametrize("name", ["README.md", "guide.rst"])
def test_a_fixed_document_is_the_one_shown_and_its_python_runs(tmp_path: Path, name: str) -> None:
    shutil.copy(DOCUMENTS / "old" / name, tmp_path)
    done_lint(tmp_path, *FIX, "--include-docs")
    expected = (DOCUMENTS / "fixed" / name).read_text(encoding="utf-8")
    assert (tmp_path / name).read_text(encoding="utf-8") == expected
    assert done_lint(tmp_path, *FIX, "--include-docs").stderr == "Nothing to fix.\n"
    names: dict[str, object] = {}
    exec(Source.from_bytes(name, expected.encode()).text, names)
    assert names["obs"] is not None

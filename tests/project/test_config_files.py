"""Which configuration files are read for the ids in them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from done_lint.core import witness
from done_lint.project import config_files
from done_lint.project.config_files import ConfigFiles


def test_a_pattern_does_not_look_into_a_whole_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        (tmp_path / "data" / f"run_{number:02}").mkdir(parents=True)
        (tmp_path / "data" / f"run_{number:02}" / "run.yaml").write_text("env: LunarLander-v2\n")
    looked_at: list[str] = []
    entries = witness.entries

    def counted(folder: str) -> list[os.DirEntry[str]]:
        looked_at.append(folder)
        return entries(folder)

    monkeypatch.setattr(config_files, "_MOST_FOLDERS", 5)
    monkeypatch.setattr(witness, "entries", counted)
    code = [(str(tmp_path / "main.py"), b'open("data/*/run.yaml")')]
    found = ConfigFiles(str(tmp_path)).ids(code)
    assert len(looked_at) == 5
    assert [(one.value, Path(one.path).parent.name) for one in found] == [("LunarLander-v2", "run_00")]

"""What the tests of the command share."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import CLEAN, OLD


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one old program and one that is right."""
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "clean.py").write_text(CLEAN)
    return tmp_path

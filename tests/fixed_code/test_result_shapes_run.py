"""Results of steps and resets in every shape: `fix` changes all of a program, or nothing, and says why.

Each program of `fixtures/result_shapes/` runs on the shim before, with Gymnasium after.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ROOT, done_lint
from running import with_gymnasium

pytest.importorskip("gymnasium", minversion="1.0")

PROGRAMS = sorted((ROOT / "fixtures" / "result_shapes").glob("*.py"))
#: Those that are followed all the way.
FIXED = frozenset(
    """flag_in_branch getattr_call last_step list_result method_alias one_branch_bound pipe_pass reset_indexed
    super_step_flip super_step_overwrite
    reset_indexed_attr return_step yield_step yield_step_2 decorated namedtuple_star namedtuple_typing
    old_name_called star_call star_method comprehension_index lambda_step walrus""".split()
)


def run(program: Path, *, shim: bool = False) -> str:
    """What a program prints."""
    done = with_gymnasium(program.parent, program.name, shim=shim)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_is_changed_as_a_whole_or_not_at_all(program: Path, tmp_path: Path) -> None:
    copy = tmp_path / program.name
    copy.write_text(program.read_text())
    before = run(copy, shim=True)
    found = json.loads(done_lint(tmp_path, "fix", "--output-format", "json").stdout)
    if program.stem in FIXED:
        assert run(copy) == before
        assert not found
    else:
        assert copy.read_text() == program.read_text()
        assert found
        assert all(one["unfixed"] for one in found)

"""Where an import goes that a fix needs: into its section, as tools have it that sort imports."""

from __future__ import annotations

import libcst as cst
import pytest

from done_lint.core.apply_edits import apply
from done_lint.core.findings import Fix
from done_lint.rewrites.imports import import_added
from done_lint.syntax.tree import Tree

NUMPY, OPTIONAL = "import numpy as np", "from typing import Optional"
OWN = "from maze import build\n\nx = 1\n"


@pytest.mark.parametrize(
    ("new", "before", "after"),
    [
        (NUMPY, f"import os\n\nimport gymnasium as gym\n\n{OWN}", f"import os\n\nimport gymnasium as gym\n+\n\n{OWN}"),
        (NUMPY, f"import gym\nimport torch\n\n{OWN}", f"import gym\n+\nimport torch\n\n{OWN}"),
        (NUMPY, f"import torch\nfrom gym import Env\n\n{OWN}", f"+\nimport torch\nfrom gym import Env\n\n{OWN}"),
        (NUMPY, f"import os\nimport gym\n{OWN}", f"import os\nimport gym\n+\n{OWN}"),
        (NUMPY, f"import os\n\n{OWN}", f"import os\n\n{OWN.replace('build', 'build' + chr(10) + '+')}"),
        (OPTIONAL, f"import os\n\nimport gym\n\n{OWN}", f"import os\n+\n\nimport gym\n\n{OWN}"),
        (OPTIONAL, f"import gym\n\n{OWN}", f"+\n\nimport gym\n\n{OWN}"),
        (
            OPTIONAL,
            f"from __future__ import annotations\n\nimport gym\n\n{OWN}",
            f"from __future__ import annotations\n\n+\n\nimport gym\n\n{OWN}",
        ),
        (OPTIONAL, "x = 1\n", "+\n\nx = 1\n"),
    ],
)
def test_a_new_import_stands_with_those_of_its_kind(new: str, before: str, after: str) -> None:
    statement = cst.ensure_type(cst.parse_statement(new), cst.SimpleStatementLine).body[0]
    assert isinstance(statement, (cst.Import, cst.ImportFrom))
    edits = import_added(Tree(before), statement)
    assert apply(before, [Fix("import it", edits)])[0] == after.replace("+", new)

"""Every call is read, in whatever expression it stands."""

from __future__ import annotations

import pytest

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.build import survey

FORMS = [
    "[env.step(x) for x in rows]",
    "[x for x in rows if env.step(x)]",
    "{k: env.step(v) for k, v in rows.items()}",
    "{k: mean(env.step(v)) > 1 for k, v in rows.items()}",
    "{k: v for k, v in rows.items() if env.step(k)}",
    "{k: rows[k] for k in rows if env.step(k)}",
    "dict(a=env.step(0))",
    "f'{env.step(0)}'",
    "lambda: env.step(0)",
    "rows[env.step(0)[1]:]",
    "(yield env.step(0))",
    "env.step(0) if rows else None",
    "rows[0] < env.step(0)[1] < 2",
    "print(*env.step(0), **rows)",
]


@pytest.mark.parametrize("form", FORMS)
def test_every_call_is_read(form: str) -> None:
    found = survey("main.py", f"def f(env, rows, mean):\n    a = {form}\n    return a\n", frozenset())
    assert [read for read in found.telling if read.name == "step"]
    assert any(isinstance(one, ops.Call) for read in found.telling for one in found.waiting.get(read.target, ()))

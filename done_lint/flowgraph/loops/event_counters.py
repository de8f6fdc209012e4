"""Names that count what only some steps bring: `if success: solved += 1`. Their bound is no limit of the steps."""

from __future__ import annotations

import ast

from done_lint.flowgraph.ast_text import last_name


def counted_events(s: ast.If) -> frozenset[str]:
    """The names that a branch raises by one where a plain flag holds, behind the step that gave the flag.

    What counts while something does not hold yet, `if not done: steps += 1`, counts steps.
    """
    if not isinstance(s.test, (ast.Name, ast.Attribute)):
        return frozenset()
    raised = frozenset(last_name(one.target) for one in s.body if isinstance(one, ast.AugAssign) and _is_one(one))
    return frozenset() if raised and any(map(_steps, s.body)) else raised


def _is_one(statement: ast.AugAssign) -> bool:
    """`n += 1`."""
    value = statement.value
    return isinstance(statement.op, ast.Add) and isinstance(value, ast.Constant) and value.value == 1


def _steps(statement: ast.stmt) -> bool:
    """Whether an environment is stepped somewhere inside."""
    return any(isinstance(one, ast.Attribute) and one.attr.startswith("step") for one in ast.walk(statement))

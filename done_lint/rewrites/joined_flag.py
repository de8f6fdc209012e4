"""The old flag, written with the two new ones: `terminated or truncated`."""

from __future__ import annotations

import libcst as cst


def joined_flag(terminated: cst.BaseExpression, truncated: cst.BaseExpression, *, array: bool) -> cst.BaseExpression:
    """`terminated or truncated`; for arrays, whose flags Python cannot join, `terminated | truncated`."""
    if array:
        return cst.BinaryOperation(terminated, cst.BitOr(), truncated)
    return cst.BooleanOperation(terminated, cst.Or(), truncated)


def joined_assignment(done: cst.BaseExpression, names: tuple[str, str], *, array: bool) -> cst.Assign:
    """`done = terminated or truncated`.

    Raises:
        TypeError: nothing can be assigned to `done`.
    """
    if not isinstance(done, cst.BaseAssignTargetExpression):
        raise TypeError(f"{type(done).__name__} is no target")
    terminated, truncated = (cst.Name(name) for name in names)
    return cst.Assign([cst.AssignTarget(done)], joined_flag(terminated, truncated, array=array))

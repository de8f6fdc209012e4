"""What an expression is compared with."""

from __future__ import annotations

import libcst as cst

from done_lint.syntax.dotted import last_name
from done_lint.syntax.tree import Tree


def compared_with(tree: Tree, part: cst.BaseExpression) -> cst.BaseExpression | None:
    """The other side of a comparison of two, or of a test's `assertEqual(part, other, "message")` and the like."""
    above = tree.parents[part]
    whole = tree.parents[above]
    if isinstance(above, cst.ComparisonTarget) and isinstance(whole, cst.Comparison):
        return whole.left if len(whole.comparisons) == 1 else None
    if isinstance(above, cst.Comparison) and len(above.comparisons) == 1:
        return above.comparisons[0].comparator
    if not isinstance(above, cst.Arg) or not isinstance(whole, cst.Call) or not asserts_equality(whole):
        return None
    first, second = whole.args[:2]
    return None if above not in (first, second) else second.value if above is first else first.value


def asserts_equality(call: cst.Call) -> bool:
    """Whether a call is a test's `assertEqual`, `assert_equal`, `assert_array_equal`, or the opposite of one."""
    name = last_name(call.func).lower()
    return name.startswith("assert") and "equal" in name and len(call.args) in (2, 3)

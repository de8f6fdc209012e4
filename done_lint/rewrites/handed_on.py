"""Functions that return what a step or a reset of an environment returns, as it is: `return self.env.step(action)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import libcst as cst

from done_lint.core.findings import Span
from done_lint.syntax.tree import Tree

Result = TypeVar("Result")


def handed_on(tree: Tree, function: cst.FunctionDef, results: Mapping[Span, Result]) -> Result | None:
    """The result that every `return` of a function hands on; none where one of them returns something else."""
    inside = tree.descend(function.body, into_functions=False)
    returned = [node.value for node in inside if isinstance(node, cst.Return)]
    found = [results.get(tree.span(value)) if isinstance(value, cst.Call) else None for value in returned]
    return found[0] if found and None not in found else None

"""Texts with code that steps or resets an environment in the old form, in a file that runs texts.

`exec(TEMPLATE.format(rule))`, `timeit.timeit("env.step(0)[2]", globals=names)`: no fix changes what stands in a text,
and nothing shows which environment it steps.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from done_lint.core.ast_walk import walked

#: Builtins that run a text.
_BUILTINS = frozenset({"exec", "eval", "compile"})
#: Modules whose functions do so, and these functions; Python 3.13.
_MODULES = {
    "subprocess": {"run", "call", "check_call", "check_output", "Popen"},
    "timeit": {"timeit", "repeat", "Timer"},
    "os": {"system", "popen"},
}
#: What a step or reset gave is bound, or a part of it is taken.
_USING = re.compile(r"(?:^|[;\n])[^#;\n]*=[^#;\n]*\.(?:step|reset)\(|\.(?:step|reset)\([^\n]*\)\[")
#: Code that knows of five values.
_OF_TODAY = "truncated"


def run_texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """Such texts of a file: constants, or parts of those with places."""
    found = [one for one in walked(tree) if isinstance(one, ast.Constant) and _steps(one.value)]
    if found and _runs(tree):
        shown = {one.value for one in walked(tree) if isinstance(one, ast.Expr)}  # docstrings
        yield from (one for one in found if one not in shown)


def _steps(value: object) -> bool:
    return isinstance(value, str) and _OF_TODAY not in value and _USING.search(value) is not None


def _runs(tree: ast.Module) -> bool:
    """Whether a file calls what runs a text."""
    names = set(_BUILTINS)
    for node in walked(tree):
        if isinstance(node, ast.ImportFrom) and node.module in _MODULES:
            names |= {one.asname or one.name for one in node.names if one.name in _MODULES[node.module]}
    return any(_is_running(one.func, names) for one in walked(tree) if isinstance(one, ast.Call))


def _is_running(called: ast.expr, names: set[str]) -> bool:
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        return called.attr in _MODULES.get(called.value.id, ())
    return isinstance(called, ast.Name) and called.id in names

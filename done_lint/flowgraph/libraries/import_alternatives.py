"""Modules of which a program imports one: `if name == "slow": from slow import Car`, `else: from fast import Car`.

What follows uses the name in one way, whichever module it is from: each of them has to answer as the others do. A `try`
chooses by what is installed, and says nothing of the kind.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from done_lint.core.ast_walk import walked


def import_alternatives(tree: ast.Module) -> frozenset[str]:
    """Such modules, dotted as in the imports of a survey, and with the names that are taken from them."""
    found: set[str] = set()
    inner: set[ast.stmt] = set()
    for node in walked(tree):
        if not isinstance(node, ast.If) or node in inner:
            continue
        modules: defaultdict[str, set[str]] = defaultdict(set)
        for branch in _branches(node, inner):
            for statement in branch:
                if isinstance(statement, ast.ImportFrom):
                    for alias in statement.names:
                        modules[alias.asname or alias.name].add(_dotted(statement, alias))
        for several in modules.values():
            if len(several) > 1:
                found |= several | {one.rpartition(".")[0] for one in several}
    return frozenset(found)


def _branches(first: ast.If, inner: set[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    """The branches of an `if` and of the `elif` behind it, each of which is added to `inner`."""
    yield first.body
    last = first.orelse
    while len(last) == 1 and isinstance(last[0], ast.If):
        inner.add(last[0])
        yield last[0].body
        last = last[0].orelse
    yield last


def _dotted(node: ast.ImportFrom, alias: ast.alias) -> str:
    module = "." * node.level + (node.module or "")
    return f"{module}.{alias.name}" if node.module else module + alias.name

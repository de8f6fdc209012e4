"""Imports of the packages that register what a file makes by its id: since Gymnasium 1.0 nothing does that unasked."""

from __future__ import annotations

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.facts.facts import Facts
from done_lint.syntax.dotted import dotted
from done_lint.syntax.edits import Edits, newline
from done_lint.syntax.tree import Tree

#: Nothing reads the name, so that other tools would take the import away.
_WHY = "  # noqa: F401 (registers its environments)"


def registering_imports(tree: Tree, facts: Facts, statement: cst.Import | cst.ImportFrom) -> Edits:
    """`import ale_py` before the first import of Gym: that of the file, or where it has none, of each scope."""
    if not facts.unregistered or not any(statement is one for one in _first_imports(tree, "gym")):
        return ()
    return _before(tree, statement, facts.unregistered)


def registering_import(tree: Tree, package: str) -> Edits:
    """The same before the first import of Gymnasium; empty: the file has none at its own level."""
    first = _first_imports(tree, "gymnasium")
    row = tree.row(first[0]) if first else None
    return _before(tree, first[0], package) if row is not None and tree.parents[row] is tree.module else ()


def _before(tree: Tree, statement: cst.BaseSmallStatement, package: str) -> Edits:
    start, _ = tree.offsets(statement)
    indent = tree.text[tree.text.rfind("\n", 0, start) + 1 : start]
    return (Edit(start, start, f"import {package}{_WHY}{newline(tree)}{indent}"),)


def _first_imports(tree: Tree, library: str) -> list[cst.BaseSmallStatement]:
    """The first import of a library that begins a row at the level of the file, or the first one of each scope."""
    rows = [row for row in tree.of_type(cst.SimpleStatementLine) if _imports(row.body[0], library)]
    if whole := [row.body[0] for row in rows if tree.parents[row] is tree.module]:
        return whole[:1]
    first: dict[cst.CSTNode, cst.BaseSmallStatement] = {}
    for row in rows:
        first.setdefault(tree.scope(row), row.body[0])
    return list(first.values())


def _imports(statement: cst.BaseSmallStatement, library: str) -> bool:
    names: list[str] = []
    if isinstance(statement, cst.Import):
        names = [dotted(alias.name) for alias in statement.names]
    elif isinstance(statement, cst.ImportFrom) and statement.module is not None and not statement.relative:
        names = [dotted(statement.module)]
    return any(name.partition(".")[0] == library for name in names)

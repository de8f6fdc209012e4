"""Which packages a file imports, and what for: to read names of theirs, or for what an import does by itself."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Container

from done_lint.flowgraph.binding_scan import ImportedName, Outline
from done_lint.flowgraph.schema import Package
from done_lint.knowledge import env_packages

#: A comment that says that an import stays though nothing reads its name.
_UNUSED = re.compile(r"#\s*noqa\b(?!\s*:)|#\s*noqa\s*:[\w\s,]*\bF401\b", re.IGNORECASE)


def imported_packages(
    tree: ast.Module, text: str, outline: Outline, read: Container[str], inside: Container[str] | None
) -> dict[str, Package]:
    """The packages by their first names, in the order of their first imports.

    Args:
        tree: the file.
        text: its code.
        outline: of the file.
        read: names that it is known to read.
        inside: names of the files and folders of the project, of which no purpose is asked; None: any may be one.
    """
    unknown = [one for one in outline.names if _is_unknown(one.package, inside or ())]
    if not all(one.name in read for one in unknown):
        read = {node.id for node in ast.walk(tree) if type(node) is ast.Name}
    rows = text.splitlines() if "noqa" in text else []
    for_effect = {one.package for one in unknown if one.name not in read and _stays_unread(one, rows)}
    libraries = {one.package for one in unknown if one.module and (one.name in read or not _stays_unread(one, rows))}
    needed = {_root(module) for module in outline.needed}
    roots = dict.fromkeys(root for module in outline.imports if (root := _root(module)))
    return {root: Package(root in needed, root in for_effect, root in libraries) for root in roots}


def _is_unknown(package: str, inside: Container[str]) -> bool:
    """Whether no table knows what a package is for."""
    known = package in env_packages.WITHOUT_OTHERS or package in sys.stdlib_module_names
    return not known and package not in inside


def _stays_unread(name: ImportedName, rows: list[str]) -> bool:
    """Whether a name may be there unread on purpose: that of a package itself, or one of which a comment says so."""
    return name.plain or any(map(_UNUSED.search, rows[name.row - 1 : name.end_row]))


def _root(module: str) -> str:
    return module.partition(".")[0]

"""Statements that import from the library, and how they are rewritten together with the readers of their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import libcst as cst

from done_lint.knowledge.gymnasium_changes import ROOTS
from done_lint.syntax.dotted import dotted
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.tree import Tree


@dataclass(frozen=True, slots=True)
class Imported:
    """One name of a `from` import."""

    alias: cst.ImportAlias
    #: Its name in the library, without the root: `wrappers.Monitor`.
    path: str

    @property
    def local(self) -> str:
        """What it is called in the file."""
        asname = self.alias.asname
        return dotted(asname.name if asname is not None and isinstance(asname.name, cst.Name) else self.alias.name)


def imports_from(node: cst.ImportFrom) -> list[Imported]:
    """The names that a statement imports from the library; none for other packages and for `*`."""
    module = "" if node.relative or node.module is None else dotted(node.module)
    root, _, below = module.partition(".")
    if root not in ROOTS or isinstance(node.names, cst.ImportStar):
        return []
    prefix = f"{below}." if below else ""
    return [Imported(alias, prefix + dotted(alias.name)) for alias in node.names]


def imported_modules(node: cst.Import) -> Iterator[str]:
    """The modules of the library that an `import` names, without the root."""
    for alias in node.names:
        root, _, below = dotted(alias.name).partition(".")
        if root in ROOTS and below:
            yield below


def with_names(statement: cst.ImportFrom, names: Mapping[cst.ImportAlias, cst.ImportAlias | None]) -> cst.ImportFrom:
    """The statement with other names for some, or without them; commas and comments of the others are kept."""
    if isinstance(statement.names, cst.ImportStar):
        return statement
    kept = [new for alias in statement.names if (new := names.get(alias, alias)) is not None]
    if len(kept) < len(statement.names):
        kept[-1] = kept[-1].with_changes(comma=statement.names[-1].comma)
    return statement.with_changes(names=kept)


def readers(tree: Tree, statement: cst.ImportFrom, local: str) -> list[cst.Name]:
    """Who reads a name that the statement binds."""
    return tree.scopes.reads(tree.scope(statement), local)


def bound_once(tree: Tree, statement: cst.ImportFrom, imported: Imported) -> bool:
    """Whether nothing else binds the name in the scope of the statement, so that its readers mean this one."""
    scope = tree.scope(statement)
    bindings = tree.scopes.bindings(scope, imported.local)
    inside = [name for name in bindings if tree.within(name, statement)]
    return not isinstance(scope, cst.ClassDef) and len(bindings) == len(inside)


def renamed_readers(tree: Tree, statement: cst.ImportFrom, local: str, new: cst.BaseExpression) -> list[Edits]:
    """Edits that put a new name where an old one is read."""
    return [replaced(tree, name, new) for name in readers(tree, statement, local)]

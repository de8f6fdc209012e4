"""Statements that import from the library, and how they are rewritten together with the readers of their names."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile

import libcst as cst

from done_lint.knowledge.gymnasium_changes import ROOTS
from done_lint.syntax.dotted import dotted
from done_lint.syntax.edits import Edits, added_after, added_before, newline, replaced
from done_lint.syntax.tree import Tree

Statement = cst.Import | cst.ImportFrom


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


def module_name(tree: Tree, module: str) -> str:
    """The name that a whole file has for a module; empty where it does not import it."""
    found = [one for one in tree.of_type(cst.Import) if tree.scope(one) is tree.module]
    aliases = (alias for one in found for alias in one.names if dotted(alias.name) == module)
    return next((alias.evaluated_alias or module for alias in aliases), "")


def numpy_added(tree: Tree) -> Edits | None:
    """`import numpy as np` at the top of a file; None where `np` is something else."""
    if any(name.value == "np" for name in tree.of_type(cst.Name)):
        return None
    return import_added(tree, cst.Import([cst.ImportAlias(cst.Name("numpy"), cst.AsName(cst.Name("np")))]))


def import_added(tree: Tree, new: Statement) -> Edits:
    """A new import at the top of a file, in the section where tools that sort imports have it.

    Where the file has no such section: behind what is imported there before anything is defined.
    """
    head = takewhile(lambda one: not isinstance(one, (cst.ClassDef, cst.FunctionDef)), tree.module.body)
    rows = [one for one in head if isinstance(one, cst.SimpleStatementLine)]
    imports = [last for row in rows if isinstance(last := row.body[-1], (cst.Import, cst.ImportFrom))]
    section = _section(tree, imports, new)
    if earlier := [one for one in section if _order(one) < _order(new)]:
        return added_after(tree, earlier[-1], new)
    if section:
        return added_before(tree, tree.row(section[0]) or section[0], new)
    later = [one for one in imports if _root(one) != "__future__"]
    if later and _root(new) in sys.stdlib_module_names:
        (edit,) = added_before(tree, tree.row(later[0]) or later[0], new)
        return (edit._replace(text=edit.text + newline(tree)),)
    if imports:
        return added_after(tree, imports[-1], new)
    first = tree.module.body[0]
    if isinstance(first, cst.SimpleStatementLine) and isinstance(first.body[0], cst.Expr):
        return added_after(tree, first.body[0], new)  # the module's own docstring
    (edit,) = added_before(tree, first, new)
    # a definition has two empty lines above it
    empty = 2 if isinstance(first, (cst.ClassDef, cst.FunctionDef)) else 1
    return (edit._replace(text=edit.text + newline(tree) * empty),)


def _section(tree: Tree, imports: list[Statement], new: Statement) -> list[Statement]:
    """The imports that a new one is sorted with: those of the standard library, or those beside the library's."""
    if _root(new) in sys.stdlib_module_names:
        return [one for one in imports if _root(one) in sys.stdlib_module_names - {"__future__"}]
    blocks: list[list[Statement]] = []
    for one in imports:
        if not blocks or tree.span(one).row > tree.span(blocks[-1][-1]).end_row + 1:
            blocks.append([])
        blocks[-1].append(one)
    with_library = [block for block in blocks if any(_root(one) in ROOTS for one in block)]
    return [one for one in with_library[-1] if _root(one) not in ("", *sys.stdlib_module_names)] if with_library else []


def _root(statement: Statement) -> str:
    """The package that a statement imports, or imports from; empty for a relative import."""
    if isinstance(statement, cst.Import):
        return dotted(statement.names[0].name).partition(".")[0]
    return "" if statement.relative or statement.module is None else dotted(statement.module).partition(".")[0]


def _order(statement: Statement) -> tuple[bool, str]:
    """Where tools that sort imports have a statement in its section."""
    return isinstance(statement, cst.ImportFrom), _root(statement).lower()

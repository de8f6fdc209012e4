"""How a file writes types: `Optional[int]` or `int | None`, `Tuple` or `tuple`, and the import that this needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.rewrites.imports import import_added
from done_lint.syntax.dotted import dotted
from done_lint.syntax.edits import Edits
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

#: Names of `typing` that newer Python writes in another way: who imports them writes the older one.
_OLDER = frozenset({"Dict", "FrozenSet", "List", "Optional", "Set", "Tuple", "Type", "Union"})


class Written(NamedTuple):
    """A type as this file writes it, and the edits that make its name known."""

    text: str
    edits: Edits = ()


def optional(tree: Tree, kind: str, *, joined: bool = False) -> Written:
    """What may be of a type, or `None`.

    Args:
        tree: the file.
        kind: the type.
        joined: the file is known to run with Python 3.10 or newer alone, which knows `int | None`.
    """
    older = _older(tree, "Optional")
    if older is None or older.edits:
        if _joins_types(tree) or (older is None and (joined or _is_never_evaluated(tree))):
            return Written(f"{kind} | None")
        older = older or Written("Optional", _imported(tree, "Optional"))
    return Written(f"{older.text}[{kind}]", older.edits)


def tuple_type(tree: Tree) -> Written:
    """The type of tuples."""
    return _older(tree, "Tuple") or Written("tuple")


def _older(tree: Tree, name: str) -> Written | None:
    """The name from `typing`, where the file imports it, or others of its kind."""
    if tree.scopes.bindings(tree.module, name):
        return Written(name)
    for module in _modules(tree):
        if any(is_name(one.value, module) and one.attr.value in _OLDER for one in tree.of_type(cst.Attribute)):
            return Written(f"{module}.{name}")
    for statement in tree.of_type(cst.ImportFrom):
        row = tree.row(statement)
        if row is None or tree.parents[row] is not tree.module or isinstance(statement.names, cst.ImportStar):
            continue
        if is_name(statement.module, "typing") and any(dotted(one.name) in _OLDER for one in statement.names):
            return Written(name, _imported_too(tree, statement.names, name))
    return None


def _modules(tree: Tree) -> Iterator[str]:
    """What the file calls the module `typing`."""
    for statement in tree.of_type(cst.Import):
        for alias in statement.names:
            if dotted(alias.name) == "typing":
                asname = alias.asname.name if alias.asname is not None else alias.name
                yield asname.value if isinstance(asname, cst.Name) else ""


def _imported_too(tree: Tree, aliases: Sequence[cst.ImportAlias], name: str) -> Edits:
    """One more name, in its place where the others are sorted."""
    names = [dotted(one.name) for one in aliases]
    later = [one for one in aliases if dotted(one.name) > name]
    if later and names == sorted(names):
        start = tree.offsets(later[0])[0]
        return (Edit(start, start, f"{name}, "),)
    end = tree.offsets(aliases[-1])[1]
    return (Edit(end, end, f", {name}"),)


def _imported(tree: Tree, name: str) -> Edits:
    """`from typing import Optional` behind the imports of the file."""
    return import_added(tree, cst.ImportFrom(cst.Name("typing"), [cst.ImportAlias(cst.Name(name))]))


def _is_never_evaluated(tree: Tree) -> bool:
    """`from __future__ import annotations`: an annotation may say what Python does not know yet."""
    return any(
        is_name(one.module, "__future__")
        and not isinstance(one.names, cst.ImportStar)
        and any(dotted(name.name) == "annotations" for name in one.names)
        for one in tree.of_type(cst.ImportFrom)
    )


def _joins_types(tree: Tree) -> bool:
    """Whether some annotation says `| None`."""
    inside = (
        one for annotation in tree.of_type(cst.Annotation) for one in tree.inside(cst.BinaryOperation, annotation)
    )
    return any(is_name(one.right, "None") or is_name(one.left, "None") for one in inside)

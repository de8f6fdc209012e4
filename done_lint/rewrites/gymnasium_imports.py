"""Imports of Gym as imports of Gymnasium: what the code calls `gym` keeps its name, and is imported once."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.knowledge.gymnasium_changes import LOADED
from done_lint.syntax.dotted import dotted
from done_lint.syntax.edits import Edits, added_after, removed, replaced
from done_lint.syntax.tree import Tree


def is_gym(module: str) -> bool:
    """`gym` itself or a module of it, not another package whose name begins like it."""
    return module == "gym" or module.startswith("gym.")


def moved(tree: Tree, node: cst.Import | cst.ImportFrom) -> Iterator[Edits]:
    """Edits after which a statement imports from Gymnasium."""
    if isinstance(node, cst.ImportFrom):
        if node.module is not None:
            yield replaced(tree, node, node.with_changes(module=_renamed(node.module)))
        return
    names = _names(node, bound=_binder(tree, node) is not None)
    if not names and _can_go(tree, node):
        yield removed(tree, node)
        return
    names = names or [alias.with_changes(name=_renamed(alias.name)) for alias in node.names]
    if len(node.names) == 1 and len(names) == 2:
        # one import a row, where the user wrote so
        yield added_after(tree, node, node.with_changes(names=[names.pop()]))
    yield replaced(tree, node, node.with_changes(names=_separated(names)))


def _names(node: cst.Import, *, bound: bool) -> list[cst.ImportAlias]:
    """`gym` becomes `gymnasium as gym`; what the package loads by itself needs no import of its own.

    `bound`: another import binds the name `gym`, so that this one need not.
    """
    names: list[cst.ImportAlias] = []
    for alias in node.names:
        module = dotted(alias.name)
        if not is_gym(module):
            names.append(alias)
        elif alias.asname is not None:
            names.append(alias.with_changes(name=_renamed(alias.name)))
        else:
            if module == "gym" or (not bound and not any(_binds_gym(name) for name in names)):
                names.append(cst.ImportAlias(cst.Name("gymnasium"), cst.AsName(cst.Name("gym"))))
            if module != "gym" and module.partition(".")[2] not in LOADED:
                names.append(alias.with_changes(name=_renamed(alias.name)))
    return names


def _separated(names: list[cst.ImportAlias]) -> list[cst.ImportAlias]:
    plain = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    *before, last = names
    return [
        *(name.with_changes(comma=plain) for name in before),
        last.with_changes(comma=cst.MaybeSentinel.DEFAULT),
    ]


def _binder(tree: Tree, node: cst.Import) -> cst.Import | None:
    """The other import of the same scope that binds the name `gym`: a plain one, or the first of a submodule."""
    scope = tree.scope(node)
    others = [one for one in tree.of_type(cst.Import) if one is not node and tree.scope(one) is scope]
    block = _block(tree, node)
    plain = [one for one in others if any(map(_plain_gym, one.names))]
    if plain:
        return next((one for one in plain if _block(tree, one) is block), plain[0])
    before = [one for one in others if tree.span(one) < tree.span(node) and _block(tree, one) is block]
    return next((one for one in before if any(map(_below_gym, one.names))), None)


def _can_go(tree: Tree, node: cst.Import) -> bool:
    """Whether a statement that binds nothing new can be left out without a trace."""
    line = tree.row(node)
    binder = _binder(tree, node)
    if line is None or binder is None or (len(line.body) == 1 and len(tree.siblings(line)) == 1):
        return False
    if isinstance(line, cst.SimpleStatementLine) and line.trailing_whitespace.comment is not None:
        return False
    start, end = sorted((tree.span(node), tree.span(binder)))
    early = tree.span(node) < tree.span(binder)
    reads = tree.scopes.reads(tree.scope(node), "gym")
    return _block(tree, binder) is _block(tree, node) and not (
        early and any(start < tree.span(read) < end for read in reads)
    )


def _block(tree: Tree, node: cst.CSTNode) -> cst.CSTNode | None:
    """The block whose line the statement stands in."""
    line = tree.row(node)
    return tree.parents.get(line) if line is not None else None


def _binds_gym(alias: cst.ImportAlias) -> bool:
    """`gymnasium as gym`."""
    return alias.asname is not None and isinstance(alias.asname.name, cst.Name) and alias.asname.name.value == "gym"


def _plain_gym(alias: cst.ImportAlias) -> bool:
    """`import gym`, or what it becomes."""
    return (alias.asname is None and dotted(alias.name) == "gym") or _binds_gym(alias)


def _below_gym(alias: cst.ImportAlias) -> bool:
    """`import gym.spaces`, which binds `gym`."""
    return alias.asname is None and dotted(alias.name).startswith("gym.")


def _renamed(name: cst.Attribute | cst.Name) -> cst.Attribute | cst.Name:
    """The module name with `gymnasium` for its first part."""
    if isinstance(name, cst.Name):
        return name.with_changes(value="gymnasium")
    if not isinstance(name.value, (cst.Attribute, cst.Name)):
        return name
    return name.with_changes(value=_renamed(name.value))

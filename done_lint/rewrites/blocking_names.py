"""Blocking names: what a file imports from Gym and Gymnasium does not have, so that the file cannot move."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.core.gymnasium_release import Release
from done_lint.knowledge.gymnasium_changes import REWRITTEN, below_root, current, gone, is_copied_in
from done_lint.rewrites.compatibility_code import chooses_import, is_last_resort
from done_lint.rewrites.imports import imported_modules, imports_from
from done_lint.syntax.dotted import dotted
from done_lint.syntax.tree import Tree


def needed(name: str, target: Release) -> str:
    """Why no fix is safe in a file with such a name, in one clause."""
    return f"the file also needs `{name}`, which {in_gymnasium(name, target)}"


def in_gymnasium(name: str, target: Release) -> str:
    """What Gymnasium has in the place of a name, as it goes on behind `which`."""
    old = name.removeprefix("gym.")
    new = current(old, target)
    return f"is `gymnasium.{new}` now" if new not in ("", old) else "Gymnasium does not have"


def is_needed(tree: Tree, node: cst.Import | cst.ImportFrom) -> bool:
    """Whether a program needs this import: it is no choice, or what a choice falls back to."""
    return not chooses_import(tree, node) or is_last_resort(tree, node)


def removed_names(tree: Tree, target: Release) -> Iterator[str]:
    """Names that the file imports from Gym, and that Gymnasium has removed, written anew, or never had."""
    imports: list[cst.Import | cst.ImportFrom] = [*tree.of_type(cst.Import), *tree.of_type(cst.ImportFrom)]
    for node in imports:
        if not is_needed(tree, node):
            continue
        for name in _names(node):
            anew = any(f"{name}.".startswith(f"{one}.") for one in REWRITTEN) or is_copied_in(name)
            if (anew and "gym" in _roots(node)) or gone(name, target) is not None:
                yield f"gym.{name}"


def _roots(node: cst.Import | cst.ImportFrom) -> set[str]:
    """The packages that a statement imports, or imports from."""
    if isinstance(node, cst.Import):
        return {dotted(alias.name).partition(".")[0] for alias in node.names}
    return {dotted(node.module).partition(".")[0]} if node.module is not None and not node.relative else set()


def _names(node: cst.Import | cst.ImportFrom) -> list[str]:
    """What a statement takes from the library, without the root."""
    if isinstance(node, cst.Import):
        return list(imported_modules(node))
    module = "" if node.relative or node.module is None else below_root(dotted(node.module))
    return [one.path for one in imports_from(node)] or ([module] if module else [])

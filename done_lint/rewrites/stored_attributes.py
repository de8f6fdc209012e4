"""The attributes that a file assigns to, deletes, and reads back by the same expression."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import libcst as cst

from done_lint.syntax.tree import Tree


class StoredAttributes:
    """Finds them in one file."""

    def __init__(self, tree: Tree) -> None:
        """Of this file."""
        self._tree = tree

    @cached_property
    def all(self) -> list[cst.Attribute]:
        """The attributes that are assigned to."""
        targets: list[cst.BaseExpression] = [one.target for one in self._tree.of_type(cst.AssignTarget)]
        targets += [one.target for one in self._tree.of_type(cst.AugAssign)]
        targets += [one.target for one in self._tree.of_type(cst.AnnAssign)]
        return [one for target in targets for one in _attributes(target)]

    @cached_property
    def read_back(self) -> frozenset[str]:
        """Those of them that the file also reads, as they are written."""
        stores = set(self.all)
        names = {one.attr.value for one in stores}
        return frozenset(
            self._tree.source(one)
            for one in self._tree.of_type(cst.Attribute)
            if one.attr.value in names and one not in stores
        )

    def deleted(self) -> Iterator[cst.Attribute]:
        """The attributes that are deleted."""
        return (one for parent in self._tree.of_type(cst.Del) for one in _attributes(parent.target))


def _attributes(target: cst.BaseExpression) -> list[cst.Attribute]:
    """The attributes that a target consists of: itself, or those among its elements."""
    parts = [one.value for one in target.elements] if isinstance(target, cst.Tuple) else [target]
    return [one for one in parts if isinstance(one, cst.Attribute)]

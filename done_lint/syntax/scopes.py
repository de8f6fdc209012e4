"""Which names a scope binds, and where each is read.

Lambdas and comprehensions count to the function around them: a name too many only makes a rule careful.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from done_lint.syntax.tree import Scope, Tree

_PACKING = (cst.Element, cst.StarredElement, cst.Tuple, cst.List)


class Scopes:
    """Bindings and reads of a file, by scope and name."""

    def __init__(self, tree: Tree) -> None:
        """Sort every name of the file into bindings and reads."""
        self._tree = tree
        self._bindings: dict[tuple[Scope, str], list[cst.Name]] = {}
        self._reads: dict[tuple[Scope, str], list[cst.Name]] = {}
        self._declared: set[tuple[Scope, str]] = set()
        reads: list[cst.Name] = []
        for name in tree.of_type(cst.Name):
            role = _role(tree, name)
            if role == "bind":
                self._bindings.setdefault((self._owner(name), name.value), []).append(name)
            elif role == "read":
                reads.append(name)
            elif role == "declare":
                self._declared.add((tree.scope(name), name.value))
        self._declared_names = {name for _, name in self._declared}
        for name in reads:
            scope = self.resolved(tree.scope(name), name.value)
            self._reads.setdefault((scope, name.value), []).append(name)

    def bindings(self, scope: Scope, name: str) -> list[cst.Name]:
        """Where `scope` binds `name`."""
        return self._bindings.get((scope, name), [])

    def reads(self, scope: Scope, name: str) -> list[cst.Name]:
        """Where the variable that `name` is in `scope` is read, in inner functions too."""
        return self._reads.get((self.resolved(scope, name), name), [])

    def is_declared(self, name: str) -> bool:
        """Whether some function says that a variable of this name is `global` or `nonlocal`."""
        return name in self._declared_names

    def is_read(self, scope: Scope, name: str) -> bool:
        """Whether someone can read the variable: an attribute of a class and a `global` always."""
        if isinstance(scope, cst.ClassDef) or (scope, name) in self._declared:
            return True
        return bool(self.reads(scope, name))

    def mentions(self, scope: Scope, name: str) -> list[cst.Name]:
        """Bindings and reads of the variable that `name` is, or would be, in `scope`."""
        if (scope, name) in self._declared:
            return [*self._bindings.get((self._tree.module, name), []), *self.reads(scope, name)]
        here = [read for read in self.reads(scope, name) if self._tree.within(read, scope)]
        return [*self.bindings(scope, name), *here]

    def fresh(self, scope: Scope, *names: str) -> tuple[str, ...]:
        """The names, all with one suffix where one of them is taken in the scope."""
        suffix, count = "", 0
        while any(self.mentions(scope, name + suffix) for name in names):
            count += 1
            suffix = f"_{count}"
        return tuple(name + suffix for name in names)

    def _owner(self, name: cst.Name) -> Scope:
        """The scope that a binding belongs to: a function's own name belongs to the scope around it."""
        parent = self._tree.parents[name]
        scope = self._tree.scope(name)
        return self._tree.scope(scope) if scope is parent else scope

    def resolved(self, scope: Scope, name: str) -> Scope:
        """The scope whose variable `name` is when it is read in `scope`."""
        inner = scope
        while not isinstance(scope, cst.Module):
            # A class's names are not seen from the functions inside it.
            visible = scope is inner or not isinstance(scope, cst.ClassDef)
            if visible and (scope, name) in self._bindings and (scope, name) not in self._declared:
                return scope
            scope = self._tree.scope(scope)
        return scope


def _role(tree: Tree, name: cst.Name) -> str:
    """What a name does where it stands: "bind", "read", "declare", or nothing ("")."""
    parent = tree.parents[name]
    if isinstance(parent, cst.Attribute):
        return "read" if parent.value is name and not _imported(tree, parent) else ""
    if isinstance(parent, cst.Arg):
        return "" if parent.keyword is name else "read"
    if isinstance(parent, (cst.Param, cst.FunctionDef, cst.ClassDef)):
        return "bind" if parent.name is name else "read"
    if isinstance(parent, cst.NameItem):
        return "declare"
    if isinstance(parent, cst.ImportAlias):
        return "bind" if parent.asname is None else ""
    if isinstance(parent, (cst.ImportFrom, cst.MatchKeywordElement)):
        return ""
    node: cst.CSTNode = name
    while isinstance(parent, _PACKING):
        node, parent = parent, tree.parents[parent]
    if isinstance(parent, (cst.AssignTarget, cst.AsName, cst.MatchAs, cst.MatchStar)):
        return "bind"
    if isinstance(parent, (cst.For, cst.CompFor, cst.AnnAssign, cst.NamedExpr)):
        return "bind" if parent.target is node else "read"
    return "read"


def _imported(tree: Tree, attribute: cst.Attribute) -> bool:
    """Whether a dotted name stands in an import; `import a.b` binds `a`, which matters to nobody here."""
    outer = tree.parents[attribute]
    while isinstance(outer, cst.Attribute):
        outer = tree.parents[outer]
    return isinstance(outer, (cst.ImportAlias, cst.ImportFrom))

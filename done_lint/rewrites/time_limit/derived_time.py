"""Values that an environment makes of its count alone, and observes: the stage of a season, the part of a day."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.rewrites.env_methods import receiver
from done_lint.rewrites.time_limit.shown_values import is_value
from done_lint.syntax.shapes import is_name, method_called, only_target
from done_lint.syntax.tree import Tree


def is_derived(tree: Tree, seen: Sequence[cst.CSTNode], method: cst.FunctionDef, own: str, counter: str) -> bool:
    """Whether a value observed is made of the count alone: `self.stage`, set to `self.stage_at(self.hour)`.

    Where a method that the class inherits makes the observation, what the class keeps of its count may be in it.
    """
    owner = next((one for one in tree.ancestors(method) if isinstance(one, cst.ClassDef)), None)
    if owner is None:
        return False
    phases = _Phases(tree, owner, own, counter)
    shown = [one for one in seen if isinstance(one, (cst.Attribute, cst.Call)) and is_value(tree, one)]
    if any(tree.source(one) in phases.kept or phases.is_asked(one) for one in shown):
        return True
    calls = (one for one in seen if isinstance(one, cst.Call) and isinstance(one.func, cst.Attribute))
    inherited = (one for one in calls if is_name(receiver(one), own) and method_called(one) not in phases.methods)
    return bool(phases.kept) and any(inherited)


class _Phases:
    """What a class makes of its count, with nothing that is looked up, drawn or changed."""

    def __init__(self, tree: Tree, owner: cst.ClassDef, own: str, counter: str) -> None:
        """Find what the class keeps of it in attributes."""
        self._tree = tree
        self._own = own
        self._count = f"{own}.{counter}"
        rows = [row for row in owner.body.body if isinstance(row, cst.FunctionDef)]
        self.methods = {row.name.value: row for row in rows}
        self._steady: set[str] = set()
        changed: set[str] = set()
        for row in rows:
            targets = {tree.source(one.target) for one in tree.inside(cst.AssignTarget, row)}
            targets |= {tree.source(one.target) for one in tree.inside(cst.AugAssign, row)}
            (self._steady if row.name.value == "__init__" else changed).update(targets)
        self._steady -= changed
        pairs = ((only_target(one), one.value) for one in tree.inside(cst.Assign, owner))
        kept = ((tree.source(target), value) for target, value in pairs if isinstance(target, cst.Attribute))
        self.kept = {name for name, value in kept if name != self._count and self._is_phase(value)}

    def is_asked(self, node: cst.CSTNode) -> bool:
        """`self.stage_at(self.hour)`, of a method of the class."""
        return method_called(node) in self.methods and self._is_phase(node)

    def _is_phase(self, value: cst.CSTNode) -> bool:
        """Whether a value has the count in it, and nothing else that changes."""
        nodes = list(self._tree.descend(value))
        if not any(isinstance(one, cst.Attribute) and self._tree.source(one) == self._count for one in nodes):
            return False
        scope = self._tree.scope(value)
        reads = (one for one in nodes if isinstance(one, cst.Name) and one.value != self._own)
        free = (one for one in reads if not isinstance(self._tree.parents[one], cst.Attribute))
        local = any(self._tree.scopes.bindings(scope, one.value) for one in free)
        return not local and self._are_steady(nodes, set())

    def _are_steady(self, nodes: Sequence[cst.CSTNode], known: set[str]) -> bool:
        """Whether nothing is looked up, drawn or read that other methods change; `known` are the methods followed."""
        if any(isinstance(one, cst.Subscript) or is_name(one, "random") for one in nodes):
            return False
        for node in nodes:
            if not isinstance(node, cst.Attribute) or not is_name(node.value, self._own):
                continue
            name, call = node.attr.value, self._tree.parents[node]
            if name in self.methods and name not in known:
                known.add(name)
                if not self._are_steady(list(self._tree.descend(self.methods[name].body)), known):
                    return False
            called = name in self.methods or (isinstance(call, cst.Call) and call.func is node)
            if not called and self._tree.source(node) not in {self._count, *self._steady}:
                return False
        return True

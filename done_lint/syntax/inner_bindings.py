"""Names that a comprehension or a lambda binds for itself: no bindings of the function around it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.syntax.tree import Tree


def bindings_seen(tree: Tree, read: cst.Name) -> list[cst.Name]:
    """The bindings that a read in its own scope can mean, without those of comprehensions and lambdas it is not in."""
    bindings = tree.scopes.bindings(tree.scope(read), read.value)
    homes = {binding: _home(tree, binding) for binding in bindings}
    for inner in _around(tree, read):
        if own := [binding for binding in bindings if homes[binding] is inner]:
            return own
    return [binding for binding in bindings if homes[binding] is None]


def _home(tree: Tree, binding: cst.Name) -> cst.CSTNode | None:
    """The comprehension or lambda whose variable it is."""
    for ancestor in tree.ancestors(binding):
        if isinstance(ancestor, cst.CompFor) and tree.within(binding, ancestor.target):
            return next(one for one in tree.ancestors(ancestor) if isinstance(one, cst.BaseComp))
        if isinstance(ancestor, (cst.Lambda, cst.BaseStatement, cst.BaseSmallStatement)):
            return ancestor if isinstance(ancestor, cst.Lambda) and _is_parameter(tree, binding) else None
    return None


def _is_parameter(tree: Tree, binding: cst.Name) -> bool:
    parent = tree.parents[binding]
    return isinstance(parent, cst.Param) and parent.name is binding


def _around(tree: Tree, read: cst.Name) -> Iterator[cst.CSTNode]:
    """The comprehensions and lambdas whose variables a read can mean, the innermost first.

    What the first loop of a comprehension goes over, and what a parameter has by default, is evaluated outside.
    """
    for one in tree.ancestors(read):
        comprehends = isinstance(one, cst.BaseComp) and not tree.within(read, one.for_in.iter)
        if comprehends or (isinstance(one, cst.Lambda) and tree.within(read, one.body)):
            yield one

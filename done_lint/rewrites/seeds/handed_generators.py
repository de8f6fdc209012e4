"""Generators that a constructor gives to another object, `Game(self.rng)`: it keeps the old one when one is made."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.core.reach import reach
from done_lint.rewrites.env_methods import EnvMethod, own_name
from done_lint.rewrites.env_methods import method as method_named
from done_lint.syntax.arguments import keyword
from done_lint.syntax.shapes import is_name, only_target
from done_lint.syntax.tree import Tree


def is_handed_on(tree: Tree, method: EnvMethod, generator: str) -> bool:
    """Whether something else has a generator of the object, `self.rng`, since the constructor, and keeps it.

    Not what draws from it at once, nor what the method, a `reset`, makes anew itself.
    """
    start = method_named(method.body, "__init__")
    if start is None:
        return False
    again = list(_run_by(tree, method.body, method.function))
    targets = (one for function in again for one in tree.inside(cst.AssignTarget, function))
    bound = {tree.source(one.target) for one in targets if not isinstance(tree.parents[_block(tree, one)], cst.If)}
    once = [one for one in _run_by(tree, method.body, start) if one not in again]
    reads: list[cst.CSTNode] = [
        read
        for function in once
        for read in tree.inside(cst.Attribute, function)
        if tree.source(read) == generator and not _is_looked_up_later(tree, read, function)
    ]
    return any(_keeps(tree, read, bound) for read in reach(reads, lambda read: _same(tree, read)))


def _run_by(tree: Tree, body: cst.ClassDef, first: cst.FunctionDef) -> Iterator[cst.FunctionDef]:
    """A method, and those of its class that it calls in the end."""

    def called(function: cst.FunctionDef) -> list[cst.FunctionDef]:
        own = own_name(function)
        names = [one.attr.value for one in tree.inside(cst.Attribute, function) if is_name(one.value, own)]
        return [found for name in names if (found := method_named(body, name)) is not None]

    return reach([first], called)


def _block(tree: Tree, node: cst.CSTNode) -> cst.CSTNode:
    """The block of statements that a node stands in."""
    return next((one for one in tree.ancestors(node) if isinstance(one, cst.BaseSuite)), node)


def _is_looked_up_later(tree: Tree, read: cst.CSTNode, function: cst.FunctionDef) -> bool:
    """Whether it stands in a function inside, which asks the object when it is called."""
    around = (one for one in tree.ancestors(read) if tree.within(one, function) and one is not function)
    return any(isinstance(one, (cst.FunctionDef, cst.Lambda)) for one in around)


def _keeps(tree: Tree, read: cst.CSTNode, bound: set[str]) -> bool:
    """Whether more is done with the generator than to draw from it; not for what is bound again."""
    whole = read
    while isinstance(around := tree.parents[whole], cst.Attribute):
        whole = around
    if isinstance(around, (cst.AssignTarget, cst.AnnAssign, cst.Comparison, cst.ComparisonTarget, cst.Expr)):
        return False
    if (isinstance(around, cst.Call) and whole is not read) or (whole is read and _same(tree, read)):
        return False
    rows = [one for one in tree.ancestors(read) if isinstance(one, cst.Assign)]
    target = only_target(rows[0]) if rows else None
    return target is None or tree.source(target) not in bound


def _same(tree: Tree, read: cst.CSTNode) -> list[cst.CSTNode]:
    """Where the generator is read by a name for it: a variable, or the argument of a function of the file."""
    around = tree.parents[read]
    if isinstance(around, cst.Assign) and isinstance(target := only_target(around), cst.Name):
        return [*tree.scopes.reads(tree.scope(target), target.value)]
    if not isinstance(around, cst.Arg) or not isinstance(call := tree.parents[around], cst.Call):
        return []
    rows = [one for one in tree.module.body if isinstance(one, cst.FunctionDef) and is_name(call.func, one.name.value)]
    if len(rows) != 1 or any(one.star for one in call.args):
        return []
    params = rows[0].params
    named = [one for one in (*params.params, *params.kwonly_params) if one.name.value == keyword(around)]
    place = call.args.index(around)
    placed = params.params[place : place + 1] if not keyword(around) and not params.posonly_params else ()
    return [read for one in (*named, *placed) for read in tree.scopes.reads(rows[0], one.name.value)]

"""Methods of vector environment classes that the library's `step` and `reset` called up to 0.29, and call no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from done_lint.knowledge.gymnasium_changes import SPLIT_METHODS, below_root
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import is_super
from done_lint.syntax.shapes import is_name


class Uncalled(NamedTuple):
    """`step_wait` in a class whose base never calls it."""

    method: cst.FunctionDef
    #: What called it: `step`.
    public: str
    #: The base of the library, without its package: `vector.VectorEnv`.
    base: str


def library_base(context: Context, node: cst.ClassDef, *, first: bool = False) -> str:
    """The base of the library that a class names itself; empty: none, or another one for each release.

    Only the first base may be asked for.
    """
    tree, names = context.tree, [base.value for base in node.bases if isinstance(base.value, cst.Name)]
    if any(len(tree.scopes.bindings(tree.scope(node), one.value)) > 1 for one in names):
        return ""
    bases = (
        below_root(context.facts.names.get(tree.span(base.value), ""))
        for base in (node.bases[:1] if first else node.bases)
    )
    return next((one for one in bases if one in SPLIT_METHODS), "")


def uncalled_parts(context: Context, node: cst.ClassDef) -> Iterator[Uncalled]:
    """Every method of a class, one for each public one, that nobody calls any more."""
    base, inherited = library_base(context, node), context.facts.split_bases.get(context.tree.span(node).row)
    if not base and inherited is None:
        return
    own = {one.name.value: one for one in node.body.body if isinstance(one, cst.FunctionDef)}
    methods, called = set(own), frozenset[str]()
    if not base and inherited is not None:
        base, methods, called = inherited.base, methods | inherited.methods, inherited.called
    for public, parts in SPLIT_METHODS[base].items():
        written = [own[part] for part in parts if part in own]
        if (
            written
            and public not in methods
            and not any(part in called or _is_called(context, part, node) for part in parts)
        ):
            yield Uncalled(written[-1], public, base)


def _is_called(context: Context, name: str, owner: cst.ClassDef) -> bool:
    """Whether the file calls a method by itself: in the class, or on an object."""
    tree = context.tree
    called = [one for one in tree.attributes(name) if not is_super(one.value)]
    return any(not is_name(one.value, "self") or tree.within(one, owner) for one in called)

"""Methods of vector environment classes that the library's `step` and `reset` called up to 0.29, and call no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from done_lint.knowledge.gymnasium_changes import RENAMED, SPLIT_METHODS, below_root
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import is_super
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree


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


def not_called(owner: str, found: Uncalled) -> str:
    """What is wrong with such a method of a class, in words."""
    name, public, base = found.method.name.value, found.public, found.base.rpartition(".")[2]
    if found.base not in RENAMED:
        return f"`{owner}.{name}` is not called by `{base}.{public}` any more, since Gymnasium 1.0"
    taken = RENAMED[found.base].new.rpartition(".")[2]
    replaces = f"replaces `{base}` since Gymnasium 1.0, and `{taken}.{public}` does not call"
    return f"`{taken}` {replaces} `{owner}.{name}`"


def uncalled_parts(context: Context, node: cst.ClassDef) -> Iterator[Uncalled]:
    """Every method of a class, one for each public one, that nobody calls any more."""
    if (parts := _parts(context, node)) is None:
        return
    own = {one.name.value: one for one in node.body.body if isinstance(one, cst.FunctionDef)}
    for public, names in SPLIT_METHODS[parts.base].items():
        written = [own[name] for name in names if name in own]
        if written and not any(_is_called(context, public, name, node) for name in names):
            yield Uncalled(written[-1], public, parts.base)


class _Parts(NamedTuple):
    """What a class that inherits from such a base of the library has of it."""

    base: str
    #: Its methods, and those of classes between the two.
    methods: frozenset[str]
    #: What the classes between call themselves.
    called: frozenset[str]


def _parts(context: Context, node: cst.ClassDef) -> _Parts | None:
    base, inherited = library_base(context, node), context.facts.split_bases.get(context.tree.span(node).row)
    own = frozenset(one.name.value for one in node.body.body if isinstance(one, cst.FunctionDef))
    if base:
        return _Parts(base, own, frozenset())
    return None if inherited is None else _Parts(inherited.base, own | inherited.methods, inherited.called)


def _is_called(
    context: Context, public: str, name: str, owner: cst.ClassDef, seen: tuple[cst.ClassDef, ...] = ()
) -> bool:
    """Whether a class or its file calls a method by itself: in the class, or on an object.

    `self.env.step_wait()` in a `step_wait` that nobody calls does not.
    """
    tree, parts = context.tree, _parts(context, owner)
    if parts is None or public in parts.methods or name in parts.called:
        return True
    for one in tree.attributes(name):
        if is_super(one.value) or (is_name(one.value, "self") and not tree.within(one, owner)):
            continue
        hands_on = _handing_on(tree, one)
        if hands_on is None or (
            hands_on not in (owner, *seen) and _is_called(context, public, name, hands_on, (*seen, owner))
        ):
            return True
    return False


def _handing_on(tree: Tree, called: cst.Attribute) -> cst.ClassDef | None:
    """The class whose method of the same name calls it on another object."""
    around = iter(tree.ancestors(called))
    inside = (one for one in around if isinstance(one, cst.FunctionDef) and one.name.value == called.attr.value)
    return next((one for one in around if isinstance(one, cst.ClassDef)), None) if next(inside, None) else None

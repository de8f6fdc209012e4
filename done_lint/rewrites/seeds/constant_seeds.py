"""Generators that a constructor gives the same seed in every environment: `self.order = np.random.default_rng(0)`.

Where it seeds another generator as it is asked to, the constant stands there on purpose: copies with seeds of their own
have to draw the same from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from done_lint.core.reach import reach
from done_lint.knowledge.array_functions import MAKING_GENERATORS
from done_lint.rewrites.env_methods import own_name, parameters
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, only_target
from done_lint.syntax.tree import Tree


def constant_on_purpose(tree: Tree, start: cst.FunctionDef, targets: Collection[str]) -> frozenset[str]:
    """Those of a class's generators, as they are written, that get a constant where others get a seed.

    Args:
        tree: the file.
        start: the constructor.
        targets: the attributes that it makes generators for.
    """
    calls = [one for one in tree.inside(cst.Call, start) if last_name(one.func) in MAKING_GENERATORS]
    sources = [(call, [one for given in call.args for one in _sources(tree, start, given.value)]) for call in calls]
    taken = [one for one in _taken(start) if "seed" in one.lower()]
    asked = any(_is_asked_for(start, one) for _, found in sources for one in found)
    if not asked and not any(tree.scopes.reads(start, name) for name in taken):
        return frozenset()
    others = [only_target(tree.parents[call]) for call, found in sources if found or not call.args]
    return frozenset(targets) - {tree.source(one) for one in others if one is not None}


def _sources(tree: Tree, start: cst.FunctionDef, seed: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What a seed is made of beside what is written in the code: none for a constant, also by a name for it."""
    values = reach(
        [seed], lambda value: [new for one in _parts(tree, start, value) for new in _assigned(tree, start, one)]
    )
    parts = (one for value in values for one in _parts(tree, start, value))
    return [one for one in parts if is_name(one, *_taken(start)) or not list(_assigned(tree, start, one))]


def _parts(tree: Tree, start: cst.FunctionDef, value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The names, the attributes of the object, and the calls in an expression."""
    own = own_name(start)
    for one in tree.descend(value):
        around = tree.parents[one]
        if isinstance(one, cst.Name) and not (isinstance(around, cst.Attribute) and around.attr is one):
            if one.value != own:
                yield one
        elif isinstance(one, cst.Call) or (isinstance(one, cst.Attribute) and is_name(one.value, own)):
            yield one


def _is_asked_for(start: cst.FunctionDef, source: cst.BaseExpression) -> bool:
    """Whether the constructor takes it, or the object has it from elsewhere."""
    return is_name(source, *_taken(start)) or isinstance(source, cst.Attribute)


def _taken(start: cst.FunctionDef) -> list[str]:
    return [one.name.value for one in parameters(start)[1:]]


def _assigned(tree: Tree, start: cst.FunctionDef, part: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The values of a name, or of an attribute of the object, that the file shows."""
    if isinstance(part, cst.Name):
        scope = tree.scopes.resolved(tree.scope(part), part.value)
        rows = [tree.parents[tree.parents[one]] for one in tree.scopes.bindings(scope, part.value)]
    else:
        text = tree.source(part)
        rows = [one for one in tree.inside(cst.Assign, start) if text in (tree.source(to.target) for to in one.targets)]
    for one in rows:
        if isinstance(one, cst.Assign) and isinstance(part, (cst.Attribute, cst.Name)):
            yield one.value

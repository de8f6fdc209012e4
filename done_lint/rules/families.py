"""Which family a finding belongs to (see `done_lint/facts/families.py`), and the function or class it stands in."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.core.findings import Family, Span
from done_lint.facts.facts import Facts
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.vectors.same_step import resets_later
from done_lint.syntax.tree import Tree

#: The rules about how the library is used; what is learned from the flags is no question of the library.
_ABOUT_THE_LIBRARY = ("GYM1", "GYM3", "GYM4")
#: The rules about the methods of environment classes.
_OF_CLASSES = "GYM3"
#: The rule about releases of Gymnasium itself: without Gym in its family nothing else has to change with it.
_OF_RELEASES = "GYM407"
#: The rule about names; a vector environment beside one that only 1.0 has is taken for one of that release.
_OF_NAMES = "GYM405"
#: The rules about a file's imports.
_OF_FILES = frozenset({"GYM401", "GYM402", "GYM403"})


def family_of(context: Context, code: str, place: cst.CSTNode | Span) -> Family:
    """What a finding changes together with: by the environments there, in the same statement, by its class, its file.

    Args:
        context: the file.
        code: the rule.
        place: what is reported.
    """
    if not code.startswith(_ABOUT_THE_LIBRARY):
        return frozenset()
    if code == _OF_NAMES:
        return _by_place(context, code, place) | _of_vectors(context)
    return _by_place(context, code, place)


def _by_place(context: Context, code: str, place: cst.CSTNode | Span) -> Family:
    facts, tree = context.facts, context.tree
    if code in _OF_FILES and (facts.file_family or not isinstance(place, cst.CSTNode)):
        return facts.file_family
    above = (place, *tree.ancestors(place)) if isinstance(place, cst.CSTNode) else ()
    statements = [tree.span(node) for node in above if isinstance(node, cst.BaseSmallStatement)]
    here = place if isinstance(place, Span) else tree.span(place)
    own = _of_class(facts, [tree.span(node).row for node in above if isinstance(node, cst.ClassDef)])
    for span in (here, *statements[:1]):
        if family := _inside(context, span):
            # a method is its class's, whatever environment is inside: its `step` and its `reset` change together
            family = family | own if code.startswith(_OF_CLASSES) else family
            return frozenset() if code == _OF_RELEASES and not _imports_gym(family) else family
    return own or facts.file_family


def owner_of(tree: Tree, place: cst.CSTNode | Span) -> str:
    """The class and the function that a place stands in, `RemoteEnv.step`; empty at the level of the file."""
    node = tree.expressions.get(place) if isinstance(place, Span) else place
    above = (node, *tree.ancestors(node)) if node is not None else ()
    return ".".join(reversed([one.name.value for one in above if isinstance(one, (cst.ClassDef, cst.FunctionDef))]))


def _inside(context: Context, span: Span) -> Family:
    """The families of the environments in a place."""
    rows = (context.families_by_row.get(row, ()) for row in range(span.row, span.end_row + 1))
    return frozenset().union(*(family for row in rows for at, family in row if at.within(span)))


@per_file
def _of_vectors(context: Context) -> Family:
    """The families of the vector environments in a file that have to ask for the reset of before 1.0."""
    made = {one for env in context.facts.envs.values() for one in env.made if one.place.path == context.path}
    families = (_inside(context, one.place.span) for one in made if resets_later(context, one))
    return frozenset().union(*(one for one in families if _imports_gym(one)))


def _imports_gym(family: Family) -> bool:
    """Whether a file that imports Gym is in a family: by its path alone, not by a class or an environment in it."""
    return any("::" not in member and "#" not in member for member in family)


def _of_class(facts: Facts, rows: Sequence[int]) -> Family:
    """The family of the nearest class around a place that is an environment."""
    return next((facts.class_families[row] for row in rows if row in facts.class_families), frozenset())

"""Keys of infos that a release does not set: under another name there, or not needed where the step does not reset."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.results import Info
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.vectors.episode_statistics_loops import EpisodeLoop
from done_lint.rewrites.vectors.listed_infos import guard_of, over_mask
from done_lint.rewrites.vectors.vector_infos import enumerated, own_infos
from done_lint.syntax.edits import replaced
from done_lint.syntax.tree import Tree

_GONE = "the step that ends an episode returns the final observation and info itself; the reset comes one step later"


def under_new_key(tree: Tree, key: cst.BaseExpression, name: str, today: str) -> Outcome:
    """The key by its name of today, in its own quotes."""
    text = tree.source(key).replace(name, of_today(name, today))
    return fixed("use the new key", replaced(tree, key, cst.SimpleString(text)))


def without_key(context: Context, node: cst.BaseExpression, container: cst.BaseExpression, info: Info) -> Outcome:
    """A loop over `infos["final_info"]`, with the test around it, can read the infos themselves."""
    loop = _loop_of(context.tree, node)
    if loop is None or not isinstance(container, cst.Name) or own_infos(context, container) is None:
        return unfixed(_GONE)
    inside = enumerated(loop.iter)
    guard = guard_of(context.tree, loop, inside)
    if not isinstance(inside, cst.Subscript) or (guard is None and node is not inside):
        return unfixed(_GONE)
    return over_mask(context, EpisodeLoop(context.tree, loop, container, guard).edits(), info)


def of_today(name: str, today: str) -> str:
    """Today's name of a key, or of its mask."""
    return f"_{today}" if name.startswith("_") else today


def _loop_of(tree: Tree, node: cst.BaseExpression) -> cst.For | None:
    """The loop over the key: the one that goes over this subscript, or all that stands under this test."""
    parent = tree.parents[node]
    if isinstance(parent, cst.Arg):
        parent = tree.parents[tree.parents[parent]]
    if isinstance(parent, cst.If) and parent.test is node and isinstance(parent.body, cst.IndentedBlock):
        (first, *others) = parent.body.body
        return first if isinstance(first, cst.For) and not others else None
    return parent if isinstance(parent, cst.For) else None

"""Final observations that are read out of a list of infos, one dictionary an environment, from today's arrays.

Old (Gym to 0.23): `infos[i]["terminal_observation"]`, and `for i, info in enumerate(infos):` with
`if "terminal_observation" in info:` or `if done[i]:`.
New: `infos["final_obs"][i]`, and a mask `infos["_final_obs"]` of who has one.
"""

from __future__ import annotations

import libcst as cst
from libcst.helpers import parse_template_expression

from done_lint.knowledge.vector_info_keys import OF_OBSERVATIONS
from done_lint.rewrites.context import Context
from done_lint.rewrites.vectors.episode_statistics_loops import of_another_loop
from done_lint.rewrites.vectors.vector_infos import enumerated
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.expressions import bare_tuple
from done_lint.syntax.shapes import is_name, only_index, string_value
from done_lint.syntax.tree import Tree


def of_one_environment(tree: Tree, node: cst.Subscript, key: str) -> Edits:
    """`infos[i]["terminal_observation"]` as `infos[key][i]`; none where `infos[i]` is read for anything else."""
    index, outer = only_index(node), tree.parents[node]
    if index is None or not _is_final(outer, node):
        return ()
    return replaced(tree, outer, _entry(tree, outer, tree.source(node.value), tree.source(index), key))


def over_environments(context: Context, loop: cst.For, key: str) -> Edits:
    """The loop over the mask of `key`, or over the flags; none where it does more than to read the old key."""
    tree = context.tree
    names = _names(loop)
    if names is None or loop.orelse is not None or not isinstance(loop.body, cst.IndentedBlock):
        return ()
    index, item = names
    infos, scope = enumerated(loop.iter), tree.scope(loop)
    (branch, *more) = loop.body.body
    if more or not isinstance(branch, cst.If) or branch.orelse is not None:
        return ()
    mask = f'{tree.source(infos)}.get("_{key}", ())' if _asks(tree, branch.test, item) else ""
    mask = mask or _flags(context, branch.test, index)
    if not mask:
        return ()
    reads = [one for one in tree.scopes.reads(scope, item) if tree.within(one, loop.body)]
    others = [one for one in tree.scopes.reads(scope, item) if one not in reads]
    if not all(of_another_loop(tree, one) for one in others):
        return ()
    (ended,) = tree.scopes.fresh(scope, "ended")
    edits = [
        *replaced(tree, loop.target, bare_tuple(cst.Name(index), cst.Name(ended))),
        *replaced(tree, loop.iter, parse_template_expression(f"enumerate({mask})")),
        *replaced(tree, branch.test, cst.Name(ended)),
    ]
    for read in reads:
        entry = tree.parents[read]
        if tree.within(read, branch.test):
            continue
        if not tree.within(read, branch.body) or not _is_final(entry, read):
            return ()
        edits += replaced(tree, entry, _entry(tree, entry, tree.source(infos), index, key))
    return tuple(edits)


def _names(loop: cst.For) -> tuple[str, str] | None:
    """`i` and `info` of `for i, info in enumerate(infos)`."""
    target = loop.target
    if not isinstance(loop.iter, cst.Call) or not isinstance(target, cst.Tuple) or len(target.elements) != 2:
        return None
    index, item = (element.value for element in target.elements)
    return (index.value, item.value) if isinstance(index, cst.Name) and isinstance(item, cst.Name) else None


def _asks(tree: Tree, test: cst.BaseExpression, item: str) -> bool:
    """`"terminal_observation" in info`."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    (comparison,) = test.comparisons
    inside = tree.source(comparison.comparator) in (item, f"{item}.keys()")
    return inside and isinstance(comparison.operator, cst.In) and string_value(test.left) in OF_OBSERVATIONS


def _flags(context: Context, test: cst.BaseExpression, index: str) -> str:
    """`done` of the test `done[i]`; empty for any other test."""
    if not isinstance(test, cst.Subscript) or not is_name(only_index(test), index):
        return ""
    return context.tree.source(test.value) if context.tree.span(test.value) in context.facts.flags else ""


def _is_final(entry: cst.CSTNode, of: cst.BaseExpression) -> bool:
    """Whether a subscript reads the final observation of the infos of one environment."""
    return isinstance(entry, cst.Subscript) and entry.value is of and string_value(only_index(entry)) in OF_OBSERVATIONS


def _entry(tree: Tree, old: cst.CSTNode, infos: str, index: str, key: str) -> cst.BaseExpression:
    """What one environment has under a key, in the quotes of what it replaces."""
    quote = "'" if tree.source(old).endswith("']") else '"'
    return parse_template_expression(f"{infos}[{quote}{key}{quote}][{index}]")

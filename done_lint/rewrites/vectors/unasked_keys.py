"""Old keys in the infos of a vector environment that nobody in sight makes: what is wrong with them in every mode.

An annotation says that a vector environment arrives, and not how it resets. Since Gymnasium 1.0 no mode sets the old
names of final observations, and what one mode sets as `final_info` is no list.
"""

from __future__ import annotations

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.environments.autoreset_modes import asks_for_one
from done_lint.facts.kinds.results import Info
from done_lint.knowledge.gymnasium_changes import ONE
from done_lint.knowledge.vector_info_keys import FINAL_INFO, FINAL_OBSERVATION, OF_OBSERVATIONS, OF_OLD_RELEASES
from done_lint.rewrites.before_one import is_of_other_releases
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.vectors.vector_infos import (
    asks_its_items,
    gone_over,
    is_number_of_env,
    taken_for_dictionaries,
)
from done_lint.syntax.inner_bindings import bindings_seen
from done_lint.syntax.shapes import method_called, only_index
from done_lint.syntax.tree import Tree

_NO_LIST = f"`{FINAL_INFO}` is set with `SAME_STEP` alone since Gymnasium 1.0, and is not a list there"
_STATISTICS = 'read `infos["episode"]`, or `infos["final_info"]["episode"]` with `SAME_STEP`: arrays with a mask'
_OBSERVATION = f"with `SAME_STEP` it is `{FINAL_OBSERVATION}`; else the observation of that step is the final one"


def in_no_mode(name: str, where: str) -> tuple[str, str]:
    """What is wrong with such a key, in the release that is named in words, and what helps."""
    return (f"`{name}` is never set{where}", _OBSERVATION) if name in OF_OBSERVATIONS else (_NO_LIST, _STATISTICS)


def is_of_no_mode(context: Context, node: cst.BaseExpression, name: str, info: Info) -> bool:
    """Whether what is read under a key stands there in no release from 1.0 on, whatever mode was asked for.

    Code that knows the new name as well has an answer for each release.
    """
    if not info.unasked or context.target < ONE or name in info.own_keys or name not in OF_OLD_RELEASES:
        return False
    return _is_only_old(context, node, name)


def is_of_named(context: Context, node: cst.BaseExpression, container: cst.BaseExpression, name: str) -> bool:
    """The same of infos of which only the use of the environment tells that they are those of several.

    That the project needs 1.0 or later has to show the release then.
    """
    if name not in OF_OLD_RELEASES or not asks_for_one(context.releases) or context.target < ONE:
        return False
    tree, named = context.tree, context.facts.named_steps
    if not named or not isinstance(container, cst.Name):
        return False
    bindings = bindings_seen(tree, container)
    given = [one for one in bindings if _is_last_of(tree, one, named)]
    starts = (_is_last_of(tree, one, None) for one in bindings if one not in given)
    return bool(given) and all(starts) and _is_only_old(context, node, name)


def _is_last_of(tree: Tree, binding: cst.Name, steps: frozenset[Span] | None) -> bool:
    """Whether a name is bound to the last value of one of some calls; None: of a reset."""
    element = tree.parents[binding]
    row = tree.parents[element]
    target = tree.parents[row]
    assigned = tree.parents[target] if isinstance(target, cst.AssignTarget) else None
    if not isinstance(row, cst.Tuple) or row.elements[-1] is not element or not isinstance(assigned, cst.Assign):
        return False
    called = assigned.value
    if steps is not None:
        return tree.span(called) in steps
    return isinstance(called, cst.Call) and method_called(called) == "reset"


def _is_only_old(context: Context, node: cst.BaseExpression, name: str) -> bool:
    """Whether a key is read as no release from 1.0 on has it, and nothing tries today's as well."""
    if _knows_new_name(context) or is_of_other_releases(context, node):
        return False
    return name in OF_OBSERVATIONS or (name == FINAL_INFO and _is_taken_for_list(context, node))


def _is_taken_for_list(context: Context, node: cst.BaseExpression) -> bool:
    """`for info in infos["final_info"]`, whose items are read by keys, and `infos["final_info"][i]`."""
    tree = context.tree
    parent = tree.parents[node]
    if isinstance(parent, cst.Subscript) and parent.value is node:
        index = only_index(parent)
        return index is not None and is_number_of_env(tree, index)
    around = next((one for one in tree.ancestors(node) if isinstance(one, (cst.For, cst.CompFor))), None)
    return around is not None and any(
        inside is node and taken_for_dictionaries(tree, around, target) and not asks_its_items(tree, around)
        for inside, target in gone_over(around)
    )


@per_file
def _knows_new_name(context: Context) -> bool:
    strings = context.tree.of_type(cst.SimpleString)
    return any(one.evaluated_value in (FINAL_OBSERVATION, f"_{FINAL_OBSERVATION}") for one in strings)

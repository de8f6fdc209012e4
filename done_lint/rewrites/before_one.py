"""Signs that a file was written for a release before 1.0: it uses what raises an error since then."""

from __future__ import annotations

from collections.abc import Set

import libcst as cst

from done_lint.facts.kinds.ids import EnvId
from done_lint.knowledge.env_id_versions import outdated
from done_lint.knowledge.gymnasium_changes import BEFORE_ONE, ONE, SIGNATURES, below_root, gone, is_since_one, renamed
from done_lint.knowledge.vector_info_keys import FINAL_OBSERVATION, OF_INFOS, OF_OBSERVATIONS, STATISTICS
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.wrapper_calls import (
    is_partial,
    lacks_argument,
    no_pair,
    old_keywords,
    wrapper_name,
    wraps_vector,
)
from done_lint.syntax.arguments import keyword
from done_lint.syntax.shapes import is_name, is_same, only_target, string_value


@per_file
def is_before_one(context: Context) -> bool:
    """Whether a file has such a sign."""
    if runs_since_one(context):
        return False  # what is old beside it was left over
    return has_names_of_before(context) or any(
        _raises(context, call) and not asks_first(context.tree, call) for call in context.tree.of_type(cst.Call)
    )


@per_file
def has_names_of_before(context: Context) -> bool:
    """Whether a file uses names that 1.0 has renamed, and nothing that there is since then."""
    names = () if runs_since_one(context) else _names(context)
    return any(renamed(name, ONE) is not None and renamed(name, BEFORE_ONE) is None for name in names)


@per_file
def stays_before_one(context: Context) -> bool:
    """Whether a file on Gymnasium needs what only a release before 1.0 has, and no safe fix takes that away.

    What only 1.0 takes, written there, would leave it with no release that runs it.
    """
    names = _names(context)
    lost = any(gone(name, ONE) is not None and gone(name, BEFORE_ONE) is None for name in names)
    return lost or any(_is_lost_id(context, used) for used in context.facts.ids.values())


def _is_lost_id(context: Context, used: EnvId) -> bool:
    """Whether only a release before 1.0 makes an id, and the next version of it is another task."""
    found = outdated(used.value, context.target)
    known = found is not None and not used.own and outdated(used.value, BEFORE_ONE) is None
    return known and found is not None and found.change != "same"


@per_file
def runs_since_one(context: Context) -> bool:
    """Whether a file uses what there is since 1.0, or reads infos as they are since then before it reads old ones."""
    if any(map(is_since_one, _names(context))):
        return True
    calls = context.tree.of_type(cst.Call)
    return any(_takes_new(context, call) for call in calls) or any(map(_reads_both, context.tree.of_type(cst.If)))


def _takes_new(context: Context, call: cst.Call) -> bool:
    """Whether a wrapper is given what no release before 1.0 takes: not `None`, which has to stand there since."""
    known = context.facts.names.get(context.tree.span(call.func), "")
    row = SIGNATURES.get(wrapper_name(context, call, ONE)) if known.startswith("gymnasium.") else None
    if row is None or not row.added or is_partial(call) or any(one.star for one in call.args):
        return False
    given = [one for place, one in enumerate(call.args) if keyword(one) == row.required or place == row.place]
    return any(keyword(one) in ("", row.required) and not is_name(one.value, row.default) for one in given)


def is_of_other_releases(context: Context, node: cst.CSTNode) -> bool:
    """Whether something stands where infos are read as they were before 1.0, if they are not those of today.

    Or where final observations are read under the names of several releases, one after the other.
    """
    above = (node, *context.tree.ancestors(node))
    around = [one for one in above if isinstance(one, (cst.If, cst.IfExp, cst.Call, cst.BooleanOperation))]
    around += [one for asked in above if isinstance(asked, cst.Assign) for one in _asked_of(context, asked)]
    if any(_falls_back(context, one) for one in around):
        return True
    branches = [one for one in around if isinstance(one, cst.If)]
    branches += [one for branch in branches if isinstance(one := context.tree.parents[branch], cst.If)]
    return any(_reads_both(one) for one in branches)


def _reads_both(branch: cst.If) -> bool:
    """`if "episode" in infos: ...`, and `elif "final_info" in infos: ...`, in either order."""
    first, other = _asked(branch), _asked(branch.orelse) if isinstance(branch.orelse, cst.If) else None
    if first is None or other is None or not is_same(first[1], other[1]):
        return False
    keys = {first[0], other[0]}
    return STATISTICS in keys and not keys.isdisjoint(OF_INFOS)


def _falls_back(context: Context, node: cst.If | cst.IfExp | cst.Call | cst.BooleanOperation) -> bool:
    """Whether one name of the final observations is tried, and another one where it is not there.

    `if "final_obs" in infos: ...` with its `elif` or `else`, the same as an expression, `.get(key, infos.get(old))`,
    `infos.get(key) or infos.get(old)`, and `if found is None: found = infos.get(old)` after `found = infos.get(key)`.
    """
    first = ""
    other: cst.CSTNode | None = None
    if isinstance(node, cst.BooleanOperation):
        return isinstance(node.operator, cst.Or) and _in_two_releases(
            _observation_keys(context, node.left), _observation_keys(context, node.right)
        )
    if isinstance(node, cst.If) and (name := _missing(node.test)) is not None:
        scopes = context.tree.scopes
        values = [
            context.tree.parents.get(context.tree.parents[one])
            for one in scopes.bindings(context.tree.scope(name), name.value)
        ]
        before = [one for one in values if isinstance(one, cst.Assign) and node not in context.tree.ancestors(one)]
        tried = {key for one in before for key in _observation_keys(context, one.value)}
        return _in_two_releases(tried, _observation_keys(context, node.body))
    if not isinstance(node, cst.Call):
        asked = _asked(node)
        first, other = asked[0] if asked is not None else "", node.orelse
    elif isinstance(node.func, cst.Attribute) and node.func.attr.value == "get" and len(node.args) > 1:
        first, other = string_value(node.args[0].value), node.args[1]
    if first not in OF_OBSERVATIONS or other is None:
        return False
    return _in_two_releases({first}, _observation_keys(context, other))


def _in_two_releases(tried: Set[str], others: Set[str]) -> bool:
    """Whether some of the keys are those of before 1.0, and some of the others those of today, or the reverse."""
    releases = {one.strip("_") == FINAL_OBSERVATION for one in tried}
    return any((one.strip("_") == FINAL_OBSERVATION) is not release for one in others for release in releases)


def _observation_keys(context: Context, node: cst.CSTNode) -> Set[str]:
    """The names of final observations, and of what says which rows have one, that stand in a piece of code."""
    return {string_value(one) for one in (node, *context.tree.descend(node))} & OF_OBSERVATIONS


def _missing(test: cst.BaseExpression) -> cst.Name | None:
    """The name of `found is None` and `not found`."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return test.expression if isinstance(test.expression, cst.Name) else None
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1 or not isinstance(test.left, cst.Name):
        return None
    asked = test.comparisons[0]
    return test.left if isinstance(asked.operator, cst.Is) and is_name(asked.comparator, "None") else None


def _asked_of(context: Context, assigned: cst.Assign) -> list[cst.If]:
    """The branches that ask whether what was assigned is missing."""
    tree, target = context.tree, only_target(assigned)
    reads = tree.scopes.reads(tree.scope(target), target.value) if isinstance(target, cst.Name) else []
    branches = (one for read in reads for one in tree.ancestors(read))
    return [one for one in branches if isinstance(one, cst.If) and _missing(one.test) in reads]


def _asked(branch: cst.If | cst.IfExp) -> tuple[str, cst.BaseExpression] | None:
    """The key and the infos of `if "episode" in infos`."""
    test = branch.test
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    asked = test.comparisons[0]
    key = string_value(test.left) if isinstance(asked.operator, cst.In) else ""
    return (key, asked.comparator) if key else None


def _names(context: Context) -> set[str]:
    """What the file uses of Gymnasium."""
    return {below_root(name) for name in context.facts.names.values() if name.startswith("gymnasium.")}


def _raises(context: Context, call: cst.Call) -> bool:
    """What 1.0 has lost is called, or a wrapper as it does not take it any more."""
    known = context.facts.names.get(context.tree.span(call.func), "")
    if not known.startswith("gymnasium."):
        return False
    name = below_root(known)
    if gone(name, ONE) is not None and gone(name, BEFORE_ONE) is None:
        return True
    wrapper = wrapper_name(context, call, ONE)
    if wrapper.count(".") == 1 and wraps_vector(context, call):
        return True
    row = SIGNATURES.get(wrapper)
    if row is None or row.since != ONE:
        return False
    return bool(old_keywords(call, row)) or lacks_argument(call, row) or no_pair(context, call, row) is not None

"""The infos of several environments, taken for a list of dictionaries, read as the dictionary of arrays that they are.

What is rewritten are loops that do nothing but read episode statistics or final observations, and the final observation
of one environment.
"""

from __future__ import annotations

import libcst as cst

from done_lint.core.gymnasium_release import Release
from done_lint.facts.environments.autoreset_modes import autoreset_mode
from done_lint.facts.kinds.results import Info
from done_lint.knowledge.gymnasium_changes import ONE
from done_lint.knowledge.vector_info_keys import final_keys
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.vectors.episode_statistics_loops import EpisodeLoop
from done_lint.rewrites.vectors.listed_observations import of_one_environment, over_environments
from done_lint.rewrites.vectors.same_step import waits_for_mode
from done_lint.syntax.edits import Edits
from done_lint.syntax.tree import Tree

_ONLY_STATISTICS = "only loops that do nothing but read episode statistics can be rewritten"
_OVER_MASK = "iterate over the mask of ended episodes"
MODE_FIRST = "the call that makes the vector environment has to ask for `SAME_STEP` first"
_SHAPED = "what puts the infos into another shape takes them for a list as well"
_NOT_KNOWN = "the code does not show which key is meant"
_STATISTICS = 'read `infos["episode"]["r"][i]` where `infos["_episode"][i]` is true'
_OLD_STATISTICS = 'read `infos["final_info"][i]["episode"]["r"]` where `infos["_final_info"][i]` is true'
_IN_FINAL_INFO = 'up to Gymnasium 0.29, which the project runs with, statistics stand under `"final_info"`'
#: Around a vector environment it writes into the infos of all (Gymnasium 0.26 to 0.29).
_RECORDER = "RecordEpisodeStatistics"


def over_list(context: Context, loop: cst.For | None, infos: cst.BaseExpression, info: Info) -> Outcome:
    """A loop over the infos themselves."""
    if info.shaped:
        return unfixed(_SHAPED)
    if waits_for_mode(context, info.env):
        return unfixed(MODE_FIRST)
    if loop is None or not isinstance(infos, cst.Name):
        return unfixed(_ONLY_STATISTICS)
    if (key := _final_observation(context, info)) and (final := over_environments(context, loop, key)):
        return fixed("iterate over the mask of final observations", final)
    below = autoreset_mode(info.env, context.target) == "SameStep" and _RECORDER not in info.env.layers
    edits = EpisodeLoop(context.tree, loop, infos, key="final_info" if below else "").edits()
    return over_mask(context, edits, info)


def over_final_info(context: Context, node: cst.For | cst.CompFor, inside: cst.Subscript, info: Info) -> Outcome:
    """A loop over `infos["final_info"]`, which is a dictionary of arrays."""
    if not isinstance(node, cst.For) or not isinstance(inside.value, cst.Name):
        return unfixed(_ONLY_STATISTICS)
    if _RECORDER in info.env.layers:
        guard = guard_of(context.tree, node, inside)
        return over_mask(context, EpisodeLoop(context.tree, node, inside.value, guard).edits(), info)
    edits = EpisodeLoop(context.tree, node, inside.value, key="final_info").edits()
    return fixed(_OVER_MASK, edits) if edits else unfixed(_ONLY_STATISTICS)


def of_one(context: Context, node: cst.Subscript, info: Info) -> Outcome:
    """The infos of one environment, of which its final observation is read."""
    if info.shaped:
        return unfixed(_SHAPED)
    if waits_for_mode(context, info.env):
        return unfixed(MODE_FIRST)
    key = _final_observation(context, info)
    edits = of_one_environment(context.tree, node, key) if key else ()
    return fixed("use the new key", edits) if edits else unfixed(_NOT_KNOWN)


def over_mask(context: Context, edits: Edits, info: Info) -> Outcome:
    """A loop that these edits turn into one over the mask of ended episodes, if there are any."""
    if not edits:
        return unfixed(_ONLY_STATISTICS)
    if not _at_top(context, info, context.releases.lowest):
        return unfixed(_IN_FINAL_INFO)
    return fixed(_OVER_MASK, edits)


def guard_of(tree: Tree, loop: cst.For, inside: cst.BaseExpression) -> cst.Comparison | None:
    """`if "final_info" in infos:` around nothing but the loop over it."""
    block = tree.parents[loop]
    branch = tree.parents.get(block)
    if not isinstance(branch, cst.If) or len(tree.siblings(loop)) != 1 or branch.body is not block:
        return None
    test = branch.test
    if not isinstance(test, cst.Comparison) or not isinstance(inside, cst.Subscript) or branch.orelse is not None:
        return None
    text = f"{tree.source(test.left)} in {tree.source(inside.value)}"
    asked = f"{tree.source(inside.value)}[{tree.source(test.left)}]"
    return test if tree.source(test) == text and tree.source(inside) == asked else None


def place_of_statistics(context: Context, info: Info) -> str:
    """Where the newest release that the file runs with has the statistics."""
    return _STATISTICS if _at_top(context, info, context.target) else _OLD_STATISTICS


def _at_top(context: Context, info: Info, version: Release) -> bool:
    """Whether statistics stand in the infos themselves, where a release resets in the step that ends an episode."""
    return version >= ONE or _RECORDER in info.env.layers


def _final_observation(context: Context, info: Info) -> str:
    """The key of the final observations, where a vector environment resets in the step that ends an episode."""
    mode = autoreset_mode(info.env, context.target)
    return final_keys(mode, context.target).observation if mode is not None else ""

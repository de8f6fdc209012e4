"""What a function takes the final observations of a step for, where a vector environment resets in the same step.

Where an episode terminated nothing is bootstrapped from them; and what a reward is given at truncations does not get
into the row beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_apis import SB3_VEC_ENV
from done_lint.knowledge.vector_info_keys import OF_INFOS, OF_OBSERVATIONS, SB3_FINAL, asks_for_final, final_keys
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.vectors.ended_alone import is_only_where, of_terminations
from done_lint.rewrites.vectors.truncation_values import is_added_to, reads_behind
from done_lint.syntax.shapes import is_name, only_target, string_value
from done_lint.syntax.tree import Tree

#: Keys that stand for the final observations, or for what has them.
_FINAL = OF_OBSERVATIONS | OF_INFOS


def final_key(context: Context, env: Env) -> str:
    """Under which key the final observation stands in the infos of an environment that resets at once; empty: none."""
    return SB3_FINAL if env.api == SB3_VEC_ENV else final_keys("SameStep", context.target).observation


def asks_for_its_final(context: Context, step: Unpacking) -> bool:
    """Whether a function asks for the final observations of a step, and not only in the loop of another one.

    What it does where episodes terminated alone does not count: nothing is bootstrapped from there.
    """
    return asks_for_final({string_value(one) for one in _keys(context, step)})


def asks_for_row(context: Context, step: Unpacking) -> bool:
    """Whether it does so for more than the rewards of a step: for the rows that are kept, or the values in targets."""
    keys = list(_keys(context, step))
    for_reward = {one for one in keys if string_value(one) in _FINAL and _is_for_reward(context, step, one)}
    return asks_for_final({string_value(one) for one in keys if one not in for_reward})


def takes_finals(context: Context, step: Unpacking, observation: cst.Name) -> bool:
    """Whether the call that an observation goes to is given the infos of the step, and asks for the final ones."""
    tree, infos = context.tree, step.targets[-1]
    calls = (one for one in tree.ancestors(observation) if isinstance(one, cst.Call))
    taking = (one for one in calls if tree.span(one) in context.facts.taking_finals)
    return isinstance(infos, cst.Name) and any(is_name(one.value, infos.value) for call in taking for one in call.args)


def _keys(context: Context, step: Unpacking) -> Iterator[cst.SimpleString]:
    """The strings of a function by which it may ask for final observations of a step."""
    tree, others = context.tree, context.facts.steps.keys() - {context.tree.span(step.value)}
    loops = [one for one in tree.descend(step.scope) if isinstance(one, (cst.For, cst.While))]
    spans = [tree.span(one) for one in loops if not tree.within(step.statement, one)]
    apart = [span for span in spans if any(other.within(span) for other in others)]
    for one in tree.descend(step.scope):
        if not isinstance(one, cst.SimpleString) or not (text := string_value(one)) or _is_written(tree, one):
            continue
        unused = text in _FINAL and (_is_tested(tree, one) or is_only_where(context, one, of_terminations))
        if not unused and not any(tree.span(one).within(span) for span in apart):
            yield one


def _is_written(tree: Tree, key: cst.CSTNode) -> bool:
    """Whether something is put under a key: `infos["final_obs"] = obs`, `{"final_obs": obs}`."""
    around = tree.parents[key]
    if isinstance(around, cst.DictElement):
        return around.key is key
    item = tree.parents[tree.parents[around]] if isinstance(around, cst.Index) else None
    return isinstance(item, cst.Subscript) and isinstance(tree.parents[item], cst.AssignTarget)


def _is_tested(tree: Tree, key: cst.SimpleString) -> bool:
    """Whether a branch asks for a key, and then takes what stands under it: `if "final_obs" in infos: ...`."""
    for around in tree.ancestors(key):
        if isinstance(around, cst.If):
            inside = tree.within(key, around.test)
            return inside and any(string_value(one) in _FINAL for one in tree.descend(around.body))
        if isinstance(around, cst.BaseStatement):
            return False
    return False


def _is_for_reward(context: Context, step: Unpacking, read: cst.CSTNode) -> bool:
    """Whether what is read is added to the reward of the step, or gets names of which all reads are."""
    reward = step.targets[1]
    waiting, seen = [read], set[str]()
    while waiting:
        row = context.tree.row(waiting.pop())
        small = row.body[0] if row is not None and len(row.body) == 1 else None
        if isinstance(reward, cst.Name) and is_added_to(small, reward.value):
            continue
        target = only_target(small)
        if not isinstance(small, cst.Assign) or not isinstance(target, cst.Name):
            return False
        if target.value not in seen:
            seen.add(target.value)
            later = list(reads_behind(context, small, target))
            if not later:
                return False
            waiting += later
    return True

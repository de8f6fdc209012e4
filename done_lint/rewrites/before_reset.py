"""Where an environment of `make` is stepped or rendered before its first reset, which `OrderEnforcing` refuses."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.facts import Env
from done_lint.knowledge.env_apis import GYM, GYMNASIUM
from done_lint.knowledge.made_layers import ORDER_ENFORCING
from done_lint.rewrites.compatibility_code import is_expected_to_fail
from done_lint.rewrites.context import Context, per_file
from done_lint.syntax.shapes import method_called
from done_lint.syntax.tree import Tree


@per_file
def before_reset(context: Context) -> dict[cst.Call, Env]:
    """The calls of `step` and `render` that come before the first reset of what a variable holds."""
    found = ((call, _env(context, call)) for call in context.tree.of_type(cst.Call))
    return {call: env for call, env in found if env is not None and _is_before_reset(context, call, env)}


def _env(context: Context, call: cst.Call) -> Env | None:
    """The environment whose `step` or own `render` is called, where it is certain and asks for a reset."""
    if (method := method_called(call)) not in ("step", "render") or not isinstance(call.func, cst.Attribute):
        return None
    if method == "render" and context.tree.span(call.func) not in context.facts.members:
        return None
    env = context.facts.envs.get(context.tree.span(call.func.value))
    if env is None or env.mixed or env.certainty != "proven" or env.api not in (GYM, GYMNASIUM):
        return None
    return env if ORDER_ENFORCING in env.layers and len(env.made) == 1 else None


def _is_before_reset(context: Context, call: cst.Call, env: Env) -> bool:
    tree, made = context.tree, env.made[0]
    receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
    if not isinstance(receiver, cst.Name) or made.place.path != context.path or not made.function.endswith(".make"):
        return False
    assignment = _assignment(tree, receiver)
    if assignment is None or not made.place.span.within(tree.span(assignment)):
        return False
    return _is_first(tree, receiver, assignment) and not _is_chosen(tree, call, assignment)


def _assignment(tree: Tree, name: cst.Name) -> cst.CSTNode | None:
    """The assignment of the variable that comes last before this use of it, in the same scope."""
    here = tree.span(name)
    bound = [one for one in tree.scopes.bindings(tree.scope(name), name.value) if tree.span(one) < here]
    last = max(bound, key=tree.span, default=None)
    parent = tree.parents[last] if last is not None else None
    if isinstance(parent, cst.AssignTarget):
        parent = tree.parents[parent]
    return parent if isinstance(parent, (cst.Assign, cst.AnnAssign)) else None


def _is_first(tree: Tree, used: cst.Name, assignment: cst.CSTNode) -> bool:
    """Whether episodes are run behind, and nothing between can reset the environment, nor any other function."""
    scope, start, end = tree.scope(used), tree.span(assignment), tree.span(used)
    mentions = tree.scopes.mentions(scope, used.value)
    behind = [one for one in mentions if tree.span(one) >= end]
    resets = any(_attribute(tree, one) == "reset" for one in behind)
    return (resets or any(_steps_in_loop(tree, one, assignment) for one in behind)) and all(
        _is_harmless(tree, one)
        for one in mentions
        if one is not used
        and (tree.scope(one) is not scope or start < tree.span(one) < end)
        and not tree.within(one, assignment)
    )


def _steps_in_loop(tree: Tree, mention: cst.Name, assignment: cst.CSTNode) -> bool:
    """Whether a loop that does not make the environment steps it in the same scope: such code is no fragment."""
    if _attribute(tree, mention) != "step" or tree.scope(mention) is not tree.scope(assignment):
        return False
    loops = (one for one in tree.ancestors(mention) if isinstance(one, (cst.For, cst.While)))
    return any(not tree.within(assignment, one) for one in loops)


def _attribute(tree: Tree, mention: cst.Name) -> str:
    """`step` in `env.step`."""
    parent = tree.parents[mention]
    return parent.attr.value if isinstance(parent, cst.Attribute) and parent.value is mention else ""


def _is_harmless(tree: Tree, mention: cst.Name) -> bool:
    """Only an attribute of the outermost layer is read, which is none that resets or that leads inside."""
    return _attribute(tree, mention) not in ("", "reset", "step", "env", "unwrapped")


def _is_chosen(tree: Tree, call: cst.Call, assignment: cst.CSTNode) -> bool:
    """Whether the call stands under a condition, or where an error is expected."""
    scope = tree.scope(call)
    for one in tree.ancestors(call):
        if one is scope or tree.within(assignment, one):
            break
        if isinstance(one, (cst.If, cst.IfExp, cst.BooleanOperation, cst.Try, cst.Match, cst.Lambda)):
            return True
    return is_expected_to_fail(tree, call)

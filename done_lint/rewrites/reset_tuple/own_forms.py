"""Forms of a `reset` that only the project's own callers ask for: `env.reset(all_worlds=True)`."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import parameters
from done_lint.syntax.shapes import is_name

#: What a library may hand to `reset`.
_OF_LIBRARIES = frozenset({"seed", "options", "return_info"})


def is_own_form(context: Context, node: cst.CSTNode) -> bool:
    """Whether a part of what a `reset` returns is there only where an argument of its own asks for it.

    No library passes that. What the method returns otherwise has to be right by itself.
    """
    function = context.tree.scope(node)
    if not isinstance(function, cst.FunctionDef) or function.name.value != "reset":
        return False
    own = {
        one.name.value
        for one in parameters(function)
        if one.name.value not in _OF_LIBRARIES and one.default is not None and is_name(one.default, "False", "None")
    }
    returns = [one for one in context.tree.inside(cst.Return, function) if context.tree.scope(one) is function]
    forms = [one for one in returns if _is_asked(context, one, own)]
    others = [one.value for one in returns if one not in forms and one.value is not None]
    if not others or any(context.tree.literal_span(one) in context.facts.results for one in others):
        return False
    return any(context.tree.within(node, one) for one in forms)


def _is_asked(context: Context, node: cst.CSTNode, own: set[str]) -> bool:
    """Whether a statement stands behind `if all_worlds:`."""
    branches = (one for one in context.tree.ancestors(node) if isinstance(one, cst.If))
    return any(is_name(one.test, *own) and context.tree.within(node, one.body) for one in branches)

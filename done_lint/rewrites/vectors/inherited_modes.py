"""Subclasses of the library's vector environments: the mode that their constructor hands to the base class."""

from __future__ import annotations

from typing import NamedTuple

import libcst as cst

from done_lint.core.findings import Related
from done_lint.facts.kinds.environments import Made
from done_lint.knowledge.vector_info_keys import MODE_ARGUMENT, WORKER_ARGUMENT, taking_mode
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import calls_of, is_super, method, receiver
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.vectors.same_step import hindered, resets_later
from done_lint.syntax.arguments import keyword
from done_lint.syntax.edits import argument_added

#: What steps the environments of a vector environment, or hands them out. Gymnasium 1.4 vector.SyncVectorEnv,
#: AsyncVectorEnv, and what both had before 1.0.
_STEPPING = frozenset("step step_async step_wait envs call call_async env_fns parent_pipes processes".split())

#: Arguments that say who resets, and when.
_DECIDING = (MODE_ARGUMENT, WORKER_ARGUMENT)


class InheritedMode(NamedTuple):
    """`super().__init__(env_fns)` of such a class, which says nothing of a mode."""

    call: cst.Call
    #: The base class, as the file names it.
    base: cst.BaseExpression
    #: `autoreset_mode=gym.vector.AutoresetMode.SAME_STEP`.
    wanted: str


def inherited_mode(context: Context, node: cst.ClassDef) -> InheritedMode | None:
    """The call by which a class hands its arguments on, if it was made for a release that reset in the same step."""
    base = next((one.value for one in node.bases if _takes_mode(context, one.value)), None)
    own = [one for one in node.body.body if isinstance(one, cst.FunctionDef) and one.name.value == "__init__"]
    if base is None or not own or _steps_by_itself(context, node):
        return None
    span, name = context.tree.span(base), context.facts.names[context.tree.span(base)]
    if not resets_later(context, Made(Related(context.path, span, ""), name, mode="default")):
        return None
    calls = [one for one in calls_of(context.tree, own[0], "__init__") if is_super(receiver(one))]
    if len(calls) != 1 or any(one.star or keyword(one) in _DECIDING for one in calls[0].args):
        return None
    module = f"{context.tree.source(base.value)}." if isinstance(base, cst.Attribute) else ""
    return InheritedMode(calls[0], base, f"{MODE_ARGUMENT}={_mode(module)}")


def same_step_inherited(context: Context, found: InheritedMode) -> Outcome:
    """Ask the base class for `SAME_STEP`."""
    if reason := hindered(context, None):
        return unfixed(reason)
    added = argument_added(context.tree, found.call, found.wanted)
    return fixed("reset in the step that ends an episode, as before 1.0", added)


def _steps_by_itself(context: Context, node: cst.ClassDef) -> bool:
    """Whether a class overrides `step` whole, and nothing in it steps what the base class holds.

    How that one resets makes no difference then.
    """
    if method(node, "step") is None:
        return False
    named = {one.attr.value for one in context.tree.inside(cst.Attribute, node)}
    return named.isdisjoint(_STEPPING)


def _takes_mode(context: Context, base: cst.BaseExpression) -> bool:
    return taking_mode(context.facts.names.get(context.tree.span(base), "")) in ("SyncVectorEnv", "AsyncVectorEnv")


def _mode(module: str) -> str:
    """The mode as a file can write it that imports the module, or only the class."""
    return f"{module}AutoresetMode.SAME_STEP" if module.endswith("vector.") else '"SameStep"'

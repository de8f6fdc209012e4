"""Calls of the library's wrappers that Gymnasium 1.0 answers with an error: what they wrap, and their arguments."""

from __future__ import annotations

import libcst as cst

from done_lint.core.gymnasium_release import Release
from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_apis import GYM_VECTOR, GYMNASIUM_VECTOR
from done_lint.knowledge.gymnasium_changes import RENAMED, Signature, below_root, wrapper_class
from done_lint.rewrites.context import Context
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import last_name
from done_lint.syntax.tree import Tree


def wrapper_name(context: Context, call: cst.Call, target: Release) -> str:
    """`wrappers.TransformReward`, as a release calls what is called here; empty: no wrapper that keeps its name."""
    called = call.args[0].value if is_partial(call) else call.func
    name = wrapper_class(below_root(context.facts.names.get(context.tree.span(called), "")), target)
    return name if name.startswith("wrappers.") and name not in RENAMED else ""


def is_partial(call: cst.Call) -> bool:
    """`partial(TransformReward, func=half)`: a wrapper stands where its own call has the environment."""
    return bool(call.args) and not call.args[0].star and last_name(call.func) == "partial"


def arguments_call(tree: Tree, wrapper: cst.CSTNode) -> cst.Call | None:
    """The call that gives a wrapper its arguments: its own, or one of `functools.partial`."""
    parent = tree.parents[wrapper]
    if isinstance(parent, cst.Call) and parent.func is wrapper:
        return parent
    call = tree.parents.get(parent)
    return call if isinstance(call, cst.Call) and is_partial(call) and call.args[0] is parent else None


def wrapped_env(context: Context, call: cst.Call) -> Env | None:
    """What a wrapper is put around."""
    first = next((one.value for one in call.args if one.keyword is None or one.keyword.value == "env"), None)
    return context.facts.envs.get(context.tree.span(first)) if first is not None else None


def wraps_vector(context: Context, call: cst.Call) -> bool:
    """Whether what a wrapper is put around is a vector environment of the library's own.

    Other environments step many copies as well and are `Env` all the same (Isaac Lab, EnvPool): the library's wrappers
    for vector environments refuse these.
    """
    env = wrapped_env(context, call)
    if env is None or env.mixed or env.alone:
        return False
    return env.api in (GYMNASIUM_VECTOR, GYM_VECTOR) and env.certainty == "proven"


def old_keywords(call: cst.Call, row: Signature) -> list[str]:
    """The keywords that are called otherwise now."""
    return sorted({one.keyword.value for one in call.args if one.keyword is not None} & row.arguments.keys())


def lacks_argument(call: cst.Call, row: Signature) -> bool:
    """Whether an argument is not given that has to be now."""
    given = {one.keyword.value for one in call.args if one.keyword is not None}
    if not row.required or row.required in given or len(call.args) - len(given) > row.place:
        return False
    later = is_partial(call) and not row.default
    return not later and not any(one.star for one in call.args)


def no_pair(context: Context, call: cst.Call, row: Signature) -> cst.BaseExpression | None:
    """What is given where a tuple has to be: a number or a list, which is written there or comes from elsewhere."""
    for place, one in enumerate(call.args):
        if one.star or not row.pair:
            return None
        if keyword(one) == row.pair or (place == row.place and one.keyword is None):
            written = isinstance(one.value, (cst.Integer, cst.List))
            span = context.tree.span(one.value)
            arrives = span in context.facts.lists or span in context.facts.heights
            return one.value if written or arrives else None
    return None


def as_pair(context: Context, value: cst.BaseExpression) -> cst.Tuple | None:
    """The tuple that a wrapper of before made of a number or a list; None where it is not seen to have two elements."""
    named = isinstance(value, (cst.Name, cst.Attribute)) and context.facts.heights.get(context.tree.span(value), False)
    if named or isinstance(value, cst.Integer):
        number = value.with_changes(lpar=(), rpar=())
        return cst.Tuple([cst.Element(number), cst.Element(number)])
    if not isinstance(value, cst.List) or len(value.elements) != 2:
        return None
    if any(isinstance(one, cst.StarredElement) for one in value.elements):
        return None
    left = cst.LeftParen(whitespace_after=value.lbracket.whitespace_after)
    right = cst.RightParen(whitespace_before=value.rbracket.whitespace_before)
    return cst.Tuple(value.elements, lpar=[left], rpar=[right])

"""`gym.vector.make(...)` as a call of `gymnasium.make_vec`."""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.old_arguments import VECTOR_MAKE_PARAMETERS
from done_lint.knowledge.vector_info_keys import MODE_ARGUMENT, MODES_SINCE
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.vectors.same_step import hindered, made_here
from done_lint.syntax.arguments import by_keyword, keyword, keyword_argument
from done_lint.syntax.edits import replaced


def by_make_vec(context: Context, node: cst.Call) -> Outcome:
    """`gym.vector.make(id, n, True)` as `gym.make_vec(id, n, vectorization_mode="async")`."""
    func = node.func
    if not isinstance(func, cst.Attribute) or not isinstance(func.value, cst.Attribute):
        return unfixed("it was imported by name: import `make_vec` from `gymnasium`")
    if any(argument.star for argument in node.args):
        return unfixed("some of its arguments are not visible")
    arguments: list[cst.Arg] = []
    mode: cst.BaseExpression = cst.SimpleString('"async"')
    for place, argument in enumerate(node.args):
        name = keyword(argument) or VECTOR_MAKE_PARAMETERS[min(place, 4)]
        if name == "asynchronous":
            mode = _mode(context, argument.value)
        elif name == "wrappers" and not isinstance(argument.value, cst.List):
            return unfixed("`make_vec` takes its wrappers as a list")
        elif argument.keyword is None and place > 1:
            arguments.append(by_keyword(argument, name))
        else:
            arguments.append(argument)
    *before, last = arguments
    added = [keyword_argument("vectorization_mode", mode)]
    if context.target >= MODES_SINCE:
        if reason := hindered(context, made_here(context, node)):
            return unfixed(reason)
        text = f"{context.tree.source(func.value)}.AutoresetMode.SAME_STEP"
        entry = cst.DictElement(cst.SimpleString(f'"{MODE_ARGUMENT}"'), cst.parse_expression(text))
        added.append(keyword_argument("vector_kwargs", cst.Dict([entry])))
    new = node.with_changes(
        func=func.with_changes(value=func.value.value, attr=cst.Name("make_vec")),
        args=[*before, last.with_changes(comma=cst.MaybeSentinel.DEFAULT), *added],
    )
    return fixed("make it with `make_vec`", replaced(context.tree, node, new))


def _mode(context: Context, asynchronous: cst.BaseExpression) -> cst.BaseExpression:
    text = context.tree.source(asynchronous)
    if text in ("True", "False"):
        return cst.SimpleString('"async"' if text == "True" else '"sync"')
    return cst.IfExp(asynchronous, cst.SimpleString('"async"'), cst.SimpleString('"sync"'))

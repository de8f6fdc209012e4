"""In which way a vector environment resets by itself, as far as the call that makes it says so."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.facts import Env
from done_lint.knowledge.vector_info_keys import MODES, Autoreset, default_mode
from done_lint.rewrites.context import Context
from done_lint.syntax.arguments import keyword
from done_lint.syntax.shapes import string_value

#: Arguments that can hide the mode.
_HIDING = frozenset({"vector_kwargs"})


def autoreset_mode(context: Context, env: Env) -> Autoreset | None:
    """The mode of a vector environment: where no argument says it that of the target, None where it is not visible."""
    modes: set[Autoreset | None] = set()
    for made in env.made:
        if made.hidden or made.keywords & _HIDING:
            return None
        if "autoreset_mode" not in made.keywords:
            modes.add(default_mode(context.target))
            continue
        call = context.tree.expressions.get(made.place.span) if made.place.path == context.path else None
        arguments = call.args if isinstance(call, cst.Call) else ()
        modes |= {_written(argument.value) for argument in arguments if keyword(argument) == "autoreset_mode"} or {None}
    return modes.pop() if len(modes) == 1 else None


def _written(value: cst.BaseExpression) -> Autoreset | None:
    """`AutoresetMode.SAME_STEP`, `"SameStep"`."""
    if isinstance(value, cst.Attribute):
        return MODES.get(value.attr.value)
    return MODES.get(string_value(value))

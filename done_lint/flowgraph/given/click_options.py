"""What `click` hands to a function: the defaults that its decorators declare, `@click.option("--env", default="A")`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Function

_DECLARING = frozenset({"click.option", "click.argument"})
#: What is read once more without being done once more.
_PLAIN = (ast.Constant, ast.Name, ast.Attribute)


def defaults(b: Builder, decorators: Iterable[ast.expr]) -> dict[str, Node]:
    """The default of each parameter that has one by a decorator."""
    return {
        _parameter(one): b.expr(given.value)
        for one in decorators
        if isinstance(one, ast.Call) and _called(b, one.func) in _DECLARING
        for given in one.keywords
        if given.arg == "default" and isinstance(given.value, _PLAIN)
    }


def hand_over(b: Builder, function: Function, given: Mapping[str, Node]) -> None:
    """Let the parameters of a function take their defaults."""
    for name, parameter in function.params if given else ():
        b.copy(given.get(name, b.nothing), parameter)


def _called(b: Builder, e: ast.expr) -> str:
    """`click.option`, however it is imported; whether the project has a folder of that name does not matter."""
    if isinstance(e, ast.Attribute):
        return f"{b.outline.absolute.get(last_name(e.value), '')}.{e.attr}"
    return b.outline.absolute.get(last_name(e), "")


def _parameter(decorator: ast.Call) -> str:
    """The parameter that an option becomes: a name of its own, else the first of the longest kind, `--env-id`."""
    texts = [one.value for one in decorator.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    own = next((one for one in texts if one.isidentifier()), "")
    spelled = (one.partition("/")[0].rstrip() for one in texts)
    return own or max(spelled, key=_dashes, default="").lstrip("-").replace("-", "_").lower()


def _dashes(option: str) -> int:
    return len(option) - len(option.lstrip("-"))

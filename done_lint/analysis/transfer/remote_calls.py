"""Calls that run in another process: `Actor.remote(...)` of Ray makes an object as `Actor(...)` does."""

from __future__ import annotations

from done_lint.analysis.context import Analysis, AttributeRule
from done_lint.analysis.values import FunctionRef, ReturningSelf, Value
from done_lint.knowledge.remote_calls import CALLING, CONFIGURING


def attribute_of_function(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    called_remotely(at, number, name, target)


def called_remotely(at: Analysis, number: int, name: str, target: int) -> None:
    """`f.remote`, `f.options`, of a function or class of the project that has no such attribute of its own."""
    if name == CALLING:
        at.solver.add(target, number)
    elif name == CONFIGURING:
        at.put(target, ReturningSelf(number))


ATTRIBUTES: dict[type[Value], AttributeRule] = {FunctionRef: attribute_of_function}

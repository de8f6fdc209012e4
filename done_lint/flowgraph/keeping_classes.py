"""Classes whose methods put values into what their instances hold: `self.gains.append(gain)`, `self.obs[t] = obs`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from done_lint.core.ast_walk import walked
from done_lint.knowledge.array_functions import OVERWRITING, PUTTING

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_KEEPING = PUTTING | OVERWRITING


def keeps_values(body: Sequence[ast.stmt]) -> bool:
    """Whether a method of a class with this body does so; `self.reward = self.reward.to(device)` keeps nothing new."""
    methods = (one for one in body if isinstance(one, _FUNCTIONS) and one.args.args)
    return any(
        _is_of(place, method.args.args[0].arg)
        for method in methods
        if not method.name.startswith("__")
        for place in _places(method)
    )


def _places(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    """What a method puts values into."""
    for node in walked(method):
        if isinstance(node, ast.Assign):
            targets = [part for one in node.targets for part in _parts(one)]
            yield from (one.value for one in targets if isinstance(one, ast.Subscript))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
            yield node.func.value


def _parts(target: ast.expr) -> Sequence[ast.expr]:
    return target.elts if isinstance(target, (ast.Tuple, ast.List)) else (target,)


def _is_of(place: ast.expr, own: str) -> bool:
    """Whether it is an attribute of the instance, or an element of one; also by a name, `getattr(self, key)`."""
    while isinstance(place, ast.Subscript):
        place = place.value
    if isinstance(place, ast.Call) and isinstance(place.func, ast.Name) and place.func.id == "getattr" and place.args:
        return isinstance(place.args[0], ast.Name) and place.args[0].id == own
    return isinstance(place, ast.Attribute) and isinstance(place.value, ast.Name) and place.value.id == own

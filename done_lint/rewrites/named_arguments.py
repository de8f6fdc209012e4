"""Positional arguments of the library's environment classes, and their names where the places have changed."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.facts.facts import Facts
from done_lint.knowledge.env_parameters import Kind
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree


def initialized_class(tree: Tree, facts: Facts, call: cst.Call) -> str:
    """The class of the library that a call initializes: `PendulumEnv(1.6)`, `super().__init__(1.6)` of a subclass.

    The class has to be written there: a variable may hold another one, too.
    """
    written: cst.BaseExpression | None = call.func
    if isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__":
        receiver = call.func.value
        written = _only_base(tree, call) if isinstance(receiver, cst.Call) and is_name(receiver.func, "super") else None
    if written is None:
        return ""
    name = facts.names.get(tree.span(written), "")
    return name if name.rpartition(".")[2] == last_name(written) else ""


def _only_base(tree: Tree, call: cst.Call) -> cst.BaseExpression | None:
    """The base of the class whose method a call stands in; None where it has several."""
    method = tree.scope(call)
    around = tree.scope(method)
    if not isinstance(method, cst.FunctionDef) or not isinstance(around, cst.ClassDef) or len(around.bases) != 1:
        return None
    return around.bases[0].value


def kinds(tree: Tree, call: cst.Call) -> Sequence[Kind]:
    """What the positional arguments of a call are."""
    return [_kind(tree, one.value) for one in call.args if one.keyword is None and not one.star]


def _kind(tree: Tree, value: cst.BaseExpression) -> Kind:
    """What an expression is: as it is written, or as the default of the parameter is that it names."""
    if is_name(value, "True", "False"):
        return "switch"
    if is_name(value, "None"):
        return "none"
    if isinstance(value, cst.Name):
        default = _default(tree, value)
        # a caller may give anything for None
        return "unknown" if default is None or is_name(default, "None") else _kind(tree, default)
    if isinstance(value, cst.UnaryOperation):
        return "number" if isinstance(value.expression, (cst.Integer, cst.Float)) else "unknown"
    if isinstance(value, (cst.Integer, cst.Float)):
        return "number"
    if isinstance(value, (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)):
        return "text"
    return "grid" if isinstance(value, (cst.List, cst.Tuple)) else "unknown"


def _default(tree: Tree, name: cst.Name) -> cst.BaseExpression | None:
    """The default of the parameter that a name is, where nothing else is assigned to it."""
    function = tree.scope(name)
    if not isinstance(function, cst.FunctionDef) or len(tree.scopes.bindings(function, name.value)) != 1:
        return None
    parameters = (*function.params.posonly_params, *function.params.params, *function.params.kwonly_params)
    default = next((one.default for one in parameters if one.name.value == name.value), None)
    return default if not isinstance(default, cst.Name) or is_name(default, "True", "False", "None") else None


def named(tree: Tree, call: cst.Call, names: Sequence[str]) -> Edits:
    """The same arguments, given by their names."""
    placed = (one for one in call.args if one.keyword is None and not one.star)
    starts = (tree.offsets(one)[0] for one in placed)
    return tuple(Edit(start, start, f"{name}=") for start, name in zip(starts, names, strict=True))

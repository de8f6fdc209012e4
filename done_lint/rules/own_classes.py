"""Which environment class of the file a piece of code belongs to."""

from __future__ import annotations

import libcst as cst

from done_lint.model.facts import EnvClass
from done_lint.rules.rule import Context


def environment_class(context: Context, made: cst.CSTNode) -> EnvClass | None:
    """What the model knows of a class, if it is an environment."""
    return context.facts.classes.get(context.tree.span(made.name).row) if isinstance(made, cst.ClassDef) else None


def class_of(context: Context, method: cst.FunctionDef) -> cst.ClassDef | None:
    """The class in whose body, and nowhere deeper, the function is defined."""
    owner = context.tree.scope(method)
    body = context.tree.parents[method]
    return owner if isinstance(owner, cst.ClassDef) and owner.body is body else None


def method_around(context: Context, node: cst.CSTNode) -> cst.FunctionDef | None:
    """The method that holds the node, in its own body or in that of a function inside it."""
    for ancestor in (node, *context.tree.ancestors(node)):
        if isinstance(ancestor, cst.FunctionDef) and class_of(context, ancestor) is not None:
            return ancestor
    return None


def own_name(method: cst.FunctionDef) -> str:
    """`self`, whatever the method calls it; empty where it takes nothing."""
    params = [*method.params.posonly_params, *method.params.params]
    static = any(
        isinstance(one.decorator, cst.Name) and one.decorator.value in ("staticmethod", "classmethod")
        for one in method.decorators
    )
    return params[0].name.value if params and not static else ""


def is_own(context: Context, node: cst.CSTNode) -> bool:
    """Whether the expression is `self` in a method of an environment class."""
    method = method_around(context, node)
    if method is None or not isinstance(node, cst.Name) or node.value != own_name(method):
        return False
    owner = class_of(context, method)
    return owner is not None and environment_class(context, owner) is not None


def method_named(made: cst.ClassDef, name: str) -> cst.FunctionDef | None:
    """The method of that name in the body of the class."""
    for statement in made.body.body:
        if isinstance(statement, cst.FunctionDef) and statement.name.value == name:
            return statement
    return None

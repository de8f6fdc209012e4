"""The environment classes of the file, and the methods that they define."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.facts.kinds.classes import EnvClass
from done_lint.rewrites.context import Context
from done_lint.syntax.docstrings import docstring
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, method_called
from done_lint.syntax.tree import Tree


class EnvMethod(NamedTuple):
    """One method, its class, and what the model knows of the class."""

    owner: EnvClass
    body: cst.ClassDef
    function: cst.FunctionDef


def env_methods(context: Context, name: str) -> Iterator[EnvMethod]:
    """Methods `name` of the file's environment classes; those of an API of their own are left out."""
    for node in context.tree.of_type(cst.ClassDef):
        owner = environment_class(context, node)
        if owner is not None and not owner.private and (function := method(node, name)) is not None:
            yield EnvMethod(owner, node, function)


def environment_class(context: Context, made: cst.CSTNode) -> EnvClass | None:
    """What the model knows of a class, if it is an environment."""
    return context.facts.classes.get(context.tree.span(made).row) if isinstance(made, cst.ClassDef) else None


def class_of(context: Context, function: cst.FunctionDef) -> cst.ClassDef | None:
    """The class in whose body, and nowhere deeper, the function is defined."""
    owner = context.tree.scope(function)
    body = context.tree.parents[function]
    return owner if isinstance(owner, cst.ClassDef) and owner.body is body else None


def method_around(context: Context, node: cst.CSTNode) -> cst.FunctionDef | None:
    """The method that holds the node, in its own body or in that of a function inside it."""
    for ancestor in (node, *context.tree.ancestors(node)):
        if isinstance(ancestor, cst.FunctionDef) and class_of(context, ancestor) is not None:
            return ancestor
    return None


def method(node: cst.ClassDef, name: str) -> cst.FunctionDef | None:
    """The method of a class, the last one of that name; a property or a static method of that name is none."""
    for statement in reversed(node.body.body):
        if isinstance(statement, cst.FunctionDef) and statement.name.value == name:
            return None if _decorators(statement) & _OTHER else statement
    return None


_WITHOUT_SELF = frozenset({"classmethod", "staticmethod"})
_OTHER = _WITHOUT_SELF | {"overload", "property", "setter"}


def is_env_method(context: Context, function: cst.CSTNode, name: str) -> bool:
    """Whether an environment class of the file answers to `name` with this function."""
    owner = environment_class(context, context.tree.scope(function))
    return owner is not None and owner.methods.get(name) == (context.path, context.tree.span(function).row)


def own_name(function: cst.FunctionDef) -> str:
    """`self`, whatever the method calls it; empty where it takes nothing."""
    params = [*function.params.posonly_params, *function.params.params]
    return params[0].name.value if params and not _decorators(function) & _WITHOUT_SELF else ""


def is_own(context: Context, node: cst.CSTNode) -> bool:
    """Whether the expression is `self` in a method of an environment class."""
    function = method_around(context, node)
    if function is None or not isinstance(node, cst.Name) or node.value != own_name(function):
        return False
    return class_around(context, node) is not None


def is_own_class(context: Context, node: cst.BaseExpression) -> bool:
    """Whether the expression is an environment class of the file: by name, `type(self)`, `self.__class__` or `cls`."""
    if isinstance(node, cst.Attribute):
        return node.attr.value == "__class__" and is_own(context, node.value)
    if isinstance(node, cst.Call):
        return is_name(node.func, "type") and len(node.args) == 1 and is_own(context, node.args[0].value)
    if not isinstance(node, cst.Name):
        return False
    function = method_around(context, node)
    taken = parameters(function) if function is not None and "classmethod" in _decorators(function) else []
    if taken and taken[0].name.value == node.value:
        return class_around(context, node) is not None
    made = (one for one in context.tree.of_type(cst.ClassDef) if one.name.value == node.value)
    return any(environment_class(context, one) is not None for one in made)


def class_around(context: Context, node: cst.CSTNode) -> EnvClass | None:
    """The environment class that an expression stands in a method of."""
    function = method_around(context, node)
    owner = class_of(context, function) if function is not None else None
    return environment_class(context, owner) if owner is not None else None


def parameters(function: cst.FunctionDef) -> list[cst.Param]:
    """Parameters in the order of the source, without `*args` and `**kwargs`."""
    found = function.params
    return [*found.posonly_params, *found.params, *found.kwonly_params]


def statements(function: cst.FunctionDef) -> list[cst.CSTNode]:
    """The body without its docstring: lines of small statements opened, compound statements whole."""
    found: list[cst.CSTNode] = []
    for line in function.body.body:
        found += line.body if isinstance(line, cst.SimpleStatementLine) else [line]
    return found[1:] if docstring(function) is not None else found


def is_abstract(function: cst.FunctionDef) -> bool:
    """Nothing but a docstring, `pass`, `...` or `raise`: subclasses do the work."""
    return all(
        isinstance(one, (cst.Pass, cst.Raise)) or (isinstance(one, cst.Expr) and isinstance(one.value, cst.Ellipsis))
        for one in statements(function)
    )


def calls_of(tree: Tree, function: cst.FunctionDef, name: str) -> Sequence[cst.Call]:
    """Calls of a method `name` on any receiver, in the order of the source."""
    found = (node for node in tree.descend(function.body) if isinstance(node, cst.Call))
    return sorted((call for call in found if method_called(call) == name), key=tree.span)


def receiver(call: cst.Call) -> cst.BaseExpression:
    """What a method is called on."""
    if not isinstance(call.func, cst.Attribute):
        raise TypeError("no method is called")
    return call.func.value


def is_super(node: cst.BaseExpression) -> bool:
    """`super()` or `super(Class, self)`."""
    return isinstance(node, cst.Call) and is_name(node.func, "super")


def calls_base(tree: Tree, call: cst.Call) -> bool:
    """Whether a method of a base class is called: `super().reset()`, or `Base.reset(self)`."""
    return is_super(receiver(call)) or is_unbound(tree, call)


def is_unbound(tree: Tree, call: cst.Call) -> bool:
    """`Base.reset(self)` in a method of a class that has `Base` among its bases."""
    function = tree.scope(call)
    made = tree.scope(function)
    if not isinstance(function, cst.FunctionDef) or not isinstance(made, cst.ClassDef) or not call.args:
        return False
    bases = {tree.source(base.value) for base in made.bases}
    return is_name(call.args[0].value, own_name(function)) and tree.source(receiver(call)) in bases


def keywords(call: cst.Call) -> frozenset[str]:
    """Names of the arguments that are given by keyword; `**` where a mapping is."""
    return frozenset(
        argument.keyword.value if argument.keyword is not None else argument.star for argument in call.args
    ) - {""}


def _decorators(function: cst.FunctionDef) -> set[str]:
    """The names of a function's decorators, without their modules and arguments."""
    named = (one.decorator for one in function.decorators)
    return {last_name(one.func if isinstance(one, cst.Call) else one) for one in named}


def is_of_own(context: Context, node: cst.BaseExpression) -> bool:
    """Whether an expression is the object or the class of the method that it stands in."""
    return is_own(context, node) or is_own_class(context, node)

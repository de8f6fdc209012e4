"""The methods that an environment class of the file defines itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.model.facts import EnvClass
from done_lint.rules.rule import Context
from done_lint.syntax.tree import Tree


class EnvMethod(NamedTuple):
    """One method, its class, and what the model knows of the class."""

    owner: EnvClass
    body: cst.ClassDef
    function: cst.FunctionDef


def env_methods(context: Context, name: str) -> Iterator[EnvMethod]:
    """Methods `name` of the file's environment classes; those of an API of their own are left out."""
    for node in context.tree.of_type(cst.ClassDef):
        owner = context.facts.classes.get(context.tree.span(node).row)
        if owner is not None and not owner.private and (function := method(node, name)) is not None:
            yield EnvMethod(owner, node, function)


def method(node: cst.ClassDef, name: str) -> cst.FunctionDef | None:
    """The method of a class; a property or a static method of that name is none."""
    for statement in node.body.body:
        if isinstance(statement, cst.FunctionDef) and statement.name.value == name:
            return None if any(_last_name(one.decorator) in _OTHER for one in statement.decorators) else statement
    return None


_OTHER = frozenset({"classmethod", "overload", "property", "setter", "staticmethod"})


def parameters(function: cst.FunctionDef) -> list[cst.Param]:
    """Parameters in the order of the source, without `*args` and `**kwargs`."""
    found = function.params
    return [*found.posonly_params, *found.params, *found.kwonly_params]


def statements(function: cst.FunctionDef) -> list[cst.CSTNode]:
    """The body without its docstring: lines of small statements opened, compound statements whole."""
    found: list[cst.CSTNode] = []
    for line in function.body.body:
        found += line.body if isinstance(line, cst.SimpleStatementLine) else [line]
    return found[1:] if found and is_text(found[0]) else found


def is_text(statement: cst.CSTNode) -> bool:
    """A docstring."""
    return isinstance(statement, cst.Expr) and isinstance(statement.value, (cst.SimpleString, cst.ConcatenatedString))


def is_abstract(function: cst.FunctionDef) -> bool:
    """Nothing but a docstring, `pass`, `...` or `raise`: subclasses do the work."""
    return all(
        isinstance(one, (cst.Pass, cst.Raise)) or (isinstance(one, cst.Expr) and isinstance(one.value, cst.Ellipsis))
        for one in statements(function)
    )


def calls_of(tree: Tree, function: cst.FunctionDef, name: str) -> Sequence[cst.Call]:
    """Calls of a method `name` on any receiver, in the order of the source."""
    found = [
        node
        for node in tree.descend(function.body)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == name
    ]
    return sorted(found, key=tree.span)


def receiver(call: cst.Call) -> cst.BaseExpression:
    """What a method is called on."""
    if not isinstance(call.func, cst.Attribute):
        raise TypeError("no method is called")
    return call.func.value


def is_super(node: cst.BaseExpression) -> bool:
    """`super()` or `super(Class, self)`."""
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "super"


def keywords(call: cst.Call) -> frozenset[str]:
    """Names of the arguments that are given by keyword; `**` where a mapping is."""
    return frozenset(
        argument.keyword.value if argument.keyword is not None else argument.star for argument in call.args
    ) - {""}


def _last_name(node: cst.BaseExpression) -> str:
    name = node.func if isinstance(node, cst.Call) else node
    name = name.attr if isinstance(name, cst.Attribute) else name
    return name.value if isinstance(name, cst.Name) else ""

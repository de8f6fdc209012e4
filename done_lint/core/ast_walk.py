"""A walk over syntax that takes a third of the time of `ast.walk`, in the same order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

#: Of these, too, several questions are asked.
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: Fields that hold no syntax, or only what an operator or a name is for.
_PLAIN = frozenset({"ctx", "op", "ops", "id", "attr", "arg", "kind", "level", "module", "asname", "type_comment"})


def walked(node: ast.AST) -> list[ast.AST]:
    """A node and all that is inside it, without contexts and operators; the list is shared, and not to be changed."""
    if isinstance(node, ast.Module):
        return _file(node)
    return _scope(node) if isinstance(node, _SCOPES) else _found(node)


def children(node: ast.AST) -> Iterator[ast.AST]:
    """What stands directly inside a node, without contexts and operators."""
    for name in _fields(type(node)):
        value = getattr(node, name, None)
        if type(value) is list:
            yield from (part for part in value if isinstance(part, ast.AST))
        elif isinstance(value, ast.AST):
            yield value


def forget() -> None:
    """Let go of the syntax that was walked: another file comes next."""
    _file.cache_clear()
    _scope.cache_clear()


@lru_cache(maxsize=1)
def _file(tree: ast.Module) -> list[ast.AST]:
    """The same of a whole file, which several questions are asked about one after the other."""
    return _found(tree)


@lru_cache(maxsize=1000)
def _scope(node: ast.AST) -> list[ast.AST]:
    """The same of a function or a class."""
    return _found(node)


def _found(node: ast.AST) -> list[ast.AST]:
    found = [node]
    # the list grows while it is walked
    for one in found:
        for name in _fields(type(one)):
            value = getattr(one, name, None)
            if type(value) is list:
                found += [part for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}
#: What has nothing inside.
_LEAVES = (ast.Constant, ast.Name, ast.alias, ast.Global, ast.Nonlocal)


def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a type that may hold syntax."""
    found = _FIELDS.get(kind)
    if found is None:
        names = () if issubclass(kind, _LEAVES) else kind._fields
        found = _FIELDS[kind] = tuple(name for name in names if name not in _PLAIN)
    return found

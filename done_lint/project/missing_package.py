"""Which release a file asks for where it cannot import a package, in the words of its own error.

`raise ImportError("please pip install pettingzoo[mpe]==1.17.0")`, in the handler of a `try` that imports the package.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from done_lint.core.file_io import SourceError, read_bytes

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

_LARGEST = 1_000_000
_ERRORS = (b"ImportError", b"ModuleNotFoundError")


@lru_cache(maxsize=4096)
def asked_for(path: str, package: str) -> tuple[SpecifierSet, ...]:
    """The releases that the errors of a Python file ask for, each with at least one bound."""
    try:
        data = read_bytes(path, _LARGEST) if path.endswith(".py") else b""
    except SourceError:
        return ()
    if package.encode() not in data.lower() or not any(one in data for one in _ERRORS):
        return ()
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(_bounds(tree, package))


def _bounds(tree: ast.Module, package: str) -> Iterator[SpecifierSet]:
    from packaging.specifiers import SpecifierSet  # only few programs ask for a package so

    clause = r"(?:[<>=~!]=|[<>])\s*\d+(?:\.\d+)*"
    bound = re.compile(rf"(?<![\w-]){package}(?:\[[\w, -]*\])?\s*({clause}(?:\s*,\s*{clause})*)", re.IGNORECASE)
    for one in ast.walk(tree):
        if isinstance(one, ast.Try) and any(_imports(part, package) for part in one.body):
            for text in (text for handler in one.handlers for text in _texts(handler)):
                yield from (SpecifierSet(found[1]) for found in bound.finditer(text))


def _imports(statement: ast.stmt, package: str) -> bool:
    """Whether a statement imports the package, or a part of it."""
    names: list[str] = []
    if isinstance(statement, ast.Import):
        names = [one.name for one in statement.names]
    elif isinstance(statement, ast.ImportFrom) and not statement.level:
        names = [statement.module or ""]
    return any(name.partition(".")[0] == package for name in names)


def _texts(handler: ast.ExceptHandler) -> Iterator[str]:
    """What the errors say that a handler raises."""
    for one in ast.walk(handler):
        if isinstance(one, ast.Raise) and isinstance(one.exc, ast.Call):
            constants = (part.value for part in ast.walk(one.exc) if isinstance(part, ast.Constant))
            yield from (text for text in constants if isinstance(text, str))

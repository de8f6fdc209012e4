"""Finds the Python version of a text that this one cannot parse: a newer one, or Python 2.

LibCST's parser reads newer syntax whatever Python runs; an older LibCST gets the newest forms rewritten to older ones.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import libcst as cst

#: The beginning of the message for newer syntax.
NEEDS_PYTHON = "needs Python"

#: What is to be done with a text for Python 2.
CONVERT_FIRST = "is Python 2: convert it first (2to3 or futurize)"

Version = tuple[int, int]

#: A string or a comment. The ends of triple-quoted strings come first; a quote without an end is closed by its row.
_STRING_OR_COMMENT = re.compile(
    r"""\#[^\n]*|\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""",
    re.DOTALL,
)
#: Syntax of Python 2 alone, in code whose strings are empty (see `_bare`).
_PYTHON_2 = re.compile(
    r"""
      ^[^\S\n]*(?:[^\n]*[;:][^\S\n]*)?(?:print|exec)
        (?:[ \t]*['"`]|[ \t]+(?!(?:and|as|else|for|if|in|is|not|or)\b)[\w{])
    | ^[^\S\n]*raise\s+[\w.]+\s*,
    | ^[^\S\n]*except\s+(?:[\w.]+|\([^()]*\))\s*,\s*\(
    | (?<![\w.])0+[1-9][0-9]*[lL]?(?![\w.])
    | (?<![\w.])(?:[0-9]+|0[xX][0-9a-fA-F]+)[lL]\b
    | \b[uU][rR]['"]
    | [\w)\]"'][ \t]*<>[ \t]*[\w("'\[{-]
    | (?:[=(,+%\[{]|\breturn\b|\bprint\b|^)[ \t]*`[^`\n]+`(?!`)[ \t]*(?:$|[)\],+%}])
    """,
    re.MULTILINE | re.VERBOSE,
)
#: Built-in names that Python 2 alone has.
_OF_PYTHON_2 = {
    name: re.compile(rf"(?<![\w.]){name}\b")
    for name in ("basestring", "execfile", "long", "raw_input", "reduce", "unichr", "unicode", "xrange")
}
_SYNTAX_OF_PYTHON_3 = (
    *(ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.MatMult, ast.Nonlocal, ast.YieldFrom),
    *(ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await),
)
#: Handlers that catch the error of a name that is not there.
_CATCHES_NAMES = re.compile(r"\b(?:NameError|Exception|BaseException)\b")
#: What a test may ask to know whether Python 2 runs: `sys.version_info`, `six.PY2`, `platform.python_version()`.
_ASKS_VERSION = re.compile(r"version|\bpy_?[23]|python_?[23]", re.IGNORECASE)
_ASKS_PYTHON = re.compile(r"\bsys\.(hex)?version|\bpy_?[23]|python_?[23]", re.IGNORECASE)
#: `except A, e:` names the exception in Python 2, and another class of exceptions since 3.14.
_EXCEPT_AND_NAME = re.compile(r"^\s*except\s+(?:[\w.]+|\([^()]*\))\s*,\s*(?P<name>[a-z_]\w*)\s*:", re.MULTILINE)
#: Signs of newer syntax: LibCST is slow to import, and most files with syntax errors are not newer.
_MAY_BE_NEWER = re.compile(
    r"""(?:def|class)\s+\w+\s*\[|\btype\s+\w|except\b|[fFtT][rR]?["']|[rR][fFtT]["']|[\[({,:]\s*\*|\blazy\s""",
    re.MULTILINE,
)
#: Syntax that older releases of LibCST do not know: since which Python, its pattern, and an older equivalent.
_REWRITTEN: tuple[tuple[Version, re.Pattern[str], str], ...] = (
    (
        (3, 14),
        re.compile(r"^(?P<head>\s*except\*?\s+)(?P<rest>[^(\s:][^:\n]*,[^:\n]*)(?=:)", re.MULTILINE),
        r"\g<head>(\g<rest>)",
    ),
    ((3, 14), re.compile(r"\b(?P<head>[rR]?)[tT](?P<rest>[rR]?)(?=[\"'])"), r"\g<head>f\g<rest>"),
    ((3, 15), re.compile(r"^(?P<head>\s*)lazy\s+(?=import\b|from\b)", re.MULTILINE), r"\g<head>"),
)


class Unread(NamedTuple):
    """Why a text cannot be parsed: a file with newer syntax is skipped, because it has no error."""

    kind: Literal["syntax", "skipped"]
    message: str


def unread(text: str, message: str) -> Unread:
    """Why `ast` does not parse a text; `message` is Python's own error message."""
    if _is_python_2(_bare(text)):
        error = message.partition(". Did you mean")[0]
        return Unread("syntax", f"{error}; {CONVERT_FIRST}")
    needed = _needed(text) if _MAY_BE_NEWER.search(text) else None
    if needed is None or needed <= sys.version_info[:2]:
        return Unread("syntax", message)
    return Unread("skipped", f"{NEEDS_PYTHON} {needed[0]}.{needed[1]} to read")


@lru_cache(maxsize=256)
def needs_python_2(text: str) -> bool:
    """Whether a text that both versions can parse uses names of Python 2 alone, and is not written for both."""
    # a literal is found much faster than a pattern
    names = {name for name, pattern in _OF_PYTHON_2.items() if name in text and pattern.search(text)}
    if not names:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    if any(_is_of_python_3(node) or _serves_both(node) for node in ast.walk(tree)):
        return False
    names -= set(_bound(tree))
    return bool(names) and any(isinstance(node, ast.Name) and node.id in names for node in _unasked(tree))


def _is_of_python_3(node: ast.AST) -> bool:
    """Whether Python 2 cannot parse this: an f-string, an annotation, an argument by keyword alone.

    What a file with such syntax uses of Python 2 never ran, or is an error of its own.
    """
    if isinstance(node, ast.FunctionDef):
        return node.returns is not None
    if isinstance(node, ast.arg):
        return node.annotation is not None
    if isinstance(node, ast.arguments):
        return bool(node.kwonlyargs)
    return isinstance(node, _SYNTAX_OF_PYTHON_3)


def _serves_both(node: ast.AST) -> bool:
    """Whether this asks for the Python version and has something to do for each: the file is written for both."""
    return isinstance(node, ast.If) and bool(node.orelse) and _ASKS_PYTHON.search(ast.unparse(node.test)) is not None


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a file binds anywhere; those that Python 2 alone has, where a star import may bind any."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.alias):
            yield from _OF_PYTHON_2 if node.name == "*" else (node.asname or node.name,)
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name


def _unasked(tree: ast.Module) -> Iterator[ast.AST]:
    """What stands neither on a side of a test of the Python version nor in a `try` that catches the error."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, (ast.If, ast.IfExp)) and _ASKS_VERSION.search(ast.unparse(node.test)):
            continue
        if isinstance(node, ast.Try) and any(map(_catches_names, node.handlers)):
            pending += node.finalbody
            continue
        pending += ast.iter_child_nodes(node)


def _catches_names(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or _CATCHES_NAMES.search(ast.unparse(handler.type)) is not None


def _bare(text: str) -> str:
    """The code without comments, its strings empty."""
    return _STRING_OR_COMMENT.sub(lambda match: "" if match[0][0] == "#" else match[0][0] * 2, text)


def _is_python_2(bare: str) -> bool:
    if _PYTHON_2.search(bare):
        return True
    return any(not _is_class(match["name"], bare) for match in _EXCEPT_AND_NAME.finditer(bare))


def _is_class(name: str, bare: str) -> bool:
    """Whether a name in lower case may be a class of exceptions: `from socket import timeout`."""
    return re.search(rf"^\s*(?:from\s.*\bimport\b.*\b|class\s+){name}\b|^{name}\s*=", bare, re.MULTILINE) is not None


def _needed(text: str) -> Version | None:
    """The oldest Python that parses a text; None if it is not known."""
    import libcst as cst

    since: list[Version] = []
    try:
        module = cst.parse_module(text)
    except Exception:
        for version, form, older in _REWRITTEN:
            if form.search(_bare(text)):
                since.append(version)
                text = form.sub(older, text)
        try:
            module = cst.parse_module(text)
        except Exception:
            return None
    return max((*since, *_versions(module)), default=None)


def _versions(module: cst.Module) -> Iterator[Version]:
    """The Python versions that introduced the syntax in a module."""
    pending: list[cst.CSTNode] = [module]
    while pending:
        node = pending.pop()
        pending += node.children
        if (version := _version(node, module)) is not None:
            yield version


def _version(node: cst.CSTNode, module: cst.Module) -> Version | None:
    """The Python version that introduced a node, if it is newer than the oldest one that runs done-lint."""
    import libcst as cst

    kind = type(node).__name__  # by their names, because older releases of LibCST lack the newest
    if kind in ("LazyImport", "LazyImportFrom"):
        return 3, 15
    if kind in ("ListComp", "SetComp", "GeneratorExp") and isinstance(getattr(node, "elt", None), cst.StarredElement):
        return 3, 15
    if kind == "TemplatedString" or (
        isinstance(node, cst.ExceptHandler | cst.ExceptStarHandler) and _is_open(node.type)
    ):
        return 3, 14
    if isinstance(node, cst.TypeParam) and node.default is not None:
        return 3, 13
    if isinstance(node, cst.TypeAlias | cst.TypeParameters):
        return 3, 12
    if isinstance(node, cst.FormattedString) and any(_is_free(part, node, module) for part in node.parts):
        return 3, 12
    if isinstance(node, cst.TryStar) or (isinstance(node, cst.Index) and node.star):
        return 3, 11
    if isinstance(node, cst.Annotation) and isinstance(node.annotation, cst.StarredElement):
        return 3, 11
    return None


def _is_open(expression: cst.BaseExpression | None) -> bool:
    """Whether this is a tuple without parentheses."""
    return type(expression).__name__ == "Tuple" and not getattr(expression, "lpar", ())


def _is_free(part: cst.CSTNode, string: cst.FormattedString, module: cst.Module) -> bool:
    """Whether a part of an f-string needs Python 3.12: the string's own quotes, a backslash, a comment, rows."""
    if type(part).__name__ != "FormattedStringExpression":
        return False
    code = module.code_for_node(part)
    quote = string.end
    return quote in code or "\\" in code or "#" in code or (len(quote) == 1 and "\n" in code)

"""What can be seen of a file before it is parsed by LibCST: the facts, the text, and the text around what facts are of.

Each room of rules has a module `evidence`, with a function named after each rule's code: whether that rule can report
anything in a file. It may say yes too often, which costs time, but never no where the rule would report. A rule without
such a function wants every file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

from done_lint.core.ast_walk import walked
from done_lint.core.codes import MODULES
from done_lint.core.findings import Span
from done_lint.core.gymnasium_release import Release, Supported
from done_lint.core.text import Lines
from done_lint.facts.facts import Facts
from done_lint.knowledge.gymnasium_changes import ROOTS, below_root

#: What may stand between an expression and what it belongs to.
_BEHIND = re.compile(r"(?:[\s\\)]|#[^\n]*)*")
_INSIDE = re.compile(r"(?:[\s\\(]|#[^\n]*)*")
_BEFORE = " \t\r\n\f\\("
#: A target that is written in one piece.
_TARGET = r"\*?[\w.]+(?:\[[\w.'\"+\- ]*\])?"
_TARGETS = re.compile(rf"[ \t]*({_TARGET}(?:[ \t]*,[ \t]*{_TARGET})*)[ \t]*,?[ \t]*=[ \t]*")
_TARGETS_IN_ROWS = re.compile(rf"[ \t]*\(\s*({_TARGET}(?:\s*,\s*{_TARGET})*)\s*,?\s*\)[ \t]*=[ \t]*")
_ROOT = "|".join(ROOTS)
_IN_PARENTHESES = r"\((?:[^)#]|#[^\n]*)*"
_FROM = re.compile(
    rf"\bfrom[\s\\]+((?:{_ROOT})(?:\.\w+)*)[\s\\]+import\b[\s\\]*({_IN_PARENTHESES}|[^\n;\\]*(?:\\\r?\n[^\n;\\]*)*)"
)
#: An import statement, without its first word.
IMPORT = re.compile(r"\bimport\b([^\n;#\\]*(?:\\\r?\n[^\n;#\\]*)*)")
_DOTTED = re.compile(rf"\b(?:{_ROOT})\.(\w+(?:\.\w+)*)")
_WORD = re.compile(r"\w+")
_SCOPES = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Sight:
    """One file before it is parsed by LibCST."""

    text: str
    facts: Facts
    releases: Supported

    @property
    def target(self) -> Release:
        """The newest release that the file has to run with."""
        return self.releases.newest

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.text)

    def offsets(self, span: Span) -> tuple[int, int]:
        """First and last character offset of a span."""
        lines = self._lines
        return lines.offset(span.row, span.column), lines.offset(span.end_row, span.end_column)

    @cached_property
    def flags_by_name(self) -> Mapping[str, Sequence[Span]]:
        """Where the flags of the file stand, by what is written there, in order."""
        found: dict[str, list[Span]] = {}
        for span in sorted(self.facts.flags):
            found.setdefault(self.source(span), []).append(span)
        return found

    @cached_property
    def nodes(self) -> Sequence[ast.AST]:
        """The syntax of the file, each node behind the one around it; empty: it is no Python."""
        try:
            return walked(ast.parse(self.text))
        except (SyntaxError, ValueError):
            return ()

    @cached_property
    def _scopes(self) -> Sequence[ast.AST]:
        """The module, its functions and its classes."""
        return [one for one in self.nodes if isinstance(one, _SCOPES)]

    def around(self, span: Span) -> ast.AST | None:
        """The innermost function, class or module around an expression; None where the file cannot be parsed."""
        around = [one for one in self._scopes if holds(one, span)]
        return around[-1] if around else None

    def row(self, row: int) -> str:
        """The text of a row."""
        return self._lines.row(row)

    def source(self, span: Span) -> str:
        """What stands at a span."""
        start, end = self.offsets(span)
        return self.text[start:end]

    def starts(self, span: Span, pattern: re.Pattern[str], *, alone: bool = False) -> re.Match[str] | None:
        """A match right behind an expression and its parentheses, or behind the expression alone."""
        end = self.offsets(span)[1]
        place = None if alone else _BEHIND.match(self.text, end)
        return pattern.match(self.text, place.end() if place else end)

    def before(self, span: Span) -> str | None:
        """The last words before an expression and its parentheses, on their row; None where a comment may hide them."""
        end = self.end_before(span)
        return None if end is None else self.text[self.text.rfind("\n", 0, end) + 1 : end]

    def end_before(self, span: Span) -> int | None:
        """Where these words end."""
        start = self.offsets(span)[0]
        end = _without_form(self.text, start)
        while (row := self.text.rfind("\n", 0, end) + 1) and "#" in self.text[row:end] and "\n" in self.text[end:start]:
            code, _, _ = self.text[row:end].partition("#")
            if "'" in code or '"' in code:
                return None
            end = _without_form(self.text, row + len(code))
        return None if "#" in self.text[row:end] and "\n" in self.text[end:start] else end

    def targets(self, span: Span) -> tuple[str, ...] | None:
        """What an assignment gives the value of an expression to; empty: it is not assigned; None: not to be seen."""
        before = self.before(span)
        if before is not None and not before.endswith("="):
            return ()
        start = self.offsets(span)[0]
        row = self.text.rfind("\n", 0, start) + 1
        words = self.text[row:start]
        found = _TARGETS.fullmatch(words)
        if found is None and words.lstrip().startswith(")"):
            row = self.text.rfind("\n", 0, max(self.text.rfind("(", 0, row), 0)) + 1
            found = _TARGETS_IN_ROWS.fullmatch(self.text, row, start)
        if found is None or self.text[max(row - 3, 0) : row].rstrip("\r\n").endswith("\\"):
            return self._parsed_targets(start)
        return tuple(one.strip() for one in found[1].split(","))

    def _parsed_targets(self, start: int) -> tuple[str, ...] | None:
        """The targets of the assignment whose value begins at an offset; None: there are others than of a plain one."""
        if not self.nodes:
            return None
        statement = self._assignments.get(start)
        if isinstance(statement, ast.AnnAssign):
            return (self.source(self._span(statement.target)),)
        if not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
            return () if statement is None else None
        target = statement.targets[0]
        each = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        return tuple(self.source(self._span(one)) for one in each)

    @cached_property
    def _assignments(self) -> Mapping[int, ast.AST]:
        """What gives names a value, by where the value begins."""
        kinds = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)
        return {
            self._beginning(one.value): one for one in self.nodes if isinstance(one, kinds) and one.value is not None
        }

    def _beginning(self, node: ast.expr) -> int:
        """Where the first part of an expression begins, behind its parentheses: `f` in `(f(x))[0]`."""
        place = _INSIDE.match(self.text, self.offsets(self._span(node))[0])
        return place.end() if place else 0

    def called(self, span: Span) -> ast.Call | None:
        """The call of what stands there."""
        calls = (one for one in self.nodes if isinstance(one, ast.Call) and one.func.lineno == span.row)
        return next((one for one in calls if self._span(one.func) == span), None)

    @cached_property
    def loop_targets(self) -> Mapping[Span, ast.Tuple | ast.List]:
        """What the headers of loops take apart, and the tuples in there."""
        loops = (one for one in self.nodes if isinstance(one, (ast.For, ast.AsyncFor, ast.comprehension)))
        inside = (node for one in loops for node in ast.walk(one.target))
        return {self._span(one): one for one in inside if isinstance(one, (ast.Tuple, ast.List))}

    def _span(self, node: ast.expr) -> Span:
        """The place of an expression, its columns in characters."""
        end_row, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        start, end = self._characters(node.lineno, node.col_offset), self._characters(end_row, end_column)
        return Span(node.lineno, start, end_row, end)

    def _characters(self, row: int, column: int) -> int:
        text = self.row(row)
        return column if text.isascii() else len(text.encode()[:column].decode("utf-8", "replace"))

    @cached_property
    def library_names(self) -> frozenset[str]:
        """Names of the library that the file may use, without the root: those of facts and of imports."""
        found = {below_root(name) for name in self.facts.names.values()}
        if any(root in self.text for root in ROOTS):
            found.update(_imported(self.text))
            found.update(name for names in IMPORT.findall(self.text) for name in _DOTTED.findall(names))
        return frozenset(found - {""})


#: The name of an argument, at the end of a text: what stands before it belongs to a call, or is a comment.
_BY_NAME = re.compile(r"(?:[(,\\]|#[^\n]*)\s*\benv\s*=\Z")
#: So many characters before a name tell what it belongs to.
_NEAR = 1000


def is_first_argument(sight: Sight, span: Span, functions: Container[int]) -> bool:
    """Whether an expression may be the first argument of a function, or is called `env` there.

    `functions` are the offsets where the names of functions end.
    """
    end = sight.end_before(span)
    return end is None or end in functions or _BY_NAME.search(sight.text, max(end - _NEAR, 0), end) is not None


def holds(scope: ast.AST, span: Span) -> bool:
    """Whether a module holds an expression, or the body of a function or class goes over its rows."""
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return True
    return scope.body[0].lineno <= span.row and span.end_row <= (scope.end_lineno or 0)


def goes_over(statement: ast.stmt, span: Span) -> bool:
    """Whether a statement goes over the rows of an expression."""
    return statement.lineno <= span.row and span.end_row <= (statement.end_lineno or 0)


def texts(node: ast.AST, is_left_out: Callable[[ast.AST], bool] = lambda _: False) -> Iterator[str]:
    """The strings inside, but for the fixed parts of others that are put together, and what stands in some nodes."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if is_left_out(current):
            continue
        if isinstance(current, ast.Constant) and isinstance(current.value, str):
            yield current.value
        elif not isinstance(current, ast.JoinedStr):
            waiting.extend(ast.iter_child_nodes(current))


def _without_form(text: str, end: int) -> int:
    """Where a text ends without white space, continued rows and opening parentheses."""
    while end and text[end - 1] in _BEFORE:
        end -= 1
    return end


def _imported(text: str) -> Iterator[str]:
    """What `from gym.wrappers import Monitor` names: `wrappers` and `wrappers.Monitor`."""
    for module, names in _FROM.findall(text):
        inside = below_root(module)
        yield inside
        yield from (f"{inside}.{name}".lstrip(".") for name in _WORD.findall(names))


def wanting(sight: Sight, codes: Iterable[str]) -> list[str]:
    """The rules, of these, that may report something in a file."""
    return [code for code in codes if _wants(code, sight)]


def _wants(code: str, sight: Sight) -> bool:
    room = MODULES[code].rpartition(".")[0]
    look: Callable[[Sight], bool] | None = getattr(import_module(f"{room}.evidence"), code.lower(), None)
    return look is None or look(sight)

"""Reads the Markdown cases of the rules, and lints and fixes them as the command does.

A block ``py`` is a program whose wrong lines end in `# error: [GYM101]`, or name several codes. The block
``py fixed`` behind it is what the safe fixes make of it; ``py fixed unsafe`` is the result of all fixes.
The prose above says why. Only the rule of the file, and the codes that the block names, are on.
"""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from notebooks import of_sources, sources

from done_lint.core.apply_edits import apply, chosen
from done_lint.core.codes import CODES
from done_lint.core.findings import Finding
from done_lint.core.gymnasium_release import Supported
from done_lint.engine.lint import lint
from done_lint.facts.build import link
from done_lint.facts.facts import Facts
from done_lint.flowgraph.build import survey
from done_lint.flowgraph.schema import Survey
from done_lint.source.documents.layout import Places
from done_lint.source.source import Source

CASES = Path(__file__).parent.parent / "fixtures" / "rules"
PATH = "case.py"
NOTEBOOK = "case.ipynb"
_FIRST = "%%html\n<b>Title</b>"
_LAST = "!ls"

_FENCE = re.compile(r"^```py(?P<kind>[ a-z]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
_MARK = re.compile(r"  # error: \[(?P<codes>[A-Z0-9, ]+)\]$")


@dataclass(frozen=True)
class Case:
    """One program, and the findings that it must have."""

    name: str
    source: str
    #: Codes by row.
    marks: Mapping[int, Sequence[str]]
    codes: frozenset[str]
    fixed: str | None = None
    unsafe: bool = False


@dataclass(frozen=True)
class OnlyCodes:
    """Settings with nothing but these rules."""

    codes: frozenset[str]

    def releases(self, path: str) -> Supported:
        """The newest release alone."""
        return Supported()

    def enabled(self, code: str, path: str) -> bool:
        """Whether the rule is one of them."""
        return code in self.codes


def cases_of(path: Path) -> list[Case]:
    """The cases of one file, in order."""
    text = path.read_text(encoding="utf-8")
    code = next(code for code, name in CODES.items() if name == path.stem)
    cases: list[Case] = []
    for fence in _FENCE.finditer(text):
        kind, body = fence["kind"].split(), fence["body"]
        if "fixed" in kind:
            cases[-1] = replace(cases[-1], fixed=body, unsafe="unsafe" in kind)
            continue
        heading = [match[1] for match in _HEADING.finditer(text, 0, fence.start())][-1]
        row = text.count("\n", 0, fence.start()) + 1
        source, marks = unmarked(body)
        codes = frozenset({code, *(code for codes in marks.values() for code in codes)})
        cases.append(Case(f"{path.stem}:{row} {heading}", source, marks, codes))
    return cases


def unmarked(body: str) -> tuple[str, dict[int, list[str]]]:
    """A program without its marks, and the codes by row."""
    rows = body.splitlines()
    marks: dict[int, list[str]] = {}
    for place, row in enumerate(rows):
        if mark := _MARK.search(row):
            marks[place + 1] = sorted(code.strip() for code in mark["codes"].split(","))
            rows[place] = row[: mark.start()]
    return "".join(f"{row}\n" for row in rows), marks


def findings_in(text: str, codes: frozenset[str]) -> list[Finding]:
    """The findings of the rules in a program, seen alone; the facts have come from another process, as in a project."""
    return [*_findings_in(text, codes)]


@lru_cache(maxsize=64)
def _findings_in(text: str, codes: frozenset[str]) -> tuple[Finding, ...]:
    """The same; several tests ask for those of one text."""
    return (*lint(Source(PATH, text), read(text)[1], OnlyCodes(codes)),)


@lru_cache(maxsize=8)
def read(text: str) -> tuple[Survey, Facts]:
    """The survey of a program, and what is known of it where it is seen alone."""
    part = survey(PATH, text)
    facts: Facts = pickle.loads(pickle.dumps(link([part]).facts(PATH)))
    return part, facts


def fixed(text: str, codes: frozenset[str], *, unsafe: bool = False) -> str:
    """The program after its fixes, applied until nothing is left to apply."""
    for _ in range(10):
        found = [finding.fix for finding in findings_in(text, codes) if finding.fix is not None]
        new, count = apply(text, [fix for fix in found if fix.safety == "safe" or (unsafe and fix.safety == "unsafe")])
        if not count:
            return text
        ast.parse(new)
        assert new != text, "a fix changes nothing"
        text = new
    raise AssertionError("fixes do not come to an end")


def findings_in_cell(text: str, codes: frozenset[str]) -> list[tuple[int | None, int, str]]:
    """The findings of the rules in a program in the second cell of a notebook: cell, row there, code."""
    return [
        (source.layout.cells[place].number, span.row, finding.code)
        for source, finding in _found_in_notebook(_notebook(text), codes)
        if source.layout is not None
        for place, span in [Places(source.layout).of_span(finding.span)]
    ]


def fixed_in_cell(text: str, codes: frozenset[str], *, unsafe: bool = False) -> str:
    """The program after its fixes, in the second cell of a notebook."""
    data = _notebook(text)
    for _ in range(10):
        found = _found_in_notebook(data, codes)
        fixes = [finding.fix for _, finding in found if finding.fix is not None]
        fixes = [fix for fix in fixes if fix.safety == "safe" or (unsafe and fix.safety == "unsafe")]
        source = Source.from_bytes(NOTEBOOK, data)
        new = source.rewritten(data, chosen(len(source.text), fixes)[0])
        if new == data:
            first, mine, last = sources(data)
            assert (first, last) == (_FIRST, _LAST)
            return mine
        data = new
    raise AssertionError("fixes do not come to an end")


def _notebook(text: str) -> bytes:
    return of_sources([_FIRST, text, _LAST])


@lru_cache(maxsize=64)
def _found_in_notebook(data: bytes, codes: frozenset[str]) -> tuple[tuple[Source, Finding], ...]:
    source = Source.from_bytes(NOTEBOOK, data)
    facts = link([survey(NOTEBOOK, source.text)]).facts(NOTEBOOK)
    return tuple((source, finding) for finding in lint(source, facts, OnlyCodes(codes)))


def silenced(case: Case) -> str:
    """The program with a comment on every marked row."""
    rows = case.source.splitlines()
    for row, codes in case.marks.items():
        rows[row - 1] += f"  # noqa: {', '.join(codes)}"
    return "".join(f"{row}\n" for row in rows)


def with_crlf(text: str) -> str:
    """The program with Windows newlines."""
    return text.replace("\n", "\r\n")


def with_tabs(text: str) -> str:
    """The program indented with tabs."""
    return re.sub(r"^(?:    )+", lambda spaces: "\t" * (len(spaces[0]) // 4), text, flags=re.MULTILINE)


def without_last_newline(text: str) -> str:
    """The program as an editor without final newlines writes it."""
    return text.removesuffix("\n")


def in_method(text: str) -> str:
    """The program as the body of a method, its imports above the class."""
    rows = text.splitlines()
    body = next((place for place, row in enumerate(rows) if row and not _IMPORT.match(row)), len(rows))
    inner = [f"        {row}" if row else row for row in rows[body:]]
    return "".join(f"{row}\n" for row in (*rows[:body], "class Case:", "    def run(self, *arguments):", *inner))


_IMPORT = re.compile(r"import |from \S+ import [^(]*$")


def is_plain(text: str) -> bool:
    """Whether the program is statements only, after its imports, so that it can stand in a method."""
    body = [node for node in ast.parse(text).body if not isinstance(node, (ast.Import, ast.ImportFrom))]
    first = body[0].lineno if body else 0
    late = any(isinstance(node, (ast.Import, ast.ImportFrom)) and node.lineno > first for node in ast.parse(text).body)
    special = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    # A string over several rows would change its value with the indentation.
    return bool(body) and not late and '"""' not in text and not any(isinstance(node, special) for node in body)

"""Surveys one file."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Mapping

from done_lint.core.ast_walk import forget, walked
from done_lint.core.findings import Span
from done_lint.flowgraph import external_names
from done_lint.flowgraph.binding_scan import Outline
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.constant_keys import constant_keys
from done_lint.flowgraph.defined_again import without_defined_again
from done_lint.flowgraph.expressions import EXPRESSIONS
from done_lint.flowgraph.given import fixtures
from done_lint.flowgraph.given.entry_points import entry_points
from done_lint.flowgraph.libraries.import_alternatives import import_alternatives
from done_lint.flowgraph.libraries.imported_packages import imported_packages
from done_lint.flowgraph.libraries.library_choices import Stretch, library_choices
from done_lint.flowgraph.loops.emptied_stores import emptied_stores
from done_lint.flowgraph.loops.first_steps import first_steps
from done_lint.flowgraph.loops.next_rows import next_rows
from done_lint.flowgraph.loops.overwritten_stores import overwritten_stores
from done_lint.flowgraph.loops.paced_work import paced_work
from done_lint.flowgraph.loops.recurrences import mark_recursions
from done_lint.flowgraph.loops.running_sums import mark_running_sums
from done_lint.flowgraph.loops.scanned import scanned
from done_lint.flowgraph.loops.short_episodes import short_episodes
from done_lint.flowgraph.loops.shown_values import mark_purposes
from done_lint.flowgraph.names import cell
from done_lint.flowgraph.narrow_boxes import narrow_boxes
from done_lint.flowgraph.odd_uses import odd_uses
from done_lint.flowgraph.passing_versions import passing_versions
from done_lint.flowgraph.readings import readings
from done_lint.flowgraph.run_texts import run_texts
from done_lint.flowgraph.schema import Paced, Survey
from done_lint.flowgraph.scopes import Scope
from done_lint.flowgraph.statements import STATEMENTS
from done_lint.flowgraph.tagged_attributes import tagged_attributes
from done_lint.project.import_folders import added_folders
from done_lint.project.prefilter import modules_of_ids


def survey(path: str, text: str, inside: Container[str] | None = None) -> Survey:
    """Survey one file.

    Args:
        path: of the file.
        text: its code.
        inside: names of the files and folders of the project; None: any import may lead to one of them.

    Raises:
        SyntaxError, ValueError, RecursionError: `text` is not Python (`ast.parse`), or too deep.
    """
    tree = ast.parse(text)
    outline = Outline(tree, text)
    b = Builder(path, text, outline, EXPRESSIONS, STATEMENTS)
    b.tagged_attributes = tagged_attributes(tree, text)
    b.result.imports = tuple(outline.imports)
    b.entry_points = entry_points(tree, text)
    pattern = _ENTRY if "entry_point" in text else _ENTRY_OF_TABLE
    entries = _entries(tree, b.entry_points, pattern) if pattern.search(text) or b.entry_points else ()
    b.result.entries = (*entries, *(one for one in modules_of_ids(text) if one not in entries))
    b.result.import_folders = added_folders(tree, text)
    by_choice = [module for module in outline.imports if module not in outline.needed]
    alternatives = import_alternatives(tree) if by_choice else frozenset()
    b.result.by_choice = tuple(one for one in by_choice if one not in alternatives)
    b.names.changing = frozenset(outline.top.again | outline.shared)
    if not b.result.page and not path.endswith(".ipynb"):
        # the blocks of a page or a notebook may run in any order
        b.names.passing = passing_versions(tree, outline)
    b.names.keys = constant_keys(tree, b.names.changing)
    b.names.external = external_names.names(outline, inside)
    _note_choices(b, tree, text)
    b.scanned = scanned(tree, text)
    b.overwritten = overwritten_stores(tree)
    region = outline.regions[tree]
    b.names.scope, b.here.stepping = Scope("module", None, region.bound), region.steps
    # a cell may call what an earlier one has defined
    cells = b.result.page or path.endswith(".ipynb")
    b.block(tree.body if cells else without_defined_again(tree.body, runs=True))
    fixtures.hand_over(b, tree, text)
    module = b.names.scope
    b.result.exports = {name: cell(b, module, name) for name in sorted(module.assigned | set(module.versions))}
    b.result.packages = imported_packages(tree, text, outline, b.names.read, inside)
    b.result.size = b.size
    b.result.next_rows = next_rows(tree, text)
    mark_recursions(b.result, b.trail, b.loops, b.known, b.callees)
    mark_running_sums(b.result, tree, b.span)
    mark_purposes(b.result, tree, b.loops, b.span)
    for read, how in readings(tree):
        b.result.readings.add(how, b.span(read))
    b.result.emptied = tuple((b.span(one), row) for one, row in emptied_stores(tree))
    b.result.short_episodes = tuple(
        (b.span(one.last), b.span(one.env), one.steps) for one in short_episodes(tree, text)
    )
    b.result.first_steps = tuple((b.span(step), b.span(env)) for step, env in first_steps(tree, text))
    if "step" in text:
        b.result.paced = tuple(
            Paced(_span(b, (one.body[0], one.body[-1])), tuple(map(b.span, one.anew))) for one in paced_work(tree)
        )
    if "step" in text and not b.result.page:
        b.result.odd_uses = tuple((b.span(one), what) for one, what in odd_uses(tree, outline.results))
    if not b.result.page and (".step(" in text or ".reset(" in text):
        b.result.run_texts = tuple(map(b.span, run_texts(tree)))
    if not b.result.page:
        b.result.narrow_boxes = tuple((b.span(call), what) for call, what in narrow_boxes(tree, text))
    forget()
    return b.result


#: `maze:make_maze` in a file that registers, and `maze.envs:Maze` in one that may only hold the table.
_ENTRY = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*:[A-Za-z_][\w.]*", re.ASCII)
_ENTRY_OF_TABLE = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.\w+)+:[A-Z]\w*", re.ASCII)


def _entries(
    tree: ast.Module, composed: Mapping[ast.expr, tuple[str, ...]], pattern: re.Pattern[str]
) -> tuple[str, ...]:
    """The modules that are named as entry points, each once; a table may hold them that a loop registers."""
    constants = (one.value for one in walked(tree) if isinstance(one, ast.Constant))
    texts = [one for one in constants if isinstance(one, str) and pattern.fullmatch(one)]
    texts += [text for one in composed.values() for text in one]
    return tuple(dict.fromkeys(module for module, colon, _ in (text.partition(":") for text in texts) if colon))


def _note_choices(b: Builder, tree: ast.Module, text: str) -> None:
    """Note which code is there for old Gym alone."""
    found = library_choices(tree, text, b.result.imports)
    b.result.kept = tuple(_span(b, one) for one in found.kept)
    b.result.kept_beside = tuple(_span(b, one) for one in found.beside)
    b.result.tells_apart, b.result.imports_both = found.tells_apart, found.imports_both
    b.result.version_tests = tuple((b.span(one.node), one.kind) for one in found.version_tests)


def _span(b: Builder, stretch: Stretch) -> Span:
    """The place of a stretch of code."""
    first, last = (b.span(one) for one in stretch)
    return Span(first.row, first.column, last.end_row, last.end_column)

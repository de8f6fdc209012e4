"""One walk over a file before its survey: what each scope and loop binds, counts and steps, and what is imported.

The survey asks these questions of whole bodies, again and again; answered one by one they would cost a walk each.
The walk is one over statements. Expressions are entered only in rows whose text shows that they may bind or step.
"""

from __future__ import annotations

import ast
import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar, cast

from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.attempts import ends_program
from done_lint.flowgraph.result_names import ResultNames

_NEWLINES = re.compile(r"\r\n?|\n")


@dataclass(slots=True)
class Region:
    """A scope, or the body of a loop."""

    parent: Region | None = None
    #: Names bound in the region's own scope, and those bound more than once; `global` and `nonlocal` names belong to
    #: others.
    names: set[str] = field(default_factory=set)
    again: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    #: A method called `step...` is called in it, nested functions included.
    steps: bool = False
    #: The region is a loop's: what it binds, its scope binds too.
    loop: bool = False

    def bind(self, name: str) -> None:
        """Note a name, here and in the regions around it up to the scope."""
        region: Region | None = self
        while region is not None:
            (region.again if name in region.names else region.names).add(name)
            region = region.parent if region.loop else None

    def step(self) -> None:
        """Note a step, here and everywhere around."""
        region: Region | None = self
        while region is not None and not region.steps:
            region.steps = True
            region = region.parent

    @property
    def bound(self) -> frozenset[str]:
        """What the region's own scope binds."""
        return frozenset(self.names - self.others)


class ImportedName(NamedTuple):
    """A name that an import of a package binds."""

    name: str
    package: str
    #: It means a module, `import a.b as c`, or what that has, `from a import b`.
    module: bool
    #: It is the package itself: `import a`, `import a.b`.
    plain: bool
    row: int
    end_row: int


class Outline:
    """Regions by the syntax node that they belong to, counters and imports of a file."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        """Walk the file once."""
        self.regions: dict[ast.AST, Region] = {}
        #: Names that count: `n += 1`, `n = n + 1`.
        self.counters: set[str] = set()
        self.imports: dict[str, None] = {}
        #: The imports that stand under no condition, and in no `try` that goes on without them: what the file needs.
        self.needed: dict[str, None] = {}
        #: What the imports of packages bind.
        self.names: list[ImportedName] = []
        self._choices = 0
        #: Names bound by imports anywhere, and those bound to an absolute one in the module's own scope.
        self.imported: set[str] = set()
        self.absolute: dict[str, str] = {}
        #: The attributes that the file sets, of whatever.
        self.set_attributes: set[str] = set()
        #: Names that functions share by `global`.
        self.shared: set[str] = set()
        self.results = ResultNames(tree)
        self._marks = _marked_rows(text)
        self._marked = frozenset(self._marks)
        self.top = self.regions[tree] = Region()
        self._block(tree.body, self.top)

    def _block(self, body: list[ast.stmt], region: Region) -> None:
        for statement in body:
            _VISITS[type(statement)](self, statement, region)

    def _simple(self, node: ast.expr | ast.stmt, region: Region) -> None:
        """A statement, or a part of one, that binds no name by itself."""
        if self._marked and self._is_marked(node.lineno, node.end_lineno or node.lineno):
            for part in ast.walk(node):
                if isinstance(part, ast.NamedExpr):
                    region.bind(part.target.id)
                elif isinstance(part, ast.Call) and _is_step(part.func):
                    region.step()

    def _is_marked(self, first: int, last: int) -> bool:
        if first == last:
            return first in self._marked
        place = bisect_left(self._marks, first)
        return place < len(self._marks) and self._marks[place] <= last

    def _target(self, node: ast.expr, region: Region) -> None:
        if isinstance(node, ast.Name):
            region.bind(node.id)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for element in node.elts:
                self._target(element, region)
        elif isinstance(node, ast.Starred):
            self._target(node.value, region)
        else:
            if isinstance(node, ast.Attribute):
                self.set_attributes.add(node.attr)
            self._simple(node, region)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, region: Region) -> None:
        region.bind(node.name)
        for part in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
            if part is not None:
                self._simple(part, region)
        self._block(node.body, self._open(node, region))

    def _class(self, node: ast.ClassDef, region: Region) -> None:
        region.bind(node.name)
        for part in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            self._simple(part, region)
        self._block(node.body, self._open(node, region))

    def _open(self, node: ast.AST, region: Region, loop: bool = False) -> Region:
        self.regions[node] = inner = Region(region, loop=loop)
        return inner

    def _for(self, node: ast.For | ast.AsyncFor, region: Region) -> None:
        self._target(node.target, region)
        self._simple(node.iter, region)
        self._block(node.body, self._open(node, region, loop=True))
        self._block(node.orelse, region)

    def _while(self, node: ast.While, region: Region) -> None:
        self._simple(node.test, region)
        self._block(node.body, self._open(node, region, loop=True))
        self._block(node.orelse, region)

    def _if(self, node: ast.If, region: Region) -> None:
        self._simple(node.test, region)
        self._choices += 1
        self._block(node.body, region)
        self._block(node.orelse, region)
        self._choices -= 1

    def _with(self, node: ast.With | ast.AsyncWith, region: Region) -> None:
        for item in node.items:
            self._simple(item.context_expr, region)
            if item.optional_vars is not None:
                self._target(item.optional_vars, region)
        self._block(node.body, region)

    def _try(self, node: ast.Try, region: Region) -> None:
        # `try: import a`, `except ImportError: raise ...` needs `a` no less than an import alone
        chosen = not all(ends_program(one.body[-1]) for one in node.handlers)
        self._choices += chosen
        self._block(node.body, region)
        self._choices += not chosen
        for handler in node.handlers:
            if handler.name:
                region.bind(handler.name)
            if handler.type is not None:
                self._simple(handler.type, region)
            self._block(handler.body, region)
        self._choices -= 1
        self._block(node.orelse, region)
        self._block(node.finalbody, region)

    def _match(self, node: ast.Match, region: Region) -> None:
        self._simple(node.subject, region)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
                    region.bind(part.name)
            if case.guard is not None:
                self._simple(case.guard, region)
            self._block(case.body, region)

    def _import(self, node: ast.Import, region: Region) -> None:
        for alias in node.names:
            self._note_import(alias.name)
            first = alias.name.partition(".")[0]
            name = alias.asname or first
            self.names.append(ImportedName(name, first, True, not alias.asname, node.lineno, node.end_lineno or 0))
            self._bind_import(name, alias.name if alias.asname else first, region)

    def _import_from(self, node: ast.ImportFrom, region: Region) -> None:
        module = "." * node.level + (node.module or "")
        self._note_import(module)
        for alias in node.names:
            dotted = f"{module}.{alias.name}" if node.module else module + alias.name
            self._note_import(dotted)
            name = alias.asname or alias.name
            if not node.level:
                first = dotted.partition(".")[0]
                self.names.append(ImportedName(name, first, False, False, node.lineno, node.end_lineno or 0))
            self._bind_import(name, "" if node.level else dotted, region)

    def _note_import(self, module: str) -> None:
        self.imports[module] = None
        if not self._choices:
            self.needed[module] = None

    def _bind_import(self, name: str, dotted: str, region: Region) -> None:
        self.imported.add(name)
        region.bind(name)
        if dotted and name in self.top.names and name not in self.absolute:
            self.absolute[name] = dotted

    def _elsewhere(self, node: ast.Global | ast.Nonlocal, region: Region) -> None:
        self.shared.update(node.names)
        if isinstance(node, ast.Global):
            for name in node.names:
                self.top.bind(name)
        scope = region
        while scope.loop and scope.parent is not None:
            scope.others.update(node.names)
            scope = scope.parent
        scope.others.update(node.names)

    def _type(self, node: ast.stmt, region: Region) -> None:
        """`type X = ...`, whose first part is the name."""
        name = next(ast.iter_child_nodes(node))
        if isinstance(name, ast.Name):
            region.bind(name.id)

    def _delete(self, node: ast.Delete, region: Region) -> None:
        for target in node.targets:
            self._target(target, region)

    def _augmented(self, node: ast.AugAssign, region: Region) -> None:
        if isinstance(node.op, ast.Add) and _one(node.value):
            self.counters.add(last_name(node.target))
        self._target(node.target, region)
        self._simple(node.value, region)

    def _annotated(self, node: ast.AnnAssign, region: Region) -> None:
        self._target(node.target, region)
        self._simple(node, region)

    def _assign(self, node: ast.Assign, region: Region) -> None:
        value = node.value
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and _one(value.right):
            name = last_name(node.targets[0])
            if name and name == last_name(value.left):
                self.counters.add(name)
        for target in node.targets:
            self._target(target, region)
        self._simple(value, region)


def _marked_rows(text: str) -> list[int]:
    """The rows in which an expression may step or bind: those of the word in `.step...`, and of `:=`."""
    places = [place for place in _places(text, "step") if _is_attribute(text, place)]
    rows: list[int] = []
    row, end = 1, 0
    for place in sorted([*places, *_places(text, ":=")]):
        row += len(_NEWLINES.findall(text, end, place))
        end = place
        rows.append(row)
    return rows


def _is_attribute(text: str, place: int) -> bool:
    """Whether the word at a place stands behind a dot, perhaps in the row before."""
    while place and text[place - 1] in " \t\f\\\r\n":
        place -= 1
    return place > 0 and text[place - 1] == "."


def _places(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def _is_step(called: ast.expr) -> bool:
    return isinstance(called, ast.Attribute) and called.attr.startswith("step")


def _one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


Statement = TypeVar("Statement", bound=ast.stmt)
_Visit = Callable[[Outline, ast.stmt, Region], None]


def _row(kind: type[Statement], visit: Callable[[Outline, Statement, Region], None]) -> dict[type[ast.stmt], _Visit]:
    """One row of the table: the method is called with statements of its type alone."""
    return {kind: cast("_Visit", visit)}


#: How statements are walked, by type; those of which nothing is known bind no name.
_VISITS: dict[type[ast.stmt], _Visit] = {
    **dict.fromkeys(ast.stmt.__subclasses__(), Outline._simple),
    **_row(ast.FunctionDef, Outline._function),
    **_row(ast.AsyncFunctionDef, Outline._function),
    **_row(ast.ClassDef, Outline._class),
    **_row(ast.For, Outline._for),
    **_row(ast.AsyncFor, Outline._for),
    **_row(ast.While, Outline._while),
    **_row(ast.If, Outline._if),
    **_row(ast.With, Outline._with),
    **_row(ast.AsyncWith, Outline._with),
    **_row(ast.Try, Outline._try),
    **_row(ast.Match, Outline._match),
    **_row(ast.Import, Outline._import),
    **_row(ast.ImportFrom, Outline._import_from),
    **_row(ast.Global, Outline._elsewhere),
    **_row(ast.Nonlocal, Outline._elsewhere),
    **_row(ast.Delete, Outline._delete),
    **_row(ast.AugAssign, Outline._augmented),
    **_row(ast.AnnAssign, Outline._annotated),
    **_row(ast.Assign, Outline._assign),
}
if sys.version_info >= (3, 11):
    _VISITS[ast.TryStar] = _VISITS[ast.Try]
if sys.version_info >= (3, 12):
    _VISITS[ast.TypeAlias] = Outline._type

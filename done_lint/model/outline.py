"""One walk over a file before its survey: what each scope and loop binds, counts and steps, and what is imported.

The survey asks these questions of whole bodies, again and again; answered one by one they would cost a walk each.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from done_lint.model.scopes import last_name

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(slots=True)
class Region:
    """A scope, or the body of a loop."""

    parent: Region | None = None
    #: Names bound in the region's own scope; `global` and `nonlocal` names belong to others.
    names: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    #: A method called `step...` is called in it, nested functions included.
    steps: bool = False
    #: The region is a loop's: what it binds, its scope binds too.
    loop: bool = False

    def bind(self, name: str) -> None:
        """Note a name, here and in the regions around it up to the scope."""
        region: Region | None = self
        while region is not None:
            region.names.add(name)
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


class Outline:
    """Regions by the syntax node that they belong to, counters and imports of a file."""

    def __init__(self, tree: ast.Module) -> None:
        """Walk the file once."""
        self.regions: dict[ast.AST, Region] = {}
        #: Names that count: `n += 1`, `n = n + 1`.
        self.counters: set[str] = set()
        self.imports: dict[str, None] = {}
        #: Names bound by imports anywhere.
        self.imported: set[str] = set()
        self.regions[tree] = top = Region()
        self._todo: list[tuple[ast.AST, Region]] = [(s, top) for s in tree.body]
        while self._todo:
            node, region = self._todo.pop()
            visit = _VISITS.get(type(node))
            if visit is None:
                self._children(node, region)
            else:
                visit(self, node, region)

    def _children(self, node: ast.AST, region: Region) -> None:
        todo = self._todo
        for name in _INNER[type(node)]:
            value: Any = getattr(node, name, None)
            if value.__class__ is list:
                for one in value:
                    if one.__class__ not in _LEAVES:
                        todo.append((one, region))
            elif value.__class__ not in _LEAVES:
                todo.append((value, region))

    def _name(self, node: ast.Name, region: Region) -> None:
        if not isinstance(node.ctx, ast.Load):
            region.bind(node.id)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, region: Region) -> None:
        region.bind(node.name)
        self._todo.extend((x, region) for x in [*node.decorator_list, node.args, *filter(None, [node.returns])])
        self._open(node, node.body, region)

    def _class(self, node: ast.ClassDef, region: Region) -> None:
        region.bind(node.name)
        self._todo.extend((x, region) for x in [*node.decorator_list, *node.bases, *node.keywords])
        self._open(node, node.body, region)

    def _lambda(self, node: ast.Lambda, region: Region) -> None:
        self._todo.append((node.args, region))
        self._open(node, [node.body], region)

    def _open(self, node: ast.AST, body: list[ast.stmt] | list[ast.expr], region: Region, loop: bool = False) -> None:
        inner = self.regions[node] = Region(region, loop=loop)
        self._todo.extend((x, inner) for x in body)

    def _for(self, node: ast.For | ast.AsyncFor, region: Region) -> None:
        self._todo.extend((x, region) for x in [node.target, node.iter, *node.orelse])
        self._open(node, node.body, region, loop=True)

    def _while(self, node: ast.While, region: Region) -> None:
        self._todo.extend((x, region) for x in [node.test, *node.orelse])
        self._open(node, node.body, region, loop=True)

    def _comprehension(self, node: ast.AST, region: Region) -> None:
        # its targets are its own; what an assignment expression in it binds is not
        inner = Region(region)
        self._children(node, inner)
        for part in ast.walk(node):
            if isinstance(part, ast.NamedExpr):
                region.bind(part.target.id)

    def _import(self, node: ast.Import, region: Region) -> None:
        for alias in node.names:
            self.imports[alias.name] = None
            self._bind_import(alias.asname or alias.name.partition(".")[0], region)

    def _import_from(self, node: ast.ImportFrom, region: Region) -> None:
        module = "." * node.level + (node.module or "")
        self.imports[module] = None
        for alias in node.names:
            self.imports[f"{module}.{alias.name}" if node.module else module + alias.name] = None
            self._bind_import(alias.asname or alias.name, region)

    def _bind_import(self, name: str, region: Region) -> None:
        self.imported.add(name)
        region.bind(name)

    def _elsewhere(self, node: ast.Global | ast.Nonlocal, region: Region) -> None:
        scope = region
        while scope.loop and scope.parent is not None:
            scope.others.update(node.names)
            scope = scope.parent
        scope.others.update(node.names)

    def _handler(self, node: ast.ExceptHandler, region: Region) -> None:
        if node.name:
            region.bind(node.name)
        self._children(node, region)

    def _match(self, node: ast.MatchAs | ast.MatchStar, region: Region) -> None:
        if node.name:
            region.bind(node.name)
        self._children(node, region)

    def _call(self, node: ast.Call, region: Region) -> None:
        if isinstance(node.func, ast.Attribute) and node.func.attr.startswith("step"):
            region.step()
        self._children(node, region)

    def _augmented(self, node: ast.AugAssign, region: Region) -> None:
        if isinstance(node.op, ast.Add) and _one(node.value):
            self.counters.add(last_name(node.target))
        self._children(node, region)

    def _assign(self, node: ast.Assign, region: Region) -> None:
        value = node.value
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and _one(value.right):
            name = last_name(node.targets[0])
            if name and name == last_name(value.left):
                self.counters.add(name)
        self._children(node, region)


def _one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


#: What has nothing inside that binds, counts or steps.
_LEAVES = frozenset({ast.Constant, ast.Pass, ast.Break, ast.Continue, type(None), str, int, bool})
#: Fields that hold no statement, expression or pattern.
_OUTER = frozenset("arg asname attr cls conversion ctx id is_async kind kwd_attrs level module op ops simple".split())


class _Inner(dict[type[ast.AST], tuple[str, ...]]):
    """The other fields, by type of node."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        inner = [name for name in kind._fields if name not in {*_OUTER, "type_comment"}]
        fields = self[kind] = () if kind in _LEAVES else tuple(inner)
        return fields


_INNER = _Inner()

_VISITS: dict[type[ast.AST], Callable[..., None]] = {
    ast.Name: Outline._name,
    ast.FunctionDef: Outline._function,
    ast.AsyncFunctionDef: Outline._function,
    ast.ClassDef: Outline._class,
    ast.Lambda: Outline._lambda,
    ast.For: Outline._for,
    ast.AsyncFor: Outline._for,
    ast.While: Outline._while,
    **dict.fromkeys(_COMPREHENSIONS, Outline._comprehension),
    ast.Import: Outline._import,
    ast.ImportFrom: Outline._import_from,
    ast.Global: Outline._elsewhere,
    ast.Nonlocal: Outline._elsewhere,
    ast.ExceptHandler: Outline._handler,
    ast.MatchAs: Outline._match,
    ast.MatchStar: Outline._match,
    ast.Call: Outline._call,
    ast.AugAssign: Outline._augmented,
    ast.Assign: Outline._assign,
}

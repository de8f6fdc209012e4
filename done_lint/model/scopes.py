"""Names and the versions they have: the part of a survey that makes assignments new versions."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field


@dataclass(slots=True)
class Loop:
    """A loop under survey: head versions of the names it assigns, and what they are on the way back."""

    index: int
    heads: dict[str, int] = field(default_factory=dict)
    backs: dict[int, int] = field(default_factory=dict)
    breaks: list[dict[str, int]] = field(default_factory=list)
    continues: list[dict[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class Scope:
    """One module, class, function or comprehension."""

    kind: str
    parent: Scope | None
    assigned: frozenset[str] = frozenset()
    versions: dict[str, int] = field(default_factory=dict)
    #: Joins all versions of a name, for readers in other scopes.
    cells: dict[str, int] = field(default_factory=dict)
    function: int = -1
    owner: int = -1


_NEW_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def assigned_names(body: list[ast.stmt]) -> frozenset[str]:
    """Names that the statements bind in their own scope; `global` and `nonlocal` names are not among them."""
    names: set[str] = set()
    outer: set[str] = set()
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                names.add(node.id)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((a.asname or a.name.partition(".")[0]) for a in node.names)
            continue
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            outer.update(node.names)
            continue
        if isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        if isinstance(node, _COMPREHENSION):
            todo.extend(n for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
            continue
        todo.extend(ast.iter_child_nodes(node))
    return frozenset(names - outer)


def counters(tree: ast.AST) -> frozenset[str]:
    """Names that count: `n += 1`, `n = n + 1`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        target: ast.expr | None = None
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and _one(node.value):
            target = node.target
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.BinOp)
            and isinstance(node.value.op, ast.Add)
            and _one(node.value.right)
            and ast.dump(node.value.left) == ast.dump(node.targets[0]).replace("Store()", "Load()")
        ):
            target = node.targets[0]
        if target is not None and (name := last_name(target)):
            found.add(name)
    return frozenset(found)


def counter(loop: ast.For | ast.AsyncFor) -> str:
    """`n` of `for n in range(...)`, `for n, x in enumerate(...)`; empty for other loops."""
    target: ast.expr = loop.target
    if not isinstance(loop.iter, ast.Call):
        return ""
    name = last_name(loop.iter.func)
    if name == "enumerate" and isinstance(target, ast.Tuple) and target.elts:
        return last_name(target.elts[0])
    return last_name(target) if name in ("range", "trange", "count") else ""


def _one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c`, `c`, `c[i]`; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    return ""

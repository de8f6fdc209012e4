"""What a name means where it stands: a version of a variable, a cell that scopes share, or something external."""

from __future__ import annotations

import ast

from done_lint.flowgraph import external_names
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.keys import Key
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.scopes import Scope


def function_scope(b: Builder) -> Scope:
    """The scope at hand, without the comprehensions in it."""
    scope = b.names.scope
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    return scope


def lookup(b: Builder, name: str) -> Node:
    """The version of a name that is current here; a cell for names of outer scopes."""
    scope: Scope | None = b.names.scope
    while scope is not None and scope.kind == "comprehension":
        if (version := scope.versions.get(name)) is not None:
            return version
        scope = scope.parent
    if scope is not None and (version := scope.versions.get(name)) is not None:
        # what a function may have assigned by `global` is any of its versions
        return cell(b, scope, name) if scope.kind == "module" and name in b.outline.shared else version
    here = scope
    if scope is not None and scope.kind == "module" and b.result.page and not b.here.loops and name in scope.assigned:
        # an example that stands above it on the page is not about what a later one makes
        return external(b, f"builtins.{name}")
    while scope is not None:
        if name in scope.assigned and (scope.kind in ("module", "function") or scope is here):
            return cell(b, scope, name)
        scope = scope.parent
    module = _module(b)
    if (known := module.cells.get(name)) is not None:
        return known
    builtin = module.cells[name] = b.node()
    if b.names.stars and name not in external_names.BUILTINS:
        for starred, level in b.names.stars:
            b.declare(ops.Import(builtin, starred, name, level))
    else:
        b.declare(ops.External(builtin, f"builtins.{name}"))
    return builtin


def _module(b: Builder) -> Scope:
    scope = b.names.scope
    while scope.parent is not None:
        scope = scope.parent
    return scope


def cell(b: Builder, scope: Scope, name: str) -> Node:
    """The node that joins all versions of a name of a scope."""
    if name not in scope.cells:
        scope.cells[name] = b.node(name=name)
        unseen = scope.kind == "module" and name in b.names.unseen
        if (version := scope.versions.get(name)) is not None and not unseen:
            b.copy(version, scope.cells[name])
    return scope.cells[name]


def bind(b: Builder, name: str, value: Node, *, passing: bool = False) -> None:
    """Assign: the name's version is now `value`; `passing`: until another statement of the module, for that alone."""
    scope = b.names.scope
    owner: Scope | None = scope
    if scope.kind != "comprehension" and name not in scope.assigned and scope.kind != "module":
        # global or nonlocal
        owner = scope.parent
        while owner is not None and name not in owner.assigned:
            owner = owner.parent
        if owner is not None:
            b.copy(value, cell(b, owner, name))
            return
    scope.versions[name] = value
    if scope.kind == "module":
        (b.names.unseen.add if passing else b.names.unseen.discard)(name)
    if name in scope.cells and not passing:
        b.copy(value, scope.cells[name])
    elif scope.kind == "module" and not passing:
        if name in b.names.changing:
            b.copy(value, cell(b, scope, name))
        else:
            scope.cells[name] = value
    if b.here.slots.get(name, value) != value:
        del b.here.slots[name]


def external_name(b: Builder, e: ast.expr) -> str:
    """The dotted name of what is external for certain, `numpy.random.rand`; else empty."""
    root = e
    while type(root) is ast.Attribute:
        root = root.value
    if type(root) is not ast.Name or (dotted := b.names.external.get(root.id)) is None:
        return ""
    if _is_of_scopes(b, root.id):
        return ""
    b.names.read.add(root.id)
    attributes: list[str] = []
    while type(e) is ast.Attribute:
        if external_names.is_telling(e.attr):
            return ""
        attributes.append(e.attr)
        e = e.value
    if attributes:
        dotted = ".".join([dotted, *reversed(attributes)])
    return dotted if dotted.count(".") <= external_names.DEPTH else ""


def imported_name(b: Builder, e: ast.expr) -> str:
    """The dotted name of what the file has by one import of its own, `gymnasium.make`; else empty."""
    root, outline = e.value if isinstance(e, ast.Attribute) else e, b.outline
    if not isinstance(root, ast.Name) or root.id in outline.top.again or root.id in outline.shared:
        return ""
    if _is_of_scopes(b, root.id):
        return ""
    dotted = outline.absolute.get(root.id, "")
    return f"{dotted}.{e.attr}" if dotted and isinstance(e, ast.Attribute) else dotted


def named_key(b: Builder, e: ast.expr) -> Key | None:
    """The key that a name of the module stands for."""
    known = b.names.keys.get(e.id) if isinstance(e, ast.Name) else None
    return known if isinstance(e, ast.Name) and known is not None and not _is_of_scopes(b, e.id) else None


def _is_of_scopes(b: Builder, name: str) -> bool:
    """Whether a scope at hand below the module has a variable of a name."""
    scope = b.names.scope
    while scope.parent is not None:
        if name in scope.assigned or name in scope.versions:
            return True
        scope = scope.parent
    return False


def external(b: Builder, dotted: str) -> Node:
    """The one node of this file for an external name."""
    node = b.names.nodes.get(dotted)
    if node is None:
        node = b.names.nodes[dotted] = b.node(name=dotted.rpartition(".")[2])
        b.declare(ops.External(node, dotted))
    return node


def note_assigned(b: Builder, name: str, value: Node = 0) -> None:
    """An attribute is set in the class whose method is at hand, if not to None to that value; "*": any may be."""
    scope: Scope | None = b.names.scope
    while scope is not None and scope.owner < 0:
        scope = scope.parent
    if scope is not None:
        made = b.result.classes[scope.owner]
        made.assigned.add(name)
        if value:
            made.filled.add(name)


def is_module(b: Builder, e: ast.expr) -> bool:
    """`np`, `torch`, `tf.math`: an imported name, not a value."""
    while isinstance(e, ast.Attribute):
        e = e.value
    return isinstance(e, ast.Name) and e.id in b.outline.imported

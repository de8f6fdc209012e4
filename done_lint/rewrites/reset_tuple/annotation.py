"""The return annotation of a `reset`: `-> np.ndarray` becomes `-> tuple[np.ndarray, dict]`."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.typing_names import tuple_type
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.tree import Tree


def annotation_edits(tree: Tree, function: cst.FunctionDef) -> Edits:
    """Edits that put the observation's type into a pair; none where the annotation says pair already."""
    if function.returns is None:
        return ()
    old = function.returns.annotation
    kind, imported = tuple_type(tree)
    if isinstance(old, cst.SimpleString):
        inner = old.raw_value
        if _is_tuple(inner) or inner == "None":
            return ()
        text = f"{old.prefix}{old.quote}{kind}[{inner}, dict]{old.quote}"
        return (*replaced(tree, old, old.with_changes(value=text)), *imported)
    if _is_tuple(tree.source(old)) or _names_pair(tree, old) or (isinstance(old, cst.Name) and old.value == "None"):
        return ()
    pairs = [one for one in _alternatives(old) if _is_tuple(tree.source(one))]
    if len(pairs) == 1:
        return replaced(tree, old, pairs[0])
    elements = [cst.SubscriptElement(cst.Index(one)) for one in (old, cst.Name("dict"))]
    return (*replaced(tree, old, cst.Subscript(cst.parse_expression(kind), elements)), *imported)


def _alternatives(annotation: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The types of `Union[np.ndarray, Tuple[np.ndarray, dict]]`, and of `np.ndarray | tuple[np.ndarray, dict]`."""
    if isinstance(annotation, cst.BinaryOperation) and isinstance(annotation.operator, cst.BitOr):
        return [*_alternatives(annotation.left), *_alternatives(annotation.right)]
    if isinstance(annotation, cst.Subscript) and last_name(annotation.value) == "Union":
        parts = [one.slice for one in annotation.slice]
        return [one.value for one in parts if isinstance(one, cst.Index)]
    return [annotation]


def _is_tuple(text: str) -> bool:
    return text.partition("[")[0].rpartition(".")[2] in ("Tuple", "tuple") and _width(text) == 2


def _width(text: str) -> int:
    """How many types stand in the brackets of `tuple[...]`."""
    node = cst.parse_expression(text)
    return len(node.slice) if isinstance(node, cst.Subscript) else 0


def _names_pair(tree: Tree, node: cst.BaseExpression) -> bool:
    """An alias of the file that stands for a pair: `ResetReturn = Tuple[Obs, dict]`."""
    if not isinstance(node, cst.Name):
        return False
    for name in tree.scopes.bindings(tree.module, node.value):
        statement = tree.parents.get(tree.parents[name])
        if isinstance(statement, cst.Assign) and _is_tuple(tree.source(statement.value)):
            return True
    return False

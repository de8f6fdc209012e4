"""Comprehensions that are a list written out: `[[row[i] for row in batch] for i in range(5)]` is a list of five."""

from __future__ import annotations

import ast
import copy

#: Records have no more fields than this; more elements are a loop over time.
_FIELDS = 12


def columns_of(e: ast.ListComp) -> list[ast.expr] | None:
    """One expression for each number, if a comprehension takes the fields of rows by their number."""
    name, count = _counted(e)
    if not count or not _takes_fields(e.elt, name):
        return None
    return [_Numbered(name, number).visit(copy.deepcopy(e.elt)) for number in range(count)]


def repeated(e: ast.ListComp | ast.GeneratorExp) -> list[ast.expr]:
    """The element once for each time that it is made, if it does not depend on which time that is; or nothing."""
    name, count = _counted(e)
    reads = any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(e.elt))
    return [] if reads else [e.elt] * count


def goes_once(generators: list[ast.comprehension]) -> bool:
    """`for i in range(1)`, whatever is made there."""
    rows = generators[0].iter
    if len(generators) > 1 or not (isinstance(rows, ast.Call) and isinstance(rows.func, ast.Name)):
        return False
    return rows.func.id == "range" and [ast.unparse(one) for one in rows.args] in (["1"], ["0", "1"])


def _counted(e: ast.ListComp | ast.GeneratorExp) -> tuple[str, int]:
    """The name and the number of times of `for i in range(5)`; 0: it goes over something else, or not over all."""
    generator = e.generators[0]
    rows = generator.iter
    if len(e.generators) > 1 or generator.ifs or not isinstance(generator.target, ast.Name):
        return "", 0
    if not (isinstance(rows, ast.Call) and isinstance(rows.func, ast.Name) and rows.func.id == "range"):
        return "", 0
    count = rows.args[0].value if len(rows.args) == 1 and isinstance(rows.args[0], ast.Constant) else None
    return (generator.target.id, count) if isinstance(count, int) and 2 <= count <= _FIELDS else ("", 0)


def _takes_fields(element: ast.expr, number: str) -> bool:
    """Whether `number` picks from the rows that an inner comprehension goes through."""
    inner = [part for part in ast.walk(element) if isinstance(part, (ast.ListComp, ast.GeneratorExp))]
    rows = {made.target.id for part in inner for made in part.generators if isinstance(made.target, ast.Name)}
    return any(
        isinstance(part, ast.Subscript)
        and isinstance(part.value, ast.Name)
        and part.value.id in rows
        and isinstance(part.slice, ast.Name)
        and part.slice.id == number
        for part in ast.walk(element)
    )


class _Numbered(ast.NodeTransformer):
    """Puts a number in the place of a name."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace the name."""
        return ast.copy_location(ast.Constant(self.number), node) if node.id == self.name else node

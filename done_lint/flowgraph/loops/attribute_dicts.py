"""Dictionaries that a comprehension makes of attributes: `{name: getattr(self, name) for name in ("obs", "rewards")}`.

The names are written out, or are all fields of a dataclass, `for f in dataclasses.fields(self)`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence


def attributes_of(e: ast.DictComp, own: str, body: Sequence[ast.stmt]) -> ast.Dict | None:
    """The same dictionary written out; None: it is another one.

    Args:
        e: the comprehension.
        own: what the method around it calls its own instance; empty: there is none.
        body: that of the class.
    """
    generator, value = e.generators[0], e.value
    if len(e.generators) > 1 or not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return None
    if value.func.id != "getattr" or len(value.args) < 2 or ast.dump(value.args[1]) != ast.dump(e.key):
        return None
    owner = value.args[0]
    if not isinstance(owner, ast.Name) or not isinstance(generator.target, ast.Name):
        return None
    names = _names(e.key, generator, body if own and owner.id == own else ())
    if not names:
        return None
    keys: list[ast.expr | None] = [ast.copy_location(ast.Constant(name), e.key) for name in names]
    values = [ast.copy_location(ast.Attribute(owner, name, ast.Load()), value) for name in names]
    return ast.copy_location(ast.Dict(keys, list[ast.expr](values)), e)


def _names(key: ast.expr, generator: ast.comprehension, body: Sequence[ast.stmt]) -> list[str]:
    """What the comprehension goes over; of fields that are picked all."""
    rows, target = generator.iter, ast.unparse(generator.target)
    if isinstance(rows, (ast.Tuple, ast.List, ast.Set)) and isinstance(key, ast.Name) and key.id == target:
        texts = [one.value for one in rows.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        return texts if len(texts) == len(rows.elts) and not generator.ifs else []
    if not isinstance(rows, ast.Call) or ast.unparse(rows.func) not in ("fields", "dataclasses.fields"):
        return []
    annotated = (one.target for one in body if isinstance(one, ast.AnnAssign))
    return [one.id for one in annotated if isinstance(one, ast.Name) and ast.unparse(key) == f"{target}.name"]

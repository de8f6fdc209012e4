"""Names of a module that stand for one place or key each: `DONE = 4`, `OBS, REWARD, DONE = range(3)`, `MASK = "mask"`.

What is read with such a name, `row[DONE]`, is read with its constant.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from done_lint.flowgraph.keys import IndexKey, Key, TextKey

#: Rows have fewer fields.
_MOST = 50


def constant_keys(tree: ast.Module, changing: Collection[str]) -> dict[str, Key]:
    """The keys by the names of them; `changing` are those that are bound more than once, or by functions too."""
    # a script binds its own below `if __name__ == "__main__"`
    outer = [inner for one in tree.body for inner in ((*one.body, *one.orelse) if isinstance(one, ast.If) else (one,))]
    bound = (statement for statement in outer if isinstance(statement, ast.Assign) and len(statement.targets) == 1)
    found = (named for statement in bound for named in _named(statement.targets[0], statement.value))
    return {name: key for name, key in found if name not in changing}


def constant_key(e: ast.expr) -> Key | None:
    """The key that a constant is."""
    if isinstance(e, ast.Constant) and isinstance(e.value, str):
        return TextKey(e.value)
    if isinstance(e, ast.Constant) and isinstance(e.value, int):
        return IndexKey(e.value)
    if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
        key = constant_key(e.operand)
        return IndexKey(-key.position) if isinstance(key, IndexKey) else None
    return None


def _named(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, Key]]:
    if isinstance(target, ast.Name):
        if (known := constant_key(value)) is not None:
            yield target.id, known
    elif isinstance(target, (ast.Tuple, ast.List)):
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        places = _places(value)
        if places is not None and len(names) == len(target.elts) == len(places):
            yield from zip(names, places)


def _places(value: ast.expr) -> list[Key] | None:
    """What several names take: `range(5)`, or constants in a row."""
    if isinstance(value, (ast.Tuple, ast.List)):
        keys = [constant_key(one) for one in value.elts]
        known = [one for one in keys if one is not None]
        return known if len(known) == len(keys) else None
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.func.id != "range":
        return None
    end = constant_key(value.args[0]) if len(value.args) == 1 else None
    return [IndexKey(one) for one in range(min(end.position, _MOST))] if isinstance(end, IndexKey) else None

"""Whether a file writes numpy's integers as JSON once its import moves: samples of actions, and sizes of spaces.

`json.dump({"actions": env.action_space.n}, file)` raises `TypeError` for what is no `int` (see `sampled_integers`).
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.facts.facts import Facts
from done_lint.rewrites.sampled_integers import is_of_space
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import dotted
from done_lint.syntax.tree import Tree

_WRITING = frozenset({"json.dump", "json.dumps"})
#: Arguments that may say what becomes of other values.
_CONVERTING = frozenset({"default", "cls"})
#: What makes a container of the same values.
_KEEPING = frozenset({"dict", "list", "tuple"})
#: Methods that put their argument into a container.
_PUTTING = frozenset({"append", "insert", "extend"})


def writes_integers(tree: Tree, facts: Facts) -> bool:
    """Whether such an integer may stand in what the file writes, by itself or in a list, a tuple or a dictionary."""
    calls = [one for one in tree.of_type(cst.Call) if dotted(one.func) in _WRITING and one.args]
    calls = [one for one in calls if not any(keyword(given) in _CONVERTING or given.star for given in one.args)]
    if not calls:
        return False
    names = _names(tree, facts)
    return any(_has(tree, facts, one.args[0].value, names) for one in calls)


def _names(tree: Tree, facts: Facts) -> frozenset[str]:
    """The variables that hold such an integer, or a container with one."""
    puts = list(_puts(tree))
    names = frozenset[str]()
    while more := frozenset(name for name, value in puts if name not in names and _has(tree, facts, value, names)):
        names |= more
    return names


def _puts(tree: Tree) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The names that are given something, or whose object is, and what: `name = value`, `name[key] = value`."""
    for assign in tree.of_type(cst.Assign):
        for one in assign.targets:
            if name := _owner(one.target):
                yield name, assign.value
    for call in tree.of_type(cst.Call):
        putting = isinstance(call.func, cst.Attribute) and call.func.attr.value in _PUTTING and bool(call.args)
        if putting and isinstance(call.func, cst.Attribute) and (name := _owner(call.func.value)):
            yield name, call.args[-1].value


def _owner(value: cst.BaseExpression) -> str:
    """`rows` of `rows`, `rows[key]`; empty for anything else."""
    while isinstance(value, cst.Subscript):
        value = value.value
    return value.value if isinstance(value, cst.Name) else ""


def _has(tree: Tree, facts: Facts, value: cst.BaseExpression, names: frozenset[str]) -> bool:
    """Whether such an integer is a value, or stands in one; a call may make anything else of it: `int(n)`."""
    if isinstance(value, cst.Name):
        return value.value in names
    if isinstance(value, cst.Attribute):
        return value.attr.value == "n" and is_of_space(facts, tree, value.value)
    if isinstance(value, cst.Call):
        if isinstance(value.func, cst.Attribute) and value.func.attr.value == "sample":
            return is_of_space(facts, tree, value.func.value)
        kept = dotted(value.func) in _KEEPING
        return kept and any(_has(tree, facts, one.value, names) for one in value.args)
    if isinstance(value, cst.Dict):
        return any(_has(tree, facts, one.value, names) for one in value.elements)
    if isinstance(value, (cst.List, cst.Tuple)):
        return any(_has(tree, facts, one.value, names) for one in value.elements)
    if isinstance(value, cst.ListComp):
        return _has(tree, facts, value.elt, names)
    return False

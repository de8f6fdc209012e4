"""Games that end when each of their places is taken: there is no action left, and that is the real end."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.rewrites.env_methods import own_name
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

_SPACE = "action_space"
#: What makes an array of so many numbers.
_FILLED = frozenset({"full", "zeros", "ones", "empty"})
#: So many dimensions has a board of rows and columns.
_PLANE = 2


def is_full(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, counter: str) -> bool:
    """Whether a limit is the number of actions, and each step writes into the place that its action names."""
    owner = next((one for one in tree.ancestors(method) if isinstance(one, cst.ClassDef)), None)
    if owner is None or len(limit.comparisons) != 1:
        return False
    own = own_name(method)
    sides = {tree.source(limit.left), tree.source(limit.comparisons[0].comparator)} - {f"{own}.{counter}"}
    # `self.places = places`, where there are `Discrete(places)` actions
    sides |= {
        tree.source(statement.value)
        for statement in tree.inside(cst.Assign, owner)
        if any(tree.source(one.target) in sides for one in statement.targets) and isinstance(statement.value, cst.Name)
    }
    places = {f"{own}.{_SPACE}.n", *_numbers_of_actions(tree, owner), *_numbers_of_places(tree, owner)}
    return bool(sides & places) and _fills(tree, owner)


def _numbers_of_places(tree: Tree, owner: cst.ClassDef) -> Iterator[str]:
    """`self.rows * self.columns` of `self.board = np.zeros((self.rows, self.columns))`, which may be its size."""
    for statement in tree.inside(cst.Assign, owner):
        value = statement.value
        if not (isinstance(value, cst.Call) and value.args and last_name(value.func) in _FILLED):
            continue
        shape = value.args[0].value
        if not isinstance(shape, (cst.Tuple, cst.List)) or len(shape.elements) != _PLANE:
            continue
        yield from (f"{tree.source(one.target)}.size" for one in statement.targets)
        one, other = (tree.source(part.value) for part in shape.elements)
        yield from (f"{one} * {other}", f"{other} * {one}", *([f"{one} ** 2", f"{one}**2"] if one == other else ()))
        if one.isdigit() and other.isdigit():
            yield str(int(one) * int(other))


def _numbers_of_actions(tree: Tree, owner: cst.ClassDef) -> set[str]:
    """`9` of `self.action_space = spaces.Discrete(9)`, or of as many actions as `self.board` has places."""
    found: set[str] = set()
    for statement in tree.inside(cst.Assign, owner):
        value = statement.value
        named = any(last_name(one.target) == _SPACE for one in statement.targets)
        if named and isinstance(value, cst.Call) and last_name(value.func) == "Discrete" and value.args:
            count = value.args[0].value
            found.add(tree.source(count))
            if isinstance(count, cst.Call) and is_name(count.func, "len") and len(count.args) == 1:
                found |= set(_lengths(tree, owner, tree.source(count.args[0].value)))
    return found


def _lengths(tree: Tree, owner: cst.ClassDef, name: str) -> Iterator[str]:
    """`9` of `self.board = np.full(9, -1)`."""
    for statement in tree.inside(cst.Assign, owner):
        value = statement.value
        if isinstance(value, cst.Call) and value.args and last_name(value.func) in _FILLED:
            yield from (
                tree.source(value.args[0].value) for one in statement.targets if tree.source(one.target) == name
            )


def _fills(tree: Tree, owner: cst.ClassDef) -> bool:
    """Whether `step` writes at an index that it has from its action: `self.board[action // 3, action % 3] = 1`."""
    steps = (one for one in owner.body.body if isinstance(one, cst.FunctionDef) and one.name.value == "step")
    for step in steps:
        names = {one.name.value for one in step.params.params[1:2]}
        assigned = list(tree.inside(cst.Assign, step))
        for statement in assigned:
            if _mentions(tree, statement.value, names):
                names |= {name for one in statement.targets for name in _variables(one.target)}
        places = (one.target for statement in assigned for one in statement.targets)
        if any(isinstance(one, cst.Subscript) and _indexed_by(tree, one, names) for one in places):
            return True
    return False


def _variables(target: cst.BaseExpression) -> Iterator[str]:
    """The names that `row, column = divmod(action, 3)` binds."""
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _variables(element.value)


def _indexed_by(tree: Tree, place: cst.Subscript, names: set[str]) -> bool:
    """Whether some index of `self.board[row][column]` is made of these names."""
    inner: cst.BaseExpression = place
    while isinstance(inner, cst.Subscript):
        if any(_mentions(tree, element, names) for element in inner.slice):
            return True
        inner = inner.value
    return False


def _mentions(tree: Tree, node: cst.CSTNode, names: set[str]) -> bool:
    return any(isinstance(one, cst.Name) and one.value in names for one in tree.descend(node))

"""What the handlers of a `try` are there for."""

from __future__ import annotations

import ast

from done_lint.flowgraph.ast_text import last_name

_OF_LENGTH = ("ValueError", "TypeError")
#: What a handler catches that is there for any error; empty: it names nothing.
_OF_ANYTHING = ("", "Exception", "BaseException")
#: How functions are called that end the program.
_EXITS = frozenset({"exit", "quit", "_exit"})
#: A `try` around more statements than these is not there for one of them.
_FEW = 3


def expects_another_length(body: list[ast.stmt], handler: ast.ExceptHandler) -> bool:
    """Whether a handler is there for a result of another length: it takes that in another way, or notes it.

    One that raises again or leaves is none, and a `try` around much more may be there for any error.
    """
    caught = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} if handler.type else {""}
    if caught.isdisjoint((*_OF_LENGTH, *_OF_ANYTHING)) or gives_up(handler.body[-1]):
        return False
    inside = [node for statement in handler.body for node in ast.walk(statement)]
    tried = [node for statement in body for node in ast.walk(statement)]
    if _widths(inside, of_values=True) & _widths(tried, of_values=False):
        return False  # values in the place of those of a call that fails for a reason of its own
    unpacked = {_taken(one.value) for one in tried if isinstance(one, ast.Assign) and _is_tuple(one)} - {""}
    if not unpacked.isdisjoint(_taken(node) for node in inside if isinstance(node, (ast.Name, ast.Attribute))):
        return True
    if sum(isinstance(node, ast.stmt) for node in tried) > _FEW:
        return False
    notes = not caught.isdisjoint(_OF_LENGTH) and any(isinstance(one, (ast.Assign, ast.AnnAssign)) for one in inside)
    return notes or any(map(_unpacks, inside))


def gives_up(last: ast.stmt) -> bool:
    """Whether the last statement of a handler raises, leaves the function or the loop, or ends the program."""
    if isinstance(last, ast.Return):
        return last.value is None or (isinstance(last.value, ast.Constant) and last.value.value is None)
    return isinstance(last, ast.Break) or ends_program(last)


def ends_program(last: ast.stmt) -> bool:
    """Whether the last statement of a handler raises, or ends the program."""
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return last_name(last.value.func) in _EXITS
    return isinstance(last, ast.Raise)


def _taken(value: ast.expr) -> str:
    """`step` of `env.step(action)`, `result` of `result` and of `result[:4]`."""
    while isinstance(value, (ast.Subscript, ast.Call)):
        value = value.value if isinstance(value, ast.Subscript) else value.func
    return last_name(value) if isinstance(value, (ast.Name, ast.Attribute)) else ""


def _widths(nodes: list[ast.AST], *, of_values: bool) -> set[int]:
    """How many values assignments take apart, of values that are written there, or of all others."""
    taken = [one for one in nodes if isinstance(one, ast.Assign) and _is_tuple(one)]
    targets = [one.targets[0] for one in taken if isinstance(one.value, ast.Tuple) is of_values]
    return {len(one.elts) for one in targets if isinstance(one, ast.Tuple)}


def _is_tuple(assignment: ast.Assign) -> bool:
    return any(isinstance(target, ast.Tuple) for target in assignment.targets)


def _unpacks(node: ast.AST) -> bool:
    """`env.step(action)`, `obs, info = result`, `obs = result[0]`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in ("step", "reset")
    return isinstance(node, ast.Assign) and (isinstance(node.value, ast.Subscript) or _is_tuple(node))

"""Functions that JAX calls once a step: `jax.lax.scan(step, start, rows)`.

jax 0.8, `jax.lax.scan`: `step(carry, row)` returns the next carry and a row of results. It is the body of a loop that
carries its first parameter, or the parts that it takes it apart into, and gets them back from the first value that it
returns.
"""

from __future__ import annotations

import ast

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Function
from done_lint.flowgraph.scopes import Loop


def scanned(tree: ast.Module, text: str) -> frozenset[str]:
    """The names of the functions of a file that are given to a scan."""
    if "scan(" not in text or "jax" not in text:
        return frozenset()
    calls = (one for one in ast.walk(tree) if isinstance(one, ast.Call) and last_name(one.func) == "scan")
    first = (_function(call.args[0]) for call in calls if call.args)
    return frozenset(one.id for one in first if isinstance(one, ast.Name))


def _function(given: ast.expr) -> ast.expr:
    """`step` of `partial(step, gamma=gamma)`; an argument by its place would stand where the carry does."""
    is_partial = isinstance(given, ast.Call) and last_name(given.func) == "partial" and len(given.args) == 1
    return given.args[0] if isinstance(given, ast.Call) and is_partial else given


def visit_body(b: Builder, s: ast.FunctionDef | ast.AsyncFunctionDef, function: Function) -> None:
    """Read the statements of a function, which are the body of a loop if it is given to a scan."""
    if s.name not in b.scanned or len(function.params) < 2 or function.owner >= 0:
        b.block(s.body)
        return
    function.scanned = True
    (name, carry), *_ = function.params
    loop = Loop(len(b.loops), first=carry)
    b.result.loop_spans.append(b.span(s))
    b.loops.append(loop)
    b.here.loops.append(loop)
    loop.heads[name] = carry
    b.carries[carry] = loop
    b.block(s.body)
    _leave(b, loop, function)


def take_apart(b: Builder, carry: Node, parts: list[Node]) -> None:
    """What a function takes the carry apart into, it gets back one by one."""
    if (loop := b.carries.get(carry)) is not None:
        loop.heads = {str(position): part for position, part in enumerate(parts)}


def _leave(b: Builder, loop: Loop, function: Function) -> None:
    """End the loop: what the last `return` gives first comes back."""
    b.here.loops.pop()
    _, result, _ = function.outcomes[-1] if function.outcomes else (None, b.nothing, None)
    returned = _elements(b, result)
    carry = returned[0] if len(returned) == 2 else b.nothing
    heads = [*loop.heads.values()]
    parts = _elements(b, carry)
    for head, back in zip(heads, parts if len(parts) == len(heads) else [carry] * len(heads)):
        if back:
            loop.backs[head] = back
            loop.starts[head] = b.nothing


def _elements(b: Builder, node: Node) -> list[Node]:
    """The elements of a tuple that is written out."""
    for operation in reversed(b.result.operations) if node else ():
        if isinstance(operation, ops.Allocate) and operation.target == node:
            return [element for element, _ in operation.elements]
    return []

"""Branches that leave what they stand in: `if done: q[a] = r; break`, and behind it `q[a] = r + gamma * v`.

Such a branch is one arm of an `if`, and what follows it the other, as far as both write to the same place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeVar

from done_lint.flowgraph.ast_text import unparsed
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Branch

Writing = TypeVar("Writing", ast.Assign, ast.AugAssign, ast.Expr)


def note_leaving(b: Builder, s: ast.If, test: Node, products: tuple[int, ...]) -> None:
    """Remember the places that a branch writes to before it leaves; `products` are those that it computes."""
    if not test or s.orelse or len(s.body) < 2 or not isinstance(s.body[-1], (ast.Break, ast.Continue, ast.Return)):
        return
    arm = Branch(test, b.span(s.test), products, ())
    b.here.left = {**b.here.left, **{place: arm for line in s.body for place in _places(line)}}


def _places(s: ast.stmt) -> Iterator[str]:
    """What a statement writes to; a function writes to the same place if one argument alone is another."""
    if isinstance(s, ast.Assign):
        yield from (unparsed(one) for one in s.targets)
    elif isinstance(s, ast.AugAssign):
        yield unparsed(s.target)
    elif isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and len(s.value.args) > 1 and not s.value.keywords:
        given = [unparsed(one) for one in s.value.args]
        for place in range(len(given)):
            yield f"{unparsed(s.value.func)}({', '.join([*given[:place], '?', *given[place + 1 :]])})"


def other_arm(visit: Callable[[Builder, Writing], None]) -> Callable[[Builder, Writing], None]:
    """A visitor that sees, too, whether a statement writes a discounted value where a branch that left wrote."""

    def visited(b: Builder, s: Writing) -> None:
        first = len(b.result.products)
        visit(b, s)
        arms = [arm for place in _places(s) if (arm := b.here.left.get(place)) is not None] if b.here.left else []
        if arms and (parts := discounted_parts(b, s.value, first)):
            b.result.branches += (Branch(arm.test, arm.span, arm.body, parts) for arm in arms)

    return visited


def discounted_parts(b: Builder, value: ast.expr, first: int) -> tuple[int, ...]:
    """The discounted values that an expression is made of; `first` is the number of the first product in it."""
    made = range(first, len(b.result.products))
    parts = [number for number in made if b.result.products[number].discounted]
    for name in ast.walk(value):
        if isinstance(name, ast.Name):
            parts += b.trail.parts(b.names.scope.versions.get(name.id, b.nothing))
    return tuple(dict.fromkeys(parts))

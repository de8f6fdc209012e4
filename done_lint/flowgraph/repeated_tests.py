"""Branches that ask again what an earlier branch asked: there, a name has the version that the same answer left.

`if args.train: envs = many() else: envs = one()`, and later `if not args.train: evaluate(envs)`: only `one()` can stand
there. What is asked is a name, or an attribute of one that the file sets nowhere; other parts of a test do not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from done_lint.flowgraph.ast_text import unparsed
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.narrowing import parts_alike
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.scopes import Answers, Choice


def answers(b: Builder, test: ast.expr, holds: bool) -> Answers:
    """What is known to be true and false on one side of a test: each with the version of the name that is asked."""
    return frozenset(_answers(b, test, holds))


def _answers(b: Builder, test: ast.expr, holds: bool) -> Iterator[tuple[str, Node, bool]]:
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, holds = test.operand, not holds
    for part in parts_alike(test, holds):
        yield from _answers(b, part, holds)
    asked = test
    while isinstance(asked, ast.Attribute):
        if asked.attr in b.outline.set_attributes:
            return
        asked = asked.value
    if isinstance(asked, ast.Name) and (version := b.names.scope.versions.get(asked.id)):
        yield unparsed(test), version, holds


def note_choice(b: Builder, node: Node, sides: tuple[Answers, Answers], versions: tuple[Node, Node]) -> None:
    """Remember by what answers a version was chosen."""
    if any(sides):
        b.names.choices[node] = Choice(sides, versions)


def chosen_there(b: Builder, known: Answers, versions: dict[str, Node]) -> dict[str, Node]:
    """The versions on a side of a test, without those that its answers exclude."""
    if not known or b.names.choices.keys().isdisjoint(versions.values()):
        return versions
    opposite = {(text, version, not holds) for text, version, holds in known}
    found = {}
    for name, node in versions.items():
        while (choice := b.names.choices.get(node)) is not None:
            body, orelse = (not side.isdisjoint(opposite) for side in choice.sides)
            if body is orelse:
                break
            node = choice.versions[body]
        if node != versions[name]:
            found[name] = node
    return {**versions, **found} if found else versions


def restored(after: dict[str, Node], there: dict[str, Node], before: dict[str, Node]) -> dict[str, Node]:
    """Behind such a side, what it did not bind anew is what it was before."""
    if there is before:
        return after
    changed = {name for name, node in there.items() if before.get(name) != node}
    return {name: before[name] if name in changed and node == there[name] else node for name, node in after.items()}

"""Attributes of which the text tells what they hold: `self.done = False`, and behind it `return State(self.done)`.

An attribute is one field for all methods, so what `step` puts there would arrive at every read. Where the same block
has just set it to a constant, nothing else can be read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node


def settle(b: Builder, owner: Node, target: ast.Attribute, value: Node) -> None:
    """An attribute is set: of any object that has one of that name it is no longer known, but of this one it may be."""
    kept = {key: known for key, known in b.here.settled.items() if key[1] != target.attr}
    if isinstance(target.value, ast.Name) and isinstance(b.known.numbers.get(value), bool):
        kept[owner, target.attr] = value
    b.here.settled = kept
    if b.here.narrowed:
        b.here.narrowed = {key: known for key, known in b.here.narrowed.items() if key[1] != target.attr}


def settled(b: Builder, owner: Node, name: str) -> Node:
    """The constant that an attribute holds here; 0: it is not known."""
    return b.here.settled.get((owner, name), b.nothing)


def unsettle(b: Builder, nodes: Iterable[Node]) -> None:
    """What is called has these objects at hand, and may set their attributes."""
    if b.here.settled:
        owners = set(nodes)
        b.here.settled = {key: known for key, known in b.here.settled.items() if key[0] not in owners}

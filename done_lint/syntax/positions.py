"""Where the nodes of a parsed file stand, as character offsets.

LibCST's own provider writes the code anew to see where each node comes to stand, and looks for newlines in every token.
Here only lengths are added up.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst
from libcst._nodes.internal import CodegenState
from libcst.metadata import MetadataWrapper, PositionProvider

from done_lint.core.text import Lines

Offsets = tuple[int, int]


def positions(module: cst.Module, lines: Lines) -> Mapping[int, Offsets]:
    """First and last offset of every node of a module, by its `id`, without enclosing parentheses.

    `lines` are those of its text. The nodes themselves are slow keys: LibCST computes their hash in Python.
    """
    state = _Lengths(module.default_indent, module.default_newline)
    module._codegen(state)
    if state.length == len(lines.text):
        return state.found
    # LibCST has left out something of the text: rows and columns are right all the same
    found = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    return {
        id(node): (lines.offset(place.start.line, place.start.column), lines.offset(place.end.line, place.end.column))
        for node, place in found.items()
    }


class _Lengths(CodegenState):
    """Adds up the lengths of the tokens that LibCST would write."""

    def __init__(self, default_indent: str, default_newline: str) -> None:
        # a module asks whether there is any token
        super().__init__(default_indent, default_newline, tokens=[""])
        self.length = 0
        self.found: dict[int, Offsets] = {}
        self._starts: list[int] = []
        self._last = 0

    def add_indent_tokens(self) -> None:
        self.length += sum(map(len, self.indent_tokens))

    def add_token(self, value: str) -> None:
        self._last = len(value)
        self.length += self._last

    def pop_trailing_newline(self) -> None:
        self.length -= self._last

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._starts.append(self.length)

    def after_codegen(self, node: cst.CSTNode) -> None:
        # where a node stands in parentheses it has said so by itself
        self.found.setdefault(id(node), (self._starts.pop(), self.length))

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> _Recording:
        return _Recording(self, node, start_node, end_node)


class _Recording:
    """Notes where a node begins and ends, without what belongs to it only in form."""

    __slots__ = ("_end_node", "_node", "_start", "_start_node", "_state")

    def __init__(
        self, state: _Lengths, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None
    ) -> None:
        self._state, self._node, self._start_node, self._end_node = state, node, start_node, end_node

    def __enter__(self) -> None:
        self._start = self._state.length

    def __exit__(self, *error: object) -> None:
        found = self._state.found
        start = self._start if self._start_node is None else found[id(self._start_node)][0]
        end = self._state.length if self._end_node is None else found[id(self._end_node)][1]
        found[id(self._node)] = (start, end)

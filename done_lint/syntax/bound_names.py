"""Which bindings of a name can arrive where it is read: a plain look at one text, to compare it with the text before.

The standard library's `symtable` says which scope binds a name, not which binding arrives, and the chains of `beniget`
have no path without a binding, nor all bindings that a function may meet when it is called.
It knows nothing of values. `Names.reads` has every read of a name that its scope binds, with the statements that may
have bound it last; `UNBOUND` is among them where some path leads there without any.
"""

from __future__ import annotations

import ast
import builtins
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property

from done_lint.core.text import Lines

#: In place of a statement: nothing has bound the name, or it was deleted.
UNBOUND = -1


@dataclass(frozen=True, slots=True)
class Read:
    """A name that is read."""

    name: str
    offset: int
    #: Where the statements begin that may have bound it last.
    sources: frozenset[int]

    @property
    def possibly_unbound(self) -> bool:
        """Some path leads here on which nothing has bound the name."""
        return UNBOUND in self.sources


@dataclass
class Names:
    """The reads of one text, and its statements."""

    reads: dict[int, Read] = field(default_factory=dict)
    #: Start and end of each simple statement, and of the head of each compound one, sorted.
    statements: list[tuple[int, int]] = field(default_factory=list)
    #: Those that give a name another value than what a parameter, an import, a function or a class is called.
    assigning: set[int] = field(default_factory=set)

    def statement(self, offset: int) -> int:
        """Where the innermost statement begins that an offset is in, or that ends before it."""
        return self.extent(offset)[0]

    def extent(self, offset: int) -> tuple[int, int]:
        """Start and end of that statement, or of its head."""
        place = bisect_left(self.statements, (offset + 1,))
        return self.statements[place - 1] if place else (UNBOUND, UNBOUND)

    def read_in(self, statement: int) -> list[Read]:
        """What a statement reads."""
        _, end = self.extent(statement)
        offsets = self._offsets
        return [self.reads[offset] for offset in offsets[bisect_left(offsets, statement) : bisect_left(offsets, end)]]

    @cached_property
    def by_binding(self) -> dict[tuple[str, int], list[Read]]:
        """The reads of a name that a statement may have bound last."""
        found: dict[tuple[str, int], list[Read]] = {}
        for read in self.reads.values():
            for source in read.sources:
                found.setdefault((read.name, source), []).append(read)
        return found

    @cached_property
    def possibly_unbound(self) -> list[Read]:
        """The reads that may find no value, in order."""
        return [self.reads[offset] for offset in self._offsets if self.reads[offset].possibly_unbound]

    @cached_property
    def _offsets(self) -> list[int]:
        return sorted(self.reads)


_BUILTIN = frozenset((*dir(builtins), "__file__", "__name__", "__doc__", "__class__", "__path__", "__spec__"))


class Recorder:
    """Notes the reads of one text by their offsets."""

    def __init__(self, names: Names, lines: Lines, *, everything: bool) -> None:
        """`everything`: the text imports `*`, so that any name may be bound."""
        self.names = names
        self._lines = lines
        self._everything = everything

    def start(self, node: ast.expr | ast.stmt | ast.arg | ast.excepthandler | ast.pattern) -> int:
        """Where a node begins, in characters from the start of the text."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Where a node ends."""
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, row: int, column: int) -> int:
        text = self._lines.row(row)
        if not text.isascii():
            column = len(text.encode()[:column].decode(errors="ignore"))
        return self._lines.offset(row, column)

    def read(self, name: str, offset: int, sources: frozenset[int]) -> None:
        """Note a read; a loop is looked at more than once."""
        known = self.names.reads.get(offset)
        joined = known.sources | sources if known is not None else sources
        self.names.reads[offset] = Read(name, offset, joined)

    def unknown(self, name: str) -> bool:
        """Nothing in the file binds this name, nor Python itself."""
        return not self._everything and name not in _BUILTIN

"""Rows made of others: spread into one, made longer, cut off, filled key by key; each element keeps its place."""

from __future__ import annotations

from done_lint.analysis.solver import ALL, MARKS
from done_lint.analysis.transfer.environments import LibraryCalls
from done_lint.analysis.values import Object, Shape
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY, IndexKey, Key
from done_lint.flowgraph.schema import Survey

#: From this position on, what is spread into an object has no place of its own: `return (x, *rest())` has no end.
_WIDEST = 32


class Rows(LibraryCalls):
    """The part of the solver that knows where the elements of one object stand in another."""

    def spread(self, node: int, owner: int, start: int | None = 0) -> None:
        """`[*x]`, `{**x}`: the elements of x become elements of the owner, from position `start` on."""

        def react(number: int) -> None:
            if isinstance(self.value(number), Object):
                self._join_elements(number, owner, start)

        self.watch(node, react)

    def _join_elements(self, number: int, owner: int, start: int | None) -> None:
        """The elements of one object become elements of another, from position `start` on."""

        def place(key: Key) -> Key:
            if not isinstance(key, IndexKey):
                return key
            known = start is not None and 0 <= key.position < _WIDEST - start
            return IndexKey(key.position + start) if start is not None and known else ANY

        self.each_field(number, lambda key, field: self.edge(field, self.field(owner, place(key)), ALL, "load"))

    def w_update(self, s: Survey, n: int, number: int, op: ops.Update) -> None:
        value = self.value(number)
        if isinstance(value, Object) and value.shape in (Shape.DICT, Shape.RECORD):
            self.spread(n + op.source, number)

    def cut_off(self, number: int, start: int, target: int, source: int) -> None:
        """`source[start:]`: the elements of a tuple move; of anything else it is the same once more."""
        length = self.widths.get(number)
        if not start or length is None:
            self.add(target, number, source, number)
            return
        first = max(start + length, 0) if start < 0 else start
        rest = self.intern(Object(target, Shape.TUPLE))
        self.add(target, rest)

        def move(key: Key, field: int) -> None:
            if not isinstance(key, IndexKey):
                self.edge(field, self.field(rest, key), ALL, "load")
            elif key.position >= first:
                self.edge(field, self.field(rest, IndexKey(key.position - first)), ALL, "load")

        self.each_field(number, move)

    def j_longer(self, s: Survey, n: int, op: ops.Longer) -> None:
        """`row + [reward, done]`: behind a row whose length is known, each element has its own place.

        Any other list goes on as it is, and so does what is put behind it.
        """
        before, more = (n + a for a in op.inputs)
        self.edge(before, n + op.result, MARKS)

        def react(number: int) -> None:
            value = self.value(number)
            if not isinstance(value, Object) or self._lengthen(number, more, n + op.result):
                return
            if value.shape in (Shape.LIST, Shape.MANY):
                self.add(n + op.result, number, before, number)

        def evaluate() -> None:
            if not any(self.lengths.get(number) for number in self.held[before]):
                for number in self.all(more, Object):
                    self.add(n + op.result, number, more, number)

        self.watch(before, react)
        self.narrowing(n + op.result, (before, more), evaluate)

    def _lengthen(self, row: int, more: int, target: int) -> bool:
        """A new row of the elements of one and of what a node holds, if it is known how long the first one is."""
        if not (length := self.lengths.get(row, 0)):
            return False
        whole = self.intern(Object(target, self.get(row, Object).shape))
        parts = {row} | self.shorter.get(row, set())
        if whole not in parts:  # it may come back, through an attribute: `self.row += [...]`
            self.shorter.setdefault(whole, set()).update(parts)
            self._join_elements(row, whole, 0)
            self.spread(more, whole, length)
            for number in self.all(more, Object):
                self.lengths.setdefault(whole, length + self.lengths.get(number, 0))
            self.add(target, whole)
        return True

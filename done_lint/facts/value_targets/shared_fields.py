"""Fields of records and objects that several places of a program write: they say one thing, or the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import ClassRef, Instance, Object, Place, RecordClass, Shape
from done_lint.flowgraph.keys import AttributeKey, TextKey

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis
    from done_lint.core.findings import Span
    from done_lint.facts.kinds.flags import Sink


class _Field(NamedTuple):
    """A field of a class, by the number of the class (of its instance, where it is no record)."""

    owner: int
    name: str


class SharedFields:
    """Doubts a store in such a field, where another one stays as it is."""

    def __init__(self, analysis: Analysis, running: CallGraph) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._running = running
        self._kinds = analysis.solver.of_kinds(ClassRef, RecordClass)

    def doubt(self, found: dict[str, dict[Span, Sink]]) -> None:
        """Doubt such stores among these sinks; a doubt about one is a doubt about the others."""
        if not any(sink.kind == "store" for sinks in found.values() for sink in sinks.values()):
            return
        written = self._written()
        waiting = list(written) if any(len(places) > 1 for places in written.values()) else []
        while waiting:
            field = waiting.pop()
            for place in written[field]:
                sink = found.get(place.path, {}).get(place.span)
                if sink is None or not _is_fixed(sink):
                    continue
                others = (one for one, source in written[field].items() if self._running.with_file(source, place.path))
                kept = next((one for one in others if not _is_fixed(found.get(one.path, {}).get(one.span))), None)
                if kept is not None:
                    at = f"{PurePath(kept.path).name}:{kept.span.row}"
                    reason = f"the field `{field.name}` is also written at {at}, where it keeps truncations"
                    found[place.path][place.span] = replace(sink, doubt=reason)
                    waiting += [one for one, places in written.items() if place in places]

    def _written(self) -> dict[_Field, dict[Place, int]]:
        """Where a flag with truncation is written into each field, and the nodes that it comes from."""
        found: dict[_Field, dict[Place, int]] = {}
        for node, field in self._fields():
            for source, _, passage in self._solver.predecessors[node]:
                if passage is not None and passage.place is not None and self._is_mixed(source):
                    found.setdefault(field, {}).setdefault(passage.place, source)
        return found

    def _fields(self) -> Iterator[tuple[int, _Field]]:
        """The nodes of named fields, and which fields these are."""
        made = {node: called for node, _, called in self._program.calls()}
        for number, owned in self._objects.owned.items():
            value = self._solver.value(number)
            if isinstance(value, Instance):
                yield from ((node, _Field(number, key.name)) for key, node in owned if isinstance(key, AttributeKey))
            elif isinstance(value, Object) and value.shape is Shape.RECORD and value.node in made:
                classes = sorted(self._kinds.intersection(self._solver.held[made[value.node]]))
                for kind in classes:
                    yield from ((node, _Field(kind, key.text)) for key, node in owned if isinstance(key, TextKey))

    def _is_mixed(self, node: int) -> bool:
        return any(map(flag_lattice.mixed, self._solver.flags(node)))


def _is_fixed(sink: Sink | None) -> bool:
    """Whether a store may have a safe fix, as far as the model sees."""
    return sink is not None and sink.kind == "store" and not sink.hindrance and not sink.doubt

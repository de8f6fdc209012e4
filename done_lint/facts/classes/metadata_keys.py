"""Which keys of `metadata` the program asks for, by the new names and by the old ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.core.findings import Related, Span
from done_lint.facts.kinds.classes import EnvClass
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.rendering import METADATA_KEYS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Environment classes, by path and row.
Classes = Mapping[str, Mapping[int, EnvClass]]
_Asking = ops.Item | ops.Call | ops.LibraryCall


def new_keys_read(analysis: Analysis) -> frozenset[str]:
    """The new keys that are asked for: `metadata["render_modes"]`, `metadata.get("render_modes")`."""
    found = {key for survey in analysis.program.surveys.values() for _, key, _ in _asked(survey)}
    return frozenset(found.intersection(METADATA_KEYS.values()))


def old_keys_read(analysis: Analysis, classes: Classes) -> dict[str, tuple[Related, ...]]:
    """By file, where one of its classes is asked for an old key (the message) by another file, or asks another's."""
    found: dict[str, list[Related]] = {}
    for path, survey in sorted(analysis.program.surveys.items()):
        for by, key, source in _asked(survey):
            homes = _homes(analysis, classes, path, source) if key in METADATA_KEYS else set()
            for home in sorted(homes | {path}) if homes - {path} else ():
                found.setdefault(home, []).append(Related(path, _place(survey, by), key))
    return {path: tuple(places) for path, places in found.items()}


def _asked(survey: Survey) -> Iterator[tuple[_Asking, str, int]]:
    """What asks for a key, the key, and the node of what is asked; of a call, of what is called."""
    for one in survey.waits(ops.Item):
        yield from ((one, key.text, one.source) for key in one.keys if isinstance(key, TextKey))
    texts = {one.target: one.value for one in survey.operations if isinstance(one, ops.Text)}
    for call in survey.calls():
        yield from ((call, texts.get(one.node, ""), call.called) for one in call.args[:1])


def _place(survey: Survey, asking: _Asking) -> Span:
    """Where something asks for a key; the first row where that is not known."""
    if not isinstance(asking, ops.Item):
        return asking.at
    return next((span for span, node in survey.uses if node == asking.target), Span(1, 0, 1, 0))


def _homes(analysis: Analysis, classes: Classes, path: str, source: int) -> set[str]:
    """The files of the classes, and of those they inherit from, of `Bird.metadata` or `Bird.metadata.get`."""
    found = analysis.program.attribute_at(analysis.program.bases[path] + source)
    if found is not None and found[1] == "get":
        found = analysis.program.attribute_at(found[0])
    if found is None or found[1] != "metadata":
        return set()
    homes: set[str] = set()
    for one in analysis.solver.values(found[0], values.ClassRef):
        made = classes.get(one.path, {}).get(analysis.program.class_at(one.path, one.index).row)
        homes.update([one.path, *(parent for parent, _ in made.parents)] if made is not None else ())
    return homes

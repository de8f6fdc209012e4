"""Classes of the project that inherit from a vector environment of the library through other classes of the project.

Up to 0.29 the `step` and `reset` of the library's bases called several methods, which such classes overrode.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId
from done_lint.analysis.values import External
from done_lint.facts.kinds.classes import SplitBase
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.gymnasium_changes import SPLIT_METHODS, below_root

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_PARTS = frozenset(part for methods in SPLIT_METHODS.values() for parts in methods.values() for part in parts)


def split_bases(at: Analysis, survey: Survey) -> dict[int, SplitBase]:
    """The classes of one file, by row, that override what such a base called, and what stands between."""
    found: dict[int, SplitBase] = {}
    for index, one in enumerate(survey.classes):
        if _PARTS.isdisjoint(one.methods):
            continue
        own, *between = (cls for cls in at.classes.lineage(survey.path, index) if isinstance(cls, ClassId))
        bases = {base for cls in between for base in _library_bases(at, cls)}
        if len(bases) != 1 or any(_is_chosen(at, cls) for cls in (own, *between)):
            continue
        methods = {name for cls in between for name in at.program.class_at(*cls).methods}
        called = {name for cls in between for name in _parts_called(at, cls)}
        found[one.row] = SplitBase(bases.pop(), frozenset(methods), frozenset(called))
    return found


def _library_bases(at: Analysis, owner: ClassId) -> list[str]:
    """Those of the library's bases that a class names itself."""
    named = (below_root(one.dotted) for node in _bases(at, owner) for one in at.solver.values(node, External))
    return [name for name in named if name in SPLIT_METHODS]


def _is_chosen(at: Analysis, owner: ClassId) -> bool:
    """Whether a base has more than one value: another class for each release."""
    return any(len(at.solver.held[node]) > 1 for node in _bases(at, owner))


def _bases(at: Analysis, owner: ClassId) -> list[int]:
    return [at.program.bases[owner.path] + node for node in at.program.class_at(*owner).bases]


def _parts_called(at: Analysis, owner: ClassId) -> Iterator[str]:
    """The parts that the methods of a class take of `self`: what it calls itself goes on to be called."""
    survey = at.program.surveys[owner.path]
    functions = [survey.functions[number] for number in at.program.class_at(*owner).methods.values()]
    selves = {function.params[0][1] for function in functions if function.params}
    read = (one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute))
    return (one.name for one in read if one.name in _PARTS and one.source in selves)

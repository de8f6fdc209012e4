"""Classes of the project that are lists: `class Memory(deque)`. An instance is the container of its items, too."""

from __future__ import annotations

from collections.abc import Iterator

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Instance, Object, Shape
from done_lint.flowgraph.keys import ANY

_LISTS = frozenset({"collections.deque", "collections.UserList", "builtins.list"})
#: Methods by which a class says what its items are.
_ITEMS = frozenset({"__getitem__", "__iter__"})


def add_items(at: Analysis, owner: ClassId, made: int) -> None:
    """Put what holds the items beside an instance that was just made, and beside the `self` of its methods.

    Not where the class says itself what an item is; its other methods take the place of those of a list.
    """
    lineage = at.classes.lineage(*owner)
    if _LISTS.isdisjoint(one for one in lineage if isinstance(one, str)):
        return
    own = [one for one in lineage if not isinstance(one, str)]
    methods = {name for one in own for name in at.program.class_at(*one).methods}
    if not _ITEMS.isdisjoint(methods):
        return
    items = Object(at.objects.field(at.solver.intern(Instance(*own[-1])), ANY), Shape.LIST)
    at.objects.methods.setdefault(at.solver.intern(items), set()).update(methods)
    for node in (made, *(node for one in own for node in _receivers(at, one))):
        at.put(node, items)


def _receivers(at: Analysis, owner: ClassId) -> Iterator[int]:
    survey, base = at.program.surveys[owner.path], at.program.bases[owner.path]
    for number in at.program.class_at(*owner).methods.values():
        function = survey.functions[number]
        if function.kind not in ("static", "class") and function.params:
            yield base + function.params[0][1]

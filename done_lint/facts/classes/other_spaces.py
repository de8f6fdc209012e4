"""Environment classes whose spaces are no spaces: `self.observation_space = np.zeros(shape)`.

Gym never looked at them. Gymnasium's `make` asks for their type, and raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.values import External, Instance, Object
from done_lint.flowgraph.keys import AttributeKey
from done_lint.knowledge.array_functions import ARRAYS, MAKING_ARRAYS
from done_lint.knowledge.wrapper_attributes import REQUIRED_OF_CLASSES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.program import ClassId


def other_space(at: Analysis, owner: ClassId) -> str:
    """A space of a class of the project that is only ever set to containers or arrays; empty: none is seen to be.

    Args:
        at: the solved graph.
        owner: the class; nothing but what the project writes sets its attributes.
    """
    for name in REQUIRED_OF_CLASSES:
        found = list(_set_to(at, owner, name))
        if found and all(_is_other(at, node) for node in found):
            return name
    return ""


def _set_to(at: Analysis, owner: ClassId, name: str) -> Iterator[int]:
    """The nodes of all that an attribute is set to, by the class and those above it, or on their instances."""
    for one in at.classes.lineage(*owner):
        if isinstance(one, str):
            continue
        yield from at.classes.written_in(one, name)
        own = at.solver.find(Instance(one.path, one.number))
        field = at.objects.fields.get((own, AttributeKey(name))) if own is not None else None
        if field is not None:
            yield from (edge.source for edge in at.solver.predecessors[field] if edge.way == "set")


def _is_other(at: Analysis, node: int) -> bool:
    """Whether the expression of a node itself makes a container or an array; a name may hold anything else as well."""
    if any(one.node == node for one in at.solver.values(node, Object)):
        return True
    call = at.program.call_at(node)
    called = [one.dotted for one in at.solver.values(call[1], External)] if call is not None else []
    return bool(called) and all(_makes_array(dotted) for dotted in called)


def _makes_array(dotted: str) -> bool:
    return dotted.partition(".")[0] in ARRAYS and dotted.rpartition(".")[2] in MAKING_ARRAYS

"""What a class of the project has handed to the constructor of its base, which keeps it: `Base.__init__(self, env)`.

The solved graph has one parameter for all classes with that base, so that each seems to have what the others hand over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import External, FunctionRef, Instance
from done_lint.flowgraph.keys import AttributeKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_CONSTRUCTOR = "__init__"


class HandedToBases:
    """Tells the classes with one base apart, in a solved graph."""

    def __init__(self, at: Analysis) -> None:
        """Look at nothing before an attribute is asked for."""
        self._at = at

    def is_of_others(self, node: int) -> bool:
        """Whether all that is not known at a node, `self.env`, was handed over by other classes with the same base."""
        attribute = self._at.program.attribute_at(node)
        if attribute is None:
            return False
        receiver, name = attribute
        found = [self._at.solver.value(number) for number in self._at.solver.all(receiver, Instance)]
        owners = [ClassId(one.path, one.index) for one in found if isinstance(one, Instance)]
        return bool(owners) and all(not self._is_unknown(owner, name) for owner in owners)

    def _is_unknown(self, owner: ClassId, name: str) -> bool:
        """Whether something unknown is in an attribute of a class, by what the class itself hands over."""
        number = self._at.solver.find(Instance(owner.path, owner.number))
        field = self._at.objects.fields.get((number, AttributeKey(name))) if number is not None else None
        sources = [edge.source for edge in self._at.solver.predecessors[field]] if field is not None else []
        given = [one for source in sources for one in self._given(owner, source)]
        return not given or any(self._at.solver.all(one, External) for one in given)

    def _given(self, owner: ClassId, source: int) -> Iterator[int]:
        """What a class can have handed over for a parameter; anything else is for itself."""
        home = self._parameters.get(source)
        if home is None:
            yield source
            return
        for edge in self._at.solver.predecessors[source]:
            if not self._is_handed_by_another(owner, edge.source, home):
                yield edge.source

    def _is_handed_by_another(self, owner: ClassId, source: int, base: FunctionId) -> bool:
        """Whether only constructors of other classes, which call that of a base, hand something over."""
        homes = self._handing[base].get(source, set())
        above = ClassId(base.path, self._at.program.function_at(base).owner)
        own = self._at.classes.lineage(*owner)
        by = [self._constructed(one) for one in homes]
        return bool(by) and all(
            one is not None and one not in own and above in self._at.classes.lineage(*one)[1:] for one in by
        )

    def _constructed(self, function: FunctionId) -> ClassId | None:
        """The class whose constructor a function is."""
        made = self._at.program.function_at(function) if function.number >= 0 else None
        return ClassId(function.path, made.owner) if made is not None and made.name == _CONSTRUCTOR else None

    @cached_property
    def _parameters(self) -> dict[int, FunctionId]:
        """The constructors of the program, by the node of each parameter."""
        found: dict[int, FunctionId] = {}
        for path, survey in self._at.program.surveys.items():
            base = self._at.program.bases[path]
            for number, function in enumerate(survey.functions):
                if function.name == _CONSTRUCTOR and function.owner >= 0:
                    found |= {base + node: FunctionId(path, number) for _, node in function.params[1:]}
        return found

    @cached_property
    def _handing(self) -> dict[FunctionId, dict[int, set[FunctionId]]]:
        """By constructor, and by what a call of it is given, the functions with that call."""
        found: defaultdict[FunctionId, dict[int, set[FunctionId]]] = defaultdict(dict)
        constructors = set(self._parameters.values())
        for path, survey in self._at.program.surveys.items():
            base = self._at.program.bases[path]
            for call in survey.calls():
                home = FunctionId(path, survey.homes.get(call.result, -2))
                called = self._at.solver.values(base + call.called, FunctionRef)
                for one in {FunctionId(ref.path, ref.index) for ref in called} & constructors:
                    for node in (*(node for node, _ in call.args), *(node for _, node, _ in call.keywords)):
                        found[one].setdefault(base + node, set()).add(home)
        return found

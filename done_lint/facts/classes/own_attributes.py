"""Which attributes the instances of a class of the project have by themselves, without what a wrapper has inside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId
from done_lint.analysis.values import ClassRef, External, Instance
from done_lint.flowgraph.keys import AttributeKey
from done_lint.knowledge.gymnasium_changes import ROOTS
from done_lint.knowledge.wrapper_attributes import BASES, PLAIN_BASES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Packages of bases that give an instance nothing that a program would ask for.
_WITHOUT_ATTRIBUTES = frozenset({"abc", "builtins", "object", "typing"})
#: A class with one of these may have any attribute.
_ANY = frozenset({"*", "__getattr__", "__getattribute__"})


class OwnAttributes:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes

    def of(self, owner: ClassId) -> frozenset[str] | None:
        """The attributes of a wrapper class of the project; None where it may have others."""
        return self._of(owner, BASES) if self._classes.is_wrapper(*owner) else None

    def of_environment(self, owner: ClassId) -> frozenset[str] | None:
        """The same of a class that wraps nothing."""
        return None if self._classes.is_wrapper(*owner) else self._of(owner, PLAIN_BASES)

    def seen_of(self, owner: ClassId) -> frozenset[str] | None:
        """What is seen of the attributes of a wrapper class which sets others by names that nothing shows.

        Its heirs may set them as well. None: it sets none so, or asks others itself for what it lacks.
        """
        if not self._classes.is_wrapper(*owner):
            return None
        names = self._names(owner, BASES)
        if names is None or "*" not in names or not (_ANY - {"*"}).isdisjoint(names):
            return None
        heirs = (self._names(heir, BASES) or set() for heir in self._classes.below(*owner))
        return frozenset(names.union(*heirs))

    def _of(self, owner: ClassId, bases: Mapping[str, frozenset[str]]) -> frozenset[str] | None:
        """The same; `bases`: what those of the library have, below its root."""
        names = self._names(owner, bases)
        return None if names is None or _ANY & names else frozenset(names)

    def _names(self, owner: ClassId, bases: Mapping[str, frozenset[str]]) -> set[str] | None:
        """What a class and its bases set and define, `*` for what nothing shows; None: nothing shows what a base is."""
        names: set[str] = set()
        for ancestor in self._classes.lineage(*owner):
            if isinstance(ancestor, str):
                root, _, below = ancestor.partition(".")
                if root in ROOTS and below in bases:
                    names |= bases[below]
                elif root not in _WITHOUT_ATTRIBUTES:
                    return None
                continue
            made = self._program.class_at(*ancestor)
            if not all(self._is_known_base(ancestor.path, base) for base in made.bases):
                return None
            names |= made.assigned | made.methods.keys() | made.attrs.keys() | self._given[ancestor]
        return names

    def of_all(self, owners: Iterable[ClassId]) -> frozenset[str] | None:
        """What an instance of one of these classes may have; None where it may have anything."""
        found = [self.of(owner) for owner in owners]
        known = [names for names in found if names is not None]
        return frozenset().union(*known) if len(known) == len(found) else None

    def set_by_all(self, owners: Iterable[ClassId]) -> frozenset[str]:
        """What the methods of each of these classes set, or their bases in the project."""
        found = [frozenset().union(*self._set_in_lineage(owner)) for owner in owners]
        return frozenset.intersection(*found) if found else frozenset()

    def _set_in_lineage(self, owner: ClassId) -> Iterator[frozenset[str]]:
        for ancestor in self._classes.lineage(*owner):
            if isinstance(ancestor, ClassId):
                yield frozenset(self._program.class_at(*ancestor).assigned)

    @cached_property
    def _given(self) -> defaultdict[ClassId, set[str]]:
        """What code outside of a class sets on its instances."""
        found: defaultdict[ClassId, set[str]] = defaultdict(set)
        for (owner, key), field in self._objects.fields.items():
            value = self._solver.value(owner)
            if not isinstance(value, Instance) or not isinstance(key, AttributeKey):
                continue
            if any(edge.way == "set" for edge in self._solver.predecessors[field]):
                found[ClassId(value.path, value.index)].add(key.name)
        return found

    def _is_known_base(self, path: str, base: int) -> bool:
        """Whether it is seen which class a base is."""
        node = self._program.bases[path] + base
        return bool(self._solver.all(node, ClassRef) or self._solver.all(node, External))

"""Attributes that a method reads of its own object and that nothing gives it: the read can only raise an error."""

from __future__ import annotations

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Instance, Text
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey

#: Bases that give an instance no attribute that a program would ask for.
_PLAIN = frozenset({"builtins.object", "abc.ABC", "typing.Generic"})
#: A class with one of these may have any attribute.
_ANY = frozenset({"*", "__getattr__", "__getattribute__", "__dict__"})


def is_unbound(at: Analysis, node: int) -> bool:
    """Whether a node holds such an attribute."""
    read, place = at.program.attribute_at(node), at.program.owner(node)
    if read is None or place is None:
        return False
    owner, name = read
    classes = _classes_of(at, owner, at.program.surveys[place.path])
    return bool(classes) and not any(_may_have(at, one, name) for one in classes) and not _is_given(at, classes, name)


def _classes_of(at: Analysis, owner: int, survey: Survey) -> list[ClassId]:
    """The classes of the object at a node, if it is the own object of a method; those that inherit from it, too.

    A class without a constructor may be one that others take up, and these have the attribute.
    """
    base = at.program.bases[survey.path]
    for function in survey.functions:
        first = function.params[0][1] if function.params and function.owner >= 0 else -1
        if function.kind == "function" and base + first == owner:
            if at.classes.method_of(survey.path, function.owner, "__init__") is None:
                return []
            return [ClassId(survey.path, function.owner), *at.classes.below(survey.path, function.owner)]
    return []


def _may_have(at: Analysis, owner: ClassId, name: str) -> bool:
    """Whether a class, or one that it inherits from, may give its instances an attribute."""
    for ancestor in at.classes.lineage(*owner):
        if isinstance(ancestor, str):
            if ancestor not in _PLAIN:
                return True
            continue
        made, base = at.program.class_at(*ancestor), at.program.bases[ancestor.path]
        if not all(at.solver.held[base + one] for one in made.bases):
            return True
        if not {name, *_ANY}.isdisjoint((*made.assigned, *made.methods, *made.attrs, *made.fields)):
            return True
    return False


def _is_given(at: Analysis, classes: list[ClassId], name: str) -> bool:
    """Whether other code may set the attribute: on one of these objects, on what is unknown, or by its name."""
    if at.solver.find(Text(name)) is not None:
        return True
    own = set(classes)
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        stores = (one for one in survey.waits(ops.SetAttribute) if name in survey.attributes and one.name == name)
        for store in stores:
            held = at.solver.values(base + store.owner, Instance)
            if not held or not own.isdisjoint(ClassId(one.path, one.index) for one in held):
                return True
    return False

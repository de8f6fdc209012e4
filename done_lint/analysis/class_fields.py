"""The attributes of instances: which nodes hold them, whatever class of the lineage sets them."""

from __future__ import annotations

from done_lint.analysis.bound_by_methods import BoundByMethods
from done_lint.analysis.class_hierarchy import ClassHierarchy
from done_lint.analysis.objects import Objects
from done_lint.analysis.program import ClassId, FunctionId, Program
from done_lint.analysis.solver import ALL, OTHERS, Solver
from done_lint.analysis.values import ClassRef, Instance, Passage
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY_NAME, AttributeKey


class ClassFields:
    """Answers as far as the bases of classes are known by now."""

    def __init__(self, solver: Solver, objects: Objects, program: Program, classes: ClassHierarchy) -> None:
        """Of the classes of one program."""
        self._solver = solver
        self._objects = objects
        self._program = program
        self._classes = classes
        self.bound = BoundByMethods(solver, program, classes)
        #: Names of attributes that anything sets; a wrapper's base sets `env`, and a dataclass the fields it is given.
        self._set_names = {"env"}.union(*(survey.attributes for survey in program.surveys.values()))
        every = (made for survey in program.surveys.values() for made in survey.classes)
        self._set_names.update(name for made in every if made.keeps for name in made.fields)
        #: The state of `Solver.ancestry` that the answers below were found in.
        self._ancestry = 0
        self._found: dict[tuple[str, int, str], list[int]] = {}

    def left_to_heirs(self, path: str, index: int, name: str, method: str) -> list[int]:
        """The nodes of an attribute that a method of a class reads and its subclasses set, each on its own instances.

        The class sets it to nothing, or to None: then only those subclasses count that leave this method to it.
        """
        above = [self._program.class_at(*one) for one in self._classes.lineage(path, index) if not isinstance(one, str)]
        if any(name in made.filled or name in made.attrs or "*" in made.assigned for made in above):
            return []
        heirs = [one for one in self._classes.below(path, index) if name in self._program.class_at(*one).filled]
        if any(name in made.assigned for made in above):
            read = self._classes.method_of(path, index, method)
            heirs = [one for one in heirs if read is not None and self._classes.method_of(*one, method) == read]
        return [self._objects.field(self._solver.intern(Instance(*one)), AttributeKey(name)) for one in heirs]

    def set_by_heirs(self, path: str, index: int, name: str) -> list[int]:
        """The nodes of an attribute that is None in a class, never set on its instances, and set in its subclasses."""
        above = [self._program.class_at(*one) for one in self._classes.lineage(path, index) if not isinstance(one, str)]
        holding = next((made for made in above if name in made.attrs), None)
        if holding is None or name not in holding.unset or any({name, "*"} & made.assigned for made in above):
            return []
        heirs = [(one.path, self._program.class_at(*one).attrs.get(name)) for one in self._classes.below(path, index)]
        return [self._program.bases[where] + node for where, node in heirs if node is not None]

    def fields_of(self, path: str, index: int, name: str) -> list[int]:
        """The nodes of an attribute of a class and its bases in the project, on instances and on the classes."""
        if self._ancestry != self._solver.ancestry:
            self._ancestry = self._solver.ancestry
            self._found.clear()
        found = self._found.get((path, index, name))
        if found is None:
            found = self._found[path, index, name] = []
            owner, made = ClassId(path, index), dict[int, list[FunctionId]]()
            for ancestor in self._classes.lineage(path, index):
                if not isinstance(ancestor, str):
                    where, which = ancestor
                    if name in self._set_names:
                        found.append(self._field(ancestor, name))
                        made[found[-1]] = self.bound.of_heir(owner, ancestor, name) if ancestor != owner else []
                    if self._sets_columns(ancestor, name):
                        found.append(self._field(ancestor, ANY_NAME))
                    value = self._program.class_at(where, which).attrs.get(name)
                    if value is not None:
                        found.append(self._program.bases[where] + value)
            if len(found) > 1:
                # one node that all readers share
                joint = self._solver.add_node()
                for field in found:
                    methods = made.get(field, ())
                    self._solver.edge(field, joint, OTHERS if methods else ALL, "load")
                    self.bound.give(methods, joint)
                found[:] = [joint]
        return found

    def set_on(self, owner: Instance | ClassRef, op: ops.SetAttribute, value: int, passage: Passage) -> None:
        """A value is bound to an attribute of an instance; what a method of it makes is that of its own class."""
        assert passage.place is not None
        target, made = self._field(ClassId(owner.path, owner.index), op.name), list[FunctionId]()
        if isinstance(owner, Instance):
            made = self.bound.of_object(ClassId(owner.path, owner.index), passage.place.path, op.value)
        self._solver.edge(value, target, OTHERS if made else ALL, "set", passage)
        self.bound.give(made, target)

    def load_columns(self, path: str, index: int, result: int) -> None:
        """The arrays that instances of a class set under computed names, `getattr(self, name)`, flow to `result`."""
        for field in self.fields_of(path, index, ANY_NAME) if ANY_NAME in self._set_names else ():
            self._solver.edge(field, result, ALL, "load")

    def _field(self, owner: ClassId, name: str) -> int:
        """The node of an attribute of the instances of one class."""
        return self._objects.field(self._solver.intern(Instance(*owner)), AttributeKey(name))

    def _sets_columns(self, owner: ClassId, name: str) -> bool:
        """Whether an attribute of this name may be an array that the class sets under a computed name."""
        assigned = self._program.class_at(*owner).assigned
        return ANY_NAME in assigned and ANY_NAME in self._set_names and name not in assigned and name != ANY_NAME

"""What is put into objects and taken out again: elements, attributes, items, the slots of a step's result."""

from __future__ import annotations

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import Birth, Ending, Evidence, Use
from done_lint.analysis.solver import ALL, ELEMENTS, FLAGS
from done_lint.analysis.transfer.sequences import Rows
from done_lint.analysis.values import (
    ClassRef,
    Environment,
    Flag,
    Info,
    Instance,
    Mark,
    Object,
    Observation,
    Passage,
    Place,
    ResetResult,
    Shape,
    Site,
    StepColumns,
    StepResult,
    TimeStep,
    Way,
)
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY, AnyKey, AttributeKey, IndexKey, Key, SliceKey, TextKey
from done_lint.flowgraph.operations import Placed
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_api_lookup, env_apis

_ENVIRONMENT_ATTRIBUTES = frozenset(name for row in env_apis.METHODS for name in row.names)
TIME_LIMIT = TextKey("TimeLimit.truncated")
#: What is read from these at an unknown key may be any field: it yields nothing.
_RECORDS = frozenset({Shape.TUPLE, Shape.RETURNED, Shape.DICT, Shape.RECORD, Shape.ZIPPED, Shape.TRANSPOSED})


class Containers(Rows):
    """The part of the solver that knows what objects hold."""

    def at(self, survey: Survey, span: Span | None) -> Site:
        """A place in a file."""
        return Place(survey.path, span) if span is not None else None

    def o_alloc(self, s: Survey, n: int, op: ops.Allocate) -> None:
        number = self.intern(Object(n + op.target, Shape(op.kind)))
        self.add(n + op.target, number)
        if op.kind in ("tuple", "returned") and not op.stars:
            self.widths[number] = self.lengths[number] = len(op.elements)
        elif op.kind == "list" and not op.stars:
            self.lengths[number] = len(op.elements)
        for position, (element, span) in enumerate(op.elements):
            if not element:
                continue
            passage = Passage(self.at(s, span), n + element)
            store: Way = "hand" if op.kind == "returned" else "store"
            if op.kind == "dict":
                key = op.keys[position]
                if key is None:
                    self.spread(n + element, number)
                else:
                    self.edge(n + element, self.field(number, key), ALL, store, passage)
            elif op.kind == "many":
                # the elements of a comprehension keep what they are: it is no store of its own
                self.edge(n + element, self.field(number, ANY), ALL, "hand", passage)
            elif position in op.stars:
                self.spread(n + element, number, position if position == op.stars[0] else None)
            elif op.stars and position > op.stars[0]:
                self.edge(n + element, self.field(number, ANY), ALL, store, passage)
            else:
                self.edge(n + element, self.field(number, IndexKey(position)), ALL, store, passage)

    def given_by_method(self, s: Survey, n: int) -> None:
        """Environments that an attribute gives by its name alone, in files that import its package."""
        for one in s.telling:
            name, b = one.name, one.target
            if name in _ENVIRONMENT_ATTRIBUTES and (api := env_api_lookup.method(name, s.imports)) is not None:
                self.evidence.setdefault(n + b, Evidence(None, f"given by `{name}`"))
                self.add(n + b, self.environment(api, False, "proven", n + b))

    def w_attr(self, s: Survey, n: int, number: int, op: ops.Attribute) -> None:
        if self.unread is not None and isinstance(self.value(number), (ClassRef, Instance)):
            self.unread.append((number, op.name, n + op.target, n + op.source))
        else:
            self.attribute(number, op.name, n + op.target, n + op.source)

    def w_setattr(self, s: Survey, n: int, number: int, op: ops.SetAttribute) -> None:
        value = self.value(number)
        passage = Passage(self.at(s, op.at), n + op.value)
        if isinstance(value, (Instance, ClassRef)):
            field = self.field(self.intern(Instance(value.path, value.index)), AttributeKey(op.name))
            self.edge(n + op.value, field, ALL, "set", passage)
        elif isinstance(value, Object):
            self.edge(
                n + op.value,
                self.field(number, TextKey(op.name)),
                ALL,
                "store",
                Passage(self.at(s, op.at), n + op.value),
            )

    def w_item(self, s: Survey, n: int, number: int, op: ops.Item) -> None:
        self.load_item(number, op.keys, n + op.target, n + op.source)

    def load_item(self, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
        """`source[keys]` for one value of the source."""
        value, key = self.value(number), keys[-1]
        if isinstance(value, Flag):
            single = len(keys) == 1 and not isinstance(key, SliceKey)
            self.edge(source, target, ELEMENTS if single else FLAGS)
        elif isinstance(value, Mark):
            self.add(target, number, source, number)
        elif isinstance(value, Object):
            shape = value.shape
            rows = len(keys) > 1 and isinstance(keys[0], (AnyKey, SliceKey))
            if rows and isinstance(key, IndexKey) and shape is not Shape.ARRAY:
                # a column of a table of rows
                middle = self.add_node()
                self.load_item(number, (ANY,), middle, source)
                self.watch(middle, lambda inner: self.load_item(inner, keys[1:], target, middle))
                return
            if isinstance(key, SliceKey):
                self.cut_off(number, key.start, target, source)
                return
            if shape is Shape.ARRAY and key == ANY:
                self.add(target, number, source, number)
            everything = key == ANY and shape not in _RECORDS
            from_end = isinstance(key, IndexKey) and key.position < 0

            def load(at: Key, field: int) -> None:
                if everything or at in (ANY, key) or (from_end and isinstance(at, IndexKey)):
                    self.edge(field, target, ALL, "load")

            self.each_field(number, load)
            self.field(number, ANY)
        elif isinstance(value, Instance):
            if not self.special_method(number, "__getitem__", [Placed(0)], target):
                owner = self._as_container(number)
                for one in (ANY, key) if isinstance(key, (TextKey, SliceKey)) else (ANY,):
                    self.edge(self.field(owner, one), target, ALL, "load")
        elif isinstance(value, Info):
            if key == TIME_LIMIT:
                self.time_limit(value, target)
                self.edge(self.field(number, TIME_LIMIT), target, ALL, "load")
            elif not isinstance(key, TextKey):
                self.add(target, number, source, number)
        elif isinstance(value, TimeStep):
            if isinstance(key, IndexKey):
                self.item_of_time_step(key.position, target)
        elif isinstance(value, (StepResult, StepColumns)):
            arity = 5 if self.get(value.env, Environment).api.five else 4
            if isinstance(key, IndexKey):
                self.slot(value.env, value.node, arity, key.position, target)
        elif isinstance(value, ResetResult) and key == IndexKey(0):
            self.take_reset(number, target, source)
        elif isinstance(value, Environment) and isinstance(key, (AnyKey, IndexKey)):
            self.add(target, number, source, number)

    def _as_container(self, number: int) -> int:
        """`class Memory(dict)`: what an instance has from outside the project keeps its items, for all its classes."""
        value = self.get(number, Instance)
        *_, root = (one for one in self.lineage(value.path, value.index) if not isinstance(one, str))
        return self.intern(Instance(*root))

    def take_reset(self, reset: int, use: int, source: int) -> None:
        """A use that takes a reset's value apart: one of the same function, or behind a test of what it is.

        An observation that travels into another function may be unpacked there for what it holds.
        """
        self.taken.setdefault(reset, []).append(Use(None if self.is_guarded(use) else self.home(use), source))

    def time_limit(self, info: Info, target: int) -> None:
        """`info["TimeLimit.truncated"]` is truncation, but never set by a step of five values."""
        if info.arity == 4 or not self.get(info.env, Environment).api.five:
            # what a vector environment writes itself is read back above
            self.add(target, flag_lattice.TRUNCATED)
            self.births.setdefault(target, Birth(self.origin_site(info.node), "the time limit"))

    def w_setitem(self, s: Survey, n: int, number: int, op: ops.SetItem) -> None:
        value, key = self.value(number), op.keys[-1]
        passage = Passage(self.at(s, op.at), n + op.value)
        if isinstance(value, Object):
            known: Key = key if isinstance(key, TextKey) else ANY
            if len(op.keys) > 1 and isinstance(key, IndexKey):
                known = key
            self.edge(n + op.value, self.field(number, known), ALL, "store", passage)
        elif isinstance(value, Instance):
            if not self.special_method(
                number, "__setitem__", [Placed(0), Placed(n + op.value, op.at)], self.add_node()
            ):
                known = key if isinstance(key, (TextKey, SliceKey)) else ANY
                self.edge(n + op.value, self.field(self._as_container(number), known), ALL, "store", passage)
        elif isinstance(value, Info) and key == TIME_LIMIT:
            self.edge(n + op.value, self.field(number, TIME_LIMIT), ALL, "set", passage)

    def w_unpack(self, s: Survey, n: int, number: int, op: ops.Unpack) -> None:
        value = self.value(number)
        if isinstance(value, (StepResult, StepColumns)):
            if op.star < 0 and op.arity in (4, 5):
                for position, target in enumerate(op.targets):
                    self.slot(value.env, value.node, op.arity, position, n + target)
        elif isinstance(value, TimeStep) and op.star < 0 and op.arity == 4:
            for position, target in enumerate(op.targets):
                self.item_of_time_step(position, n + target)
        elif isinstance(value, ResetResult):
            if (op.arity == 2 or op.star >= 0) and op.targets:
                self.take_reset(number, n + op.targets[0], n + op.source)
            if op.arity == 2 and op.star < 0:
                self.add(n + op.targets[1], self.intern(Info(value.env, 5, value.node)))
        elif isinstance(value, Object):
            self._unpack_object(number, op.arity, op.star, [n + t for t in op.targets])
        elif isinstance(value, Flag):
            for target in op.targets:
                self.add(n + target, number, n + op.source, number)

    def _unpack_object(self, number: int, arity: int, star: int, targets: list[int]) -> None:
        if star < 0 and self.widths.get(number, arity) != arity:
            return  # it would raise: this tuple goes another way
        if self.get(number, Object).shape in (Shape.MANY, Shape.ARRAY):
            for target in targets:
                self.edge(self.field(number, ANY), target, ALL, "load")

        def react(key: Key, field: int) -> None:
            if key == ANY:
                for target in targets:
                    self.edge(field, target, ALL, "load")
            elif isinstance(key, IndexKey) and key.position >= 0:
                position = key.position
                if 0 <= star <= position:
                    width = self.widths.get(number)
                    if width is None or position < width - (arity - 1 - star):
                        return
                    position += arity - width
                if position < len(targets):
                    self.edge(field, targets[position], ALL, "load")

        self.each_field(number, react)

    def w_iterate(self, s: Survey, n: int, number: int, op: ops.Iterate) -> None:
        value = self.value(number)
        if isinstance(value, Object):
            if value.shape is Shape.ARRAY:
                self.add(n + op.target, number, n + op.source, number)
            self.each_field(number, lambda key, field: self.edge(field, n + op.target, ALL, "load"))
        elif isinstance(value, Flag):
            self.edge(n + op.source, n + op.target, ELEMENTS)
        elif isinstance(value, (Mark, Info, Environment)):
            self.add(n + op.target, number, n + op.source, number)
        elif isinstance(value, Instance) and not self.special_method(number, "__iter__", [], n + op.target):
            self.special_method(number, "__getitem__", [Placed(0)], n + op.target)

    def slot(self, env: int, origin: int, arity: int, position: int, target: int) -> None:
        """Slot `position` of a step of `arity` values: a flag is born, or the info."""
        made = self.get(env, Environment)
        api, unlimited = made.api, made.unlimited
        if position < 0:
            position += arity
        array = flag_lattice.ARRAY if api.vector else 0
        site = self.origin_site(origin)
        names = api.step if len(api.step) == arity else env_apis.FOUR if api.five and arity == 4 else ()
        if not 0 <= position < len(names):
            return
        name = names[position]
        if name == "terminated" or (name == "done" and unlimited):
            self.add(target, flag_lattice.TERMINATED | array)
            self.births[target] = Birth(site, "terminated")
            if not unlimited:
                self.endings[target] = Ending(site, api.vector)
        elif name == "done":
            self.add(target, flag_lattice.DONE | array)
            self.births[target] = Birth(site, "done")
            self.endings[target] = Ending(site, api.vector)
        elif name == "truncated" and not unlimited:
            self.add(target, flag_lattice.TRUNCATED | array)
            self.births[target] = Birth(site, "truncated")
        elif name == "obs":
            self.add(target, self.intern(Observation()))
        elif name in ("reward", "rewards"):
            self.rewards.add(target)
        elif name == "info":
            self.add(target, self.intern(Info(env, arity, origin)))

"""What is put into objects and taken out again: elements, attributes, items, the slots of a step's result."""

from __future__ import annotations

from typing import Any

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import Ending
from done_lint.analysis.solver import ALL, ELEMENTS, FLAGS
from done_lint.analysis.transfer.sequences import Rows
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_api_lookup, env_apis

_ENVIRONMENT_ATTRIBUTES = frozenset(name for row in env_apis.METHODS for name in row.names)
#: The key of `info` as surveys have it: a quote before a text tells it from a name.
TIME_LIMIT = "'TimeLimit.truncated"
#: What is read from these at an unknown key may be any field: it yields nothing.
_RECORDS = frozenset({"tuple", "returned", "dict", "record", "zipped", "transposed"})


def _is_slice(key: object) -> bool:
    """A key as surveys have it; a text has a quote before it."""
    return isinstance(key, str) and key[:1] == ":"


class Containers(Rows):
    """The part of the solver that knows what objects hold."""

    def at(self, survey: Survey, span: Span | None) -> tuple[str, Span] | None:
        """A site: the file and the place."""
        return (survey.path, span) if span is not None else None

    def o_alloc(self, s: Survey, n: int, op: ops.Allocate) -> None:
        number = self.token("obj", n + op.target, op.kind)
        self.add(n + op.target, number)
        if op.kind in ("tuple", "returned") and not op.stars:
            self.widths[number] = self.lengths[number] = len(op.elements)
        elif op.kind == "list" and not op.stars:
            self.lengths[number] = len(op.elements)
        for position, (element, span) in enumerate(op.elements):
            if not element:
                continue
            site = (self.at(s, span), n + element)
            store = "hand" if op.kind == "returned" else "store"
            if op.kind == "dict":
                key = op.keys[position]
                if key == "**":
                    self.spread(n + element, number)
                else:
                    self.edge(n + element, self.field(number, "*" if key is None else key), ALL, store, site)
            elif op.kind == "many":
                # the elements of a comprehension keep what they are: it is no store of its own
                self.edge(n + element, self.field(number, "*"), ALL, "hand", site)
            elif position in op.stars:
                self.spread(n + element, number, position if position == op.stars[0] else None)
            elif op.stars and position > op.stars[0]:
                self.edge(n + element, self.field(number, "*"), ALL, store, site)
            else:
                self.edge(n + element, self.field(number, position), ALL, store, site)

    def given_by_method(self, s: Survey, n: int) -> None:
        """Environments that an attribute gives by its name alone, in files that import its package."""
        for one in s.telling:
            name, b = one.name, one.target
            if name in _ENVIRONMENT_ATTRIBUTES and (api := env_api_lookup.method(name, s.imports)) is not None:
                self.evidence.setdefault(n + b, (None, f"given by `{name}`"))
                self.add(n + b, self.environment(api, False, "proven", n + b))

    def w_attr(self, s: Survey, n: int, number: int, op: ops.Attribute) -> None:
        if self.unread is not None and self.kind(number) in ("class", "inst"):
            self.unread.append((number, op.name, n + op.target, n + op.source))
        else:
            self.attribute(number, op.name, n + op.target, n + op.source)

    def w_setattr(self, s: Survey, n: int, number: int, op: ops.SetAttribute) -> None:
        if self.kind(number) in ("inst", "class"):
            _, path, index = self.value(number)
            field = self.field(self.token("inst", path, index), op.name)
            self.edge(n + op.value, field, ALL, "set", (self.at(s, op.at), n + op.value))
        elif self.kind(number) == "obj":
            self.edge(n + op.value, self.field(number, "'" + op.name), ALL, "store", (self.at(s, op.at), n + op.value))

    def w_item(self, s: Survey, n: int, number: int, op: ops.Item) -> None:
        self.load_item(number, op.keys, n + op.target, n + op.source)

    def load_item(self, number: int, keys: tuple[Any, ...], target: int, source: int) -> None:
        """`source[keys]` for one token of the source."""
        kind, key = self.kind(number), keys[-1]
        if kind == "flag":
            single = len(keys) == 1 and not _is_slice(key)
            self.edge(source, target, ELEMENTS if single else FLAGS)
        elif kind == "mark":
            self.add(target, number, source, number)
        elif kind == "obj":
            shape = self.value(number)[2]
            if len(keys) > 1 and (keys[0] is None or _is_slice(keys[0])) and isinstance(key, int) and shape != "array":
                # a column of a table of rows
                middle = self.add_node()
                self.load_item(number, keys[:1] if keys[0] is None else (None,), middle, source)
                self.watch(middle, lambda inner: self.load_item(inner, keys[1:], target, middle))
                return
            if _is_slice(key):
                self.cut_off(number, int(key[1:] or 0), target, source)
                return
            if shape == "array" and key is None:
                self.add(target, number, source, number)
            self.each_field(
                number,
                lambda at, field: (
                    self.edge(field, target, ALL, "load")
                    if (key is None and shape not in _RECORDS)
                    or at in ("*", key)
                    or (isinstance(key, int) and key < 0 and not isinstance(at, str))
                    else None
                ),
            )
            self.field(number, "*")
        elif kind == "inst":
            if not self.special_method(number, "__getitem__", [(0, None)], target):
                owner = self._as_container(number)
                for one in ("*", key) if isinstance(key, str) else ("*",):
                    self.edge(self.field(owner, one), target, ALL, "load")
        elif kind == "info":
            if key == TIME_LIMIT:
                self.time_limit(number, target)
                self.edge(self.field(number, TIME_LIMIT), target, ALL, "load")
            elif not isinstance(key, str) or _is_slice(key):
                self.add(target, number, source, number)
        elif kind == "timestep":
            self.item_of_time_step(key, target)
        elif kind in ("step", "columns"):
            _, env, origin = self.value(number)
            self.slot(env, origin, 5 if self.value(env)[1].five else 4, key, target)
        elif kind == "reset" and key == 0:
            self.take_reset(number, target, source)
        elif kind == "env" and (key is None or isinstance(key, int)):
            self.add(target, number, source, number)

    def _as_container(self, number: int) -> int:
        """`class Memory(dict)`: what an instance has from outside the project keeps its items, for all its classes."""
        _, path, index = self.value(number)
        *_, root = (one for one in self.lineage(path, index) if not isinstance(one, str))
        return self.token("inst", *root)

    def take_reset(self, reset: int, use: int, source: int) -> None:
        """A use that takes a reset's value apart: one of the same function, or behind a test of what it is.

        An observation that travels into another function may be unpacked there for what it holds.
        """
        self.taken.setdefault(reset, []).append((None if self.is_guarded(use) else self.home(use), source))

    def time_limit(self, info: int, target: int) -> None:
        """`info["TimeLimit.truncated"]` is truncation, but never set by a step of five values."""
        _, env, arity, origin = self.value(info)
        api = self.value(env)[1]
        if arity == 4 or not api.five:
            # what a vector environment writes itself is read back above
            self.add(target, flag_lattice.TRUNCATED)
            self.births.setdefault(target, (self.origin_site(origin), "the time limit"))

    def w_setitem(self, s: Survey, n: int, number: int, op: ops.SetItem) -> None:
        kind, key = self.kind(number), op.keys[-1]
        site = (self.at(s, op.at), n + op.value)
        if kind == "obj":
            known: object = key if isinstance(key, str) and not _is_slice(key) else "*"
            if len(op.keys) > 1 and isinstance(key, int):
                known = key
            self.edge(n + op.value, self.field(number, known), ALL, "store", site)
        elif kind == "inst":
            if not self.special_method(number, "__setitem__", [(0, None), (n + op.value, op.at)], self.add_node()):
                known = key if isinstance(key, str) else "*"
                self.edge(n + op.value, self.field(self._as_container(number), known), ALL, "store", site)
        elif kind == "info" and key == TIME_LIMIT:
            self.edge(n + op.value, self.field(number, TIME_LIMIT), ALL, "set", site)

    def w_unpack(self, s: Survey, n: int, number: int, op: ops.Unpack) -> None:
        kind = self.kind(number)
        if kind in ("step", "columns"):
            _, env, origin = self.value(number)
            if op.star < 0 and op.arity in (4, 5):
                for position, target in enumerate(op.targets):
                    self.slot(env, origin, op.arity, position, n + target)
        elif kind == "timestep" and op.star < 0 and op.arity == 4:
            for position, target in enumerate(op.targets):
                self.item_of_time_step(position, n + target)
        elif kind == "reset":
            if (op.arity == 2 or op.star >= 0) and op.targets:
                self.take_reset(number, n + op.targets[0], n + op.source)
            if op.arity == 2 and op.star < 0:
                self.add(n + op.targets[1], self.token("info", self.value(number)[1], 5, self.value(number)[2]))
        elif kind == "obj":
            self._unpack_object(number, op.arity, op.star, [n + t for t in op.targets])
        elif kind == "flag":
            for target in op.targets:
                self.add(n + target, number, n + op.source, number)

    def _unpack_object(self, number: int, arity: int, star: int, targets: list[int]) -> None:
        if star < 0 and self.widths.get(number, arity) != arity:
            return  # it would raise: this tuple goes another way
        if self.value(number)[2] in ("many", "array"):
            for target in targets:
                self.edge(self.field(number, "*"), target, ALL, "load")

        def react(key: object, field: int) -> None:
            if key == "*":
                for target in targets:
                    self.edge(field, target, ALL, "load")
            elif isinstance(key, int) and key >= 0:
                if star < 0 or key < star:
                    position = key
                elif (width := self.widths.get(number)) is not None and key >= width - (arity - 1 - star):
                    position = key - width + arity
                else:
                    return
                if position < len(targets):
                    self.edge(field, targets[position], ALL, "load")

        self.each_field(number, react)

    def w_iterate(self, s: Survey, n: int, number: int, op: ops.Iterate) -> None:
        kind = self.kind(number)
        if kind == "obj":
            if self.value(number)[2] == "array":
                self.add(n + op.target, number, n + op.source, number)
            self.each_field(number, lambda key, field: self.edge(field, n + op.target, ALL, "load"))
        elif kind == "flag":
            self.edge(n + op.source, n + op.target, ELEMENTS)
        elif kind in ("mark", "info", "env"):
            self.add(n + op.target, number, n + op.source, number)
        elif kind == "inst" and not self.special_method(number, "__iter__", [], n + op.target):
            self.special_method(number, "__getitem__", [(0, None)], n + op.target)

    def slot(self, env: int, origin: int, arity: int, position: object, target: int) -> None:
        """Slot `position` of a step of `arity` values: a flag is born, or the info."""
        _, api, unlimited, *_ = self.value(env)
        if isinstance(position, int) and position < 0:
            position += arity
        array = flag_lattice.ARRAY if api.vector else 0
        site = self.origin_site(origin)
        names = api.step if len(api.step) == arity else env_apis.FOUR if api.five and arity == 4 else ()
        if not isinstance(position, int) or not 0 <= position < len(names):
            return
        name = names[position]
        if name == "terminated" or (name == "done" and unlimited):
            self.add(target, flag_lattice.TERMINATED | array)
            self.births[target] = (site, "terminated")
            if not unlimited:
                self.endings[target] = Ending(site, api.vector)
        elif name == "done":
            self.add(target, flag_lattice.DONE | array)
            self.births[target] = (site, "done")
            self.endings[target] = Ending(site, api.vector)
        elif name == "truncated" and not unlimited:
            self.add(target, flag_lattice.TRUNCATED | array)
            self.births[target] = (site, "truncated")
        elif name == "obs":
            self.add(target, self.token("observation"))
        elif name in ("reward", "rewards"):
            self.rewards.add(target)
        elif name == "info":
            self.add(target, self.token("info", env, arity, origin))

"""Calls of names from outside: environments are made and wrapped, containers filled, values passed on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from done_lint.findings import Related, Span
from done_lint.model import api_lookup, env_apis, known_ids, libraries
from done_lint.model.command_line import CommandLine
from done_lint.model.facts import Made
from done_lint.model.program import Call
from done_lint.model.solve import ALL, ELEMENTS, MARKS, VALUES
from done_lint.model.survey import Survey

#: Packages whose functions `_library_call` knows, and all names that it asks for.
_ROOTS = libraries.ARRAYS | frozenset(
    """collections random itertools queue copy multiprocessing heapq typing threading functools dataclasses
    asyncio""".split()
)
_HEEDED = frozenset(
    """namedtuple make_dataclass zip map imap starmap tree_map vmap_apply enumerate partial jit vmap pmap remote wraps
    Process Thread heappush heapreplace Pipe next heappop getattr any all""".split()
).union(libraries.CONTAINERS, libraries.DRAWING, libraries.JOINING, libraries.PASSING)


class LibraryCalls(CommandLine):
    """The part of the solver that knows the tables of environments and libraries."""

    def o_library(self, s: Survey, n: int, f: int, *operands: Any) -> None:
        """A call of the one name from outside that f holds: nothing has to wait for it."""
        (number,) = self.held[n + f]
        if number not in self._heeded:
            self._heeded[number] = self._heeds(number)
        heeded = self._heeded[number]
        if heeded is None:
            self.c_external(number, Call.read(s, n, *operands))
        elif heeded:
            *_, result, _ = operands
            self.add(n + result, heeded)

    def _heeds(self, number: int) -> int | None:
        """What a call of a name from outside gives, whatever the arguments: a token, or 0; None: it depends on them."""
        dotted = self.value(number)[1]
        root, _, rest = dotted.partition(".")
        if dotted in self.user_apis or dotted in known_ids.ID_ARGUMENTS or self.is_command_line(dotted):
            return None
        if dotted in libraries.SEEDING or dotted in libraries.OLD_GENERATORS:
            return None
        if api_lookup.wraps(dotted) or api_lookup.constructor(dotted) is not None:
            return None
        if root in _ROOTS:
            return None if rest.rpartition(".")[2] in _HEEDED else 0
        return self.token("external", dotted + "()")

    def c_external(self, number: int, call: Call) -> None:
        dotted = self.value(number)[1]
        root, _, _ = dotted.partition(".")
        name = dotted.rpartition(".")[2]
        self._environment_ids(dotted, call)
        if self.command_line_call(dotted, call):
            return
        if self._environment_call(dotted, name, call) or self._generator_call(dotted, name, call):
            return
        if root in _ROOTS:
            self._library_call(root, name, call)
        elif not dotted.endswith("()"):
            self.add(call.result, self.token("external", dotted + "()"))

    def _environment_ids(self, dotted: str, call: Call) -> None:
        """Remember which argument names an environment by its id, to be looked up or to be known from now on."""
        keyword = known_ids.ID_ARGUMENTS.get(dotted)
        if keyword is None:
            return
        first = call.args[0][0] if call.args else next((node for key, node, _ in call.named if key == keyword), 0)
        if first:
            self.id_arguments.append((first, dotted, call.site))

    def _environment_call(self, dotted: str, name: str, call: Call) -> bool:
        """Constructors and wrappers of the tables."""
        if api_lookup.wraps(dotted):
            first = call.args[0][0] if call.args else next((node for k, node, _ in call.named if k == "env"), 0)
            self.evidence.setdefault(call.result, (call.site, f"wrapped by `{name}`"))
            library = dotted.startswith(("gym.wrappers.", "gymnasium.wrappers."))
            outer = name if library else dotted
            own = env_apis.GYM if dotted.startswith("gym.") else env_apis.GYMNASIUM

            def react(number: int) -> None:
                if self.kind(number) == "env":
                    _, inner, unlimited, certainty, node, below = self.value(number)
                    limited = name == env_apis.TIME_LIMIT
                    layers = below and (outer, *(layer for layer in below if layer != outer))
                    self.add(call.result, self.environment(inner, unlimited and not limited, certainty, node, layers))
                elif self.kind(number) == "inst":
                    # only a bare environment has no limit: a wrapper of the project has what it wraps
                    bare = not self.is_wrapper(*self.value(number)[1:])
                    unlimited = bare and name != "TimeLimit"
                    self.add(call.result, self.environment(own, unlimited, "proven", call.result, (outer,)))

            if first:
                self.watch(first, react)
                self.wrapped.append((first, call.result, own))
            else:
                self.add(call.result, self.environment(own, False, "proven", call.result))
            return True
        api = self.user_apis.get(dotted) or api_lookup.constructor(dotted)
        if api is None:
            return False
        self.evidence.setdefault(call.result, (call.site, f"made by `{dotted}`"))
        self.makes[call.result] = Made(
            Related(*call.site, f"made by `{dotted}`") if call.site else Related("", Span(1, 0, 1, 0), ""),
            dotted,
            frozenset(key for key, _, _ in call.named if key is not None),
            hidden=bool(call.stars) or any(key is None for key, _, _ in call.named),
        )
        made = name == "make"
        unlimited = api_lookup.unlimited(dotted)
        layers = env_apis.MADE_LAYERS if made else env_apis.BARE if unlimited or api.vector else ()
        if any(k in env_apis.COMPATIBILITY_ARGUMENTS for k, _, _ in call.named):
            self.add(call.result, self.environment(env_apis.GYMNASIUM, False, "proven", call.result, layers))
            return True
        ids: list[str] = []
        if call.args and call.args[0][0]:
            ids = [self.value(t)[1] for t in self.all(call.args[0][0], "text")]
        special = next((a for i in ids if (a := known_ids.by_id(i))), None)
        if made and ids and all(known_ids.never_truncates(i) for i in ids):
            unlimited = True
        self.add(call.result, self.environment(special or api, unlimited, "proven", call.result, layers))
        return True

    def _partial(self, inner: int, call: Call) -> None:
        # `f = partial(f, x)` in a loop would go on for ever
        if self.kind(inner) != "partial" or self.kind(self.value(inner)[2]) != "partial":
            self.add(call.result, self.token("partial", call.result, inner))

    def _generator_call(self, dotted: str, name: str, call: Call) -> bool:
        """`generator, seed = seeding.np_random(seed)`, and numpy's own generator of before."""
        if dotted in libraries.OLD_GENERATORS:
            self.add(call.result, self.token("old generator"))
            return True
        if dotted not in libraries.SEEDING:
            return False
        pair = self.token("obj", call.result, "tuple")
        self.add(call.result, pair)
        self.evidence.setdefault(call.result, (call.site, f"made by `seeding.{name}`"))
        self.add(self.field(pair, 0), self.token("generator", "proven", call.result))
        return True

    def _library_call(self, root: str, name: str, call: Call) -> None:
        args = [node for node, _ in call.args if node]
        if name == "namedtuple" or name == "make_dataclass":
            fields = self._field_names(call)
            if fields:
                self.add(call.result, self.token("record", call.result, fields))
            return
        if name == "zip":
            self._zip(call)
        elif name in ("map", "imap", "starmap", "tree_map", "vmap_apply") and len(args) >= 2:
            self._map(call)
        elif name == "enumerate" and args:
            self._enumerate(args[0], call)
        elif name == "partial" and call.args and call.args[0][0]:
            self.partials[call.result] = call
            self.watch(call.args[0][0], lambda inner: self._partial(inner, call))
        elif name in ("jit", "vmap", "pmap", "remote", "wraps") and args:
            self.edge(args[0], call.result)
        elif name in ("Process", "Thread"):
            self._start(call)
        elif name in ("heappush", "heapreplace") and len(args) == 2:
            self._put(args[0], call.args[1], call)
        elif name == "Pipe":
            ends = self.token("obj", call.result, "tuple")
            one, other = (self.token("obj", self.add_node(), "pipe") for _ in range(2))
            self.peers.update({one: other, other: one})
            self.add(call.result, ends)
            self.add(self.field(ends, 0), one)
            self.add(self.field(ends, 1), other)
        elif name == "next" and args:
            self.watch(args[0], lambda t: self.load_item(t, (0,), call.result, args[0]))
        elif name == "heappop" and args:
            self.watch(args[0], lambda t: self.load_item(t, (None,), call.result, args[0]))
        elif name == "getattr" and len(call.args) >= 2:
            for text in self.all(call.args[1][0], "text"):
                self._attribute_by_text(args[0], self.value(text)[1], call.result)
        elif name in libraries.CONTAINERS:
            kind = "array" if root in libraries.ARRAYS - {"builtins"} else "list"
            kind = "dict" if name in ("dict", "defaultdict", "OrderedDict") else kind
            number = self.token("obj", call.result, kind)
            self.add(call.result, number)
            for key, node, span in call.named:
                if key and node and name == "dict":
                    self.edge(node, self.field(number, "'" + key), ALL, "store", ((call.survey.path, span), node))
            if name == "defaultdict" and args:
                factory = Call(call.survey, [], (), [], self.field(number, "*"), call.site)
                self.watch(args[0], lambda t: self.call(t, factory))
            if name in ("deque", "list", "set", "tuple") and args:
                self._extend(args[0], number)
                self.edge(args[0], call.result, VALUES)
            elif name in ("full", "full_like") and len(args) >= 2:
                self.edge(args[1], call.result, VALUES)
        elif name in libraries.DRAWING and args:
            self.edge(args[0], call.result, VALUES)
            self.watch(args[0], lambda t: self._draw(t, name, call.result, args[0]))
        elif name in libraries.JOINING and args:
            for position, (node, span) in enumerate(call.args):
                # `dones = np.append(dones, done)` puts a value into an array, as the method of a list does
                put = position == {"append": 1, "insert": 2}.get(name)
                site = ((call.survey.path, span), node) if put else None
                if node:
                    self.edge(node, call.result, VALUES, "store" if put else "flow", site)
        elif name in ("any", "all") and args:
            # one value of many
            self.edge(self.flat(args[0]), call.result, ELEMENTS)
        elif name in libraries.PASSING and args:
            first = args[0]
            if 0 in call.stars:  # `Variable = lambda *args: autograd.Variable(*args)`
                first = self.add_node()
                self.watch(args[0], lambda t: self.load_item(t, (0,), first, args[0]))
            self.edge(first, call.result, VALUES)
            for node in args[1:]:
                self.edge(node, call.result, MARKS)

    def _attribute_by_text(self, node: int, name: str, result: int) -> None:
        self.watch(node, lambda number: self.attribute(number, name, result, node))

    def _draw(self, number: int, name: str, target: int, source: int) -> None:
        if name == "choice":
            self.load_item(number, (None,), target, source)

    def _field_names(self, call: Call) -> tuple[str, ...]:
        source = call.args[1][0] if len(call.args) > 1 else next((v for k, v, _ in call.named if k == "field_names"), 0)
        if not source:
            return ()
        for number in self.held[source]:
            if self.kind(number) == "text":
                return tuple(self.value(number)[1].replace(",", " ").split())
            if self.kind(number) == "obj":
                fields = sorted((k, v) for k, v in self.owned.get(number, ()) if isinstance(k, int))
                names = [next((self.value(t)[1] for t in self.all(v, "text")), "") for _, v in fields]
                if names and all(names):
                    return tuple(names)
        return ()

    def _put(self, container: int, value: tuple[int, Any], call: Call) -> None:
        node, span = value
        site = ((call.survey.path, span), node)

        def react(number: int) -> None:
            if self.kind(number) == "obj":
                self.edge(node, self.field(number, "*"), ALL, "store", site)

        self.watch(container, react)

    def _zip(self, call: Call) -> None:
        rows = self.token("obj", call.result, "list")
        row = self.token("obj", self.add_node(), "zipped")
        self.add(call.result, rows)
        self.add(self.field(rows, "*"), row)
        for position, (node, _) in enumerate(call.args):
            if not node:
                continue
            if position in call.stars:
                self._transpose(node, rows, call)
            else:
                target = self.field(row, position)
                self.watch(node, self._elements_into(node, target))

    def _elements_into(self, node: int, target: int) -> Callable[[int], None]:
        def react(number: int) -> None:
            kind = self.kind(number)
            if kind == "obj":
                if self.value(number)[2] == "array":
                    self.add(target, number, node, number)
                self.each_field(number, lambda key, field: self.edge(field, target, ALL, "load"))
            elif kind == "flag":
                self.edge(node, target, ELEMENTS)
            elif kind in ("mark", "info", "env"):
                self.add(target, number, node, number)

        return react

    def _transpose(self, node: int, rows: int, call: Call) -> None:
        """`zip(*batch)`: column i holds field i of every row."""
        columns: dict[int, int] = {}

        def row(number: int) -> None:
            if self.kind(number) != "obj":
                return

            def field(key: object, value: int) -> None:
                if isinstance(key, int) and key >= 0:
                    column = columns.get(key)
                    if column is None:
                        column = columns[key] = self.token("obj", self.add_node(), "many")
                        self.add(self.field(rows, key), column)
                    self.edge(value, self.field(column, "*"), ALL, "load")

            self.each_field(number, field)

        def batch(number: int) -> None:
            if self.kind(number) == "obj":
                self.each_field(number, lambda key, field: self.watch(field, row))

        self.watch(node, batch)

    def _map(self, call: Call) -> None:
        function, source = call.args[0], call.args[1]
        mapped = self.token("obj", call.result, "list")
        self.add(call.result, mapped)

        def each(key: object, field: int) -> None:
            out = self.field(mapped, key)
            inner = Call(call.survey, [(field, source[1])], (), [], out, call.site)
            self.watch(function[0], lambda number: self.call(number, inner))

        def react(number: int) -> None:
            if self.kind(number) == "obj":
                self.each_field(number, each)

        if source[0]:
            self.watch(source[0], react)

    def _enumerate(self, node: int, call: Call) -> None:
        rows = self.token("obj", call.result, "list")
        row = self.token("obj", self.add_node(), "zipped")
        self.add(call.result, rows)
        self.add(self.field(rows, "*"), row)
        self.watch(node, self._elements_into(node, self.field(row, 1)))

    def _start(self, call: Call) -> None:
        """`Process(target=f, args=(a, b))`: a call of f."""
        named = {k: (node, span) for k, node, span in call.named}
        if "target" not in named or "args" not in named:
            return
        inner = Call(call.survey, [named["args"]], (0,), [], self.add_node(), call.site)
        self.watch(named["target"][0], lambda number: self.call(number, inner))

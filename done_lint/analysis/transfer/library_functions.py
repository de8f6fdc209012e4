"""What functions of the usual libraries do: containers are made and filled, values passed on, functions called.

Names are compared by their last part, after the package is known to be one of `array_functions.PACKAGES`.
"""

from __future__ import annotations

from collections.abc import Callable

from done_lint.analysis.program import Call
from done_lint.analysis.solver import ALL, ELEMENTS, MARKS, VALUES
from done_lint.analysis.transfer.argparse_options import CommandLine
from done_lint.analysis.values import (
    Environment,
    Flag,
    Info,
    Mark,
    Object,
    Partial,
    RecordClass,
    Shape,
    StepColumns,
    Text,
)
from done_lint.flowgraph.keys import ANY, IndexKey, Key, TextKey
from done_lint.flowgraph.operations import Placed
from done_lint.knowledge import array_functions


class LibraryFunctions(CommandLine):
    """The part of the solver that knows the table of functions below."""

    def knows(self, name: str) -> bool:
        """Whether a function of this name does anything with flags, objects or calls."""
        return name in _FUNCTIONS

    def library_function(self, root: str, name: str, call: Call) -> None:
        """A call of `root...name`, where `root` is one of `array_functions.PACKAGES`."""
        if (function := _FUNCTIONS.get(name)) is not None:
            function(self, root, name, call)

    # --- containers --------------------------------------------------------------------------------

    def _container(self, root: str, name: str, call: Call) -> None:
        shape = Shape.ARRAY if root in array_functions.ARRAYS - {"builtins"} else Shape.LIST
        shape = Shape.DICT if name in ("dict", "defaultdict", "OrderedDict") else shape
        number = self.intern(Object(call.result, shape))
        self.add(call.result, number)
        for key, node, span in call.named:
            if key and node and name == "dict":
                self.edge(node, self.field(number, TextKey(key)), ALL, "store", call.passage(node, span))
        args = call.given
        if name == "defaultdict" and args:
            factory = Call(call.survey, [], (), [], self.field(number, ANY), call.site)
            self.watch(args[0], lambda t: self.call(t, factory))
        if name in ("deque", "list", "set", "tuple") and args:
            self._extend(args[0], number)
            self.edge(args[0], call.result, VALUES)
        elif name in ("full", "full_like") and len(args) >= 2:
            self.edge(args[1], call.result, VALUES)

    def _record(self, root: str, name: str, call: Call) -> None:
        if fields := self._field_names(call):
            self.add(call.result, self.intern(RecordClass(call.result, fields)))

    def _field_names(self, call: Call) -> tuple[str, ...]:
        source = call.args[1].node if len(call.args) > 1 else call.keyword("field_names")
        if not source:
            return ()
        for number in self.held[source]:
            value = self.value(number)
            if isinstance(value, Text):
                return tuple(value.text.replace(",", " ").split())
            if isinstance(value, Object):
                fields = sorted((k.position, v) for k, v in self.owned.get(number, ()) if isinstance(k, IndexKey))
                names = [next((text.text for text in self.values(v, Text)), "") for _, v in fields]
                if names and all(names):
                    return tuple(names)
        return ()

    def _push(self, root: str, name: str, call: Call) -> None:
        """`heappush(heap, value)`."""
        if len(call.given) == 2:
            self._put(call.given[0], call.args[1], call)

    def _put(self, container: int, value: Placed, call: Call) -> None:
        node, span = value
        passage = call.passage(node, span)

        def react(number: int) -> None:
            if isinstance(self.value(number), Object):
                self.edge(node, self.field(number, ANY), ALL, "store", passage)

        self.watch(container, react)

    def _pipe(self, root: str, name: str, call: Call) -> None:
        ends = self.intern(Object(call.result, Shape.TUPLE))
        one, other = (self.intern(Object(self.add_node(), Shape.PIPE)) for _ in range(2))
        self.peers.update({one: other, other: one})
        self.add(call.result, ends)
        self.add(self.field(ends, IndexKey(0)), one)
        self.add(self.field(ends, IndexKey(1)), other)

    # --- elements ----------------------------------------------------------------------------------

    def _first(self, root: str, name: str, call: Call) -> None:
        """`next(rows)` is the first element, `heappop(heap)` any."""
        key = IndexKey(0) if name == "next" else ANY
        if call.given:
            node = call.given[0]
            self.watch(node, lambda number: self.load_item(number, (key,), call.result, node))

    def _draw(self, root: str, name: str, call: Call) -> None:
        if call.given:
            node = call.given[0]
            self.edge(node, call.result, VALUES)
            if name == "choice":
                self.watch(node, lambda number: self.load_item(number, (ANY,), call.result, node))

    def _one_of(self, root: str, name: str, call: Call) -> None:
        """`any(flags)`: one value of many."""
        if call.given:
            node = call.given[0]
            self.edge(self.flat(node), call.result, ELEMENTS)

    def _enumerate(self, root: str, name: str, call: Call) -> None:
        if call.given:
            node = call.given[0]
            _, row = self.rows(call)
            self.watch(node, self._elements_into(node, self.field(row, IndexKey(1))))

    def _zip(self, root: str, name: str, call: Call) -> None:
        rows, row = self.rows(call)
        for position, (node, _) in enumerate(call.args):
            if not node:
                continue
            if position in call.stars:
                self.watch(node, self.columns_into(rows, call.result))
            else:
                target = self.field(row, IndexKey(position))
                self.watch(node, self._elements_into(node, target))

    def _elements_into(self, node: int, target: int) -> Callable[[int], None]:
        def react(number: int) -> None:
            value = self.value(number)
            if isinstance(value, Object):
                if value.shape is Shape.ARRAY:
                    self.add(target, number, node, number)
                self.each_field(number, lambda key, field: self.edge(field, target, ALL, "load"))
            elif isinstance(value, Flag):
                self.edge(node, target, ELEMENTS)
            elif isinstance(value, (Mark, Info, Environment)):
                self.add(target, number, node, number)

        return react

    # --- functions ---------------------------------------------------------------------------------

    def _map(self, root: str, name: str, call: Call) -> None:
        if len(call.given) < 2:
            return
        function, source = call.args[0], call.args[1]
        mapped = self.intern(Object(call.result, Shape.LIST))
        self.add(call.result, mapped)

        def each(key: Key, field: int) -> None:
            out = self.field(mapped, key)
            inner = Call(call.survey, [Placed(field, source.span)], (), [], out, call.site)
            self.watch(function.node, lambda number: self.call(number, inner))

        def react(number: int) -> None:
            value = self.value(number)
            if isinstance(value, Object):
                self.each_field(number, each)
            elif isinstance(value, StepColumns):
                self.add(call.result, number)

        if source.node:
            self.watch(source.node, react)

    def _bind_some(self, root: str, name: str, call: Call) -> None:
        """`partial(f, a)`."""
        if call.args and call.args[0].node:
            self.partials[call.result] = call
            self.watch(call.args[0].node, lambda inner: self._partial(inner, call))

    def _partial(self, inner: int, call: Call) -> None:
        # `f = partial(f, x)` in a loop would go on for ever
        value = self.value(inner)
        if not isinstance(value, Partial) or not isinstance(self.value(value.inner), Partial):
            self.add(call.result, self.intern(Partial(call.result, inner)))

    def _decorate(self, root: str, name: str, call: Call) -> None:
        """`jit(f)` is called like f."""
        if call.given:
            node = call.given[0]
            self.edge(node, call.result)

    def _start(self, root: str, name: str, call: Call) -> None:
        """`Process(target=f, args=(a, b))`: a call of f."""
        args = [Placed(node, span) for key, node, span in call.named if key == "args"]
        if not args or all(key != "target" for key, _, _ in call.named):
            return
        inner = Call(call.survey, args, (0,), [], self.add_node(), call.site)
        self.watch(call.keyword("target"), lambda number: self.call(number, inner))

    def _getattr(self, root: str, name: str, call: Call) -> None:
        if len(call.args) >= 2 and call.given:
            for attribute in self.values(call.args[1].node, Text):
                self._attribute_by_text(call.given[0], attribute.text, call.result)

    def _attribute_by_text(self, node: int, name: str, result: int) -> None:
        self.watch(node, lambda number: self.attribute(number, name, result, node))

    # --- values ------------------------------------------------------------------------------------

    def _join(self, root: str, name: str, call: Call) -> None:
        for position, (node, span) in enumerate(call.args):
            # `dones = np.append(dones, done)` puts a value into an array, as the method of a list does
            put = position == {"append": 1, "insert": 2}.get(name)
            passage = call.passage(node, span) if put else None
            if node:
                self.edge(node, call.result, VALUES, "store" if put else "flow", passage)

    def _pass(self, root: str, name: str, call: Call) -> None:
        args = call.given
        if not args:
            return
        first = args[0]
        if 0 in call.stars:  # `Variable = lambda *args: autograd.Variable(*args)`
            first = self.add_node()
            self.watch(args[0], lambda number: self.load_item(number, (IndexKey(0),), first, args[0]))
        self.edge(first, call.result, VALUES)
        if name == "transpose":
            self.watch(first, lambda number: self.transpose(number, call.result))
        for node in args[1:]:
            self.edge(node, call.result, MARKS)


#: What is done in a call of a function, by its name; where several rows have a name, the last counts.
_FUNCTIONS: dict[str, Callable[[LibraryFunctions, str, str, Call], None]] = {
    **dict.fromkeys(array_functions.PASSING, LibraryFunctions._pass),
    **dict.fromkeys(("any", "all"), LibraryFunctions._one_of),
    **dict.fromkeys(array_functions.JOINING, LibraryFunctions._join),
    **dict.fromkeys(array_functions.DRAWING, LibraryFunctions._draw),
    **dict.fromkeys(array_functions.CONTAINERS, LibraryFunctions._container),
    "getattr": LibraryFunctions._getattr,
    **dict.fromkeys(("next", "heappop"), LibraryFunctions._first),
    "Pipe": LibraryFunctions._pipe,
    **dict.fromkeys(("heappush", "heapreplace"), LibraryFunctions._push),
    **dict.fromkeys(("Process", "Thread"), LibraryFunctions._start),
    **dict.fromkeys(("jit", "vmap", "pmap", "remote", "wraps"), LibraryFunctions._decorate),
    "partial": LibraryFunctions._bind_some,
    "enumerate": LibraryFunctions._enumerate,
    **dict.fromkeys(("map", "imap", "starmap", "tree_map", "vmap_apply"), LibraryFunctions._map),
    "zip": LibraryFunctions._zip,
    **dict.fromkeys(("namedtuple", "make_dataclass"), LibraryFunctions._record),
}

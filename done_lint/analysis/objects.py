"""What objects hold: the nodes of their fields, and where the elements of rows stand."""

from __future__ import annotations

from collections.abc import Callable

from done_lint.analysis import flag_lattice
from done_lint.analysis.solver import FLAGS, Solver, forbid
from done_lint.analysis.values import Object, Shape, Text
from done_lint.flowgraph.keys import ANY, OTHER, IndexKey, Key, TextKey

#: The fields of an object are read at no more places than this: a container that everything goes through is widened
#: to unknown. The trees that this was measured on had at most 1,234 such places, and one library of 750 files 119,002.
MOST_READERS = 2000
#: How deep in arrays of arrays flags are seen.
DEEPEST = 3
#: So many bits say how deep.
_BITS = 2
_DEPTHS = (1 << _BITS) - 1
#: Objects whose elements arithmetic sees.
ELEMENTWISE = frozenset({Shape.LIST, Shape.MANY, Shape.ARRAY})
_NO_FLAGS: frozenset[int] = frozenset()


class Objects:
    """The fields of objects and instances, each of them a node."""

    def __init__(self, solver: Solver) -> None:
        """None are known."""
        self._solver = solver
        self.fields: dict[tuple[int, Key], int] = {}
        self.owned: dict[int, list[tuple[Key, int]]] = {}
        #: What reads every field of an object.
        self._readers: dict[int, list[Callable[[Key, int], None]]] = {}
        #: How many elements a literal tuple has.
        self.widths: dict[int, int] = {}
        #: How many elements a row has where it is made; a list may grow.
        self.lengths: dict[int, int] = {}
        #: The rows that a longer one begins with.
        self.shorter: dict[int, set[int]] = {}
        #: Of a list that is an instance of a class of the project: the methods that the class has itself.
        self.methods: dict[int, set[str]] = {}
        #: What makes the element of a mapping that has one for each key: `{k: [] for k in keys}`, `defaultdict(list)`.
        self._makers: dict[int, list[Callable[[int], None]]] = {}
        #: The keys that the elements of a mapping are asked for.
        self._asked: dict[int, set[Key]] = {}
        #: The other end of a pipe.
        self.peers: dict[int, int] = {}

    def field(self, owner: int, key: Key) -> int:
        """The node of a field of an object."""
        node = self.fields.get((owner, key))
        if node is None:
            node = self._solver.add_node()
            self.fields[owner, key] = node
            self.owned.setdefault(owner, []).append((key, node))
            for react in self._readers.get(owner, ()):
                react(key, node)
        return node

    def each_field(self, owner: int, react: Callable[[Key, int], None]) -> None:
        """Call `react` with every field that the object has or will have."""
        readers = self._readers.setdefault(owner, [])
        if len(readers) == MOST_READERS:
            return
        readers.append(react)
        for key, node in tuple(self.owned.get(owner, ())):
            react(key, node)

    def ask(self, owner: int, key: Key) -> None:
        """Somebody asks a mapping for what stands under a key: it has an element there, if it makes them."""
        asked, key = self._asked.setdefault(owner, set()), key if isinstance(key, TextKey) else OTHER
        if key not in asked:
            asked.add(key)
            for make in self._makers.get(owner, ()):
                make(self.field(owner, key))

    def make_by_key(self, owner: int, make: Callable[[int], None]) -> None:
        """Let `make` put an element into the field of every key that a mapping is asked for."""
        self._makers.setdefault(owner, []).append(make)
        for key in tuple(self._asked.get(owner, ())):
            make(self.field(owner, key))

    def is_under(self, owner: int, known: Key, key: Key) -> bool:
        """Whether what an object has under a key may be what it is asked for by another."""
        if known == OTHER:
            return not isinstance(key, TextKey) or owner not in self._makers
        return known in (ANY, key)

    def is_array(self, number: int) -> bool:
        """Whether a value is an object whose elements arithmetic sees."""
        value = self._solver.value(number)
        return isinstance(value, Object) and value.shape in ELEMENTWISE

    def takes_messages(self, node: int) -> bool:
        """Whether rows arrive at a node that begin with a word: `command, data = pipe.recv()`."""
        heads = (self.fields.get((number, IndexKey(0))) for number in self._solver.all(node, Object))
        return any(head is not None and self._solver.all(head, Text) for head in heads)

    def freeze(self) -> None:
        """Refuse every change from now on, and drop the reactions, which hold the analysis."""
        self._readers.clear()
        self._makers.clear()
        self._asked.clear()
        forbid(self, "field", "each_field", "ask", "make_by_key")


class Arrays:
    """The flags that arithmetic sees at a node: its own, and those of the elements of the arrays it holds."""

    def __init__(self, solver: Solver, objects: Objects) -> None:
        """None are known."""
        self._solver = solver
        self._objects = objects
        solver.react_to_object = self._each
        self.flats: dict[int, int] = {}
        #: What was gathered of a node, and how deep.
        self._gathered: dict[tuple[int, int], frozenset[int]] = {}

    def flat_flags(self, node: int) -> frozenset[int]:
        """The flags of a node and of the elements of the arrays it holds, once all is solved (see `flat`)."""
        return self._gather(node, DEEPEST)

    def _gather(self, node: int, depth: int) -> frozenset[int]:
        found = self._gathered.get((node, depth))
        if found is None:
            flat: set[int] = set()
            for number in self._solver.held[node]:
                if number < flag_lattice.END:
                    flat.add(number)
                elif depth and self._objects.is_array(number):
                    for _, field in self._objects.owned.get(number, ()):
                        flat |= self._gather(field, depth - 1)
            found = self._gathered[node, depth] = frozenset(flat) if flat else _NO_FLAGS
        return found

    def elements(self, node: int) -> list[int]:
        """The nodes of the elements of the arrays that a node holds."""
        arrays = (number for number in self._solver.held[node] if self._objects.is_array(number))
        return [field for number in arrays for _, field in self._objects.owned.get(number, ())]

    def flat(self, node: int) -> int:
        """A node with the flags of `node` and of the elements of the arrays it holds."""
        made = self.flats.get(node)
        if made is None:
            made = self.flats[node] = self._solver.add_node()
            self._solver.edge(node, made, FLAGS, "flat")
            self._flatten(node, made, DEEPEST)
        return made

    def _flatten(self, node: int, made: int, depth: int) -> None:
        self._solver.watch_objects(node, made << _BITS | depth)

    def _each(self, watcher: int, number: int) -> None:
        if self._objects.is_array(number):
            self._objects.each_field(number, _Elements(self, watcher))

    def element(self, field: int, watcher: int) -> None:
        """Let a node have the flags of one more field: `watcher` says which one, and how deep that is."""
        made, depth = watcher >> _BITS, watcher & _DEPTHS
        if made not in self._solver.successors[field]:
            self._solver.edge(field, made, FLAGS, "load")
            if depth > 1:
                self._flatten(field, made, depth - 1)

    def freeze(self) -> None:
        """Refuse every change from now on."""
        forbid(self, "flat")


class _Elements:
    """What reads all fields of an array for its flags: there are too many of them for a closure each."""

    __slots__ = ("_arrays", "_watcher")

    def __init__(self, arrays: Arrays, watcher: int) -> None:
        self._arrays, self._watcher = arrays, watcher

    def __call__(self, key: Key, field: int) -> None:
        self._arrays.element(field, self._watcher)

"""Where values are kept, or handed to code that cannot be seen: lists, arrays, buffers, rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import values
from done_lint.analysis.values import (
    ClassRef,
    ContainerMethod,
    External,
    FunctionRef,
    Info,
    Object,
    Place,
    RecordClass,
    ReplayMethod,
    Shape,
    StepValue,
)
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.external_names import BUILTINS
from done_lint.flowgraph.operations import Placed
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: How far the way of a list round a loop is followed.
_AROUND = 50
#: Objects whose elements are the fields of one row.
_FIELDS = frozenset({Shape.TUPLE, Shape.RETURNED, Shape.DICT, Shape.RECORD, Shape.ZIPPED})


class Store(NamedTuple):
    """A place where values are kept."""

    place: Place
    #: And where it is written what is kept, where that can be told.
    values: tuple[Placed, ...]
    #: They are given to an object of a class for rows, or to code that cannot be seen, which may keep them or not.
    unseen: bool = False


class Stores:
    """Finds such places in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program

    def of(self, survey: Survey, is_wanted: Callable[[int], bool]) -> Iterator[Store]:
        """The places of one file at which something is kept that is wanted, by its node."""
        base, path = self._program.bases[survey.path], survey.path
        put: Iterator[ops.SetItem | ops.AppendByKey] = chain(survey.waits(ops.SetItem), survey.waits(ops.AppendByKey))
        for item in put:
            if not is_wanted(base + item.value):
                continue
            if not self._is_of_step(base + item.owner):
                yield Store(Place(path, item.at), (Placed(base + item.value),))
        for longer in dict.fromkeys(survey.waits(ops.Longer)):
            before, more = longer.inputs
            given = (Placed(base + more), *(Placed(field) for _, field in self.fields(base + more)))
            if any(is_wanted(one.node) for one in given) and self._grows(base + before, base + longer.result):
                yield Store(Place(path, survey.places[more]), given)
        yield from self._by_calls(survey, is_wanted)

    def _by_calls(self, survey: Survey, is_wanted: Callable[[int], bool]) -> Iterator[Store]:
        base, path = self._program.bases[survey.path], survey.path
        placing, extending = _placing(survey), _extending(survey)
        for call in survey.calls():
            given = self._given(base, call, each=call.called in extending)
            if not any(is_wanted(one.node) for one in given):
                continue
            if (more := self._behind(base, call)) and any(is_wanted(one.node) for one in more):
                yield Store(Place(path, call.at), more)
            elif call.called in placing and call.args:
                yield Store(Place(path, call.at), (Placed(base + call.args[0].node, call.args[0].span),))
            elif (store := self._by_call(base, survey, call, given)) is not None:
                yield store

    def fields(self, node: int) -> Iterator[tuple[int, int]]:
        """The fields of the rows that a node holds, each with the number of its row."""
        for number in self._solver.all(node, Object):
            if self._solver.get(number, Object).shape in _FIELDS or self._objects.lengths.get(number):
                yield from ((number, field) for _, field in self._objects.owned.get(number, ()))

    def _given(self, base: int, call: ops.Call | ops.LibraryCall, *, each: bool) -> tuple[Placed, ...]:
        """The arguments of a call, and each element of them; an array of a step's values has no others."""
        every = (*call.args, *(Placed(one.node, one.span) for one in call.keywords))
        given = ((base + one.node, one.span) for one in every if one.node)
        elements = self._elements if each else self._rows
        return tuple(Placed(one, at) for node, at in given for one in (node, *elements(node)))

    def _elements(self, node: int) -> Iterator[int]:
        """The elements of the objects that a node holds, each of which `extend` keeps."""
        for number in self._solver.all(node, Object):
            yield from (field for _, field in self._objects.owned.get(number, ()))

    def _rows(self, node: int) -> Iterator[int]:
        """The rows of a table that a comprehension makes: `[(obs[i], reward[i]) for i in places]`."""
        for number in self._solver.all(node, Object):
            if self._solver.get(number, Object).shape is Shape.MANY:
                owned = self._objects.owned.get(number, ())
                yield from (field for _, field in owned if any(True for _ in self.fields(field)))

    def _is_of_step(self, owner: int) -> bool:
        """Whether the step itself returned what is changed: `next_obs[i] = final_obs`, `infos["score"] = reward`."""
        if self._solver.all(owner, Info):
            return True
        return bool(self._solver.all(owner, StepValue)) and not self._is_filled(owner)

    def _is_filled(self, node: int) -> bool:
        """Whether it is an array of the program's: `rows[t][:] = reward` reads what was put there before."""
        return any(is_array(self._solver.value(number)) for number in self._solver.all(node, Object))

    def _behind(self, base: int, call: ops.Call | ops.LibraryCall) -> tuple[Placed, ...]:
        """What is put behind an array that comes back to be made longer: `rows = torch.cat((rows, row))` in a loop."""
        called = (one.dotted for one in self._solver.values(base + call.called, External))
        if not call.args or not any(one.rpartition(".")[2] in array_functions.JOINING for one in called):
            return ()
        given, span = base + call.args[0].node, call.args[0].span
        parts = dict.fromkeys(field for _, field in self.fields(given))
        before = {one for one in parts if self._grows(one, base + call.result)}
        return tuple(Placed(one, span) for one in parts if one not in before) if before else ()

    def _grows(self, before: int, result: int) -> bool:
        """Whether a list that is made longer comes back to be made longer: `rows += [row]` in a loop."""
        return before in reach([result], lambda node: self._solver.successors[node], bound=_AROUND)

    def _by_call(
        self, base: int, survey: Survey, call: ops.Call | ops.LibraryCall, given: tuple[Placed, ...]
    ) -> Store | None:
        called = [self._solver.value(number) for number in self._solver.held[base + call.called]]
        place = Place(survey.path, call.at)
        if any(isinstance(one, ContainerMethod) and one.name in array_functions.PUTTING for one in called):
            return Store(place, given[-1:])
        if any(isinstance(one, ContainerMethod) and one.name in array_functions.OVERWRITING for one in called):
            return Store(place, given[:1])
        if any(isinstance(one, External) and one.dotted in array_functions.PUTTING_INTO for one in called):
            return Store(place, given[1:])
        if any(isinstance(one, ReplayMethod) and one.name in array_functions.PUTTING for one in called):
            return Store(place, given)
        if not all(_is_unseen(one, survey.page) for one in called):
            return None  # what the project's own code does with them is seen there
        if any(one.shape is Shape.RECORD for one in self._solver.values(base + call.result, Object)):
            return None  # a row by itself, as a tuple is: who takes it may keep it
        _, name = self._program.attribute_at(base + call.called) or (0, _last_name(called))
        return Store(place, given, unseen=name not in array_functions.PUTTING | array_functions.OVERWRITING)


def _placing(survey: Survey) -> frozenset[int]:
    """The nodes of the methods by which JAX puts a value into an array: `rows.at[t].set`."""
    read = [one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute)]
    owners = {one.target for one in read if one.name == "at"}
    places = {item.target for item in survey.waits(ops.Item) if item.source in owners} if owners else ()
    return frozenset(one.target for one in read if one.source in places and one.name in array_functions.PUTTING_AT)


def _extending(survey: Survey) -> frozenset[int]:
    """The nodes of the methods that keep each element of what they are given: `rows.extend`."""
    read = (one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute))
    return frozenset(one.target for one in read if one.name.startswith("extend"))


def _is_unseen(called: values.Value, page: bool) -> bool:
    """Whether a call makes an object of a row, or means code that no table knows.

    Of an undefined name nothing at all is known, and what a page shows is not followed into the project's functions.
    """
    if not isinstance(called, External):
        return isinstance(called, (ClassRef, RecordClass)) or (page and isinstance(called, FunctionRef))
    root, _, rest = called.dotted.partition(".")
    if root == "builtins":
        return rest.partition(".")[0] not in BUILTINS
    return root not in array_functions.PACKAGES and _last_name([called]) not in array_functions.HARMLESS


def _last_name(called: Sequence[values.Value]) -> str:
    """How an undefined name ends that is called: `buffer.add` where nothing binds `buffer`."""
    undefined = (one.dotted for one in called if isinstance(one, External) and one.dotted.startswith("builtins."))
    return next(undefined, "").rpartition(".")[2]


def is_array(value: values.Value) -> bool:
    """Whether a value is an object whose elements stand for the environments, or for the steps."""
    return isinstance(value, Object) and value.shape in (Shape.ARRAY, Shape.LIST, Shape.MANY)

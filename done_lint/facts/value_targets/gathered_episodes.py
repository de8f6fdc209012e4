"""Where rows of several episodes meet in a list before a recursion reads them.

The list is not emptied at each end of an episode: neither is it made in the loop whose turns are episodes, nor are rows
taken out of it there, but where the recursion runs. That is behind this loop, or from time to time in it: behind a test
of a count (see `paced_work`) that goes on from episode to episode. What runs behind any other test may run once an
episode, so that nothing is said of it.

Arrays are left: they are emptied by setting a place back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import ClassRef, Object, Place, Shape, Site
from done_lint.core.findings import Related, Span
from done_lint.core.reach import reach
from done_lint.flowgraph.keys import ANY, Key

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.flag_evidence import Ending
    from done_lint.facts.value_targets.episode_borders import EpisodeBorders

#: A place, and the function that it stands in.
_Run = tuple[Place, FunctionId]


class _Round(NamedTuple):
    """A loop that goes on from episode to episode, a step in it, and the reset that begins the next one."""

    loop: Span
    step: Place
    reset: Site


class GatheredEpisodes:
    """Finds such lists on the way of a flag to a recursion."""

    def __init__(self, analysis: Analysis, running: CallGraph, borders: EpisodeBorders) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._classes = analysis.classes
        self._running = running
        self._borders = borders

    def border(
        self, ending: Ending, recursion: Place, function: int, way: Collection[int]
    ) -> tuple[Related, ...] | None:
        """Where the next episode begins in the rows of a recursion; None: nothing shows that they are of several ones.

        Args:
            ending: The step that the flag comes from.
            recursion: Where the flag cuts the carry.
            function: The function that this stands in.
            way: The nodes by which the flag comes there.
        """
        lists = self._lists(way) if ending.step is not None else []
        for step in self._borders.steps(ending.step) if ending.step is not None and lists else ():
            found = self._round(step, vector=ending.vector)
            if found is not None and self._meet(found, (recursion, FunctionId(recursion.path, function)), lists):
                return () if found.reset is None else (Related(*found.reset, "the next episode begins here"),)
        return None

    def _round(self, step: Place, *, vector: bool) -> _Round | None:
        """The innermost loop around a step that goes on behind the end of an episode."""
        survey, base = self._program.surveys[step.path], self._program.bases[step.path]
        loops = sorted((one for one in survey.loop_spans if step.span.within(one)), reverse=True)
        if vector:
            return _Round(loops[0], step, None) if loops else None
        for number, loop in enumerate(loops):
            if (reset := self._borders.reset_in(Place(step.path, loop), step)) is not None:
                # an episode that only a termination ends goes on past its limit
                tests = [base + node for node, at in survey.tests if number and at.within(loops[number - 1])]
                left = not number or any(map(self._is_set_by_truncation, tests))
                return _Round(loop, step, reset) if left else None
        return None

    def _is_set_by_truncation(self, node: int) -> bool:
        return any(flag & flag_lattice.TRUNCATED for flag in self._arrays.flat_flags(node))

    # --- what runs in a loop -----------------------------------------------------------------------

    def _meet(self, found: _Round, recursion: _Run, lists: list[int]) -> bool:
        """Whether the rows of several of these episodes are in the lists that the recursion reads."""
        runs = list(self._runs_in(found, recursion))
        if not self._is_seen(found, recursion) or self._is_divided(found, recursion):
            return False
        paced = [body for body in self._paced(found) if any(at.span.within(body) for at in runs)]
        if not all(any(at.span.within(body) for body in paced) for at in runs):
            return False
        emptying = (one for number in lists for one in self._emptied(number))
        return all(
            one is not None and all(any(at.span.within(body) for body in paced) for at in self._runs_in(found, one))
            for one in emptying
        )

    def _is_seen(self, found: _Round, run: _Run) -> bool:
        """Whether it shows where something runs: a function that nothing is seen to call may run anywhere."""
        return run[1] == self._home(found.step) or run[1].number < 0 or any(True for _ in self._called(run[1]))

    def _paced(self, found: _Round) -> Iterator[Span]:
        """What the loop that steps does from time to time, by a count that no episode starts anew."""
        inner = self._borders.loop_around(found.step)
        for one in self._program.surveys[found.step.path].paced:
            anew = any(at.within(found.loop) and at != found.loop for at in one.anew)
            if inner is not None and one.body.within(inner) and not anew:
                yield one.body

    def _runs_in(self, found: _Round, run: _Run) -> Iterator[Place]:
        """Where a loop runs something: it stands in the loop, or calls stand there that lead to it."""

        def is_inside(at: Place) -> bool:
            return at.path == found.step.path and at.span.within(found.loop)

        return (
            at for at, _ in reach([run], lambda one: () if is_inside(one[0]) else self._called(one[1])) if is_inside(at)
        )

    def _is_divided(self, found: _Round, recursion: _Run) -> bool:
        """Whether the recursion runs again and again over parts of the rows: in a loop that does not step."""
        stepped = {at for at, _ in reach([(found.step, self._home(found.step))], self._before)}

        def loops(at: Place) -> int:
            around = (one for one in self._program.surveys[at.path].loop_spans if at.span.within(one))
            return sum(not any(one.path == at.path and one.span.within(loop) for one in stepped) for loop in around)

        return any(loops(at) > (one == 0) for one, (at, _) in enumerate(reach([recursion], self._before)))

    def _home(self, step: Place) -> FunctionId:
        """The function around a step."""
        return self._borders.homes.get(step) or FunctionId(step.path, -1)

    def _before(self, run: _Run) -> Iterable[_Run]:
        return self._called(run[1])

    def _called(self, home: FunctionId) -> Iterable[_Run]:
        """Where a function is called; a constructor, where instances are made."""
        yield from self._running.callers.get(home, {}).items()
        if home.number >= 0:
            function = self._program.function_at(home)
            if function.name == "__init__" and function.owner >= 0:
                yield from self._made.get(ClassId(home.path, function.owner), ())

    @cached_property
    def _made(self) -> dict[ClassId, list[_Run]]:
        """Where instances of a class, or of one that inherits from it, are made."""
        found: dict[ClassId, list[_Run]] = {}
        for node, place, called in self._program.calls():
            home = self._program.home(node)
            for one in self._solver.values(called, ClassRef) if home is not None else ():
                for ancestor in self._classes.lineage(one.path, one.index):
                    if home is not None and not isinstance(ancestor, str):
                        found.setdefault(ClassId(*ancestor), []).append((place, home))
        return found

    # --- the lists ---------------------------------------------------------------------------------

    def _lists(self, way: Collection[int]) -> list[int]:
        """The lists that a flag goes through; none, where it goes through arrays, or a list has other rows beside."""
        found: dict[int, None] = {}
        for key, number in (self._owners[field] for field in way if field in self._owners):
            shape = self._solver.get(number, Object).shape
            if shape is Shape.ARRAY:
                return []
            # what has the flag at a place of its own is a row
            found.update(
                dict.fromkeys([number] if shape is Shape.LIST and key == ANY else self._of_rows.get(number, ()))
            )
        fields = (field for number in found for key, field in self._objects.owned[number] if key == ANY)
        stored = (edge.source for field in fields for edge in self._solver.predecessors[field] if edge.way == "store")
        return list(found) if all(self._has_flag(node, way) for node in stored) else []

    def _has_flag(self, row: int, way: Collection[int]) -> bool:
        """Whether what is put into a list is a flag, or holds one of those that come to the recursion."""
        rows = self._solver.all(row, Object)
        fields = ([field for _, field in self._objects.owned.get(one, ())] for one in rows)
        return bool(self._solver.flags(row)) or (bool(rows) and not any(map(frozenset(way).isdisjoint, fields)))

    @cached_property
    def _owners(self) -> dict[int, tuple[Key, int]]:
        """The container that a field belongs to, and the field's key."""
        containers = self._solver.of_kinds(Object)
        owned = ((number, fields) for number, fields in self._objects.owned.items() if number in containers)
        return {field: (key, number) for number, fields in owned for key, field in fields}

    @cached_property
    def _of_rows(self) -> dict[int, list[int]]:
        """The lists that a row is put into."""
        found: dict[int, list[int]] = {}
        for field, (key, number) in self._owners.items():
            if key == ANY and self._solver.get(number, Object).shape is Shape.LIST:
                for row in self._solver.all(field, Object):
                    found.setdefault(row, []).append(number)
        return found

    def _emptied(self, number: int) -> Iterator[_Run | None]:
        """Where a list is made, or rows are taken out of it; None: it is not known."""
        value = self._solver.get(number, Object)
        owner = self._program.owner(value.node)
        place = None if owner is None else self._program.surveys[owner.path].places.get(owner.node)
        if owner is None or place is None:
            yield None
            return
        yield Place(owner.path, place), self._running.home(*owner)
        yield from self._taken_out.get(number, ())
        for path, survey in self._program.surveys.items():
            for index, one in enumerate(survey.classes):
                # a field of a dataclass has a list for each of its instances
                if any(number in self._solver.held[self._program.bases[path] + node] for node in one.attrs.values()):
                    yield from self._made.get(ClassId(path, index), ())

    @cached_property
    def _taken_out(self) -> dict[int, list[_Run]]:
        """Where rows are taken out of each list."""
        found: dict[int, list[_Run]] = {}
        for path, survey in self._program.surveys.items():
            emptied, base = dict(survey.emptied), self._program.bases[path]
            functions = {one.row: number for number, one in enumerate(survey.functions)}
            rows = [*survey.uses, *((survey.places.span(n), one) for n, one in enumerate(survey.places.nodes))]
            for at, node in dict.fromkeys((at, node) for at, node in rows if at in emptied) if emptied else ():
                run = Place(path, at), FunctionId(path, functions.get(emptied[at], -1))
                for number in self._solver.all(base + node, Object):
                    found.setdefault(number, []).append(run)
        return found

"""How a value came to a place: the evidence that a finding shows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.solver import DEEPEST
from done_lint.analysis.values import Object, Place, Site
from done_lint.core.findings import Related, Span
from done_lint.core.reach import reach

if TYPE_CHECKING:
    from done_lint.analysis.linker import Linker

#: How far a flag is followed. Programs need a few hundred nodes; the bounds keep the cost of one sink small in
#: generated code and in libraries where everything is connected with everything.
BACKWARD = 20000
FORWARD = 2000
#: The same where no flag arrives, and where a reward is looked for: what is farther away tells nothing of the place.
UNFLAGGED = 500
REWARDS = 200
_NOWHERE = Span(1, 0, 1, 0)


class Paths:
    """Reads the reasons that the solver kept, backwards."""

    def __init__(self, linker: Linker) -> None:
        """Read from a solved linker."""
        self.linker = linker
        #: What `to` found: each way is the one of the node before, and at most one step more.
        self._ways: dict[tuple[int, int], tuple[Related, ...]] = {}

    def related(self, site: Site, message: str) -> Related:
        """A place with a word about it."""
        if site is None:
            return Related("", _NOWHERE, message)
        return Related(site[0], site[1], message)

    def evidence(self, node: int) -> tuple[Related, ...]:
        """Why an environment is held to speak its API, where there is a place that shows it."""
        site, message = self.linker.evidence.get(node, (None, ""))
        site = site or self.place(node)
        return (self.related(site, message),) if site is not None and message else ()

    def place(self, node: int) -> Site:
        """Where a node was made."""
        owner = self.linker.owner(node)
        if owner is None:
            return None
        span = self.linker.surveys[owner[0]].places.get(owner[1])
        return Place(owner[0], span) if span is not None else None

    def name(self, node: int) -> str:
        """The name a node was given."""
        owner = self.linker.owner(node)
        return self.linker.surveys[owner[0]].names.get(owner[1], "") if owner else ""

    def birth(self, node: int) -> Related | None:
        """The step, or the comparison, that a flag was born at."""
        if node in self.linker.births:
            site, word = self.linker.births[node]
            place = self.place(node) or site
            if place is None:
                return None
            return self.related(place, f"`{word}` is born here" if " " not in word else f"{word} is tested here")
        return None

    def entries(self, mask: int) -> list[int]:
        """Where the flags of a mask come in: the node itself, and the elements of the arrays it holds."""
        flat = self.linker.flats.get(mask)
        if flat is not None:
            return [source for source, _, _ in self.linker.predecessors[flat]]
        return list(dict.fromkeys(self._with_elements(mask, DEEPEST)))

    def _with_elements(self, node: int, depth: int) -> Iterator[int]:
        yield node
        arrays = filter(self.linker.is_array, self.linker.all(node, Object)) if depth else ()
        for number in arrays:
            for _, field in self.linker.owned.get(number, ()):
                yield from self._with_elements(field, depth - 1)

    def entry(self, mask: int, flag: int) -> int:
        """Where a flag of a mask comes in first."""
        flat = self.linker.flats.get(mask)
        if flat is not None:
            return self.linker.reason[flat, flag][0]
        return next(node for node in self.entries(mask) if flag in self.linker.held[node])

    def texts(self, node: int, text: int) -> list[tuple[str, Span]]:
        """Where the strings of this value stand that arrive at a node."""

        def before(at: int) -> list[int]:
            sources = [source for source, _, _ in self.linker.predecessors[at]]
            sources.append(self.linker.reason.get((at, text), (-1, -1))[0])
            return [source for source in sources if source >= 0 and text in self.linker.held[source]]

        return [site for at in reach([node], before) if (site := self.linker.texts.get(at)) is not None]

    def to(self, node: int, number: int) -> tuple[Related, ...]:
        """The way of a flag to a node: born, combined, handed on."""
        passed: list[tuple[int, int]] = []
        way: tuple[Related, ...] = ()
        for at, token in self._back(node, number):
            if (known := self._ways.get((at, token))) is not None:
                way = known
                break
            passed.append((at, token))
            if (birth := self.birth(at)) is not None:
                way = self._ways[passed.pop()] = (birth,)
                break
        for at, token in reversed(passed):
            combination = self.linker.combinations.get(at)
            if (
                combination is not None
                and combination[1] is not None
                and token < flag_lattice.END
                and flag_lattice.mixed(token)
            ):
                way = (*way, self.related(combination[1], "termination and truncation are joined here"))
            self._ways[at, token] = way
        return way

    def sampled(self, mask: int, flag: int) -> Related | None:
        """Where a stored flag was last read out of what it was stored in, on its way to a mask."""
        reader = mask
        for at, _ in self._back(self.entry(mask, flag), flag):
            if at in self._fields:
                # the flags of an array are read where the array is
                reader = self._arrays.get(reader, reader)
                site = self.place(reader)
                name = self.name(reader)
                if site is not None:
                    return self.related(site, f"`{name}` is read back here" if name else "read back here")
            reader = at
        return None

    @cached_property
    def _arrays(self) -> dict[int, int]:
        """The arrays whose elements' flags a node stands for."""
        return {flat: node for node, flat in self.linker.flats.items()}

    @cached_property
    def _fields(self) -> set[int]:
        """The nodes of what objects hold."""
        return set(self.linker.fields.values())

    def begins_among(self, nodes: set[int], node: int, number: int) -> bool:
        """Whether a flag that came to a node was born at one of `nodes`."""
        return bool(nodes) and any(at in nodes for at, _ in self._back(node, number))

    def _back(self, node: int, number: int) -> Iterator[tuple[int, int]]:
        """The nodes that a token came by, and what it was there."""
        seen: set[tuple[int, int]] = set()
        at, token = node, number
        while (at, token) not in seen and at >= 0:
            seen.add((at, token))
            yield at, token
            at, token = self.linker.reason.get((at, token), (-1, -1))

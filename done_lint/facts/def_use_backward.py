"""Where the flag of a mask comes from: stores that it goes through, choices it makes, a parameter of that name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from done_lint.analysis import flag_lattice
from done_lint.analysis.call_graph import Running
from done_lint.analysis.values import ChosenNone, Object, Site
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD, UNFLAGGED
from done_lint.knowledge import naming_conventions

if TYPE_CHECKING:
    from done_lint.analysis.linker import Linker

#: A node on the way back from a mask, whether that way leads through a store, whether it leads out of a function that
#: gave the flag back, and the store or argument that is nearest to the mask, with its place.
_State = tuple[int, bool, bool, Any]


class Origins:
    """Follows a flag backwards from where it is used."""

    def __init__(self, linker: Linker, running: Running) -> None:
        """Of a solved linker."""
        self.linker = linker
        self.running = running

    def backward(
        self, starts: list[int], path: str
    ) -> tuple[list[tuple[str, Span] | None], list[tuple[tuple[str, Span], int]], bool]:
        """Where the mask is made (nearest first), the first stores of the flag on every way to `starts`.

        The last value says whether any flag is born in a file that runs together with `path`.
        """
        linker = self.linker
        starts = [node for node in starts if any(map(flag_lattice.mixed, linker.flags(node)))]
        # what no other cause is mixed with needs no program of its own
        visible = not starts
        made: list[tuple[str, Span] | None] = []
        stores: dict[tuple[str, Span], int] = {}
        handed: dict[tuple[str, Span], int] = {}
        # `inside`: whether the way leads out of a function here that gave the flag back
        before: dict[_State, list[_State]] = {}
        states = ((start, False, False, None) for start in starts)
        for state in reach(states, lambda one: before.pop(one, ()), bound=BACKWARD, breadth_first=True):
            todo = before[state] = []
            node, crossed, inside, candidate = state
            if linker.is_blob(node):
                continue
            further = False
            for source, kind, passage in linker.predecessors[node]:
                site = passage.place if passage is not None else None
                if not any(flag_lattice.mixed(f) for f in linker.flags(source)):
                    continue
                further = True
                if kind == "not" and site is not None and not (made and candidate):
                    # a negation that takes a mask back to the flag makes no mask
                    made.append(site if any(flag_lattice.keeps(f) for f in linker.flags(node)) else None)
                here = candidate
                if passage is not None and site is not None:
                    passed = kind == "argument" and not inside and (crossed or site.path != path)
                    if passed or (crossed and kind == "store"):
                        here = (site, passage.node)
                if kind == "store" and not crossed:
                    # whoever handed over what was read from the store has no part in it
                    todo.append((source, True, False, None))
                    if passage is not None and site is not None:
                        todo.append((source, True, False, (site, passage.node)))
                else:
                    back = kind in ("return", "hand") or (inside and kind not in ("argument", "store", "set"))
                    todo.append((source, crossed, back, here))
            if not further:
                if not self.running.with_file(node, path):
                    continue
                visible = True
                if candidate is not None:
                    (stores if crossed else handed).setdefault(candidate[0], candidate[1])
        # what another file hands over to be used at once is its affair, like what it stores
        return made, sorted((stores or handed).items()), visible

    def terminated_arrives(self, starts: list[int], path: str) -> bool:
        """A flag that is *terminated* alone comes here, too, from a file that runs together with `path`."""
        linker = self.linker

        def terminated(nodes: Iterable[int]) -> list[int]:
            return [node for node in nodes if any(map(_is_terminated, linker.flags(node)))]

        def before(node: int) -> list[int]:
            return terminated(source for source, _, _ in linker.predecessors[node])

        firsts = (node for node in reach(terminated(starts), before) if not before(node))
        return any(self.running.with_file(node, path) for node in firsts)

    def choices_of_none(self, starts: list[int], path: str) -> list[tuple[int, tuple[str, Span]]]:
        """The tests, with their places, by which something is None that the mask asks for: `s is not None`."""

        def mixed(nodes: Iterable[int]) -> list[int]:
            return [node for node in nodes if any(map(flag_lattice.mixed, self.linker.flags(node)))]

        def before(node: int) -> list[int]:
            return mixed(source for source, _, _ in self.linker.predecessors[node])

        found: set[tuple[int, tuple[str, Span]]] = set()
        for node in reach(mixed(starts), before) if self.linker.absences else ():
            for source, kind, _ in self.linker.predecessors[node]:
                if kind == "none":
                    nones = self.linker.values(source, ChosenNone)
                    found |= {(one.test, one.place) for one in nones if self.running.with_file(one.test, path)}
        return sorted(found)

    def open_origin(self, node: int, negated: bool, here: Site) -> Site:
        """The place of the mask, when all that arrives there are parameters called like done that nobody fills."""
        linker = self.linker
        made: Site = None
        found = False
        # by node: whether the way to it leads through a negation, and the first one's place
        ways: dict[int, tuple[bool, Site]] = {node: (negated, None)}

        def before(at: int) -> list[int]:
            through, place = ways[at]
            sources = linker.inputs(at)
            if (negation := linker.negation_at(at)) is not None:
                sources, through, place = [negation[0]], True, place or negation[1]
            ways.update(dict.fromkeys(sources, (through, place)))
            return sources

        for number, at in enumerate(reach([node], before)):
            if linker.is_blob(at) or number == UNFLAGGED:
                return None
            if linker.negation_at(at) is not None or linker.inputs(at):
                continue
            through, place = ways[at]
            owner = self.linker.owner(at)
            if owner is None or (linker.held[at] and not linker.all(at, Object)):
                continue
            survey = linker.surveys[owner[0]]
            if owner[1] in survey.parameters and through and naming_conventions.done(survey.names.get(owner[1], "")):
                found, made = True, made or place or here
            elif not linker.held[at]:
                return None
        return made if found else None


def _is_terminated(flag: int) -> bool:
    return flag & flag_lattice.CAUSES == flag_lattice.TERMINATED

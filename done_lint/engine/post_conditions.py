"""What has to hold of a program once its fixes are applied; where it does not, the fixes that broke it are undone.

The fixed program is compared with the program before: what could have no value then is no question of the fixes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, takewhile
from typing import NamedTuple

from done_lint.core.findings import Finding, Span
from done_lint.core.gymnasium_release import NEWEST, Release
from done_lint.core.paths import shown
from done_lint.core.text import Lines
from done_lint.engine.blocked import Blocker, members
from done_lint.facts.facts import Facts
from done_lint.facts.kinds.results import Unequal
from done_lint.knowledge.gymnasium_changes import below_root, is_missing
from done_lint.source.source import Source
from done_lint.syntax.bound_names import UNBOUND, Names, Read
from done_lint.syntax.name_flow import names_of

_UNSEEN = "what {} reports would stay, but no longer be found"
#: The rules whose fixes are about flags: another value than before is what they are for.
_ABOUT_FLAGS = "GYM2"


class Made(NamedTuple):
    """A finding whose fix was applied: where its edits are in the text before any fix, and in which pass that was."""

    finding: Finding
    places: tuple[tuple[int, int], ...]
    number: int


@dataclass(frozen=True)
class FixedFile:
    """One file before and after its fixes."""

    before: Source
    after: Source
    #: The findings before, and the codes of those that are left, with their places in the text before.
    first: Sequence[Finding]
    left: frozenset[tuple[str, int]]
    made: Sequence[Made]
    #: Where a character was before.
    back: Callable[[int], int]
    #: Another pass would change nothing more.
    settled: bool
    #: The newest release that the file has to run with.
    target: Release = NEWEST

    @cached_property
    def lines_before(self) -> Lines:
        """The rows of the text before."""
        return Lines(self.before.text)

    @cached_property
    def lines_after(self) -> Lines:
        """The same of the text after."""
        return Lines(self.after.text)

    def first_place(self, span: Span) -> tuple[int, int]:
        """Row and column before of where a place of the text now begins."""
        return self.lines_before.position(self.back(self.lines_after.offset(*span[:2])))

    def is_left(self, code: str, place: tuple[int, int]) -> bool:
        """Whether a rule still reports the statement at a place before."""
        names = self.names_before
        offset = self.lines_before.offset(*place)
        start, end = names.extent(offset) if names is not None else (offset, offset)
        return any(one == code and start <= there <= end for one, there in self.left)

    def made_at(self, span: Span) -> list[Made]:
        """The fixes that changed the statement at a place of the text now."""
        names = self.names_before
        if names is None:
            return []
        start, end = names.extent(self.lines_before.offset(*self.first_place(span)))
        return [one for one in self.made if _Touched([one]).between(start, end)]

    @cached_property
    def names_before(self) -> Names | None:
        """The names of the text before; None where it is no Python."""
        return names_of(self.before.text)

    @cached_property
    def names_after(self) -> Names | None:
        """The names of the text now."""
        return names_of(self.after.text)


class Violation(NamedTuple):
    """A condition that does not hold: as a clause, where that is in the text before, and which fixes are to blame."""

    message: str
    place: int
    to_blame: Sequence[Made]


def broken(
    files: Iterable[FixedFile],
    facts: Iterable[tuple[Facts, Facts]] = (),
    vanished: Iterable[Finding] = (),
    arrived: Iterable[Finding] = (),
) -> dict[str, Blocker]:
    """The families whose fixes broke a condition: by member, that condition and its place.

    Args:
        files: those that fixes changed.
        facts: of each file, what was known of it before, and is known now.
        vanished: findings that are gone from files that no fix has changed.
        arrived: findings that came with the fixes, that no fix changes and that belong to no family.
    """
    found: dict[str, Blocker] = {}
    by_path = {file.before.path: file for file in files}
    for file in by_path.values():
        for condition in _CONDITIONS:
            for message, place, to_blame in condition(file):
                row, column = file.lines_before.position(place)
                _blame(found, to_blame, Blocker(file.before.path, Span(row, column, row, column), "", "", message))
    for before, after in facts if by_path else ():
        for reason, to_blame in (
            *_agreed(by_path, before, after),
            *_ready(by_path, before, after),
            *_there(by_path, before, after),
        ):
            _blame(found, to_blame, reason)
    for finding in vanished if by_path else ():
        if finding.incompatibility and finding.certainty == "proven":
            to_blame = [one for file in by_path.values() for one in file.made if one.finding.family & finding.family]
            _blame(found, to_blame, Blocker(finding.path, finding.span, "", "", _UNSEEN.format(finding.code)))
    for finding in arrived if by_path else ():
        if finding.incompatibility:
            to_blame = [one for file in by_path.values() for one in file.made if one.finding.code == finding.code]
            message = f"the code there {finding.incompatibility} and has no fix"
            _blame(found, to_blame, Blocker(finding.path, finding.span, "", "", message))
    return found


def _blame(found: dict[str, Blocker], to_blame: Iterable[Made], reason: Blocker) -> None:
    for family in dict.fromkeys(members(one.finding) for one in to_blame):
        for member in family:
            found.setdefault(member, reason)


class _Touched:
    """Where fixes changed the text before."""

    def __init__(self, made: Iterable[Made]) -> None:
        places = sorted({place for one in made for place in one.places})
        self._starts = [start for start, _ in places]
        #: Up to each of them, where the last one ends.
        self._ends = list(accumulate((end for _, end in places), max))

    def between(self, start: int, end: int) -> bool:
        """Whether a fix changed anything in a range."""
        before = bisect_right(self._starts, end)
        return before > 0 and self._ends[before - 1] >= start


# --- the conditions --------------------------------------------------------------------------------------------------


def _settled(file: FixedFile) -> Iterator[Violation]:
    """The fixes come to an end: a rule that changes its own result for ever is wrong about it."""
    if not file.settled:
        last = max(one.number for one in file.made)
        to_blame = [one for one in file.made if one.number == last]
        if last and to_blame:
            yield Violation("they would never come to an end", to_blame[0].places[0][0], to_blame)


def _nothing_forgotten(file: FixedFile) -> Iterator[Violation]:
    """A line that would not run the same under Gymnasium has changed, or what its fix changes, or is reported still."""
    names = file.names_before
    if names is None:
        return
    lines = file.lines_before
    touched = _Touched(file.made)
    for finding in file.first:
        place = lines.offset(*finding.span[:2])
        if (
            finding.incompatibility
            and finding.certainty == "proven"
            and (finding.code, place) not in file.left
            and not touched.between(*names.extent(place))
            and not _is_fixed_elsewhere(finding, touched)
            and (family := [one for one in file.made if one.finding.family & finding.family])
        ):
            yield Violation(_UNSEEN.format(finding.code), place, family)


def _is_fixed_elsewhere(finding: Finding, touched: _Touched) -> bool:
    """Whether all that its own fix changes was changed: the `make` of what is rendered here."""
    edits = finding.fix.edits if finding.fix is not None and finding.fix.safety == "safe" else ()
    return bool(edits) and all(touched.between(one.start, one.end) for one in edits)


def _agreed(files: Mapping[str, FixedFile], before: Facts, after: Facts) -> Iterator[tuple[Blocker, list[Made]]]:
    """As many values arrive as are taken apart, of every object that can arrive; or they did not before."""
    file = files.get(after.path)
    known = {span[:2]: unequal for span, unequal in before.unequal.items()}
    for span, unequal in after.unequal.items():
        first = file.first_place(span) if file is not None else span[:2]
        if _was_unequal(known.get(first), unequal) or (file is not None and file.is_left("GYM101", first)):
            continue
        to_blame = [one for path, place in unequal.made if path in files for one in files[path].made_at(place)]
        if unequal.apis:
            to_blame += [one for other in files.values() for one in other.made if one.finding.family & unequal.family]
        place = Span(*first, *first)
        yield Blocker(after.path, place, "", "", _said(files, unequal)), to_blame


def _was_unequal(before: Unequal | None, now: Unequal) -> bool:
    """Whether the program failed in the same place before: for code of its own or Gymnasium's, or for the same APIs."""
    if before is None:
        return False
    return bool(before.made) or before.today or (before.arity == now.arity and not now.made and now.apis <= before.apis)


def _said(files: Mapping[str, FixedFile], unequal: Unequal) -> str:
    """Who would give another number of values than are unpacked, and who gives these, if anything does."""
    others = [_placed(files, *one) for one in unequal.made] or [
        f"an environment for {one}" for one in sorted(unequal.apis)
    ]
    message = f"{others[0]} would give another number of values than the {unequal.arity} that are unpacked"
    fitting = [_placed(files, *one) for one in unequal.fitting]
    return f"{message} and that {fitting[0]} gives" if fitting else message


def _placed(files: Mapping[str, FixedFile], path: str, span: Span) -> str:
    """The file and the row of a place, as it was before."""
    row, _ = files[path].first_place(span) if path in files else span[:2]
    return f"{shown(path)}:{row}"


def _ready(files: Mapping[str, FixedFile], before: Facts, after: Facts) -> Iterator[tuple[Blocker, list[Made]]]:
    """A class that moved to Gymnasium answers as Gymnasium asks it to, or it is reported."""
    file = files.get(after.path)
    known = {span[:2] for span in before.unready}
    for span, unready in after.unready.items():
        first = file.first_place(span) if file is not None else span[:2]
        if first in known or (file is not None and file.is_left(unready.code, first)):
            continue
        made = [one for other in files.values() for one in other.made if one.finding.family & unready.family]
        to_blame = [*(file.made if file is not None else ()), *made]
        yield Blocker(after.path, Span(*first, *first), "", "", unready.message), to_blame


def _there(files: Mapping[str, FixedFile], before: Facts, after: Facts) -> Iterator[tuple[Blocker, list[Made]]]:
    """A name that moved from Gym to Gymnasium is one that Gymnasium has, or it is reported."""
    if (file := files.get(after.path)) is None:
        return
    old = {span[:2]: name for span, name in before.names.items() if name.startswith("gym.")}
    for span, name in after.names.items():
        missing = name.startswith("gymnasium.") and is_missing(below_root(name), file.target)
        if not missing or (first := file.first_place(span)) not in old:
            continue
        if any(file.is_left(code, first) for code in ("GYM402", "GYM403", "GYM405")):
            continue
        # a check of right code needs no LibCST
        from done_lint.rewrites.compatibility_code import is_asked_for
        from done_lint.syntax.tree import Tree

        if not is_asked_for(Tree(file.before.text), first):
            reason = Blocker(after.path, Span(*first, *first), "", "", f"Gymnasium has no `{below_root(name)}`")
            yield reason, [one for one in file.made if one.finding.code in ("GYM401", "GYM402", "GYM405")]


def _names_are_bound(file: FixedFile) -> Iterator[Violation]:
    """Every name that a fix reads has a value on every path, and the one that was meant."""
    before, after = file.names_before, file.names_after
    if before is not None and after is not None:
        yield from _Comparison(file, before, after).violations()


_CONDITIONS: tuple[Callable[[FixedFile], Iterator[Violation]], ...] = (_settled, _nothing_forgotten, _names_are_bound)


class _Comparison:
    """Compares what the names of two texts can stand for, statement by statement of the text before."""

    def __init__(self, file: FixedFile, before: Names, after: Names) -> None:
        self._file = file
        self._before = before
        self._after = after
        self._known_statements: dict[int, int] = {}
        self._touched: dict[int, list[Made]] = {}
        for one in file.made:
            for start, _ in one.places:
                self._touched.setdefault(before.statement(start), []).append(one)

    def violations(self) -> Iterator[Violation]:
        introduced: dict[int, list[Read]] = {}
        kept: set[int] = set()
        for offset in sorted(self._after.reads):
            read = self._after.reads[offset]
            old = self._before.reads.get(self._file.back(offset))
            if old is not None and old.name == read.name:
                kept.add(old.offset)
                yield from self._kept(old, read)
            else:
                introduced.setdefault(self._statement(offset), []).append(read)
        for statement, reads in introduced.items():
            gone = [read for read in self._before.read_in(statement) if read.offset not in kept]
            yield from self._introduced(statement, reads, gone)

    def _kept(self, old: Read, new: Read) -> Iterator[Violation]:
        """A read that no fix has changed."""
        sources = self._sources(new)
        if new.possibly_unbound and not old.possibly_unbound:
            yield self._violation(f"`{new.name}` may have no value", old.offset, old.sources)
        elif (other := (sources ^ old.sources) & self._assignments) and new.sources and old.sources:
            yield self._violation(f"`{new.name}` would be another value", old.offset, other)

    def _introduced(self, statement: int, reads: Sequence[Read], gone: Sequence[Read]) -> Iterator[Violation]:
        """Reads of names that a fix has written into a statement, for those that are `gone`."""
        there = self._before.read_in(statement)
        about = frozenset((statement,))
        meant = about.union(*(read.sources for read in there))
        for read in reads:
            if read.possibly_unbound and not self._was_possibly_unbound(statement, read):
                yield self._violation(f"`{read.name}` may have no value", statement, about)
            elif self._is_another(read, statement, meant):
                yield self._violation(f"`{read.name}` would be another value", statement, about)
        if any(one.finding.code.startswith(_ABOUT_FLAGS) for one in self._touched.get(statement, ())):
            return
        arriving = about.union(*map(self._sources, reads))
        for read in gone:
            lost = (read.sources & self._assignments) - arriving
            if lost and not arriving.isdisjoint(read.sources):
                yield self._violation(f"what `{read.name}` was given would be lost", statement, lost | about)

    def _is_another(self, read: Read, statement: int, meant: frozenset[int]) -> bool:
        """It has a value of a statement that neither the old names had, nor the same fix has changed."""
        others = (self._sources(read) & self._assignments) - meant
        return bool(others) and not self._known(read) and bool(others - self._together(statement))

    def _was_possibly_unbound(self, statement: int, read: Read) -> bool:
        """A name that was read by then, in that statement or before it, had a value on no more paths."""
        _, end = self._before.extent(statement)
        sources = self._sources(read)
        unbound = takewhile(lambda one: one.offset < end, self._before.possibly_unbound)
        return any(one.offset >= statement or (sources and sources <= one.sources) for one in unbound)

    def _together(self, statement: int) -> set[int]:
        """The statements that change together with this one, and those that new statements come after."""
        places = (place for one in self._touched.get(statement, ()) for place in one.places)
        # what is put before the first character of a statement may be a new one, which counts as the one before it
        offsets = (offset for start, end in places for offset in ((start, start - 1) if start == end else (start,)))
        return {self._before.statement(offset) for offset in offsets}

    def _known(self, read: Read) -> bool:
        """The same name was read before, with the same value."""
        sources = self._sources(read)
        first = min(sources, default=UNBOUND)
        return any(sources <= one.sources for one in self._before.by_binding.get((read.name, first), ()))

    @cached_property
    def _assignments(self) -> set[int]:
        """The statements before that assigned a value, and those that do so now."""
        return self._before.assigning | {self._statement(start) for start in self._after.assigning}

    def _sources(self, read: Read) -> frozenset[int]:
        """Where a name of the text now was bound, as statements of the text before."""
        return frozenset(self._statement(start) for start in read.sources if start != UNBOUND)

    def _statement(self, place: int) -> int:
        """The statement before of one in the text now: of a new one, that before it."""
        start, end = self._after.extent(place)
        if start not in self._known_statements:
            back = self._file.back
            old = next((here for here in range(start, end) if back(here) != back(here + 1)), None)
            self._known_statements[start] = self._before.statement(back(start) - 1 if old is None else back(old))
        return self._known_statements[start]

    def _violation(self, message: str, place: int, about: frozenset[int]) -> Violation:
        nearest = self._touched.get(self._before.statement(place), [])
        to_blame = nearest or [one for source in sorted(about) for one in self._touched.get(source, ())]
        return Violation(message, place, to_blame or self._file.made)

"""Which of the cuts are wrong, and which stores have to change.

design: the sinks differ in what they need. A one-step target wants *terminated*; the carry of
a recursion wants *done*; a recursion with one mask for both wants two.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Place, ProductMark, Site
from done_lint.core.findings import Related, Span
from done_lint.facts.kinds.flags import Sink, SinkKind
from done_lint.facts.provenance import Provenance, Slice
from done_lint.facts.value_targets.added_bootstraps import AddedBootstraps
from done_lint.facts.value_targets.batch_readers import BatchReaders
from done_lint.facts.value_targets.carry_leaks import Carry, Leaks
from done_lint.facts.value_targets.def_use_forward import SecondUses
from done_lint.facts.value_targets.episode_borders import EpisodeBorders
from done_lint.facts.value_targets.mixed_up_stores import MixedUpStores
from done_lint.facts.value_targets.next_row_targets import NextRowTargets
from done_lint.facts.value_targets.own_ends import OwnEnds
from done_lint.facts.value_targets.reset_transitions import ResetTransitions
from done_lint.facts.value_targets.resetting_steps import ResettingSteps
from done_lint.facts.value_targets.sent_flags import SentFlags
from done_lint.facts.value_targets.shared_fields import SharedFields
from done_lint.facts.value_targets.shortened_rows import ShortenedRows
from done_lint.facts.value_targets.switched_ends import SwitchedEnds
from done_lint.facts.value_targets.target_masks import Cut, Cuts
from done_lint.facts.value_targets.time_step_ends import TimeStepEnds
from done_lint.facts.value_targets.timed_wrappers import TimedWrappers
from done_lint.facts.value_targets.truncated_masks import TruncatedMasks
from done_lint.facts.value_targets.unreached_ends import UnreachedEnds
from done_lint.facts.value_targets.unseen_environments import UnseenEnvironments
from done_lint.facts.value_targets.ways_not_taken import WaysNotTaken
from done_lint.facts.value_targets.whole_episodes import WholeEpisodes
from done_lint.flowgraph.nesting import Nesting
from done_lint.knowledge import packages

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_ONCE_STORED = "goes away once `terminated` is what is stored"
_ONCE_LEFT_OUT = "goes away once truncations are left out of what is stored"
_ONCE_STORED_TOO = "goes away once `terminated` is stored, too, and cuts this"


class Sinks:
    """Finds the sinks of a solved model."""

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """Judge a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._flags = analysis.flags
        self.provenance = provenance
        self.cuts = Cuts(analysis)
        #: Every place where something is cut, right or wrong.
        self.every: list[Cut] = []
        self._sent = SentFlags(analysis)
        self.second_uses = SecondUses(analysis, provenance.running, self.every)
        borders = EpisodeBorders(analysis, provenance.running)
        self._leaks = Leaks(analysis, provenance, borders)
        self._next_rows = NextRowTargets(analysis, provenance, borders)
        self._truncated = TruncatedMasks(analysis, self.cuts)
        self._own_ends = OwnEnds(analysis)
        self._mixed_up = MixedUpStores(analysis, provenance)
        self._ways = WaysNotTaken(analysis, self.cuts.not_taken)
        self._unseen = UnseenEnvironments(analysis)
        self._transitions = ResetTransitions(analysis)
        self._resetting = ResettingSteps(analysis)
        self._switched = SwitchedEnds(analysis, self.cuts.not_taken)
        self._unreached = UnreachedEnds(analysis)
        self._whole_episodes = WholeEpisodes(analysis, provenance.running)
        self._shortened = ShortenedRows(analysis, provenance)
        self._readers = BatchReaders(analysis)
        self.added = AddedBootstraps(analysis, self.cuts.rewards)
        self._times = TimedWrappers(analysis, provenance)
        self.found: dict[str, dict[Span, Sink]] = {}
        #: By file, the steps whose episodes a recursion tells apart by *terminated* alone.
        self.separated: dict[str, set[Span]] = {}
        #: Sinks that rest on names alone, for a project in which no step is known.
        self.guessed: dict[str, dict[Span, Sink]] = {}
        #: By file (see `_nestings`), and what is in scope at the second.
        self._nested: dict[str, tuple[Nesting, Nesting]] = {}
        self._slots: dict[str, list[tuple[tuple[str, int], ...]]] = {}

    def all(self) -> dict[str, dict[Span, Sink]]:
        """All sinks, by file and place."""
        self.every += self.cuts.all()
        for cut in self.every:
            self._judge(cut)
        self._leaking(self.every)
        for path, sink in TimeStepEnds(self._analysis, self.provenance).sinks():
            self.found.setdefault(path, {}).setdefault(sink.span, sink)
        SharedFields(self._analysis, self.provenance.running).doubt(self.found)
        return self.found

    def _leaking(self, cuts: list[Cut]) -> None:
        """Carries that are cut at terminations only, by a mask or by a test."""
        tests = [Carry(cut.place, cut.node, cut.carried) for cut in cuts if cut.carried is not None]
        for carry in [*self._leaks.carries(), *tests]:
            if carry.place.path in self.added.patched:
                continue
            sink = self._leaks.sink(carry)
            if sink is not None:
                self.found.setdefault(carry.place.path, {}).setdefault(sink.span, sink)
            for step in self._leaks.separated(carry):
                self.separated.setdefault(step.path, set()).add(step.span)

    def _judge(self, cut: Cut) -> None:
        """Report the cut, what is stored for it, or the choice of a None that it asks for, if its flag is wrong."""
        # where masked values arrive as well, it is a value (a network's output, say), and no mask
        if not cut.form or self._solver.all(cut.node, ProductMark):
            return
        if cut.kind == "recursion" and cut.place.path in self.added.patched:
            return
        held = self._arrays.flat_flags(cut.node)
        if not held:
            self._by_name(cut)
        elif not flag_lattice.is_anything(held) and (bad := [flag for flag in held if self._is_wrong(flag, cut)]):
            leading = Slice(self.provenance, cut.node)
            if any(one.are_all_that_arrive(leading, cut.place.path) for one in (self._switched, self._unreached)):
                return
            if choices := leading.choices_of_none(cut.place.path, self._ways.are_all):
                self._judge_choices(cut, choices)
            else:
                self._proven(cut, leading, max(bad))
        elif self._truncated.bootstraps_alone(cut):
            self._reversed(cut, Slice(self.provenance, cut.node, flag_lattice.truncated_alone), max(held))

    def _reversed(self, cut: Cut, leading: Slice, flag: int) -> None:
        """Report what is stored for a mask that is 1 at truncations alone, or else the mask."""
        trace = self.provenance.trace(leading.entry(flag), flag)
        origins = leading.origins(cut.place.path)
        if not origins.visible:
            return
        at = Related(*cut.place, f"the {cut.form} bootstraps here, at truncations only")
        if not origins.stores:
            if self._truncated.in_every_step(cut, trace):
                self._add(Sink("mask", cut.place.span, "proven", (*trace, at), form=cut.form, reversed=True), cut.place)
            return
        for place, _ in origins.stores:
            stored = Related(*place, self._sent.word(place, at_once=origins.at_once))
            way, sent = (*trace, stored, at), self._sent.has(place)
            found = Sink("store", place.span, "proven", way, at_once=origins.at_once, sent=sent, reversed=True)
            self._add(found, place)

    def _add(self, sink: Sink, place: Place) -> None:
        self.found.setdefault(place.path, {}).setdefault(place.span, sink)

    def _is_wrong(self, flag: int, cut: Cut) -> bool:
        """Whether a flag must not cut this: it holds truncation, and it is a mask where one is asked for."""
        kept = cut.kind == "mask" or (cut.kind == "recursion" and not self._is_test(cut))
        if kept and not flag_lattice.keeps(flag):
            return False
        return flag_lattice.mixed(flag) or flag & flag_lattice.CAUSES == flag_lattice.LIMIT

    def _judge_choices(self, cut: Cut, choices: list[tuple[int, Place]]) -> None:
        """Not the mask is wrong, but what left the next state out; who hands a None on has no part in it."""
        if cut.kind == "recursion" or cut.masked is not None:
            return
        for test, place in choices:
            hindrance, doubt = self.second_uses.of_none(test)
            self._judge(Cut("branch", place, test, cut.form, hindrance=hindrance, doubt=doubt, masked=cut.place))

    def _is_test(self, cut: Cut) -> bool:
        return cut.place in self._tests

    @cached_property
    def _tests(self) -> set[Place]:
        """The places of branches and of choices."""
        surveys = self._program.surveys.items()
        branches = {Place(path, branch.span) for path, survey in surveys for branch in survey.branches}
        return branches | {Place(choice.path, choice.at) for choice in self._flags.conditions}

    def _proven(self, cut: Cut, leading: Slice, flag: int) -> None:
        """Report the mask, and the stores that this flag came through."""
        entry, origins = leading.entry(flag), leading.origins(cut.place.path)
        trace = self.provenance.trace(entry, flag)
        stores = [one for one in origins.stores if not self._ways.leave_out(one[0])]
        stores = [one for one in stores if not self._unreached.are_all_at(one[1])]
        if not origins.visible or (origins.stores and not stores) or self._unreached.are_all_at(cut.node):
            return
        if self._mixed_up.are(cut.node, cut.place.path, stores):
            return
        elsewhere = any(source.path != cut.place.path for source in trace[:1])
        if not stores and flag & flag_lattice.CAUSES == flag_lattice.LIMIT and elsewhere:
            # a limit that is counted in another file, and no store in between that could be named
            return
        way = [node for node, _ in self.provenance.steps(entry, flag)]
        last = not self._flags.lasts.isdisjoint(way)
        if self._takes_nothing(cut, way, trace) or (last and self._whole_episodes.are_summed(cut)):
            return
        place = self._place(cut, origins.masks)
        if cut.ahead is not None or (stores and self._next_rows.reads_beside(way)):
            cut.hindrance = self._next_rows.hindrance(cut.place, cut.ahead, leading)
        cutting = self._cutting(cut, place, leading.read_back(way) if stores else None)
        if stores:
            # flags of several programs may meet in one store: each trace starts where its own flag comes from
            traces = [self._trace(source) or trace for _, source in stores]
            trace = traces[0]
            if cut.kind in ("mask", "branch"):
                for store, origin in zip(stores, traces):
                    kind: SinkKind = "last" if last else "store"
                    self._store(store, cut, origin, (way, cutting), kind, at_once=origins.at_once)
                if leading.terminated_arrives(cut.place.path):
                    # right flags arrive, too, from other users of the buffer: the store has to change, not the mask
                    return
        stored = tuple(Related(*site, self._sent.word(site, at_once=origins.at_once)) for site, _ in stores[:3])
        once = self._once_stored(stores, cut) if stores else ""
        self._report("last" if last else cut.kind, place, (*trace, *stored, *cutting), cut, once)

    def _takes_nothing(self, cut: Cut, way: list[int], trace: tuple[Related, ...]) -> bool:
        """Whether no value is lost: at a limit that the observation tells it is zero, or the reward has it."""
        if cut.kind == "branch" and self.added.values.are_chosen_at(cut.place):
            return True
        return cut.kind in ("mask", "branch") and (self._times.tell(way, trace) or self.added.is_in_reward(way[-1]))

    def _place(self, cut: Cut, masks: list[Site]) -> Place:
        """Where the mask has to change: where it is made, if that is at hand."""
        made, row = next(iter(masks), None), cut.place.span.row
        if made is not None and (
            cut.kind == "mask" or (made.path == cut.place.path and row - 12 <= made.span.row <= row)
        ):
            return made
        return cut.place

    def _cutting(self, cut: Cut, place: Place, read_back: Related | None) -> tuple[Related, ...]:
        """Where the target is cut, and where the flag was read for it, if that is on another row."""
        at = Related(*(cut.masked or cut.place), _cut_here(cut.form))
        beside = {(cut.place.path, cut.place.span.row), (place.path, place.span.row)}
        if read_back is None or (read_back.path, read_back.span.row) in beside:
            return (at,)
        return read_back, at

    def _trace(self, node: int) -> tuple[Related, ...]:
        """Where the flag with truncation in a node comes from."""
        mixed = [flag for flag in self._solver.flags(node) if flag_lattice.mixed(flag)]
        return self.provenance.trace(node, max(mixed)) if mixed else ()

    def _once_stored(self, stores: list[tuple[Place, int]], cut: Cut) -> str:
        """What has to be stored before a mask is right, as the findings at the stores say it, in one clause."""
        if other := next(filter(None, (self._of_store(one, cut) for one in stores)), ""):
            return f"{_ONCE_STORED_TOO}: {other}"
        return _ONCE_LEFT_OUT if any(self._own_ends.hindrance(source) for _, source in stores) else _ONCE_STORED

    def _of_store(self, store: tuple[Place, int], cut: Cut) -> str:
        """Why another flag cannot be stored for a cut, whatever its source; empty: it can."""
        hindrance = self.second_uses.hindrance(*store) or self._transitions.hindrance(store[0])
        hindrance = hindrance or self._resetting.hindrance(store[1])
        return hindrance or (self._shortened.hindrance(store[0], cut.node) if cut.powered else "")

    def _report(self, kind: SinkKind, place: Place, trace: tuple[Related, ...], cut: Cut, once: str) -> None:
        """Report a cut; `once` says what has to be stored first, if its flag is stored."""
        path, span = place
        mine = self.found.setdefault(path, {})
        if span in mine:
            return
        terminated, flag_span = ("", None) if once else self._replacement(path, span)
        hindrance = once if kind != "recursion" and once else cut.hindrance
        if kind in ("mask", "branch"):
            hindrance = hindrance or self._own_ends.hindrance(cut.node) or self._resetting.hindrance(cut.node)
        target = cut.place.span if cut.next_value and path == cut.place.path else None
        flag = (
            terminated,
            flag_span,
            hindrance,
            self._unseen.doubt(cut.node) or self._switched.doubt(cut.node) or cut.doubt,
        )
        mine[span] = Sink(kind, span, "proven", trace, *flag, cut.form, target, drawn=cut.drawn)

    def _store(
        self,
        store: tuple[Place, int],
        cut: Cut,
        origin: tuple[Related, ...],
        read: tuple[list[int], tuple[Related, ...]],
        kind: SinkKind,
        *,
        at_once: bool,
    ) -> None:
        site, source = store
        path, span = site
        mine = self.found.setdefault(path, {})
        known = mine.get(span)
        (way, cutting), here = read, cut.place.path == path
        trace = (*origin, Related(path, span, self._sent.word(site, at_once=at_once)), *cutting)
        # of several targets that read what is stored, one of the same file is the best evidence, and then one that
        # asks for the rest of what is stored as well
        better = self._readers.is_better(site, way, cut.place)
        if known is not None and known.kind == kind and (not here or known.path[-1].path == path):
            if better and known.path[-1].path != path:
                mine[span] = replace(known, path=trace)
            return
        terminated, flag_span = self._replacement(path, span)
        hindrance = self._of_store(store, cut) or self._own_ends.hindrance(source)
        hindrance = hindrance or (cut.hindrance if cut.kind == "mask" else "")
        doubt = self._unseen.doubt(source) or self._switched.doubt(source) or self.second_uses.doubt(*store)
        flag = terminated, flag_span, hindrance, doubt
        sent, drawn = self._sent.has(site), cut.drawn and (known is None or known.drawn)
        mine[span] = Sink(kind, span, "proven", trace, *flag, cut.form, at_once=at_once, sent=sent, drawn=drawn)

    def _replacement(self, path: str, span: Span) -> tuple[str, Span | None]:
        """The name of a *terminated* in scope, and the smallest flag expression at `span` it would replace."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        uses, live = self._nestings(path)
        flag_span: Span | None = None
        for number in uses.inside(span):
            at, local = survey.uses[number]
            smaller = flag_span is None or at.within(flag_span)
            if smaller and any(flag_lattice.mixed(f) for f in self._solver.flags(base + local)):
                flag_span = at
        last = max((*live.inside(span), *live.around(span)), default=None)
        slots = self._slots[path][last] if last is not None else ()
        for name, local in reversed(slots):
            held = self._solver.flags(base + local)
            if held and all(f & flag_lattice.CAUSES == flag_lattice.TERMINATED for f in held):
                return name, flag_span
        return "", flag_span

    def _nestings(self, path: str) -> tuple[Nesting, Nesting]:
        """The expressions of a file that have a node, and those at which a *terminated* may be in scope."""
        if path not in self._nested:
            survey = self._program.surveys[path]
            self._nested[path] = Nesting(at for at, _ in survey.uses), Nesting(survey.live)
            self._slots[path] = list(survey.live.values())
        return self._nested[path]

    def _by_name(self, cut: Cut) -> None:
        """The origin of the mask is not visible, and its name says done.

        A project that steps environments shows where its flags come from: what does not arrive there went
        another way, and a name is no proof of it.
        """
        survey = self._program.surveys[cut.place.path]
        if any(map(packages.is_look_alike, survey.imports)):
            return
        origin = self.provenance.open_origin(cut.node, cut.kind != "mask", cut.place)
        if origin is None:
            return
        path, span = origin
        trace = (Related(*cut.place, _cut_here(cut.form)),)
        self.guessed.setdefault(path, {}).setdefault(
            span,
            Sink(cut.kind, span, "by name", trace, "", None, "where the flag comes from is not visible", form=cut.form),
        )


def _cut_here(form: str) -> str:
    """`the returns are cut here`."""
    return f"the {form} {'are' if form.endswith('s') else 'is'} cut here"

"""Which masks and branches cut a value target, which stores lead there, and whether they are wrong.

design: the heart of the tool is telling the sinks apart. A one-step target wants *terminated*; the carry of
a recursion wants *done*; a recursion with one mask for both wants two.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from done_lint.findings import Certainty, Related, Span
from done_lint.model import flags, import_roots, names
from done_lint.model.facts import Sink, SinkKind
from done_lint.model.leaks import Carry, Leaks
from done_lint.model.paths import Paths
from done_lint.model.running import Running
from done_lint.model.second_uses import SecondUses
from done_lint.model.solve import MARKS
from done_lint.model.survey import Branch, Product, Survey

if TYPE_CHECKING:
    from done_lint.model.link import Linker
    from done_lint.model.program import Site


#: `q[~done] = values[~done]`: one mask, written twice.
_ROWS = "the rows that are assigned are picked by the same mask: both have to change"


@dataclass(slots=True)
class _Cut:
    """A place where a mask or a test cuts something valued."""

    kind: SinkKind
    path: str
    span: Span
    #: Node of the mask or test.
    node: int
    #: Of the target; empty where *done* is right.
    form: str
    #: What a loop carries on, where a test stands around it.
    carried: Product | None = None
    #: Why the mask cannot be mended at this place alone.
    hindrance: str = ""
    #: Where the target is masked, if this is the choice of a None that the mask asks for.
    masked: tuple[str, Span] | None = None
    #: What it cuts is the value of the observation that the step led to.
    next_value: bool = False


class Verdicts:
    """Finds the sinks of a solved model."""

    def __init__(self, linker: Linker, paths: Paths) -> None:
        """Judge a solved linker."""
        self.linker = linker
        self.paths = paths
        self.running = Running(linker)
        self.second_uses = SecondUses(linker)
        self.found: dict[str, dict[Span, Sink]] = {}
        #: Sinks of which only names tell, for a project in which no flag is born.
        self.guessed: dict[str, dict[Span, Sink]] = {}
        self._patched_files: set[str] | None = None

    def sinks(self) -> dict[str, dict[Span, Sink]]:
        """All sinks, by file and place."""
        cuts = [*self._products(), *self._branches(), *self._marked()]
        for cut in cuts:
            self._judge(cut)
        self._leaking(cuts)
        return self.found

    def _leaking(self, cuts: list[_Cut]) -> None:
        """Carries that are cut at terminations only, by a mask or by a test."""
        leaks = Leaks(self.linker, self.paths, self.running)
        tests = [Carry(cut.path, cut.span, cut.node, cut.carried) for cut in cuts if cut.carried is not None]
        for carry in [*leaks.carries(), *tests]:
            sink = leaks.sink(carry) if carry.path not in self._patched() else None
            if sink is not None:
                self.found.setdefault(carry.path, {}).setdefault(carry.span, sink)

    # --- what cuts ---------------------------------------------------------------------------------

    def _products(self) -> list[_Cut]:
        cuts = []
        for (path, index), (_, nodes) in self.linker.products.items():
            product = self.linker.surveys[path].products[index]
            if not self._discounted(product, nodes):
                continue
            kind, form = _classify(product)
            if not form:
                continue
            for factor, node in zip(product.factors, nodes):
                if factor.node and (not factor.role or self._is_mask(node)):
                    ahead = product.beside and not product.shifted
                    cuts.append(_Cut(kind, path, factor.span, node, form, next_value=ahead))
        return cuts

    def _is_mask(self, node: int) -> bool:
        """`0.0 if done else gamma`, whatever name it has."""
        return any(map(flags.keeps, self.linker.flat_flags(node)))

    def _discounted(self, product: Product, nodes: list[int]) -> bool:
        """A factor is a discount: by its text, or because a mask was multiplied with one before."""
        if product.discounted:
            return True
        return any(f & flags.DISCOUNTED for node in nodes for f in self.linker.flat_flags(node))

    def _branches(self) -> list[_Cut]:
        cuts = []
        for path, survey in self.linker.surveys.items():
            base = self.linker.bases[path]
            for branch in survey.branches:
                for form, kind, carried in self._branch_forms(survey, branch, base + branch.test):
                    rows = _ROWS if branch.rows else ""
                    cuts.append(_Cut(kind, path, branch.span, base + branch.test, form, carried, rows))
        return cuts

    def _branch_forms(self, survey: Survey, branch: Branch, test: int) -> list[tuple[str, SinkKind, Product | None]]:
        held = self.linker.flat_flags(test)
        if held:
            going_on = branch.body if flags.keeps(max(held)) else branch.orelse
            ended = branch.orelse if flags.keeps(max(held)) else branch.body
        else:
            negated = self.linker.negation_at(test) is not None
            going_on, ended = (branch.body, branch.orelse) if negated else (branch.orelse, branch.body)
        targets = [survey.products[i] for i in going_on if survey.products[i].discounted and not survey.products[i].gae]
        if not targets or any(survey.products[i].discounted for i in ended):
            return []
        if all(p.carried for p in targets):
            return [("returns", "recursion", targets[0])]
        return [("one-step target", "branch", None)]

    def _marked(self) -> list[_Cut]:
        """Values that were masked first and discounted later: `q[done] = 0`, `0 if done else V`, `q * mask`."""
        confirmed: dict[int, Product] = {}
        for (path, index), (_, nodes) in self.linker.products.items():
            product = self.linker.surveys[path].products[index]
            if not product.discounted:
                continue
            for factor, node in zip(product.factors, nodes):
                if not factor.node or factor.role:
                    continue
                for number in self._marks(node):
                    if self._masks(number, product, path):
                        confirmed.setdefault(number, product)
        cuts = []
        for number, product in confirmed.items():
            _, sort, path, key = self.linker.value(number)
            kind, form = _classify(product) if product.carried else ("branch", "one-step target")
            carried = product if product.carried else None
            if sort == "cond":
                test, a, ca, b, _, _ = self.linker.conditions[path, key]
                if self._is_reward(b if ca else a):
                    continue
                if self.linker.surveys[path].loops.get(key[1], -1) != product.loop:
                    # not reset on the way, but the value that the recursion starts from
                    kind, form, carried = "branch", "bootstrap", None
                cuts.append(_Cut(kind, path, key[0], test, form, carried))
            elif sort == "masked":
                rows = _ROWS if (path, key) in self.linker.filled else ""
                node = self.linker.masked[path, key]
                cuts.append(_Cut(kind, path, key, node, form, carried, rows))
            else:
                inner = self.linker.surveys[path].products[key]
                kind, form = _classify(inner)
                if inner.discounted or not form:
                    continue
                for factor, node in zip(inner.factors, self.linker.products[path, key][1]):
                    if factor.node:
                        cuts.append(_Cut(kind, path, factor.span, node, form))
        return cuts

    def _is_reward(self, node: int) -> bool:
        """The value is a step's reward, or a sum of rewards: `r = 0` where a new episode begins masks no value."""
        seen, todo = {node}, [node]
        while todo and len(seen) < 200:
            at = todo.pop()
            if at in self.linker.rewards:
                return True
            before = [source for source, kind, _ in self.linker.predecessors[at] if kind != "combined"]
            joined = any(self.linker.successors[source].get(at) == MARKS for source in before)
            if joined and not self._products_made.isdisjoint((at, *before)):
                continue  # a sum with a product in it is a target
            new = [source for source in before if source not in seen]
            seen.update(new)
            todo += new
        return False

    @cached_property
    def _products_made(self) -> set[int]:
        """The nodes of all products."""
        return {node for node, _ in self.linker.products.values()}

    def _masks(self, mark: int, product: Product, path: str) -> bool:
        """The masked value is what is discounted; in a recursion, its start or its reset, never a reward added."""
        if not product.starts:
            return True
        _, sort, where, key = self.linker.value(mark)
        if sort == "cond" and self.linker.surveys[where].loops.get(key[1], -1) == product.loop:
            return True
        base = self.linker.bases[path]
        return any(mark in self._marks(base + start) for start in product.starts)

    def _marks(self, node: int) -> list[int]:
        found = self.linker.all(node, "mark")
        for number in self.linker.all(node, "obj"):
            for _, field in self.linker.owned.get(number, ()):
                found += self.linker.all(field, "mark")
        return found

    # --- judging -----------------------------------------------------------------------------------

    def _judge(self, cut: _Cut) -> None:
        if not cut.form:
            return
        if any(self.linker.value(mark)[1] == "product" for mark in self.linker.all(cut.node, "mark")):
            # masked values arrive here as well: it is a value (a network's output, say), and no mask
            return
        flat = self.linker.flat(cut.node)
        held = self.linker.flags(flat)
        if (
            cut.kind in ("mask",)
            or (cut.kind == "recursion" and cut.form != "returns")
            or (cut.kind == "recursion" and not self._is_test(cut))
        ):
            held = [f for f in held if flags.keeps(f)]
        bad = [f for f in held if flags.mixed(f) or f & flags.CAUSES == flags.LIMIT]
        if cut.kind == "recursion" and cut.path in self._patched():
            return
        choices = self._choices_of_none(flat, cut.path) if bad else []
        if choices:
            # not the mask is wrong, but what left the next state out; who hands a None on has no part in it
            for test, (path, span) in choices if cut.kind != "recursion" and cut.masked is None else ():
                hindrance = self.second_uses.hindrance_of_none(test)
                masked = (cut.path, cut.span)
                self._judge(_Cut("branch", path, span, test, cut.form, hindrance=hindrance, masked=masked))
        elif bad:
            self._proven(cut, flat, max(bad))
        elif not self.linker.flags(flat):
            self._by_name(cut)

    def _choices_of_none(self, mask: int, path: str) -> list[tuple[int, tuple[str, Span]]]:
        """The tests, with their places, by which something is None that the mask asks for: `s is not None`."""
        found: dict[tuple[int, tuple[str, Span]], None] = {}
        seen, todo = set(), [mask] if self.linker.absences else []
        while todo:
            node = todo.pop()
            if node in seen or not any(map(flags.mixed, self.linker.flags(node))):
                continue
            seen.add(node)
            for source, kind, _ in self.linker.predecessors[node]:
                todo.append(source)
                if kind == "none":
                    nones = [self.linker.value(number) for number in self.linker.all(source, "none")]
                    found |= {(t, at): None for _, _, t, at in nones if self.running.with_file(t, path)}
        return sorted(found)

    def _patched(self) -> set[str]:
        """Files within reach of one that adds `gamma * V(final)` to the reward at truncation (SB3, rsl_rl).

        There the bootstrap is already in the reward, and the one mask of the recursion is right.
        """
        if self._patched_files is None:
            starts = set()
            for (path, index), (_, nodes) in self.linker.products.items():
                product = self.linker.surveys[path].products[index]
                if product.discounted and any(self._truncation_alone(node) for node in nodes):
                    starts.add(path)
                if any(self._truncation_alone(node, keep=True) for node in nodes):
                    # `gae * bad_masks`: the advantage at a truncation is dropped (ikostrikov)
                    starts.add(path)
            for path, survey in self.linker.surveys.items():
                for branch in survey.branches:
                    if self._truncation_alone(self.linker.bases[path] + branch.test) and any(
                        survey.products[i].discounted and not survey.products[i].carried for i in branch.body
                    ):
                        starts.add(path)
            self._patched_files = self.linker.reachable(starts)
        return self._patched_files

    def _truncation_alone(self, node: int, keep: bool = False) -> bool:
        held = self.linker.flat_flags(node)
        return bool(held) and all(f & flags.CAUSES == flags.TRUNCATED and flags.keeps(f) == keep for f in held)

    def _is_test(self, cut: _Cut) -> bool:
        return any(b.span == cut.span for b in self.linker.surveys[cut.path].branches) or any(
            key[0] == cut.span for (path, key) in self.linker.conditions if path == cut.path
        )

    def _proven(self, cut: _Cut, node: int, flag: int) -> None:
        born = self.paths.to(node, flag)
        last = self.paths.begins_among(self.linker.lasts, node, flag)
        places, stores, visible = self._backward(node, cut.path)
        if not visible:
            return
        if not stores and flag & flags.CAUSES == flags.LIMIT and born and born[0].path != cut.path:
            # a limit that is counted in another file, and no store in between that could be named
            return
        made = places[0] if places else None
        path, span = cut.path, cut.span
        if made is not None and (cut.kind == "mask" or self._near(made, cut)):
            path, span = made
        read_back = self.paths.sampled(node, flag) if stores else None
        at = Related(*(cut.masked or (cut.path, cut.span)), f"the {cut.form} is cut here")
        beside = {(cut.path, cut.span.row), (path, span.row)}
        told = read_back is None or (read_back.path, read_back.span.row) in beside
        cutting = (at,) if read_back is None or told else (read_back, at)
        if stores:
            # flags of several programs may meet in one store: each story begins where its own flag was born
            births = [self._born(source) or born for _, source in stores]
            born = births[0]
            if cut.kind in ("mask", "branch"):
                for (site, source), birth in zip(stores, births):
                    self._store(site, source, cut, birth, cutting, "last" if last else "store")
        if stores and cut.kind in ("mask", "branch") and self._terminated_arrives(node, cut.path):
            # right flags arrive here as well, from other users of the buffer: the store is to blame, not the mask
            return
        stored = tuple(Related(*site, "stored here") for site, _ in stores[:3])
        self._report(
            "last" if last else cut.kind, path, span, "proven", (*born, *stored, *cutting), cut, bool(stores), node
        )

    def _born(self, node: int) -> tuple[Related, ...]:
        """Where the flag with truncation in a node was born."""
        mixed = [flag for flag in self.linker.flags(node) if flags.mixed(flag)]
        return self.paths.to(node, max(mixed)) if mixed else ()

    def _near(self, made: tuple[str, Span], cut: _Cut) -> bool:
        return made[0] == cut.path and cut.span.row - 12 <= made[1].row <= cut.span.row

    def _report(
        self,
        kind: SinkKind,
        path: str,
        span: Span,
        certainty: Certainty,
        trace: tuple[Related, ...],
        cut: _Cut,
        stored: bool,
        node: int,
    ) -> None:
        mine = self.found.setdefault(path, {})
        if span in mine:
            return
        terminated, flag_span = ("", None) if stored else self._replacement(path, span)
        hindrance = "goes away once `terminated` is what is stored" if stored and kind != "recursion" else cut.hindrance
        target = cut.span if cut.next_value and path == cut.path else None
        mine[span] = Sink(kind, span, certainty, trace, terminated, flag_span, hindrance, cut.form, target)

    def _store(
        self,
        site: tuple[str, Span],
        source: int,
        cut: _Cut,
        born: tuple[Related, ...],
        cutting: tuple[Related, ...],
        kind: SinkKind,
    ) -> None:
        path, span = site
        mine = self.found.setdefault(path, {})
        if span in mine and mine[span].kind == kind:
            return
        terminated, flag_span = self._replacement(path, span)
        trace = (*born, Related(path, span, "stored here"), *cutting)
        hindrance = self.second_uses.hindrance((path, span), source)
        mine[span] = Sink(kind, span, "proven", trace, terminated, flag_span, hindrance, cut.form)

    def _replacement(self, path: str, span: Span) -> tuple[str, Span | None]:
        """The name of a *terminated* in scope, and the smallest flag expression at `span` it would replace."""
        survey, base = self.linker.surveys[path], self.linker.bases[path]
        flag_span: Span | None = None
        for at, local in survey.uses:
            smaller = at.within(span) and (flag_span is None or at.within(flag_span))
            if smaller and any(flags.mixed(f) for f in self.linker.flags(base + local)):
                flag_span = at
        live: tuple[tuple[str, int], ...] = ()
        for at, slots in survey.live.items():
            if at.within(span) or span.within(at):
                live = slots
        for name, local in reversed(live):
            held = self.linker.flags(base + local)
            if held and all(f & flags.CAUSES == flags.TERMINATED for f in held):
                return name, flag_span
        return "", flag_span

    def _terminated_arrives(self, start: int, path: str) -> bool:
        """A flag that is *terminated* alone comes here, too, from a file that runs together with `path`."""
        linker = self.linker

        def terminated(node: int) -> bool:
            return any(f & flags.CAUSES == flags.TERMINATED for f in linker.flags(node))

        seen: set[int] = set()
        todo = [start]
        while todo:
            node = todo.pop()
            if node in seen or not terminated(node):
                continue
            seen.add(node)
            sources = [source for source, _, _ in linker.predecessors[node] if terminated(source)]
            if not sources and self.running.with_file(node, path):
                return True
            todo.extend(sources)
        return False

    # --- the way back ------------------------------------------------------------------------------

    def _backward(
        self, start: int, path: str
    ) -> tuple[list[tuple[str, Span] | None], list[tuple[tuple[str, Span], int]], bool]:
        """Where the mask is made (nearest first), the first stores of the flag on every way to `start`.

        The last value says whether any flag is born in a file that runs together with `path`.
        """
        visible = False
        linker = self.linker
        made: list[tuple[str, Span] | None] = []
        stores: dict[tuple[str, Span], int] = {}
        handed: dict[tuple[str, Span], int] = {}
        # whether the way leads out of a function here that gave the flag back
        seen: set[tuple[int, bool, bool, Any]] = set()
        todo: deque[tuple[int, bool, bool, Any]] = deque([(start, False, False, None)])
        while todo and len(seen) < 20000:
            state = todo.popleft()
            if state in seen:
                continue
            seen.add(state)
            node, crossed, inside, candidate = state
            if linker.is_blob(node):
                continue
            further = False
            for source, kind, site in linker.predecessors[node]:
                if not any(flags.mixed(f) for f in linker.flags(source)):
                    continue
                further = True
                if kind == "not" and site is not None and not (made and candidate):
                    # a negation that takes a mask back to the flag makes no mask
                    made.append(site if any(flags.keeps(f) for f in linker.flags(node)) else None)
                here = candidate
                if site is not None and site[0] is not None:
                    passed = kind == "argument" and not inside and (crossed or site[0][0] != path)
                    if passed or (crossed and kind == "store"):
                        here = (site[0], site[1])
                if kind == "store" and not crossed:
                    # whoever handed over what was read from the store has no part in it
                    todo.append((source, True, False, None))
                    if site is not None and site[0] is not None:
                        todo.append((source, True, False, (site[0], site[1])))
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

    # --- by name -----------------------------------------------------------------------------------

    def _by_name(self, cut: _Cut) -> None:
        """The origin of the mask is not visible, and its name says done.

        A project that steps environments shows where its flags come from: what does not arrive there went
        another way, and a name is no proof of it.
        """
        survey = self.linker.surveys[cut.path]
        if any(map(_is_look_alike, survey.imports)):
            return
        origin = self._open_origin(cut.node, cut.kind != "mask", (cut.path, cut.span))
        if origin is None:
            return
        site: Site = origin
        path, span = site if site is not None else (cut.path, cut.span)
        trace = (Related(cut.path, cut.span, f"the {cut.form} is cut here"),)
        self.guessed.setdefault(path, {}).setdefault(
            span,
            Sink(cut.kind, span, "by name", trace, "", None, "where the flag comes from is not visible", cut.form),
        )

    def _open_origin(self, node: int, negated: bool, here: Site) -> Site:
        """The place of the mask, when all that arrives there are parameters called like done that nobody fills."""
        linker = self.linker
        made: Site = None
        found = False
        seen: set[int] = set()
        todo: list[tuple[int, bool, Site]] = [(node, negated, None)]
        while todo:
            at, through, place = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            if linker.is_blob(at) or len(seen) > 500:
                return None
            if (negation := linker.negation_at(at)) is not None:
                operand, site = negation
                todo.append((operand, True, place or site))
                continue
            if inputs := linker.inputs(at):
                todo.extend((source, through, place) for source in inputs)
                continue
            owner = self.linker.owner(at)
            if owner is None or (linker.held[at] and not linker.all(at, "obj")):
                continue
            survey = linker.surveys[owner[0]]
            if owner[1] in survey.parameters and through and names.done(survey.names.get(owner[1], "")):
                found, made = True, made or place or here
            elif not linker.held[at]:
                return None
        return made if found else None


def _classify(product: Product) -> tuple[SinkKind, str]:
    """What a discounted product is; an empty form where a mask in it is right."""
    if product.carried:
        return ("recursion", "") if product.gae else ("recursion", "returns")
    if product.beside:
        return "recursion", "GAE"
    return "mask", "one-step target"


@cache
def _is_look_alike(module: str) -> bool:
    """Whether a module is of a package with an API of its own."""
    while module:
        if module in import_roots.LOOK_ALIKE_ROOTS:
            return True
        module = module.rpartition(".")[0]
    return False

"""What the operations of a survey mean: one method an operation (see `schema.OPERATIONS`).

Those that put something into an object or take it out again stand in `containers.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import RESULTS
from done_lint.analysis.solver import ELEMENTS, MARKS, NEGATED, VALUES
from done_lint.analysis.transfer.containers import Containers
from done_lint.core.findings import Span
from done_lint.flowgraph.schema import COMBINATIONS, OPERATIONS, REACTIONS, Operation, Survey
from done_lint.knowledge import env_api_lookup

#: Kinds of tokens, beside flags, that combinations heed. A choice hands everything on.
_COMBINED = frozenset({"obj", "mark", "count"})


class Semantics(Containers):
    """Loads surveys into the solver."""

    def load_names(self) -> None:
        """Load what tells what classes are called: an annotation is to be known when values arrive."""
        for path, survey in self.surveys.items():
            base = self.bases[path]
            for node, operations in survey.naming.items():
                self.waiting[base + node] = (survey, base, operations)
        for path, survey in self.surveys.items():
            base = self.bases[path]
            for operation in survey.bindings:
                _LOADS[operation[0]](self, survey, base, *operation[1:])

    def read_classes(self) -> None:
        """Look up the attributes of classes, now that all know what they inherit."""
        unread, self.unread = self.unread or [], None
        for number, name, target, source in unread:
            self.attribute(number, name, target, source)

    def load(self) -> None:
        """Load the rest, once the names are known."""
        overdue = self._expect()
        for path, survey in self.surveys.items():
            base = self.bases[path]
            self.given_by_method(survey, base)
            for index, product in enumerate(survey.products):
                self.products[path, index] = (base + product.node, [base + f.node for f in product.factors])
            for _, test, a, ca, b, cb, c, at in survey.choices:
                self.conditions[path, (at, c)] = (base + test, base + a, ca, base + b, cb, base + c)
            for operation in survey.operations:
                _LOADS[operation[0]](self, survey, base, *operation[1:])
        for survey, base, operations, numbers in overdue:
            for operation in operations:
                for number in numbers:
                    _REACTS[operation[0]](self, survey, base, number, *operation[1:])

    def _expect(self) -> list[tuple[Survey, int, list[Operation], tuple[int, ...]]]:
        """Let every reaction wait; the result are those whose node holds something already, and what it holds."""
        overdue = []
        for path, survey in self.surveys.items():
            base = self.bases[path]
            for local, operations in survey.waiting.items():
                node = base + local
                if held := self.held[node]:
                    overdue.append((survey, base, operations, tuple(held)))
                known = self.waiting.get(node)
                self.waiting[node] = (survey, base, operations if known is None else known[2] + operations)
        return overdue

    def react(self, node: int, number: int) -> None:
        survey, base, operations = self.waiting[node]
        for operation in operations:
            _REACTS[operation[0]](self, survey, base, number, *operation[1:])

    # --- plain operations --------------------------------------------------------------------------

    def o_copy(self, s: Survey, n: int, a: int, b: int) -> None:
        self.edge(n + a, n + b)

    def o_values(self, s: Survey, n: int, a: int, b: int) -> None:
        self.edge(n + a, n + b, VALUES)

    def o_elements(self, s: Survey, n: int, a: int, b: int) -> None:
        self.edge(self.flat(n + a), n + b, ELEMENTS)

    def o_external(self, s: Survey, n: int, b: int, dotted: str) -> None:
        self.add(n + b, self.token("external", dotted))

    def o_import(self, s: Survey, n: int, b: int, module: str, name: str | None, level: int) -> None:
        found = self.resolve_import(s.path, module, name, level)
        if isinstance(found, str):
            self.add(n + b, self.token("external", found))
        else:
            kind, value = found
            if kind == "node":
                self.edge(value, n + b)
            else:
                self.add(n + b, self.token("module", value))

    def w_narrow(self, s: Survey, n: int, number: int, kind: int, a: int, b: int) -> None:
        """What passed `isinstance(a, kind)`: environments of another API do not."""
        if self.kind(number) in ("class", "external"):
            self.annotated(number, n + b, make=False)
            self.edge(n + a, n + b)
            if self.kind(number) == "external" and env_api_lookup.base(dotted := self.value(number)[1]) is None:
                # an instance of that class, whatever else may seem to arrive here
                self.add(n + b, self.token("external", dotted + "()"))

    def o_function(self, s: Survey, n: int, b: int, index: int) -> None:
        self.add(n + b, self.token("function", s.path, index, -1))

    def o_class(self, s: Survey, n: int, b: int, index: int) -> None:
        self.add(n + b, self.token("class", s.path, index))

    def o_instance(self, s: Survey, n: int, b: int, index: int) -> None:
        self.add(n + b, self.token("inst", s.path, index))

    def o_super(self, s: Survey, n: int, b: int, index: int, own: int) -> None:
        self.add(n + b, self.token("super", s.path, index, n + own))

    def o_text(self, s: Survey, n: int, b: int, value: str) -> None:
        self.add(n + b, self.token("text", value))
        if b in s.places:
            self.texts[n + b] = self.at(s, s.places[b])

    def o_limit(self, s: Survey, n: int, b: int, at: Span) -> None:
        self.add(n + b, flag_lattice.LIMIT)
        self.births.setdefault(n + b, (self.at(s, at), "the loop's own limit"))

    def o_count(self, s: Survey, n: int, b: int, name: str, owner: int, at: Span, reached: bool) -> None:
        self.add(n + b, self.token("count", s.path, at, name, owner, reached))

    def o_decides(self, s: Survey, n: int, test: int, b: int, holds: bool) -> None:
        self._pass_counts(n + test, n + b, holds)

    def _pass_counts(self, source: int, target: int, holds: bool = True) -> None:
        """What a count decides; not `holds`: the other way round."""

        def react(number: int) -> None:
            if self.kind(number) == "count":
                *same, reached = self.value(number)
                self.add(target, self.token(*same, reached is holds), source, number)

        self.watch(source, react)

    # --- flags -------------------------------------------------------------------------------------

    def j_not(self, s: Survey, n: int, a: int, b: int, at: Span) -> None:
        self.edge(self.flat(n + a), n + b, NEGATED, "not", self.at(s, at))
        self.edge(n + a, n + b, MARKS)
        self._pass_counts(n + a, n + b, False)

    def _combine(
        self, s: Survey, n: int, inputs: tuple[int, ...], b: int, at: Span, merge: Callable[[int, int], int | None]
    ) -> None:
        nodes = [self.flat(n + a) for a in inputs if a]
        self.combinations[n + b] = ([n + a for a in inputs if a], self.at(s, at))
        for node in nodes:
            self.precede(n + b, node, "combined", self.at(s, at))

        def evaluate() -> None:
            found: set[int] | None = None
            for node in nodes:
                mine = set(self.flags(node))
                if not mine:
                    continue
                if found is None:
                    found = mine
                else:
                    merged = {m for left in found for right in mine if (m := merge(left, right)) is not None}
                    found = merged
            for flag in found or ():
                source = next((x for x in nodes if self.held[x]), -1)
                origin = next(iter(self.flags(source)), -1) if source >= 0 else -1
                self.add(n + b, flag, source, origin)

        self.narrowing(n + b, nodes, evaluate)

    def j_or(self, s: Survey, n: int, inputs: tuple[int, ...], b: int, at: Span) -> None:
        self._combine(s, n, inputs, b, at, flag_lattice.united)
        for a in inputs:
            if a:
                self.edge(n + a, n + b, MARKS)
                self._pass_counts(n + a, n + b)

    def o_remap(self, s: Survey, n: int, a: int, b: int, kind: str) -> None:
        """`{k: f(v) for k, v in a.items()}`, `[f(x) for x in a]`: the same keys, and what may pass through f."""
        number = self.token("obj", n + b, kind)
        self.add(n + b, number)

        def react(source: int) -> None:
            held = self.kind(source)
            if held == "obj":
                self.each_field(source, lambda key, field: self.edge(field, self.field(number, key), VALUES, "load"))
                if self.value(source)[2] == "array":
                    self.add(self.field(number, "*"), source, n + a, source)
            elif held == "flag":
                self.add(self.field(number, "*"), source & ~flag_lattice.ARRAY, n + a, source)

        self.watch(n + a, react)

    def j_and(self, s: Survey, n: int, inputs: tuple[int, ...], b: int, at: Span) -> None:
        self._combine(s, n, inputs, b, at, flag_lattice.conjunction)
        for a in inputs:
            if a:
                self.edge(n + a, n + b, MARKS)

    def j_sum(self, s: Survey, n: int, inputs: tuple[int, ...], b: int) -> None:
        nodes = [n + a for a in inputs if a]
        for node in nodes:
            self.edge(node, n + b, MARKS)
        if len(nodes) < len(inputs):
            return
        flat = [self.flat(node) for node in nodes]

        def evaluate() -> None:
            sets = [set(self.flags(node)) for node in flat]
            if not all(sets):
                return
            found = sets[0]
            for other in sets[1:]:
                found = {u for x in found for y in other if (u := flag_lattice.united(x, y)) is not None}
            for flag in found:
                self.add(n + b, flag, flat[0], next(iter(sets[0])))

        for node in flat:
            self.precede(n + b, node, "combined")
        self.narrowing(n + b, flat, evaluate)
        for node in nodes:
            self._pass_lists(node, n + b)

    def _pass_lists(self, source: int, target: int) -> None:
        """`a + [b]`, `[None] * n`: the list itself goes on."""

        def react(number: int) -> None:
            if self.kind(number) == "obj" and self.value(number)[2] in ("list", "many"):
                self.add(target, number, source, number)

        self.watch(source, react)

    def j_product(self, s: Survey, n: int, index: int, b: int) -> None:
        product = s.products[index]
        nodes = [n + f.node for f in product.factors]
        scalars = [f.role in ("discount", "constant", "trace") for f in product.factors]
        mark = self.token("mark", "product", s.path, index)
        flat = [self.flat(node) if f.node else 0 for node, f in zip(nodes, product.factors)]
        for node, factor in zip(nodes, product.factors):
            if factor.node:
                self.edge(node, n + b, MARKS)
        if sum(1 for f in product.factors if f.role != "constant") == 1 or len(product.factors) == 2:
            for node, factor in zip(nodes, product.factors):
                if factor.node and not factor.role:
                    self._pass_lists(node, n + b)
        for node, factor in zip(flat, product.factors):
            if factor.node:
                self.precede(n + b, node, "combined")

        def evaluate() -> None:
            sets = [set(self.flags(node)) if node else set() for node in flat]
            masks = [x for x in sets if x]
            if not masks:
                return
            if all(x or scalar for x, scalar in zip(sets, scalars)):
                found = masks[0]
                for other in masks[1:]:
                    found = {m for x in found for y in other if (m := flag_lattice.conjunction(x, y)) is not None}
                discount = flag_lattice.DISCOUNTED if product.discounted else 0
                source = next(node for node, x in zip(flat, sets) if x)
                for flag in found:
                    self.add(n + b, flag | discount, source, next(iter(masks[0])))
            elif any(flag_lattice.keeps(flag) for x in masks for flag in x):
                self.add(n + b, mark)

        self.narrowing(n + b, [x for x in flat if x], evaluate)

    def j_cond(self, s: Survey, n: int, test: int, a: int, ca: str, b: int, cb: str, c: int, at: Span) -> None:
        """A choice between two values; between constants it is the test itself, or its negation."""
        mark = self.token("mark", "cond", s.path, (at, c))
        tested = self.flat(n + test) if test else 0
        if test and {ca, cb} == {"one", "zero"}:
            self._pass_counts(n + test, n + c, ca == "one")
        for value, kind in ((a, ca), (b, cb)):
            if value:
                self._carry_objects(n + value, n + c)
                if not kind:
                    self.edge(n + value, n + c, MARKS)
        if not (ca and cb):
            for value, kind in ((a, ca), (b, cb)):
                if value and not kind:
                    self.precede(n + c, self.flat(n + value), "flow")
        elif tested:
            self.precede(n + c, tested, "not" if ca == "zero" else "flow", self.at(s, at))
        flat_a = self.flat(n + a) if a and not ca else 0
        flat_b = self.flat(n + b) if b and not cb else 0

        def evaluate() -> None:
            tests = set(self.flags(tested)) if tested else set()
            if ca and cb:
                if "zero" in (ca, cb) and ca != cb:
                    discount = flag_lattice.DISCOUNTED if "discount" in (ca, cb) else 0
                    for flag in tests:
                        self.add(n + c, (flag_lattice.negated(flag) if ca == "zero" else flag) | discount, tested, flag)
                return
            for source, constant, when_true in ((flat_a, cb, True), (flat_b, ca, False)):
                if not source:
                    continue
                for flag in self.flags(source):
                    for result in self._chosen(flag, constant, tests, when_true):
                        self.add(n + c, result, source, flag)
            # one side is zero where the episode ended, the other a value: the value is masked
            for flag in tests:
                ended_is_true = not flag_lattice.keeps(flag)
                if (
                    (ca if ended_is_true else cb) == "zero"
                    and not (flat_a and self.flags(flat_a))
                    and not (flat_b and self.flags(flat_b))
                ):
                    self.add(n + c, mark)

        self.narrowing(n + c, [x for x in (tested, flat_a, flat_b) if x], evaluate)

    def w_none(self, s: Survey, n: int, number: int, test: int, b: int, holds: bool, at: Span) -> None:
        """`next_state = None if done else obs`: what the test decides is kept until somebody asks."""
        if number < flag_lattice.END:
            decided = number if holds else flag_lattice.negated(number)
            self.add(n + b, self.token("none", decided, n + test, (s.path, at)), n + test, number)

    def w_absent(self, s: Survey, n: int, number: int, a: int, b: int, holds: bool) -> None:
        """`next_state is not None`."""
        if self.kind(number) == "none":
            decided = self.value(number)[1]
            if n + b not in self.absences:
                self.precede(n + b, n + a, "none")
            self.absences[n + b] = n + a
            self.add(n + b, decided if holds else flag_lattice.negated(decided), n + a, number)

    def _carry_objects(self, source: int, target: int) -> None:
        def react(number: int) -> None:
            if number >= flag_lattice.END and self.kind(number) != "mark":
                self.add(target, number, source, number)

        self.watch(source, react)

    def _chosen(self, flag: int, constant: str, tests: set[int], when_true: bool) -> list[int]:
        """What is left of a flag that is chosen where a test is (or is not) true, else a constant."""
        if not constant or not tests:
            return [flag]
        results = []
        silent = "one" if flag_lattice.keeps(flag) else "zero"
        for test in tests:
            # causes for which the constant is taken instead
            causes_true = not flag_lattice.keeps(test)
            taken_when_cause = causes_true != when_true
            if not taken_when_cause or (
                test & flag_lattice.TERMINATED and flag & flag_lattice.TERMINATED and constant == silent
            ):
                results.append(flag)
            elif constant == silent:
                left = flag_lattice.narrowed(flag, test)
                if left is not None:
                    results.append(left)
            else:
                results.append(flag | test & flag_lattice.CAUSES)
        return results

    def o_masked(self, s: Survey, n: int, a: int, index: int, b: int, at: Span) -> None:
        self.edge(n + a, n + b)
        flat = self.flat(n + index)
        mark = self.token("mark", "masked", s.path, at)
        self.masked[s.path, at] = n + index

        def react(number: int) -> None:
            if number < flag_lattice.END and not flag_lattice.keeps(number):
                self.add(n + b, mark)

        self.watch(flat, react)

    def o_filled(self, s: Survey, n: int, a: int, index: int, b: int, at: Span) -> None:
        """The array holds values only where the index is true: masked, if that is where the episode goes on."""
        self.edge(n + a, n + b)
        mark = self.token("mark", "masked", s.path, at)
        self.masked[s.path, at] = n + index
        self.filled.add((s.path, at))

        def react(number: int) -> None:
            if number < flag_lattice.END and flag_lattice.keeps(number):
                self.add(n + b, mark)

        self.watch(self.flat(n + index), react)


def _joining(kind: str) -> Callable[..., None]:
    """A combination is connected with all of its inputs when the first of them gets a token that matters."""
    join, place, every = getattr(Semantics, "j_" + kind), RESULTS[kind] - 1, kind == "cond"

    def react(self: Semantics, s: Survey, n: int, number: int, *operands: Any) -> None:
        result = n + operands[place]
        if result not in self.connected and (every or number < flag_lattice.END or self.kind(number) in _COMBINED):
            self.connected.add(result)
            join(self, s, n, *operands)

    return react


_LOADS: dict[str, Callable[..., None]] = {name: getattr(Semantics, "o_" + name) for name in OPERATIONS}
_REACTS: dict[str, Callable[..., None]] = {
    **{name: getattr(Semantics, "w_" + name) for name in REACTIONS},
    **{name: _joining(name) for name in COMBINATIONS},
}

"""What the operations of a survey mean: one method an operation (see `flowgraph.operations`).

Those that put something into an object or take it out again stand in `containers.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import Birth, Combined, Condition, ProductNodes
from done_lint.analysis.solver import ELEMENTS, MARKS, NEGATED, VALUES
from done_lint.analysis.transfer.containers import Containers
from done_lint.analysis.values import (
    ChoiceMark,
    ChosenNone,
    ClassRef,
    Count,
    External,
    Flag,
    FunctionRef,
    Instance,
    Mark,
    MaskedMark,
    Object,
    Passage,
    Place,
    ProductMark,
    Shape,
    Super,
    Text,
    Value,
)
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY
from done_lint.flowgraph.operations import Combination, Operation, Reaction
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_api_lookup

#: Kinds of values that combinations heed. A choice hands everything on.
_COMBINED: tuple[type[Value], ...] = (Flag, Object, Mark, Count)


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
                _LOADS[type(operation)](self, survey, base, operation)

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
                self.products[path, index] = ProductNodes(base + product.node, [base + f.node for f in product.factors])
            for op in survey.choices:
                self.conditions[ChoiceMark(path, op.at, op.result)] = Condition(
                    base + op.test, base + op.a, op.a_constant, base + op.b, op.b_constant, base + op.result
                )
            for operation in survey.operations:
                _LOADS[type(operation)](self, survey, base, operation)
        for survey, base, operations, numbers in overdue:
            for operation in operations:
                for number in numbers:
                    _REACTS[type(operation)](self, survey, base, number, operation)

    def _expect(self) -> list[tuple[Survey, int, list[Reaction], tuple[int, ...]]]:
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
            _REACTS[type(operation)](self, survey, base, number, operation)

    # --- plain operations --------------------------------------------------------------------------

    def o_copy(self, s: Survey, n: int, op: ops.Copy) -> None:
        self.edge(n + op.source, n + op.target)

    def o_values(self, s: Survey, n: int, op: ops.Values) -> None:
        self.edge(n + op.source, n + op.target, VALUES)

    def o_elements(self, s: Survey, n: int, op: ops.Elements) -> None:
        self.edge(self.flat(n + op.source), n + op.target, ELEMENTS)

    def o_external(self, s: Survey, n: int, op: ops.External) -> None:
        self.add(n + op.target, self.intern(External(op.dotted)))

    def o_import(self, s: Survey, n: int, op: ops.Import) -> None:
        found = self.resolve_import(s.path, op.module, op.name, op.level)
        if isinstance(found, int):
            self.edge(found, n + op.target)
        else:
            self.add(n + op.target, self.intern(found))

    def w_narrow(self, s: Survey, n: int, number: int, op: ops.Narrow) -> None:
        """What passed `isinstance(a, kind)`: environments of another API do not."""
        value = self.value(number)
        if isinstance(value, (ClassRef, External)):
            self.annotated(number, n + op.target, make=False)
            self.edge(n + op.source, n + op.target)
            if isinstance(value, External) and env_api_lookup.base(value.dotted) is None:
                # an instance of that class, whatever else may seem to arrive here
                self.add(n + op.target, self.intern(External(value.dotted + "()")))

    def o_function(self, s: Survey, n: int, op: ops.BindFunction) -> None:
        self.add(n + op.target, self.intern(FunctionRef(s.path, op.index)))

    def o_class(self, s: Survey, n: int, op: ops.BindClass) -> None:
        self.add(n + op.target, self.intern(ClassRef(s.path, op.index)))

    def o_instance(self, s: Survey, n: int, op: ops.BindInstance) -> None:
        self.add(n + op.target, self.intern(Instance(s.path, op.index)))

    def o_super(self, s: Survey, n: int, op: ops.Super) -> None:
        self.add(n + op.target, self.intern(Super(s.path, op.index, n + op.own)))

    def o_text(self, s: Survey, n: int, op: ops.Text) -> None:
        self.add(n + op.target, self.intern(Text(op.value)))
        if op.target in s.places:
            self.texts[n + op.target] = self.at(s, s.places[op.target])

    def o_limit(self, s: Survey, n: int, op: ops.Limit) -> None:
        self.add(n + op.target, flag_lattice.LIMIT)
        self.births.setdefault(n + op.target, Birth(self.at(s, op.at), "the loop's own limit"))

    def o_count(self, s: Survey, n: int, op: ops.Count) -> None:
        self.add(n + op.target, self.intern(Count(s.path, op.at, op.name, op.owner, op.reached)))

    def o_decides(self, s: Survey, n: int, op: ops.Decides) -> None:
        self._pass_counts(n + op.test, n + op.target, op.holds)

    def _pass_counts(self, source: int, target: int, holds: bool = True) -> None:
        """What a count decides; not `holds`: the other way round."""

        def react(number: int) -> None:
            value = self.value(number)
            if isinstance(value, Count):
                decided = self.intern(replace(value, reached=value.reached is holds))
                self.add(target, decided, source, number)

        self.watch(source, react)

    # --- flags -------------------------------------------------------------------------------------

    def j_not(self, s: Survey, n: int, op: ops.Not) -> None:
        self.edge(self.flat(n + op.source), n + op.result, NEGATED, "not", Passage(self.at(s, op.at), n + op.source))
        self.edge(n + op.source, n + op.result, MARKS)
        self._pass_counts(n + op.source, n + op.result, False)

    def _combine(
        self, s: Survey, n: int, inputs: tuple[int, ...], b: int, at: Span, merge: Callable[[int, int], int | None]
    ) -> None:
        nodes = [self.flat(n + a) for a in inputs if a]
        self.combinations[n + b] = Combined([n + a for a in inputs if a], self.at(s, at))
        for node in nodes:
            self.precede(n + b, node, "combined", Passage(self.at(s, at), node))

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

    def j_or(self, s: Survey, n: int, op: ops.Or) -> None:
        self._combine(s, n, op.inputs, op.result, op.at, flag_lattice.united)
        for a in op.inputs:
            if a:
                self.edge(n + a, n + op.result, MARKS)
                self._pass_counts(n + a, n + op.result)

    def o_remap(self, s: Survey, n: int, op: ops.Remap) -> None:
        """`{k: f(v) for k, v in a.items()}`, `[f(x) for x in a]`: the same keys, and what may pass through f."""
        number = self.intern(Object(n + op.target, Shape(op.kind)))
        self.add(n + op.target, number)

        def react(source: int) -> None:
            value = self.value(source)
            if isinstance(value, Object):
                self.each_field(source, lambda key, field: self.edge(field, self.field(number, key), VALUES, "load"))
                if value.shape is Shape.ARRAY:
                    self.add(self.field(number, ANY), source, n + op.source, source)
            elif isinstance(value, Flag):
                self.add(self.field(number, ANY), source & ~flag_lattice.ARRAY, n + op.source, source)

        self.watch(n + op.source, react)

    def j_and(self, s: Survey, n: int, op: ops.And) -> None:
        self._combine(s, n, op.inputs, op.result, op.at, flag_lattice.conjunction)
        for a in op.inputs:
            if a:
                self.edge(n + a, n + op.result, MARKS)

    def j_sum(self, s: Survey, n: int, op: ops.Sum) -> None:
        nodes = [n + a for a in op.inputs if a]
        for node in nodes:
            self.edge(node, n + op.result, MARKS)
        if len(nodes) < len(op.inputs):
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
                self.add(n + op.result, flag, flat[0], next(iter(sets[0])))

        for node in flat:
            self.precede(n + op.result, node, "combined")
        self.narrowing(n + op.result, flat, evaluate)
        for node in nodes:
            self._pass_lists(node, n + op.result)

    def _pass_lists(self, source: int, target: int) -> None:
        """`a + [b]`, `[None] * n`: the list itself goes on."""

        def react(number: int) -> None:
            value = self.value(number)
            if isinstance(value, Object) and value.shape in (Shape.LIST, Shape.MANY):
                self.add(target, number, source, number)

        self.watch(source, react)

    def j_product(self, s: Survey, n: int, op: ops.Times) -> None:
        product = s.products[op.index]
        nodes = [n + f.node for f in product.factors]
        scalars = [f.role in ("discount", "constant", "trace") for f in product.factors]
        mark = self.intern(ProductMark(s.path, op.index))
        flat = [self.flat(node) if f.node else 0 for node, f in zip(nodes, product.factors)]
        for node, factor in zip(nodes, product.factors):
            if factor.node:
                self.edge(node, n + op.result, MARKS)
        if sum(1 for f in product.factors if f.role != "constant") == 1 or len(product.factors) == 2:
            for node, factor in zip(nodes, product.factors):
                if factor.node and not factor.role:
                    self._pass_lists(node, n + op.result)
        for node, factor in zip(flat, product.factors):
            if factor.node:
                self.precede(n + op.result, node, "combined")

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
                    self.add(n + op.result, flag | discount, source, next(iter(masks[0])))
            elif any(flag_lattice.keeps(flag) for x in masks for flag in x):
                self.add(n + op.result, mark)

        self.narrowing(n + op.result, [x for x in flat if x], evaluate)

    def j_cond(self, s: Survey, n: int, op: ops.Choice) -> None:
        """A choice between two values; between constants it is the test itself, or its negation."""
        ca, cb, result = op.a_constant, op.b_constant, n + op.result
        mark = self.intern(ChoiceMark(s.path, op.at, op.result))
        tested = self.flat(n + op.test) if op.test else 0
        if op.test and {ca, cb} == {"one", "zero"}:
            self._pass_counts(n + op.test, result, ca == "one")
        for value, kind in ((op.a, ca), (op.b, cb)):
            if value:
                self._carry_objects(n + value, result)
                if not kind:
                    self.edge(n + value, result, MARKS)
        if not (ca and cb):
            for value, kind in ((op.a, ca), (op.b, cb)):
                if value and not kind:
                    self.precede(result, self.flat(n + value), "flow")
        elif tested:
            self.precede(result, tested, "not" if ca == "zero" else "flow", Passage(self.at(s, op.at), tested))
        flat_a = self.flat(n + op.a) if op.a and not ca else 0
        flat_b = self.flat(n + op.b) if op.b and not cb else 0

        def evaluate() -> None:
            tests = set(self.flags(tested)) if tested else set()
            if ca and cb:
                if "zero" in (ca, cb) and ca != cb:
                    discount = flag_lattice.DISCOUNTED if "discount" in (ca, cb) else 0
                    for flag in tests:
                        self.add(
                            result,
                            (flag_lattice.negated(flag) if ca == "zero" else flag) | discount,
                            tested,
                            flag,
                        )
                return
            for source, constant, when_true in ((flat_a, cb, True), (flat_b, ca, False)):
                if not source:
                    continue
                for flag in self.flags(source):
                    for chosen in self._chosen(flag, constant, tests, when_true):
                        self.add(result, chosen, source, flag)
            # one side is zero where the episode ended, the other a value: the value is masked
            for flag in tests:
                ended_is_true = not flag_lattice.keeps(flag)
                if (
                    (ca if ended_is_true else cb) == "zero"
                    and not (flat_a and self.flags(flat_a))
                    and not (flat_b and self.flags(flat_b))
                ):
                    self.add(result, mark)

        self.narrowing(result, [x for x in (tested, flat_a, flat_b) if x], evaluate)

    def w_none(self, s: Survey, n: int, number: int, op: ops.NoneWhere) -> None:
        """`next_state = None if done else obs`: what the test decides is kept until somebody asks."""
        if number < flag_lattice.END:
            decided = number if op.holds else flag_lattice.negated(number)
            none = self.intern(ChosenNone(decided, n + op.test, Place(s.path, op.at)))
            self.add(n + op.target, none, n + op.test, number)

    def w_absent(self, s: Survey, n: int, number: int, op: ops.IsNone) -> None:
        """`next_state is not None`."""
        value = self.value(number)
        if isinstance(value, ChosenNone):
            decided = value.flag
            if n + op.target not in self.absences:
                self.precede(n + op.target, n + op.source, "none")
            self.absences[n + op.target] = n + op.source
            self.add(n + op.target, decided if op.holds else flag_lattice.negated(decided), n + op.source, number)

    def _carry_objects(self, source: int, target: int) -> None:
        def react(number: int) -> None:
            if not isinstance(self.value(number), (Flag, Mark)):
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

    def o_masked(self, s: Survey, n: int, op: ops.Masked) -> None:
        self.edge(n + op.source, n + op.target)
        flat = self.flat(n + op.index)
        masked = MaskedMark(s.path, op.at)
        mark = self.intern(masked)
        self.masked[masked] = n + op.index

        def react(number: int) -> None:
            if number < flag_lattice.END and not flag_lattice.keeps(number):
                self.add(n + op.target, mark)

        self.watch(flat, react)

    def o_filled(self, s: Survey, n: int, op: ops.Filled) -> None:
        """The array holds values only where the index is true: masked, if that is where the episode goes on."""
        self.edge(n + op.source, n + op.target)
        masked = MaskedMark(s.path, op.at)
        mark = self.intern(masked)
        self.masked[masked] = n + op.index
        self.filled.add(masked)

        def react(number: int) -> None:
            if number < flag_lattice.END and flag_lattice.keeps(number):
                self.add(n + op.target, mark)

        self.watch(self.flat(n + op.index), react)


def _joining(join: Callable[..., None], every: bool = False) -> Callable[..., None]:
    """A combination is connected with all of its inputs when the first of them gets a value that matters."""

    def react(self: Semantics, s: Survey, n: int, number: int, op: Combination) -> None:
        result = n + op.result
        if result not in self.connected and (every or isinstance(self.value(number), _COMBINED)):
            self.connected.add(result)
            join(self, s, n, op)

    return react


#: What is done for an operation once.
_LOADS: dict[type[Operation], Callable[..., None]] = {
    ops.Copy: Semantics.o_copy,
    ops.External: Semantics.o_external,
    ops.Import: Semantics.o_import,
    ops.BindClass: Semantics.o_class,
    ops.Values: Semantics.o_values,
    ops.Elements: Semantics.o_elements,
    ops.BindFunction: Semantics.o_function,
    ops.BindInstance: Semantics.o_instance,
    ops.Super: Semantics.o_super,
    ops.Text: Semantics.o_text,
    ops.Limit: Semantics.o_limit,
    ops.Count: Semantics.o_count,
    ops.Decides: Semantics.o_decides,
    ops.Allocate: Semantics.o_alloc,
    ops.LibraryCall: Semantics.o_library,
    ops.Remap: Semantics.o_remap,
    ops.Masked: Semantics.o_masked,
    ops.Filled: Semantics.o_filled,
}
#: What is done for each value of the node that a reaction waits for.
_REACTS: dict[type[Operation], Callable[..., None]] = {
    ops.Attribute: Semantics.w_attr,
    ops.Annotated: Semantics.w_annotated,
    ops.Narrow: Semantics.w_narrow,
    ops.SetAttribute: Semantics.w_setattr,
    ops.Item: Semantics.w_item,
    ops.SetItem: Semantics.w_setitem,
    ops.Update: Semantics.w_update,
    ops.Unpack: Semantics.w_unpack,
    ops.Iterate: Semantics.w_iterate,
    ops.Call: Semantics.w_call,
    ops.NoneWhere: Semantics.w_none,
    ops.IsNone: Semantics.w_absent,
    ops.IsLast: Semantics.w_last,
    ops.Not: _joining(Semantics.j_not),
    ops.Or: _joining(Semantics.j_or),
    ops.And: _joining(Semantics.j_and),
    ops.Times: _joining(Semantics.j_product),
    ops.Choice: _joining(Semantics.j_cond, every=True),
    ops.Sum: _joining(Semantics.j_sum),
    ops.Longer: _joining(Semantics.j_longer),
}

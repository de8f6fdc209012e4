"""Statements of one file: branches and loops join the versions that assignments make."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import replace

from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.asked_sides import note_sides
from done_lint.flowgraph.assignments import visit_ann_assign, visit_assign, visit_aug_assign
from done_lint.flowgraph.ast_text import last_name, unparsed
from done_lint.flowgraph.attempts import expects_another_length
from done_lint.flowgraph.builder import Builder, StatementVisitors, Unpacked, statement
from done_lint.flowgraph.comparisons import asks_for_word, asks_no_more, is_guard, is_none
from done_lint.flowgraph.definitions import visit_class_def, visit_function_def, visit_import, visit_import_from
from done_lint.flowgraph.expressions import other
from done_lint.flowgraph.joined_versions import joined, meet
from done_lint.flowgraph.leaving_branches import discounted_parts, note_leaving, other_arm
from done_lint.flowgraph.libraries.length_tests import name_left_old
from done_lint.flowgraph.libraries.superseded_forms import superseded
from done_lint.flowgraph.loops.counted_rounds import bounds_of_rounds
from done_lint.flowgraph.loops.event_counters import counted_events
from done_lint.flowgraph.loops.keyed_loops import note_pair
from done_lint.flowgraph.loops.masked_rows import note_masking
from done_lint.flowgraph.loops.put_by_key import append_by_key
from done_lint.flowgraph.loops.whole_updates import is_whole_update
from done_lint.flowgraph.names import function_scope
from done_lint.flowgraph.narrowing import known, known_attributes, left, shared, while_unset
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.passing import makes_array
from done_lint.flowgraph.repeated_tests import answers, chosen_there, restored
from done_lint.flowgraph.schema import Branch
from done_lint.flowgraph.scopes import Answers, Loop, counter
from done_lint.flowgraph.targets import assign, note_taken_apart
from done_lint.knowledge import env_id_apis
from done_lint.knowledge.env_apis import STEP_WIDTHS


def visit_expr(b: Builder, s: ast.Expr) -> None:
    if type(s.value) is not ast.Constant and not append_by_key(b, s.value):
        b.expr(s.value)
        dropped = s.value.elts if type(s.value) is ast.Tuple else [s.value]
        resets = (one for one in dropped if type(one) is ast.Call and last_name(one.func) == "reset")
        b.result.dropped.update(map(b.span, resets))


def visit_return(b: Builder, s: ast.Return) -> None:
    if s.value is not None and not (b.here.abstract and is_none(s.value)):
        index, first = function_scope(b).function, len(b.result.products)
        written = _returned_value(b, s.value)
        first_made = b.node() if makes_array(written) else b.nothing
        value = b.expr(written)
        if b.here.early and not isinstance(written, ast.Tuple):
            _late_return(b, written, first)
        if index >= 0:
            function = b.function_at(index)
            guard = bool(b.here.guard) or value in b.here.old
            reached = b.here.for_info.get(s, written)
            if reached is not None:
                function.outcomes.append((b.span(written), _reached(b, written, reached, value), guard))
            if guard:
                # an adapter between the APIs: what it returns is no longer what a step returned
                b.op(ops.Values(value, function.result))
            else:
                b.copy(value, function.result)
            if first_made:
                function.makes.append((first_made, value))
            if isinstance(written, ast.Name):
                b.result.returned.add(b.span(written))
            function.arities += tuple(map(_width, _tuples(reached))) if reached is not None else ()
            if isinstance(written, ast.Tuple):
                _returned(b, written)
            elif isinstance(written, ast.Call):
                b.result.returned.add(b.span(written))
    b.here.dead = True


def _reached(b: Builder, written: ast.expr, reached: ast.expr, value: Node) -> Node:
    """The node of what a `return` gives to every caller: of a choice that asks for the info, that of one side."""
    if reached is written or not isinstance(written, ast.IfExp):
        return value
    at = b.span(written)
    chosen = next(one for one in reversed(b.result.choices) if one.at == at)
    return chosen.a if reached is written.body else chosen.b


def _returned_value(b: Builder, value: ast.expr) -> ast.expr:
    """What a `return` writes; a step may write its values in a list, which is taken apart like a tuple."""
    index = function_scope(b).function
    if not isinstance(value, ast.List) or len(value.elts) not in STEP_WIDTHS or index < 0:
        return value
    function = b.function_at(index)
    if function.owner < 0 or function.name not in ("step", "_step"):
        return value
    return ast.copy_location(ast.Tuple(value.elts, value.ctx), value)


def _tuples(value: ast.expr) -> Iterator[ast.Tuple]:
    """The tuples that an expression writes: itself, or those of `(obs, info) if asked else obs`."""
    if isinstance(value, ast.Tuple):
        yield value
    elif isinstance(value, ast.IfExp):
        yield from _tuples(value.body)
        yield from _tuples(value.orelse)


def _width(value: ast.Tuple) -> int:
    """How many values a tuple has; 0: nobody knows."""
    return 0 if any(isinstance(one, ast.Starred) for one in value.elts) else len(value.elts)


def _late_return(b: Builder, value: ast.expr, first: int) -> None:
    """`if done: return r`, and behind it `return f(r + gamma * v)`: the early return cuts the target."""
    if parts := discounted_parts(b, value, first):
        b.result.branches += (Branch(test, at, (), parts) for test, at in b.here.early)


def _returned(b: Builder, value: ast.Tuple) -> None:
    """A tuple that is returned as it is hands values on; it is no store."""
    for number in range(len(b.result.operations) - 1, -1, -1):
        operation = b.result.operations[number]
        if isinstance(operation, ops.Allocate) and b.result.places.get(operation.target) == b.span(value):
            b.result.operations[number] = replace(operation, kind="returned")
            if len(operation.elements) == 5:
                index = function_scope(b).function
                b.function_at(index).returned.append(operation.elements)
                b.result.falses.update(e for e, _ in operation.elements if _is_false(b, e))
            return


def _is_false(b: Builder, node: Node) -> bool:
    """Whether a value is the constant `False`, in whatever branch it is set."""
    if b.known.numbers.get(node) is False:
        return True
    choice = next((one for one in reversed(b.result.choices) if one.result == node), None)
    return choice is not None and _is_false(b, choice.a) and _is_false(b, choice.b)


def visit_assert(b: Builder, s: ast.Assert) -> None:
    b.expr(s.test)
    b.names.scope.versions = known(b, s.test, b.names.scope.versions, True)
    b.here.narrowed = known_attributes(b, s.test, True)
    if package := _asserted(s.test):
        b.result.asserted_ids[b.names.scope.function] = package


def _asserted(test: ast.expr) -> str:
    """The package that has the ids which a test lets pass: `"NoFrameskip" in env.spec.id`."""
    if (
        not isinstance(test, ast.Compare)
        or not isinstance(test.left, ast.Constant)
        or not isinstance(test.ops[0], ast.In)
    ):
        return ""
    return env_id_apis.REGISTERED_PARTS.get(str(test.left.value), "")


def visit_raise(b: Builder, s: ast.Raise) -> None:
    b.expr(s.exc)
    b.here.dead = True


def visit_break(b: Builder, s: ast.Break) -> None:
    if b.here.loops:
        b.here.loops[-1].breaks.append(dict(b.names.scope.versions))
    b.here.dead = True


def visit_continue(b: Builder, s: ast.Continue) -> None:
    if b.here.loops:
        b.here.loops[-1].continues.append(dict(b.names.scope.versions))
    b.here.dead = True


def visit_if(b: Builder, s: ast.If) -> None:
    uses = len(b.result.uses)
    test = b.expr(s.test)
    if test:
        b.result.tests.append((test, b.span(s.test)))
    if not s.orelse:
        b.result.optional.append(Span(*b.span(s.body[0])[:2], *b.span(s.body[-1])[2:]))
    note_sides(b, s, test)
    guard = is_guard(b, s.test)
    if guard:
        b.result.guarded.update(at for at, _ in b.result.uses.since(uses))
        b.superseded |= superseded(s.body, s.orelse)
    b.here.guard += guard
    around, before = b.here.branch, dict(b.names.scope.versions)
    first, uses = len(b.result.products), len(b.result.uses)
    b.unpacks.append((set(), set()))
    b.here.branch = (test, True)
    counters = b.step_counters
    b.step_counters = counters - counted_events(s)
    narrowed = b.here.narrowed
    b.here.narrowed = known_attributes(b, s.test, True)
    body, dead_body, held = _asked_side(b, s, before, True)
    b.step_counters, b.here.narrowed, behind = counters, narrowed, b.here.narrowed
    middle = len(b.result.products)
    b.unpacks[-1] = b.unpacks[-1][::-1]
    b.here.branch = (test, False)
    b.here.narrowed = known_attributes(b, s.test, False)
    orelse, dead_orelse, failed = _asked_side(b, s, before, False)
    b.here.narrowed = left(behind, dead_body, b.here.narrowed, dead_orelse)
    b.here.branch = around
    last = len(b.result.products)
    b.here.guard -= guard
    one, other = b.unpacks.pop()
    word = asks_for_word(s.test)
    if any(_of_both_apis(here, there) and not (word and _of_one(here, there)) for here in one for there in other):
        # both APIs are taken care of, whatever the test is called
        b.result.guarded.update(at for at, _ in b.result.uses.since(uses))
        b.result.tested.update(node for _, node in b.result.uses.since(uses))
    if last > first and test:
        sides = tuple(range(first, middle)), tuple(range(middle, last))
        whole = is_whole_update(b, s, sides[0], body)
        b.result.branches.append(Branch(test, b.span(s.test), *sides, counts=_counts(s), whole=whole))
    b.here.dead = dead_body and dead_orelse
    note_leaving(b, s, test, tuple(range(first, middle)))
    note_masking(b, s, test)
    if test and last == first and _returns_early(s):
        b.here.early = (*b.here.early, (test, b.span(s.test)))
    if dead_body or dead_orelse:
        b.names.scope.versions = orelse if dead_body else body
        _leave_old(b, s.test, guard, holds=dead_orelse)
        return
    b.names.scope.versions = joined(b, s.test, test, body, orelse, (held, failed))


def _counts(s: ast.If) -> bool:
    """Whether one side alone changes an attribute from what it was."""
    return bool(set(_updated(s.body)) ^ set(_updated(s.orelse)))


def _updated(side: list[ast.stmt]) -> Iterator[str]:
    """The attributes that some statements change from what they were."""
    for one in side:
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Attribute):
            yield unparsed(one.target)
        elif isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Attribute):
            name = unparsed(one.targets[0])
            if any(isinstance(part, ast.Attribute) and unparsed(part) == name for part in ast.walk(one.value)):
                yield name


def _leave_old(b: Builder, test: ast.expr, guard: bool, holds: bool) -> None:
    """Behind a test of length of which one side leaves, a result may no longer be as Gymnasium returns it."""
    name = name_left_old(test, holds) if guard else ""
    if version := b.names.scope.versions.get(name, b.nothing):
        b.here.old |= {version}


def _of_both_apis(one: Unpacked, other: Unpacked) -> bool:
    """Four values here and five there; those of two functions are two things, and no step in two forms."""
    known = one.callee and other.callee
    return {one.width, other.width} == set(STEP_WIDTHS) and not (known and one.callee != other.callee)


def _of_one(one: Unpacked, other: Unpacked) -> bool:
    """Results of one environment that `gymnasium.make` gave: it answers in one form alone."""
    return bool(one.made) and one.made == other.made


def _returns_early(s: ast.If) -> bool:
    """`if done: return reward`, and nothing else; a tuple is no target, and neither is what names or says nothing."""
    last = s.body[-1]
    if s.orelse or len(s.body) > 1 or not isinstance(last, ast.Return) or last.value is None:
        return False
    if isinstance(last.value, ast.Constant):
        return type(last.value.value) in (int, float)
    return not isinstance(last.value, (ast.Tuple, ast.JoinedStr))


def _asked_side(b: Builder, s: ast.If, before: dict[str, Node], holds: bool) -> tuple[dict[str, Node], bool, Answers]:
    """One side of a branch, with what is known there, and the answers to its test."""
    b.names.scope.versions = before
    answered = answers(b, s.test, holds)
    there = chosen_there(b, answered, before)
    tests, asked = b.here.known_tests, b.here.branch[0] if asks_no_more(s.test) else b.nothing
    b.here.known_tests = (*tests, (asked, holds))
    after, dead = _side(b, s.body if holds else s.orelse, known(b, s.test, there, holds))
    # behind a branch that left, the test did not hold
    b.here.known_tests = (*tests, (asked, False)) if dead and holds else tests
    return restored(after, there, before), dead, answered


def _side(b: Builder, body: list[ast.stmt], before: dict[str, Node]) -> tuple[dict[str, Node], bool]:
    b.names.scope.versions = dict(before)
    b.here.dead = False
    b.block(body)
    return b.names.scope.versions, b.here.dead


# --- loops -------------------------------------------------------------------------------------


def _enter(b: Builder, s: ast.stmt) -> Loop:
    loop = Loop(len(b.loops), b.node(), narrowed=b.here.narrowed, known_tests=b.here.known_tests, statement=s)
    b.here.known_tests = ()  # they asked for what was before it
    b.here.settled = {}  # the loop may come back with other values
    b.result.loop_spans.append(b.span(s))
    b.loops.append(loop)
    for name in sorted(b.outline.regions[s].bound):
        if (version := b.names.scope.versions.get(name)) is not None:
            head = b.node(b.result.places.get(version), name)
            b.copy(version, head)
            b.names.scope.versions[name] = head
            loop.heads[name] = head
            loop.starts[head] = version
    b.here.loops.append(loop)
    return loop


def _leave(b: Builder, loop: Loop, forever: bool = False) -> None:
    b.here.loops.pop()
    b.here.narrowed = shared(loop.narrowed, b.here.narrowed)
    b.here.known_tests = loop.known_tests
    ends = [*loop.continues, *([] if b.here.dead else [b.names.scope.versions])]
    for name, head in loop.heads.items():
        backs = {end[name] for end in ends if name in end} - {head}
        for back in sorted(backs):
            b.copy(back, head)
        if backs:
            loop.backs[head] = b.node()
            b.trail.derive(loop.backs[head], *backs)
    after: dict[str, Node] = {}
    exits = [*loop.breaks]
    if not forever or not exits:
        exits.append({**b.names.scope.versions, **loop.heads})
    for versions in exits:
        for name, version in versions.items():
            if name not in after or after[name] == version:
                after[name] = version
            else:
                joined = b.node(b.result.places.get(version), name)
                b.copy(after[name], joined)
                b.copy(version, joined)
                after[name] = joined
    # names first bound inside the loop stay visible after it
    for name, version in b.names.scope.versions.items():
        after.setdefault(name, version)
    b.names.scope.versions = after
    b.here.dead = False


def visit_while(b: Builder, s: ast.While) -> None:
    loop = _enter(b, s)
    test = b.expr(s.test)
    if test:
        b.result.tests.append((test, b.span(s.test)))
    while_unset(b, s.test, loop)
    b.block(s.body)
    _leave(b, loop, forever=isinstance(s.test, ast.Constant) and bool(s.test.value))
    b.block(s.orelse)


def visit_for(b: Builder, s: ast.For | ast.AsyncFor) -> None:
    uses = len(b.result.uses)
    iterated = b.expr(s.iter)
    loop = _enter(b, s)
    loop.syntax = s
    item = b.node(b.span(s.target))
    b.wait(iterated, ops.Iterate(iterated, item))
    note_taken_apart(b, s.target, item)
    assign(b, s.target, item)
    note_pair(b, s, uses)
    counters, rounds = b.step_counters, b.rounds
    if (name := counter(s)) and b.outline.regions[s].steps:
        # only a loop that steps the environment counts its steps
        b.step_counters = counters | {name}
        if (bounds := bounds_of_rounds(s)) is not None:
            b.rounds = {**rounds, name: bounds}
    b.block(s.body)
    b.step_counters, b.rounds = counters, rounds
    _leave(b, loop)
    b.block(s.orelse)


# --- other blocks ------------------------------------------------------------------------------


def visit_with(b: Builder, s: ast.With | ast.AsyncWith) -> None:
    for item in s.items:
        value = b.expr(item.context_expr)
        if item.optional_vars is not None:
            entered = b.node()
            b.wait(value, ops.Enter(value, entered))
            assign(b, item.optional_vars, entered)
    b.block(s.body)


def visit_try(b: Builder, s: ast.Try) -> None:
    guard = any(expects_another_length(s.body, handler) for handler in s.handlers)
    if guard:
        b.superseded |= {one for handler in s.handlers for one in superseded(s.body, handler.body)}
    b.here.guard += guard
    before = dict(b.names.scope.versions)
    body, dead_body = _side(b, s.body, before)
    b.names.scope.versions = dict(body)
    if not dead_body:
        b.block(s.orelse)
        body, dead_body = b.names.scope.versions, b.here.dead
    ends = [] if dead_body else [body]
    for handler in s.handlers:
        versions, dead = _side(b, handler.body, {**before, **{k: v for k, v in body.items() if k not in before}})
        if not dead:
            ends.append(versions)
    b.here.guard -= guard
    meet(b, ends or [body])
    b.here.dead = not ends
    b.block(s.finalbody)


def _takes_result(pattern: ast.pattern) -> bool:
    """Whether a pattern may take the result of a step or reset apart, and not a message: `("step", action)`."""
    for part in ast.walk(pattern):
        if isinstance(part, ast.MatchSequence):
            starred = any(isinstance(one, ast.MatchStar) for one in part.patterns)
            worded = any(isinstance(one, ast.MatchValue) for one in part.patterns)
            if (starred or len(part.patterns) in (2, *STEP_WIDTHS)) and not worded:
                return True
    return False


def visit_match(b: Builder, s: ast.Match) -> None:
    b.expr(s.subject)
    before = dict(b.names.scope.versions)
    guard = b.outline.results.may_be(s.subject) and any(_takes_result(case.pattern) for case in s.cases)
    b.here.guard += guard
    ends = [before]
    for case in s.cases:
        versions, dead = _side(b, case.body, dict(before))
        if not dead:
            ends.append(versions)
    b.here.guard -= guard
    b.here.dead = False
    meet(b, ends)


#: How statements are read, by type.
STATEMENTS: StatementVisitors = {
    **dict.fromkeys(ast.stmt.__subclasses__(), other),
    **statement(ast.AnnAssign, visit_ann_assign),
    **statement(ast.Assert, visit_assert),
    **statement(ast.Assign, other_arm(visit_assign)),
    **statement(ast.AsyncFor, visit_for),
    **statement(ast.AsyncFunctionDef, visit_function_def),
    **statement(ast.AsyncWith, visit_with),
    **statement(ast.AugAssign, other_arm(visit_aug_assign)),
    **statement(ast.Break, visit_break),
    **statement(ast.ClassDef, visit_class_def),
    **statement(ast.Continue, visit_continue),
    **statement(ast.Expr, other_arm(visit_expr)),
    **statement(ast.For, visit_for),
    **statement(ast.FunctionDef, visit_function_def),
    **statement(ast.If, visit_if),
    **statement(ast.Import, visit_import),
    **statement(ast.ImportFrom, visit_import_from),
    **statement(ast.Match, visit_match),
    **statement(ast.Raise, visit_raise),
    **statement(ast.Return, visit_return),
    **statement(ast.Try, visit_try),
    **statement(ast.While, visit_while),
    **statement(ast.With, visit_with),
}
if sys.version_info >= (3, 11):
    STATEMENTS[ast.TryStar] = STATEMENTS[ast.Try]

"""Environments whose last step is part of the task: the limit of steps is then the real end."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import takewhile

import libcst as cst

from done_lint.rewrites.env_methods import own_name
from done_lint.rewrites.time_limit.bound_values import assigned, assignments, closure
from done_lint.rewrites.time_limit.derived_time import is_derived
from done_lint.rewrites.time_limit.observed_time import is_clock, is_growing, is_record, is_said, is_split
from done_lint.rewrites.time_limit.shown_values import is_shown
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, method_called, only_index, only_target
from done_lint.syntax.tree import Tree


def is_horizon(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, counter: str, both: bool) -> bool:
    """Whether `step` shows that the task ends at its limit.

    Either the limit alone ends it and the reward is computed from it, so that nothing is left after it, or it is the
    first step unless somebody asks for more (a bandit), so that there is nothing to go on with; or the whole
    reward is given there, and nothing before; or the observation says how much time has passed: as a part of the limit,
    as the count or two parts of it, as a stage of it where the limit alone ends it, or in any way where the limit is
    returned as both flags (`both`). A reward of every step that a branch changes at the
    limit (`if done: reward = total`) proves none of it. What is returned to calls after the end tells nothing.
    """
    returns = [one for one in tree.descend(method, into_functions=False) if isinstance(one, cst.Return)]
    values = [one.value for one in returns if not _is_late(tree, one, limit, counter)]
    tuples = [one for one in values if isinstance(one, cst.Tuple) and len(one.elements) in (4, 5)]
    seen = [node for one in tuples for part in _parts(tree, one, 0) for node in _reached(tree, part, method)]
    if both and any(_is_counter(node, counter, method) for node in seen):
        return True
    if _has_time(tree, seen, limit, counter, method) or _gives_all(tree, limit, counter, method, tuples):
        return True
    flags = _names(tree, limit)
    ends = [one.elements[2].value for one in tuples]
    if not ends or not all(end is limit or any(is_name(end, name) for name in flags) for end in ends):
        return False
    if any(len(tree.scopes.bindings(method, name)) > 1 for name in flags):
        return False
    if _is_one_step(tree, limit, method, counter):
        return True
    if is_derived(tree, seen, method, own_name(method), counter):
        return True
    deciding = [part for one in tuples for part in _parts(tree, one, 1)]
    if any(isinstance(node, cst.Name) and node.value in flags for part in deciding for node in tree.descend(part)):
        return True
    return any(_pays_for_state(tree, part, flags, counter, method) for part in deciding)


def is_guard(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, counter: str) -> bool:
    """Whether a limit only answers calls after the end: it stands above the count, and is asked again behind it."""
    branch = tree.parents[limit]
    if not isinstance(branch, cst.If) or branch.test is not limit or tree.parents[branch] is not method.body:
        return False
    if not isinstance(_last(branch.body), cst.Return) or not (bound := _bound(tree, limit, counter)):
        return False
    counts = [one for one in tree.inside(cst.AssignTarget, method) if _is_counter(one.target, counter, method)]
    raised = [one for one in tree.inside(cst.AugAssign, method) if _is_counter(one.target, counter, method)]
    first = min(map(tree.span, (*counts, *raised)), default=None)
    if first is None or first < tree.span(limit):
        return False
    again = (one for one in tree.inside(cst.Comparison, method) if tree.span(one) > first)
    return any(_bound(tree, one, counter) == bound for one in again)


def _is_late(tree: Tree, statement: cst.Return, limit: cst.Comparison, counter: str) -> bool:
    """Whether a return answers a call after the end (see `is_guard`)."""
    branch = tree.parents[tree.parents[tree.parents[statement]]]
    method = tree.scope(statement)
    if not isinstance(branch, cst.If) or not isinstance(branch.test, cst.Comparison) or branch.test is limit:
        return False
    return isinstance(method, cst.FunctionDef) and is_guard(tree, branch.test, method, counter)


def _last(body: cst.BaseSuite) -> cst.CSTNode:
    """The last statement of a block."""
    row = body.body[-1]
    return row.body[-1] if isinstance(row, cst.SimpleStatementLine) else row


def _pays_for_state(
    tree: Tree, value: cst.BaseExpression, flags: frozenset[str], counter: str, method: cst.FunctionDef
) -> bool:
    """Whether a part of the reward is there at the limit alone, and depends on what `step` changes.

    What is left of the task is paid for then. A fixed penalty shows no more than that the limit is not wanted.
    """
    own = own_name(method)
    changed = {tree.source(one.target) for one in tree.inside(cst.AssignTarget, method)}
    changed |= {tree.source(one.target) for one in tree.inside(cst.AugAssign, method)}
    changed.discard(f"{own}.{counter}")
    every = list(closure(tree, value))
    chosen = [one for one in every if isinstance(one, cst.IfExp)]
    given = [one.body for one in chosen if any(is_name(node, *flags) for node in tree.descend(one.test))]
    read = [node for one in given for node in tree.descend(one)]
    # `if terminated: reward -= missing`
    names = {one.value for one in every if isinstance(one, cst.Name)}
    added = (one for one in tree.inside(cst.AugAssign, method) if is_name(one.target, *names))
    read += (node for one in added if _is_below(tree, one, flags) for node in closure(tree, one.value))
    attributes = (one for one in read if isinstance(one, cst.Attribute))
    return any(is_name(one.value, own) and tree.source(one) in changed for one in attributes)


def _is_below(tree: Tree, statement: cst.AugAssign, flags: frozenset[str]) -> bool:
    """Whether a statement stands in a branch that one of the flags opens."""
    branches = (one for one in tree.ancestors(statement) if isinstance(one, cst.If))
    return any(tree.within(statement, one.body) and is_name(one.test, *flags) for one in branches)


def is_observed(tree: Tree, limit: cst.Comparison, step: cst.FunctionDef, counter: str) -> bool:
    """Whether a `step` returns an observation that has the part of the limit that has passed, wherever that is asked.

    The limit may stand in another method of its class.
    """
    values = [one.value for one in tree.descend(step, into_functions=False) if isinstance(one, cst.Return)]
    tuples = [one for one in values if isinstance(one, cst.Tuple) and len(one.elements) in (4, 5)]
    seen = [node for one in tuples for part in _parts(tree, one, 0) for node in _reached(tree, part, step)]
    return _has_time(tree, seen, limit, counter, step)


def is_move(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef) -> bool:
    """Whether a count ends the episode at one number only, and there only in a branch that asks for something else.

    `if self.bid == 1: if self.turn == 3: done = True` is a rule of a game: at another bid it goes on.
    """
    if len(limit.comparisons) != 1 or not isinstance(limit.comparisons[0].operator, cst.Equal):
        return False
    around = takewhile(lambda one: one is not method, tree.ancestors(limit))
    branches = (one for one in around if isinstance(one, cst.If) and tree.within(limit, one.body))
    return any(isinstance(node, cst.Comparison) for one in branches for node in tree.descend(one.test))


def is_answer(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef) -> bool:
    """Whether a method returns a limit and nothing else, as it is or as `True if limit else False`."""
    answers = [one.value for one in tree.descend(method, into_functions=False) if isinstance(one, cst.Return)]
    value = answers[0] if len(answers) == 1 else None
    if isinstance(value, cst.IfExp) and is_name(value.body, "True") and is_name(value.orelse, "False"):
        value = value.test
    return value is limit


def is_only_end(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef) -> bool:
    """Whether a method has the flag of a step from its limit alone: `done = False`, `if limit: done = True`."""
    answers = [one.value for one in tree.descend(method, into_functions=False) if isinstance(one, cst.Return)]
    value = answers[0] if len(answers) == 1 else None
    flag = value.elements[2].value if isinstance(value, cst.Tuple) and len(value.elements) in (4, 5) else None
    if not isinstance(flag, cst.Name):
        return False
    statements = [tree.parents[tree.parents[one]] for one in tree.scopes.bindings(method, flag.value)]
    return bool(statements) and all(
        isinstance(one, cst.Assign) and (is_name(one.value, "False") or _is_set_at(tree, one, limit))
        for one in statements
    )


def _is_set_at(tree: Tree, statement: cst.Assign, limit: cst.Comparison) -> bool:
    """`done = limit`, or `done = True` in the branch of the limit."""
    branch = tree.parents[tree.parents[tree.parents[statement]]]
    inside = isinstance(branch, cst.If) and branch.test is limit and tree.within(statement, branch.body)
    return statement.value is limit or (is_name(statement.value, "True") and inside)


def is_paid(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, step: cst.FunctionDef) -> bool:
    """Whether a method answers for the limit alone, and `step` returns its answer and computes the reward from it."""
    if not is_answer(tree, limit, method):
        return False
    asked = [one for one in tree.inside(cst.Assign, step) if method_called(one.value) == method.name.value]
    names = {one.value for call in asked if isinstance(one := only_target(call), cst.Name)}
    ends = [one.value for one in tree.descend(step, into_functions=False) if isinstance(one, cst.Return)]
    tuples = [one for one in ends if isinstance(one, cst.Tuple) and len(one.elements) == 5]
    if not tuples or not all(is_name(one.elements[2].value, *names) for one in tuples):
        return False
    deciding = (part for one in tuples for part in _parts(tree, one, 1))
    return any(is_name(node, *names) for part in deciding for node in tree.descend(part))


def _has_time(
    tree: Tree, observed: Sequence[cst.CSTNode], limit: cst.Comparison, counter: str, method: cst.FunctionDef
) -> bool:
    """Whether an observation says how much time is left: as a part of the limit, on a clock, in a text or a record."""
    owner = next((one for one in tree.ancestors(method) if isinstance(one, cst.ClassDef)), None)
    own = own_name(method)
    # what a wrapper makes of each observation
    rows = owner.body.body if owner is not None else ()
    hooks = (row for row in rows if isinstance(row, cst.FunctionDef) and row.name.value == "observation")
    observed = [*observed, *(node for hook in hooks for node in tree.descend(hook.body))]
    read = {tree.source(one) for one in observed if isinstance(one, cst.Attribute) and is_name(one.value, own)}
    seen = [*observed, *(_kept(tree, owner, read) if owner is not None else ())]
    if any(_is_share(tree, node, limit, counter) or is_said(tree, node, counter) for node in seen):
        return True
    counts = [one for one in seen if isinstance(one, cst.Attribute) and tree.source(one) == f"{own}.{counter}"]
    if is_split(tree, observed, counter) or is_shown(tree, counts):
        return True
    if owner is not None and is_record(tree, owner, read, f"{own}.{counter}"):
        return True
    if owner is not None and is_growing(tree, owner, observed, own, counter):
        return True
    return is_clock(tree, seen, counter, _bound(tree, limit, counter))


def _is_one_step(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, counter: str) -> bool:
    """Whether the limit is one step unless who makes the environment says more: `def __init__(self, length=1)`."""
    own, _, name = _bound(tree, limit, counter).rpartition(".")
    owner = next((one for one in tree.ancestors(method) if isinstance(one, cst.ClassDef)), None)
    rows = owner.body.body if owner is not None and own else ()
    for start in (row for row in rows if isinstance(row, cst.FunctionDef) and row.name.value == "__init__"):
        params = (*start.params.params, *start.params.kwonly_params)
        ones = {one.name.value for one in params if one.default is not None and tree.source(one.default) == "1"}
        kept = {tree.source(target): tree.source(value) for target, value in assigned(tree, start)}
        if name in ones or kept.get(f"{own}.{name}") in ones:
            return True
    return False


def _names(tree: Tree, limit: cst.Comparison) -> frozenset[str]:
    """The variables that are the limit and nothing else: `terminated = truncated = self.steps >= 9`."""
    statement = tree.parents[limit]
    if not isinstance(statement, cst.Assign) or statement.value is not limit:
        return frozenset()
    return frozenset(one.target.value for one in statement.targets if isinstance(one.target, cst.Name))


def _parts(tree: Tree, returned: cst.Tuple, place: int) -> Iterator[cst.BaseExpression]:
    """A value that `step` returns, and where it is a variable or an attribute, what that is assigned in `step`."""
    value = returned.elements[place].value
    yield value
    for statement in assignments(tree, value):
        yield statement.value


def _reached(tree: Tree, start: cst.CSTNode, method: cst.FunctionDef) -> Iterator[cst.CSTNode]:
    """What an expression consists of, with the methods of the class that it calls."""
    owner = next((one for one in tree.ancestors(method) if isinstance(one, cst.ClassDef)), None)
    rows = owner.body.body if owner is not None else ()
    methods = {row.name.value: row for row in rows if isinstance(row, cst.FunctionDef)}
    todo, own, known = [start], own_name(method), set[str]()
    while todo:
        for node in tree.descend(todo.pop()):
            yield node
            if isinstance(node, cst.Name) and tree.scope(node) is method and node.value not in known:
                # what `step` makes an observation of
                known.add(node.value)
                todo += (one.value for one in assignments(tree, node))
            asked = node.attr.value if isinstance(node, cst.Attribute) and is_name(node.value, own) else ""
            if (called := methods.pop(asked, None)) is not None:
                todo.append(called)


def _kept(tree: Tree, owner: cst.ClassDef, read: Container[str]) -> Iterator[cst.CSTNode]:
    """What the class sets those attributes to that an observation has: `self.left = 1 - self.t / self.end`."""
    for target, value in assigned(tree, owner):
        place = target.value if isinstance(target, cst.Subscript) else target
        if tree.source(place) in read:
            yield from tree.descend(value)


def _is_counter(node: cst.CSTNode, counter: str, method: cst.FunctionDef) -> bool:
    return isinstance(node, cst.Attribute) and is_name(node.value, own_name(method)) and node.attr.value == counter


def _bound(tree: Tree, limit: cst.Comparison, counter: str) -> str:
    """What the count is compared with, as text; empty where that is not one of two sides."""
    sides = [tree.source(one) for one in (limit.left, *(target.comparator for target in limit.comparisons))]
    others = [side for side in sides if not _mentions(side, counter)]
    return others[0] if len(sides) == 2 and len(others) == 1 else ""


def _mentions(text: str, counter: str) -> bool:
    return re.search(rf"\.{counter}\b", text) is not None


def _is_share(tree: Tree, node: cst.CSTNode, limit: cst.Comparison, counter: str) -> bool:
    """`self.steps / self.limit`, `self.limit - self.steps`, `row[self.steps] = 1.0`: how much time is left, or was."""
    if isinstance(node, (cst.Assign, cst.Subscript)):
        return _is_one_hot(tree, node, counter)
    if not isinstance(node, cst.BinaryOperation) or not (bound := _bound(tree, limit, counter)):
        return False
    left, right = tree.source(node.left), tree.source(node.right)
    if isinstance(node.operator, cst.Divide):
        ends = (limit.left, *(target.comparator for target in limit.comparisons))
        return _mentions(left, counter) and _whole(tree, node.right) in {_whole(tree, one) for one in ends}
    return isinstance(node.operator, cst.Subtract) and left == bound and _mentions(right, counter)


def _whole(tree: Tree, value: cst.BaseExpression) -> str:
    """`self.limit` of `max(self.limit, 1)`, `float(self.limit)`, `self.limit - 1`: the same time but for one step."""
    while True:
        if isinstance(value, cst.Call) and last_name(value.func) in ("float", "max"):
            parts = [one.value for one in value.args if not isinstance(one.value, cst.BaseNumber)]
        elif isinstance(value, cst.BinaryOperation) and isinstance(value.operator, (cst.Add, cst.Subtract)):
            parts = [value.left] if isinstance(value.right, cst.Integer) else []
        else:
            parts = []
        if len(parts) != 1:
            return tree.source(value)
        value = parts[0]


def _is_one_hot(tree: Tree, node: cst.Assign | cst.Subscript, counter: str) -> bool:
    """Whether the count is the place of the only one in a row."""
    row = node.targets[0].target if isinstance(node, cst.Assign) else node
    index = only_index(row) if isinstance(row, cst.Subscript) else None
    if not isinstance(index, cst.Attribute) or index.attr.value != counter:
        return False
    if isinstance(node, cst.Assign):
        return isinstance(node.value, (cst.Integer, cst.Float)) and node.value.evaluated_value == 1
    return isinstance(node.value, cst.Call) and last_name(node.value.func) in ("eye", "identity")


def _gives_all(
    tree: Tree, limit: cst.Comparison, counter: str, method: cst.FunctionDef, tuples: Sequence[cst.Tuple]
) -> bool:
    """Whether the reward is 0 (or a cost) on every step but the last, where it is no penalty."""
    asking = _Asking(tree, limit, counter)
    for returned in tuples:
        value = returned.elements[1].value
        given = map(_without_costs, [value, *(one.value for one in assignments(tree, value))])
        names = {one.value for one in given if isinstance(one, cst.Name)}
        if any(asking.decides(method, name) for name in sorted(names)):
            return True
    return asking.pays_alone(method, tuples)


def _without_costs(value: cst.BaseExpression) -> cst.BaseExpression:
    """`rewards` of `rewards - costs`."""
    subtracted = isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Subtract)
    return value.left if isinstance(value, cst.BinaryOperation) and subtracted else value


class _Asking:
    """Looks for what stands behind a test of the limit."""

    def __init__(self, tree: Tree, limit: cst.Comparison, counter: str) -> None:
        self._tree = tree
        self._limit = limit
        self._counter = counter
        self._bound = _bound(tree, limit, counter)
        self._flags = _names(tree, limit)

    def decides(self, method: cst.FunctionDef, name: str) -> bool:
        """Whether a variable is 0 unless the limit is reached, and something else there."""
        bindings = self._tree.scopes.bindings(method, name)
        statements = [one for target in bindings[:1] for one in assignments(self._tree, target)]
        at_limit = [one for one in statements if self._is_behind(one, method)]
        before = [one.value for one in statements if one not in at_limit]
        given = [one.value for one in at_limit if not _is_zero(one.value) and not _is_penalty(one.value)]
        return len(statements) == len(bindings) and bool(given) and all(map(_is_zero, before))

    def pays_alone(self, method: cst.FunctionDef, tuples: Sequence[cst.Tuple]) -> bool:
        """Whether 0 is returned as the reward unless the limit is reached, and something else there."""
        at_limit = [one for one in tuples if self._is_behind(one, method)]
        before = [one.elements[1].value for one in tuples if one not in at_limit]
        given = [one.elements[1].value for one in at_limit]
        paid = bool(given) and not any(_is_zero(one) or _is_penalty(one) for one in given)
        return paid and bool(before) and all(map(_is_zero, before))

    def _is_behind(self, statement: cst.CSTNode, method: cst.FunctionDef) -> bool:
        inside = takewhile(lambda one: one is not method, self._tree.ancestors(statement))
        branches = (one for one in inside if isinstance(one, cst.If))
        return any(self._asks(one.test) and self._tree.within(statement, one.body) for one in branches)

    def _asks(self, test: cst.BaseExpression) -> bool:
        """The limit, a variable that is the limit, or the count compared with the same bound: `steps + 1 == limit`."""
        return any(
            node is self._limit
            or (isinstance(node, cst.Name) and node.value in self._flags)
            or (isinstance(node, cst.Comparison) and self._is_same(node))
            for node in self._tree.descend(test)
        )

    def _is_same(self, test: cst.Comparison) -> bool:
        reached = isinstance(test.comparisons[0].operator, (cst.Equal, cst.GreaterThan, cst.GreaterThanEqual))
        return reached and bool(self._bound) and _bound(self._tree, test, self._counter) == self._bound


def _is_zero(value: cst.BaseExpression) -> bool:
    return isinstance(value, (cst.Integer, cst.Float)) and value.evaluated_value == 0


def _is_penalty(value: cst.BaseExpression) -> bool:
    """`-1.0`: running out of time is no part of the task, but costs something."""
    negative = isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus)
    return negative and isinstance(value, cst.UnaryOperation) and isinstance(value.expression, cst.BaseNumber)

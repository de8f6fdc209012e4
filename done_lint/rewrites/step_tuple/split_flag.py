"""One old flag of a function becomes two: what every mention of `done` turns into.

A wrapper's `step` takes `done` from the step inside, perhaps changes it, and returns it. With `terminated` and
`truncated` in its place, what the wrapper adds to the flag (a lost life, a goal) is a termination, except where it
says itself that time is up: old Gym did so in `info["TimeLimit.truncated"]`, and a count of steps that has reached its
limit does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.joined_flag import joined_flag
from done_lint.rewrites.step_tuple.returns import DONE
from done_lint.rewrites.time_limit.info_key import KEY, Read
from done_lint.rewrites.time_limit.limit_branches import runs_at_limit
from done_lint.rewrites.time_limit.own_limits import says_limit
from done_lint.rewrites.tuple_targets import Pair, two_for_one
from done_lint.syntax.edits import exchanged
from done_lint.syntax.expressions import fitting
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Scope, Tree

Change = tuple[cst.CSTNode, cst.CSTNode]

_COUNTED = "whether `{}` is a limit of steps or an end of the task does not show"
_CASTS = frozenset({"bool", "int", "float"})
_COMMUTES = (cst.BooleanOperation, cst.BinaryOperation)
#: Where the joined flag needs no parentheses.
_BARE_IN = (cst.Assign, cst.AnnAssign, cst.Arg, cst.If, cst.While, cst.Return, cst.Element)


class FlagSplit:
    """The flag `done` of one scope, bound by unpackings of steps and perhaps changed afterwards."""

    def __init__(
        self,
        context: Context,
        scope: Scope,
        done: cst.BaseExpression,
        names: tuple[str, str],
        array: bool,
        reads: Sequence[Read],
    ) -> None:
        """`names` are the two flags that the unpackings bind from now on; `array` joins them by `|`.

        `reads` are those of the key of the time limit.
        """
        self._reads = reads
        self._context = context
        #: Why nobody can be sure which of the two flags something belongs to, in one clause.
        self.doubt = ""
        self.tree = tree = context.tree
        self.scope = scope
        #: Tuples that are results themselves: their fix gives them two flags for the old one.
        self._returned = {old.node for old in context.old_returns}
        self.text = tree.source(done)
        self.terminated, self.truncated = cst.Name(names[0]), cst.Name(names[1])
        self.array = array
        #: Why it cannot be done, in one clause.
        self.obstacle = ""
        #: Statements that bind the flag besides the unpackings, and what they become.
        self.changes: list[Change] = []
        if isinstance(done, cst.Name):
            self._bindings(done.value)
        elif self._assigned_elsewhere():
            self.obstacle = self._changed

    @property
    def vanishes(self) -> bool:
        """The old name goes altogether: where it is changed, a joined copy of it would fall behind."""
        return bool(self.changes) or self.text in (self.terminated.value, self.truncated.value)

    def pair(self, flag: cst.BaseExpression) -> Pair | None:
        """What a returned expression of the old flag says about termination, and what about truncation."""
        if self.tree.source(flag) == self.text:
            return self.terminated, self.truncated
        mentions = list(self.mentions(flag))
        if not mentions:
            return None
        if isinstance(flag, _COMMUTES) and isinstance(flag.operator, (cst.Or, cst.BitOr)):
            sides = [side for side in (flag.left, flag.right) if any(self.mentions(side))]
            inner = self.pair(sides[0]) if len(sides) == 1 else None
            if inner is None:
                return None
            added = flag.right if sides[0] is flag.left else flag.left
            if self._is_limit(added):
                return inner[0], exchanged(flag, {sides[0]: inner[1]})
            return exchanged(flag, {sides[0]: inner[0]}), inner[1]
        if isinstance(flag, cst.Call):
            if not isinstance(flag.func, cst.Name) or flag.func.value not in _CASTS:
                return None
        elif not isinstance(flag, (cst.IfExp, cst.Subscript)):
            return None
        one, other = (exchanged(flag, dict.fromkeys(mentions, name)) for name in (self.terminated, self.truncated))
        return one, other

    def mentions(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        """Expressions in `node` that are the old flag."""
        for one in self.tree.descend(node):
            if isinstance(one, (cst.Name, cst.Attribute)) and self.tree.source(one) == self.text:
                parent = self.tree.parents[one]
                named = isinstance(parent, cst.Attribute) and parent.attr is one
                if not named and not (isinstance(parent, cst.Arg) and parent.keyword is one):
                    yield one

    def joined(self, read: cst.BaseExpression) -> cst.BaseExpression:
        """The union of the two, for a reader of the old flag."""
        value = joined_flag(self.terminated, self.truncated, array=self.array)
        parent = self.tree.parents[read]
        if isinstance(parent, cst.BooleanOperation) and isinstance(parent.operator, cst.Or) and not self.array:
            return value
        return fitting(self.tree, read, value, bare_in=_BARE_IN)

    # --- bindings besides the unpackings -------------------------------------------------------------

    def _bindings(self, name: str) -> None:
        for binding in self.tree.scopes.bindings(self.scope, name):
            target = self.tree.parents[binding]
            statement = self.tree.parents[target]
            if isinstance(target, cst.AssignTarget) and isinstance(statement, cst.Assign):
                self._assignment(statement, target)
            elif (parts := self._unpacked(target)) is None:
                self.obstacle = f"`{name}` is also assigned in another way"
            elif isinstance(parts.value, cst.Tuple):
                self._part(parts, parts.value, target)
        for read in self.tree.scopes.reads(self.scope, name):
            statement = self.tree.parents[read]
            if isinstance(statement, cst.AugAssign) and statement.target is read:
                if isinstance(statement.operator, cst.BitOrAssign):
                    limit = self._is_limit(statement.value)
                    self.changes.append((read, self.truncated if limit else self.terminated))
                else:
                    self.obstacle = self._changed

    def _assignment(self, statement: cst.Assign, target: cst.AssignTarget) -> None:
        """`done = None` before the step, `done = True` and `done = done or ...` after it."""
        flags = self._flags(statement.value, statement)
        if flags is None:
            self.obstacle = self._changed
        elif len(flags) == 2:
            place = statement.targets.index(target)
            both = [target.with_changes(target=flag) for flag in flags]
            targets = [*statement.targets[:place], *both, *statement.targets[place + 1 :]]
            alone = len(targets) == 2
            value = self._settled(statement.value) if alone else statement.value
            self.changes.append((statement, cst.Assign(targets, value)))
        else:
            new = exchanged(statement, {target.target: flags[0], **self._in_place(statement.value, flags[0])})
            self.changes.append((statement, new))

    def _part(self, statement: cst.Assign, value: cst.Tuple, element: cst.CSTNode) -> None:
        """`done, reward = True, -1.0`: the value in the same place."""
        target = self.tree.parents[element]
        if not isinstance(target, cst.Tuple) or not _pairs(target, value) or len(statement.targets) > 1:
            self.obstacle = self._changed
            return
        place = next(index for index, one in enumerate(target.elements) if one is element)
        given = value.elements[place].value
        flags = self._flags(given, statement)
        pair = self._pair_for(given, flags, whole=place == DONE and len(target.elements) == 4)
        if value in self._returned or pair is not None:
            both = two_for_one(target.elements, place, (self.terminated, self.truncated))
            self.changes.append((target, target.with_changes(elements=both)))
            if pair is not None and value not in self._returned:
                self.changes.append((value, value.with_changes(elements=two_for_one(value.elements, place, pair))))
        elif flags is None:
            self.obstacle = self._changed
        else:
            self.changes.append((target.elements[place].value, flags[0]))
            self.changes += self._in_place(given, flags[0]).items()

    def _pair_for(self, given: cst.BaseExpression, flags: Sequence[cst.Name] | None, *, whole: bool) -> Pair | None:
        """Two values for a constant that is assigned with others; `whole`: with all that a step returns."""
        off = cst.Name("False")
        if flags is not None and len(flags) == 2:
            return off, off
        if not whole or not is_name(given, "True"):
            return None
        return (given, off) if flags == (self.terminated,) else (off, given)

    def _flags(self, value: cst.BaseExpression, statement: cst.Assign) -> tuple[cst.Name, ...] | None:
        """Which flags are assigned a value instead of the old one; None: that cannot be said."""
        if is_name(value, "None", "False"):
            return self.terminated, self.truncated
        if is_name(value, "True"):
            at_limit = bool(_declared(self.tree, statement)) or runs_at_limit(self.tree, statement, self._reads)
            at_limit = at_limit if at_limit is not False else self.runs_at_own_limit(statement)
            return None if at_limit is None else (self.truncated if at_limit else self.terminated,)
        added = self._added(value)
        declared = _declared(self.tree, statement) if added else []
        said = self.tree.source(added) if added is not None else ""
        if declared and not any(self.tree.source(part) == said for one in declared for part in self.tree.descend(one)):
            return None  # the info says of some ends that they are truncations, and perhaps of this one
        if added is None:
            return None
        return (self.truncated if declared or self._is_limit(added) else self.terminated,)

    def _settled(self, value: cst.BaseExpression) -> cst.BaseExpression:
        """What both flags are before any step."""
        return cst.Name("False") if is_name(value, "None") else value

    def _in_place(self, value: cst.BaseExpression, flag: cst.Name) -> dict[cst.CSTNode, cst.CSTNode]:
        return dict.fromkeys(self.mentions(value), flag)

    @property
    def _changed(self) -> str:
        return f"`{self.text}` is changed between the step and the return"

    def _added(self, value: cst.BaseExpression) -> cst.BaseExpression | None:
        """What else ends the episode in `done or lives == 0`, where what was over stays over; else nothing."""
        if not isinstance(value, _COMMUTES) or not isinstance(value.operator, (cst.Or, cst.BitOr)):
            return None
        sides = [self.tree.source(side) for side in (value.left, value.right)]
        if sides.count(self.text) != 1 or sum(1 for _ in self.mentions(value)) != 1:
            return None
        return value.right if sides[0] == self.text else value.left

    def _is_limit(self, added: cst.BaseExpression) -> bool:
        """Whether what ends the episode is a limit of steps."""
        limit = says_limit(self._context, added)
        if limit is None:
            self.doubt = self.doubt or _COUNTED.format(self.tree.source(added))
        return limit is True

    def runs_at_own_limit(self, statement: cst.CSTNode) -> bool:
        """Whether the branch around a statement is there for a limit of steps."""
        around = takewhile(lambda one: one is not self.scope, self.tree.ancestors(statement))
        branch = next((one for one in around if isinstance(one, cst.If)), None)
        return branch is not None and self.tree.within(statement, branch.body) and self._is_limit(branch.test)

    def _unpacked(self, element: cst.CSTNode) -> cst.Assign | None:
        """The assignment that takes several values apart, one of them for this element of its target."""
        target = self.tree.parents.get(self.tree.parents[element]) if isinstance(element, cst.Element) else None
        statement = self.tree.parents.get(target) if isinstance(target, cst.AssignTarget) else None
        return statement if isinstance(statement, cst.Assign) else None

    def _assigned_elsewhere(self) -> bool:
        """An attribute that is assigned in this scope, other than by the unpackings."""
        return any(
            isinstance(self.tree.parents[one], (cst.AssignTarget, cst.AugAssign)) for one in self.mentions(self.scope)
        )


def _pairs(target: cst.Tuple, value: cst.Tuple) -> bool:
    """Whether each target gets the value in its place."""
    starred = any(isinstance(one, cst.StarredElement) for one in (*target.elements, *value.elements))
    return len(target.elements) == len(value.elements) and not starred


def _declared(tree: Tree, statement: cst.Assign) -> list[cst.BaseExpression]:
    """What the block that ends the episode writes under the key of old Gym's time limit."""
    line = tree.parents[statement]
    rows = tree.siblings(line) if isinstance(line, cst.SimpleStatementLine) else ()
    return [
        one.value
        for row in rows
        if isinstance(row, cst.SimpleStatementLine)
        for one in row.body
        if isinstance(one, cst.Assign)
        for target in (each.target for each in one.targets)
        if isinstance(target, cst.Subscript) and _is_time_limit(target)
    ]


def _is_time_limit(target: cst.Subscript) -> bool:
    index = target.slice[0].slice
    key = index.value if isinstance(index, cst.Index) else None
    return isinstance(key, cst.SimpleString) and key.evaluated_value == KEY

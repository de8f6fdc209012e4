"""An episode loop ends on `terminated` only, and `truncated` is never read.

## What it does
Reports a step whose fourth value is dropped, where the loop around it can end on the third alone: `while not
terminated`, or `while True` with `if terminated: break`. Or where the method around it is the `step` of a wrapper of
the project, which hands on the third value as it is and returns `False` as the fourth: what is around it never sees the
limit. Not where nothing can truncate the episode: the id has no time limit (by a table, or as the project registers
it), and the environment never truncates by itself; a class of the project that is made without `make` has to return a
limit of its own as truncation alone; nor for an id of a package that is in no table, nor where only a name says that
something is an environment; nor for a wrapper that does nothing else, or ends episodes by itself. A loop over episodes
is reported where it has no end of its own (`while True`) or takes more steps than any limit of the library's own ids,
and resets on the flag alone.

## Why it matters
The time limit sets `truncated`, not `terminated`. On an environment that never terminates (Pendulum, most
MuJoCo tasks) such a loop never ends; on others it continues to step after the episode is over.

## Example
```python
import gymnasium as gym

env = gym.make("Pendulum-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, done, _, info = env.step(env.action_space.sample())
```

## Use instead
```python
import gymnasium as gym

env = gym.make("Pendulum-v1")
obs, info = env.reset()
done = False
truncated = False
while not (done or truncated):
    obs, reward, done, truncated, info = env.step(env.action_space.sample())
```

## Fix safety
Safe in a loop: only the loop's own tests change. The flag itself stays `terminated`, which is right for a value
target. Where the next episode's only reset stands in a branch on the flag, that branch is taken on either flag too, and
so is one at the end of the loop's body that closes the episode.
A branch on it that uses the reward stays as it is, where the loop ends by its own test; else there is no fix. Nor is
there one where a recursion over several episodes tells them apart by the flag: it has to be `done` there first.
Unsafe where the flag is read again behind the loop, where it was always true, or in a branch at the end of its body
that may mean either; and in a wrapper: what steps it sees an end that it did not see before.
Not reported where a counter or another condition can end the loop too, but for a `for` over more steps than the limits
of the library's own ids; nor where each round of the loop resets the environment and counts its steps in a `for`: it
tries again until the task is solved.

## References
- [Gymnasium: Handling time limits](https://gymnasium.farama.org/tutorials/gymnasium_basics/handling_time_limits/)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias

import libcst as cst

from done_lint.facts.kinds.environments import Env, Made
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.made_layers import LONGEST_LIMIT, is_limited_by_library
from done_lint.rewrites.joined_flag import joined_flag
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple import lost_truncation
from done_lint.rewrites.step_tuple.flag_names import step_name
from done_lint.rewrites.step_tuple.unpacking import Unpacking, is_read
from done_lint.rewrites.vectors import closing_branches
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits, added_before, replaced
from done_lint.syntax.expressions import fitting
from done_lint.syntax.shapes import is_name

_LEARNS = "the branch that it chooses uses the reward: a value target there bootstraps at truncations"
_RESETS_ELSEWHERE = "the reset for the next episode depends on another condition than the end of the loop"
_NEVER_RESETS = "nothing resets the environment for the next episode, whose first step would end it again"
_SEPARATED = "a recursion tells episodes apart by `{}`, and would run on over a truncation into the next one"


_Loop: TypeAlias = cst.For | cst.While


class TruncationIgnored(Rule):
    """GYM107."""

    code = "GYM107"
    incompatibility = ""

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every unpacking of five values."""
        for unpacking in self.context.unpackings:
            if self._drops_truncated(unpacking):
                self._loop(unpacking)
                self._next_episode(unpacking)
                self._wrapper(unpacking)

    def _drops_truncated(self, unpacking: Unpacking) -> bool:
        env = unpacking.step.env
        targets = unpacking.targets
        if unpacking.starred or unpacking.part is not None or len(targets) != 5 or unpacking.step.guarded:
            return False
        if not env.api.five or env.api.vector or env.doubtful or unpacking.step.per_agent:
            return False
        if env.unlimited and not unpacking.step.truncates:
            return False
        if env.certainty == "by name":
            return False  # nothing says whether it has a limit
        if not isinstance(targets[3], cst.Name) or is_read(self.tree, unpacking.scope, targets[3]):
            return False
        if naming_conventions.right_order([self.source(one) for one in targets]) is not None:
            return False  # GYM109 puts the names in order first
        return is_read(self.tree, unpacking.scope, targets[2])

    def _loop(self, unpacking: Unpacking) -> None:
        for loop in self._lasting_loops(unpacking):
            tests = self._ends(loop, unpacking)
            if tests and not self._tries_again(loop, unpacking):
                self._report_loop(unpacking, loop, tests)
                return

    def _report_loop(self, unpacking: Unpacking, loop: _Loop, tests: Sequence[cst.BaseExpression]) -> None:
        flag = self.source(unpacking.targets[2])
        self.report(
            unpacking.statement,
            f"the loop ends on `{flag}` alone: it runs past the time limit that "
            f"`{self.source(unpacking.value)}` reports",
            help="end the episode on `terminated or truncated`",
            outcome=self._outcome(unpacking, loop, [*tests, *self._inner_breaks(loop, unpacking)]),
            related=self.elsewhere(unpacking.statement, unpacking.step.origin),
            env=unpacking.step.env,
        )

    def _next_episode(self, unpacking: Unpacking) -> None:
        """A loop beyond any time limit, which begins the next episode at the end of the task alone."""
        around = list(self._loops_around(unpacking.statement))
        lasting = any(map(self._is_endless, around)) or self._is_longer(around[:1], unpacking.step.env)
        tests = self._resetting(unpacking, around) if lasting else []
        if tests:
            self.report(
                unpacking.statement,
                f"the next episode begins on `{self.source(tests[0])}` alone: this one runs past the time limit that "
                f"`{self.source(unpacking.value)}` reports",
                help="reset on `terminated or truncated`",
                outcome=self._reset_on_either(unpacking, around, tests),
                related=self.elsewhere(unpacking.statement, unpacking.step.origin),
                env=unpacking.step.env,
            )

    def _is_endless(self, loop: _Loop) -> bool:
        """Whether the loop goes on for ever; one that ends may be shorter than the time limit."""
        return isinstance(loop, cst.While) and _always(loop.test) and not any(self._exits(loop))

    def _is_longer(self, innermost: Sequence[_Loop], env: Env) -> bool:
        """Whether a `for` takes more steps than any time limit, and nothing ends it before."""
        return any(
            isinstance(loop, cst.For) and self._outlasts(loop, env) and not any(self._exits(loop)) for loop in innermost
        )

    def _resetting(self, unpacking: Unpacking, around: Sequence[_Loop]) -> list[cst.BaseExpression]:
        """The tests of the flag that stand around every reset in these loops; none where another one decides."""
        found: list[cst.BaseExpression] = []
        rows = self.span(around[-1])
        for span in self.facts.resets:
            if not rows.row <= span.row <= rows.end_row:
                continue
            call = self.tree.expressions.get(span)
            if call is None or not self.tree.within(call, around[0]):
                return []
            tests = [one for one in self._guards(call, around[0]) if self._is_end(one, unpacking, around[0])]
            if not tests:
                return []
            found.append(tests[0])
        return list(dict.fromkeys(found))

    def _reset_on_either(
        self, unpacking: Unpacking, around: Sequence[_Loop], tests: Sequence[cst.BaseExpression]
    ) -> Outcome:
        if any(self._learns(test, unpacking) for test in tests):
            return unfixed(_LEARNS)
        flag = self.source(unpacking.targets[2])
        if self.span(unpacking.value) in self.facts.separated:
            return unfixed(_SEPARATED.format(flag))
        others = (
            one.test for one in self.tree.descend(around[-1]) if isinstance(one, cst.If) and one.test not in tests
        )
        asked = any(self.source(part) == flag for test in others for part in self.tree.descend(test))
        return fixed("reset on either flag", *self._joined(unpacking, around[-1], tests), safe=not asked)

    def _wrapper(self, unpacking: Unpacking) -> None:
        """The `step` of a class that steps what is inside of it."""
        lost = lost_truncation.ends(self.context, unpacking)
        if lost:
            self.report(
                lost[0],
                f"`step` returns `False` where the `truncated` of `{self.source(unpacking.value)}` belongs: nothing "
                "around it sees the time limit",
                help="return the `truncated` of the environment inside",
                outcome=lost_truncation.handed_on(self.context, unpacking, lost),
                related=self.elsewhere(unpacking.statement, unpacking.step.origin),
                env=unpacking.step.env,
            )

    def _lasting_loops(self, unpacking: Unpacking) -> Iterator[_Loop]:
        """The innermost `while` of the same function, and the innermost loop, if it lasts beyond the time limit."""
        around = list(self._loops_around(unpacking.statement))
        yield from [one for one in around if isinstance(one, cst.While)][:1]
        yield from (one for one in around[:1] if isinstance(one, cst.For) and self._outlasts(one, unpacking.step.env))

    def _outlasts(self, loop: cst.For, env: Env) -> bool:
        """`for t in count()`, and `for t in range(10000)` where the limits of all environments are known to be less."""
        call = loop.iter
        if not isinstance(call, cst.Call) or loop.orelse is not None or any(keyword(one) for one in call.args):
            return False
        if last_name(call.func) == "count":
            return True
        end = call.args[-1].value if last_name(call.func) == "range" and len(call.args) in (1, 2) else None
        if not isinstance(end, cst.Integer) or end.evaluated_value <= LONGEST_LIMIT:
            return False
        return bool(env.made) and all(map(_has_limit_of_library, env.made))

    def _loops_around(self, node: cst.CSTNode) -> Iterator[_Loop]:
        """The loops of the same function, the innermost first."""
        for ancestor in self.tree.ancestors(node):
            if isinstance(ancestor, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
                return
            if isinstance(ancestor, (cst.For, cst.While)):
                yield ancestor

    def _tries_again(self, loop: _Loop, unpacking: Unpacking) -> bool:
        """Whether each round is an episode of its own, whose steps a `for` inside the loop counts."""
        inner = next(a for a in self.tree.ancestors(unpacking.statement) if isinstance(a, (cst.For, cst.While)))
        if inner is loop:
            return False
        rows = self.tree.span(loop), self.tree.span(inner)
        resets = [span for span in self.facts.resets if rows[0].row <= span.row <= rows[0].end_row]
        return any(not rows[1].row <= span.row <= rows[1].end_row for span in resets)

    def _ends(self, loop: _Loop, unpacking: Unpacking) -> list[cst.BaseExpression]:
        """The flags that the loop ends on; none where it can end on anything else."""
        flags: list[cst.BaseExpression] = []
        if isinstance(loop, cst.While) and not _always(loop.test):
            flag = self._running(loop.test, unpacking, loop)
            if flag is None:
                return []
            flags.append(flag)
        for leaving in self._exits(loop):
            guards = [test for test in self._guards(leaving, loop) if self._is_end(test, unpacking, loop)]
            if not guards:
                return []
            flags.append(guards[0])
        return flags

    def _running(self, test: cst.BaseExpression, unpacking: Unpacking, loop: _Loop) -> cst.BaseExpression | None:
        """The flag in `not flag`, `flag is False` and `flag == False`."""
        flag: cst.BaseExpression | None = None
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            flag = test.expression
        elif isinstance(test, cst.Comparison) and _says_no(test):
            flag = test.left
        return flag if flag is not None and self._is_end(flag, unpacking, loop) else None

    def _exits(self, loop: _Loop) -> Iterator[cst.CSTNode]:
        """Every `break` of this loop, and every `return` inside it."""
        for node in self.tree.descend(loop, into_functions=False):
            if isinstance(node, (cst.Return, cst.Raise)):
                yield node
            elif isinstance(node, cst.Break):
                inner = next(one for one in self.tree.ancestors(node) if isinstance(one, (cst.For, cst.While)))
                if inner is loop:
                    yield node

    def _inner_breaks(self, loop: _Loop, unpacking: Unpacking) -> list[cst.BaseExpression]:
        """Flags on which a `for` between the loop and the step ends: it must stop stepping as well."""
        found: list[cst.BaseExpression] = []
        for node in self.tree.descend(loop, into_functions=False):
            if not isinstance(node, cst.Break):
                continue
            inner = next(one for one in self.tree.ancestors(node) if isinstance(one, (cst.For, cst.While)))
            if inner is not loop and self.tree.within(unpacking.statement, inner):
                found += [test for test in self._guards(node, loop) if self._is_end(test, unpacking, loop)][:1]
        return found

    def _guards(self, node: cst.CSTNode, loop: _Loop) -> Iterator[cst.BaseExpression]:
        """The tests that must hold on the path to the node, inside the loop."""
        below = node
        for ancestor in self.tree.ancestors(node):
            if ancestor is loop:
                return
            if isinstance(ancestor, cst.If) and ancestor.body is below:
                yield ancestor.test
            below = ancestor

    def _is_end(self, node: cst.BaseExpression, unpacking: Unpacking, loop: _Loop) -> bool:
        """Whether the expression is this step's *terminated*, and nothing else ever is bound to it."""
        if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
            # the flag is all that is known of `done or self.steps > limit`, but it is not all that ends the loop
            return all(self._is_end(side, unpacking, loop) for side in (node.left, node.right))
        target = unpacking.targets[2]
        fact = self.facts.flags.get(self.span(node))
        if fact is not None and not (fact.terminated_only and not any(meaning.keep for meaning in fact.meanings)):
            return False
        same = self.tree.source(node) == self.tree.source(target)
        if not same and fact is None:
            return False
        if not isinstance(node, cst.Name):
            return True
        slots = {one.targets[2] for one in self.context.unpackings if len(one.targets) == 5}
        for binding in self.tree.scopes.bindings(unpacking.scope, node.value):
            if self.tree.within(binding, loop) and binding not in slots and not self._plain_copy(binding):
                return False
        return True

    def _plain_copy(self, binding: cst.Name) -> bool:
        """`done = False`, or `done = terminated` of another name."""
        assign = self.tree.parents.get(self.tree.parents[binding])
        if not isinstance(assign, cst.Assign):
            return False
        if is_name(assign.value, "False"):
            return True
        fact = self.facts.flags.get(self.span(assign.value))
        return fact is not None and fact.terminated_only

    def _outcome(self, unpacking: Unpacking, loop: _Loop, flags: Sequence[cst.BaseExpression]) -> Outcome:
        learning = [flag for flag in flags if self._learns(flag, unpacking)]
        if any(not self._ends_without(flag, loop) for flag in learning):
            return unfixed(_LEARNS)
        if self.span(unpacking.value) in self.facts.separated:
            return unfixed(_SEPARATED.format(self.source(unpacking.targets[2])))
        if self._never_resets(unpacking, loop):
            return unfixed(_NEVER_RESETS)
        resetting = self._next_resets(unpacking, loop)
        if resetting is None:
            return unfixed(_RESETS_ELSEWHERE)
        if any(self._learns(test, unpacking) for test in resetting):
            return unfixed(_LEARNS)
        closing, doubtful = self._closing(unpacking, loop, [*flags, *resetting])
        flags = [flag for flag in flags if flag not in learning]
        safe = not doubtful and not any(self._is_asked_behind(flag, unpacking, loop) for flag in flags)
        flags += [test for test in (*resetting, *closing) if test not in flags]
        return fixed("end the loop on either flag", *self._joined(unpacking, loop, flags), safe=safe)

    def _closing(
        self, unpacking: Unpacking, loop: _Loop, known: Sequence[cst.BaseExpression]
    ) -> tuple[list[cst.BaseExpression], bool]:
        """The tests of the branches that close the episode, beside those known; whether some other may be one too."""
        branches = closing_branches.behind(
            self.tree, loop, unpacking.statement, lambda test: self._is_end(test, unpacking, loop)
        )
        others = [one for one in branches if one.test not in known and not self._learns(one.test, unpacking)]
        of_step = [self.source(one) for one in unpacking.targets[:2]]
        tests = [one.test for one in others if closing_branches.is_closing(self.tree, one, of_step)]
        return tests, len(tests) < len(others)

    def _never_resets(self, unpacking: Unpacking, loop: _Loop) -> bool:
        """Whether every reset in sight stands before the loop over the episodes: each begins where the last one ended.

        Behind its limit an environment truncates every step, so that all further episodes would have one step.
        """
        around = list(self._loops_around(loop))[-1:]
        resets = list(self._resets_of(unpacking))
        return bool(around and resets) and not any(self.tree.within(call, around[0]) for call in resets)

    def _next_resets(self, unpacking: Unpacking, loop: _Loop) -> list[cst.BaseExpression] | None:
        """The tests of the flag inside the loop that the next round's reset hangs on; None where it is another test.

        None are needed where each round begins with a reset of its own, or where no reset is in sight.
        """
        outer = next(self._loops_around(loop), None)
        found: list[cst.BaseExpression] = []
        hangs_on_another = False
        for call in self._resets_of(unpacking):
            if self.tree.within(call, loop):
                tests = [one for one in self._guards(call, loop) if self._is_end(one, unpacking, loop)]
                found += tests[:1]
                hangs_on_another |= not tests
            elif outer is None or self.tree.within(call, outer):
                if not self._is_conditional(call, loop):
                    return []
                hangs_on_another = True
        return None if hangs_on_another else list(dict.fromkeys(found))

    def _resets_of(self, unpacking: Unpacking) -> Iterator[cst.BaseExpression]:
        """The calls of `reset` on what is stepped, in the same function."""
        step = unpacking.value
        if not isinstance(step, cst.Call) or not isinstance(step.func, cst.Attribute):
            return
        env = self.source(step.func.value)
        for span in self.facts.resets:
            call = self.tree.expressions.get(span)
            if not isinstance(call, cst.Call) or self.tree.scope(call) is not unpacking.scope:
                continue
            if isinstance(call.func, cst.Attribute) and self.source(call.func.value) == env:
                yield call

    def _is_conditional(self, node: cst.CSTNode, loop: _Loop) -> bool:
        """Whether the loop may be reached without this: it stands in a branch that has no other one, and not the loop.

        `if __name__ == "__main__":` is around both.
        """
        apart = takewhile(lambda one: not self.tree.within(loop, one), self.tree.ancestors(node))
        return any(isinstance(one, cst.If) and one.orelse is None for one in apart)

    def _joined(self, unpacking: Unpacking, loop: _Loop, flags: Sequence[cst.BaseExpression]) -> Iterator[Edits]:
        """Both flags in the place of each of these, which are asked in a loop."""
        slot = unpacking.targets[3]
        name = slot.value if isinstance(slot, cst.Name) else "_"
        if name.startswith("_"):
            name = step_name(self.context, unpacking.scope, "truncated")
            yield replaced(self.tree, slot, cst.Name(name))
        for flag in flags:
            either = joined_flag(
                flag.with_changes(lpar=(), rpar=()), cst.Name(name), array=unpacking.step.array is True
            )
            above = self.tree.parents[flag]
            if isinstance(above, cst.Comparison) and _says_no(above):
                # what the other flag holds may be no `False` of Python's own
                running = cst.UnaryOperation(cst.Not(), fitting(self.tree, flag, either, bare_in=()))
                yield replaced(self.tree, above, fitting(self.tree, above, running, bare_in=(cst.If, cst.While)))
                continue
            yield replaced(self.tree, flag, fitting(self.tree, flag, either, bare_in=(cst.If, cst.While)))
        if any(self.span(flag) < self.span(unpacking.statement) for flag in flags):
            start = cst.Assign([cst.AssignTarget(cst.Name(name))], cst.Name("False"))
            yield added_before(self.tree, loop, start)

    def _is_asked_behind(self, flag: cst.BaseExpression, unpacking: Unpacking, loop: _Loop) -> bool:
        """Whether a flag is read behind the loop, where it was always true: it no longer is once both end the loop."""
        if not isinstance(flag, cst.Name):
            return False
        scopes, last = self.tree.scopes, self.span(loop).end_row
        behind = [one for one in scopes.mentions(unpacking.scope, flag.value) if self.span(one).row > last]
        first = min(behind, key=self.span, default=None)
        return first is not None and first not in scopes.bindings(unpacking.scope, flag.value)

    def _learns(self, flag: cst.BaseExpression, unpacking: Unpacking) -> bool:
        """Whether the branch on a flag uses the reward: the last value of an episode is the reward alone."""
        branch = self.tree.parents[flag]
        reward = self.source(unpacking.targets[1])
        if not isinstance(branch, cst.If) or not isinstance(unpacking.targets[1], cst.Name):
            return False
        return any(is_name(node, reward) for node in self.tree.descend(branch.body, into_functions=False))

    def _ends_without(self, flag: cst.BaseExpression, loop: _Loop) -> bool:
        """Whether the loop ends by its own test where the branch on a flag is not taken, as by a `break` there."""
        branch = self.tree.parents[flag]
        leaving = [one for one in self._exits(loop) if self.tree.within(one, branch)]
        ends = isinstance(loop, cst.While) and not _always(loop.test)
        return ends and all(isinstance(one, cst.Break) for one in leaving)


def _has_limit_of_library(made: Made) -> bool:
    """Whether every environment that a call makes has the time limit that the library registers it with."""
    asked = made.hidden or "max_episode_steps" in made.keywords
    return not asked and bool(made.ids) and all(map(is_limited_by_library, made.ids))


def _says_no(test: cst.Comparison) -> bool:
    """`flag == False`, `flag is False`, and the same by `True`."""
    if len(test.comparisons) != 1:
        return False
    asked = test.comparisons[0]
    same = isinstance(asked.operator, (cst.Equal, cst.Is))
    other = isinstance(asked.operator, (cst.NotEqual, cst.IsNot))
    return (same and is_name(asked.comparator, "False")) or (other and is_name(asked.comparator, "True"))


def _always(test: cst.BaseExpression) -> bool:
    """`while True` and `while 1`."""
    return isinstance(test, (cst.Name, cst.Integer)) and test.value in ("True", "1")

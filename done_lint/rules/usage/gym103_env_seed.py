"""`env.seed(s)` does not exist any more.

## What it does
Reports calls of `seed` on environments that speak the Gymnasium API. `env.action_space.seed(s)` is another
method and not reported, nor is `env.unwrapped.seed(s)` in a file that imports Gymnasium: it is a method of the
environment's own class. A `seed` that a class of the project defines is the project's own: it is not
reported where such an environment arrives, nor where nothing shows what arrives and the program has such a class; up to
Gymnasium 0.29, whose wrappers forward any method, nor behind wrappers. A test around the call counts where it asks for
`seed`, for what only some environments have, or for something of the library.

## Why it matters
Since Gym 0.26 an environment is seeded by `reset(seed=s)`; `env.seed(s)` raises `AttributeError`.

A seed belongs to the first reset only: in a loop over episodes `reset(seed=s)` would make all episodes
start alike.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
env.seed(0)
obs, info = env.reset()
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset(seed=0)
```

## Fix safety
Safe. The seed goes into the next reset of the same environment in the same block. Where that reset stands
in a loop, `env.reset(seed=s)` takes the place of the call. Where the first reset stands in another function, a second
one would begin another episode: one of Gymnasium's own environments gets a seeded generator instead
(`env.np_random = np.random.default_rng(s)`, from which that first reset draws), and so does one behind `RecordVideo`,
which numbers the episodes; several of them in a vector environment
that is seeded with a number get theirs by `set_attr`, and any other environment gets a reset. The `seed` of a
class of the project that does more than to seed `np_random` is still called, as `env.unwrapped.seed(s)`, until its
`reset` takes a seed; where no id in sight shows whether such an environment is seeded, there is no fix. A test
`hasattr(env, "seed")` around the call alone goes with it. Where the call's value is used, and inside a method `seed` of
an environment or of a class with bases, only such a generator can be seeded. There is no fix where an environment of
the old API may be used as well, and none where a reset would end an episode that goes on, or a wrapper of the project
may refuse it.

## References
- [Gymnasium: Env.reset](https://gymnasium.farama.org/api/env/#gymnasium.Env.reset)
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.core.findings import Edit, Span
from done_lint.facts.kinds.environments import Env, Seeding
from done_lint.knowledge.env_apis import BARE, GYMNASIUM
from done_lint.knowledge.gymnasium_changes import ONE
from done_lint.knowledge.rendering import COUNTING_EPISODES
from done_lint.rewrites.before_reset import before_reset
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.env_methods import class_of, environment_class, is_own
from done_lint.rewrites.env_methods import receiver as receiver_of
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.seeds.seed_generators import hands_on_only, seeded_generator, seeds_of_generator
from done_lint.rewrites.seeds.seed_guards import seed_guard
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword, keyword_argument
from done_lint.syntax.edits import Edits, removed, replaced
from done_lint.syntax.shapes import is_name, method_called
from done_lint.syntax.tree import Scope

#: What may stand around a call, in case there is no such method.
_BLOCKS = (cst.If, cst.Try)
#: Behind all code.
_END = Span(sys.maxsize, 0, sys.maxsize, 0)
_MIXED = "another environment that is used here may still have the method"
_UNSEEDED = "it may be an environment of the project whose `reset` takes no seed"
_HIDDEN = "it may be an environment of the project, whose own `seed` does more than a reset with a seed"

_BEHIND = "the object hands it on to an environment inside of it, whose reset cannot be seen from here"


def _is_recorded(env: Env) -> bool:
    """Whether a wrapper of the library counts and films the episodes, which a reset more would shift."""
    return not COUNTING_EPISODES.isdisjoint(env.layers)


def _is_unwrapped(env: Env) -> bool:
    """The bare environment behind the wrappers of `make`, which may be anybody's; no class of the library's own."""
    return env.layers == BARE and env.api == GYMNASIUM and all(made.function.endswith("make") for made in env.made)


def _is_own_method(receiver: cst.BaseExpression, env: Env) -> bool:
    """Whether who goes around every wrapper means a method of the environment's own."""
    unwrapped = _outer(receiver) is not receiver
    unseen = not env.made and not env.seeding.lacking
    return _is_unwrapped(env) or (unwrapped and (env.seeding.own or unseen))


class _Seed(NamedTuple):
    """A call of `seed`."""

    node: cst.Call
    function: cst.Attribute
    #: What the seed has to reach.
    seeding: Seeding
    #: What stands around it in case there is no such method.
    guard: cst.If | cst.Try | None
    #: It seeds each of several environments, with one number more than the one before.
    several: bool
    #: A reset begins a video, as it does behind a wrapper that records.
    recorded: bool


def _is_integer(seed: cst.BaseExpression) -> bool:
    """Whether the text shows one number: a vector environment also takes a list of them."""
    return isinstance(seed, cst.Integer)


class EnvSeed(Rule):
    """GYM103."""

    code = "GYM103"
    incompatibility = "calls `seed`"

    def visit_Call(self, node: cst.Call) -> None:
        """Look at every call of a method `seed`."""
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "seed":
            return
        env = self.facts.envs.get(self.span(node.func.value))
        handed_on = env is None
        if handed_on:
            env = self.facts.members.get(self.span(node.func))
        if env is None or env.api.seed or not env.api.five:
            return
        guard = self._guard(node, env)
        if guard is None and asks_first(self.tree, node):
            return
        if self.span(node.func) not in self.facts.members or _is_own_method(node.func.value, env):
            return  # a class of the project that arrives here, or may, has that method
        if env.seeding.method and self.context.target < ONE:
            return  # wrappers forward it
        mixed = env.mixed or self._is_mixed(node.func.value)
        receiver = self.source(node.func.value)
        self.report(
            node,
            f"`{receiver}` has no method `seed`: "
            + ("this raises `AttributeError`" if guard is None else "the seed is never set"),
            help=f"call the environment's own method: `{receiver}.unwrapped.seed(...)`"
            if env.seeding.own and not env.seeding.others
            else f"seed the first reset: `{receiver}.reset(seed=...)`",
            outcome=unfixed(_MIXED)
            if mixed
            else self._handed_on(node)
            if handed_on
            else self._outcome(_Seed(node, node.func, env.seeding, guard, env.api.vector, _is_recorded(env))),
            env=env,
        )

    def _guard(self, node: cst.Call, env: Env) -> cst.If | cst.Try | None:
        """What asks for the method around this call alone, where nothing else seeds an environment that is known."""
        guard = seed_guard(self.tree, node)
        if guard is None or env.certainty != "proven":
            return None
        resets = self._calls(self.tree.scope(node), self.tree.source(receiver_of(node)), "reset")
        return None if any(keyword(argument) == "seed" for reset in resets for argument in reset.args) else guard

    def _is_mixed(self, receiver: cst.BaseExpression) -> bool:
        """Whether a step or reset of the same object, in the same function, can be answered in the old way."""
        text, scope = self.tree.source(receiver), self.tree.scope(receiver)
        mixed = [span for span, step in self.facts.steps.items() if step.env.mixed]
        mixed += [span for span, reset in self.facts.resets.items() if reset.env.mixed]
        for call in map(self.tree.expressions.get, mixed):
            if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
                continue
            if self.tree.source(call.func.value) == text and self.tree.scope(call) is scope:
                return True
        return False

    def _outcome(self, call: _Seed) -> Outcome:
        node, statement = call.node, self.tree.parents[call.node]
        if call.seeding.own or call.seeding.hidden:
            return self._own_seed(call)
        seed = self._seed(node)
        if isinstance(statement, (cst.ListComp, cst.GeneratorExp)) and seed is not None:
            outer = self.tree.parents[statement]
            if isinstance(outer, cst.Expr) and isinstance(statement, cst.ListComp):
                return self._reset_here(call, seed)
        if not isinstance(statement, cst.Expr):
            return self._used(call, statement)
        if len(node.args) > 1 or any(argument.star for argument in node.args):
            return unfixed("it has more than one argument")
        if self._is_seed_of_environment(self.tree.scope(node)):
            return self._in_method_seed(call, statement)
        return self._in_statement(call, statement, seed)

    def _in_method_seed(self, call: _Seed, statement: cst.Expr) -> Outcome:
        """A call in the method `seed` of an environment, where no reset may be."""
        if not self._is_drawn_alone(call):
            return unfixed("it stands in a method `seed`, whose own seed has to go to `reset` as well")
        return seeded_generator(self.context, call.function.value, statement, call.node.args[0].value)

    def _in_statement(self, call: _Seed, statement: cst.Expr, seed: cst.Arg | None) -> Outcome:
        """A call that is a statement: the next reset takes its seed, or something in its place does."""
        if seed is None:
            return fixed("remove the call", self._without(call, statement))
        return unfixed(_UNSEEDED) if call.seeding.unseeded else self._with_reset(call, statement, seed)

    def _with_reset(self, call: _Seed, statement: cst.Expr, seed: cst.Arg) -> Outcome:
        """A reset with the seed: the next one, or one in the place of the call."""
        reset = self._next_reset(call, call.guard or statement, seed)
        return self._in_place(call, statement, seed) if reset is None else self._in_reset(call, statement, seed, reset)

    def _in_reset(self, call: _Seed, statement: cst.Expr, seed: cst.Arg, reset: cst.Call) -> Outcome:
        """A seed for the next reset; or for one here, where the environment is used before that."""
        if self._is_used_before(call, reset):
            return self._reset_here(call, seed)
        edits = [self._moved_comment(call, statement, reset) or self._without(call, statement)]
        if not any(keyword(argument) == "seed" for argument in reset.args):
            edits.append(replaced(self.tree, reset, reset.with_changes(args=[seed, *reset.args])))
        return fixed("seed the next reset", *edits)

    def _used(self, call: _Seed, statement: cst.CSTNode) -> Outcome:
        """A call whose value, the list of seeds, is used."""
        if isinstance(statement, (cst.Assign, cst.Return)) and self._is_drawn_alone(call):
            return seeds_of_generator(self.context, call.node, call.function.value, statement)
        return unfixed("its value is used")

    def _handed_on(self, node: cst.Call) -> Outcome:
        """A seed for what the object asks for all that it lacks: its reset is one of these, and takes the seed."""
        statement, seed = self.tree.parents[node], self._seed(node)
        if not isinstance(statement, cst.Expr) or len(node.args) != 1 or seed is None:
            return unfixed(_BEHIND)
        call = _Seed(node, cst.ensure_type(node.func, cst.Attribute), Seeding(), None, False, False)
        reset = self._next_reset(call, statement, seed)
        known = self.facts.resets.get(self.span(reset)) if reset is not None else None
        if reset is None or known is None or known.own:
            return unfixed(_BEHIND)
        given = reset.with_changes(args=[seed, *reset.args])
        return fixed("seed the next reset", removed(self.tree, statement), replaced(self.tree, reset, given))

    def _is_seed_of_environment(self, scope: Scope) -> bool:
        """Whether a function is the method `seed` of what may be an environment.

        A class without bases is none, whatever it is put around: its own code alone resets it.
        """
        if not isinstance(scope, cst.FunctionDef) or scope.name.value not in ("seed", "_seed"):
            return False
        owner = class_of(self.context, scope)
        if owner is None or not all(is_name(base.value, "object") for base in owner.bases):
            return True
        return environment_class(self.context, owner) is not None

    def _is_reset_after(self, call: _Seed) -> bool:
        """Whether the method `reset` that this stands in resets the same environment behind it, as it is asked to."""
        scope = self.tree.scope(call.node)
        if not isinstance(scope, cst.FunctionDef) or scope.name.value != "reset":
            return False
        resets = self._resets(scope, self.tree.source(call.function.value))
        return any(self.span(one) > self.span(call.node) and any(arg.star for arg in one.args) for one in resets)

    def _moved_comment(self, call: _Seed, statement: cst.Expr, reset: cst.Call) -> Edits:
        """The call is removed, and its comment goes behind the reset, unless that comes next or has one itself."""
        line, goal = self.tree.parents[statement], self._line_of(reset)
        if call.guard is not None or not isinstance(line, cst.SimpleStatementLine) or goal is None:
            return ()
        comment, block = line.trailing_whitespace.comment, self.tree.siblings(line)
        apart = block.index(goal) - block.index(line) > 1 if goal in block else True
        if comment is None or not apart or len(line.body) > 1 or goal.trailing_whitespace.comment is not None:
            return ()
        lines, (_, end) = self.tree.lines, self.tree.offsets(goal.body[-1])
        row = self.span(line).row
        gone = Edit(lines.offset(row, 0), lines.offset(self.span(line).end_row + 1, 0), "")
        return gone, Edit(end, end, f"{line.trailing_whitespace.whitespace.value}{comment.value}")

    def _line_of(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """The line of statements that a node stands in."""
        ancestors = self.tree.ancestors(node)
        return next((one for one in ancestors if isinstance(one, cst.SimpleStatementLine)), None)

    def _without(self, call: _Seed, statement: cst.Expr) -> Edits:
        """The call is removed, and the test for it."""
        if call.guard is None:
            return removed(self.tree, statement)
        span, lines = self.span(call.guard), self.tree.lines
        return (Edit(lines.offset(span.row, 0), lines.offset(span.end_row + 1, 0), ""),)

    def _own_seed(self, call: _Seed) -> Outcome:
        """The method of the environment's own class, around the wrappers that do not hand it on any more."""
        if not call.seeding.own or call.seeding.others:
            return unfixed(_MIXED if call.seeding.own else _HIDDEN)
        function = call.function
        inner = function.with_changes(value=cst.Attribute(function.value, cst.Name("unwrapped")))
        if isinstance(call.guard, cst.If):  # the wrapper around it has no such method
            seeding = cst.Expr(call.node.with_changes(func=inner))
            return fixed("seed the environment itself", replaced(self.tree, call.guard, seeding))
        return fixed("seed the environment itself", replaced(self.tree, function, inner))

    def _in_place(self, call: _Seed, statement: cst.Expr, seed: cst.Arg) -> Outcome:
        """A seed whose reset is not next: the first of the resets that stand elsewhere would be a second one."""
        receiver = self.tree.source(call.function.value)
        stepped = self._is_stepped_next(call.guard or statement, receiver)
        elsewhere = not self._calls(self.tree.scope(call.node), receiver, "reset")
        seeds_each = call.several and not _is_integer(seed.value)
        once = stepped or call.seeding.refuses or elsewhere or call.recorded
        if call.seeding.drawn and not seeds_each and once:
            place = call.guard or statement
            return seeded_generator(self.context, call.function.value, place, seed.value, several=call.several)
        if stepped:
            return unfixed("the episode goes on behind it, and a reset would begin another one")
        if self._is_reset_after(call):
            return unfixed("the reset behind it is given the same arguments, and perhaps the seed")
        if call.seeding.refuses:
            return unfixed("a wrapper around it may refuse a second reset, or a seed")
        return self._reset_here(call, seed)

    def _is_drawn_alone(self, call: _Seed) -> bool:
        """Whether the generator of one environment can be set: `reset` with a seed sets it, and nothing else."""
        if not call.seeding.drawn or call.several or call.guard is not None or len(call.node.args) != 1:
            return False
        # a method of a wrapper that only hands the seed on goes as a whole
        scope = self.tree.scope(call.node)
        return not self._is_seed_of_environment(scope) or not hands_on_only(self.context, scope, call.node)

    def _is_stepped_next(self, statement: cst.BaseSmallStatement | cst.If | cst.Try, receiver: str) -> bool:
        """Whether the next that the block does with the environment is a step."""
        for later in self._behind(statement):
            steps, resets = self._calls(later, receiver, "step"), self._resets(later, receiver)
            if steps or resets:
                return bool(steps) and min(map(self.span, steps)) < min(map(self.span, resets), default=_END)
        return False

    def _is_used_before(self, call: _Seed, reset: cst.Call) -> bool:
        """Whether the environment is stepped or rendered before its first reset, which has to come here then."""
        text, first, last = self.tree.source(call.function.value), self.span(call.node), self.span(reset)
        used = (one for one in before_reset(self.context) if first < self.span(one) < last)
        return any(self.tree.source(receiver_of(one)) == text for one in used)

    def _reset_here(self, call: _Seed, seed: cst.Arg) -> Outcome:
        """`env.seed(s)` as `env.reset(seed=s)`."""
        if is_own(self.context, call.function.value):
            return unfixed("a reset would run the method `reset` of the class itself")
        given = seed.with_changes(whitespace_after_arg=call.node.args[-1].whitespace_after_arg)
        function = call.function.with_changes(value=_outer(call.function.value), attr=cst.Name("reset"))
        reset = call.node.with_changes(func=function, args=[given])
        if call.guard is not None:
            return fixed("seed a reset", replaced(self.tree, call.guard, cst.Expr(reset)))
        return fixed("seed a reset", replaced(self.tree, call.node, reset))

    def _seed(self, node: cst.Call) -> cst.Arg | None:
        """`seed=s` for the argument of the call; none where it asks for a random seed."""
        if not node.args or is_name(node.args[0].value, "None"):
            return None
        value = node.args[0].value
        if self._from_numpy(value):
            # Gymnasium takes Python's own integers only.
            value = cst.Call(cst.Name("int"), [cst.Arg(value)])
        return keyword_argument("seed", value)

    def _from_numpy(self, value: cst.BaseExpression) -> bool:
        """Whether the seed is drawn by numpy in the call itself."""
        text = self.tree.source(value)
        return isinstance(value, cst.Call) and text.startswith(
            ("np.", "numpy.", "rng.", "self.np_random.", "self.rng.")
        )

    def _next_reset(self, call: _Seed, statement: cst.Expr | cst.If | cst.Try, seed: cst.Arg) -> cst.Call | None:
        """The next reset of the same environment in the same block, on a straight line from here."""
        node, inside = call.node, call.seeding.reset_by
        line = statement if isinstance(statement, _BLOCKS) else self.tree.parents[statement]
        if not isinstance(line, (cst.SimpleStatementLine, cst.SimpleStatementSuite, *_BLOCKS)) or not isinstance(
            node.func, cst.Attribute
        ):
            return None
        receiver = self.tree.source(_outer(node.func.value))
        root = receiver.split(".")[0].split("[")[0]
        names = {one.value for one in self.tree.descend(node.args[0].value) if isinstance(one, cst.Name)}
        moves = not any(isinstance(one, cst.Call) for one in self.tree.descend(node.args[0].value))
        for later in _in_order(self._behind(statement)):
            own = self._resets(later, receiver)
            if any(self.span(one) in inside and one not in own for one in self.tree.inside(cst.Call, later)):
                return None  # who is called there resets it first
            if isinstance(later, cst.BaseCompoundStatement):
                if self._resets(later, receiver) or self._leaves(later):
                    return None
            else:
                if found := self._resets(later, receiver):
                    return (
                        found[0] if len(found) == 1 and _takes_keyword(found[0]) and self._straight(found[0]) else None
                    )
                if self._rebinds(later, root) or self._calls(later, receiver, "step"):
                    return None
            moves = moves and not any(self._binds(later, name) for name in names)
            if not moves:
                return None
        return None

    def _behind(self, statement: cst.BaseSmallStatement | cst.If | cst.Try) -> list[cst.CSTNode]:
        """What stands behind a statement: in its row, and in its block, which a row like `if x: y()` has not."""
        line = statement if isinstance(statement, _BLOCKS) else self.tree.parents[statement]
        block = self.tree.siblings(line)
        found = list(block[block.index(line) + 1 :]) if block else []
        if isinstance(line, (cst.SimpleStatementLine, cst.SimpleStatementSuite)) and not isinstance(statement, _BLOCKS):
            return [*line.body[line.body.index(statement) + 1 :], *found]
        return found

    def _resets(self, node: cst.CSTNode, receiver: str) -> list[cst.Call]:
        """Calls of this environment's `reset`."""
        return self._calls(node, receiver, "reset")

    def _calls(self, node: cst.CSTNode, receiver: str, method: str) -> list[cst.Call]:
        """Calls of a method of this environment's."""
        return [
            call
            for call in self.tree.descend(node)
            if isinstance(call, cst.Call)
            and method_called(call) == method
            and self.tree.source(receiver_of(call)) == receiver
        ]

    def _straight(self, reset: cst.Call) -> bool:
        """Whether the reset happens once, and always, when its statement is run."""
        for ancestor in self.tree.ancestors(reset):
            if isinstance(ancestor, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
                return True
            if isinstance(ancestor, (cst.Lambda, cst.CompFor, cst.BaseComp, cst.IfExp, cst.BooleanOperation)):
                return False
        return True

    def _leaves(self, node: cst.CSTNode) -> bool:
        """Whether a branch may leave the block before the reset."""
        leaving = (cst.Return, cst.Break, cst.Continue)
        return any(isinstance(one, leaving) for one in self.tree.descend(node, into_functions=False))

    def _rebinds(self, node: cst.CSTNode, root: str) -> bool:
        """Whether the environment becomes another one; a wrapper around it passes the seed on."""
        if not self._binds(node, root):
            return False
        values = [one.value for one in self.tree.descend(node) if isinstance(one, cst.Assign)]
        return not any(
            isinstance(one, cst.Name) and one.value == root for value in values for one in self.tree.descend(value)
        )

    def _binds(self, node: cst.CSTNode, name: str) -> bool:
        """Whether the statement binds the name."""
        bindings: Sequence[cst.Name] = self.tree.scopes.bindings(self.tree.scope(node), name)
        return any(self.tree.within(binding, node) for binding in bindings)


def _outer(receiver: cst.BaseExpression) -> cst.BaseExpression:
    """`env` of `env.unwrapped`, whose reset goes through all wrappers."""
    unwrapped = isinstance(receiver, cst.Attribute) and receiver.attr.value == "unwrapped"
    return receiver.value if unwrapped and isinstance(receiver, cst.Attribute) else receiver


def _in_order(statements: Iterable[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """Statements one after the other, with those of a `with` in the place of its block; what it opens comes first."""
    for one in statements:
        if isinstance(one, cst.With):
            yield from (item.item for item in one.items)
            yield from _in_order(one.body.body)
        else:
            yield one


def _takes_keyword(call: cst.Call) -> bool:
    """Only keywords stand in the call, none of them hidden in `**kwargs`."""
    return all(argument.keyword is not None and not argument.star for argument in call.args)

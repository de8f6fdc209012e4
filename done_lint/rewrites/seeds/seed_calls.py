"""`env.seed(s)`: the seed goes into a reset of the same environment, or into what stands in for one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.facts.kinds.environments import Seeding
from done_lint.rewrites.before_reset import before_reset
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import class_around, class_of, environment_class, is_own, is_super
from done_lint.rewrites.env_methods import receiver as receiver_of
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.seeds.next_reset import is_stepped_next, next_reset, outermost_of, resets_of
from done_lint.rewrites.seeds.seed_generators import hands_on_only, seeded_generator, seeds_of_generator
from done_lint.syntax.arguments import keyword, keyword_argument
from done_lint.syntax.edits import Edits, removed, replaced
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Scope, Tree

#: Why there is no fix where environments of two kinds arrive.
MIXED = "another environment that is used here may still have the method"
_UNSEEDED = "it may be an environment of the project whose `reset` takes no seed"
_HIDDEN = "it may be an environment of the project, whose own `seed` does more than a reset with a seed"
_BEHIND = "the object hands it on to an environment inside of it, whose reset cannot be seen from here"
_OF_BASE = "it asks the base of the class, which has none: the `reset` of the class itself has to take the seed"


@dataclass(frozen=True)
class SeedCall:
    """A call of `seed` on an environment that has no such method any more."""

    context: Context
    node: cst.Call
    #: What the seed has to reach.
    seeding: Seeding
    #: What stands around it in case there is no such method.
    guard: cst.If | cst.Try | None = None
    #: It seeds each of several environments, with one number more than the one before.
    several: bool = False
    #: A reset begins a video, as it does behind a wrapper that records.
    recorded: bool = False

    def outcome(self) -> Outcome:
        """The fix, or why there is none."""
        statement = self._tree.parents[self.node]
        if self.seeding.own or self.seeding.hidden:
            return self._own_seed()
        seed = self._seed
        if isinstance(statement, (cst.ListComp, cst.GeneratorExp)) and seed is not None:
            outer = self._tree.parents[statement]
            if isinstance(outer, cst.Expr) and isinstance(statement, cst.ListComp):
                return self._reset_here(seed)
        if not isinstance(statement, cst.Expr):
            return self._used(statement)
        if len(self.node.args) > 1 or any(argument.star for argument in self.node.args):
            return unfixed("it has more than one argument")
        if _is_seed_of_environment(self.context, self._tree.scope(self.node)):
            return self._in_method_seed(statement)
        return self._in_statement(statement, seed)

    def handed_on(self) -> Outcome:
        """The same for what the object asks an environment inside of it for: the object's own reset takes the seed."""
        statement, seed = self._tree.parents[self.node], self._seed
        owner = class_around(self.context, self.node)
        if owner is not None and not owner.wrapper and is_super(self._environment):
            return unfixed(_OF_BASE)
        if not isinstance(statement, cst.Expr) or len(self.node.args) != 1 or seed is None:
            return unfixed(_BEHIND)
        reset = next_reset(self._tree, self.node, statement, self.seeding.reset_by)
        known = self.context.facts.resets.get(self._tree.span(reset)) if reset is not None else None
        if reset is None or known is None or known.own:
            return unfixed(_BEHIND)
        given = reset.with_changes(args=[seed, *reset.args])
        return fixed("seed the next reset", removed(self._tree, statement), replaced(self._tree, reset, given))

    @property
    def _tree(self) -> Tree:
        return self.context.tree

    @property
    def _environment(self) -> cst.BaseExpression:
        """What is seeded."""
        return receiver_of(self.node)

    @cached_property
    def _seed(self) -> cst.Arg | None:
        """`seed=s` for the argument of the call; none where it asks for a random seed."""
        if not self.node.args or is_name(self.node.args[0].value, "None"):
            return None
        value = self.node.args[0].value
        if _is_from_numpy(self._tree, value):
            # Gymnasium takes Python's own integers only.
            value = cst.Call(cst.Name("int"), [cst.Arg(value)])
        return keyword_argument("seed", value)

    def _in_method_seed(self, statement: cst.Expr) -> Outcome:
        """A call in the method `seed` of an environment, where no reset may be."""
        if not self._is_drawn_alone():
            return unfixed("it stands in a method `seed`, whose own seed has to go to `reset` as well")
        return seeded_generator(self.context, self._environment, statement, self.node.args[0].value)

    def _in_statement(self, statement: cst.Expr, seed: cst.Arg | None) -> Outcome:
        """A call that is a statement: the next reset takes its seed, or something in its place does."""
        if seed is None:
            return fixed("remove the call", self._without(statement))
        if self.seeding.unseeded:
            return unfixed(_UNSEEDED)
        reset = next_reset(self._tree, self.node, self.guard or statement, self.seeding.reset_by)
        return self._in_place(statement, seed) if reset is None else self._in_reset(statement, seed, reset)

    def _in_reset(self, statement: cst.Expr, seed: cst.Arg, reset: cst.Call) -> Outcome:
        """A seed for the next reset; or for one here, where the environment is used before that."""
        if self._is_used_before(reset):
            return self._reset_here(seed)
        edits = [self._moved_comment(statement, reset) or self._without(statement)]
        if not any(keyword(argument) == "seed" for argument in reset.args):
            edits.append(replaced(self._tree, reset, reset.with_changes(args=[seed, *reset.args])))
        return fixed("seed the next reset", *edits)

    def _used(self, statement: cst.CSTNode) -> Outcome:
        """A call whose value, the list of seeds, is used."""
        if isinstance(statement, (cst.Assign, cst.Return)) and self._is_drawn_alone():
            return seeds_of_generator(self.context, self.node, self._environment, statement)
        return unfixed("its value is used")

    def _own_seed(self) -> Outcome:
        """The method of the environment's own class, around the wrappers that do not hand it on any more."""
        if not self.seeding.own or self.seeding.others:
            return unfixed(MIXED if self.seeding.own else _HIDDEN)
        function = cst.ensure_type(self.node.func, cst.Attribute)
        inner = function.with_changes(value=cst.Attribute(function.value, cst.Name("unwrapped")))
        if isinstance(self.guard, cst.If):  # the wrapper around it has no such method
            seeding = cst.Expr(self.node.with_changes(func=inner))
            return fixed("seed the environment itself", replaced(self._tree, self.guard, seeding))
        return fixed("seed the environment itself", replaced(self._tree, function, inner))

    def _in_place(self, statement: cst.Expr, seed: cst.Arg) -> Outcome:
        """A seed whose reset is not next: the first of the resets that stand elsewhere would be a second one."""
        receiver, place = self._tree.source(self._environment), self.guard or statement
        stepped = is_stepped_next(self._tree, place, receiver)
        elsewhere = not resets_of(self._tree, self._tree.scope(self.node), receiver)
        seeds_each = self.several and not isinstance(seed.value, cst.Integer)  # it also takes a list of numbers
        once = stepped or self.seeding.refuses or elsewhere or self.recorded
        if self.seeding.drawn and not seeds_each and once:
            return seeded_generator(self.context, self._environment, place, seed.value, several=self.several)
        if stepped:
            return unfixed("the episode goes on behind it, and a reset would begin another one")
        if self._is_reset_after():
            return unfixed("the reset behind it is given the same arguments, and perhaps the seed")
        if self.seeding.refuses:
            return unfixed("a wrapper around it may refuse a second reset, or a seed")
        return self._reset_here(seed)

    def _reset_here(self, seed: cst.Arg) -> Outcome:
        """`env.seed(s)` as `env.reset(seed=s)`."""
        function = cst.ensure_type(self.node.func, cst.Attribute)
        if is_own(self.context, function.value):
            return unfixed("a reset would run the method `reset` of the class itself")
        given = seed.with_changes(whitespace_after_arg=self.node.args[-1].whitespace_after_arg)
        method = function.with_changes(value=outermost_of(function.value), attr=cst.Name("reset"))
        reset = self.node.with_changes(func=method, args=[given])
        if self.guard is not None:
            return fixed("seed a reset", replaced(self._tree, self.guard, cst.Expr(reset)))
        return fixed("seed a reset", replaced(self._tree, self.node, reset))

    def _is_reset_after(self) -> bool:
        """Whether the method `reset` that this stands in resets the same environment behind it, as it is asked to."""
        scope = self._tree.scope(self.node)
        if not isinstance(scope, cst.FunctionDef) or scope.name.value != "reset":
            return False
        resets = resets_of(self._tree, scope, self._tree.source(self._environment))
        here = self._tree.span(self.node)
        return any(self._tree.span(one) > here and any(arg.star for arg in one.args) for one in resets)

    def _is_used_before(self, reset: cst.Call) -> bool:
        """Whether the environment is stepped or rendered before its first reset, which has to come here then."""
        tree, text = self._tree, self._tree.source(self._environment)
        used = (one for one in before_reset(self.context) if tree.span(self.node) < tree.span(one) < tree.span(reset))
        return any(tree.source(receiver_of(one)) == text for one in used)

    def _is_drawn_alone(self) -> bool:
        """Whether the generator of one environment can be set: `reset` with a seed sets it, and nothing else."""
        if not self.seeding.drawn or self.several or self.guard is not None or len(self.node.args) != 1:
            return False
        # a method of a wrapper that only hands the seed on goes as a whole
        scope = self._tree.scope(self.node)
        return not _is_seed_of_environment(self.context, scope) or not hands_on_only(self.context, scope, self.node)

    def _moved_comment(self, statement: cst.Expr, reset: cst.Call) -> Edits:
        """The call is removed, and its comment goes behind the reset, unless that comes next or has one itself."""
        tree = self._tree
        line, goal = tree.parents[statement], _line_of(tree, reset)
        if self.guard is not None or not isinstance(line, cst.SimpleStatementLine) or goal is None:
            return ()
        comment, block = line.trailing_whitespace.comment, tree.siblings(line)
        apart = block.index(goal) - block.index(line) > 1 if goal in block else True
        if comment is None or not apart or len(line.body) > 1 or goal.trailing_whitespace.comment is not None:
            return ()
        _, end = tree.offsets(goal.body[-1])
        return _rows_removed(tree, line), Edit(end, end, f"{line.trailing_whitespace.whitespace.value}{comment.value}")

    def _without(self, statement: cst.Expr) -> Edits:
        """The call is removed, and the test for it."""
        return removed(self._tree, statement) if self.guard is None else (_rows_removed(self._tree, self.guard),)


def _rows_removed(tree: Tree, node: cst.CSTNode) -> Edit:
    """All rows of a statement, removed."""
    span, lines = tree.span(node), tree.lines
    return Edit(lines.offset(span.row, 0), lines.offset(span.end_row + 1, 0), "")


def _line_of(tree: Tree, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
    """The line of statements that a node stands in."""
    return next((one for one in tree.ancestors(node) if isinstance(one, cst.SimpleStatementLine)), None)


def _is_seed_of_environment(context: Context, scope: Scope) -> bool:
    """Whether a function is the method `seed` of what may be an environment.

    A class without bases is none, whatever it is put around: its own code alone resets it.
    """
    if not isinstance(scope, cst.FunctionDef) or scope.name.value not in ("seed", "_seed"):
        return False
    owner = class_of(context, scope)
    if owner is None or not all(is_name(base.value, "object") for base in owner.bases):
        return True
    return environment_class(context, owner) is not None


def _is_from_numpy(tree: Tree, value: cst.BaseExpression) -> bool:
    """Whether the seed is drawn by numpy in the call itself."""
    drawn = ("np.", "numpy.", "rng.", "self.np_random.", "self.rng.")
    return isinstance(value, cst.Call) and tree.source(value).startswith(drawn)

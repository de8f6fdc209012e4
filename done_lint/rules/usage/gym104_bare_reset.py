"""The result of `reset()` is used as the observation, but it is a pair.

## What it does
Reports `env.reset()` whose value is used as the observation, in any expression, where `env` speaks the Gymnasium API.
A value that is only shown (`print(env.reset())`) or that nothing reads is not reported in a file that is otherwise on
Gymnasium, nor what an object returns that replaces its method (`self.reset = self.reset_all`), nor a value that is
called: it is a promise; nor one that goes where the whole results of steps go (`pipe.send(env.reset())` beside
`pipe.send(env.step(action))`, `[one[0] for one in result]` in `reset` and in `step`). Where all that is done
with the environment is written for old Gym, `obs[0]` of the result is a use of the observation too, and so is a method
that is handed to code which is not followed, `pool.submit(env.reset)`, or a result that a class of the project returns
from a method which nothing in sight calls.

## Why it matters
`reset` returns `(observation, info)`. Used as the observation, the pair raises an error far from this line
(`inhomogeneous shape`, `Could not infer dtype of dict`), or none at all: on MountainCar
`position, velocity = env.reset()` binds the observation and the info, without an error.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs = env.reset()
print(obs.shape)
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, _ = env.reset()
print(obs.shape)
```

## Fix safety
Safe: no old program reads the info. A bare statement `env.reset()` is right as it is. There is no fix
where an environment of the project that returns the observation alone may be used as well, nor where a function of the
file takes the value apart like a step's. Unsafe where a program that is not written for old Gym sends the value inside
of a dictionary, a tuple or a list: the other end may take the pair. A program that asks whether the result is a tuple,
and takes the first value then, has both forms already and is not reported.

## References
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from done_lint.core.paths import DOCUMENTS
from done_lint.facts.kinds.results import ResetResult
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.env_apis import PETTINGZOO_PAIR, PETTINGZOO_PARALLEL, STEP_WIDTHS
from done_lint.rewrites.compatibility_code import is_expected_to_fail
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.env_methods import is_env_method
from done_lint.rewrites.handed_on import handed_on
from done_lint.rewrites.imports import module_name
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.own_arguments import resets_otherwise
from done_lint.rewrites.reset_tuple.annotation import annotation_edits
from done_lint.rewrites.reset_tuple.calls import observation_alone
from done_lint.rewrites.reset_tuple.own_forms import is_own_form
from done_lint.rewrites.reset_tuple.reset_methods import PENDING, fix_of_reset_call
from done_lint.rewrites.reset_tuple.time_steps import takes_time_step
from done_lint.rewrites.type_tests import (
    asks_call_for_tuple,
    asks_for_pair,
    asks_for_tuple,
    asserts_pair,
    is_returned_whole,
    is_tuple_by_use,
)
from done_lint.rewrites.whole_results import goes_where_steps_go, is_sent_inside
from done_lint.rules.base import Rule, placed
from done_lint.rules.usage.evidence import gives_two_numbers
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, is_number, only_index, only_target
from done_lint.syntax.tree import Scope, Tree


class BareReset(Rule):
    """GYM104."""

    code = "GYM104"
    incompatibility = "takes the result of `reset` for the observation"

    def visit_Call(self, node: cst.Call) -> None:
        """Look at every call of `reset`."""
        reset = self.facts.resets.get(self.span(node))
        if reset is None or reset.env.api.reset != ("obs", "info") or self._is_old_parallel(reset):
            return
        if resets_otherwise(node, reset) or self._takes_step(node):
            return
        old = reset.gym_only and reset.env.api.five and not self._takes_first(node)
        handled = reset.handled and not old and not self._takes_two(node, reset)
        if handled or self._takes_info(node) or self._takes_either(node) or is_own_form(self.context, node):
            return
        if reset.guarded or reset.passed_on or self._right(node) or self._goes_where_steps_go(node, reset):
            return
        if reset.env.mixed and takes_time_step(self.tree, node):
            return
        outcome = self._outcome(node, reset)
        message = f"`{self.source(node)}` returns the pair `(observation, info)`, but is used as the observation"
        if (unread := self._unread_target(node)) is not None:
            message = (
                f"`{self.source(node)}` returns the pair `(observation, info)`: `{unread.value}` is no observation"
            )
        if (changing := reset.pending or reset.pending_inside) is not None:
            alone = "which returns the observation alone"
            message = f"`{self.source(node)}` changes together with {placed(changing)}, {alone}"
        self.report(
            node,
            message,
            help=f"take both: `obs, info = {self.source(node)}`",
            outcome=outcome,
            related=self.elsewhere(node, reset.origin),
            env=reset.env,
        )

    def _is_old_parallel(self, reset: ResetResult) -> bool:
        """Whether the release of PettingZoo that the project has gives the observations alone."""
        release = self.context.releases.pettingzoo
        return reset.env.api is PETTINGZOO_PARALLEL and release is not None and release < PETTINGZOO_PAIR

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """`def reset(self) -> np.ndarray: return self.env.reset()`."""
        if node.returns is None or not self.facts.resets or not _is_alone(node.returns.annotation):
            return
        reset = handed_on(self.tree, node, self.facts.resets)
        if reset is None or reset.env.api.reset != ("obs", "info") or reset.env.certainty != "proven":
            return
        if self._is_old_parallel(reset):
            return
        if reset.handled or reset.guarded or reset.env.mixed or reset.pending is not None or not reset.passed_on:
            return
        self.report(
            node.returns.annotation,
            f"`{node.name.value}` returns the pair of a reset, but is annotated with the observation alone",
            help="annotate both: the observation and the info",
            outcome=fixed("annotate the pair", annotation_edits(self.tree, node)),
            env=reset.env,
        )

    def visit_Arg(self, node: cst.Arg) -> None:
        """Look at what gives a reset's result to code that is not followed: `pool.submit(env.reset)`."""
        escaping = self.facts.escaping_results.get(self.span(node.value))
        if escaping is not None and escaping.method == "reset":
            message = f"`{self.source(node.value)}` gives a pair, and the program is written for an observation"
            outcome = unfixed("what takes it cannot be seen from here")
            self.report(node.value, message, help="take both: `obs, info = ...`", outcome=outcome, env=escaping.env)

    def _takes_two(self, node: cst.Call, reset: ResetResult) -> bool:
        """`position, velocity = env.reset()`: the two numbers of an observation, in a file for old Gym."""
        target = only_target(self.tree.parents[node])
        if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != 2 or node.args:
            return False
        second = target.elements[1].value
        if not isinstance(second, cst.Name) or naming_conventions.info(second.value) or not second.value.strip("_"):
            return False
        if not self._takes_four:
            return False
        return gives_two_numbers(reset.env) or any(
            one.step.env.made == reset.env.made and _is_pair(one.targets[0]) for one in self.context.unpackings
        )

    def _takes_first(self, node: cst.Call) -> bool:
        """`obs = env.reset()[0]` in a file that imports Gymnasium: it knows pairs, whatever its steps do."""
        parent = self.tree.parents[node]
        if not isinstance(parent, cst.Subscript) or not is_number(only_index(parent), "0"):
            return False
        return module_name(self.tree, "gymnasium") != ""

    def _takes_info(self, node: cst.Call) -> bool:
        """`obs, info = env.reset()`: two values of which the second one is called after the info."""
        target = only_target(self.tree.parents[node])
        if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
            return False
        second = target.elements[1].value
        return isinstance(second, cst.Name) and naming_conventions.info(second.value)

    def _takes_step(self, node: cst.Call) -> bool:
        """`_, reward, done, _ = handle("step")`: a step's values, of which one call of the program gives both."""
        target = only_target(self.tree.parents[node])
        if not isinstance(target, cst.Tuple) or len(target.elements) not in STEP_WIDTHS:
            return False
        names = [self.source(one.value) for one in target.elements]
        return naming_conventions.reward(names[1]) and any(map(naming_conventions.done, names[2:-1]))

    def _beside_four(self, reset: ResetResult) -> bool:
        """Whether the file takes four values of steps of the same environment, and nowhere five."""
        return self._takes_four and any(one.step.env.made == reset.env.made for one in self.context.unpackings)

    @cached_property
    def _takes_four(self) -> bool:
        """Whether the file takes four values of steps, and nowhere five."""
        return {len(one.targets) for one in self.context.unpackings} & {4, 5} == {4}

    def _takes_either(self, node: cst.Call) -> bool:
        """Whether the program asks for a tuple and takes the pair apart, and its steps are no plain four values.

        In a program that is written for four values alone a tuple is an observation, as in Blackjack.
        """
        return asks_for_pair(self.tree, node) and any(
            one.starred or len(one.targets) == 5 for one in self.context.unpackings
        )

    def _is_shown(self, node: cst.Call) -> bool:
        """`print(env.reset())` shows what there is: a pair is as good for that as an observation.

        But not where the program is written for old Gym, and has to print what it printed.
        """
        parent = self.tree.parents[node]
        is_old = self.facts.resets[self.span(node)].gym_only or self._is_on_gym
        if is_old and not self.context.path.endswith(DOCUMENTS):
            return False
        call = self.tree.parents[parent] if isinstance(parent, cst.Arg) else None
        if isinstance(parent, cst.FormattedStringExpression):
            return True
        return isinstance(call, cst.Call) and last_name(call.func) in _SHOWING

    def _right(self, node: cst.Call) -> bool:
        """Forms that are right with a pair, or that are not used as an observation."""
        parent = self.tree.parents[node]
        if self._only_fails(parent):
            return True
        if isinstance(parent, cst.Await):
            # what waits for a promise of the program's own gets what that gives
            target = only_target(self.tree.parents[parent])
            return not self.facts.resets[self.span(node)].gym_only or not isinstance(target, cst.Name)
        if not self.facts.resets[self.span(node)].gym_only and (
            isinstance(parent, cst.StarredElement)
            or asserts_pair(self.tree, node)
            or asks_for_tuple(self.tree, node)
            or asks_call_for_tuple(self.tree, node)
            or is_tuple_by_use(self.tree, node)
            or is_returned_whole(self.tree, node)
        ):
            return True  # `obs, info, done = *env.reset(), False`, `assert len(result) == 2`, `(seed,) + result`
        if isinstance(parent, cst.Lambda) or self._unused(node) or self._is_shown(node):
            return True
        if self._is_never_read(node) or self._is_called(node):
            return True
        if isinstance(parent, cst.Subscript) and parent.value is node:
            reset, around = self.facts.resets[self.span(node)], self.tree.parents[parent]
            again = isinstance(around, cst.Subscript) and around.value is parent
            if reset.used_as_gym and self._beside_four(reset) and not again:
                return False  # an element of the observation
            return not (_observes(parent) or (_is_no_pair(parent) and reset.gym_only))
        keywords = {argument.keyword.value for argument in node.args if argument.keyword is not None}
        # `return_info` is an argument of old Gym: such a call has its pair already.
        return "return_info" in keywords or (bool(keywords & {"seed", "options"}) and self._passes_pair(parent))

    def _only_fails(self, statement: cst.CSTNode) -> bool:
        """`wrong = env.reset()`, only to see that what takes an observation refuses it."""
        target = only_target(statement)
        if not isinstance(target, cst.Name):
            return False
        reads = self.tree.scopes.reads(self.tree.scope(statement), target.value)
        return bool(reads) and all(is_expected_to_fail(self.tree, read) for read in reads)

    def _unused(self, node: cst.CSTNode) -> bool:
        """A statement of its own, a branch of one (`env.reset() if done else None`), or `_ = env.reset()`."""
        parent = self.tree.parents[node]
        if isinstance(parent, cst.Assign):
            target = only_target(parent)
            if not isinstance(target, cst.Name) or target.value.strip("_"):
                return False
            return not self.tree.scopes.is_read(self.tree.scope(parent), target.value)
        if isinstance(parent, cst.Element):
            parent = self.tree.parents[self.tree.parents[parent]]  # `observation, info, env.reset()`
        branch = isinstance(parent, cst.IfExp) and parent.test is not node
        last = isinstance(parent, cst.BooleanOperation) and parent.right is node
        return isinstance(parent, cst.Expr) or ((branch or last) and self._unused(parent))

    def _is_never_read(self, node: cst.Call) -> bool:
        """`obs = env.reset()` that another value replaces before anything reads it, in a file that is on Gymnasium."""
        if not isinstance(self.tree.scope(node), cst.FunctionDef) or not self._is_on_gymnasium:
            return False
        return self._unread_target(node) is not None

    def _unread_target(self, node: cst.Call) -> cst.Name | None:
        """The name that takes a value which nothing in the file reads."""
        target = only_target(self.tree.parents[node])
        if not isinstance(target, cst.Name) or self.context.is_binding_read(target, self.tree.parents[node]):
            return None
        return target

    def _goes_where_steps_go(self, node: cst.Call, reset: ResetResult) -> bool:
        """Whether the value goes where the whole results of steps go.

        But in a program that is written for old Gym what is handed on was the observation.
        """
        return not reset.gym_only and goes_where_steps_go(self.context, node)

    def _is_called(self, node: cst.Call) -> bool:
        """`promise = env.reset()`, then `obs = promise()`: what is called is no observation."""
        statement = self.tree.parents[node]
        target = only_target(statement)
        return isinstance(target, cst.Name) and self._uses(self.tree.scope(statement), target.value)[0]

    def _uses(self, scope: Scope, name: str) -> tuple[bool, bool]:
        """Whether a variable is called somewhere, and whether a function takes it apart like a step's result."""
        if (scope, name) not in self._known_uses:
            reads = {read: self.tree.parents[read] for read in self.tree.scopes.reads(scope, name)}
            called = any(isinstance(one, cst.Call) and one.func is read for read, one in reads.items())
            taken_apart = any(isinstance(one, cst.Arg) and self._unpacks_more(one) for one in reads.values())
            self._known_uses[scope, name] = (called, taken_apart)
        return self._known_uses[scope, name]

    @cached_property
    def _known_uses(self) -> dict[tuple[Scope, str], tuple[bool, bool]]:
        return {}

    @cached_property
    def _is_on_gymnasium(self) -> bool:
        """Whether the file takes pairs of resets, or five values of steps, somewhere."""
        handled = any(one.handled for one in self.facts.resets.values())
        return handled or any(len(one.targets) == 5 for one in self.context.unpackings)

    @cached_property
    def _is_on_gym(self) -> bool:
        """Whether the file takes four values of a step, and nothing as Gymnasium gives it."""
        return not self._is_on_gymnasium and any(len(one.targets) == 4 for one in self.context.unpackings)

    def _passes_pair(self, parent: cst.CSTNode) -> bool:
        """Whether code that passes today's arguments passes the pair on, other than to make an array of it."""
        if isinstance(parent, cst.Element):
            return not isinstance(self.tree.parents.get(self.tree.parents[parent]), cst.Assign)
        call = self.tree.parents[parent]
        return isinstance(parent, cst.Arg) and isinstance(call, cst.Call) and last_name(call.func) not in _ARRAYS

    def _outcome(self, node: cst.Call, reset: ResetResult) -> Outcome:
        if reset.env.mixed:
            return unfixed(_MIXED)
        if (together := fix_of_reset_call(self.context, node)) is not None:
            return together
        if reset.pending and reset.numbers:
            # once the class returns a pair, two values would be taken for one: both change in one pass
            return fixed("take the observation out of the pair", observation_alone(self.tree, node))
        if reset.pending or (reset.used_as_gym and self._beside_pending_step(reset)):
            return unfixed(PENDING)
        if reset.uncertain:
            return unfixed(_UNCERTAIN)
        if self._beside_another(node):
            return unfixed(_SECOND)
        if self._is_taken_apart(node):
            return unfixed(_TAKEN_APART)
        unsure = ""
        if reset.env.api is PETTINGZOO_PARALLEL and self.context.releases.pettingzoo is None:
            unsure = _OLD_PETTINGZOO  # and a module like `simple_v2` may be in these only
        elif not reset.gym_only and is_sent_inside(self.tree, node):
            unsure = _SENT
        value = parent if isinstance(parent := self.tree.parents[node], cst.Await) else node
        return fixed("take the observation out of the pair", observation_alone(self.tree, value), unsure=unsure)

    def _beside_pending_step(self, reset: ResetResult) -> bool:
        """Whether a step of the same environment in the file waits for its class: both change in one pass.

        Else `env.reset()[0]` would be an element of an observation there, as it is in a program for old Gym.
        """
        steps = (one.step for one in self.context.unpackings)
        return any(one.pending is not None and one.env.made == reset.env.made for one in steps)

    def _is_taken_apart(self, node: cst.Call) -> bool:
        """Whether a function of the file that gets the value takes more than a pair out of it, as of a step."""
        parent = self.tree.parents[node]
        if isinstance(target := only_target(parent), cst.Name):
            return self._uses(self.tree.scope(parent), target.value)[1]
        return isinstance(parent, cst.Arg) and self._unpacks_more(parent)

    def _unpacks_more(self, argument: cst.Arg) -> bool:
        """Whether the function of this file that is called unpacks this argument into more than two values."""
        call = self.tree.parents[argument]
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
            return False
        if _gets_observations(self.context, call.func.value):
            return False
        named = (one for one in self.tree.of_type(cst.FunctionDef) if is_name(call.func, one.name.value))
        return any(_unpacks(self.tree, function, _parameter(function, call, argument)) for function in named)

    def _beside_another(self, node: cst.Call) -> bool:
        """`return self.env.reset(), self.steps`: the observation may be both values, or the second one an info."""
        values = self.tree.parents.get(self.tree.parents[node])
        if not isinstance(values, cst.Tuple) or len(values.elements) != 2 or values.elements[0].value is not node:
            return False
        function, second = self.tree.scope(node), values.elements[1].value
        if not is_env_method(self.context, function, "reset"):
            return False
        made = isinstance(second, cst.Call) and self.source(second.func) == "dict"
        info = made or isinstance(second, (cst.Dict, cst.DictComp)) or self.span(second) in self.facts.infos
        return isinstance(self.tree.parents[values], cst.Return) and not info


#: Types that are no pair, whatever they are called by.
_ALONE = frozenset({"array", "bool", "dict", "float", "int", "list", "ndarray", "str", "Dict", "List", "Tensor"})

_UNCERTAIN = "the `reset` of the project that is called may return a pair, or something else"
_OLD_PETTINGZOO = "the release of PettingZoo is not known, and those before 1.23 return the observations alone"
_SENT = "it is sent inside of a row, and the other end may take the pair"
_SECOND = "the value returned beside it may be a part of the observation, or an info"
_TAKEN_APART = "a function that gets it takes more than two values out of it, as a step gives them"
_MIXED = "another environment that may be used here returns the observation alone"

#: Functions that show a value.
_SHOWING = frozenset({"print", "pprint", "pp", "display"})
#: Functions that want the observation alone.
_ARRAYS = frozenset({"array", "asarray", "as_tensor", "from_numpy", "stack", "tensor", "FloatTensor", "Tensor"})


def _parameter(function: cst.FunctionDef, call: cst.Call, argument: cst.Arg) -> str:
    """The name that a function knows an argument by; empty where that is not certain."""
    if argument.keyword is not None:
        return argument.keyword.value
    before = call.args[: call.args.index(argument) + 1]
    params = (*function.params.posonly_params, *function.params.params)
    if any(one.star or one.keyword is not None for one in before) or len(before) > len(params):
        return ""
    return params[len(before) - 1].name.value


def _unpacks(tree: Tree, function: cst.FunctionDef, name: str) -> bool:
    """`obs, reward, terminated, truncated, info = name`."""
    statements = [one for one in tree.descend(function) if isinstance(one, cst.Assign) and is_name(one.value, name)]
    targets = [one.target for statement in statements for one in statement.targets]
    return any(isinstance(one, (cst.Tuple, cst.List)) and len(one.elements) > 2 for one in targets)


def _is_alone(annotation: cst.BaseExpression) -> bool:
    """`np.ndarray`, `Dict[str, float]`: a type that is no pair."""
    return last_name(annotation.value if isinstance(annotation, cst.Subscript) else annotation) in _ALONE


def _is_no_pair(subscript: cst.Subscript) -> bool:
    """Whether the index is a number that a pair does not have."""
    index = only_index(subscript)
    return isinstance(index, cst.UnaryOperation) or (isinstance(index, cst.Integer) and index.evaluated_value > 1)


def _observes(subscript: cst.Subscript) -> bool:
    """Whether the index is one that only an observation takes: a name, a new axis, several dimensions."""
    if len(subscript.slice) > 1:
        return True
    index = subscript.slice[0].slice
    if not isinstance(index, cst.Index):
        return False
    value = index.value
    return last_name(value) in ("None", "newaxis") or isinstance(value, (cst.Ellipsis, cst.SimpleString, cst.Tuple))


@per_file
def _gets_observations(context: Context, function: str) -> bool:
    """Whether a call of a function is given the observation that a step is unpacked into."""
    tree = context.tree
    calls = [one for one in tree.of_type(cst.Call) if is_name(one.func, function)]
    given = {(tree.scope(call), tree.source(one.value)) for call in calls for one in call.args}
    taken = ((one.scope, one.targets[0]) for one in context.unpackings if len(one.targets) in (4, 5))
    return any((scope, tree.source(target)) in given for scope, target in taken)


def _is_pair(target: cst.BaseExpression) -> bool:
    """Whether a target takes two values apart."""
    return isinstance(target, (cst.Tuple, cst.List)) and len(target.elements) == 2

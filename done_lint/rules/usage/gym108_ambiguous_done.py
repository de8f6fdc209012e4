"""`or`, `and`, `not`, `if` or `while` on a vector environment's flags.

## What it does
Reports Boolean operators and tests on the flag arrays of a vector environment.

## Why it matters
Such an array holds one flag for each environment. Python's operators need a single truth value and raise
`ValueError: The truth value of an array with more than one element is ambiguous`. With one environment
they work, and the program fails only when a second one is added. Where the program makes sure that there is one
(`assert args.num_envs == 1`, `if args.num_envs == 1:`, the `else` of `if args.num_envs > 1:`,
`make_vec(id, num_envs=1)`, a function of the project with `num_envs=1` by default that is not told another number,
the `get_env()` of an algorithm that was given a single environment), or tests the type
(`if isinstance(terminated, np.ndarray):`), nothing is reported. Of Stable-Baselines3's vector environments, which are
put around single environments too, it is only where the code shows that there are several.

## Example
```python
import gymnasium as gym

envs = gym.make_vec("CartPole-v1", num_envs=4)
obs, info = envs.reset()
obs, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
dones = terminated or truncated
```

## Use instead
```python
import gymnasium as gym

envs = gym.make_vec("CartPole-v1", num_envs=4)
obs, info = envs.reset()
obs, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
dones = terminated | truncated
```

## Fix safety
Safe: `|`, `&` and `~` combine the flags element by element. A test (`if dones:`) has no fix: write
`dones.any()` or `dones.all()`.

## References
- [NumPy: Truth testing of arrays](https://numpy.org/doc/stable/reference/arrays.ndarray.html#array-conversion)
- [Gymnasium: Vector environments](https://gymnasium.farama.org/api/vector/)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.kinds.environments import Env, Made
from done_lint.knowledge.env_apis import AROUND_ONE
from done_lint.rewrites.env_methods import class_of
from done_lint.rewrites.env_methods import method as method_named
from done_lint.rewrites.env_methods import receiver as receiver_of
from done_lint.rewrites.outcome import fixed, unfixed
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.type_tests import asks_type
from done_lint.rewrites.vectors.counted_as_one import CountedAsOne
from done_lint.rewrites.vectors.vector_sizes import VectorSizes
from done_lint.rules.base import Rule
from done_lint.syntax.edits import replaced
from done_lint.syntax.expressions import parenthesized
from done_lint.syntax.shapes import is_name, is_negation, is_with_truth, method_called
from done_lint.syntax.tree import Scope

#: Functions that take a single value, or an array of one.
_SINGLE = frozenset({"bool", "complex", "float", "int"})
#: What binds tighter than `|`, so that it needs no parentheses beside it.
_TIGHT = (
    cst.Name,
    cst.Attribute,
    cst.Subscript,
    cst.Call,
    cst.BinaryOperation,
    cst.BaseNumber,
    cst.List,
    cst.Tuple,
)


class Elementwise(cst.CSTTransformer):
    """Turns `or`, `and`, `not` into `|`, `&`, `~`."""

    def leave_BooleanOperation(
        self, original_node: cst.BooleanOperation, updated_node: cst.BooleanOperation
    ) -> cst.BaseExpression:
        """`a or b` becomes `a | b`."""
        left, right = updated_node.operator.whitespace_before, updated_node.operator.whitespace_after
        operator: cst.BaseBinaryOp
        if isinstance(updated_node.operator, cst.Or):
            operator = cst.BitOr(left, right)
        else:
            operator = cst.BitAnd(left, right)
        return cst.BinaryOperation(
            _tight(updated_node.left), operator, _tight(updated_node.right), updated_node.lpar, updated_node.rpar
        )

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        """`not a` becomes `~a`."""
        if not isinstance(updated_node.operator, cst.Not):
            return updated_node
        operand = _tight(updated_node.expression)
        if isinstance(operand, cst.BinaryOperation):
            operand = parenthesized(operand)
        return updated_node.with_changes(operator=cst.BitInvert(), expression=operand)

    def visit_Call(self, node: cst.Call) -> bool:
        """What stands in an argument is another expression."""
        return False

    def visit_Comparison(self, node: cst.Comparison) -> bool:
        """So is what is compared."""
        return False

    def visit_Subscript(self, node: cst.Subscript) -> bool:
        """And an index."""
        return False


class AmbiguousDone(Rule):
    """GYM108."""

    code = "GYM108"
    incompatibility = ""

    def visit_BooleanOperation(self, node: cst.BooleanOperation) -> None:
        """`terminated or truncated`; the outermost operator speaks for those inside it."""
        if not self._inside_another(node) and self._has_array(node) and not self._is_alone(node):
            self._report(node)

    def visit_UnaryOperation(self, node: cst.UnaryOperation) -> None:
        """`not dones`."""
        if is_negation(node) and not self._inside_another(node) and self._has_array(node) and not self._is_alone(node):
            self._report(node)

    def visit_If(self, node: cst.If) -> None:
        """`if dones:`."""
        self._bare(node.test)

    def visit_While(self, node: cst.While) -> None:
        """`while dones:`."""
        self._bare(node.test)

    def visit_IfExp(self, node: cst.IfExp) -> None:
        """`x if dones else y`."""
        self._bare(node.test)

    def visit_Assert(self, node: cst.Assert) -> None:
        """`assert dones`."""
        self._bare(node.test)

    def _bare(self, test: cst.BaseExpression) -> None:
        if self._is_array(test) and not self._is_alone(test):
            self._say(
                test,
                f"`{self.source(test)}` is an array of flags: with more than one environment, testing it "
                "raises `ValueError`",
            )

    def _report(self, node: cst.BaseExpression) -> None:
        parent = self.tree.parents[node]
        in_test = isinstance(parent, (cst.If, cst.While, cst.IfExp, cst.Assert)) and parent.test is node
        message = (
            f"`{self.source(node)}` tests an array of flags: with more than one environment this raises `ValueError`"
        )
        if in_test:
            self._say(node, message)
            return
        new = node.visit(Elementwise())
        assert isinstance(new, cst.BaseExpression)
        outcome = fixed("combine the flags element by element", replaced(self.tree, node, new))
        self.report(node, message, help="combine arrays of flags with `|`, `&` and `~`", outcome=outcome)

    def _say(self, node: cst.BaseExpression, message: str) -> None:
        outcome = unfixed("the code does not show whether `.any()` or `.all()` is meant")
        self.report(node, message, help="write `.any()` or `.all()`", outcome=outcome)

    def _inside_another(self, node: cst.BaseExpression) -> bool:
        parent = self.tree.parents[node]
        return isinstance(parent, cst.BooleanOperation) or is_negation(parent)

    def _has_array(self, node: cst.BaseExpression) -> bool:
        """Whether some operand, however deep in Boolean operators, is an array of flags."""
        if isinstance(node, cst.BooleanOperation):
            return self._has_array(node.left) or self._has_array(node.right)
        if isinstance(node, cst.UnaryOperation) and is_negation(node):
            return self._has_array(node.expression)
        return self._is_array(node)

    def _is_array(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.Comparison):
            return is_with_truth(node) and self._is_array(node.left)
        fact = self.facts.flags.get(self.span(node))
        if fact is None or fact.array is not True:
            return False
        if isinstance(node, cst.Subscript):
            return isinstance(node.slice[0].slice, cst.Slice)
        return isinstance(node, cst.Attribute) or (isinstance(node, cst.Name) and not self._is_element(node))

    def _is_alone(self, node: cst.BaseExpression) -> bool:
        """Whether a test around it has settled that it is one truth value.

        An array of one environment has one; and `isinstance(terminated, np.ndarray)` tells arrays from single flags.
        """
        if self._settled(node) or self._is_of_one_step(node) or self._counted.holds(node):
            return True
        names = {one.value for one in self.tree.descend(node) if isinstance(one, cst.Name)}
        tests = (a for a in self.tree.ancestors(node) if isinstance(a, (cst.If, cst.IfExp)))
        return any(
            not self.tree.within(node, around.test) and asks_type(self.tree, around.test, names) for around in tests
        )

    def _is_of_one_step(self, node: cst.BaseExpression) -> bool:
        """Whether the reward or a flag of the same step is read as a single value: `reward.item()`, `float(reward)`."""
        scope = self.tree.scope(node)
        names = [one for one in self.tree.descend(node) if isinstance(one, cst.Name)]
        bound = [one for name in names for one in self.tree.scopes.bindings(scope, name.value)]
        rows = [self.tree.parents[parent] for one in bound if isinstance(parent := self.tree.parents[one], cst.Element)]
        values = {
            element.value.value
            for row in rows
            if isinstance(row, cst.Tuple) and len(row.elements) in (4, 5)
            for element in row.elements[1:-1]
            if isinstance(element.value, cst.Name)
        }
        return any(
            self.tree.span(read) < self.tree.span(node) and self._is_single(read)
            for value in sorted(values)
            if len(self.tree.scopes.bindings(scope, value)) == 1
            for read in self.tree.scopes.reads(scope, value)
        )

    def _is_single(self, read: cst.Name) -> bool:
        """`x.item()`, `float(x)`, `f"{x:.2f}"`: what an array of several values refuses."""
        parent = self.tree.parents[read]
        if isinstance(parent, cst.FormattedStringExpression):
            return bool(parent.format_spec)
        around = self.tree.parents[parent]
        if isinstance(parent, cst.Arg) and isinstance(around, cst.Call) and len(around.args) == 1:
            return isinstance(around.func, cst.Name) and around.func.value in _SINGLE
        called = isinstance(around, cst.Call) and around.func is parent
        return isinstance(parent, cst.Attribute) and called and parent.attr.value == "item"

    def _settled(self, node: cst.BaseExpression) -> bool:
        """Whether the code that steps, that of the node or that of the file makes sure that there is one."""
        origins = self._origins(node)
        if origins and all(self._begins_in_one(one) or self._may_be_one(one) for one in origins):
            return True
        if not self._sure and not self._makes_one:
            return False
        steps = [self.tree.expressions.get(span) for span in self._origins(node)]
        scopes = {self.tree.scope(one) for one in (node, *steps) if one is not None}
        for method in list(scopes):
            # what the constructor is sure of, holds in all methods
            owner = class_of(self.context, method) if isinstance(method, cst.FunctionDef) else None
            constructor = method_named(owner, "__init__") if owner is not None else None
            if owner is not None and constructor is not None:
                scopes |= {constructor, *self._called_on_self(owner, constructor)}
        return (self._makes_one and bool(steps)) or not self._sure.isdisjoint(scopes | {self.tree.module})

    def _called_on_self(self, owner: cst.ClassDef, constructor: cst.FunctionDef) -> Iterator[cst.FunctionDef]:
        """The methods of a class that its constructor calls in any case: `self.check()`."""
        for row in constructor.body.body:
            statement = row.body[0] if isinstance(row, cst.SimpleStatementLine) else None
            called = statement.value if isinstance(statement, cst.Expr) else None
            if (
                isinstance(called, cst.Call)
                and isinstance(called.func, cst.Attribute)
                and is_name(receiver_of(called), "self")
            ):
                found = method_named(owner, called.func.attr.value)
                if found is not None:
                    yield found

    def _begins_in_one(self, origin: Span) -> bool:
        """Whether a flag begins in a step of what was made as one environment."""
        unpacked = self._stepped.get(origin)
        if unpacked is not None:
            return self._steps_one(unpacked)
        receiver = self._stepped_at(origin)
        return receiver is not None and self._sizes.is_one(receiver)

    def _stepped_at(self, origin: Span) -> cst.BaseExpression | None:
        """What is stepped where a flag begins: it may also be another object, so that the step is nobody's."""
        target = self.tree.expressions.get(origin)
        row = self.tree.row(target) if target is not None else None
        assigned = row.body[0] if isinstance(row, cst.SimpleStatementLine) else None
        value = assigned.value if isinstance(assigned, cst.Assign) else None
        return receiver_of(value) if isinstance(value, cst.Call) and method_called(value) == "step" else None

    def _may_be_one(self, origin: Span) -> bool:
        """Whether a flag begins in a step of a library that also wraps a single environment, and nothing shows more."""
        unpacked = self._stepped.get(origin)
        if unpacked is None:
            stepped = self._stepped_at(origin)
            return stepped is not None and not self._sizes.is_several(stepped)
        if unpacked.step.env is None or unpacked.step.env.api not in AROUND_ONE:
            return False
        receiver = receiver_of(unpacked.value) if isinstance(unpacked.value, cst.Call) else None
        made = [one.place for one in unpacked.step.env.made if one.place.path == self.facts.path]
        calls = [call for one in made if isinstance(call := self.tree.expressions.get(one.span), cst.Call)]
        several = receiver is not None and self._sizes.is_several(receiver)
        return not several and not any(map(self._sizes.makes_several, calls))

    def _origins(self, node: cst.BaseExpression) -> list[Span]:
        """Where the flags of an expression begin, in this file."""
        facts = (self.facts.flags.get(self.span(one)) for one in (node, *self.tree.descend(node)))
        starts = [fact.path[0] for fact in facts if fact is not None and fact.path]
        return [start.span for start in starts if start.path == self.facts.path]

    @cached_property
    def _sure(self) -> frozenset[Scope]:
        """The functions (or the module) that stop unless there is one environment."""
        asserted = (one for one in self.tree.of_type(cst.Assert) if self._counted.is_settled(one.test, yes=True))
        found: list[cst.CSTNode] = list(asserted)
        found += [one for one in self.tree.of_type(cst.If) if self._counted.leaves(one, (cst.Raise,))]
        return frozenset(map(self.tree.scope, found))

    @cached_property
    def _counted(self) -> CountedAsOne:
        return CountedAsOne(self.tree, self._sizes)

    @cached_property
    def _makes_one(self) -> bool:
        """Whether every vector environment of this file is made as one, in plain sight."""
        return self._made_as_one([env for env in self.facts.envs.values() if env.api.vector])

    @cached_property
    def _stepped(self) -> Mapping[Span, Unpacking]:
        """The steps that are unpacked, by the places that their values go to."""
        return {self.span(target): one for one in self.context.unpackings for target in one.targets}

    def _steps_one(self, unpacked: Unpacking) -> bool:
        """Whether the environment that is stepped was made as one."""
        receiver = receiver_of(unpacked.value) if isinstance(unpacked.value, cst.Call) else None
        return self._made_as_one([unpacked.step.env]) or (receiver is not None and self._sizes.is_one(receiver))

    @cached_property
    def _sizes(self) -> VectorSizes:
        return VectorSizes(self.context)

    def _made_as_one(self, envs: Sequence[Env]) -> bool:
        """Whether each of these is made as one: of a list that is, wherever that stands, or in this file."""
        made = {one for env in envs for one in env.made or (None,)}
        return bool(made) and all(one is not None and (one.single or self._is_made_here(one)) for one in made)

    def _is_made_here(self, made: Made) -> bool:
        """Whether a call in this file makes one environment, in plain sight."""
        call = self.tree.expressions.get(made.place.span) if made.place.path == self.facts.path else None
        return isinstance(call, cst.Call) and self._sizes.makes_one(call)

    def _is_element(self, node: cst.Name) -> bool:
        """Whether a loop binds the name to one element after the other."""
        for binding in self.tree.scopes.bindings(self.tree.scope(node), node.value):
            for ancestor in self.tree.ancestors(binding):
                if isinstance(ancestor, (cst.For, cst.CompFor)) and self.tree.within(binding, ancestor.target):
                    if not self._yields_whole(ancestor.iter):
                        return True
                    break
                if isinstance(ancestor, cst.BaseStatement):
                    break
        return False

    def _yields_whole(self, iterated: cst.BaseExpression) -> bool:
        """`for obs, terminated in steps():` takes what a generator of this file yields, which no loop has parted."""
        if not isinstance(iterated, cst.Call) or not isinstance(iterated.func, cst.Name):
            return False
        named = [one for one in self.tree.of_type(cst.FunctionDef) if is_name(iterated.func, one.name.value)]
        if len(named) != 1:
            return False
        yielded = [one.value for one in self.tree.inside(cst.Yield, named[0]) if self.tree.scope(one) is named[0]]
        names = [one for value in yielded if value for one in self.tree.descend(value) if isinstance(one, cst.Name)]
        return bool(yielded) and not any(map(self._is_element, names))


def _tight(node: cst.BaseExpression) -> cst.BaseExpression:
    """An operand of `|`, in parentheses where it binds less."""
    bare = isinstance(node, _TIGHT) or (isinstance(node, cst.UnaryOperation) and not is_negation(node))
    return node if bare else parenthesized(node)

"""Steps that come after a reset, with no end of an episode in between: they never are the ones that only reset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.kinds.rows import Row
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.thread_flag.conversions import is_join
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, is_negation, method_called
from done_lint.syntax.tree import Tree


def follows_reset(context: Context, row: Row) -> bool:
    """Whether no episode ends between a reset and the step of a row, each time that it is taken."""
    tree, step = context.tree, context.tree.expressions.get(row.step.span) if row.step.path == context.path else None
    if step is not None and row.step.span in _first_steps(context):
        return True
    kept = tree.expressions.get(row.place)
    scope = tree.scope(kept) if kept is not None else None
    taken = [span for span, call in _answered(context).items() if tree.scope(call) is scope]
    inside = step is not None and tree.scope(step) is scope
    return not inside and bool(taken) and _first_steps(context).issuperset(taken)


@per_file
def _first_steps(context: Context) -> frozenset[Span]:
    """The steps before which the same function resets the same environment, and nothing else steps in between."""
    tree, found = context.tree, set[Span]()
    for calls in _by_scope(context).values():
        before: cst.Call | None = None
        ordered = [call for _, call in sorted(calls.items())]
        for call in ordered:
            if before is not None and (
                _resets_for(tree, before, call) or _ends_with_any(context, before, call, ordered)
            ):
                found.add(tree.span(call))
            before = call
    return frozenset(found)


def _by_scope(context: Context) -> Mapping[cst.CSTNode, Mapping[Span, cst.Call]]:
    """The calls that step or reset an environment, by their function."""
    found: dict[cst.CSTNode, dict[Span, cst.Call]] = {}
    tree, answered = context.tree, _answered(context)
    known = [tree.expressions.get(span) for span in (*context.facts.steps, *context.facts.resets)]
    objects = {_receiver(tree, one) for one in answered.values()}
    resets = (one for one in (tree.of_type(cst.Call) if objects else ()) if method_called(one) == "reset")
    for call in (*known, *answered.values(), *(one for one in resets if _receiver(tree, one) in objects)):
        if isinstance(call, cst.Call) and method_called(call):
            found.setdefault(tree.scope(call), {})[tree.span(call)] = call
    return found


@per_file
def _answered(context: Context) -> Mapping[Span, cst.Call]:
    """The steps that an object of the project takes, which hands on what the environment inside gives."""
    tree, flags, found = context.tree, context.facts.flags, dict[Span, cst.Call]()
    for one in tree.of_type(cst.Assign):
        targets = [element.value for target in one.targets for element in _elements(target.target)]
        steps = isinstance(one.value, cst.Call) and method_called(one.value) == "step"
        if steps and any(tree.span(target) in flags for target in targets):
            found[tree.span(one.value)] = cst.ensure_type(one.value, cst.Call)
    return {span: call for span, call in found.items() if span not in context.facts.steps}


def _elements(target: cst.BaseExpression) -> Sequence[cst.BaseElement]:
    return target.elements if isinstance(target, (cst.Tuple, cst.List)) else ()


def _is_reset_of(tree: Tree, reset: cst.Call, step: cst.Call) -> bool:
    """Whether the first call resets what the second steps."""
    if method_called(reset) != "reset" or not method_called(step):
        return False
    return _receiver(tree, reset) == _receiver(tree, step)


def _receiver(tree: Tree, call: cst.Call) -> str:
    """What a method is called on, as it is written."""
    return tree.source(call.func.value) if isinstance(call.func, cst.Attribute) else ""


def _resets_for(tree: Tree, reset: cst.Call, step: cst.Call) -> bool:
    """Whether the first call resets what the second steps, in the same round of the same loop."""
    if not _is_reset_of(tree, reset, step):
        return False
    loop = _loop(tree, step)
    statement = tree.row(reset)
    return loop is _loop(tree, reset) and statement is not None and tree.within(step, tree.parents[statement])


def _ends_with_any(context: Context, reset: cst.Call, step: cst.Call, calls: Sequence[cst.Call]) -> bool:
    """Whether the loop of a step comes after a reset, and ends, breaks or resets as soon as any episode ends.

    `calls` are all that step or reset in this function: nothing else of the loop may step.
    """
    tree, loop = context.tree, _loop(context.tree, step)
    if not _is_reset_of(tree, reset, step) or not isinstance(loop, (cst.For, cst.While)):
        return False
    statement, taken = tree.row(reset), tree.row(step)
    if statement is None or taken is None or tree.parents[statement] is not tree.parents[loop]:
        return False
    block = loop.body.body
    others = [one for one in calls if one is not step and tree.within(one, loop)]
    if not all(_is_reset_of(tree, one, step) for one in others):
        return False
    if taken not in block or any(True for _ in tree.inside(cst.Continue, loop)):
        return False
    later = block[block.index(taken) :]
    known = context.facts.steps.get(tree.span(step))
    ends = _Ends(context, terminated_alone=known is not None and known.env.unlimited)
    return ends.start_anew(later[1:], others) or (isinstance(loop, cst.While) and ends.end(loop, later))


@dataclass(frozen=True)
class _Ends:
    """What a loop does where an episode ended."""

    context: Context
    #: Nothing is ever truncated: the one flag tells every end.
    terminated_alone: bool

    def end(self, loop: cst.While, block: Sequence[cst.CSTNode]) -> bool:
        """`while not done`: whether the loop ends where any episode ended, by what each round tells in a block."""
        tree, parts = self.context.tree, _conjuncts(loop.test)
        flags = [one.expression for one in parts if isinstance(one, cst.UnaryOperation) and is_negation(one)]
        names = [one for flag in flags for one in (flag, *tree.descend(flag)) if isinstance(one, cst.Name)]
        bound = (tree.scopes.bindings(tree.scope(one), one.value) for one in names)
        # `bool` and the name of a method are bound nowhere
        answers = [any(tree.row(one) in block for one in every) for every in bound if every]
        return bool(answers) and all(answers) and self._are_any_end(*flags)

    def start_anew(self, block: Sequence[cst.CSTNode], resets: Sequence[cst.Call]) -> bool:
        """Whether statements break or reset where any episode ended, whichever of their branches is taken."""
        for one in block:
            if not isinstance(one, cst.If):
                continue
            if self._are_any_end(one.test) and (_breaks(one) or _resets(self.context.tree, one, resets)):
                return True
            other = one.orelse.body.body if isinstance(one.orelse, cst.Else) else ()
            if all(self.start_anew(side, resets) for side in (one.body.body, other)):
                return True
        return False

    def _are_any_end(self, *tests: cst.BaseExpression) -> bool:
        """`np.any(terminated) or truncated.any()`: whether some episode ended, in either way, by one of the tests.

        `terminated or truncated` asks the same of one environment, and fails with more.
        """
        parts, found = [*tests], list[cst.BaseExpression]()
        while parts:
            one = parts.pop()
            if isinstance(one, cst.BooleanOperation) and isinstance(one.operator, cst.Or):
                parts += [one.left, one.right]
            elif isinstance(one, cst.Call) and last_name(one.func) == "any":
                found += _flags_of(one)
            elif isinstance(one, cst.Call) and is_name(one.func, "bool") and len(one.args) == 1:
                parts.append(one.args[0].value)
            elif isinstance(one, cst.Call) and method_called(one) == "item" and not one.args:
                parts.append(cst.ensure_type(one.func, cst.Attribute).value)  # of a tensor
            elif (calls := given_by_calls(self.context.tree, one)) or isinstance(one, (cst.Name, cst.Attribute)):
                parts += calls
                found += () if calls else (one,)
            else:
                return False
        flags = filter(None, map(self.context.facts.flags.get, map(self.context.tree.span, found)))
        meanings = [meaning for flag in flags for meaning in flag.meanings]
        truncated = self.terminated_alone or any(one.truncated for one in meanings)
        return truncated and any(one.terminated for one in meanings) and not any(one.keep for one in meanings)


def _conjuncts(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return [*_conjuncts(test.left), *_conjuncts(test.right)]
    return [test]


def _resets(tree: Tree, branch: cst.If, resets: Sequence[cst.Call]) -> bool:
    """Whether the branch resets each time that it is taken."""
    return any(row is not None and tree.parents[row] is branch.body for row in map(tree.row, resets))


def _breaks(branch: cst.If) -> bool:
    last = branch.body.body[-1] if branch.body.body else None
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Break)


def given_by_calls(tree: Tree, node: cst.BaseExpression) -> list[cst.Call]:
    """The calls whose results a variable is given: `done = np.any(terminated)`."""
    bindings = tree.scopes.bindings(tree.scope(node), node.value) if isinstance(node, cst.Name) else ()
    given = [
        (one, statement) for one in bindings for statement in tree.ancestors(one) if isinstance(statement, cst.Assign)
    ]
    return [
        statement.value
        for one, statement in given
        if isinstance(statement.value, cst.Call) and statement.targets[0].target is one
    ]


def _flags_of(call: cst.Call) -> list[cst.BaseExpression]:
    """The names that a call of `any` looks at, alone or joined: its argument, or what it is a method of."""
    whole = call.args[0].value if call.args else call.func.value if isinstance(call.func, cst.Attribute) else call
    operands = [whole.left, whole.right] if is_join(whole) and isinstance(whole, cst.BinaryOperation) else [whole]
    return operands if all(isinstance(one, (cst.Name, cst.Attribute)) for one in operands) else []


def _loop(tree: Tree, node: cst.CSTNode) -> cst.CSTNode | None:
    """The innermost loop of its function around a node."""
    scope = tree.scope(node)
    for one in tree.ancestors(node):
        if one is scope:
            break
        if isinstance(one, (cst.For, cst.While, cst.CompFor)):
            return one
    return None

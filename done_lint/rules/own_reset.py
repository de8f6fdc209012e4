"""The change of an environment's own `reset` from an observation to a pair, which GYM303 and GYM104 share.

Every `return` of the method changes in one fix, and with it the annotation, the docstring and the resets of
the environment inside, whose info is handed on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.model.facts import OwnResult, ResetResult
from done_lint.rules.env_methods import is_super, receiver
from done_lint.rules.pair_annotation import annotation_edits
from done_lint.rules.pair_docstring import docstring_edits
from done_lint.rules.pair_target import parenthesized, split
from done_lint.rules.rule import Context, Mend, fix_of
from done_lint.syntax.edits import Edits, replaced

#: The fix of GYM303 comes first; in the round after it this one can follow.
HELD_UP = "the environment's own `reset` has to return a pair first"
_STEP_FIRST = "the step in the other branch has to give five values first"


class Inner(NamedTuple):
    """A statement that resets the environment inside: alone, or with one target for the observation."""

    statement: cst.BaseSmallStatement
    target: cst.BaseExpression | None
    call: cst.Call


class Beside(NamedTuple):
    """The step that the other branch makes instead of the reset, and the target of its info."""

    info: cst.Name
    #: The step's result is taken apart as five values already.
    five: bool


def mend(context: Context, function: cst.FunctionDef) -> Mend:
    """The fix that makes this `reset` return a pair wherever it returns the observation alone."""
    if (known := context.shared.get(function)) is not None:
        return known
    inner = _inner_resets(context, function)
    beside = _beside(context, function, inner[0]) if inner else None
    if any(_waits(context, one) for one in inner):
        result = Mend(unfixed=HELD_UP)
    elif beside is not None and not beside.five:
        result = Mend(unfixed=_STEP_FIRST)
        context.shared.update((one.call, result) for one in inner)
    else:
        # A caller that takes an element of the observation would silently take one of the pair.
        results = [_result(context, one) for one in returns(context, function)]
        safe = not any(result.indexed for result in results)
        heirs = results[0].owner.heirs if results else ()
        result = Mend(fix_of("return a pair", *_edits(context, function, inner, beside), safe=safe, together=heirs))
        for one in inner:
            context.shared[one.call] = result
    context.shared[function] = result
    return result


def mend_of_call(context: Context, call: cst.Call) -> Mend | None:
    """The same fix, if it also takes the pair apart that this call returns."""
    function = context.tree.scope(call)
    if not isinstance(function, cst.FunctionDef):
        return None
    if not returns(context, function) and not _returned_too(context, function, call):
        return None
    mend(context, function)
    return context.shared.get(call)


def _returned_too(context: Context, function: cst.FunctionDef, call: cst.Call) -> bool:
    """In a `reset`, the observation is used and the same variable returned, which is a pair until it is taken apart."""
    owner = context.facts.classes.get(context.tree.span(context.tree.scope(function)).row)
    statement = context.tree.parents[call]
    if owner is None or owner.methods.get("reset") != (context.path, context.tree.span(function).row):
        return False
    return isinstance(statement, cst.Assign) and bool(_returns_of(context, function, statement.targets[0].target))


def returns(context: Context, function: cst.FunctionDef) -> list[cst.Return]:
    """Where a `reset` returns the observation alone."""
    spans = [span for span, result in context.facts.results.items() if result.method == "reset"]
    found = [context.tree.parents.get(node) for span in spans if (node := context.tree.expressions.get(span))]
    return [one for one in found if isinstance(one, cst.Return) and context.tree.scope(one) is function]


def _result(context: Context, statement: cst.Return) -> OwnResult:
    """What the model says of a returned expression."""
    if statement.value is None:
        raise TypeError("nothing is returned")
    return context.facts.results[context.tree.span(statement.value)]


def _edits(
    context: Context, function: cst.FunctionDef, inner: Sequence[Inner], beside: Beside | None
) -> list[Edits]:
    tree = context.tree
    info = _info_name(context, function)
    start = tree.span(inner[0].statement) if inner else None
    edits = [annotation_edits(tree, function), docstring_edits(tree, function)]
    if beside is not None and beside.info.value.strip("_"):
        info = beside.info.value
    elif beside is not None:
        edits.append(replaced(tree, beside.info, cst.Name(info)))
    changed = dict.fromkeys(returns(context, function))
    for one in inner:
        if one.target is None:
            pair = cst.Tuple([cst.Element(cst.Name("_")), cst.Element(cst.Name(info))], lpar=(), rpar=())
            edits.append(replaced(tree, one.statement, cst.Assign([cst.AssignTarget(pair)], one.call)))
        else:
            edits.append(split(tree, one.target, info))
            # What was a pair as long as nobody took it apart is the observation now.
            changed |= dict.fromkeys(_returns_of(context, function, one.target))
    for statement in changed:
        at_hand = start is not None and tree.span(statement) > start
        edits.append(_return_edits(context, statement, cst.Name(info) if at_hand else cst.Dict(())))
    return edits


def _return_edits(context: Context, statement: cst.Return, info: cst.BaseExpression) -> Edits:
    observation = statement.value
    if observation is None:
        return ()
    if isinstance(observation, (cst.Tuple, cst.IfExp, cst.Lambda, cst.Yield)):
        observation = parenthesized(observation)
    pair = cst.Tuple([cst.Element(observation), cst.Element(info)], lpar=(), rpar=())
    return replaced(context.tree, statement, statement.with_changes(value=pair))


def _returns_of(context: Context, function: cst.FunctionDef, target: cst.BaseExpression) -> list[cst.Return]:
    """`return obs` for a target `obs`."""
    text = context.tree.source(target)
    return [
        one
        for one in context.tree.of_type(cst.Return)
        if one.value is not None and context.tree.source(one.value) == text and context.tree.scope(one) is function
    ]


def _info_name(context: Context, function: cst.FunctionDef) -> str:
    scopes = context.tree.scopes
    return "reset_info" if scopes.mentions(function, "info") else "info"


def _inner_resets(context: Context, function: cst.FunctionDef) -> list[Inner]:
    """Resets of the environment inside, if the first of them happens on every way and all can hand on an info."""
    tree = context.tree
    found: list[Inner] = []
    for call in tree.of_type(cst.Call):
        reset = context.facts.resets.get(tree.span(call))
        if reset is None or tree.scope(call) is not function or not isinstance(call.func, cst.Attribute):
            continue
        one = _inner(context, call, reset)
        if one is None:
            return []
        found.append(one)
    if not found:
        return []
    if tree.parents[tree.parents[found[0].statement]] is not function.body and not _beside(context, function, found[0]):
        return []
    if tree.scopes.mentions(function, "_") and tree.scopes.reads(function, "_"):
        return []
    taken = ("info", "reset_info")
    return [] if all(tree.scopes.mentions(function, name) for name in taken) else found


def _beside(context: Context, function: cst.FunctionDef, first: Inner) -> Beside | None:
    """`if over: obs = self.env.reset()`, `else: obs, _, _, _, _ = self.env.step(0)`: either way there is an info."""
    tree = context.tree
    block = tree.parents[tree.parents[first.statement]]
    owner = tree.parents.get(block)
    branches = tree.parents[owner] if isinstance(owner, cst.Else) else owner
    if not isinstance(branches, cst.If) or not isinstance(branches.orelse, cst.Else):
        return None
    if tree.parents[branches] is not function.body or block not in (branches.body, branches.orelse.body):
        return None
    if any(tree.within(one, branches) for one in tree.of_type(cst.Return)):
        return None
    other = branches.orelse.body if block is branches.body else branches.body
    for unpacking in reversed(context.unpackings):
        if tree.parents[tree.parents[unpacking.statement]] is not other or unpacking.part is not None:
            continue
        info = unpacking.targets[-1]
        if unpacking.starred or len(unpacking.targets) not in (4, 5) or not isinstance(info, cst.Name):
            return None
        return Beside(info, len(unpacking.targets) == 5)
    return None


def _inner(context: Context, call: cst.Call, reset: ResetResult) -> Inner | None:
    """The reset as a statement, where its result is a pair that nobody takes apart yet."""
    own = receiver(call)
    if reset.handled or reset.guarded or reset.env.mixed or reset.env.api.reset != ("obs", "info"):
        return None
    if isinstance(own, cst.Name) and own.value == "self":
        return None
    statement = context.tree.parents[call]
    if isinstance(statement, cst.Expr) and not is_super(own):
        return Inner(statement, None, call)
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    return Inner(statement, target, call) if isinstance(target, (cst.Name, cst.Attribute)) else None


def _waits(context: Context, inner: Inner) -> bool:
    """The base class has to change first; what a wrapper wraps changes in the same run, whatever it is."""
    return is_super(receiver(inner.call)) and context.facts.resets[context.tree.span(inner.call)].pending

"""The change of an environment's own `reset` from an observation to a pair, which GYM303 and GYM104 share.

Every `return` of the method changes in one fix, and with it the annotation, the docstring and the resets of
the wrapped environment, whose info is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.facts.kinds.classes import OwnResult
from done_lint.facts.kinds.results import ResetResult
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.env_methods import calls_base, is_env_method, is_own, keywords, receiver
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.reset_tuple.annotation import annotation_edits
from done_lint.rewrites.reset_tuple.calls import is_remote
from done_lint.rewrites.reset_tuple.docstring import docstring_edits
from done_lint.rewrites.tuple_targets import observation_and_info
from done_lint.syntax.edits import Edits, added_before, exchanged, replaced
from done_lint.syntax.expressions import assignment, bare_tuple, is_tight, parenthesized
from done_lint.syntax.shapes import only_target
from done_lint.syntax.tree import Scope, Tree

#: The fix of GYM303 comes first; in the round after it this one can follow.
PENDING = "the environment's own `reset` has to return a pair first"
#: What may stand around a reset that moves to a line of its own.
_CONVERSIONS = (
    *(cst.Arg, cst.Call, cst.Attribute, cst.BinaryOperation, cst.Subscript, cst.SubscriptElement, cst.Index),
    *(cst.Tuple, cst.Element),
)
_HANDED = "`{}` hands it on as a class of another library, and who asks that one is not seen"
_INDEXED = "a caller may take a part of the observation by its index, and would take one of the pair, without an error"
_STEP_FIRST = "the step in the other branch has to give five values first"


class Inner(NamedTuple):
    """A statement that resets the wrapped environment: alone, or with one target for the observation."""

    statement: cst.BaseSmallStatement
    target: cst.BaseExpression | None
    call: cst.Call
    #: It is written without spaces.
    tight: bool = False


class Converted(NamedTuple):
    """`return self.observation(self.env.reset())`: the only reset of the method, converted as it is returned."""

    statement: cst.Return
    call: cst.Call
    #: Free names for what the reset returns.
    observation: str
    info: str


class Sides(NamedTuple):
    """What is returned to who asks for the info, and to who does not."""

    pair: cst.Tuple
    alone: cst.BaseExpression


class Beside(NamedTuple):
    """The step that the other branch makes instead of the reset, and the target of its info."""

    info: cst.Name
    #: The step's result is taken apart as five values already.
    five: bool


def fix_reset(context: Context, function: cst.FunctionDef) -> Outcome:
    """The fix that makes this `reset` return a pair wherever it returns the observation alone."""
    if (known := context.shared.get(function)) is not None:
        return known
    inner = _inner_resets(context, function)
    beside = _beside(context, function, inner[0]) if inner else None
    moved = converted(context, function)
    calls = [*(one.call for one in inner), *([moved.call] if moved is not None else [])]
    if any(_waits(context, one) for one in calls):
        result = unfixed(PENDING)
    elif beside is not None and not beside.five:
        result = unfixed(_STEP_FIRST)
        context.shared.update((one.call, result) for one in inner)
    else:
        results = [_result(context, one) for one in returns(context, function)]
        by = next((_HANDED.format(one.handed_by) for one in results if one.handed_by), "")
        unsure = by or (_INDEXED if any(one.indexed for one in results) else "")
        heirs = results[0].owner.heirs if results else ()
        result = fixed("return a pair", *_edits(context, function, inner, beside), unsure=unsure, together=heirs)
        for one in inner:
            context.shared[one.call] = result
        if moved is not None:
            context.shared[moved.call] = result
    context.shared[function] = result
    return result


def fix_of_reset_call(context: Context, call: cst.Call) -> Outcome | None:
    """The same fix, if it also takes the pair apart that this call returns."""
    function = context.tree.scope(call)
    if not isinstance(function, cst.FunctionDef):
        return None
    if not returns(context, function) and not _returned_too(context, function, call):
        return None
    fix_reset(context, function)
    return context.shared.get(call)


def converted(context: Context, function: cst.FunctionDef) -> Converted | None:
    """The reset that moves to a line of its own, so that its info can be returned."""
    tree = context.tree
    calls = [call for call in tree.inside(cst.Call, function) if tree.scope(call) is function]
    resets = [call for call in calls if tree.span(call) in context.facts.resets]
    if len(resets) != 1 or not isinstance(resets[0].func, cst.Attribute):
        return None
    if not _is_whole(context, resets[0], context.facts.resets[tree.span(resets[0])]):
        return None
    call, way = resets[0], list(tree.ancestors(resets[0]))
    if keywords(call) & {"seed", "options"}:
        return None  # code that passes today's arguments returns the pair
    statement = next((one for one in way if isinstance(one, cst.Return)), None)
    if statement is None or statement not in returns(context, function):
        return None
    way = way[: way.index(statement)]
    # What stands beside the call would be evaluated behind it, or the call where it was not before.
    others = [one for one in calls if tree.within(one, statement) and one not in way and not tree.within(one, call)]
    line, span = tree.parents[statement], tree.span(call)
    if others or not way or not all(isinstance(one, _CONVERSIONS) for one in way) or span.row != span.end_row:
        return None
    if any(isinstance(one, cst.Tuple) and one.elements[0] not in way for one in way):
        return None  # what stands in front of it may be an attribute that it changes
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return None
    free = [name for name in ("obs", "observation") if not tree.scopes.mentions(function, name)]
    info = _info_name(context, function)
    if not free or tree.scopes.mentions(function, info):
        return None
    return Converted(statement, call, free[0], info)


def _returned_too(context: Context, function: cst.FunctionDef, call: cst.Call) -> bool:
    """In a `reset`, the observation is used and the same variable returned, which is a pair until it is taken apart."""
    if not is_env_method(context, function, "reset"):
        return False
    statement = context.tree.parents[call]
    return isinstance(statement, cst.Assign) and bool(_returns_of(context, function, statement.targets[0].target))


def returns(context: Context, function: cst.FunctionDef) -> list[cst.Return]:
    """Where a `reset` returns the observation alone."""
    return _returns_by_function(context).get(function, [])


@per_file
def _returns_by_function(context: Context) -> Mapping[Scope, list[cst.Return]]:
    """The returns of observations alone, by the method that they stand in."""
    found: dict[Scope, list[cst.Return]] = {}
    for statement in context.tree.of_type(cst.Return) if context.facts.results else ():
        place = context.tree.literal_span(statement.value) if statement.value is not None else None
        result = context.facts.results.get(place) if place is not None else None
        if result is not None and result.method == "reset":
            found.setdefault(context.tree.scope(statement), []).append(statement)
    return found


def _result(context: Context, statement: cst.Return) -> OwnResult:
    """What the model says of a returned expression."""
    if statement.value is None:
        raise TypeError("nothing is returned")
    return context.facts.results[context.tree.literal_span(statement.value)]


def _edits(context: Context, function: cst.FunctionDef, inner: Sequence[Inner], beside: Beside | None) -> list[Edits]:
    tree = context.tree
    info = _info_name(context, function)
    start = tree.span(inner[0].statement) if inner else None
    edits = [annotation_edits(tree, function), docstring_edits(tree, function)]
    if beside is not None and beside.info.value.strip("_"):
        info = beside.info.value
    elif beside is not None:
        edits.append(replaced(tree, beside.info, cst.Name(info)))
    elif not inner and (known := _info_at_hand(context, function)) is not None:
        info, start = known.value, tree.span(known)
    changed = dict.fromkeys(returns(context, function))
    moved = converted(context, function)
    for one in inner:
        if one.target is None:
            pair = assignment(bare_tuple(cst.Name("_"), cst.Name(info)), one.call)
            edits.append(replaced(tree, one.statement, pair))
        else:
            edits.append(replaced(tree, one.target, observation_and_info(one.target, info, tight=one.tight)))
            # The variable held the pair and holds the observation now.
            changed |= dict.fromkeys(_returns_of(context, function, one.target))
    for statement in changed:
        if moved is not None and statement is moved.statement:
            edits += _moved(context, moved)
            continue
        at_hand = start is not None and tree.span(statement) > start
        edits.append(_return_edits(context, statement, cst.Name(info) if at_hand else cst.Dict(())))
    return edits


def _info_at_hand(context: Context, function: cst.FunctionDef) -> cst.Name | None:
    """`info` of `obs, info = self.env.reset()`, a statement of the method itself, if nothing else binds the name."""
    tree = context.tree
    for call in tree.inside(cst.Call, function):
        statement = tree.parents[call]
        if tree.span(call) not in context.facts.resets or not isinstance(statement, cst.Assign):
            continue
        pair = only_target(statement)
        if not isinstance(pair, cst.Tuple) or len(pair.elements) != 2:
            continue
        info = pair.elements[1].value
        if not isinstance(info, cst.Name) or tree.parents[tree.parents[statement]] is not function.body:
            continue
        if info.value.strip("_") and len(tree.scopes.bindings(function, info.value)) == 1:
            return info
    return None


def _moved(context: Context, moved: Converted) -> list[Edits]:
    """`obs, info = self.env.reset()` on a line of its own, and `return self.observation(obs), info`."""
    observation, info = cst.Name(moved.observation), cst.Name(moved.info)
    statement = exchanged(moved.statement, {moved.call: observation})
    if not isinstance(statement, cst.Return) or statement.value is None:
        raise TypeError("what is returned is no value")
    returned = statement.with_changes(value=bare_tuple(_single(statement.value), info))
    return [
        added_before(context.tree, moved.statement, assignment(bare_tuple(observation, info), moved.call)),
        replaced(context.tree, moved.statement, returned),
    ]


def _return_edits(context: Context, statement: cst.Return, info: cst.BaseExpression) -> Edits:
    observation = statement.value
    if observation is None:
        return ()
    if (sides := sides_for_info(context.tree, observation)) is not None:
        return replaced(context.tree, observation, sides.pair.with_changes(lpar=(), rpar=()))
    return replaced(context.tree, statement, statement.with_changes(value=bare_tuple(_single(observation), info)))


def _single(observation: cst.BaseExpression) -> cst.BaseExpression:
    """An observation as it is written for one of two values."""
    bare = isinstance(observation, (cst.Tuple, cst.IfExp, cst.Lambda, cst.Yield))
    return parenthesized(observation) if bare else observation


def sides_for_info(tree: Tree, returned: cst.BaseExpression) -> Sides | None:
    """The two sides of `(obs, info) if return_info else obs`."""
    if not isinstance(returned, cst.IfExp):
        return None
    asked = "return_info" in tree.source(returned.test)
    for pair, alone in ((returned.body, returned.orelse), (returned.orelse, returned.body)):
        if asked and isinstance(pair, cst.Tuple) and len(pair.elements) == 2:
            return Sides(pair, alone)
    return None


def _returns_of(context: Context, function: cst.FunctionDef, target: cst.BaseExpression) -> list[cst.Return]:
    """`return obs` for a target `obs`."""
    text = context.tree.source(target)
    return [
        one
        for one in context.tree.inside(cst.Return, function)
        if one.value is not None and context.tree.source(one.value) == text and context.tree.scope(one) is function
    ]


def _info_name(context: Context, function: cst.FunctionDef) -> str:
    scopes = context.tree.scopes
    return "reset_info" if scopes.mentions(function, "info") else "info"


def _inner_resets(context: Context, function: cst.FunctionDef) -> list[Inner]:
    """Resets of the environment inside, if the first of them happens on every path and all can return an info."""
    tree = context.tree
    found: list[Inner] = []
    for call in tree.inside(cst.Call, function):
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
    if tree.inside(cst.Return, branches):
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


def _is_whole(context: Context, call: cst.Call, reset: ResetResult) -> bool:
    """The wrapped environment is reset, and its pair is not unpacked yet."""
    if reset.handled or reset.guarded or reset.env.mixed or reset.env.api.reset != ("obs", "info"):
        return False
    return not is_own(context, receiver(call)) and not is_remote(call)


def _inner(context: Context, call: cst.Call, reset: ResetResult) -> Inner | None:
    """The reset as a statement, where its result is a pair that is not unpacked yet."""
    if not _is_whole(context, call, reset):
        return None
    statement = context.tree.parents[call]
    if isinstance(statement, cst.Expr) and not calls_base(context.tree, call):
        return Inner(statement, None, call)
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    if not isinstance(target, (cst.Name, cst.Attribute)):
        return None
    return Inner(statement, target, call, is_tight(statement))


def _waits(context: Context, call: cst.Call) -> bool:
    """The base class has to change first; what a wrapper wraps changes in the same run, whatever it is."""
    pending = context.facts.resets[context.tree.span(call)].pending
    return pending is not None and calls_base(context.tree, call)

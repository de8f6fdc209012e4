"""Results of steps that are compared or sliced, and not taken apart by targets.

`result[:3]` as `(*result[:2], result[2] or result[3])`, `env.step(0) == (1, 0.0, False, {})` with one more `False`.
"""

from __future__ import annotations

from itertools import takewhile

import libcst as cst

from done_lint.facts.kinds.results import StepResult
from done_lint.rewrites.context import Context
from done_lint.rewrites.joined_flag import joined_flag
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.unpack import PENDING, blocked_by
from done_lint.syntax.edits import replaced
from done_lint.syntax.shapes import is_name, is_place

#: Where an assignment inside of an expression does not mean what it says.
_NO_NAMES = (cst.CompFor, cst.ClassDef, cst.Param, cst.Annotation, cst.Decorator)
_FUNCTIONS = (cst.FunctionDef, cst.Lambda)
_DONE, _INFO = 2, 3


def sliced_anew(context: Context, node: cst.Subscript, step: StepResult, part: slice, otherwise: str) -> Outcome:
    """The same values as before, one by one; `otherwise` says why that is not to be done.

    Once a class of the project gives five values, the slice would not tell any more for which library it was written:
    both change in one pass.
    """
    places = list(range(_INFO + 1))[part]
    reason = blocked_by(step)
    if not step.is_old or len(places) < 2 or _DONE not in places or step.per_agent:
        return unfixed(otherwise)
    if reason not in ("", PENDING):
        return unfixed(reason)
    tree, result, first = context.tree, node.value, node.value
    if not is_place(result):
        around = takewhile(lambda one: not isinstance(one, _FUNCTIONS), tree.ancestors(node))
        if not isinstance(result, cst.Call) or any(isinstance(one, _NO_NAMES) for one in around):
            return unfixed(otherwise)
        (name,) = tree.scopes.fresh(tree.scope(node), "result")
        result = cst.Name(name)
        first = cst.NamedExpr(result, node.value, [cst.LeftParen()], [cst.RightParen()])
    array = step.env.api.vector or step.array is True
    values: list[cst.BaseElement] = []
    if places[:2] == [0, 1]:
        values.append(
            cst.StarredElement(cst.Subscript(first, [cst.SubscriptElement(cst.Slice(None, cst.Integer("2")))]))
        )
        places, first = places[2:], result
    for place in places:
        if place == _DONE:
            value = joined_flag(_at(first, _DONE), _at(result, _DONE + 1), array=array)
        else:
            value = _at(first, place + (place == _INFO))
        values.append(cst.Element(value))
        first = result
    above = tree.parents[node]
    if isinstance(above, cst.Arg) and above.star == "*":
        return _spread(context, above, values)
    row = tree.parents[above] if isinstance(above, cst.StarredElement) else None
    if isinstance(row, (cst.Tuple, cst.List)) and isinstance(above, cst.StarredElement):
        place = row.elements.index(above)
        elements = [*row.elements[:place], *values, *row.elements[place + 1 :]]
        return fixed("take the new places", replaced(tree, row, row.with_changes(elements=elements)))
    return fixed("take the new places", replaced(tree, node, cst.Tuple(values)))


def five_compared(context: Context, expected: cst.Tuple, step: StepResult) -> Outcome:
    """The four values that a result is compared with as five: which flag is set shows where nothing truncates."""
    done = expected.elements[_DONE].value
    reason = blocked_by(step)
    if reason not in ("", PENDING):
        return unfixed(reason)
    if not is_name(done, "False") and not (is_name(done, "True") and step.env.unlimited):
        return unfixed("which of the two flags is meant cannot be seen")
    place = expected.elements[_DONE]
    elements = list(expected.elements)
    elements.insert(_DONE + 1, place.with_changes(value=cst.Name("False")))
    return fixed("expect five values", replaced(context.tree, expected, expected.with_changes(elements=elements)))


def _spread(context: Context, argument: cst.Arg, values: list[cst.BaseElement]) -> Outcome:
    """`push(obs, *result[:3])` as `push(obs, *result[:2], result[2] or result[3])`."""
    call = context.tree.parents[argument]
    if not isinstance(call, cst.Call):
        return unfixed("what takes the values cannot be seen from here")
    place = call.args.index(argument)
    plain = argument.with_changes(star="", whitespace_after_star=cst.SimpleWhitespace(""))
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    given = [
        (argument if isinstance(one, cst.StarredElement) else plain).with_changes(value=one.value, comma=comma)
        for one in values
    ]
    given[-1] = given[-1].with_changes(comma=argument.comma)
    new = call.with_changes(args=[*call.args[:place], *given, *call.args[place + 1 :]])
    return fixed("take the new places", replaced(context.tree, call, new))


def _at(result: cst.BaseExpression, place: int) -> cst.Subscript:
    return cst.Subscript(result, [cst.SubscriptElement(cst.Index(cst.Integer(str(place))))])

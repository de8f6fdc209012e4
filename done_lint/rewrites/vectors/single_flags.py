"""Flags of one environment beside the flags of all: `done = terminated[i] or truncated[i]`, `for done in dones`.

What takes the place of the flag of one environment is that environment's entry of `terminated`, never the whole of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

import libcst as cst

from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.thread_flag.conversions import bound_before, is_join
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Scope

#: So many assignments are followed back from a name.
_NEAR = 4
_WORDS = ("True", "False")
#: Methods that a dictionary has and no array or flag.
_OF_TABLES = frozenset({"values", "items", "keys"})


def terminated_for(context: Context, flag: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    """What of the variable `name` says that the episode terminated of which `flag` says that it ended.

    Args:
        context: of the file.
        flag: the expression that is to be replaced.
        name: of a variable or attribute that is in scope there.

    Returns:
        The variable, or the entry of it that the flag was made of, or what joins its entries if it is a table of
        the agents' flags; None where one of the two is of one environment, and the other of all of them.
    """
    tree, whole = context.tree, cst.parse_expression(name)
    parts = list(_parts(context, flag, flag))
    if any(map(_is_of_several, parts)) and not _is_table(context, name, flag):
        return None
    if _is_table(context, name, flag):
        joined = [one for one in parts if isinstance(one, cst.Call) and _reads_values_of(context, one, name)]
        return joined[0] if len(joined) == 1 and not _is_bound_between(context, name, joined[0], flag) else None
    entries = [one for one in parts if isinstance(one, cst.Subscript) and tree.source(one.value) == name]
    if entries:
        alike = len({tree.source(one) for one in entries}) == 1
        return entries[0] if alike and _is_unchanged(context, entries[0], flag) else None
    single = any(_is_single(context, one, flag) for one in parts)
    others = _parts(context, whole, flag)
    if single == any(_is_single(context, one, flag) for one in others):
        return whole
    # of a flag that comes from where nothing can be seen, nothing tells that it is not of one environment
    return None if single or len(parts) > 1 else whole


def _is_table(context: Context, name: str, flag: cst.BaseExpression) -> bool:
    """Whether a variable is read as a dictionary where `flag` is: `all(terminated.values())`."""
    reads = context.tree.scopes.reads(context.tree.scope(flag), name)
    return any(_reads_method(context, one) for one in reads)


def _reads_values_of(context: Context, call: cst.Call, name: str) -> bool:
    """`all(terminated.values())`: a call that is given nothing but the values of the table."""
    inner = [one for one in context.tree.descend(call) if isinstance(one, cst.Call) and one is not call]
    return len(inner) == 1 and context.tree.source(inner[0]) == f"{name}.values()" and len(call.args) == 1


def _reads_method(context: Context, read: cst.Name) -> bool:
    """`done.values()`, `done.items()`: what only a dictionary answers."""
    method = context.tree.parents[read]
    call = context.tree.parents.get(method)
    if not isinstance(method, cst.Attribute) or method.value is not read or not isinstance(call, cst.Call):
        return False
    return call.func is method and method.attr.value in _OF_TABLES


def _is_bound_between(context: Context, name: str, place: cst.BaseExpression, flag: cst.BaseExpression) -> bool:
    """Whether a variable has another value where `flag` is read than where it was read before."""
    last = _bound_last(context, name, flag)
    return last is not None and context.tree.span(place) < context.tree.span(last)


def _parts(
    context: Context, value: cst.BaseExpression, flag: cst.BaseExpression, hops: int = _NEAR
) -> Iterator[cst.BaseExpression]:
    """The flags that an expression joins, and what their names were bound to before `flag` is read."""
    if is_join(value):
        for one in _operands(value):
            yield from _parts(context, one, flag, hops)
        return
    yield value
    if is_name(value, *_WORDS):
        if value is flag and (test := _asked(context, value)) is not None:
            yield from _parts(context, test, flag, hops)
    elif isinstance(value, cst.Name) and hops and not _is_loop_target(context, value, flag):
        for bound in (*_values(context, value.value, flag), *_tests_of_words(context, value.value, flag)):
            yield from _parts(context, bound, flag, hops - 1)


def _tests_of_words(context: Context, name: str, flag: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What branches ask, near above `flag`, in which a name is bound to the word `True` or `False`."""
    words = _words(context).get((context.tree.scope(flag), name), [])
    above = bisect_left(words, context.tree.span(flag), key=context.tree.span)
    for word in words[max(0, above - _NEAR) : above]:
        if (test := _asked(context, word)) is not None:
            yield test


@per_file
def _words(context: Context) -> Mapping[tuple[Scope, str], list[cst.BaseExpression]]:
    """The words `True` and `False` that a file binds to names, in order, by scope and name."""
    found: dict[tuple[Scope, str], list[cst.BaseExpression]] = {}
    for statement in context.tree.of_type(cst.Assign):
        for target in statement.targets if is_name(statement.value, *_WORDS) else ():
            if isinstance(target.target, cst.Name):
                found.setdefault((context.tree.scope(statement), target.target.value), []).append(statement.value)
    return found


def _asked(context: Context, word: cst.BaseExpression) -> cst.BaseExpression | None:
    """The test of the innermost branch that a word stands in."""
    below: cst.CSTNode = word
    for around in context.tree.ancestors(word):
        if isinstance(around, (cst.FunctionDef, cst.Lambda, cst.For, cst.While)):
            return None
        if isinstance(around, cst.If) and below is around.body:
            return around.test
        below = around
    return None


def _is_of_several(part: cst.BaseExpression) -> bool:
    """`terminated.any()`, `np.any(terminated)`, `all(terminated)`: one flag that is made of those of all."""
    return isinstance(part, cst.Call) and last_name(part.func) in ("any", "all")


def _operands(join: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(join, (cst.BooleanOperation, cst.BinaryOperation)):
        return [join.left, join.right]
    return [one.value for one in join.args] if isinstance(join, cst.Call) else []


def _values(context: Context, name: str, flag: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What a name was bound to: by the last assignment that always happens before, or else by the last before."""
    if (last := bound_before(context, name, flag)) is not None:
        return [last]
    target = _bound_last(context, name, flag)
    statement = context.tree.parents[context.tree.parents[target]] if target is not None else None
    return [statement.value] if isinstance(statement, cst.Assign) else []


def _bound_last(context: Context, name: str, flag: cst.BaseExpression) -> cst.Name | None:
    """The last binding of a name above `flag`, wherever it stands."""
    tree = context.tree
    bindings = tree.scopes.bindings(tree.scope(flag), name)  # in the order of the file
    earlier = bisect_left(bindings, tree.span(flag), key=tree.span)
    return bindings[earlier - 1] if earlier else None


def _is_single(context: Context, value: cst.BaseExpression, flag: cst.BaseExpression) -> bool:
    """Whether an expression is an entry at an index that varies, or what a loop around `flag` takes out."""
    if isinstance(value, cst.Subscript):
        return any(isinstance(one, cst.Name) for part in value.slice for one in context.tree.descend(part))
    return isinstance(value, cst.Name) and _is_loop_target(context, value, flag)


def _is_loop_target(context: Context, name: cst.Name, flag: cst.BaseExpression) -> bool:
    """Whether a loop or a comprehension around `flag` was the last to bind a name."""
    tree = context.tree
    bound = _bound_last(context, name.value, flag)
    for around in tree.ancestors(flag):
        if isinstance(around, cst.For) and bound is not None and tree.within(bound, around.target):
            return True
        if isinstance(around, cst.BaseComp):
            targets = tree.descend(around.for_in.target)
            if any(isinstance(one, cst.Name) and one.value == name.value for one in targets):
                return True
    return False


def _is_unchanged(context: Context, entry: cst.Subscript, flag: cst.BaseExpression) -> bool:
    """Whether the index of an entry is the same where the flag is read: it is not bound again in between."""
    tree = context.tree
    names = {one.value for part in entry.slice for one in tree.descend(part) if isinstance(one, cst.Name)}
    last = (_bound_last(context, name, flag) for name in names)
    return not any(one is not None and tree.span(entry) < tree.span(one) for one in last)

"""What the two flags of a step are called: `terminated` and `truncated`, unless these names mean something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from done_lint.rewrites.context import Context, grouped, per_file
from done_lint.rewrites.step_tuple.unpacking import Unpacking, four_valued
from done_lint.syntax.shapes import is_name, only_target
from done_lint.syntax.tree import Scope, Tree

FLAGS = ("terminated", "truncated")
#: Put before both names where they are taken.
_PREFIXES = ("", "is_", "env_")
#: What the old flag is called, where it gives its own name to a new one.
JOINED = "done"


def step_names(context: Context, scope: Scope, besides: Sequence[str] = ()) -> tuple[str, str]:
    """Names for the two flags, alike, that mean nothing else in the scope and are not among `besides`."""
    terminated, truncated = _free(context, scope, FLAGS, tuple(besides))
    return terminated, truncated


def step_name(context: Context, scope: Scope, name: str) -> str:
    """A name for one of the flags."""
    return _free(context, scope, (name,), ())[0]


@per_file
def _free(context: Context, scope: Scope, names: tuple[str, ...], besides: tuple[str, ...]) -> tuple[str, ...]:
    """The names, with a prefix where one of them is taken in the scope."""
    for alike in _alike(names):
        if not any(one in besides or _is_taken(context, scope, one) for one in alike):
            return alike
    raise AssertionError("numbers do not come to an end")


def _alike(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for prefix in _PREFIXES:
        yield tuple(prefix + name for name in names)
    count = 1
    while True:
        yield tuple(f"{name}_{count}" for name in names)
        count += 1


def _is_taken(context: Context, scope: Scope, name: str) -> bool:
    """Whether the name means something in the scope, other than a flag of a step that is still that step's there."""
    mentions = context.tree.scopes.mentions(scope, name)
    return bool(mentions) and not all(one in _own_mentions(context) for one in mentions)


@per_file
def _own_mentions(context: Context) -> set[cst.CSTNode]:
    """Names in the flag slots of five-value unpackings, and their reads behind, before another step is unpacked."""
    tree = context.tree
    old = grouped((one.scope, one.statement) for one in context.unpackings if four_valued(one))
    found: set[cst.CSTNode] = set()
    for statement in tree.of_type(cst.Assign):
        target = statement.targets[0].target
        if not isinstance(target, cst.Tuple) or len(target.elements) != 5:
            continue
        flags = [element.value for element in target.elements[2:4]]
        found.update(flags)
        scope = tree.scope(statement)
        for flag in flags:
            if isinstance(flag, cst.Name):
                reads = tree.scopes.reads(scope, flag.value)
                others = old.get(scope, ())
                found.update(read for read in reads if _is_read_first(tree, statement, read, others))
    return found


def _is_read_first(tree: Tree, statement: cst.Assign, read: cst.Name, others: Sequence[cst.Assign]) -> bool:
    """Whether a read stands behind a statement in its block, and none of the others in between, or around the read."""
    place: cst.CSTNode | None = tree.row(statement)
    if place is None or tree.scope(read) is not tree.scope(statement) or tree.span(read) < tree.span(statement):
        return False
    while (place := tree.following(place)) is not None:
        if any(tree.within(other, place) for other in others):
            return False
        if tree.within(read, place):
            return True
    return False


def renamed_flag(context: Context, scope: Scope, group: Sequence[Unpacking], done: int) -> Sequence[cst.Name]:
    """Where the old flag has the name of a new one: all places that call it `done` from now on; else none.

    `group` are the unpackings that change together, and `done` the place of the flag among their targets.
    """
    tree = context.tree
    flags = [member.targets[done] for member in group]
    name = flags[0].value if flags and isinstance(flags[0], cst.Name) else ""
    if not name or tree.scopes.is_declared(name) or any(_is_mentioned(tree, scope, one) for one in _others(name)):
        return ()
    bindings = [one for one in tree.scopes.bindings(scope, name) if one not in flags]
    if isinstance(scope, cst.ClassDef) or not all(
        only_target(tree.parents[tree.parents[one]]) is one for one in bindings
    ):
        return ()
    reads = tree.scopes.reads(scope, name)
    return [*bindings, *reads] if reads else ()


def is_waiting(context: Context, scope: Scope, group: Sequence[Unpacking], done: int) -> bool:
    """Whether both names stand ready for the flags: they begin as false, and what reads the one reads the other.

    `group` are the unpackings that change together, and `done` the place of the flag among their targets.
    """
    tree, (terminated, truncated) = context.tree, FLAGS
    flags = [member.targets[done] for member in group]
    if not flags or not is_name(flags[0], terminated) or tree.scopes.is_declared(terminated):
        return False
    ready = [one for name in FLAGS for one in tree.scopes.bindings(scope, name) if one not in flags]
    if {one.value for one in ready} != {*FLAGS} or not all(_begins_false(tree, one) for one in ready):
        return False
    both = tree.scopes.reads(scope, truncated)
    wholes = [_whole(tree, read) for read in tree.scopes.reads(scope, terminated)]
    return bool(wholes) and all(any(tree.within(one, whole) for one in both) for whole in wholes)


def _begins_false(tree: Tree, name: cst.Name) -> bool:
    """`terminated = False`, `terminated, truncated = False, False`."""
    statement = next((one for one in tree.ancestors(name) if isinstance(one, cst.BaseSmallStatement)), None)
    if not isinstance(statement, cst.Assign):
        return False
    value: cst.BaseExpression = statement.value
    for one in statement.targets:
        if isinstance(one.target, cst.Tuple) and tree.within(name, one.target):
            place = next(i for i, element in enumerate(one.target.elements) if tree.within(name, element))
            if not isinstance(value, cst.Tuple) or len(value.elements) != len(one.target.elements):
                return False
            value = value.elements[place].value
            break
    return is_name(value, "False")


def _whole(tree: Tree, read: cst.CSTNode) -> cst.CSTNode:
    """The whole expression that a read stands in."""
    whole = read
    for around in tree.ancestors(read):
        if isinstance(around, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            break
        whole = around
    return whole


def keeps_its_name(context: Context, scope: Scope, flag: cst.BaseExpression) -> bool:
    """Whether an old flag that is called `terminated` can be the new one: the other name is free in the scope."""
    if not isinstance(flag, cst.Name) or flag.value not in FLAGS:
        return False
    return not any(_is_mentioned(context.tree, scope, one) for one in {*FLAGS} - {flag.value})


def _others(name: str) -> set[str]:
    return {*FLAGS, JOINED} - {name}


def _is_mentioned(tree: Tree, scope: Scope, name: str) -> bool:
    """Whether the word stands anywhere in the scope."""
    return any(tree.within(one, scope) for one in tree.names(name))

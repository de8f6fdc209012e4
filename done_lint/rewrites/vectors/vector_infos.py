"""The infos of a vector environment: which names hold them all, and what loops and indices take them for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from done_lint.facts.kinds.results import Info
from done_lint.knowledge.array_functions import FOUND_PLACES
from done_lint.knowledge.env_apis import GYM_VECTOR, GYMNASIUM_VECTOR
from done_lint.knowledge.vector_info_keys import LISTING
from done_lint.rewrites.context import Context
from done_lint.rewrites.type_tests import asks_type, passed_tests
from done_lint.syntax.dotted import last_name
from done_lint.syntax.inner_bindings import bindings_seen
from done_lint.syntax.shapes import is_name, only_index, only_target
from done_lint.syntax.tree import Tree


def whole_infos(context: Context, node: cst.BaseExpression) -> Info | None:
    """The infos of all environments: what a step or a reset gave, and nothing else, by whatever way it came.

    Or the parameter of a function that every call in the program gives them.
    """
    info = context.facts.infos.get(context.tree.span(node))
    if info is None or info.env.api not in (GYM_VECTOR, GYMNASIUM_VECTOR) or LISTING.intersection(info.env.layers):
        return None
    if info.whole or not isinstance(node, cst.Name):
        return info if info.whole else None
    if _is_handed(context.tree, node):
        return info if info.only else None
    bindings = bindings_seen(context.tree, node)
    given = [binding for binding in bindings if _from_step(context.tree, binding)]
    others = (binding for binding in bindings if binding not in given)
    return info if given and not any(_may_hold(context.tree, node, other, given) for other in others) else None


def own_infos(context: Context, node: cst.BaseExpression) -> Info | None:
    """The infos of all environments, in the function that took the step: what is done with them there is all seen."""
    info = whole_infos(context, node)
    return None if isinstance(node, cst.Name) and _is_handed(context.tree, node) else info


def taken_for_list(context: Context, node: cst.BaseExpression) -> Info | None:
    """The infos that must not be taken for a list: no list of the project's own arrives there too.

    Nor where the code asks what they are: `infos[i] if isinstance(infos, list) else ...`. What a function is handed may
    be taken for a list in a branch for other environments, unless all that arrives are infos of several.
    """
    info = whole_infos(context, node)
    if info is None or info.listed or not (info.whole or own_infos(context, node)):
        return None
    tests = [one.test for one in context.tree.ancestors(node) if isinstance(one, (cst.If, cst.IfExp))]
    tests += passed_tests(context.tree, node)
    return None if any(asks_type(context.tree, test, {context.tree.source(node)}) for test in tests) else info


def _is_handed(tree: Tree, node: cst.Name) -> bool:
    """Whether a name is a parameter of its function, and nothing else."""
    bindings = bindings_seen(tree, node)
    return bool(bindings) and all(isinstance(tree.parents[one], cst.Param) for one in bindings)


def _may_hold(tree: Tree, read: cst.Name, other: cst.Name, given: Sequence[cst.Name]) -> bool:
    """Whether a read may have what another binding of its name gave; not if a step has given it anew since.

    What a loop goes over is read before its target is bound: `for info in info["final_info"]`. So is what a name is
    given: `info = {key: info[key] for key in info}`.
    """
    around = (cst.For, cst.BaseStatement, cst.BaseSmallStatement)
    binding = next((one for one in tree.ancestors(other) if isinstance(one, around)), None)
    before = tree.span(other)
    if isinstance(binding, cst.For) and tree.within(other, binding.target):
        before = tree.span(binding.body) if tree.within(read, binding.iter) else before
    elif not isinstance(binding, (cst.Assign, cst.AnnAssign)):
        return True
    elif tree.within(read, binding):
        before = tree.span(read)
    return not any(
        tree.span(step) < tree.span(read)
        and not tree.span(step) < before < tree.span(read)
        and tree.within(read, _block(tree, step))
        for step in given
    )


def _block(tree: Tree, node: cst.CSTNode) -> cst.CSTNode:
    """The block of the statement around a node."""
    row = tree.row(node)
    return tree.parents[row] if row is not None else node


def _from_step(tree: Tree, binding: cst.Name) -> bool:
    """Whether a name is bound by taking apart what a call returned, or to the empty dictionary before that."""
    for ancestor in tree.ancestors(binding):
        if isinstance(ancestor, (cst.Assign, cst.AnnAssign)):
            return isinstance(ancestor.value, (cst.Call, cst.Dict))
        if isinstance(ancestor, (cst.BaseStatement, cst.BaseSmallStatement, cst.CompFor, cst.Param)):
            return False
    return False


def taken_for_dictionaries(tree: Tree, node: cst.For | cst.CompFor, target: cst.BaseExpression) -> bool:
    """Whether what the loop binds to a target is taken for dictionaries, not for keys."""
    if not isinstance(target, cst.Name):
        return False
    body = node if isinstance(node, cst.For) else tree.parents[node]
    reads = tree.scopes.reads(tree.scope(node), target.value)
    return any(tree.within(read, body) and _is_dictionary(tree, read) for read in reads)


def gone_over(node: cst.For | cst.CompFor) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What a loop goes over, and the target of its items: `zip(dones, infos)` has several, and `enumerate` a number."""
    inside = enumerated(node.iter)
    target: cst.BaseExpression = node.target
    if inside is not node.iter and isinstance(target, cst.Tuple):
        target = target.elements[-1].value
    if isinstance(inside, cst.Call) and is_name(inside.func, "zip") and isinstance(target, cst.Tuple):
        if not any(one.star or one.keyword for one in inside.args):
            yield from ((one.value, to.value) for one, to in zip(inside.args, target.elements, strict=False))
    else:
        yield inside, target


def asks_its_items(tree: Tree, node: cst.For | cst.CompFor) -> bool:
    """Whether a loop asks what its items are: `for item in infos: if isinstance(item, dict)`.

    It goes over keys as well, and does nothing then.
    """
    names = {one.value for one in tree.inside(cst.Name, node.target)}
    return asks_type(tree, node if isinstance(node, cst.For) else tree.parents[node], names)


def _is_dictionary(tree: Tree, read: cst.Name) -> bool:
    """`item["episode"]`, `item.get(...)`, `"episode" in item`."""
    parent = tree.parents[read]
    if isinstance(parent, cst.Subscript) and parent.value is read:
        return isinstance(parent.slice[0].slice, cst.Index) and isinstance(
            parent.slice[0].slice.value, cst.SimpleString
        )
    if isinstance(parent, cst.Attribute):
        return parent.attr.value in ("get", "keys", "items", "values", "pop")
    return isinstance(parent, cst.ComparisonTarget) and isinstance(parent.operator, (cst.In, cst.NotIn))


def is_number_of_env(tree: Tree, key: cst.BaseExpression) -> bool:
    """Whether an index is a number: written out, counted from the end too, or counted by `range` or `enumerate`.

    Or looked for in an array: `int(np.argmax(dones))`, `for i in np.flatnonzero(dones)`.
    """
    if isinstance(key, cst.UnaryOperation) and isinstance(key.operator, cst.Minus):
        return isinstance(key.expression, cst.Integer)
    if isinstance(key, cst.Integer) or _is_looked_for(key):
        return True
    if not isinstance(key, cst.Name):
        return False
    bindings = bindings_seen(tree, key)
    return bool(bindings) and all(_counted(tree, binding) for binding in bindings)


def _counted(tree: Tree, binding: cst.Name) -> bool:
    for ancestor in tree.ancestors(binding):
        if isinstance(ancestor, (cst.For, cst.CompFor)):
            first = ancestor.target.elements[0].value if isinstance(ancestor.target, cst.Tuple) else ancestor.target
            counter = ancestor.iter.func if isinstance(ancestor.iter, cst.Call) else None
            counting = is_name(counter, "range", "enumerate") or (
                ancestor.target is binding and _is_looked_for(ancestor.iter)
            )
            return counting and first is binding
        if isinstance(ancestor, cst.Assign):
            return only_target(ancestor) is binding and _is_looked_for(ancestor.value)
        if isinstance(ancestor, (cst.BaseSmallStatement, cst.BaseStatement)):
            return False
    return False


def _is_looked_for(node: cst.BaseExpression) -> bool:
    """`np.where(dones)[0]`, `int(np.argmax(dones))`, `np.flatnonzero(dones).tolist()`: numbers of elements."""
    if isinstance(node, cst.Subscript):
        return isinstance(only_index(node), cst.Integer) and _is_looked_for(node.value)
    if not isinstance(node, cst.Call):
        return False
    if is_name(node.func, "int", "list") and len(node.args) == 1:
        return _is_looked_for(node.args[0].value)
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in ("tolist", "item", "squeeze", "flatten"):
        return _is_looked_for(node.func.value)
    return last_name(node.func) in FOUND_PLACES


def enumerated(node: cst.BaseExpression) -> cst.BaseExpression:
    """What `enumerate` goes over, or the expression itself."""
    if isinstance(node, cst.Call) and is_name(node.func, "enumerate"):
        return node.args[0].value if len(node.args) == 1 and not node.args[0].star else node
    return node

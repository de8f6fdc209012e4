"""Resets in the step that ends an episode, of environments of which little but this code is known.

A worker is handed a function, and a class a list of them: what they make can be seen nowhere. Five values of a step of
which either flag leads to a reset of the same object, whose result is taken for a pair, are those of Gymnasium.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

import libcst as cst

from done_lint.knowledge import naming_conventions
from done_lint.rewrites.context import Context
from done_lint.rewrites.vectors.kept_side_by_side import is_one_of_several, kept_values, names_flags
from done_lint.rewrites.vectors.overwritten_observations import TakenStep, first_of_resets, overwritten
from done_lint.rewrites.vectors.replaced_observations import replacement
from done_lint.rewrites.vectors.sent_apart import Row, goes_apart, is_given, rows_in, values_of
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, method_called
from done_lint.syntax.tree import Tree


def resets_of_unknown(context: Context) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    """The steps of a file behind which such a reset follows, and what is given the observation after it."""
    tree = context.tree
    if tree.attributes("step") and tree.attributes("reset"):
        for statement in tree.of_type(cst.Assign):
            step = _step(context, statement)
            found = _replaced(tree, step) if step is not None else None
            if step is not None and found is not None:
                yield step.call, found


def is_kept(tree: Tree, statement: cst.Assign, name: str, reset: cst.Name) -> bool:
    """Whether something has taken the observation of a step before the reset behind it replaces it."""
    reads = (one for one in tree.scopes.reads(tree.scope(statement), name) if _between(tree, statement, one, reset))
    return not all(_gives_back(tree, one) for one in reads)


def _between(tree: Tree, first: cst.CSTNode, node: cst.CSTNode, last: cst.CSTNode) -> bool:
    return tree.span(first) < tree.span(node) < tree.span(last) and not tree.within(node, first)


def _gives_back(tree: Tree, read: cst.Name) -> bool:
    """Whether what is made of a name becomes its new value: `obs = normalized(obs)`."""
    row = tree.row(read)
    small = row.body[0] if row is not None and len(row.body) == 1 else None
    return isinstance(small, cst.Assign) and is_name(small.targets[0].target, read.value)


def _step(context: Context, statement: cst.Assign) -> TakenStep | None:
    """The step that a statement takes apart, unless it is known to be another one than Gymnasium's."""
    tree, call, target = context.tree, statement.value, statement.targets[0].target
    if method_called(call) != "step" or not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None
    if not isinstance(target, cst.Tuple) or len(target.elements) != 5:
        return None
    known = context.facts.steps.get(tree.span(call))
    if known is not None and (known.env.api.vector or not known.env.api.five):
        return None
    values = [one.value for one in target.elements]
    names = [last_name(one.value if isinstance(one, cst.Subscript) else one) for one in values]
    if not all(names) or not naming_conventions.of_step(names):
        return None
    written = [tree.source(one) for one in values]
    kept = frozenset(one for one, value in zip(written, values, strict=True) if isinstance(value, cst.Subscript))
    stepped = tree.source(call.func.value)
    return TakenStep(statement, call, stepped, written[0], (written[2], written[3]), kept)


def _replaced(tree: Tree, step: TakenStep) -> cst.BaseExpression | None:
    """What the branch behind a step binds to the observation after a reset, if both flags go out with it."""
    block = tree.siblings(tree.parents[step.statement])
    behind = [one for one in block if tree.span(one) > tree.span(step.statement)]
    branch = next((one for one in behind if isinstance(one, cst.If) and _asks(tree, step, behind, one)), None)
    if branch is None or any(_is_bound_again(tree, step, name, block[-1]) for name in step.flags):
        return None
    firsts = first_of_resets(tree, step, branch)
    found = replacement(tree, branch, firsts, step.statement, step.observation)
    if found is None:
        return overwritten(tree, step, behind, branch)
    reset = found.place
    if isinstance(reset, cst.Name) and is_kept(tree, step.statement, step.observation, reset):
        return None
    if not isinstance(reset, cst.Name) and _is_taken_before(tree, step, behind, reset):
        return None
    later = [one for one in behind if tree.span(one) > tree.span(branch)]
    flags = step.flags[:1] if _hides_truncation(tree, step, behind, branch) else step.flags
    goes_out = (
        _goes_out(tree, flags, later, found.written)
        or _goes_side_by_side(tree, step, behind, {found.written, *flags})
        or goes_apart(tree, later, found.written, lambda row: _has_flags(tree, flags, row))
    )
    return reset if goes_out else None


def _asks(tree: Tree, step: TakenStep, behind: Sequence[cst.CSTNode], branch: cst.If) -> bool:
    """Whether a branch is taken at either flag: `if done or truncated`, or by names that are given that before."""
    held = {flag: {flag} for flag in step.flags}
    for row in (one for one in behind if tree.span(one) < tree.span(branch)):
        for one in tree.inside(cst.Assign, row):
            flags = _flags_in(tree, held, one.value)
            held.setdefault(tree.source(one.targets[0].target), set()).update(flags)
    return _flags_in(tree, held, branch.test).issuperset(step.flags)


def _flags_in(tree: Tree, held: Mapping[str, set[str]], expression: cst.CSTNode) -> set[str]:
    """The flags of which an expression tells."""
    return set().union(*(held.get(one, ()) for one in _written(tree, expression)))


def _written(tree: Tree, node: cst.CSTNode) -> set[str]:
    """What is read inside of a node, as it is written."""
    return {tree.source(one) for one in (*tree.inside(cst.Name, node), *tree.inside(cst.Subscript, node))}


def _is_taken_before(tree: Tree, step: TakenStep, behind: Sequence[cst.CSTNode], reset: cst.BaseExpression) -> bool:
    """Whether an element of a container with observations is read between a step and the reset behind it."""
    reads = (one for row in behind for one in tree.inside(cst.Subscript, row) if tree.span(one) < tree.span(reset))
    return any(tree.source(one) == step.observation for one in reads)


def _is_bound_again(tree: Tree, step: TakenStep, name: str, last: cst.CSTNode) -> bool:
    """Whether a flag is something else by the end of the block."""
    start, end = tree.span(step.statement), tree.span(last)
    bindings = tree.scopes.bindings(tree.scope(step.statement), name)
    return any(start < tree.span(one) <= end and not tree.within(one, step.statement) for one in bindings)


def _hides_truncation(tree: Tree, step: TakenStep, behind: Sequence[cst.CSTNode], branch: cst.If) -> bool:
    """Whether truncation leads to the reset alone: nothing else is done with it, or with what is made of it."""
    held = {step.flags[1]}
    for row in behind:
        for node in (*tree.inside(cst.Name, row), *tree.inside(cst.Subscript, row)):
            if tree.source(node) in held and not tree.within(node, branch.test):
                if not names_flags(tree, node):
                    return False
                held.update(tree.source(one.targets[0].target) for one in tree.inside(cst.Assign, row))
    return True


def _goes_out(tree: Tree, flags: Sequence[str], later: Sequence[cst.CSTNode], observation: str) -> bool:
    """Whether a row of the observation and the flags is sent or stored: not returned, as that of one would be."""
    for row in (one for statement in later for one in rows_in(tree, statement)):
        if {tree.source(_unconverted(one)) for one in values_of(row)}.issuperset({observation, *flags}):
            return is_given(tree, row)  # no `yield`, either
    return False


def _has_flags(tree: Tree, flags: Sequence[str], row: Row) -> bool:
    """Whether a row has these flags of the step."""
    return {tree.source(_unconverted(one)) for one in values_of(row)}.issuperset(flags)


def _goes_side_by_side(tree: Tree, step: TakenStep, behind: Sequence[cst.CSTNode], wanted: Set[str]) -> bool:
    """Whether a loop over environments keeps each of these values in a container of its own."""
    values = {tree.source(_unconverted(value)) for one in behind for value in kept_values(one)}
    together = step.kept.union(values).issuperset(wanted)
    return together and is_one_of_several(tree, step.statement, step.call)


def _unconverted(value: cst.BaseExpression) -> cst.BaseExpression:
    """The flag in `float(terminated)`."""
    while isinstance(value, cst.Call) and len(value.args) == 1 and isinstance(value.func, cst.Name):
        value = value.args[0].value
    return value

"""How a `reset` passes its seed on, which GYM302, GYM304 and GYM309 share.

An environment seeds `np_random` with `super().reset(seed=seed)`, and what it keeps of the library's environments with
the same seed. A wrapper passes seed and options to the wrapped environment. Both do so in the reset that happens first
on every path through the method: a second reset with the same seed would start the same episode again.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import (
    EnvMethod,
    calls_base,
    calls_of,
    is_abstract,
    is_unbound,
    keywords,
    own_name,
    parameters,
    receiver,
)
from done_lint.rewrites.reset_tuple.carried_pair import named_apart
from done_lint.rewrites.seeds.held_environments import held_resets
from done_lint.syntax.arguments import keyword, keyword_argument
from done_lint.syntax.docstrings import docstring
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits, indentation, newline, replaced
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

#: What a seed would do that is passed on although nobody asks for one.
_SAME_EPISODE = "every `reset()` without one would start the same episode"


class Unforwardable(Exception):
    """The seed cannot be passed on; the message says why, in one clause."""


def forwarding(context: Context, method: EnvMethod, names: Sequence[str]) -> Edits:
    """Edits that pass on what `reset` takes as `names` (`seed`, `options`).

    Raises:
        Unforwardable: there is no place where it is sure to be right.
    """
    function = method.function
    if is_abstract(function):
        return ()
    if "seed" in names and (fixed := _default_seed(function)) is not None:
        raise Unforwardable(f"the default of `seed` is `{context.tree.source(fixed)}`: {_SAME_EPISODE}")
    calls = inner_resets(context.tree, method)
    if not calls and method.owner.wrapper:
        raise Unforwardable("it resets no environment that could take the seed")
    held = _held_seeded(context, method) if "seed" in names else ()
    if not calls:
        base = _reset_that_seeds(context.tree, method) if "seed" in names else ""
        return (*_seeded_first(context.tree, method, base), *held) if base else ()
    edits = [*held]
    first = _first(context.tree, function, calls)
    if names and len(first) == len(calls) and not any(calls_base(context.tree, one) for one in calls):
        edits += named_apart(context.tree, function, first)
    for call in first:
        given = keywords(call)
        if any(argument.keyword is None for argument in call.args[is_unbound(context.tree, call) :]):
            raise Unforwardable("the inner reset has arguments that are not keywords")
        if "seed" in names and calls_base(context.tree, call) and _draws_before(context, function, call):
            raise Unforwardable("it draws random numbers before the base class could seed them")
        taken = [name for name in names if name not in given and _accepted(context, method, call, name)]
        added = [keyword_argument(name, cst.Name(name)) for name in taken]
        own = [one for one in call.args if keyword(one) == "seed" and "seed" in names]
        args = [_preferring(context.tree, one) if one in own else one for one in call.args]
        edits += replaced(context.tree, call, call.with_changes(args=[*args, *added])) if taken or own else ()
    return tuple(edits)


def _default_seed(function: cst.FunctionDef) -> cst.BaseExpression | None:
    """The seed that a `reset` takes where it is given none: `42` of `seed: int = 42`; None: there is none such."""
    defaults = (one.default for one in parameters(function) if one.name.value == "seed")
    return next((one for one in defaults if one is not None and not is_name(one, "None")), None)


def _preferring(tree: Tree, argument: cst.Arg) -> cst.Arg:
    """The seed that is asked for, before one that the reset has had so far: `seed=self.seed if seed is None else seed`.

    Raises:
        Unforwardable: the one it has had is no plain value.
    """
    value, seed = argument.value, cst.Name("seed")
    if is_name(value, "None"):
        return argument.with_changes(value=seed)
    if not isinstance(value, (cst.Attribute, cst.Integer, cst.Name, cst.Subscript)) or is_name(value, "seed"):
        raise Unforwardable(f"its reset is given the seed `{tree.source(value)}` already")
    asked = cst.Comparison(seed, [cst.ComparisonTarget(cst.Is(), cst.Name("None"))])
    return argument.with_changes(value=cst.IfExp(body=value, test=asked, orelse=seed))


def _held_seeded(context: Context, method: EnvMethod) -> Edits:
    """The seed for the environment of the library that the class keeps."""
    tree, seed = context.tree, keyword_argument("seed", cst.Name("seed"))
    calls = _first(tree, method.function, held_resets(context, method))
    return tuple(edit for call in calls for edit in replaced(tree, call, call.with_changes(args=[seed])))


def _draws_before(context: Context, function: cst.FunctionDef, call: cst.Call) -> bool:
    """Whether an environment's generator is used in the function ahead of the call."""
    start, end = context.tree.span(function), context.tree.span(call)
    return any(start < span < end for span in context.facts.generators)


def inner_resets(tree: Tree, method: EnvMethod) -> list[cst.Call]:
    """The resets that the seed may go to: those of the base class, and for a wrapper those of `self.env`."""
    inside = f"{own_name(method.function)}.env"
    return [
        call
        for call in calls_of(tree, method.function, "reset")
        if calls_base(tree, call) or (method.owner.wrapper and tree.source(receiver(call)) == inside)
    ]


def seeds(tree: Tree, method: EnvMethod) -> bool:
    """Whether this `reset` already passes its seed, or all its keywords, on."""
    return any(keywords(call) & {"seed", "**"} for call in inner_resets(tree, method))


def _accepted(context: Context, method: EnvMethod, call: cst.Call, name: str) -> bool:
    if not calls_base(context.tree, call):
        inside = context.facts.envs.get(context.tree.span(receiver(call)))
        if context.facts.old_package and (inside is None or not inside.api.five):
            raise Unforwardable("the wrapped environment is made for Gym and may take no seed")
        return True
    inherited = method.owner.inherited
    if inherited is None:
        raise Unforwardable("the `reset` of a base class is not visible")
    if name == "seed" and not inherited.accepts(name):
        raise Unforwardable(f"the `reset` of `{inherited.owner}` has to take a seed first")
    # The library's own takes options and does nothing with them.
    return inherited.accepts(name) and not (name == "options" and inherited.only_seeds)


def _reset_that_seeds(tree: Tree, method: EnvMethod) -> str:
    """What leads to the library's `reset`, which only seeds: past that of the class's own base, which never ran here.

    Raises:
        Unforwardable: another `reset` stands between.
    """
    inherited = method.owner.inherited
    if inherited is None:
        raise Unforwardable("the `reset` of a base class is not visible")
    if inherited.only_seeds:
        return "super()"
    bases = [base.value for base in method.body.bases if last_name(base.value) == inherited.owner]
    if not inherited.below_seeding or not bases:
        raise Unforwardable(f"`super().reset(seed=seed)` would run the whole `reset` of `{inherited.owner}`")
    return f"super({tree.source(bases[0])}, {own_name(method.function)})"


def _seeded_first(tree: Tree, method: EnvMethod, base: str) -> Edits:
    """`super().reset(seed=seed)` as the first statement."""
    body = method.function.body
    code = f"{base}.reset(seed=seed)"
    if isinstance(body, cst.SimpleStatementSuite):
        start = tree.offsets(body.body[0])[0]
        return (Edit(start, start, f"{code}; "),)
    start, indent = first_place(tree, method.function)
    return (Edit(start, start, f"{indent}{code}{newline(tree)}"),)


def first_place(tree: Tree, function: cst.FunctionDef) -> tuple[int, str]:
    """Where the first row of a function of several rows begins, behind its docstring, and its indentation."""
    first, *rest = function.body.body
    if rest and docstring(function) is not None:
        row = tree.span(first).end_row + 1
    else:
        row = tree.span(first).row - len(getattr(first, "leading_lines", ()))
    return tree.lines.offset(row, 0), indentation(tree, first)


def _first(tree: Tree, function: cst.FunctionDef, calls: Sequence[cst.Call]) -> list[cst.Call]:
    """The calls before which no other one can have happened.

    Raises:
        Unforwardable: a loop, or a branch that may or may not reset, comes before another reset.
    """
    found, _ = _first_in(tree, function.body, calls)
    return found


def _first_in(tree: Tree, node: cst.CSTNode, calls: Sequence[cst.Call]) -> tuple[list[cst.Call], bool]:
    """First calls inside a node, and whether one happens on every path to its end."""
    inside = [call for call in calls if tree.within(call, node)]
    if not inside:
        return [], False
    if isinstance(node, (cst.IndentedBlock, cst.SimpleStatementSuite, cst.Else)):
        block = node.body.body if isinstance(node, cst.Else) else node.body
        return _first_of(tree, block, calls)
    if isinstance(node, cst.If):
        body, always = _first_in(tree, node.body, calls)
        if node.orelse is None:
            return body, False
        other, too = _first_in(tree, node.orelse, calls)
        return [*body, *other], (always or _leaves(node.body)) and (too or _leaves(node.orelse.body))
    if isinstance(node, cst.With):
        return _first_in(tree, node.body, calls)
    if isinstance(node, (cst.SimpleStatementLine, cst.BaseSmallStatement)):
        return inside[:1], True
    raise Unforwardable("its first reset may happen more than once")


def _first_of(tree: Tree, block: Sequence[cst.CSTNode], calls: Sequence[cst.Call]) -> tuple[list[cst.Call], bool]:
    found: list[cst.Call] = []
    for statement in block:
        inside, always = _first_in(tree, statement, calls) if not found else _again(tree, statement, calls)
        found += inside
        if always:
            return found, True
        if inside and isinstance(statement, cst.If) and statement.orelse is None and _leaves(statement.body):
            # The branch returns: what follows is another path.
            rest, always = _first_of(tree, block[block.index(statement) + 1 :], calls)
            return [*found, *rest], always
    return found, False


def _again(tree: Tree, statement: cst.CSTNode, calls: Sequence[cst.Call]) -> tuple[list[cst.Call], bool]:
    if any(tree.within(call, statement) for call in calls):
        raise Unforwardable("which of its resets comes first depends on the branch")
    return [], False


def _leaves(node: cst.BaseSuite | cst.CSTNode) -> bool:
    """Whether a block ends in `return` or `raise`."""
    last = getattr(node, "body", ())
    last = last[-1] if last else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, (cst.Return, cst.Raise))

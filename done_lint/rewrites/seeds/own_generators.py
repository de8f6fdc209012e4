"""Generators that an environment keeps beside `np_random`, and draws from: a seed has to reach them too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.knowledge.array_functions import MAKING_GENERATORS
from done_lint.rewrites.env_methods import EnvMethod, own_name
from done_lint.rewrites.env_methods import method as method_named
from done_lint.rewrites.seeds.constant_seeds import constant_on_purpose
from done_lint.rewrites.seeds.handed_generators import is_handed_on
from done_lint.rewrites.seeds.seed_forwarding import first_place
from done_lint.syntax.dotted import dotted, last_name
from done_lint.syntax.edits import Edits, newline
from done_lint.syntax.shapes import is_name, only_target
from done_lint.syntax.tree import Tree


def reseeded(tree: Tree, method: EnvMethod, forwarded: Edits) -> Edits:
    """Edits that pass a seed on, and make what the constructor makes again where one is asked for.

    `if seed is not None: self.rng = np.random.default_rng(seed)`, behind what is written at the beginning already.
    """
    if not isinstance(method.function.body, cst.IndentedBlock):
        return forwarded
    place, indent = first_place(tree, method.function)
    unit, end = method.function.body.indent or tree.module.default_indent, newline(tree)
    lines = [f"{indent}{unit}{target} = {made}(seed){end}" for target, made in _made_again(tree, method).items()]
    if not lines:
        return forwarded
    written = [one for one in forwarded if (one.start, one.end) == (place, place)]
    others = [one for one in forwarded if one not in written]
    text = "".join((*(one.text for one in written), f"{indent}if seed is not None:{end}", *lines))
    return (*others, Edit(place, place, text))


def kept_by_another(tree: Tree, method: EnvMethod) -> str:
    """Why a generator that is made again is no promise: what the constructor gives it to keeps the old one."""
    if not isinstance(method.function.body, cst.IndentedBlock):
        return ""
    handed = (one for one in _made_again(tree, method) if is_handed_on(tree, method, one))
    return next(
        (f"its constructor hands `{one}` on, and what has it would keep the old generator" for one in handed), ""
    )


def _made_again(tree: Tree, method: EnvMethod) -> Mapping[str, str]:
    """The generators of the class, each with the function that makes it.

    Not one with the same seed in every environment, where the constructor seeds another one as it is asked to.
    """
    start = method_named(method.body, "__init__")
    if method.owner.wrapper or start is None or own_name(start) != own_name(method.function):
        return {}
    found = {tree.source(one): dotted(call.func) for one, call in _made(tree, method, start)}
    constant = constant_on_purpose(tree, start, found)
    return {target: made for target, made in found.items() if target not in constant}


def _made(tree: Tree, method: EnvMethod, start: cst.FunctionDef) -> Iterator[tuple[cst.Attribute, cst.Call]]:
    """What the constructor makes that the class draws from: attributes, each with the call."""
    imported = {name.split(".")[0] for name in _imported(tree)}
    for statement in tree.inside(cst.Assign, start):
        target, call = only_target(statement), statement.value
        own = isinstance(target, cst.Attribute) and is_name(target.value, own_name(start))
        if not isinstance(target, cst.Attribute) or not own or not isinstance(call, cst.Call):
            continue
        known = last_name(call.func) in MAKING_GENERATORS and dotted(call.func).split(".")[0] in imported
        if not known or len(call.args) > 1 or target.attr.value == "np_random":
            continue
        if not _is_bound_in(tree, method.function, target) and _draws_from(tree, method.body, target):
            yield target, call


def _imported(tree: Tree) -> Iterator[str]:
    """What the imports at the top of a file are called in it."""
    rows = (row for row in tree.module.body if isinstance(row, cst.SimpleStatementLine))
    statements = [one for row in rows for one in row.body if isinstance(one, (cst.Import, cst.ImportFrom))]
    for statement in statements:
        for one in () if isinstance(statement.names, cst.ImportStar) else statement.names:
            yield one.evaluated_alias or one.evaluated_name


def _is_bound_in(tree: Tree, function: cst.FunctionDef, target: cst.Attribute) -> bool:
    """Whether a method binds the attribute itself."""
    return any(tree.source(one.target) == tree.source(target) for one in tree.inside(cst.AssignTarget, function))


def _draws_from(tree: Tree, body: cst.ClassDef, target: cst.Attribute) -> bool:
    """Whether a method of the attribute is called: `self.rng.integers(5)`."""
    called = (one.func for one in tree.inside(cst.Call, body) if isinstance(one.func, cst.Attribute))
    return any(tree.source(one.value) == tree.source(target) for one in called)

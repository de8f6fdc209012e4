"""Environments that are seeded by a generator, `env.np_random = ...`, from which their next reset draws."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import class_of, environment_class, statements
from done_lint.rewrites.imports import module_name, numpy_added
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.syntax.edits import Edits, added_before, replaced
from done_lint.syntax.expressions import assignment, bare_tuple
from done_lint.syntax.tree import Scope

_NOTHING: Edits = ()
_ELSEWHERE = "the first reset stands elsewhere, and one here would be another episode"
_USED = "its value is used"


def seeded_generator(
    context: Context,
    environment: cst.BaseExpression,
    place: cst.CSTNode,
    seed: cst.BaseExpression,
    *,
    several: bool = False,
) -> Outcome:
    """`env.np_random = np.random.default_rng(s)` in a statement's place: what a reset with it would draw from."""
    tree = context.tree
    numpy, added = module_name(tree, "numpy"), _NOTHING
    gym = module_name(tree, "gymnasium") or module_name(tree, "gym")
    if not numpy and not gym:
        if (imported := numpy_added(tree)) is None:
            return unfixed(_ELSEWHERE)
        numpy, added = "np", imported
    if several and not numpy:
        return unfixed(_ELSEWHERE)
    made = f"{numpy}.random.default_rng" if numpy else f"{gym}.utils.seeding.np_random"
    new = (
        _given_generators(tree.source(environment), made, tree.source(seed))
        if several
        else _assigned_generator(environment, made, seed)
    )
    return fixed("seed its generator", replaced(tree, place, new), added)


def seeds_of_generator(
    context: Context, call: cst.Call, environment: cst.BaseExpression, statement: cst.Assign | cst.Return
) -> Outcome:
    """`return env.seed(s)`: the generator first, then the list of seeds that old Gym gave."""
    tree, seed, row = context.tree, call.args[0].value, context.tree.row(call)
    numpy, added = module_name(tree, "numpy"), _NOTHING
    alone = isinstance(row, cst.SimpleStatementLine) and len(row.body) == 1 and statement.value is call
    if not alone or not isinstance(seed, (cst.Name, cst.Integer, cst.Attribute)):
        return unfixed(_USED)
    if not numpy:
        if (imported := numpy_added(tree)) is None:
            return unfixed(_USED)
        numpy, added = "np", imported
    new = _assigned_generator(environment, f"{numpy}.random.default_rng", seed)
    given = cst.List([cst.Element(seed)])
    return fixed("seed its generator", added_before(tree, statement, new), replaced(tree, call, given), added)


def hands_on_only(context: Context, scope: Scope, call: cst.Call) -> bool:
    """Whether a method of a wrapper does nothing but to seed what is inside, and to return what it was given."""
    owner = class_of(context, scope) if isinstance(scope, cst.FunctionDef) else None
    known = environment_class(context, owner) if owner is not None else None
    if known is None or not known.wrapper or not isinstance(scope, cst.FunctionDef):
        return False
    others = [one for one in statements(scope) if not context.tree.within(call, one)]
    return all(
        isinstance(one, cst.Return) and not any(isinstance(part, cst.Call) for part in context.tree.descend(one))
        for one in others
    )


def _assigned_generator(environment: cst.BaseExpression, made: str, seed: cst.BaseExpression) -> cst.Assign:
    """`env.np_random = np.random.default_rng(seed)`, or the first of the two values that Gym's function gives."""
    own = cst.Attribute(environment, cst.Name("np_random"))
    value = cst.Call(cst.parse_expression(made), [cst.Arg(seed)])
    return assignment(bare_tuple(own, cst.Name("_")) if made.endswith("np_random") else own, value)


def _given_generators(environments: str, made: str, seed: str) -> cst.Expr:
    """The generators of several environments, as their `seed` numbered them: up to Gym 0.23 the first number and on."""
    numbers = f"range({seed}, {seed} + {environments}.num_envs)"
    code = f'{environments}.set_attr("np_random", [{made}(number) for number in {numbers}])'
    return cst.Expr(cst.parse_expression(code))

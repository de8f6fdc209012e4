"""What else changes with the import: a sample of a discrete action space is numpy's integer, not Python's.

Up to Gym 0.26 `Discrete.sample()` returned an `int` (its source); in Gymnasium it is a `numpy.int64`, which is no
`int`. `isinstance(env.action_space.sample(), int)`, a wide-spread way to ask for a discrete space, turns false
without a word. The change of the import brings this about, so its fix takes care of it (GYM401).

So is `Discrete.n` (`int` up to Gymnasium 0.26, `numpy.int64` in 1.4), which Keras 3 refuses: `Dense(units)` raises
`ValueError` for what is no `int` (keras/src/layers/core/dense.py).
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.facts import Facts
from done_lint.knowledge.env_apis import GYM
from done_lint.knowledge.env_members import SPACES
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import is_env_method
from done_lint.rewrites.imports import numpy_added
from done_lint.syntax.dotted import dotted, last_name
from done_lint.syntax.edits import Edits, exchanged, replaced
from done_lint.syntax.shapes import only_target
from done_lint.syntax.tree import Tree


def sampled_integers(context: Context) -> Edits:
    """Edits that let each test of a sample's type accept numpy's integers, with an import of numpy where it lacks.

    So of the action that a `step` of the file is given: who calls it may have sampled it.
    """
    tree, facts = context.tree, context.facts
    edits: list[Edits] = []
    imported: Edits = ()
    for call in tree.of_type(cst.Call):
        if not isinstance(call.func, cst.Name) or call.func.value != "isinstance" or len(call.args) != 2:
            continue
        sample, kind = call.args
        if not isinstance(kind.value, cst.Name) or kind.value.value != "int":
            continue
        if not (_is_sample(tree, facts, sample.value) or _is_action(context, sample.value)):
            continue
        numpy = _numpy(tree, call)
        if not numpy:
            if (added := numpy_added(tree)) is None:
                continue
            numpy, imported = "np", added
        both = [cst.Element(cst.Name("int")), cst.Element(cst.parse_expression(f"{numpy}.integer"))]
        edits.append(replaced(tree, call, exchanged(call, {kind.value: cst.Tuple(both)})))
    return tuple(edit for group in (imported, *edits) for edit in group)


def sizes_for_layers(tree: Tree, facts: Facts) -> Edits:
    """Edits that make Python integers of the sizes of spaces that layers are given, wherever these stand.

    In a file that imports Keras, so are those that it keeps or hands on in another way than can be followed.
    """
    keras = _imports_keras(tree)
    edits: list[Edits] = []
    for size in tree.attributes("n") if keras or facts.sizes else ():
        wanted = tree.span(size) in facts.sizes or (keras and _is_handed_on(tree, size))
        if wanted and is_of_space(facts, tree, size.value):
            edits.append(replaced(tree, size, cst.Call(cst.Name("int"), [cst.Arg(size)])))
    return tuple(edit for group in edits for edit in group)


def is_refused_size(tree: Tree, facts: Facts, node: cst.Attribute) -> bool:
    """Whether a layer is given this size of a Gym environment, in a file with no import of Gym that could tell."""
    return (
        tree.span(node) in facts.sizes
        and isinstance(node.value, cst.Attribute)
        and (env := facts.envs.get(tree.span(node.value.value))) is not None
        and env.api == GYM
        and not env.mixed
        and not any(name == "gym" or name.startswith("gym.") for name in facts.names.values())
    )


def _imports_keras(tree: Tree) -> bool:
    """Whether the file imports Keras, by itself or as a part of TensorFlow."""
    modules = [dotted(alias.name) for one in tree.of_type(cst.Import) for alias in one.names]
    for one in tree.of_type(cst.ImportFrom):
        module = "" if one.module is None or one.relative else dotted(one.module)
        names = () if isinstance(one.names, cst.ImportStar) else one.names
        modules += [module, *(f"{module}.{dotted(alias.name)}" for alias in names)]
    return any(module.partition(".")[0] == "keras" or ".keras" in module for module in modules) or (
        "tensorflow" in modules and bool(tree.names("keras"))
    )


def _is_handed_on(tree: Tree, size: cst.Attribute) -> bool:
    """`n = env.action_space.n`, `Dense(env.action_space.n)`, `Agent(env.action_space.n)` of a class of the file.

    So is one side of a choice: `env.action_space.n if discrete else 1`.
    """
    value: cst.CSTNode = size
    while isinstance(choice := tree.parents[value], cst.IfExp) and choice.test is not value:
        value = choice
    parent = tree.parents[value]
    if isinstance(parent, cst.Assign):
        return any(_is_read(tree, one.target) for one in parent.targets)
    call = tree.parents[parent]
    if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
        return last_name(call.func) == "Dense" if isinstance(call, cst.Call) else False
    bindings = tree.scopes.bindings(tree.module, call.func.value)
    own = any(isinstance(tree.parents[one], (cst.ClassDef, cst.FunctionDef)) for one in bindings)
    return own or call.func.value == "Dense"


def _is_read(tree: Tree, target: cst.BaseExpression) -> bool:
    """Whether something may read what is assigned to a target; of a local variable all readers can be seen."""
    scope = tree.scope(target)
    return not isinstance(target, cst.Name) or scope is tree.module or bool(tree.scopes.reads(scope, target.value))


def is_of_space(facts: Facts, tree: Tree, space: cst.BaseExpression) -> bool:
    """`env.action_space` of an environment of the library's."""
    if not isinstance(space, cst.Attribute) or space.attr.value not in SPACES:
        return False
    env = facts.envs.get(tree.span(space.value))
    return env is not None and env.api.five


def _is_sample(tree: Tree, facts: Facts, value: cst.BaseExpression) -> bool:
    """`env.action_space.sample()` of an environment of the library's, or a name that is given nothing else."""
    if isinstance(value, cst.Name):
        scopes = tree.scopes
        bindings = scopes.bindings(scopes.resolved(tree.scope(value), value.value), value.value)
        values = [_bound(tree, one) for one in bindings]
        return bool(values) and all(one is not None and _is_sample(tree, facts, one) for one in values)
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
        return False
    return value.func.attr.value == "sample" and is_of_space(facts, tree, value.func.value)


def _is_action(context: Context, value: cst.BaseExpression) -> bool:
    """Whether an expression is the action that the `step` of an environment's class is given, and nothing else."""
    function = context.tree.scope(value)
    if not isinstance(value, cst.Name) or not is_env_method(context, function, "step"):
        return False
    params = function.params.params if isinstance(function, cst.FunctionDef) else ()
    first = next((one.name for one in params[1:2]), None)
    bindings = context.tree.scopes.bindings(function, value.value) if isinstance(function, cst.FunctionDef) else ()
    return first is not None and first.value == value.value and list(bindings) == [first]


def _bound(tree: Tree, name: cst.CSTNode) -> cst.Call | None:
    """The call whose result a binding gives to a name."""
    statement = tree.parents[tree.parents[name]]
    value = statement.value if isinstance(statement, cst.Assign) and only_target(statement) is name else None
    return value if isinstance(value, cst.Call) else None


def _numpy(tree: Tree, call: cst.Call) -> str:
    """The name that numpy has where the call stands."""
    for statement in tree.of_type(cst.Import):
        if tree.scope(statement) not in (tree.module, tree.scope(call)):
            continue
        for alias in statement.names:
            if isinstance(alias.name, cst.Name) and alias.name.value == "numpy":
                bound = alias.asname.name if alias.asname is not None else alias.name
                return bound.value if isinstance(bound, cst.Name) else ""
    return ""

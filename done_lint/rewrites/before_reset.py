"""Where an environment of `make` is stepped or rendered before its first reset, which `OrderEnforcing` refuses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

import libcst as cst

from done_lint.facts.kinds.environments import Env, Made
from done_lint.knowledge.env_apis import GYM, GYMNASIUM
from done_lint.knowledge.made_layers import ORDER_ENFORCING
from done_lint.rewrites.compatibility_code import is_expected_to_fail
from done_lint.rewrites.context import Context, per_file
from done_lint.source.documents.example_functions import is_example
from done_lint.syntax.arguments import keyword
from done_lint.syntax.shapes import is_main_guard, method_called
from done_lint.syntax.tree import Scope, Tree


@per_file
def before_reset(context: Context) -> dict[cst.Call, Env]:
    """The calls of `step` and `render` that come before the first reset of what a variable holds."""
    found = ((call, _env(context, call)) for call in context.tree.of_type(cst.Call))
    variables: dict[tuple[Scope, str], _Variable] = {}
    return {call: env for call, env in found if env is not None and _is_before_reset(context, call, env, variables)}


def _env(context: Context, call: cst.Call) -> Env | None:
    """The environment whose `step` or own `render` is called, where it is certain and asks for a reset."""
    if (method := method_called(call)) not in ("step", "render") or not isinstance(call.func, cst.Attribute):
        return None
    if method == "render" and context.tree.span(call.func) not in context.facts.members:
        return None
    env = context.facts.envs.get(context.tree.span(call.func.value))
    if env is None or env.mixed or env.certainty != "proven" or env.api not in (GYM, GYMNASIUM):
        return None
    return env if ORDER_ENFORCING in env.layers and len(env.made) == 1 else None


def _is_before_reset(context: Context, call: cst.Call, env: Env, variables: dict[tuple[Scope, str], _Variable]) -> bool:
    tree, made = context.tree, env.made[0]
    receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
    if not isinstance(receiver, cst.Name) or made.place.path != context.path or not made.function.endswith(".make"):
        return False
    scope = tree.scope(receiver)
    if tree.scopes.resolved(scope, receiver.value) is tree.module is not scope:
        return _is_never_reset(tree, receiver.value, env) and not is_expected_to_fail(tree, call)
    variable = _variable(tree, variables, receiver)
    given = _parameters(scope, receiver.value) if isinstance(scope, cst.FunctionDef) else None
    origin = given if given is not None and len(variable.bound) == 1 else variable.assignment(receiver)
    if origin is None or not variable.is_alone(receiver, origin) or _is_chosen(tree, call, origin):
        return False
    if origin is given and isinstance(scope, cst.FunctionDef):
        if not any(_is_new(tree, one, made, variables) for one in _handed(tree, scope, receiver.value)):
            return False
    elif not made.place.span.within(tree.span(origin)):
        return False
    if variable.is_reset_behind(receiver) or made in _reset_in_functions(context):
        return True
    # a wrapper that is not the library's may reset by itself
    return not any("." in layer for layer in env.layers) and _is_whole(tree, receiver)


def _is_never_reset(tree: Tree, name: str, env: Env) -> bool:
    """Whether a script makes one environment for its functions, as a variable of the module, and no code resets it."""
    bound = tree.scopes.bindings(tree.module, name)
    assignment = _Variable(tree, tree.module, name).assignment_of(bound[0]) if len(bound) == 1 else None
    if assignment is None or not env.made[0].place.span.within(tree.span(assignment)):
        return False
    if tree.scopes.is_declared(name) or any("." in layer for layer in env.layers):
        return False
    used = (one for one in tree.scopes.mentions(tree.module, name) if one not in bound)
    return any(map(is_main_guard, tree.of_type(cst.If))) and not any(
        _attribute(tree, one) in ("", "reset", "env") for one in used
    )


def _is_whole(tree: Tree, receiver: cst.Name) -> bool:
    """Whether all that is done with a variable is in sight: of a function, or of `if __name__ == "__main__":`."""
    scope = tree.scope(receiver)
    if isinstance(scope, cst.FunctionDef):
        return not tree.scopes.is_declared(receiver.value) and not is_example(scope.name.value)
    return any(map(is_main_guard, tree.ancestors(receiver)))


def _variable(tree: Tree, variables: dict[tuple[Scope, str], _Variable], used: cst.Name) -> _Variable:
    """The variable that a name is in its scope."""
    key = (tree.scope(used), used.value)
    if key not in variables:
        variables[key] = _Variable(tree, *key)
    return variables[key]


def _parameters(function: cst.FunctionDef, name: str) -> cst.Parameters | None:
    """The parameters of a function that runs when it is called, if one of them has a name."""
    plain = function.asynchronous is None and not function.decorators
    return function.params if plain and any(one.name.value == name for one in function.params.params) else None


def _handed(tree: Tree, function: cst.FunctionDef, name: str) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    """The calls of a function of the file by its name, and what each gives to a parameter."""
    module, place = tree.module, [one.name.value for one in function.params.params].index(name)
    if len(tree.scopes.bindings(module, function.name.value)) != 1 or list(tree.inside(cst.Yield, function)):
        return
    for read in tree.scopes.reads(module, function.name.value):
        call = tree.parents[read]
        if not isinstance(call, cst.Call) or call.func is not read or any(one.star for one in call.args):
            continue
        for number, argument in enumerate(call.args):
            if keyword(argument) == name or (not keyword(argument) and number == place):
                yield call, argument.value


def _is_new(
    tree: Tree, handed: tuple[cst.Call, cst.BaseExpression], made: Made, variables: dict[tuple[Scope, str], _Variable]
) -> bool:
    """Whether an environment is handed to a function as it was made, by the same rows of code."""
    call, used = handed
    if not isinstance(used, cst.Name):
        return tree.span(used) == made.place.span
    variable = _variable(tree, variables, used)
    assignment = variable.assignment(used)
    if assignment is None or not made.place.span.within(tree.span(assignment)):
        return False
    beside = (one for one in tree.inside(cst.Name, call) if one.value == used.value and one is not used)
    if not all(_is_harmless(tree, one) for one in beside if not _is_keyword(tree, one)):
        return False
    return variable.is_alone(used, assignment) and not _is_chosen(tree, call, assignment)


@per_file
def _reset_in_functions(context: Context) -> frozenset[Made]:
    """What made the environments that functions of the file reset, which are handed to them."""
    calls = ((context.tree.expressions.get(span), reset.env) for span, reset in context.facts.resets.items())
    inside = [env for call, env in calls if call is not None and not isinstance(context.tree.scope(call), cst.Module)]
    return frozenset(made for env in inside for made in env.made)


class _Variable:
    """What is done with a variable, in the order of the file; read once, however many steps there are."""

    def __init__(self, tree: Tree, scope: Scope, name: str) -> None:
        """Look at every mention of it."""
        self._tree = tree
        self.bound = sorted(tree.scopes.bindings(scope, name), key=tree.span)
        mentions = tree.scopes.mentions(scope, name)
        self._here = sorted((one for one in mentions if tree.scope(one) is scope), key=tree.span)
        inside = [one for one in mentions if tree.scope(one) is not scope]
        self._elsewhere = all(_is_harmless(tree, one) for one in inside)
        self._reset_inside = any(_attribute(tree, one) == "reset" for one in inside)
        self._bounds = [tree.span(one) for one in self.bound]
        self._places = [tree.span(one) for one in self._here]

    def assignment(self, used: cst.Name) -> cst.CSTNode | None:
        """The assignment of the variable that comes last before this use of it."""
        before = bisect_left(self._bounds, self._tree.span(used))
        return self.assignment_of(self.bound[before - 1]) if before else None

    def assignment_of(self, target: cst.Name) -> cst.CSTNode | None:
        """The assignment that has a name for its target."""
        parent = self._tree.parents[target]
        if isinstance(parent, cst.AssignTarget):
            parent = self._tree.parents[parent]
        return parent if isinstance(parent, (cst.Assign, cst.AnnAssign)) else None

    def is_alone(self, used: cst.Name, assignment: cst.CSTNode) -> bool:
        """Whether nothing between can reset the environment, nor a function that reads the variable itself."""
        tree = self._tree
        first, last = bisect_left(self._places, tree.span(assignment)), bisect_left(self._places, tree.span(used))
        between = (one for one in islice(self._here, first, last) if not tree.within(one, assignment))
        hidden = self._elsewhere or not _runs_functions(tree, assignment, used)
        return hidden and all(_is_harmless(tree, one) for one in between)

    def is_reset_behind(self, used: cst.Name) -> bool:
        """Whether the same function resets it later, or one inside of it does."""
        last = bisect_left(self._places, self._tree.span(used))
        later = islice(self._here, last, None)
        return self._reset_inside or any(_attribute(self._tree, one) == "reset" for one in later)


def _runs_functions(tree: Tree, start: cst.CSTNode, end: cst.CSTNode) -> bool:
    """Whether a function or a class of the file may be called between two nodes: it may do anything with a variable."""
    scope, first, last = tree.scope(end), tree.span(start), tree.span(end)
    if not isinstance(scope, cst.Module):
        return True
    calls = tree.behind(tree.of_type(cst.Call), first, last)
    return any(_is_bound(tree, one.func) for one in calls if tree.scope(one) is scope and not tree.within(end, one))


def _is_bound(tree: Tree, called: cst.BaseExpression) -> bool:
    """Whether the file binds what is called otherwise than by an import; `print` is bound nowhere."""
    root = called
    while isinstance(root, cst.Attribute):
        root = root.value
    bound = tree.scopes.bindings(tree.module, root.value) if isinstance(root, cst.Name) else None
    return bound is None or not all(any(isinstance(a, cst.ImportAlias) for a in tree.ancestors(one)) for one in bound)


def _attribute(tree: Tree, mention: cst.Name) -> str:
    """`step` in `env.step`."""
    parent = tree.parents[mention]
    return parent.attr.value if isinstance(parent, cst.Attribute) and parent.value is mention else ""


def _is_harmless(tree: Tree, mention: cst.Name) -> bool:
    """Only an attribute of the outermost layer is read, which is none that resets or that leads inside."""
    return _attribute(tree, mention) not in ("", "reset", "step", "env", "unwrapped")


def _is_keyword(tree: Tree, name: cst.Name) -> bool:
    """Whether a name only says which parameter an argument is for."""
    argument = tree.parents[name]
    return isinstance(argument, cst.Arg) and argument.keyword is name


def _is_chosen(tree: Tree, call: cst.Call, assignment: cst.CSTNode) -> bool:
    """Whether the call stands under a condition, or where an error is expected."""
    scope = tree.scope(call)
    for one in tree.ancestors(call):
        if one is scope or tree.within(assignment, one):
            break
        if isinstance(one, (cst.If, cst.IfExp, cst.BooleanOperation, cst.Try, cst.Match, cst.Lambda)):
            return True
    return is_expected_to_fail(tree, call)

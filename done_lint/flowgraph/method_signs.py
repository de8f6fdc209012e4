"""What the body of a method of an environment class tells about it, beside its values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import last_name
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.rendering import RENDER_PARAMETERS
from done_lint.knowledge.underscore_methods import NAMES

#: The place of the reward among the values of a step.
_REWARD = 1
_FIVE = 5
#: What is written as a flag.
_FLAGS = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant)
_Method = ast.FunctionDef | ast.AsyncFunctionDef


def old_signs(method: _Method) -> set[str]:
    """What a method of an environment class looks like, if it could be one for old Gym; too much does no harm.

    A `reset` may lack something that Gymnasium passes, its seed among it, or not use its seed; `seed` is there at all,
    or a name with an underscore; `render` takes what nobody passes any more.
    """
    found: set[str] = set()
    taken = {one.arg for one in (*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs)}
    if method.name == "reset":
        lacking = {"seed", "options"} - taken if method.args.kwarg is None else set()
        found |= {"reset"} if lacking else set()
        found |= {"reset without a seed"} if "seed" in lacking else set()
        found |= {"unused seed"} if "seed" in taken and not _reads_seed(method) else set()
    elif method.name == "seed" or method.name in NAMES:
        found.add(method.name)
    elif method.name == "render" and not taken.isdisjoint(RENDER_PARAMETERS):
        found.add("render")
    return found


def _reads_seed(method: _Method) -> bool:
    """Whether a method hands its own seed to something."""
    inner = any(isinstance(one, ast.arg) and one.arg == "seed" for body in method.body for one in walked(body))
    return not inner and any(_is_seed(value) for body in method.body for value in _given(body))


def _given(statement: ast.stmt) -> Iterator[ast.expr]:
    """What calls and comparisons in a statement are given."""
    for node in walked(statement):
        if isinstance(node, ast.Call):
            yield from node.args
            yield from (keyword.value for keyword in node.keywords)
        elif isinstance(node, ast.Compare):
            yield node.left


def _is_seed(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id == "seed"


def delegate(method: _Method) -> str:
    """The attribute that `__getattr__` asks for what the object lacks: `return getattr(self.inner, name)`."""
    if method.name != "__getattr__":
        return ""
    names = [one.arg for one in (*method.args.posonlyargs, *method.args.args)]
    returned = (node.value for node in walked(method) if isinstance(node, ast.Return))
    for call in returned:
        if isinstance(call, ast.Call) and last_name(call.func) == "getattr" and len(call.args) > 1 and len(names) == 2:
            inner, asked = call.args[:2]
            own = inner.value if isinstance(inner, ast.Attribute) else None
            if [getattr(one, "id", "") for one in (own, asked)] == names:
                return last_name(inner)
    return ""


def refuses(method: _Method) -> bool:
    """Whether a method may raise on purpose: no more than that it is not written is no such thing."""
    raised = [node for node in walked(method) if isinstance(node, ast.Raise) and node.exc is not None]
    kinds = (last_name(one.exc.func if isinstance(one.exc, ast.Call) else one.exc) for one in raised if one.exc)
    return any(kind != "NotImplementedError" for kind in kinds)


def uses_seed(method: _Method) -> bool:
    """Whether a `reset` does more with its seed than to hand it to another `reset`."""
    resets = [node for node in walked(method) if isinstance(node, ast.Call) and last_name(node.func) == "reset"]
    handed = {id(name) for reset in resets for name in walked(reset)}
    return any(isinstance(one, ast.Name) and one.id == "seed" and id(one) not in handed for one in walked(method))


def wrong_order(method: _Method) -> tuple[int, ...]:
    """Where the five values that a `step` returns belong, if their names say that they are in another order.

    A `step` that takes five values from another one may have them under wrong names already: only where the names of
    these targets are in the right order does a `return` in another one say something.
    """
    found: set[tuple[int, ...]] = set()
    for node in walked(method):
        targets = node.targets if isinstance(node, ast.Assign) else ()
        if any((names := _five_names(one)) and not naming_conventions.in_right_order(names) for one in targets):
            return ()
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and (names := _five_names(node.value)):
            names[4] = names[4] if names[4] in naming_conventions.STEP_SLOTS else "info"
            found.add(naming_conventions.right_order(names) or ())
    return found.pop() if len(found) == 1 else ()


def returns_reward_late(method: _Method) -> bool:
    """Whether a `step` returns five values in an order of its own: `return None, obs, reward, done, info`."""
    returned = (node.value for node in walked(method) if isinstance(node, ast.Return))
    five = (one.elts[2:] for one in returned if isinstance(one, (ast.Tuple, ast.List)) and len(one.elts) == 5)
    return any(naming_conventions.step_slot(last_name(value)) == _REWARD for values in five for value in values)


def returns_own_five(method: _Method) -> bool:
    """Whether all five values that a function returns are those of no step of Gymnasium's.

    `obs, reward, cost, done, info`: the end of the episode is in the place of `truncated`, behind what is no flag.
    """
    returned = [node.value for node in walked(method) if isinstance(node, ast.Return)]
    fives = [one.elts for one in returned if isinstance(one, (ast.Tuple, ast.List)) and len(one.elts) == _FIVE]
    return bool(fives) and all(
        not isinstance(third, _FLAGS) and naming_conventions.is_end_late(last_name(third), last_name(fourth))
        for _, _, third, fourth, _ in fives
    )


def _five_names(node: ast.expr | None) -> list[str]:
    """The names in a sequence of five, empty for other elements; nothing for everything else."""
    if not isinstance(node, (ast.Tuple, ast.List)) or len(node.elts) != 5:
        return []
    return [one.id if isinstance(one, ast.Name) else "" for one in node.elts]


def draws_anyhow(method: _Method) -> bool:
    """Whether a `render` has nothing to do with modes, and leaves nothing to a method that may ask for one."""
    for node in walked(method):
        if isinstance(node, (ast.Name, ast.Attribute)) and "mode" in last_name(node):
            return False
        if isinstance(node, (ast.arg, ast.keyword)) and "mode" in (node.arg or ""):
            return False
        if isinstance(node, ast.Call) and _may_ask(node.func):
            return False
    return True


def _may_ask(called: ast.expr) -> bool:
    """`super()`, `self.draw()`, `self.env.render()`."""
    own = isinstance(called, ast.Attribute) and last_name(called.value) == "self"
    return own or last_name(called) in ("super", "render", "getattr")


def seeds_more(method: _Method) -> bool:
    """Whether a `seed` does more than Gym's own: seed `np_random`, hand the seed on, and return it."""
    return not all(map(_is_usual, method.body))


def _is_usual(statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Pass, ast.Raise)):
        return True
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
        target = statement.targets[0]
        first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
        return last_name(statement.value.func) == "np_random" and last_name(first).endswith("np_random")
    if not isinstance(statement, (ast.Expr, ast.Return)):
        return False
    calls = [node for node in walked(statement) if isinstance(node, ast.Call)]
    return all(_hands_on(one) or isinstance(one.func, ast.Name) for one in calls)


def _hands_on(call: ast.Call) -> bool:
    """`self.env.seed(seed)`, `super().seed(seed)`; not `self.action_space.seed(seed)`."""
    if last_name(call.func) != "seed" or not isinstance(call.func, ast.Attribute):
        return False
    inner = call.func.value
    if isinstance(inner, ast.Call):
        return last_name(inner.func) == "super"
    return last_name(inner) == "env" and all(isinstance(one, ast.Name) for one in call.args)

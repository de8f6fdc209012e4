"""Whether the four values that a `step` returns are shown to be what five values are made of.

The flag has to be a truth value, the info a dictionary, and the reward and the observation nothing that belongs in
another place. A class that is based on the library's may have a protocol of its own all the same: `reward, obs, info,
done`, a winner's name in the place of the flag, a list with a value for each agent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from done_lint.knowledge import naming_conventions
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.step_tuple.annotation import says_four, types_of
from done_lint.rewrites.step_tuple.returns import DONE, OldReturn
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, method_called, only_index, only_target

_OBSERVATION, _REWARD, _INFO = 0, 1, 3
#: What a value is, as far as its text tells; empty: nothing does.
_FLAG, _NUMBER, _TEXT, _NONE, _TABLE, _ROW = "a truth value", "a number", "a text", "None", "a dictionary", "a list"
_FLAGS = "a list of truth values"
#: Calls that answer with yes or no, and that make dictionaries, numbers and lists.
_ASKING = frozenset(
    """any all bool isinstance issubclass callable hasattr startswith endswith isdisjoint issubset issuperset isclose
    array_equal allclose is_set isfinite isnan isinf logical_or logical_and logical_not is_alive""".split()
)
_CALLS = {
    **dict.fromkeys(_ASKING, _FLAG),
    **dict.fromkeys(("dict", "defaultdict", "OrderedDict"), _TABLE),
    **dict.fromkeys(("float", "int", "len", "round", "sum"), _NUMBER),
    **dict.fromkeys(("list", "tuple", "sorted", "zip"), _ROW),
    **dict.fromkeys(("str", "repr", "format", "join"), _TEXT),
}
#: Functions that make an array of a list.
_ARRAYS = frozenset({"array", "asarray", "as_tensor", "tensor"})
#: Methods of dictionaries, and of nothing else that an environment tells.
_OF_TABLES = frozenset({"get", "items", "keys", "setdefault", "update", "values"})
#: Types of infos.
_TABLES = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
#: How many names are followed from one to the next.
_FAR = 4

_OTHER = "what it returns as {} is {}"
_UNSEEN = "nothing shows that `{}`, which it returns as {}, is {}"
_DROPPED = "`{}`, which the step inside gives beside it, is not returned"
_FIVE = 5
_SHAPES = "it also returns something else than four values"


def not_shown(context: Context, old: OldReturn, *, of_step: bool) -> str:
    """Why the four values are not known to be what a step returns; empty: they are.

    `of_step`: the flag is that of a step inside.
    """
    values = _Values(context)
    if (lost := _left_out(context, old)) is not None:
        return _DROPPED.format(context.tree.source(lost))
    observation, reward, flag, info = written = [one.value for one in old.node.elements]
    if all(last_name(one) == "None" for one in written):
        return ""  # a step that nobody should make: the episode is over
    typed = _types(old)
    known = of_step or context.tree.span(flag) in context.facts.flags
    if not known and (why := values.flag(flag, typed=is_name(typed[DONE], "bool"))):
        return why
    return (
        values.info(info, typed=last_name(typed[_INFO]) in _TABLES)
        or values.reward(reward)
        or values.observation(observation)
        or _other_shapes(context, old)
    )


def _left_out(context: Context, old: OldReturn) -> cst.Name | None:
    """The name of the fourth of five values that a step inside gave, where only the third one is returned."""
    tree = context.tree
    for one in tree.inside(cst.Assign, old.scope) if isinstance(old.scope, cst.FunctionDef) else ():
        target = only_target(one)
        if not isinstance(target, cst.Tuple) or len(target.elements) != _FIVE or method_called(one.value) != "step":
            continue
        flag, fourth = (each.value for each in target.elements[DONE : DONE + 2])
        named = isinstance(fourth, cst.Name) and fourth.value.strip("_")
        text = tree.source(flag)
        mentioned = any(tree.source(each) == text for each in tree.descend(old.flag) if isinstance(each, cst.Name))
        if isinstance(fourth, cst.Name) and named and mentioned and not tree.scopes.is_read(old.scope, fourth.value):
            return fourth
    return None


def _types(old: OldReturn) -> list[cst.BaseExpression]:
    """The types of the four values by the annotation of the function; names that say nothing where it has none."""
    returns = old.scope.returns if isinstance(old.scope, cst.FunctionDef) else None
    types = types_of(returns.annotation) if returns is not None and says_four(returns.annotation) else []
    bare = [one.value if isinstance(one, cst.Subscript) else one for one in types]
    return bare or [cst.Name("_")] * 4


class _Values:
    """Looks at the values of one result."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._tree = context.tree
        self._known: dict[tuple[object, ...], frozenset[str]] = {}

    def flag(self, value: cst.BaseExpression, *, typed: bool) -> str:
        """Why a value is not known to be a flag; `typed`: the annotation of its function says so."""
        kinds = self._kinds(value, 0)
        if other := next((one for one in sorted(kinds) if one in (_TEXT, _NONE, _TABLE, _ROW)), ""):
            return _OTHER.format("`done`", other)
        if kinds == {_FLAGS} or (kinds <= {_FLAG, ""} and self._is_flag(value)) or self._is_zero_or_one(value):
            return ""
        if _NUMBER in kinds:
            return _OTHER.format("`done`", _NUMBER)
        return "" if typed else _UNSEEN.format(self._source(value), "`done`", _FLAG)

    def info(self, value: cst.BaseExpression, *, typed: bool) -> str:
        """Why a value is not known to be an info; `typed`: the annotation of its function says so."""
        kinds = self._kinds(value, 0)
        wrong = kinds & {_FLAG, _FLAGS, _NUMBER, _TEXT, _ROW}
        name = _name(value)
        if wrong or _slot(name) in (_REWARD, DONE):
            return _OTHER.format("info", min(wrong) if wrong else f"`{name}`")
        if _TABLE in kinds or kinds == {_NONE} or name == "_" or _is_called_info(name):
            return ""
        if self._tree.span(value) in self._context.facts.infos or self._is_keyed(value) or typed:
            return ""
        return _UNSEEN.format(self._source(value), "info", _TABLE)

    def reward(self, value: cst.BaseExpression) -> str:
        """Why a value can be no reward."""
        kinds, name = self._kinds(value, 0), _name(value)
        wrong = kinds & {_TEXT, _TABLE, _ROW, _FLAGS}
        wrong |= {_NONE} if kinds == {_NONE} else set()
        if wrong or _slot(name) in (DONE, _INFO, _OBSERVATION) or re.fullmatch(r"_*actions?", name):
            return _OTHER.format("reward", min(wrong) if wrong else f"`{name}`")
        return ""

    def observation(self, value: cst.BaseExpression) -> str:
        """Why a value can be no observation."""
        kinds, name = self._kinds(value, 0), _name(value)
        if kinds == {_FLAG} or _slot(name) in (_REWARD, DONE, _INFO):
            return _OTHER.format("observation", f"`{name}`" if name else _FLAG)
        return ""

    def _source(self, value: cst.BaseExpression) -> str:
        return " ".join(self._tree.source(value).split())

    def _is_flag(self, value: cst.BaseExpression) -> bool:
        """Whether each part of a value is shown to be a flag, or called after one."""
        if isinstance(value, cst.BooleanOperation):
            return self._is_flag(value.left) and self._is_flag(value.right)
        if isinstance(value, cst.BinaryOperation):
            return self._is_flag(value.left) or self._is_flag(value.right)
        if isinstance(value, cst.IfExp):
            return self._is_flag(value.body) and self._is_flag(value.orelse)
        bound = [value, *(self._bound(value) if isinstance(value, (cst.Name, cst.Attribute)) else ())]
        # what is set to a truth value somewhere is one elsewhere too
        return any(self._kinds(one, 1) == {_FLAG} for one in bound) or _is_called_flag(_name(value))

    def _is_keyed(self, value: cst.BaseExpression) -> bool:
        """Whether the method itself uses a value as a dictionary: `extras["score"] = 1`, `extras.update(score=1)`."""
        reads = self._tree.scopes.reads(self._tree.scope(value), value.value) if isinstance(value, cst.Name) else ()
        return any(map(self._is_key_of, reads))

    def _is_key_of(self, read: cst.Name) -> bool:
        above = self._tree.parents[read]
        if isinstance(above, cst.Subscript) and above.value is read:
            return isinstance(only_index(above), (cst.SimpleString, cst.FormattedString))
        call = self._tree.parents[above]
        called = isinstance(above, cst.Attribute) and isinstance(call, cst.Call) and call.func is above
        return called and isinstance(above, cst.Attribute) and above.attr.value in _OF_TABLES

    def _is_zero_or_one(self, value: cst.BaseExpression) -> bool:
        """Whether a name holds the truth values 0 and 1, as old programs have them."""
        found = [value]
        if isinstance(value, (cst.Name, cst.Attribute)):
            found = [one for one in self._bound(value) if self._kinds(one, 1) != {_FLAG}]
        return bool(found) and all(isinstance(one, cst.Integer) and one.value in ("0", "1") for one in found)

    def _kinds(self, value: cst.BaseExpression, depth: int) -> frozenset[str]:
        """What a value may be, by its text and by that of what its name is bound to."""
        if isinstance(value, (cst.Name, cst.Attribute)) and last_name(value) not in ("True", "False", "None"):
            several = self._of_bound(self._bound(value), depth + 1) if depth < _FAR else frozenset()
            # what is None at first is set before it is returned
            return several - {_NONE} if isinstance(value, cst.Attribute) and len(several) > 1 else several
        if isinstance(value, cst.IfExp):
            return self._kinds(value.body, depth) | self._kinds(value.orelse, depth)
        if isinstance(value, cst.BooleanOperation):
            return self._kinds(value.left, depth) | self._kinds(value.right, depth)
        if isinstance(value, cst.BinaryOperation):
            return self._of_operation(value, depth)
        if isinstance(value, cst.Call):
            return self._of_call(value, depth)
        if isinstance(value, cst.ListComp):
            return frozenset({_FLAGS if self._kinds(value.elt, depth) == {_FLAG} else _ROW})
        return frozenset({_of_literal(value)})

    def _of_bound(self, bound: Sequence[cst.BaseExpression], depth: int) -> frozenset[str]:
        """What a name may be that is bound to these: asked once, however often one of them has the name itself."""
        key = (depth, *bound)
        if key not in self._known:
            self._known[key] = frozenset().union(*(self._kinds(one, depth) for one in bound))
        return self._known[key]

    def _of_operation(self, value: cst.BinaryOperation, depth: int) -> frozenset[str]:
        """`hit | late` is a flag, `[a] + rest` a list, `1.0 - cost` a number."""
        sides = self._kinds(value.left, depth) | self._kinds(value.right, depth)
        if isinstance(value.operator, (cst.BitOr, cst.BitAnd, cst.BitXor)):
            return sides
        return frozenset({_ROW}) if _ROW in sides and isinstance(value.operator, cst.Add) else frozenset({""})

    def _of_call(self, value: cst.Call, depth: int) -> frozenset[str]:
        name = last_name(value.func)
        if isinstance(value.func, cst.Attribute) and name == "copy":
            return self._kinds(value.func.value, depth)
        if name in _ARRAYS and value.args and self._kinds(value.args[0].value, depth) == {_FLAGS}:
            return frozenset({_FLAGS})
        made = _methods(self._context, name)
        if len(made) == 1 and depth < _FAR and name not in _CALLS:
            if made[0].returns is not None and is_name(made[0].returns.annotation, "bool"):
                return frozenset({_FLAG})
            returned = [one.value for one in _returns(self._context, made[0]) if one.value is not None]
            return frozenset().union(*(self._kinds(one, depth + 1) for one in returned))
        return frozenset({_CALLS.get(name, "")})

    def _bound(self, value: cst.BaseExpression) -> list[cst.BaseExpression]:
        """What a name of the method, or an attribute of the class, is bound to, as far as that is written."""
        if isinstance(value, cst.Name):
            names: list[cst.BaseExpression] = [*self._tree.scopes.bindings(self._tree.scope(value), value.value)]
        elif isinstance(value, cst.Attribute) and isinstance(value.value, cst.Name):
            own = next((one for one in self._tree.ancestors(value) if isinstance(one, cst.ClassDef)), None)
            found = self._tree.attributes(value.attr.value) if own is not None else ()
            names = [one for one in found if own is not None and self._tree.within(one, own)]
        else:
            names = []
        return [one for name in names for one in self._value_of(name)]

    def _value_of(self, target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
        """What a statement binds to a target that stands alone."""
        parent = self._tree.parents[target]
        statement = self._tree.parents[parent] if isinstance(parent, cst.AssignTarget) else parent
        if isinstance(statement, cst.Assign) and only_target(statement) is target:
            yield statement.value
        elif isinstance(statement, (cst.AnnAssign, cst.NamedExpr)) and statement.target is target:
            yield from (one for one in (statement.value,) if one is not None)


def _of_literal(value: cst.BaseExpression) -> str:
    """What an expression is by its form."""
    if isinstance(value, cst.Comparison) or last_name(value) in ("True", "False"):
        return _FLAG
    if isinstance(value, cst.UnaryOperation):
        return _FLAG if isinstance(value.operator, cst.Not) else _of_literal(value.expression)
    if isinstance(value, (cst.Integer, cst.Float)):
        return _NUMBER
    if isinstance(value, cst.BaseString):
        return _TEXT
    if isinstance(value, (cst.Dict, cst.DictComp)):
        return _TABLE
    if isinstance(value, (cst.List, cst.Tuple, cst.Set, cst.ListComp, cst.SetComp, cst.GeneratorExp)):
        return _ROW
    return _NONE if last_name(value) == "None" else ""


def _name(value: cst.BaseExpression) -> str:
    """What a value is called: by its own name, by that of what is called, or of what it is a part of."""
    if isinstance(value, (cst.Call, cst.Subscript)):
        if isinstance(value, cst.Call) and last_name(value.func) in ("bool", "copy", "item", "dict") and value.args:
            return _name(value.args[0].value)
        return _name(value.func if isinstance(value, cst.Call) else value.value)
    if isinstance(value, cst.UnaryOperation):
        return _name(value.expression)
    return last_name(value)


def _is_called_flag(name: str) -> bool:
    """`done`, `check_done`, `terminated`, and what Python calls a question: `is_stuck`, `has_fallen`."""
    if any(one(name) for one in (naming_conventions.done, naming_conventions.terminated, naming_conventions.truncated)):
        return True
    first, *others = naming_conventions.words(name) or [""]
    return (first in ("is", "has") and bool(others)) or any(map(naming_conventions.done, (first, *others)))


def _is_called_info(name: str) -> bool:
    """`info`, `get_info`, `stepInfo`."""
    return naming_conventions.info(name) or any(map(naming_conventions.info, naming_conventions.words(name)))


def _slot(name: str) -> int | None:
    """The place of four values that a name belongs to."""
    slot = naming_conventions.step_slot(name)
    return {None: None, 0: _OBSERVATION, 1: _REWARD, 2: DONE, 3: DONE, 4: _INFO}[slot]


def _other_shapes(context: Context, old: OldReturn) -> str:
    """Whether a `step` itself returns a tuple of another length somewhere, or nothing."""
    scope = old.scope
    if not isinstance(scope, cst.FunctionDef) or scope.name.value != "step":
        return ""
    rows = [one.value for one in _returns(context, scope)]
    other = any(isinstance(one, cst.Tuple) and len(one.elements) not in (4, 5) and not _has_star(one) for one in rows)
    return _SHAPES if other or any(one is None or last_name(one) == "None" for one in rows) else ""


def _has_star(row: cst.Tuple) -> bool:
    return any(isinstance(one, cst.StarredElement) for one in row.elements)


@per_file
def _returns(context: Context, function: cst.FunctionDef) -> list[cst.Return]:
    """The `return` statements of a function itself."""
    found = context.tree.inside(cst.Return, function)
    return [one for one in found if context.tree.scope(one) is function]


@per_file
def _methods(context: Context, name: str) -> list[cst.FunctionDef]:
    """The functions and methods of a file that have a name."""
    return [one for one in context.tree.of_type(cst.FunctionDef) if one.name.value == name]

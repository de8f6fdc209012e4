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
from done_lint.rewrites.step_tuple.returns import DONE, OldReturn
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import only_target

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
    **dict.fromkeys(("dict", "defaultdict", "OrderedDict", "copy_info"), _TABLE),
    **dict.fromkeys(("float", "int", "len", "round", "sum"), _NUMBER),
    **dict.fromkeys(("list", "tuple", "sorted", "zip"), _ROW),
    **dict.fromkeys(("str", "repr", "format", "join"), _TEXT),
}
#: How words of a name begin by which programs call what ends an episode: a `winner` is none, nor is a `window`.
_ENDING = re.compile(
    r"[a-z]*done|(?:is|has|game)?(?:over$|end(?:s|ed|ing)?$|finish|termin|complet|success|fail|crash|dead$|die[sd]?$|alive|"
    r"goal|stop|exit|quit|lost$|loses?$|won$|wins?$|flag|truncat|reached|solved|check|collision|bankrupt|reset|"
    r"(?:in)?valid|fall|fell$)|(?:is|has)$"
)
#: The same of an info; `state` is none.
_TELLING = re.compile(r"[a-z]*info|extra|debug|diagnos|metric|stats?$|statistic|detail|meta|log(?:s|ging)?$")
#: How many names are followed from one to the next.
_FAR = 4

_OTHER = "what it returns as {} is {}"
_UNSEEN = "nothing shows that `{}`, which it returns as {}, is {}"
_SHAPES = "it also returns something else than four values"


def not_shown(context: Context, old: OldReturn, *, of_step: bool) -> str:
    """Why the four values are not known to be what a step returns; empty: they are.

    `of_step`: the flag is that of a step inside.
    """
    values = _Values(context)
    observation, reward, flag, info = written = [one.value for one in old.node.elements]
    if all(last_name(one) == "None" for one in written):
        return ""  # a step that nobody should make: the episode is over
    if not of_step and context.tree.span(flag) not in context.facts.flags and (why := values.flag(flag)):
        return why
    return values.info(info) or values.reward(reward) or values.observation(observation) or _other_shapes(context, old)


class _Values:
    """Looks at the values of one result."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._tree = context.tree
        self._known: dict[tuple[object, ...], frozenset[str]] = {}

    def flag(self, value: cst.BaseExpression) -> str:
        """Why a value is not known to be a flag."""
        kinds = self._kinds(value, 0)
        if other := next((one for one in sorted(kinds) if one in (_TEXT, _NONE, _TABLE, _ROW)), ""):
            return _OTHER.format("`done`", other)
        if (
            kinds in ({_FLAG}, {_FLAGS})
            or (kinds <= {_FLAG, ""} and self._is_called(value, _ENDING))
            or self._is_zero_or_one(value)
        ):
            return ""
        if _NUMBER in kinds:
            return _OTHER.format("`done`", _NUMBER)
        return _UNSEEN.format(self._source(value), "`done`", _FLAG)

    def info(self, value: cst.BaseExpression) -> str:
        """Why a value is not known to be an info."""
        kinds = self._kinds(value, 0)
        wrong = kinds & {_FLAG, _FLAGS, _NUMBER, _TEXT, _ROW}
        name = _name(value)
        if wrong or _slot(name) in (_REWARD, DONE):
            return _OTHER.format("info", min(wrong) if wrong else f"`{name}`")
        if _TABLE in kinds or kinds == {_NONE} or name == "_" or self._is_called(value, _TELLING):
            return ""
        if self._tree.span(value) in self._context.facts.infos:
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

    def _is_called(self, value: cst.BaseExpression, words: re.Pattern[str]) -> bool:
        """Whether each part of a value is called so, or shown to be what is asked for."""
        if isinstance(value, cst.BooleanOperation):
            return self._is_called(value.left, words) and self._is_called(value.right, words)
        if isinstance(value, cst.BinaryOperation):
            return self._is_called(value.left, words) or self._is_called(value.right, words)
        if isinstance(value, cst.IfExp):
            return self._is_called(value.body, words) and self._is_called(value.orelse, words)
        kinds = self._kinds(value, 0)
        shown = bool(kinds) and kinds <= {_FLAG, _TABLE}
        name = _name(value)
        said = any(words.match(one) for one in naming_conventions.words(name))
        return shown or said or naming_conventions.done(name)

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
        made = _methods(self._context, name)
        if len(made) == 1 and depth < _FAR and name not in _CALLS:
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

"""Reads the requirements in a `setup.py` as data: the script is never run.

What its literals, names, concatenations and simple texts say is known; everything else is left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

#: Beyond this much a value is not a list of packages; the limit also stops lists that double in every line.
_MOST_ITEMS = 2_000
_LONGEST_TEXT = 2_000
_DEEPEST = 60

_PYTHON = "python_requires"
_SETUPS = frozenset({"setup", "setuptools.setup"})
_REQUIRED = "install_requires"
_LISTS = frozenset({_REQUIRED, "extras_require", "setup_requires", "tests_require"})
#: Functions that give the same items again.
_COLLECTIONS = frozenset({"list", "tuple", "set", "sorted"})


class Declared(NamedTuple):
    """One requirement: its text, its row, and the extra or list that it belongs to (empty: always installed)."""

    text: str
    row: int
    extra: str


class _Text(NamedTuple):
    value: str
    row: int


_Table: TypeAlias = "dict[str, _Value]"
_Value: TypeAlias = "_Text | list[_Value] | _Table | None"


def declared(text: str) -> Iterator[Declared]:
    """The requirements that the calls of `setup` list; none where the file is not Python."""
    for given in _calls(text):
        for name in sorted(_LISTS & given.keys()):
            yield from _listed(given[name], "" if name == _REQUIRED else name)


def pythons(text: str) -> Iterator[Declared]:
    """The bounds of Python that the calls of `setup` state; none where the file is not Python."""
    for given in _calls(text):
        if isinstance(stated := given.get(_PYTHON), _Text):
            yield Declared(stated.value, stated.row, "")


def _calls(text: str) -> Iterator[_Table]:
    """What each call of `setup` is given by keyword."""
    try:
        yield from _of_calls(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return


def _of_calls(tree: ast.Module) -> Iterator[_Table]:
    script = _Script(tree)
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or ast.unparse(call.func) not in _SETUPS:
            continue
        given: _Table = {}
        for argument in call.keywords:
            value = script.value(argument.value)
            given |= {argument.arg: value} if argument.arg else value if isinstance(value, dict) else {}
        yield given


def _listed(value: _Value, extra: str) -> Iterator[Declared]:
    """The requirements in a list, in a text with one in each row, or in a table with a list for each extra."""
    named = value.items() if isinstance(value, dict) else [(extra, value)]
    for name, listed in named:
        texts = listed if isinstance(listed, list) else [listed]
        for text in (one for one in texts if isinstance(one, _Text)):
            for row in text.value.splitlines():
                yield Declared(row.strip(), text.row, name)


class _Script:
    """The values of the names of a script."""

    def __init__(self, tree: ast.Module) -> None:
        """Collect what each name is bound to, in the order of the file."""
        self._assigned: dict[str, list[ast.expr]] = {}
        #: What is added to a name later, by `+=`, `append` and `extend`.
        self._added: dict[str, list[ast.expr]] = {}
        #: What functions without parameters return, of those with one `return`.
        self._returned: dict[str, ast.expr] = {}
        #: `extras["name"] = [...]`.
        self._items: dict[str, list[tuple[ast.expr, ast.expr]]] = {}
        self._known: dict[str, _Value] = {}
        self._depth = 0
        for node in ast.walk(tree):
            self._collect(node)

    def _collect(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self._assigned.setdefault(target.id, []).append(node.value)
                elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                    self._items.setdefault(target.value.id, []).append((target.slice, node.value))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            self._assigned.setdefault(node.target.id, []).append(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._added.setdefault(node.target.id, []).append(node.value)
        elif isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.func, ast.Attribute):
            self._collect_call(node.func, node.args[0])
        elif isinstance(node, ast.FunctionDef) and not ast.unparse(node.args):
            returned = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
            if len(returned) == 1 and returned[0] is not None:
                self._returned[node.name] = returned[0]

    def _collect_call(self, function: ast.Attribute, argument: ast.expr) -> None:
        if isinstance(function.value, ast.Name) and function.attr in ("append", "extend"):
            self._added.setdefault(function.value.id, []).append(argument)

    def value(self, node: ast.expr) -> _Value:
        """What an expression is; None where only a run would show it."""
        read = _READERS.get(type(node))
        if read is None or self._depth > _DEEPEST:
            return None
        self._depth += 1
        try:
            found = read(self, node)
        finally:
            self._depth -= 1
        too_large = isinstance(found, list) and len(found) > _MOST_ITEMS
        too_long = isinstance(found, _Text) and len(found.value) > _LONGEST_TEXT
        return None if too_large or too_long else found

    def _constant(self, node: ast.Constant) -> _Value:
        number = isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
        known = isinstance(node.value, str) or number
        # The digits of a huge integer cannot be written out.
        huge = isinstance(node.value, int) and node.value.bit_length() > 64
        return _Text(str(node.value), node.lineno) if known and not huge else None

    def _name(self, node: ast.Name) -> _Value:
        if node.id not in self._known:
            self._known[node.id] = None  # a name that is made of itself is not known
            values = self._assigned.get(node.id, [])
            if len(values) == 1:
                self._known[node.id] = self._grown(node.id, self.value(values[0]))
        return self._known[node.id]

    def _grown(self, name: str, first: _Value) -> _Value:
        """The value of a name with what is added to it later."""
        if isinstance(first, list):
            for node in self._added.get(name, []):
                more = self.value(node)
                first = first + (more if isinstance(more, list) else [more])
                if len(first) > _MOST_ITEMS:
                    return None
        if isinstance(first, dict):
            items = [(self.value(key), self.value(value)) for key, value in self._items.get(name, [])]
            first = first | {key.value: value for key, value in items if isinstance(key, _Text)}
        return first

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set) -> _Value:
        found: list[_Value] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                inside = self.value(element.value)
                found += inside if isinstance(inside, list) else []
            else:
                found.append(self.value(element))
        return found

    def _dictionary(self, node: ast.Dict) -> _Value:
        found: _Table = {}
        for key, value in zip(node.keys, node.values):
            name, inside = None if key is None else self.value(key), self.value(value)
            if isinstance(name, _Text):
                found[name.value] = inside
            elif key is None and isinstance(inside, dict):
                found |= inside
        return found

    def _operation(self, node: ast.BinOp) -> _Value:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Mod) and isinstance(left, _Text):
            return _formatted(left, r"%[sd]", right if isinstance(right, list) else [right])
        if not isinstance(node.op, ast.Add):
            return None
        if isinstance(left, _Text) and isinstance(right, _Text):
            return _Text(left.value + right.value, left.row)
        # A list that is partly known tells what it names.
        lists = [one for one in (left, right) if isinstance(one, list)]
        return [item for one in lists for item in one] if lists else None

    def _f_string(self, node: ast.JoinedStr) -> _Value:
        parts = [self.value(part) for part in node.values]
        known = [part.value for part in parts if isinstance(part, _Text)]
        return _Text("".join(known), node.lineno) if len(known) == len(parts) else None

    def _in_braces(self, node: ast.FormattedValue) -> _Value:
        return self.value(node.value) if node.conversion == -1 and node.format_spec is None else None

    def _item(self, node: ast.Subscript) -> _Value:
        table, key = self.value(node.value), self.value(node.slice)
        return table.get(key.value) if isinstance(table, dict) and isinstance(key, _Text) else None

    def _call(self, node: ast.Call) -> _Value:
        name = node.func
        if isinstance(name, ast.Attribute):
            return self._method(node, name)
        arguments = [self.value(one) for one in node.args]
        if isinstance(name, ast.Name) and name.id in self._returned:
            return self._result(name.id)
        if isinstance(name, ast.Name) and name.id == "dict" and not arguments:
            return {one.arg: self.value(one.value) for one in node.keywords if one.arg}
        if isinstance(name, ast.Name) and name.id in _COLLECTIONS and len(arguments) == 1:
            return arguments[0] if isinstance(arguments[0], list) else None
        if isinstance(name, ast.Name) and name.id == "sum" and arguments and isinstance(arguments[0], list):
            return [item for one in arguments[0] if isinstance(one, list) for item in one]
        return None

    def _result(self, name: str) -> _Value:
        """What a function without parameters returns."""
        called = f"{name}()"
        if called not in self._known:
            self._known[called] = None  # one that calls itself is not known
            self._known[called] = self.value(self._returned[name])
        return self._known[called]

    def _method(self, node: ast.Call, function: ast.Attribute) -> _Value:
        """`"gymnasium{}".format(bound)`, `"a b".split()`, `extras.values()`."""
        owner, arguments = self.value(function.value), [self.value(one) for one in node.args]
        if isinstance(owner, dict) and function.attr == "values":
            return list(owner.values())
        if not isinstance(owner, _Text) or node.keywords:
            return None
        if function.attr == "format":
            return _formatted(owner, r"\{\}", arguments)
        if function.attr == "strip" and not arguments:
            return _Text(owner.value.strip(), owner.row)
        if function.attr in ("split", "splitlines") and not arguments:
            parts = owner.value.split() if function.attr == "split" else owner.value.splitlines()
            return [_Text(part, owner.row) for part in parts]
        return None


def _formatted(text: _Text, placeholder: str, values: list[_Value]) -> _Value:
    """The text with a value in each of its placeholders, none of which has a width or a name."""
    known = [one.value for one in values if isinstance(one, _Text)]
    pieces = re.split(placeholder, text.value)
    if len(known) != len(values) or len(pieces) != len(known) + 1 or any(set("%{}") & set(one) for one in pieces):
        return None
    return _Text("".join(piece + value for piece, value in zip(pieces, [*known, ""])), text.row)


_READERS: Mapping[type[ast.expr], Callable[..., _Value]] = {
    ast.Constant: _Script._constant,
    ast.Name: _Script._name,
    ast.List: _Script._sequence,
    ast.Tuple: _Script._sequence,
    ast.Set: _Script._sequence,
    ast.Dict: _Script._dictionary,
    ast.BinOp: _Script._operation,
    ast.JoinedStr: _Script._f_string,
    ast.FormattedValue: _Script._in_braces,
    ast.Subscript: _Script._item,
    ast.Call: _Script._call,
}

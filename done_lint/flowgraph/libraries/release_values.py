"""What an expression that reads Gym's version is with a certain release, as far as it can be computed."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from done_lint.flowgraph.ast_text import last_name

#: Functions that tell the version of an installed package.
_ASKING = frozenset({"version", "get_distribution", "distribution", "require"})
_OF_GYM = re.compile(r"gym\s*(?:[<>=!~].*)?")
#: Functions that read a version as one, and what they are called with a module before them.
_READING = frozenset({"Version", "LooseVersion", "StrictVersion", "parse", "parse_version"})
_OF_TEXT = frozenset("split rsplit strip lstrip rstrip replace startswith endswith join partition rpartition".split())
_CONVERTING = frozenset("int float str bool tuple list len".split())
#: What a comprehension has bound names to.
_Local = Mapping[str, object]
#: Names are followed so far.
_DEEP = 12


class NotFollowed(Exception):
    """The value cannot be computed."""


class _Free:
    """The value of what does not read the version."""


FREE = _Free()


class _Release(tuple[int, ...]):
    """A version that was read as one: `Version("0.26.2")`."""

    def __new__(cls, text: str) -> _Release:
        numbers = [int(one) for one in re.findall(r"\d+", text)[:4]]
        return super().__new__(cls, (*numbers, *[0] * (4 - len(numbers))))


class Releases:
    """Computes values of one file."""

    def __init__(self, tree: ast.Module, bound: Mapping[str, Sequence[ast.expr]], names: set[str]) -> None:
        """Look for what reads the version.

        Args:
            tree: the file.
            bound: what names and attributes are bound to, and what functions return.
            names: the names that Gym has in the file.
        """
        self._bound = bound
        self._names = names
        self._imported = set(_imported(tree))
        self._known: dict[str, bool] = {}

    # --- what reads it ------------------------------------------------------------------------------------

    def read_anywhere(self, nodes: Iterable[ast.AST]) -> bool:
        """Whether any of the nodes reads the version by itself."""
        return any(map(self._is_read, nodes))

    def reads(self, node: ast.expr) -> bool:
        """Whether an expression depends on the version, directly or by names."""
        return any(self._is_read(one) or self._is_named(one) for one in ast.walk(node))

    def asks_installed(self, node: ast.AST) -> bool:
        """`importlib.metadata.version("gym")`, `pkg_resources.require("gym<0.26")`."""
        if not isinstance(node, ast.Call) or last_name(node.func) not in _ASKING or not node.args:
            return False
        asked = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
        return isinstance(asked, str) and _OF_GYM.fullmatch(asked) is not None

    def _is_read(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute) and node.attr in ("__version__", "VERSION"):
            return self._is_gym(node.value)
        return (isinstance(node, ast.Name) and node.id in self._imported) or self.asks_installed(node)

    def _is_gym(self, node: ast.expr) -> bool:
        """`gym`, `gym.version`."""
        inner = node.value if isinstance(node, ast.Attribute) and node.attr == "version" else node
        return isinstance(inner, ast.Name) and inner.id in self._names

    def _is_named(self, node: ast.AST) -> bool:
        """Whether a name or an attribute is bound to what depends on the version; a collection of things does not."""
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return False
        name = last_name(node)
        if name not in self._known:
            self._known[name] = False  # until it is known, for names that are bound by each other
            values = self._bound.get(name, ())
            self._known[name] = any(
                not isinstance(one, (ast.Dict, ast.JoinedStr)) and self.reads(one) for one in values
            )
        return self._known[name]

    # --- values -------------------------------------------------------------------------------------------

    def value(self, node: ast.expr, release: str, *, free: bool) -> object:
        """The value of an expression.

        Args:
            node: the expression.
            release: the version.
            free: how each part of a test answers that does not read the version.

        Raises:
            NotFollowed: it cannot be computed.
        """
        try:
            return _Evaluation(self, release, free=free).value(node, {})
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
            raise NotFollowed from error

    def single(self, name: str) -> ast.expr | None:
        """What a name is bound to, if that is one thing."""
        values = self._bound.get(name, ())
        return values[0] if len(values) == 1 else None


class _Evaluation:
    """One computation."""

    def __init__(self, releases: Releases, release: str, *, free: bool) -> None:
        self._releases = releases
        self._release = release
        self._free = free
        self._depth = 0

    def value(self, node: ast.expr, local: _Local) -> object:
        """The value of an expression in which a comprehension has bound some names."""
        if self._releases._is_read(node):
            return self._release
        match node:
            case ast.Constant():
                return node.value
            case ast.Name() | ast.Attribute():
                return self._name(node, local)
            case ast.Call():
                return self._call(node, local)
            case ast.Tuple() | ast.List() | ast.Set() | ast.GeneratorExp() | ast.ListComp():
                return self._sequence(node, local)
            case ast.JoinedStr():
                return self._text(node, local)
            case ast.Subscript():
                return self._subscript(node, local)
        return self._tested(node, local)

    def _tested(self, node: ast.expr, local: _Local) -> object:
        """The answer of a test."""
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return not self._holds(node.operand, local)
            case ast.BoolOp():
                found = [self._holds(one, local) for one in node.values]
                return all(found) if isinstance(node.op, ast.And) else any(found)
            case ast.IfExp():
                return self.value(node.body if self._holds(node.test, local) else node.orelse, local)
            case ast.Compare():
                return self._comparison(node, local)
        return self._other(node)

    def _name(self, node: ast.Name | ast.Attribute, local: _Local) -> object:
        if isinstance(node, ast.Name) and node.id in local:
            return local[node.id]
        if isinstance(node, ast.Attribute) and self._releases.reads(node.value):
            return _part(self.value(node.value, local), node.attr)
        bound = self._releases.single(last_name(node))
        self._depth += 1
        if bound is None or self._depth > _DEEP:
            if self._releases.reads(node):
                raise NotFollowed
            return FREE
        found = self.value(bound, {})
        self._depth -= 1
        return found

    def _call(self, node: ast.Call, local: _Local) -> object:
        name = last_name(node.func)
        if isinstance(node.func, ast.Attribute) and name in _OF_TEXT and not node.keywords:
            text = self.value(node.func.value, local)
            if isinstance(text, str):
                return getattr(text, name)(*self._all(node.args, local))
        if name in _READING and len(node.args) == 1:
            (text,) = self._all(node.args, local)
            return text if isinstance(text, _Release) else _Release(str(text))
        if name == "map" and len(node.args) == 2:
            return [_converted(last_name(node.args[0]), one) for one in self._iterated(node.args[1], local)]
        if name in _CONVERTING and len(node.args) == 1 and isinstance(node.func, ast.Name):
            return _converted(name, *self._all(node.args, local))
        if isinstance(node.func, ast.Name) and not node.args and not node.keywords:
            return self._name(node.func, local)
        return self._other(node)

    def _other(self, node: ast.expr) -> object:
        if self._releases.reads(node):
            raise NotFollowed
        return FREE

    def _all(self, nodes: Iterable[ast.expr], local: _Local) -> list[object]:
        found = [self.value(one, local) for one in nodes]
        if any(one is FREE for one in found):
            raise NotFollowed
        return found

    def _text(self, node: ast.JoinedStr, local: _Local) -> str:
        """`f"{major}.{minor}"`."""
        parts = [one.value if isinstance(one, ast.FormattedValue) else one for one in node.values]
        return "".join(map(str, self._all(parts, local)))

    def _sequence(
        self, node: ast.Tuple | ast.List | ast.Set | ast.GeneratorExp | ast.ListComp, local: _Local
    ) -> object:
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            return self._comprehension(node, local)
        found = self._all(node.elts, local)
        return found if isinstance(node, ast.List) else tuple(found)

    def _subscript(self, node: ast.Subscript, local: _Local) -> object:
        if not self._releases.reads(node):
            return FREE
        whole = self.value(node.value, local)
        if isinstance(node.slice, ast.Slice):
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            at: object = slice(*(None if one is None else self.value(one, local) for one in parts))
        else:
            at = self.value(node.slice, local)
        if isinstance(whole, (str, tuple, list)) and isinstance(at, (int, slice)):
            return whole[at]
        raise NotFollowed

    def _comprehension(self, node: ast.GeneratorExp | ast.ListComp, local: _Local) -> object:
        (generator,) = node.generators
        if not isinstance(generator.target, ast.Name):
            raise NotFollowed
        scopes = [{**local, generator.target.id: one} for one in self._iterated(generator.iter, local)]
        kept = [scope for scope in scopes if all(self.value(test, scope) for test in generator.ifs)]
        return [self.value(node.elt, scope) for scope in kept]

    def _iterated(self, node: ast.expr, local: _Local) -> Sequence[object]:
        found = self.value(node, local)
        if isinstance(found, (str, tuple, list)):
            return found
        raise NotFollowed

    # --- tests --------------------------------------------------------------------------------------------

    def _holds(self, node: ast.expr, local: _Local) -> bool:
        found = self.value(node, local)
        return self._free if found is FREE else bool(found)

    def _comparison(self, node: ast.Compare, local: _Local) -> object:
        if not self._releases.reads(node) and not local:
            return self._free
        values = self._all([node.left, *node.comparators], local)
        sides = pairwise(values)
        return all(_COMPARED[type(op)](*_alike(left, right)) for op, (left, right) in zip(node.ops, sides, strict=True))


def _is_less(one: object, other: object) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one < other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one < other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return one < other
    if isinstance(one, list) and isinstance(other, list):
        return one < other
    raise NotFollowed


def _is_in(one: object, other: object) -> bool:
    if isinstance(other, str):
        return isinstance(one, str) and one in other
    return isinstance(other, (tuple, list)) and one in other


_COMPARED: Mapping[type[ast.cmpop], Callable[[object, object], object]] = {
    ast.Lt: _is_less,
    ast.LtE: lambda one, other: not _is_less(other, one),
    ast.Gt: lambda one, other: _is_less(other, one),
    ast.GtE: lambda one, other: not _is_less(one, other),
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: _is_in,
    ast.NotIn: lambda one, other: not _is_in(one, other),
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


def _converted(name: str, value: object) -> object:
    """`int(value)`, and others by their names."""
    if name in ("str", "bool"):
        return str(value) if name == "str" else bool(value)
    if name in ("int", "float") and isinstance(value, (str, int, float)):
        return int(value) if name == "int" else float(value)
    if name in ("tuple", "list", "len") and isinstance(value, (str, tuple, list)):
        return {"tuple": tuple(value), "list": list(value), "len": len(value)}[name]
    raise NotFollowed


def _imported(tree: ast.Module) -> Iterable[str]:
    """Names that the version itself is imported under: `from gym import __version__`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in ("gym", "gym.version"):
            yield from (one.asname or one.name for one in node.names if one.name in ("__version__", "VERSION"))


def _part(value: object, name: str) -> object:
    """`Version(...).minor`, `get_distribution("gym").version`."""
    if isinstance(value, _Release):
        if name in ("major", "minor", "micro"):
            return value[("major", "minor", "micro").index(name)]
        if name in ("release", "version"):
            return tuple(value[:3])
    if isinstance(value, str) and name in ("version", "parsed_version"):
        return _Release(value) if name == "parsed_version" else value
    raise NotFollowed


def _alike(left: object, right: object) -> tuple[object, object]:
    """Both sides of a comparison; a release that was read as one can be compared with a text."""
    if isinstance(left, _Release) and isinstance(right, str):
        return left, _Release(right)
    if isinstance(right, _Release) and isinstance(left, str):
        return _Release(left), right
    return left, right

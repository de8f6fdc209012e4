"""What a test asks of the library: whether old Gym runs on one side of it, as far as the file shows.

A flag is known by how it is bound: by a try import, a look for the module, a comparison of versions. Only where that
is not in sight does its name count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from done_lint.core.ast_walk import walked
from done_lint.core.gymnasium_release import NEWEST
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.attempts import gives_up
from done_lint.flowgraph.libraries.spaces_of_library import is_space, takes_spaces
from done_lint.flowgraph.libraries.version_comparers import VersionComparers

OLD = "gym"
NEW = "gymnasium"
#: The first release of Gym whose `step` and `reset` answer as Gymnasium's do.
_FIVE_VALUES = (0, 26)


#: How surely a side of a test is there for old Gym alone. INSTALLED: it runs where Gym is installed at all, which says
#: something only in a program that knows the new library as well.
NOT, INSTALLED, SURELY = range(3)


class Sides(NamedTuple):
    """How surely the code on each side of a test is there for old Gym alone."""

    holds: int = NOT
    fails: int = NOT

    @property
    def turned(self) -> Sides:
        """The sides of `not test`."""
        return Sides(self.fails, self.holds)


_NEITHER = Sides()
_OLD_HOLDS = Sides(holds=SURELY)
_OLD_FAILS = Sides(fails=SURELY)
_OLD_THERE = Sides(holds=INSTALLED)

#: Functions that look for a module without importing it, and those that tell the version of an installed one.
_FINDERS = frozenset({"find_spec", "find_loader", "find_module", "module_available", "is_module_available"})
_VERSIONS = frozenset({"version", "get_distribution", "get_version", "package_version"})
#: Functions that read a version.
_PARSERS = frozenset(
    "parse parse_version Version LooseVersion StrictVersion tuple list int float str map version".split(),
)
#: Names that mean that a library is there.
_THERE = r"^_*(?:has|have|is|use|using|with|found)_"
_OLD_PRESENT = re.compile(
    rf"{_THERE}?gym(?:_(?:regular|available|installed|backend))?$|^_*gym_(?:available|installed|found)$", re.IGNORECASE
)
_NEW_PRESENT = re.compile(
    rf"{_THERE}?gymnasium(?:_(?:available|installed|backend))?$|^_*gymnasium(?:_(?:available|installed))?$",
    re.IGNORECASE,
)
#: Names that mean that old Gym runs, and those that mean that the new API does.
_OLD_NAME = re.compile(
    r"(?:^|_)(?:legacy|old)_gym(?:$|_)|(?:^|_)gym_(?:legacy|old)(?:$|_)|^_*(?:legacy|old)_(?:step_)?api$", re.IGNORECASE
)
_NEW_NAME = re.compile(r"(?:^|_)(?:new|modern)_gym(?:$|_)|^_*(?:new|modern)_(?:step_|gym_)?api$", re.IGNORECASE)
#: What a string says that it is compared with is the library, and no kind of environments.
_LIBRARY_NAME = re.compile(r"backend|librar|package|module|(?:^|_)lib(?:$|_)|__name__", re.I)
#: A function that does more than this before it returns does not only test.
_FEW = 3
_RELEASE = re.compile(r"^v?(\d+)\.(\d+)")


#: What is looked at once before any question.
_NOTED = frozenset(
    {
        *(ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Try, ast.FunctionDef, ast.AsyncFunctionDef),
        *(ast.Call, ast.Compare, ast.If, ast.Import, ast.IfExp),
    }
)


class LibraryTests:
    """Answers about the tests of one file."""

    def __init__(self, tree: ast.Module) -> None:
        """Look at what the file binds."""
        #: What assignments bind names and attributes to, and what functions return if that is all they do.
        self.bound: dict[str, list[ast.expr]] = {}
        #: Flags that a try import sets, and modules that it sets to `None`.
        self._imported: dict[str, Sides] = {}
        #: Flags that are set where a test holds, the test and the value: `if gym.__version__ > "1.0": NEW = True`.
        self._set_behind: dict[str, tuple[ast.expr, bool]] = {}
        #: Names that modules are imported under, by name.
        self._modules: dict[str, str] = {}
        #: The libraries that are asked for, each by its name.
        self.asked: set[str] = set()
        #: Answers of before, by name.
        self._sides: dict[str, Sides] = {}
        self._version_names: dict[str, bool] = {}
        #: The conditional expressions of the file.
        self.conditional: list[ast.IfExp] = []
        self._comparers = VersionComparers(self.bound, self._is_version)
        self._tree = tree
        nodes = [node for node in walked(tree) if type(node) in _NOTED]
        for node in nodes:
            if isinstance(node, ast.Import):
                self._note_import(node)
        for node in nodes:
            self._note(node)

    def sides(self, test: ast.expr) -> Sides:
        """The sides of a test."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.sides(test.operand).turned
        if isinstance(test, ast.BoolOp):
            parts = [self.sides(value) for value in test.values]
            holds, fails = zip(*parts)
            return Sides(max(holds), min(fails)) if isinstance(test.op, ast.And) else Sides(min(holds), max(fails))
        if isinstance(test, ast.NamedExpr):
            return self.sides(test.value)
        if isinstance(test, ast.Call):
            return self._of_call(test)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return self._of_comparison(test.left, test.ops[0], test.comparators[0])
        if isinstance(test, (ast.Name, ast.Attribute)):
            return self._of_name(last_name(test))
        return _NEITHER

    def library(self, node: ast.expr) -> str:
        """The library that an expression names: the module under its name here, or a string; else empty."""
        if isinstance(node, ast.Constant) and node.value in (OLD, NEW):
            return str(node.value)
        return self._modules.get(node.id, "") if isinstance(node, ast.Name) else ""

    def names_of(self, library: str) -> set[str]:
        """The names that a library is imported under."""
        return {name for name, one in self._modules.items() if one == library}

    # --- what is bound ---------------------------------------------------------------------------------

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            self._note_assignment(node)
        elif isinstance(node, ast.Try):
            self._note_try(node)
        elif isinstance(node, ast.If):
            self._note_if(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._note_function(node)
        elif isinstance(node, ast.Call):
            self._note_call(node)
        elif isinstance(node, ast.Compare):
            self._note_comparison(node)
        elif isinstance(node, ast.IfExp):
            self.conditional.append(node)

    def _note_assignment(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if node.value is not None and isinstance(target, (ast.Name, ast.Attribute)):
                self.bound.setdefault(last_name(target), []).append(node.value)
            for place, one in enumerate(target.elts if isinstance(target, (ast.Tuple, ast.List)) else ()):
                if node.value is None or isinstance(one, ast.Starred):
                    break
                item = ast.Subscript(node.value, ast.Constant(place), ast.Load())
                self.bound.setdefault(last_name(one), []).append(item)

    def _note_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        *before, last = node.body
        self._comparers.note(node)
        if isinstance(last, ast.Return) and last.value is not None and len(before) < _FEW:
            self.bound.setdefault(node.name, []).append(last.value)

    def _note_call(self, node: ast.Call) -> None:
        if last_name(node.func) in (*_FINDERS, "importorskip") and node.args:
            self.asked |= {self.library(node.args[0])} - {""}

    def _note_import(self, node: ast.Import) -> None:
        for alias in node.names:
            if (root := alias.name.partition(".")[0]) in (OLD, NEW):
                self._modules.setdefault(alias.asname or root, root)

    def _note_try(self, node: ast.Try) -> None:
        """`try: import gym; HAS_GYM = True`, `except ImportError: gym = None`."""
        tried = {library for statement in node.body for library in imported_libraries(statement)}
        if len(tried) != 1:
            return
        found = _present(*tried)
        handlers = [statement for handler in node.handlers for statement in handler.body]
        for statement in (*node.body, *node.orelse):
            for name, value in _constants(statement):
                if isinstance(value, bool):
                    self._imported[name] = found if value else found.turned
        for statement in handlers:
            for name, value in _constants(statement):
                if value is None:
                    self._imported[name] = found
        if any(True for statement in handlers for _ in _constants(statement)):
            self.asked |= tried

    def _note_if(self, node: ast.If) -> None:
        for statement in node.body:
            for name, value in _constants(statement):
                if isinstance(value, bool):
                    self._set_behind[name] = (node.test, value)

    def _note_comparison(self, node: ast.Compare) -> None:
        """`module.__name__ == "gym"`, `"gym" in sys.modules`."""
        for right in node.comparators:
            if any(self._of_library(node.left, right)):
                self.asked.add(self.library(right))
            elif _is_modules(right):
                self.asked |= {self.library(node.left)} - {""}

    @property
    def tells_apart(self) -> bool:
        """The file treats the two libraries as two: it asks for each, or for the old one beside the new one."""
        imported = {library for name, library in self._modules.items() if library == NEW and name != OLD}
        return OLD in self.asked and NEW in self.asked | imported

    # --- tests -----------------------------------------------------------------------------------------

    def _of_name(self, name: str) -> Sides:
        if name not in self._sides:
            self._sides[name] = _NEITHER  # until it is known, for names that are bound by each other
            self._sides[name] = self._imported.get(name) or self._of_place(name) or self._of_values(name)
        return self._sides[name]

    def _of_place(self, name: str) -> Sides | None:
        """What the test says behind which a flag is set."""
        if name not in self._set_behind:
            return None
        test, value = self._set_behind[name]
        found = self.sides(test)
        return (found if value else found.turned) if any(found) else None

    def _of_values(self, name: str) -> Sides:
        """What the values of a name say, and where they say nothing, the name itself."""
        found = {self.sides(value) for value in self.bound.get(name, ())}
        if found <= {_NEITHER}:
            return _by_spelling(name)
        return found.pop() if len(found) == 1 else _NEITHER

    def _of_call(self, call: ast.Call) -> Sides:
        name = last_name(call.func)
        if name in _FINDERS and call.args:
            return _present(self.library(call.args[0]))
        if name == "bool" and call.args:
            return self.sides(call.args[0])
        if name == "isinstance" and len(call.args) == 2:
            return self._of_instance(call.args[1])
        if name == "startswith" and isinstance(call.func, ast.Attribute) and call.args:
            bound = _release(call.args[0])
            old = bound is not None and bound < _FIVE_VALUES and self._is_version(call.func.value)
            return _OLD_HOLDS if old else _NEITHER
        if len(call.args) == 1 and (found := self._comparers.comparison(name)) is not None:
            bound, mirrored = self._bound_of(call.args[0]), _MIRRORED.get(type(found.operator), found.operator)
            operator = found.operator if found.on_left else mirrored
            return _NEITHER if bound is None else _of_versions(operator, bound, self._newest_old)
        return self._of_name(name)

    def _of_instance(self, kind: ast.expr) -> Sides:
        """`isinstance(env, gym.Env)` tells the libraries apart where both are imported, each by its name."""
        root = kind
        while isinstance(root, ast.Attribute):
            root = root.value
        libraries = set(self._modules.values())
        if len(libraries) != 2 or self.library(root) != OLD or root is kind:
            return _NEITHER
        return _NEITHER if is_space(kind) and not self._has_new_spaces else _OLD_HOLDS

    @cached_property
    def _has_new_spaces(self) -> bool:
        """Whether the file takes spaces from the new library too; else all of its spaces move together."""
        return takes_spaces(self._tree, NEW, self.names_of(NEW))

    def _of_comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Sides:
        if isinstance(right, ast.Constant) and right.value is None:
            found = self.sides(left)
            return found.turned if isinstance(operator, (ast.Is, ast.Eq)) else found
        if isinstance(operator, (ast.In, ast.NotIn)):
            found = _present(self.library(left)) if _is_modules(right) else _NEITHER
            return found.turned if isinstance(operator, ast.NotIn) else found
        if isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
            found = self._of_library(left, right)
            if any(found):
                return found.turned if isinstance(operator, (ast.NotEq, ast.IsNot)) else found
        if (bound := self._bound_of(right)) is not None and self._is_version(left):
            return _of_versions(operator, bound, self._newest_old)
        if (bound := self._bound_of(left)) is not None and self._is_version(right):
            return _of_versions(_MIRRORED.get(type(operator), operator), bound, self._newest_old)
        return _NEITHER

    @property
    def _newest_old(self) -> tuple[int, int]:
        """The newest release below which a version is an old one: in a file of Gymnasium's alone, Gymnasium's."""
        return NEWEST if {*self._modules.values()} == {NEW} else _FIVE_VALUES

    def _of_library(self, left: ast.expr, right: ast.expr) -> Sides:
        """`backend == "gym"`, `gym_backend() is gymnasium`."""
        library = self.library(right)
        named = left.func if isinstance(left, ast.Call) else left
        if not library or not _LIBRARY_NAME.search(last_name(named)):
            return _NEITHER
        return _OLD_HOLDS if library == OLD else _OLD_FAILS

    def _bound_of(self, node: ast.expr) -> tuple[int, int] | None:
        """The release that a version is compared with; a name may stand for it."""
        values = self.bound.get(last_name(node), ()) if isinstance(node, (ast.Name, ast.Attribute)) else ()
        return _release(values[0]) if len(values) == 1 else _release(node)

    def _is_version(self, node: ast.expr) -> bool:
        """Whether an expression is the version of Gym, or a part of it."""
        if isinstance(node, ast.Attribute) and node.attr in ("__version__", "VERSION"):
            return any("gym" in name.lower() for name in _words(node.value))
        if isinstance(node, (ast.Name, ast.Attribute)):
            named = self._is_version_name(last_name(node))
            return named or (isinstance(node, ast.Attribute) and self._is_version(node.value))
        if isinstance(node, ast.Subscript):
            return self._is_version(node.value)
        if isinstance(node, ast.Call):
            return self._is_version_call(node)
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            return self._is_version(node.generators[0].iter)
        return False

    def _is_version_call(self, call: ast.Call) -> bool:
        """`importlib.metadata.version("gym")`, `Version(gym.__version__)`, `gym.__version__.split(".")`."""
        if last_name(call.func) in _VERSIONS and call.args and self.library(call.args[0]):
            return True
        if isinstance(call.func, ast.Attribute) and last_name(call.func) in ("split", "strip", "replace"):
            return self._is_version(call.func.value)
        return last_name(call.func) in _PARSERS and any(map(self._is_version, call.args))

    def _is_version_name(self, name: str) -> bool:
        """Whether a name is bound to the version, or called so where that is not in sight."""
        if name not in self._version_names:
            self._version_names[name] = False  # until it is known, for names that are bound by each other
            values = self.bound.get(name, ())
            spelled = not values and ("gym_version" in name.lower() or name.lower() == "gym_v")
            self._version_names[name] = spelled or any(map(self._is_version, values))
        return self._version_names[name]


#: `a < b` is `b > a`.
_MIRRORED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.Gt(),
    ast.LtE: ast.GtE(),
    ast.Gt: ast.Lt(),
    ast.GtE: ast.LtE(),
}


def imported_libraries(statement: ast.stmt) -> list[str]:
    """Which of the two libraries a statement imports, or imports from."""
    if isinstance(statement, ast.Import):
        modules = [alias.name for alias in statement.names]
    elif isinstance(statement, ast.ImportFrom) and not statement.level:
        modules = [statement.module or ""]
    else:
        return []
    return [root for root in (module.partition(".")[0] for module in modules) if root in (OLD, NEW)]


def catches_import_error(node: ast.Try) -> bool:
    """`except ImportError`, `except ModuleNotFoundError`, and handlers of everything; not those that raise again."""
    kinds = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
    return any(
        handler.type is None or any(isinstance(n, ast.Name) and n.id in kinds for n in ast.walk(handler.type))
        for handler in node.handlers
        if not gives_up(handler.body[-1])
    )


def _constants(statement: ast.stmt) -> Iterator[tuple[str, object]]:
    """Names and attributes that a statement sets to a constant."""
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
        for target in statement.targets:
            if isinstance(target, (ast.Name, ast.Attribute)):
                yield last_name(target), statement.value.value


def _present(library: str) -> Sides:
    """The library is there: without the new one it is the old one that runs."""
    return {OLD: _OLD_THERE, NEW: _OLD_FAILS}.get(library, _NEITHER)


def _by_spelling(name: str) -> Sides:
    """What a name says by itself."""
    if _OLD_PRESENT.search(name):
        return _OLD_THERE
    if _OLD_NAME.search(name):
        return _OLD_HOLDS
    return _OLD_FAILS if _NEW_PRESENT.search(name) or _NEW_NAME.search(name) else _NEITHER


def _is_modules(node: ast.expr) -> bool:
    """`sys.modules`."""
    return isinstance(node, ast.Attribute) and node.attr == "modules" and last_name(node.value) == "sys"


def _of_versions(operator: ast.cmpop, bound: tuple[int, int], newest_old: tuple[int, int]) -> Sides:
    """A version against a release: below it runs what is old, if that release is no newer than one.

    Of Gym that is the first release with five values. What is there for an older Gymnasium does not run with today's.
    """
    if bound > newest_old:
        return _NEITHER
    if isinstance(operator, (ast.Lt, ast.LtE)):
        return _OLD_HOLDS
    if isinstance(operator, (ast.Gt, ast.GtE)):
        return _OLD_FAILS
    if isinstance(operator, ast.Eq) and bound < _FIVE_VALUES:
        return _OLD_HOLDS
    return _NEITHER


def _release(node: ast.expr) -> tuple[int, int] | None:
    """The first two numbers of a release, as programs write it: a string, a tuple, a call with one of these, `26`."""
    if isinstance(node, ast.Call) and node.args:
        return _release(node.args[0])
    if isinstance(node, (ast.Tuple, ast.List)):
        numbers = [one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, int)]
        return (numbers[0], numbers[1]) if len(numbers) >= 2 else None
    if not isinstance(node, ast.Constant):
        return None
    if isinstance(node.value, str) and (match := _RELEASE.match(node.value)):
        return int(match[1]), int(match[2])
    if isinstance(node.value, float) and (match := _RELEASE.match(repr(node.value))):
        return int(match[1]), int(match[2])
    return (0, node.value) if type(node.value) is int and 10 <= node.value <= _FIVE_VALUES[1] else None


def _words(node: ast.AST) -> Iterator[str]:
    """The names in an expression."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr

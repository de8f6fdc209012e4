"""Code that is there for old Gym alone, in a file that chooses between the libraries or their releases.

Such code is right as it stands: one side of a test, a function behind a decorator, what follows an early exit.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.libraries.kept_helpers import kept_helpers
from done_lint.flowgraph.libraries.library_converters import converts
from done_lint.flowgraph.libraries.library_tests import (
    INSTALLED,
    NEW,
    NOT,
    OLD,
    SURELY,
    LibraryTests,
    catches_import_error,
    imported_libraries,
)
from done_lint.flowgraph.libraries.version_tests import VersionTest, version_tests
from done_lint.knowledge.packages import knows_gym_alone

#: A file without one of these chooses nothing. What is plainly imported together is found by the imports.
_MARKS = (
    *("importerror", "modulenotfound", "find_spec", "find_loader", "sys.modules", "importorskip", "type_checking"),
    *("__version__", "gym.version", "pkg_resources", "gym_version", "gymversion", "get_distribution", "step_api"),
    *("not isinstance(", "old_api", "new_api", "legacy_api", "has_gym", "have_gym", "is_gym", "use_gym", "using_gym"),
    *("with_gym", "found_gym", "old_gym", "legacy_gym", "new_gym", "modern_gym", "gym_old", "gym_legacy"),
    *("gym_available", "gym_installed", '"gym"', "'gym'", '"gymnasium"', "'gymnasium'", "is gym", "is not gym"),
)
#: `import gym`, and `import gymnasium`; `from gym.envs.registration import ...`.
_PLAIN = [re.compile(rf"^[ \t]*(?:import\b[^\n]*|from[ \t]+){library}\b", re.MULTILINE) for library in (OLD, NEW)]
#: `from gym.envs.registration import register as register_gym`.
_RENAMED = re.compile(r"^[ \t]*from[ \t]+gym\b.*?\bas[ \t]+\w*gym", re.MULTILINE)
#: A file without one of these never asks which release it runs with.
_ASKS_VERSION = re.compile(r"__version__|\bVERSION\b|metadata|pkg_resources")
#: Calls that end a test or the program.
_EXITS = frozenset({"skip", "skipTest", "exit", "fail", "xfail"})
#: Calls that import what a text names, and how surely the code behind them is there for old Gym.
_BY_NAME = {"importorskip": INSTALLED, "import_module": SURELY}
#: What a program takes from the library that it runs its environments with.
_WHOLE = frozenset({"make", "Env", "Wrapper", "register", "vector", "make_vec", "envs", "__version__", "__name__"})
_Body = Sequence[ast.stmt]
#: The first and the last syntax node of some code.
Stretch = tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]


@dataclass(slots=True)
class LibraryChoices:
    """What a file keeps for old Gym."""

    #: Right whatever else the program does.
    kept: list[Stretch] = field(default_factory=list)
    #: Right where the program knows the new library, too: what runs if old Gym is installed at all.
    beside: list[Stretch] = field(default_factory=list)
    #: The file treats the two libraries as two, each by its name.
    tells_apart: bool = False
    #: It imports both, plainly, under names of their own.
    imports_both: bool = False
    #: Tests of Gym's version to which Gymnasium's number is no good answer.
    version_tests: list[VersionTest] = field(default_factory=list)


def library_choices(tree: ast.Module, text: str, imports: Iterable[str]) -> LibraryChoices:
    """The choices of a file, which has these imports."""
    roots = {module.partition(".")[0] for module in imports}
    plain = roots >= {OLD, NEW} and all(one.search(text) for one in _PLAIN)
    found = LibraryChoices(imports_both=plain and (_imports_both(tree) or _imports_one_name_twice(tree)))
    if _RENAMED.search(text):
        found.beside += ((one, one) for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and _says_gym(one))
    if plain and not found.imports_both and converts(tree):
        # what else the program does with Gym may move; this file needs both
        written = (one for one in ast.walk(tree) if isinstance(one, (ast.Import, ast.ImportFrom)))
        found.beside += ((one, one) for one in written if OLD in imported_libraries(one))
    lower = text.lower()
    if OLD in lower and any(mark in lower for mark in _MARKS):
        finder = _Finder(tree, found, mocks="sys.modules" in text, alone=knows_gym_alone(text))
        finder.block(tree.body)
        finder.conditional_expressions()
        found.kept += kept_helpers(tree, found.kept)
        found.tells_apart = finder.tests.tells_apart
        if NEW not in roots and _ASKS_VERSION.search(text):
            found.version_tests = version_tests(tree, finder.tests.bound, finder.tests.names_of(OLD))
    return found


def _imports_both(tree: ast.Module) -> bool:
    """`import gym` and `import gymnasium`, each under a name that the other does not have, and each used as a whole.

    Who takes the spaces from the one and the environments from the other has moved by half, but for one who asks which
    release of Gym there is, imports it where it is needed only, or reads the same of both.
    """
    nodes = walked(tree)
    names: dict[str, set[str]] = {OLD: set(), NEW: set()}
    for node in nodes:
        for alias in node.names if isinstance(node, ast.Import) else ():
            if alias.name in names:
                names[alias.name].add(alias.asname or alias.name)
    if not all(names.values()) or not names[OLD].isdisjoint(names[NEW]):
        return False
    if any(_asks_release(node, names[OLD]) or _imports_late(node) for node in nodes):
        return True
    if not _attributes(nodes, names[OLD]).isdisjoint(_attributes(nodes, names[NEW])):
        return True
    whole = _whole_uses(nodes)
    return all(not whole.isdisjoint(bound) for bound in names.values())


def _imports_one_name_twice(tree: ast.Module) -> bool:
    """`from gymnasium.envs.registration import register`, and Gym's as `register_gym`: each is called by its name."""
    bound: dict[str, dict[str, str]] = {OLD: {}, NEW: {}}
    for node in walked(tree):
        if isinstance(node, ast.ImportFrom):
            for library in imported_libraries(node):
                bound[library].update((alias.name, alias.asname or alias.name) for alias in node.names)
    return any(bound[NEW].get(name, own) != own for name, own in bound[OLD].items())


def _says_gym(node: ast.ImportFrom) -> bool:
    """Whether what is imported from Gym has a name that says so: there is another of its kind."""
    names = [(alias.name, alias.asname or "") for alias in node.names]
    return OLD in imported_libraries(node) and all("gym" in own and "gym" not in name for name, own in names)


def _asks_release(node: ast.AST, names: set[str]) -> bool:
    """`gym.__version__`."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    return node.attr == "__version__" and node.value.id in names


def _imports_late(node: ast.AST) -> bool:
    """A function that imports Gym for itself: what else is there does not need it."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    inside = ast.walk(node) if isinstance(node, functions) else ()
    return any(isinstance(one, ast.Import) and any(alias.name == OLD for alias in one.names) for one in inside)


def _attributes(nodes: Sequence[ast.AST], names: set[str]) -> set[str]:
    """What is read of a library: `spaces.Box` of `gym.spaces.Box`. Who reads the same of both compares with both."""
    read = (ast.unparse(node).partition(".") for node in nodes if isinstance(node, ast.Attribute))
    return {rest for name, _, rest in read if name in names} - {"spaces"}


def _whole_uses(nodes: Sequence[ast.AST]) -> set[str]:
    """Names that are used by themselves (`backend(gym)`), or of which an environment is made or derived."""
    attributes = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    partly = {node.value for node in attributes}
    found = {node.id for node in nodes if isinstance(node, ast.Name) and node not in partly}
    return found | {node.value.id for node in attributes if isinstance(node.value, ast.Name) and node.attr in _WHOLE}


class _Finder:
    """Walks over statements; what it finds goes into the result."""

    def __init__(self, tree: ast.Module, found: LibraryChoices, *, mocks: bool, alone: bool) -> None:
        """Begin with what the tests of the file can ask.

        Args:
            tree: the file.
            found: what is found goes there.
            mocks: it may put modules in place of others.
            alone: it knows Gym alone.
        """
        self.tests = LibraryTests(tree)
        self._tree = tree
        self._mocks = mocks
        self._alone = alone
        self._found = found

    def block(self, body: _Body) -> None:
        """Statements in order."""
        for place, statement in enumerate(body):
            rest = body[place + 1 :]
            if isinstance(statement, ast.If):
                self._if(statement, rest)
            elif isinstance(statement, ast.Assert):
                self._keep(rest, self.tests.sides(statement.test).holds)
            elif isinstance(statement, ast.Try):
                self._try(statement)
            elif isinstance(statement, (ast.With, ast.AsyncWith)):
                self._with(statement)
            elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self._definition(statement)
            else:
                self._simple(statement, rest)
            for inner in _blocks(statement):
                self.block(inner)

    # --- statements ------------------------------------------------------------------------------------

    def _if(self, statement: ast.If, rest: _Body) -> None:
        if last_name(statement.test) == "TYPE_CHECKING":
            self._imports(statement.body)
            return
        sides = self.tests.sides(statement.test)
        self._keep(statement.body, sides.holds)
        self._keep(statement.orelse, sides.fails)
        if _leaves(statement.body) and not statement.orelse:
            self._keep(rest, sides.fails)

    def _imports(self, body: _Body, surely: int = SURELY) -> None:
        """The imports of old Gym among statements."""
        for one in body:
            self._keep([one], surely if OLD in imported_libraries(one) else NOT)

    def _try(self, statement: ast.Try) -> None:
        """Imports that may fail, and all that stands in the handler where only Gymnasium was tried."""
        if not catches_import_error(statement):
            return
        tried = {library for one in statement.body for library in imported_libraries(one)}
        handled = {library for one in statement.handlers for inner in one.body for library in imported_libraries(inner)}
        whole = any(isinstance(one, ast.Import) and OLD in imported_libraries(one) for one in statement.body)
        optional = self._alone and whole and not handled
        self._imports([*statement.body, *statement.orelse], INSTALLED if optional else SURELY)
        for handler in statement.handlers:
            self._imports(handler.body)
            self._keep(handler.body, SURELY if tried == {NEW} else NOT)

    def _with(self, statement: ast.With | ast.AsyncWith) -> None:
        """`with set_gym_backend("gym"):`, `with patch.dict("sys.modules", {"gym": ...}):`."""
        for item in statement.items:
            call = item.context_expr
            if not isinstance(call, ast.Call):
                continue
            chosen = "gym" in last_name(call.func).lower() and call.args and self.tests.library(call.args[0])
            self._keep(statement.body, SURELY if chosen == OLD or _mocks(call) else NOT)

    def _definition(self, statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        for decorator in statement.decorator_list:
            if isinstance(decorator, ast.Call):
                self._keep([statement], self._decorated(decorator, statement))
        if isinstance(statement, ast.ClassDef):
            return
        if self._mocks and any(map(_mocks_module, ast.walk(statement))):
            self._keep([statement], SURELY)
        for place, one in enumerate(statement.body):
            self._keep(statement.body[: place + 1], SURELY if _expects_old(one, statement.body[:place]) else NOT)

    def _decorated(self, decorator: ast.Call, statement: ast.stmt) -> int:
        """How surely what a decorator decorates is there for old Gym."""
        name, strings = last_name(decorator.func), _libraries_in(decorator)
        if name in ("skipif", "skipIf", "skipUnless"):
            sides = self.tests.sides(decorator.args[0]) if decorator.args else (NOT, NOT)
            return sides[0 if name == "skipUnless" else 1]
        if name == "parametrize":
            # a test of both libraries is right for both
            return SURELY if len(strings) == 2 else NOT
        if strings == {OLD} and self._uses_new(statement):
            return NOT  # `@register("gym")`: one of several families of environments, which are Gymnasium's here
        # `implement_for("gym", None, "0.21.0")`
        self.tests.asked |= strings
        # `implement_for("gymnasium", None, "1.0.0")`: for releases before that one
        bounded = strings == {NEW} and len(decorator.args) > 2 and _is_release(decorator.args[2])
        return SURELY if strings == {OLD} or bounded or _mocks(decorator) else NOT

    def _uses_new(self, statement: ast.stmt) -> bool:
        """Whether code reads what the file has as Gymnasium, `import gymnasium as gym`, and as nothing else."""
        bound: dict[str, set[str]] = {OLD: set(), NEW: set()}
        for node in walked(self._tree):
            for alias in node.names if isinstance(node, ast.Import) else ():
                if alias.name in bound:
                    bound[alias.name].add(alias.asname or alias.name)
        new = bound[NEW] - bound[OLD]
        return any(isinstance(one, ast.Name) and one.id in new for one in ast.walk(statement))

    def _simple(self, statement: ast.stmt, rest: _Body) -> None:
        """What follows `pytest.importorskip("gym")`, `sys.modules["gym"] = ...` knows that it runs with Gym.

        So does what follows `gym = import_module("gym")`, whatever the program imports elsewhere.
        """
        value = statement.value if isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign)) else None
        if isinstance(value, ast.Call) and last_name(value.func) in _BY_NAME and value.args:
            surely = _BY_NAME[last_name(value.func)]
            self._keep(rest, surely if self.tests.library(value.args[0]) == OLD else NOT)
        if self._mocks and _mocks_module(statement):
            self._keep(rest, SURELY)

    def conditional_expressions(self) -> None:
        """`old() if legacy_gym else new()`."""
        for choice in self.tests.conditional:
            sides = self.tests.sides(choice.test)
            self._keep([choice.body], sides.holds)
            self._keep([choice.orelse], sides.fails)

    def _keep(self, body: Sequence[ast.expr | ast.stmt], old: int) -> None:
        if body and old:
            (self._found.kept if old == SURELY else self._found.beside).append((body[0], body[-1]))


def _is_release(node: ast.expr) -> bool:
    """`"1.0.0"`."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value[:1].isdigit()


def _blocks(statement: ast.stmt) -> Iterator[_Body]:
    """The blocks of statements in a statement."""
    for name in ("body", "orelse", "finalbody"):
        if body := getattr(statement, name, None):
            yield body
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _leaves(body: _Body) -> bool:
    """Whether what follows a block does not run after it."""
    last = body[-1]
    if isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
        return True
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and last_name(last.value.func) in _EXITS


def _libraries_in(call: ast.Call) -> set[str]:
    """Which of the two libraries a call names by strings."""
    return {n.value for n in ast.walk(call) if isinstance(n, ast.Constant) and n.value in (OLD, NEW)}


def _mocks(call: ast.Call) -> bool:
    """`mock.patch.dict("sys.modules", {"gym": ...})`, `monkeypatch.setitem(sys.modules, "gym", ...)`."""
    if last_name(call.func) not in ("dict", "setitem", "delitem") or not call.args:
        return False
    first = call.args[0]
    modules = (isinstance(first, ast.Constant) and first.value == "sys.modules") or (
        isinstance(first, ast.Attribute) and first.attr == "modules"
    )
    return modules and OLD in _libraries_in(call)


def _expects_old(statement: ast.stmt, before: _Body) -> bool:
    """`assert not isinstance(result, tuple)` of what a reset gave: the test knows that no info comes with it."""
    if not (isinstance(statement, ast.Assert) and isinstance(test := statement.test, ast.UnaryOp)):
        return False
    call = test.operand
    if not (isinstance(call, ast.Call) and last_name(call.func) == "isinstance" and len(call.args) == 2):
        return False
    name = last_name(call.args[0])
    resets = (one for one in before if isinstance(one, ast.Assign) and last_name(one.targets[0]) == name)
    values = [one.value for one in resets]
    is_reset = bool(values) and isinstance(values[-1], ast.Call) and last_name(values[-1].func) == "reset"
    return is_reset and last_name(call.args[1]) == "tuple"


def _mocks_module(node: ast.AST) -> bool:
    """The same, and `sys.modules["gym"] = ...`."""
    if isinstance(node, ast.Assign):
        return any(
            isinstance(target, ast.Subscript)
            and isinstance(target.value, ast.Attribute)
            and target.value.attr == "modules"
            and isinstance(target.slice, ast.Constant)
            and target.slice.value == OLD
            for target in node.targets
        )
    return isinstance(node, ast.Call) and _mocks(node)

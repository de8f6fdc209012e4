"""What pytest hands to the parameters of tests: the fixture of that name, of the file or of a `conftest.py`.

A fixture is a function that pytest calls for each test that asks for it; what it yields or returns arrives. It may be
imported, by name or with `*`, and any module may have some for the tests that import it.
"""

from __future__ import annotations

import ast
import posixpath
from typing import TypeAlias

from done_lint.core.ast_walk import walked
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.names import bind, cell
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Function
from done_lint.project.prefilter import SHARED_FIXTURES

_DECORATORS = frozenset({"fixture", "yield_fixture"})
#: What pytest itself gives, or a parameter of every method is.
_NO_FIXTURES = frozenset({"self", "cls", "request"})
#: The modules with fixtures that a `conftest.py` names instead of importing them.
_PLUGINS = "pytest_plugins"
#: The method of `request` that gives a fixture by its name.
_ASKING = "getfixturevalue"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"


def hand_over(b: Builder, tree: ast.Module, text: str) -> None:
    """Let the parameters of the tests of a file take what fixtures make, once all of it is surveyed."""
    functions = [one for one in tree.body if isinstance(one, _FUNCTIONS)]
    fixtures = {name: one.name for one in functions for name in _provided(one)}
    if not (fixtures or _holds_tests(b.result.path)):
        return
    _note_modules(b, tree)
    for name, provider in fixtures.items():
        if name != provider:
            bind(b, name, cell(b, b.names.scope, provider))
    for name, result in _asked(b, tree) if _ASKING in text else ():
        _take(b, _fixture(b, fixtures, name), result)
    methods = _methods(b, tree)
    for function in b.result.functions:
        own = methods.get(function.owner, {})
        if not (function.name.startswith("test") or function.name in fixtures.values() or function in own.values()):
            continue
        for name, parameter in function.params[: function.required]:
            if name in own:
                made = own[name].result
                b.wait(made, ops.Enter(made, parameter))
            elif name not in _NO_FIXTURES:
                _take(b, _fixture(b, fixtures, name), parameter)


def _asked(b: Builder, tree: ast.Module) -> list[tuple[str, Node]]:
    """The fixtures that are asked for by name, `request.getfixturevalue("env")`, and the nodes of what that gives."""
    calls = (one for one in walked(tree) if isinstance(one, ast.Call) and last_name(one.func) == _ASKING and one.args)
    names = {b.span(one): one.args[0] for one in calls}
    operations = (op for waiting in b.result.waiting.values() for op in waiting if isinstance(op, ops.Call))
    results = [(names[op.at], op.result) for op in operations if op.at in names]
    return [(e.value, node) for e, node in results if isinstance(e, ast.Constant) and isinstance(e.value, str)]


def _methods(b: Builder, tree: ast.Module) -> dict[int, dict[str, Function]]:
    """By class, the fixtures among its methods and those of its bases, for which its own tests may ask."""
    classes = {one.row: (index, one.methods) for index, one in enumerate(b.result.classes)}
    names = {one.name: index for index, one in enumerate(b.result.classes)}
    found: dict[int, dict[str, Function]] = {}
    for one in tree.body:
        if isinstance(one, ast.ClassDef) and one.lineno in classes:
            index, methods = classes[one.lineno]
            providers = [each for each in one.body if isinstance(each, _FUNCTIONS) and each.name in methods]
            bases = [names[base.id] for base in one.bases if isinstance(base, ast.Name) and base.id in names]
            inherited = {name: made for base in reversed(bases) for name, made in found.get(base, {}).items()}
            found[index] = inherited | {
                name: b.result.functions[methods[method.name]] for method in providers for name in _provided(method)
            }
    return found


def _holds_tests(path: str) -> bool:
    """Whether pytest looks for tests or fixtures in a file."""
    name = _module_name(path)
    return name.startswith(("test_", SHARED_FIXTURES)) or name.endswith("_test")


def _module_name(path: str) -> str:
    return posixpath.basename(path.replace("\\", "/")).removesuffix(".py")


def _provided(function: _Function) -> list[str]:
    """The name that a function with `@pytest.fixture` has as a fixture; of anything else none."""
    for decorator in function.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        if last_name(call.func if call else decorator) in _DECORATORS:
            named = [one.value for one in call.keywords if one.arg == "name"] if call else []
            texts = [one.value for one in named if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            return texts or [function.name]
    return []


def _note_modules(b: Builder, tree: ast.Module) -> None:
    """Note the modules that a `conftest.py` has fixtures from: those it names, and the `conftest.py` further up."""
    if _module_name(b.result.path) == SHARED_FIXTURES:
        _note_import(b, SHARED_FIXTURES)
    for one in tree.body:
        if isinstance(one, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == _PLUGINS for each in one.targets
        ):
            listed = one.value.elts if isinstance(one.value, (ast.List, ast.Tuple)) else [one.value]
            for each in listed:
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    _note_import(b, each.value)
                    b.result.stars = (*b.result.stars, (each.value, 0))


def _note_import(b: Builder, module: str) -> None:
    if module not in b.result.imports:
        b.result.imports = (*b.result.imports, module)


def _imported(b: Builder, name: str) -> Node:
    """The fixture of a name that the file imports, or that a `conftest.py` has, if there is one."""
    _note_import(b, SHARED_FIXTURES)
    node = b.node(name=name)
    b.declare(ops.Fixture(node, name))
    return node


def _fixture(b: Builder, fixtures: dict[str, str], name: str) -> Node:
    """The fixture of a name, of the file itself (by the name of its function) or of another one."""
    return cell(b, b.names.scope, fixtures[name]) if name in fixtures else _imported(b, name)


def _take(b: Builder, fixture: Node, parameter: Node) -> None:
    result = b.node()
    b.wait(fixture, ops.Call(fixture, (), (), (), result, b.result.places[parameter]))
    b.wait(result, ops.Enter(result, parameter))

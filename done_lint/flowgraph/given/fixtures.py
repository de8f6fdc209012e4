"""What pytest hands to the parameters of tests: the fixture of that name, of the file or of a `conftest.py`.

A fixture is a function that pytest calls for each test that asks for it; what it yields or returns arrives.
"""

from __future__ import annotations

import ast
import posixpath

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.names import bind, cell
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Function

_DECORATORS = frozenset({"fixture", "yield_fixture"})
#: What pytest itself gives, or a parameter of every method is.
_NO_FIXTURES = frozenset({"self", "cls", "request"})


def hand_over(b: Builder, tree: ast.Module) -> None:
    """Let the parameters of the tests of a file take what fixtures make, once all of it is surveyed."""
    if not _holds_tests(b.result.path):
        return
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    fixtures = {name: one.name for one in functions for name in _provided(one)}
    for name, provider in fixtures.items():
        if name != provider:
            bind(b, name, cell(b, b.names.scope, provider))
    methods = _methods(b, tree)
    for function in b.result.functions:
        own = methods.get(function.owner, {})
        if not (function.name.startswith("test") or function.name in fixtures.values() or function in own.values()):
            continue
        for name, parameter in function.params[: function.required]:
            if name in own:
                made = own[name].result
                b.wait(made, ops.Enter(made, parameter))
            elif name in fixtures:
                _take(b, cell(b, b.names.scope, fixtures[name]), parameter)
            elif name not in _NO_FIXTURES:
                _take(b, _imported(b, name), parameter)


def _methods(b: Builder, tree: ast.Module) -> dict[int, dict[str, Function]]:
    """By class, the fixtures among its methods, for which its own tests may ask."""
    classes = {one.row: (index, one.methods) for index, one in enumerate(b.result.classes)}
    found: dict[int, dict[str, Function]] = {}
    for one in tree.body:
        if isinstance(one, ast.ClassDef) and one.lineno in classes:
            index, methods = classes[one.lineno]
            providers = [each for each in one.body if isinstance(each, ast.FunctionDef) and each.name in methods]
            found[index] = {
                name: b.result.functions[methods[method.name]] for method in providers for name in _provided(method)
            }
    return found


def _holds_tests(path: str) -> bool:
    """Whether pytest looks for tests or fixtures in a file."""
    name = posixpath.basename(path.replace("\\", "/"))
    return name.startswith(("test_", ops.SHARED_FIXTURES)) or name.endswith("_test.py")


def _provided(function: ast.FunctionDef) -> list[str]:
    """The name that a function with `@pytest.fixture` has as a fixture; of anything else none."""
    for decorator in function.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        if last_name(call.func if call else decorator) in _DECORATORS:
            named = [one.value for one in call.keywords if one.arg == "name"] if call else []
            texts = [one.value for one in named if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            return texts or [function.name]
    return []


def _imported(b: Builder, name: str) -> Node:
    """The fixture of a name in the nearest `conftest.py`, if there is one."""
    if ops.SHARED_FIXTURES not in b.result.imports:
        b.result.imports = (*b.result.imports, ops.SHARED_FIXTURES)
    node = b.node(name=name)
    b.declare(ops.Fixture(node, name))
    return node


def _take(b: Builder, fixture: Node, parameter: Node) -> None:
    result = b.node()
    b.wait(fixture, ops.Call(fixture, (), (), (), result, b.result.places[parameter]))
    b.wait(result, ops.Enter(result, parameter))

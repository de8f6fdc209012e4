"""The folders are the pipeline: every import points down, and none comes back, wherever it stands in a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from done_lint.knowledge import env_apis

ROOT = Path(__file__).parent.parent
#: From the bottom to the top: a room may import what stands before it.
ROOMS = (
    *("core", "knowledge", "syntax", "source", "project", "flowgraph", "analysis", "facts"),
    *("rewrites", "rules", "engine", "reporters", "flake8_plugin", "cli", "__main__"),
)


def _modules() -> dict[str, Path]:
    found = {}
    for path in sorted((ROOT / "done_lint").rglob("*.py")):
        *folders, name = path.relative_to(ROOT).with_suffix("").parts
        found[".".join([*folders, *([] if name == "__init__" else [name])])] = path
    return found


MODULES = _modules()


def _imported(path: Path) -> Iterator[str]:
    """The modules of the package that a file imports, at its top, for types alone, or inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


IMPORTS = {
    name: {module for module in _imported(path) if module in MODULES and module not in (name, "done_lint")}
    for name, path in MODULES.items()
}


def _room(module: str) -> str:
    return module.split(".")[1]


def test_every_import_points_down() -> None:
    for name in MODULES:
        if name != "done_lint":
            above = [module for module in IMPORTS[name] if ROOMS.index(_room(module)) > ROOMS.index(_room(name))]
            assert not above, name


def test_no_file_imports_itself_through_others() -> None:
    assert len(list(TopologicalSorter(IMPORTS).static_order())) >= len(MODULES) - 1


def test_the_rules_do_not_import_the_solver() -> None:
    """The facts are all that a rule gets from the analysis: no rule and no rewrite imports what is below them."""
    behind = {"analysis", "flowgraph"}
    for name, modules in IMPORTS.items():
        if _room(f"{name}.") in ("rules", "rewrites"):
            assert not {module for module in modules if _room(module) in behind}, name


def test_environment_apis_are_compared_by_value() -> None:
    """One that comes from another process, or was kept, is equal to that of this process, and not the same object."""
    apis = {one for one, value in vars(env_apis).items() if isinstance(value, env_apis.Api)}
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and any(isinstance(one, (ast.Is, ast.IsNot)) for one in node.ops):
                sides = {ast.unparse(one).rpartition(".")[2] for one in (node.left, *node.comparators)}
                assert sides.isdisjoint(apis), f"{path}:{node.lineno}"


def test_every_room_has_a_docstring() -> None:
    for path in (ROOT / "done_lint").rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


@pytest.mark.parametrize("room", ["facts", "flowgraph", "rules", "source"])
def test_the_folders_of_a_room_do_not_need_each_other(room: str) -> None:
    """A folder may use another one of its room, and files beside it; none of these uses it in turn."""

    def part(name: str) -> str:
        return ".".join(name.split(".")[:3])

    inside = {name: modules for name, modules in IMPORTS.items() if name.count(".") > 1 and _room(name) == room}
    uses: dict[str, set[str]] = {}
    for name, modules in inside.items():
        others = {part(one) for one in modules if one in inside}
        uses.setdefault(part(name), set()).update(others - {part(name)})
    assert len(list(TopologicalSorter(uses).static_order())) == len(uses)

"""Folders that files add to those where modules are looked for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from done_lint.engine import analyze
from done_lint.project.discovery import projects
from done_lint.project.import_folders import ImportFolders, added_folders
from done_lint.project.modules import Modules
from done_lint.project.settings import Overrides


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ('sys.path.append("../lib")', ("../lib",)),
        ('sys.path.insert(0, "./lib/")', ("lib",)),
        ('sys.path.extend(["a", "b"])', ("a", "b")),
        ('sys.path += ["a"]', ("a",)),
        ('sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))', ("../lib",)),
        ('sys.path.append(dirname(dirname(os.path.realpath(__file__))) + "/lib")', ("../lib",)),
        ('sys.path.append(str(Path(__file__).resolve().parent.parent / "lib"))', ("../lib",)),
        ("sys.path.append(dirname(dirname(dirname(__file__))))", ("../..",)),
        ('s = "/".join(os.getcwd().split("/")[:-1]) + "/lib"\nsys.path.append(s)', ("lib",)),
        ('sys.path.append(f"{root}/lib")', ("lib",)),
        ('sys.path.append(os.path.join(root, "lib"))', ("lib",)),
        ('s = s + "/lib"\nsys.path.append(s)', ("lib",)),
        ("sys.path.append(folder())", ("",)),
        ("sys.path.pop()", ()),
        ('os.path.append("lib")', ()),
        ('print("sys.path")', ()),
    ],
)
def test_the_end_of_an_added_folder_is_read(text: str, folders: tuple[str, ...]) -> None:
    assert added_folders(ast.parse(text), text) == folders


def test_the_nearest_folder_of_the_project_that_ends_so_is_meant() -> None:
    paths = ["/p/a/main.py", "/p/a/lib/x.py", "/p/lib/y.py", "/p/b/main.py", "/p/c/deep/main.py"]
    added = {"/p/a/main.py": ["../lib"], "/p/b/main.py": ["lib"], "/p/c/deep/main.py": ["..", "/none"]}
    found = ImportFolders(paths, "/p", added)
    assert found.beside("/p/a") == ["/p/lib"]
    assert found.beside("/p/b") == ["/p/lib"]
    assert found.scripts("/p/lib") == ["/p/a", "/p/b"]
    # the folders around are looked into all the same
    assert found.beside("/p/c/deep") == []


def test_modules_of_an_added_folder_and_of_the_scripts_that_add_it_are_found() -> None:
    paths = ["/p/a/main.py", "/p/a/settings.py", "/p/b/main.py", "/p/b/settings.py", "/p/lib/world.py"]
    modules = Modules(paths, "/p", {"/p/a/main.py": ["../lib"], "/p/b/main.py": ["../lib"]})
    assert modules.resolve("world", "/p/a/main.py") == ["/p/lib/world.py"]
    assert modules.resolve("settings", "/p/lib/world.py") == ["/p/a/settings.py", "/p/b/settings.py"]
    assert modules.resolve("settings", "/p/b/main.py") == ["/p/b/settings.py"]
    assert modules.candidates(["settings"], "/p/lib/world.py") == {"/p/a/settings.py", "/p/b/settings.py"}


MAIN = """import sys

sys.path.append("../lib")
from world import World

world = World()
state = world.reset()
print(state[None])
"""
WORLD = """import gym

class World:
    def __init__(self):
        self.env = gym.make("CartPole-v1")

    def reset(self):
        return self.env.reset()
"""


def test_one_file_is_read_with_those_of_the_folder_that_another_one_adds(tmp_path: Path) -> None:
    for name, text in {"pyproject.toml": "", "runs/main.py": MAIN, "lib/world.py": WORLD}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    report = analyze.check(projects([str(tmp_path / "runs" / "main.py")], Overrides().settings))
    assert [one.code for one in report.findings] == ["GYM104"]

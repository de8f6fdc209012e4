"""Which file of a project an import means."""

from __future__ import annotations

import pytest

from done_lint.analysis.module_files import ModuleFiles
from done_lint.flowgraph.build import survey


@pytest.mark.parametrize(
    ("files", "module", "found"),
    [
        # the settings of a run add the folder
        (["tests/test_it.py", "lib/wrappers.py"], "wrappers", "lib/wrappers.py"),
        (["tests/test_it.py", "lib/wrappers/__init__.py"], "wrappers", "lib/wrappers/__init__.py"),
        # two files can be meant
        (["tests/test_it.py", "lib/wrappers.py", "old/wrappers.py"], "wrappers", None),
        # the module beside the importer has no such part
        (["tests/test_it.py", "tests/tools.py", "lib/tools/wrappers.py"], "tools.wrappers", None),
        # a part of a package that adapts a library of its name
        (["tests/test_it.py", "lab/__init__.py", "lab/sim.py"], "sim", None),
        # another package is meant
        (["tests/test_it.py", "lib/gym.py"], "gym", None),
        (["tests/test_it.py", "lib/queue.py"], "queue", None),
    ],
)
def test_a_module_in_a_folder_that_nothing_adds(files: list[str], module: str, found: str | None) -> None:
    surveys = {f"/r/{name}": survey(f"/r/{name}", "x = 1\n") for name in files}
    assert ModuleFiles(surveys, "/r", list(surveys)).file_of("/r/tests/test_it.py", module, 0) == (
        found and f"/r/{found}"
    )


@pytest.mark.parametrize(
    ("files", "module", "found"),
    [
        # the package `maze` is gone, and what was in it stands in the one around it
        (["games/__init__.py", "games/utils.py"], "games.maze.utils", "games/utils.py"),
        (["games/__init__.py", "games/core/walls.py"], "games.maze.core.walls", "games/core/walls.py"),
        (["games/__init__.py", "games/core/__init__.py"], "games.maze.core", "games/core/__init__.py"),
        # a package inside of it is gone
        (["games/__init__.py", "games/core/walls.py"], "games.core.maze.walls", "games/core/walls.py"),
        (["games/__init__.py", "games/core/lib/walls.py"], "games.core.maze.lib.walls", "games/core/lib/walls.py"),
        (["games/__init__.py", "games/core/walls.py", "games/core/maze/doors.py"], "games.core.maze.walls", None),
        (["games/__init__.py", "games/walls.py", "games/core/doors.py"], "games.core.maze.walls", None),
        # it is there
        (["games/__init__.py", "games/utils.py", "games/maze/core.py"], "games.maze.utils", None),
        (["games/__init__.py", "games/utils.py", "games/maze.py"], "games.maze.utils", None),
        # a folder of that name may not be the package
        (["games/utils.py"], "games.maze.utils", None),
        (["games/__init__.py", "old/games/__init__.py", "games/utils.py"], "games.maze.utils", None),
        (["lab/__init__.py", "lab/games/__init__.py", "lab/games/utils.py"], "games.maze.utils", None),
        # a name of a module that cannot be seen
        (["games/__init__.py", "games/utils.py"], "games.utils.play", None),
    ],
)
def test_a_module_that_left_its_package(files: list[str], module: str, found: str | None) -> None:
    surveys = {f"/r/{name}": survey(f"/r/{name}", "x = 1\n") for name in ("main.py", *files)}
    assert ModuleFiles(surveys, "/r", list(surveys)).file_of("/r/main.py", module, 0) == (found and f"/r/{found}")


@pytest.mark.parametrize(
    ("importing", "found"),
    [
        ("from agents.learn import Learner", None),
        ("from .agents.learn import Learner", None),
        ("from agents import learn", None),
        ("from learn import Learner", "/r/agents/random.py"),
        ("import random", "/r/agents/random.py"),
    ],
)
def test_a_file_beside_a_part_of_a_package_hides_no_standard_module(importing: str, found: str | None) -> None:
    texts = {"/r/main.py": importing, "/r/agents/learn.py": "import random", "/r/agents/random.py": "class Guess: pass"}
    modules = ModuleFiles({path: survey(path, text) for path, text in texts.items()}, "/r", list(texts))
    assert modules.file_of("/r/agents/learn.py", "random", 0) == found


def test_a_file_beside_the_script_hides_a_standard_module() -> None:
    texts = {"/r/main.py": "import agents.learn", "/r/agents/learn.py": "import random", "/r/random.py": ""}
    modules = ModuleFiles({path: survey(path, text) for path, text in texts.items()}, "/r", list(texts))
    assert modules.file_of("/r/agents/learn.py", "random", 0) == "/r/random.py"


@pytest.mark.parametrize(
    ("module", "found"), [("lab.film", None), ("lab.play", "/r/two/lab/play.py"), ("lib", "/r/one/lib.py")]
)
def test_a_project_beside_another_one_has_only_its_own_package(module: str, found: str | None) -> None:
    names = ["setup.py", "lab/__init__.py"]
    files = [*(f"{project}/{name}" for project in ("one", "two") for name in names), "one/lab/film.py", "one/lib.py"]
    surveys = {f"/r/{name}": survey(f"/r/{name}", "x = 1\n") for name in (*files, "two/lab/play.py", "two/lab/main.py")}
    assert ModuleFiles(surveys, "/r", list(surveys)).file_of("/r/two/lab/main.py", module, 0) == found

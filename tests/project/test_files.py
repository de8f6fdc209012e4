"""Which files are linted, which are only surveyed, and which file an import means."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from done_lint.project import discovery
from done_lint.project.discovery import MissingPath, Project, project_root, projects
from done_lint.project.modules import Modules
from done_lint.project.settings import Overrides, Settings


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder that is no part of a project."""
    return tmp_path


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def asked(root: Path, *paths: str, settings: Settings | None = None, force_exclude: bool = False) -> list[str]:
    """The files to lint, relative to the root."""
    chosen = settings or Settings(root=str(root))
    given = [str(root / path) for path in paths] or [str(root)]
    found = projects(given, lambda _: chosen, force_exclude=force_exclude)
    return sorted(os.path.relpath(path, root) for project in found for path in project.asked)


def test_a_folder_gives_its_python_files_and_nothing_else(tree: Path) -> None:
    write(tree, "a.py", "b/c.py", "b/d.pyi", "notes.txt", "b/e.pyc", "script")
    assert asked(tree) == ["a.py", "b/c.py"]


def test_environments_builds_and_caches_are_left_out(tree: Path) -> None:
    write(tree, "a.py", ".venv/x.py", "build/x.py", "node_modules/p/x.py", ".git/x.py", "lib/site-packages/x.py")
    write(tree, "my environment/pyvenv.cfg", "my environment/x.py")
    assert asked(tree) == ["a.py"]


def test_a_folder_that_is_given_is_taken_whatever_its_name(tree: Path) -> None:
    write(tree, "site-packages/numpy/a.py", "build/b.py")
    assert asked(tree, "site-packages/numpy", "build") == ["build/b.py", "site-packages/numpy/a.py"]


def test_gitignore_files_count_at_every_depth(tree: Path) -> None:
    write(tree, "a.py", "data/b.py", "sub/c.py", "sub/keep.py", "sub/gen_x.py", "gen_y.py", "out/d.py")
    (tree / ".gitignore").write_text("# what is made\n/data/\nsub/*.py\n!keep.py\nout\n")
    (tree / "sub" / ".gitignore").write_text("gen_*\n!c.py\n")
    assert asked(tree) == ["a.py", "gen_y.py", "sub/c.py", "sub/keep.py"]


@pytest.mark.parametrize(
    "patterns",
    [
        "* !*/ !*.py",
        "* !*/ !**/*.py",
        "** !*/ !*.py",
        "* !src/ !src/a.py",
        "* !src !src/a.py",
        "* !/src/ !/src/*.py",
        "* !src/ src/* !src/a.py",
        "/* !/src",
        "/* !/src/",
        "*.py !src/*.py",
        "src/* !src/*.py",
        "*.py !src/ !a.py",
        "* !src/",
        "*.py !src/",
        "sub !src/ !*.py",
        "src !src/sub/ !*.py",
        "src/sub !src/sub/deep/",
        "s* !src/",
        "src/*/ !sub/",
    ],
)
def test_the_files_that_are_read_are_those_that_git_does_not_ignore(tree: Path, patterns: str) -> None:
    write(tree, "a.py", "src/a.py", "src/b.py", "src/sub/c.py", "src/sub/deep/d.py", "other/src/a.py", "other/sub/e.py")
    (tree / ".gitignore").write_text("\n".join(patterns.split()) + "\n")
    subprocess.run(["git", "init", "-q"], cwd=tree, check=True)
    listing = ["git", "ls-files", "--others", "--exclude-standard", "*.py"]
    shown = subprocess.run(listing, cwd=tree, check=True, capture_output=True, text=True).stdout
    assert asked(tree) == sorted(shown.splitlines())


def test_a_gitignore_above_the_folder_counts_up_to_the_repository(tree: Path) -> None:
    write(tree, "repo/sub/a.py", "repo/sub/b.py", "repo/sub/c.py")
    (tree / "repo" / ".git" / "info").mkdir(parents=True)
    (tree / "repo" / ".git" / "info" / "exclude").write_text("c.py\n")
    (tree / "repo" / ".gitignore").write_text("sub/b.py\n")
    (tree / ".gitignore").write_text("a.py\n")
    assert asked(tree, "repo/sub") == ["repo/sub/a.py"]


@pytest.mark.parametrize("hiding", [".gitignore", ".git/info/exclude"])
@pytest.mark.parametrize("pattern", ["data/", "data", "/data/", "d*", "**/data", "data/**", "*"])
@pytest.mark.parametrize("named", ["repo/data", "repo/data/sub"])
def test_a_folder_that_is_named_is_linted_though_git_ignores_it(
    tree: Path, hiding: str, pattern: str, named: str
) -> None:
    write(tree, "repo/data/a.py", "repo/data/sub/b.py", "repo/data/sub/deep/c.py", "repo/data/sub/gen_d.py")
    (tree / "repo" / ".git" / "info").mkdir(parents=True)
    (tree / "repo" / hiding).write_text(f"{pattern}\n")
    (tree / "repo" / "data" / "sub" / ".gitignore").write_text("gen_*\n")
    inside = ["repo/data/sub/b.py", "repo/data/sub/deep/c.py"]
    assert asked(tree, named) == (["repo/data/a.py", *inside] if named == "repo/data" else inside)
    assert asked(tree, named, force_exclude=True) == []
    assert asked(tree, "repo") == []


def test_a_hidden_folder_that_is_named_still_loses_what_other_patterns_hide(tree: Path) -> None:
    write(tree, "repo/data/a.py", "repo/data/gen_b.py", "repo/data/old/c.py")
    (tree / "repo" / ".git").mkdir()
    (tree / "repo" / ".gitignore").write_text("data/\ngen_*\nold/\n")
    assert asked(tree, "repo/data") == ["repo/data/a.py"]


def test_a_pattern_holds_in_a_named_folder_that_a_later_one_shows_again(tree: Path) -> None:
    write(tree, "repo/gen/a.py", "repo/gen/gen_b.py")
    (tree / "repo" / ".git").mkdir()
    (tree / "repo" / ".gitignore").write_text("gen*\n!gen/\n")
    assert asked(tree, "repo/gen") == asked(tree, "repo") == ["repo/gen/a.py"]


def test_a_project_in_a_hidden_folder_is_linted_when_it_is_named(tree: Path) -> None:
    write(tree, "repo/data/pyproject.toml", "repo/data/a.py", "repo/data/sub/b.py")
    (tree / "repo" / ".git").mkdir()
    (tree / "repo" / ".gitignore").write_text("data/\n")
    assert asked(tree, "repo/data") == ["repo/data/a.py", "repo/data/sub/b.py"]
    assert asked(tree, "repo/data/sub") == ["repo/data/sub/b.py"]
    assert asked(tree, "repo/data", force_exclude=True) == []
    assert asked(tree, "repo/data/a.py", force_exclude=True) == []


def test_exclude_names_files_and_folders(tree: Path) -> None:
    write(tree, "a.py", "third_party/b.py", "x/third_party/c.py", "x/d_old.py")
    settings = Settings(root=str(tree), exclude=("third_party", "*_old.py"))
    assert asked(tree, settings=settings) == ["a.py"]


def test_a_given_file_is_linted_though_excluded_unless_force_exclude(tree: Path) -> None:
    write(tree, "third_party/b.py", "ignored.py", "build/c.py", "site-packages/d.py", "script", "a.py")
    (tree / ".gitignore").write_text("ignored.py\n")
    settings = Settings(root=str(tree), exclude=("third_party",))
    given = ("third_party/b.py", "ignored.py", "build/c.py", "site-packages/d.py", "script", "a.py")
    (tree / "pyproject.toml").touch()
    assert asked(tree, *given, settings=settings) == sorted(given)
    assert asked(tree, *given, settings=settings, force_exclude=True) == ["a.py", "script"]


def test_symbolic_links_are_not_followed_so_loops_end_and_nothing_outside_is_read(tree: Path) -> None:
    write(tree, "inside/a.py", "outside/b.py")
    (tree / "inside" / "loop").symlink_to(tree / "inside")
    (tree / "inside" / "out").symlink_to(tree / "outside")
    (tree / "inside" / "b.py").symlink_to(tree / "outside" / "b.py")
    (tree / "inside" / "self.py").symlink_to("self.py")
    assert asked(tree, "inside") == ["inside/a.py"]


def test_a_file_given_twice_is_asked_for_once(tree: Path) -> None:
    write(tree, "a.py", "b.py")
    assert asked(tree, "a.py", ".", "./b.py") == ["a.py", "b.py"]


@pytest.mark.parametrize("name", ["missing.py", "missing/"])
def test_a_missing_path_is_named(tree: Path, name: str) -> None:
    with pytest.raises(MissingPath, match="missing"):
        projects([str(tree / name)], Overrides().settings)


def test_the_project_is_the_nearest_pyproject_else_the_repository_else_the_outermost_folder(tree: Path) -> None:
    write(tree, "repo/pkg/sub/a.py", "repo/tools/b.py", "plain/sub/c.py")
    (tree / "repo" / ".git").mkdir()
    (tree / "repo" / "pkg" / "pyproject.toml").touch()
    assert project_root(str(tree / "repo" / "pkg" / "sub" / "a.py")) == str(tree / "repo" / "pkg")
    assert project_root(str(tree / "repo" / "tools" / "b.py")) == str(tree / "repo")
    assert project_root(str(tree / "plain" / "sub" / "c.py")) == str(tree / "plain" / "sub")
    assert project_root(str(tree / "plain")) == str(tree / "plain")


@pytest.mark.parametrize(
    ("files", "root"),
    [
        (["note.py", "app/setup.py", "app/README.md"], "app"),
        (["note.py", "app/setup.py"], "."),
        (["note.py", "app/README.md"], "."),
        (["note.py", "requirements.txt", "app/setup.py", "app/README.md"], "."),
        (["setup.py", "app/setup.py", "app/README.md"], "."),
        (["app.ipynb", "app/setup.py", "app/.gitignore"], "app"),
    ],
)
def test_scripts_beside_a_program_that_is_described_in_itself_are_none_of_it(
    tree: Path, files: list[str], root: str
) -> None:
    write(tree, *(f"both/{file}" for file in files), "both/app/maze/__init__.py", "both/app/maze/env.py")
    (tree / "both" / "app" / "tests").mkdir()
    expected = os.path.normpath(tree / "both" / root)
    for asked_for in ("app", "app/setup.py", "app/maze/env.py", "app/tests"):
        assert project_root(str(tree / "both" / asked_for)) == expected
    found = {one.root for one in projects([str(tree / "both")], lambda _: Settings())}
    assert found == {expected, str(tree / "both")}


@pytest.mark.parametrize("line", ["import maze", "from maze.env import Maze", "import app.maze"])
def test_a_script_that_imports_what_stands_beside_belongs_to_it(tree: Path, line: str) -> None:
    write(tree, "both/app/setup.py", "both/app/README.md", "both/app/maze/__init__.py")
    (tree / "both" / "main.py").write_text(f"import sys\n{line}\n")
    assert project_root(str(tree / "both" / "app" / "maze")) == str(tree / "both")


def test_what_is_installed_in_a_projects_environment_is_not_the_project(tree: Path) -> None:
    write(tree, "pyproject.toml", ".venv/lib/site-packages/numpy/a.py")
    numpy = tree / ".venv" / "lib" / "site-packages" / "numpy"
    assert project_root(str(numpy)) == str(numpy)


def test_the_home_folder_is_no_project(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tree, "pyproject.toml", "script.py", "beside.py", "work/deep/a.py")
    monkeypatch.setenv("HOME", str(tree))
    (project,) = projects([str(tree / "script.py")], lambda _: Settings())
    assert [os.path.relpath(path, tree) for path in project.files()] == ["beside.py", "script.py"]
    assert project_root(str(tree / "work" / "deep" / "a.py")) == str(tree / "work" / "deep")


def test_a_project_inside_a_project_is_its_own(tree: Path) -> None:
    write(tree, "pyproject.toml", "a.py", "inner/pyproject.toml", "inner/b.py")
    outer, inner = projects([str(tree)], lambda _: Settings())
    assert [os.path.relpath(path, tree) for path in outer.asked] == ["a.py"]
    assert [os.path.relpath(path, tree) for path in inner.asked] == ["inner/b.py"]
    assert outer.files() == outer.asked


def test_the_whole_project_is_surveyed_whatever_was_asked(tree: Path) -> None:
    write(tree, "pyproject.toml", "a.py", "sub/b.py", ".venv/c.py")
    (project,) = projects([str(tree / "a.py")], lambda _: Settings())
    assert [os.path.relpath(path, tree) for path in project.files()] == ["a.py", "sub/b.py"]


@pytest.mark.parametrize(
    ("module", "importer", "found"),
    [
        ("buffer", "scripts/train.py", ["scripts/buffer.py"]),
        ("buffer", "train.py", ["buffer.py"]),
        ("agents", "scripts/train.py", ["agents/__init__.py"]),
        ("agents.dqn", "scripts/train.py", ["agents/__init__.py", "agents/dqn.py"]),
        ("agents.dqn.Learner", "train.py", ["agents/__init__.py", "agents/dqn.py"]),
        (".dqn", "agents/ppo.py", ["agents/__init__.py", "agents/dqn.py"]),
        ("..buffer", "agents/ppo.py", ["buffer.py"]),
        (".", "agents/ppo.py", ["agents/__init__.py"]),
        ("library.core", "tests/test_core.py", ["src/library/__init__.py", "src/library/core.py"]),
        ("numpy.random", "train.py", []),
        ("game.memory", "game/agent/base.py", ["game/memory/__init__.py"]),
        ("game.memory.Rows", "game/agent/base.py", ["game/memory/__init__.py"]),
        ("game", "game/agent/base.py", ["game/agent/game.py"]),
    ],
)
def test_an_import_resolves_to_the_project_files_that_it_runs(module: str, importer: str, found: list[str]) -> None:
    names = ["buffer.py", "train.py", "scripts/train.py", "scripts/buffer.py", "agents/__init__.py", "agents/dqn.py"]
    names += ["agents/ppo.py", "src/library/__init__.py", "src/library/core.py", "tests/test_core.py"]
    names += ["game/agent/base.py", "game/agent/game.py", "game/memory/__init__.py"]
    modules = Modules([f"/p/{name}" for name in names], "/p")
    assert modules.resolve(module, f"/p/{importer}") == [f"/p/{name}" for name in found]


def test_text_without_a_name_has_no_project_around_it(tree: Path) -> None:
    write(tree, "a.py")
    assert Project(str(tree), Settings(), ["-"], alone=True).files() == ["-"]


def test_a_folder_of_folders_belongs_to_the_program_described_beside_it(tree: Path) -> None:
    write(
        tree, "lab/README.md", "lab/algorithms/ppo/README.md", "lab/algorithms/ppo/train.py", "lab/shared/wrappers.py"
    )
    assert project_root(str(tree / "lab" / "algorithms" / "ppo")) == str(tree / "lab")
    write(tree, "work/.gitignore", "work/algorithms/ppo/train.py")
    assert project_root(str(tree / "work" / "algorithms" / "ppo")) == str(tree / "work" / "algorithms" / "ppo")


def test_a_repository_without_its_history_is_a_program_of_its_own(tree: Path) -> None:
    for name in ("one", "two"):
        write(tree, *(f"all/{name}/{file}" for file in (".gitignore", "README.md", "__init__.py", "deep/__init__.py")))
    write(tree, "all/notes.py")
    assert project_root(str(tree / "all/one/deep")) == str(tree / "all/one")
    assert project_root(str(tree / "all/one")) == str(tree / "all/one")


def test_a_folder_called_like_a_module_is_no_code(tree: Path) -> None:
    write(tree, "all/one/setup.py", "all/one/README.md", "all/one/main.py", "all/tool.py/main.py")
    assert asked(tree / "all") == ["one/main.py", "one/setup.py", "tool.py/main.py"]


def test_what_lies_below_a_setup_script_belongs_to_what_it_installs(tree: Path) -> None:
    write(tree, "lib/setup.py", "lib/lib/__init__.py", "lib/examples/first/deep/main.py")
    assert project_root(str(tree / "lib/examples/first/deep/main.py")) == str(tree / "lib")


def test_an_unmarked_folder_that_is_given_is_one_program(tree: Path) -> None:
    write(tree, "sticks/made.py", "tests/test_made.py")
    (found,) = projects([str(tree / ".")], lambda root: Settings(root=root))
    assert found.root == str(tree)
    assert len(found.files()) == 2


@pytest.mark.parametrize(("mark", "count"), [("", 2), ("pyproject.toml", 4)])
def test_an_unmarked_folder_of_many_programs_is_not_one(
    tree: Path, monkeypatch: pytest.MonkeyPatch, mark: str, count: int
) -> None:
    write(tree, "code/one/main.py", "code/two/main.py", "code/two/deep.py", "code/notes.py", f"code/{mark or 'README'}")
    monkeypatch.setattr(discovery, "_MOST_UNMARKED", 3)
    asked = str(tree / "code/two/main.py")
    (found,) = projects([asked], lambda root: Settings(root=root))
    assert len(found.files()) == count


def test_a_package_is_preferred_to_a_folder_that_mirrors_its_name(tree: Path) -> None:
    write(tree, "walks/__init__.py", "walks/core.py", "tests/walks/core.py", "tests/both/test_it.py")
    modules = Modules([str(path) for path in tree.rglob("*.py")], str(tree))
    found = modules.resolve("walks.core", str(tree / "tests/both/test_it.py"))
    assert [os.path.relpath(path, tree) for path in found] == ["walks/__init__.py", "walks/core.py"]


def test_what_was_installed_during_a_run_is_no_requirement(tree: Path) -> None:
    run = "agent/wandb/run-20210909_174013-3q58nyha/files"
    write(tree, "train.py", "requirements.txt", f"{run}/requirements.txt", "wandb/requirements.txt")
    write(tree, "logs/1/requirements.txt", "logs/1/wandb-metadata.json", "logs/2/requirements.txt")
    found = projects([str(tree)], lambda _: Settings(root=str(tree)))
    given = sorted(os.path.relpath(path, tree) for project in found for path in project.requirements)
    assert given == ["logs/2/requirements.txt", "requirements.txt", "wandb/requirements.txt"]
    found = projects([str(tree / run / "requirements.txt")], lambda _: Settings(root=str(tree)))
    assert [path for project in found for path in project.requirements], "asked for by its name"

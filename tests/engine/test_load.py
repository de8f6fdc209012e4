"""Which files are surveyed for those that are checked: enough for the same findings, and no more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from command import CLEAN, OLD, done_lint

from done_lint.core import file_io
from done_lint.engine import analyze, contents
from done_lint.engine.load import Program
from done_lint.engine.workers import Work, silent
from done_lint.project.discovery import projects
from done_lint.project.modules import Modules
from done_lint.project.settings import Settings

PLAIN = "def area(width, height):\n    return width * height\n"


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write a project."""
    (folder / "pyproject.toml").touch()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def surveyed(folder: Path, *asked: str) -> set[str]:
    """The names of the files that are surveyed when some are asked for; those of the link step among them."""
    (project,) = projects([str(folder / name) for name in asked], lambda root: Settings(root=root))
    program = Program(project, {}, Work(silent, processes=1))
    program.load()
    if program.surveys:
        program.link()
    return {str(Path(path).relative_to(folder)) for path in program.surveys}


def codes(folder: Path, *asked: str) -> list[tuple[str, str, str]]:
    """What is reported when some files are asked for."""
    report = analyze.check(projects([str(folder / name) for name in asked], lambda root: Settings(root=root)))
    return sorted((Path(finding.path).name, finding.code, finding.certainty) for finding in report.findings)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "from agent import play\n\nx = play(1, 2)\n",
        "import torch\n\ntorch.manual_seed(0)\nmask = torch.ones(3)\n",
        "# environments are described elsewhere\nfrom agent import play\n",
    ],
)
def test_nothing_is_surveyed_for_a_file_that_can_have_no_finding(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"train.py": OLD, "agent.py": "def play(env):\n    return env.step(0)\n", "other.py": text})
    assert surveyed(tmp_path, "other.py") == set()
    assert codes(tmp_path, "other.py") == []


def test_no_file_is_surveyed_that_no_import_connects_with_the_one_asked_for(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "one/train.py": f"from agent import play\n{OLD}",
            "one/agent.py": "def play(env):\n    return env.step(0)\n",
            "one/evaluate.py": "import agent\nfrom gymnasium import make\n\nagent.play(make('CartPole-v1'))\n",
            "two/train.py": OLD,
            "two/test_train.py": "import gymnasium\nimport train\n",
        },
    )
    assert surveyed(tmp_path, "one/train.py") == {"one/train.py", "one/agent.py", "one/evaluate.py"}


IMPORTS = [
    "from agent import play",
    "import agent",
    "import numpy, agent as a",
    "from . import agent",
    "from .agent import (\n    play,\n)",
    "from agent \\\n    import play",
    "import \\\n    agent",
    "if True: import agent",
    "x = 1; import agent",
    "def f():\n    from agent import *",
]


@pytest.mark.parametrize("line", IMPORTS)
def test_every_spelling_of_an_import_connects(tmp_path: Path, line: str) -> None:
    write(
        tmp_path,
        {
            "__init__.py": "",
            "train.py": f"{line}\n{OLD}",
            "agent.py": "def play(env):\n    a, b, c, d = env.step(0)\n",
            "else_1.py": OLD,
            "else_2.py": OLD,
            "else_3.py": OLD,
        },
    )
    assert {"train.py", "agent.py"} <= surveyed(tmp_path, "train.py")
    assert {"train.py", "agent.py"} <= surveyed(tmp_path, "agent.py")


def test_where_only_a_name_is_evidence_the_rest_of_the_project_is_read(tmp_path: Path) -> None:
    by_name = "def target(r, gamma, v, done):\n    return r + gamma * v * (1 - done)\n"
    files = {"target.py": by_name, "a.py": PLAIN, "b.py": f"import gymnasium\n{PLAIN}"}
    write(tmp_path, files)
    assert codes(tmp_path, "target.py") == codes(tmp_path, ".") == [("target.py", "GYM201", "by name")]
    # a step anywhere in the project is better evidence than the name
    write(tmp_path, {**files, "train.py": CLEAN})
    assert codes(tmp_path, "target.py") == codes(tmp_path, ".") == []
    assert surveyed(tmp_path, "target.py") == {"target.py", "train.py", "b.py"}


def test_an_environment_of_no_visible_origin_needs_the_rest_of_the_project(tmp_path: Path) -> None:
    files = {"play.py": "def play(env):\n    obs, reward, done, info = env.step(0)\n", "a.py": PLAIN, "b.py": PLAIN}
    write(tmp_path, files)
    before = codes(tmp_path, "play.py")
    assert before == codes(tmp_path, ".")
    write(tmp_path, {**files, "train.py": CLEAN})
    assert codes(tmp_path, "play.py") == [("play.py", "GYM101", "by name")]
    assert [found for found in codes(tmp_path, ".") if found[0] == "play.py"] == codes(tmp_path, "play.py")


def test_an_id_that_another_file_compares_with_is_not_renamed_alone(tmp_path: Path) -> None:
    head = "import gymnasium as gym\nfrom sizes import size\n\n"
    made = f"{head}NAME = 'FrozenLake-v0'\nenv = gym.make(NAME)\nsize(NAME)\n"
    plain = "def size(name):\n    return 16 if name == 'Taxi-v3' else 4\n"
    write(tmp_path, {"train.py": made, "sizes.py": plain})
    assert [
        one.fix and one.fix.safety
        for one in analyze.check(projects([str(tmp_path)], lambda root: Settings(root=root))).findings
    ] == ["safe"]
    write(tmp_path, {"sizes.py": plain.replace("Taxi-v3", "FrozenLake-v0")})
    assert [
        one.fix and one.fix.safety
        for one in analyze.check(projects([str(tmp_path)], lambda root: Settings(root=root))).findings
    ] == ["unsafe"]


def test_an_id_that_another_file_registers_is_the_projects_own(tmp_path: Path) -> None:
    made = "import gymnasium as gym\n\nenv = gym.make('Roulette-v0')\n"
    registers = "import gymnasium as gym\n\ngym.register(id='Roulette-v0', entry_point='own:Roulette')\n"
    write(tmp_path, {"train.py": made, "a.py": PLAIN, "b.py": PLAIN})
    assert codes(tmp_path, "train.py") == [("train.py", "GYM404", "proven")]
    write(tmp_path, {"own/__init__.py": registers})
    assert codes(tmp_path, "train.py") == codes(tmp_path, ".") == []


def test_a_syntax_error_in_a_file_that_no_rule_can_touch_is_reported(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": OLD, "broken.py": "x = (\n"})
    result = done_lint(tmp_path, "check", "--output-format", "concise", "broken.py")
    assert result.stdout == "broken.py:1:5: syntax-error: '(' was never closed\n"
    assert result.returncode == 1


@pytest.mark.parametrize(("room", "least"), [(1_000_000, 1), (0, 2)])
def test_a_file_is_read_once_while_there_is_room(
    room: int, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(path: str, limit: int) -> bytes:
        read.append(Path(path).name)
        return file_io.read_bytes(path, limit)

    monkeypatch.setattr(contents, "_MOST_CONTENT", room)
    monkeypatch.setattr(contents, "read_bytes", counted)
    write(tmp_path, {"train.py": OLD, "apart/one.py": PLAIN, "apart/two.py": PLAIN, "apart/three.py": CLEAN})
    assert "apart/one.py" not in surveyed(tmp_path, "train.py")
    assert read.count("one.py") >= least
    assert (read.count("one.py") == 1) == bool(room)


def test_a_search_for_modules_ends_at_the_root_of_the_system() -> None:
    modules = Modules(["/work/train.py", "/work/agent.py"], "")
    assert modules.resolve("agent", "/work/train.py") == ["/work/agent.py"]
    assert modules.resolve("work.other.agent", "/work/train.py") == []


def test_who_imports_a_module_through_the_settings_of_a_run_is_surveyed_with_it(tmp_path: Path) -> None:
    wrapper = "import gym\n\n\nclass Counting(gym.Wrapper):\n    def reset(self):\n        return self.env.reset()\n"
    user = "import gym\nimport counting\n\nenv = counting.Counting(gym.make('CartPole-v1'))\nprint(env.reset().shape)\n"
    others = {f"others/one_{number}.py": PLAIN for number in range(3)}
    write(tmp_path, {"lib/counting.py": wrapper, "tests/test_counting.py": user, **others})
    for asked in ("lib/counting.py", "tests/test_counting.py"):
        assert surveyed(tmp_path, asked) == {"lib/counting.py", "tests/test_counting.py"}


def test_who_imports_a_module_by_the_path_that_it_had_before_is_surveyed_with_it(tmp_path: Path) -> None:
    wrapper = "import gym\n\n\nclass Counting(gym.Wrapper):\n    def reset(self):\n        return self.env.reset()\n"
    user = (
        "import gym\nfrom games.maze.counting import Counting\n\nenv = Counting(gym.make('CartPole-v1'))\nenv.reset()\n"
    )
    others = {f"others/one_{number}.py": PLAIN for number in range(3)}
    package = {"games/__init__.py": "", "games/counting.py": wrapper}
    write(tmp_path, {**package, "main.py": user, **others})
    for asked in ("games/counting.py", "main.py"):
        assert surveyed(tmp_path, asked) >= {"games/counting.py", "main.py"}
        assert not surveyed(tmp_path, asked) & others.keys()

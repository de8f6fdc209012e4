"""What holds for a whole project: one that cannot be linked is left alone, and a file is judged once."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from command import OLD

from done_lint.analysis import linker, objects, room
from done_lint.analysis.context import Analysis
from done_lint.analysis.values import External
from done_lint.engine import analyze
from done_lint.engine.report import Report
from done_lint.facts import build
from done_lint.facts.build import Model
from done_lint.flowgraph.build import survey
from done_lint.flowgraph.schema import Survey
from done_lint.project.discovery import projects
from done_lint.project.settings import Settings

Q_LEARNING = Path(__file__).parents[2] / "fixtures" / "projects" / "modern" / "q_learning.py"


def fix(folder: Path) -> Report:
    return analyze.fix(projects([str(folder)], lambda root: Settings(root=root)))


def fail_from(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the linker fail at its `call`-th call, and from then on."""
    calls: list[int] = []
    link = build.link

    def fails(surveys: Iterable[Survey], *rest: object) -> Model:
        calls.append(1)
        if len(calls) >= call:
            raise RuntimeError("no way")
        return link(surveys, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(build, "link", fails)


@pytest.mark.parametrize("call", [1, 2])
def test_where_linking_fails_before_or_after_the_first_fix_nothing_is_written(
    call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(OLD)
    fail_from(call, monkeypatch)
    report = fix(tmp_path)
    assert [(tmp_path / name).read_text() for name in ("a.py", "b.py")] == [OLD, OLD]
    assert (report.fixed, report.changed, report.written) == (0, {}, {})
    assert {finding.code for finding in report.findings} >= {"GYM401"}
    (diagnostic,) = report.diagnostics
    assert diagnostic.message == "linking the project failed: RuntimeError: no way"
    assert report.internal


def test_no_fix_is_offered_where_linking_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(OLD)
    fail_from(1, monkeypatch)
    findings = fix(tmp_path).findings
    assert {bool(finding.fix) for finding in findings} == {False}
    assert {finding.unfixed for finding in findings} == {"the project could not be analyzed as a whole"}


def test_a_project_that_cannot_be_linked_does_not_keep_another_from_being_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").touch()
        (tmp_path / name / "a.py").write_text(OLD)
    link = build.link

    def fails(surveys: Iterable[Survey], root: str, *rest: object) -> Model:
        if Path(root).name == "one":
            raise RuntimeError("no way")
        return link(surveys, root, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(build, "link", fails)
    report = fix(tmp_path)
    assert (tmp_path / "one" / "a.py").read_text() == OLD
    assert (tmp_path / "two" / "a.py").read_text() != OLD
    assert len(report.diagnostics) == 1


def test_a_syntax_error_in_a_file_that_many_imports_reach_is_reported_once(tmp_path: Path) -> None:
    """Each round of following imports reaches it."""
    (tmp_path / "broken.py").write_text("x = (\n")
    for number in range(4):
        (tmp_path / f"m{number}.py").write_text(f"import broken\nimport m{number + 1}\n")
    (tmp_path / "m4.py").write_text("import broken\n")
    (tmp_path / "main.py").write_text("import gymnasium\nimport broken\nimport m0\n")
    report = analyze.check(projects([str(tmp_path)], lambda root: Settings(root=root)))
    assert [Path(diagnostic.path).name for diagnostic in report.diagnostics] == ["broken.py"]


def test_a_method_is_found_through_bases_that_are_read_later() -> None:
    """What a class inherits is known before its attributes are looked up, in whatever order the files come."""
    files = {
        "a_base.py": "from b_base import Middle\n\n\nclass Base(Middle):\n    pass\n",
        "b_base.py": "from c_base import Top\n\n\nclass Middle(Top):\n    pass\n",
        "c_base.py": (
            "import gymnasium as gym\n\n\nclass Top:\n    @staticmethod\n    def made():\n"
            "        return gym.make('CartPole-v1')\n"
        ),
        "main.py": "from a_base import Base\n\nworld = Base.made()\no, r, d, i = world.step(0)\n",
    }
    for order in (sorted(files), sorted(files, reverse=True)):
        made = build.link([survey(path, files[path]) for path in order]).facts("main.py")
        assert [step.env.api.five for step in made.steps.values()] == [True]


@pytest.mark.parametrize(("most", "flagged"), [(objects.MOST_READERS, 4), (2, 2)])
def test_an_object_that_everything_uses_proves_nothing_of_its_users(
    most: int, flagged: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a container goes through a whole library, what all its users might get from it proves nothing."""
    monkeypatch.setattr(objects, "MOST_READERS", most)
    program = """
import gymnasium as gym
env = gym.make("CartPole-v1")
obs, reward, terminated, truncated, info = env.step(0)
rows = [terminated]
for a in rows: print(a)
for b in rows: print(b)
for c in rows: print(c)
for d in rows: print(d)
"""
    facts = build.link([survey("main.py", program)]).facts("main.py")
    assert len({span.row for span in facts.flags if span.row > 5}) == flagged


def _linked(classes: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Classes whose attributes all go through one container: how many values there are, and names at one place."""
    solved: list[Analysis] = []
    begin = linker.solve

    def solve(at: Analysis, *rest: Any) -> None:
        begin(at, *rest)
        solved.append(at)

    monkeypatch.setattr(linker, "solve", solve)
    rows = [
        f"class C{n}:\n    def __init__(self, rows):\n        self.x = numpy.f{n}\n        rows.append(self.x)\n"
        f"        rows.append(self.run)\n        self.y = rows.pop()\n    def run(self): return self.y.z\nC{n}(rows)\n"
        for n in range(classes)
    ]
    program = "import gymnasium\nimport numpy\nenv = gymnasium.make('CartPole-v1')\nenv.step(0)\nrows = []\n"
    build.link([survey("main.py", program + "".join(rows))])
    (at,) = solved
    held = at.solver.held
    return sum(map(len, held)), max(len(at.solver.all(node, External)) for node in range(len(held)))


def test_what_everything_goes_through_costs_a_constant_for_each_of_its_users(monkeypatch: pytest.MonkeyPatch) -> None:
    few, names = _linked(100, monkeypatch)
    assert names == room.MOST_NAMES
    many, _ = _linked(400, monkeypatch)
    assert many < 5 * few


NAMED = """\
import gymnasium as gym


class Own(gym.Wrapper):
    def reset(self, **kwargs):
        return self.env.reset(**kwargs)


def run(env: gym.Env, own: Own, other: "Own | None" = None):
    assert isinstance(env, Own)
    return env.step(own.action_space.sample())


run(gym.make("CartPole-v1"), Own(gym.make("CartPole-v1")))
"""


ROWS = """\
import gymnasium as gym

envs = gym.make_vec("CartPole-v1", num_envs=2)
obs, _ = envs.reset()
rows = []


def keep(row):
    rows.append(row)


while len(rows) < 9:
    actions = envs.action_space.sample()
    next_obs, rewards, terminated, truncated, infos = envs.step(actions)
    keep((obs, actions, rewards + 1, terminated))
    obs = next_obs
"""


@pytest.mark.parametrize("program", [Q_LEARNING.read_text(), NAMED, ROWS], ids=["plain", "annotations", "rows"])
def test_what_was_solved_is_freed_at_once(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The collector of cycles is off while a tree is read: a cycle would keep every part of it in memory."""
    made: list[weakref.ref[Analysis]] = []
    begin = Analysis.__init__

    def noted(self: Analysis, *args: Any) -> None:
        made.append(weakref.ref(self))
        begin(self, *args)

    monkeypatch.setattr(Analysis, "__init__", noted)
    gc.disable()
    try:
        model = build.link([survey("main.py", program)])
        alive = [ref for ref in made if ref() is not None]
    finally:
        gc.enable()
    assert made
    assert model.facts("main.py").steps
    assert not alive


@pytest.mark.parametrize("folder", ["", "lib"])
def test_an_import_of_a_part_that_is_not_there_binds_the_module(folder: str, tmp_path: Path) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "shared.py").write_text("name = 'CartPole-v1'\n")
    main = "import gym\nimport shared.wrappers\n\nenv = shared.wrappers.make(gym.make(shared.name))\nenv.reset()\n"
    (tmp_path / "main.py").write_text(main)
    report = analyze.check(projects([str(tmp_path)], lambda root: Settings(root=root)))
    assert not report.diagnostics
    assert {finding.code for finding in report.findings} == {"GYM401"}


def test_an_annotation_that_either_library_may_mean_is_given_up_once() -> None:
    program = (
        "try:\n    import gymnasium as gym\nexcept ImportError:\n    import gym\n\n\n"
        "def run(envs: gym.Env):\n    return envs.reset()\n\n\n"
        'run(gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")]))\n'
    )
    model = build.link([survey("main.py", program)])
    assert [env.api.vector for env in model.facts("main.py").envs.values()].count(True)

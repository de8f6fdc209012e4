"""A family that a run cannot change as a whole is left alone, whatever keeps a part of it as it is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from command import done_lint
from notebooks import of_sources

from done_lint.core.file_io import SourceError
from done_lint.core.findings import Finding, Fix, Span
from done_lint.engine import analyze, fix_loop
from done_lint.engine.blocked import Left, blocked_by
from done_lint.engine.report import Report
from done_lint.project.discovery import projects
from done_lint.project.settings import Settings
from done_lint.rules.registry import RULES

WRAPPER = """import gymnasium as gym


class Doubled(gym.Wrapper):
    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs, 2 * reward, done, info


def make():
    return Doubled(gym.make("CartPole-v1"))
"""
USER = """from wrapper import make


def play():
    env = make()
    env.reset(seed=0)
    obs, reward, done, info = env.step(0)
    return reward
"""
ALONE = """import gymnasium as gym

env = gym.make("CartPole-v1")
obs = env.reset()
"""
FIXED_ALONE = ALONE.replace("obs =", "obs, _ =")


def project(folder: Path, **files: str) -> None:
    (folder / "pyproject.toml").write_text("")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def checked(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(done_lint(folder, "check", "--output-format", "json", *arguments).stdout)
    return found


def fixed(folder: Path) -> Report:
    return analyze.fix(projects([str(folder)], lambda root: Settings(root=root)))


def test_what_one_file_cannot_change_is_changed_in_none_but_another_family_is(tmp_path: Path) -> None:
    # the fourth value of a step that is taken as a whole is not known to be the info
    taken = "flags = [flag for obs, reward, flag, info in [env.step(0)]]"
    user = f"from wrapper import make\n\nenv = make()\nenv.reset(seed=0)\n{taken}\nprint(flags)\n"
    project(tmp_path, wrapper=WRAPPER, user=user, alone=ALONE)
    withheld = [one for one in checked(tmp_path) if one["filename"] == "wrapper.py"]
    assert {one["code"] for one in withheld} == {"GYM101", "GYM301"}
    assert {one["fix"]["applicability"] for one in withheld} == {"unsafe"}
    assert {one["unfixed"] for one in withheld} == {"blocked by user.py:5, which unpacks four values and has no fix"}
    done_lint(tmp_path, "fix")
    assert ((tmp_path / "wrapper.py").read_text(), (tmp_path / "user.py").read_text()) == (WRAPPER, user)
    assert (tmp_path / "alone.py").read_text() == FIXED_ALONE
    assert done_lint(tmp_path, "fix").stderr.startswith("Nothing to fix")


def test_a_part_that_was_not_asked_for_keeps_the_rest_as_it_is(tmp_path: Path) -> None:
    project(tmp_path, wrapper=WRAPPER, user=USER, alone=ALONE)
    found = checked(tmp_path, "wrapper.py", "alone.py")
    assert {one["unfixed"] for one in found if one["filename"] == "wrapper.py"} == {
        "blocked by `play` (user.py:7), which unpacks four values and is not among the files to fix"
    }
    done_lint(tmp_path, "fix", "wrapper.py", "alone.py")
    assert (tmp_path / "wrapper.py").read_text() == WRAPPER
    assert (tmp_path / "alone.py").read_text() == FIXED_ALONE
    done_lint(tmp_path, "fix", "wrapper.py", "user.py")
    assert "terminated, truncated, info\n" in (tmp_path / "wrapper.py").read_text()
    assert "obs, reward, _, _, info = env.step(0)" in (tmp_path / "user.py").read_text()


def test_an_import_that_was_not_asked_for_keeps_its_environments_as_they_are(tmp_path: Path) -> None:
    maker = 'import gym\n\n\ndef make():\n    return gym.make("CartPole-v1")\n'
    user = USER.replace("wrapper", "maker")
    project(tmp_path, maker=maker, user=user)
    (one,) = checked(tmp_path, "user.py")
    assert one["unfixed"] == "blocked by maker.py:1, which needs Gym and is not among the files to fix"
    assert one["fix"]["applicability"] == "unsafe"
    done_lint(tmp_path, "fix", "user.py")
    assert (tmp_path / "user.py").read_text() == user


def test_a_silenced_part_keeps_the_rest_as_it_is(tmp_path: Path) -> None:
    silenced = USER.replace("env.step(0)", "env.step(0)  # noqa: GYM101")
    project(tmp_path, wrapper=WRAPPER, user=silenced)
    assert {one["unfixed"] for one in checked(tmp_path)} == {
        "blocked by `play` (user.py:7), which unpacks four values and is silenced by a comment"
    }
    done_lint(tmp_path, "fix")
    assert (tmp_path / "wrapper.py").read_text() == WRAPPER


def test_a_silenced_file_keeps_the_rest_as_it_is(tmp_path: Path) -> None:
    project(tmp_path, wrapper=WRAPPER, user=f"# done-lint: skip-file\n{USER}")
    done_lint(tmp_path, "fix")
    assert (tmp_path / "wrapper.py").read_text() == WRAPPER


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is read-only here")
def test_a_read_only_file_keeps_the_rest_as_it_is(tmp_path: Path) -> None:
    project(tmp_path, wrapper=WRAPPER, user=USER)
    (tmp_path / "user.py").chmod(0o444)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "wrapper.py").read_text() == WRAPPER


def test_what_cannot_be_written_undoes_what_changes_together_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, wrapper=WRAPPER, user=USER, alone=ALONE)
    write = fix_loop.write_atomically

    def refusing(path: str, data: bytes, root: str | None = None) -> None:
        if path.endswith("wrapper.py"):
            raise SourceError("cannot write: no space left")
        write(path, data, root)

    monkeypatch.setattr(fix_loop, "write_atomically", refusing)
    monkeypatch.chdir(tmp_path)
    report = fixed(tmp_path)
    assert (tmp_path / "user.py").read_text() == USER
    assert (tmp_path / "alone.py").read_text() == FIXED_ALONE
    assert {(one.path, one.message) for one in report.diagnostics} == {
        ("wrapper.py", "cannot write: no space left"),
        ("user.py", "changes together with `wrapper.py`, which cannot be written; not changed"),
    }
    assert set(report.changed) == {"alone.py"}


def test_a_file_whose_fix_fails_keeps_the_rest_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, wrapper=WRAPPER, user=USER, alone=ALONE)
    rewritten = fix_loop.Source.rewritten

    def failing(source: fix_loop.Source, data: bytes, edits: Any) -> bytes:
        if source.path.endswith("user.py"):
            raise SourceError("cannot be encoded")
        return rewritten(source, data, edits)

    monkeypatch.setattr(fix_loop.Source, "rewritten", failing)
    monkeypatch.chdir(tmp_path)
    report = fixed(tmp_path)
    assert (tmp_path / "wrapper.py").read_text() == WRAPPER
    assert (tmp_path / "alone.py").read_text() == FIXED_ALONE
    assert [one.message for one in report.diagnostics] == ["cannot be encoded"]
    assert {one.unfixed for one in report.findings if one.path == "wrapper.py"} == {
        "blocked by `play` (user.py:7), which unpacks four values and stands in a file that cannot be fixed"
    }


def finding(code: str, family: str, safety: Any = "") -> Finding:
    fix = Fix("fix", (), safety) if safety else None
    rule = next(rule for rule in RULES if rule.code == code)
    return Finding(
        *(code, "name", "message", "a.py", Span(1, 0, 1, 1)),
        fix=fix,
        family=frozenset(family),
        owner="run",
        incompatibility=rule.incompatibility,
        stops_with_advice=rule.stops_alone or (rule.stops_with_advice and fix is not None),
    )


def test_what_is_withheld_for_one_family_blocks_its_other_families() -> None:
    first = blocked_by([Left(finding("GYM101", "a"))], {})
    assert set(first) == {"a"}
    assert first["a"].reason("a.py:1") == "blocked by `run` (a.py:1), which unpacks four values and has no fix"
    both = blocked_by([Left(finding("GYM301", "ab", "safe")), Left(finding("GYM101", "a"))], first)
    assert both == {"a": first["a"], "b": first["a"]}


def test_what_blocks_depends_on_the_rule_and_on_the_fix() -> None:
    assert not blocked_by([Left(finding("GYM107", "a")), Left(finding("GYM301", "a", "safe"))], {})
    assert set(blocked_by([Left(finding("GYM301", "a", "unsafe"))], {})) == {"a"}
    # an outdated id stops its own program with its name, and a newer one is the user's choice
    assert not blocked_by([Left(finding("GYM404", "a", "display"))], {})
    assert not blocked_by([Left(finding("GYM404", "a"))], {})
    # a recording that no request leads to is code that runs
    assert set(blocked_by([Left(finding("GYM402", "a", "unsafe"))], {})) == {"a"}
    assert set(blocked_by([Left(finding("GYM402", "a"))], {})) == {"a"}


def test_what_stays_in_a_file_keeps_its_import(tmp_path: Path) -> None:
    text = """import gym


def record(env):
    from gym.wrappers import Monitor

    return Monitor(env, "out", video_callable=lambda episode: episode % 3 == 0, write_upon_reset=True)


def is_discrete(env):
    return isinstance(env.action_space, gym.spaces.Discrete)


record(gym.make("CartPole-v1"))
"""
    project(tmp_path, helpers=text)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "helpers.py").read_text() == text


def test_what_asks_for_a_class_of_gym_moves_with_what_makes_it(tmp_path: Path) -> None:
    helpers = """import gym


def is_discrete(space):
    return isinstance(space, gym.spaces.Discrete)


class Maze(gym.Env):
    pass
"""
    record = """

def record(env):
    from gym.wrappers import Monitor

    return Monitor(env, "out", video_callable=lambda episode: episode % 3 == 0, write_upon_reset=True)


record(Maze())
"""
    line = """import gym


class Line(gym.Env):
    def __init__(self):
        self.action_space = gym.spaces.Discrete(2)
"""
    main = "from helpers import is_discrete\nfrom line import Line\n\nassert is_discrete(Line().action_space)\n"
    project(tmp_path, helpers=helpers + record, line=line, test_main=main)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "line.py").read_text() == line
    project(tmp_path, helpers=helpers)
    done_lint(tmp_path, "fix")
    assert all("import gymnasium as gym" in (tmp_path / name).read_text() for name in ("helpers.py", "line.py"))


def test_a_list_for_a_tuple_that_another_file_writes_keeps_the_program(tmp_path: Path) -> None:
    game = """import gym


class Game:
    def __init__(self, env, config):
        self.env = gym.wrappers.ResizeObservation(env, config["shape"][1:])
"""
    main = """import gym

from game import Game

Game(gym.make("CarRacing-v3"), {"shape": [3, 96, 96]}).env.reset()
"""
    project(tmp_path, game=game, main=main)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "game.py").read_text() == game
    assert (tmp_path / "main.py").read_text() == main


RENDERED = """import gym

env = gym.make("CartPole-v1")
env = gym.wrappers.Monitor(env, "videos")
obs = env.reset()
obs, reward, done, info = env.step(0)
env.render()
"""


def test_a_recording_without_a_safe_fix_that_every_run_makes_holds_the_program(tmp_path: Path) -> None:
    project(tmp_path, watched=RENDERED)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "watched.py").read_text() == RENDERED


RECORDED = """import argparse

import gym

parser = argparse.ArgumentParser()
parser.add_argument("--record", action="store_true")
parser.add_argument("--watch", default=True)
parser.add_argument("--mode", default="train")
parser.add_argument("--how", choices=["train", "test", "film"], default="train")
args = parser.parse_args()
RECORDS = False


class Recorder:
    def __init__(self, records=False):
        self.records = records

    def made(self, config, folder=None, episode=0):
        env = gym.make("CartPole-v1")
        if CONDITION:
            env = gym.wrappers.Monitor(env, "videos")
        env.reset()
        env.render()
        return env


Recorder().made({})
"""


@pytest.mark.parametrize(
    ("condition", "moves"),
    [
        ("args.record", True),
        ("RECORDS", True),
        ("self.records", True),
        ("folder is not None", True),
        ('config["record"] and episode % 10 == 0', True),
        ('args.mode == "test"', True),
        ('args.how == "film"', True),
        ('args.how == "train"', False),
        ("not args.record", False),
        ("args.watch", False),
        ('args.mode == "train"', False),
        ("episode % 10 == 0", False),
        ("args.record or episode == 0", False),
    ],
)
def test_a_recording_without_a_safe_fix_holds_the_program_but_on_request(
    tmp_path: Path, condition: str, moves: bool
) -> None:
    text = RECORDED.replace("CONDITION", condition)
    project(tmp_path, watched=text)
    result = done_lint(tmp_path, "fix")
    new = (tmp_path / "watched.py").read_text()
    line = "Programs stop where they are asked to record until 1 `Monitor` is changed"
    assert (new != text, line in result.stderr) == (moves, moves)
    assert new.startswith("import argparse\n\nimport gymnasium as gym\n") is moves
    assert 'gym.wrappers.Monitor(env, "videos")' in new


ON_REQUEST = """import argparse

import gym


def made(record=False):
    env = gym.make("CartPole-v1")
    if record:
        env = gym.wrappers.Monitor(env, "videos")
    env.reset()
    env.render()


class Settings:
    def __init__(self, record=False):
        self.record = record


parser = argparse.ArgumentParser()
parser.add_argument("--film", action="store_true")
parser.add_argument("--dark", action="store_false")
args = parser.parse_args()
"""


@pytest.mark.parametrize(
    ("call", "moves"),
    [
        ("made(False)", True),
        ("made(args.film)", True),
        ("made(**vars(args))", True),
        ("made(Settings().record)", True),
        ("made(True)", False),
        ("made(args.dark)", False),
        ("made(Settings(True).record)", False),
        ("for episode in range(3):\n    made(episode == 0)", False),
        ("for record in (False, True):\n    made(record)", False),
        ("made(1)", False),
    ],
)
def test_a_recording_that_some_call_asks_for_holds_the_program(tmp_path: Path, call: str, moves: bool) -> None:
    text = f"{ON_REQUEST}{call}\n"
    project(tmp_path, watched=text)
    done_lint(tmp_path, "fix")
    assert ((tmp_path / "watched.py").read_text() != text) is moves


def test_a_recording_in_a_function_holds_the_program_unless_all_calls_are_on_request(tmp_path: Path) -> None:
    helpers = "from gym import wrappers\n\n\ndef filmed(env):\n    return wrappers.Monitor(env, 'videos')\n"
    made = "import sys\n\nimport gym\n\nfrom helpers import filmed\n\nfilm = False\nenv = gym.make('CartPole-v1')\n"
    asked, used = f"{made}if film:\n    env = filmed(env)\n", "obs = env.reset()\n"
    project(tmp_path, helpers=helpers, main=f"{asked}{used}", other=f"{made}env = filmed(env)\n{used}")
    done_lint(tmp_path, "fix")
    assert (tmp_path / "main.py").read_text() == f"{asked}{used}"
    (tmp_path / "other.py").unlink()
    done_lint(tmp_path, "fix")
    assert "obs, _ = env.reset()" in (tmp_path / "main.py").read_text()
    assert (tmp_path / "helpers.py").read_text() == helpers.replace("gym ", "gymnasium ")


def test_a_recording_on_request_of_what_is_drawn_in_a_window_holds_the_program(tmp_path: Path) -> None:
    text = RENDERED.replace("env = gym.wrappers", "if __debug__:\n    env = gym.wrappers")
    project(tmp_path, watched=text)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "watched.py").read_text() == text


def test_a_recording_around_a_wrapper_of_the_project_is_no_safe_fix_where_it_is_rendered(tmp_path: Path) -> None:
    wrapper = "\n\nclass Same(gym.Wrapper):\n    pass\n\n\nenv = Same(gym"
    text = RENDERED.replace("\nenv = gym", wrapper, 1).replace('v1")', 'v1"))', 1)
    project(tmp_path, watched=text)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "watched.py").read_text() == text


WATCHED = """import gym

env = gym.make("SpaceInvaders-v0")
env.reset()
for episode in range(10):
    obs, reward, done, info = env.step(0)
    env.render()
for episode in range(1000):
    obs, reward, done, info = env.step(0)
"""


def test_a_rendering_that_stops_every_run_and_has_no_safe_fix_holds_the_program(tmp_path: Path) -> None:
    project(tmp_path, watched=WATCHED)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "watched.py").read_text() == WATCHED


def test_a_rendering_that_may_not_be_run_holds_nothing(tmp_path: Path) -> None:
    project(tmp_path, watched=WATCHED.replace("    env.render()", "    if episode == 5:\n        env.render()"))
    done_lint(tmp_path, "fix")
    assert "import gymnasium as gym" in (tmp_path / "watched.py").read_text()


def test_a_rendering_that_is_fixed_where_the_environment_is_made_holds_nothing(tmp_path: Path) -> None:
    project(tmp_path, watched=WATCHED[: WATCHED.index("for episode in range(1000)")])
    done_lint(tmp_path, "fix")
    text = (tmp_path / "watched.py").read_text()
    assert 'make("SpaceInvaders-v0", render_mode="human")' in text
    assert "import gymnasium as gym" in text


def test_a_notebook_for_python_2_keeps_what_it_uses_as_it_is(tmp_path: Path) -> None:
    cells = ["from corridor import Corridor\nimport gym", "env = Corridor()\nstarts = [env.reset() for _ in xrange(3)]"]
    content = json.loads(of_sources(cells))
    corridor = "import gym\n\n\nclass Corridor(gym.Env):\n    def reset(self):\n        return 0\n"
    for name, changed in (("python2", False), ("python3", True)):
        content["metadata"] = {"kernelspec": {"language": "python", "name": name}}
        (tmp_path / "stats.ipynb").write_text(json.dumps(content))
        project(tmp_path, corridor=corridor)
        done_lint(tmp_path, "fix")
        assert ((tmp_path / "corridor.py").read_text() != corridor) == changed
        assert ("gymnasium" in (tmp_path / "stats.ipynb").read_text()) == changed


def test_a_file_with_names_of_python_2_stays_as_it_is(tmp_path: Path) -> None:
    loop = "import gym\n\nenv = gym.make('CartPole-v1')\nfor _ in {}(3):\n    obs = env.reset()\n    print(obs.shape)\n"
    for name, changed in (("xrange", False), ("range", True)):
        project(tmp_path, loop=loop.format(name))
        output = done_lint(tmp_path, "fix").stdout
        assert ("gymnasium" in (tmp_path / "loop.py").read_text()) == changed
        assert ("is Python 2: convert it first" in output) != changed


def test_no_name_of_today_hides_a_vector_environment_that_waits(tmp_path: Path) -> None:
    """With the new name of a wrapper beside it, it would be taken for one of 1.0, and reset one step later untold."""
    adapted = (
        "import gym\nfrom simulation import connect\n\nfrom bonus import Bonus\n\n\n"
        "class Adapted(gym.Wrapper):\n    def step(self, action):\n"
        "        obs, reward, done, info = self.env.step(action)\n        return obs, reward, done, info\n\n\n"
        "bonus = Bonus(Adapted(connect()))\n"
    )
    main = (
        "import gymnasium as gym\n\nfrom bonus import Bonus\n\n\n"
        'def make():\n    return gym.wrappers.FrameStack(gym.make("CartPole-v1"), 4)\n\n\n'
        "envs = gym.vector.SyncVectorEnv([make, make])\nbonus = Bonus(envs)\nrows = []\nobs, _ = envs.reset()\n"
        "for _ in range(100):\n"
        "    next_obs, reward, terminated, truncated, infos = envs.step(envs.action_space.sample())\n"
        "    rows.append((obs, reward, terminated | truncated))\n    obs = next_obs\n"
    )
    bonus = "class Bonus:\n    def __init__(self, envs):\n        self.shape = envs.reset()[0].shape\n"
    project(tmp_path, adapted=adapted, bonus=bonus, main=main)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "main.py").read_text() == main
    assert [one["code"] for one in checked(tmp_path, "main.py")] == ["GYM405", "GYM407"]

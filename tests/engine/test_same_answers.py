"""What was not read is no evidence: an answer is the same with and without what is left out for speed."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from command import CLEAN, OLD, ROOT
from generated_flows.choose import Choose
from generated_flows.project import project
from same_answers import answers, of, write

AGENT = "def play(env):\n    obs = env.reset()\n    obs, reward, done, info = env.step(0)\n"
#: A class with a protocol of its own: no word of it is of the library.
WORLD = """\
class World:
    def reset(self):
        return 0

    def step(self, action):
        return 0, 1.0, False, {}
"""
MAIN = "from agent import play\nfrom world import World\n\nplay(World())\n"
#: Some file of the project uses the library.
USED = {"other.py": "import gymnasium\n"}
PLAIN = "def area(width, height):\n    return width * height\n"

PROGRAMS: dict[str, Mapping[str, str]] = {
    "a caller without a word": {"agent.py": AGENT, "world.py": WORLD, "main.py": MAIN},
    "a comment in the caller": {"agent.py": AGENT, "world.py": WORLD, "main.py": f"# env\n{MAIN}"},
    "a class called MyEnv": {
        "agent.py": AGENT,
        "world.py": WORLD.replace("World", "MyEnv"),
        "main.py": MAIN.replace("World", "MyEnv"),
    },
    "an instance that comes a long way": {
        "agent.py": AGENT,
        "world.py": WORLD,
        "between.py": "from agent import play\n\ndef run(thing):\n    play(thing)\n",
        "main.py": "from between import run\nfrom world import World\n\nrun(World())\n",
    },
    "a package that hands it on": {
        "lib/__init__.py": "from lib.agent import play\n",
        "lib/agent.py": AGENT,
        "main.py": "import lib\nfrom world import World\n\nlib.play(World())\n",
        "world.py": WORLD,
    },
    "a step without a reset": {
        "agent.py": "from helper import first\n\ndef play(env):\n    result = env.step(0)\n    return first(result)\n",
        "helper.py": "def first(result):\n    obs, reward, done, info = result\n    return obs\n",
        "main.py": "import agent\nimport helper\nfrom gymnasium import make\n\nagent.play(make('CartPole-v1'))\n",
    },
    "a package that needs no word": {
        "agent.py": AGENT,
        "main.py": "from agent import play\nfrom procgen import ProcgenEnv\n\nplay(ProcgenEnv(1, 'coinrun'))\n",
    },
    "an unpacking over several rows": {
        "agent.py": "def play(e):\n    (obs, reward, terminated,\n     truncated, info) = e.step(0)\n",
        "target.py": "def target(r, gamma, v, done):\n    return r + gamma * v * (1 - done)\n",
    },
    "results in a class without a word": {
        "endings.py": "class Endings:\n    def lose(self):\n        return self.place, -1.0, True, {}\n",
        "world.py": "import gym\nfrom endings import Endings\n\nclass World(Endings, gym.Env):\n"
        "    def step(self, action):\n        return self.lose()\n",
    },
    "a target with a short name": {"target.py": "def f(r, gam, v, done):\n    return r + gam * v * (1 - done)\n"},
    "a library by another name": {"agent.py": AGENT, "main.py": "import minigrid\n"},
    "a second name in an import": {"agent.py": "import os, gym\n\nenv = gym.make('CartPole-v1')\nx = env.reset()\n"},
}


@pytest.mark.parametrize("used", [{}, USED], ids=["", "beside a file with the library"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_left_out_changes_nothing(name: str, used: Mapping[str, str], tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", **PROGRAMS[name], **used, "plain.py": PLAIN})
    assert answers(tmp_path) == answers(tmp_path, everything=True)


@pytest.mark.parametrize("name", ["a caller without a word", "a class called MyEnv", "a package that hands it on"])
def test_what_a_caller_hands_over_is_seen(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", **PROGRAMS[name], **USED})
    assert answers(tmp_path) == set()


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_the_same_whichever_file_is_asked_for(name: str, tmp_path: Path) -> None:
    files = {"pyproject.toml": "", **PROGRAMS[name], **USED, "plain.py": PLAIN, "train.py": OLD, "modern.py": CLEAN}
    write(tmp_path, files)
    whole = answers(tmp_path)
    for path in files:
        if path.endswith(".py"):
            assert answers(tmp_path, path) == of(whole, path)


@pytest.mark.parametrize("folder", sorted((ROOT / "fixtures" / "projects").iterdir()), ids=lambda folder: folder.name)
def test_fixtures_give_the_same_answers(folder: Path, tmp_path: Path) -> None:
    write(tmp_path, {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.py")})
    write(tmp_path, {"pyproject.toml": "", "plain.py": PLAIN, "lib/__init__.py": "", "lib/plain.py": PLAIN})
    whole = answers(tmp_path)
    assert whole == answers(tmp_path, everything=True)
    for path in tmp_path.rglob("*.py"):
        name = path.relative_to(tmp_path).as_posix()
        assert answers(tmp_path, name) == of(whole, name)


@pytest.mark.parametrize("seed", range(12))
def test_generated_projects_give_the_same_answers(seed: int, tmp_path: Path) -> None:
    files = project(Choose(random.Random(seed).randrange)).files
    write(tmp_path, {"pyproject.toml": "", **files, "plain.py": PLAIN})
    whole = answers(tmp_path)
    assert whole == answers(tmp_path, everything=True)
    for path in files:
        assert answers(tmp_path, path) == of(whole, path)


#: What marks a project, and where its files stand: without a mark, what stands beside them.
LAYOUTS: dict[str, dict[str, str]] = {
    "a project file": {"pyproject.toml": ""},
    "a repository": {".git/HEAD": ""},
    "a setup script": {"setup.py": "from setuptools import setup\n\nsetup(name='x')\n"},
    "a page": {"README.md": "# A program\n"},
    "a script": {"run.py": PLAIN},
    "a repository inside": {"pyproject.toml": "", "lib/.git/HEAD": ""},
    "a repository around": {".git/HEAD": "", "lib/.git/HEAD": ""},
    "requirements": {"requirements.txt": "numpy\n"},
    "nothing": {},
}
PARTS = {
    "lib/__init__.py": "",
    "lib/agent.py": AGENT,
    "lib/worlds/__init__.py": "",
    "lib/worlds/world.py": WORLD,
    "lib/worlds/old.py": OLD,
    "scripts/main.py": "from lib.agent import play\nfrom lib.worlds.world import World\n\nplay(World())\n",
    "scripts/train.py": "import gymnasium\nfrom lib.agent import play\n\nplay(gymnasium.make('CartPole-v1'))\n",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_program_around_a_file_is_found_the_same_way_always(
    layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {**PARTS, **LAYOUTS[layout]})
    whole = answers(tmp_path)
    for name in ("lib", "scripts", "lib/worlds", *PARTS):
        assert answers(tmp_path, name) == of(whole, name)
        folder = tmp_path / name if (tmp_path / name).is_dir() else (tmp_path / name).parent
        monkeypatch.chdir(folder)
        assert answers(tmp_path, str(folder.relative_to(tmp_path))) == of(whole, str(folder.relative_to(tmp_path)))


def test_a_document_beside_the_code_changes_nothing_there(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", "agent.py": AGENT, **USED})
    page = "# Use\n\n```python\nfrom agent import play\n\n" + WORLD + "\nplay(World())\n```\n"
    write(tmp_path, {"README.md": page})
    alone = answers(tmp_path, "agent.py")
    assert alone
    assert of(answers(tmp_path, "agent.py", "README.md"), "agent.py") == alone
    assert of(answers(tmp_path, documents=True), "agent.py") == alone

"""The id of an environment may stand in a configuration file that the program opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

OPENED = 'open("params.yaml")'
PROGRAM = """import gym
import yaml

params = yaml.safe_load({opened})
env = gym.make({made})
obs = env.reset()
obs, reward, done, _ = env.step(0)
print(done)
"""
MADE = 'params["env"]'


def project(folder: Path, opened: str = OPENED, made: str = MADE, **files: str) -> None:
    (folder / "pyproject.toml").write_text("")
    (folder / "main.py").write_text(PROGRAM.format(opened=opened, made=made))
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def reported(folder: Path) -> list[str]:
    out = done_lint(folder, "check", "--output-format", "concise", "--select", "GYM404").stdout
    return [row.split(": ", 1)[1] for row in out.splitlines() if "GYM404" in row]


def test_an_outdated_id_is_reported_where_it_is_made(tmp_path: Path) -> None:
    project(tmp_path, params_yaml="steps: 5\nenv: LunarLander-v2\n")
    shown = done_lint(tmp_path, "check", "--target-version", "1.4").stdout
    assert "`params.yaml` names `LunarLander-v2`, for which `make` raises an error in Gymnasium 1.4" in shown
    assert "--> main.py:5:7" in shown
    assert "written here (params.yaml:2:6)" in shown
    assert "help: write `LunarLander-v3` there" in shown
    assert "Programs stop at `make` until 1 outdated environment id is changed" in done_lint(tmp_path, "fix").stderr
    assert "import gymnasium as gym" in (tmp_path / "main.py").read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("params_yaml", "env: LunarLander-v2  # the task"),
        ("params_yml", "envs: ['CartPole-v1', \"LunarLander-v2\"]"),
        ("params_json", '{"env": {"id": "LunarLander-v2"}}'),
        ("params_toml", 'env = "LunarLander-v2"'),
        ("params_ini", "[train]\nenv=LunarLander-v2"),
    ],
)
def test_formats(name: str, text: str, tmp_path: Path) -> None:
    project(tmp_path, f'open("{name.replace("_", ".")}")', **{name: text})
    assert len(reported(tmp_path)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "env: LunarLander-v3",
        # not Gymnasium's own
        "env: Walkers-v2",
        # the name of an entry, of a section, of a file
        "LunarLander-v2:\n  steps: 5",
        '"LunarLander-v2":\n  steps: 5',
        "weights: runs/LunarLander-v2.pt",
        "weights: runs/LunarLander-v2/last",
        "url: gym:LunarLander-v2-best",
        "# env: LunarLander-v2",
    ],
)
def test_what_is_no_outdated_id(text: str, tmp_path: Path) -> None:
    project(tmp_path, params_yaml=text)
    assert reported(tmp_path) == []


@pytest.mark.parametrize(
    ("opened", "file"),
    [
        ('open("./params.yaml")', "params_yaml"),
        ('open("configs/params.yaml")', "configs__params_yaml"),
        ('open(f"configs/{__name__}.yaml")', "configs__params_yaml"),
        ('open("configs/%s.yaml" % __name__)', "configs__params_yaml"),
        ('open(f"{input()}.yaml")', "params_yaml"),
        ('open("configs/" + __import__("sys").argv[1])', "configs__params_yaml"),
        ('open(__import__("os").path.join("configs", input()))', "configs__params_yaml"),
    ],
)
def test_what_a_program_can_open(opened: str, file: str, tmp_path: Path) -> None:
    project(tmp_path, opened, **{file: "env: LunarLander-v2"})
    assert len(reported(tmp_path)) == 1


@pytest.mark.parametrize(
    ("opened", "file"),
    [
        (OPENED, "other_yaml"),
        (OPENED, "configs__other_yaml"),
        ("open(input())", "params_yaml"),
        ('open(f"{input()}")', "params_yaml"),
        # what is written into a folder
        ('open("logs/" + input())', "logs__last_json"),
        ('open(f"logs/{input()}.json")', "logs__last_json"),
    ],
)
def test_what_no_code_names(opened: str, file: str, tmp_path: Path) -> None:
    project(tmp_path, opened, **{file: "env: LunarLander-v2"})
    assert reported(tmp_path) == []


def test_spread_arguments(tmp_path: Path) -> None:
    project(tmp_path, made="**params", params_yaml="id: FrozenLake-v0")
    assert len(reported(tmp_path)) == 1


def test_an_id_of_the_code_counts_alone(tmp_path: Path) -> None:
    project(tmp_path, made='"CartPole-v1"', params_yaml="env: LunarLander-v2")
    assert reported(tmp_path) == []


def test_another_program_opens_it(tmp_path: Path) -> None:
    project(tmp_path, "open(input())")
    (tmp_path / "params.yaml").write_text("env: LunarLander-v2")
    (tmp_path / "other.py").write_text('print(open("params.yaml").read())\n')
    assert reported(tmp_path) == []


def test_a_module_of_the_program_opens_it(tmp_path: Path) -> None:
    project(tmp_path, '__import__("sys")')
    (tmp_path / "params.yaml").write_text("env: LunarLander-v2")
    (tmp_path / "start.py").write_text('import main\n\nprint(open("params.yaml").read(), main)\n')
    assert len(reported(tmp_path)) == 1


def test_the_project_registers_it(tmp_path: Path) -> None:
    project(tmp_path, params_yaml="env: LunarLander-v2")
    (tmp_path / "own.py").write_text('import gym\n\ngym.register("LunarLander-v2", entry_point="own:Lander")\n')
    assert reported(tmp_path) == []


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    project(tmp_path, params_yaml="env: LunarLander-v3")
    cached = ("check", "--output-format", "concise", "--select", "GYM404", "--cache-dir", str(tmp_path / "kept"))
    assert done_lint(tmp_path, *cached).stdout == ""
    (tmp_path / "params.yaml").write_text("env: LunarLander-v2")
    assert "LunarLander-v2" in done_lint(tmp_path, *cached).stdout


def test_a_program_that_only_makes_what_is_gone_stays(tmp_path: Path) -> None:
    project(tmp_path, params_yaml="env: Copy-v0")
    before = (tmp_path / "main.py").read_text()
    result = done_lint(tmp_path, "fix")
    assert (tmp_path / "main.py").read_text() == before
    assert "which makes an environment that was removed" in result.stdout
    assert "Programs stop" not in result.stderr


INSTANTIATED = """import hydra
from gym import Env


def run(env: Env):
    obs = env.reset()
    obs, reward, done, _ = env.step(0)
    print(done)


@hydra.main(version_base=None, config_path="config", config_name="train")
def main(cfg):
    run(hydra.utils.instantiate(cfg.env))
"""


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("env:\n  _target_: gym.make\n  id: CartPole-v1\n", True),
        ('env: \n  - "_target_": "gym.make"\n', True),
        ("env:\n  _target_: gymnasium.make\n  id: CartPole-v1\n", False),
        ("env:\n  _target_: gym_hil.make\n  # _target_: gym.make\n", False),
    ],
)
def test_what_hydra_makes_with_gym_keeps_the_program(tmp_path: Path, text: str, stays: bool) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "main.py").write_text(INSTANTIATED)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "train.yaml").write_text(text)
    shown = done_lint(tmp_path, "check").stdout
    assert ("blocked by config/train.yaml:2, which has Hydra call `gym.make`" in shown) == stays
    done_lint(tmp_path, "fix")
    assert ((tmp_path / "main.py").read_text() == INSTANTIATED) == stays


def test_hydra_composes_what_lies_in_the_folders_beside_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "main.py").write_text(INSTANTIATED)
    (tmp_path / "config" / "env").mkdir(parents=True)
    (tmp_path / "config" / "train.yaml").write_text("defaults:\n  - env: pole\n")
    (tmp_path / "config" / "env" / "pole.yaml").write_text("_target_: gym.make\nid: CartPole-v1\n")
    shown = done_lint(tmp_path, "check").stdout
    assert "blocked by config/env/pole.yaml:1, which has Hydra call `gym.make`" in shown

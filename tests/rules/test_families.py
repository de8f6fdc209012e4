"""A subclass and its base in another file change together or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

BASE = """import gymnasium as gym


class Corridor(gym.Env):
    def step(self, action):
        return 0, 0.0, True, {}
"""
HEIR = """from base import Corridor


class Slippery(Corridor):
    def step(self, action):
        obs, reward, done, info = super().step(action)
        return obs, reward - 1, done, info
"""


def project(folder: Path) -> tuple[Path, Path]:
    (folder / "pyproject.toml").write_text("")
    base, heir = folder / "base.py", folder / "heir.py"
    base.write_text(BASE)
    heir.write_text(HEIR)
    return base, heir


def test_the_base_alone_is_not_changed(tmp_path: Path) -> None:
    base, _ = project(tmp_path)
    result = done_lint(tmp_path, "fix", "base.py")
    assert base.read_text() == BASE
    assert "heir.py` must change together with this file; run `fix` on both" in result.stdout
    assert result.returncode == 1


def test_the_subclass_alone_is_not_changed(tmp_path: Path) -> None:
    _, heir = project(tmp_path)
    result = done_lint(tmp_path, "fix", "heir.py")
    assert heir.read_text() == HEIR
    assert "own `step` has to return five values first" in result.stdout


def test_both_change_together(tmp_path: Path) -> None:
    base, heir = project(tmp_path)
    result = done_lint(tmp_path, "fix")
    assert "return 0, 0.0, True, False, {}" in base.read_text()
    assert "obs, reward, terminated, truncated, info = super().step(action)" in heir.read_text()
    assert "return obs, reward - 1, terminated, truncated, info" in heir.read_text()
    assert result.returncode == 0


def test_an_import_stays_with_what_cannot_move(tmp_path: Path) -> None:
    text = (
        'import gym\n\nenv = gym.make("CartPole-v1")\nobs = env.reset()\n'
        "flags = [flag for obs, reward, flag, info in [env.step(0)]]\n"
    )
    (tmp_path / "a.py").write_text(text)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "a.py").read_text() == text
    done_lint(tmp_path, "fix", "--unsafe-fixes")
    assert "import gymnasium as gym" in (tmp_path / "a.py").read_text()


def test_recording_on_request_keeps_no_program_from_changing_where_make_is_in_another_file(tmp_path: Path) -> None:
    make = "import gym\n\n\ndef make_env(env_id):\n    return gym.make(env_id)\n"
    run = "obs, reward, done, info = env.step(0)\n"
    play = (
        'import gym\nfrom makers import make_env\n\nrecord = False\nenv = make_env("CartPole-v1")\n'
        "if record:\n"
        f'    env = gym.wrappers.Monitor(env, "videos")\nenv.reset()\n{run}'
    )
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "makers.py").write_text(make)
    (tmp_path / "play.py").write_text(play)
    result = done_lint(tmp_path, "fix")
    assert "import gymnasium as gym" in (tmp_path / "makers.py").read_text()
    assert "Monitor(env" in (tmp_path / "play.py").read_text()
    assert "obs, reward, _, _, info = env.step(0)" in (tmp_path / "play.py").read_text()
    assert "1 left" in result.stderr
    assert "until 1 `Monitor` is changed: 1 with --unsafe-fixes" in result.stderr
    done_lint(tmp_path, "fix", "--unsafe-fixes")
    assert 'gym.wrappers.RecordVideo(env, "videos")' in (tmp_path / "play.py").read_text()


def test_a_file_that_cannot_be_imported_holds_nothing_back(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    package = tmp_path / "bandits"
    package.mkdir()
    (package / "__init__.py").write_text(
        'from gym.envs.registration import register\n\nregister(id="Bandit-v0", entry_point="bandits.bandit:Bandit")\n'
    )
    (package / "bandit.py").write_text(
        "import gym\n\n\nclass Bandit(gym.Env):\n    def step(self, action):\n        return 0, 1.0, True, {}\n"
    )
    scoreboard = package / "scoreboard.py"
    scoreboard.write_text('from gym.scoreboard.registration import add_task\n\nadd_task(id="Bandit-v0")\n')
    result = done_lint(tmp_path, "fix")
    assert "return 0, 1.0, True, False, {}" in (package / "bandit.py").read_text()
    assert "from gymnasium.envs" in (package / "__init__.py").read_text()
    assert "from gym.scoreboard" in scoreboard.read_text()
    assert "GYM403" in result.stdout
    (package / "web.py").write_text("import gym\nfrom bandits import scoreboard\n")
    (package / "bandit.py").write_text("import gym\n\n\nclass Bandit(gym.Env):\n    pass\n")
    done_lint(tmp_path, "fix")
    assert "import gymnasium" not in (package / "bandit.py").read_text()


STACK = """import gymnasium as gym


class Swarm(gym.Env):
    def reset(self, density=None):
        return 0

    def step(self, action):
        return 0, 0.0, True, {}


class Replay(gym.Wrapper):
    def reset(self):
        return self.env.reset(0.5)

    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs, reward, done, info


class Shaping(gym.Wrapper):
    def __init__(self, env):
        gym.Wrapper.__init__(self, env)

    def reset(self):
        return self.env.reset()

    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs, reward - 1, done, info


def make(replay):
    env = Swarm()
    if replay:
        env = Replay(env)
    return Shaping(env)
"""


def test_a_wrapper_that_names_its_base_stays_with_what_is_inside(tmp_path: Path) -> None:
    (tmp_path / "stack.py").write_text(STACK)
    result = done_lint(tmp_path, "fix")
    assert (tmp_path / "stack.py").read_text() == STACK
    assert "`self.env.step(action)` changes together with `Swarm.step`" in result.stdout.partition("Shaping")[2]


TRACK = """import gymnasium as gym


class Track(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return [1.0, 2.0], {}

    def step(self, action):
        return [1.0, 2.0], 0.0, True, False, {}
"""
OLD_PROGRAM = """from track import Track

env = Track()
obs = env.reset()
for _ in range(10):
    print(obs[0], obs[1])
    obs, reward, done, info = env.step(0)
"""
NEW_PROGRAM = """from track import Track

env = Track()
obs, _ = env.reset()
obs, reward, terminated, truncated, info = env.step(0)
"""


def test_another_program_with_the_same_class_does_not_say_what_this_one_is_written_for(tmp_path: Path) -> None:
    for name, text in {"track.py": TRACK, "old.py": OLD_PROGRAM, "new.py": NEW_PROGRAM}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "pyproject.toml").write_text("")
    done_lint(tmp_path, "fix")
    assert "obs, _ = env.reset()" in (tmp_path / "old.py").read_text()
    assert (tmp_path / "new.py").read_text() == NEW_PROGRAM


def test_a_program_that_imports_both_is_one(tmp_path: Path) -> None:
    files = {"track.py": TRACK, "old.py": OLD_PROGRAM, "new.py": NEW_PROGRAM, "main.py": "import new\nimport old\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "pyproject.toml").write_text("")
    assert "GYM104" not in done_lint(tmp_path, "check").stdout


#: Its `step` is answered by a helper, so that it has no fix.
HALF = """import gymnasium as gym


def four(result):
    obs, reward, terminated, truncated, info = result
    done = terminated or truncated
    return obs, reward, done, info


class Stacked(gym.Wrapper):
    def reset(self):
        self.obs, _ = self.env.reset()
        return self.obs

    def step(self, action):
        obs, reward, done, info = four(self.env.step(action))
        return obs, reward, done, info
"""


def test_the_reset_of_a_wrapper_stays_with_its_step(tmp_path: Path) -> None:
    (tmp_path / "stacked.py").write_text(HALF)
    result = done_lint(tmp_path, "fix")
    assert (tmp_path / "stacked.py").read_text() == HALF
    assert "blocked by `Stacked.step` (stacked.py:17), which returns four values and has no fix" in result.stdout


CAVE = """import gymnasium as gym


class Cave(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0

    def step(self, action):
        return action, 1.0, action > 9, False, {}


gym.register(id="Cave-v0", entry_point=Cave)
"""
ENTERING = (
    'import gymnasium as gym\nimport cave\n\nenv = gym.make("Cave-v0")\nobs = env.reset()\nprint(obs, env.step(1))\n'
)


def test_what_resets_a_class_by_its_id_changes_together_with_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "cave.py").write_text(CAVE)
    (tmp_path / "play.py").write_text(ENTERING)
    (tmp_path / "README.md").write_text(f"# Cave\n\n```python\n{ENTERING}```\n")
    found = done_lint(tmp_path, "check", "--include-docs", "--output-format", "concise").stdout
    assert (
        found.count("`env.reset()` changes together with `Cave.reset` (cave.py:7), which returns the observation") == 2
    )
    done_lint(tmp_path, "fix", "--include-docs")
    assert "return 0, {}" in (tmp_path / "cave.py").read_text()
    assert "obs, _ = env.reset()" in (tmp_path / "play.py").read_text()
    assert "obs, _ = env.reset()" in (tmp_path / "README.md").read_text()


def test_what_steps_a_class_by_its_id_changes_together_with_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "cave.py").write_text(CAVE.replace("False, {}", "{}"))
    play = ENTERING.replace("print(obs, env.step(1))", "obs, reward, done, info = env.step(1)\nprint(obs, done)")
    (tmp_path / "play.py").write_text(play)
    found = done_lint(tmp_path, "check", "--output-format", "concise").stdout
    assert "`env.step(1)` changes together with `Cave.step` (cave.py:10), which returns four values" in found
    assert "`env.step(1)` returns five values" not in found
    done_lint(tmp_path, "fix")
    assert "obs, reward, terminated, truncated, info = env.step(1)" in (tmp_path / "play.py").read_text()


def test_what_is_taken_of_a_step_of_four_values_changes_together_with_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "base.py").write_text(BASE)
    taken = "obs, reward, done, *_ = env.step(0)\nprint(obs, done)\n"
    play = f"from base import Corridor\n\nenv = Corridor()\nenv.reset()\n{taken}"
    (tmp_path / "play.py").write_text(play)
    found = done_lint(tmp_path, "check", "--output-format", "concise").stdout
    assert "GYM102" in found
    assert "changes together with `Corridor.step` (base.py:6), which returns four values" in found


BOWL = """import gymnasium as gym


class Bowl(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = self.action_space.sample()
        return self.place

    def step(self, action):
        return self.place, 1.0, False, False, {}
"""
START = """
    def start(self):
        return self.reset()

    def cost(self, place):
        return float(sum(place**2))
"""


@pytest.mark.parametrize("name", ["bowl.py", "bowl.md"])
def test_a_class_whose_method_hands_on_its_observation_stays_also_on_a_page(tmp_path: Path, name: str) -> None:
    def fixed(text: str) -> bool:
        (tmp_path / name).write_text(f"```python\n{text}```\n" if name.endswith(".md") else text)
        done_lint(tmp_path, "fix", "--include-docs")
        return "return self.place, {}" in (tmp_path / name).read_text()

    assert not fixed(BOWL + START)
    assert fixed(BOWL)


def test_a_page_that_hands_an_observation_on_holds_back_no_class_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "bowl.py").write_text(BOWL)
    (tmp_path / "README.md").write_text(
        "```python\nfrom bowl import Bowl\n\n\ndef start():\n    return Bowl().reset()\n```\n"
    )
    done_lint(tmp_path, "fix", "--include-docs")
    assert "return self.place, {}" in (tmp_path / "bowl.py").read_text()


TABLE = """import gym

SPECS = (
    {"id": "Slope-v0", "entry_point": "envs.deep.slope:Slope"},
    {"id": "Hill-v0", "entry_point": "envs.hill:Hill"},
)


def register_all():
    for spec in SPECS:
        gym.register(**spec)
"""
OLD_ROBOT = """from gym.envs.mujoco import mujoco_env


class Hill(mujoco_env.MujocoEnv):
    def __init__(self):
        mujoco_env.MujocoEnv.__init__(self, "hill.xml", 4)

    def step(self, action):
        return self._get_obs(), self.sim.data.qpos[0], False, {}
"""
SLOPE = """import gym


class Slope(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}

    def step(self, action):
        return 0, 0.0, False, False, {}
"""


def test_a_table_of_entry_points_changes_together_with_its_classes(tmp_path: Path) -> None:
    """The folder `deep` has no `__init__.py`, and no import leads there."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "envs" / "deep").mkdir(parents=True)
    (tmp_path / "envs" / "__init__.py").write_text("from .registration import register_all\n\nregister_all()\n")
    registration, slope = tmp_path / "envs" / "registration.py", tmp_path / "envs" / "deep" / "slope.py"
    (tmp_path / "envs" / "hill.py").write_text(OLD_ROBOT)
    registration.write_text(TABLE)
    slope.write_text(SLOPE)
    done_lint(tmp_path, "fix")
    assert registration.read_text() == TABLE
    assert slope.read_text() == SLOPE
    # without the class that has to stay, all of it changes
    (tmp_path / "envs" / "hill.py").unlink()
    done_lint(tmp_path, "fix")
    assert "import gymnasium as gym" in registration.read_text()
    assert "import gymnasium as gym" in slope.read_text()


_FORWARDED = """import gym


class Board(gym.Env):
    solo = False

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.cells = [0] * 9
        return 0, {{}}

    def step(self, action):
        return 0, 1.0, action == 8, {{}}


class Base(gym.Wrapper):
    def __init__(self, env, **settings):
        super().__init__(env)
        for key, value in settings.items():
            setattr(self, key, value)


class Bonus(Base):
    weight = 0.5

    def reset(self, **kwargs):
        obs, info = self.env.reset(**kwargs)
        {reset}
        return obs, info


def play(env):
    obs, info = env.reset()
    return obs, {played}


play(Bonus(Board(){given}))
"""


@pytest.mark.parametrize(
    ("reset", "given", "played", "moves"),
    [
        ("self.first = list(self.cells)", "", "info", False),
        # what the class has, what may be among its settings, and what every wrapper has
        ("self.first = self.weight", "", "info", True),
        ("self.first = self.cells", ", cells=[1]", "info", True),
        ("self.first = self.action_space", "", "info", True),
        # a default that would be taken in silence
        ("pass", "", 'getattr(env, "solo", True)', False),
        ("pass", "", 'hasattr(env, "cells")', False),
        ("pass", "", 'hasattr(env.unwrapped, "cells")', True),
        ("pass", "", 'getattr(env, "render_mode", None)', True),
    ],
)
def test_what_only_old_wrappers_forwarded_keeps_the_program(
    tmp_path: Path, reset: str, given: str, played: str, *, moves: bool
) -> None:
    (tmp_path / "main.py").write_text(_FORWARDED.format(reset=reset, given=given, played=played))
    done_lint(tmp_path, "fix")
    assert ("import gymnasium" in (tmp_path / "main.py").read_text()) is moves


_BOARD = """import gymnasium as gym


class Board(gym.Env):
    def __init__(self):
        self.cells = [0]


gym.register(id="Board-v0", entry_point="board:Board")
"""


@pytest.mark.parametrize(
    ("asked", "moves"),
    [("env", False), ("env.unwrapped", True), ("base", True)],
)
def test_what_is_asked_past_the_wrappers_of_make_keeps_nothing(tmp_path: Path, asked: str, *, moves: bool) -> None:
    (tmp_path / "board.py").write_text(_BOARD)
    main = tmp_path / "main.py"
    main.write_text(
        "import gym\nfrom board import Board\n\n"
        f'env = gym.make("Board-v0")\nbase = env.unwrapped\nif hasattr({asked}, "cells"):\n    print(Board)\n'
    )
    done_lint(tmp_path, "fix")
    assert ("import gymnasium" in main.read_text()) is moves

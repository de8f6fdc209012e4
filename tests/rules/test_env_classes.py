"""Environment classes over several files: base, subclass and callers change together or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from command import done_lint
from markdown_cases import findings_in

from done_lint.engine import analyze
from done_lint.engine.report import Report
from done_lint.project.discovery import projects
from done_lint.project.settings import Settings

BASE = '''
import gym
import numpy as np
from gym import spaces
from gym.utils import seeding


class Corridor(gym.Env):
    """Walk to the right end."""

    def __init__(self, size=5):
        self.size = size
        self.observation_space = spaces.Box(0, 2 * size, (1,), dtype=np.float32)
        self.action_space = spaces.Discrete(2)

    def seed(self, seed=None):
        self.np_random, seed = seeding.np_random(seed)
        return [seed]

    def step(self, action):
        self.place = min(max(self.place + (1 if action else -1), 0), self.size)
        return self._observation(), 0.0, self.place == self.size, False, {}

    def reset(self):
        self.place = int(self.np_random.uniform(0, self.size))
        return self._observation()

    def _observation(self):
        return np.array([self.place], dtype=np.float32)

    def render(self):
        pass
'''
HEIRS = """
import gym

from corridor import Corridor


class Doubled(Corridor):
    def __init__(self):
        super().__init__()
        self.seed({seed})
        self.first = self.reset()

    def reset(self):
        obs = super().reset()
        return obs * 2


class Counted(gym.Wrapper):
    def seed(self, seed=None):
        return self.env.seed(seed)

    def reset(self):
        obs = self.env.reset()
        self.count = 0
        return obs * 1
"""


def fixed(folder: Path, seed: str = "") -> Report:
    (folder / "corridor.py").write_text(BASE)
    (folder / "heirs.py").write_text(HEIRS.format(seed=seed))
    return analyze.fix(projects([str(folder)], lambda root: Settings(root=root)))


def test_everything_is_fixed_round_by_round(tmp_path: Path) -> None:
    assert fixed(tmp_path).findings == []
    heirs = (tmp_path / "heirs.py").read_text()
    assert "seed()" not in heirs
    assert "self.first, _ = self.reset()" in heirs
    assert "obs, info = super().reset(seed=seed, options=options)" in heirs


def test_the_result_passes_the_checker_of_gymnasium(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    fixed(tmp_path)
    program = dedent("""
        from gymnasium.utils.env_checker import check_env
        from corridor import Corridor
        from heirs import Counted, Doubled
        for env in (Corridor(), Doubled(), Counted(Doubled())):
            check_env(env, skip_render_check=True)
            assert env.reset(seed=3)[0] == env.reset(seed=3)[0]
    """)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_seed_method_stays_where_another_file_calls_it_with_a_seed(tmp_path: Path) -> None:
    left = fixed(tmp_path, seed="7").findings
    assert [finding.code for finding in left if finding.code == "GYM304"] == ["GYM304"]
    assert "def seed" in (tmp_path / "corridor.py").read_text()
    assert "self.seed(7)" in (tmp_path / "heirs.py").read_text()


LADDER = """import gym


class Ladder(gym.Env):
    def _reset(self):
        self.rung = 0
        return self.rung

    def _step(self, action):
        return self.rung, 0.0, False, {}
"""
PLANNER = """class Planner:
    def __init__(self, world):
        self.world = world

    def look_ahead(self, action):
        return self.world._step(action)[1]
"""


@pytest.mark.parametrize("main", ["from ladder import Ladder\nPlanner(Ladder())\n", ""], ids=["known", "unknown"])
def test_an_old_name_stays_where_another_file_reads_it(main: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "ladder.py").write_text(LADDER)
    (tmp_path / "planner.py").write_text(PLANNER)
    (tmp_path / "main.py").write_text(f"import ladder\nfrom planner import Planner\n{main}")
    left = analyze.fix(projects([str(tmp_path)], lambda root: Settings(root=root))).findings
    assert (tmp_path / "ladder.py").read_text() == LADDER
    (step,) = (finding for finding in left if finding.code == "GYM308" and "_step" in finding.message)
    assert step.unfixed == "`_step` (planner.py:6) uses it too"


def test_a_seed_has_no_method_of_its_own_today(tmp_path: Path) -> None:
    (tmp_path / "ladder.py").write_text(f"{LADDER}\n    def _seed(self, seed=None):\n        return [seed]\n")
    found = analyze.check(projects([str(tmp_path)], lambda root: Settings(root=root))).findings
    said = {finding.message.partition(": ")[2] for finding in found if finding.code == "GYM308"}
    assert "a seed comes by `reset(seed=...)`, and only the program calls `seed`" in said
    assert "the method is called `step`" in said


def test_an_old_name_of_another_class_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "ladder.py").write_text(LADDER)
    other = "class Clock:\n    def _step(self):\n        pass\n\n    def run(self):\n        self._step()\n"
    (tmp_path / "clock.py").write_text(other)
    (tmp_path / "main.py").write_text("import clock\nimport ladder\n")
    analyze.fix(projects([str(tmp_path)], lambda root: Settings(root=root)))
    assert "def step(self, action):" in (tmp_path / "ladder.py").read_text()


def test_a_limit_is_judged_where_the_step_stands_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(
        "import gymnasium as gym\n\n\nclass Base(gym.Env):\n    def reset(self, *, seed=None, options=None):\n"
        "        self.steps = 0\n        return 0, {}\n\n    def step(self, action):\n        self.steps += 1\n"
        "        return 0, 0.0, self.is_over(), {}\n\n    def is_over(self):\n        raise NotImplementedError\n"
    )
    (tmp_path / "own.py").write_text(
        "from base import Base\n\n\nclass Own(Base):\n    def is_over(self):\n        return self.steps >= 100\n"
    )
    result = done_lint(tmp_path, "check", "--output-format", "concise")
    assert "own.py:6:16: GYM307" in result.stdout
    assert "internal" not in result.stdout


def test_a_limit_in_a_method_that_an_heir_overrides_is_reported_beside_that_of_its_base(tmp_path: Path) -> None:
    """What the heir steps is its base, which is reported itself and returns five values from then on."""
    base = dedent(
        """
        import gym


        class Base(gym.Env):
            def reset(self):
                self.steps = 0
                return 0.0

            def step(self, action):
                self.steps += 1
                return 0.0, 0.0, self.is_over(), {}

            def is_over(self):
                return self.steps >= self.limit
        """
    )
    heir = dedent(
        """
        from base import Base


        class Harder(Base):
            def step(self, action):
                obs, reward, done, info = super().step(action)
                return obs, reward + 1.0, done, info

            def is_over(self):
                return self.lost or self.steps >= self.limit
        """
    )
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "base.py").write_text(base)
    (tmp_path / "heir.py").write_text(heir)
    found = done_lint(tmp_path, "check", "--select", "GYM307", "--output-format", "concise").stdout
    assert "base.py:15" in found
    assert "heir.py:11" in found


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("self.count >= 9", "`ended` returns the limit alone: return it as another flag"),
        ("True if self.count >= 9 else False", "`ended` returns the limit alone: return it as another flag"),
        (
            "self.place < 0 or self.count >= 9",
            "`ended` returns the limit and the real end as one flag: split it in two",
        ),
    ],
)
def test_the_reason_says_what_a_method_returns_of_a_limit(answer: str, reason: str) -> None:
    source = (
        "import gymnasium as gym\n\n\nclass Walk(gym.Env):\n"
        "    def reset(self, *, seed=None, options=None):\n        super().reset(seed=seed)\n"
        "        self.count = self.place = 0\n        return self.place, {}\n\n"
        f"    def ended(self):\n        return {answer}\n\n"
        "    def step(self, action):\n        self.count += 1\n        self.place += action\n"
        "        return self.place, float(action), self.ended(), False, {}\n"
    )
    (finding,) = findings_in(source, frozenset({"GYM307"}))
    assert finding.unfixed == reason


@pytest.mark.parametrize("first", ["False", "self.place < 0"])
def test_no_method_is_said_to_return_what_it_sets(first: str) -> None:
    source = (
        "import gymnasium as gym\n\n\nclass Walk(gym.Env):\n"
        "    def reset(self, *, seed=None, options=None):\n        super().reset(seed=seed)\n"
        "        self.count = self.place = 0\n        self.done = False\n        return self.place, {}\n\n"
        f"    def judge(self):\n        self.done = {first}\n"
        "        if self.count >= 9:\n            self.done = True\n\n"
        "    def step(self, action):\n        self.count += 1\n        self.place += action\n        self.judge()\n"
        "        return self.place, float(action), self.done, False, {}\n"
    )
    (finding,) = findings_in(source, frozenset({"GYM307"}))
    assert finding.unfixed == "`judge` sets the flag of real ends at the limit: set another one there"


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ("False", "`_take` returns the limit alone: return it as another flag"),
        ("self.place < 0", "`_take` returns the limit and the real end as one flag: split it in two"),
    ],
)
def test_the_reason_says_what_an_inner_step_returns_of_a_limit(first: str, reason: str) -> None:
    source = (
        "import gymnasium as gym\n\n\nclass Walk(gym.Env):\n"
        "    def reset(self, *, seed=None, options=None):\n        super().reset(seed=seed)\n"
        "        self.count = self.place = 0\n        return self.place, {}\n\n"
        f"    def _take(self, action):\n        done = {first}\n        self.count += 1\n        self.place += action\n"
        "        if self.count >= 9:\n            done = True\n"
        "        return self.place, float(action), done, False, {}\n\n"
        "    def step(self, action):\n        return self._take(action)\n"
    )
    (finding,) = findings_in(source, frozenset({"GYM307"}))
    assert finding.unfixed == reason


OWN_FIVE = """
import gymnasium as gym


class Road(gym.Env):
    def reset(self):
        return [0.0]

    def step(self, action):
        cost, done = abs(action), True
        return [0.0], 1.0, cost, done, {}


def run(env):
    return env.reset(), env.step(0)


"""


@pytest.mark.parametrize(
    ("use", "taken"),
    [
        ("print(isinstance(Road(), gym.Env), run(Road()))", False),
        ("class Agent:\n    def __init__(self, env):\n        self.env = env\n\n\nrun(Agent(Road()).env)", False),
        ('gym.register("Road-v0", entry_point=Road)', True),
        ('gym.register("Road-v0", entry_point="elsewhere:make")', True),
        ("envs = gym.vector.SyncVectorEnv([lambda: Road()])", True),
        ("class Scaled(gym.Wrapper):\n    pass\n\n\nrun(Scaled(Road()))", True),
        ("class Long(Road):\n    pass\n\n\ngym.wrappers.TimeLimit(Long(), 5)", True),
        ("from gymnasium.utils.env_checker import check_env\n\ncheck_env(Road())", True),
        ('from stable_baselines3 import PPO\n\nPPO("MlpPolicy", Road())', True),
        ("from unknown import train\n\ntrain(Road)", True),
    ],
)
def test_five_values_of_its_own_are_a_protocol_of_its_own_unless_a_library_takes_it(use: str, *, taken: bool) -> None:
    found = {one.code for one in findings_in(OWN_FIVE + use + "\n", ("GYM302", "GYM303"))}
    assert found == ({"GYM302", "GYM303"} if taken else set())

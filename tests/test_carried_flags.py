"""`terminated` is carried along where only `done` arrives, and the mended targets are the right numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import done_lint
from markdown_cases import findings_in, fixed
from recorded_batch import CUT, GAMMA, RIGHT, computed, program
from rollouts import LAMBDA, TOY, Rollout, long_rollout

np = pytest.importorskip("numpy")

TARGETS = frozenset({"GYM201", "GYM202", "GYM203"})

ATTRIBUTE = """
class Agent:
    def __init__(self, env):
        self.env, self.memory = env, []
        self.done = False

    def act(self):
        self.obs, self.reward, terminated, truncated, info = self.env.step(0)
        self.done = terminated or truncated

    def remember(self):
        self.memory.append((self.reward, self.obs, self.done))
        if self.done:
            self.env.reset()


agent = Agent(gym.make("CartPole-v1"))
for _ in range(4):
    agent.act()
    agent.remember()
targets = [r + gamma * (1 - d) * value(s) for r, s, d in agent.memory]
"""

RESULT = """
def act(env):
    obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    return obs, reward, done


def evaluate(env):
    total, done = 0.0, False
    while not done:
        obs, reward, done = act(env)
        total += reward
    return total


env = gym.make("CartPole-v1")
memory = []
for _ in range(4):
    obs, reward, done = act(env)
    memory.append((reward, obs, done))
    if done:
        env.reset()
targets = [r + gamma * (1 - d) * value(s) for r, s, d in memory]
"""

PARAMETER = """
def target_of(reward, obs, done):
    if done:
        print("the end")
    return reward + gamma * (1 - done) * value(obs)


env = gym.make("CartPole-v1")
targets = []
for _ in range(4):
    obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    targets.append(target_of(reward, obs, done))
    if done:
        env.reset()
"""

GIVEN = PARAMETER.replace('    if done:\n        print("the end")\n', "")

KEYWORD = PARAMETER.replace("target_of(reward, obs, done))", "target_of(reward, done=done, obs=obs))")

METHODS = """
class Runner:
    def __init__(self, env):
        self.env = env
        self.targets = []

    def act(self) -> tuple[int, float, bool]:
        obs, reward, terminated, truncated, info = self.env.step(0)
        return obs, reward, terminated or truncated

    def learn(self, reward, obs, done: bool):
        if not done:
            self.targets.append(reward + gamma * value(obs))
        else:
            self.targets.append(reward)

    def run(self):
        for _ in range(4):
            obs, reward, done = self.act()
            self.learn(reward, obs, done)
            if done:
                self.env.reset()


runner = Runner(gym.make("CartPole-v1"))
runner.run()
targets = runner.targets
"""


RUNNER = """
class Runner:
    def __init__(self, env):
        self.env, self.ended = env, None

    def advance(self):
        obs, reward, terminated, truncated, info = self.env.step(0)
        self.ended = float(terminated or truncated)
        return obs, reward


runner = Runner(gym.make("CartPole-v1"))
targets = []
for _ in range(4):
    obs, reward = runner.advance()
    targets.append(reward + gamma * value(obs) * (1 - runner.ended))
    if runner.ended:
        runner.env.reset()
"""

IN_ARRAY = """
env = gym.make("CartPole-v1")
data = {"r": np.zeros(4), "s": np.zeros(4, dtype=int), "d": np.zeros(4)}
for t in range(4):
    obs, reward, done, cut, info = env.step(0)
    is_done = done or cut
    data["r"][t], data["s"][t] = reward, obs
    data["d"][t] = float(is_done)
    if is_done:
        env.reset()
targets = data["r"] + gamma * value(data["s"]) * (1 - data["d"])
"""

#: What the program itself ends is no termination, and nobody knows what the rest of it is.
ENDED = ATTRIBUTE.replace(
    "        self.done = terminated or truncated\n",
    "        self.done = terminated or truncated\n        if self.reward > 99:\n            self.done = True\n",
)

FILLED_ELSEWHERE = """
def fill(env, rows, dones):
    obs, reward, terminated, truncated, info = env.step(0)
    rows.append((reward, obs))
    dones.append(terminated or truncated)


def learn(rows, dones):
    return [r + gamma * (1 - dones[t]) * value(s) + 0 * dones[t] for t, (r, s) in enumerate(rows)]


env = gym.make("CartPole-v1")
rows, dones = [], []
for _ in range(4):
    fill(env, rows, dones)
    if dones[-1]:
        env.reset()
targets = learn(rows, dones)
"""

OVERRIDDEN = """
class Runner:
    def __init__(self, env):
        self.env, self.memory = env, []

    def act(self):
        obs, reward, terminated, truncated, info = self.env.step(0)
        return obs, reward, terminated or truncated

    def run(self):
        obs, reward, done = self.act()
        self.memory.append((reward, obs, done))
        if done:
            self.env.reset()


class Twice(Runner):
    def act(self):
        return obs, 0.0, False


for runner in (Runner(gym.make("CartPole-v1")), Twice(gym.make("CartPole-v1"))):
    runner.run()
    targets = [r + gamma * (1 - d) * value(s) for r, s, d in runner.memory]
"""


@pytest.mark.parametrize(
    ("text", "there"),
    [
        (ATTRIBUTE, "self.terminated = terminated"),
        (RESULT, "return obs, reward, done, terminated"),
        (RESULT, "obs, reward, done, _ = act(env)"),
        (PARAMETER, "def target_of(reward, obs, done, terminated):"),
        (GIVEN, "target_of(reward, obs, terminated)"),
        (KEYWORD, "target_of(reward, done=done, terminated=terminated, obs=obs)"),
        (METHODS, "-> tuple[int, float, bool, bool]:"),
        (METHODS, "self.learn(reward, obs, terminated)"),
        (RUNNER, "(1 - runner.ended_terminated)"),
        (IN_ARRAY, 'data["d"][t] = float(done)'),
    ],
)
def test_terminated_goes_beside_done(text: str, there: str) -> None:
    text = program(text)
    mended = fixed(text, TARGETS)

    assert there in mended, mended
    assert computed(text) == pytest.approx(CUT, abs=1e-12)
    assert computed(mended) == pytest.approx(RIGHT, abs=1e-12), mended
    assert not findings_in(mended, TARGETS)


@pytest.mark.parametrize(
    "text",
    [
        RESULT.replace("return obs, reward, done", "return [obs, reward, done]"),
        RESULT.replace(
            "    obs, reward, done = act(env)\n    memory",
            "    obs, reward, done = list(map(act, [env]))[0]\n    memory",
        ),
        PARAMETER.replace("obs, done)\n    if", "*(obs, done))\n    if").replace(
            "append(target_of(reward, obs, done))", "append(target_of(reward, *(obs, done)))"
        ),
        PARAMETER.replace("def target_of(reward, obs, done):", "def target_of(reward, obs, done=False):"),
        ATTRIBUTE + "\nagent.done = False\n",
        OVERRIDDEN,
        ENDED,
        ATTRIBUTE.replace(
            "class Agent:\n", "class Agent:\n    __slots__ = ('env', 'memory', 'done', 'obs', 'reward')\n\n"
        ),
        ATTRIBUTE.replace("class Agent:\n", "class Agent:\n    done = False\n\n"),
        FILLED_ELSEWHERE,
    ],
    ids=[
        "returns a list",
        "handed on",
        "starred",
        "default",
        "set from outside",
        "overridden",
        "ended by itself",
        "slots",
        "class attribute",
        "filled elsewhere",
    ],
)
def test_what_cannot_be_followed_is_left_and_said(text: str) -> None:
    text = program(text)
    found = findings_in(text, TARGETS)
    assert found
    assert all(finding.unfixed for finding in found)
    assert fixed(text, TARGETS, unsafe=True) == text


def test_a_module_that_others_import_may_have_callers_outside(tmp_path: Path) -> None:
    """The result of a helper is changed on request only, where other programs may call it."""
    (tmp_path / "library.py").write_text(program(RESULT))
    (tmp_path / "main.py").write_text("import library\n\nlibrary.evaluate(library.env)\n")
    assert _safety(tmp_path, "library.py") == "unsafe"
    (tmp_path / "main.py").unlink()
    assert _safety(tmp_path, "library.py") == "safe"


def _safety(folder: Path, name: str) -> str:
    found = json.loads(done_lint(folder, "check", "--select", "GYM203", "--output-format", "json", name).stdout)
    return str(found[0]["fix"]["applicability"])


# --- a recursion over time -------------------------------------------------------------------------

IN_PLACE = """
rewards, values, next_values = np.zeros(rows), np.zeros(rows), np.zeros(rows)
dones = np.zeros(rows)
obs, info = env.reset()
for t in range(rows):
    values[t] = value(obs)
    obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    rewards[t], next_values[t] = reward, value(obs)
    dones[t] = float(done)
    if done:
        obs, info = env.reset()
advantages = np.zeros(rows)
last = 0.0
for t in reversed(range(rows)):
    delta = rewards[t] + gamma * next_values[t] * (1 - dones[t]) - values[t]
    advantages[t] = last = delta + gamma * lam * (1 - dones[t]) * last
"""

THROUGH_FUNCTIONS = """
def collect(env):
    rewards, values, next_values, dones = [], [], [], []
    obs, info = env.reset()
    for _ in range(rows):
        values.append(value(obs))
        obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        rewards.append(reward)
        next_values.append(value(obs))
        dones.append(done)
        if done:
            obs, info = env.reset()
    return rewards, values, next_values, dones


def gae(rewards, values, next_values, dones):
    advantages = np.zeros(rows)
    last = 0.0
    for t in reversed(range(rows)):
        mask = 1.0 - dones[t]
        delta = rewards[t] + gamma * next_values[t] * mask - values[t]
        last = delta + gamma * lam * mask * last
        advantages[t] = last
    return advantages


rewards, values, next_values, dones = collect(env)
advantages = gae(rewards, values, next_values, dones)
"""


class Played:
    """An environment that plays a rollout; its observation is a row, and whether it is the one behind it."""

    def __init__(self, rollout: Rollout) -> None:
        self.rollout, self.row = rollout, -1

    def reset(self) -> tuple[Any, dict[str, Any]]:
        """The first state of the next episode."""
        return (self.row + 1, False), {}

    def step(self, action: int) -> tuple[Any, ...]:
        """The next row."""
        self.row += 1
        ends = self.rollout.terminated[self.row], self.rollout.truncated[self.row]
        return ((self.row, True), self.rollout.rewards[self.row], *ends, {})


def consistent(rollout: Rollout) -> Rollout:
    """The value behind a row is that of the next row, but where an episode ends."""
    ahead = np.where(rollout.done, rollout.next_values, rollout.shifted)
    return Rollout(rollout.rewards, rollout.values, ahead, rollout.terminated, rollout.truncated)


def advantages(text: str, rollout: Rollout) -> Any:
    """What a program computes of a rollout; it makes its environment by `gym.make`."""

    class Library:
        @staticmethod
        def make(name: str) -> Played:
            return Played(rollout)

    def value(place: Any) -> float:
        row, behind = place
        return float((rollout.next_values if behind else rollout.values)[row])

    names = {"gym": Library, "np": np, "gamma": GAMMA, "lam": LAMBDA, "rows": len(rollout.rewards), "value": value}
    exec(
        compile(text.replace("import gymnasium as gym\n", "").replace("import numpy as np\n", ""), "gae.py", "exec"),
        names,
    )
    return names["advantages"]


@pytest.mark.parametrize("text", [IN_PLACE, THROUGH_FUNCTIONS], ids=["arrays", "functions"])
@pytest.mark.parametrize("rollout", [TOY, consistent(long_rollout())], ids=["toy", "long"])
def test_the_mask_of_its_own_equals_the_reference_episode_by_episode(text: str, rollout: Rollout) -> None:
    text = program('env = gym.make("CartPole-v1")\n' + text)
    codes = frozenset({"GYM204", "GYM206"})
    assert fixed(text, codes) == text, "it is no safe fix"
    mended = fixed(text, codes, unsafe=True)

    assert np.abs(advantages(text, rollout) - rollout.reference()).max() > 0.5
    assert np.abs(advantages(mended, rollout) - rollout.reference()).max() < 1e-9, mended
    assert not findings_in(mended, codes)


def test_the_value_of_the_reset_observation_gets_no_mask_of_its_own() -> None:
    """`values[t + 1]` behind an end is that of the next episode: two masks alone would not make it right."""
    text = program(
        'env = gym.make("CartPole-v1")\n' + IN_PLACE.replace("gamma * next_values[t]", "gamma * values[t + 1]")
    )
    (finding,) = findings_in(text, frozenset({"GYM204"}))
    assert finding.fix is None
    assert finding.unfixed


def test_a_list_that_another_function_fills_gets_no_second_one() -> None:
    """The second list would stay empty, and the program would fail on it."""
    note = "def note(dones, done):\n    dones.append(done)\n\n\n"
    filled = IN_PLACE.replace("dones = np.zeros(rows)", "dones = []").replace(
        "dones[t] = float(done)", "note(dones, done)"
    )
    text = program(note + 'env = gym.make("CartPole-v1")\n' + filled)
    (finding,) = findings_in(text, frozenset({"GYM204"}))
    assert finding.fix is None
    assert finding.unfixed

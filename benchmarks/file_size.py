"""How the cost of one file grows with its size: CPU time and memory by shape and size, and the fitted exponent.

    python benchmarks/file_size.py
    python benchmarks/file_size.py --shapes script notebook --sizes 50 200 800 --command fix --limit 1.1

Each shape is a generator of one file that is as large as asked for, in kilobytes. The command runs on a copy in a
process of its own, so that imports are paid for once a run, and `done-lint --version` is measured to take them off
again. The exponent is the slope of log time over log size: 1.0 is linear, 2.0 is quadratic.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

SIZES = (50, 100, 200, 500, 1000, 2000)
COMMANDS = {
    "check": ["check", "--output-format", "full"],
    "concise": ["check", "--output-format", "concise"],
    "json": ["check", "--output-format", "json"],
    "fix": ["fix"],
    "diff": ["fix", "--diff"],
}

FUNCTION = '''
def train_{n}(agent, buffer, gamma=0.99, episodes=10):
    """Train agent {n}."""
    env = gym.make("CartPole-v1")
    for episode in range(episodes):
        state, total = env.reset(), 0.0
        done = False
        while not done:
            action = agent.act(state)
            next_state, reward, done, info = env.step(action)
            buffer.append((state, action, reward, next_state, done))
            target = reward + gamma * agent.value(next_state) * (1 - done)
            agent.learn(state, action, target)
            state, total = next_state, total + reward
        print(episode, total)
    return agent

'''

LOOP = """
for episode in range({n} + 10):
    state = env.reset()
    for t in range(200):
        next_state, reward, done, info = env.step(env.action_space.sample())
        memory.append((state, reward, next_state, done))
        targets.append(reward + gamma * value(next_state) * (1 - done))  # noqa: E{n}
        state = next_state
        if done:
            break
"""

METHOD = '''
    def episode_{n}(self, length=1000):
        """Collect and learn, the way of number {n}."""
        state = self.env.reset()
        for _ in range(length):
            action = self.act(state)
            next_state, reward, done, _ = self.env.step(action)
            self.memory.append((state, action, reward, next_state, done))
            state = self.env.reset() if done else next_state
        states, actions, rewards, next_states, dones = zip(*random.sample(self.memory, 32))
        targets = np.array(rewards) + self.gamma * self.critic(next_states) * (1 - np.array(dones))
        self.fit(states, actions, targets)

'''

PART = """
    print("part {n}")
    state = env.reset()
    done = False
    while not done:
        next_state, reward, done, info = env.step(policy(state))
        rows.append([state, reward, next_state, done])
        if {n} > 3 and reward > 0:
            total = total + reward * gamma
        state = next_state
"""

RIGHT = '''
def train_{n}(agent, buffer, gamma=0.99, episodes=10):
    """Train agent {n}."""
    env = gym.make("CartPole-v1")
    for episode in range(episodes):
        (state, _), total, over = env.reset(), 0.0, False
        while not over:
            action = agent.act(state)
            next_state, reward, terminated, truncated, info = env.step(action)
            buffer.append((state, action, reward, next_state, terminated))
            target = reward + gamma * agent.value(next_state) * (1 - terminated)
            agent.learn(state, action, target)
            state, total = next_state, total + reward
            over = terminated or truncated
        print(episode, total)
    return agent

'''

ENVIRONMENT = '''
class World{n}(gym.Env):
    """World {n}."""

    def __init__(self):
        self.position, self.count = 0, 0
        self.observation_space = gym.spaces.Discrete({n} + 2)

    def step(self, action):
        self.position += action
        self.count += 1
        done = self.position > {n} or self.count >= 200
        return self.position, 1.0, done, {{}}

    def reset(self):
        self.position, self.count = 0, 0
        return self.position

    def seed(self, seed=None):
        self.np_random, seed = seeding.np_random(seed)
        return [seed]

    def render(self, mode="human"):
        print(self.position)

'''

CELL = """state = env.reset()
done = False
for t in range({n} + 100):
    next_state, reward, done, info = env.step(env.action_space.sample())
    memory.append((state, reward, next_state, done))
    targets.append(reward + gamma * value(next_state) * (1 - done))
    state = next_state
    if done:
        break
"""

HEAD = """import random

import gym
import numpy as np
from gym.utils import seeding
"""

SETUP = """
env = gym.make("CartPole-v1")
memory, targets, gamma = [], [], 0.99


def value(state):
    return 0.0

"""


def _until(size: int, head: str, part: str) -> str:
    """A head, and as many numbered copies of a part as the size has room for."""
    return head + "".join(part.format(n=n) for n in range(max(1, (size - len(head)) // len(part))))


def functions(size: int) -> str:
    """Many functions, each with a loop of its own."""
    return _until(size, HEAD, FUNCTION)


def script(size: int) -> str:
    """Loops one after the other at module level: the same names bound again and again."""
    return _until(size, HEAD + SETUP, LOOP)


def methods(size: int) -> str:
    """One class with many methods on the same attributes."""
    head = HEAD + (
        "\n\nclass Agent:\n"
        "    def __init__(self, critic):\n"
        '        self.env = gym.make("CartPole-v1")\n'
        "        self.memory, self.gamma, self.critic = [], 0.99, critic\n"
    )
    return _until(size, head, METHOD)


def long_function(size: int) -> str:
    """One very long function."""
    head = HEAD + "\n\ndef main(policy, gamma=0.99):\n    env, rows, total = gym.make('CartPole-v1'), [], 0.0\n"
    return _until(size, head, PART)


def right(size: int) -> str:
    """Functions without findings."""
    return _until(size, HEAD.replace("gym", "gymnasium as gym", 1).replace("from gym", "from gymnasium"), RIGHT)


def environments(size: int) -> str:
    """Many environment classes in the old way."""
    return _until(size, HEAD, ENVIRONMENT)


def table(size: int) -> str:
    """A huge literal, and a few loops."""
    rows = "".join(f"    {n}: [{n}.5, {n * 7 % 101}, -{n % 13}, 0.25, 'n{n}'],\n" for n in range(max(1, size // 40)))
    return HEAD + SETUP + f"TABLE = {{\n{rows}}}\n" + "".join(LOOP.format(n=n) for n in range(3))


def chain(size: int) -> str:
    """Each function passes the flag to the next one."""
    part = (
        "\n\ndef pass_{n}(state, reward, done, gamma=0.99):\n"
        "    kept = bool(done)\n"
        "    return {n} + gamma * pass_{next}(state, reward, kept)\n"
    )
    count = max(2, size // len(part))
    links = "".join(part.format(n=n, next=n + 1) for n in range(count))
    last = f"\n\ndef pass_{count}(state, reward, done, gamma=0.99):\n    return reward + gamma * state * (1 - done)\n"
    use = "\nstate = env.reset()\nstate, reward, done, info = env.step(0)\npass_0(state, reward, done)\n"
    return HEAD + SETUP + links + last + use


def notebook(size: int) -> str:
    """Many cells, with magics."""
    sources = [HEAD, SETUP]
    while sum(map(len, sources)) * 1.3 < size:
        sources += [f"%timeit -n 1 value({len(sources)})\n" + CELL.format(n=len(sources))] * 10
    cells = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": text.splitlines(keepends=True),
        }
        for text in sources
    ]
    metadata = {"kernelspec": {"language": "python", "name": "python3", "display_name": "Python 3"}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}, indent=1)


SHAPES: dict[str, Callable[[int], str]] = {
    shape.__name__: shape
    for shape in (functions, script, methods, long_function, right, environments, table, chain, notebook)
}


def cost(arguments: list[str], folder: Path) -> tuple[float, int]:
    """CPU time in seconds and most memory in bytes of one run; a crash is an error."""
    command = [sys.executable, "-m", "done_lint", *arguments]
    with open(folder / "stderr", "wb") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}\nexited with {process.returncode}: {(folder / 'stderr').read_text()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def measured(shape: str, size: int, command: str) -> tuple[int, float, int]:
    """Real size, CPU time and memory of one command on one file."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pyproject.toml").write_text("[tool.done-lint]\nmax-file-size = 0\n", encoding="utf-8")
        file = folder / ("big.ipynb" if shape == "notebook" else "big.py")
        file.write_text(SHAPES[shape](size), encoding="utf-8")
        real = file.stat().st_size
        return real, *cost([*COMMANDS[command], "--no-cache", file.name], folder)


def exponent(sizes: list[int], times: list[float]) -> float:
    """Slope of log time over log size, by least squares."""
    xs, ys = [math.log(size) for size in sizes], [math.log(max(time, 1e-3)) for time in times]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle_x) ** 2 for x in xs)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys)) / spread if spread else 0.0


def main() -> int:
    """Print a row a size and an exponent a shape; exit 1 when one is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES), metavar="SHAPE", help="files")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="kilobytes")
    parser.add_argument("--command", choices=COMMANDS, default="check", help="what is run")
    parser.add_argument("--limit", type=float, default=0.0, help="highest exponent; 0: none")
    arguments = parser.parse_args()

    with TemporaryDirectory() as folder:
        start, _ = min(cost(["--version"], Path(folder)) for _ in range(3))
    worst = 0.0
    for shape in arguments.shapes:
        sizes: list[int] = []
        times: list[float] = []
        for size in arguments.sizes:
            real, seconds, memory = measured(shape, size * 1000, arguments.command)
            sizes.append(real)
            times.append(seconds - start)
            print(f"{shape:14} {real / 1000:7.0f} KB {times[-1]:8.2f} s {memory / 1e6:7.0f} MB", flush=True)
        found = exponent(sizes, times)
        worst = max(worst, found)
        print(f"{shape:14} exponent {found:.2f}", flush=True)
    return int(bool(arguments.limit) and worst > arguments.limit)


if __name__ == "__main__":
    raise SystemExit(main())

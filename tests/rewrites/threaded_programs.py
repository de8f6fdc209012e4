"""Programs in which `terminated` has to arrive where only `done` does today."""

from __future__ import annotations

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

#: A result of five must not look like what Gymnasium's `step` returns.
FOUR = RESULT.replace("obs, reward, done\n", "obs, reward, done, info\n").replace(
    "obs, reward, done = act", "obs, reward, done, info = act"
)

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

#: What the program itself ends is no termination, and what the rest of it is, is not known.
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

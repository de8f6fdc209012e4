"""A flag that the time limit was taken out of cuts no value target wrongly."""

from __future__ import annotations

import pytest
from model_programs import assert_sinks, sinks

OLD = """
    import gymnasium as gym
    env = gym.make("CartPole-v1")
    obs = env.reset()
    episode_steps, max_ep_len = 0, 200
    while True:
        next_obs, reward, done, info = env.step(0)
        episode_steps += 1
        {}
        y = reward + 0.99 * {} * value(next_obs)
"""


@pytest.mark.parametrize(
    ("made", "mask"),
    [
        ('d = done and not info.get("TimeLimit.truncated", False)', "(1 - d)"),
        ('timeout = info.get("TimeLimit.truncated", False)', "(1 - done * (1 - timeout))"),
        ('d = done and "TimeLimit.truncated" not in info', "(1 - d)"),
        ("d = float(done) if episode_steps < env._max_episode_steps else 0", "(1 - d)"),
        ("mask = 1 if episode_steps == env._max_episode_steps else float(not done)", "mask"),
        ("d = False if episode_steps == max_ep_len else done", "(1 - d)"),
        ("d = 0 if episode_steps + 1 == env._max_episode_steps else float(done)", "(1 - d)"),
    ],
)
def test_a_right_idiom_of_old_code_is_silent(made: str, mask: str) -> None:
    assert_sinks(OLD.format(made, mask))


def test_the_same_loop_with_plain_done_is_not_silent() -> None:
    assert {kind for _, _, kind in sinks(OLD.format("d = done", "(1 - d)"))} == {"mask"}


def test_without_a_time_limit_done_is_right() -> None:
    assert_sinks(OLD.replace('"CartPole-v1")', '"CartPole-v1").unwrapped').format("d = done", "(1 - d)"))
    assert_sinks(OLD.replace('"CartPole-v1")', '"CartPole-v1").env').format("d = done", "(1 - d)"))


OWN = """
    {imports}
    import gymnasium as gym

    class Maze(gym.Env):
        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            return 0, {{}}

        def step(self, action):
            return 0, 0.0, self.over(), {truncated}, {{}}

    gym.register(id="Maze-v0", entry_point="__main__:Maze")
    {options}
    env = gym.make(args.task)
    obs, _ = env.reset()
    next_obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    y = reward + 0.99 * (1 - done) * value(next_obs)
"""


POOL = """import argparse
    from concurrent.futures import ThreadPoolExecutor

    def parse():
        parser = argparse.ArgumentParser(); parser.add_argument("--task", default="Maze-v0")
        return parser.parse_args()
"""


@pytest.mark.parametrize(
    ("imports", "options"),
    [
        (
            "import argparse",
            'parser = argparse.ArgumentParser(); parser.add_argument("--task", default="Maze-v0"); '
            "args = parser.parse_args()",
        ),
        ("import tyro", 'class Args: task: str = "Maze-v0"\n    args = tyro.cli(Args)'),
    ],
)
def test_an_own_environment_that_nothing_truncates_is_known_by_an_id_that_arrives_later(
    imports: str, options: str
) -> None:
    assert_sinks(OWN.format(imports=imports, options=options, truncated=False))
    found = sinks(OWN.format(imports=imports, options=options, truncated="self.late()"))
    assert {kind for _, _, kind in found} == {"mask"}


@pytest.mark.parametrize(
    "made", ["pool.submit(gym.make, args.task).result()", "list(pool.map(gym.make, [args.task]))[0]"]
)
def test_an_environment_that_a_pool_makes_of_an_own_id_may_be_truncated(made: str) -> None:
    """Its value stands at a place that no file has, which cannot wait until the id is known."""
    options = "args = parse(); pool = ThreadPoolExecutor()"
    own = OWN.format(imports=POOL, options=options, truncated=False)
    found = sinks(own.replace("gym.make(args.task)", made))
    assert {kind for _, _, kind in found} == {"mask"}


def test_the_bootstrap_of_spinningup_that_values_a_timeout_is_right() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs = env.reset()
        ep_len, max_ep_len = 0, 200
        for t in range(4000):
            obs, reward, done, info = env.step(0)
            ep_len += 1
            timeout = ep_len == max_ep_len
            terminal = done or timeout
            if terminal or t == 3999:
                if timeout or t == 3999:
                    v = value(obs)
                else:
                    v = 0
                finish_path(v)
    """)


def test_an_environment_that_ends_by_another_limit_key_is_right() -> None:
    """PyMARL over SMAC: `terminated` holds the limit, and the info takes it out."""
    assert_sinks("""
        from smac.env import StarCraft2Env
        env = StarCraft2Env()
        reward, terminated, info = env.step([0])
        ended = terminated != info.get("episode_limit", False)
        y = reward + 0.99 * (1 - ended) * value(obs)
    """)


def test_masks_of_a_gymnax_environment_are_not_judged() -> None:
    program = """
        import gymnax
        env, params = gymnax.make("CartPole-v1")
        obs, state, reward, done, info = env.step(key, state, 0, params)
        y = reward + 0.99 * (1 - done) * value(obs)
    """
    assert {kind for _, _, kind in sinks(program)} <= {"mask"}


def test_a_discount_of_dm_env_is_right() -> None:
    assert_sinks("""
        from dm_control import suite
        env = suite.load("cartpole", "swingup")
        timestep = env.step(0)
        y = timestep.reward + 0.99 * timestep.discount * value(timestep.observation)
    """)


def test_td3_that_stores_the_limit_free_flag_is_right() -> None:
    assert_sinks("""
        import gymnasium as gym
        import numpy as np, torch
        class ReplayBuffer:
            def __init__(self):
                self.not_done = np.zeros((9, 1))
                self.reward = np.zeros((9, 1))
                self.ptr = 0
            def add(self, reward, done):
                self.reward[self.ptr] = reward
                self.not_done[self.ptr] = 1. - done
            def sample(self, n):
                ind = np.random.randint(0, 3, size=n)
                return (torch.FloatTensor(self.reward[ind]).to(d), torch.FloatTensor(self.not_done[ind]).to(d))
        def train(rb):
            reward, not_done = rb.sample(256)
            target_Q = torch.min(a, b)
            target_Q = reward + not_done * 0.99 * target_Q
        rb = ReplayBuffer()
        env = gym.make("A-v0")
        episode_timesteps = 0
        for t in range(9):
            episode_timesteps += 1
            s, reward, done, _ = env.step(0)
            done_bool = float(done) if episode_timesteps < env._max_episode_steps else 0
            rb.add(reward, done_bool)
            train(rb)
    """)


def test_a_limit_taken_out_of_a_flag_cuts_nothing() -> None:
    """Where the environment is not visible the flag may be anything: its use makes it a mask."""
    assert_sinks("""
        import numpy as np
        class Runner:
            def __init__(self, env, limit):
                self.env, self.count, self.limit = env, 0, limit
        def collect(runner, dones):
            if runner.over:
                runner.state = runner.env.reset()
                runner.count = 0
            next_obs, reward, done, info = runner.env.step(0)
            if runner.count + 1 == runner.limit:
                done = False
            dones[0] = done
            runner.count += 1
        def learn(dones, r, n):
            return r + gamma * (1.0 - dones[chosen]) * value(n)
        dones = np.zeros(100)
        collect(Runner(make(), 200), dones)
        learn(dones, 0, 1)
    """)


@pytest.mark.parametrize(("limit", "right"), [(" * (1 - self.timeouts[at])", True), ("", False)])
def test_a_buffer_may_take_the_limit_out_when_it_is_sampled(limit: str, right: bool) -> None:
    """SB3's `handle_timeout_termination`: what is stored is done, what the target sees is terminated."""
    store, mask = ("", "") if right else ("  # sink: store", "  # sink: mask")
    assert_sinks(f"""
        import numpy as np
        from stable_baselines3.common.env_util import make_vec_env
        class Buffer:
            def __init__(self):
                self.handle_timeout_termination = True
                self.dones, self.timeouts = np.zeros(100), np.zeros(100)
            def add(self, done, infos):
                self.dones[0] = done
                if self.handle_timeout_termination:
                    self.timeouts[0] = np.array([info.get("TimeLimit.truncated", False) for info in infos])
            def sample(self, at):
                return self.dones[at]{limit}
        env = make_vec_env("CartPole-v1")
        buffer = Buffer()
        env.reset()
        obs, reward, done, infos = env.step([0])
        buffer.add(done, infos){store}
        y = reward + 0.99 * (1 - buffer.sample([1])) * value(obs){mask}
    """)


LIMITED = {
    "wrapper.py": (
        "import torch\n\nclass TimeLimit:\n    def __init__(self, env):\n        self.env, self.time = env, 0\n"
        "    def step(self, action):\n        obs, reward, cost, terminated, truncated, info = self.env.step(action)\n"
        "        self.time += 1\n        truncated = torch.tensor(self.time >= 100)\n"
        "        return obs, reward, cost, terminated, truncated, info\n"
    ),
    "buffer.py": (
        "import torch\n\nclass Buffer:\n    def __init__(self):\n"
        "        self.data = {}\n        for key in ('obs', 'done'):\n            self.data[key] = torch.zeros(9)\n"
        "    def store(self, **data):\n        for key, value in data.items():\n            self.data[key][0] = value\n"
        "    def sample(self):\n        return {key: value[:4] for key, value in self.data.items()}\n"
    ),
    "main.py": (
        "from buffer import Buffer\nfrom wrapper import TimeLimit\n\nenv, buffer = TimeLimit(make()), Buffer()\n"
        "obs, reward, cost, terminated, truncated, info = env.step(0)\n"
        "buffer.store(obs=obs, done=terminated or truncated)\n"
        "batch = buffer.sample()\ny = reward + 0.99 * (1 - batch['done']) * value(obs)\n"
    ),
}


def test_a_limit_that_another_file_counts_proves_nothing_where_no_store_can_be_named() -> None:
    """A buffer by keys joins all that is stored; where the flag was put in is not known."""
    assert not sinks(LIMITED)


def test_a_limit_of_the_same_file_is_proven() -> None:
    assert_sinks("""
        for t in range(100):
            obs, reward, done, info = world.step(0)
            end = done or t == 99
            y = reward + 0.99 * (1 - end) * value(obs)  # sink: mask
    """)


@pytest.mark.parametrize(
    ("mask", "right"),
    [
        ("False if self.count >= self.env._max_episode_steps else self.done", True),
        ("self.done and self.count < self.env.spec.max_episode_steps", True),
        ("self.done or self.count >= self.env._max_episode_steps", False),
        ("self.done", False),
    ],
)
def test_the_environments_limit_is_known_where_a_helper_takes_the_step(mask: str, right: bool) -> None:
    store, cut = ("", "") if right else ("  # sink: store", "  # sink: mask")
    assert_sinks(f"""
        import gymnasium as gym
        class Agent:
            def __init__(self, env):
                self.env, self.rows, self.done = env, [], False
            def act(self, action):
                self.next_obs, self.reward, self.done, _ = self.env.step(action)
            def play(self):
                self.count = 0
                while not self.done:
                    self.count += 1
                    self.act(0)
                    mask = {mask}
                    self.rows.append((self.reward, self.next_obs, mask)){store}
            def learn(self, value):
                for reward, next_obs, mask in self.rows:
                    yield reward + 0.99 * (1.0 - mask) * value(next_obs){cut}
        Agent(gym.make("Pendulum-v1")).play()
    """)

"""Where a stored flag is reported, and by which places its path leads from the step to the target."""

from __future__ import annotations

import pytest
from model_programs import MEMORY, STEP, TARGET, assert_sinks, sink, sinks


def test_the_path_of_a_store_starts_at_the_step_of_its_own_flag() -> None:
    """Two scripts fill the buffers of one module: neither names the other's step."""
    script = (
        "import gymnasium as gym\nfrom memory import Memory, learn\n\nmemory = Memory()\n"
        "env = gym.make('CartPole-v1')\nobs, info = env.reset()\n"
        "next_obs, reward, terminated, truncated, info = env.step(0)\ndone = terminated or truncated\n"
        "memory.push(obs, reward, next_obs, done)\nlearn(memory)\n"
    )
    files = {
        "memory.py": (
            "import random\n\nclass Memory:\n    def __init__(self):\n        self.rows = []\n"
            "    def push(self, *row):\n        self.rows.append(row)\n"
            "def learn(memory):\n    for o, r, o2, d in random.sample(memory.rows, 8):\n"
            "        y = r + 0.99 * (1 - d) * value(o2)\n"
        ),
        "one.py": script,
        "other.py": script,
    }
    for path in ("one.py", "other.py"):
        found = sink(files, "store", path)
        assert found.path[0].path == path, found.path
        assert (found.path[0].span.row, found.span.row) == (7, 9)


def test_the_path_of_a_store_ends_at_a_target_of_its_own_file_if_there_is_one() -> None:
    """Two agents share the class of a buffer, and one program imports both."""
    agent = (
        "import gymnasium as gym\nfrom memory import Memory\n\nmemory = Memory()\n"
        "env = gym.make('CartPole-v1')\nobs, info = env.reset()\n"
        "next_obs, reward, terminated, truncated, info = env.step(0)\ndone = terminated or truncated\n"
        "memory.push(obs, reward, next_obs, done)\n"
        "o, r, o2, d = memory.sample()\ny = r + 0.99 * (1 - d) * value(o2)\n"
    )
    files = {
        "memory.py": (
            "import random\n\nclass Memory:\n    def __init__(self):\n        self.rows = []\n"
            "    def push(self, *row):\n        self.rows.append(row)\n"
            "    def sample(self):\n        return zip(*random.sample(self.rows, 8))\n"
        ),
        "one.py": agent,
        "other.py": agent,
        "main.py": "import one\nimport other\n",
    }
    for path in ("one.py", "other.py"):
        assert {place.path for place in sink(files, "store", path).path} == {path}


@pytest.mark.parametrize("kept", [False, True])
def test_a_flag_that_nothing_keeps_is_handed_over(kept: bool) -> None:
    body = "        self.rows.append(d)\n        d = self.rows[0]\n" if kept else ""
    files = {
        "agent.py": (
            "class Agent:\n    def __init__(self):\n        self.rows = []\n    def learn(self, r, o2, d):\n"
            f"{body}        return r + 0.99 * (1 - d) * value(o2)\n"
        ),
        "main.py": (
            "import gymnasium as gym\nfrom agent import Agent\n\nagent = Agent()\nenv = gym.make('CartPole-v1')\n"
            "env.reset()\nobs, reward, terminated, truncated, info = env.step(0)\ndone = terminated or truncated\n"
            "agent.learn(reward, obs, done)\n"
        ),
    }
    found = sink(files, "store")
    assert found.at_once is not kept
    assert ("handed over here" in [place.message for place in found.path]) is not kept


def test_the_path_of_a_store_lists_step_store_sample_and_cut_in_order() -> None:
    rows = [place.span.row for place in sink(MEMORY.format("done", TARGET), "store").path]
    assert rows[0] == 8
    assert rows[-3:] == [10, 13, 14]


@pytest.mark.parametrize(
    ("parameters", "row"),
    [
        ("o, r, d", "(o, r, d)"),
        ("o, r, d=False", "[o, r, d]"),
        ("*row", "row"),
        ("o, *row", "(o, *row)"),
    ],
)
def test_an_argument_is_reported_where_it_is_passed(parameters: str, row: str) -> None:
    assert_sinks(f"""
        import random
        import gymnasium as gym
        class Memory:
            def __init__(self):
                self.rows = []
            def push(self, {parameters}):
                self.rows.append({row})
        memory = Memory()
        env = gym.make("CartPole-v1")
        obs, reward, terminated, truncated, info = env.step(0)
        memory.push(obs, reward, terminated or truncated)  # sink: store
        for o, r, d in random.sample(memory.rows, 8):
            y = r + 0.99 * (1 - d) * value(o)  # sink: mask
    """)


def test_a_preallocated_buffer_is_reported_where_it_is_filled() -> None:
    assert_sinks("""
        import gymnasium as gym
        import numpy as np
        dones = np.zeros(1000)
        env = gym.make("CartPole-v1")
        for t in range(1000):
            obs, reward, terminated, truncated, info = env.step(0)
            dones[t] = terminated or truncated  # sink: store
        batch = np.random.randint(0, 1000, 32)
        y = rewards[batch] + 0.99 * (1 - dones[batch]) * value(obs)  # sink: mask
    """)


def test_an_argument_that_is_never_stored_is_reported_at_the_mask_alone() -> None:
    assert_sinks("""
        import gymnasium as gym
        def learn(reward, next_obs, over):
            return reward + 0.99 * value(next_obs) * (1 - over)  # sink: mask
        env = gym.make("CartPole-v1")
        obs, reward, terminated, truncated, info = env.step(0)
        learn(reward, obs, terminated or truncated)
    """)


@pytest.mark.parametrize("discount", ["0.0 if done else 0.99", "0 if done else gamma", "0.0 if done else 1.0"])
@pytest.mark.parametrize("target", ["reward + discount * value(obs)", "reward + 0.9 * discount * value(obs)"])
def test_a_discount_that_is_zero_at_done_is_stored(discount: str, target: str) -> None:
    program = """
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        memory, gamma = [], 0.99
        obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        memory.append((reward, %s))%s
        for reward, discount in memory:
            y = %s
    """
    assert_sinks(program % (discount, "  # sink: store", target))
    assert_sinks(program % (discount.replace("done", "terminated"), "", target))


@pytest.mark.parametrize("discount", ["0.99 if done else 0.0", "0.99 if done else 1.0", "0.99 if done else 0.9"])
def test_another_choice_of_discounts_masks_nothing(discount: str) -> None:
    assert_sinks(f"{STEP}discount = {discount}\ny = reward + discount * value(next_obs)\n")


def test_terminated_given_to_a_parameter_called_done_is_right() -> None:
    assert_sinks("""
        import gymnasium as gym
        def learn(reward, next_obs, done):
            return reward + 0.99 * value(next_obs) * (1 - int(done))
        env = gym.make("CartPole-v1")
        obs, reward, terminated, truncated, info = env.step(0)
        learn(reward, obs, terminated)
    """)


def test_terminated_under_the_name_done_is_right() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, reward, done, _, info = env.step(0)
        y = reward + 0.99 * (1 - done) * value(obs)
    """)


def test_a_keep_mask_that_is_stored_is_reported() -> None:
    found = sinks(MEMORY.format("1 - done", "y = r + 0.99 * d * value(o2)"))
    assert {kind for _, _, kind in found} >= {"store"}


@pytest.mark.parametrize("test", ["(d == 1)[i]", "(1 - (1 - d))[i]", "np.array(d)[i]"])
def test_a_store_is_found_behind_one_element_of_a_flag(test: str) -> None:
    assert_sinks(f"""
        import gymnasium as gym
        import numpy as np
        env = gym.make("CartPole-v1")
        memory = []
        obs, reward, terminated, truncated, info = env.step(0)
        memory.append((reward, terminated or truncated))  # sink: store
        r, d = map(np.array, zip(*memory))
        for i in range(4):
            y = r[i] + (0 if {test} else 0.99 * value(obs)[i])  # sink: branch
    """)


def test_an_array_that_grows_is_reported_where_the_flag_is_put_in() -> None:
    assert_sinks("""
        import gymnasium as gym
        import numpy as np
        env = gym.make("CartPole-v1")
        dones = np.array([])
        for t in range(1000):
            obs, reward, terminated, truncated, info = env.step(0)
            dones = np.append(dones, terminated or truncated)  # sink: store
        y = rewards + 0.99 * (1 - dones) * value(obs)  # sink: mask
    """)

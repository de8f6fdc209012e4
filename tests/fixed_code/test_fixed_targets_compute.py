"""The proof by computing: a fixed value target is the right number at a truncation, and was a wrong one before.

Every target is run twice, as it stands and after `fix`, on one batch. Its rows are an ordinary step, a
truncated one, a terminated one, and one that is both. What they have to be is worked out by hand.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from markdown_cases import findings_in, fixed
from recorded_batch import CUT, GAMMA, IMPORTS, RIGHT, computed, program
from rollouts import TOY, Rollout, long_rollout

np = pytest.importorskip("numpy")

CODES = frozenset({"GYM201", "GYM202", "GYM203"})


def step_by_step(rows: str) -> str:
    """A loop over the batch, whose rows append to `targets`."""
    inner = dedent(rows).strip("\n").replace("\n", "\n    ")
    return (
        f'{IMPORTS}env = gym.make("CartPole-v1")\nobs, info = env.reset()\ntargets = []\n'
        "for _ in range(4):\n    next_obs, reward, terminated, truncated, info = env.step(0)\n"
        f"    done = terminated or truncated\n    {inner}\n"
    )


def at_once(rows: str) -> str:
    """One step of four environments, and rows that make `targets`."""
    return (
        f'{IMPORTS}envs = gym.make_vec("CartPole-v1", num_envs=4)\nobs, info = envs.reset()\n'
        "next_obs, reward, terminated, truncated, info = envs.step([0, 0, 0, 0])\n"
        f"done = terminated | truncated\n{dedent(rows).strip()}\n"
    )


MASKS = [
    step_by_step("targets.append(reward + gamma * (1 - done) * value(next_obs))"),
    step_by_step("targets.append(reward + gamma * value(next_obs) * (not done))"),
    step_by_step("targets.append(reward + gamma * value(next_obs) * (1.0 - float(done)))"),
    step_by_step("mask = 0.0 if done else 1.0\ntargets.append(reward + gamma * mask * value(next_obs))"),
    step_by_step("targets.append(reward + gamma * (1 - int(terminated or truncated)) * value(next_obs))"),
    at_once("targets = reward + gamma * (1 - done) * value(next_obs)"),
    at_once("targets = reward + gamma * ~done * value(next_obs)"),
    at_once("targets = reward + gamma * np.logical_not(done) * value(next_obs)"),
    at_once("targets = reward + gamma * (1 - done.astype(float)) * value(next_obs)"),
    at_once("targets = reward + gamma * value(next_obs) * (1 - (terminated | truncated))"),
]

BRANCHES = [
    step_by_step("targets.append(reward if done else reward + gamma * value(next_obs))"),
    step_by_step("target = reward\nif not done:\n    target += gamma * value(next_obs)\ntargets.append(target)"),
    step_by_step("targets.append(reward + gamma * (0.0 if done else value(next_obs)))"),
    step_by_step(
        "if done:\n    target = reward\nelse:\n    target = reward + gamma * value(next_obs)\ntargets.append(target)"
    ),
    at_once("targets = np.where(done, reward, reward + gamma * value(next_obs))"),
    at_once("targets = reward + gamma * np.where(done, 0.0, value(next_obs))"),
    at_once("values = value(next_obs)\nvalues[done] = 0.0\ntargets = reward + gamma * values"),
]

LOOP = """
    for _ in range(4):
        next_obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        {store}
        obs = next_obs
        if done:
            obs, info = env.reset()
"""

STORES = [
    'env = gym.make("CartPole-v1")\nobs, info = env.reset()\nmemory = []'
    + LOOP.replace("\n    ", "\n").format(store="memory.append((obs, reward, next_obs, done))")
    + "targets = [r + gamma * (1 - d) * value(s) for _, r, s, d in memory]\n",
    'env = gym.make("CartPole-v1")\nobs, info = env.reset()\nmemory = []'
    + LOOP.replace("\n    ", "\n").format(store="memory.append((obs, reward, next_obs, float(done)))")
    + "_, r, s, d = map(np.array, zip(*memory))\ntargets = r + gamma * (1 - d) * value(s)\n",
    'env = gym.make("CartPole-v1")\nobs, info = env.reset()\nmemory = []'
    + LOOP.replace("\n    ", "\n").format(store="memory.append((reward, next_obs, 1 - done))")
    + "r, s, keep = map(np.array, zip(*memory))\ntargets = r + gamma * keep * value(s)\n",
    """
class Memory:
    def __init__(self):
        self.rewards, self.states, self.dones = np.zeros(4), np.zeros(4, dtype=int), np.zeros(4)
        self.place = 0

    def push(self, reward, state, done):
        self.rewards[self.place] = reward
        self.states[self.place] = state
        self.dones[self.place] = done
        self.place += 1

    def sample(self):
        rows = np.arange(4)
        return self.rewards[rows], self.states[rows], self.dones[rows]


def learn(memory):
    rewards, states, dones = memory.sample()
    return rewards + gamma * (1 - dones) * value(states)


def run(env):
    obs, info = env.reset()
    memory = Memory()"""
    + LOOP.format(store="memory.push(reward, next_obs, done)")
    + """\
    return learn(memory)


targets = run(gym.make("CartPole-v1"))
""",
    'env = gym.make("CartPole-v1")\nobs, info = env.reset()\nmemory = {"r": [], "s": [], "d": []}'
    + LOOP.replace("\n    ", "\n").format(
        store='memory["r"].append(reward)\n    memory["s"].append(next_obs)\n    memory["d"].append(done)'
    )
    + "batch = {name: np.array(rows) for name, rows in memory.items()}\n"
    + 'targets = np.where(batch["d"], batch["r"], batch["r"] + gamma * value(batch["s"]))\n',
]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        *(("GYM201", text) for text in MASKS),
        *(("GYM202", text) for text in BRANCHES),
        *(("GYM203", program(text)) for text in STORES),
    ],
)
def test_a_fixed_target_keeps_the_value_behind_a_truncation_and_no_other(code: str, text: str) -> None:
    assert code in {finding.code for finding in findings_in(text, CODES)}
    result = fixed(text, CODES)

    assert computed(text) == pytest.approx(CUT, abs=1e-12)
    assert computed(result) == pytest.approx(RIGHT, abs=1e-12), result
    assert not findings_in(result, CODES)


# --- a recursion over time -------------------------------------------------------------------------


def test_the_advantages_of_the_toy_are_those_worked_out_by_hand() -> None:
    """Deltas are 1 + 0.9 V' - V; row 2 is the last of its episode: 1.2, then 1.3 + 0.72 * 1.2, 1.4 + 0.72 * 2.164."""
    assert TOY.reference() == pytest.approx([2.95808, 2.164, 1.2, 3.6296, 2.68, 1.5], abs=1e-12)


@pytest.mark.parametrize("rollout", [TOY, long_rollout()], ids=["toy", "long"])
def test_two_masks_equal_the_reference_episode_by_episode(rollout: Rollout) -> None:
    two_masks = rollout.advantages("terminated", "done", final=True)
    assert np.abs(two_masks - rollout.reference()).max() < 1e-9


@pytest.mark.parametrize("rollout", [TOY, long_rollout()], ids=["toy", "long"])
def test_a_bootstrap_in_the_reward_equals_two_masks(rollout: Rollout) -> None:
    """`rewards += gamma * value(final_obs)` at truncations, and `done` in both places."""
    only_truncated = rollout.truncated & ~rollout.terminated
    patched = Rollout(
        rollout.rewards + GAMMA * rollout.next_values * only_truncated,
        rollout.values,
        rollout.next_values,
        rollout.terminated,
        rollout.truncated,
    )
    assert np.abs(patched.advantages("done", "done", final=True) - rollout.reference()).max() < 1e-9


@pytest.mark.parametrize("final", [False, True])
@pytest.mark.parametrize("rollout", [TOY, long_rollout()], ids=["toy", "long"])
def test_a_plain_rename_lets_the_next_episode_leak_in(rollout: Rollout, final: bool) -> None:
    renamed = rollout.advantages("terminated", "terminated", final=final)
    assert np.abs(renamed - rollout.reference()).max() > 0.5


@pytest.mark.parametrize("rollout", [TOY, long_rollout()], ids=["toy", "long"])
def test_one_mask_of_done_drops_the_value_behind_a_truncation(rollout: Rollout) -> None:
    assert np.abs(rollout.advantages("done", "done", final=True) - rollout.reference()).max() > 0.5


@pytest.mark.parametrize(
    ("bootstrap", "carry", "final", "advantages"),
    [
        ("terminated", "done", True, [2.958, 2.164, 1.200]),
        ("done", "done", True, [-0.774, -3.020, -6.000]),
        ("terminated", "terminated", False, [1.514, 0.158, -1.587]),
        ("terminated", "terminated", True, [4.313, 4.046, 3.813]),
        ("terminated", "done", False, [0.159, -1.724, -4.200]),
    ],
    ids=["right", "done twice", "renamed", "renamed, with the final value", "two masks, without it"],
)
def test_the_toy_separates_the_forms(bootstrap: str, carry: str, final: bool, advantages: list[float]) -> None:
    """The first episode's advantages, to the three digits that the documentation gives."""
    assert TOY.advantages(bootstrap, carry, final=final)[:3] == pytest.approx(advantages, abs=6e-4)

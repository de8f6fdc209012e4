"""A next state of `None` at the end of an episode cuts the target like a flag."""

from __future__ import annotations

import pytest
from model_programs import STEP, assert_sinks, sink

CHOICES = [
    "later = None if over else obs{}",
    "later = obs if not over else None{}",
    "if over:{}\n            later = None\n        else:\n            later = torch.tensor(obs)",
    "if not over:{}\n            later = obs\n        else:\n            later = None",
    "later = None\n        if not over:{}\n            later = obs",
    "later = obs\n        if over:{}\n            later = None",
]

ABSENCES = [
    "there = torch.tensor([later is not None for later in batch.later])\n"
    "        future = torch.zeros(9)\n        future[there] = net(batch.later)",
    "there = torch.tensor(tuple(map(lambda s: s is not None, batch.later)), dtype=torch.bool)\n"
    "        future = torch.zeros(9)\n"
    "        future[there] = net(torch.cat([s for s in batch.later if s is not None])).max(1).values",
    "future = torch.zeros(9, 1).to(device).unsqueeze(1)\n"
    "        future[torch.tensor([s is not None for s in batch.later])] = net(batch.later)",
    "future = torch.where(torch.tensor([s is None for s in batch.later]), 0.0, net(batch.later))",
    "future = np.array([0.0 if s is None else net(s) for s in batch.later])",
    "future = net(batch.later) * np.array([s != None for s in batch.later])",
]


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("absence", ABSENCES)
def test_a_next_state_of_none_is_wrong_where_the_choice_is_made(choice: str, absence: str) -> None:
    """PyTorch's DQN tutorial masks by `next_state is not None`."""
    program = f"""
        import gymnasium as gym
        import numpy as np
        import torch
        from collections import namedtuple
        Transition = namedtuple("Transition", ("later", "reward"))
        memory = []
        env = gym.make("CartPole-v1")
        obs, reward, terminated, truncated, info = env.step(0)
        over = terminated or truncated
        {choice}
        memory.append(Transition(later, reward))
        batch = Transition(*zip(*memory))
        {absence}
        y = batch.reward + 0.99 * future
    """
    assert_sinks(program.format("  # sink: branch"))
    assert_sinks(program.format("").replace("terminated or truncated\n", "terminated\n"))


def test_a_none_that_is_passed_on_is_reported_where_it_is_chosen() -> None:
    assert_sinks(f"""{STEP}
later = None if done else next_obs  # sink: branch
for _ in range(3):
    later = None if later is None else later
y = reward if later is None else reward + 0.99 * value(later)
""")


def test_a_next_state_of_none_shows_where_the_target_is_cut() -> None:
    program = f"""{STEP}
later = None if done else next_obs
rows = [(reward, later)]
for reward, later in rows:
    if later is None:
        y = reward
    else:
        y = reward + 0.99 * value(later)
"""
    found = sink(program, "branch")
    assert [place.message for place in found.path] == [
        "`terminated` comes from this step",
        "termination and truncation are combined here",
        "the one-step target is cut here",
    ]
    assert program.splitlines()[found.path[-1].span.row - 1].strip() == "if later is None:"


@pytest.mark.parametrize(
    ("use", "hindrance"),
    [
        ("print(later)", ""),
        ("while later is not None:\n    obs = later", "what is None here also decides where an episode ends"),
        ("if later is None:\n    obs, info = env.reset()", "what is None here also decides where an episode ends"),
        ("ends = np.cumsum([later is None for _, later in rows])", "what is None here also tells where in the store"),
    ],
)
def test_what_else_a_none_decides_keeps_it(use: str, hindrance: str) -> None:
    program = f"""{STEP}
later = None if done else next_obs
rows = [(reward, later)]
{use}
for reward, later in rows:
    y = reward if later is None else reward + 0.99 * value(later)
"""
    found = sink(program, "branch").hindrance
    assert found.startswith(hindrance)
    assert bool(found) == bool(hindrance)


@pytest.mark.parametrize(
    ("use", "doubt"),
    [
        ("there = sum(row is not None for row in rows)", ""),
        ("state = net(later) if later is not None else 0", "decides something else"),
        ("batch = torch.stack([late for _, late in rows if late is not None])", ""),
        ("episodes += later is None", "is read for something else"),
        ("later is None and finish()", "decides something else"),
        ("print(sum(late is None for _, late in rows))", "is handed to `print`"),
        ("episodes = len([late for _, late in rows if late is not None])", "decides something else"),
        ("if later is not None:\n    print(reward)", "decides something else"),
        ("match later:\n    case None:\n        finish()", "is read for something else"),
        ("over = not isinstance(later, torch.Tensor)", "is handed to `isinstance`"),
        ("over = not later", "is read for something else"),
        ("state = later or obs", "is read for something else"),
        ("net.keep(later)", "is handed to `keep`"),
        ("print(later)", "is handed to `print`"),
    ],
)
def test_what_else_reads_a_none_makes_a_fix_unsafe(use: str, doubt: str) -> None:
    program = f"""import torch
from somewhere import finish, net
{STEP}
later = None if done else next_obs
rows = [(reward, later)]
{use}
for reward, later in rows:
    y = reward if later is None else reward + 0.99 * net(later)
"""
    found = sink(program, "branch").doubt
    assert doubt in found
    assert bool(found) == bool(doubt)


@pytest.mark.parametrize(
    "rows",
    [
        "later = None if done else next_obs\nif later is None:\n    later, info = env.reset()",
        "later = None\nif later is not None:\n    y = reward + 0.99 * value(later)",
        "later = None if reward > 0 else next_obs\ny = reward + (0.99 * value(later) if later is not None else 0)",
    ],
)
def test_a_none_that_cuts_no_target(rows: str) -> None:
    assert_sinks(f"{STEP}{rows}\n")

"""Which masks cut the recursion of GAE or of returns wrongly, wherever the loop carries the value."""

from __future__ import annotations

import pytest
from model_programs import ROLLOUT, assert_sinks, sink, sinks


def test_gae_with_one_mask_is_a_recursion() -> None:
    assert_sinks(f"""{ROLLOUT}
gae = 0
for t in reversed(range(128)):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - dones[t]) - values[t]  # sink: recursion
    gae = delta + 0.99 * 0.95 * (1 - dones[t]) * gae
""")


def test_gae_with_a_mask_of_its_own_name_is_reported_at_the_mask() -> None:
    assert_sinks(f"""{ROLLOUT}
gae, gamma, lam = 0, 0.99, 0.95
for t in reversed(range(128)):
    mask = 1.0 - dones[t]  # sink: recursion
    delta = rewards[t] + gamma * values[t + 1] * mask - values[t]
    gae = delta + gamma * lam * mask * gae
""")


def test_gae_over_arrays_is_a_recursion() -> None:
    assert_sinks(f"""{ROLLOUT}
rewards, values, dones = np.array(rewards), np.array(values), np.array(dones)
advantages = np.zeros(128)
for t in reversed(range(128)):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - dones[t]) - values[t]  # sink: recursion
    advantages[t] = delta + 0.99 * 0.95 * (1 - dones[t]) * advantages[t + 1]
""")


def test_gae_with_two_masks_is_right() -> None:
    assert_sinks(f"""{ROLLOUT}
gae = 0
for t in reversed(range(128)):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - ends[t]) - values[t]
    gae = delta + 0.99 * 0.95 * (1 - dones[t]) * gae
""")


def test_a_chained_assignment_carries_too() -> None:
    assert_sinks(f"""{ROLLOUT}
advantages = np.zeros(128)
last = 0
for t in reversed(range(128)):
    next_nonterminal = 1.0 - dones[t]  # sink: recursion
    delta = rewards[t] + 0.99 * values[t + 1] * next_nonterminal - values[t]
    advantages[t] = last = delta + 0.99 * 0.95 * next_nonterminal * last
""")


def test_returns_cut_at_done_start_at_zero() -> None:
    assert_sinks(f"""{ROLLOUT}
total, returns = 0, []
for t in reversed(range(128)):
    total = rewards[t] + 0.99 * total * (1 - dones[t])  # sink: recursion
    returns.insert(0, total)
""")


@pytest.mark.parametrize(
    ("start", "form"),
    [("0", "Monte-Carlo returns"), ("torch.zeros(4)", "Monte-Carlo returns"), ("value(obs)", "returns")],
)
@pytest.mark.parametrize(
    "carry",
    [
        "    total = rewards[t] + 0.99 * total * (1 - dones[t])",
        "    if dones[t]:\n        total = 0\n    total = rewards[t] + 0.99 * total",
    ],
)
def test_returns_that_begin_with_zero_have_a_form_of_their_own(start: str, form: str, carry: str) -> None:
    program = f"{ROLLOUT}\nimport torch\ntotal = {start}\nfor t in reversed(range(128)):\n{carry}\n"
    assert sink(program, "recursion").form == form


@pytest.mark.parametrize("array", ["np.zeros(128)", "torch.zeros_like(rewards).to(device)", "make()"])
def test_returns_of_which_the_last_is_made_in_a_branch_of_its_own(array: str) -> None:
    assert_sinks(f"""{ROLLOUT}
returns = {array}
for t in reversed(range(128)):
    if t == 127:
        mask = 1.0 - done
        returns[t] = rewards[t] + 0.99 * value(obs) * mask
    else:
        mask = 1.0 - dones[t + 1]  # sink: recursion
        returns[t] = rewards[t] + 0.99 * (0.5 * returns[t + 1] + 0.5 * values[t + 1]) * mask
""")


def test_the_last_of_returns_whose_recursion_is_right() -> None:
    assert_sinks(f"""{ROLLOUT}
returns = np.zeros(128)
for t in reversed(range(128)):
    if t == 127:
        mask = 1.0 - done  # sink: recursion
        returns[t] = rewards[t] + 0.99 * value(obs) * mask
    else:
        mask = 1.0 - ends[t + 1]
        returns[t] = rewards[t] + 0.99 * (0.5 * returns[t + 1] + 0.5 * values[t + 1]) * mask
""")


def test_returns_that_a_branch_sets_to_zero() -> None:
    assert_sinks(f"""{ROLLOUT}
total, returns = 0, []
for reward, done in zip(reversed(rewards), reversed(dones)):
    if done:  # sink: recursion
        total = 0
    total = reward + 0.99 * total
    returns.insert(0, total)
""")


def test_returns_carried_in_the_list_that_grows() -> None:
    assert_sinks(f"""{ROLLOUT}
returns = [value(obs)]
for t in reversed(range(128)):
    returns.insert(0, rewards[t] + 0.99 * returns[0] * (1 - dones[t]))  # sink: recursion
""")


def test_gae_whose_carry_is_read_back_from_the_list_that_grows() -> None:
    assert_sinks(f"""{ROLLOUT}
out, last = [], 0.0
for t in reversed(range(128)):
    mask = 1.0 - dones[t]  # sink: recursion
    delta = rewards[t] + 0.99 * values[t + 1] * mask - values[t]
    out.append(delta + 0.99 * 0.95 * mask * last)
    last = out[-1]
""")


def test_the_last_of_another_list_is_no_carry() -> None:
    found = sinks(f"""{ROLLOUT}
out, others, last = [], [1.0], 0.0
for t in reversed(range(128)):
    out.append(rewards[t] + 0.99 * (1.0 - dones[t]) * values[t + 1] * last)
    last = others[-1]
""")
    assert {kind for _, _, kind in found} == {"mask", "store"}


def test_returns_carried_at_a_shifted_index() -> None:
    assert_sinks(f"""{ROLLOUT}
returns = np.zeros(129)
for t in reversed(range(128)):
    returns[t] = rewards[t] + 0.99 * returns[t + 1] * (1 - dones[t])  # sink: recursion
""")


@pytest.mark.parametrize("decay", ["lamda", "self.l", "args.advantage.decay", "c", "0.95"])
@pytest.mark.parametrize(
    "carry",
    [
        "    gae = delta + gamma * {} * gae * (1.0 - done)",
        "    gae = delta + (1.0 - done) * {} * gamma * gae",
        "    if done:\n        gae = 0.0\n    gae = delta + gamma * {} * gae",
        "    gae = 0.0 if done else gae\n    gae = delta + gamma * {} * gae",
    ],
)
def test_a_carry_with_a_decay_beside_its_discount_is_no_return_whatever_it_is_called(carry: str, decay: str) -> None:
    assert_sinks(f"""{ROLLOUT}
v, v_next, ends = np.array(values)[:-1], np.array(values)[1:], np.array(ends)
gae, gamma, lamda, c = 0.0, 0.99, *decays
deltas = np.array(rewards) + gamma * (1.0 - ends) * v_next - v
for delta, done in zip(reversed(deltas.flatten()), reversed(dones)):
{carry.format(decay)}
""")


@pytest.mark.parametrize(
    "rows",
    [
        "for done in reversed(dones):\n    mask = 1.0 - done  # sink: recursion\n    total = 1 + gamma * mask * total",
        "masks = [1.0 - done for done in dones]  # sink: recursion\n"
        "for mask in reversed(masks):\n    total = 1 + gamma * mask * total",
    ],
)
def test_a_mask_that_the_loop_changes_is_no_decay(rows: str) -> None:
    assert_sinks(f"{ROLLOUT}\ntotal, gamma = 0.0, 0.99\n{rows}\n")


def test_returns_without_a_mask_are_right() -> None:
    assert_sinks(f"""{ROLLOUT}
total = 0
for reward in reversed(rewards):
    total = reward + 0.99 * total
""")


@pytest.mark.parametrize(
    "ended", ["gae = rewards[t]", "gae = rewards[t] - values[t]", "delta = rewards[t]\n        gae = delta"]
)
def test_a_branch_around_the_delta_and_the_carry_is_the_only_mask_of_gae(ended: str) -> None:
    assert_sinks(f"""{ROLLOUT}
gae = 0
for t in reversed(range(128)):
    if dones[t]:  # sink: recursion
        {ended}
    else:
        delta = rewards[t] + 0.99 * values[t + 1] - values[t]
        gae = delta + 0.99 * 0.95 * gae
""")


def test_a_branch_around_the_delta_alone_belongs_to_the_recursion() -> None:
    assert_sinks(f"""{ROLLOUT}
gae = 0
for t in reversed(range(128)):
    if dones[t]:  # sink: recursion
        delta = rewards[t] - values[t]
    else:
        delta = rewards[t] + 0.99 * values[t + 1] - values[t]
    gae = delta + 0.99 * 0.95 * gae
""")


def test_an_attribute_carries_too() -> None:
    assert_sinks(f"""{ROLLOUT}
class Advantages:
    def run(self):
        self.gae = 0
        for t in reversed(range(128)):
            if dones[t]:  # sink: recursion
                self.gae = rewards[t]
            else:
                delta = rewards[t] + 0.99 * values[t + 1] - values[t]
                self.gae = delta + 0.99 * 0.95 * self.gae
Advantages().run()
""")

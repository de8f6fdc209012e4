"""A stored `done` that cuts a target later: the store is reported, and what keeps it from being replaced."""

from __future__ import annotations

import pytest
from model_programs import MEMORY, STEP, TARGET, facts, sink, sinks


def test_a_stored_done_that_cuts_a_target_is_reported_at_the_store_and_at_the_mask() -> None:
    found = sinks(MEMORY.format("done", TARGET))
    assert {(row, kind) for _, row, kind in found} == {(10, "store"), (14, "mask")}


def test_a_stored_terminated_is_right() -> None:
    assert not sinks(MEMORY.format("terminated", TARGET))


def test_a_store_that_no_target_reads_is_right() -> None:
    assert not sinks(MEMORY.format("done", "print(d)"))


def test_a_store_knows_the_terminated_in_scope_and_the_flag_it_replaces() -> None:
    found = sink(MEMORY.format("done", TARGET), "store")
    assert found.terminated == "terminated"
    assert found.flag_span is not None
    assert (found.flag_span.row, found.flag_span.column, found.flag_span.end_column) == (10, 42, 46)
    assert found.hindrance == ""


def test_a_store_of_a_cast_replaces_the_flag_only() -> None:
    found = sink(MEMORY.format("float(done)", TARGET), "store")
    assert found.flag_span is not None
    assert found.flag_span[1:] == (48, 10, 52)


def test_a_store_of_a_union_replaces_all_of_it() -> None:
    found = sink(MEMORY.format("terminated or truncated", TARGET), "store")
    assert found.flag_span is not None
    assert found.flag_span[1:] == (42, 10, 65)


def test_a_name_that_was_assigned_since_is_no_terminated_in_scope() -> None:
    program = MEMORY.format("done", TARGET).replace("    memory", "    terminated = False\n    memory")
    assert sink(program, "store").terminated == ""


def test_a_four_value_step_has_no_terminated_in_scope() -> None:
    program = MEMORY.format("done", TARGET).replace("terminated, truncated, info", "done, info")
    program = program.replace("    done = terminated or truncated\n", "")
    assert sink(program, "store").terminated == ""


def test_a_stored_flag_that_also_ends_episodes_prevents_the_fix() -> None:
    found = sink(MEMORY.format("done", f"{TARGET}\n        if d:\n            break"), "store")
    assert found.hindrance == "the stored flag also decides where an episode ends"


@pytest.mark.parametrize(
    ("work", "hindrance"),
    [
        ("self.rate *= 0.9", "the stored flag also decides what is done once an episode"),
        ("self.rate -= 0.1", "the stored flag also decides what is done once an episode"),
        ("self.rate = self.rate * 0.9", "the stored flag also decides what is done once an episode"),
        ("last = reward", ""),
    ],
)
def test_a_branch_that_changes_what_is_kept_once_an_episode_prevents_the_fix(work: str, hindrance: str) -> None:
    agent = f"""import numpy as np
class Agent:
    def step(self, state, action, reward, later, done):
        if not done:
            self.q[state][action] += 0.1 * (reward + 0.9 * np.max(self.q[later]) - self.q[state][action])
        else:
            self.q[state][action] += 0.1 * (reward - self.q[state][action])
            {work}
"""
    main = """import gymnasium as gym
from agent import Agent
env, agent = gym.make("FrozenLake-v1"), Agent()
state, info = env.reset()
while True:
    later, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    agent.step(state, 0, reward, later, done)
    state = later
    if done:
        break
"""
    assert sink({"agent.py": agent, "main.py": main}, "store").hindrance == hindrance


def test_a_stored_flag_that_also_cuts_a_recursion_prevents_the_fix() -> None:
    program = MEMORY.format("done", TARGET) + (
        "total = 0\nfor o, r, o2, d in reversed(memory):\n    total = r + 0.99 * total * (1 - d)\n"
    )
    assert sink(program, "store").hindrance == "the stored flag also cuts a recursion over time"


def test_a_recursion_over_arrays_of_stored_flags_prevents_the_fix() -> None:
    """What the recursion multiplies with holds the flag in a list of lists: one value a row, turned round."""
    program = f"""{STEP}
class Agent:
    def __init__(self):
        self.data = []
    def put(self, row):
        self.data.append(row)
    def batch(self):
        rewards, ends = [], []
        for reward, done in self.data:
            rewards.append([reward])
            ends.append([0 if done else 1])
        return torch.tensor(rewards), torch.tensor(ends)
    def train(self):
        rewards, masks = self.batch()
        turned = torch.flip(masks, dims=(0,))
        delta = rewards + 0.99 * self.v * masks - self.v
        advantage = 0.0
        for row, mask in zip(delta, turned):
            advantage = 0.99 * 0.95 * advantage * mask + row[0]

agent = Agent()
agent.put((reward, done))
agent.train()
"""
    assert sink(program, "store").hindrance == "the stored flag also cuts a recursion over time"


def test_a_mask_behind_a_store_goes_away_with_it() -> None:
    found = sink(MEMORY.format("done", TARGET), "mask")
    assert "stored" in found.hindrance


@pytest.mark.parametrize(
    ("rest", "use"),
    [
        ("\n        if d:\n            break", "decides where an episode ends"),
        (
            "\ntotal = 0\nfor o, r, o2, d in reversed(memory):\n    total = r + 0.99 * total * (1 - d)",
            "cuts a recursion over time",
        ),
    ],
)
def test_a_mask_of_a_stored_flag_with_another_use_asks_for_two_flags(rest: str, use: str) -> None:
    other = f"the stored flag also {use}"
    program = MEMORY.format("done", f"{TARGET}{rest}")
    assert sink(program, "store").hindrance == other
    once = "goes away once `terminated` is stored, too, and cuts this"
    assert sink(program, "mask").hindrance == f"{once}: {other}"


def test_a_mask_of_a_stored_flag_with_ends_of_the_program_asks_for_truncations_to_be_left_out() -> None:
    own = "    if lost(next_obs):\n        done = True\n    memory"
    program = MEMORY.format("done", TARGET).replace("    memory", own)
    assert "ends episodes by itself" in sink(program, "store").hindrance
    assert sink(program, "mask").hindrance == "goes away once truncations are left out of what is stored"


def test_a_mask_in_reach_of_terminated_can_be_fixed_in_place() -> None:
    found = sink(f"{STEP}y = reward + 0.99 * (1 - done) * value(next_obs)\n", "mask")
    assert found.terminated == "terminated"
    assert found.flag_span is not None
    assert found.flag_span.end_column - found.flag_span.column == len("done")
    assert found.hindrance == ""


FRAMES = f"""{STEP}
class Buffer:
    def __init__(self):
        self.dones = np.zeros(100)
        self.frames = np.zeros((100, 84))
    def push(self, frame, done):
        self.frames[0] = frame
        self.dones[0] = float(done)
    def stack(self, places):
        older = self.dones[places[:, :-1]].astype(bool)
        return self.frames[places] * (BORDER)
    def sample(self, places):
        return self.stack(places), self.dones[places]

buffer = Buffer()
buffer.push(next_obs, done)
frames, dones = buffer.sample(places)
y = reward + 0.99 * (1 - dones) * value(frames)
"""


@pytest.mark.parametrize(
    "border",
    [
        "np.cumsum(older, axis=1) > 0",
        "older.cumsum(1)",
        "older.cumprod(1)",
        "np.where(older)[0]",
        "older.nonzero()",
        "np.flatnonzero(older)",
        "np.argwhere(older)",
        "older.argmax(1)",
        "np.diff(older)",
        "np.searchsorted(older, 1)",
    ],
)
def test_a_stored_flag_whose_place_is_asked_for_prevents_the_fix(border: str) -> None:
    """Frames in front of an episode's first are blacked out: the flag is a border in the store as well."""
    found = sink(FRAMES.replace("BORDER", border), "store")
    assert found.hindrance == "the stored flag also tells where in the store episodes end"


def test_a_stored_flag_whose_place_is_not_asked_for_can_be_replaced() -> None:
    assert sink(FRAMES.replace("BORDER", "1"), "store").hindrance == ""


def test_a_store_that_a_function_of_many_callers_takes_as_well_has_a_hindrance() -> None:
    """The function holds more stores than the model follows, so that its recursion is not seen for each of them."""
    stores = range(12)
    begin = "\n".join(f"dones_{i} = []" for i in stores)
    add = "\n".join(f"    dones_{i}.append(done)" for i in stores)
    use = "\n".join(f"target = 1 + 0.99 * q(1) * (1 - np.array(dones_{i}))\ndiscount(dones_{i})" for i in stores)
    program = f"""import gymnasium as gym
import numpy as np

def discount(dones):
    total = 0
    for t in reversed(range(8)):
        total = 1 + 0.99 * total * (1 - dones[t])
    return total

env = gym.make("CartPole-v1")
obs, _ = env.reset()
{begin}
for _ in range(8):
    obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
{add}
{use}
"""
    hindrances = [found.hindrance for found in facts(program).sinks.values() if found.kind == "store"]
    assert len(hindrances) == len(stores)
    assert set(hindrances) == {
        "the stored flag also cuts a recursion over time",
        "the stored flag also goes where more stores meet than can be told apart",
    }


@pytest.mark.parametrize(
    ("ends", "wrong"),
    [
        ("self.dones[at] * (1 - self.cuts[at])", False),
        ("np.logical_and(self.dones[at], np.logical_not(self.cuts[at]))", False),
        ("self.dones[at] & ~self.cuts[at]", False),
        ("self.dones[at]", True),
    ],
)
def test_a_factor_that_is_there_for_truncation_takes_it_out(ends: str, wrong: bool) -> None:
    """Also where the same store holds more for a while: of n steps the last valid one counts as cut off."""
    found = sinks(f"""{STEP}
class Buffer:
    def __init__(self):
        self.dones, self.cuts = np.zeros(9), np.zeros(9)
    def add(self, at, done, cut):
        self.dones[at] = done
        self.cuts[at] = cut
    def sample(self, at):
        before = self.cuts[at].copy()
        self.cuts[at] = np.logical_or(before, np.logical_not(self.dones[at]))
        ends = {ends}
        self.cuts[at] = before
        return ends
buffer = Buffer()
buffer.add(0, done, truncated)
target = reward + 0.99 * (1 - buffer.sample(0)) * value(next_obs)
""")
    assert bool(found) == wrong


#: An object that keeps `done` in an attribute, and hands it over to what cuts a target; a test fills in `reset`.
STATES = """\
import gymnasium as gym


class State:
    def __init__(self, obs, terminal):
        self.obs, self.terminal = obs, terminal


class Game:
    def __init__(self):
        self.env = gym.make("CartPole-v1")
        self.terminal = False

    def step(self, action):
        obs, reward, terminated, truncated, _ = self.env.step(action)
        self.terminal = terminated or truncated
        return State(obs, self.terminal), reward

    def reset(self):
        self.terminal = False
        {}
        return State(self.env.reset()[0], self.terminal)
"""
PLAY = """\
from game import Game

game = Game()
state = game.reset()
for _ in range(100):
    state, reward = game.step(0)
    target = reward if state.terminal else reward + 0.99 * value(state.obs)
"""


@pytest.mark.parametrize("row", ["pass", "self.steps = 0", "self.env.close()", "if self.slow:\n            pass"])
def test_an_attribute_that_was_just_set_to_a_constant_is_no_stored_done(row: str) -> None:
    assert _stored_in_game(row) == {17}


@pytest.mark.parametrize(
    "row",
    [
        "self.step(0)",
        "super().step(0)",
        "warm_up(self)",
        "warm_up(game=self)",
        "setattr(self, 'terminal', flag)",
        "other.terminal = self.terminal = flag()",
        "for _ in range(3):\n            self.step(0)",
        "if self.slow:\n            self.step(0)",
        "while self.step(0)[1]:\n            State(None, self.terminal)",
    ],
)
def test_what_may_set_the_attribute_since_makes_it_unknown(row: str) -> None:
    assert _stored_in_game(row) >= {17, 22 + row.count("\n")}


def _stored_in_game(row: str) -> set[int]:
    found = sinks({"game.py": STATES.format(row), "main.py": PLAY})
    return {at for path, at, kind in found if path == "game.py" and kind == "store"}


#: A second reader of rows that are kept for one-step targets; a test fills in what it does.
ROWS = """\
import itertools
import operator
import random
import gymnasium as gym
import numpy as np
rows = []
def learn():
    s, a, r, later, done = zip(*random.sample(rows, 16))
    return np.array(r) + 0.99 * np.array(later).max(1) * (1 - np.array(done))
env = gym.make("CartPole-v1")
state, info = env.reset()
for t in range(100):
    later, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    rows.append((state, 0, reward, later, done))
    state = later
    if done:
        state, info = env.reset()
learn()
"""


@pytest.mark.parametrize(
    ("use", "doubt"),
    [
        ("print(len(rows))", ""),
        ("print([row[2] for row in rows])", ""),
        ("print(sum(map(operator.itemgetter(2), [(1, 2, 3)])))", ""),
        ("np.savez('rows.npz', rewards=[row[2] for row in rows])", ""),
        ("print(max(i for i, row in enumerate(rows) if row[2]))", ""),
        ("while not rows:\n    pass", ""),
        ("print(len(rows[0]) if rows else 0)", ""),
        ("print(0 if bool(rows) else 1)", ""),
        ("print(0 if rows[-1][4] else 1)", "handed to `print`"),
        ("print(len(list(filter(lambda row: row[-1], rows))))", "handed to `filter`"),
        ("print(list(itertools.takewhile(lambda row: not row[4], rows)))", "handed to `takewhile`"),
        ("print(sum(map(operator.itemgetter(4), rows)))", "handed to `map`"),
        ("print(sorted(rows, key=lambda row: row[4])[0][2])", "handed to `sorted`"),
        ("print(rows)", "handed to `print`"),
        ("for *_, last in rows:\n    print(last)", "a star takes apart"),
        ("np.savez('rows.npz', dones=[row[4] for row in rows])", "handed to `savez`"),
        ("print([row[4] for row in rows].index(True))", "asked for its `index`"),
        ("print(max(i for i, row in enumerate(rows) if row[4]))", "decides something else"),
        ("print(['x' if row[4] else '.' for row in rows])", "decides something else"),
        ("table = np.array([(row[2], row[4]) for row in rows])\nprint(table[:, 1].sum())", "handed to `print`"),
    ],
)
def test_what_else_reads_the_rows_has_to_be_known(use: str, doubt: str) -> None:
    found = sink({"main.py": f"{ROWS}{use}\n"}, "store")
    assert found.hindrance == ""
    assert doubt in found.doubt
    assert bool(doubt) == bool(found.doubt)


#: An agent that keeps what it is handed; a test fills in what it does with the flag, and who asks it later.
AGENT = """\
import pickle
import random
import gymnasium as gym
import numpy as np
class Agent:
    def __init__(self):
        self.rows, self.episodes, self.hidden, self.last = [], 0, 1.0, False
    def finish(self):
        self.episodes += 1
    def log(self, **values):
        self.episodes += values["done"]
    def note(self, done):
        pass
    def update(self, s, a, r, s2, done):
        self.rows.append((s, a, r, s2, done))
        BODY
    def target(self):
        s, a, r, s2, done = zip(*random.sample(self.rows, 16))
        return np.array(r) + 0.99 * np.array(s2).max(1) * (1 - np.array(done, dtype=np.float32))
agent, env = Agent(), gym.make("CartPole-v1")
s, _ = env.reset()
for t in range(60):
    s2, r, terminated, truncated, _ = env.step(0)
    done = terminated or truncated
    agent.update(s, 0, r, s2, done)
    s = s2
    if done:
        s, _ = env.reset()
agent.target()
"""


@pytest.mark.parametrize(
    ("body", "rest", "doubt"),
    [
        ("pass", "", ""),
        ("self.note(done)", "", ""),
        ("self.last = float(done)", "", ""),
        ("assert isinstance(done, bool)", "", ""),
        ("self.extra = np.array([done]).astype(bool).reshape(1, 1)", "print(agent.extra.shape)", ""),
        ("self.q = r if done == 1 else r + 0.99 * self.v(s2)", "", ""),
        ("if done:\n            y = r\n        else:\n            y = r + 0.99 * self.v(s2)", "", ""),
        ("self.mask = 0.0 if done else 1.0", "", ""),
        ("self.mask = 0.0 if done else 1.0", "print(agent.mask)", "handed to `print`"),
        ("q = self.v(s2)\n        q[done] = 0\n        y = r + 0.99 * q", "", ""),
        ("y = r + 0.99 * self.v(s2).masked_fill(done, 0)", "", ""),
        ("self.episodes += done", "", "read for something else (main.py:16)"),
        ("self.episodes += int(done)", "", "read for something else"),
        ("self.hidden = self.hidden * (1 - done) + 1", "", "read for something else"),
        ("self.hidden = (self.hidden + 1) * (not done)", "", "read for something else"),
        ("self.hidden = self.hidden ** done", "", "read for something else"),
        ("self.hidden = done / 2", "", "read for something else"),
        ("self.hidden = 0 < done < 2", "", "read for something else"),
        ("self.text = f'{done}'", "", "read for something else"),
        ("self.text = '%s' % done", "", "read for something else"),
        ("match done:\n            case True:\n                self.finish()", "", "read for something else"),
        ("self.episodes += self.rows[-1][4]", "", "read for something else"),
        ("self.log(done=done)", "", "read for something else"),
        ("done and self.finish()", "", "decides something else"),
        ("self.finish() if done else None", "", "decides something else"),
        ("self.episodes = self.episodes + 1 if done else self.episodes", "", "decides something else"),
        ("[None, self.finish][bool(done)]()", "", "decides something else"),
        ("self.hidden = {True: 0.0, False: 1.0}[done]", "", "decides something else"),
        ("self.hidden = {done: 1.0}", "", "read for something else"),
        ("self.finish() if done == 1 else None", "", "decides something else"),
        ("self.hidden = self.hidden.masked_fill(done, 0)", "", "decides something else"),
        ("self.hidden[np.array([done])] = 0", "", "decides something else"),
        ("self.hidden[done == 1] = 0", "", "decides something else"),
        ("self.extra = [done]\n        self.hidden = max(self.extra)", "", "handed to `max`"),
        ("self.extra.extend([done])", "", "handed to `extend`"),
        ("self.rows.extend([(s, a, r, s2, done)])", "", ""),
        ("assert not done", "", "decides something else"),
        ("print(done)", "", "handed to `print`"),
        ("self.logger.add(done)", "", "handed to `add`"),
        ("self.__dict__['last'] = done", "", "asked for its `__dict__`"),
        ("self.board['last'] = done", "", "put into what is not followed"),
        ("setattr(self, 'last', done)", "print(getattr(agent, 'last'))", "handed to `print`"),
        ("self.last = done", "print(agent.last)", "handed to `print`"),
        ("self.last = done", "print(vars(agent)['last'])", "handed to `vars`"),
        ("self.last = done", "print(agent.__dict__['last'])", "asked for its `__dict__`"),
        ("self.last = done", "print(getattr(agent, NAME))", "handed to `getattr`"),
        ("self.last = done", "pickle.dump(agent, open('agent', 'wb'))", "handed to `dump`"),
        ("self.extra = [done for *_, done in self.rows]", "", "a star takes apart"),
    ],
)
def test_what_else_is_done_with_a_flag_that_is_handed_over_has_to_be_known(body: str, rest: str, doubt: str) -> None:
    found = sink({"main.py": f"{AGENT.replace('BODY', body)}{rest}\n"}, "store")
    assert found.hindrance == ""
    assert doubt in found.doubt
    assert bool(doubt) == bool(found.doubt)


def test_a_program_that_does_not_run_with_the_flag_says_nothing_of_it() -> None:
    """The check of a buffer that fills one of its own."""
    buffer = """class Buffer:
    def __init__(self):
        self.rows = []
    def add(self, reward, done):
        self.rows.append((reward, done))
"""
    check = """from buffer import Buffer
buffer = Buffer()
buffer.add(1.0, True)
print(buffer.rows[0][1])
"""
    main = f"""{STEP}
from buffer import Buffer
buffer = Buffer()
buffer.add(reward, done)
for r, d in buffer.rows:
    y = r + 0.99 * (1 - d) * value(next_obs)
"""
    files = {"buffer.py": buffer, "main.py": main}
    assert sink({**files, "check.py": check}, "store").doubt == ""
    assert sink({**files, "check.py": check + "import main\n"}, "store").doubt
    assert sink({**files, "test_check.py": check + "import main\n"}, "store").doubt == ""
    making = "import gymnasium as gym\nimport main\nenv = gym.make('CartPole-v1')\n"
    assert sink({**files, "test_check.py": check + making}, "store").doubt


NAMED = """import random
from collections import namedtuple
import gymnasium as gym
import numpy as np
Row = namedtuple("Row", "state reward later {name}")
rows = []
def keep(state, reward, later, {name}):
    rows.append(Row(state, reward, later, {name}))
def learn():
    batch = Row(*zip(*random.sample(rows, 16)))
    return np.array(batch.reward) + 0.99 * np.array(batch.later).max(1) * (1 - np.array(batch.{name}))
env = gym.make("CartPole-v1")
state, info = env.reset()
for t in range(100):
    later, reward, terminated, truncated, info = env.step(0)
    truncated_or_not = terminated or truncated
    keep(state, reward, later, truncated_or_not)
    state = later
    if truncated_or_not:
        state, info = env.reset()
learn()
"""


@pytest.mark.parametrize(
    ("name", "doubt"),
    [
        ("done", ""),
        ("end", ""),
        (
            "done_or_truncated",
            "the stored flag goes into `done_or_truncated`, whose name says that truncations are in it",
        ),
    ],
)
def test_a_name_of_truncation_for_what_is_stored_is_a_doubt(name: str, doubt: str) -> None:
    assert sink({"main.py": NAMED.format(name=name)}, "store").doubt == doubt


RECORD = """from dataclasses import dataclass
@dataclass
class Row:
    reward: float
    later: object
    end: bool
"""
WRITER = """import random
import gymnasium as gym
import numpy as np
from record import Row
class {name}:
    def __init__(self):
        self.rows = []
    def run(self):
        env = gym.make("CartPole-v1")
        env.reset()
        over = cut = False
        while not (over or cut):
            later, reward, over, cut, _ = env.step(0)
            self.rows.append(Row(reward, later, over or cut))
    def target(self):
        rows = random.sample(self.rows, 16)
        later, reward = np.array([row.later for row in rows]), np.array([row.reward for row in rows])
        return reward + 0.99 * later.max(1) * (1 - np.array([row.end for row in rows]))
"""
COUNTING = """    def ends(self):
        return len([row for row in self.rows if row.end])
"""
BOTH = """import sys
from first import First
from second import Second
agent = (First if sys.argv[1:] else Second)()
agent.run()
agent.target()
"""


@pytest.mark.parametrize(
    ("rest", "main", "doubt"),
    [
        ("", BOTH, ""),
        (COUNTING, BOTH, "the field `end` is also written at second.py:14, where it keeps truncations"),
        (COUNTING, "from first import First\nFirst().run()\n", ""),
    ],
)
def test_a_field_that_another_store_keeps_as_it_is_is_a_doubt(rest: str, main: str, doubt: str) -> None:
    program = {
        "record.py": RECORD,
        "first.py": WRITER.format(name="First"),
        "second.py": WRITER.format(name="Second") + rest,
        "main.py": main,
    }
    assert sink(program, "store", "first.py").doubt == doubt

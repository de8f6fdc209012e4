"""Flags flow through attributes, containers and columns of stored rows."""

from __future__ import annotations

import pytest
from model_programs import after_rows, meanings


@pytest.mark.parametrize(
    "rows",
    [
        "class A:\n    def put(self, d):\n        self.d = d\n    def get(self):\n        return self.d\n"
        "a = A()\na.put(done)\nx = a.get()",
        "class A:\n    pass\na = A()\na.d = done\nx = a.d",
        "rows = []\nrows.append(done)\nx = rows[0]",
        "rows = []\nrows.append((obs, done))\nx = rows[-1][1]",
        "rows = [(obs, done)]\nfor o, x in rows:\n    pass",
        "rows = [(obs, done)]\nx = [d for o, d in rows][0]",
        "rows = {}\nrows['d'] = done\nx = rows['d']",
        "rows = {'o': obs, 'd': done}\nx = rows.get('d')",
        "rows = dict(o=obs, d=done)\nx = rows['d']",
        "rows = {'d': []}\nrows['d'].append(done)\nx = rows['d'][0]",
        "from collections import defaultdict\nrows = defaultdict(list)\nrows['d'].append(done)\nx = rows['d'][0]",
        "rows = {}\nrows.setdefault('d', []).append(done)\nx = rows['d'][0]",
        "rows = {}\nrows.update({'d': done})\nx = rows['d']",
        "rows = {}\nrows.update([('d', done)])\nx = rows['d']",
        "rows = dict([('d', done)])\nx = rows['d']",
        "rows = dict((k, done) for k in 'ab')\nfor k, x in rows.items():\n    pass",
        "from collections import OrderedDict\nrows = OrderedDict({'d': done})\nx = rows['d']",
        "rows = np.zeros(100)\nrows[3] = done\nx = rows[5]",
        "rows = torch.zeros((5, 4))\nrows[3, 1] = done\nx = rows[:, 1]",
        "rows = torch.zeros((5, 1))\nrows[i].fill_(done)\nx = rows[5]",
        "from collections import deque\nrows = deque(maxlen=9)\nrows.append((obs, done))\no, x = rows.popleft()",
        "from collections import namedtuple\nRow = namedtuple('Row', 'obs done')\nx = Row(obs, done).done",
        "from collections import namedtuple\nRow = namedtuple('Row', ['obs', 'done'])\nx = Row(obs, done=done)[1]",
        "from typing import NamedTuple\nclass Row(NamedTuple):\n    o: int\n    d: bool\nx = Row(obs, done).d",
        "from dataclasses import dataclass\n@dataclass\nclass Row:\n    o: int\n    d: bool\nx = Row(obs, done).d",
        "from dataclasses import dataclass\n@dataclass\nclass Row:\n    o: int\n    d: bool\nx = Row(o=obs, d=done).d",
        "rows = [obs, done]\nfirst, x = rows",
        "DONE = 1\nrow = (obs, done)\nx = row[DONE]",
        "OBS, DONE = range(2)\ndef ended(row):\n    return row[DONE]\nx = ended((obs, done))",
        "OBS, DONE = 0, -1\nrow = (obs, done)\nx = row[DONE]",
        "DONE = 'd'\nrows = {'o': obs, 'd': []}\nrows[DONE].append(done)\nx = rows['d'][0]",
        "rows = (obs, done)\n*_, x = rows",
        "rows = [0] + [done]\nfor x in rows:\n    pass",
        "rows = [0] + [done]\nx = rows[1]",
        "row = [obs, 0]\nrow += [reward, done]\n_, _, _, x = row",
        "row = (obs,) + (reward, done)\n_, _, x = row",
        "row = [obs]\nrow += [reward]\nrow += [done, info]\nx = row[2]",
        "row = (obs, reward, done)[-2:]\n_, x = row",
        "row = (obs, reward, done)[1:]\nx = row[1]",
        "rows = []\nrows += [done]\nx = rows[0]",
        "rows = []\nrows.extend([done])\nx = rows[0]",
        "rows = []\nrows.insert(0, done)\nx = rows[0]",
        "setattr(env, 'over', done)\nx = done",
        "ds = [done, done]\nfor i, x in enumerate(ds):\n    pass",
        "ds = [done, done]\nfor o, x in zip([obs], ds):\n    pass",
        "ds = [done, done]\nx = list(map(float, ds))[0]",
        "ds = [done, done]\nfor x in reversed(ds):\n    pass",
        "ds = [done, done]\nx = next(iter(ds))",
    ],
)
def test_a_stored_flag_is_read_back(rows: str) -> None:
    assert after_rows(f"{rows}\nprint(x)", "x") == {"done"}


@pytest.mark.parametrize(
    "make",
    [
        "def make(shape):\n    return torch.zeros(shape, dtype=torch.float32)",
        "def make(shape):\n    return torch.zeros(shape).to(device)",
        "make = lambda shape: np.empty(shape)",
        "class Memory:\n    def make(self, shape):\n        return np.zeros(shape)\nmake = Memory().make",
    ],
)
def test_each_call_of_a_function_that_makes_arrays_gives_another_one(make: str) -> None:
    program = f"{make}\nended = make((9, 1))\nvalues = make((9, 1))\nended[0] = done\n"
    assert after_rows(f"{program}x = ended[0]\nprint(x)", "x") == {"done"}
    assert after_rows(f"{program}x = values[0]\nprint(x)", "x") == set()


def test_a_function_that_keeps_its_array_gives_the_same_one() -> None:
    program = "kept = np.zeros(9)\ndef get():\n    return kept\nended = get()\nended[0] = done\n"
    assert after_rows(f"{program}x = get()[0]\nprint(x)", "x") == {"done"}


@pytest.mark.parametrize(
    "convert",
    [
        "for key in rows:\n    batch[key] = torch.tensor(rows[key], dtype=torch.float32)",
        "for key in rows.keys():\n    batch[key] = torch.tensor(rows[key][chosen], dtype=torch.float32).to(device)",
        "for key in ('over', 'value'):\n    batch[key] = rows[key].copy()",
        "for key in rows:\n    batch[key] = rows[key][chosen]",
    ],
)
def test_a_batch_converted_key_by_key_in_a_loop_keeps_its_fields_apart(convert: str) -> None:
    program = f"rows = {{'over': np.zeros(9), 'value': np.zeros(9)}}\nrows['over'][0] = done\nbatch = {{}}\n{convert}\n"
    assert after_rows(f"{program}x = batch['over'][0]\nprint(x)", "x") == {"done"}
    assert after_rows(f"{program}x = batch['value'][0]\nprint(x)", "x") == set()


@pytest.mark.parametrize(
    "rows",
    [
        "row = [obs, 0]\nrow += [reward, done]\nx, *_ = row",
        "row = [obs, 0] + [reward, done]\nx = row[0]",
        "row = (obs,) + (reward, done)\n_, x, _ = row",
        "row = [obs, reward]\nrow += [done]\nrow += [info]\nx = row[3]",
        "class Row:\n    def start(self):\n        self.row = [obs, 0]\n"
        "    def add(self):\n        self.row += [reward, done]\n"
        "row = Row()\nrow.start()\nrow.add()\nx = row.row[5]",
        "row = (done, obs, reward)[1:]\nx = row[0]",
        "row = (done, obs, reward)[-2:]\n_, x = row",
        "row = (obs, done, reward)[:2]\nx, _ = row",
    ],
)
def test_what_stands_beside_the_flag_in_a_longer_or_shorter_row_is_no_flag(rows: str) -> None:
    assert after_rows(f"{rows}\nprint(x)", "x") == set()


@pytest.mark.parametrize(
    "rows",
    [
        "row = {'o': obs, 'd': done}\nx = row.get('o')",
        "row = {'o': obs, 'd': done}\nx = row.pop('o', None)",
        "row = {'d': done}\nx = row.get(key)",
        "row = {}\nrow['d'] = done\nrow['o'] = obs\nfor key in ('o', 'a'):\n    x = row.get(key)",
        "def read(row, key):\n    return row.get(key)\nx = read({'o': obs, 'd': done}, 'o')",
    ],
)
def test_what_a_mapping_has_under_another_key_is_no_flag(rows: str) -> None:
    assert after_rows(f"{rows}\nprint(x)", "x") == set()


@pytest.mark.parametrize(
    "rows",
    [
        "def read(row, key):\n    return row.get(key)\nx = read({'o': obs, 'd': done}, 'd')",
        "row = {'o': obs, 'd': done}\nx = row.pop('d', None)",
        "row = {}\nrow[key] = done\nx = row.get('d')",
        "import queue\nrow = queue.Queue()\nrow.put(done)\nx = row.get(True)",
    ],
)
def test_what_a_mapping_or_a_queue_gives_is_the_flag(rows: str) -> None:
    assert after_rows(f"{rows}\nprint(x)", "x") == {"done"}


@pytest.mark.parametrize(
    "columns",
    [
        "o, ds = zip(*rows)",
        "o, ds = map(np.array, zip(*rows))",
        "o, ds = [np.array(c) for c in zip(*rows)]",
        "o, ds = zip(*random.sample(rows, 8))",
        "batch = random.sample(rows, 8)\no, ds = zip(*batch)",
        "o, ds = map(list, zip(*[rows[i] for i in (1, 2)]))",
        "ds = [row[1] for row in rows]",
        "ds = np.array([d for _, d in rows])",
        "ds = list(zip(*rows))[1]",
        "ds = []\nfor i in (1, 2):\n    o, d = rows[i]\n    ds.append(d)",
        "ds = np.vstack([row[1] for row in rows if row is not None]).astype(np.uint8)",
        "batch = np.array(random.sample(rows, 8), dtype=object)\nds = batch[:, 1]",
        "batch = np.array(random.sample(rows, 8), dtype=object).transpose()\nds = batch[1].astype(int)",
        "o, ds = np.array(rows).T",
        "ds = np.transpose(rows)[1]",
    ],
)
def test_a_column_of_stored_rows_is_seen_by_arithmetic(columns: str) -> None:
    rows = f"import random\nrows = []\nrows.append((obs, done))\n{columns}\nmask = 1 - np.array(ds)\nprint(mask)"
    assert after_rows(rows, "mask") == {"not done"}


def test_a_namedtuple_transposed_by_its_own_class_is_seen_by_arithmetic() -> None:
    rows = (
        "from collections import namedtuple\nRow = namedtuple('Row', ('obs', 'done'))\nrows = []\n"
        "rows.append(Row(obs, done))\nbatch = Row(*zip(*rows))\nmask = 1 - torch.cat(batch.done)\nprint(mask)"
    )
    assert after_rows(rows, "mask") == {"not done"}


@pytest.mark.parametrize(
    "several", ["zip(*results)", "map(np.array, zip(*results))", "zip(*[e.step(0) for e in envs])"]
)
def test_the_columns_of_several_steps_are_flags(several: str) -> None:
    program = f"""
        import gymnasium as gym
        import numpy as np
        envs = [gym.make("CartPole-v1") for _ in range(4)]
        results = [e.step(0) for e in envs]
        obs, reward, ends, cuts, infos = {several}
        over = np.array(ends) | np.array(cuts)
        print(ends, cuts, over)  # here
    """
    assert [meanings(program, name) for name in ("ends", "cuts", "over")] == [{"terminated"}, {"truncated"}, {"done"}]


@pytest.mark.parametrize("columns", ["zip(*rows)", "np.array(rows).T", "np.transpose(rows)"])
def test_another_column_stays_without_a_flag(columns: str) -> None:
    rows = f"rows = []\nrows.append((obs, done))\nos, ds = {columns}\nmask = 1 - np.array(os)\nprint(mask)"
    assert after_rows(rows, "mask") == set()


@pytest.mark.parametrize("turned", ["dones.T", "dones.transpose()", "np.transpose(dones)"])
def test_an_array_of_flags_may_be_transposed(turned: str) -> None:
    rows = f"dones = np.zeros((8, 4))\ndones[0] = done\nmask = 1 - {turned}[0]\nprint(mask)"
    assert after_rows(rows, "mask") == {"not done"}


def test_fields_of_one_class_do_not_mix() -> None:
    rows = "class A:\n    pass\na = A()\na.ends = terminated\na.dones = done\nprint(a.ends)"
    assert after_rows(rows, "a.ends") == {"terminated"}


@pytest.mark.parametrize(
    "read",
    [
        "DONE = 1\nDONE = place()\nx = row[DONE]",
        "DONE = 1\ndef read(row, DONE):\n    return row[DONE]\nx = read(row, place())",
        "DONE = 1\nx = [row[DONE] for DONE in places()][0]",
        "DONE = 0\nx = row[DONE]",
    ],
)
def test_a_name_that_is_bound_again_is_no_constant_key(read: str) -> None:
    assert after_rows(f"row = (obs, done)\n{read}\nprint(x)", "x") == set()


@pytest.mark.parametrize("row", ["{'o': obs, 'd': done}", "(obs, done)"])
def test_a_record_read_at_an_unknown_key_holds_no_flag(row: str) -> None:
    assert after_rows(f"row = {row}\nx = row[key()]\nprint(x)", "x") == set()

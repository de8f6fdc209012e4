"""Flags and environments travel: through parameters, attributes, containers, processes and files."""

from __future__ import annotations

from textwrap import dedent

import pytest
from model_programs import STEP, api, assert_sinks, linked, meanings, sink

from done_lint.facts.build import link
from done_lint.flowgraph.build import survey


def after_step(rows: str, expression: str) -> set[str]:
    """What an expression means in a program that begins with one step of an environment."""
    return meanings(f"{STEP}{rows}\n", expression)


# --- functions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        "def f(x):\n    print(x)  # here\nf(done)",
        "def f(a, x):\n    print(x)  # here\nf(1, done)",
        "def f(a, x=None):\n    print(x)  # here\nf(1, x=done)",
        "def f(a, *, x):\n    print(x)  # here\nf(1, x=done)",
        "def f(a, x):\n    print(x)  # here\nf(*(1, done))",
        "def f(a, x):\n    print(x)  # here\nf(**{'a': 1, 'x': done})",
        "def f(*rows):\n    for x in rows:\n        print(x)  # here\nf(1, done)",
        "def f(*rows):\n    a, x = rows\n    print(x)  # here\nf(1, done)",
        "def f(**named):\n    x = named['end']\n    print(x)  # here\nf(end=done)",
        "def g(x):\n    print(x)  # here\ndef f(*args, **kwargs):\n    return g(*args, **kwargs)\nf(done)",
        "f = lambda x: print(x)  # here\nf(done)",
        "class A:\n    def f(self, x):\n        print(x)  # here\nA().f(done)",
        "class A:\n    @staticmethod\n    def f(x):\n        print(x)  # here\nA.f(done)",
        "class A:\n    @classmethod\n    def f(cls, x):\n        print(x)  # here\nA.f(done)",
        "class A:\n    def __call__(self, x):\n        print(x)  # here\nA()(done)",
        "class A:\n    def __init__(self, x):\n        print(x)  # here\nA(done)",
        "class A:\n    def f(self, x):\n        print(x)  # here\nclass B(A):\n    pass\nB().f(done)",
        "class A:\n    def f(self, x):\n        print(x)  # here\nclass B(A):\n    def f(self, y):\n"
        "        super().f(y)\nB().f(done)",
        "class A:\n    def f(self, x):\n        self.g(x)\n    def g(self, x):\n        print(x)  # here\nA().f(done)",
        "def f(g):\n    g(done)\ndef h(x):\n    print(x)  # here\nf(h)",
        "import functools\ndef f(a, x):\n    print(x)  # here\nfunctools.partial(f, 1)(done)",
        "import functools\ndef f(a, *, x):\n    print(x)  # here\nfunctools.partial(f, x=done)(1)",
        "def f():\n    def g():\n        print(x)  # here\n    x = done\n    g()\nf()",
    ],
)
def test_an_argument_reaches_its_parameter(rows: str) -> None:
    assert after_step(rows, "x") == {"done"}


@pytest.mark.parametrize(
    "rows",
    [
        "def f():\n    return done\nx = f()",
        "def f():\n    return 1, done\na, x = f()",
        "def f():\n    return 1, done\nx = f()[1]",
        "def f():\n    return {'end': done}\nx = f()['end']",
        "def f():\n    if obs:\n        return done\n    return done\nx = f()",
        "def f():\n    yield done\nfor x in f():\n    pass",
        "def f(a):\n    return a\nx = f(done)",
        "def f(a, b):\n    return b, a\ny, x = f(done, 0)",
        "f = lambda: done\nx = f()",
        "class A:\n    @property\n    def over(self):\n        return done\nx = A().over",
        "async def f():\n    return done\nasync def g():\n    x = await f()\n    print(x)",
    ],
)
def test_a_returned_flag_reaches_the_caller(rows: str) -> None:
    assert after_step(f"{rows}\nprint(x)" if "print(x)" not in rows else rows, "x") == {"done"}


def test_a_helper_that_returns_the_whole_step_bears_flags_where_it_is_unpacked() -> None:
    rows = "def act(a):\n    return env.step(a)\no, r, t, u, i = act(0)\nprint(t, u)"
    assert after_step(rows, "t") == {"terminated"}
    assert after_step(rows, "u") == {"truncated"}


def test_a_helper_that_unites_the_flags_returns_done() -> None:
    rows = (
        "def act(a):\n    o, r, t, u, i = env.step(a)\n    return o, r, t or u, i\no, r, over, i = act(0)\nprint(over)"
    )
    assert after_step(rows, "over") == {"done"}


def test_a_function_keeps_the_flags_of_its_callers_as_alternatives() -> None:
    rows = "def f(x):\n    print(x)  # here\nf(done)\nf(terminated)"
    assert after_step(rows, "x") == {"done", "terminated"}


def test_another_parameter_stays_without_a_flag() -> None:
    assert after_step("def f(x, y):\n    print(y)  # here\nf(done, 0)", "y") == set()


# --- attributes and containers ---------------------------------------------------------------------


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
        "rows = np.zeros(100)\nrows[3] = done\nx = rows[5]",
        "rows = torch.zeros((5, 4))\nrows[3, 1] = done\nx = rows[:, 1]",
        "from collections import deque\nrows = deque(maxlen=9)\nrows.append((obs, done))\no, x = rows.popleft()",
        "from collections import namedtuple\nRow = namedtuple('Row', 'obs done')\nx = Row(obs, done).done",
        "from collections import namedtuple\nRow = namedtuple('Row', ['obs', 'done'])\nx = Row(obs, done=done)[1]",
        "from typing import NamedTuple\nclass Row(NamedTuple):\n    o: int\n    d: bool\nx = Row(obs, done).d",
        "from dataclasses import dataclass\n@dataclass\nclass Row:\n    o: int\n    d: bool\nx = Row(obs, done).d",
        "from dataclasses import dataclass\n@dataclass\nclass Row:\n    o: int\n    d: bool\nx = Row(o=obs, d=done).d",
        "rows = [obs, done]\nfirst, x = rows",
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
    assert after_step(f"{rows}\nprint(x)", "x") == {"done"}


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
    assert after_step(f"{program}x = batch['over'][0]\nprint(x)", "x") == {"done"}
    assert after_step(f"{program}x = batch['value'][0]\nprint(x)", "x") == set()


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
    assert after_step(f"{rows}\nprint(x)", "x") == set()


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
    assert after_step(rows, "mask") == {"not done"}


def test_a_namedtuple_transposed_by_its_own_class_is_seen_by_arithmetic() -> None:
    rows = (
        "from collections import namedtuple\nRow = namedtuple('Row', ('obs', 'done'))\nrows = []\n"
        "rows.append(Row(obs, done))\nbatch = Row(*zip(*rows))\nmask = 1 - torch.cat(batch.done)\nprint(mask)"
    )
    assert after_step(rows, "mask") == {"not done"}


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
    assert after_step(rows, "mask") == set()


@pytest.mark.parametrize("turned", ["dones.T", "dones.transpose()", "np.transpose(dones)"])
def test_an_array_of_flags_may_be_transposed(turned: str) -> None:
    rows = f"dones = np.zeros((8, 4))\ndones[0] = done\nmask = 1 - {turned}[0]\nprint(mask)"
    assert after_step(rows, "mask") == {"not done"}


def test_fields_of_one_class_do_not_mix() -> None:
    rows = "class A:\n    pass\na = A()\na.ends = terminated\na.dones = done\nprint(a.ends)"
    assert after_step(rows, "a.ends") == {"terminated"}


@pytest.mark.parametrize("row", ["{'o': obs, 'd': done}", "(obs, done)"])
def test_a_record_read_at_an_unknown_key_holds_no_flag(row: str) -> None:
    assert after_step(f"row = {row}\nx = row[key()]\nprint(x)", "x") == set()


# --- processes -------------------------------------------------------------------------------------


def test_a_pipe_carries_flags() -> None:
    program = """
        import gymnasium as gym
        from multiprocessing import Pipe, Process
        def work(remote):
            env = gym.make("CartPole-v1")
            while True:
                obs, reward, terminated, truncated, info = env.step(remote.recv())
                remote.send((obs, reward, terminated or truncated))
        here, there = Pipe()
        Process(target=work, args=(there,)).start()
        obs, reward, over = here.recv()
        print(over)
    """
    assert meanings(program, "over") == {"done"}


def test_a_queue_carries_flags() -> None:
    program = """
        import gymnasium as gym
        from multiprocessing import Process, Queue
        def work(queue):
            env = gym.make("CartPole-v1")
            obs, reward, terminated, truncated, info = env.step(0)
            queue.put((obs, terminated or truncated))
        queue = Queue()
        Process(target=work, args=(queue,)).start()
        obs, over = queue.get()
        print(over)
    """
    assert meanings(program, "over") == {"done"}


def test_the_arguments_of_a_process_are_arguments() -> None:
    program = """
        import gymnasium as gym
        import threading
        def work(world):
            print(world)  # here
        threading.Thread(target=work, args=(gym.make("CartPole-v1"),)).start()
    """
    assert api(program, "world") == "Gymnasium"


def test_an_environment_made_by_a_pickled_function_is_followed() -> None:
    program = """
        import gymnasium as gym
        from multiprocessing import Process
        def work(make):
            world = make()
            print(world)
        Process(target=work, args=(lambda: gym.make("CartPole-v1"),)).start()
    """
    assert api(program, "world") == "Gymnasium"


# --- files -----------------------------------------------------------------------------------------

BUFFER = """
    import random
    class Buffer:
        def __init__(self):
            self.rows = []
        def add(self, obs, reward, next_obs, done):
            self.rows.append((obs, reward, next_obs, done))
        def sample(self, count):
            return zip(*random.sample(self.rows, count))
"""
AGENT = """
    def learn(buffer, value):
        obs, rewards, next_obs, dones = buffer.sample(32)
        return rewards + 0.99 * (1 - dones) * value(next_obs)%s
"""
TRAIN = """
    import gymnasium as gym
    from %s import Buffer
    from %s import learn
    env = gym.make("CartPole-v1")
    buffer = Buffer()
    obs, info = env.reset()
    for _ in range(1000):
        next_obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        buffer.add(obs, reward, next_obs, %s
        learn(buffer, value)
"""


def project(buffer: str, agent: str, stored: str, mark: str) -> dict[str, str]:
    """A trainer, its buffer and its agent; the modules are called as the trainer imports them."""
    paths = {name: f"{name.strip('.').replace('.', '/')}.py" for name in (buffer, agent)}
    return {
        paths[buffer]: BUFFER,
        paths[agent]: AGENT % mark,
        "train.py": TRAIN % (buffer, agent, stored),
    }


def test_a_flag_stored_in_one_file_cuts_a_target_in_another() -> None:
    assert_sinks(project("buffer", "agent", "done)  # sink: store", "  # sink: mask"))


@pytest.mark.parametrize("given", ["obs, done", "done, obs"])
def test_a_function_that_gives_the_flag_back_stores_nothing(given: str) -> None:
    files = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    files["filters.py"] = f"def passed(obs, done):\n    count(obs)\n    return {given}\n"
    files["train.py"] = (
        files["train.py"]
        .replace("buffer.add", f"{given} = filters.passed(obs, done)\n        buffer.add")
        .replace("import gymnasium as gym", "import gymnasium as gym\n    import filters")
    )
    assert_sinks(files)


def test_a_flag_converted_on_its_way_into_the_store_is_stored_there() -> None:
    files = project("buffer", "agent", "filters.number(done))  # sink: store", "  # sink: mask")
    files["filters.py"] = "def number(flag):\n    return float(flag)\n"
    files["train.py"] = files["train.py"].replace(
        "import gymnasium as gym", "import gymnasium as gym\n    import filters"
    )
    assert_sinks(files)


def test_terminated_stored_in_one_file_is_right_in_another() -> None:
    assert_sinks(project("buffer", "agent", "terminated)", ""))


def test_packages_are_followed() -> None:
    files = project("lib.buffers.replay", "lib.agents.dqn", "done)  # sink: store", "  # sink: mask")
    files |= {"lib/__init__.py": "", "lib/buffers/__init__.py": "", "lib/agents/__init__.py": ""}
    assert_sinks(files)


def test_packages_without_init_files_are_followed() -> None:
    assert_sinks(project("lib.replay", "lib.dqn", "done)  # sink: store", "  # sink: mask"))


def test_a_module_taken_out_of_a_folder_without_an_init_file_is_followed() -> None:
    files = project("lib.replay", "lib.dqn", "done)  # sink: store", "  # sink: mask")
    files["train.py"] = files["train.py"].replace("from lib.replay import Buffer", "from lib import replay")
    files["train.py"] = files["train.py"].replace("Buffer()", "replay.Buffer()")
    assert_sinks(files)


def test_relative_imports_are_followed() -> None:
    files = project(".buffer", ".agent", "done)  # sink: store", "  # sink: mask")
    assert_sinks({f"lib/{path}": text for path, text in files.items()} | {"lib/__init__.py": ""})


def test_relative_imports_of_the_folder_above_are_followed() -> None:
    files = project(".buffer", ".agent", "done)  # sink: store", "  # sink: mask")
    train = files.pop("train.py").replace("from .", "from ..")
    assert_sinks({f"lib/{path}": text for path, text in files.items()} | {"lib/runs/train.py": train})


def test_a_name_that_a_package_hands_on_is_followed() -> None:
    files = project("lib.buffer", "lib.agent", "done)  # sink: store", "  # sink: mask")
    files["lib/__init__.py"] = "from .buffer import Buffer\nfrom lib.agent import *\n"
    files["train.py"] = files["train.py"].replace("lib.buffer", "lib")
    assert_sinks(files)


def test_a_star_import_is_followed() -> None:
    files = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    files["train.py"] = files["train.py"].replace("import learn", "import *")
    assert_sinks(files)


def test_a_module_imported_whole_is_followed() -> None:
    files = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    files["train.py"] = (
        files["train.py"].replace("from agent import learn", "import agent as a").replace(" learn(", " a.learn(")
    )
    assert_sinks(files)


def test_a_source_folder_is_no_part_of_a_modules_name() -> None:
    files = project("lib.buffer", "lib.agent", "done)  # sink: store", "  # sink: mask")
    assert_sinks({f"src/{path}": text for path, text in files.items()})


def test_files_beside_each_other_import_each_other_from_any_folder() -> None:
    files = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    assert_sinks({f"examples/dqn/{path}": text for path, text in files.items()})


def test_modules_of_one_name_in_two_folders_do_not_mix() -> None:
    wrong = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    right = project("buffer", "agent", "terminated)", "")
    assert_sinks(
        {f"old/{path}": text for path, text in wrong.items()} | {f"new/{path}": text for path, text in right.items()}
    )


def test_imports_in_a_circle_end() -> None:
    files = {
        "a.py": "import b\ndef f(x):\n    return b.g(x)\n",
        "b.py": "import a\ndef g(x):\n    return a.f(x)\n",
        "main.py": STEP + "import a\nx = a.f(done)\nprint(x)\n",
    }
    assert meanings(files, "x") == set()


def test_scripts_that_share_a_buffer_do_not_infect_each_other() -> None:
    """One script stores done and learns wrongly; the other stores terminated, and its target is right."""
    learning = """
        import gymnasium as gym
        from buffer import Buffer
        env = gym.make("CartPole-v1")
        buffer = Buffer()
        obs, info = env.reset()
        for _ in range(1000):
            next_obs, reward, terminated, truncated, info = env.step(0)
            done = terminated or truncated
            buffer.add(obs, reward, next_obs, %s
            obs, rewards, next_obs, dones = buffer.sample(32)
            target = rewards + 0.99 * (1 - dones) * value(next_obs)%s
    """
    assert_sinks(
        {
            "buffer.py": BUFFER,
            "wrong.py": learning % ("done)  # sink: store", "  # sink: mask"),
            "right.py": learning % ("terminated)", ""),
        }
    )


def test_a_script_that_only_logs_done_does_not_infect_one_that_learns() -> None:
    logging = """
        import gymnasium as gym
        from buffer import Buffer
        env = gym.make("CartPole-v1")
        buffer = Buffer()
        obs, reward, terminated, truncated, info = env.step(0)
        buffer.add(obs, reward, obs, terminated or truncated)
    """
    learning = """
        from buffer import Buffer
        def learn(value):
            buffer = Buffer()
            obs, rewards, next_obs, dones = buffer.sample(32)
            return rewards + 0.99 * (1 - dones) * value(next_obs)
    """
    assert_sinks({"buffer.py": BUFFER, "logs.py": logging, "learns.py": learning})


@pytest.mark.parametrize(
    ("running", "store", "mask"),
    [
        ("", "", ""),
        ("training.collect(gym.make('CartPole-v1'), buffer)", "  # sink: store", "  # sink: mask"),
        ("import helpers\nhelpers.start(buffer)", "  # sink: store", "  # sink: mask"),
        ("Thread(target=training.collect, args=(env, buffer))", "  # sink: store", "  # sink: mask"),
    ],
    ids=["not", "called", "called by a function", "handed to a call"],
)
def test_what_a_function_stores_concerns_the_scripts_that_run_it(running: str, store: str, mask: str) -> None:
    """Both scripts import the module; the second steps an environment that nothing is known of."""
    training = """
        def collect(env, buffer):
            obs, info = env.reset()
            for _ in range(1000):
                next_obs, reward, terminated, truncated, info = env.step(0)
                buffer.add(obs, reward, next_obs, terminated or truncated)%s
    """
    helpers = """
        import gymnasium as gym
        from training import collect
        def start(buffer):
            collect(gym.make("CartPole-v1"), buffer)
    """
    first = """
        import gymnasium as gym
        from buffer import Buffer
        from training import collect
        collect(gym.make("CartPole-v1"), Buffer())
    """
    second = """
        import gymnasium as gym
        from threading import Thread
        from buffer import Buffer
        import training
        buffer = Buffer()
        %s
        for action in actions:
            obs, reward, next_obs, done = arena.act(action)
            buffer.add(obs, reward, next_obs, done)
        obs, rewards, next_obs, dones = buffer.sample(32)
        target = rewards + 0.99 * (1 - dones) * value(next_obs)%s
    """
    second = dedent(second) % (running, mask)
    files = {"buffer.py": BUFFER, "training.py": training % store, "helpers.py": helpers, "first.py": first}
    assert_sinks(files | {"second.py": second})


def test_the_answer_does_not_depend_on_the_order_of_the_files() -> None:
    files = project("buffer", "agent", "done)", "")
    surveys = [survey(path, dedent(text)) for path, text in files.items()]
    forward, backward = link(surveys), link(surveys[::-1])
    for path in files:
        assert forward.facts(path) == backward.facts(path)


def test_linking_twice_gives_the_same_facts() -> None:
    files = project("buffer", "agent", "done)", "")
    assert linked(files).facts("train.py") == linked(files).facts("train.py")


def test_the_path_of_a_stored_flag_runs_through_the_files() -> None:
    files = project("buffer", "agent", "done)", "")
    assert sink(files, "store", "train.py").path[0].path == "train.py"
    assert sink(files, "mask", "agent.py").path[-1].path == "agent.py"


# --- traps of the fixpoint -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        "class Node:\n    pass\nx = Node()\nwhile x:\n    x = x.parent\nx = done",
        "x = [0]\nwhile True:\n    x = [x]\n    break\nx = done",
        "x = {}\nfor i in range(9):\n    x = {'inner': x}\nx = done",
        "def f(n):\n    return f(n - 1) if n else done\nx = f(3)",
        "def f(g):\n    return f(f)\nf(f)\nx = done",
        "class A:\n    def __init__(self, a):\n        self.a = A(self)\nA(None)\nx = done",
        "class A:\n    def __getattr__(self, name):\n        return getattr(self.inner, name)\nA().foo.bar\nx = done",
        "x = lambda: x\nx()()()\nx = done",
        "next_done = done\nfor t in range(9):\n    mask = 1 - next_done\n    next_done = next_done\nx = next_done",
        "mask = 1 - done\nfor t in range(9):\n    mask = mask * (1 - done)\nx = done",
        "w = env\nfor _ in range(9):\n    w = gym.wrappers.ClipAction(w)\nx = done",
    ],
)
def test_what_refers_to_itself_ends(rows: str) -> None:
    assert after_step(f"{rows}\nprint(x)", "x") == {"done"}


def test_a_node_that_holds_everything_proves_nothing() -> None:
    """A polymorphic helper that all kinds of objects pass through is no channel."""
    kinds = "".join(f"class K{i}:\n    pass\nhand_on(K{i}())\n" for i in range(12))
    program = f"def hand_on(x):\n    return x\n{STEP}{kinds}row = (obs, done)\ny = hand_on(row)\nprint(y[1])\n"
    assert meanings(program, "y[1]") == set()


def test_a_tuple_that_grows_at_its_front_for_ever_is_linked() -> None:
    program = "import gym\n\ndef up(n):\n    rest = up(n - 1)\n    return (n, *rest)\n\nenv = gym.make(up(3))\n"
    assert linked(program).facts("main.py").envs

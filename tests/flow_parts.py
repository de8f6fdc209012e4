"""The parts that generated projects are made of: births, flags, casts, containers and sinks.

A *birth* is an environment and what its step returns; a *flag* is an expression of that; a *store* is a container on
the flag's way, a *sink* what is made of it in the end. See `generated_flows`, which puts them together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["silent", "target", "recursion"]


@dataclass(frozen=True)
class Birth:
    """An environment and the values of its step."""

    name: str
    made: str
    #: Targets of the unpacked step.
    slots: str
    terminated: str = ""
    truncated: str = ""
    #: The third of four values.
    union: str = ""
    #: The episode can be truncated.
    truncates: bool = True
    array: bool = False
    reset: str = "obs, info = env.reset()"
    imports: str = "import gymnasium as gym"
    definitions: str = ""


_FIVE = "next_obs, reward, terminated, truncated, info"

NEVER = """
class Grid(gym.Env):
    def __init__(self):
        self.place = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return self.place, {}

    def step(self, action):
        self.place += action
        return self.place, -1.0, self.place == 9, False, {}
"""

BIRTHS = [
    Birth("five", 'gym.make("CartPole-v1")', _FIVE, "terminated", "truncated"),
    Birth(
        "five, `done` third",
        'gymnasium.make("CartPole-v1")',
        "next_obs, reward, done, cut, _",
        "done",
        "cut",
        imports="import gymnasium",
    ),
    Birth(
        "five, wrapped",
        'gym.wrappers.RecordEpisodeStatistics(gym.make("CartPole-v1"))',
        "next_obs, reward, term, trunc, info",
        "term",
        "trunc",
    ),
    Birth("vector", 'gym.make_vec("CartPole-v1", num_envs=4)', _FIVE, "terminated", "truncated", array=True),
    Birth(
        "SB3",
        'DummyVecEnv([lambda: gym.make("CartPole-v1")])',
        "next_obs, reward, done, infos",
        union="done",
        array=True,
        reset="obs = env.reset()",
        imports="import gymnasium as gym\nfrom stable_baselines3.common.vec_env import DummyVecEnv",
    ),
    Birth(
        "old Gym",
        'gym.make("CartPole-v1")',
        "next_obs, reward, done, info",
        union="done",
        reset="obs = env.reset()",
        imports="import gym",
    ),
    Birth("unwrapped", 'gym.make("CartPole-v1").unwrapped', _FIVE, "terminated", "truncated", truncates=False),
    Birth(
        "old Gym, stripped",
        'gym.make("CartPole-v1").env',
        "next_obs, reward, done, info",
        union="done",
        truncates=False,
        reset="obs = env.reset()",
        imports="import gym",
    ),
    Birth("never truncates", "Grid()", _FIVE, "terminated", "truncated", truncates=False, definitions=NEVER),
]

#: What is done to a column of flags that was read back.
RECASTS = [
    "",
    "np.array({})",
    "torch.FloatTensor({}).to(device)",
    "torch.tensor({}, dtype=torch.float32).unsqueeze(1)",
    "torch.from_numpy(np.vstack({}).astype(np.uint8)).float()",
    "torch.as_tensor({}).float().view(-1, 1)",
    "np.asarray({}, dtype=np.float32).reshape(-1)",
    "tf.convert_to_tensor({}, dtype=tf.float32)",
    "tf.cast({}, tf.float32)",
    "jnp.array({})",
    "np.concatenate([{}])",
    "torch.cat(tuple({}))",
]

Holds = Literal["terminated", "done", "limit"]


@dataclass(frozen=True)
class Flag:
    """An expression of the step's values, and what it holds."""

    text: str
    holds: Holds
    #: It is 1 where the episode goes on.
    keep: bool = False


UNIONS = [
    "{t} or {u}",
    "{t} | {u}",
    "np.logical_or({t}, {u})",
    "max({t}, {u})",
    "any(({t}, {u}))",
    "any([{t}, {u}])",
    "bool({t} + {u})",
    "True if {t} else {u}",
    "not (not {t} and not {u})",
]
ARRAY_UNIONS = [
    "{t} | {u}",
    "np.logical_or({t}, {u})",
    "np.maximum({t}, {u})",
    "({t} + {u}) > 0",
    "np.bitwise_or({t}, {u})",
    "torch.logical_or(torch.tensor({t}), torch.tensor({u}))",
    "~(~{t} & ~{u})",
]
TERMINATED = ["{t}", "({t} or {u}) and not {u}", "{t} and not {u}"]
ARRAY_TERMINATED = ["{t}", "({t} | {u}) & ~{u}", "np.logical_and({t} | {u}, np.logical_not({u}))"]
OLD_TERMINATED = ['{d} and not info.get("TimeLimit.truncated", False)', '{d} and "TimeLimit.truncated" not in info']
LIMITED = ["{t} or steps >= 200", "{t} or steps == max_steps", "bool({t} or steps > 99)"]

CASTS = ["{}", "{}", "bool({})", "float({})", "int({})", "np.float32({})", "1.0 if {} else 0.0"]
ARRAY_CASTS = ["{}", "{}", "np.array({})", "torch.as_tensor({}).float()", "np.asarray({}).astype(np.float32)"]
KEEPS = ["1 - {}", "not {}", "0.0 if {} else 1.0", "1.0 - float({})", "float(not {})"]
ARRAY_KEEPS = ["1 - {}", "~{}", "np.logical_not({})", "1.0 - torch.tensor({}).float()", "np.where({}, 0.0, 1.0)"]


# --- channels ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Store:
    """A container: how it is made, filled with one row of fields, and read back as columns.

    `m` is what stands before a name: "" or "self.".
    """

    name: str
    made: Callable[[str, Sequence[str]], list[str]]
    put: Callable[[str, Sequence[tuple[str, str]]], list[str]]
    columns: Callable[[str, Sequence[str]], list[str]]
    #: What has to stand at the top of the file.
    defined: Callable[[Sequence[str]], str] = lambda fields: ""
    #: `columns` gives the rows in their order, not a sample.
    ordered: Callable[[str, Sequence[str]], list[str]] | None = None
    #: Head of a loop over rows that binds the columns' names to single values.
    rows: Callable[[str, Sequence[str]], list[str]] | None = None
    #: The columns are arrays already.
    arrays: bool = False


def _values(row: Sequence[tuple[str, str]]) -> str:
    return ", ".join(value for _, value in row)


def _columns(names: Sequence[str]) -> str:
    return ", ".join(f"b_{name}" for name in names)


def _deque(m: str, names: Sequence[str]) -> list[str]:
    return [f"{m}rows = deque(maxlen=1000)"]


_SAMPLE = "batch = random.sample({m}rows, 32)"


def _transposed(m: str, names: Sequence[str]) -> list[str]:
    return [f"{_columns(names)} = zip(*{m}rows)"]


def _for_each(line: str) -> Callable[[str, Sequence[str]], list[str]]:
    """The line once for each column."""
    return lambda m, names: [line.format(m=m, name=name) for name in names]


def _tuple_store(name: str, columns: Callable[[str, Sequence[str]], list[str]], bracket: str = "()") -> Store:
    return Store(
        name,
        _deque,
        lambda m, row: [f"{m}rows.append({bracket[0]}{_values(row)}{bracket[1]})"],
        columns,
        ordered=_transposed,
        rows=lambda m, names: [f"for {_columns(names)} in random.sample({m}rows, 8):"],
    )


def _named(definition: Callable[[Sequence[str]], str], name: str, columns: Callable[..., list[str]]) -> Store:
    return Store(
        name,
        _deque,
        lambda m, row: [f"{m}rows.append(Row({_values(row)}))"],
        columns,
        definition,
        rows=lambda m, names: [
            f"for row in random.sample({m}rows, 8):",
            *(f"    b_{name} = row.{name}" for name in names),
        ],
    )


def _namedtuple(names: Sequence[str]) -> str:
    return f'Row = namedtuple("Row", [{", ".join(repr(name) for name in names)}])'


def _dataclass(names: Sequence[str]) -> str:
    return "\n".join(["@dataclass", "class Row:", *(f"    {name}: float" for name in names)])


def _each(make: str) -> Callable[[str, Sequence[str]], list[str]]:
    return lambda m, names: [
        _SAMPLE.format(m=m),
        *(make.format(name=name, place=place) for place, name in enumerate(names)),
    ]


STORES = [
    _tuple_store("tuples, zip", lambda m, names: [_SAMPLE.format(m=m), f"{_columns(names)} = zip(*batch)"]),
    _tuple_store(
        "tuples, map", lambda m, names: [_SAMPLE.format(m=m), f"{_columns(names)} = map(np.array, zip(*batch))"]
    ),
    _tuple_store(
        "tuples, comprehension over zip",
        lambda m, names: [_SAMPLE.format(m=m), f"{_columns(names)} = [np.stack(x) for x in zip(*batch)]"],
    ),
    _tuple_store(
        "tuples, transposed array",
        lambda m, names: [_SAMPLE.format(m=m), f"{_columns(names)} = np.array(batch, dtype=object).T"],
    ),
    _tuple_store("tuples, by number", _each("b_{name} = np.array([row[{place}] for row in batch])")),
    _tuple_store("lists, by number", _each("b_{name} = torch.tensor([row[{place}] for row in batch])"), "[]"),
    Store(
        "rows that grow",
        _deque,
        lambda m, row: [f"row = [{row[0][1]}, 0]", f"row += [{_values(row[1:])}, 0]", f"{m}rows.append(row)"],
        lambda m, names: [
            _SAMPLE.format(m=m),
            f"b_{names[0]}, _, {_columns(names[1:])}, _ = zip(*batch)",
        ],
    ),
    Store(
        "rows, cut",
        _deque,
        lambda m, row: [f"{m}rows.append((0, {_values(row)}))"],
        lambda m, names: [
            _SAMPLE.format(m=m),
            f"{_columns(names)} = zip(*[row[1:] for row in batch])",
        ],
    ),
    _tuple_store(
        "tuples, by random index",
        lambda m, names: [
            f"chosen = np.random.choice(len({m}rows), 32)",
            f"{_columns(names)} = zip(*[{m}rows[i] for i in chosen])",
        ],
    ),
    _named(_namedtuple, "namedtuples, by name", _each("b_{name} = torch.tensor([row.{name} for row in batch])")),
    _named(
        _namedtuple,
        "namedtuples, transposed",
        lambda m, names: [
            _SAMPLE.format(m=m),
            "batch = Row(*zip(*batch))",
            *(f"b_{name} = torch.tensor(batch.{name})" for name in names),
        ],
    ),
    _named(_dataclass, "dataclasses", _each("b_{name} = np.array([row.{name} for row in batch])")),
    Store(
        "dicts",
        _deque,
        lambda m, row: [f"{m}rows.append({{{', '.join(f'{name!r}: {value}' for name, value in row)}}})"],
        _each("b_{name} = np.array([row[{name!r}] for row in batch])"),
        rows=lambda m, names: [
            f"for row in random.sample({m}rows, 8):",
            *(f"    b_{name} = row[{name!r}]" for name in names),
        ],
    ),
    Store(
        "preallocated arrays",
        lambda m, names: [*(f"{m}{name}_buf = np.zeros(1000)" for name in names), f"{m}place = 0"],
        lambda m, row: [*(f"{m}{name}_buf[{m}place] = {value}" for name, value in row), f"{m}place += 1"],
        lambda m, names: [
            f"chosen = np.random.randint(0, {m}place, size=32)",
            *(f"b_{name} = {m}{name}_buf[chosen]" for name in names),
        ],
        ordered=_for_each("b_{name} = {m}{name}_buf"),
        arrays=True,
    ),
    Store(
        "preallocated tensors",
        lambda m, names: [*(f"{m}{name}_buf = torch.zeros((1000, 1))" for name in names), f"{m}place = 0"],
        lambda m, row: [
            *(f"{m}{name}_buf[{m}place] = torch.as_tensor({value})" for name, value in row),
            f"{m}place = ({m}place + 1) % 1000",
        ],
        lambda m, names: [
            "chosen = torch.randint(0, 1000, (32,))",
            *(f"b_{name} = {m}{name}_buf[chosen].to(device)" for name in names),
        ],
        ordered=_for_each("b_{name} = {m}{name}_buf"),
        arrays=True,
    ),
    Store(
        "dict of lists",
        lambda m, names: [f"{m}data = {{{', '.join(f'{name!r}: []' for name in names)}}}"],
        lambda m, row: [f"{m}data[{name!r}].append({value})" for name, value in row],
        lambda m, names: [
            f'chosen = np.random.randint(0, len({m}data["reward"]), 32)',
            *(f"b_{name} = np.array({m}data[{name!r}])[chosen]" for name in names),
        ],
        ordered=_for_each("b_{name} = {m}data[{name!r}]"),
    ),
    Store(
        "dict of arrays",
        lambda m, names: [f"{m}data = {{{', '.join(f'{name!r}: np.zeros(1000)' for name in names)}}}", f"{m}place = 0"],
        lambda m, row: [*(f"{m}data[{name!r}][{m}place] = {value}" for name, value in row), f"{m}place += 1"],
        lambda m, names: [
            "chosen = np.random.randint(0, 1000, 32)",
            f"batch = {{name: torch.as_tensor(rows[chosen]) for name, rows in {m}data.items()}}",
            *(f"b_{name} = batch[{name!r}]" for name in names),
        ],
        ordered=_for_each("b_{name} = {m}data[{name!r}]"),
        arrays=True,
    ),
    Store(
        "ring of tuples",
        lambda m, names: [f"{m}rows = [None] * 1000", f"{m}place = 0"],
        lambda m, row: [f"{m}rows[{m}place] = ({_values(row)})", f"{m}place = ({m}place + 1) % 1000"],
        lambda m, names: [_SAMPLE.format(m=m), f"{_columns(names)} = zip(*batch)"],
        rows=lambda m, names: [f"for {_columns(names)} in random.sample({m}rows, 8):"],
    ),
    Store(
        "joined list",
        lambda m, names: [f"{m}rows = []"],
        lambda m, row: [f"{m}rows = {m}rows + [({_values(row)})]"],
        lambda m, names: [f"{_columns(names)} = [np.array(x) for x in zip(*{m}rows)]"],
        ordered=_transposed,
        rows=lambda m, names: [f"for {_columns(names)} in {m}rows:"],
    ),
    Store(
        "extended list",
        lambda m, names: [f"{m}rows = []"],
        lambda m, row: [f"{m}rows += [({_values(row)})]"],
        lambda m, names: [f"{_columns(names)} = (np.array(x) for x in zip(*{m}rows[-32:]))"],
        rows=lambda m, names: [f"for number, ({_columns(names)}) in enumerate({m}rows):"],
    ),
    Store(
        "dict by setdefault",
        lambda m, names: [f"{m}data = {{}}"],
        lambda m, row: [f"{m}data.setdefault({name!r}, []).append({value})" for name, value in row],
        _for_each("b_{name} = np.array({m}data[{name!r}])"),
    ),
    Store(
        "defaultdict",
        lambda m, names: [f"{m}data = defaultdict(list)"],
        lambda m, row: [f"{m}data[{name!r}].append({value})" for name, value in row],
        _for_each("b_{name} = torch.tensor({m}data[{name!r}])"),
    ),
    Store(
        "arrays that grow",
        _for_each("{m}{name}_all = np.array([])"),
        lambda m, row: [f"{m}{name}_all = np.append({m}{name}_all, {value})" for name, value in row],
        _for_each("b_{name} = {m}{name}_all[-32:]"),
        ordered=_for_each("b_{name} = {m}{name}_all"),
        arrays=True,
    ),
    Store(
        "deques",
        _for_each("{m}{name}_q = deque(maxlen=1000)"),
        lambda m, row: [f"{m}{name}_q.append(torch.tensor([{value}]))" for name, value in row],
        _for_each("b_{name} = torch.stack(list({m}{name}_q))"),
        ordered=_for_each("b_{name} = torch.cat(list({m}{name}_q))"),
        arrays=True,
    ),
    Store(
        "lists",
        _for_each("{m}{name}_list = []"),
        lambda m, row: [f"{m}{name}_list.append({value})" for name, value in row],
        _for_each("b_{name} = np.array({m}{name}_list[-32:])"),
        ordered=_for_each("b_{name} = {m}{name}_list"),
        rows=lambda m, names: [f"for {_columns(names)} in zip({', '.join(f'{m}{name}_list' for name in names)}):"],
    ),
]


# --- sinks ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sink:
    """Rows that read columns: `r` the reward, `q` the value of the next state, `d` the flag, `k` the mask."""

    name: str
    text: str
    #: What the rows are, if the flag holds a truncation.
    verdict: Verdict
    #: For whole arrays, for single values, or for both.
    shape: Literal["array", "scalar", "both"] = "both"
    #: Whether it can be written of a flag, or only of a mask.
    of: Literal["flag", "mask"] = "mask"


TARGETS = [
    Sink("product", "y = {r} + gamma * {k} * {q}  # cut", "target"),
    Sink("product, mask last", "y = {r} + 0.99 * {q} * {k}  # cut", "target"),
    Sink("product, attribute", "y = {r} + config.gamma * ({q} * {k})  # cut", "target"),
    Sink("mask in a name", "keep = {k}  # cut\ny = {r} + gamma * keep * {q}  # cut", "target"),
    Sink("masked value", "nq = {q} * {k}  # cut\ny = {r} + gamma * nq", "target"),
    Sink("masked in place", "nq = {q}\nnq *= {k}  # cut\ny = {r} + gamma * nq", "target", "array"),
    Sink("TD error", "error = {r} + gamma * {q} * {k} - net({r})  # cut\nloss = error ** 2", "target"),
    Sink("np.where", "y = np.where({d}, {r}, {r} + gamma * {q})  # cut", "target", "array", "flag"),
    Sink("np.where of a value", "y = {r} + gamma * np.where({d}, 0.0, {q})  # cut", "target", "array", "flag"),
    Sink("masked assignment", "nq = {q}\nnq[{d}] = 0.0  # cut\ny = {r} + gamma * nq", "target", "array", "flag"),
    Sink("torch.where", "y = {r} + gamma * torch.where({d}, torch.zeros(32), {q})  # cut", "target", "array", "flag"),
    Sink("masked_fill", "nq = {q}.masked_fill({d}, 0.0)  # cut\ny = {r} + gamma * nq", "target", "array", "flag"),
    Sink("np.multiply", "y = {r} + np.multiply(gamma * {q}, {k})  # cut", "target", "array"),
    Sink(".mul", "y = {r} + gamma * {q}.mul({k})  # cut", "target", "array"),
    Sink("discount that is masked", "keep = gamma * {k}  # cut\ny = {r} + keep * {q}", "target"),
    Sink("discounted first", "future = gamma * {q}\ny = {r} + future * {k}  # cut", "target"),
    Sink("discounted first, masked in place", "y = gamma * {q}\ny *= {k}  # cut\ny = y + {r}", "target", "array"),
    Sink("added later", "y = {r}\ny = y + gamma * {q} * {k}  # cut", "target"),
    Sink("added in place", "y = {r}\ny += gamma * {q} * {k}  # cut", "target"),
    Sink("tabular", "table[{r}] += 0.1 * ({r} + gamma * np.max({q}) * {k} - table[{r}])  # cut", "target"),
    Sink(
        "filled where it goes on",
        "nq = np.zeros(32)\nnq[~{d}] = {q}[~{d}]  # cut\ny = {r} + gamma * nq",
        "target",
        "array",
        "flag",
    ),
    Sink("added where it goes on", "y = {r}.copy()\ny[~{d}] += gamma * {q}[~{d}]  # cut", "target", "array", "flag"),
    Sink(
        "row by row",
        """\
nq = {q}
for i in range(32):
    if {d}[i]:  # cut
        y[i] = {r}[i]
    else:
        y[i] = {r}[i] + gamma * nq[i]""",
        "target",
        "array",
        "flag",
    ),
    Sink(
        "row by row, conditional",
        "for i in range(32):\n    y[i] = {r}[i] + (0 if {d}[i] else gamma * {q}[i])  # cut",
        "target",
        "array",
        "flag",
    ),
    Sink("if", "if {d}:  # cut\n    y = {r}\nelse:\n    y = {r} + gamma * {q}", "target", "scalar", "flag"),
    Sink("if not", "y = {r}\nif not {d}:  # cut\n    y += gamma * {q}", "target", "scalar", "flag"),
    Sink("if, afterwards", "y = {r} + gamma * {q}\nif {d}:  # cut\n    y = {r}", "target", "scalar", "flag"),
    Sink("rows, afterwards", "y = {r} + gamma * {q}\ny[{d}] = {r}[{d}]  # cut", "target", "array", "flag"),
    Sink("conditional", "y = {r} if {d} else {r} + gamma * {q}  # cut", "target", "scalar", "flag"),
    Sink("conditional value", "y = {r} + gamma * (0.0 if {d} else {q})  # cut", "target", "scalar", "flag"),
]

HARMLESS = [
    Sink("logging", "print({r}, {d})", "silent", of="flag"),
    Sink("counted", "count = count + {d}", "silent", of="flag"),
    Sink("reset", "if {d}:\n    total, hidden = 0.0, None", "silent", "scalar", "flag"),
    Sink("reward shaping", "y = ({r} - {d}) + gamma * {q}", "silent", of="flag"),
    Sink("reward penalty", "shaped = -10.0 if {d} else {r}\ny = shaped + gamma * {q}", "silent", "scalar", "flag"),
    Sink("recurrent state", "hidden = hidden * {k}\ny = {r} + gamma * {q}", "silent"),
    Sink("episode return", "total = (total + {r}) * {k}", "silent"),
    Sink("loss of what goes on", "y = {r} + gamma * {q}\nloss = (y - net({r})) * {k}", "silent"),
    Sink("predicted end", "loss = (net({r}) - {d}) ** 2\ny = {r} + gamma * {q}", "silent", of="flag"),
]

RECURSIONS = [
    Sink(
        "GAE",
        """\
last = 0.0
for t in reversed(range(128)):
    delta = {r}[t] + gamma * {v}[t + 1] * {kt} - {v}[t]  # cut
    last = delta + gamma * lam * {kt} * last  # cut
    advantages[t] = last
""",
        "recursion",
    ),
    Sink(
        "GAE, mask in a name",
        """\
last = 0.0
for t in reversed(range(len({r}))):
    alive = {kt}  # cut
    delta = {r}[t] + 0.99 * {v}[t + 1] * alive - {v}[t]  # cut
    advantages[t] = last = delta + 0.99 * 0.95 * alive * last
""",
        "recursion",
    ),
    Sink(
        "GAE over an array",
        """\
advantages = np.zeros(129)
for t in reversed(range(128)):
    delta = {r}[t] + gamma * {v}[t + 1] * {kt} - {v}[t]  # cut
    advantages[t] = delta + gamma * lam * {kt} * advantages[t + 1]  # cut
""",
        "recursion",
    ),
    Sink(
        "returns",
        """\
total, returns = 0.0, []
for t in reversed(range(128)):
    total = {r}[t] + gamma * total * {kt}  # cut
    returns.insert(0, total)
""",
        "recursion",
    ),
    Sink(
        "returns, by branch",
        """\
total, returns = 0.0, []
for reward, ended in zip(reversed({r}), reversed({f})):
    if {ended}:  # cut
        total = 0.0
    total = reward + gamma * total
    returns.insert(0, total)
""",
        "recursion",
    ),
    Sink(
        "GAE, two masks",
        """\
last = 0.0
for t in reversed(range(128)):
    delta = {r}[t] + gamma * {v}[t + 1] * (1 - {e}[t]) - {v}[t]
    last = delta + gamma * lam * {kt} * last
    advantages[t] = last
""",
        "silent",
    ),
    Sink(
        "returns of one episode",
        """\
total, returns = 0.0, []
for reward in reversed({r}):
    total = reward + gamma * total
    returns.insert(0, total)
""",
        "silent",
    ),
    Sink("ends counted", "print(sum({f}), len({r}))", "silent"),
]

"""Builds small projects whose verdict is known, because it follows from the parts they are made of.

A project is a *birth* (what the step returns), a *flag* made of it, *casts*, a *channel* (how the flag travels, and
over which files) and a *sink* (what is made of it). The rows where the model may report carry a marker:

    # store   the flag is put where a one-step target reads it later
    # cut     the flag, or the mask made of it, cuts a target or a recursion

A project that is right has the same markers: there they say nothing. Every choice goes through one function, so
that hypothesis can draw (and shrink) it and a plain random generator can run thousands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import dedent, indent
from typing import Literal, TypeVar

T = TypeVar("T")


class Choose:
    """Takes one of several parts, and remembers which."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        """`pick(n)` answers with a number below n."""
        self.pick = pick

    def __call__(self, parts: Sequence[T]) -> T:
        return parts[self.pick(len(parts))]


_MARKER = re.compile(r"  # (?P<what>store|cut|store, cut)$")

Verdict = Literal["silent", "target", "recursion"]


@dataclass(frozen=True)
class Project:
    """Files with markers, and what the model has to say about them."""

    files: dict[str, str]
    verdict: Verdict
    #: The parts, for a failure's message.
    parts: str

    def markers(self) -> dict[tuple[str, int], tuple[str, ...]]:
        """The rows where something may be reported, and what."""
        return {
            (path, row): tuple(marker["what"].split(", "))
            for path, text in self.files.items()
            for row, line in enumerate(text.splitlines(), 1)
            if (marker := _MARKER.search(line))
        }

    def __str__(self) -> str:
        texts = "".join(f"\n# {path}\n{text}" for path, text in self.files.items())
        return f"{self.verdict}: {self.parts}{texts}"


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
_RECASTS = [
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


_UNIONS = [
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
_ARRAY_UNIONS = [
    "{t} | {u}",
    "np.logical_or({t}, {u})",
    "np.maximum({t}, {u})",
    "({t} + {u}) > 0",
    "np.bitwise_or({t}, {u})",
    "torch.logical_or(torch.tensor({t}), torch.tensor({u}))",
    "~(~{t} & ~{u})",
]
_TERMINATED = ["{t}", "({t} or {u}) and not {u}", "{t} and not {u}"]
_ARRAY_TERMINATED = ["{t}", "({t} | {u}) & ~{u}", "np.logical_and({t} | {u}, np.logical_not({u}))"]
_OLD_TERMINATED = ['{d} and not info.get("TimeLimit.truncated", False)', '{d} and "TimeLimit.truncated" not in info']
_LIMITED = ["{t} or steps >= 200", "{t} or steps == max_steps", "bool({t} or steps > 99)"]

_CASTS = ["{}", "{}", "bool({})", "float({})", "int({})", "np.float32({})", "1.0 if {} else 0.0"]
_ARRAY_CASTS = ["{}", "{}", "np.array({})", "torch.as_tensor({}).float()", "np.asarray({}).astype(np.float32)"]
_KEEPS = ["1 - {}", "not {}", "0.0 if {} else 1.0", "1.0 - float({})", "float(not {})"]
_ARRAY_KEEPS = ["1 - {}", "~{}", "np.logical_not({})", "1.0 - torch.tensor({}).float()", "np.where({}, 0.0, 1.0)"]


def _flag(choose: Choose, birth: Birth, *, holds: Sequence[Holds]) -> Flag:
    """A flag of the wanted content, if the birth has it (else of another)."""
    wanted = choose(holds)
    names = {"t": birth.terminated or birth.union, "u": birth.truncated, "d": birth.union}
    if birth.union:
        right = not birth.array and wanted == "terminated"
        text = choose(_OLD_TERMINATED) if right else "{d}"
        return Flag(text.format(**names), "terminated" if right else "done")
    if wanted == "limit" and not birth.array:
        return Flag(choose(_LIMITED).format(**names), "limit")
    if wanted == "terminated":
        return Flag(choose(_ARRAY_TERMINATED if birth.array else _TERMINATED).format(**names), "terminated")
    return Flag(choose(_ARRAY_UNIONS if birth.array else _UNIONS).format(**names), "done")


def _is_atom(text: str) -> bool:
    return text.isidentifier()


def _within(form: str, text: str) -> str:
    """The expression inside another, in brackets where it needs them."""
    inside = text if _is_atom(text) or form == "{}" or "({})" in form else f"({text})"
    return form.format(inside)


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


_DEQUE: Callable[[str, Sequence[str]], list[str]] = lambda m, names: [f"{m}rows = deque(maxlen=1000)"]  # noqa: E731
_SAMPLE = "batch = random.sample({m}rows, 32)"


def _tuple_store(name: str, columns: Callable[[str, Sequence[str]], list[str]], bracket: str = "()") -> Store:
    return Store(
        name,
        _DEQUE,
        lambda m, row: [f"{m}rows.append({bracket[0]}{_values(row)}{bracket[1]})"],
        columns,
        ordered=lambda m, names: [f"{_columns(names)} = zip(*{m}rows)"],
        rows=lambda m, names: [f"for {_columns(names)} in random.sample({m}rows, 8):"],
    )


def _named(definition: Callable[[Sequence[str]], str], name: str, columns: Callable[..., list[str]]) -> Store:
    return Store(
        name,
        _DEQUE,
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
    _tuple_store("tuples, by number", _each("b_{name} = np.array([row[{place}] for row in batch])")),
    _tuple_store("lists, by number", _each("b_{name} = torch.tensor([row[{place}] for row in batch])"), "[]"),
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
        _DEQUE,
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
        ordered=lambda m, names: [f"b_{name} = {m}{name}_buf" for name in names],
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
        ordered=lambda m, names: [f"b_{name} = {m}{name}_buf" for name in names],
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
        ordered=lambda m, names: [f"b_{name} = {m}data[{name!r}]" for name in names],
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
        ordered=lambda m, names: [f"b_{name} = {m}data[{name!r}]" for name in names],
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
        ordered=lambda m, names: [f"{_columns(names)} = zip(*{m}rows)"],
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
        lambda m, names: [f"b_{name} = np.array({m}data[{name!r}])" for name in names],
    ),
    Store(
        "defaultdict",
        lambda m, names: [f"{m}data = defaultdict(list)"],
        lambda m, row: [f"{m}data[{name!r}].append({value})" for name, value in row],
        lambda m, names: [f"b_{name} = torch.tensor({m}data[{name!r}])" for name in names],
    ),
    Store(
        "arrays that grow",
        lambda m, names: [f"{m}{name}_all = np.array([])" for name in names],
        lambda m, row: [f"{m}{name}_all = np.append({m}{name}_all, {value})" for name, value in row],
        lambda m, names: [f"b_{name} = {m}{name}_all[-32:]" for name in names],
        ordered=lambda m, names: [f"b_{name} = {m}{name}_all" for name in names],
        arrays=True,
    ),
    Store(
        "deques",
        lambda m, names: [f"{m}{name}_q = deque(maxlen=1000)" for name in names],
        lambda m, row: [f"{m}{name}_q.append(torch.tensor([{value}]))" for name, value in row],
        lambda m, names: [f"b_{name} = torch.stack(list({m}{name}_q))" for name in names],
        ordered=lambda m, names: [f"b_{name} = torch.cat(list({m}{name}_q))" for name in names],
        arrays=True,
    ),
    Store(
        "lists",
        lambda m, names: [f"{m}{name}_list = []" for name in names],
        lambda m, row: [f"{m}{name}_list.append({value})" for name, value in row],
        lambda m, names: [f"b_{name} = np.array({m}{name}_list[-32:])" for name in names],
        ordered=lambda m, names: [f"b_{name} = {m}{name}_list" for name in names],
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


# --- the whole -----------------------------------------------------------------------------------------

IMPORTS = """\
import random
from collections import defaultdict, deque, namedtuple
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
import tensorflow as tf
import torch
"""


@dataclass
class _Files:
    """The texts in the making: for each file its imports, definitions and body."""

    heads: dict[str, list[str]] = field(default_factory=dict)
    bodies: dict[str, list[str]] = field(default_factory=dict)

    def head(self, path: str, row: str) -> None:
        self.heads.setdefault(path, []).append(row)

    def add(self, path: str, text: str) -> None:
        self.bodies.setdefault(path, []).append(text)

    def written(self) -> dict[str, str]:
        return {
            path: IMPORTS + "".join(f"{row}\n" for row in self.heads.get(path, [])) + "\n\n" + "\n\n".join(texts) + "\n"
            for path, texts in self.bodies.items()
        }


FLAG_NAMES = ["done", "d", "over", "terminal", "ended", "flag", "is_done"]
MASK_NAMES = ["mask", "not_done", "keep", "alive", "m"]

#: Where the container and the sink live.
PLACES = ["inline", "function", "memory class", "memory file", "agent owns memory", "agent"]


def project(choose: Choose) -> Project:
    """One project, chosen part by part."""
    birth = choose(BIRTHS)
    family = choose(["one-step", "one-step", "one-step", "harmless", "recursion"])
    if family == "recursion":
        sink = choose(RECURSIONS)
        # A recursion cut by *terminated* alone is GYM206's affair.
        flag = _flag(choose, birth, holds=["done"])
        second = "two masks" in sink.name
        if second and birth.union:
            sink = RECURSIONS[0]
            second = False
    else:
        flag = _flag(choose, birth, holds=["done", "done", "terminated", "limit"])
        second = False
        sink = choose(TARGETS if family == "one-step" else HARMLESS)
    return _Assembly(choose, birth, flag, sink, family, second).project()


class _Assembly:
    """Puts the parts of one project together."""

    def __init__(self, choose: Choose, birth: Birth, flag: Flag, sink: Sink, family: str, second: bool) -> None:
        self.choose = choose
        self.birth = birth
        self.flag = flag
        self.sink = sink
        self.family = family
        self.second = second
        self.files = _Files()
        self.parts = [birth.name, f"`{flag.text}`", sink.name]

    def project(self) -> Project:
        """The files and their verdict."""
        choose, birth = self.choose, self.birth
        made, self.value, self.keep = self._made()
        interaction = self._interaction(made)
        if self.family != "recursion" and choose([False, False, True]):
            creation, inner, after = self._direct()
        else:
            creation, inner, after = self._stored()
        reset = choose(
            [
                f"if {self._ended()}:\n    {birth.reset}\n    steps = 0",
                f"if {self._ended()}:\n    break",
            ]
        )
        body = "\n".join([*interaction, *inner, "obs = next_obs", *([] if birth.array else [reset])])
        episode = choose([True, False])
        loop = "\n".join(
            [
                *creation,
                birth.reset,
                "steps, max_steps, gamma, lam = 0, 200, 0.99, 0.95",
                "count, total, hidden = 0, 0.0, start()",
                "advantages = [0.0] * 128",
                "for _ in range(1000):" if episode else "while True:",
                "    action = policy(obs)",
                "    steps += 1",
                indent(body, "    "),
                *([indent("\n".join(after), "    ")] if after and self.family != "recursion" else after),
            ]
        )
        self._main(loop)
        files = self.files.written()
        return Project(files, self._verdict(), ", ".join(self.parts))

    def _verdict(self) -> Verdict:
        holds = self.flag.holds == "limit" or (self.flag.holds == "done" and self.birth.truncates)
        return self.sink.verdict if holds else "silent"

    def _made(self) -> tuple[list[str], str, bool]:
        """Rows that make the flag, the expression that is handed on, and whether it is a mask."""
        choose, array = self.choose, self.birth.array
        text = self.flag.text
        rows: list[str] = []
        if choose([True, True, False]) or not _is_atom(text):
            name = choose([n for n in FLAG_NAMES if n not in (self.birth.terminated, self.birth.truncated)])
            if text != name:
                rows.append(f"{name} = {text}")
            text = name
        cast = choose(_ARRAY_CASTS if array else _CASTS)
        text = _within(cast, text)
        keep = choose([False, False, False, True])
        bare = cast == "{}" or "bool(" in cast
        forms = [f for f in (_ARRAY_KEEPS if array else _KEEPS) if bare or not f.startswith(("~", "np.w"))]
        if keep:
            text = _within(choose(forms), text)
            self.parts.append(f"stored as `{text}`")
            if choose([True, False]):
                name = choose(MASK_NAMES)
                rows.append(f"{name} = {text}  # cut")
                text = name
        elif cast != "{}":
            self.parts.append(f"cast `{text}`")
        return rows, text, keep

    def _ended(self) -> str:
        birth = self.birth
        return birth.union or f"{birth.terminated} or {birth.truncated}"

    def _interaction(self, made: list[str]) -> list[str]:
        """The step itself, in the loop, in a function or in a class that keeps what came."""
        birth, choose = self.birth, self.choose
        step = f"{birth.slots} = env.step(action)"
        how = choose(["plain", "plain", "plain", "function", "result", "runner"])
        if how == "plain" or self.second or self.flag.holds == "limit":
            # whether a parameter counts steps is not visible in a helper
            return [step, *made]
        self.parts.append(f"step by {how}")
        end = birth.union or f"{birth.terminated}, {birth.truncated}"
        if how == "result":
            return ["result = env.step(action)", f"{birth.slots} = result", *made]
        if how == "function":
            helper = "\n".join(
                [
                    "def interact(env, action, steps=0, max_steps=200):",
                    indent(
                        "\n".join([step, *made, f"return next_obs, reward, {end}, {self.value}{self._cut()}"]), "    "
                    ),
                ]
            )
            path = choose(["main.py", "steps.py"])
            self.files.add(path, helper)
            if path != "main.py":
                self.files.head("main.py", "from steps import interact")
            self.value = choose(["what", "x", "flag"])
            return [f"next_obs, reward, {end}, {self.value} = interact(env, action, steps, max_steps)"]
        runner = "\n".join(
            [
                "class Runner:",
                "    def __init__(self, env):",
                "        self.env = env",
                "        self.ended = None",
                "",
                "    def advance(self, action, steps=0, max_steps=200):",
                indent(
                    "\n".join(
                        [
                            step.replace("env.step", "self.env.step"),
                            *made,
                            f"self.ended = {self.value}{self._cut()}",
                            f"return next_obs, reward, {end}",
                        ]
                    ),
                    "        ",
                ),
            ]
        )
        self.files.add("main.py", runner)
        self.runner = True
        self.value = "runner.ended"
        return [f"next_obs, reward, {end} = runner.advance(action, steps, max_steps)"]

    runner = False

    # --- sinks ---

    def _written(self, sink: Sink, array: bool, names: dict[str, str], *, boolean: bool) -> str:
        """The sink's rows, of the flag or mask that `names` gives."""
        choose = self.choose
        f = names["f"]
        if self.keep:
            keeps = [f]
            flags = [f"(1 - {f})", f"({f} == 0)"]
        elif array:
            keeps = [f"(1 - {f})", f"(1.0 - {f})", f"(1 - {f}.astype(int))", f"(1 - {f}.float())"]
            flags = [f, f"({f} == 1)"] if boolean else [f"({f} == 1)", f"{f}.astype(bool)"]
        else:
            keeps = [f"(1 - {f})", f"(1 - int({f}))", f"(1.0 - float({f}))", f"(0.0 if {f} else 1.0)", f"(not {f})"]
            flags = [f, f"bool({f})", f"{f} == True"]
        return sink.text.format(r=names["r"], q=f"net({names['s']})", d=choose(flags), k=choose(keeps))

    def _fitting(self, array: bool) -> Sink:
        """The chosen sink, or one of its family that suits the shape."""
        family = TARGETS if self.sink in TARGETS else HARMLESS
        if self.sink.shape in ("both", "array" if array else "scalar"):
            return self.sink
        self.sink = self.choose([s for s in family if s.shape in ("both", "array" if array else "scalar")])
        self.parts.append(f"rather {self.sink.name}")
        return self.sink

    def _direct(self) -> tuple[list[str], list[str], list[str]]:
        """No container: the sink stands in the loop, or in what the loop calls."""
        choose, array = self.choose, self.birth.array
        sink = self._fitting(array)
        place = choose(["loop", "function", "other file", "method", "attribute"])
        self.parts.append(f"sink in {place}")
        if place == "loop":
            names = {"r": "reward", "s": "next_obs", "f": self.value}
            if not self.value.replace(".", "").isidentifier():
                names["f"] = "x"
                rows = [f"x = {self.value}{self._cut()}"]
            else:
                rows = []
            text = self._written(sink, array, names, boolean=False)
            return [], [*rows, text], []
        name = choose(MASK_NAMES if self.keep else FLAG_NAMES)
        cut = self._cut()
        inner = self._written(sink, array, {"r": "reward", "s": "next_obs", "f": name}, boolean=False)
        setup = "gamma, lam = 0.99, 0.95\ncount, total, hidden = 0, 0.0, start()"
        if place in ("function", "other file"):
            path = "main.py" if place == "function" else "learning.py"
            self.files.add(
                path, f"def learn(reward, next_obs, {name}):\n{indent(setup, '    ')}\n{indent(inner, '    ')}"
            )
            if path != "main.py":
                self.files.head("main.py", choose(["from learning import learn", "from learning import *"]))
            passed = choose([self.value, f"{name}={self.value}"])
            return [], [f"learn(reward, next_obs, {passed}){cut}"], []
        path = choose(["main.py", "agents/agent.py"])
        if path != "main.py":
            self.files.add("agents/__init__.py", "")
            self.files.head("main.py", "from agents.agent import Agent")
        if place == "method":
            self.files.add(
                path,
                "class Agent:\n    def learn(self, reward, next_obs, {}):\n{}\n{}".format(
                    name, indent(setup, " " * 8), indent(inner, " " * 8)
                ),
            )
            return ["agent = Agent()"], [f"agent.learn(reward, next_obs, {self.value}){cut}"], []
        inner = self._written(
            sink, array, {"r": "self.reward", "s": "self.next_obs", "f": f"self.{name}"}, boolean=False
        )
        self.files.add(
            path,
            dedent(f"""\
                class Agent:
                    def observe(self, reward, next_obs, {name}):
                        self.reward = reward
                        self.next_obs = next_obs
                        self.{name} = {name}

                    def learn(self):
                """).rstrip()
            + f"\n{indent(setup, ' ' * 8)}\n{indent(inner, ' ' * 8)}",
        )
        return ["agent = Agent()"], [f"agent.observe(reward, next_obs, {self.value}){cut}", "agent.learn()"], []

    # --- containers ---

    def _stored(self) -> tuple[list[str], list[str], list[str]]:
        choose = self.choose
        recursion = self.family == "recursion"
        store = choose([s for s in STORES if s.ordered] if recursion else STORES)
        place = choose(PLACES)
        self.parts += [store.name, place]
        name = choose(MASK_NAMES if self.keep else FLAG_NAMES)
        if recursion:
            row = [("reward", "reward"), ("value", "net(obs)"), (name, self.value)]
            if self.second:
                row.append(("only", self.birth.terminated))
        else:
            row = [("obs", "obs"), ("reward", "reward"), ("next_obs", "next_obs"), (name, self.value)]
        names = [n for n, _ in row]
        by_row = not recursion and store.rows is not None and place != "memory file" and choose([False, True])
        array = not by_row or self.birth.array
        if not recursion:
            self._fitting(array)

        def take(m: str) -> list[str]:
            if recursion:
                assert store.ordered is not None
                return store.ordered(m, names)
            if by_row:
                assert store.rows is not None
                return store.rows(m, names)
            return store.columns(m, names)

        def sinking(prefix: str = "b_") -> str:
            if recursion:
                f = f"{prefix}{name}"
                kt = f"{f}[t]" if self.keep else choose([f"(1 - {f}[t])", f"(1.0 - float({f}[t]))"])
                ended = "not ended" if self.keep else "ended"
                return self.sink.text.format(
                    r=f"{prefix}reward", v=f"{prefix}value", f=f, kt=kt, ended=ended, e=f"{prefix}only"
                )
            text = self._written(
                self.sink,
                array,
                {"r": f"{prefix}reward", "s": f"{prefix}next_obs", "f": f"{prefix}{name}"},
                boolean=not store.arrays,
            )
            return indent(text, "    ") if by_row else text

        plain = take
        recast = choose(_RECASTS) if not by_row and not recursion and not self.birth.array else ""
        if recast:
            self.parts.append(f"read by {recast}")

            def take(m: str) -> list[str]:
                return [*plain(m), f"b_{name} = {recast.format(f'b_{name}')}"]

        setup = "gamma, lam = 0.99, 0.95\ncount, total, hidden = 0, 0.0, start()\nadvantages = [0.0] * 128"
        defined = store.defined(names)
        if place in ("inline", "function"):
            if defined:
                self.files.add("main.py", defined)
            put = [self._marked(r) for r in store.put("", row)]
            if place == "inline":
                return store.made("", names), put, [*take(""), sinking()]
            columns = [f"b_{n}" for n in names if n != "obs"]
            if by_row:
                return store.made("", names), put, [*take(""), sinking()]
            text = indent(f"{setup}\n{sinking()}", "    ")
            path = choose(["main.py", "learning.py"])
            self.files.add(path, f"def learn({', '.join(columns)}):\n{text}")
            if path != "main.py":
                self.files.head("main.py", "import learning")
            call = "learn" if path == "main.py" else "learning.learn"
            return store.made("", names), put, [*take(""), f"{call}({', '.join(columns)})"]
        if place == "agent":
            return self._agent(store, names, row, name, defined, take, f"{setup}\n", sinking)
        return self._memory(store, names, row, name, defined, take, setup, sinking, place, by_row)

    def _cut(self) -> str:
        """The marker of a row that hands the flag on: perhaps the mask is made there."""
        return "" if self.value.replace(".", "").isidentifier() else "  # cut"

    def _store(self) -> str:
        """The marker of a row that stores the flag."""
        return "  # store, cut" if self._cut() else "  # store"

    def _marked(self, row: str) -> str:
        return f"{row}{self._store()}" if self.value in row else row

    def _agent(self, store, names, row, name, defined, take, setup, sinking):  # type: ignore[no-untyped-def]
        """One class has the container, fills it and learns from it."""
        path = self.choose(["main.py", "agent.py"])
        if defined:
            self.files.add(path, defined)
        parameters = list(names)
        inner = store.put("self.", [(n, n) for n in names])
        text = "\n".join(
            [
                "class Agent:",
                "    def __init__(self):",
                *(f"        {r}" for r in store.made("self.", names)),
                "",
                f"    def remember(self, {', '.join(parameters)}):",
                *(f"        {r}" for r in inner),
                "",
                "    def learn(self):",
                indent(setup, " " * 8).rstrip(),
                *(f"        {r}" for r in take("self.")),
                indent(sinking(), " " * 8),
            ]
        )
        self.files.add(path, text)
        if path != "main.py":
            self.files.head("main.py", "from agent import Agent")
        values = ", ".join(v for _, v in row)
        return ["agent = Agent()"], [f"agent.remember({values}){self._store()}"], ["agent.learn()"]

    def _memory(self, store, names, row, name, defined, take, setup, sinking, place, by_row):  # type: ignore[no-untyped-def]
        """A class has the container; the sink asks it for a batch, or walks over its rows."""
        choose = self.choose
        path = "main.py" if place == "memory class" else "memory.py"
        if defined:
            self.files.add(path, defined)
        columns = [f"b_{n}" for n in names]
        back = choose(["tuple", "dict", "list"])
        given = {
            "tuple": f"return {', '.join(columns)}",
            "dict": f"return {{{', '.join(f'{n!r}: b_{n}' for n in names)}}}",
            "list": f"return [{', '.join(columns)}]",
        }[back]
        sample = [] if by_row else ["    def sample(self):", *(f"        {r}" for r in [*take("self."), given])]
        class_name = choose(["Memory", "ReplayBuffer"])
        text = "\n".join(
            [
                f"class {class_name}:",
                "    def __init__(self):",
                *(f"        {r}" for r in store.made("self.", names)),
                "",
                f"    def push(self, {', '.join(names)}):",
                *(f"        {r}" for r in store.put("self.", [(n, n) for n in names])),
                "",
                *sample,
            ]
        )
        self.files.add(path, text)
        values = ", ".join(v for _, v in row)

        def taken(memory: str) -> list[str]:
            if by_row:
                return take(f"{memory}.")
            if back != "dict":
                return [choose([f"{', '.join(columns)} = {memory}.sample()"])]
            return [f"batch = {memory}.sample()", *(f"b_{n} = batch[{n!r}]" for n in names)]

        imported = f"from memory import {class_name}"
        if place == "agent owns memory":
            self.files.head("agent.py", imported)
            self.files.head("main.py", "from agent import Agent")
            self.files.add(
                "agent.py",
                "\n".join(
                    [
                        "class Agent:",
                        "    def __init__(self):",
                        f"        self.memory = {class_name}()",
                        "",
                        f"    def remember(self, {', '.join(names)}):",
                        f"        self.memory.push({', '.join(names)})",
                        "",
                        "    def learn(self):",
                        indent(setup, " " * 8),
                        *(f"        {r}" for r in taken("self.memory")),
                        indent(sinking(), " " * 8),
                    ]
                ),
            )
            return ["agent = Agent()"], [f"agent.remember({values}){self._store()}"], ["agent.learn()"]
        if path != "main.py":
            self.files.head("main.py", imported)
        put = f"memory.push({values}){self._store()}"
        if choose([True, False]):
            return [f"memory = {class_name}()"], [put], [*taken("memory"), sinking()]
        where = choose(["main.py", "learning.py"])
        rows = indent("\n".join([setup, *taken("memory"), sinking()]), "    ")
        self.files.add(where, f"def learn(memory):\n{rows}")
        if where != "main.py":
            self.files.head("main.py", "from learning import learn")
        return [f"memory = {class_name}()"], [put], ["learn(memory)"]

    # --- the program around it ---

    def _main(self, loop: str) -> None:
        birth, choose = self.birth, self.choose
        self.files.heads.setdefault("main.py", []).insert(0, birth.imports)
        definitions = self.files.bodies.setdefault("main.py", [])
        if birth.definitions:
            definitions.insert(0, birth.definitions.strip())
        made = f"env = {birth.made}"
        if choose([False, False, True]):
            definitions.append(f"def make_env():\n    return {birth.made}")
            made = "env = make_env()"
        if self.runner:
            loop = f"runner = Runner(env)\n{loop}"
        form = choose(["module", "function", "parameter"])
        if form == "module":
            definitions.append(f"{made}\n{loop}")
        elif form == "function":
            body = indent(f"{made}\n{loop}", "    ")
            definitions.append(f"def main():\n{body}")
            definitions.append('if __name__ == "__main__":\n    main()')
        else:
            definitions.append(f"def train(env):\n{indent(loop, '    ')}")
            definitions.append(f'if __name__ == "__main__":\n    {made}\n    train(env)')

"""The containers of generated projects: how they are filled with rows and read back as columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


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

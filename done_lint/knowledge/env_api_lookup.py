"""Which API a dotted name of a library speaks: looks the tables of `env_api_rows.py` up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache

from done_lint.knowledge.env_api_rows import ANYWHERE, BASES, CONSTRUCTORS, HOLDERS, METHODS, WRAPPERS, Row
from done_lint.knowledge.env_apis import BY_ARGUMENT, Api
from done_lint.knowledge.packages_for_gym import FOR_GYM_IN

#: Rows by package: most names of a program are in none, and a look-up is to cost nothing for them.
Index = Mapping[str, Sequence[tuple[str, Row]]]


def _by_package(rows: Iterable[Row]) -> Index:
    index: defaultdict[str, list[tuple[str, Row]]] = defaultdict(list)
    for row in rows:
        for package in row.packages:
            index[package] += [(name, row) for name in row.names]
    return dict(index)


_CONSTRUCTORS = _by_package(CONSTRUCTORS)
_BASES = _by_package(BASES)
_WRAPPERS = _by_package(WRAPPERS)
_HOLDERS = _by_package(HOLDERS)


@cache
def constructor(dotted: str) -> Api | None:
    """API of the environment that a call of `dotted` (an absolute import path) gives."""
    row = _row(_CONSTRUCTORS, dotted)
    return row.api if row else None


@cache
def base(dotted: str) -> Api | None:
    """API of an instance of `dotted`, taken as a base class or an annotation."""
    row = _row(_BASES, dotted) or _row(_CONSTRUCTORS, dotted)
    return row.api if row else None


@cache
def base_by_name(dotted: str) -> bool:
    """Whether only the last name of `dotted` says which API its instances have: a copy of a library is named so."""
    row = _row(_BASES, dotted) or _row(_CONSTRUCTORS, dotted)
    return row is not None and ANYWHERE in row.packages


@cache
def wraps(dotted: str) -> bool:
    """Whether a call of `dotted` answers in the API of its first argument."""
    return constructor(dotted) is None and _row(_WRAPPERS, dotted) is not None


@cache
def wraps_any(dotted: str) -> bool:
    """Whether a call of `dotted` wraps environments of several APIs, so that it says nothing of what is inside."""
    row = _row(_WRAPPERS, dotted)
    return wraps(dotted) and row is not None and row.api == BY_ARGUMENT


@cache
def held_by(dotted: str) -> Api | None:
    """API of the environment that instances of `dotted` hold as `env`."""
    row = _row(_HOLDERS, dotted)
    return row.api if row else None


@cache
def unlimited(dotted: str) -> bool:
    """Whether a call of `dotted` gives an environment without a time limit (a class, not `make`)."""
    row = _row(_CONSTRUCTORS, dotted)
    return row is not None and row.unlimited


@cache
def own_class(dotted: str) -> str:
    """The class of an environment of Gym's or Gymnasium's own that a dotted name is, `FrozenLakeEnv`; or empty."""
    package, _, name = dotted.rpartition(".")
    return name if f"{package}.".startswith(("gym.envs.", "gymnasium.envs.")) and unlimited(dotted) else ""


def method(name: str, imported: Collection[str]) -> Api | None:
    """API of the environment that method or attribute `name` gives in a file that imports these packages."""
    for row in METHODS:
        if name in row.names and any(package in imported for package in row.packages):
            return row.api
    return None


def _row(index: Index, dotted: str) -> Row | None:
    """The row that fits best: longest package, then a name without a wildcard."""
    package = dotted
    while package:
        package = package.rpartition(".")[0]
        best: Row | None = None
        best_precision = -1
        for name, row in index.get(package or ANYWHERE, ()):
            precision = _precision(dotted, name)
            if precision > best_precision:
                best, best_precision = row, precision
        if best is not None:
            return best
    return None


def _precision(dotted: str, name: str) -> int:
    """How well `name` fits the end of `dotted`: 2 or more exactly, 1 by wildcard, 0 by `*` alone, -1 not at all."""
    tail = ".".join(dotted.split(".")[-1 - name.count(".") :])
    if tail == name:
        return 2 + name.count(".")
    if name == "*":
        return 0
    return 1 if "*" in name and fnmatchcase(tail, name) else -1


def modules_for_gym(imported: Collection[str]) -> list[str]:
    """The modules that alone are for Gym in their packages, of those that dotted names are, or are in."""
    found = sorted(FOR_GYM_IN.values())
    return [module for module in found if any(f"{one}.".startswith(f"{module}.") for one in imported)]

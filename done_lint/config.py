"""Settings: what is asked for, from the command line, `pyproject.toml` or `done-lint.toml`."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from done_lint.target import NEWEST, Release, release, required

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    import pathspec

#: What selects every rule.
ALL = "GYM"

PerFileIgnores = tuple[tuple[str, tuple[str, ...]], ...]


class ConfigError(Exception):
    """A setting that cannot be: one clear line."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is asked to do with the files of one project."""

    #: Prefixes of codes; the longest prefix that fits decides, and of two equal ones `ignore`.
    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    #: Patterns in the language of `.gitignore`, relative to `root`, beside the built-in ones.
    exclude: tuple[str, ...] = ()
    per_file_ignores: PerFileIgnores = ()
    #: Constructor or base class to the name of the API that its environments speak.
    env_apis: Mapping[str, str] = field(default_factory=dict)
    #: The Gymnasium release to migrate to; empty: the newest that this version of done-lint knows.
    target_version: str = ""
    #: Whether a folder gives its documents, and a Python file the examples in its docstrings.
    include_docs: bool = False
    #: Folder that the patterns are relative to.
    root: str = ""
    #: The file that the settings came from, if any.
    origin: str = ""

    @property
    def target(self) -> Release:
        """The Gymnasium release to migrate to, as rules compare it."""
        return release(self.target_version) if self.target_version else NEWEST

    def enabled(self, code: str, path: str) -> bool:
        """Whether a rule is to be run on a file."""
        selected = _longest(code, (*self.select, *self.extend_select))
        if selected <= _longest(code, self.ignore):
            return False
        return not any(
            code.startswith(codes) and matches((pattern,), path, self.root) for pattern, codes in self.per_file_ignores
        )

    def excludes(self, path: str, *, folder: bool = False) -> bool:
        """Whether `exclude` names this file or folder."""
        return bool(self.exclude) and matches(self.exclude, path, self.root, folder=folder)


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says about settings."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_file_ignores: PerFileIgnores = ()
    target_version: str = ""
    include_docs: bool = False
    isolated: bool = False
    config: str = ""

    def settings(self, folder: str) -> Settings:
        """The settings of the project in `folder`: its configuration under the command line.

        Where neither names a release of Gymnasium, the project's own dependencies do, unless `isolated`.

        Raises:
            ConfigError: the configuration cannot be read or is wrong.
        """
        settings = _of_project(os.path.abspath(folder), self.isolated, self.config)
        declared = "" if self.isolated else required(os.path.abspath(folder))
        return replace(
            settings,
            select=settings.select if self.select is None else self.select,
            ignore=settings.ignore + self.ignore,
            extend_select=settings.extend_select + self.extend_select,
            exclude=settings.exclude + self.exclude,
            per_file_ignores=settings.per_file_ignores + self.per_file_ignores,
            target_version=self.target_version or settings.target_version or declared,
            include_docs=self.include_docs or settings.include_docs,
        )


def matches(patterns: Sequence[str], path: str, root: str, *, folder: bool = False) -> bool:
    """Whether a pattern, relative to `root`, names the path or one of its folders; outside of `root` none does."""
    if not patterns:
        return False
    relative = os.path.relpath(os.path.abspath(path), os.path.abspath(root))
    if relative.startswith(os.pardir):
        return False
    return _spec(tuple(patterns)).match_file(relative.replace(os.sep, "/") + "/" * folder)


def codes(values: Iterable[str], where: str) -> tuple[str, ...]:
    """Prefixes of codes, each checked.

    Raises:
        ConfigError: a prefix fits no rule; the nearest valid code is named.
    """
    # `done_lint.rules` brings LibCST along: only who names a code pays for it.
    from done_lint.rules.codes import CODES

    checked = []
    for value in values:
        prefix = ALL if value == "ALL" else value
        if not (prefix and any(code.startswith(prefix) for code in CODES)):
            raise ConfigError(f"{where}: unknown rule {value!r}; {nearest_code(value)}")
        checked.append(prefix)
    return tuple(checked)


def nearest_code(value: str) -> str:
    """A hint at the code that `value` was meant to be."""
    from done_lint.rules.codes import CODES

    by_name = {name: code for code, name in CODES.items()}
    if "-" in value or value.islower():  # a name, where a code belongs
        (nearest,) = difflib.get_close_matches(value, by_name, n=1, cutoff=0.0)
        return f"did you mean {by_name[nearest]} ({nearest})?"
    return hint(value.upper(), CODES)


def hint(value: str, valid: Iterable[str]) -> str:
    """Name the nearest valid word."""
    valid = list(valid)
    nearest = difflib.get_close_matches(value, valid, n=1, cutoff=0.0)
    return f"did you mean {nearest[0]}?" if nearest else ""


def per_file_ignores(values: Iterable[str]) -> PerFileIgnores:
    """Read `pattern:CODE,CODE,pattern:CODE` as the command line writes it.

    Raises:
        ConfigError: a code without pattern, or an unknown code.
    """
    where = "--per-file-ignores"
    found: list[tuple[str, list[str]]] = []
    for word in (word.strip() for value in values for word in value.split(",")):
        pattern, colon, code = word.rpartition(":")
        if colon:
            found.append((pattern.strip(), []))
        elif not found and word:
            raise ConfigError(f"{where}: {word!r} is not of the form PATTERN:CODE")
        if code.strip():
            found[-1][1].append(code.strip())
    return tuple((pattern, codes(named, where)) for pattern, named in found)


def target_version(value: str, where: str) -> str:
    """A release of Gymnasium.

    Raises:
        ConfigError: it is none.
    """
    if not re.fullmatch(r"\d+(\.\d+){0,2}", value):
        raise ConfigError(f"{where}: {value!r} is not a release of Gymnasium, such as '1.0'")
    return value


@lru_cache(maxsize=256)
def _spec(patterns: tuple[str, ...]) -> pathspec.PathSpec[Any]:
    import pathspec  # dear, and most projects exclude nothing

    return pathspec.GitIgnoreSpec.from_lines(patterns)


def _longest(code: str, prefixes: Iterable[str]) -> int:
    """Length of the longest prefix of `code`, 0 if none fits."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


@lru_cache(maxsize=1024)
def _of_project(folder: str, isolated: bool, config: str) -> Settings:
    if isolated:
        return Settings(root=os.getcwd())
    if config:
        path = Path(config)
        table = _table(path)
        if table is None:
            raise ConfigError(f"{config}: has no [tool.done-lint] table")
        return _settings(path, table)
    for parent in (Path(folder), *Path(folder).parents):
        for name in ("done-lint.toml", "pyproject.toml"):
            path = parent / name
            if path.is_file() and (table := _table(path)) is not None:
                return _settings(path, table)
    return Settings(root=folder)


def _table(path: Path) -> dict[str, Any] | None:
    """The table of a configuration file, None for a `pyproject.toml` that has none."""
    shown = _shown(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{shown}: cannot read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown}: is not UTF-8: {error.reason}") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message, place = str(error).replace("\n", " "), ""
        if match := re.search(r" \(at line (\d+), column (\d+)\)$", message):
            place, message = f":{match[1]}:{match[2]}", message[: match.start()]
        raise ConfigError(f"{shown}{place}: broken TOML: {message}") from error
    if path.name != "pyproject.toml":
        return data
    tool = data.get("tool", {})
    table: dict[str, Any] | None = tool.get("done-lint") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{shown}: `tool.done-lint` must be a table")
    return table


def _settings(path: Path, table: Mapping[str, Any]) -> Settings:
    """Read a table, key by key."""
    shown = _shown(path)
    values: dict[str, Any] = {}
    for key, value in table.items():
        where = f"{shown}: `{key}`"
        if key in ("select", "ignore", "extend-select"):
            values[key.replace("-", "_")] = codes(_strings(value, where), where)
        elif key == "exclude":
            values["exclude"] = _strings(value, where)
        elif key == "per-file-ignores":
            values["per_file_ignores"] = tuple(
                (pattern, codes(_strings(named, where), where)) for pattern, named in _mapping(value, where).items()
            )
        elif key == "env-apis":
            values["env_apis"] = _env_apis(_mapping(value, where), where)
        elif key == "target-version":
            if not isinstance(value, str):
                raise ConfigError(f"{where} must be a string")
            values["target_version"] = target_version(value, where)
        elif key == "include-docs":
            if not isinstance(value, bool):
                raise ConfigError(f"{where} must be true or false")
            values["include_docs"] = value
        else:
            known = (
                *("select", "ignore", "extend-select", "exclude", "per-file-ignores"),
                *("env-apis", "target-version", "include-docs"),
            )
            raise ConfigError(f"{shown}: unknown key `{key}`; {hint(key, known)}")
    return Settings(**values, root=str(path.resolve().parent), origin=shown)


def _strings(value: object, where: str) -> tuple[str, ...]:
    if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        raise ConfigError(f"{where} must be a list of strings")
    return tuple(value)


def _mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table")
    return value


def _env_apis(table: Mapping[str, Any], where: str) -> Mapping[str, str]:
    if not table:
        return {}
    from done_lint.model.env_apis import APIS  # a large table, needed only here

    for name, api in table.items():
        if not isinstance(api, str):
            raise ConfigError(f"{where}: the API of `{name}` must be a string")
        if api not in APIS:
            raise ConfigError(f"{where}: unknown API `{api}` of `{name}`; {hint(api, APIS)}")
    return dict(table)


def _shown(path: Path) -> str:
    """The path as the user would write it."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)

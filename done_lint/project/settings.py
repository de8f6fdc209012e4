"""Settings from the command line, `pyproject.toml` or `done-lint.toml`."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from done_lint.core import witness
from done_lint.core.codes import ALL, CODES, nearest, nearest_code
from done_lint.core.gymnasium_release import MINORS, Supported, is_release, release
from done_lint.core.paths import shown
from done_lint.project.pettingzoo_release import pettingzoo
from done_lint.project.required_release import supported
from done_lint.project.script_metadata import statement_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    import pathspec

#: Python files are rarely a tenth of this, and generated ones can be any size; time and memory grow in proportion.
MAX_FILE_SIZE = 2_000_000
PerFileIgnores = tuple[tuple[str, tuple[str, ...]], ...]


class ConfigError(Exception):
    """A setting that is wrong or cannot be read; the message is one line."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run for the files of one project."""

    #: Prefixes of codes; the longest matching prefix decides, and of two equal ones `ignore`.
    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    #: Patterns in the language of `.gitignore`, relative to `root`, beside the built-in ones.
    exclude: tuple[str, ...] = ()
    per_file_ignores: PerFileIgnores = ()
    #: Constructor or base class to the name of the API of its environments.
    env_apis: Mapping[str, str] = field(default_factory=dict)
    #: The Gymnasium release to migrate to; empty: those that the project's own dependencies allow.
    target_version: str = ""
    #: Whose file or option `target_version` is from.
    target_origin: str = ""
    #: Whether documents in folders and the examples in docstrings are checked too.
    include_docs: bool = False
    #: Bytes above which a file is skipped; 0: none is.
    max_file_size: int = MAX_FILE_SIZE
    #: Patterns of files that are old on purpose, and whether what says so itself is found.
    kept_old: tuple[str, ...] = ()
    find_kept_old: bool = True
    #: Packages (first names) whose environments are on Gymnasium, whatever the tables or their names say.
    moved_packages: tuple[str, ...] = ()
    #: Folder that the patterns are relative to.
    root: str = ""
    #: The file that the settings came from, if any.
    origin: str = ""
    #: The folder of the project, whose dependencies are read; empty: none are.
    project: str = ""

    def releases(self, path: str) -> Supported:
        """The releases of Gymnasium that a file has to run with."""
        if not self.project:
            own = Supported()
        else:
            file = os.path.abspath(path)
            place = statement_of(file)
            own = replace(supported(place, self.project), pettingzoo=pettingzoo(file, place, self.project))
        if not self.target_version:
            return own
        target = release(self.target_version)
        return Supported(target, target, self.target_origin, self.target_origin, own.own, own.pettingzoo)

    def selects(self, code: str) -> bool:
        """Whether a rule is on, apart from `per_file_ignores`."""
        return _longest(code, (*self.select, *self.extend_select)) > _longest(code, self.ignore)

    def enabled(self, code: str, path: str) -> bool:
        """Whether a rule is on for a file."""
        return self.selects(code) and not any(
            code.startswith(codes) and matches((pattern,), path, self.root) for pattern, codes in self.per_file_ignores
        )

    def excludes(self, path: str, *, folder: bool = False) -> bool:
        """Whether `exclude` names this file or folder."""
        return bool(self.exclude) and matches(self.exclude, path, self.root, folder=folder)


@dataclass(frozen=True, slots=True)
class Overrides:
    """The settings of the command line."""

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
        """The settings of the project in `folder`: its configuration, overridden by the command line.

        Where neither names a release of Gymnasium, the project's own dependencies do, unless `isolated`.

        Raises:
            ConfigError: the configuration cannot be read or is wrong.
        """
        settings = self._selecting(_of_project(os.path.abspath(folder), self.isolated, self.config))
        return replace(
            settings,
            exclude=settings.exclude + self.exclude,
            per_file_ignores=settings.per_file_ignores + self.per_file_ignores,
            target_version=self.target_version or settings.target_version,
            target_origin="--target-version" if self.target_version else settings.origin,
            project="" if self.isolated else os.path.abspath(folder),
            include_docs=self.include_docs or settings.include_docs,
        )

    def _selecting(self, settings: Settings) -> Settings:
        """The settings with the rules that the command line selects.

        As in ruff, `--select` replaces all that the configuration selects and ignores; `--ignore` and
        `--extend-select` change its result, so that they also override longer prefixes in the configuration.
        """
        if self.select is not None:
            return replace(settings, select=self.select, ignore=self.ignore, extend_select=self.extend_select)
        if not (self.ignore or self.extend_select):
            return settings
        named = Settings(select=(), ignore=self.ignore, extend_select=self.extend_select)
        selected = (
            code
            for code in CODES
            if named.selects(code) or (settings.selects(code) and not _longest(code, self.ignore))
        )
        return replace(settings, select=tuple(selected), ignore=(), extend_select=())


def matches(patterns: Sequence[str], path: str, root: str, *, folder: bool = False) -> bool:
    """Whether a pattern, relative to `root`, names the path or one of its folders; outside of `root` none does."""
    if not patterns:
        return False
    relative = os.path.relpath(os.path.abspath(path), os.path.abspath(root))
    if relative.startswith(os.pardir):
        return False
    return _spec(tuple(patterns)).match_file(relative.replace(os.sep, "/") + "/" * folder)


def codes(values: Iterable[str], where: str) -> tuple[str, ...]:
    """Prefixes of codes, from prefixes and names of rules in upper or lower case.

    Raises:
        ConfigError: a word matches no rule; the message has the most similar valid one.
    """
    return tuple(_code(value, where) for value in values)


def _code(value: str, where: str) -> str:
    if value.upper() == "ALL":
        return ALL
    prefix = named_rule(value) or value.upper()
    if not (prefix and any(code.startswith(prefix) for code in CODES)):
        raise ConfigError(f"{where}: unknown rule {value!r}; {nearest_code(value)}")
    return prefix


def named_rule(value: str) -> str | None:
    """The code of the rule with this code or name, in upper or lower case."""
    return next((code for code, name in CODES.items() if value.lower() in (code.lower(), name)), None)


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
    if not (re.fullmatch(r"\d+(\.\d+){0,2}", value) and is_release(value)):
        raise ConfigError(
            f"{where}: {value!r} is not a known release of Gymnasium; known releases are {', '.join(MINORS)}"
        )
    return value


@lru_cache(maxsize=256)
def _spec(patterns: tuple[str, ...]) -> pathspec.PathSpec[Any]:
    import pathspec  # slow to import, and most projects exclude nothing

    return pathspec.GitIgnoreSpec.from_lines(patterns)


def _longest(code: str, prefixes: Iterable[str]) -> int:
    """Length of the longest of the prefixes of `code`, 0 if there is none."""
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
            # `Path.is_file` raises where the folder cannot be read.
            if witness.is_file(str(path)) and (table := _table(path)) is not None:
                return _settings(path, table)
    return Settings(root=folder)


def _table(path: Path) -> dict[str, Any] | None:
    """The table of a configuration file, None for a `pyproject.toml` that has none."""
    name = shown(str(path))
    try:
        data = tomllib.loads(io.TextIOWrapper(io.BytesIO(witness.read(str(path))), "utf-8-sig").read())
    except OSError as error:
        raise ConfigError(f"{name}: cannot read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: is not UTF-8: {error.reason}") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message, place = str(error).replace("\n", " "), ""
        if match := re.search(r" \(at line (\d+), column (\d+)\)$", message):
            place, message = f":{match[1]}:{match[2]}", message[: match.start()]
        raise ConfigError(f"{name}{place}: invalid TOML: {message}") from error
    if path.name != "pyproject.toml":
        return data
    tool = data.get("tool", {})
    if isinstance(tool, dict) and "done_lint" in tool:
        raise ConfigError(f"{name}: `[tool.done_lint]` is ignored; write `[tool.done-lint]`")
    table: dict[str, Any] | None = tool.get("done-lint") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{name}: `tool.done-lint` must be a table")
    return table


def _settings(path: Path, table: Mapping[str, Any]) -> Settings:
    """The settings in a configuration table."""
    name = shown(str(path))
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key in ("tool", "done-lint", "done_lint"):
            raise ConfigError(
                f"{name}: the header `[tool.done-lint]` is only for pyproject.toml; write the keys without it here"
            )
        if key not in _READERS:
            hint = (
                f"did you mean {near}?" if (near := nearest(key, _READERS)) else f"the keys are {', '.join(_READERS)}"
            )
            raise ConfigError(f"{name}: unknown key `{key}`; {hint}")
        values[key.replace("-", "_")] = _READERS[key](value, f"{name}: `{key}`")
    return Settings(**values, root=str(path.resolve().parent), origin=name)


def _codes_in(value: object, where: str) -> tuple[str, ...]:
    return codes(_strings(value, where), where)


def _ignores_in(value: object, where: str) -> PerFileIgnores:
    return tuple((pattern, _codes_in(named, where)) for pattern, named in _mapping(value, where).items())


def _release_in(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{where} must be a string")
    return target_version(value, where)


def _flag_in(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{where} must be true or false")
    return value


def _size_in(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ConfigError(f"{where} must be a number of bytes; 0 means no limit")
    return value


def _strings(value: object, where: str) -> tuple[str, ...]:
    if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        raise ConfigError(f"{where} must be a list of strings")
    return tuple(value)


def _mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table")
    return value


def _env_apis(value: object, where: str) -> Mapping[str, str]:
    table = _mapping(value, where)
    if not table:
        return {}
    from done_lint.knowledge.env_api_rows import APIS

    for name, api in table.items():
        if not isinstance(api, str):
            raise ConfigError(f"{where}: the API of `{name}` must be a string")
        if api not in APIS:
            near = nearest(api, APIS)
            hint = f"did you mean {near}?" if near else "the APIs are listed in done_lint/knowledge/env_apis.py"
            raise ConfigError(f"{where}: unknown API `{api}` of `{name}`; {hint}")
    return dict(table)


#: The keys of a configuration, each with the function that checks its value.
_READERS: dict[str, Callable[[object, str], object]] = {
    "select": _codes_in,
    "ignore": _codes_in,
    "extend-select": _codes_in,
    "exclude": _strings,
    "per-file-ignores": _ignores_in,
    "env-apis": _env_apis,
    "target-version": _release_in,
    "include-docs": _flag_in,
    "max-file-size": _size_in,
    "kept-old": _strings,
    "find-kept-old": _flag_in,
    "moved-packages": _strings,
}

"""Which files of a project can run together."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Set
from functools import cached_property

from done_lint.analysis.module_files import ModuleFiles
from done_lint.core.paths import slashed
from done_lint.core.reach import closure, reach


class ImportGraph:
    """The graph that follows from the imports of a project's files."""

    def __init__(self, modules: ModuleFiles) -> None:
        """`modules`: which of the files an import means."""
        self.modules = modules
        self.surveys = modules.surveys
        self._importers: dict[str, set[str]] = {}

    def optional(self) -> set[str]:
        """The files that others import only in a `try` or under a condition: the program runs without them."""
        found: set[str] = set()
        needed: set[str] = set()
        for path, survey in self.surveys.items():
            by_choice = set(survey.by_choice)
            for module in survey.imports:
                files = self.modules.imported(path, module) - {path}
                (found if module in by_choice else needed).update(files)
        return found - needed

    def reachable(self, starts: set[str]) -> set[str]:
        """The files that these import, directly or not, themselves included."""
        return closure(starts, self._imported)

    def importers_of(self, path: str) -> set[str]:
        """The files that import a file, directly or not, itself included."""
        if path not in self._importers:
            self._importers[path] = closure([path], self._importing)
        return self._importers[path]

    def users_of_package(self, path: str) -> set[str]:
        """The files that import anything of the outermost package around a file, that package's files included."""
        around = self.modules.packages_around(path)
        members = self._members.get(around[-1], []) if around else []
        return closure([path, *members], self._importing)

    def adjacent(self, one: str, other: str) -> bool:
        """Whether two files are one, or one of them imports the other by itself."""
        return one == other or other in self._imported[one] or one in self._imported[other]

    def together(self, one: str, other: str) -> bool:
        """Whether some file imports both, directly or not."""
        return one == other or self.meet(one, other, self.importers_of(other))

    def meet(self, one: str, other: str, files: Set[str]) -> bool:
        """Whether some of the `files` that run `other` import `one` as well; a page counts for itself only."""
        importers = self.importers_of(one)
        return not importers.isdisjoint(files) and any(
            file in (one, other) or not self.surveys[file].page for file in importers & files
        )

    def running_with(self, starts: Iterable[str]) -> frozenset[str]:
        """The files of every program that some of these files run in, the packages around each of them included.

        A test that imports half of the project makes no program of it.
        """
        users = reach(starts, self._users)
        return self.run_by(path for path in users if path in starts or not self.is_test(path))

    def tests_running(self, path: str) -> Iterator[str]:
        """The tests that run a file."""
        return (one for one in reach([path], self._users) if self.is_test(one))

    def run_by(self, starts: Iterable[str]) -> frozenset[str]:
        """The files that run when these do: what they import, the packages around each of them included."""
        return frozenset(reach(starts, lambda path: (*self._imported[path], *self.modules.packages_around(path))))

    def never_without(self, starts: Iterable[str]) -> frozenset[str]:
        """The files whose every program runs one of these, too: none of the scripts that import them does without.

        A test that runs one of these is such a program, though it makes none of what else it imports.
        """
        first = set(starts)
        runners = set(reach(first, self._users))
        others = {path for path in self._beginnings if path not in runners}
        with_others = self.run_by(path for path in others if not self.is_test(path))
        return frozenset(
            path
            for path in self.running_with(first).union(filter(self.is_test, runners))
            if path not in others
            and path not in with_others
            and (path in self._begun or runners.issuperset(self._users_but_tests(path)))
        )

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        """The files that no other one runs."""
        return frozenset(path for path in self.surveys if set(self._users(path)) <= {path})

    @cached_property
    def _begun(self) -> frozenset[str]:
        """What programs run that begin in such a file, and these files; tests begin nothing but themselves."""
        return self._beginnings | self.run_by(path for path in self._beginnings if not self.is_test(path))

    def _users_but_tests(self, path: str) -> Iterator[str]:
        return (one for one in reach([path], self._users) if one == path or not self.is_test(one))

    def _users(self, path: str) -> Iterable[str]:
        """The files that run a file when they are imported: all files of a package run its `__init__`."""
        return (*self._importing.get(path, ()), *self._members.get(path, ()))

    @staticmethod
    def is_test(path: str) -> bool:
        """Whether a file holds tests."""
        name = posixpath.basename(slashed(path))
        return name.startswith(("test_", "conftest")) or name.endswith("_test.py")

    def is_script(self, path: str) -> bool:
        """Whether no other file imports this one, and none can as part of a package."""
        program = {file for file in self.importers_of(path) if not self.surveys[file].page}
        return program <= {path} and f"{posixpath.dirname(slashed(path))}/__init__.py" not in self.modules.paths

    def parts(self) -> list[list[str]]:
        """The files in groups that no import leads out of, each sorted, in order of their first file."""
        linked: dict[str, set[str]] = {path: set() for path in self.surveys}
        for path, files in self._imported.items():
            for file in {*files, *self.modules.packages_around(path)}:
                linked[path].add(file)
                linked[file].add(path)
        parts: list[list[str]] = []
        seen: set[str] = set()
        for path in sorted(linked):
            if path not in seen:
                part = set(reach([path], linked.__getitem__))
                seen |= part
                parts.append(sorted(part))
        return parts

    @cached_property
    def _members(self) -> dict[str, list[str]]:
        """The files of each package, by its `__init__`."""
        found: dict[str, list[str]] = {}
        for path in self.surveys:
            for start in self.modules.packages_around(path):
                found.setdefault(start, []).append(path)
        return found

    @cached_property
    def _imported(self) -> dict[str, set[str]]:
        """The files that a file imports."""
        graph: dict[str, set[str]] = {}
        for path, survey in self.surveys.items():
            # `make` imports what is registered
            modules = (*survey.imports, *survey.entries)
            graph[path] = {file for module in modules for file in self.modules.imported(path, module)}
        return graph

    @cached_property
    def _importing(self) -> dict[str, set[str]]:
        """The files that import a file."""
        graph: dict[str, set[str]] = {}
        for importer, files in self._imported.items():
            for file in files:
                graph.setdefault(file, set()).add(importer)
        return graph

"""Reads a project as far as an answer about the files that were asked for needs it: bytes, surveys, the model.

Three questions are asked before anything expensive is done, each of them cheaper than the next step:

1. Can any file that was asked for have a finding (`relevance.may_report`)? If not, nothing is linked.
2. Which files can reach those that were asked for through imports? No other file is surveyed.
3. Which of these handle environments or value targets, or are imported by one that does?
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING

from done_lint.core.paths import DOCUMENTS
from done_lint.core.reach import reach
from done_lint.engine.connections import Connections
from done_lint.engine.contents import Contents
from done_lint.engine.diagnostics import unreadable
from done_lint.engine.jobs import added_folders_of, decoded, parse_file, survey_file
from done_lint.engine.kept_old_code import ProjectFiles, kept_old_code
from done_lint.engine.kept_parts import KeptParts, KeptSolved
from done_lint.engine.workers import Work, on_deep_stack
from done_lint.project import prefilter
from done_lint.project.config_files import ConfigFiles
from done_lint.project.discovery import Project
from done_lint.project.kept_old import KeptOld, is_migrated
from done_lint.project.modules import Modules
from done_lint.project.own_packages import is_own
from done_lint.project.requirements import requires_gymnasium
from done_lint.source.source import Source

if TYPE_CHECKING:
    from done_lint.core.findings import Diagnostic
    from done_lint.facts.build import Model
    from done_lint.facts.facts import Facts
    from done_lint.facts.solved_parts import SolvedParts
    from done_lint.flowgraph.schema import Survey

    Surveyed = tuple[Source | None, Survey | None, list[Diagnostic]]

#: At most this many files are surveyed by themselves first, to see whether any of them can have a finding.
_FEW = 16
#: Files that no rule can touch are parsed to report their syntax errors, unless they are larger together
#: than this (in bytes).
_PARSED = 1_000_000
#: Where nothing uses environments, a seed is surveyed alone if what imports connect with it is larger (in bytes).
_SMALL = 1_000_000


class TooMuch(Exception):
    """The caller has no time to survey as much as the answer needs."""


class Program:
    """The files of one project as they are now, and their surveys.

    Each field is what one stage of loading found, and a later stage or a second pass asks for.
    """

    def __init__(
        self,
        project: Project,
        given: Mapping[str, bytes],
        work: Work,
        *,
        examples_of: Sequence[str] = (),
        most: int | None = None,
        kept: KeptOld | None = None,
    ) -> None:
        """Read nothing yet.

        Args:
            project: the files that are asked for, and the folder around them.
            given: content of files that is not the one on disk.
            work: where files are surveyed.
            examples_of: read the examples in the docstrings of the files, not their code; these are all files of the
                project, which the examples may import.
            most: at most this much source (in bytes) is surveyed; None: all of it.
            kept: what is kept old on purpose; None: what the project says.
        """
        self.project = project
        self.given = given
        self.work = work
        self.docstrings = bool(examples_of)
        self._around = examples_of
        self._most = most
        #: Leave nothing out for speed: tests compare the answers, and what the user's own table names may be called
        #: anything.
        self.everything = bool(project.settings.env_apis)
        self._kept = kept
        #: What earlier runs kept of the files.
        self.parts = KeptParts()
        #: What this run knows already, in all its trials: parts that were solved, and surveys of contents that were
        #: tried.
        self._solved: SolvedParts | None = None
        self._tried: dict[tuple[str, bytes], Surveyed] = {}
        #: Bytes, text and survey of the files that were surveyed.
        self.data: dict[str, bytes] = {}
        self.sources: dict[str, Source] = {}
        self.surveys: dict[str, Survey] = {}
        #: Diagnostics of the last survey of a file, and all others.
        self.survey_diagnostics: dict[str, list[Diagnostic]] = {}
        self.diagnostics: defaultdict[str, list[Diagnostic]] = defaultdict(list)
        self._asked = frozenset(project.asked)
        #: All files of the project that hold Python.
        self.paths: list[str] = []
        self._modules = Modules((), "")
        #: Files of the project that were left out because no import leads from them to those that were asked for.
        self._apart: list[str] = []
        #: What of the project's configuration files was read.
        self.configs = ConfigFiles(project.root)
        self._contents = Contents(given, project.settings.max_file_size)
        #: Some file of the project may handle an environment.
        self._used = True

    def load(self) -> None:
        """Read and survey the files that an answer about the files that were asked for needs.

        Raises:
            TooMuch: it is more than `most`.
        """
        self._find()
        if self._can_report():
            self._find_added_folders()
            near = self._connected()
            self._apart = [path for path in self.paths if path not in near]
            self._survey_program(near)

    def fork(self) -> Program:
        """A copy, in which a trial can survey changed files without changing this program."""
        twin = copy(self)
        twin.data, twin.sources, twin.surveys = copy(self.data), copy(self.sources), copy(self.surveys)
        twin.survey_diagnostics = copy(self.survey_diagnostics)
        twin.diagnostics = defaultdict(list, {path: copy(found) for path, found in self.diagnostics.items()})
        return twin

    def imported_files(self) -> frozenset[str]:
        """The files of the project that another one may import."""
        self._find()
        self._find_added_folders()
        return frozenset(
            other
            for path in self.paths
            for other in self._modules.candidates(prefilter.imported(self.read(path) or b""), path)
            if other != path
        )

    def load_near(self) -> None:
        """Read and survey the one file that was asked for and what it imports, as far as `most` allows."""
        self._find()
        waiting = list(self.project.asked)
        size = 0
        while waiting and (self._most is None or size <= self._most):
            path = waiting.pop(0)
            if path not in self.surveys and (data := self.read(path)) is not None:
                size += len(data)
                self.data[path] = data
                self._take_surveys([path])
                waiting += sorted(self._imported([path]) - self.surveys.keys())
        self._apart = [path for path in self.paths if path not in self.surveys]

    def parse_rest(self) -> None:
        """Look for syntax errors in those files that were asked for and not surveyed, if they are small together."""
        if self.docstrings:
            return
        rest: list[str] = []
        size = 0
        for path in self.project.asked:
            if (data := self.read(path)) is not None and not self._is_seed(path):
                rest += [] if path in self.data else [path]
                # a notebook is mostly its outputs
                size += 0 if path.endswith(DOCUMENTS) else len(data)
                if size > _PARSED:
                    return
        for path in rest:
            if (data := self.read(path)) is not None:
                self.diagnostics[path] += parse_file(path, data)

    def survey_again(self, paths: Sequence[str]) -> None:
        """Survey files whose bytes have changed, however large they are now; one trial often ends as another did."""
        contents = [(path, self.data[path]) for path in paths]
        fresh = [one for one in contents if one not in self._tried]
        self._tried.update(zip(fresh, self._survey(fresh, 0)))
        self._note_surveys(paths, [self._tried[one] for one in contents])

    def _take_surveys(self, paths: Sequence[str]) -> None:
        """Survey these files, whose bytes were read."""
        self._note_surveys(paths, self._survey([(path, self.data[path]) for path in paths]))

    def _note_surveys(self, paths: Sequence[str], results: Iterable[Surveyed]) -> None:
        for path, (source, survey, diagnostics) in zip(paths, results):
            self.survey_diagnostics[path] = diagnostics
            if source is not None and survey is not None:
                self.sources[path] = source
                self.surveys[path] = survey

    def _survey(self, jobs: Sequence[tuple[str, bytes]], limit: int | None = None) -> list[Surveyed]:
        """Surveys of files; none of a document with more code than `limit` (None: the limit of the settings)."""
        if self.parts.off or self.docstrings:
            return self._surveyed(jobs, limit)
        known = on_deep_stack(lambda: [self._known_survey(*one) for one in jobs])
        fresh = [job for job, found in zip(jobs, known) if found is None]
        results = iter(self._surveyed(fresh, limit))
        surveyed = [found or next(results) for found in known]
        for (path, data), found, (_, survey, _) in zip(jobs, known, surveyed):
            if found is None and survey is not None and not path.endswith(DOCUMENTS):
                self.parts.keep_survey(data, survey, self._modules.names)
        return surveyed

    def _known_survey(self, path: str, data: bytes) -> Surveyed | None:
        """The survey of a Python file, if it is kept."""
        if path.endswith(DOCUMENTS) or (survey := self.parts.survey(path, data, self._modules.names)) is None:
            return None
        source, diagnostics = decoded(path, data)
        return source, survey, diagnostics

    def _surveyed(self, jobs: Sequence[tuple[str, bytes]], limit: int | None) -> list[Surveyed]:
        limit = self.project.settings.max_file_size if limit is None else limit
        job = partial(survey_file, inside=self._modules.names, docstrings=self.docstrings, limit=limit)
        if jobs:
            # the processes of a pool begin with what this one has imported
            import_module("done_lint.flowgraph.build")
        return self.work.map_small(job, jobs, "Surveying", sum(len(data) for _, data in jobs))

    def link(self) -> Model:
        """The model of all surveys; where its answers depend on files that were left out, these are surveyed first."""
        model = self._linked(self._asked if self._apart else None)
        apart = self._required_apart() or (
            model is not None and (self._registered_apart(model) or self._stepped_apart(model))
        )
        if model is not None and not apart:
            return model
        self._apart = []
        self._survey_program(frozenset(self.paths))
        return self.link()

    def _required_apart(self) -> bool:
        """Whether a set-up script names Gym, which files may need that were left out."""
        scripts = (path for path in self._asked if os.path.basename(path) == "setup.py") if self._apart else ()
        return any(b"gym" in self.data.get(path, b"") for path in scripts)

    def link_near(self) -> Model:
        """The model of the surveys that there are; empty where it would take the others, too."""
        from done_lint.facts.build import Model

        return self._linked(self._asked) or Model()

    def _linked(self, asked: frozenset[str] | None) -> Model | None:
        """The model of the surveys for the files `asked`; None if its answers depend on files that were left out."""
        from done_lint.analysis.weak_evidence import Incomplete
        from done_lint.facts.build import Whole, link
        from done_lint.facts.solved_parts import SolvedParts

        if self._solved is None:
            self._solved = SolvedParts(None if self.parts.off else KeptSolved(self.parts, self.project))
        apis, root = self.project.settings.env_apis, self.project.root
        moved = frozenset(self.project.settings.moved_packages)
        whole = Whole(self._around or self.paths, self.kept_old, self.everything, moved)
        try:
            return on_deep_stack(lambda: link(self.surveys.values(), root, apis, asked, whole, self._solved))
        except Incomplete:
            return None

    @cached_property
    def kept_old(self) -> KeptOld:
        """What the project keeps old on purpose; nothing where no name says so."""
        if self._kept is not None:
            return self._kept
        if self.project.alone:
            return KeptOld()
        files = ProjectFiles(
            self.paths, self.surveys, self.read, lambda path: self._imported([path]), self.survey_apart, self.is_own
        )
        # the files on Gymnasium may be among those that were left out
        incomplete = bool(self._apart) and self._most is None
        return kept_old_code(self.project, files, migrated=lambda: self.migrated, incomplete=incomplete)

    def is_own(self, path: str, package: str) -> bool:
        """Whether what a file imports of a package is the project's, and none that is installed."""
        survey = self.surveys.get(path)
        imported = survey.imports if survey is not None else prefilter.imported(self.read(path) or b"")
        return is_own(package, imported, lambda one: self._modules.has(one, path))

    def survey_apart(self, path: str) -> Survey | None:
        """The survey of a file that is no part of the program that is linked."""
        data = self.read(path)
        return self._survey([(path, data)])[0][1] if data is not None else None

    @cached_property
    def migrated(self) -> bool:
        """Whether the code of the project is on Gymnasium, but for what says that it is old."""
        root, paths = self.project.root, self.paths or self.project.files()
        return is_migrated(root, paths, self._contents.read_naming, lambda: requires_gymnasium(root))

    def unread(self) -> Iterator[tuple[str, set[str], set[str]]]:
        """The files that may handle environments and could not be parsed, with what they run and what imports them."""
        unread = [one for one in sorted(self.data.keys() - self.surveys.keys()) if one.endswith(".py")]
        for path in unread:
            if prefilter.is_user(self.data[path]):
                imported = self._modules.candidates(prefilter.imported(self.data[path]), path)
                run = set(reach(sorted(imported), lambda one: self._imported([one])))
                yield path, run & self.surveys.keys(), {one for one in self.surveys if path in self._imported([one])}

    def can_report(self, path: str, facts: Facts) -> bool:
        """Whether a rule can have a finding in a file; where nothing uses environments, only in a seed."""
        if path not in self.surveys:
            return False
        from done_lint.analysis.relevance import may_report

        data = self.data[path]
        if self._is_seed(path):
            return True
        # what another file returns has no sign in the text
        arrives = bool(facts.resets or facts.steps or facts.rows)
        return self._used and (self.everything or arrives or may_report(data, self.surveys[path]))

    def _find(self) -> None:
        self.paths = self.project.files()
        self._modules = Modules(self.paths, self.project.root)

    def _find_added_folders(self) -> None:
        """Let imports be looked for in the folders that files add, too."""
        if added := on_deep_stack(lambda: dict(self._added_folders())):
            self._modules = self._modules.searching(added)

    def _added_folders(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The files that add some, and which; each file is looked at once for all that is asked of it."""
        for path in self.paths:
            if (data := self.read(path)) is not None:
                self._contents.look(path, data)
                if found := added_folders_of(path, data):
                    yield path, found

    def connected(self, path: str) -> frozenset[str]:
        """The files of the project that imports connect with one, whatever their direction."""
        return self._connections().around([path], self.paths)

    def _connections(self) -> Connections:
        """Made when it is asked for: one that were kept would keep the program, and all that was read, in memory."""
        return Connections(self._modules, self.read)

    # --- which files -------------------------------------------------------------------------------------

    def _can_report(self) -> bool:
        """Whether any of the files that were asked for can have a finding; a few are surveyed to find out."""
        if self.everything or len(self._asked) > _FEW or len(self._asked) == len(self.paths):
            return True
        found = {path: data for path in self.project.asked if (data := self.read(path)) is not None}
        if any(self._is_seed(path) for path, data in found.items()):
            return True
        from done_lint.analysis.relevance import may_report

        surveys = [(path, self._survey([(path, data)])[0][1]) for path, data in found.items()]
        return any(survey is not None and may_report(found[path], survey) for path, survey in surveys)

    def _connected(self) -> frozenset[str]:
        """The files of the project that imports connect with those that were asked for, whatever their direction."""
        if self.everything or len(self._asked) * 2 >= len(self.paths):
            return frozenset(self.paths)
        return self._connections().around(self._asked, self.paths)

    def _survey_program(self, near: frozenset[str]) -> None:
        """Of these files, survey the seeds and what imports connect with them.

        What is not read is no evidence: a file that no name tells of may still hand over what another one steps. Only
        of a large project in which nothing uses environments, the seeds have to do.
        """
        seeds: set[str] = set()
        self._used = False
        for path in self.paths:
            if (self.everything or self._is_seed(path)) and (data := self.read(path)) is not None:
                self._used = self._used or prefilter.is_user(data)
                if path in near:
                    seeds.add(path)
        if self._used:
            seeds |= {path for path in near if prefilter.may_begin(self.read(path) or b"")}
        wanted = self._read_all(seeds)
        if 0 < len(seeds) < len(near):
            graph = self._connections()
            around = graph.around(seeds, near) if self._used else graph.small_around(seeds, near, _SMALL)
            if around is not None:
                wanted = self._read_all(near & around)
        if self._most is not None and sum(map(len, wanted.values())) > self._most:
            raise TooMuch
        fresh = [path for path in wanted if path not in self.data]
        self.data |= wanted
        self._take_surveys(fresh)
        self._survey_imported(wanted if self._used else ())

    def _read_all(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The content of those of these files that can be read, sorted by path."""
        return {path: data for path in sorted(paths) if (data := self.read(path)) is not None}

    def _survey_imported(self, importers: Collection[str]) -> None:
        """Survey what these files import, and then what that imports.

        Of the other files' imports only packages are followed: they often re-export names of a file that was surveyed.
        """
        followed: set[str] = set()
        refused = set(self.data) - self.surveys.keys()
        waiting = set(importers)
        while waiting:
            followed |= waiting
            imported = self._imported(waiting)
            refused |= self._take_new(imported - refused)
            waiting = imported - followed - refused
        waiting = self.surveys.keys() - followed
        while waiting:
            packages = {path for path in self._imported(waiting) if os.path.basename(path) == "__init__.py"}
            waiting = packages - self.data.keys() - refused
            refused |= self._take_new(waiting)

    def _imported(self, importers: Iterable[str]) -> set[str]:
        """The project's files that some surveyed ones import."""
        return {
            found
            for path in importers
            if path in self.surveys
            for module in (*self.surveys[path].imports, *self.surveys[path].entries)
            for found in self._modules.resolve(module, path)
        }

    def _take_new(self, paths: Iterable[str]) -> set[str]:
        """Read and survey those files that are new; returns those that cannot be surveyed.

        A file that was read is not surveyed again: one that is not Python is reported once.
        """
        wanted = sorted(path for path in paths if path not in self.data)
        fresh = [(path, data) for path in wanted if (data := self.read(path)) is not None]
        self.data |= fresh
        self._take_surveys([path for path, _ in fresh])
        return set(wanted) - self.surveys.keys()

    def _registered_apart(self, model: Model) -> bool:
        """Whether an environment id of the files that were solved may be registered in one that was left out."""
        ids = {one.value.encode() for path in model.solved for one in model.facts(path).ids.values()}
        if not (self._apart and ids):
            return False
        found = [data for path in self._apart if (data := self.read(path)) is not None]
        return any(b"register" in data for data in found) and any(one in data for one in ids for data in found)

    def _stepped_apart(self, model: Model) -> bool:
        """Whether a class of the files that were asked for may be stepped in one that was left out."""
        return bool(self._apart) and not self._asked.isdisjoint(model.unseen)

    def read(self, path: str) -> bytes | None:
        """Content of a file; of one that cannot be read, one diagnostic."""
        if path in self.data:
            return self.data[path]
        known = path in self._contents.errors
        data = self._contents.read(path)
        if data is None and not known:
            self.diagnostics[path] = [unreadable(path, self._contents.errors[path])]
        return data

    def _is_seed(self, path: str) -> bool:
        return self._contents.is_seed(path)

"""From surveys to facts: joins the surveys of a project, solves each connected part, and reads it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from done_lint.analysis import linker
from done_lint.analysis.gym_packages import needing
from done_lint.analysis.import_graph import ImportGraph
from done_lint.analysis.kept_code import kept_code
from done_lint.analysis.module_files import ModuleFiles
from done_lint.analysis.relevance import begins
from done_lint.analysis.weak_evidence import Incomplete, ProjectNames
from done_lint.facts.extract import Reading
from done_lint.facts.facts import Facts
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.parts import Part, joined, obstacles, rests_on_names
from done_lint.facts.solved_parts import Around, SolvedParts
from done_lint.flowgraph.schema import Survey
from done_lint.project.kept_old import KeptOld


@dataclass
class Model:
    """The project's facts, file by file."""

    _facts: Mapping[str, Facts] = field(default_factory=dict)
    #: Files that use Gym as Gym, whatever is solved.
    _gym: frozenset[str] = frozenset()
    #: What keeps families from being changed, beside findings.
    obstacles: tuple[Obstacle, ...] = ()
    #: Files with classes, or annotations, of environments that nothing steps which an import connects with them.
    unseen: frozenset[str] = frozenset()
    #: Which files run together.
    _imports: ImportGraph | None = None

    @property
    def solved(self) -> frozenset[str]:
        """The files that were solved; in the others no fact can be."""
        return frozenset(self._facts)

    def running_with(self, path: str) -> frozenset[str]:
        """The files of every program that a file runs in; of a page, what it runs itself."""
        if self._imports is None:
            return frozenset((path,))
        page = self._imports.surveys[path].page
        return self._imports.run_by([path]) if page else self._imports.running_with([path])

    def facts(self, path: str) -> Facts:
        """Facts of one file (empty where the model found nothing)."""
        return self._facts.get(path, Facts(path, keeps_gym=path in self._gym))


@dataclass(frozen=True)
class Whole:
    """What is known of a whole project, whichever of its files were surveyed."""

    #: All its files; empty: those of the surveys.
    paths: Collection[str] = ()
    #: What it keeps as it was.
    old: KeptOld | None = None
    #: Solve parts in which no fact can begin, too.
    everything: bool = False
    #: Packages that are on Gymnasium, as the user says.
    moved: frozenset[str] = frozenset()


def unsolved(surveys: Iterable[Survey], root: str, old: KeptOld, moved: frozenset[str]) -> Model:
    """A model that knows nothing but what these files keep for old Gym; `moved`: packages that are on Gymnasium."""
    by_path = {survey.path: survey for survey in surveys}
    imports = ImportGraph(ModuleFiles(by_path, root))
    kept = kept_code(by_path, imports, old, needing(by_path.values(), imports.modules, moved), moved)
    return Model(
        {path: Facts(path, kept=kept.spans.get(path, ()), keeps_gym=path in kept.files) for path in sorted(by_path)}
    )


def link(
    surveys: Iterable[Survey],
    root: str = "",
    apis: Mapping[str, str] | None = None,
    asked: frozenset[str] | None = None,
    whole: Whole | None = None,
    before: SolvedParts | None = None,
) -> Model:
    """Join the surveys of a project.

    Files that no import connects cannot exchange a value, so each connected part is solved by itself: what the
    solver needs grows with the largest part, not with the project. A part in which no fact can begin is not solved
    at all (see `relevance`).

    Args:
        surveys: one a file.
        root: the folder that absolute imports start from.
        apis: the user's own table: dotted name of a constructor or class -> name of an API (`env_api_rows.APIS`).
        asked: where the surveys are a part of the project that no import leads out of, the files whose facts are
            wanted; None: the surveys are all that the project has.
        whole: what is known of the whole project.
        before: the parts that were solved for the same project, root and table; what is solved now is added.

    Raises:
        Incomplete: only names tell something here, and the rest of the project may tell more.
    """
    whole = whole or Whole()
    by_path = {s.path: s for s in sorted(surveys, key=lambda s: s.path)}
    imports = ImportGraph(ModuleFiles(by_path, root, whole.paths))
    names = ProjectNames.of(by_path, whole.paths) if asked is None else None
    before = before or SolvedParts()
    around = Around(names, whole.old, imports.modules.project_wide())
    parts: list[Part] = []
    for together in imports.parts():
        if not (whole.everything or apis) and not any(
            begins(by_path[path], imports.modules.dotted[path]) for path in together
        ):
            continue
        files = [by_path[path] for path in together]
        part = before.find(files, around)
        if part is None:
            analysis = linker.joined({one.path: one for one in files}, imports, apis, whole.old, whole.moved)
            linker.solve(analysis, names)
            part = Reading(analysis).part()
            before.keep(files, around, part)
        parts.append(part)
    if asked is not None and rests_on_names(parts, asked):
        raise Incomplete
    unseen = frozenset(path for part in parts for path in (*part.unseen, *part.loaded, *part.apart.unused))
    gym = whole.old.gym if whole.old is not None else frozenset()
    # a project that has nothing to do with Gym has flags of its own
    guessing = names is not None and (names.alone or names.of_gym)
    return Model(joined(parts, guessing=guessing), gym, obstacles(parts), unseen, imports)

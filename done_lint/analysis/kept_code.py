"""Which code of the project is there for old Gym on purpose: nothing in it moves to Gymnasium."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from done_lint.analysis.import_graph import ImportGraph
from done_lint.analysis.module_files import ModuleFiles
from done_lint.core.findings import Span
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_apis import KEPT_GYM, OF_LIBRARIES, Api
from done_lint.knowledge.package_requirements import PINNING_GYM
from done_lint.project.kept_old import KeptOld

#: A whole file.
_ALL = Span(1, 0, sys.maxsize, 0)


@dataclass(frozen=True, slots=True)
class KeptCode:
    """What files keep."""

    #: Stretches of code, by file.
    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    #: Files that use Gym as Gym: their programs have both libraries, each by its name.
    files: frozenset[str] = frozenset()

    def keeps(self, path: str, span: Span) -> bool:
        """Whether a place is in such code."""
        return any(span.within(one) for one in self.spans.get(path, ()))

    def keeps_row(self, path: str, row: int) -> bool:
        """The same of a statement that starts in a row."""
        return any(one.row <= row <= one.end_row for one in self.spans.get(path, ()))

    def api(self, api: Api, dotted: str, path: str, span: Span | None = None) -> Api:
        """The API of an environment that is made in a file by a name from outside, at a place if that is known."""
        if api not in OF_LIBRARIES:
            return api
        stays = path in self.files and dotted.partition(".")[0] == "gym"
        return KEPT_GYM if stays or (span is not None and self.keeps(path, span)) else api


def kept_code(
    surveys: Mapping[str, Survey],
    imports: ImportGraph,
    old: KeptOld,
    needing: Collection[str],
    moved: Collection[str] = (),
) -> KeptCode:
    """What the files of a program keep, when all of them are known.

    Args:
        surveys: by path.
        imports: which of them an import means.
        old: what the project keeps as it was.
        needing: files that import a package whose environments are made for Gym.
        moved: packages that are on Gymnasium, as the user says.
    """
    choosers = {path for path, survey in surveys.items() if survey.tells_apart or survey.imports_both}
    # a test that tries both proves nothing of what it tests
    spreading = sorted(path for path in choosers if not imports.is_test(path))
    if old.stated:
        # in a project that says that it is on Gymnasium, what needs a package made for Gym has it with its Gym
        spreading += sorted(path for path in needing if "gym" in surveys[path].packages)
    around = imports.reachable({one for path in spreading for one in imports.importers_of(path)})
    knows = bool(choosers) or any("gymnasium" in survey.packages for survey in surveys.values())
    spans = {path: found for path, survey in surveys.items() if (found := tuple(_spans(survey, knows, old)))}
    optional = _optional(surveys, imports) if old.migrated else ()
    return KeptCode(
        spans, frozenset({*choosers, *around, *optional, *_pinned(surveys, imports.modules, moved), *old.gym})
    )


def _pinned(surveys: Mapping[str, Survey], modules: ModuleFiles, moved: Collection[str]) -> Iterator[str]:
    """Files on Gym alone that use a package which has both libraries, and pins Gym: theirs is that Gym."""
    pinning = {one for one in PINNING_GYM if one not in moved and not modules.is_part(one)}
    for path, survey in surveys.items():
        old = "gym" in survey.packages and "gymnasium" not in survey.packages
        if old and not pinning.isdisjoint(survey.needed_packages):
            yield path


def _optional(surveys: Mapping[str, Survey], imports: ImportGraph) -> Iterator[str]:
    """Files on Gym that their program can do without: they are there for who has Gym, and what needs it."""
    optional = imports.optional()
    for path, survey in surveys.items():
        if path in optional and "gym" in survey.packages and "gymnasium" not in survey.packages:
            yield path


def _spans(survey: Survey, knows: bool, old: KeptOld) -> Iterator[Span]:
    """What one file keeps; `knows`: its program knows the new library."""
    yield from survey.kept
    if knows:
        yield from survey.kept_beside
    if old.migrated:
        yield from (span for span, _ in survey.old_classes)
    if survey.path in old.files:
        yield _ALL

"""What has to stay with Gym: the files that run with one that needs it."""

from __future__ import annotations

from typing import NamedTuple

from done_lint.analysis.context import Analysis
from done_lint.core.findings import Related


class Need(NamedTuple):
    """A package that needs Gym, and the files that stay with it; or a test of Gym's version, for which it is empty."""

    package: str
    #: The file that imports it.
    path: str
    files: frozenset[str]
    #: Nobody is known to have registered these ids; empty: the need is there, whatever is registered.
    ids: frozenset[str] = frozenset()
    #: The package may have registered an id that cannot be seen.
    hidden_id: bool = False
    #: The ids themselves say that they are the package's.
    named: bool = False
    #: Where the version of Gym is asked for, and what is wrong with Gymnasium's there.
    test: Related | None = None
    #: The package is on Gymnasium by now, but the project has it in a release that is not; it is named with its bounds.
    pinned: bool = False
    #: A table, a pin or the form of a class shows that the package needs Gym; else nothing shows that it does not.
    known: bool = False


def kept_with(at: Analysis, path: str) -> frozenset[str]:
    """The files that run with a file, and those of all programs that share an import of Gym, or its classes, with them.

    A test stays with what it runs, though it joins no programs: the package that it imports from runs its `__init__`.
    A file that is on Gymnasium already has chosen; and what an example imports, the program does not need.
    """
    surveys = at.program.surveys
    if surveys[path].page:
        return frozenset([path])
    kept, starts = frozenset[str](), {path}
    while not kept.issuperset(more := at.imports.running_with(sorted(starts))):
        kept = more
        starts |= {one for one in kept if "gym" in surveys[one].packages}
        starts |= {other for one in kept for other in at.envs.sharing.get(one, ())}
    kept |= {test for test in at.imports.tests_running(path) if _of_gym(at, test) <= kept | {test}}
    return frozenset(one for one in kept if "gymnasium" not in surveys[one].packages)


def _of_gym(at: Analysis, test: str) -> frozenset[str]:
    """The files that a test runs and that import Gym: where some of them may move, the test takes no side."""
    return frozenset(one for one in at.imports.run_by([test]) if "gym" in at.program.surveys[one].packages)

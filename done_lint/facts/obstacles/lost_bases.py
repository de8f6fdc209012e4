"""Classes whose base is imported from a module of the project that is not there: it may be one that is elsewhere now.

Who repairs the path later has a subclass in the old form above a base that changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.values import External
from done_lint.core.findings import Span
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_WHICH = "is based on `{}` of `{}`, a module of the project that is not there"


def obstacles_of_lost_bases(at: Analysis, families: Families, path: str) -> Iterator[Obstacle]:
    """Those of a file, each with the family of its file and the name of its base."""
    survey, start = at.program.surveys[path], at.program.bases[path]
    for made in survey.classes if not survey.page else ():
        for node in made.bases:
            for value in at.solver.values(start + node, External):
                module, _, name = value.dotted.rpartition(".")
                if name.isidentifier() and at.modules.is_gone(module):
                    span = Span(made.row, 0, made.row, 0)
                    which = _WHICH.format(name, module)
                    yield Obstacle(path, span, made.name, which, families.of_file(path), namesake=name)

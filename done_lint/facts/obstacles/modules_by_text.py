"""Where a program asks for modules by texts: for Gym itself, or for what nothing shows.

- `find_spec("gym")`: nothing is found where only Gymnasium is installed.
- `for name in args.packages: import_module(name)`: such a package is imported for the environments that it registers,
  and that may be with Gym.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.values import External, Text
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.obstacles.program_members import ProgramMembers

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.flowgraph import operations as ops
    from done_lint.flowgraph.schema import Survey

#: Functions that ask for an installed package by its name (for its release: `version_tests`).
_FINDING = frozenset({"importlib.util.find_spec", "importlib.find_loader", "pkgutil.find_loader"})
_IMPORTING = frozenset({"importlib.import_module", "builtins.__import__"})
_GYM = re.compile(r"gym(?:\.[\w.]+)?")
_ASKS = "asks for the package `gym`, which Gymnasium is not"
_IMPORTS = "imports modules by names that nothing shows, and they may register environments with Gym"


def obstacles_of_module_texts(
    at: Analysis, families: Families, members: ProgramMembers, path: str
) -> Iterator[Obstacle]:
    """Those of a file."""
    survey, base = at.program.surveys[path], at.program.bases[path]
    for call in survey.calls() if not survey.page else ():
        called = {one.dotted for one in at.solver.values(base + call.called, External)}
        if not call.args or called.isdisjoint(_FINDING | _IMPORTING):
            continue
        texts = at.solver.values(base + call.args[0].node, Text)
        if not called.isdisjoint(_FINDING):
            which = _ASKS if any(_GYM.fullmatch(one.text) for one in texts) else ""
        else:
            which = _IMPORTS if not texts and _is_for_effect(survey, call) else ""
        family = members.near(path) if which else None
        if family and families.has_gym_file(family):
            yield Obstacle(path, call.at, owner_name(survey, survey.homes.get(call.result, -1)), which, family)


def _is_for_effect(survey: Survey, call: ops.Call | ops.LibraryCall) -> bool:
    """Whether a module is imported by a variable alone, and nothing reads it."""
    alone = len(call.args) == 1 and not call.keywords and call.args[0].node in survey.names
    read = survey.waiting.get(call.result) or survey.naming.get(call.result) or call.result in survey.names
    return alone and not read

"""Steps of what only its use shows to be a vector environment: nobody in sight makes it, and it is asked for its size.

Whose infos are read under an old name of the library's is told apart by that: a name alone proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.values import External
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import packages
from done_lint.knowledge.vector_info_keys import OF_OLD_RELEASES, SETTING_OLD_KEYS
from done_lint.knowledge.wrapper_attributes import OF_VECTORS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_VALUES = 5


def named_vectors(at: Analysis) -> dict[str, frozenset[Span]]:
    """The calls of their steps, by file; none where the program has the keys from elsewhere."""
    surveys = at.program.surveys
    found = {path: frozenset(_steps(at, survey)) for path, survey in surveys.items() if not survey.page}
    found = {path: steps for path, steps in found.items() if steps}
    if found and (sets_old_keys(at) or any(_has_others(survey) for survey in surveys.values())):
        return {}
    return found


def _steps(at: Analysis, survey: Survey) -> Iterator[Span]:
    base = at.program.bases[survey.path]
    stepped = [one for one in survey.telling if one.name == "step" and survey.names.get(one.source)]
    if not stepped:
        return
    asked = _asked(survey)
    for method in stepped:
        held = map(at.solver.value, at.solver.held[base + method.source])
        if survey.names[method.source] not in asked or not all(isinstance(one, External) for one in held):
            continue
        for call in survey.waiting.get(method.target, ()):
            if isinstance(call, ops.Call) and _is_taken_apart(survey, call):
                yield call.at


def _asked(survey: Survey) -> set[str]:
    """The names of what is asked for something that only vector environments have."""
    reads = (one for waiting in (survey.waiting, survey.naming) for found in waiting.values() for one in found)
    attributes = (one for one in reads if isinstance(one, ops.Attribute) and one.name in OF_VECTORS)
    return {survey.names.get(one.source, "") for one in attributes}


def _is_taken_apart(survey: Survey, call: ops.Call) -> bool:
    unpacks = [one for one in survey.waiting.get(call.result, ()) if isinstance(one, ops.Unpack)]
    return len(unpacks) == 1 and unpacks[0].star < 0 and unpacks[0].arity == _VALUES


def sets_old_keys(at: Analysis) -> bool:
    """Whether a program imports a package whose vector environments set the old keys."""
    imports = (one for survey in at.program.surveys.values() for one in survey.imports)
    return any(one.partition(".")[0] in SETTING_OLD_KEYS for one in imports)


def _has_others(survey: Survey) -> bool:
    """Whether a file imports environments of another library, or puts such a key somewhere itself."""
    others = (one for one in survey.imports if one.partition(".")[0] not in packages.OF_TIME_STEPS)
    if any(packages.is_look_alike(one) or packages.simulates_many(one) for one in others):
        return True
    keys = {one.keys[-1] for one in survey.waits(ops.SetItem)}
    made = {key for one in survey.operations if isinstance(one, ops.Allocate) for key in one.keys}
    return any(isinstance(key, TextKey) and key.text in OF_OLD_RELEASES for key in keys | made)

"""Classes that are environments of Gymnasium by all they have, though they inherit from none.

Both spaces are the library's, and `step` returns five values: nothing else in a program has that form. No base promises
anything of them, so that only what they return themselves is judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import External, Instance
from done_lint.facts.classes.env_classes import of_tests
from done_lint.facts.kinds.classes import EnvClass
from done_lint.flowgraph.keys import AttributeKey
from done_lint.knowledge import env_apis
from done_lint.knowledge.gymnasium_changes import below_root

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_METHODS = frozenset({"reset", "step"})
_SPACES = frozenset({"action_space", "observation_space"})
_VALUES = 5


def standalone(at: Analysis) -> Iterator[tuple[ClassId, EnvClass]]:
    """These classes of a solved graph."""
    for path, survey in at.program.surveys.items():
        for index, made in enumerate(survey.classes):
            if made.bases or not made.methods.keys() >= _METHODS or not made.assigned >= _SPACES:
                continue
            step = FunctionId(path, made.methods["step"])
            if _VALUES in at.program.function_at(step).arities and all(_is_space(at, path, index, s) for s in _SPACES):
                yield ClassId(path, index), _class(at, path, index)


def _is_space(at: Analysis, path: str, index: int, name: str) -> bool:
    """Whether an attribute visibly holds a space of the library."""
    own = at.solver.find(Instance(path, index))
    node = at.objects.fields.get((own, AttributeKey(name))) if own is not None else None
    held = at.solver.values(node, External) if node is not None else ()
    return any(below_root(one.dotted).startswith("spaces.") for one in held)


def _class(at: Analysis, path: str, index: int) -> EnvClass:
    made = at.program.class_at(path, index)
    step = at.program.function_at(FunctionId(path, made.methods["step"]))
    return EnvClass(
        path,
        made.name,
        made.row,
        env_apis.GYMNASIUM,
        "",
        wrapper=False,
        double=of_tests(at.modules.root, at.program.dotted.get(path, "")),
        methods={"step": (path, step.row)},
    )

"""What was read of the solved parts of a project as columns, and back (see `columns`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from done_lint.core.findings import Family, Related, Span
from done_lint.engine.columns import Format
from done_lint.facts.kinds.classes import EnvClass
from done_lint.facts.kinds.environments import Env, Made, Seeding
from done_lint.facts.kinds.results import StepResult
from done_lint.facts.parts import Part
from done_lint.knowledge import env_apis
from done_lint.knowledge.env_apis import Api

#: The records that facts share: each is kept once, and is the same one for all when it was read.
_TABLES: Mapping[Any, tuple[Any, ...]] = {
    Span: (Span,),
    Family: (Family,),
    Related: (Related,),
    Made: (Made,),
    Seeding: (Seeding,),
    Env: (Env,),
    StepResult: (StepResult,),
    EnvClass: (EnvClass,),
}
_APIS = {one.name: one for one in vars(env_apis).values() if isinstance(one, Api)}
_FORMAT = Format(Part, _TABLES, {Api: _APIS}, by_identity=True)


def written(part: Part) -> bytes:
    """What was read of a part, as text."""
    return _FORMAT.written(part)


def read(text: bytes) -> Part:
    """What was read of a part that a text stands for.

    Raises:
        ValueError, TypeError, LookupError, AttributeError, RecursionError: it stands for none.
    """
    part = _FORMAT.read(text)
    if type(part) is not Part:
        raise TypeError("no part")
    return part

"""The ids of environments that a program reads from configuration files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from done_lint.core.findings import Related, Span
from done_lint.engine.load import Program

if TYPE_CHECKING:
    from done_lint.facts.facts import Facts
    from done_lint.facts.kinds.ids import UnseenId


def with_configured_ids(program: Program, facts: Facts) -> Facts:
    """The facts of a file, with the ids that its programs may read from configuration files."""
    if not facts.unseen_ids:
        return facts
    calls = () if program.project.alone else facts.unseen_ids
    paths = sorted({path for call in calls for path in call.program})
    code = [(path, data) for path in paths if (data := program.read(path)) is not None]
    known = [one for one in program.configs.ids(code) if not _is_registered(one.value, calls)]
    places = {
        one.value: Related(one.path, Span(one.row, one.column, one.row, one.column + len(one.value)), "written here")
        for one in known
    }
    calls = tuple(replace(call, program=frozenset(), registered=frozenset()) for call in calls) if places else ()
    return replace(facts, unseen_ids=calls, configured_ids=places)


def _is_registered(env_id: str, calls: Iterable[UnseenId]) -> bool:
    """Whether the project registers an id itself, or one that it may be."""
    from done_lint.analysis import registrations

    return any(registrations.registered_as(env_id, call.registered) for call in calls)

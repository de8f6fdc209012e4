"""Vector environments that are made for their spaces alone: code of the project is handed them, and nobody steps them.

How such an environment resets makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.crowds import crowded_out
from done_lint.analysis.values import ClassRef, Environment, EnvMethod, FunctionRef
from done_lint.core.findings import Span
from done_lint.facts.environments.idle_wrappers import idle_in_wrappers
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.vector_sizes import WITHOUT_EPISODES

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def unstepped_vectors(at: Analysis) -> dict[str, frozenset[Span]]:
    """The calls that make such environments, by file."""
    solver, envs = at.solver, dict[int, int]()
    for number, value in enumerate(solver.interned):
        if isinstance(value, Environment) and value.api.vector and value.node in at.envs.makes:
            envs[number] = value.node
    methods = (
        value for value in solver.interned if isinstance(value, EnvMethod) and value.name not in WITHOUT_EPISODES
    )
    stepped = {value.env for value in methods if value.env in envs} if envs else set[int]()
    used = {envs[number] for number in stepped | (crowded_out(at, stepped) & envs.keys())}
    arguments, kept = list(_arguments(at)) if envs else [], set(_kept_nodes(at)) if envs else set[int]()
    idle = idle_in_wrappers(at, envs, kept.union(node for node, _ in arguments))
    left = {number: node for number, node in envs.items() if node not in used}
    if not left and not idle:
        return {}
    held = {
        node: {left[one] for one in numbers if one in left}
        for node, numbers in enumerate(solver.held)
        if numbers and not left.keys().isdisjoint(numbers)
    }
    given, escaped = set[int](), {made for node in kept for made in held.get(node, ())}
    for node, called in arguments:
        if node in held:
            (given if _is_of_project(at, called) else escaped).update(held[node])
    # what an annotation let not through was not followed further
    escaped.update(left[one] for refused in solver.refused.values() for one in refused if one in left)
    found: dict[str, set[Span]] = {}
    for made in (given - escaped) | idle:
        place, _ = at.program.call_at(made) or (None, 0)
        if place is not None:
            found.setdefault(place.path, set()).add(place.span)
    return {path: frozenset(spans) for path, spans in found.items()}


def _kept_nodes(at: Analysis) -> Iterator[int]:
    """What functions return and what objects hold: others may take it from there."""
    yield from at.objects.fields.values()
    for path, survey in at.program.surveys.items():
        yield from (at.program.bases[path] + one.result for one in survey.functions)


def _is_of_project(at: Analysis, called: int) -> bool:
    """Whether only code of the project is called."""
    found = [at.solver.value(number) for number in at.solver.held[called]]
    return bool(found) and all(isinstance(one, (FunctionRef, ClassRef)) for one in found)


def _arguments(at: Analysis) -> Iterator[tuple[int, int]]:
    """The arguments of all calls, and what is called."""
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for call in survey.calls():
            called = base + call.called
            yield from [(base + node, called) for node in ops.given(call)]

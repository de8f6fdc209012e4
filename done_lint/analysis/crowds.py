"""Vector environments that arrive where no more are taken: what is done with all that are there is done with them.

A collector that every test of a project gets an environment of its own for is one field.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from done_lint.analysis.env_evidence import OldRead
from done_lint.analysis.values import Environment

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def crowded_out(at: Analysis, alike: Set[int]) -> set[int]:
    """The vector environments that found no room beside others of their API, all of which are among these."""
    return {one for one, beside in _crowded(at) if alike >= set(beside)}


def reads_of_crowded(at: Analysis) -> set[OldRead]:
    """What is read of the infos of all that stand where such an environment found no room, as reads of its own."""
    found = set[OldRead]()
    crowded = list(_crowded(at))
    by_env: dict[int, set[OldRead]] = {}
    for one in at.envs.old_reads if crowded else ():
        by_env.setdefault(one.env, set()).add(one._replace(env=0))
    for number, beside in crowded:
        nodes = {at.solver.get(one, Environment).node for one in beside}
        shared = set.intersection(*(by_env.get(node, set()) for node in nodes))
        own = at.solver.get(number, Environment).node
        found.update(one._replace(env=own) for one in shared)
    return found


def _crowded(at: Analysis) -> Iterator[tuple[int, list[int]]]:
    """Each vector environment that found no room at a node, with those of its API that stand there."""
    for node, numbers in at.solver.room.left_out.items():
        held = at.solver.all(node, Environment)
        for number in numbers:
            value = at.solver.value(number)
            if isinstance(value, Environment) and value.api.vector:
                beside = [one for one in held if at.solver.get(one, Environment).api is value.api]
                if beside:
                    yield number, beside

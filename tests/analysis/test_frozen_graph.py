"""What is solved is only read: a reader that adds to the graph would change what the next one reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from done_lint.analysis import linker
from done_lint.analysis.context import Analysis
from done_lint.analysis.import_graph import ImportGraph
from done_lint.analysis.module_files import ModuleFiles
from done_lint.analysis.values import External
from done_lint.analysis.weak_evidence import ProjectNames
from done_lint.facts.extract import Reading
from done_lint.flowgraph.build import survey
from done_lint.flowgraph.keys import AnyKey

PROJECT = Path(__file__).parents[2] / "fixtures" / "projects" / "old_dqn"
WRITES: dict[str, Callable[[Analysis], object]] = {
    "a node": lambda part: part.solver.add_node(),
    "a value in a node": lambda part: part.solver.add(0, 1),
    "an edge": lambda part: part.solver.edge(0, 1),
    "an interned value": lambda part: part.solver.intern(External("new")),
    "a field": lambda part: part.objects.field(0, AnyKey()),
    "a node for elements": lambda part: part.arrays.flat(0),
    "a watcher": lambda part: part.solver.watch(0, print),
}


@pytest.fixture
def solved() -> Analysis:
    surveys = {path.name: survey(path.name, path.read_text()) for path in sorted(PROJECT.glob("*.py"))}
    part = linker.joined(surveys, ImportGraph(ModuleFiles(surveys)))
    linker.solve(part, ProjectNames.of(surveys))
    return part


@pytest.mark.parametrize("kind", WRITES)
def test_a_solved_graph_refuses_what_would_change_it(solved: Analysis, kind: str) -> None:
    with pytest.raises(RuntimeError, match="frozen"):
        WRITES[kind](solved)


def test_reading_the_facts_leaves_the_graph_as_it_was(solved: Analysis) -> None:
    def content() -> tuple[object, ...]:
        edges = [dict(edges.items()) for edges in solved.solver.successors]
        held = [frozenset(tokens) for tokens in solved.solver.held]
        return (
            len(solved.solver.held),
            len(solved.solver.interned),
            held,
            edges,
            dict(solved.objects.fields),
            dict(solved.arrays.flats),
        )

    before = content()
    facts = Reading(solved).part().facts
    assert {sink.kind for one in facts.values() for sink in one.sinks.values()} >= {"store", "mask"}
    assert content() == before

"""What is solved is only read: a reader that adds to the graph would change what the next one reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from done_lint.analysis.import_graph import Imports
from done_lint.analysis.linker import Habits, Linker
from done_lint.analysis.values import External
from done_lint.facts.extract import Reading
from done_lint.flowgraph.build import survey
from done_lint.flowgraph.keys import AnyKey

PROJECT = Path(__file__).parents[2] / "fixtures" / "projects" / "old_dqn"
WRITES: dict[str, Callable[[Linker], object]] = {
    "a node": lambda linker: linker.add_node(),
    "a value in a node": lambda linker: linker.add(0, 1),
    "an edge": lambda linker: linker.edge(0, 1),
    "an interned value": lambda linker: linker.intern(External("new")),
    "a field": lambda linker: linker.field(0, AnyKey()),
    "a node for elements": lambda linker: linker.flat(0),
    "a watcher": lambda linker: linker.watch(0, print),
}


@pytest.fixture
def solved() -> Linker:
    surveys = {path.name: survey(path.name, path.read_text()) for path in sorted(PROJECT.glob("*.py"))}
    linker = Linker(surveys, Imports(surveys), Habits.of(surveys))
    linker.solve()
    return linker


@pytest.mark.parametrize("kind", WRITES)
def test_a_solved_graph_refuses_what_would_change_it(solved: Linker, kind: str) -> None:
    with pytest.raises(RuntimeError, match="frozen"):
        WRITES[kind](solved)


def test_reading_the_facts_leaves_the_graph_as_it_was(solved: Linker) -> None:
    def content() -> tuple[object, ...]:
        edges = [dict(edges) for edges in solved.successors]
        held = [frozenset(tokens) for tokens in solved.held]
        return solved.size, len(solved.interned), held, edges, dict(solved.fields), dict(solved.flats)

    before = content()
    facts = Reading(solved).part().facts
    assert {sink.kind for one in facts.values() for sink in one.sinks.values()} >= {"store", "mask"}
    assert content() == before

"""A few edges in a tuple answer as a dictionary by target does."""

from __future__ import annotations

import random

from done_lint.analysis.edges import Edges, with_edge


def test_edges_answer_as_a_dictionary_does() -> None:
    chosen = random.Random(0)
    kinds = set()
    for _ in range(2000):
        edges: Edges = {}
        expected: dict[int, int] = {}
        for target in chosen.sample(range(12), chosen.randrange(1, 9)):
            expected[target] = chosen.choice([0, 0, 0, 0, 1, 4])
            edges = with_edge(edges, target, expected[target])
        assert [*edges] == [*expected]
        assert [*edges.items()] == [*expected.items()]
        assert all(edges.get(target) == expected.get(target) for target in range(12))
        kinds.add(isinstance(edges, dict))
    assert kinds == {True, False}

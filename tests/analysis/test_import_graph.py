"""Which files run in every program that runs a file."""

from __future__ import annotations

import random

from done_lint.analysis.import_graph import ImportGraph
from done_lint.core.reach import reach
from done_lint.flowgraph.build import survey

NAMES = ["a", "b", "c", "d", "e", "test_a", "test_b", "p/__init__", "p/x", "p/test_y"]


def _never_without(graph: ImportGraph, start: str) -> frozenset[str]:
    """The same, found for each file by itself."""
    runners = set(reach([start], graph._users))

    def scripts(path: str) -> list[str]:
        users = [one for one in reach([path], graph._users) if one == path or not graph.is_test(one)]
        return [one for one in users if set(graph._users(one)) <= {one}] or users

    return frozenset(path for path in graph.running_with([start]) if runners.issuperset(scripts(path)))


def test_no_script_does_without() -> None:
    chosen = random.Random(0)
    for _ in range(150):
        surveys = {}
        for name in NAMES:
            imported = chosen.sample(NAMES, chosen.choice([0, 0, 1, 1, 2]))
            text = "".join(f"import {one.replace('/', '.').removesuffix('.__init__')}\n" for one in imported)
            surveys[f"/r/{name}.py"] = survey(f"/r/{name}.py", text)
        graph = ImportGraph(surveys, "/r", list(surveys))
        for path in surveys:
            assert graph.never_without(path) == _never_without(graph, path)

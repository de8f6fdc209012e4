"""Which files run in every program that runs a file."""

from __future__ import annotations

import random

from done_lint.analysis.import_graph import ImportGraph
from done_lint.analysis.module_files import ModuleFiles
from done_lint.core.reach import reach
from done_lint.flowgraph.build import survey

NAMES = ["a", "b", "c", "d", "e", "test_a", "test_b", "p/__init__", "p/x", "p/test_y"]


def _never_without(graph: ImportGraph, starts: list[str]) -> frozenset[str]:
    """The same, found for each file by itself."""
    runners = set(reach(starts, graph._users))

    def scripts(path: str) -> list[str]:
        users = [one for one in reach([path], graph._users) if one == path or not graph.is_test(one)]
        return [one for one in users if set(graph._users(one)) <= {one}] or users

    files = graph.running_with(starts).union(filter(graph.is_test, runners))
    return frozenset(path for path in files if runners.issuperset(scripts(path)))


def test_no_script_does_without() -> None:
    chosen = random.Random(0)
    for _ in range(150):
        surveys = {}
        for name in NAMES:
            imported = chosen.sample(NAMES, chosen.choice([0, 0, 1, 1, 2]))
            text = "".join(f"import {one.replace('/', '.').removesuffix('.__init__')}\n" for one in imported)
            surveys[f"/r/{name}.py"] = survey(f"/r/{name}.py", text)
        graph = ImportGraph(ModuleFiles(surveys, "/r", list(surveys)))
        several = chosen.sample(sorted(surveys), 2)
        for starts in (several, *([path] for path in surveys)):
            assert graph.never_without(starts) == _never_without(graph, starts)

"""Which files imports connect: a search that ends early finds what a whole one finds."""

from __future__ import annotations

import pytest

from done_lint.engine.connections import Connections
from done_lint.project.modules import Modules

FILES = {
    "/p/main.py": "from agents import dqn\n",
    "/p/agents/__init__.py": "",
    "/p/agents/dqn.py": "from .memory import Memory\n",
    "/p/agents/memory.py": "import numpy\n",
    "/p/agents/deep/__init__.py": "from .. import memory\n",
    "/p/tests/test_main.py": "import main\n",
    "/p/apart/one.py": "import two  # not main\n",
    "/p/apart/two.py": "",
}


def connections() -> Connections:
    """The connections of the files above."""
    return Connections(Modules(FILES, "/p"), lambda path: FILES[path].encode())


@pytest.mark.parametrize("start", FILES)
def test_a_search_with_a_bound_finds_the_same(start: str) -> None:
    found = connections().around([start], FILES)
    assert start in found
    assert connections().small_around([start], frozenset(FILES), 1000) == found
    assert ("/p/apart/one.py" in found) == ("apart" in start)


@pytest.mark.parametrize("start", ["/p/main.py", "/p/tests/test_main.py"])
def test_a_search_ends_where_there_is_too_much(start: str) -> None:
    assert connections().small_around([start], frozenset(FILES), 40) is None

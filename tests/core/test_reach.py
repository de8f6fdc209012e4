"""The search that all of the analysis uses: what is found, in which order, and how far it goes."""

from __future__ import annotations

from itertools import islice

from done_lint.core.reach import reach

#: Two ways lead from `a` to `e`, and one leads back.
GRAPH = {"a": "bc", "b": "d", "c": "e", "d": "e", "e": "a", "f": "a"}


def test_everything_that_can_be_reached_is_found_once() -> None:
    assert sorted(reach("a", GRAPH.__getitem__)) == list("abcde")


def test_the_node_found_last_comes_next() -> None:
    assert "".join(reach("fa", GRAPH.__getitem__)) == "acebdf"


def test_a_node_that_is_found_again_while_it_waits_comes_earlier() -> None:
    assert "".join(reach("ba", {"a": "cb", "b": "d", "c": "", "d": ""}.__getitem__)) == "abdc"


def test_breadth_first_the_nearest_nodes_come_first() -> None:
    assert "".join(reach("a", GRAPH.__getitem__, breadth_first=True)) == "abcde"


def test_the_search_ends_at_its_bound() -> None:
    assert "".join(reach("a", GRAPH.__getitem__, bound=3)) == "ace"


def test_no_more_is_followed_than_is_asked_for() -> None:
    asked: list[str] = []

    def follow(node: str) -> str:
        asked.append(node)
        return GRAPH[node]

    assert list(islice(reach("a", follow), 2)) == ["a", "c"]
    assert asked == ["a"]

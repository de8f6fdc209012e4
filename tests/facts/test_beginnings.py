"""Where one value arrives, by where it begins."""

from __future__ import annotations

from done_lint.facts.beginnings import Beginnings

#: The ways into each node: 1 and 2 begin, 3 joins them, 4 follows 3; 5 and 6 are a circle; 7 leads in from outside.
INTO = {1: [7], 2: [], 3: [1, 2], 4: [3], 5: [6], 6: [5]}
HOLDERS = frozenset(INTO)


def test_a_node_to_which_only_others_lead_that_do_not_hold_the_value_is_a_beginning() -> None:
    assert sorted(Beginnings(HOLDERS, INTO.__getitem__).all) == [1, 2]


def test_what_one_beginning_leads_to() -> None:
    ways = Beginnings(HOLDERS, INTO.__getitem__)
    assert ways.reached([1]) == {1, 3, 4}
    assert ways.reached([]) == set()


def test_no_way_goes_through_an_end() -> None:
    ways = Beginnings(HOLDERS, INTO.__getitem__, ends=frozenset({3}))
    assert sorted(ways.all) == [1, 2]
    assert ways.reached(ways.all) == {1, 2}

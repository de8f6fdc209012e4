"""A survey knows places in rows and characters."""

from __future__ import annotations

import pytest
from model_programs import STEP, assert_sinks, facts, flag, span_of

from done_lint.core.findings import Span
from done_lint.facts.build import link
from done_lint.flowgraph.build import survey


def test_columns_count_characters_not_bytes() -> None:
    program = f"{STEP}größe = 'é'; 终止 = done; print(终止)\n"
    assert flag(program, "终止") is not None
    assert Span(9, 30, 9, 32) in facts(program).flags


def test_columns_count_characters_of_sinks() -> None:
    program = f"{STEP}größe = 'ß'; y = reward + 0.99 * (1 - done) * value(next_obs)\n"
    (at,) = facts(program).sinks
    assert at == span_of(program, "1 - done")


def test_characters_outside_the_basic_plane_count_once() -> None:
    program = f"{STEP}x = '🤖'; y = reward + 0.99 * (1 - done) * value(next_obs)  # sink: mask\n"
    assert_sinks(program)
    assert span_of(program, "1 - done") in facts(program).sinks


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_rows_are_the_same_with_every_line_end(end: str) -> None:
    text = STEP.replace("\n", end) + f"ä = done{end}print(ä)"
    made = link([survey("main.py", text)]).facts("main.py")
    assert Span(10, 6, 10, 7) in made.flags


def test_a_form_feed_does_not_move_rows() -> None:
    program = STEP + "\x0cä = done\nprint(ä)\n"
    made = link([survey("main.py", program)]).facts("main.py")
    assert Span(10, 6, 10, 7) in made.flags


def test_a_separator_inside_a_string_is_no_row() -> None:
    program = STEP + "x = 'a\u2028b\x1cc'\nprint(done)\n"
    made = link([survey("main.py", program)]).facts("main.py")
    assert Span(10, 6, 10, 10) in made.flags


def test_an_expression_over_several_rows_has_its_whole_place() -> None:
    program = STEP + "mask = (1 -\n        done)\nprint(mask)\n"
    made = facts(program)
    assert Span(9, 8, 10, 12) in made.flags

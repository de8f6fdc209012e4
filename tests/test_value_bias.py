"""The numbers that the pages of GYM204 and GYM206 explain with: what the benchmark prints, and in which order it falls.

What is an exact fixed point is held to its figure; what comes from a rollout, to its order and a wide margin.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from done_lint.rules.registry import rule_page

BENCHMARK = Path(__file__).parent.parent / "benchmarks" / "value_bias.py"


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The printed tables, by the first word of their title."""
    command = [sys.executable, str(BENCHMARK), "--plot", str(tmp_path_factory.mktemp("plot") / "value_bias.png")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {block.split()[0]: block.splitlines() for block in printed.strip().split("\n\n")}


def numbers(sections: dict[str, list[str]], section: str, row: str) -> list[float]:
    """The cells of a row."""
    (line,) = (line for line in sections[section] if re.fullmatch(re.escape(row) + r"  +[-\d. ]+", line))
    return [float(cell) for cell in line.removeprefix(row).split() if cell != "-"]


def test_a_done_mask_shortens_the_horizon(sections: dict[str, list[str]]) -> None:
    rows = [line.split() for line in sections["A1"][2:]]
    assert [(float(h), int(limit), float(v), float(learnt)) for h, limit, v, learnt, _ in rows] == [
        (0, 50, 100, 33.56),
        (0, 200, 100, 66.89),
        (0, 500, 100, 83.47),
        (0, 1000, 100, 90.99),
        (0.002, 200, 83.47, 62.50),
        (0.002, 500, 83.47, 76.16),
        (0.02, 200, 33.56, 33.16),
        (0.02, 500, 33.56, 33.56),
    ]
    assert [row[-1] for row in rows[:6]] == ["-66.4%", "-33.1%", "-16.5%", "-9.0%", "-25.1%", "-8.8%"]


def test_the_observation_after_the_reset_is_a_part_of_the_mistake(sections: dict[str, list[str]]) -> None:
    assert "mean true V 1.96" in sections["A2"][0]
    done, reset, final = (numbers(sections, "A2", row) for row in ("D", "T, V(reset)", "T, V(final)"))
    assert done == pytest.approx([-1.03, -0.75, -0.32], rel=0.4)
    assert reset == pytest.approx([-0.31, -0.21, -0.08], abs=0.06)
    assert final == [0, 0, 0]


def test_no_mask_at_all_is_worse(sections: dict[str, list[str]]) -> None:
    right, learnt = map(float, re.findall(r"\d\.\d\d", sections["A3"][1]))
    assert learnt > 4 * right


def test_only_two_masks_are_right_in_gae(sections: dict[str, list[str]]) -> None:
    order = [
        "T in the delta with V(final), D in the carry",
        "T in the delta with V(reset), D in the carry",
        "T in both, V(final)",
        "T in both, V(reset)",
        "D in both",
    ]
    error = {row: numbers(sections, "B", row)[0] for row in order}
    assert sorted(order, key=error.__getitem__) == order
    assert list(error.values()) == pytest.approx([0, 0.109, 0.457, 0.480, 0.764], rel=0.25, abs=0.06)
    assert numbers(sections, "B", "r += gamma * V(final) at U, D in both") == [0, 0]
    for approximate in ("r += gamma * V(s_t) at U, D in both", "advantage dropped at U (bad_masks)"):
        assert 0 < numbers(sections, "B", approximate)[0] < error["T in both, V(final)"]


@pytest.mark.parametrize(
    ("row", "advantages"),
    [
        ("each episode by itself", [2.958, 2.164, 1.200]),
        ("T in the delta with V(final), D in the carry", [2.958, 2.164, 1.200]),
        ("r += gamma * V(final) at U, D in both", [2.958, 2.164, 1.200]),
        ("D in both", [-0.774, -3.020, -6.000]),
        ("T in both, V(reset)", [1.514, 0.158, -1.587]),
        ("T in both, V(final)", [4.313, 4.046, 3.813]),
        ("T in the delta with V(reset), D in the carry", [0.159, -1.724, -4.200]),
    ],
)
def test_six_rows_by_hand(sections: dict[str, list[str]], row: str, advantages: list[float]) -> None:
    assert numbers(sections, "Toy", row) == pytest.approx(advantages, abs=0.0011)


def test_for_returns_over_whole_episodes_the_rename_makes_it_worse(sections: dict[str, list[str]]) -> None:
    done = numbers(sections, "C", "D in both")
    reset = numbers(sections, "C", "T in both, V(reset)")
    final = numbers(sections, "C", "T in both, V(final)")
    half = numbers(sections, "C", "T for the value V(reset), D to stop")
    assert done == pytest.approx([0.418, 0.339, 0.630], rel=0.2)
    for kind in (0, 1):
        assert half[kind] < final[kind] <= reset[kind] < done[kind]
    assert reset[2] > 1.3 * done[2]
    assert numbers(sections, "C", "T for the value V(final), D to stop") == [0, 0, 0]


def test_the_rows_between_episodes_serve_the_recursion_and_not_the_loss(sections: dict[str, list[str]]) -> None:
    assert numbers(sections, "D", "T in the delta, D in the carry") == [0]
    (terminated,), (done,) = (numbers(sections, "D", row) for row in ("T in both", "D in both"))
    assert (terminated, done) == pytest.approx((0.498, 0.761), rel=0.25)
    assert numbers(sections, "D", "mean one-step error of the made-up rows")[0] < -0.2


def test_the_pages_show_what_is_computed(sections: dict[str, list[str]]) -> None:
    recursion, leak = rule_page("GYM204"), rule_page("GYM206")
    for row in (line.split("|")[1:-1] for line in recursion.splitlines() if line.startswith("| ")):
        recipe, *cells = (cell.strip().replace("`", "") for cell in row)
        if cells == ["rmse", "largest"]:
            continue
        recipe = recipe.replace("truncations", "U")
        error, largest = numbers(sections, "B", recipe)
        assert (float(cells[0]), float(cells[1])) == (pytest.approx(error, abs=0.0051), pytest.approx(largest))
    done, renamed = (numbers(sections, "C", row)[2] for row in ("D in both", "T in both, V(reset)"))
    assert f"{renamed:.2f} against {done:.2f}" in recursion
    spread = sections["B"][1].split()[-1]
    assert f"spread by {spread}" in recursion
    assert f"| {numbers(sections, 'B', 'D in both')[0]:.2f} | {done:.2f} |" in leak
    assert f"| {numbers(sections, 'B', 'T in both, V(reset)')[0]:.2f} | {renamed:.2f} |" in leak

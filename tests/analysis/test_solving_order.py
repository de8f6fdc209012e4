"""What the order of solving decides follows from the surveys, not from the order in which the solver is called."""

from __future__ import annotations

import pytest

from done_lint.analysis import flag_lattice
from done_lint.analysis.solver import MOST_OBJECTS, Solver
from done_lint.analysis.values import Object, Shape


@pytest.mark.parametrize("added", [(1, 2, 3), (3, 2, 1)])
def test_narrowings_are_done_in_the_order_of_the_surveys(added: tuple[int, ...]) -> None:
    solver = Solver()
    solver.add_nodes(4)
    done: list[int] = []
    for result in added:
        solver.narrowing(result, [0], lambda result=result: done.append(result))  # type: ignore[misc]
    solver.add(0, flag_lattice.TERMINATED)
    solver.run()
    assert done == [1, 2, 3]


def test_a_node_that_is_added_while_solving_has_no_narrowing() -> None:
    solver = Solver()
    solver.add_nodes(1)
    with pytest.raises(ValueError, match="node 1 is of no survey"):
        solver.narrowing(solver.add_node(), [0], lambda: None)


def test_a_node_keeps_the_objects_that_come_first() -> None:
    solver = Solver()
    solver.add_nodes(1)
    objects = [solver.intern(Object(node, Shape.LIST)) for node in range(MOST_OBJECTS + 1)]
    for number in reversed(objects):
        solver.add(0, number)
    assert set(solver.held[0]) == set(objects[1:])

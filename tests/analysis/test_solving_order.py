"""What the order of solving decides follows from the surveys, not from the order in which the solver is called."""

from __future__ import annotations

import pytest
from model_programs import linked

from done_lint.analysis import flag_lattice
from done_lint.analysis.room import MOST_OBJECTS
from done_lint.analysis.solver import Solver
from done_lint.analysis.values import Object, Shape, Text


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


def test_what_is_postponed_at_one_node_is_all_done() -> None:
    solver = Solver()
    solver.add_nodes(1)
    done: list[str] = []
    solver.narrowing(0, [], lambda: done.append("narrowing"))
    solver.postpone(0, lambda: done.append("first"))
    solver.postpone(0, lambda: done.append("second"))
    solver.run()
    assert done == ["narrowing", "first", "second"]


def test_a_node_keeps_the_objects_that_come_first() -> None:
    solver = Solver()
    solver.add_nodes(1)
    objects = [solver.intern(Object(node, Shape.LIST)) for node in range(MOST_OBJECTS + 1)]
    for number in reversed(objects):
        solver.add(0, number)
    assert set(solver.held[0]) == set(objects[1:])


@pytest.mark.parametrize("others", range(0, 40, 7))
def test_what_a_full_node_keeps_does_not_depend_on_how_many_values_there_are(others: int) -> None:
    solver = Solver()
    solver.add_nodes(3)
    for node in range(others):
        solver.intern(Text(str(node)))
    texts = [solver.intern(Text(f"CartPole-v{node}")) for node in range(MOST_OBJECTS)]
    objects = [solver.intern(Object(node, Shape.LIST)) for node in range(MOST_OBJECTS + 4)]
    for number in objects[:MOST_OBJECTS]:
        solver.add(0, number)
    for number in objects[MOST_OBJECTS:]:
        solver.add(1, number)
    for number in texts:
        solver.add(1, number)
    solver.edge(1, 2)
    solver.edge(0, 2)
    solver.run()
    assert solver.all(2, Object) == objects[: MOST_OBJECTS - 4] + objects[MOST_OBJECTS:]
    assert [solver.get(number, Text).text for number in solver.all(2, Text)] == [f"CartPole-v{n}" for n in range(8)]


#: Wrappers of which more arrive at one place than are told apart.
WRAPPERS = "".join(
    f"class Wrapper{n}(gym.Wrapper):\n    def step(self, action):\n        return self.env.step(action)\n\n\n"
    for n in range(MOST_OBJECTS + 4)
)
AGENT = "def play(env):\n    obs, reward, done, info = env.step(0)\n    return env\n"


@pytest.mark.parametrize("name", ["aaa.py", "zzz.py"])
def test_a_file_that_adds_nothing_changes_no_fact(name: str) -> None:
    made = "\n".join(f"play(Wrapper{n}(gym.make('CartPole-v{n}')))" for n in range(MOST_OBJECTS + 4))
    program = {
        "agent.py": AGENT,
        "main.py": f"import gym\nfrom agent import play\n\n\n{WRAPPERS}{made}\n",
    }
    rows = "".join(f"x{n} = [{n}], ({n}, 1), {{}}\n" for n in range(50))
    more = linked({**program, name: f"import agent\nimport main\n\n{rows}"})
    alone = linked({**program, name: "import agent\nimport main\n"})
    assert [more.facts(path) for path in program] == [alone.facts(path) for path in program]

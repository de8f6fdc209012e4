"""The size of a space that another file gives to a layer is made one of Python's integers."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixing import fix, texts

ROOM = """import gym


class Room:
    def __init__(self, name):
        self.env = gym.make(name)
"""
BRAIN = """from {layers}


class Brain:
    def __init__(self, count):
        self.count = count
        self.head = {layer}
"""
MAIN = """from brain import Brain
from room import Room

room = Room("CartPole-v1")
count = room.env.action_space.n
Brain(count)
"""


def _fixed(folder: Path, brain: str, main: str = MAIN) -> str:
    """What `fix` makes of the file that asks for the size."""
    for name, text in {"room.py": ROOM, "brain.py": brain, "main.py": main}.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert not fix(folder).findings
    return texts(folder)["main.py"]


@pytest.mark.parametrize(
    ("layers", "layer"),
    [
        ("keras.layers import Dense", "Dense(units=self.count)"),
        ("tensorflow.keras import layers", "layers.Dense(self.count)"),
        ("tensorflow.contrib import slim", "slim.fully_connected(None, self.count)"),
    ],
)
def test_a_size_that_goes_to_a_layer_is_an_int(tmp_path: Path, layers: str, layer: str) -> None:
    fixed = _fixed(tmp_path, BRAIN.format(layers=layers, layer=layer))
    assert fixed == MAIN.replace("room.env.action_space.n", "int(room.env.action_space.n)")


@pytest.mark.parametrize(
    ("layers", "layer"),
    [
        ("torch.nn import Linear", "Linear(4, self.count)"),
        ("keras.layers import Dense", "Dense(2)"),
        ("keras.layers import Dense", "Dense(int(self.count))"),
    ],
)
def test_what_takes_any_integer_is_given_the_size_as_it_is(tmp_path: Path, layers: str, layer: str) -> None:
    assert _fixed(tmp_path, BRAIN.format(layers=layers, layer=layer)) == MAIN


def test_an_import_of_gym_beside_the_size_takes_care_of_it(tmp_path: Path) -> None:
    brain = BRAIN.format(layers="keras.layers import Dense", layer="Dense(self.count)")
    fixed = _fixed(tmp_path, brain, f"import gym\n{MAIN}print(gym.__version__)\n")
    assert fixed.startswith("import gymnasium as gym\n")
    assert "count = int(room.env.action_space.n)\n" in fixed


@pytest.mark.parametrize(
    "size",
    [
        "if discrete:\n    count = {}\nelse:\n    count = room.env.action_space.shape[0]\n",
        "count = {}\nif not discrete:\n    count = 1\n",
        "chosen = {} if discrete else 1\ncount = chosen\n",
    ],
)
def test_a_size_may_come_out_of_one_of_two_branches(tmp_path: Path, size: str) -> None:
    brain = BRAIN.format(layers="keras.layers import Dense", layer="Dense(self.count)")
    head, _, tail = MAIN.partition("count = room.env.action_space.n\n")
    main = f"{head}discrete = room.env.spec is not None\n{size}{tail}"
    fixed = _fixed(tmp_path, brain, main.format("room.env.action_space.n"))
    assert fixed == main.format("int(room.env.action_space.n)")

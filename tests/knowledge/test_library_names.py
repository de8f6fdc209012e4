"""The tables of renamed and removed names, compared with the Gymnasium that is installed."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

import pytest

from done_lint.core.gymnasium_release import NEWEST
from done_lint.knowledge import env_id_apis
from done_lint.knowledge.env_id_versions import TASKS, Outdated, Task, outdated
from done_lint.knowledge.gymnasium_changes import (
    GONE,
    MONITOR,
    RENAMED,
    SIGNATURES,
    VECTOR_WRAPPERS,
    WRAPPERS,
    Renamed,
    canonical,
    current,
)
from done_lint.knowledge.wrapper_attributes import LOST, OWN
from done_lint.knowledge.wrapper_attributes import RENAMED as ATTRIBUTES
from done_lint.knowledge.wrapper_modules import WRAPPER_MODULES

gymnasium = pytest.importorskip("gymnasium")
#: What stands in modules that import a package of their own.
UNLOADABLE = ("envs.mujoco.", "envs.box2d.", "utils.play.")
OLD = (0, 29)


def exists(name: str) -> bool:
    """Whether Gymnasium has a name, taken as a module or as an attribute of one."""
    if name.startswith(UNLOADABLE):
        return is_written(name)
    module, _, last = f"gymnasium.{name}".rpartition(".")
    try:
        importlib.import_module(f"{module}.{last}")
        return True
    except ImportError:
        pass
    try:
        return hasattr(importlib.import_module(module), last)
    except ImportError:
        return False


def is_written(name: str) -> bool:
    """The same of a module that needs MuJoCo, Box2D or Matplotlib: by its files and what their text defines."""
    *outer, last = name.split(".")
    folder = Path(gymnasium.__file__).parent.joinpath(*outer)
    above = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = re.sub(r'""".*?"""', "", above.read_text(encoding="utf-8"), flags=re.DOTALL)
    defined = re.search(rf"^(?:(?:class|def) {last}\b|{last}\b.*=|(?:from|import) .*\b{last}\b)", text, re.MULTILINE)
    return (folder / f"{last}.py").exists() or bool(defined)


@pytest.mark.parametrize("name", [*RENAMED, *GONE, *MONITOR])
def test_removed_names_are_removed_in_gymnasium(name: str) -> None:
    assert not exists(name)


def test_the_wrappers_are_those_of_the_library() -> None:
    wrappers = importlib.import_module("gymnasium.wrappers")
    vector = importlib.import_module("gymnasium.wrappers.vector")
    assert {name for name in wrappers.__all__ if name != "vector"} == WRAPPERS
    assert {name for name in vector.__all__ if name in WRAPPERS} == VECTOR_WRAPPERS
    assert all(importlib.util.find_spec(f"gymnasium.wrappers.{name}") for name in WRAPPER_MODULES)


@pytest.mark.parametrize("row", RENAMED.values(), ids=list(RENAMED))
def test_what_replaces_a_name_is_there(row: Renamed) -> None:
    assert exists(row.new)


@pytest.mark.parametrize("name", SIGNATURES)
def test_new_arguments_are_those_of_the_wrapper(name: str) -> None:
    wrapper = getattr(importlib.import_module("gymnasium.wrappers"), name.rpartition(".")[2])
    taken = wrapper.__init__.__code__.co_varnames
    row = SIGNATURES[name]
    assert set(row.arguments.values()) <= set(taken)
    assert not set(row.arguments) & set(taken)
    assert not row.required or taken[row.place + 1] == row.required
    assert not row.pair or taken[row.place + 1] == row.pair


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_ids_can_be_made_or_not_as_the_table_says(task: Task) -> None:
    name, versions = task.name, task.versions
    for number in range(max(versions) + 1):
        env_id = f"{name}-v{number}"
        found = outdated(env_id, NEWEST)
        known = env_id in gymnasium.registry and "raise" not in str(gymnasium.registry[env_id].entry_point)
        assert (found is None) == known, env_id
        assert found is None or found.successor in gymnasium.registry


def test_the_names_of_gymnasiums_own_environments_are_those_of_its_registry() -> None:
    plain = {name.rpartition("-v")[0] for name in gymnasium.registry if "/" not in name and not name.startswith("GymV")}
    assert plain == env_id_apis.OWN
    assert all(env_id_apis.is_own(f"{task.name}-v{version}") for task in TASKS for version in task.versions)


def test_the_release_decides() -> None:
    assert outdated("LunarLander-v2", OLD) is None
    assert outdated("Taxi-v2", (1, 2)).successor == "Taxi-v3"
    assert outdated("Taxi-v3", (1, 2)) is None
    assert outdated("Hopper-v2", OLD) is None
    assert outdated("Hopper-v1", OLD).successor == "Hopper-v4"
    assert outdated("Pendulum-v0", OLD) is not None
    # no release up to that one has it; a newer one might
    assert outdated("Pendulum-v4", (1, 2)) == Outdated("Pendulum-v1", "near", since=(0, 26))
    assert outdated("Pendulum-v4", NEWEST) is None
    # the pin is older than what the program was written for
    assert outdated("LunarLander-v3", OLD) is None
    assert current("wrappers.FrameStack", OLD) == "wrappers.FrameStack"
    assert current("wrappers.FrameStack", NEWEST) == "wrappers.FrameStackObservation"
    assert current("wrappers.clip_action.ClipAction", OLD) == "wrappers.clip_action.ClipAction"
    assert canonical("wrappers.clip_action.ClipAction", NEWEST) == "wrappers.ClipAction"
    assert current("wrappers.Monitor", OLD) == current("GoalEnv", OLD) == ""


@pytest.mark.parametrize("name", sorted(WRAPPERS & set(OWN)))
def test_the_methods_of_wrappers_are_in_their_table(name: str) -> None:
    wrapper = getattr(importlib.import_module("gymnasium.wrappers"), name)
    added = {one for one in set(dir(wrapper)) - set(dir(gymnasium.Wrapper)) if not one.startswith("__")}
    assert added <= OWN[name]


@pytest.mark.parametrize(("name", "lost"), [(name, one) for name, lost in LOST.items() for one in lost])
def test_what_wrappers_have_lost_is_not_there(name: str, lost: str) -> None:
    assert not hasattr(getattr(importlib.import_module("gymnasium.wrappers"), name), lost)
    assert lost not in OWN[name]


@pytest.mark.parametrize(("name", "new"), [(name, one) for name, row in ATTRIBUTES.items() for one in row.values()])
def test_renamed_attributes_of_wrappers_are_in_their_table(name: str, new: str) -> None:
    assert new in OWN[name]

"""Flags flow from file to file, whatever form the import has."""

from __future__ import annotations

import pytest
from agent_project import project
from model_programs import STEP, assert_sinks, meanings, sink


def test_a_flag_stored_in_one_file_cuts_a_target_in_another() -> None:
    assert_sinks(project("buffer", "agent", "done)  # sink: store", "  # sink: mask"))


@pytest.mark.parametrize("given", ["obs, done", "done, obs"])
def test_a_function_that_returns_the_flag_stores_nothing(given: str) -> None:
    files = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    files["filters.py"] = f"def passed(obs, done):\n    count(obs)\n    return {given}\n"
    files["train.py"] = (
        files["train.py"]
        .replace("buffer.add", f"{given} = filters.passed(obs, done)\n        buffer.add")
        .replace("import gymnasium as gym", "import gymnasium as gym\n    import filters")
    )
    assert_sinks(files)


def test_a_flag_converted_on_its_way_into_the_store_is_stored_there() -> None:
    files = project("buffer", "agent", "filters.number(done))  # sink: store", "  # sink: mask")
    files["filters.py"] = "def number(flag):\n    return float(flag)\n"
    files["train.py"] = files["train.py"].replace(
        "import gymnasium as gym", "import gymnasium as gym\n    import filters"
    )
    assert_sinks(files)


def test_terminated_stored_in_one_file_is_right_in_another() -> None:
    assert_sinks(project("buffer", "agent", "terminated)", ""))


def test_packages_are_followed() -> None:
    files = project("lib.buffers.replay", "lib.agents.dqn", "done)  # sink: store", "  # sink: mask")
    files |= {"lib/__init__.py": "", "lib/buffers/__init__.py": "", "lib/agents/__init__.py": ""}
    assert_sinks(files)


def test_packages_without_init_files_are_followed() -> None:
    assert_sinks(project("lib.replay", "lib.dqn", "done)  # sink: store", "  # sink: mask"))


def test_a_module_taken_out_of_a_folder_without_an_init_file_is_followed() -> None:
    files = project("lib.replay", "lib.dqn", "done)  # sink: store", "  # sink: mask")
    files["train.py"] = files["train.py"].replace("from lib.replay import Buffer", "from lib import replay")
    files["train.py"] = files["train.py"].replace("Buffer()", "replay.Buffer()")
    assert_sinks(files)


def test_relative_imports_are_followed() -> None:
    files = project(".buffer", ".agent", "done)  # sink: store", "  # sink: mask")
    assert_sinks({f"lib/{path}": text for path, text in files.items()} | {"lib/__init__.py": ""})


def test_relative_imports_of_the_folder_above_are_followed() -> None:
    files = project(".buffer", ".agent", "done)  # sink: store", "  # sink: mask")
    train = files.pop("train.py").replace("from .", "from ..")
    assert_sinks({f"lib/{path}": text for path, text in files.items()} | {"lib/runs/train.py": train})


def test_a_name_that_a_package_re_exports_is_followed() -> None:
    files = project("lib.buffer", "lib.agent", "done)  # sink: store", "  # sink: mask")
    files["lib/__init__.py"] = "from .buffer import Buffer\nfrom lib.agent import *\n"
    files["train.py"] = files["train.py"].replace("lib.buffer", "lib")
    assert_sinks(files)


def test_a_star_import_is_followed() -> None:
    files = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    files["train.py"] = files["train.py"].replace("import learn", "import *")
    assert_sinks(files)


def test_a_module_imported_whole_is_followed() -> None:
    files = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    files["train.py"] = (
        files["train.py"].replace("from agent import learn", "import agent as a").replace(" learn(", " a.learn(")
    )
    assert_sinks(files)


def test_a_source_folder_is_no_part_of_a_modules_name() -> None:
    files = project("lib.buffer", "lib.agent", "done)  # sink: store", "  # sink: mask")
    assert_sinks({f"src/{path}": text for path, text in files.items()})


def test_files_beside_each_other_import_each_other_from_any_folder() -> None:
    files = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    assert_sinks({f"examples/dqn/{path}": text for path, text in files.items()})


def test_modules_of_one_name_in_two_folders_do_not_mix() -> None:
    wrong = project("buffer", "agent", "done)  # sink: store", "  # sink: mask")
    right = project("buffer", "agent", "terminated)", "")
    assert_sinks(
        {f"old/{path}": text for path, text in wrong.items()} | {f"new/{path}": text for path, text in right.items()}
    )


def test_imports_in_a_circle_end() -> None:
    files = {
        "a.py": "import b\ndef f(x):\n    return b.g(x)\n",
        "b.py": "import a\ndef g(x):\n    return a.f(x)\n",
        "main.py": STEP + "import a\nx = a.f(done)\nprint(x)\n",
    }
    assert meanings(files, "x") == set()


def test_the_path_of_a_stored_flag_runs_through_the_files() -> None:
    files = project("buffer", "agent", "done)", "")
    assert sink(files, "store", "train.py").path[0].path == "train.py"
    assert sink(files, "mask", "agent.py").path[-1].path == "agent.py"

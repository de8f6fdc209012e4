"""External names are known in the survey, and knowing them changes no finding."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest
from model_programs import STEP

from done_lint.engine import analyze
from done_lint.facts.build import link
from done_lint.facts.facts import Facts
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.binding_scan import Outline
from done_lint.flowgraph.build import survey
from done_lint.flowgraph.external_names import names
from done_lint.flowgraph.schema import Survey
from done_lint.project.discovery import projects
from done_lint.project.modules import Modules
from done_lint.project.settings import Settings

PROJECTS = Path(__file__).resolve().parents[2] / "fixtures" / "projects"


def known(text: str, *inside: str) -> dict[str, str]:
    """What is known of names of a file that imports bind."""
    text = dedent(text)
    found = names(Outline(ast.parse(text), text), frozenset(inside))
    return {name: dotted for name, dotted in found.items() if not dotted.startswith("builtins.")}


def called(text: str) -> list[str]:
    """The external names that are called in a file of no project."""
    made = survey("main.py", dedent(text), frozenset())
    externals = {one.target: one.dotted for one in made.bindings if isinstance(one, ops.External)}
    return [externals[one.called] for one in made.operations if isinstance(one, ops.LibraryCall)]


# --- which names ---------------------------------------------------------------------------------------


def test_what_is_imported_from_other_packages_is_external() -> None:
    text = "import numpy as np\nimport os.path\nfrom torch import nn\nfrom torch.nn import functional as F\n"
    assert known(text) == {"np": "numpy", "os": "os", "nn": "torch.nn", "F": "torch.nn.functional"}


def test_what_may_be_a_file_of_the_project_is_not() -> None:
    assert known("import queue\nfrom utils.envs import make\nimport numpy\n", "queue", "utils") == {"numpy": "numpy"}
    assert known("from . import queue\nfrom .queue import make\n") == {}


def test_without_a_project_no_import_is() -> None:
    text = "import numpy as np\n"
    assert not set(names(Outline(ast.parse(text), text), None)) & {"np"}


def test_the_library_itself_is_left_to_the_linker() -> None:
    assert known("import gymnasium as gym\nimport gym as old\nfrom gymnasium import spaces\n") == {}


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\nnp = None\n",
        "try:\n    import numpy as np\nexcept ImportError:\n    np = None\n",
        "import numpy as np\ndef f():\n    global np\n    np = g()\n",
        "import numpy as np\nfor np in rows:\n    pass\n",
        "import numpy as np\nwith a as np:\n    pass\n",
        "def f():\n    import numpy as np\n",
        "import numpy as np\nif (np := g()):\n    pass\n",
        "import numpy as np\nimport numpy.random as np\n",
    ],
)
def test_a_name_that_is_bound_elsewhere_too_is_not(text: str) -> None:
    assert known(text) == {}


def test_builtins_are_unless_the_module_binds_them() -> None:
    text = "print = log\ndef f():\n    global max\n    max = 3\n"
    found = names(Outline(ast.parse(text), text), frozenset())
    assert found["len"] == "builtins.len"
    assert not {"print", "max"} & set(found)


# --- where they are shadowed ---------------------------------------------------------------------------


def test_a_chain_is_one_name() -> None:
    assert called("import numpy as np\nx = np.random.default_rng().normal(len(a))\n") == [
        "numpy.random.default_rng",
        "builtins.len",
    ]


@pytest.mark.parametrize(
    "rows",
    [
        "def f(np):\n    return np.array(1)\n",
        "def f(*np):\n    return np.array(1)\n",
        "def f():\n    np = other()\n    return lambda: np.array(1)\n",
        "class A:\n    np = other\n    x = np.array(1)\n",
        "y = [np.array(1) for np in modules]\n",
        "f = lambda np: np.array(1)\n",
    ],
)
def test_a_name_of_an_inner_scope_is_its_own(rows: str) -> None:
    assert "numpy.array" not in called("import numpy as np\n" + rows)


def test_an_object_with_a_characteristic_attribute_is_examined() -> None:
    assert called("import pool\npool.reset()\npool.step_all()\npool.close()\n") == ["pool.close"]


# --- the same is found ---------------------------------------------------------------------------------


def both_ways(files: dict[str, str]) -> None:
    """Link with the external names, and as if there were none."""
    inside = frozenset(part.removesuffix(".py") for path in files for part in path.split("/"))
    known = link([survey(path, text, inside) for path, text in files.items()])
    asked = link([survey(path, text) for path, text in files.items()])
    for path in files:
        one, other = known.facts(path), asked.facts(path)
        for name in Facts.__dataclass_fields__:
            assert getattr(one, name) == getattr(other, name), (path, name)
    assert known.solved == asked.solved


@pytest.mark.parametrize(
    "rows",
    [
        "mask = np.logical_not(np.asarray(done, dtype=np.float32))\ny = reward + 0.99 * mask * value(next_obs)\n",
        "import envpool\nenvs = envpool.make('Pong-v5', num_envs=4)\no, r, d, i = envs.step(a)\n",
        "from functools import partial\nmake = partial(gym.make, 'CartPole-v1')\nenv = make()\n"
        "o, r, d, i = env.step(a)\n",
        "from stable_baselines3.common.env_util import make_vec_env\nenv = make_vec_env('CartPole-v1')\n"
        "o, r, d, i = env.step(a)\n",
        "from collections import deque, namedtuple\nRow = namedtuple('Row', 'r done')\nrows = deque(maxlen=9)\n"
        "rows.append(Row(reward, done))\nfor row in rows:\n    y = row.r + 0.99 * (1 - row.done) * q(next_obs)\n",
        "import random\nbatch = random.sample(list(zip([reward], [done])), 3)\n"
        "r, d = map(np.array, zip(*batch))\ny = r + 0.99 * (1 - d) * q(next_obs)\n",
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--env', default='CartPole-v0')\n"
        "made = gym.make(parser.parse_args().env)\n",
        "from lib import env\no, r, d, i = env.step(a)\nenv.render()\n",
    ],
)
def test_what_is_found_does_not_depend_on_it(rows: str) -> None:
    both_ways({"main.py": STEP + rows})


@pytest.mark.parametrize("project", sorted(path.name for path in PROJECTS.iterdir() if path.is_dir()))
def test_the_fixture_projects_do_not_depend_on_it(project: str) -> None:
    both_ways({path.name: path.read_text(encoding="utf-8") for path in sorted((PROJECTS / project).glob("*.py"))})


def test_a_file_of_the_project_goes_before_a_module_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "queue.py").write_text("import gymnasium as gym\n\ndef make():\n    return gym.make('CartPole-v1')\n")
    (tmp_path / "main.py").write_text("import queue\n\nworld = queue.make()\no, r, d, i = world.step(0)\n")
    report = analyze.check(projects([str(tmp_path)], lambda root: Settings(root=root)))
    assert [(finding.code, Path(finding.path).name) for finding in report.findings] == [("GYM101", "main.py")]
    assert "queue" in Modules([str(tmp_path / "queue.py")], str(tmp_path)).names


# --- what waits ----------------------------------------------------------------------------------------


def reactions(made: Survey) -> dict[int, list[type[ops.Operation]]]:
    """Kinds of reactions by the node they wait for."""
    return {node: [type(one) for one in waiting] for node, waiting in made.waiting.items()}


def test_a_combination_waits_for_each_input_once() -> None:
    made = survey("main.py", "def f(a, b):\n    return a | b | a\n")
    kinds = [kind for waiting in reactions(made).values() for kind in waiting]
    assert kinds == [ops.Or] * 4  # the inner one for a and b, the outer one for that and a


def test_numbers_and_compared_texts_make_no_nodes_to_wait_for() -> None:
    made = survey("main.py", "def f(a):\n    x = [1, 2.5, True]\n    return a == 'text'\n")
    elements = next(one.elements for one in made.operations if isinstance(one, ops.Allocate))
    assert [bool(node) for node, _ in elements] == [False, False, True]
    assert reactions(made) == {}


@pytest.mark.parametrize("row", ["{}", "class Net:\n    {}"])
def test_an_annotated_variable_leaves_the_name_that_it_is_given_alone(row: str) -> None:
    annotated = row.format("square: Callable[..., Any] = np.square")
    text = f"from typing import Any, Callable\nimport numpy as np\n{annotated}\nfour = np.square(2)\n"
    made = survey("main.py", text, frozenset())
    (call,) = (one for one in made.operations if isinstance(one, ops.LibraryCall))
    given = [one for one in (*made.operations, *made.bindings) if getattr(one, "target", 0) == call.called]
    assert [type(one) for one in given] == [ops.External]
    link([made])  # whoever calls it finds one name there

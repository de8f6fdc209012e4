"""What a project keeps old on purpose, and what of it is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import CLEAN, OLD, done_lint

OLD_CLASS = """\
import gymnasium as gym


class {name}(gym.Env):
    def reset(self):
        return self.observe()

    def step(self, action):
        return self.observe(), 0.0, False, {{}}


env = {name}()
observation = env.reset()
observation, reward, done, info = env.step(0)
"""


def project(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {"pyproject.toml": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def codes(path: Path, *arguments: str) -> set[str]:
    folder = path if path.is_dir() else path.parent
    result = done_lint(folder, "check", "--output-format", "concise", *arguments, str(path))
    return {line.split()[1] for line in result.stdout.splitlines() if " GYM" in line}


@pytest.mark.parametrize("name", ["old_envs/a.py", "tests/legacy/a.py", "old_a.py", "a_v21.py", "gym_0_13/a.py"])
def test_a_file_that_says_so_is_silent_in_a_project_on_gymnasium(tmp_path: Path, name: str) -> None:
    folder = project(tmp_path, {"train.py": CLEAN, "play.py": CLEAN, name: OLD})
    assert codes(folder) == set()
    result = done_lint(folder, "check", "-v")
    assert result.stderr.count("kept old on purpose: ") == 1
    assert "and the project is on Gymnasium" in result.stderr
    assert "kept old" not in done_lint(folder, "check").stderr


@pytest.mark.parametrize("command", ["check", "fix"])
def test_a_file_that_is_named_is_not_left_out_in_silence(tmp_path: Path, command: str) -> None:
    folder = project(tmp_path, {"train.py": CLEAN, "play.py": CLEAN, "legacy/a.py": OLD})
    result = done_lint(folder, command, "legacy/a.py")
    assert result.stderr.count("kept old on purpose: `legacy`") == 1
    assert "kept old" not in done_lint(folder, command, "legacy").stderr
    assert "kept old" not in done_lint(folder, command, "-q", "legacy/a.py").stderr


@pytest.mark.parametrize("name", ["old_envs/a.py", "a.py"])
def test_a_project_that_is_old_throughout_is_to_be_migrated(tmp_path: Path, name: str) -> None:
    assert codes(project(tmp_path, {"train.py": OLD, name: OLD})) == {"GYM101", "GYM401"}


def test_the_answer_does_not_depend_on_what_was_asked_for(tmp_path: Path) -> None:
    folder = project(tmp_path, {"train.py": CLEAN, "play.py": CLEAN, "old_envs/a.py": OLD})
    assert codes(folder / "old_envs") == codes(folder / "old_envs" / "a.py") == set()


@pytest.mark.parametrize("name", ["OldEnv", "Old_Env", "LegacyEnv", "CartPoleV21"])
def test_a_class_that_says_so_and_its_callers(tmp_path: Path, name: str) -> None:
    folder = project(tmp_path, {"train.py": CLEAN, "play.py": CLEAN, "env.py": OLD_CLASS.format(name=name)})
    assert codes(folder) == set()
    assert (
        f"env.py:4: kept old on purpose: the name of the class says `{name[:3]}"
        in (done_lint(folder, "check", "-v").stderr)
        or name == "CartPoleV21"
    )


def test_any_other_class_is_reported(tmp_path: Path) -> None:
    folder = project(tmp_path, {"train.py": CLEAN, "play.py": CLEAN, "env.py": OLD_CLASS.format(name="GoldEnv")})
    assert "GYM301" in codes(folder)


def test_a_setting_names_more(tmp_path: Path) -> None:
    folder = project(tmp_path, {"train.py": OLD, "baseline/a.py": OLD, "baseline/requirements.txt": "gym==0.21\n"})
    assert codes(folder / "baseline") == {"GYM101", "GYM401"}
    (folder / "pyproject.toml").write_text('[tool.done-lint]\nkept-old = ["baseline/"]\n', encoding="utf-8")
    assert codes(folder / "baseline") == set()
    assert codes(folder) == {"GYM101", "GYM401"}


def test_a_setting_turns_it_off(tmp_path: Path) -> None:
    folder = project(tmp_path, {"train.py": CLEAN, "play.py": CLEAN, "old_envs/a.py": OLD})
    (folder / "pyproject.toml").write_text("[tool.done-lint]\nfind-kept-old = false\n", encoding="utf-8")
    assert codes(folder) == {"GYM101", "GYM401"}


def test_requirements_for_an_old_release(tmp_path: Path) -> None:
    folder = project(tmp_path, {"train.py": CLEAN, "play.py": CLEAN, "ci/gym_0_13/requirements.txt": "gym==0.13\n"})
    assert codes(folder) == set()
    (folder / "ci" / "requirements.txt").write_text("gym==0.13\n", encoding="utf-8")
    assert codes(folder) == {"GYM401"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "gym==0.23.1\nsoftsim\n"),
        ("pyproject.toml", '[tool.poetry.dependencies]\ngym = "0.23.1"\nsoftsim = "*"\n'),
    ],
)
def test_a_pin_for_another_package_is_no_matter_of_code_without_gym(tmp_path: Path, name: str, text: str) -> None:
    code = "from softsim.envs import Ant\n\nenv = Ant()\nobs = env.reset()\nobs, reward, done, info = env.step(0)\n"
    folder = project(tmp_path, {name: text, "run.py": code})
    assert codes(folder) == set()
    # any release, or a name of the library in the code
    (folder / name).write_text(text.replace("==0.23.1", "").replace("0.23.1", "*"), encoding="utf-8")
    assert codes(folder) == {"GYM401"}
    (folder / name).write_text(text, encoding="utf-8")
    (folder / "main.py").write_text("CONFIG = {'make': 'gym.make'}\n", encoding="utf-8")
    assert "GYM401" in codes(folder)


def test_requirements_of_a_project_that_asks_for_both(tmp_path: Path) -> None:
    folder = project(tmp_path, {"ci/requirements.txt": "gym\n"})
    assert codes(folder) == {"GYM401"}
    (folder / "pyproject.toml").write_text(
        '[project.optional-dependencies]\nold = ["gym"]\nnew = ["gymnasium"]\n', encoding="utf-8"
    )
    assert codes(folder) == set()


def test_a_plain_import_in_a_program_that_treats_the_libraries_as_two(tmp_path: Path) -> None:
    backend = 'from importlib.util import find_spec\n\nOLD = find_spec("gym")\nNEW = find_spec("gymnasium")\n'
    folder = project(tmp_path, {"backend.py": backend, "run.py": f"import backend\n{OLD}", "alone.py": OLD})
    assert codes(folder / "run.py") == set()
    assert codes(folder / "alone.py") == {"GYM101", "GYM401"}


SEARCH = """\
from importlib.util import find_spec

if find_spec("gymnasium"):
    import gymnasium as gym
elif find_spec("gym"):
    import gym
else:
    raise ImportError("neither is installed")
"""


@pytest.mark.parametrize(("helper", "old"), [(SEARCH, False), ("import gym\n", True)])
def test_who_takes_the_library_from_a_helper_has_what_that_finds(tmp_path: Path, helper: str, *, old: bool) -> None:
    package = {"pack/__init__.py": "", "pack/utils/__init__.py": "from .gym_import import gym\n"}
    caller = OLD.replace("import gym\n", "from pack.utils import gym\n")
    assert caller != OLD
    folder = project(tmp_path, {**package, "pack/utils/gym_import.py": helper, "pack/train.py": caller})
    assert bool(codes(folder) & {"GYM101", "GYM104"}) == old


def test_a_plain_import_beside_a_fallback_meets_the_other_library(tmp_path: Path) -> None:
    backend = "try:\n    import gymnasium as gym\nexcept ImportError:\n    import gym\n"
    folder = project(tmp_path, {"backend.py": backend, "run.py": f"import backend\n{OLD}"})
    assert codes(folder) == {"GYM101", "GYM401"}


GUIDE = """\
### Old v0.21 Code

```python
import gym
env = gym.make("CartPole-v1")
observation = env.reset()
```

### New Code

```python
import gymnasium as gym
env = gym.make("CartPole-v1")
observation, info = env.reset()
```

**Old**: by a method
```python
env.seed(1)
```

```python
# OLD
env.seed(1)
# NEW
env.reset(seed=1)
```
"""


def test_a_page_that_shows_old_and_new_side_by_side(tmp_path: Path) -> None:
    folder = project(tmp_path, {"guide.md": GUIDE})
    assert codes(folder, "--include-docs") == set()


@pytest.mark.parametrize(("old", "new"), [("Before:", "After:"), ("Old code::", "New code::")])
def test_rows_that_introduce_old_and_new(tmp_path: Path, old: str, new: str) -> None:
    page = "{old}\n\n```python\nimport gym\nobs = env.reset()\n```\n\n{new}\n\n```python\nobs, _ = env.reset()\n```\n"
    page = page.replace("{old}", old)
    assert codes(project(tmp_path, {"guide.md": page.replace("{new}", new)}), "--include-docs") == set()
    assert "GYM401" in codes(project(tmp_path / "other", {"guide.md": page.replace("{new}", "So:")}), "--include-docs")


def test_a_sentence_that_introduces_what_is_past(tmp_path: Path) -> None:
    old = "Before version 2 the code looked like this:\n\n```python\nimport gym\nobs = env.reset()\n```\n\n"
    new = "Since then:\n\n```python\nimport gymnasium as gym\nobs, _ = env.reset()\n```\n"
    assert codes(project(tmp_path, {"guide.md": old + new}), "--include-docs") == set()
    alone = project(tmp_path / "alone", {"guide.md": old})
    assert "GYM401" in codes(alone, "--include-docs")
    said = project(tmp_path / "said", {"guide.md": old.replace("looked", "needed").replace("Before", "For") + new})
    assert "GYM401" in codes(said, "--include-docs")


@pytest.mark.parametrize(("old", "new"), [("# wrong", "# right"), ("# old API: one value", "# new API")])
def test_a_comment_behind_code_is_for_its_row(tmp_path: Path, old: str, new: str) -> None:
    page = """```python
import gymnasium as gym
env = gym.make("CartPole-v1")
obs = env.reset()  {old}
print(obs.shape)
obs, info = env.reset()  {new}
```
"""
    shown = page.replace("{old}", old).replace("{new}", new)
    assert codes(project(tmp_path, {"guide.md": shown}), "--include-docs") == set()
    said = page.replace("{old}", old.replace("# ", "# as of ")).replace("{new}", new)
    assert codes(project(tmp_path / "said", {"guide.md": said}), "--include-docs") == {"GYM104"}


def test_comments_that_name_the_library_and_its_age(tmp_path: Path) -> None:
    page = "```python\n# Gym (old)\nimport gym\n```\n\n```python\n# Gymnasium (new)\nimport gymnasium\n```\n"
    assert codes(project(tmp_path, {"guide.md": page}), "--include-docs") == set()
    assert codes(project(tmp_path / "other", {"guide.md": page.replace(" (old)", "")}), "--include-docs") == {"GYM401"}


def test_a_session_that_shows_an_error(tmp_path: Path) -> None:
    page = """```python
>>> import gymnasium as gym
>>> env = gym.make("CartPole-v1")
>>> obs, info = env.reset()
>>> obs, reward, done, info = env.step(
...     0
... ){output}
```
"""
    raised = "\nTraceback (most recent call last):\n  ...\nValueError: too many values to unpack (expected 4)"
    assert codes(project(tmp_path, {"a.md": page.replace("{output}", raised)}), "--include-docs") == set()
    assert codes(project(tmp_path / "b", {"a.md": page.replace("{output}", "")}), "--include-docs") == {"GYM101"}


def test_a_page_that_shows_only_the_old_is_reported(tmp_path: Path) -> None:
    folder = project(tmp_path, {"guide.md": GUIDE.replace("New Code", "More").replace("# NEW", "#")})
    assert {"GYM103", "GYM104", "GYM401"} <= codes(folder, "--include-docs")


def test_a_heading_that_goes_on_is_no_label(tmp_path: Path) -> None:
    page = GUIDE.replace("Old v0.21 Code", "Before you train").replace("New Code", "After the training")
    assert "GYM401" in codes(
        project(tmp_path, {"guide.md": page.replace("# OLD", "#").replace("# NEW", "#")}), "--include-docs"
    )


def test_a_document_with_a_package_that_needs_gym(tmp_path: Path) -> None:
    page = "# Old\n\n```python\nimport gym\nimport {package}\n\nenv = gym.make('Sliding-v0')\n```\n\n"
    page += "```python\nobs, reward, done, info = env.step(0)\n```\n"
    page, own = page.format(package="gym_sliding"), page.format(package="sliding")
    folder = project(tmp_path, {"sliding/__init__.py": "", "train.py": CLEAN, "play.py": CLEAN, "before.md": page})
    assert codes(folder, "--include-docs") == codes(folder / "before.md", "--include-docs") == set()
    result = done_lint(folder, "check", "--include-docs", "-v")
    assert "`before.md` (it uses `gym_sliding`, which needs Gym)" in result.stderr
    # its own package has moved, and a project on Gym is to be migrated with its documents
    mine = {"sliding/__init__.py": "", "train.py": CLEAN, "play.py": CLEAN, "before.md": own}
    assert "GYM401" in codes(project(tmp_path / "mine", mine), "--include-docs")
    assert "GYM401" in codes(project(tmp_path / "old", {"train.py": OLD, "before.md": page}), "--include-docs")


def test_examples_in_the_docstrings_of_a_file_that_keeps_gym(tmp_path: Path) -> None:
    backend = 'from importlib.util import find_spec\n\nOLD = find_spec("gym")\nNEW = find_spec("gymnasium")\n'
    example = '"""\n>>> import gym\n>>> env = gym.make("x")\n>>> env.seed(1)\n"""\n'
    folder = project(tmp_path, {"backend.py": f"{example}{backend}if OLD:\n    import gym\n"})
    assert codes(folder, "--include-docs") == set()
    assert codes(project(tmp_path / "other", {"a.py": example}), "--include-docs") == {"GYM103", "GYM401"}


SETUP = 'from setuptools import setup\n\nsetup(name="agents", install_requires=["gym==0.25.1", "gymnasium"])\n'


def test_a_package_that_declares_both_libraries_has_both(tmp_path: Path) -> None:
    """A script beside it stands alone, and was written for one of them."""
    files = {"setup.py": SETUP, "agents/__init__.py": CLEAN, "agents/maze.py": OLD, "script.py": OLD}
    folder = project(tmp_path, files)
    assert codes(folder / "agents") == set()
    assert codes(folder / "script.py") == {"GYM101", "GYM401"}


def test_a_package_that_declares_both_libraries_and_imports_gym_alone_is_to_be_migrated(tmp_path: Path) -> None:
    files = {"setup.py": SETUP, "agents/__init__.py": "", "agents/maze.py": OLD}
    used = {"scripts/run.py": f"import agents.maze\n{OLD}"}
    folder = project(tmp_path, {**files, **used})
    for part in ("agents", "scripts", "scripts/run.py"):
        assert codes(folder / part) == {"GYM101", "GYM401"}
    # a file that was not asked for needs the other one
    (folder / "play.py").write_text(CLEAN, encoding="utf-8")
    for part in ("agents", "scripts/run.py"):
        assert codes(folder / part) == set()


def test_a_package_that_declares_gym_alone_is_to_be_migrated(tmp_path: Path) -> None:
    files = {"setup.py": SETUP.replace(', "gymnasium"', ""), "agents/__init__.py": "", "agents/maze.py": OLD}
    assert codes(project(tmp_path, files) / "agents") == {"GYM101", "GYM401"}


def test_who_reads_the_same_of_both_libraries_has_both(tmp_path: Path) -> None:
    spaces = "import gym\nimport gymnasium\n\nBOX = (gym.spaces.Box, gymnasium.spaces.Box)\n"
    files = {"spaces.py": spaces, "run.py": f"import spaces\n{OLD}", "alone.py": OLD}
    folder = project(tmp_path, files)
    assert codes(folder / "run.py") == set()
    assert codes(folder / "alone.py") == {"GYM101", "GYM401"}


def test_half_of_what_is_read_of_each_library_is_a_half_migration(tmp_path: Path) -> None:
    half = "import gym\nimport gymnasium\n\nBOX = gymnasium.spaces.Box\nDISCRETE = gym.spaces.Discrete\n"
    assert "GYM401" in codes(project(tmp_path, {"spaces.py": half}))


MIGRATED = {"train.py": CLEAN, "play.py": CLEAN, "test.py": CLEAN}
STATED = {**MIGRATED, "requirements.txt": "gymnasium\n"}


def test_a_file_for_a_release_beside_the_one_for_today_is_kept(tmp_path: Path) -> None:
    old, today = "example_v0.1.5.py", "example.py"
    assert codes(project(tmp_path / "twins", {**MIGRATED, old: OLD, today: CLEAN})) == set()
    assert codes(project(tmp_path / "alone", {**MIGRATED, old: OLD})) == {"GYM101", "GYM401"}
    assert codes(project(tmp_path / "old", {old: OLD, today: OLD})) == {"GYM101", "GYM401"}


@pytest.mark.parametrize(
    ("old", "new"),
    [("from_gym.py", "from_gymnasium.py"), ("atari.py", "gymnasium_atari.py"), ("openai_gym.py", "gymnasium.py")],
)
def test_a_project_with_twins_for_both_libraries_keeps_both(tmp_path: Path, old: str, new: str) -> None:
    pair = {f"lab/{old}": OLD, f"lab/{new}": CLEAN, "lab/__init__.py": ""}
    assert codes(project(tmp_path / "twins", {**pair, "lab/other.py": OLD})) == set()
    assert codes(project(tmp_path / "old", {f"lab/{old}": OLD, f"lab/{new}": OLD})) == {"GYM101", "GYM401"}
    assert codes(project(tmp_path / "script", {**pair, "run.py": OLD})) == {"GYM101", "GYM401"}


def test_a_twin_counts_where_one_of_the_two_is_asked_for(tmp_path: Path) -> None:
    files = {"cart-gym.py": OLD, "cart-gymnasium.py": CLEAN, "numbers.py": "import math\n"}
    folder = project(tmp_path / "twins", files)
    assert codes(folder) == codes(folder / "cart-gym.py") == set()
    noted = project(tmp_path / "noted", {**files, "cart-gymnasium.py": f"# import gymnasium\n{OLD}"})
    assert codes(noted) == codes(noted / "cart-gym.py") == {"GYM101", "GYM401"}
    pair = {"lab/from_gym.py": OLD, "lab/from_gymnasium.py": CLEAN, "lab/__init__.py": "", "lab/other.py": OLD}
    assert codes(project(tmp_path / "package", pair) / "lab" / "other.py") == set()


def test_a_module_that_the_program_can_do_without_keeps_gym(tmp_path: Path) -> None:
    files = {**MIGRATED, "kitchen.py": OLD}
    tried = "try:\n    import kitchen\nexcept ImportError:\n    kitchen = None\n" + CLEAN
    assert codes(project(tmp_path / "tried", {**files, "main.py": tried})) == set()
    assert codes(project(tmp_path / "needed", {**files, "main.py": "import kitchen\n" + CLEAN})) == {"GYM101", "GYM401"}


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        ("if TALL:\n    from plain import run\nelif COOKS:\n    from kitchen import run\n", False),
        ("if TALL:\n    pass\nelse:\n    from kitchen import run\n", True),
        ("if TALL:\n    from plain import run as go\nelse:\n    from kitchen import run\n", True),
        ("try:\n    from plain import run\nexcept ImportError:\n    from kitchen import run\n", True),
    ],
)
def test_of_two_modules_that_have_one_name_none_is_for_who_has_gym(tmp_path: Path, chosen: str, kept: bool) -> None:
    """What is behind such a choice takes whichever it gets in one way."""
    files = {**MIGRATED, "kitchen.py": OLD, "plain.py": CLEAN, "main.py": chosen + CLEAN}
    assert codes(project(tmp_path, files)) == (set() if kept else {"GYM101", "GYM401"})


def test_a_folder_whose_files_need_a_package_made_for_gym_keeps_gym(tmp_path: Path) -> None:
    part = {"kitchen/base.py": "import d4rl\n", "kitchen/robots/arm.py": "import d4rl\n", "kitchen/env.py": OLD}
    assert "GYM101" in codes(project(tmp_path / "unstated", {**MIGRATED, **part}))
    folder = project(tmp_path / "part", {**STATED, **part})
    assert codes(folder) == set()
    # whatever of the project is asked for
    assert codes(folder / "kitchen") == codes(folder / "kitchen" / "env.py") == set()
    assert (
        codes(project(tmp_path / "one", {**STATED, "kitchen/base.py": "import d4rl\n", "kitchen/env.py": OLD})) != set()
    )
    beside = {**part, "kitchen/new.py": CLEAN}
    assert "GYM101" in codes(project(tmp_path / "moved", {**STATED, **beside}))


@pytest.mark.parametrize(
    ("own", "kept"),
    [
        ({"d4rl/__init__.py": "", "d4rl/rows.py": "def rows():\n    return []\n"}, False),
        # a folder that is no package hides none: what it lacks is of the installed one
        ({"d4rl/rows.py": "def rows():\n    return []\n"}, False),
        ({"d4rl/other.py": "x = 1\n"}, True),
        ({"kitchen/d4rl.py": "rows = []\n"}, False),
    ],
)
def test_a_package_of_the_project_that_is_called_like_one_for_gym_keeps_nothing(
    tmp_path: Path, own: dict[str, str], *, kept: bool
) -> None:
    uses = "from d4rl import rows\n\nprint(rows)\n"
    part = {"kitchen/base.py": uses, "kitchen/more.py": uses, "kitchen/env.py": OLD}
    assert ("GYM101" not in codes(project(tmp_path, {**STATED, **part, **own}))) is kept


@pytest.mark.parametrize(("own", "kept"), [({}, True), ({"walk/baselines/deepq.py": "x = 1\n"}, False)])
def test_a_list_with_gym_is_not_meant_for_a_package_of_the_project(
    tmp_path: Path, own: dict[str, str], *, kept: bool
) -> None:
    files = {
        "walk/requirements.txt": "numpy\ngym==0.25.1\n",
        "walk/lib.py": "import gymnasium\nfrom baselines.deepq import x\n\nprint(gymnasium.spaces, x)\n",
        "old/main.py": "import gym\n\nprint(gym.make('CartPole-v1').reset().shape)\n",
    }
    folder = project(tmp_path, {**files, **own})
    found = done_lint(folder, "check", "--output-format", "concise").stdout
    assert ("GYM401" not in {row.split()[1] for row in found.splitlines() if "requirements.txt" in row}) is kept


@pytest.mark.parametrize(
    ("stated", "kept"),
    [
        ({}, False),
        ({"README.md": "It runs with Gym.\n\n```python\nimport gymnasium as gym\n```\n"}, False),
        ({"README.md": "It runs with [Gymnasium](https://gymnasium.farama.org).\n"}, True),
        ({"lab/requirements.txt": "gymnasium\n", "lab/train.py": CLEAN}, True),
    ],
)
def test_what_needs_gym_is_on_purpose_where_the_project_says_gymnasium(
    tmp_path: Path, stated: dict[str, str], *, kept: bool
) -> None:
    """What the code imports is changed by a fix, which leaves such a program: then it is reported as before."""
    needing = OLD.replace("import gym\n", "import gym\nfrom baselines import deepq\n") + "deepq.learn(env)\n"
    folder = project(tmp_path, {"a.py": OLD, "b.py": OLD, "deep.py": needing, **stated})
    done_lint(folder, "fix")
    assert "gymnasium" in (folder / "a.py").read_text()
    assert (codes(folder / "deep.py") == set()) is kept


@pytest.mark.parametrize(("needs", "kept"), [("gym", True), ("gymnasium", False)])
def test_a_project_inside_a_project_that_requires_gym_keeps_it(tmp_path: Path, needs: str, *, kept: bool) -> None:
    script = f"from setuptools import setup\nsetup(name='maze', install_requires=['{needs}'])\n"
    folder = project(tmp_path, {**MIGRATED, "maze/setup.py": script, "maze/env.py": OLD})
    assert (codes(folder) == set()) is kept


PAPER = {"paper/README.md": "The code of the paper.\n", "paper/requirements.txt": "gym==0.13.1\n", "paper/env.py": OLD}


@pytest.mark.parametrize("own", [{}, {"paper/main.py": "import env\n"}])
def test_the_code_of_a_paper_that_is_kept_beside_its_port(tmp_path: Path, own: dict[str, str]) -> None:
    folder = project(tmp_path, {**STATED, **PAPER, **own})
    assert codes(folder) == codes(folder / "paper") == codes(folder / "paper" / "env.py") == set()
    assert (
        done_lint(folder, "check", "-v").stderr.count("kept old on purpose: `paper` (it is a program of its own") == 1
    )


@pytest.mark.parametrize(
    "more",
    [
        {"use.py": "from paper import env\n"},  # the project runs it
        {"use.py": "import sys\nsys.path.append('paper')\nimport env\n"},
        {"paper/main.py": "import train\n"},  # it is a part of the project
        {"paper/requirements.txt": "gym\n"},
        {"paper/requirements.txt": "gym==0.26.2\n"},
        {"paper/requirements.txt": "gym==0.13.1\ngymnasium\n"},
        {"paper/README.md": None},  # nothing says that it is more than an example
        {"paper/new.py": CLEAN},  # it is being migrated
        {"requirements.txt": "gym\n"},  # nothing says that the project is on Gymnasium
        dict.fromkeys(("train.py", "play.py", "test.py"), OLD),  # it is old throughout
    ],
)
def test_a_folder_with_a_list_of_its_own_may_be_a_part_of_the_project(
    tmp_path: Path, more: dict[str, str | None]
) -> None:
    files = {path: text for path, text in {**STATED, **PAPER, **more}.items() if text is not None}
    assert "GYM101" in codes(project(tmp_path, files))


def test_a_project_inside_one_for_both_libraries_is_for_both(tmp_path: Path) -> None:
    both = '[project]\nname = "x"\ndependencies = ["gym==0.25.1", "gymnasium"]\n'
    inner = {"maze/setup.py": "from setuptools import setup\nsetup(name='maze')\n", "maze/tests/play.py": OLD}
    assert (
        codes(project(tmp_path, {"pyproject.toml": both, "lab/__init__.py": CLEAN, "lab/a.py": OLD, **inner})) == set()
    )


def test_a_program_or_a_document_may_show_the_pair(tmp_path: Path) -> None:
    program = 'import gymnasium as gym\nenv = gym.make("CartPole-v1")\nprint(env.reset())\n'
    folder = project(tmp_path, {"a.py": program, "page.md": f"```python\n{program}```\n"})
    result = done_lint(folder, "check", "--include-docs", "--output-format", "concise")
    assert "GYM104" not in result.stdout


@pytest.mark.parametrize(("installs", "kept"), [("Maze-Lab==1.2", True), ("other==1.2", False), ("maze-lab", False)])
def test_a_page_that_installs_an_older_release_of_the_project_is_for_that(
    tmp_path: Path, installs: str, *, kept: bool
) -> None:
    page = f"```sh\npip install {installs}\n```\n\n```python\n{OLD}```\n"
    folder = project(tmp_path, {**MIGRATED, "maze_lab/__init__.py": CLEAN, "page.md": page})
    assert ("GYM101" not in codes(folder, "--include-docs")) is kept


def test_a_script_that_uses_a_package_for_both_libraries_has_both(tmp_path: Path) -> None:
    files = {"setup.py": SETUP, "agents/__init__.py": "", "agents/maze.py": CLEAN, "agents/old.py": OLD}
    used, alone = {"scripts/run.py": f"import agents.maze\n{OLD}"}, {"scripts/alone.py": OLD}
    folder = project(tmp_path / "both", {**files, **used, **alone})
    assert codes(folder / "scripts" / "run.py") == set()
    assert codes(folder / "scripts" / "alone.py") == {"GYM101", "GYM401"}
    migrated = project(tmp_path / "new", {**files, **used, "agents/old.py": CLEAN})
    assert codes(migrated / "scripts" / "run.py") == {"GYM101", "GYM401"}


@pytest.mark.parametrize(("package", "kept"), [("ding.envs", True), ("nnabla_rl", True), ("other", False)])
def test_a_file_on_gym_has_the_gym_that_its_package_pins(tmp_path: Path, package: str, *, kept: bool) -> None:
    folder = project(tmp_path, {"train.py": f"import {package}\n{OLD}"})
    assert (codes(folder) == set()) is kept
    (folder / "pyproject.toml").write_text(
        '[tool.done-lint]\nmoved-packages = ["ding", "nnabla_rl"]\n', encoding="utf-8"
    )
    assert codes(folder) == {"GYM101", "GYM401"}


def test_a_folder_in_a_package_for_both_libraries_has_both(tmp_path: Path) -> None:
    """A folder without `__init__.py` is a part of the package around it."""
    files = {"setup.py": SETUP, "agents/maze/types.py": OLD, "agents/__init__.py": CLEAN}
    assert codes(project(tmp_path / "inside", files)) == set()
    del files["agents/__init__.py"]
    assert codes(project(tmp_path / "scripts", files)) == {"GYM101", "GYM401"}


@pytest.mark.parametrize("package", ["DI-engine>=0.5.3", "nnabla_rl", "openrl==0.2.0"])
def test_a_package_that_brings_both_libraries_keeps_both(tmp_path: Path, package: str) -> None:
    files = {"requirements.txt": f"{package}\ngymnasium>=1.0\n", "zoo/__init__.py": "", "zoo/maze.py": OLD}
    assert codes(project(tmp_path / "both", files)) == set()
    files["requirements.txt"] = "tensorboard\ngymnasium>=1.0\n"
    assert codes(project(tmp_path / "one", files)) == {"GYM101", "GYM401"}


COMPAT = """\
import gym
import gymnasium


class Compat(gymnasium.Env):
    def __init__(self, env: gym.Env):
        self.inner = env

    def reset(self, seed=None, options=None):
        return self.inner.reset(), {}

    def step(self, action):
        obs, reward, done, info = self.inner.step(action)
        return obs, reward, done, False, info
"""


@pytest.mark.parametrize("name", ["setup.py", "requirements.txt"])
def test_what_code_for_both_libraries_requires_is_right(tmp_path: Path, name: str) -> None:
    text = "gym==0.23\nminigrid\n"
    if name == "setup.py":
        text = 'from setuptools import setup\n\nsetup(install_requires=["gym==0.23", "minigrid"])\n'
    folder = project(tmp_path, {name: text, "bench/compat.py": COMPAT})
    assert "GYM401" not in codes(folder)
    assert name != "setup.py" or "GYM401" not in codes(folder / name)
    project(folder, {"bench/old.py": "import gym\n\nobs = gym.make('CartPole-v1').reset()\nprint(obs.mean())\n"})
    assert "GYM401" in codes(folder)


_SET_UP = 'from setuptools import setup\n\nsetup(name="zoo", install_requires=["gymnasium>=0.29.1"])\n'
#: Agents that were pickled with Gym name its classes, though no module does.
_LOADS = "import gymnasium as gym\n\nprint(gym.make('CartPole-v1'))  # gym was here\n"


@pytest.mark.parametrize(
    ("setup", "code", "expected"),
    [
        (_SET_UP, _LOADS, set()),
        (_SET_UP, _LOADS + 'print("gym.envs.robotics" in "gym.envs")\n', set()),
        (_SET_UP, "import gym\n\nprint(gym.spaces)\n", {"GYM401"}),
        (_SET_UP, 'import importlib\n\nimportlib.import_module("gym")\n', {"GYM401"}),
        (_SET_UP.replace("gymnasium>=0.29.1", "numpy"), _LOADS, {"GYM401"}),
    ],
)
def test_a_list_with_gym_that_no_module_imports_is_meant_beside_gymnasium(
    tmp_path: Path, setup: str, code: str, expected: set[str]
) -> None:
    files = {"setup.py": setup, "requirements.txt": "gym==0.26.2\n", "load.py": code}
    folder = project(tmp_path, files)
    assert codes(folder) == expected
    said = "the set-up requires gymnasium, and no module imports gym" in done_lint(folder, "check", "-v").stderr
    assert said == (not expected)


def test_a_list_without_gym_is_not_said_to_be_kept(tmp_path: Path) -> None:
    folder = project(tmp_path, {"setup.py": _SET_UP, "requirements.txt": "numpy\n", "load.py": _LOADS})
    assert "kept old" not in done_lint(folder, "check", "-v").stderr


_BULLETS = """import gymnasium as gym

ENTRY = "pybullet_envs.bullet.minitaur_gym_env:MinitaurBulletEnv"


def register():
    import pybullet_envs

    gym.register("Minitaur-v0", entry_point=ENTRY, apply_api_compatibility=True)
"""


@pytest.mark.parametrize(
    ("other", "where", "expected"),
    [
        ("", "", set()),
        ("", "walk/", set()),
        ("import gym\n\nprint(gym.spaces)\n", "walk/", {"GYM401"}),
        ("", "other/", {"GYM401"}),
    ],
)
def test_a_list_with_gym_beside_a_package_that_needs_it_is_meant(
    tmp_path: Path, other: str, where: str, expected: set[str]
) -> None:
    files = {
        f"{where}requirements.txt": "pybullet==3.2.6\ngym==0.25.1\n",
        "walk/lib.py": _BULLETS,
        "walk/other.py": other,
        "old/main.py": "import gym\n\nprint(gym.make('CartPole-v1').reset().shape)\n" if where else "",
        "other/new.py": "import gymnasium as gym\n",
    }
    folder = project(tmp_path, files)
    found = done_lint(folder, "check", "--output-format", "concise").stdout
    assert {row.split()[1] for row in found.splitlines() if "requirements.txt" in row} == ({"GYM401"} & expected)


@pytest.mark.parametrize(
    ("listed", "code", "expected"),
    [
        ("stable-baselines3==1.5.0\n", "import gym\n\nprint(gym.spaces)\n", {"GYM401"}),
        ("stable_baselines3<2\n", "import gym\n\nprint(gym.spaces)\n", {"GYM401"}),
        ("stable-baselines3==1.5.0\n", "import numpy\n", set()),
        ("stable-baselines3>=1.5.0\n", "import gym\n\nprint(gym.spaces)\n", set()),
    ],
)
def test_what_brings_gym_is_listed_though_gym_is_not(
    tmp_path: Path, listed: str, code: str, expected: set[str]
) -> None:
    folder = project(tmp_path, {"requirements.txt": listed, "main.py": code})
    found = done_lint(folder, "check", "--output-format", "concise").stdout
    assert {row.split()[1] for row in found.splitlines() if "requirements.txt" in row} == expected


def test_a_frozen_list_of_packages_where_nothing_imports_gym(tmp_path: Path) -> None:
    frozen = "".join(f"{name}==1.0\n" for name in ("chex", "flax", "gymnax", "jax", "jaxlib", "optax", "wandb", "rich"))
    # code that names Gymnasium: a pin alone says nothing there
    files = {"requirements.txt": f"{frozen}gym==0.26.2\n", "train.py": "import gymnasium\n"}
    assert codes(project(tmp_path, files)) == set()
    assert "GYM401" in codes(project(tmp_path / "used", {**files, "train.py": "import gym\n"}))
    assert "GYM401" in codes(project(tmp_path / "few", {**files, "requirements.txt": "jax==1.0\ngym==0.26.2\n"}))


@pytest.mark.parametrize("name", ["requirements.txt", "environment.yml"])
def test_a_frozen_list_counts_for_the_modules_beside_it(name: str, tmp_path: Path) -> None:
    packages = [*(f"{one}==1.0" for one in ("chex", "flax", "gymnax", "jax", "jaxlib", "optax", "rich")), "gym==0.26.2"]
    conda = "name: paper\nchannels:\n  - defaults\ndependencies:\n  - python=3.7.3=h0\n  - pip:\n"
    listed = conda + "".join(f"    - {one}\n" for one in packages)
    text = listed if name == "environment.yml" else "".join(f"{one}\n" for one in packages)
    files = {f"paper/{name}": text, "paper/model.py": "import jax\n", "train.py": "import gym\n"}
    assert codes(project(tmp_path / "apart", files) / "paper") == set()
    used = project(tmp_path / "used", {**files, "paper/model.py": "import gym\n"})
    assert codes(used / "paper" / name) == {"GYM401"}


def test_a_project_that_says_itself_that_it_is_on_gymnasium(tmp_path: Path) -> None:
    files = {
        "deprecated_envs/maze.py": "import gym\n",
        "tasks.py": "import gymnasium\n",
        "pyproject.toml": '[project]\nname = "tasks"\nversion = "1"\ndependencies = ["gymnasium>=1.0"]\n',
    }
    assert codes(project(tmp_path, files)) == set()
    files["pyproject.toml"] = files["pyproject.toml"].replace("gymnasium>=1.0", "numpy")
    assert codes(project(tmp_path / "other", files)) == {"GYM401"}


@pytest.mark.parametrize(
    ("imported", "other", "meant"),
    [
        ("from brax.envs.wrappers import gym as wrappers", "", True),
        ("from brax.envs.wrappers.gym import GymWrapper as wrappers", "", True),
        # what else there is in the package needs no Gym; and a program on Gym is to be migrated
        ("from brax.envs.wrappers import training as wrappers", "", False),
        ("from brax.envs import wrappers  # import brax.envs.wrappers.gym", "", False),
        ("from brax.envs.wrappers import gym as wrappers", "import gym\n\nprint(gym.spaces)\n", False),
        ("from brax.envs.wrappers import gym as wrappers", "from gym import spaces\n\nprint(spaces)\n", False),
        ("from brax.envs.wrappers import gym as wrappers", "from os import path\nimport sys, gym\n", False),
    ],
)
def test_a_list_with_gym_for_a_module_that_needs_it_is_meant(
    tmp_path: Path, imported: str, other: str, *, meant: bool
) -> None:
    """No code of the project imports Gym, and the list of the tests has it for what the package imports."""
    files = {
        "tests/requirements.txt": "brax==0.13.0\ngym==0.26.2\n",
        "lib/adapter.py": f"def adapt(env):\n    {imported}\n\n    return wrappers.GymWrapper(env)\n",
        "lib/other.py": other,
        "lib/new.py": "import gymnasium\n\nprint(gymnasium.spaces)\n",
    }
    rows = done_lint(project(tmp_path, files), "check", "--output-format", "concise").stdout.splitlines()
    assert ("GYM401" not in {row.split()[1] for row in rows if "requirements.txt" in row}) == meant

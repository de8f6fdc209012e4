"""`check` and `fix` on documents: which are read, and which comments silence their blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import PLAIN, done_lint


def test_documents_are_read_when_asked_for(tmp_path: Path) -> None:
    page = "```py\nimport gym\n```\n"
    for name in ("a.md", "b.mdx", "c.rst"):
        (tmp_path / name).write_text(page if name != "c.rst" else ".. code:: py\n\n   import gym\n")
    assert done_lint(tmp_path, "check", *PLAIN).stdout == ""
    found = done_lint(tmp_path, "check", *PLAIN, "--include-docs").stdout
    assert [row.split(":")[0] for row in found.splitlines()] == ["a.md", "b.mdx", "c.rst"]
    assert done_lint(tmp_path, "check", *PLAIN, "a.md").stdout == found.splitlines(keepends=True)[0]
    (tmp_path / "pyproject.toml").write_text("[tool.done-lint]\ninclude-docs = true\n")
    assert done_lint(tmp_path, "check", "--output-format", "concise").stdout == found
    (tmp_path / "pyproject.toml").write_text("[tool.done-lint]\ninclude-docs = 1\n")
    result = done_lint(tmp_path, "check")
    assert (result.returncode, result.stderr) == (2, "error: pyproject.toml: `include-docs` must be true or false\n")


@pytest.mark.parametrize("base", ["", "(VecEnv)", "(gym.Env)"])
def test_a_class_of_the_project_is_known_by_its_name(tmp_path: Path, base: str) -> None:
    step = "obs, reward, done, info = env.step(0)\n"
    (tmp_path / "page.md").write_text(f"```py\nenv = Sessions(seed=42)\nstate = env.reset()\n{step}```\n")
    (tmp_path / "programs.py").write_text("import gymnasium as gym\nenv = gym.make('CartPole-v1')\nenv.reset()\n")
    methods = "    def reset(self):\n        return 0\n    def step(self, action):\n        return 0, 1.0, True, {}\n"
    imports = "import gymnasium as gym\nfrom stable_baselines3.common.vec_env import VecEnv\n"
    (tmp_path / "sessions.py").write_text(f"{imports}class Sessions{base}:\n{methods}")
    found = done_lint(tmp_path, "check", *PLAIN, "--include-docs", "page.md").stdout
    assert [row.split()[1] for row in found.splitlines()] == (["GYM104", "GYM101"] if "gym" in base else [])


@pytest.mark.parametrize(
    ("base", "done", "codes"),
    [
        ("", "ended | late", []),
        ("(Around)", "ended | late", []),
        ("(gym.Wrapper)", "ended | late", ["GYM101"]),
        ("(Around)", "ended, late", ["GYM101"]),
    ],
)
def test_a_wrapper_of_the_project_is_known_by_its_name(tmp_path: Path, base: str, done: str, codes: list[str]) -> None:
    page = "env = Maze(size=3)\nenv = Flat(env)\nobs, _ = env.reset()\nobs, reward, done, info = env.step(0)\n"
    (tmp_path / "page.md").write_text(f"```py\n{page}```\n")
    (tmp_path / "around.py").write_text("class Around:\n    def reset(self):\n        return self.env.reset()\n")
    (tmp_path / "flat.py").write_text(f"""import gymnasium as gym
from around import Around


class Inner(Around):
    pass


class Flat{base.replace("Around", "Inner")}:
    def __init__(self, env):
        self.env = env

    def step(self, action):
        obs, reward, ended, late, info = self.env.step(action)
        return obs, reward, {done}, info
""")
    found = done_lint(tmp_path, "check", *PLAIN, "--include-docs", "page.md").stdout
    assert [row.split()[1] for row in found.splitlines()] == codes


def test_standard_input_may_be_a_document(tmp_path: Path) -> None:
    page = b"```py\nimport gym\n```\n"
    result = done_lint(tmp_path, "fix", *PLAIN, "--stdin-filename", "a.md", "-", stdin=page)
    assert result.stdout == "```py\nimport gymnasium as gym\n```\n"


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("a.md", "<!-- done-lint: skip-cell: GYM401 -->\n```py\n{old}```\n\n```py\n{old}```\n"),
        ("a.rst", ".. done-lint: skip-cell: GYM401\n\n.. code:: python\n\n{indented}\n.. code:: python\n\n{indented}"),
    ],
)
def test_skip_cell_takes_codes(tmp_path: Path, name: str, page: str) -> None:
    old = 'import gym\nenv = gym.make("CartPole-v1")\no, r, d, i = env.step(0)\n'
    indented = "".join(f"    {row}\n" for row in old.splitlines())
    (tmp_path / name).write_text(page.format(old=old, indented=indented))
    result = done_lint(tmp_path, "check", "--isolated", "--include-docs", "--output-format", "concise")
    assert sorted(row.split()[1] for row in result.stdout.splitlines()) == ["GYM101", "GYM101", "GYM401"]


def test_a_misspelt_comment_of_a_page_is_warned_about(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("<!-- done-lint: skip-cel -->\n```py\nx = 1\nimport gym\n```\n")
    result = done_lint(tmp_path, "check", "--isolated", "--include-docs")
    assert (
        "a.md:3:6: warning: `# done-lint: skip-cel` is not a known comment; did you mean done-lint: skip-cell?"
        in result.stderr
    )


def test_skip_cell_silences_a_block(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "```py\nimport gym  # done-lint: skip-cell\nimport gym\n```\n\n```py\nimport gym\n```\n"
    )
    result = done_lint(tmp_path, "check", *PLAIN, "a.md")
    assert [row.partition(" ")[0] for row in result.stdout.splitlines()] == ["a.md:7:1:"]


def test_a_document_that_is_not_utf_8_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"```py\nimport gym # \xe9\n```\n")
    result = done_lint(tmp_path, "check", *PLAIN, "a.md")
    assert result.stdout.startswith("a.md:2:1: unreadable-file: cannot decode as utf-8")
    assert (result.returncode, len(result.stdout.splitlines())) == (1, 1)


def test_what_a_page_passes_to_the_program_proves_nothing_of_it(tmp_path: Path) -> None:
    """The page's environment is of an unknown package; the program's findings stay as they are."""
    (tmp_path / "play.py").write_text(
        "def play(env):\n    obs = env.reset()\n    obs, reward, done, info = env.step(0)\n"
    )
    (tmp_path / "train.py").write_text("import gym\n")
    (tmp_path / "README.md").write_text(
        "```python\nimport your_env\nfrom play import play\nplay(your_env.make())\n```\n"
    )
    alone = done_lint(tmp_path, "check", *PLAIN, ".").stdout
    with_pages = done_lint(tmp_path, "check", *PLAIN, "--include-docs", ".").stdout
    assert "play.py:2:11: GYM104" in alone
    assert with_pages == alone


OLD = "import gymnasium as gym\n\nenv = gym.make('CartPole-v1')\nobs = env.reset()\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("guide.md", "Old:\n\n<!-- done-lint: skip-cell -->\n\n```python\n{old}```\n\nAgain:\n\n```python\n{old}```\n"),
        ("guide.md", "> <!-- done-lint: skip-cell -->\n> ```python\n> a = 1\n> ```\n\n```python\n{old}```\n"),
        ("guide.mdx", "{{/* done-lint: skip-cell */}}\n```python\n{old}```\n\n```python\n{old}```\n"),
        (
            "guide.rst",
            ".. done-lint: skip-cell\n\n.. code-block:: python\n\n{old_indented}\nText.\n\n"
            ".. code-block:: python\n\n{old_indented}\nText.\n",
        ),
    ],
)
def test_a_comment_of_the_page_silences_the_block_below_it(tmp_path: Path, name: str, text: str) -> None:
    indented = "".join(f"   {row}" if row.strip() else row for row in OLD.splitlines(keepends=True))
    page = text.format(old=OLD, old_indented=indented)
    (tmp_path / name).write_text(page)
    (row,) = done_lint(tmp_path, "check", *PLAIN, name).stdout.splitlines()
    assert int(row.split(":")[1]) == page[: page.rfind("obs = env")].count("\n") + 1
    done_lint(tmp_path, "fix", "--isolated", name)
    assert (tmp_path / name).read_text() == "obs, _ = env.reset()".join(page.rsplit("obs = env.reset()", 1))


def test_a_flag_that_a_command_of_a_page_mentions_stays_bound(tmp_path: Path) -> None:
    old = 'import gymnasium as gym\nenv = gym.make("CartPole-v1")\no, r, done, i = env.step(0)\n{command}\n'
    for name, command, kept in (("a.md", "!echo {done}", True), ("b.md", "!echo finished", False)):
        (tmp_path / name).write_text(f"```python\n{old.replace('{command}', command)}```\n")
        done_lint(tmp_path, "fix", "--isolated", "--include-docs", name)
        assert ("done = terminated or truncated\n" in (tmp_path / name).read_text()) == kept

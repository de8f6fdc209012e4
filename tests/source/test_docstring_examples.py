"""The examples in docstrings are a program of their own, fixed with the code around them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import PLAIN, done_lint

from done_lint.core.findings import Edit
from done_lint.source.source import Source

SESSION = '''\
def play(env):
    """Play.

    >>> import gym
    >>> env = gym.make("CartPole-v1")
    >>> obs = env.reset()
    >>> for _ in range(3):
    ...     obs, reward, done, info = env.step(0)
    ...     if done:
    ...         obs = env.reset()
    >>> obs, reward, done, info = env.step(0)
    >>> done
    False

    Text about import gym.
    """
    import gym

    env = gym.make("CartPole-v1")
    return env.step(0)[-3]
'''

FIXED_SESSION = '''\
def play(env):
    """Play.

    >>> import gymnasium as gym
    >>> env = gym.make("CartPole-v1")
    >>> obs, _ = env.reset()
    >>> for _ in range(3):
    ...     obs, reward, terminated, truncated, info = env.step(0)
    ...     done = terminated or truncated
    ...     if done:
    ...         obs, _ = env.reset()
    >>> obs, reward, terminated, truncated, info = env.step(0)
    >>> done = terminated or truncated
    >>> done
    False

    Text about import gym.
    """
    import gym

    env = gym.make("CartPole-v1")
    return env.step(0)[-3]
'''


def test_examples_in_docstrings_are_fixed_with_the_code(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(SESSION)
    only_code = done_lint(tmp_path, "check", *PLAIN).stdout
    assert [row.partition(" ")[0] for row in only_code.splitlines()] == ["a.py:17:5:", "a.py:20:12:", "a.py:20:12:"]
    both = done_lint(tmp_path, "check", *PLAIN, "--include-docs").stdout
    assert set(only_code.splitlines()) < set(both.splitlines())
    arguments = ["fix", *PLAIN, "--include-docs"]
    diff = done_lint(tmp_path, *arguments, "--diff").stdout
    given = done_lint(tmp_path, *arguments, "--stdin-filename", "a.py", "-", stdin=SESSION.encode()).stdout
    result = done_lint(tmp_path, *arguments)
    assert path.read_text() == FIXED_SESSION
    assert given == FIXED_SESSION
    assert diff.count("--- a.py") == 1
    changed = [row[1:] for row in diff.splitlines()[2:] if row[0] in "+ "]
    assert changed[:-1] == FIXED_SESSION.splitlines()[: len(changed) - 1]
    # what is left stands where the file now has it: the import with a place that no fix can change, and no reset
    assert [row.partition(" ")[0] for row in result.stdout.splitlines()] == ["a.py:19:5:", "a.py:22:12:", "a.py:22:12:"]
    done_lint(tmp_path, *arguments)
    assert path.read_text() == FIXED_SESSION


def test_findings_left_in_docstrings_stand_where_the_fixed_code_has_moved_them(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        'import gymnasium as gym\n\nenv = gym.make("CartPole-v1")\nobs, reward, done, info = env.step(0)\nprint(done)\n'
        '\n\ndef f():\n    """\n    >>> import gymnasium as gym\n    >>> env = gym.make("CartPole-v1")\n'
        '    >>> env.seed(1)\n    [1]\n    >>> obs, info = env.reset()\n    """\n'
    )
    result = done_lint(tmp_path, "fix", "--isolated", "--output-format", "json", "--include-docs")
    (finding,) = json.loads(result.stdout)
    assert (finding["code"], finding["location"]["row"]) == ("GYM103", 13)
    assert "Fixed 1 finding in 1 file; 1 left." in result.stderr


def test_a_file_that_is_no_python_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('"""\n>>> import gym\n"""\nx = (\n')
    result = done_lint(tmp_path, "check", *PLAIN, "--include-docs")
    assert len(result.stdout.splitlines()) == 1
    assert "syntax-error" in result.stdout


def test_output_is_not_left_without_its_statement() -> None:
    text = ">>> old = 1\n>>> f()\n1\n>>> g()\n"
    source = Source.from_bytes("a.rst", text.encode())

    def takes(row: str) -> bool:
        start = source.text.index(row)
        return source.accepts([Edit(start, start + len(row), "")])

    assert takes("old = 1\n")
    assert takes("g()\n")
    assert not takes("f()\n")


@pytest.mark.parametrize(
    ("head", "tail", "left"),
    [
        ("", "", 1),
        ("# done-lint: skip-file\n", "", 0),
        ("# done-lint: skip-file: GYM401\n", "", 0),
        ("# done-lint: skip-file: GYM101\n", "", 1),
        ("", "  # noqa: GYM401", 0),
    ],
)
def test_comments_of_a_file_hold_for_the_examples_in_its_docstrings(
    tmp_path: Path, head: str, tail: str, left: int
) -> None:
    text = f'{head}"""Text.\n\n>>> import gym\n"""{tail}\n'
    (tmp_path / "a.py").write_text(text)
    result = done_lint(tmp_path, "check", "--isolated", "--include-docs", "--output-format", "concise")
    assert len(result.stdout.splitlines()) == left
    done_lint(tmp_path, "fix", "--isolated", "--include-docs")
    assert ((tmp_path / "a.py").read_text() == text) == (not left)


def test_docstrings_do_not_share_names(tmp_path: Path) -> None:
    """As for doctest: what one imports, another does not see."""
    step = "obs, reward, done, info = env.step(0)"
    (tmp_path / "a.py").write_text(
        f'def f():\n    """\n    >>> import gymnasium as gym\n    >>> env = gym.make("CartPole-v1")\n    >>> {step}\n\n'
        f'    More of it:\n\n    >>> {step}\n    """\n\n\n'
        f'def g():\n    """\n    >>> gym.make("CartPole-v1").seed(1)\n    """\n'
    )
    result = done_lint(tmp_path, "check", *PLAIN, "--include-docs")
    assert [row.partition(" ")[0] for row in result.stdout.splitlines()] == ["a.py:5:9:", "a.py:9:9:"]
    source = Source.from_bytes("a.py", (tmp_path / "a.py").read_bytes(), docstrings=True)
    assert source.text.count("def _") == 2
    before_the_first = source.text.index("def _2")
    assert not source.accepts([Edit(before_the_first, before_the_first, "import gym\n")])


@pytest.mark.parametrize(
    ("keeper", "example", "stays"),
    [
        ("import d4rl", "import gym", True),
        ("import numpy", "import gym", False),
        # it has moved before the code did
        ("import d4rl", "import gymnasium as gym", False),
    ],
)
def test_what_keeps_the_code_with_gym_keeps_its_examples(
    tmp_path: Path, keeper: str, example: str, stays: bool
) -> None:
    text = (
        f'import gym\n{keeper}\n\n\nclass Plain(gym.Wrapper):\n    """As it is.\n\n    >>> {example}\n'
        '    >>> env = gym.make("CartPole-v1")\n    >>> obs = env.reset()\n    """\n'
    )
    (tmp_path / "a.py").write_text(text)
    result = done_lint(tmp_path, "check", "--isolated", "--include-docs", "--output-format", "json")
    reasons = {one["unfixed"] for one in json.loads(result.stdout) if one["location"]["row"] > 7}
    assert reasons == {"`d4rl` keeps the program on Gym, unless `moved-packages` names it" if stays else ""}
    done_lint(tmp_path, "fix", "--isolated", "--include-docs")
    assert ((tmp_path / "a.py").read_text() == text) == stays


_HELD = 'import gym\n\nenv = gym.make("{}")\n\n\nclass Line(gym.Wrapper):\n    pass\n\n\nline = Line(env)\n'
_SHOWN = '"""Lines.\n\n>>> {}\n>>> env = {}(gym.make("CartPole-v1"))\n>>> obs = env.reset()\n"""\n'
_GYM = "import gym"


@pytest.mark.parametrize(
    ("files", "stays"),
    [
        # the module, its package, and what the example imports; `Copy-v0` was removed without a successor
        ({"line.py": _SHOWN.format(_GYM, "Line") + "\n" + _HELD.format("Copy-v0")}, True),
        ({"line/__init__.py": _SHOWN.format(_GYM, "Line"), "line/line.py": _HELD.format("Copy-v0")}, True),
        (
            {"about.py": _SHOWN.format(f"{_GYM}\n>>> import line", "line.Line"), "line.py": _HELD.format("Copy-v0")},
            True,
        ),
        # an id that may be of the module
        ({"line.py": _SHOWN.format(_GYM, "").replace("CartPole", "Line") + "\n" + _HELD.format("Copy-v0")}, True),
        # what it shows moves, it shows something else, or it has moved before
        ({"line.py": _SHOWN.format(_GYM, "Line") + "\n" + _HELD.format("CartPole-v1")}, False),
        ({"line.py": _SHOWN.format(_GYM, "") + "\n" + _HELD.format("Copy-v0")}, False),
        ({"about.py": _SHOWN.format(f"{_GYM}\n>>> import other", ""), "line.py": _HELD.format("Copy-v0")}, False),
        ({"line.py": _SHOWN.format("import gymnasium as gym", "Line") + "\n" + _HELD.format("Copy-v0")}, False),
    ],
)
def test_an_example_waits_for_the_code_that_it_shows(tmp_path: Path, files: dict[str, str], stays: bool) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    first, code = next(iter(files)), next(reversed(files))
    row = files[code].partition("\nenv = ")[0].count("\n") + 2
    result = done_lint(tmp_path, "check", "--isolated", "--include-docs", "--output-format", "json")
    found = [one for one in json.loads(result.stdout) if one["filename"].endswith(first)]
    reasons = {one["unfixed"] for one in found if one["location"]["row"] < 8 and one["code"] == "GYM401"}
    blocked = f"blocked by {code}:{row}, which makes an environment that was removed without a successor"
    assert reasons <= {blocked if stays else ""}
    done_lint(tmp_path, "fix", "--isolated", "--include-docs")
    moved = ">>> import gymnasium" in (tmp_path / first).read_text()
    assert moved == (not stays or "gymnasium" in files[first])

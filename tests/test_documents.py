"""Markdown, MDX, reStructuredText and docstrings: the Python in them is found, and mended where it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

from done_lint.core.findings import Edit
from done_lint.source.source import Source

PLAIN = ["--isolated", "--output-format", "concise"]


def program(name: str, text: str) -> str:
    """The rows of Python in a document, without the empty ones between blocks."""
    source = Source.from_bytes(name, text.encode())
    return "".join(row for row in source.text.splitlines(keepends=True) if row.strip())


FENCES = {
    "plain": "```python\nold = 1\n```\n",
    "py": "```py\nold = 1\n```\n",
    "tildes": "~~~ python3\nold = 1\n~~~\n",
    "attributes": '```python title="a.py" hl_lines="1"\nold = 1\n```\n',
    "pandoc": "```{.python .numberLines}\nold = 1\n```\n",
    "R Markdown": "```{python}\nold = 1\n```\n",
    "MyST": "```{code-block} python\n:linenos:\n\nold = 1\n```\n",
    "MyST with YAML": "```{code-cell} ipython3\n---\ntags: [x]\n---\nold = 1\n```\n",
    "in a note": "````{note}\nText.\n\n```python\nold = 1\n```\n````\n",
    "reStructuredText in MyST": "```{eval-rst}\n.. code-block:: python\n\n   old = 1\n```\n",
    "in a list, spaces": "1. Text\n\n   ```python\n   old = 1\n   ```\n",
    "in a list, tabs": "- Text\n\n\t```python\n\told = 1\n\t```\n",
    "in a quotation": "> ```python\n> old = 1\n> ```\n",
    "a session": "```\n>>> old = 1\n1\n```\n",
    "a session called so": "```pycon\n>>> old = 1\n```\n",
    "not closed": "```python\nold = 1",
    "Windows": "Text.\r\n\r\n```python\r\nold = 1\r\n```\r\n",
    "front matter": "---\ntitle: x\n---\n\n```python\nold = 1\n```\n",
}


@pytest.mark.parametrize("kind", FENCES)
def test_a_fence_with_python(kind: str) -> None:
    data = FENCES[kind].encode()
    source = Source.from_bytes("a.md", data)
    assert program("a.md", FENCES[kind]).splitlines() == ["old = 1"]
    start = source.text.index("old")
    assert source.rewritten(data, []) == data
    assert source.rewritten(data, [Edit(start, start + 3, "new")]) == data.replace(b"old", b"new")


@pytest.mark.parametrize("kind", FENCES)
def test_a_new_row_stands_under_its_neighbour(kind: str) -> None:
    data = FENCES[kind].encode()
    source = Source.from_bytes("a.md", data)
    row = next(row for row in data.split(b"\n") if b"old" in row).rstrip(b"\r")
    start = source.text.index("old = 1")
    end = b"\r\n" if kind == "Windows" else b"\n"
    below = source.rewritten(data, [Edit(start + 7, start + 7, f"{end.decode()}new = 2")])
    above = source.rewritten(data, [Edit(start, start, f"new = 2{end.decode()}")])
    new = row.replace(b"old = 1", b"new = 2")
    assert below == data.replace(row, row + end + new)
    assert above == data.replace(row, new + end + row)


@pytest.mark.parametrize(
    "text",
    [
        "Text with `old = 1` in it, and `import gym`.\n",
        "```\nold = 1\n```\n",
        "```bash\nold = 1\n```\n",
        "```pythonic\nold = 1\n```\n",
        "<!--\n```python\nold = 1\n```\n-->\n",
        "    old = 1\n",
        ">>> old = 1\n",
    ],
)
def test_prose_and_other_languages_are_not_read(text: str) -> None:
    assert program("a.md", text) == ""


def test_mdx_knows_no_indented_code() -> None:
    text = "<Tabs>\n    <Tab>\n    ```python\n    old = 1\n    ```\n    </Tab>\n</Tabs>\n"
    assert program("a.mdx", text) == "old = 1\n"
    assert program("a.md", text) == ""


RST = {
    "spaces": ".. code-block:: python\n\n   old = 1\n\nText.\n",
    "tabs": ".. code-block:: python\n\n\told = 1\n",
    "options": ".. code-block:: python\n   :linenos:\n   :caption: x\n\n   old = 1\n",
    "code": ".. code:: py\n\n  old = 1\n",
    "in a list": "* Text\n\n  .. code-block:: python\n\n     old = 1\n",
    "session": "Text.\n\n>>> old = 1\n1\n\nMore.\n",
    "indented session": "Text::\n\n    >>> old = 1\n",
    "doctest": ".. doctest::\n\n   >>> old = 1\n   1\n",
    "pycon": ".. code-block:: pycon\n\n   >>> old = 1\n",
    "testcode": ".. testcode::\n\n   old = 1\n",
}


@pytest.mark.parametrize("kind", RST)
def test_python_in_restructuredtext(kind: str) -> None:
    data = RST[kind].encode()
    source = Source.from_bytes("a.rst", data)
    assert program("a.rst", RST[kind]) == "old = 1\n"
    start = source.text.index("old = 1")
    row = next(row for row in data.split(b"\n") if b"old" in row)
    edit = Edit(start, start + 7, "new = 1\nmore = 2")
    assert source.rewritten(data, [edit]) == data.replace(
        row, row.replace(b"old", b"new") + b"\n" + row.replace(b"old = 1", b"more = 2")
    )


@pytest.mark.parametrize(
    "text",
    [
        ".. code-block:: bash\n\n   old = 1\n",
        ".. code-block::\n\n   old = 1\n",
        "Text::\n\n   old = 1\n",
        "Text ``old = 1``.\n",
        ".. old = 1\n",
    ],
)
def test_other_blocks_of_restructuredtext_are_not_read(text: str) -> None:
    assert program("a.rst", text) == ""


def test_a_block_that_mixes_tabs_and_spaces_is_read_by_its_columns() -> None:
    text = ".. code-block:: python\n\n        if x:\n\t    y = 1\n"
    assert program("a.rst", text) == "if x:\n    y = 1\n"


def test_blocks_of_a_page_share_state_and_one_that_does_not_parse_costs_itself(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        '```python\nimport gymnasium as gym\nenv = gym.make("CartPole-v1")\n```\n\n'
        "```python\nenv = ...?\n```\n\n"
        "Text: `obs = env.reset()`.\n\n"
        "```python\n    obs, reward, done, info = env.step(0)\n    print(done)\n```\n"
    )
    result = done_lint(tmp_path, "check", *PLAIN, "--include-docs", "-v")
    assert [row.partition(" ")[0] for row in result.stdout.splitlines()] == ["a.md:13:5:"]
    assert "a.md:7:" in result.stderr
    assert "not checked: is no Python" in result.stderr


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


def test_standard_input_may_be_a_document(tmp_path: Path) -> None:
    page = b"```py\nimport gym\n```\n"
    result = done_lint(tmp_path, "fix", *PLAIN, "--stdin-filename", "a.md", "-", stdin=page)
    assert result.stdout == "```py\nimport gymnasium as gym\n```\n"


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
    return env.step(0)[:3]
'''
MENDED = '''\
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
    import gymnasium as gym

    env = gym.make("CartPole-v1")
    return env.step(0)[:3]
'''


def test_examples_in_docstrings_are_mended_with_the_code(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(SESSION)
    only_code = done_lint(tmp_path, "check", *PLAIN).stdout
    assert [row.partition(" ")[0] for row in only_code.splitlines()] == ["a.py:17:5:", "a.py:20:12:"]
    both = done_lint(tmp_path, "check", *PLAIN, "--include-docs").stdout
    assert set(only_code.splitlines()) < set(both.splitlines())
    arguments = ["fix", *PLAIN, "--include-docs"]
    diff = done_lint(tmp_path, *arguments, "--diff").stdout
    given = done_lint(tmp_path, *arguments, "--stdin-filename", "a.py", "-", stdin=SESSION.encode()).stdout
    result = done_lint(tmp_path, *arguments)
    assert path.read_text() == MENDED
    assert given == MENDED
    assert diff.count("--- a.py") == 1
    changed = [row[1:] for row in diff.splitlines()[2:] if row[0] in "+ "]
    assert changed[:-1] == MENDED.splitlines()[: len(changed) - 1]
    # what is left stands where the file now has it
    assert [row.partition(" ")[0] for row in result.stdout.splitlines()] == ["a.py:22:12:"]
    done_lint(tmp_path, *arguments)
    assert path.read_text() == MENDED


def test_findings_left_in_docstrings_stand_where_the_mended_code_has_moved_them(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        'import gymnasium as gym\n\nenv = gym.make("CartPole-v1")\nobs, reward, done, info = env.step(0)\nprint(done)\n'
        '\n\ndef f():\n    """\n    >>> import gymnasium as gym\n    >>> env = gym.make("CartPole-v1")\n'
        '    >>> env.seed(1)\n    [1]\n    >>> obs, info = env.reset()\n    """\n'
    )
    result = done_lint(tmp_path, "fix", "--isolated", "--output-format", "json", "--include-docs")
    (finding,) = json.loads(result.stdout)
    assert (finding["code"], finding["location"]["row"]) == ("GYM103", 13)
    assert "Fixed 1 finding in 1 file; 1 left." in result.stderr


def test_a_file_that_is_no_python_says_so_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('"""\n>>> import gym\n"""\nx = (\n')
    result = done_lint(tmp_path, "check", *PLAIN, "--include-docs")
    assert len(result.stdout.splitlines()) == 1
    assert "syntax-error" in result.stdout


def test_output_is_not_left_without_its_statement() -> None:
    text = ">>> old = 1\n>>> f()\n1\n>>> g()\n"
    source = Source.from_bytes("a.rst", text.encode())

    def takes(row: str) -> bool:
        start = source.text.index(row)
        return source.takes([Edit(start, start + len(row), "")])

    assert takes("old = 1\n")
    assert takes("g()\n")
    assert not takes("f()\n")


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
        "a.md:3:6: warning: `# done-lint: skip-cel` means nothing; did you mean done-lint: skip-cell?" in result.stderr
    )


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
    assert not source.takes([Edit(before_the_first, before_the_first, "import gym\n")])


def test_what_a_page_hands_to_the_program_proves_nothing_of_it(tmp_path: Path) -> None:
    """The page's environment is of a package that nobody knows; the program's findings stay as they are."""
    (tmp_path / "play.py").write_text("def play(env):\n    obs = env.reset()\n    while True:\n        env.step(0)\n")
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

"""The Python of Markdown, MDX and reStructuredText is found, and edited where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import PLAIN, done_lint

from done_lint.core.findings import Edit
from done_lint.source.source import Source


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
    assert "not checked: is not Python" in result.stderr

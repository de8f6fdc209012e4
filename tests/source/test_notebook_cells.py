"""The cells of a notebook as one program."""

from __future__ import annotations

import json

import pytest
from notebooks import code, notebook, of_sources, renamed

from done_lint.source.source import Source


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("x = 1", "x = 1\n\n"),
        ("x = 1\n", "x = 1\n\n\n"),
        ("%matplotlib inline\nx = 1", "pass  # %matplotlib inline\nx = 1\n\n"),
        ("if x:\n    !pip install a\ny = 2", "if x:\n    pass  # !pip install a\ny = 2\n\n"),
        ("!pip install a \\\n  b\ny = 2", "pass  # !pip install a \\\n#   b\ny = 2\n\n"),
        ("%time x = f(1)", "x = f(1)\n\n"),
        ("    %timeit -n 10 -r3 f(x)\n    y", "%timeit -n 10 -r3 f(x)\ny".replace("%timeit -n 10 -r3 ", "") + "\n\n"),
        ("%time x = [1,", "pass  # %time x = [1,\n\n"),
        ("files = !ls\nx = files", "files = ...\nx = files\n\n"),
        ("v = %env HOME", "v = ...\n\n"),
        ("env.step?", "pass  # env.step?\n\n"),
        ("?env.step\n??env", "pass  # ?env.step\npass  # ??env\n\n"),
        ("plt.show();", "plt.show();\n\n"),
        ("%%time\nx = 1", "x = 1\n\n"),
        ("\n%%capture out\n%%timeit\nx = 1", "x = 1\n\n"),
        ("%%html\n<b>", ""),
        ("%%writefile agent.py\nimport gym", ""),
        ("%%bash\npip install a", "# pip install a\n\n"),
        ("s = '''\n%time\n!ls\n'''\nx = (1\n%2)\n!ls", "s = '''\n%time\n!ls\n'''\nx = (1\n%2)\npass  # !ls\n\n"),
        ("!echo \"it's\nx = 1", "pass  # !echo \"it's\nx = 1\n\n"),
        ("pip install gym\nx = 1", "pass  # pip install gym\nx = 1\n\n"),
        ("def f(self, a, ...):\n    ...", "def f(self, a, **_):\n    ...\n\n"),
        ("def f(\n    a, ...):\n    pass", "def f(\n    a, **_):\n    pass\n\n"),
        ("def f(a, ...):\n    g(b=a, ...)", "def f(a, **_):\n    g(b=a, **0)\n\n"),
        ("env = E(size=3, ...)\nobs, *_ = env.step(a)", "env = E(size=3, **0)\nobs, *_ = env.step(a)\n\n"),
        ("await f()", "await f()\n\n"),
        ("<YOUR CODE HERE>", None),
        ("x = # TODO", None),
        ("print 1", None),
        ("# only a comment", "# only a comment\n\n"),
        ("", ""),
    ],
)
def test_a_cell_as_python(cell: str, expected: str | None) -> None:
    source = Source.from_bytes("a.ipynb", of_sources([cell]))
    assert source.layout is not None
    assert (None if source.layout.failures else source.text) == expected


def test_a_cell_that_does_not_parse_costs_that_cell_alone() -> None:
    source = Source.from_bytes("a.ipynb", of_sources(["a = 1", "x = # TODO", "b = 2"]))
    assert source.text == "a = 1\n\nb = 2\n\n"
    assert source.layout is not None
    ((cell, offset, message),) = source.layout.failures
    assert (source.layout.cells[cell].number, offset, message) == (2, 4, "invalid syntax")


def test_nbformat_3_and_editors_that_mix_languages() -> None:
    cells = [
        {"cell_type": "code", "language": "python", "input": ["import gym\n", "x = 1"], "outputs": []},
        {"cell_type": "heading", "source": ["x"]},
        {"cell_type": "code", "language": "R", "input": "y <- 2", "outputs": []},
        {"cell_type": "code", "language": "python", "input": "z = 3", "outputs": []},
    ]
    data = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3, "nbformat_minor": 0}).encode()
    source = Source.from_bytes("a.ipynb", data)
    assert source.text == "import gym\nx = 1\n\nz = 3\n\n"
    new = renamed(renamed(data, "gym", "gymnasium"), "z", "zz")
    assert new == data.replace(b"gym", b"gymnasium").replace(b"z = 3", b"zz = 3")
    shell = code("echo x", metadata={"vscode": {"languageId": "shellscript"}})
    assert Source.from_bytes("a.ipynb", notebook(shell, code("x"))).text == "x\n\n"


@pytest.mark.parametrize("language", ["R", "julia", "C++"])
def test_a_notebook_in_another_language_holds_no_python(language: str) -> None:
    data = notebook(code("import gym")).replace(b'"language": "python"', f'"language": "{language}"'.encode())
    assert Source.from_bytes("a.ipynb", data).text == ""


OF_PYTHON_2 = {"kernelspec": {"display_name": "Python 2", "language": "python", "name": "python2"}}


@pytest.mark.parametrize(
    ("cell", "version", "expected"),
    [
        ("for _ in xrange(3): pass", "2.7.6", True),
        ("print 1", "2.7.6", True),
        ("print(1)", "2.7.6", False),
        ("for _ in xrange(3): pass", "3.8.5", False),
        ("xrange = range\nfor _ in xrange(3): pass", "2.7.6", False),
        ("from past.builtins import xrange\nfor _ in xrange(3): pass", "2.7.6", False),
        ("# raw_input()\nname = 'raw_input()'", "2.7.6", False),
    ],
)
def test_a_notebook_for_python_2_is_one_by_its_kernel_and_its_code(cell: str, version: str, expected: bool) -> None:
    content = json.loads(of_sources(["import gym", cell]))
    content["metadata"] = {**OF_PYTHON_2, "language_info": {"name": "python", "version": version}}
    source = Source.from_bytes("a.ipynb", json.dumps(content).encode())
    assert source.layout is not None
    assert source.layout.python_2 == expected

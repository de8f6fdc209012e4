"""Makes notebooks as different editors write them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from done_lint.core.findings import Edit
from done_lint.source.source import Source

STEP = "obs, reward, done, info = env.step(0)"
FIXED_STEP = "obs, reward, terminated, truncated, info = env.step(0)\ndone = terminated or truncated"

PYTHON = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def code(source: str | list[str], **rest: Any) -> dict[str, Any]:
    """A code cell of nbformat 4; a text becomes a list of rows."""
    rows = source if isinstance(source, list) else source.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": rows, **rest}


def prose(text: str) -> dict[str, Any]:
    """A Markdown cell."""
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def notebook(*cells: dict[str, Any], indent: int | str | None = 1, end: str = "\n", **options: Any) -> bytes:
    """The file; `options` are those of `json.dumps`."""
    content = {"cells": list(cells), "metadata": PYTHON, "nbformat": 4, "nbformat_minor": 4}
    return (json.dumps(content, indent=indent, **{"ensure_ascii": False, **options}) + end).encode()


def sources(data: bytes) -> list[str]:
    """The sources of all cells."""
    return ["".join(cell["source"]) for cell in json.loads(data)["cells"]]


def of_sources(texts: Sequence[str], **options: Any) -> bytes:
    """A notebook of code cells."""
    return notebook(*map(code, texts), **options)


def renamed(data: bytes, old: str, new: str) -> bytes:
    """The notebook after an edit of the first place where the program has `old`."""
    source = Source.from_bytes("a.ipynb", data)
    start = source.text.index(old)
    return source.rewritten(data, [Edit(start, start + len(old), new)])


#: A notebook with commands, magics, a cell that does not parse, and the old step.
TUTORIAL = (
    prose("# Cart pole"),
    code("%pip install -q 'gym[atari]>=0.21'\n!pip install numpy gym  # a comment"),
    code('%matplotlib inline\nimport gym\nenv = gym.make("CartPole-v1")'),
    code("def play(env):\n    return env.step(0)"),
    code("x = # TODO"),
    code(f"obs = env.reset()\n%time {STEP}\n{STEP}"),
    code("print(done)"),
)

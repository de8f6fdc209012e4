"""The functions that the examples of a docstring are put into: what one imports, another does not see."""

from __future__ import annotations

import re

_NAME = re.compile(r"_\d+")


def name_of(number: int) -> str:
    """What the function of so many docstrings into the file is called."""
    return f"_{number}"


def is_example(name: str) -> bool:
    """Whether a function is one of these, whose code may be a part of more."""
    return _NAME.fullmatch(name) is not None

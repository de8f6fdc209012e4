"""The newest release of Gymnasium that the Python versions of a project can have, as its metadata says.

Only an upper bound tells something: a project for Python 3.7 alone never has what came after Gymnasium 0.28.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from done_lint.knowledge.package_requirements import PYTHON
from done_lint.project.setup_script import pythons

#: `requires-python = "<3.8"` of `pyproject.toml`, `python_requires = <3.8` of `setup.cfg`, and the key of Poetry.
_STATED = re.compile(
    r"""^[ \t]*(?:requires-python|python_requires|python(?=\s*=\s*["']))\s*=\s*["']?(?P<clauses>[^"'\n#]*)""",
    re.MULTILINE,
)
_BELOW, _SCRIPT_KEY = "<", "python_requires"


class PythonBound(NamedTuple):
    """What the newest Python that a file allows can have of Gymnasium."""

    python: str
    gymnasium: str
    row: int


def python_bounds(name: str, text: str) -> Iterator[PythonBound]:
    """The bounds that a `pyproject.toml`, `setup.cfg` or `setup.py` states, by its name and its text.

    Source: the field `Requires-Python` of Gymnasium's releases, see `PYTHON`.
    """
    for clauses, row in _of_script(text) if name.endswith(".py") else _of_metadata(text):
        if _BELOW in clauses and (newest := _newest(clauses.strip())) is not None and newest.gymnasium:
            yield newest._replace(row=row)


def _of_script(text: str) -> Iterator[tuple[str, int]]:
    # few scripts bound Python, and reading one takes a parse
    return ((one.text, one.row) for one in (pythons(text) if _SCRIPT_KEY in text else ()))


def _of_metadata(text: str) -> Iterator[tuple[str, int]]:
    return ((one["clauses"], text.count("\n", 0, one.start()) + 1) for one in _STATED.finditer(text))


def _newest(clauses: str) -> PythonBound | None:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # only few projects bound Python

    try:
        allowed = SpecifierSet(clauses)
    except InvalidSpecifier:
        return None
    for bound in reversed(PYTHON):
        for version in reversed(bound.versions):
            # a bound such as `<3.7.5` stands inside of a minor version
            if f"{version}.0" in allowed or f"{version}.99" in allowed:
                return PythonBound(version, bound.gymnasium, 0)
    return None

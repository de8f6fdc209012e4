"""The newest release of Gymnasium that the Python versions of a project can have, as its metadata says.

Only an upper bound tells something: a project for Python 3.7 alone never has what came after Gymnasium 0.28.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from done_lint.knowledge.package_requirements import PYTHON

#: `requires-python = "<3.8"`, `python_requires=">=3.7, <3.8"`, in `setup.cfg` without quotes, and the key of Poetry.
_STATED = re.compile(
    r"""^[ \t]*(?:requires-python|python_requires|python(?=\s*=\s*["']))\s*=\s*["']?(?P<clauses>[^"'\n#]*)"""
    r"""|\bpython_requires\s*=\s*["'](?P<given>[^"'\n]*)["']""",
    re.MULTILINE,
)
_BELOW = "<"


class PythonBound(NamedTuple):
    """What the newest Python that a file allows can have of Gymnasium."""

    python: str
    gymnasium: str
    row: int


def python_bounds(text: str) -> Iterator[PythonBound]:
    """The bounds that the text of a `pyproject.toml`, `setup.cfg` or `setup.py` states.

    Source: the field `Requires-Python` of Gymnasium's releases, see `PYTHON`.
    """
    for match in _STATED.finditer(text):
        clauses = match["clauses"] or match["given"] or ""
        if _BELOW in clauses and (newest := _newest(clauses.strip())) is not None and newest.gymnasium:
            yield newest._replace(row=text.count("\n", 0, match.start()) + 1)


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

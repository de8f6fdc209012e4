"""Which code the examples in docstrings show: what they import, name, or make by an id of the project's own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_id_apis import is_own

if TYPE_CHECKING:
    from done_lint.engine.load import Program

_WORD = re.compile(r"\w+")
_ID = re.compile(r"""["']([\w./:-]+-v\d+)["']""")


def shown_by(path: str, examples: Program, code: Program) -> Iterator[str]:
    """The files that the examples of a file show, the one that they stand in first."""
    imported = [one.replace(".", os.sep) for one in examples.surveys[path].imports]
    ends = tuple(f"{os.sep}{one}{end}" for one in imported for end in (".py", f"{os.sep}__init__.py"))
    text = examples.sources[path].text
    words, own_id = set(_WORD.findall(text)), not all(map(is_own, _ID.findall(text)))
    folder, name = os.path.split(path)
    for other in sorted(code.surveys, key=lambda one: (one != path, one)):
        inside = other == path or (name == "__init__.py" and other.startswith(folder + os.sep))
        named = inside and (own_id or not words.isdisjoint(_defined(code.surveys[other])))
        if named or (ends and other.endswith(ends)):
            yield other


def _defined(survey: Survey) -> Iterator[str]:
    """The classes and functions of a file."""
    yield from (one.name for one in survey.classes)
    yield from (one.name for one in survey.functions if one.owner < 0)

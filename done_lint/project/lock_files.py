"""Reads the release of a package from the files in which tools write what they have installed.

They are long, and a parser of their format reads all of it: the entry of one package is found by its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

#: `[[package]]` in the lock files of uv, Poetry and PDM.
_TOML = r'^\[\[package\]\][ \t]*\r?\nname = "{}"[ \t]*\r?\nversion = "(?P<version>[^"\r\n]+)"'
#: An entry in the lock file of Pipenv.
_JSON = r'"{}"\s*:\s*\{{[^{{}}]*"version"\s*:\s*"==(?P<version>[^"\r\n]+)"'
_PATTERNS = {"uv.lock": _TOML, "poetry.lock": _TOML, "pdm.lock": _TOML, "Pipfile.lock": _JSON}
#: One entry for each group of machines or of extras; no project has more.
_MOST = 20
LOCK_FILES = frozenset(_PATTERNS)


def locked(name: str, text: str, package: str) -> Iterator[tuple[int, str]]:
    """Row and version of each entry of a package in the lock file of that name."""
    pattern = _PATTERNS[name].format(re.escape(package))
    for entry in islice(re.finditer(pattern, text, re.MULTILINE), _MOST):
        yield text.count("\n", 0, entry.start("version")) + 1, entry["version"]

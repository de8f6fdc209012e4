"""Codes and names of the rules, without importing LibCST: configuration and command line need no more."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


def _modules() -> dict[str, str]:
    """The modules of the rules by code: `rules/usage/gym101_four_value_step.py` is GYM101 *four-value-step*."""
    folder = Path(__file__).parent.parent / "rules"
    files = sorted(folder.glob("*/gym[0-9]*.py"), key=lambda file: file.stem)
    return {file.stem[:6].upper(): f"done_lint.rules.{file.parent.name}.{file.stem}" for file in files}


#: Code to module: a rule is found by the name of its file, and nowhere else registered.
MODULES: dict[str, str] = _modules()

#: Code to name; the name reads after "allow": *allow four-value-step*.
CODES: dict[str, str] = {
    code: module.rpartition(".")[2][len("gym101_") :].replace("_", "-") for code, module in MODULES.items()
}


#: The prefix of all codes, which selects every rule.
ALL = "GYM"


def nearest_code(value: str) -> str:
    """A hint at the code or name that the user may have meant by `value`."""
    by_name = {name: code for code, name in CODES.items()}
    if name := nearest(value, by_name):
        return f"did you mean {by_name[name]} ({name})?"
    # All codes begin with the same letters, so that even a code of another family is rather similar.
    if code := nearest(value, CODES, cutoff=0.8):
        return f"did you mean {code}?"
    return "`done-lint rule` lists all rules"


def nearest(value: str, valid: Iterable[str], cutoff: float = 0.7) -> str:
    """The valid word that is most similar to `value`, ignoring case; empty if none is similar."""
    words = {word.lower(): word for word in valid}
    found = difflib.get_close_matches(value.lower(), words, n=1, cutoff=cutoff)
    return words[found[0]] if found else ""

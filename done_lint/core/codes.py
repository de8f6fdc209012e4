"""Codes and names of the rules, without importing LibCST: configuration and command line need no more."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

#: Code to name; the name is the file of the rule, read after "allow": *allow four-value-step*.
CODES: dict[str, str] = {
    "GYM101": "four-value-step",
    "GYM102": "step-index",
    "GYM103": "env-seed",
    "GYM104": "bare-reset",
    "GYM105": "render-argument",
    "GYM106": "time-limit-info",
    "GYM107": "truncation-ignored",
    "GYM108": "ambiguous-done",
    "GYM109": "swapped-step-values",
    "GYM110": "removed-argument",
    "GYM111": "render-without-mode",
    "GYM201": "done-mask",
    "GYM202": "done-branch",
    "GYM203": "done-stored",
    "GYM204": "done-recursion",
    "GYM205": "reset-observation",
    "GYM206": "leaking-recursion",
    "GYM207": "autoreset-row",
    "GYM208": "last-as-terminal",
    "GYM301": "four-value-return",
    "GYM302": "reset-signature",
    "GYM303": "bare-reset-return",
    "GYM304": "seed-method",
    "GYM305": "render-signature",
    "GYM306": "legacy-random",
    "GYM307": "limit-as-termination",
    "GYM308": "underscore-method",
    "GYM309": "unused-seed",
    "GYM401": "gym-import",
    "GYM402": "monitor-wrapper",
    "GYM403": "removed-module",
    "GYM404": "outdated-env-id",
    "GYM405": "renamed-wrapper",
    "GYM406": "hidden-attribute",
    "GYM407": "vector-api",
}


#: What selects every rule.
ALL = "GYM"


def nearest_code(value: str) -> str:
    """A hint at the code or name that `value` was meant to be."""
    by_name = {name: code for code, name in CODES.items()}
    if name := nearest(value, by_name):
        return f"did you mean {by_name[name]} ({name})?"
    # All codes begin alike, so that even a code of another family is rather near.
    if code := nearest(value, CODES, cutoff=0.8):
        return f"did you mean {code}?"
    return "`done-lint rule` lists all rules"


def nearest(value: str, valid: Iterable[str], cutoff: float = 0.7) -> str:
    """The valid word that is most like `value`, in upper or lower case; empty where none is near."""
    words = {word.lower(): word for word in valid}
    found = difflib.get_close_matches(value.lower(), words, n=1, cutoff=cutoff)
    return words[found[0]] if found else ""

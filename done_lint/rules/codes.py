"""Codes and names of the rules, without importing LibCST: configuration and command line need no more."""

from __future__ import annotations

#: Code to name; the name is the file of the rule, read after "allow": *allow four-value-step*.
CODES: dict[str, str] = {
    "GYM101": "four-value-step",
    "GYM102": "step-index",
    "GYM103": "env-seed",
    "GYM104": "bare-reset",
    "GYM106": "time-limit-info",
    "GYM107": "truncation-ignored",
    "GYM108": "ambiguous-done",
    "GYM109": "swapped-step-values",
    "GYM201": "done-mask",
    "GYM202": "done-branch",
    "GYM203": "done-stored",
    "GYM204": "done-recursion",
    "GYM305": "render-signature",
    "GYM306": "legacy-random",
    "GYM307": "limit-as-termination",
    "GYM308": "underscore-method",
    "GYM401": "gym-import",
}

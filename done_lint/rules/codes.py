"""Codes and names of the rules, without importing LibCST: configuration and command line need no more."""

from __future__ import annotations

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
    "GYM207": "autoreset-row",
    "GYM301": "four-value-return",
    "GYM302": "reset-signature",
    "GYM303": "bare-reset-return",
    "GYM304": "seed-method",
    "GYM309": "unused-seed",
    "GYM401": "gym-import",
    "GYM402": "monitor-wrapper",
    "GYM403": "removed-module",
    "GYM404": "outdated-env-id",
    "GYM405": "renamed-wrapper",
    "GYM406": "hidden-attribute",
    "GYM407": "vector-api",
}

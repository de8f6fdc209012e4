"""All rules, found by their modules, and their pages."""

from __future__ import annotations

import inspect
from importlib import import_module

from done_lint.core.codes import CODES, MODULES
from done_lint.rules.base import Rule
from done_lint.rules.lookup import rule

RULES: tuple[type[Rule], ...] = tuple(map(rule, MODULES))


def rule_page(code: str) -> str:
    """The documentation page of a rule, in Markdown.

    Raises:
        KeyError: there is no such rule.
    """
    page = inspect.cleandoc(import_module(MODULES[code]).__doc__ or "")
    return f"# {code} {CODES[code]}\n\n{page}\n"

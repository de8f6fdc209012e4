"""All rules, found by their modules, and their pages."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module

from done_lint.core.codes import CODES, MODULES
from done_lint.rules.base import Rule


def _rule(module: str) -> type[Rule]:
    """The one rule that a module defines."""
    defined = [one for one in vars(import_module(module)).values() if inspect.isclass(one)]
    (rule,) = (one for one in defined if issubclass(one, Rule) and one.__module__ == module)
    return rule


@cache
def rule(code: str) -> type[Rule]:
    """The rule of a code; only those that are asked for are imported."""
    return _rule(MODULES[code])


def rules() -> tuple[type[Rule], ...]:
    """All rules."""
    return tuple(map(rule, MODULES))


def rule_page(code: str) -> str:
    """The documentation page of a rule, in Markdown.

    Raises:
        KeyError: there is no such rule.
    """
    page = inspect.cleandoc(import_module(MODULES[code]).__doc__ or "")
    return f"# {code} {CODES[code]}\n\n{page}\n"

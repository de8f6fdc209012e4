"""Finds a rule by its code: a file that one rule wants imports no other."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module

from done_lint.core.codes import MODULES
from done_lint.rules.base import Rule


@cache
def rule(code: str) -> type[Rule]:
    """The one rule that the module of a code defines."""
    module = MODULES[code]
    defined = [one for one in vars(import_module(module)).values() if inspect.isclass(one)]
    (found,) = (one for one in defined if issubclass(one, Rule) and one.__module__ == module)
    return found

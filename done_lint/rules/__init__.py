"""The rules: one file each, all listed in `registry.py`.

`RULES` and `rule_page` load LibCST when they are first asked for, and not before: the configuration and
the command line know the codes from `core/codes.py` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from done_lint.rules.registry import RULES, rule_page

__all__ = ["RULES", "rule_page"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from done_lint.rules import registry

    return getattr(registry, name)

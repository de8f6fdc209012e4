"""The command: `done-lint check`, `done-lint fix`, `done-lint rule`, `done-lint clean`.

Exit status: 0 clean, 1 findings left (or a file that cannot be checked or written, an output that cannot be written, or
something that `fix --diff` would change), 2 wrong usage or configuration, a missing path, an internal error.
"""

from __future__ import annotations

from done_lint.cli.commands import main

__all__ = ["main"]

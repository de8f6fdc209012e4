"""What a script says of itself: its packages and its Python, in a comment block that begins with `# /// script`.

Tools such as uv and pipx make an environment for the script alone from it, whatever project is around.
Source: the packaging specification "Inline script metadata" (PEP 723).
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from done_lint.core.file_io import SourceError, read_bytes

#: A program that is run by itself is shorter.
_LARGEST = 1_000_000
_MARK = b"# /// script"
#: The mark and all comments behind it. What they have to end with is looked for in them: a pattern for both would take
#: quadratic time where the mark is repeated.
_COMMENTS = re.compile(r"^# /// script[ \t]*\n(?P<rows>(?:#(?: [^\n]*)?(?:\n|\Z))+)", re.MULTILINE)
_END = re.compile(r"^# ///[ \t]*$", re.MULTILINE)
#: What a row of the block has before the metadata.
_COMMENT = re.compile(r"^# ?", re.MULTILINE)


def statement_of(path: str) -> str:
    """The path itself of a script that has such a block; else its folder, whose files speak for it."""
    return path if is_script(path) and metadata(path) else os.path.dirname(path)


def is_script(path: str) -> bool:
    """Whether a file by that name can have such a block."""
    return path.endswith(".py") and os.path.basename(path) != "setup.py"


@lru_cache(maxsize=4096)
def metadata(path: str) -> str:
    """The block of a script as TOML, with every row in its place; empty where there is none, or more than one."""
    try:
        data = read_bytes(path, _LARGEST)
    except SourceError:
        return ""
    return _content(data.decode("utf-8", "replace")) if _MARK in data else ""


def _content(text: str) -> str:
    """The rows between the mark and the last end behind it: a text inside may have one, too."""
    text = text.replace("\r\n", "\n")
    marked = list(_COMMENTS.finditer(text))
    blocks = [(one, ends[-1].start()) for one in marked if (ends := list(_END.finditer(one["rows"])))]
    if len(blocks) != 1:
        return ""
    block, length = blocks[0]
    return "\n" * text.count("\n", 0, block.start("rows")) + _COMMENT.sub("", block["rows"][:length])

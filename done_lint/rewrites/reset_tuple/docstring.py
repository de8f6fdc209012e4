"""What the docstring of a `reset` says it returns: "Returns: the observation" becomes "..., and an info"."""

from __future__ import annotations

import re

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.syntax.docstrings import docstring
from done_lint.syntax.edits import Edits
from done_lint.syntax.tree import Tree

#: A description of one row: after `:return:` or `@return`, or in the section `Returns:` and alone in it.
_RETURNED = re.compile(
    r"(?::returns?:[ \t]+|^[ \t]*@returns?:?[ \t]+|^[ \t]*Returns:[ \t]*\r?\n[ \t]+)"
    r"(?P<what>\S[^\r\n]*?)(?P<stop>\.?)[ \t]*(?=\r?\n[ \t]*(?:\r?\n|[:@]|\Z)|\Z)",
    re.MULTILINE,
)


def docstring_edits(tree: Tree, function: cst.FunctionDef) -> Edits:
    """Edits that add the info to the description of what is returned, where that is one row without an info."""
    text = docstring(function)
    if not isinstance(text, cst.SimpleString):
        return ()
    returned = _RETURNED.search(text.raw_value)
    if returned is None or re.search(r"\binfo|\bdict\b|\btuple\b", returned["what"], re.IGNORECASE):
        return ()
    start = tree.offsets(text)[0] + len(text.prefix) + len(text.quote)
    return (Edit(start + returned.end("what"), start + returned.end("what"), ", and an info"),)

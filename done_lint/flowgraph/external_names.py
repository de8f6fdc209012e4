"""Names that cannot mean anything of the project: the builtins, and what is imported, once, from other packages.

What they mean is known before anything is linked, so that a whole chain, `np.random.rand`, is one node of a survey.
"""

from __future__ import annotations

import builtins
from collections.abc import Container
from functools import cache

from done_lint.flowgraph.binding_scan import Outline
from done_lint.knowledge import env_api_rows

BUILTINS = {name: f"builtins.{name}" for name in dir(builtins)}
#: Packages of which the rules ask for every single name.
_LIBRARY = frozenset({"gym", "gymnasium"})
#: Attributes by which an environment may be known, beside any called `step...`: who gives them is asked for.
_TELLING = frozenset(
    {"reset", "seed", "render", *env_api_rows.DISTINCTIVE, *(n for row in env_api_rows.METHODS for n in row.names)}
)
#: How deep a dotted name from outside may grow (`a.b.c.d.e`).
DEPTH = 6


def names(outline: Outline, inside: Container[str] | None) -> dict[str, str]:
    """What such names of a file mean, dotted.

    Args:
        outline: of the file.
        inside: names of the files and folders of the project; None: any import may lead to one of them.
    """
    bound = outline.top.names | outline.shared
    found = dict(BUILTINS)
    for name in bound & BUILTINS.keys():
        del found[name]
    if inside is None:
        return found
    changed = outline.top.again | outline.shared
    for name, dotted in outline.absolute.items():
        root = dotted.partition(".")[0]
        if root not in inside and root not in _LIBRARY and name not in changed:
            found[name] = dotted
    return found


@cache
def is_undefined(dotted: str) -> bool:
    """Whether an external name is one that its file never defines, nor Python: what it stands for nobody knows."""
    root, _, rest = dotted.partition(".")
    return root == "builtins" and rest.partition(".")[0].removesuffix("()") not in BUILTINS


@cache
def is_telling(attribute: str) -> bool:
    """Whether the model asks who has an attribute of this name."""
    return attribute in _TELLING or attribute.startswith("step")

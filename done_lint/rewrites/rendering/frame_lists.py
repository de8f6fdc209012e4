"""Lists of frames, which `render` of Gym 0.25 returned in the mode that gives one frame since then."""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.env_apis import GYM
from done_lint.knowledge.rendering import FRAME_LISTS, FRAMES
from done_lint.rewrites.context import Context
from done_lint.rewrites.rendering.render_modes import Rendering, RenderModes
from done_lint.syntax.arguments import keyword
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.shapes import only_index, string_value

#: What takes one frame out of a list: nobody wants the first row of a picture, nor its last one.
_ENDS = frozenset({"0", "-1"})


def mode_of_lists(context: Context, modes: RenderModes, rendering: Rendering) -> Edits:
    """Edits after which `env.render()[0]` takes a frame as in Gym 0.25; none where it takes none, or did not.

    A `make` with a render mode beside steps of four values is of that release: the one before had no such argument, and
    the next one gave five.
    """
    tree = context.tree
    taken = tree.parents[rendering.call]
    if not isinstance(taken, cst.Subscript) or taken.value is not rendering.call or rendering.call.args:
        return ()
    index, make = only_index(taken), modes.make(rendering.env)
    if index is None or tree.source(index) not in _ENDS or make is None or rendering.env.api != GYM:
        return ()
    arities = {len(one.targets) for one in context.unpackings if one.step.env.made == rendering.env.made}
    if arities != {4}:
        return ()
    given = next((one.value for one in make.args if keyword(one) == "render_mode"), None)
    if not isinstance(given, cst.SimpleString) or string_value(given) != FRAMES:
        return ()
    return replaced(tree, given, given.with_changes(value=f"{given.prefix}{given.quote}{FRAME_LISTS}{given.quote}"))

"""Objects that an environment holds with a generator of their own: a seed for `np_random` changes nothing there."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.env_methods import EnvMethod, own_name
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree


def drawing_part(tree: Tree, method: EnvMethod) -> str:
    """Such an object, `self.game`, which the class uses; or nothing.

    Not one that the class gives its own generator, or a number of it: `Game(self.np_random)`,
    `self.game.rng = self.np_random`.
    """
    if method.owner.wrapper or not method.owner.drawing_parts:
        return ""
    own = own_name(method.function)
    parts = [
        one
        for one in tree.inside(cst.Attribute, method.body)
        if is_name(one.value, own) and one.attr.value in method.owner.drawing_parts
    ]
    given = {
        name
        for one in tree.inside(cst.Attribute, method.body)
        if one.attr.value == "np_random" and (name := _taking(tree, one))
    }
    return next((text for one in parts if (text := tree.source(one)) not in given), "")


def _taking(tree: Tree, read: cst.Attribute) -> str:
    """The attribute, of what the class holds, that a generator is handed to."""
    for around in tree.ancestors(read):
        if (
            isinstance(around, cst.Call)
            and not tree.within(read, around.func)
            and isinstance(around.func, cst.Attribute)
        ):
            return tree.source(around.func.value)
        if isinstance(around, cst.Assign):
            target = around.targets[0].target
            kept = isinstance(target, cst.Attribute) and isinstance(target.value, cst.Attribute)
            return tree.source(target.value if kept and isinstance(target, cst.Attribute) else target)
        if isinstance(around, cst.BaseStatement):
            break
    return ""

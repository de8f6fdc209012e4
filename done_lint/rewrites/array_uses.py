"""Uses by which a flag shows that it is an array, with an entry for each agent."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.context import Context, per_file
from done_lint.syntax.shapes import is_name, method_called, only_index
from done_lint.syntax.tree import Scope, Tree

#: Methods that arrays have, and no single flag of Python.
_METHODS = frozenset({"any", "all"})


@per_file
def is_used_as_array(context: Context, scope: Scope, name: str) -> bool:
    """Whether a name is read as an array in its function: `done.any()`, `~done`, `for one in done`, `done[0]`.

    What is read by a key in a variable may be a dict as well, which two of these fit too.
    """
    if isinstance(scope, cst.ClassDef):
        return False
    tree = context.tree
    reads = tree.scopes.reads(scope, name)
    if any(_is_array(tree, read) for read in reads):
        return True
    return any(_has_entries(tree, read) for read in reads) and not any(_is_keyed(tree, read) for read in reads)


def _is_array(tree: Tree, read: cst.Name) -> bool:
    """`done.any()`, `np.any(done)`, `~done`, `zip(obs, done)`."""
    parent = tree.parents[read]
    if isinstance(parent, cst.UnaryOperation):
        return isinstance(parent.operator, cst.BitInvert)
    call = tree.parents[parent] if isinstance(parent, (cst.Attribute, cst.Arg)) else None
    if not isinstance(call, cst.Call):
        return False
    if is_name(call.func, "zip"):
        return True
    # `np.any(done)` and `done.any()`
    return method_called(call) in _METHODS and (call.func is parent or (len(call.args) == 1 and call.args[0] is parent))


def _has_entries(tree: Tree, read: cst.Name) -> bool:
    """`for one in done`, `done[0]`."""
    parent = tree.parents[read]
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.iter is read
    return isinstance(parent, cst.Subscript) and parent.value is read and not _is_keyed(tree, read)


def _is_keyed(tree: Tree, read: cst.Name) -> bool:
    """`done[agent]`."""
    parent = tree.parents[read]
    if not isinstance(parent, cst.Subscript) or parent.value is not read:
        return False
    key = only_index(parent)
    return key is not None and not isinstance(key, (cst.Integer, cst.UnaryOperation))

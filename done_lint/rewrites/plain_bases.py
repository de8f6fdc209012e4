"""Bases of classes that are gone, where a class itself has all that they added: `Env` takes the place of `GoalEnv`."""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.gymnasium_changes import Gone
from done_lint.rewrites.env_methods import method
from done_lint.syntax.tree import Tree


def has_all_of_base(tree: Tree, node: cst.CSTNode, row: Gone) -> bool:
    """Whether an attribute, `gym.GoalEnv`, is the base of a class that defines the methods of that base."""
    argument = tree.parents[node]
    made = tree.parents.get(argument)
    if not row.base or not isinstance(node, cst.Attribute) or not isinstance(made, cst.ClassDef):
        return False
    return argument in made.bases and all(method(made, name) is not None for name in row.methods)

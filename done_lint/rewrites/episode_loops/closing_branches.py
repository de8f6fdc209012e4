"""Branches at the end of a loop's body that close the episode: `if done: agent.learn(); returns.append(total)`.

They are taken in the loop's last round, whatever ends it: where a second flag ends the loop too, they need it as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias

import libcst as cst

from done_lint.syntax.tree import Tree

IsFlag: TypeAlias = Callable[[cst.BaseExpression], bool]


def behind(tree: Tree, loop: cst.For | cst.While, step: cst.CSTNode, is_flag: IsFlag) -> Iterator[cst.If]:
    """The branches on the flag that only other ones, and plain assignments for the next round, stand behind."""
    body = loop.body.body if isinstance(loop.body, cst.IndentedBlock) else ()
    last = takewhile(lambda one: not tree.within(step, one), reversed(body))
    for statement in takewhile(lambda one: _is_branch(one, is_flag) or _is_plain(one), last):
        if isinstance(statement, cst.If):
            yield statement


def is_closing(tree: Tree, branch: cst.If, of_step: Sequence[str]) -> bool:
    """Whether a branch does an episode's closing work, and nothing that is about the step itself.

    What uses the observation or the reward of the step (`of_step`) may be a value target, or mark the task's own end,
    and so may a value that is set; a branch with an `else` chooses between two.
    """
    nodes = list(tree.descend(branch.body, into_functions=False))
    used = {tree.source(one) for one in nodes if isinstance(one, (cst.Name, cst.Attribute))}
    return branch.orelse is None and used.isdisjoint(of_step) and any(isinstance(one, cst.Call) for one in nodes)


def _is_branch(node: cst.CSTNode, is_flag: IsFlag) -> bool:
    return isinstance(node, cst.If) and is_flag(node.test)


def _is_plain(node: cst.CSTNode) -> bool:
    """`obs = next_obs` and `steps += 1`: no more than a name or a number is taken."""
    parts = node.body if isinstance(node, cst.SimpleStatementLine) else ()
    plain = (cst.Name, cst.Attribute, cst.Integer, cst.Float)
    return bool(parts) and all(
        isinstance(one, (cst.Assign, cst.AugAssign)) and isinstance(one.value, plain) for one in parts
    )

"""Names of settings that the Arcade Learning Environment is given as bytes: `env.unwrapped.ale.setInt(b"...", 1)`.

atari-py, in Gym before 0.20, handed them to C and wanted bytes; ale-py takes strings. Its methods in 0.12:
`setInt(self, arg0: str, arg1: int, /) -> None`, and `TypeError` for anything else.
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.facts import Facts
from done_lint.facts.kinds.environments import Env
from done_lint.syntax.tree import Tree

#: The methods of the emulator that are given the name of a setting.
_SETTINGS = frozenset(
    {f"{verb}{kind}" for verb in ("get", "set") for kind in ("Bool", "Float", "Int", "String")},
)
#: What an environment calls its emulator.
_EMULATOR = "ale"


def key_of_bytes(tree: Tree, facts: Facts, call: cst.Call) -> tuple[cst.SimpleString, Env] | None:
    """The name, written as bytes, that an environment's emulator is given, and the environment."""
    method = call.func
    if not isinstance(method, cst.Attribute) or method.attr.value not in _SETTINGS or not call.args:
        return None
    emulator, key = method.value, call.args[0].value
    if not isinstance(emulator, cst.Attribute) or emulator.attr.value != _EMULATOR:
        return None
    env = facts.envs.get(tree.span(emulator.value))
    if env is None or env.mixed or not env.api.five or not isinstance(key, cst.SimpleString):
        return None
    return (key, env) if key.prefix in ("b", "B") else None


def as_text(key: cst.SimpleString) -> cst.SimpleString:
    """The same name as a string."""
    return key.with_changes(value=key.value[1:])

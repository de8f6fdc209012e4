"""Parameters of which a method reads the spaces alone: `env.action_space.sample()`.

Spaces are what they were in either library, so it does not matter to such a method which environment it is given.
"""

from __future__ import annotations

import ast

from done_lint.core.ast_walk import walked

_SPACES = ("action_space", "observation_space")


def names_spaces(text: str) -> bool:
    """Whether a file names any space: without one nothing has to be looked at."""
    return any(name in text for name in _SPACES)


def space_parameters(method: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    """The parameters that are read for their spaces alone, or not at all."""
    every = (*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs)
    found = dict.fromkeys(one.arg for one in every)
    spaces: set[int] = set()
    for part in (one for statement in method.body for one in walked(statement)):
        # an attribute is met before the name that it is read from
        if isinstance(part, ast.Attribute) and part.attr in _SPACES and isinstance(part.ctx, ast.Load):
            spaces.add(id(part.value))
        elif isinstance(part, ast.Name) and id(part) not in spaces:
            found.pop(part.id, None)
            if not found:
                break
    return tuple(found)

"""All packages that some table knows: only in a program that imports one of them an environment can be known."""

from __future__ import annotations

import sys

from done_lint.knowledge import array_functions, env_api_rows, env_id_apis, logged_episodes, packages, packages_for_gym

_ROWS = (*env_api_rows.CONSTRUCTORS, *env_api_rows.BASES, *env_api_rows.WRAPPERS, *env_api_rows.METHODS)
#: Their first names.
ROOTS: frozenset[str] = frozenset(
    name.partition(".")[0]
    for name in (
        *(package for row in _ROWS for package in row.packages),
        *packages.GYM_ROOTS,
        *packages.LOOK_ALIKE_ROOTS,
        *env_id_apis.ID_ARGUMENTS,
        *array_functions.SEEDING,
        *logged_episodes.LOADING,
    )
) - {env_api_rows.ANYWHERE}
#: Those that are installed; rl-zoo3 once had its `utils` beside its scripts, as every project may.
PUBLISHED: frozenset[str] = ROOTS - {"utils"}
#: Packages that register no environment that is not in the tables: what they do is known.
WITHOUT_OTHERS: frozenset[str] = (
    ROOTS
    | packages.REQUIRED_BY_GYM
    | packages.GENERAL
    | packages.COMMAND_LINES
    | packages.GIVING_BACK
    | array_functions.ARRAYS
) - packages_for_gym.MADE_FOR_GYM

#: Packages whose import registers no environment of another package: none of them imports `ale_py`, say. Gymnasium 1.4,
#: and the main branches of stable-baselines3, tianshou and torchrl in 2026.
REGISTERING_NOTHING: frozenset[str] = (
    packages.REQUIRED_BY_GYM
    | packages.GENERAL
    | packages.COMMAND_LINES
    | packages.GIVING_BACK
    | array_functions.ARRAYS
    | sys.stdlib_module_names
    | {"gym", "gymnasium", "stable_baselines3", "tianshou", "torchrl"}
)

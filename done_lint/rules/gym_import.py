"""`gym` is imported instead of `gymnasium`.

## What it does
Reports imports of `gym`, of its modules, and of names from them.

## Why it matters
Gym has not been maintained since 2022 and does not support NumPy 2. Gymnasium is its successor, with the
same names: `import gymnasium as gym` is all that most programs need besides the new step and reset.

## Example
```python
import gym
from gym import spaces

env = gym.make("CartPole-v1")
```

## Use instead
```python
import gymnasium as gym
from gymnasium import spaces

env = gym.make("CartPole-v1")
```

## Fix safety
Safe. No fix where a module or name has no counterpart in Gymnasium. Imports in `try`/`except ImportError`,
under `if TYPE_CHECKING` and behind a test of the version are silent: they choose on purpose.

## References
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.findings import Fix
from done_lint.rules.deliberate import chooses_import
from done_lint.rules.library_imports import imports_from
from done_lint.rules.library_names import below_root, current
from done_lint.rules.rule import Rule, fix_of
from done_lint.syntax.dotted import dotted
from done_lint.syntax.edits import rewritten


class FromGymnasium(cst.CSTTransformer):
    """Rewrites one import statement."""

    def __init__(self, bound: bool = False) -> None:
        """`bound`: another import binds the name `gym`, so that this one need not."""
        super().__init__()
        self.bound = bound

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:
        """`from gym.spaces import Box` becomes `from gymnasium.spaces import Box`."""
        if updated_node.module is None:
            return updated_node
        return updated_node.with_changes(module=_renamed(updated_node.module))

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        """`import gym` becomes `import gymnasium as gym`; a submodule imported without a name needs both."""
        names: list[cst.ImportAlias] = []
        for alias in updated_node.names:
            module = dotted(alias.name)
            if module.split(".")[0] != "gym":
                names.append(alias)
            elif alias.asname is not None:
                names.append(alias.with_changes(name=_renamed(alias.name)))
            else:
                asname = cst.AsName(cst.Name("gym"))
                if module == "gym" or (not self.bound and not any(_binds_gym(name) for name in names)):
                    names.append(cst.ImportAlias(cst.Name("gymnasium"), asname, comma=alias.comma))
                if module != "gym":
                    names.append(alias.with_changes(name=_renamed(alias.name)))
        last = len(names) - 1
        plain = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        return updated_node.with_changes(
            names=[
                name.with_changes(comma=cst.MaybeSentinel.DEFAULT if place == last else plain)
                for place, name in enumerate(names)
            ]
        )


class GymImport(Rule):
    """GYM401."""

    code = "GYM401"

    def visit_Import(self, node: cst.Import) -> None:
        """`import gym`, `import os, gym.spaces as s`."""
        modules = [dotted for dotted in map(dotted, (alias.name for alias in node.names)) if _is_gym(dotted)]
        if modules and not chooses_import(self.tree, node):
            gone = [module for module in modules if self._is_gone(below_root(module))]
            self._report(node, modules[0], gone)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        """`from gym import spaces`; relative imports are the project's own."""
        if node.relative or node.module is None:
            return
        module = dotted(node.module)
        if not _is_gym(module) or chooses_import(self.tree, node):
            return
        below = below_root(module)
        names = [one.path for one in imports_from(node)] or [below]
        gone = [f"gym.{name}" for name in names if self._is_gone(name)]
        self._report(node, module, gone)

    def _report(self, node: cst.Import | cst.ImportFrom, module: str, gone: Sequence[str]) -> None:
        new = module.replace("gym", "gymnasium", 1)
        fix: Fix | None = None
        if not gone:
            fix = fix_of("import from `gymnasium`", rewritten(self.tree, node, FromGymnasium(self._bound(node))))
        self.report(
            node,
            f"`{module}` is no longer maintained",
            help="" if gone else f"import `{new}`",
            fix=fix,
            unfixed=f"`{gone[0]}` has no counterpart of that name in Gymnasium" if gone else "",
        )

    def _is_gone(self, name: str) -> bool:
        """Whether Gymnasium has nothing of this name (below the package) that means the same."""
        return bool(name) and current(name, self.context.target) != name

    def _bound(self, node: cst.CSTNode) -> bool:
        """Whether another import of the same scope is plainly `import gym`."""
        scope = self.tree.scope(node)
        return any(
            other is not node and self.tree.scope(other) is scope and any(_plain_gym(alias) for alias in other.names)
            for other in self.tree.of_type(cst.Import)
        )


def _is_gym(module: str) -> bool:
    """`gym` itself or a module of it, not another package whose name begins like it."""
    return module == "gym" or module.startswith("gym.")


def _binds_gym(alias: cst.ImportAlias) -> bool:
    """`gymnasium as gym`."""
    return alias.asname is not None and isinstance(alias.asname.name, cst.Name) and alias.asname.name.value == "gym"


def _plain_gym(alias: cst.ImportAlias) -> bool:
    """`import gym`, or what it becomes."""
    return (alias.asname is None and dotted(alias.name) == "gym") or _binds_gym(alias)


def _renamed(name: cst.Attribute | cst.Name) -> cst.Attribute | cst.Name:
    """The module name with `gymnasium` for its first part."""
    if isinstance(name, cst.Name):
        return name.with_changes(value="gymnasium")
    if not isinstance(name.value, (cst.Attribute, cst.Name)):
        return name
    return name.with_changes(value=_renamed(name.value))

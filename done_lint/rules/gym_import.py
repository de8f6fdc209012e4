"""`gym` is imported instead of `gymnasium`.

## What it does
Reports imports of `gym`, of its modules, and of names from them. Also dependencies on `gym`: in requirements
files, `pyproject.toml`, `setup.py`, `setup.cfg` and conda environments, with the line to write instead.

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
Safe where the whole file can move. A module or name without a counterpart in Gymnasium has no fix, and the other
imports of its file only an unsafe one: half a move hands the objects of one package to the other. Dependencies have
none: which releases a project supports is its own choice. A test whether a sample of the action space is an `int` is
made to accept numpy's integers as well, which discrete spaces give since Gymnasium.
Imports in `try`/`except ImportError`, under `if TYPE_CHECKING` and behind a test of the version are silent: they
choose on purpose. So are files that depend on both packages.

## References
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import libcst as cst

from done_lint.requirements import OWN_CHOICE, names_gymnasium, replacement
from done_lint.rules.rule import Rule, fix_of
from done_lint.rules.sampled_integers import sampled_integers
from done_lint.syntax.edits import rewritten

#: Modules of Gym that Gymnasium 1.4 does not have.
GONE_MODULES = (
    "gym.benchmarks",
    "gym.configuration",
    "gym.envs.algorithmic",
    "gym.envs.atari",
    "gym.envs.board_game",
    "gym.envs.classic_control.rendering",
    "gym.envs.debugging",
    "gym.envs.parameter_tuning",
    "gym.envs.robotics",
    "gym.envs.safety",
    "gym.envs.toy_text.discrete",
    "gym.envs.unittest",
    "gym.monitoring",
    "gym.scoreboard",
    "gym.spaces.prng",
    "gym.wrappers.clip_action",
    "gym.wrappers.compatibility",
    "gym.wrappers.frame_stack",
    "gym.wrappers.monitor",
    "gym.wrappers.monitoring",
    "gym.wrappers.normalize",
    "gym.wrappers.pixel_observation",
    "gym.wrappers.record_episode_statistics",
    "gym.wrappers.record_video",
    "gym.wrappers.time_limit",
)

#: Names that a module of Gym has and its namesake in Gymnasium 1.4 has not.
GONE_NAMES: dict[str, frozenset[str]] = {
    "gym": frozenset({"GoalEnv", "benchmark_spec", "monitoring", "scoreboard", "configuration"}),
    "gym.core": frozenset({"GoalEnv"}),
    "gym.envs": frozenset(
        {"algorithmic", "atari", "robotics", "board_game", "debugging", "parameter_tuning", "unittest"}
    ),
    "gym.envs.classic_control": frozenset({"rendering"}),
    "gym.envs.toy_text": frozenset({"discrete"}),
    "gym.spaces": frozenset({"prng"}),
    "gym.utils.seeding": frozenset({"hash_seed", "create_seed"}),
    "gym.vector": frozenset({"VectorEnvWrapper", "make"}),
    "gym.wrappers": frozenset(
        {
            "AutoResetWrapper",
            "EnvCompatibility",
            "FrameStack",
            "GrayScaleObservation",
            "LazyFrames",
            "Monitor",
            "PixelObservationWrapper",
            "SkipWrapper",
            "StepAPICompatibility",
            "VectorListInfo",
            "compatibility",
            "frame_stack",
            "monitor",
            "monitoring",
            "record_video",
            "time_limit",
        }
    ),
    "gym.wrappers.frame_stack": frozenset({"FrameStack", "LazyFrames"}),
}


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
            dotted = _dotted(alias.name)
            if dotted.split(".")[0] != "gym":
                names.append(alias)
            elif alias.asname is not None:
                names.append(alias.with_changes(name=_renamed(alias.name)))
            else:
                asname = cst.AsName(cst.Name("gym"))
                if dotted == "gym" or (not self.bound and not any(_binds_gym(name) for name in names)):
                    names.append(cst.ImportAlias(cst.Name("gymnasium"), asname, comma=alias.comma))
                if dotted != "gym":
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
        modules = [dotted for dotted in map(_dotted, (alias.name for alias in node.names)) if _is_gym(dotted)]
        if modules and not self._chosen(node):
            self._report(node, modules[0])

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        """`from gym import spaces`; relative imports are the project's own."""
        if node.relative or node.module is None:
            return
        module = _dotted(node.module)
        if _is_gym(module) and not self._chosen(node):
            self._report(node, module)

    def visit_Call(self, node: cst.Call) -> None:
        """`setup(install_requires=["gym"])` in `setup.py`, where the list may have a name of its own."""
        if not isinstance(node.func, (cst.Name, cst.Attribute)) or _dotted(node.func) not in _SETUPS:
            return
        lists = [one for one in node.args if one.keyword is not None and one.keyword.value in _REQUIREMENTS]
        named = {value.value for one in lists for value in self.tree.descend(one) if isinstance(value, cst.Name)}
        values: list[cst.CSTNode] = [one.value for one in lists]
        for statement in self.tree.of_type(cst.Assign):
            if any(isinstance(one.target, cst.Name) and one.target.value in named for one in statement.targets):
                values.append(statement.value)
        texts = [
            text
            for value in values
            for text in self.tree.descend(value)
            if isinstance(text, cst.SimpleString) and not self._names_extra(text)
        ]
        requirements = [(text, str(text.evaluated_value)) for text in texts]
        if any(names_gymnasium(requirement) for _, requirement in requirements):
            return
        for text, requirement in requirements:
            if new := replacement(requirement):
                self.report(
                    text,
                    f"`{requirement}` is no longer maintained",
                    help=f"write `{new}`",
                    unfixed=OWN_CHOICE,
                )

    def _names_extra(self, text: cst.SimpleString) -> bool:
        """A key of `extras_require`."""
        entry = self.tree.parents[text]
        return isinstance(entry, cst.DictElement) and entry.key is text

    def _report(self, node: cst.Import | cst.ImportFrom, module: str) -> None:
        message = f"`{module}` is no longer maintained"
        if gone := _gone(node):
            self.report(node, message, unfixed=f"`{gone[0]}` has no counterpart of that name in Gymnasium")
            return
        help = f"import `{module.replace('gym', 'gymnasium', 1)}`"
        if self._staying:
            help = f"replace `{self._staying}` first, which Gymnasium does not have; then {help}"
        renamed = rewritten(self.tree, node, FromGymnasium(self._bound(node)))
        samples = sampled_integers(self.tree, self.facts)
        fix = fix_of("import from `gymnasium`", renamed, samples, safe=not self._staying)
        self.report(node, message, help=help, fix=fix)

    @cached_property
    def _staying(self) -> str:
        """What the file imports and Gymnasium does not have: it keeps the file from moving as a whole."""
        imports: list[cst.Import | cst.ImportFrom]
        imports = [*self.tree.of_type(cst.Import), *self.tree.of_type(cst.ImportFrom)]
        stays = (name for node in imports for name in _gone(node) if not self._chosen(node))
        return next(stays, "")

    def _bound(self, node: cst.CSTNode) -> bool:
        """Whether another import of the same scope is plainly `import gym`."""
        scope = self.tree.scope(node)
        return any(
            other is not node and self.tree.scope(other) is scope and any(_plain_gym(alias) for alias in other.names)
            for other in self.tree.of_type(cst.Import)
        )

    def _chosen(self, node: cst.CSTNode) -> bool:
        """Whether the import stands where a program chooses between packages or versions."""
        for ancestor in self.tree.ancestors(node):
            if isinstance(ancestor, (cst.Try, cst.TryStar)) and _catches_import_error(ancestor):
                return True
            if isinstance(ancestor, cst.If) and self._is_choice(ancestor):
                return True
            if isinstance(ancestor, (cst.FunctionDef, cst.ClassDef)):
                return False
        return False

    def _is_choice(self, branch: cst.If) -> bool:
        """A test for the type checker, a version, or an installed package."""
        words = {node.value.lower() for node in self.tree.descend(branch.test) if isinstance(node, cst.Name)}
        return any(
            word == "type_checking" or "version" in word or word in ("find_spec", "is_gymnasium", "parse_version")
            for word in words
        )


#: What calls with a project's packages look like, and the arguments that list them (setuptools).
_SETUPS = frozenset({"setup", "setuptools.setup"})
_REQUIREMENTS = frozenset({"install_requires", "extras_require", "setup_requires", "tests_require"})


def _catches_import_error(block: cst.Try | cst.TryStar) -> bool:
    """`except ImportError`, `except ModuleNotFoundError`, and the handlers that catch everything."""
    for handler in block.handlers:
        kind = handler.type
        kinds = [element.value for element in kind.elements] if isinstance(kind, cst.Tuple) else [kind]
        for one in kinds:
            if one is None or (isinstance(one, cst.Name) and one.value in _IMPORT_ERRORS):
                return True
    return False


_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


def _is_gym(module: str) -> bool:
    """`gym` itself or a module of it, not another package whose name begins like it."""
    return module == "gym" or module.startswith("gym.")


def _gone(node: cst.Import | cst.ImportFrom) -> Sequence[str]:
    """What an import takes from Gym that Gymnasium does not have."""
    if isinstance(node, cst.Import):
        return [dotted for dotted in (_dotted(alias.name) for alias in node.names) if _is_gone(dotted)]
    if node.relative or node.module is None:
        return ()
    module = _dotted(node.module)
    if _is_gone(module):
        return [module]
    if isinstance(node.names, cst.ImportStar):
        return ()
    names = [_dotted(alias.name) for alias in node.names]
    return [f"{module}.{name}" for name in names if name in GONE_NAMES.get(module, ())]


def _is_gone(module: str) -> bool:
    """A module that Gymnasium does not have, or one inside such a module."""
    return any(module == gone or module.startswith(f"{gone}.") for gone in GONE_MODULES)


def _binds_gym(alias: cst.ImportAlias) -> bool:
    """`gymnasium as gym`."""
    return alias.asname is not None and isinstance(alias.asname.name, cst.Name) and alias.asname.name.value == "gym"


def _plain_gym(alias: cst.ImportAlias) -> bool:
    """`import gym`, or what it becomes."""
    return (alias.asname is None and _dotted(alias.name) == "gym") or _binds_gym(alias)


def _dotted(name: cst.BaseExpression) -> str:
    """`a.b.c` of a module name."""
    if isinstance(name, cst.Attribute):
        return f"{_dotted(name.value)}.{name.attr.value}"
    return name.value if isinstance(name, cst.Name) else ""


def _renamed(name: cst.Attribute | cst.Name) -> cst.Attribute | cst.Name:
    """The module name with `gymnasium` for its first part."""
    if isinstance(name, cst.Name):
        return name.with_changes(value="gymnasium")
    if not isinstance(name.value, (cst.Attribute, cst.Name)):
        return name
    return name.with_changes(value=_renamed(name.value))

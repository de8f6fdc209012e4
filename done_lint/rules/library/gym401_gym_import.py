"""`gym` is imported instead of `gymnasium`.

## What it does
Reports imports of `gym`, of its modules, and of names from them, and its classes as the `entry_point` of an id, for
`make` imports them. Also what is imported by a text (`import_module("gym")`, `"gym.make"` in a configuration), which
has no fix, and dependencies on `gym`: in requirements files, `pyproject.toml`, `setup.py`, `setup.cfg` and conda
environments, with the line to write instead.

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
Safe where the whole file can move, with all that its environments reach. A module or name without a counterpart in
Gymnasium, such as one that was copied into the installed package (`gym.envs.my_maze`), has no fix, and the other
imports of its file only an unsafe one: with half of the imports changed, objects of one package reach the other. The
same holds for a program, all files that run together, some file of which needs a package whose environments are made
for Gym (`pybullet_envs`, `d4rl`, `procgen`, `nes_py`), or one that is called
after Gym (`gym_maze`), unless the ids that it makes are Gymnasium's own; and for a program that imports a package
that no table knows, where that makes its environments, has the class that is registered, or may have registered an id
that nobody else is known to have, or that cannot be seen (`gym.make(config.env_id)`): the id is spelled as the
package is, nothing reads what the import binds (`import mazes`), it is told to register (`mazes.register_envs()`), or
its environments are imported (`from mazes.envs import Maze`). A package that is read as a library registers nothing,
nor does one with a name to be read by (`import mazes as m`). A program that imports stable-baselines 2 or garage
needs Gym for Gymnasium's own ids as well, and so does one that imports Stable-Baselines3 or RLlib, where the project's
files pin a release from before these moved. Nothing else in such a program has a safe fix either. Where a class of
the file itself still gives four values and is meant to, its imports have no fix; an unsafe one where the code calls
the library old (`import gym as old_gym`), or writes samples or sizes of spaces as JSON, which takes none of numpy's
integers. The setting `moved-packages` names packages that are on Gymnasium.
Where a program asks for the version of Gym, the import moves only if Gymnasium's own number gives the answer that Gym
0.26 gives: behind `int(gym.__version__.split(".")[1]) < 26`, the branch for old Gym would run, and a file that lets no
newer Gym pass is for an old one. The finding names such a test, and nothing else changes in the files that run with it.
Examples of a document wait for a command on it that installs what is for Gym: `pip install gym==0.21`, or a branch of a
repository that is called after it.
A file that makes Atari games gets an `import ale_py`, which
registers them, where the program has none. Dependencies have no fix: which releases a project supports is its own
choice. A test whether a sample of the action space is an `int` is changed to accept numpy's integers as well, which
discrete spaces return since Gymnasium. The size `n` of such a space is one of these too, and Keras 3 refuses it
(`Dense(env.action_space.n)`): it gets `int(...)` around it where a layer of Keras or TensorFlow is given it, in
any file, and in a file that imports Keras where it is kept or handed on.
Imports in `try`/`except ImportError` (but not those of a program that knows Gym alone, and uses it where it is
installed), under `if TYPE_CHECKING` and behind a test of library or version are
compatibility code and not reported, nor are plain ones in a program that asks for each of the two libraries by its
name, or in a file that runs environments of both. Of requirements, lists that name both packages are left alone, all
others of a project whose own metadata name both, lists of a project whose set-up requires Gymnasium where no module
imports Gym (agents that were pickled need it, say), those that pin Gym where no code names one
of the libraries (another package needs it), and those whose folder says that they are for an old release
(`gym_0_13/`).

## References
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.core.gymnasium_release import shown
from done_lint.knowledge.env_id_apis import REGISTERING_SINCE
from done_lint.knowledge.gymnasium_changes import GONE, below_root, current, gone, is_copied_in
from done_lint.knowledge.naming_conventions import says_old
from done_lint.knowledge.old_arguments import ENTRY_OF_GYM, MODULE_OF_GYM, NAME_OF_GYM
from done_lint.project.requirements import MADE_FOR_GYM, OWN_CHOICE, beside, names_gymnasium, replacement
from done_lint.rewrites.blocking_names import in_gymnasium, is_needed, needed
from done_lint.rewrites.compatibility_code import chooses_import
from done_lint.rewrites.gymnasium_imports import is_gym, moved
from done_lint.rewrites.imports import imports_from
from done_lint.rewrites.integers_in_json import writes_integers
from done_lint.rewrites.outcome import fixed, unfixed
from done_lint.rewrites.plain_bases import has_all_of_base
from done_lint.rewrites.registering_imports import registering_imports
from done_lint.rewrites.sampled_integers import sampled_integers, sizes_for_layers
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import dotted, last_name
from done_lint.syntax.shapes import method_called, string_value


class GymImport(Rule):
    """GYM401."""

    code = "GYM401"
    incompatibility = "needs Gym"

    def visit_Import(self, node: cst.Import) -> None:
        """`import gym`, `import os, gym.spaces as s`."""
        modules = [module for module in map(dotted, (alias.name for alias in node.names)) if is_gym(module)]
        if modules and not self._keeps(node):
            self._report(node, modules[0])

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        """`from gym import spaces`; relative imports are the project's own."""
        if node.relative or node.module is None:
            return
        module = dotted(node.module)
        if is_gym(module) and not self._keeps(node):
            self._report(node, module)

    def _keeps(self, node: cst.Import | cst.ImportFrom) -> bool:
        """Whether an import of Gym is meant."""
        return self.facts.keeps_gym or chooses_import(self.tree, node)

    def visit_Call(self, node: cst.Call) -> None:
        """`setup(install_requires=["gym"])`, and a class of Gym's that is registered."""
        self._look_at_setup(node)

    def visit_SimpleString(self, node: cst.SimpleString) -> None:
        """`entry_point="gym.envs.classic_control:CartPoleEnv"`, there or in what is handed on: `make` imports it."""
        entry = string_value(node)
        if not entry.startswith("gym") or self.facts.keeps_gym or self._is_compared(node):
            return
        configured = NAME_OF_GYM.fullmatch(entry) and (self._imports_by_texts or self._is_configured(node))
        if configured or (MODULE_OF_GYM.fullmatch(entry) and self._is_imported(node)):
            self._look_at_name(node, entry)
        if not ENTRY_OF_GYM.fullmatch(entry):
            return
        name = below_root(entry.replace(":", "."))
        start, _ = self.tree.offsets(node)
        at = start + node.value.index("gym.")
        self.report(
            node,
            f"`{entry}` is no longer maintained, and `make` imports it",
            help=row.advice if (row := gone(name, self.context.target)) else f"write `gymnasium{entry[3:]}`",
            outcome=unfixed(self._without(f"gym.{name}"))
            if self._is_gone(name)
            else fixed("register the class of `gymnasium`", (Edit(at, at + 3, "gymnasium"),)),
        )

    def _look_at_name(self, node: cst.SimpleString, name: str) -> None:
        """`"gym.make"` in a configuration, `import_module("gym")`: what imports it finds nothing one day."""
        new = f"gymnasium{name.removeprefix('gym')}"
        if not any(f"{quote}{new}{quote}" in self.tree.text for quote in "\"'"):  # else the program knows both
            message = f"`{name}` is no longer maintained, and is imported by this text"
            self.report(node, message, help=f"write `{new}`", outcome=unfixed(_BY_TEXT))

    @cached_property
    def _imports_by_texts(self) -> bool:
        """Whether code of the file imports what a text names."""
        return any(last_name(one.func) in _IMPORTING for one in self.tree.of_type(cst.Call))

    def _is_configured(self, node: cst.SimpleString) -> bool:
        """`{"target": "gym.make"}`: the value of a key, for other code to read; a text by itself is only a name."""
        parent = self.tree.parents[node]
        return isinstance(parent, cst.DictElement) and parent.value is node and isinstance(parent.key, cst.SimpleString)

    def _is_imported(self, node: cst.SimpleString) -> bool:
        """`importlib.import_module("gym")`, `__import__("gym")`."""
        argument = self.tree.parents[node]
        call = self.tree.parents[argument]
        first = isinstance(call, cst.Call) and isinstance(argument, cst.Arg) and call.args[0] is argument
        if any(isinstance(one, cst.Try) for one in self.tree.ancestors(node)):
            return False  # in case it is not there
        return first and isinstance(call, cst.Call) and last_name(call.func) in _IMPORTING

    def _is_compared(self, node: cst.SimpleString) -> bool:
        """Whether a text only says what to look for: `entry == "..."`, `entry.startswith("...")`."""
        above = self.tree.ancestors(node)
        parents = [one for one in above if isinstance(one, (cst.Comparison, cst.Call, cst.BaseSmallStatement))][:1]
        asked = [one for one in parents if isinstance(one, cst.Call) and method_called(one) in ("startswith", "find")]
        return bool(asked) or any(isinstance(one, (cst.Comparison, cst.Expr)) for one in parents)

    def _look_at_setup(self, node: cst.Call) -> None:
        """`setup(install_requires=["gym"])` in `setup.py`, where the list may have a name of its own."""
        if not isinstance(node.func, (cst.Name, cst.Attribute)) or dotted(node.func) not in _SETUPS:
            return
        if self.facts.keeps_gym or self.facts.requires_gym:
            return
        lists = [one for one in node.args if keyword(one) in _REQUIREMENTS]
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
        if not any(replacement(requirement) for _, requirement in requirements):
            return
        for text, requirement in requirements:
            old = replacement(requirement)
            if new := old or beside(requirement):
                self.report(
                    text,
                    f"`{requirement}` {'is no longer maintained' if old else MADE_FOR_GYM}",
                    help=f"write `{new}`",
                    outcome=unfixed(OWN_CHOICE),
                )

    def _names_extra(self, text: cst.SimpleString) -> bool:
        """A key of `extras_require`."""
        entry = self.tree.parents[text]
        return isinstance(entry, cst.DictElement) and entry.key is text

    def _report(self, node: cst.Import | cst.ImportFrom, module: str) -> None:
        message = f"`{module}` is no longer maintained"
        if lacking := self._gone(node):
            self.report(node, message, outcome=unfixed(self._without(lacking[0])))
            return
        row = self._row(node)
        if row[0] is not node:
            return
        help = f"import `{module.replace('gym', 'gymnasium', 1)}`"
        if self._blocking_name:
            stands = in_gymnasium(self._blocking_name, self.context.target)
            help = f"replace `{self._blocking_name}` first, which {stands}; then {help}"
        elif (old := self.facts.kept_by) and not self._is_asked:
            help = f"{self._first(old)}; then {help}"
        if any(one.name.value == self.facts.kept_by for one in self.tree.of_type(cst.ClassDef)):
            # an import that moves alone puts Gymnasium's wrappers around what still gives four values
            self.report(node, message, help=help, outcome=unfixed(_OWN_CLASS.format(self.facts.kept_by)))
            return
        renamed = [edits for one in row for edits in moved(self.tree, one)]
        samples, sizes = sampled_integers(self.context), sizes_for_layers(self.tree, self.facts)
        if self.context.releases.lowest >= REGISTERING_SINCE:
            renamed.append(registering_imports(self.tree, self.facts, node))
        lacking = needed(self._blocking_name, self.context.target) if self._blocking_name else ""
        unsure = f"{lacking}, and objects of both libraries would meet" if lacking else self._doubts(row)
        outcome = fixed("import from `gymnasium`", *renamed, samples, sizes, unsure=unsure)
        self.report(node, message, help=help, outcome=outcome)

    def _doubts(self, row: Sequence[cst.Import | cst.ImportFrom]) -> str:
        """Why an import may not be safe to move by itself."""
        return self._said_old(row) or (_IN_JSON if writes_integers(self.tree, self.facts) else "")

    def _said_old(self, row: Sequence[cst.Import | cst.ImportFrom]) -> str:
        """Why an import may be there on purpose, by what the code calls the library: `import gym as old_gym`."""
        names = [alias for one in row if isinstance(one, cst.Import) for alias in one.names]
        called = (one.evaluated_alias or "" for one in names if is_gym(dotted(one.name)))
        return next((_SAID_OLD.format(name) for name in called if says_old(name)), "")

    @property
    def _is_asked(self) -> bool:
        """Whether a test of Gym's version keeps the program."""
        return self.facts.keeper is not None and self.facts.keeper.test is not None

    def _first(self, package: str) -> str:
        """What has to be done before the import can move."""
        if self.facts.keeper is not None and self.facts.keeper.pinned:
            return f"require a later release than `{package}` first, which is made for Gym"
        if (keeper := self.facts.keeper) is None or not (keeper.env_id or keeper.hidden_id):
            return f"replace `{package}` first, whose environments are made for Gym"
        made = f"`{keeper.env_id}`" if keeper.env_id else "what the program makes"
        return f"see first whether `{package}`, which may have registered {made}, is on Gymnasium"

    def _row(self, node: cst.Import | cst.ImportFrom) -> list[cst.Import | cst.ImportFrom]:
        """The imports of Gym in one row, which change together: `import gym; from gym import spaces`."""
        row = self.tree.row(node)
        statements = row.body if row is not None else ()
        found: list[cst.Import | cst.ImportFrom] = []
        for one in statements:
            if isinstance(one, cst.Import):
                modules = [dotted(alias.name) for alias in one.names]
            elif isinstance(one, cst.ImportFrom) and not one.relative and one.module is not None:
                modules = [dotted(one.module)]
            else:
                continue
            if any(map(is_gym, modules)) and not self._gone(one) and not chooses_import(self.tree, one):
                found.append(one)
        return found or [node]

    @cached_property
    def _blocking_name(self) -> str:
        """A name that the file imports or asks for, and Gymnasium does not have: it cannot move as a whole."""
        imports: list[cst.Import | cst.ImportFrom]
        imports = [*self.tree.of_type(cst.Import), *self.tree.of_type(cst.ImportFrom)]
        names = (name for node in imports if is_needed(self.tree, node) for name in self._gone(node))
        return next(names, "") or self._asked_for()

    def _asked_for(self) -> str:
        """A name of Gym's that the file asks something about, in a test of the class say, and Gymnasium lacks."""
        for node in self.tree.of_type(cst.Attribute):
            name = self.facts.names.get(self.span(node), "")
            called = isinstance(call := self.tree.parents[node], cst.Call) and call.func is node
            inner = isinstance(self.tree.parents[node], cst.Attribute)
            row = GONE.get(below_root(name))
            if row is not None and row.member is not None:
                continue  # its own finding has the fix
            if row is not None and has_all_of_base(self.tree, node, row):
                continue
            if name.startswith("gym.") and not called and not inner and self._is_gone(below_root(name)):
                return name
        return ""

    def _without(self, name: str) -> str:
        """The reason that a name of Gym's is gone, with the release in which it was looked up."""
        if new := current(below_root(name), self.context.target):
            return f"`{name}` is `gymnasium.{new}` now"
        return f"`{name}` has no counterpart in Gymnasium {shown(self.context.target)}"

    def _gone(self, node: cst.Import | cst.ImportFrom) -> Sequence[str]:
        """What an import takes from Gym that Gymnasium does not have."""
        if isinstance(node, cst.Import):
            names = [
                below_root(module) for module in map(dotted, (alias.name for alias in node.names)) if is_gym(module)
            ]
        elif node.relative or node.module is None or not is_gym(module := dotted(node.module)):
            return ()
        else:
            names = [one.path for one in imports_from(node)] or [below_root(module)]
        return [f"gym.{name}" for name in names if self._is_gone(name)]

    def _is_gone(self, name: str) -> bool:
        """Whether Gymnasium has nothing of this name (below the package) that means the same."""
        return bool(name) and (current(name, self.context.target) != name or is_copied_in(name))


#: What imports the module that a text names.
_IN_JSON = "samples and sizes of spaces are numpy's integers in Gymnasium, and JSON takes none: write `int(...)` first"
_IMPORTING = frozenset({"import_module", "__import__"})
_OWN_CLASS = "`{}` of this file is made for Gym: what Gymnasium puts around it would fail"
_SAID_OLD = "its name `{}` says that the old library is meant"
_BY_TEXT = "what is done with what it gives cannot be followed"

#: What calls with a project's packages look like, and the arguments that list them (setuptools).
_SETUPS = frozenset({"setup", "setuptools.setup"})
_REQUIREMENTS = frozenset({"install_requires", "extras_require", "setup_requires", "tests_require"})

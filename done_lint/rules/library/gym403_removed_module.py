"""A module, class or function of Gym's that Gymnasium does not have.

## What it does
Reports imports and uses of what is gone: `classic_control.rendering`, `GoalEnv`, `envs.robotics`, `toy_text.discrete`,
`spaces.prng`, `seeding.hash_seed`, `registration.load`, `gymnasium.experimental.wrappers`, a module of one wrapper that
is imported as a whole (`from gymnasium.wrappers import record_video`) and the like. Also subclasses of `MujocoEnv` that
were written for mujoco-py: a constructor without `observation_space`, and reads of `self.sim` and `self.viewer`.

## Why it matters
The import raises `ModuleNotFoundError` or `ImportError`, an attribute `AttributeError`. Where the import stands
inside of `render`, as it often does for `rendering`, that happens when the first picture is drawn.

## Example
```python
import gymnasium as gym


class Reach(gym.GoalEnv):
    pass
```

## Use instead
```python
import gymnasium as gym


class Reach(gym.Env):
    pass
```

## Fix safety
`gym.logger.set_level(40)` becomes `gym.logger.min_level = 40`, levels of the log become numbers, and
`registry.env_specs` the registry itself, which is a dictionary now; `gym.envs.registry.spec(id)` becomes
`gym.envs.spec(id)`; a class that defines `reset` and `compute_reward` inherits from `gym.Env` in the place of
`gym.GoalEnv`; all this is safe. Not where the file reads
`entry_point` of the specifications, which was a text and may be a function now. For the rest there is no fix: the
replacement of a module has another interface. The help of each finding names it: the packages `gymnasium-robotics`
and `ale-py`, pygame for `rendering`, a method of the same purpose. Imports in `try`/`except ImportError` and uses
behind `hasattr` are not reported.

## References
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
- [Gymnasium-Robotics](https://robotics.farama.org/)
"""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.facts.kinds.classes import EnvClass
from done_lint.knowledge.gymnasium_changes import (
    GONE,
    MUJOCO_ENV,
    MUJOCO_GONE,
    MUJOCO_SPACE,
    ONE,
    Gone,
    below_root,
    is_monitor,
    lost,
)
from done_lint.knowledge.wrapper_attributes import GONE_FROM_SPEC, RENAMED_OF_SPEC
from done_lint.rewrites.compatibility_code import asks_first, chooses_import
from done_lint.rewrites.env_methods import class_around, is_own, is_super, method_around
from done_lint.rewrites.imports import imported_modules, imports_from
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.plain_bases import has_all_of_base
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword
from done_lint.syntax.edits import replaced


class RemovedModule(Rule):
    """GYM403."""

    code = "GYM403"
    incompatibility = "uses a module that is gone"

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        """`from gym.envs.classic_control import rendering`."""
        if chooses_import(self.tree, node):
            return
        for imported in imports_from(node):
            if self._tell(node, imported.path):
                return

    def visit_Import(self, node: cst.Import) -> None:
        """`import gym.envs.robotics`."""
        if chooses_import(self.tree, node):
            return
        for module in imported_modules(node):
            if self._tell(node, module):
                return

    def visit_Attribute(self, node: cst.Attribute) -> None:
        """`gym.GoalEnv`, where nothing was imported from what is gone."""
        name = below_root(self.facts.names.get(self.span(node), ""))
        if name in GONE and not asks_first(self.tree, node):
            self._tell(node, name)
        elif node.attr.value in MUJOCO_GONE and is_own(self.context, node.value):
            self._look_at_simulation(node)

    def _look_at_simulation(self, node: cst.Attribute) -> None:
        """The first read of `self.sim` in a class for mujoco-py."""
        owner, name = class_around(self.context, node), node.attr.value
        if owner is None or not self._is_mujoco(owner) or asks_first(self.tree, node):
            return
        reads = [
            one
            for one in self.tree.attributes(name)
            if is_own(self.context, one.value) and class_around(self.context, one) == owner
        ]
        methods = (one for one in self.tree.of_type(cst.FunctionDef) if one.name.value == name)
        is_own_method = any(class_around(self.context, one) == owner for one in methods)
        if name not in owner.assigned and not is_own_method and reads[0] is node:
            if self._sets_camera_only(owner):
                self._report_mujoco(
                    node, f"has no `{name}`", f"hand over {_CAMERA}", f"the constructor takes {_CAMERA}"
                )
            else:
                self._report_mujoco(node, f"has no `{name}`", MUJOCO_GONE[name])

    def _sets_camera_only(self, owner: EnvClass) -> bool:
        """Whether `viewer_setup`, which nothing calls any more, is all that is for mujoco-py, and sets the camera."""
        own = (node for name in MUJOCO_GONE for node in self.tree.attributes(name) if is_own(self.context, node.value))
        for read in (one for one in own if class_around(self.context, one) == owner):
            method, around = method_around(self.context, read), self.tree.parents[read]
            if method is None or method.name.value != "viewer_setup":
                return False
            camera = isinstance(around, cst.Attribute) and around.attr.value == "cam"
            if not camera and not isinstance(around, cst.Comparison):
                return False
        return True

    def visit_Call(self, node: cst.Call) -> None:
        """`super().__init__(path, 5)` and `MujocoEnv.__init__(self, path, 5)` without `observation_space`."""
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "__init__":
            return
        owner, (name, place) = class_around(self.context, node), MUJOCO_SPACE
        if owner is None or owner.parents or not self._is_mujoco(owner) or any(one.star for one in node.args):
            return
        bases = below_root(self.facts.names.get(self.span(node.func.value), ""))
        if not is_super(node.func.value) and bases not in MUJOCO_ENV:
            return
        given = sum(not keyword(one) for one in node.args) - (not is_super(node.func.value))
        if given <= place and all(keyword(one) != name for one in node.args):
            self._report_mujoco(node, f"requires `{name}`", f"hand over `{name}=`")

    def _is_mujoco(self, owner: EnvClass) -> bool:
        return self.context.target >= ONE and below_root(owner.base) in MUJOCO_ENV

    def _report_mujoco(
        self, node: cst.CSTNode, what: str, help: str, reason: str = "the class has to be written anew"
    ) -> None:
        message = f"`MujocoEnv` of Gymnasium is written for the package `mujoco`, and {what}"
        self.report(node, message, help=help, outcome=unfixed(reason))

    def _tell(self, node: cst.CSTNode, name: str) -> bool:
        row = lost(name, self.context.target)
        if row is None or is_monitor(name, self.context.target):
            return False
        message, outcome = f"Gymnasium has no `{name}`", self._outcome(node, row)
        self.report(node, message, help=row.advice, outcome=outcome, since_one=row.since >= ONE)
        return True

    def _outcome(self, node: cst.CSTNode, row: Gone) -> Outcome:
        """`registry.env_specs` as `registry`, `gym.logger.set_level(40)` as `gym.logger.min_level = 40`."""
        if row.member is not None and isinstance(node, cst.Attribute):
            if self._reads_entry_points:
                return unfixed(_ENTRY_POINTS)
            start, end = (self.tree.offsets(one)[1] for one in (node.value, node))
            return fixed(_DICTIONARY, (Edit(start, end, f".{row.member}" if row.member else ""),))
        if isinstance(node, cst.Attribute) and has_all_of_base(self.tree, node, row):
            renamed = node.with_changes(attr=cst.Name(row.base))
            return fixed(f"inherit from `{row.base}`", replaced(self.tree, node, renamed))
        if row.beside:
            return self._beside_registry(node, row.beside)
        if row.value and isinstance(node, cst.Attribute):
            return fixed("write the number", (Edit(*self.tree.offsets(node), row.value),))
        call = self.tree.parents[node]
        statement = self.tree.parents[call]
        if (
            not row.sets
            or not isinstance(node, cst.Attribute)
            or not (isinstance(call, cst.Call) and call.func is node and len(call.args) == 1)
            or call.args[0].star
            or self._is_gone(call.args[0].value)
            or not isinstance(statement, cst.Expr)
        ):
            return unfixed(row.unfixed)
        target = cst.AssignTarget(node.with_changes(attr=cst.Name(row.sets)))
        new = cst.Assign(targets=[target], value=call.args[0].value)
        return fixed(f"set `{row.sets}`", replaced(self.tree, statement, new))

    def _beside_registry(self, node: cst.CSTNode, name: str) -> Outcome:
        """`gym.envs.registry.spec(env_id)` as `gym.envs.spec(env_id)`, which did the same in Gym."""
        call = self.tree.parents[node]
        if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Attribute):
            return unfixed(f"`{name}` would have to be imported")
        if not isinstance(call, cst.Call) or call.func is not node or not call.args:
            return unfixed("the method is not called here")
        if call.args[0].star or call.args[0].keyword is not None:
            return unfixed("the function calls its argument by another name")
        if self._reads_entry_points:
            return unfixed(_ENTRY_POINTS)
        if lost := self._lost_of_spec:
            return unfixed(f"the file reads `{lost}`, which specifications have no more")
        start, end = (self.tree.offsets(one)[1] for one in (node.value.value, node))
        return fixed(f"call `{name}` of the module", (Edit(start, end, f".{name}"),))

    @cached_property
    def _reads_entry_points(self) -> bool:
        """Whether the file reads the entry points of specifications, as a text if it is written for old Gym."""
        return any(one.attr.value in ("entry_point", "_entry_point") for one in self.tree.of_type(cst.Attribute))

    @cached_property
    def _lost_of_spec(self) -> str:
        """What the file reads that may be an attribute of old specifications: `spec._kwargs`."""
        read = (one.attr.value for one in self.tree.of_type(cst.Attribute))
        return next((one for one in read if one in RENAMED_OF_SPEC or one in GONE_FROM_SPEC), "")

    def _is_gone(self, node: cst.BaseExpression) -> bool:
        """`gym.logger.INFO`, of which another finding tells."""
        return below_root(self.facts.names.get(self.span(node), "")) in GONE


#: Gymnasium 1.0 `envs.mujoco.MujocoEnv`.
_CAMERA = "`default_camera_config=` in the place of `viewer_setup`"
_ENTRY_POINTS = "the file reads entry points, and those of Gymnasium's environments may be functions"
_DICTIONARY = "use the registry as a dictionary"

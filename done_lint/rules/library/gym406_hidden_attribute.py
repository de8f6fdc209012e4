"""An attribute of the environment is read through wrappers, which hide it.

## What it does
Reports `env.attribute` where `env` is wrapped, by `make`, a wrapper of the library or one of the project, and neither
the outermost wrapper has the attribute nor do wrappers forward it; in a wrapper of the project, also `self.attribute`
that neither its class nor one that inherits from it has. `env.spec.timestep_limit`, `env.spec.tags` and
`env.spec.trials`, which Gymnasium's `EnvSpec` does not have, are reported of every environment of Gym or Gymnasium, and
`env._max_episode_steps = n` where no `TimeLimit` takes notice of it (old Gym had one around every Atari game), or
`= None` where one compares with it. Which wrappers `make` adds depends on the id (an Atari game has no time limit), on
how the project registers it, and on arguments such as `disable_env_checker`; where that is not visible, only what no
wrapper of `make` has is reported. In a program for Gym, `env.env` is reported where its class is asked for
(`env.env.__class__`, `type(env.env)`) or an attribute of it is set (`env.env.s = 3`): with one wrapper of `make` it
was the environment, and is another wrapper today. Also `env.spec.id = game + "NoFrameskip"` for `AtariPreprocessing`.
Also `env.unwrapped.spec.max_episode_steps`, which is None since 0.29.
`env.action_space.n` is reported in a file without an import of Gym if a layer of Keras or TensorFlow is given it, and
`env.unwrapped.ale.setInt(b"random_seed", 1)`, as what old Gym called the emulator by took bytes, and ale-py strings.

## Why it matters
Up to Gymnasium 0.29 a wrapper forwarded any attribute. Since 1.0 wrappers forward only the spaces, `metadata`,
`spec`, `np_random`, `render_mode` and `unwrapped`; everything else raises `AttributeError`. `reward_range` does not
exist any more.

## Example
```python
import gymnasium as gym

env = gym.make("FrozenLake-v1")
transitions = env.P
limit = gym.wrappers.FlattenObservation(env)._max_episode_steps
```

## Use instead
```python
import gymnasium as gym

env = gym.make("FrozenLake-v1")
transitions = env.unwrapped.P
limit = gym.wrappers.FlattenObservation(env).spec.max_episode_steps
```

## Fix safety
Safe. An attribute that may belong to an inner wrapper, as an entry point that is a function or is not visible may
return one, is read with `get_wrapper_attr`; to set one there is unsafe, unless it is the state of a task. For
`reward_range` the fix writes the default of old Gym, `(-inf, inf)`, where the environment is one of Gymnasium's, and
falls back to it where another one may have a range of its own. What Gymnasium's own tasks have lost (`viewer`) has no
fix, and where the id is not visible an unsafe one, as has `configure`, which old Gym had for classes to define, where
the id is that of a package or of the project. Attributes that the program tests with `hasattr`, sets itself, or gives
to the library's own class (`gym.Wrapper.label = label`) are not reported, nor is what only vector environments have
(`env.single_action_space`), also in a wrapper that asks first (`getattr(env, "is_vector_env", False)`), nor is
`env.unwrapped.reward_range` where the class that `make` gives may set it.

## References
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
- [Gymnasium: Wrapper.get_wrapper_attr](https://gymnasium.farama.org/api/wrappers/#gymnasium.Wrapper.get_wrapper_attr)
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property

import libcst as cst

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_apis import BARE, GYM, GYMNASIUM, TIME_LIMIT
from done_lint.knowledge.made_layers import is_added_by_make, is_layered_by_make
from done_lint.knowledge.wrapper_attributes import (
    ASKS_SPEC,
    GONE_FROM_SPEC,
    INITIALIZER,
    LIMIT,
    LIMIT_OF_WRAPPER,
    NOT_SKIPPING,
    RENAMED,
    RENAMED_OF_SPEC,
    SKIPPED,
    STATE,
)
from done_lint.rewrites.asked_vectors import in_branch_of_vectors
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.emulator_keys import as_text, key_of_bytes
from done_lint.rewrites.env_methods import class_around
from done_lint.rewrites.env_methods import is_own as is_own_object
from done_lint.rewrites.environment_itself import asked_itself, set_by_new_name, set_itself
from done_lint.rewrites.gone_attributes import (
    instead_of_gone,
    is_gone_from_task,
    is_of_no_task,
    is_of_vectors,
    may_have_range,
)
from done_lint.rewrites.hidden_reads import hidden_read
from done_lint.rewrites.outcome import fixed, unfixed
from done_lint.rewrites.sampled_integers import is_refused_size
from done_lint.rewrites.spec_reads import read_of_spec
from done_lint.rewrites.stored_attributes import StoredAttributes
from done_lint.rewrites.time_limit.limit_of_make import (
    ARGUMENT,
    given_to_make,
    has_no_limit,
    is_outermost_of_make,
    limit_taken_away,
)
from done_lint.rewrites.time_limit.limit_of_spec import limit_outside, limit_read_outside
from done_lint.rules.base import Rule
from done_lint.rules.library.evidence import has_spec, is_hidden, is_inner_of_make
from done_lint.syntax.edits import replaced
from done_lint.syntax.shapes import is_name

#: How alike two names are of which one is misspelt: one letter of eight is too many.
_MISSPELT = 0.92


class HiddenAttribute(Rule):
    """GYM406."""

    code = "GYM406"
    incompatibility = "reads an attribute that is not there any more"
    since_one = True

    def visit_Attribute(self, node: cst.Attribute) -> None:
        """Look at every attribute that is read from an environment whose wrappers are known."""
        name = node.attr.value
        if name in (*RENAMED_OF_SPEC, *GONE_FROM_SPEC) and self._is_read(node):
            self._look_at_spec(node)
        self._look_at_inner_limit(node)
        self._look_at_size(node)
        if name == "__class__":
            self._look_at_class(node.value)
        env = self.facts.envs.get(self.span(node.value))
        if (
            env is None
            or self.facts.kept_by  # the wrappers of Gym, which has to stay, forward it
            or not (env.layers or env.own is not None or (name == "reward_range" and env.made))
            or env.mixed
            or env.api not in (GYM, GYMNASIUM)
            or env.certainty != "proven"
        ):
            return
        if env.own is not None and not env.layers and is_own_object(self.context, node.value):
            env = replace(env, own=self._own_names(node))  # a subclass may have it
            if env.own is None or (env.api == GYMNASIUM and self._is_nowhere(name, env.own)):
                return
        if name == LIMIT and not self._is_read(node):
            self._look_at_limit(node, env)
        if node in self._stored.all and self._look_at_store(node, env):
            return
        if (
            not (is_gone_from_task(self.context, env, name) or is_hidden(env, env.own, name, self.context.target))
            or (name.startswith("__") and not self._begins_anew(node))
            or name in self.facts.given_to_all
            or may_have_range(self.context, env, name)
            or not self._is_read(node)
            or asks_first(self.tree, node)
            or in_branch_of_vectors(self.tree, node)
            or self._is_of_no_task(env, name)
        ):
            return
        if (new := RENAMED.get(env.layers[0], {}).get(name) if env.layers else None) is not None:
            self._report_renamed(node, new)
            return
        self._report_hidden(node, env)

    def visit_Call(self, node: cst.Call) -> None:
        """Look at what asks for a class: `type(env.env)`, `isinstance(env.env, CartPoleEnv)`; and at emulators."""
        self._look_at_emulator(node)
        if is_name(node.func, "type") and len(node.args) == 1:
            self._look_at_class(node.args[0].value)
        elif is_name(node.func, "isinstance") and len(node.args) == 2:
            name = self.facts.names.get(self.span(node.args[1].value), "")
            if "Wrapper" not in name and ".wrappers." not in name:
                self._look_at_class(node.args[0].value)

    def visit_Assign(self, node: cst.Assign) -> None:
        """Look at `env.spec.id = name + "NoFrameskip"`, which only Gym's preprocessing of games asks for."""
        target = node.targets[0].target
        if len(node.targets) > 1 or not isinstance(target, cst.Attribute) or target.attr.value != "id":
            return
        if (env := self._env_of_spec(target.value)) is None:
            return
        asked = any(ASKS_SPEC in one.layers for one in self.facts.envs.values())
        skips = not any(SKIPPED in one.keywords or one.hidden for one in env.made)
        if asked and skips and NOT_SKIPPING in self.source(node.value):
            self.report(
                target,
                f"`{ASKS_SPEC}` does not read `{self.source(target)}` any more: it raises `ValueError` if frames "
                "are skipped",
                help=f"make the game with `{SKIPPED}=1`",
                outcome=unfixed("how many frames the game shall skip is the program's own choice"),
                incompatibility=f"sets an id that `{ASKS_SPEC}` does not read any more",
            )

    def _look_at_class(self, inner: cst.BaseExpression) -> None:
        """Look at `env.env` whose class is asked for: the environment itself where `make` put one wrapper around it."""
        env = self.facts.envs.get(self.span(inner))
        outer = self.facts.envs.get(self.span(inner.value)) if isinstance(inner, cst.Attribute) else None
        if env is None or outer is None or not isinstance(inner, cst.Attribute) or inner.attr.value != "env":
            return
        known = env.api == GYM and env.certainty == "proven" and not env.mixed
        if known and env.layers not in ((), BARE) and is_layered_by_make(outer.layers):
            help, outcome = asked_itself(self.context, inner, env)
            self.report(
                inner,
                f"`{self.source(inner)}` is another wrapper of `make` now: its class is not the environment's",
                help=help,
                outcome=outcome,
            )

    def _begins_anew(self, node: cst.Attribute) -> bool:
        """`env.__init__(size)`, which old Gym's `make` gave to the environment itself where it had no time limit."""
        call = self.tree.parents[node]
        return node.attr.value == INITIALIZER and isinstance(call, cst.Call) and call.func is node

    def _look_at_size(self, node: cst.Attribute) -> None:
        """`env.action_space.n` on its way to a layer; beside an import of Gym, the fix of that takes care of it."""
        if is_refused_size(self.tree, self.facts, node):
            size = self.source(node)
            whole = cst.Call(cst.Name("int"), [cst.Arg(node)])
            self.report(
                node,
                f"`{size}` is one of numpy's integers in Gymnasium, and a layer that is given it wants an `int`",
                help=f"write `int({size})`",
                outcome=fixed("make it an `int`", replaced(self.tree, node, whole)),
            )

    def _look_at_emulator(self, node: cst.Call) -> None:
        """Look at `env.unwrapped.ale.setInt(b"random_seed", 1)`."""
        if (found := key_of_bytes(self.tree, self.facts, node)) is None or self.facts.kept_by:
            return
        key, env = found
        text = as_text(key)
        self.report(
            node,
            f"`{self.source(node.func)}` takes the name of a setting as a string: bytes raise `TypeError`",
            help=f"write `{text.value}`",
            outcome=fixed("write a string", replaced(self.tree, key, text)),
            env=env,
            incompatibility="gives the emulator bytes",
        )

    def _look_at_limit(self, node: cst.Attribute, env: Env) -> None:
        """Look at `env._max_episode_steps = n` where no layer takes notice, and at `= None` where one does."""
        if limit_taken_away(self.context, node, env):
            self.report(
                node,
                f"`{self.source(node)}` is compared with the number of steps: `None` raises `TypeError`",
                help=f"pass `{ARGUMENT}=-1` to `make`",
                outcome=given_to_make(self.context, node),
                incompatibility="takes the limit away from a `TimeLimit`",
            )
        if has_no_limit(env) and is_outermost_of_make(env) and isinstance(self.tree.parents[node], cst.AssignTarget):
            self.report(
                node,
                f"`{self.source(node)}` limits nothing: `make` puts no `TimeLimit` around this environment",
                help=f"pass `{ARGUMENT}` to `make`",
                outcome=given_to_make(self.context, node),
            )

    def _look_at_spec(self, node: cst.Attribute) -> None:
        """Look at `env.spec.timestep_limit` and at what else is gone from `EnvSpec`."""
        if self._env_of_spec(node.value) is not None and not asks_first(self.tree, node):
            help, outcome = read_of_spec(self.tree, node)
            self.report(
                node,
                f"`{self.source(node)}` does not exist any more: this raises `AttributeError`",
                help=help,
                outcome=outcome,
            )

    def _env_of_spec(self, spec: cst.BaseExpression) -> Env | None:
        """The environment of `env.spec`, where it is one of Gym's or Gymnasium's."""
        if not isinstance(spec, cst.Attribute) or spec.attr.value != "spec":
            return None
        env = self.facts.envs.get(self.span(spec.value))
        return env if env is not None and has_spec(env) else None

    def _look_at_inner_limit(self, node: cst.Attribute) -> None:
        """Look at `env.unwrapped.spec.max_episode_steps`: since 0.29 each wrapper adds its own part to the `spec`."""
        outer = limit_outside(self.context, node)
        env = self.facts.envs.get(self.span(outer)) if outer is not None else None
        if outer is None or env is None or self.context.target < LIMIT_OF_WRAPPER or self.facts.kept_by:
            return
        help, outcome = limit_read_outside(self.context, node, outer, env)
        self.report(
            node,
            f"`{self.source(node)}` is None: inside of `{TIME_LIMIT}` the `spec` says nothing of the limit",
            help=help,
            outcome=outcome,
            env=env,
            incompatibility="reads a limit that is None there",
        )

    def _is_nowhere(self, name: str, own: frozenset[str]) -> bool:
        """Whether no wrapper would ever have found a name: it is private, or misspelt and written only here."""
        private = name.startswith("_") and name != "_max_episode_steps"
        alike = self.tree.text.count(name) == 1 and get_close_matches(name, sorted(own), 1, _MISSPELT)
        return private or bool(alike)

    def _is_lost(self, node: cst.Attribute) -> bool:
        """Whether what is set stays on a wrapper of `make`, where old Gym had the environment itself.

        What the file reads back by the same expression may be meant to stay there, but for the state of a task, and
        what the class of the project sets itself that `make` gives.
        """
        env = self.facts.envs.get(self.span(node.value))
        if env is None or not is_inner_of_make(env, node.attr.value):
            return False
        outer = self.facts.envs.get(self.span(node.value.value)) if isinstance(node.value, cst.Attribute) else None
        if not (env.unlimited and env.layers[0] != TIME_LIMIT) and not (outer and is_added_by_make(outer.layers[:1])):
            return False  # the outermost wrapper, which old Gym had as well
        name = node.attr.value
        own = bool(env.made) and all(name in made.state for made in env.made)
        return own or name in STATE or not (self.source(node) in self._stored.read_back or self._is_asked(name))

    def _is_asked(self, name: str) -> bool:
        """Whether the file reads an attribute of an environment, by whatever expression: `self.gym.configure(cfg)`."""
        read = (one for one in self.tree.of_type(cst.Attribute) if one.attr.value == name)
        return any(one not in self._stored.all and self.span(one.value) in self.facts.envs for one in read)

    def _report_hidden(self, node: cst.Attribute, env: Env) -> None:
        name = node.attr.value
        if gone := instead_of_gone(self.context, env, name):
            help, outcome = gone, unfixed("no attribute of today does the same")
        else:
            help, outcome = hidden_read(self.context, node, env)
        raises = "TypeError" if name == INITIALIZER else "AttributeError"
        self.report(
            node,
            f"`{self.source(node)}` does not exist any more: this raises `{raises}`"
            if gone or name == "reward_range" or env.layers == BARE
            else f"wrappers do not forward `{name}`: this raises `{raises}`",
            help=help,
            outcome=outcome,
        )

    def _look_at_store(self, node: cst.Attribute, env: Env) -> bool:
        """Report an attribute that is set, if that has no effect any more."""
        if self._is_lost(node):
            self._report_store(node, env)
            return True
        if (by_name := set_by_new_name(self.context, node, env)) is None:
            return False
        message, help, outcome = by_name
        incompatibility = "sets an attribute that has another name now"
        self.report(node, message, help=help, outcome=outcome, incompatibility=incompatibility)
        return True

    def _report_store(self, node: cst.Attribute, env: Env) -> None:
        help, outcome = set_itself(self.context, node, env)
        self.report(
            node,
            f"`{self.source(node.value)}` is a wrapper of `make` now: "
            f"setting `{node.attr.value}` on it does not reach the environment",
            help=help,
            outcome=outcome,
            incompatibility="sets an attribute that does not reach the environment any more",
        )

    def _report_renamed(self, node: cst.Attribute, new: str) -> None:
        """`stacked.frames`, which the wrapper that is outermost calls otherwise now."""
        renamed = node.with_changes(attr=cst.Name(new))
        self.report(
            node,
            f"`{self.source(node)}` does not exist any more: this raises `AttributeError`",
            help=f"write `{self.tree.module.code_for_node(renamed)}`",
            outcome=fixed("use the new name", replaced(self.tree, node, renamed)),
        )

    def _is_of_no_task(self, env: Env, name: str) -> bool:
        """Whether the program means other environments than those of its ids, which never had an attribute.

        But what it sets itself, whatever it calls the object, may be there.
        """
        never = is_of_no_task(env, name) or is_of_vectors(env, name)
        return never and all(one.attr.value != name for one in self._stored.all)

    def _own_names(self, node: cst.Attribute) -> frozenset[str] | None:
        """What the object that a method of a class stands in may have by itself."""
        owner = class_around(self.context, node)
        return owner.attributes if owner is not None else None

    def _is_read(self, node: cst.Attribute) -> bool:
        """Not the target of an assignment, and never the target of one in this file.

        What methods of a class assign to their own object is known: `self` of another class is another object.
        """
        if is_own_object(self.context, node.value):
            return node not in self._stored.all
        return self.tree.source(node) not in self._targets

    @cached_property
    def _targets(self) -> frozenset[str]:
        """The attributes that the file assigns to, or deletes; not those that it means to be the environment's."""
        stored = [one for one in self._stored.all if not self._is_lost(one)]
        return frozenset(self.tree.source(one) for one in (*stored, *self._stored.deleted()))

    @cached_property
    def _stored(self) -> StoredAttributes:
        return StoredAttributes(self.tree)

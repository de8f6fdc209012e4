"""The part of GYM406 about `env.spec` and the limit of the steps."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_apis import TIME_LIMIT
from done_lint.knowledge.made_layers import is_layered_by_make
from done_lint.knowledge.wrapper_attributes import (
    ASKS_SPEC,
    GONE_FROM_SPEC,
    LIMIT_OF_WRAPPER,
    LIMIT_TAG,
    NOT_SKIPPING,
    RENAMED_OF_SPEC,
    SKIPPED,
)
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.outcome import fixed, unfixed
from done_lint.rewrites.past_wrappers import is_bare_task, limit_outside
from done_lint.rewrites.time_limit.limit_of_make import (
    ARGUMENT,
    given_to_make,
    has_no_limit,
    is_outermost_of_make,
    limit_taken_away,
)
from done_lint.rules.base import Rule
from done_lint.rules.library.evidence import has_spec
from done_lint.syntax.edits import replaced
from done_lint.syntax.shapes import method_called, only_index, string_value

#: What holds the limit of the steps today.
_LIMIT = RENAMED_OF_SPEC["timestep_limit"]


class SpecRule(Rule):
    """A rule that also looks at what is read of `env.spec`, and at limits that are set."""

    def look_at_id(self, node: cst.Assign) -> None:
        """Look at `env.spec.id = name + "NoFrameskip"`, which only Gym's preprocessing of games asks for."""
        target = node.targets[0].target
        if len(node.targets) > 1 or not isinstance(target, cst.Attribute) or target.attr.value != "id":
            return
        spec = target.value
        env = self.facts.envs.get(self.span(spec.value)) if isinstance(spec, cst.Attribute) else None
        if env is None or not isinstance(spec, cst.Attribute) or spec.attr.value != "spec":
            return
        asked = any(ASKS_SPEC in one.layers for one in self.facts.envs.values())
        skips = not any(SKIPPED in one.keywords or one.hidden for one in env.made)
        if has_spec(env) and asked and skips and NOT_SKIPPING in self.source(node.value):
            self.report(
                target,
                f"`{ASKS_SPEC}` does not read `{self.source(target)}` any more: it raises `ValueError` if frames "
                "are skipped",
                help=f"make the game with `{SKIPPED}=1`",
                outcome=unfixed("how many frames the game shall skip is the program's own choice"),
                incompatibility=f"sets an id that `{ASKS_SPEC}` does not read any more",
            )

    def look_at_spec(self, node: cst.Attribute) -> None:
        """Look at `env.spec.timestep_limit` and at what else is gone from `EnvSpec`."""
        name, spec = node.attr.value, node.value
        env = self.facts.envs.get(self.span(spec.value)) if isinstance(spec, cst.Attribute) else None
        if env is None or not has_spec(env) or not isinstance(spec, cst.Attribute) or spec.attr.value != "spec":
            return
        if asks_first(self.tree, node):
            return
        old, new = (node, RENAMED_OF_SPEC[name]) if name in RENAMED_OF_SPEC else (self._limit_tag(node), _LIMIT)
        self.report(
            node,
            f"`{self.source(node)}` does not exist any more: this raises `AttributeError`",
            help=f"write `{self.source(spec)}.{new}`" if old is not None else GONE_FROM_SPEC[name],
            outcome=fixed(f"read `{new}`", replaced(self.tree, old, cst.Attribute(spec, cst.Name(new))))
            if old is not None
            else unfixed("it has no counterpart"),
        )

    def look_at_inner_limit(self, node: cst.Attribute) -> None:
        """Look at `env.unwrapped.spec.max_episode_steps`: since 0.29 each wrapper adds its own part to the `spec`."""
        outer = limit_outside(self.context, node)
        env = self.facts.envs.get(self.span(outer)) if outer is not None else None
        if outer is None or env is None or self.context.target < LIMIT_OF_WRAPPER or self.facts.kept_by:
            return
        new = cst.Attribute(cst.Attribute(outer, cst.Name("spec")), node.attr)
        self.report(
            node,
            f"`{self.source(node)}` is None: inside of `{TIME_LIMIT}` the `spec` says nothing of the limit",
            help=f"write `{self.tree.module.code_for_node(new)}`",
            outcome=fixed(
                "ask the wrappers, too",
                replaced(self.tree, node, new),
                safe=is_layered_by_make(env.layers) or is_bare_task(env),
            ),
            env=env,
            incompatibility="reads a limit that is None there",
        )

    def look_at_limit(self, node: cst.Attribute, env: Env) -> None:
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

    def _limit_tag(self, tags: cst.Attribute) -> cst.BaseExpression | None:
        """What asks the tags for the limit of the steps: `tags[...]`, or `tags.get(...)`."""
        parent = self.tree.parents[tags]
        if isinstance(parent, cst.Subscript) and parent.value is tags:
            key = only_index(parent)
            return parent if key is not None and string_value(key) == LIMIT_TAG else None
        call = self.tree.parents.get(parent)
        if not isinstance(call, cst.Call) or method_called(call) != "get" or call.func is not parent:
            return None
        return call if len(call.args) == 1 and string_value(call.args[0].value) == LIMIT_TAG else None

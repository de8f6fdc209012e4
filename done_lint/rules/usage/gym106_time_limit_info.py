"""`info["TimeLimit.truncated"]` is read from a step that returns five values.

## What it does
Reports `info.get("TimeLimit.truncated", …)`, `info["TimeLimit.truncated"]` and
`"TimeLimit.truncated" in info` where `info` comes from a step that speaks the Gymnasium API. The same of `"ale.lives"`,
which Atari games of old Gym set: ale-py calls it `"lives"`. A read behind a parameter, or behind an attribute that is
set to one, is not reported where every call of the program gives the constant that switches it off.

## Why it matters
Old Gym's time limit set this key. Gymnasium sets `truncated` and no key: `get` always
returns its default, without any error, and `done and not info.get("TimeLimit.truncated", False)`, which was
right, is now true at every truncation.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
    timeout = info.get("TimeLimit.truncated", False)
    print(reward, done, timeout)
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
    timeout = truncated and not terminated
    print(reward, done, timeout)
```

## Fix safety
Safe where both flags of the same step are in scope. The old key is false when an episode terminates in the
very step that reaches the limit, and so is `truncated and not terminated`. When the step itself still
unpacks four values, both changes are one fix (`GYM101`). `"ale.lives"` is renamed.

## References
- [Gymnasium: Handling time limits](https://gymnasium.farama.org/tutorials/gymnasium_basics/handling_time_limits/)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.core.findings import Span
from done_lint.knowledge.info_keys import INFO_KEYS
from done_lint.rewrites.context import Context, grouped, per_file
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.flag_names import step_name
from done_lint.rewrites.step_tuple.step_methods import fix_unpacking
from done_lint.rewrites.step_tuple.unpack import Slots, infos_of, time_limit_change
from done_lint.rewrites.step_tuple.unpacking import Unpacking, four_valued
from done_lint.rewrites.time_limit.info_key import Read, key_of, reads_of, time_limit_reads
from done_lint.rules.base import Rule
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.shapes import is_name, only_index, string_value
from done_lint.syntax.tree import Scope, Tree

_OUT_OF_SCOPE = "the two flags of this step are not in scope here"


class TimeLimitInfo(Rule):
    """GYM106."""

    code = "GYM106"
    incompatibility = "asks the info for a key that is not set any more"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every read of the key."""
        for read in time_limit_reads(self.context):
            if any(self.span(read.node).within(one) for one in self.facts.idle):
                continue  # no call of the program gets here
            outcome = self._outcome(read)
            self.report(
                read.node,
                f"`{self.source(read.node)}` {self._what_happens(read)}: a step of five values does not set this key",
                help="use the `truncated` that the step returns",
                outcome=outcome,
                related=self.elsewhere(read.node, read.fact.origin),
                env=read.fact.env,
            )

        for read in _gone(self.context):
            name = INFO_KEYS[_text(read)]
            self.report(
                read.node,
                f'`{self.source(read.node)}` {self._what_happens(read)}: the key is `"{name}"` today',
                help=f'write `"{name}"`',
                outcome=fixed("rename the key", _renamed(self.tree, read, name)),
                related=self.elsewhere(read.node, read.fact.origin),
                env=read.fact.env,
            )

    def _what_happens(self, read: Read) -> str:
        if isinstance(read.node, cst.Subscript):
            return "raises `KeyError`"
        if isinstance(read.node, cst.Call) and len(read.node.args) == 1:
            return "is always `None`"
        return "is always true" if read.kind == "absent" else "is always false"

    def _outcome(self, read: Read) -> Outcome:
        """The fix of the step's unpacking, or one of its own where five values are unpacked already."""
        steps = _unpackings_by_step(self.context).get(read.fact.origin.span, ())
        for step in steps:
            if four_valued(step):
                outcome = fix_unpacking(self.context, step, Slots(done=2))
                return outcome if read.node in outcome.reads else unfixed(_OUT_OF_SCOPE)
        for step in steps:
            if len(step.target.elements) == 5 and not step.starred and step.part is None:
                return self._use_flags(read, step)
        return unfixed(_OUT_OF_SCOPE)

    def _use_flags(self, read: Read, step: Unpacking) -> Outcome:
        """The flags that the step already binds, or names for them."""
        edits: list[Edits] = []
        names: list[str] = []
        for target, flag in zip(step.targets[2:4], ("terminated", "truncated"), strict=True):
            if is_name(target, "_"):
                name = step_name(self.context, step.scope, flag)
                edits.append(replaced(self.tree, target, cst.Name(name)))
                names.append(name)
            else:
                names.append(self.tree.source(target))
        if not all(name.isidentifier() for name in names):
            return unfixed("the flags of this step are not bound to plain names")
        infos = _targets_alike(self.context, step.scope, self.tree.source(step.target)).infos
        change = time_limit_change(self.context, read, step, Slots(done=2), (names[0], names[1]), infos)
        if change is None:
            return unfixed(_OUT_OF_SCOPE)
        if not self._steady(step, names):
            return unfixed("a flag of this step is assigned again")
        edits.append(replaced(self.tree, *change))
        return fixed("use the step's own flags", *edits)

    def _steady(self, step: Unpacking, names: Sequence[str]) -> bool:
        """Whether only the step, and a start value before it, bind the two flags."""
        targets = _targets_alike(self.context, step.scope, self.tree.source(step.target)).all
        others = (_last_other_binding(self.context, step.scope, name, targets) for name in names)
        return all(other is None or other <= self.tree.span(step.statement) for other in others)


@per_file
def _gone(context: Context) -> Sequence[Read]:
    """Reads of keys that have another name today, and that the file does not set itself."""
    set_here = {string_value(only_index(node)) for node in _stored(context.tree)}
    return [read for key in INFO_KEYS if key not in set_here for read in reads_of(context, key)]


def _stored(tree: Tree) -> Iterator[cst.Subscript]:
    """What is assigned to under a key."""
    targets = (one.target for one in tree.of_type(cst.AssignTarget))
    return (target for target in targets if isinstance(target, cst.Subscript))


def _text(read: Read) -> str:
    """The key that is read."""
    return string_value(key_of(read))


def _renamed(tree: Tree, read: Read, name: str) -> Edits:
    """Another key in the same quotes."""
    key = key_of(read)
    return replaced(tree, key, cst.SimpleString(tree.source(key).replace(_text(read), name)))


class _Targets(NamedTuple):
    """The targets of unpackings that are written alike."""

    all: frozenset[cst.CSTNode]
    #: Those that take the info.
    infos: frozenset[cst.CSTNode]


@per_file
def _targets_alike(context: Context, scope: Scope, text: str) -> _Targets:
    """Targets of the unpackings of a scope that have this text."""
    alike = _unpackings_by_text(context).get((scope, text), ())
    return _Targets(frozenset(target for one in alike for target in one.targets), infos_of(alike))


@per_file
def _unpackings_by_text(context: Context) -> Mapping[tuple[Scope, str], Sequence[Unpacking]]:
    """Unpackings by scope and by the text of their targets."""
    return grouped(((one.scope, context.tree.source(one.target)), one) for one in context.unpackings)


@per_file
def _unpackings_by_step(context: Context) -> Mapping[Span, Sequence[Unpacking]]:
    """Unpackings by the place of the step."""
    return grouped((one.step.origin.span, one) for one in context.unpackings)


@per_file
def _last_other_binding(context: Context, scope: Scope, name: str, targets: frozenset[cst.CSTNode]) -> Span | None:
    """The last place where something besides these targets binds a name."""
    bindings = context.tree.scopes.bindings(scope, name)
    return max((context.tree.span(one) for one in bindings if one not in targets), default=None)

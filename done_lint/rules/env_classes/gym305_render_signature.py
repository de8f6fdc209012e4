"""An environment's `render` takes a mode, or its metadata has the old keys.

## What it does
Reports parameters `mode` and `close` of the method `render` of an environment class, and the metadata keys
`"render.modes"` and `"video.frames_per_second"` where an environment sets them, or reads what it does not set itself.
A `render(self, mode=None)` that the class calls with `self.render_mode` gets its mode from `make`, and a `render` that
the program gives arguments which no release of Gym had is a method of the project's own: neither is reported. Nor is a
`mode` whose default no environment of Gym had, in a method that reads `self.render_mode` beside it.

## Why it matters
Since Gym 0.26 the mode is chosen when the environment is made, `gym.make(id, render_mode="rgb_array")`, and
`render()` gets no argument: a mode that is passed in the call has no effect. Gymnasium reads the keys
`"render_modes"` and `"render_fps"` and ignores the old ones.

## Example
```python
import gymnasium as gym


class Walk(gym.Env):
    metadata = {"render.modes": ["human"]}

    def __init__(self):
        self.x = 0

    def render(self, mode="human"):
        if mode == "human":
            print(self.x)
```

## Use instead
```python
import gymnasium as gym


class Walk(gym.Env):
    metadata = {"render_modes": ["human"]}

    def __init__(self, render_mode="human"):
        self.render_mode = render_mode
        self.x = 0

    def render(self):
        if self.render_mode == "human":
            print(self.x)
```

## Fix safety
Safe, but for a key that code of the program asks for by its new name: what never ran would run from then on. The mode
that was the default of `render` becomes the default of `__init__`, so that an environment made without a mode draws
what it drew before. A key changes together with what reads it from the class (`Walk.metadata["render.modes"]`), and not
at all where other code does. There is no fix where the class has no simple `__init__` of its own, where `close` is
used for more than to return at once, where `render` takes other arguments too or hands the mode to a `render` of the
project or to what may be an environment of any library, and where the class calls `self.render` with a mode, or other
code its `render`.

## References
- [Gymnasium: Env.render](https://gymnasium.farama.org/api/env/#gymnasium.Env.render)
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import libcst as cst

from done_lint.core.findings import Edit, Related
from done_lint.core.paths import shown
from done_lint.facts.kinds.classes import EnvClass
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.env_apis import SINGLE
from done_lint.knowledge.rendering import METADATA_KEYS, MODES, RENDER_PARAMETERS
from done_lint.rewrites.docstring_parameters import entries_removed
from done_lint.rewrites.env_methods import (
    class_of,
    environment_class,
    is_own,
    is_super,
    own_name,
    receiver,
)
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.rendering.idle_close import call_removed, without_close
from done_lint.rewrites.rendering.kept_modes import KeptModes, end_of_parameter
from done_lint.rewrites.rendering.metadata_keys import MetadataKeys
from done_lint.rules.base import Rule
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits
from done_lint.syntax.shapes import is_name, method_called, string_value


class RenderSignature(Rule):
    """GYM305."""

    code = "GYM305"
    incompatibility = ""

    # --- keys --------------------------------------------------------------------------------------

    def visit_SimpleString(self, node: cst.SimpleString) -> None:
        """Look at every string that is an old key."""
        key = string_value(node)
        if key not in METADATA_KEYS or not self._keys.is_key(node) or self._keys.is_set_by_own(node):
            return
        self.report(
            node,
            f"Gymnasium does not know the key `{key}`: it is called `{METADATA_KEYS[key]}` now",
            help=f'write `"{METADATA_KEYS[key]}"`',
            outcome=self._keys.renamed(node, key),
            related=[Related(self.facts.path, self.span(one), "reads the key") for one in self._keys.reads(node)],
        )

    @cached_property
    def _keys(self) -> MetadataKeys:
        return MetadataKeys(self.context)

    # --- the signature -----------------------------------------------------------------------------

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """Look at every method `render` of an environment."""
        owner = class_of(self.context, node) if node.name.value == "render" else None
        known = environment_class(self.context, owner) if owner is not None else None
        if owner is None or known is None:
            return
        old = _old(node)
        if not old or self._is_own(node, owner, known, old):
            return
        outcome = self._outcome(node, owner, known, old)
        names = " and ".join(f"`{one.name.value}`" for one in old)
        self.report(
            node.name,
            f"Gymnasium never passes {names} to `render`: the mode is chosen in `make`",
            help="write `render(self)`, and use `self.render_mode`, which `__init__` takes and stores",
            outcome=outcome,
            related=[place for one in known.evidence for place in self.elsewhere(owner.name, one)],
        )

    def _is_own(self, node: cst.FunctionDef, owner: cst.ClassDef, known: EnvClass, old: Sequence[cst.Param]) -> bool:
        """Whether the method is the project's own, which the program calls as it is."""
        return (
            known.own_render
            or self._is_given_own_mode(owner, old)
            or self._hands_on(node, known)
            or self._means_another_mode(node, old)
            or self._falls_back(node, old)
        )

    def _falls_back(self, node: cst.FunctionDef, old: Sequence[cst.Param]) -> bool:
        """Whether `mode` is `None` by default, and the environment's own then: what Gymnasium asks for is drawn."""
        by_default = all(one.default is not None and is_name(one.default, "None") for one in old)
        return by_default and len(old) == 1 and self._reads_own_mode(node)

    def _reads_own_mode(self, node: cst.FunctionDef) -> bool:
        """Whether a method reads `self.render_mode`."""
        return any(
            isinstance(read, cst.Attribute) and read.attr.value == "render_mode" and is_own(self.context, read.value)
            for read in self.tree.descend(node)
        )

    def _is_given_own_mode(self, owner: cst.ClassDef, old: Sequence[cst.Param]) -> bool:
        """Whether the class itself passes the mode that it was made with, to a `render` that draws none by default."""
        calls = (call for call in self._own_calls(owner) if len(call.args) == 1 == len(old))
        passed = (call.args[0].value for call in calls)
        return any(
            isinstance(mode, cst.Attribute) and mode.attr.value == "render_mode" and is_own(self.context, mode.value)
            for mode in passed
        ) and all(one.default is not None and is_name(one.default, "None") for one in old)

    def _means_another_mode(self, node: cst.FunctionDef, old: Sequence[cst.Param]) -> bool:
        """Whether `mode` is no mode of Gym by default, in a method that reads the mode of the environment beside it."""
        defaults = [string_value(one.default) for one in old if one.default is not None]
        return (
            len(defaults) == len(old) == 1
            and bool(defaults[0])
            and defaults[0] not in MODES
            and self._reads_own_mode(node)
        )

    def _hands_on(self, node: cst.FunctionDef, known: EnvClass) -> bool:
        """Whether the program gives it a mode, which goes to a `render` that is no library's."""
        reads = self.tree.scopes.reads(node, "mode") if known.render_caller is not None else ()
        calls = [self.tree.parents.get(self.tree.parents[read]) for read in reads]
        return bool(calls) and all(isinstance(call, cst.Call) and self._is_own_render(call) for call in calls)

    def _is_own_render(self, call: cst.Call) -> bool:
        """`self.world.render(mode)`, whose method is the project's."""
        if method_called(call) != "render" or is_super(receiver(call)):
            return False
        env = self.facts.envs.get(self.span(receiver(call)))
        return env is None or env.api not in SINGLE

    def _outcome(
        self, node: cst.FunctionDef, owner: cst.ClassDef, known: EnvClass, old: Sequence[cst.Param]
    ) -> Outcome:
        if reason := self._obstacle(node, old) or _called(known) or self._needed_by(owner):
            return unfixed(reason)
        idle = without_close(self.tree, node) or ()
        edits = [self._without(node, old), idle, entries_removed(self.tree, node, {one.name.value for one in old})]
        used: list[cst.Name] = []
        for read in self.tree.scopes.reads(node, "mode") if any(one.name.value == "mode" for one in old) else ():
            call = self._passed_on(read)
            if call is None and self._is_taken_by_unknown(read):
                return unfixed("it hands the mode to a `render` that is not in sight, which may take none")
            if call is None:
                used.append(read)
            elif reason := self._needs_arguments(call):
                return unfixed(reason)
            else:
                edits.append(self._bare(call))
        own = self._asked_by_itself(node, owner, used)
        if isinstance(own, str):
            return unfixed(own)
        edits += own
        if used:
            for read in used:
                start, end = self.tree.offsets(read)
                edits.append((Edit(start, end, f"{own_name(node)}.render_mode"),))
            default = next(one.default for one in old if one.name.value == "mode")
            stored = KeptModes(self.context).edits(owner, known, default, used)
            if isinstance(stored, str):
                return unfixed(stored)
            edits.append(stored)
        return fixed("use the mode that the environment was made with", *edits)

    def _asked_by_itself(
        self, node: cst.FunctionDef, owner: cst.ClassDef, used: Sequence[cst.Name]
    ) -> list[Edits] | str:
        """The class's own calls of the method without arguments, or why they cannot be."""
        edits: list[Edits] = []
        for call in self._own_calls(owner):
            gone = call_removed(self.tree, node, call)
            if gone is None or (used and not gone):
                return f"the class calls `self.render` with {'`close`' if gone is None else 'a mode'}"
            edits.append(gone or self._bare(call))
        return edits

    def _obstacle(self, node: cst.FunctionDef, old: Sequence[cst.Param]) -> str:
        """Why the parameters cannot go, in one clause (empty: they can)."""
        scopes, params = self.tree.scopes, node.params
        if set(old) & set(params.kwonly_params) or params.posonly_params or params.params[0] in old:
            return "its parameter list is not supported"
        if len(params.params) > len(old) + 1 or params.kwonly_params:
            return "it takes other arguments too, for which `render()` has no place"
        if without_close(self.tree, node) is None:
            return "what it does with `close` belongs in a method `close`"
        if any(self.tree.inside(cst.Del, node)):
            return "it deletes a name"
        return "it changes `mode` itself" if len(scopes.bindings(node, "mode")) > 1 else ""

    def _needed_by(self, owner: cst.ClassDef) -> str:
        """What overrides the method, keeps its parameters and calls it with arguments (empty: nothing)."""
        for node in self.tree.of_type(cst.FunctionDef):
            other = class_of(self.context, node) if node.name.value == "render" else None
            if other is None or not self._derives(other, owner) or not self._calls_base(node):
                continue
            known, old = environment_class(self.context, other), _old(node)
            kept = known is None or not old or self._is_own(node, other, known, old)
            if kept or known is None or self._outcome(node, other, known, old).fix is None:
                return f"`{other.name.value}.render` calls it with arguments, and keeps its own"
        return ""

    def _derives(self, one: cst.ClassDef, owner: cst.ClassDef) -> bool:
        """Whether a class of the file has another one above it."""
        above = {last_name(base.value) for base in one.bases}
        others = (other for other in self.tree.of_type(cst.ClassDef) if other.name.value in above and other is not one)
        return any(other is owner or self._derives(other, owner) for other in others)

    def _calls_base(self, node: cst.FunctionDef) -> bool:
        """Whether a method has `super().render(mode)`."""
        calls = (one for one in self.tree.descend(node) if isinstance(one, cst.Call) and one.args)
        return any(method_called(call) == "render" and is_super(receiver(call)) for call in calls)

    def _without(self, node: cst.FunctionDef, old: Sequence[cst.Param]) -> Edits:
        """The signature without these parameters; each goes with the comma before it."""
        params = node.params.params
        edits = [
            (end_of_parameter(self.tree, before), end_of_parameter(self.tree, param))
            for before, param in pairwise(params)
            if param in old
        ]
        if set(params[1:]) == set(old) and self.tree.span(params[0]).row == self.tree.span(node.name).row:
            # `def render(self)` needs no other row for its parenthesis
            start, end = edits[-1]
            behind = len(self.tree.text[end:]) - len(self.tree.text[end:].lstrip(" \t\r\n,"))
            edits[-1] = (start, end + behind if self.tree.text[end + behind] == ")" else end)
        return tuple(Edit(start, end, "") for start, end in edits)

    def _passed_on(self, read: cst.Name) -> cst.Call | None:
        """The call of another environment's `render` that is given the mode."""
        argument = self.tree.parents[read]
        call = self.tree.parents.get(argument)
        if not isinstance(argument, cst.Arg) or not isinstance(call, cst.Call) or argument.star:
            return None
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "render":
            return None
        receiver = call.func.value
        inherited = isinstance(receiver, cst.Call) and self.tree.source(receiver.func) == "super"
        return call if inherited or self.span(receiver) in self.facts.envs else None

    def _is_taken_by_unknown(self, read: cst.Name) -> bool:
        """`self.env.render(mode)`, where nothing but its name tells that this is an environment."""
        call = self.tree.parents.get(self.tree.parents[read])
        if not isinstance(call, cst.Call) or method_called(call) != "render":
            return False
        return naming_conventions.environment(last_name(receiver(call)))

    def _needs_arguments(self, call: cst.Call) -> str:
        """Why another `render` cannot be called without arguments (empty: it can).

        A class of the project that takes a mode draws in its own one without it: `self.board.render(mode)`.
        """
        if len(call.args) > 1:
            return "it passes more than the mode to another `render`"
        env = self.facts.members.get(self.span(call.func))
        kept = not is_super(receiver(call)) and (env is None or env.shared)
        return "it hands the mode to a `render` of the project that takes one" if kept else ""

    def _own_calls(self, owner: cst.ClassDef) -> list[cst.Call]:
        """Calls of `self.render` with an argument."""
        return [
            call
            for call in self.tree.descend(owner)
            if isinstance(call, cst.Call)
            and call.args
            and method_called(call) == "render"
            and is_own(self.context, receiver(call))
        ]

    def _bare(self, call: cst.Call) -> Edits:
        """The call without its arguments."""
        start = self.tree.offsets(call.args[0])[0]
        end = self.tree.offsets(call)[1] - 1
        return (Edit(start, end, ""),)


def _old(node: cst.FunctionDef) -> list[cst.Param]:
    """The parameters of a `render` that Gymnasium never passes."""
    return [one for one in (*node.params.params, *node.params.kwonly_params) if one.name.value in RENDER_PARAMETERS]


def _called(known: EnvClass) -> str:
    """Where the program passes a mode to the method itself (empty: nowhere)."""
    place = known.render_caller
    return f"{shown(place.path)}:{place.span.row} calls it with a mode" if place is not None else ""

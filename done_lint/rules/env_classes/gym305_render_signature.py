"""An environment's `render` takes a mode, or its metadata has the old keys.

## What it does
Reports parameters `mode` and `close` of the method `render` of an environment class, and the metadata keys
`"render.modes"` and `"video.frames_per_second"` where an environment sets or reads them. A `render(self, mode=None)`
that the class calls with `self.render_mode` gets its mode from `make`, and a `render` that the program gives arguments
which no release of Gym had is a method of the project's own: neither is reported.

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
used, where `render` takes other arguments too, and where the class calls `self.render` with a mode, or other code its
`render`.

## References
- [Gymnasium: Env.render](https://gymnasium.farama.org/api/env/#gymnasium.Env.render)
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.core.paths import shown
from done_lint.facts.facts import EnvClass
from done_lint.knowledge.rendering import METADATA_KEYS, MODES, RENDER_PARAMETERS
from done_lint.rewrites.docstring_parameters import entries_removed
from done_lint.rewrites.env_methods import (
    class_around,
    class_of,
    environment_class,
    is_own,
    is_own_class,
    method,
    own_name,
    receiver,
)
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rules.base import Rule
from done_lint.syntax.docstrings import docstring
from done_lint.syntax.edits import Edits, added_after, added_before, indentation, newline
from done_lint.syntax.shapes import is_name, method_called, string_value

_MODE_KEYS = frozenset({"render.modes", METADATA_KEYS["render.modes"]})
_READING = frozenset({"get", "setdefault", "pop"})


class RenderSignature(Rule):
    """GYM305."""

    code = "GYM305"
    incompatibility = ""

    # --- keys --------------------------------------------------------------------------------------

    def visit_SimpleString(self, node: cst.SimpleString) -> None:
        """Look at every string that is an old key."""
        key = string_value(node)
        if key not in METADATA_KEYS or not self._is_key(node):
            return
        self.report(
            node,
            f"the key `{key}` is never read: it is called `{METADATA_KEYS[key]}` now",
            help=f'write `"{METADATA_KEYS[key]}"`',
            outcome=self._renamed(node, key),
        )

    def _renamed(self, node: cst.SimpleString, key: str) -> Outcome:
        """The key by its new name: where classes set it and where the file reads it from them, at once."""
        if reason := self._left_behind(key):
            return unfixed(reason)
        keys = [one for one in self._strings[key] if self._is_key(one)]
        wakes = METADATA_KEYS[key] in self.facts.keys_read
        title = f"rename the key to `{METADATA_KEYS[key]}`"
        together = [one for one in keys if self._is_of_class(one)]
        edits = [self._rename(one, key) for one in (together if node in together else [node])]
        return fixed(title, *edits, safe=not wakes)

    def _rename(self, node: cst.SimpleString, key: str) -> Edits:
        start, end = self.tree.offsets(node)
        return (Edit(start, end, node.value.replace(key, METADATA_KEYS[key])),)

    def _left_behind(self, key: str) -> str:
        """Who goes on to ask for the key by its old name, in one clause (empty: nobody)."""
        for place in self.facts.old_keys_read:
            if place.message == key:
                return f"{shown(place.path)}:{place.span.row} reads the old key from the class"
        if not self._is_set(key):
            return ""
        rows = [self.span(one).row for one in self._strings[key] if not self._is_key(one) and self._may_read(one)]
        return f"row {min(rows)} may read the old key from it" if rows else ""

    def _may_read(self, node: cst.SimpleString) -> bool:
        """Whether the string is what something is asked for that may be the metadata of the file's classes."""
        asked = self._asked(node)
        if asked is None:
            return False
        known = isinstance(asked, cst.Attribute) and self.span(asked.value) in self.facts.envs
        return not known

    @cached_property
    def _strings(self) -> dict[str, list[cst.SimpleString]]:
        """The strings of the file that are an old key."""
        found = [(string_value(one), one) for one in self.tree.of_type(cst.SimpleString)]
        return {key: [node for value, node in found if value == key] for key in METADATA_KEYS}

    def _is_set(self, key: str) -> bool:
        """Whether the metadata of a class in the file has the old key."""
        parents = [(one, self.tree.parents[one]) for one in self._strings[key]]
        return any(isinstance(parent, cst.DictElement) and self._is_key(one) for one, parent in parents)

    def _is_of_class(self, node: cst.SimpleString) -> bool:
        """Whether the key is one of the metadata that the file's classes have, and not of some environment."""
        asked = self._asked(node)
        return asked is None or (isinstance(asked, cst.Attribute) and self._is_of_own(asked.value))

    def _is_of_own(self, node: cst.BaseExpression) -> bool:
        return is_own(self.context, node) or is_own_class(self.context, node)

    def _asked(self, node: cst.SimpleString) -> cst.BaseExpression | None:
        """`x` of `x["key"]` and `x.get("key")`."""
        parent = self.tree.parents[node]
        if isinstance(parent, cst.Index):
            subscript = self.tree.parents[self.tree.parents[parent]]
            return subscript.value if isinstance(subscript, cst.Subscript) else None
        call = self.tree.parents.get(parent)
        if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call) or call.args[0] is not parent:
            return None
        return receiver(call) if method_called(call) in _READING else None

    def _is_key(self, node: cst.SimpleString) -> bool:
        """Whether the string is a key of an environment's metadata."""
        parent = self.tree.parents[node]
        if isinstance(parent, cst.DictElement):
            literal = self.tree.parents[parent]
            return parent.key is node and isinstance(literal, cst.Dict) and self._becomes_metadata(literal)
        asked = self._asked(node)
        if asked is None or not self._is_metadata(asked):
            return False
        by_class = isinstance(asked, cst.Attribute) and is_own_class(self.context, asked.value)
        return not by_class or self._is_set(string_value(node)) or self._inherits(node)

    def _inherits(self, node: cst.SimpleString) -> bool:
        """Whether the string stands in a class that has its metadata from another file, perhaps."""
        owner = class_around(self.context, node)
        return owner is not None and any(path != owner.path for path, _ in owner.parents)

    def _becomes_metadata(self, literal: cst.Dict) -> bool:
        """`metadata = {...}`, `self.metadata = {...}`, `self.metadata.update({...})`, with old keys only."""
        keys = {string_value(one.key) for one in literal.elements if isinstance(one, cst.DictElement)}
        if keys & set(METADATA_KEYS.values()):
            return False  # for old Gym and for Gymnasium
        parent = self.tree.parents[literal]
        if isinstance(parent, cst.Assign):
            return any(self._is_metadata(one.target) for one in parent.targets)
        if isinstance(parent, cst.AnnAssign):
            return self._is_metadata(parent.target)
        call = self.tree.parents.get(parent)
        if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call):
            return False
        return method_called(call) == "update" and self._is_metadata(receiver(call))

    def _is_metadata(self, node: cst.BaseExpression) -> bool:
        """The metadata of an environment, or of its class."""
        if isinstance(node, cst.Attribute) and node.attr.value == "metadata":
            env = self.facts.envs.get(self.span(node.value))
            return self._is_of_own(node.value) or (env is not None and env.api.five)
        scope = self.tree.scope(node)
        return is_name(node, "metadata") and self._class(scope) is not None

    def _class(self, node: cst.CSTNode) -> EnvClass | None:
        return environment_class(self.context, node)

    # --- the signature -----------------------------------------------------------------------------

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """Look at every method `render` of an environment."""
        owner = class_of(self.context, node) if node.name.value == "render" else None
        known = self._class(owner) if owner is not None else None
        if owner is None or known is None:
            return
        old = [one for one in (*node.params.params, *node.params.kwonly_params) if one.name.value in RENDER_PARAMETERS]
        if not old or known.own_render or self._is_given_own_mode(owner, old):
            return  # nothing to change, or a method of the project's own, which the program calls as it is
        outcome = self._outcome(node, owner, known, old)
        names = " and ".join(f"`{one.name.value}`" for one in old)
        self.report(
            node.name,
            f"Gymnasium never passes {names} to `render`: the mode is chosen in `make`",
            help="write `render(self)`, and use `self.render_mode`, which `__init__` takes and stores",
            outcome=outcome,
            related=[place for one in known.evidence for place in self.elsewhere(owner.name, one)],
        )

    def _is_given_own_mode(self, owner: cst.ClassDef, old: Sequence[cst.Param]) -> bool:
        """Whether the class itself passes the mode that it was made with, to a `render` that draws none by default."""
        calls = (call for call in self._own_calls(owner) if len(call.args) == 1 == len(old))
        passed = (call.args[0].value for call in calls)
        return any(
            isinstance(mode, cst.Attribute) and mode.attr.value == "render_mode" and is_own(self.context, mode.value)
            for mode in passed
        ) and all(one.default is not None and is_name(one.default, "None") for one in old)

    def _outcome(
        self, node: cst.FunctionDef, owner: cst.ClassDef, known: EnvClass, old: Sequence[cst.Param]
    ) -> Outcome:
        if reason := self._obstacle(node, old) or _called(known):
            return unfixed(reason)
        edits = [self._without(node, old), entries_removed(self.tree, node, {one.name.value for one in old})]
        used: list[cst.Name] = []
        for read in self.tree.scopes.reads(node, "mode") if any(one.name.value == "mode" for one in old) else ():
            call = self._passed_on(read)
            if call is None:
                used.append(read)
            elif len(call.args) > 1:
                return unfixed("it passes more than the mode to another `render`")
            else:
                edits.append(self._bare(call))
        for call in self._own_calls(owner):
            if used:
                return unfixed("the class calls `self.render` with a mode")
            edits.append(self._bare(call))
        if used:
            for read in used:
                start, end = self.tree.offsets(read)
                edits.append((Edit(start, end, f"{own_name(node)}.render_mode"),))
            default = next(one.default for one in old if one.name.value == "mode")
            stored = self._kept(owner, known, default, used)
            if isinstance(stored, str):
                return unfixed(stored)
            edits.append(stored)
        return fixed("use the mode that the environment was made with", *edits)

    def _obstacle(self, node: cst.FunctionDef, old: Sequence[cst.Param]) -> str:
        """Why the parameters cannot go, in one clause (empty: they can)."""
        scopes, params = self.tree.scopes, node.params
        if set(old) & set(params.kwonly_params) or params.posonly_params or params.params[0] in old:
            return "its parameter list is not supported"
        if len(params.params) > len(old) + 1 or params.kwonly_params:
            return "it takes other arguments too, for which `render()` has no place"
        if scopes.reads(node, "close") and any(one.name.value == "close" for one in old):
            return "what it does with `close` belongs in a method `close`"
        if any(self.tree.inside(cst.Del, node)):
            return "it deletes a name"
        return "it changes `mode` itself" if len(scopes.bindings(node, "mode")) > 1 else ""

    def _without(self, node: cst.FunctionDef, old: Sequence[cst.Param]) -> Edits:
        """The signature without these parameters; each goes with the comma before it."""
        params = node.params.params
        edits = [(self._end(before), self._end(param)) for before, param in pairwise(params) if param in old]
        if set(params[1:]) == set(old) and self.tree.span(params[0]).row == self.tree.span(node.name).row:
            # `def render(self)` needs no other row for its parenthesis
            start, end = edits[-1]
            behind = len(self.tree.text[end:]) - len(self.tree.text[end:].lstrip(" \t\r\n,"))
            edits[-1] = (start, end + behind if self.tree.text[end + behind] == ")" else end)
        return tuple(Edit(start, end, "") for start, end in edits)

    def _end(self, param: cst.Param) -> int:
        """Where a parameter ends, its annotation and default included."""
        last = param.default or (param.annotation.annotation if param.annotation is not None else param.name)
        closing = "".join(self.tree.module.code_for_node(one) for one in last.rpar)
        return self.tree.offsets(last)[1] + len(closing)

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

    def _kept(
        self, owner: cst.ClassDef, known: EnvClass, default: cst.BaseExpression | None, used: Sequence[cst.Name]
    ) -> Edits | str:
        """What lets the class take and keep the mode; a string says why that cannot be."""
        if known.wrapper or self._keeps_mode(owner):
            return self._other_mode(owner, default, used)
        if known.parents or known.base.rpartition(".")[2] != "Env":
            return "its base class may store the mode itself"
        stored = self._stored(owner, self.tree.source(default) if default is not None else "None")
        listed = self._listed(owner, default, used) if default is not None else ()
        if isinstance(stored, str) or isinstance(listed, str):
            return stored if isinstance(stored, str) else listed
        return (*listed, *stored)

    def _other_mode(
        self, owner: cst.ClassDef, default: cst.BaseExpression | None, used: Sequence[cst.Name]
    ) -> Edits | str:
        """Nothing to add where the class keeps its mode; a string says that this is no mode of `render`."""
        begin = method(owner, "__init__")
        params = (*begin.params.params, *begin.params.kwonly_params) if begin is not None else ()
        own = next((one.default for one in params if one.name.value == "render_mode"), None)
        mode = string_value(own) if own is not None else ""
        compared = {text for read in used for text in self._compared(read)}
        asked = {*compared, string_value(default) if default is not None else ""}
        if not mode or not compared or mode in asked or mode.removesuffix("_list") in MODES:
            return ()
        if any(modes is not None and mode in modes for modes in self._listings(owner)):
            return ()
        return f"`self.render_mode` is `{mode}` by default, which `render` does not know as a mode"

    def _listed(self, owner: cst.ClassDef, default: cst.BaseExpression, used: Sequence[cst.Name]) -> Edits | str:
        """The modes in `metadata`, without which `render` raises; a string says why they cannot be listed."""
        mode = string_value(default)
        if is_name(default, "None"):
            return ()
        if listings := self._listings(owner):
            missing = mode and any(modes is not None and mode not in modes for modes in listings)
            return f"its metadata does not list the mode `{mode}`, which it draws in by default" if missing else ()
        if not mode:
            return "the class lists no modes, and the one that it draws in by default is not visible"
        if len(owner.bases) > 1 and self.span(owner.bases[0].value) not in self.facts.names:
            return "the class lists no modes, and another base may do so"
        compared = [one for read in used for one in self._compared(read)]
        return self._metadata(owner, list(dict.fromkeys([mode, *compared])))

    def _listings(self, owner: cst.ClassDef) -> list[frozenset[str] | None]:
        """The modes that each metadata of the class lists; None where that is not visible, or nothing is checked."""
        found: list[tuple[cst.Assign | cst.AnnAssign, list[cst.BaseAssignTargetExpression]]]
        found = [(one, [target.target for target in one.targets]) for one in self.tree.of_type(cst.Assign)]
        found += [(one, [one.target]) for one in self.tree.of_type(cst.AnnAssign)]
        of_class = [one for one, targets in found if any(self._is_metadata_of(owner, target) for target in targets)]
        if not of_class and self.tree.scopes.bindings(owner, "metadata"):
            return [None]
        return [_modes(one.value) for one in of_class]

    def _is_metadata_of(self, owner: cst.ClassDef, target: cst.BaseExpression) -> bool:
        """Whether `metadata = ...` or `self.metadata = ...` stands in the class, or `Walk.metadata = ...` anywhere."""
        if isinstance(target, cst.Attribute) and target.attr.value == "metadata":
            inside = owner in self.tree.ancestors(target) and self._is_of_own(target.value)
            return inside or is_name(target.value, owner.name.value)
        return is_name(target, "metadata") and self.tree.scope(target) is owner

    def _compared(self, read: cst.Name) -> list[str]:
        """The texts that a comparison compares the mode with."""
        above = self.tree.parents[read]
        comparison = above if isinstance(above, cst.Comparison) else self.tree.parents[above]
        if not isinstance(comparison, cst.Comparison):
            return []
        texts = [one for one in self.tree.descend(comparison) if isinstance(one, cst.SimpleString)]
        return [string_value(one) for one in sorted(texts, key=self.tree.span) if string_value(one)]

    def _metadata(self, owner: cst.ClassDef, modes: Sequence[str]) -> Edits:
        """`metadata = {"render_modes": [...]}` as the first statement of the class."""
        first = owner.body.body[int(docstring(owner) is not None)]
        decorators = first.decorators if isinstance(first, (cst.FunctionDef, cst.ClassDef)) else ()
        row = self.tree.span(decorators[0] if decorators else first).row
        while self.tree.lines.row(row - 1).lstrip().startswith("#"):
            row -= 1
        start, line = self.tree.lines.offset(row, 0), newline(self.tree)
        listed = ", ".join(f'"{mode}"' for mode in modes)
        gap = "" if isinstance(first, cst.SimpleStatementLine) else line
        text = f'{indentation(self.tree, first)}metadata = {{"render_modes": [{listed}]}}{line}{gap}'
        return (Edit(start, start, text),)

    def _stored(self, owner: cst.ClassDef, default: str) -> Edits | str:
        """What lets `__init__` take and keep the mode; a string says why that cannot be."""
        begin = method(owner, "__init__")
        if begin is None or not isinstance(begin.body, cst.IndentedBlock) or not own_name(begin):
            return "the class has no `__init__` that could take the mode"
        if begin.params.kwonly_params or isinstance(begin.params.star_arg, cst.Param) or begin.params.posonly_params:
            return "the parameter list of `__init__` is not supported"
        rest = begin.params.star_kwarg
        if rest is not None and self.tree.scopes.reads(begin, rest.name.value):
            return "`__init__` hands on what it does not name, and `render_mode` may be among it"
        if self.tree.scopes.mentions(begin, "render_mode"):
            return "`__init__` uses the name `render_mode` already"
        return (*self._parameter(begin, default), *self._assignment(begin))

    def _keeps_mode(self, owner: cst.ClassDef) -> bool:
        """Somewhere the class sets `render_mode`."""
        return bool(self.tree.scopes.bindings(owner, "render_mode")) or any(
            isinstance(target, cst.AssignTarget)
            and isinstance(target.target, cst.Attribute)
            and target.target.attr.value == "render_mode"
            and is_own(self.context, target.target.value)
            for target in self.tree.descend(owner)
        )

    def _parameter(self, begin: cst.FunctionDef, default: str) -> Edits:
        """`render_mode=...` behind the other parameters, on a line of its own where they have theirs."""
        last = begin.params.params[-1]
        end = self._end(last)
        row = self.tree.lines.row(self.tree.span(last).row)
        alone = not row[: self.tree.span(last).column].strip()
        gap = f"\n{indentation(self.tree, last)}" if alone else " "
        newline = "\r\n" if "\r\n" in self.tree.text else "\n"
        return (Edit(end, end, f",{gap}render_mode={default}".replace("\n", newline)),)

    def _assignment(self, begin: cst.FunctionDef) -> Edits:
        own = own_name(begin)
        target = cst.AssignTarget(cst.Attribute(cst.Name(own), cst.Name("render_mode")))
        statement = cst.Assign([target], cst.Name("render_mode"))
        body = begin.body.body
        documented = docstring(begin) is not None
        if documented and len(body) == 1 and isinstance(body[0], cst.SimpleStatementLine):
            return added_after(self.tree, body[0].body[-1], statement)
        return added_before(self.tree, body[int(documented)], statement)


def _modes(metadata: cst.BaseExpression | None) -> frozenset[str] | None:
    """The modes that a literal lists; None where it lists none, or they are not all visible."""
    for one in metadata.elements if isinstance(metadata, cst.Dict) else ():
        if isinstance(one, cst.DictElement) and string_value(one.key) in _MODE_KEYS:
            texts = one.value.elements if isinstance(one.value, (cst.List, cst.Tuple)) else ()
            modes = frozenset(string_value(text.value) for text in texts)
            return modes if isinstance(one.value, (cst.List, cst.Tuple)) and "" not in modes else None
    return None


def _called(known: EnvClass) -> str:
    """Where the program passes a mode to the method itself (empty: nowhere)."""
    place = known.render_caller
    return f"{shown(place.path)}:{place.span.row} calls it with a mode" if place is not None else ""

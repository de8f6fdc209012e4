"""Keys of environments' metadata that Gymnasium calls otherwise: where they stand, and their rename."""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.core.paths import shown
from done_lint.knowledge.rendering import METADATA_KEYS
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import class_around, environment_class, is_of_own, is_own_class, receiver
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.syntax.edits import Edits
from done_lint.syntax.shapes import is_name, method_called, string_value

_WAKES = "code of the program asks for `{}`, and what never ran there would run"
_READING = frozenset({"get", "setdefault", "pop"})


class MetadataKeys:
    """The old keys in a file."""

    def __init__(self, context: Context) -> None:
        """Look at nothing yet."""
        self._context = context
        self._tree = context.tree
        self._facts = context.facts

    def renamed(self, node: cst.SimpleString, key: str) -> Outcome:
        """The key by its new name: where classes set it and where the file reads it from them, at once."""
        if reason := self._left_behind(key):
            return unfixed(reason)
        keys = [one for one in self._strings[key] if self.is_key(one)]
        new = METADATA_KEYS[key]
        unsure = _WAKES.format(new) if new in self._facts.keys_read else ""
        together = [one for one in keys if self._is_of_class(one)]
        edits = [self._rename(one, key) for one in (together if node in together else self._beside(node, keys))]
        return fixed(f"rename the key to `{new}`", *edits, unsure=unsure)

    def is_set_by_own(self, node: cst.SimpleString) -> bool:
        """Whether a class of the file is asked for a key that it sets itself: that works until the key is renamed."""
        return any(node in self.reads(one) for one in self._strings[string_value(node)])

    def reads(self, node: cst.SimpleString) -> list[cst.SimpleString]:
        """Where the file asks the class that sets a key for it."""
        owner = self._setter(node)
        if owner is None:
            return []
        keys = [one for one in self._strings[string_value(node)] if one is not node and self.is_key(one)]
        return [one for one in keys if self._is_read(one) and owner is self._asked_class(one)]

    def _setter(self, node: cst.SimpleString) -> cst.ClassDef | None:
        """The class whose metadata has a key by this string, in its body or put there by a method."""
        if self._is_read(node) or not self._is_of_class(node) or not self.is_key(node):
            return None
        return next((one for one in self._tree.ancestors(node) if isinstance(one, cst.ClassDef)), None)

    def _is_read(self, node: cst.SimpleString) -> bool:
        """Whether the string asks for what is there: neither in a literal nor the place of an assignment."""
        if self._asked(node) is None:
            return False
        index = self._tree.parents[node]
        place = self._tree.parents[self._tree.parents[index]] if isinstance(index, cst.Index) else None
        return not isinstance(self._tree.parents.get(place) if place is not None else None, cst.AssignTarget)

    def _asked_class(self, node: cst.SimpleString) -> cst.ClassDef | None:
        """The class of the file that is asked for a key, or the one it inherits the key from."""
        asked = self._asked(node)
        if not isinstance(asked, cst.Attribute) or not is_of_own(self._context, asked.value):
            return None
        classes = {one.name.value: one for one in self._tree.of_type(cst.ClassDef)}
        around = (one for one in self._tree.ancestors(node) if isinstance(one, cst.ClassDef))
        found = next(around, None)
        if isinstance(asked.value, cst.Name) and asked.value.value in classes:
            found = classes[asked.value.value]
        known: set[cst.ClassDef] = set()
        while found is not None and found not in known:
            known.add(found)
            if any(self._setter(one) is found for one in self._strings[string_value(node)]):
                return found
            own = (one.target for one in self._tree.inside(cst.AssignTarget, found))
            if any(is_name(one, "metadata") for one in own):
                return None  # of its own, without the key
            bases = [one.value.value for one in found.bases if isinstance(one.value, cst.Name)]
            found = next((classes[base] for base in bases if base in classes), None)
        return None

    def _rename(self, node: cst.SimpleString, key: str) -> Edits:
        start, end = self._tree.offsets(node)
        return (Edit(start, end, node.value.replace(key, METADATA_KEYS[key])),)

    def _left_behind(self, key: str) -> str:
        """Who goes on to ask for the key by its old name, in one clause (empty: nobody)."""
        for place in self._facts.old_keys_read:
            if place.message == key:
                return f"{shown(place.path)}:{place.span.row} reads the old key from the class"
        if not self._is_set(key):
            return ""
        rows = [self._tree.span(one).row for one in self._strings[key] if not self.is_key(one) and self._may_read(one)]
        return f"row {min(rows)} may read the old key from it" if rows else ""

    def _may_read(self, node: cst.SimpleString) -> bool:
        """Whether the string is what something is asked for that may be the metadata of the file's classes."""
        asked = self._asked(node)
        if asked is None:
            return False
        known = isinstance(asked, cst.Attribute) and self._tree.span(asked.value) in self._facts.envs
        return not known

    @cached_property
    def _strings(self) -> dict[str, list[cst.SimpleString]]:
        """The strings of the file that are an old key."""
        found = [(string_value(one), one) for one in self._tree.of_type(cst.SimpleString)]
        return {key: [node for value, node in found if value == key] for key in METADATA_KEYS}

    def _is_set(self, key: str) -> bool:
        """Whether the metadata of a class in the file has the old key."""
        parents = [(one, self._tree.parents[one]) for one in self._strings[key]]
        return any(isinstance(parent, cst.DictElement) and self.is_key(one) for one, parent in parents)

    def _is_of_class(self, node: cst.SimpleString) -> bool:
        """Whether the key is one of the metadata that the file's classes have, and not of some environment."""
        asked = self._asked(node)
        return asked is None or (isinstance(asked, cst.Attribute) and is_of_own(self._context, asked.value))

    def _beside(self, node: cst.SimpleString, keys: list[cst.SimpleString]) -> list[cst.SimpleString]:
        """The keys that the same metadata is asked for around one: `if "key" in x: rate = x["key"]`."""
        asked = self._asked(node)
        return [one for one in keys if one is node or (asked is not None and self._is_asked(asked, one))]

    def _is_asked(self, metadata: cst.BaseExpression, key: cst.SimpleString) -> bool:
        """Whether the same function asks the same metadata for a key."""
        asked = self._asked(key)
        if asked is None or self._tree.scope(key) is not self._tree.scope(metadata):
            return False
        return self._tree.source(asked) == self._tree.source(metadata)

    def _knows_both(self, metadata: cst.BaseExpression, key: str) -> bool:
        """Whether the same function asks it for the new key, too: it reads the metadata of both libraries."""
        strings = (one for one in self._tree.of_type(cst.SimpleString) if string_value(one) == METADATA_KEYS[key])
        return any(self._is_asked(metadata, one) for one in strings)

    def _asked(self, node: cst.SimpleString) -> cst.BaseExpression | None:
        """`x` of `x["key"]`, `x.get("key")` and `"key" in x`."""
        parent = self._tree.parents[node]
        if isinstance(parent, cst.Comparison):
            (first, *others) = parent.comparisons
            tests = parent.left is node and not others and isinstance(first.operator, (cst.In, cst.NotIn))
            return first.comparator if tests else None
        if isinstance(parent, cst.Index):
            subscript = self._tree.parents[self._tree.parents[parent]]
            return subscript.value if isinstance(subscript, cst.Subscript) else None
        call = self._tree.parents.get(parent)
        if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call) or call.args[0] is not parent:
            return None
        return receiver(call) if method_called(call) in _READING else None

    def is_key(self, node: cst.SimpleString) -> bool:
        """Whether the string is a key of an environment's metadata."""
        parent = self._tree.parents[node]
        if isinstance(parent, cst.DictElement):
            literal = self._tree.parents[parent]
            return parent.key is node and isinstance(literal, cst.Dict) and self._becomes_metadata(literal)
        asked = self._asked(node)
        if asked is None or not self._is_metadata(asked) or self._knows_both(asked, string_value(node)):
            return False
        by_class = isinstance(asked, cst.Attribute) and is_own_class(self._context, asked.value)
        return not by_class or self._is_set(string_value(node)) or self._inherits(node)

    def _inherits(self, node: cst.SimpleString) -> bool:
        """Whether the string stands in a class that has its metadata from another file, perhaps."""
        owner = class_around(self._context, node)
        return owner is not None and any(path != owner.path for path, _ in owner.parents)

    def _becomes_metadata(self, literal: cst.Dict) -> bool:
        """`metadata = {...}`, `self.metadata = {...}`, `self.metadata.update({...})`, with no key by both its names.

        A key that has its new name already says nothing of another one, which Gymnasium does not find.
        """
        keys = {string_value(one.key) for one in literal.elements if isinstance(one, cst.DictElement)}
        if any({old, new} <= keys for old, new in METADATA_KEYS.items()):
            return False  # for old Gym and for Gymnasium
        parent = self._tree.parents[literal]
        if isinstance(parent, cst.Assign):
            return any(self._is_metadata(one.target) for one in parent.targets)
        if isinstance(parent, cst.AnnAssign):
            return self._is_metadata(parent.target)
        call = self._tree.parents.get(parent)
        if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call):
            return False
        return method_called(call) == "update" and self._is_metadata(receiver(call))

    def _is_metadata(self, node: cst.BaseExpression) -> bool:
        """The metadata of an environment, or of its class."""
        if isinstance(node, cst.Attribute) and node.attr.value == "metadata":
            env = self._facts.envs.get(self._tree.span(node.value))
            return is_of_own(self._context, node.value) or (env is not None and env.api.five)
        scope = self._tree.scope(node)
        return is_name(node, "metadata") and environment_class(self._context, scope) is not None

"""An environment defines `_step`, `_reset` or another method that Gymnasium never calls.

## What it does
Reports methods `_step`, `_reset`, `_seed`, `_render` and `_close` of an environment class that has no public method
of that name, nor inherits or overrides one in the project. Also `_action`, `_observation` and `_reward` of the wrapper
that is named after them.

## Why it matters
Before Gym 0.9.6 an environment defined these methods, and the public ones of the library called them. Gymnasium does
not: `reset()` returns `None` without an error, and `step()` raises `NotImplementedError`, as does that of a wrapper
without its `action`.

## Example
```python
import gymnasium as gym


class Walk(gym.Env):
    def _reset(self):
        self.x = 0
        return self.x
```

## Use instead
```python
import gymnasium as gym


class Walk(gym.Env):
    def reset(self):
        self.x = 0
        return self.x
```

## Fix safety
Safe: the method and the calls of it in the class are renamed. Other rules then report what the method
has to take and return today. There is no fix where the class inherits from classes in other files, or they from it,
and where other code uses the name.

## References
- [Gym 0.9.6: environments define the public methods](https://github.com/openai/gym/releases/tag/v0.9.6)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.core.reach import reach
from done_lint.facts.kinds.classes import EnvClass
from done_lint.knowledge.underscore_methods import NAMES, OTHERS, RUNNING, TRANSFORMING
from done_lint.rewrites.env_methods import class_of, environment_class, method_around, own_name
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rules.base import Rule, placed
from done_lint.syntax.shapes import is_name, only_target

#: What the library calls instead, where that is not the public method of the same name.
_TODAY = {"_seed": "a seed comes by `reset(seed=...)`, and only the program calls `seed`"}


class UnderscoreMethod(Rule):
    """GYM308."""

    code = "GYM308"
    incompatibility = "has a name that Gymnasium never calls"

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """Look at every method with one of the old names."""
        name = node.name.value
        owner = class_of(self.context, node) if name in NAMES else None
        known = environment_class(self.context, owner) if owner is not None else None
        if owner is None or known is None or not self._is_meant(known, name):
            return
        outcome = self._outcome(node, known)
        self.report(
            node.name,
            f"Gymnasium never calls `{name}`: {_TODAY.get(name, f'the method is called `{name[1:]}`')}",
            help=f"rename it to `{name[1:]}`",
            outcome=outcome,
            related=[place for one in known.evidence for place in self.elsewhere(owner.name, one)],
        )

    def _is_meant(self, known: EnvClass, name: str) -> bool:
        """Whether the method was written for the library to call."""
        if known.foreign or not _is_missing(known, name) or self._is_put_in_place(known, name):
            return False
        if name in TRANSFORMING:
            kind = known.base.rpartition(".")[2]
            return kind == TRANSFORMING[name] and not self._is_called(known, name)
        if name in OTHERS:
            return any(old in known.methods and _is_missing(known, old) for old in RUNNING)
        # In a class with today's methods that calls it, or has it called, the old name is a method of its own.
        other = "_reset" if name == "_step" else "_step"
        if _is_missing(known, other):
            return other in known.methods or not self._is_called(known, name)
        return not any(self._uses(name))

    def _is_put_in_place(self, known: EnvClass, name: str) -> bool:
        """`self.step = self._step`: whoever calls `step` calls it."""
        family = self._family(known)
        uses = (use for use in self._uses(name) if self._belongs(use, family))
        targets = (only_target(self.tree.parents[use]) for use in uses)
        return any(isinstance(one, cst.Attribute) and one.attr.value == name[1:] for one in targets)

    def _is_called(self, known: EnvClass, name: str) -> bool:
        """Whether the class uses the method itself."""
        family = self._family(known)
        return any(self._belongs(one, family) for one in self._uses(name))

    def _family(self, known: EnvClass) -> Sequence[EnvClass]:
        """The classes of this file that inherit from one another, whatever lies between them."""
        classes = self.facts.classes

        def related(row: int) -> list[int]:
            one = classes[row]
            return [row for path, row in (*one.parents, *one.children) if path == known.path and row in classes]

        return [classes[row] for row in sorted(reach([known.row], related))]

    def _outcome(self, node: cst.FunctionDef, known: EnvClass) -> Outcome:
        name = node.name.value
        family = self._family(known)
        if any(path != known.path for one in family for path, _ in (*one.parents, *one.children)):
            return unfixed("classes in other files inherit from it, or it from them")
        uses = [one.name for one in self._definitions(name, family)]
        for use in self._uses(name):
            if self._is_anothers(use):
                continue
            if not self._belongs(use, family):
                return unfixed(f"`{self.source(use)}` uses it too")
            uses.append(use.attr)
        elsewhere = [read for one in family for read in one.old_reads if read.message == f"`{name}`"]
        if elsewhere:
            return unfixed(f"{placed(elsewhere[0])} uses it too")
        edits = tuple(Edit(start, end, name[1:]) for start, end in map(self.tree.offsets, uses))
        return fixed(f"rename it to `{name[1:]}`", edits)

    def _uses(self, name: str) -> Iterator[cst.Attribute]:
        yield from self.tree.attributes(name)

    def _definitions(self, name: str, family: Sequence[EnvClass]) -> Iterator[cst.FunctionDef]:
        """The methods of that name: each class of the family may have one."""
        rows = {one.row for one in family}
        for method in self.tree.of_type(cst.FunctionDef):
            owner = class_of(self.context, method) if method.name.value == name else None
            if owner is not None and self.span(owner.name).row in rows:
                yield method

    def _is_anothers(self, use: cst.Attribute) -> bool:
        """`self._observation` in a class that has such a method itself, for no library to call."""
        method = method_around(self.context, use)
        owner = class_of(self.context, method) if method is not None else None
        if method is None or owner is None or not is_name(use.value, own_name(method) or "self"):
            return False
        known, name = environment_class(self.context, owner), use.attr.value
        defined = [one.name.value for one in owner.body.body if isinstance(one, cst.FunctionDef)]
        return name in defined and (known is None or not self._is_meant(known, name))

    def _belongs(self, use: cst.Attribute, family: Sequence[EnvClass]) -> bool:
        """`self._step` or `super()._step` in a class of the family, or `Walk._step` by the name of one."""
        receiver = use.value
        if isinstance(receiver, cst.Name) and any(receiver.value == one.name for one in family):
            return True
        method = method_around(self.context, use)
        owner = class_of(self.context, method) if method is not None else None
        if method is None or owner is None or all(self.span(owner.name).row != one.row for one in family):
            return False
        if isinstance(receiver, cst.Call):
            return isinstance(receiver.func, cst.Name) and receiver.func.value == "super"
        return isinstance(receiver, cst.Name) and receiver.value == own_name(method)


def _is_missing(known: EnvClass, name: str) -> bool:
    """No public method of that name stands above the class or below it."""
    return name[1:] not in known.methods and name[1:] not in known.overridden

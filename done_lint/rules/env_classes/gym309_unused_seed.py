"""An environment's `reset` takes a seed and does nothing with it.

## What it does
Reports a `reset` with an argument `seed` that it never reads, in a class that inherits from the library's
environments or wrappers. A test double is not reported: it implements what its tests call. Nor is a wrapper that
chooses the seed of each episode, from a pool that it keeps say.

## Why it matters
`env.reset(seed=0)` should make the episode repeatable, and does not: `self.np_random` stays unseeded,
or the wrapped environment never gets the seed. Gymnasium's `check_env` rejects such an environment.

## Example
```python
import gymnasium as gym


class Corridor(gym.Env):
    def reset(self, *, seed=None, options=None):
        self.place = self.np_random.integers(5)
        return self.place, {}
```

## Use instead
```python
import gymnasium as gym


class Corridor(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = self.np_random.integers(5)
        return self.place, {}
```

## Fix safety
Safe: without a seed nothing changes. A `reset` of the base that this one replaces is not run for the seed:
`super(Base, self).reset(seed=seed)`. There is no fix where the default of `seed` is not None: each `reset()` without a
seed would start the same episode. Nor where several are replaced, and where it is not clear which reset
of a wrapper comes first. Nor where the class draws all its random numbers from elsewhere (`random`, `numpy.random`, a
generator that its constructor or its `seed` makes, a space): the seed would still have no effect. Draw them from
`self.np_random`. Nor where an object of the project that it holds makes such a generator. Where a base or a subclass
in another file may draw from `np_random`, and the class itself draws from such a module, the fix is unsafe. Nor is
there one where its `reset` resets a part of it (`self.simulator.reset()`), which the seed would not reach, and nothing
in the file draws from `np_random`. Nor where the class stands for another environment, which its `reset` resets: the
seed belongs there.

## References
- [Gymnasium: Env.reset](https://gymnasium.farama.org/api/env/#gymnasium.Env.reset)
- [Gymnasium: check_env](https://gymnasium.farama.org/api/utils/#gymnasium.utils.env_checker.check_env)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

import libcst as cst

from done_lint.core.reach import reach
from done_lint.knowledge.array_functions import MAKING_GENERATORS
from done_lint.rewrites.env_methods import (
    EnvMethod,
    calls_base,
    calls_of,
    env_methods,
    is_abstract,
    is_super,
    parameters,
)
from done_lint.rewrites.env_methods import method as method_named
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.seeds.drawing_parts import drawing_part
from done_lint.rewrites.seeds.seed_forwarding import Unforwardable, forwarding
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import dotted, last_name
from done_lint.syntax.shapes import is_name, string_value

#: A line that stands for others.
_LEFT_OUT = re.compile(r"""\s*(#|[rb]?["']{1,3})?\s*[\[(<]?\s*(\.{3}|\N{HORIZONTAL ELLIPSIS})\s*[\])>]?["']{0,3}\s*$""")


class UnusedSeed(Rule):
    """GYM309."""

    code = "GYM309"
    incompatibility = ""

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every `reset` of an environment class."""
        for method in env_methods(self.context, "reset"):
            taken = [parameter.name.value for parameter in parameters(method.function)]
            if (
                "seed" not in taken
                or method.owner.double
                or is_abstract(method.function)
                or self._is_shortened(method.function)
                or self._is_used(method.function)
                or self._is_placeholder(method)
                or self._says_ignored(method)
                or self._chooses(method)
            ):
                continue
            outcome = self._outcome(method, [name for name in ("seed", "options") if name in taken])
            place = "the wrapped environment" if method.owner.wrapper else "`super().reset(seed=seed)`"
            effect = "a seed has no effect" if self._may_be_random(method) else _UNSEEDED
            if inside := self._reset_inside(method):
                place, outcome = f"`{inside}(seed=seed)`", unfixed(_INSIDE)
            self.report(
                method.function.name,
                f"`{method.owner.name}.reset` takes a `seed` and never uses it: {effect}",
                help=f"pass it on to {place}",
                outcome=outcome,
                related=method.owner.evidence,
            )

    def _may_be_random(self, method: EnvMethod) -> bool:
        """Whether something is in sight that a seed could change: an environment inside, or a generator."""
        if method.owner.wrapper or self._reset_inside(method):
            return True
        family = method.owner.parents or method.owner.children
        return any(map(self._is_random, [self.tree.module] if family else self._bodies(method)))

    def _is_random(self, body: cst.CSTNode) -> bool:
        """Whether a generator is used or made in some code."""
        if any(one.attr.value == "np_random" for one in self.tree.inside(cst.Attribute, body)):
            return True
        calls = list(self.tree.inside(cst.Call, body))
        return any(self._drawn_from(one) or last_name(one.func) in MAKING_GENERATORS for one in calls)

    def _bodies(self, method: EnvMethod) -> list[cst.CSTNode]:
        """The class, and the functions of its file that it names."""
        used = {one.value for one in self.tree.inside(cst.Name, method.body)}
        rows = self.tree.module.body
        return [method.body, *(one for one in rows if isinstance(one, cst.FunctionDef) and one.name.value in used)]

    def _reset_inside(self, method: EnvMethod) -> str:
        """The `reset` of another environment that this one stands for, `self.env.reset`; empty: it has none."""
        if method.owner.wrapper:
            return ""
        calls = (one for one in self.tree.inside(cst.Call, method.function) if self.span(one) in self.facts.resets)
        others = (one.func for one in calls if isinstance(one.func, cst.Attribute) and not is_super(one.func.value))
        return next((self.source(one) for one in others if not is_name(one.value, "self")), "")

    def _chooses(self, method: EnvMethod) -> bool:
        """Whether what is inside gets a seed that the class chooses for each episode: `self.env.reset(seed=SEEDS[i])`.

        From a pool that it keeps, or counted up: that is what the class is for. Not one that stays the same, nor one
        that a module of random numbers draws.
        """
        resets = (one for one in calls_of(self.tree, method.function, "reset"))
        inside = (one for one in resets if method.owner.wrapper or not calls_base(self.tree, one))
        given = (one.value for call in inside for one in call.args if keyword(one) == "seed")
        return any(self._is_chosen(method.function, value) for value in given)

    def _is_chosen(self, function: cst.FunctionDef, value: cst.BaseExpression) -> bool:
        """Whether a seed is another one in each episode, and not drawn from a module."""
        assigned = [
            (self.tree.source(target.target), one.value)
            for one in self.tree.inside(cst.Assign, function)
            for target in one.targets
        ]
        # `start = self.start`: what a name is a copy of counts as it does
        parts = list(reach([value], lambda part: [made for name, made in assigned if name == self.tree.source(part)]))
        names = {self.tree.source(one) for one in parts}
        counted = [one for one in self.tree.inside(cst.AugAssign, function) if self.tree.source(one.target) in names]
        if any(self._drawn_from(call) for one in parts for call in self.tree.inside(cst.Call, one)):
            return False
        return bool(counted) or any(isinstance(one, (cst.BinaryOperation, cst.Call, cst.Subscript)) for one in parts)

    def _is_shortened(self, function: cst.FunctionDef) -> bool:
        """Whether `...` stands for a part of the body, as pages show it: the seed may be used there.

        As a statement, or as all that a comment or a line of the docstring says: `# (...)`.
        """
        lines = (self.tree.parents[one] for one in self.tree.inside(cst.Ellipsis, function))
        said = self.tree.source(function).splitlines()
        return any(isinstance(one, cst.Expr) for one in lines) or any(map(_LEFT_OUT.match, said))

    def _is_placeholder(self, method: EnvMethod) -> bool:
        """Whether a class stands for an environment: its `step` only raises, and its `reset` calls nothing."""
        step = method_named(method.body, "step")
        return step is not None and is_abstract(step) and not any(self.tree.inside(cst.Call, method.function.body))

    def _says_ignored(self, method: EnvMethod) -> bool:
        """Whether the class has a `seed` that does nothing but say so: what is inside takes none."""
        seeding = method_named(method.body, "seed")
        rows = seeding.body.body if seeding is not None else ()
        statements = [one for row in rows if isinstance(row, cst.SimpleStatementLine) for one in row.body]
        if not statements or len(statements) != len(rows):
            return False
        said = [one for one in statements if isinstance(one, cst.Expr) and self._is_warning(one.value)]
        others = (one for one in statements if one not in said)
        return bool(said) and all(isinstance(one, (cst.Pass, cst.Return)) or _is_text(one) for one in others)

    def _is_warning(self, value: cst.BaseExpression) -> bool:
        """`print("seed ignored")`, `warnings.warn("there is no seed")`."""
        if not isinstance(value, cst.Call) or last_name(value.func) not in _SAYING:
            return False
        return any("seed" in (string_value(one.value) or "").lower() for one in value.args)

    def _is_used(self, function: cst.FunctionDef) -> bool:
        """Whether the seed is read, other than to drop it (`del seed`, `_ = seed`)."""
        return any(not self._is_dropped(read) for read in self.tree.scopes.reads(function, "seed"))

    def _is_dropped(self, read: cst.CSTNode) -> bool:
        parent = self.tree.parents[read]
        while isinstance(parent, (cst.Element, cst.Tuple)):
            parent = self.tree.parents[parent]
        if isinstance(parent, cst.Assign):
            return all(isinstance(one.target, cst.Name) and one.target.value == "_" for one in parent.targets)
        return isinstance(parent, cst.Del)

    def _outcome(self, method: EnvMethod, names: list[str]) -> Outcome:
        if self._seeds_itself(method, "__init__"):
            return unfixed(_OWN_GENERATOR)
        if self._seeds_itself(method, "seed"):
            return unfixed(_OWN_SEED)
        if part := drawing_part(self.tree, method):
            return unfixed(f"`{part}` draws from a generator of its own, which the seed would not reach")
        if inside := self._stirred_inside(method):
            return unfixed(f"`{inside}` is reset without it, and the seed for `np_random` would not reach that")
        if module := self._draws_elsewhere(method):
            return unfixed(f"its random numbers come from `{module}`, which the seed would not reach")
        try:
            edits = forwarding(self.context, method, names)
        except Unforwardable as reason:
            return unfixed(str(reason))
        module = self._draws_itself(method)
        unsure = f"it draws from `{module}` too, which the seed would not reach" if module else ""
        return fixed("pass the seed on", edits, unsure=unsure)

    def _seeds_itself(self, method: EnvMethod, name: str) -> bool:
        """Whether a method makes a generator of a seed that it takes: `np_random` is not what is drawn from."""
        seeding = method_named(method.body, name)
        if seeding is None:
            return False
        taken = {one.name.value for one in parameters(seeding)}
        return any(
            isinstance(read, cst.Name) and read.value in taken
            for call in self.tree.inside(cst.Call, seeding)
            if last_name(call.func) in MAKING_GENERATORS
            for argument in call.args
            for read in self.tree.descend(argument.value)
        )

    def _stirred_inside(self, method: EnvMethod) -> str:
        """A part of the environment that its `reset` resets, where the class itself draws nothing: `self.simulator`."""
        if method.owner.wrapper or any(one.attr.value == "np_random" for one in self.tree.of_type(cst.Attribute)):
            return ""
        calls = (one.func for one in self.tree.inside(cst.Call, method.function))
        resets = (one.value for one in calls if isinstance(one, cst.Attribute) and one.attr.value == "reset")
        parts = (one for one in resets if isinstance(one, cst.Attribute) and is_name(one.value, "self"))
        return next((self.source(one) for one in parts), "")

    def _draws_elsewhere(self, method: EnvMethod) -> str:
        """The module whose generator an environment draws from, itself or by functions of its file; or nothing.

        Not where it has something of `np_random`, or another class of the project may: its base or its heir. Where
        these stand in the same file, it shows that they do not.
        """
        owner = method.owner
        above = owner.inherited is None or not (owner.inherited.only_seeds or owner.inherited.below_seeding)
        family = {path for path, _ in (*owner.parents, *owner.children)}
        if owner.wrapper or above or family - {owner.path}:
            return ""
        seen = self.tree.of_type(cst.Attribute) if family else self.tree.inside(cst.Attribute, method.body)
        if any(one.attr.value == "np_random" for one in seen):
            return ""
        return self._module_drawn_from(method)

    def _draws_itself(self, method: EnvMethod) -> str:
        """The module that an environment draws from, where only a class of another file may use `np_random`."""
        if method.owner.wrapper or any(one.attr.value == "np_random" for one in self.tree.of_type(cst.Attribute)):
            return ""
        return self._module_drawn_from(method)

    def _module_drawn_from(self, method: EnvMethod) -> str:
        """The module whose generator a class draws from, itself or by functions of its file."""
        drawing = (self._drawn_from(call) for one in self._bodies(method) for call in self.tree.inside(cst.Call, one))
        return next((module for module in drawing if module), "")

    def _drawn_from(self, call: cst.Call) -> str:
        """`np.random` of `np.random.permutation(9)`, where that is NumPy's own; `random` of `random.choice(x)`.

        Or the space of `self.state_space.sample()`: each space has a generator of its own.
        """
        module, _, drawn = dotted(call.func).rpartition(".")
        if drawn == "sample" and module.endswith("space"):
            return module
        if drawn in MAKING_GENERATORS or drawn == "seed":
            return ""
        return module if module in self._modules else self._functions.get(dotted(call.func), "")

    @cached_property
    def _modules(self) -> frozenset[str]:
        """What the file calls the modules that have a generator of their own."""
        aliases = [one for statement in self.tree.of_type(cst.Import) for one in statement.names]
        found = {dotted(one.name): one.evaluated_alias or dotted(one.name) for one in aliases}
        names = {f"{found['numpy']}.random"} if "numpy" in found else set()
        names |= {name for module, one, name in self._imported if (module, one) == ("numpy", "random")}
        return frozenset(names | {found[one] for one in ("random", "numpy.random") if one in found})

    @cached_property
    def _functions(self) -> Mapping[str, str]:
        """The functions that are imported from these modules, `choice`, each with its module."""
        return {
            name: module
            for module, one, name in self._imported
            if module in ("random", "numpy.random") and one not in (*MAKING_GENERATORS, "seed")
        }

    @cached_property
    def _imported(self) -> Sequence[tuple[str, str, str]]:
        """What the file imports from where: the module, the name there and the name here."""
        return [
            (dotted(statement.module), one.evaluated_name, one.evaluated_alias or one.evaluated_name)
            for statement in self.tree.of_type(cst.ImportFrom)
            if statement.module is not None and not isinstance(statement.names, cst.ImportStar)
            for one in statement.names
        ]


def _is_text(statement: cst.BaseSmallStatement) -> bool:
    """A docstring."""
    return isinstance(statement, cst.Expr) and isinstance(statement.value, cst.SimpleString)


#: Calls that say something to the user.
_SAYING = frozenset({"info", "print", "warn", "warning"})
#: What is true of an environment where nothing random is in sight: `check_env` asks whether the generator is there.
_UNSEEDED = "`np_random` stays unseeded, and `check_env` rejects the environment"
#: Why there is no fix.
_INSIDE = "the environment that is reset inside would not get the seed"
_OWN_SEED = "its own `seed` seeds another generator, which a seed for `np_random` would not reach"
_OWN_GENERATOR = "its constructor seeds a generator of its own, which a seed for `np_random` would not reach"

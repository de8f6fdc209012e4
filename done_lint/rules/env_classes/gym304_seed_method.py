"""An environment defines `seed`, which Gymnasium never calls.

## What it does
Reports a method `seed` of a class that inherits from the library's environments or wrappers. A method that
the class's own `reset` passes its seed to is not reported, nor one of a class whose `reset` makes use of its seed by
itself or of the seed that the method kept, nor one that does no more than `super().reset(seed=seed)` where `reset`
passes its seed on, nor one that code of the project calls with a seed, nor one that `env.unwrapped.seed(3)` may call,
where no class of the environment is seen; up to Gymnasium 0.29, whose wrappers forward any method, that may be a call
behind wrappers.

## Why it matters
Since Gym 0.26 the seed is passed to `reset(seed=s)`, and nothing calls `seed`. What the method
seeds stays unseeded, without an error.

## Example
```python
import gymnasium as gym
from gymnasium.utils import seeding


class Corridor(gym.Env):
    def __init__(self):
        self.seed()

    def seed(self, seed=None):
        self.np_random, seed = seeding.np_random(seed)
        return [seed]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = self.np_random.integers(5)
        return self.place, {}
```

## Use instead
```python
import gymnasium as gym


class Corridor(gym.Env):
    def __init__(self):
        pass

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = self.np_random.integers(5)
        return self.place, {}
```

## Fix safety
Safe: the fix removes the method where all it does is to seed `self.np_random`, as `super().reset(seed=seed)` does
now, or to pass the seed to the wrapped environment. Calls of it in the class are removed too, or seed
`self.np_random` in place. There is no fix before `reset` passes its seed on (GYM302, GYM309),
nor where the method does more.

## References
- [Gymnasium: Env.np_random](https://gymnasium.farama.org/api/env/#gymnasium.Env.np_random)
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.knowledge.gymnasium_changes import ONE
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.env_methods import (
    EnvMethod,
    calls_base,
    calls_of,
    env_methods,
    environment_class,
    is_own,
    is_super,
    method,
    own_name,
    parameters,
    receiver,
    statements,
)
from done_lint.rewrites.imports import with_names
from done_lint.rewrites.outcome import fixed, unfixed
from done_lint.rewrites.seeds.seed_forwarding import inner_resets, seeds
from done_lint.rewrites.seeds.used_seeds import UsedSeeds
from done_lint.rules.base import Rule, placed
from done_lint.syntax.arguments import keyword
from done_lint.syntax.edits import Edits, removed, replaced
from done_lint.syntax.expressions import assignment, bare_tuple
from done_lint.syntax.removals import method_removed, removed_with_gap
from done_lint.syntax.shapes import is_name


class Needed(Exception):
    """The method cannot go; the message says why, in one clause."""


class Leaving(NamedTuple):
    """A method that can go: its edits, and the reads of `seeding` that go with it."""

    edits: Edits
    reads: frozenset[cst.CSTNode]


class SeedMethod(Rule):
    """GYM304."""

    code = "GYM304"
    incompatibility = ""

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every `seed` of an environment class; those that can go, go together with their import."""
        found = [one for one in env_methods(self.context, "seed") if not self._helps_reset(one)]
        leaving = [self._leaving(one) for one in found]
        ready = [one for one in leaving if isinstance(one, Leaving)]
        reads = frozenset[cst.CSTNode]().union(*(one.reads for one in ready))
        removal = fixed("remove `seed`", *(one.edits for one in ready), self._import_edits(reads))
        for one, change in zip(found, leaving):
            outcome = removal if isinstance(change, Leaving) else unfixed(change)
            self.report(
                one.function.name,
                f"`{one.owner.name}` defines `seed`, which Gymnasium never calls{self._effect(one)}",
                help="seed in `reset`: `super().reset(seed=seed)` seeds `self.np_random`",
                outcome=outcome,
                related=one.owner.evidence,
            )

    def _effect(self, one: EnvMethod) -> str:
        """What comes of it, as far as that can be seen."""
        if (caller := one.owner.seed_maybe_called) is not None:
            return f", but {placed(caller)} may"
        if (caller := one.owner.seed_caller) is not None:
            return f"; {placed(caller)} does"  # perhaps not alone
        start = method(one.body, "__init__")
        calls = calls_of(self.tree, start, "seed") if start is not None else ()
        seeded = (call for call in calls if is_own(self.context, receiver(call)) and call.args)
        if any(not is_name(call.args[0].value, "None") for call in seeded):
            return ": only `__init__` does"
        return ": `reset` takes the seed" if self._is_seeded_by_reset(one) else ": a seed has no effect"

    def _helps_reset(self, one: EnvMethod) -> bool:
        """`reset` passes its seed to this method, or uses it itself, or the project calls it: one more way to seed."""
        if one.owner.seed_called or self._is_called_with_a_seed(one):
            return True
        if one.owner.seed_asked and self.context.target < ONE:
            return True  # wrappers forward it
        if self._is_seeded_by_reset(one) and any(self._resets_with_it(one, part) for part in statements(one.function)):
            return True
        reset = method(one.body, "reset")
        if reset is None:
            return False
        used = UsedSeeds(self.context, one.body)
        if any(self._seeds_something(one, given) for given in used.arguments(reset, "seed", apart=one.function)):
            return True
        kept = frozenset[str]().union(*(used.kept(one.function, name) for name in self._names(one)))
        if self._takes_seed(reset) and used.reads_in(reset, kept, apart=one.function):
            return True  # the next reset has the seed that was kept, or the one that it is given
        calls = [call for call in calls_of(self.tree, reset, "seed") if is_own(self.context, receiver(call))]
        return any(
            is_name(name, "seed")
            for call in calls
            for argument in call.args
            for name in self.tree.descend(argument.value)
        )

    def _resets_with_it(self, one: EnvMethod, statement: cst.CSTNode) -> bool:
        """`super().reset(seed=seed)` with the seed that the method takes: Gymnasium's own way to seed."""
        call = statement.value if isinstance(statement, (cst.Expr, cst.Return)) else None
        if not isinstance(call, cst.Call) or call not in inner_resets(self.tree, one):
            return False
        return any(keyword(given) == "seed" and self.source(given.value) in self._names(one) for given in call.args)

    def _does_more(self, one: EnvMethod, statement: cst.CSTNode) -> bool:
        """Whether a statement of the method does what no `reset(seed=seed)` of the library does."""
        known = (self._seeded, self._passes_on, self._says_nothing, self._resets_with_it)
        return not any(does(one, statement) for does in known)

    def _is_seeded_by_reset(self, one: EnvMethod) -> bool:
        """Whether the `reset` of the class passes its seed on, and so seeds all that the method seeds."""
        if any(self._does_more(one, statement) for statement in statements(one.function)):
            return False
        try:
            self._check_reset(one)
        except Needed:
            return False
        return True

    def _is_called_with_a_seed(self, one: EnvMethod) -> bool:
        """Another method of the class hands a seed to this one: `self.seed(seed)` in what `reset` calls first."""
        others = [node for node in one.body.body.body if isinstance(node, cst.FunctionDef) and node is not one.function]
        if any(self._seeded(one, statement) is not None for statement in statements(one.function)):
            # what seeds the generator of the class in `__init__` is no way to seed it later, as `reset` is
            others = [other for other in others if other.name.value != "__init__"]
        calls = (call for other in others for call in calls_of(self.tree, other, "seed"))
        return any(is_own(self.context, receiver(call)) and call.args for call in calls)

    def _takes_seed(self, reset: cst.FunctionDef) -> bool:
        """Whether a `reset` takes a seed, or any keywords."""
        keywords = isinstance(reset.params.star_kwarg, cst.Param)
        return keywords or any(one.name.value == "seed" for one in parameters(reset))

    def _seeds_something(self, one: EnvMethod, argument: cst.Arg) -> bool:
        """An argument of a call, other than of `super().reset(seed=seed)` or that of what a wrapper has inside."""
        call = self.tree.parents[argument]
        if not isinstance(call, cst.Call):
            return False
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "reset":
            return True
        return not (one.owner.wrapper or calls_base(self.tree, call))

    def _leaving(self, one: EnvMethod) -> Leaving | str:
        """What goes with the method, or why it cannot go, in one clause."""
        try:
            generator = self._generator(one)
            self._check_reset(one)
            edits = [edit for read in self._mentions(one) for edit in self._without_call(read, generator)]
        except Needed as reason:
            return str(reason)
        seeds_here = any(self._call_seed(read) is not None for read in self._mentions(one))
        reads = frozenset[cst.CSTNode]() if seeds_here else frozenset(self.tree.descend(one.function))
        return Leaving((*method_removed(self.tree, one.body, one.function), *edits), reads)

    def _generator(self, one: EnvMethod) -> cst.BaseExpression | None:
        """The function that the method seeds `np_random` with, if it does nothing else."""
        if one.owner.seed_heirs:
            raise Needed("a class that inherits from it calls it")
        if one.owner.seed_maybe_called is not None:
            raise Needed("code that seeds what it steps may call it")
        if (caller := one.owner.seed_past_wrappers) is not None:
            raise Needed(f"{placed(caller)} may call it past all wrappers")
        generator: cst.BaseExpression | None = None
        for statement in statements(one.function):
            call = self._seeded(one, statement)
            if call is not None:
                generator = call.func
            elif not self._passes_on(one, statement) and not self._says_nothing(one, statement):
                raise Needed(f"a reset with the seed may not do all of it: `{self.source(statement)}`")
        return generator

    def _check_reset(self, one: EnvMethod) -> None:
        """Without the method, `reset` has to seed."""
        reset = method(one.body, "reset")
        if reset is not None and not seeds(self.tree, EnvMethod(one.owner, one.body, reset)):
            raise Needed("`reset` has to pass the seed on first")
        if reset is None and (one.owner.inherited is None or not one.owner.inherited.accepts("seed")):
            raise Needed("the `reset` that it inherits has to take a seed first")

    def _without_call(self, read: cst.Attribute, generator: cst.BaseExpression | None) -> Edits:
        """`self.seed()` goes; a call with a seed becomes what the method did."""
        call = self.tree.parents[read]
        statement = self.tree.parents[call]
        if not isinstance(call, cst.Call) or call.func is not read or not isinstance(statement, cst.Expr):
            raise Needed("its value is used")
        if len(call.args) > 1:
            raise Needed("it is called with more than one argument")
        seed = self._call_seed(read)
        if seed is None:
            return removed_with_gap(self.tree, statement)
        if generator is None:
            raise Needed("it is called with a seed")
        return replaced(self.tree, statement, _seeded_here(read.value, generator, seed))

    def _call_seed(self, read: cst.Attribute) -> cst.BaseExpression | None:
        """The seed of `self.seed(0)`."""
        call = self.tree.parents[read]
        seed = call.args[0].value if isinstance(call, cst.Call) and call.args else None
        return None if seed is None or self.source(seed) == "None" else seed

    def _seeded(self, one: EnvMethod, statement: cst.CSTNode) -> cst.Call | None:
        """`self.np_random, seed = seeding.np_random(seed)`: the call."""
        if not isinstance(statement, cst.Assign) or not isinstance(statement.value, cst.Call):
            return None
        if any(self.source(argument.value) not in self._names(one) for argument in statement.value.args):
            return None  # a seed of its own
        name = self.facts.names.get(self.span(statement.value.func), "")
        target = statement.targets[0].target
        first = target.elements[0].value if isinstance(target, cst.Tuple) else target
        own = own_name(one.function)
        if self.tree.source(first) not in (f"{own}.np_random", f"{own}._np_random"):
            return None
        return statement.value if name.endswith("utils.seeding.np_random") and len(statement.targets) == 1 else None

    def _passes_on(self, one: EnvMethod, statement: cst.CSTNode) -> bool:
        """`return self.env.seed(seed)` in a wrapper, `super().seed(seed)` anywhere."""
        call = statement.value if isinstance(statement, (cst.Return, cst.Expr)) else None
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or call.func.attr.value != "seed":
            return False
        inner = one.owner.wrapper and self.tree.source(receiver(call)) == f"{own_name(one.function)}.env"
        plain = all(self.source(argument.value) in self._names(one) for argument in call.args)
        return plain and (inner or is_super(receiver(call)))

    def _says_nothing(self, one: EnvMethod, statement: cst.CSTNode) -> bool:
        """`return [seed]`, `pass` and the like."""
        if isinstance(statement, (cst.Pass, cst.Raise)):
            return True
        if not isinstance(statement, cst.Return):
            return isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Ellipsis)
        return statement.value is None or not any(
            isinstance(part, (cst.Call, cst.Attribute)) for part in self.tree.descend(statement.value)
        )

    def _names(self, one: EnvMethod) -> set[str]:
        return {parameter.name.value for parameter in parameters(one.function)}

    def _mentions(self, one: EnvMethod) -> list[cst.Attribute]:
        """`self.seed` outside the method, in the class and in those of the file that inherit it."""
        heirs = _classes_by_seed(self.context).get(one.owner.methods["seed"], ())
        found = {
            node
            for heir in heirs
            for node in self.tree.inside(cst.Attribute, heir)
            if node.attr.value == "seed"
            and is_own(self.context, node.value)
            and not self.tree.within(node, one.function)
        }
        return sorted(found, key=self.span)

    def _import_edits(self, reads: frozenset[cst.CSTNode]) -> Edits:
        """Removes the imports of `seeding` that only these reads use."""
        if not reads:
            return ()
        edits: Edits = ()
        for statement in self.tree.of_type(cst.ImportFrom):
            names = () if isinstance(statement.names, cst.ImportStar) else statement.names
            for alias in names:
                if not isinstance(alias.name, cst.Name) or alias.name.value not in ("seeding", "np_random"):
                    continue
                name = alias.asname.name if alias.asname is not None else alias.name
                users = self.tree.scopes.reads(self.tree.module, name.value) if isinstance(name, cst.Name) else []
                if users and all(user in reads for user in users) and self.tree.scope(statement) is self.tree.module:
                    edits += (
                        removed(self.tree, statement)
                        if len(names) == 1
                        else replaced(self.tree, statement, with_names(statement, {alias: None}))
                    )
        return edits


@per_file
def _classes_by_seed(context: Context) -> Mapping[tuple[str, int], Sequence[cst.ClassDef]]:
    """The environment classes of the file by the `seed` that they define or inherit."""
    found: dict[tuple[str, int], list[cst.ClassDef]] = {}
    for node in context.tree.of_type(cst.ClassDef):
        owner = environment_class(context, node)
        if owner is not None and (place := owner.methods.get("seed")) is not None:
            found.setdefault(place, []).append(node)
    return found


def _seeded_here(own: cst.BaseExpression, generator: cst.BaseExpression, seed: cst.BaseExpression) -> cst.Assign:
    """`self.np_random, _ = seeding.np_random(seed)`."""
    random = cst.Attribute(own, cst.Name("np_random"))
    return assignment(bare_tuple(random, cst.Name("_")), cst.Call(generator, [cst.Arg(seed)]))

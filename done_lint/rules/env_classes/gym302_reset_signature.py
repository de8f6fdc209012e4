"""An environment's `reset` takes no `seed` or no `options`.

## What it does
Reports a `reset` without the arguments `seed` and `options`, in a class that inherits from the library's
environments or wrappers. A method that takes them in `**kwargs` is not reported.

## Why it matters
Since Gym 0.26 the seed is passed as `reset(seed=s)`, and the wrappers that `make` puts around every environment
pass both arguments on each reset. A method without them raises `TypeError: reset() got an unexpected keyword
argument 'seed'`. `super().reset(seed=seed)` is what seeds `self.np_random`.

## Example
```python
import gymnasium as gym


class Corridor(gym.Env):
    def reset(self):
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
Safe: the new arguments are optional, and the seed is only passed to the generator `self.np_random` and to the first
reset of an environment of the library that the class keeps or, in a wrapper, with the options to the first reset of the
wrapped environment. A generator that the constructor makes, and that the class draws from, is made again where a seed
is asked for: `self.rng = np.random.default_rng(seed)`; not one with a constant beside others that get a seed, which
stays the same in all copies. Unsafe where the constructor hands such a generator on: what has it would keep the old
one. A `reset` of the base that this one replaces is not run for it: `super(Base, self).reset(seed=seed)`. A seed that
the reset has had so far stays where none is asked for: `super().reset(seed=self.seed if seed is None else seed)`.
There is no fix where several are replaced, where it is not clear which reset comes first, and where the method has a
required argument.

## References
- [Gymnasium: Env.reset](https://gymnasium.farama.org/api/env/#gymnasium.Env.reset)
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.core.gymnasium_release import Release
from done_lint.rewrites.env_methods import EnvMethod, env_methods, parameters
from done_lint.rewrites.env_methods import method as method_named
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.reset_tuple.reset_methods import PENDING, converted
from done_lint.rewrites.seeds.own_generators import kept_by_another, reseeded
from done_lint.rewrites.seeds.seed_forwarding import Unforwardable, forwarding
from done_lint.rewrites.typing_names import Written, optional
from done_lint.rules.base import Rule
from done_lint.syntax.edits import Edits, newline

#: The first release of Gymnasium that needs Python 3.10 (`requires-python` of 1.2.0).
_ON_PYTHON_3_10: Release = (1, 2)
#: The names by which a wrapper has what it wraps.
_OF_WRAPPERS = ("env", "_env", "unwrapped")
_TYPES = {"seed": "int", "options": "dict"}


class ResetSignature(Rule):
    """GYM302."""

    code = "GYM302"
    incompatibility = "takes no `seed` and no `options`"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every `reset` of an environment class."""
        for method in env_methods(self.context, "reset"):
            taken = {parameter.name.value for parameter in parameters(method.function)}
            missing = [name for name in _TYPES if name not in taken]
            if method.owner.double and "seed" in taken:
                continue  # a test double for the new API, which gets no options
            if method.owner.adapter and converted(self.context, method.function) is None:
                continue  # what it adapts takes no seed as Gymnasium gives it
            if self._is_stepped_by_nobody(method) or self._wraps_nothing(method):
                continue
            if missing and method.function.params.star_kwarg is None:
                self._report(method, missing)

    def _is_stepped_by_nobody(self, method: EnvMethod) -> bool:
        """Whether the `step` of the class takes no action: it stands for an environment where only a part is called.

        That of a base whose subclasses have a `step` of their own is another one's.
        """
        if "step" in method.owner.overridden:
            return False
        step = method_named(method.body, "step")
        return step is not None and len(step.params.params) == 1 and isinstance(step.params.star_arg, cst.MaybeSentinel)

    def _wraps_nothing(self, method: EnvMethod) -> bool:
        """Whether a class with a wrapper as its base keeps no environment and has no `step`: the base is a slip.

        Its constructor is its own, and calls none of the base's; a `super().reset(seed=seed)` would raise an error.
        """
        owner, body = method.owner, method.body
        alone = owner.wrapper and not owner.parents and not owner.children and not owner.foreign
        if not alone or method_named(body, "__init__") is None or method_named(body, "step") is not None:
            return False
        reads = {one.value for one in self.tree.inside(cst.Name, body)}
        return reads.isdisjoint(("super", "__dict__", "setattr", *_OF_WRAPPERS)) and not any(
            one.attr.value == "__init__" for one in self.tree.inside(cst.Attribute, body)
        )

    def _report(self, method: EnvMethod, missing: list[str]) -> None:
        outcome = self._outcome(method, missing)
        self.report(
            method.function.name,
            f"`{method.owner.name}.reset` takes no {' and no '.join(f'`{name}`' for name in missing)}",
            help="take both, and seed `np_random`: "
            "`def reset(self, *, seed=None, options=None)` with `super().reset(seed=seed)`",
            outcome=outcome,
            related=method.owner.evidence,
        )

    def _outcome(self, method: EnvMethod, missing: list[str]) -> Outcome:
        own = parameters(method.function)
        if not own or method.function.params.posonly_params:
            return unfixed("its parameter list is not supported")
        for parameter in own[1:]:
            if parameter.default is None:
                return unfixed(f"it needs `{parameter.name.value}`, which no wrapper passes")
        if converted(self.context, method.function) is not None:
            return unfixed(PENDING)  # the reset that takes the seed moves to a line of its own
        try:
            forwarded = forwarding(self.context, method, missing)
        except Unforwardable as reason:
            return unfixed(str(reason))
        imported = self._optional("int").edits if _is_annotated(method.function) else ()
        doubt = ""
        if "seed" in missing:
            forwarded = reseeded(self.tree, method, forwarded)
            doubt = kept_by_another(self.tree, method)
        new = self._signature(method.function, missing)
        return fixed("take a seed and options", new, forwarded, imported, unsure=doubt)

    def _signature(self, function: cst.FunctionDef, missing: list[str]) -> Edits:
        """The arguments that are missing, by keyword only, behind the others and laid out as they are."""
        params = function.params
        added = [self._parameter(function, name) for name in missing]
        last = (params.kwonly_params or params.params)[-1]
        if isinstance(params.star_arg, cst.Param) and not params.kwonly_params:
            last = params.star_arg
        elif not params.kwonly_params:
            added.insert(0, "*")
        end = self._end(last)
        row = self.tree.lines.row(self.tree.span(last).row)
        indent = row[: len(row) - len(row.lstrip())]
        own_row = self.tree.span(last).row != self.tree.span(function).row and row.lstrip().startswith(last.name.value)
        gap = f"{newline(self.tree)}{indent}" if own_row else " "
        if own_row and isinstance(last.comma, cst.Comma):
            # behind the comment of the last one
            end = self.tree.text.index(newline(self.tree), end)
            return (Edit(end, end, "".join(f"{gap}{one}," for one in added)),)
        return (Edit(end, end, "".join(f",{gap}{one}" for one in added)),)

    def _end(self, parameter: cst.Param) -> int:
        """Where a parameter ends, with its default: LibCST's span holds the name alone."""
        bare = parameter.with_changes(
            comma=cst.MaybeSentinel.DEFAULT, star="", whitespace_after_param=cst.SimpleWhitespace("")
        )
        return self.tree.offsets(parameter.name)[0] + len(self.tree.module.code_for_node(bare))

    def _parameter(self, function: cst.FunctionDef, name: str) -> str:
        """A parameter, with its type where others have theirs."""
        if not _is_annotated(function):
            return f"{name}{self._equal_sign(function)}None"
        return f"{name}: {self._optional(_TYPES[name]).text} = None"

    def _equal_sign(self, function: cst.FunctionDef) -> str:
        """`=`, with the space around it that the last default of the function has."""
        equal = next((one.equal for one in reversed(parameters(function)) if one.default is not None), None)
        return self.tree.module.code_for_node(equal) if isinstance(equal, cst.AssignEqual) else "="

    def _optional(self, kind: str) -> Written:
        """A type or `None`, as the file and the releases that it has to run with allow to write it."""
        own = self.context.releases.own
        return optional(self.tree, kind, joined=own is not None and own[0] >= _ON_PYTHON_3_10)


def _is_annotated(function: cst.FunctionDef) -> bool:
    return function.returns is not None or any(one.annotation is not None for one in parameters(function))

"""A wrapper, or an argument of one, has another name in Gymnasium.

## What it does
Reports imports and uses of wrappers under their old names and from their old modules, calls with arguments that
have another name, are required or have to be a tuple now, and wrappers of one environment around a vector environment.
Also `RecordVideo(step_trigger=lambda step: True)`, which recorded whole episodes, and begins a video at each step now.

## Why it matters
Gymnasium 1.0 renamed `FrameStack`, `GrayScaleObservation`, `AutoResetWrapper` and others, and removed the
modules that contained one wrapper each (`wrappers.clip_action`). The old names raise `AttributeError` or
`ModuleNotFoundError`, the old arguments `TypeError`. A vector environment is no `Env` any more and needs
other wrappers: those of `wrappers.vector`.

## Example
```python
import gymnasium as gym
from gymnasium.wrappers.clip_action import ClipAction

env = ClipAction(gym.make("Pendulum-v1"))
env = gym.wrappers.FrameStack(env, num_stack=4)
env = gym.wrappers.RecordEpisodeStatistics(env, deque_size=20)
```

## Use instead
```python
import gymnasium as gym
from gymnasium.wrappers import ClipAction

env = ClipAction(gym.make("Pendulum-v1"))
env = gym.wrappers.FrameStackObservation(env, stack_size=4)
env = gym.wrappers.RecordEpisodeStatistics(env, buffer_length=20)
```

## Fix safety
Safe, except in a file that needs Gym for something else; the import and all uses of the name change
together, and a package's `__init__` still exports it under the old name. `FrameStackObservation` returns arrays
where `FrameStack` returned lazy ones of the same content. Unsafe for `AutoResetWrapper`, whose replacement resets a
step later. No fix where the replacement has another interface (`PixelObservationWrapper`), where an argument that is
required now had no value before, where a list that has to be a tuple now comes from elsewhere, where the same
statement imports a name that is gone, and where a release that the project runs with (`gymnasium>=0.28` in its
dependencies) does not have the new name.

## References
- [Gymnasium: Wrappers](https://gymnasium.farama.org/api/wrappers/)
- [Gymnasium: Migration guide](https://gymnasium.farama.org/introduction/migration_guide/)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

import libcst as cst

from done_lint.core.gymnasium_release import Release
from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.gymnasium_changes import (
    FIRST,
    ONE,
    SIGNATURES,
    VECTOR_WRAPPERS,
    Renamed,
    Signature,
    below_root,
    current,
    is_since_one,
    renamed,
)
from done_lint.knowledge.old_arguments import CLIP_LENGTH, EPISODE_TRIGGER, STEP_TRIGGER
from done_lint.knowledge.rendering import RECORDING
from done_lint.rewrites.before_one import stays_before_one
from done_lint.rewrites.compatibility_code import asks_first, chooses_import
from done_lint.rewrites.imports import Imported, bound_once, imports_from, readers, renamed_readers, with_names
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.rendering.recording_end import closing
from done_lint.rewrites.vectors.same_step import stays_as_made
from done_lint.rewrites.wrapper_calls import (
    arguments_call,
    as_pair,
    lacks_argument,
    no_pair,
    old_keywords,
    wrapped_env,
    wrapper_name,
    wraps_vector,
)
from done_lint.rules.base import Rule
from done_lint.rules.library.evidence import is_old
from done_lint.syntax.arguments import keyword, keyword_argument, with_argument
from done_lint.syntax.dotted import attribute, base, name_node
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.shapes import is_name, is_number

_NO_PAIR = "the code does not show that it is always a list of two"
_OTHER_FORM = "its replacement has another interface"
_NOT_CLOSED = "where the recording ends does not show, and `RecordVideo` writes its last video when it is closed"
_BEFORE_ONE = "the file needs a release before 1.0 for something else, and this would fail there"
_MODE_FIRST = "the vector environment has to reset in the same step first, or its rows would be others without an error"


class RenamedWrapper(Rule):
    """GYM405."""

    code = "GYM405"
    incompatibility = "uses a wrapper by its old name"
    since_one = True

    # --- names ------------------------------------------------------------------------------------------

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        """`from gym.wrappers import FrameStack`, `from gym.wrappers.clip_action import ClipAction`."""
        names = imports_from(node)
        old = [one for one in names if is_old(one.path, self.context.target)]
        if not old or chooses_import(self.tree, node):
            return
        outcome = self._imported(node, names, old)
        self._tell(node, old[0].path, outcome)

    def visit_Attribute(self, node: cst.Attribute) -> None:
        """`gym.wrappers.FrameStack`."""
        name = below_root(self.facts.names.get(self.span(node), ""))
        if not is_old(name, self.context.target) or asks_first(self.tree, node):
            return
        self._tell(node, name, self._attribute(node, name))

    def _tell(self, node: cst.CSTNode, name: str, outcome: Outcome) -> None:
        row = renamed(name, self.context.target)
        new = row.new if row is not None else current(name, self.context.target)
        differs = f"; {row.differs}" if row is not None and row.differs else ""
        self.report(
            node,
            f"`{name}` is now `gymnasium.{new}`",
            help=f"use `gymnasium.{new}`{differs}",
            outcome=outcome,
        )

    def _imported(self, node: cst.ImportFrom, names: Sequence[Imported], old: Sequence[Imported]) -> Outcome:
        """Statement, readers and arguments in one fix."""
        new = {one.alias: current(one.path, self.context.target) for one in names}
        rows = {one: row for one in old if (row := renamed(one.path, self.context.target)) is not None}
        if reason := self._hindered(*rows.values()):
            return unfixed(reason)
        for one in names:
            if not new[one.alias]:
                return unfixed(f"the statement also imports `{one.path}`, which Gymnasium does not have")
        packages = {name.rpartition(".")[0] for name in new.values()}
        if len(packages) > 1:
            return unfixed("its names come from more than one module now")
        edits: list[Edits] = []
        for one, row in rows.items():
            for call in self._calls(node, one):
                if not _fits(call, row):
                    return unfixed(f"an argument of `{one.local}` has no successor")
                edits.append(replaced(self.tree, call, _with_arguments(call, row.arguments)))
        aliases: dict[cst.ImportAlias, cst.ImportAlias | None] = {}
        for one in old:
            last = new[one.alias].rpartition(".")[2]
            aliases[one.alias] = self._alias(node, one, last)
            if not self._keeps_name(node, one, last):
                edits += renamed_readers(self.tree, node, one.local, cst.Name(last))
        package = f"gymnasium.{packages.pop()}".rstrip(".")
        new_statement = with_names(node, aliases).with_changes(module=name_node(package))
        edits.append(replaced(self.tree, node, new_statement))
        unsure = next((row.differs for row in rows.values() if row.differs), "") or self.context.stays_in_part
        return self._for_one(fixed("import it under its new name", *edits, unsure=unsure), *rows.values())

    def _hindered(self, *rows: Renamed) -> str:
        """Why there is no fix: the new name has another interface, or a release of the project's does not have it."""
        if any(row.manual for row in rows):
            return _OTHER_FORM
        if any(is_since_one(row.new) for row in rows) and stays_as_made(self.context):
            return _MODE_FIRST
        return self.context.lacking(max((row.since for row in rows), default=FIRST))

    def _alias(self, node: cst.ImportFrom, imported: Imported, new: str) -> cst.ImportAlias:
        """The new name, under the old one where the readers keep that."""
        alias = imported.alias.with_changes(name=cst.Name(new))
        if imported.alias.asname is not None or new == imported.local or not self._keeps_name(node, imported, new):
            return alias
        return alias.with_changes(asname=cst.AsName(cst.Name(imported.local)))

    def _keeps_name(self, node: cst.ImportFrom, imported: Imported, new: str) -> bool:
        """Whether the readers of the name need not change, or cannot."""
        if imported.alias.asname is not None or new == imported.local or self._is_exported:
            return True
        return not bound_once(self.tree, node, imported) or self._is_taken(node, new)

    @property
    def _is_exported(self) -> bool:
        """The file is a package's `__init__`: others import the name from it."""
        return PurePath(self.context.path).name == "__init__.py"

    def _is_taken(self, node: cst.ImportFrom, name: str) -> bool:
        return bool(self.tree.scopes.mentions(self.tree.scope(node), name))

    def _calls(self, node: cst.ImportFrom, imported: Imported) -> list[cst.Call]:
        calls = (arguments_call(self.tree, name) for name in readers(self.tree, node, imported.local))
        return [call for call in calls if call is not None]

    def _attribute(self, node: cst.Attribute, name: str) -> Outcome:
        """The new name behind the same module."""
        row = renamed(name, self.context.target)
        if row is not None and (reason := self._hindered(row)):
            return unfixed(reason)
        new = self._behind(node, current(name, self.context.target))
        if new is None:
            return unfixed("it is in another module now")
        edits = [replaced(self.tree, node, new)]
        call = arguments_call(self.tree, node)
        if row is not None and call is not None:
            if not _fits(call, row):
                return unfixed("one of its arguments has no successor")
            edits.append(replaced(self.tree, call, _with_arguments(call, row.arguments)))
        unsure = (row.differs if row is not None else "") or self.context.stays_in_part
        return self._for_one(fixed("use the new name", *edits, unsure=unsure), *([row] if row is not None else []))

    def _for_one(self, outcome: Outcome, *rows: Renamed | Signature) -> Outcome:
        """The fix as one that only releases since 1.0 run, if what it writes is only there."""
        return outcome.only_since_one() if any(row.since >= ONE for row in rows) else outcome

    def _behind(self, node: cst.Attribute, new: str) -> cst.BaseExpression | None:
        """`gym.a.b` for the new name `a.b`, where `node` begins with `gym`; None where the name is not in there."""
        module = base(node)
        known = self.facts.names.get(self.span(module))
        if known is None:
            return None
        inside = below_root(known)
        if inside and not new.startswith(f"{inside}."):
            return None
        return attribute(module, new[len(inside) :].lstrip("."))

    # --- calls ------------------------------------------------------------------------------------------

    def visit_Call(self, node: cst.Call) -> None:
        """`RecordEpisodeStatistics(env, deque_size=10)`, `RecordEpisodeStatistics(envs)`."""
        name = wrapper_name(self.context, node, self.context.target)
        if not name or asks_first(self.tree, node):
            return
        if (env := wrapped_env(self.context, node)) is not None and env.api.old_gym:
            return  # the wrapper is that of the Gym which has the environment
        row = SIGNATURES.get(name, Signature())
        if self.context.target >= (1, 0) and name.count(".") == 1 and wraps_vector(self.context, node):
            self._tell_vector(node, name.rpartition(".")[2], row)
        elif self.context.target >= row.since:
            self._tell_arguments(node, name.rpartition(".")[2], row)
            self._tell_pair(node, name.rpartition(".")[2], row)
        if name == RECORDING and self.context.target >= ONE and not self.facts.keeps_gym:
            self._tell_trigger(node, env)

    def _tell_trigger(self, node: cst.Call, env: Env | None) -> None:
        """`RecordVideo(env, "videos", step_trigger=lambda step: True)`."""
        given = next((one for one in node.args if keyword(one) == STEP_TRIGGER), None)
        if given is None or given.keyword is None or not _is_always(given.value):
            return
        clips = next((one for one in node.args if keyword(one) == CLIP_LENGTH), None)
        end = closing(self.context.path, self.tree, self.facts, node, env) if env is not None else None
        edits = replaced(self.tree, given.keyword, cst.Name(EPISODE_TRIGGER))
        self.report(
            given,
            f"`{self.source(given)}` begins a new video at every step",
            help=f"write `{EPISODE_TRIGGER}={self.source(given.value)}`, and close the environment at the end",
            outcome=unfixed("`RecordVideo` cannot record one video after another of a fixed length")
            if clips is not None and not is_number(clips.value, "0")
            else fixed("record every episode", edits, end or (), unsure=_NOT_CLOSED if end is None else ""),
            incompatibility="begins a new video at every step",
        )

    def _tell_arguments(self, node: cst.Call, wrapper: str, row: Signature) -> None:
        """Arguments that are called otherwise, or must be given."""
        old, lacking = old_keywords(node, row), lacks_argument(node, row)
        if not old and not lacking:
            return
        what = [f"`{name}` of `{wrapper}` is now `{row.arguments[name]}`" for name in old]
        what += [f"`{wrapper}` needs the argument `{row.required}`"] if lacking else []
        if lacking and not row.default:
            self.report(
                node,
                ", and ".join(what),
                help=f"pass `{row.required}`",
                outcome=unfixed("the code does not show which value is meant"),
            )
            return
        extra = f"{row.required}={row.default}" if lacking else ""
        edits = replaced(self.tree, node, _with_arguments(node, row.arguments, extra))
        written = [f"{row.arguments[name]}=..." for name in old] + ([extra] if extra else [])
        reason = self.context.lacking(row.since)
        outcome = unfixed(reason) if reason else fixed("adapt the arguments", edits, unsure=self._too_new(row.since))
        self.report(
            node,
            ", and ".join(what),
            help=f"write `{', '.join(written)}`",
            outcome=self._for_one(outcome, row),
            since_one=row.since >= ONE,
        )

    def _tell_pair(self, node: cst.Call, wrapper: str, row: Signature) -> None:
        """`ResizeObservation(env, 84)`."""
        if (given := no_pair(self.context, node, row)) is None:
            return
        new = as_pair(self.context, given)
        number = self.span(given) in self.facts.heights
        reason = "a caller that is not seen may pass a tuple" if number else _NO_PAIR
        self.report(
            node,
            f"`{row.pair}` of `{wrapper}` has to be a tuple now: this raises `TypeError`",
            help=f"pass `{self._shape(given, new)}`",
            outcome=unfixed(reason)
            if new is None
            else fixed("pass a tuple", replaced(self.tree, given, new), unsure=self._too_new(row.since)),
            incompatibility="gives a wrapper no tuple for a shape",
        )

    def _too_new(self, release: Release) -> str:
        """Why a fix should not need a release, in one clause: something keeps the file on an older one; or empty."""
        return _BEFORE_ONE if release >= ONE and stays_before_one(self.context) else ""

    def _shape(self, given: cst.BaseExpression, new: cst.Tuple | None) -> str:
        """How a shape is written that is a tuple."""
        if new is not None:
            return self.tree.module.code_for_node(new)
        text = self.source(given)
        return f"({text}, {text})" if self.span(given) in self.facts.heights else "tuple(...)"

    def _tell_vector(self, node: cst.Call, wrapper: str, row: Signature) -> None:
        """A wrapper of one environment around many."""
        message = f"`wrappers.{wrapper}` cannot wrap a vector environment"
        new = f"wrappers.vector.{wrapper}"
        if wrapper not in VECTOR_WRAPPERS:
            self.report(
                node,
                message,
                help="wrap each environment before the vector environment is made",
                outcome=unfixed("`wrappers.vector` has no such wrapper"),
            )
            return
        found = self._vector_name(node.func, new)
        mode_first = _MODE_FIRST if stays_as_made(self.context) else ""
        reason = self.context.lacking(ONE) or mode_first
        if found is None or reason:
            reason = reason or "its name is also used for one environment, or imported with others"
            self.report(node, message, help=f"use `gymnasium.{new}`", outcome=unfixed(reason))
            return
        edits = [found, replaced(self.tree, node, _with_arguments(node, row.arguments))]
        given = no_pair(self.context, node, row)
        if given is not None and (pair := as_pair(self.context, given)) is not None:
            edits.append(replaced(self.tree, given, pair))
        self.report(
            node,
            message,
            help=f"use `gymnasium.{new}`",
            outcome=fixed(f"use `{new}`", *edits, unsure=self._too_new(ONE)).only_since_one(),
        )

    def _vector_name(self, func: cst.BaseExpression, new: str) -> Edits | None:
        """Edits after which `func` is the wrapper for vector environments."""
        if isinstance(func, cst.Attribute):
            behind = self._behind(func, new)
            return replaced(self.tree, func, behind) if behind is not None else None
        for statement in self.tree.of_type(cst.ImportFrom):
            names = imports_from(statement)
            alone = len(names) == 1 and bound_once(self.tree, statement, names[0])
            if alone and readers(self.tree, statement, names[0].local) == [func]:
                module = name_node("gymnasium.wrappers.vector")
                return replaced(self.tree, statement, statement.with_changes(module=module))
        return None


def _with_arguments(call: cst.Call, names: Mapping[str, str], extra: str = "") -> cst.Call:
    """The call with other keyword arguments, in the same layout.

    `names` maps old keywords to new ones, or to nothing; `extra` is one more argument, `a=None`.
    """
    arguments: list[cst.Arg] = []
    for argument in call.args:
        old = keyword(argument)
        if old not in names:
            arguments.append(argument)
        elif names[old]:
            arguments.append(argument.with_changes(keyword=cst.Name(names[old])))
    if len(arguments) < len(call.args) and arguments:
        arguments[-1] = arguments[-1].with_changes(comma=call.args[-1].comma)
    if extra:
        name, _, value = extra.partition("=")
        arguments = with_argument(arguments, keyword_argument(name, cst.Name(value)))
    return call.with_changes(args=arguments)


def _fits(call: cst.Call, row: Renamed) -> bool:
    """Whether every argument has a successor, or may be left out."""
    positional = sum(1 for one in call.args if one.keyword is None)
    return positional <= row.positional and not any(one.star for one in call.args if row.arguments)


def _is_always(trigger: cst.BaseExpression) -> bool:
    """`lambda step: True`."""
    return isinstance(trigger, cst.Lambda) and is_name(trigger.body, "True")

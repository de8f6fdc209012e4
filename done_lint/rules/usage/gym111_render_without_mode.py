"""`render()` draws nothing, or a wrapper has nothing to record: the environment was made without a render mode.

## What it does
Reports `env.render()`, and what takes frames (`RecordVideo`, `gym.utils.play`), where every visible `make` of the
environment has no `render_mode`. A class of the project that has a mode by default draws, one whose `render` is empty
draws in no mode, one whose `render` asks for no mode in any, and what an id makes that no table knows may draw, or one
that is not seen beside a package that registers environments: `render()` of these is not reported, nor is one before
the first reset, which raises an error (GYM112).

## Why it matters
In old Gym `render()` opened a window. Since Gym 0.26 it returns `None` and draws nothing, with no more than a
warning, unless `make` got the mode; an Atari game raises `Error: Invalid render mode`, and a task of MuJoCo
`AttributeError: Unexpected mode`. `RecordVideo` and other wrappers that need frames raise `ValueError`.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
env.reset()
env.render()
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1", render_mode="human")
env.reset()
env.render()
```

## Fix safety
Unsafe, but for an Atari game or a task of MuJoCo in a program for old Gym that renders at every step: it had the
window, and raises an error today. The fix opens the window that the program asks for, which needs a display, and human
mode draws every step at the speed of the display, also in loops that do not call `render`. Where the rendering stands
under a condition that is settled before `make`, the mode gets the same condition. The tables of old Gym (FrozenLake,
Taxi, CliffWalking) were printed: in a program for it they get the mode `"ansi"`, and `print` around `render`, which is
safe. The mode that a wrapper needs is `"rgb_array"`, which draws when it is asked to: there the fix is safe. Around
`RecordVideo` of old Gym, which wrote the video at the end of an episode, it also closes the environment where the
recording ends.

## References
- [Gymnasium: Env.render](https://gymnasium.farama.org/api/env/#gymnasium.Env.render)
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

import libcst as cst

from done_lint.core.findings import Related
from done_lint.facts.kinds.environments import Env, Made
from done_lint.knowledge.env_apis import GYM
from done_lint.knowledge.gymnasium_changes import ROOTS, below_root
from done_lint.knowledge.rendering import RECORDING
from done_lint.rewrites.before_reset import before_reset
from done_lint.rewrites.env_methods import class_of, environment_class, method_around
from done_lint.rewrites.outcome import Outcome, unfixed
from done_lint.rewrites.rendering.recording_end import closing
from done_lint.rewrites.rendering.render_modes import RenderModes, is_make
from done_lint.rules.base import Rule
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import method_called, string_value


class RenderWithoutMode(Rule):
    """GYM111."""

    code = "GYM111"
    incompatibility = ""

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every rendering of the file."""
        modes = RenderModes(self.tree, self.facts)
        for rendering in modes.renderings:
            if not self._is_plain(rendering.call) or rendering.env.mixed or not self._undecided(rendering.env):
                continue
            if self._asks_for_none(rendering.call):
                continue
            if self._hands_on(rendering.call, rendering.env) or rendering.call in before_reset(self.context):
                continue
            if rendering.call in modes.last_looks(rendering.env):
                continue  # said of what decides on the mode
            used = not isinstance(self.tree.parents[rendering.call], cst.Expr)
            outcome = unfixed(_USED) if used else modes.move_mode(rendering)
            if rendering.call.args:
                outcome = unfixed(_HANDED_ON)
            printed, drawn = modes.prints_text(rendering.env), self._drawn(rendering.call)
            self.report(
                rendering.call,
                f"`{self.source(rendering.call)}` {_effect(rendering.env)}: the environment was made without a render "
                "mode",
                help=_help(rendering.env, used=used, printed=printed, drawn=drawn),
                outcome=outcome if printed else self._as_before(outcome, rendering.env),
                related=(
                    *self.elsewhere(rendering.call, rendering.env.made[0].place),
                    *(self.elsewhere(rendering.call, drawn) if drawn is not None else ()),
                ),
                env=rendering.env,
                incompatibility=_RAISES if _raises(rendering.env) and self._always_runs(rendering.call) else "",
            )
        for call, env in modes.taking_frames:
            if not env.mixed and self._undecided(env):
                self._report_wrapper(modes, call, env)

    def _as_before(self, outcome: Outcome, env: Env) -> Outcome:
        """Unsafe, unless the program is one for old Gym, where it had this window, and stops today."""
        return outcome if _raises(env) and env.api == GYM else outcome.doubted(_OPENS)

    def _always_runs(self, call: cst.Call) -> bool:
        """Whether nothing in its function decides if it is run."""
        scope = self.tree.scope(call)
        above = takewhile(lambda one: one is not scope, self.tree.ancestors(call))
        return not any(isinstance(one, (cst.If, cst.IfExp, cst.BooleanOperation, cst.Try)) for one in above)

    def _hands_on(self, call: cst.Call, env: Env) -> bool:
        """Whether the `render` of a class hands on to what an id made that cannot be seen: its caller decides."""
        function = self.tree.scope(call)
        if not isinstance(function, cst.FunctionDef) or function.name.value != "render":
            return False
        calls = [self.tree.expressions.get(one.place.span) for one in env.made if one.place.path == self.facts.path]
        ids = [string_value(one.args[0].value) for one in calls if isinstance(one, cst.Call) and one.args]
        if len(ids) == len(env.made) and all(ids):
            return False
        return self._drawn(call) is None or not all(one.ids for one in env.made)

    def _drawn(self, call: cst.Call) -> Related | None:
        """Where the program calls the `render` of an environment class that a rendering stands in."""
        around = method_around(self.context, call)
        owner = class_of(self.context, around) if around is not None and around.name.value == "render" else None
        known = environment_class(self.context, owner) if owner is not None else None
        return known.rendered if known is not None else None

    def _is_plain(self, call: cst.Call) -> bool:
        """`env.render()`, and `self.env.render(*args)` in a method `render` that this file calls with nothing."""
        if not call.args:
            return True
        around = method_around(self.context, call)
        if around is None or around.name.value != "render" or not all(one.star for one in call.args):
            return False
        others = (one for one in self.tree.of_type(cst.Call) if method_called(one) == "render" and not one.args)
        return any(method_around(self.context, one) is not around for one in others)

    def _asks_for_none(self, call: cst.Call) -> bool:
        """Whether the program looks if there is a frame at all."""
        values: list[cst.BaseExpression] = [call]
        statement = self.tree.parents[call]
        if isinstance(statement, cst.Assign) and isinstance(statement.targets[0].target, cst.Name):
            values += self.tree.scopes.reads(self.tree.scope(call), statement.targets[0].target.value)
        return any(isinstance(self.tree.parents[value], cst.Comparison) for value in values)

    def _report_wrapper(self, modes: RenderModes, call: cst.Call, env: Env) -> None:
        outcome = modes.give_frames(env)
        if outcome.fix is not None and below_root(self.facts.names[self.span(call.func)]) == RECORDING:
            end = closing(self.context.path, self.tree, self.facts, call, env) if env.api == GYM else None
            outcome = Outcome(replace(outcome.fix, edits=(*outcome.fix.edits, *(end or ()))))
        self.report(
            call,
            f"`{self.source(call.func)}` needs frames and raises `ValueError`: the environment was made "
            "without a render mode",
            help='pass `render_mode="rgb_array"` to `make`',
            outcome=outcome,
            related=(*self.elsewhere(call, env.made[0].place), *modes.said_of_last_looks(env)),
            env=env,
        )

    def _undecided(self, env: Env) -> bool:
        """Whether all calls that made the environment are `make` of an id of Gym's, without a mode."""
        return bool(env.made) and all(
            is_make(made)
            and not made.hidden
            and made.drawing in _UNDRAWN
            and "render_mode" not in made.keywords
            and not self._is_cast(made)
            for made in env.made
        )

    def _is_cast(self, made: Made) -> bool:
        """`cast(Network, gym.make(...))`: it is a class of the project, which may draw by itself."""
        call = self.tree.expressions.get(made.place.span) if made.place.path == self.facts.path else None
        around = self.tree.parents.get(self.tree.parents[call]) if call is not None else None
        if not isinstance(around, cst.Call) or last_name(around.func) != "cast" or len(around.args) != 2:
            return False
        kind = around.args[0].value
        root = self.facts.names.get(self.span(kind), "").partition(".")[0]
        return isinstance(kind, (cst.Name, cst.Attribute)) and root not in ROOTS


#: What may be known of the class behind an id where its environment has no mode (see `Made.drawing`).
_UNDRAWN = frozenset({"", "raises", "either", "withheld"})
_HANDED_ON = "the code does not show what is handed on to `render`"
_USED = "the value of `render` is used, and the code does not show which mode it needs"


_OPENS = "it opens a window and draws every step, which needs a display and takes time"
_RAISES = "renders without a mode, which raises an error,"


def _raises(env: Env) -> bool:
    """Whether `render` without a mode is an error: of an Atari game, or a task of MuJoCo."""
    return all(made.drawing == "raises" for made in env.made)


def _help(env: Env, *, used: bool, printed: bool, drawn: Related | None) -> str:
    """Which mode to ask for; what a `render` hands on may be taken as a frame or not, where that is called."""
    if any(made.drawing == "withheld" for made in env.made):
        return "let the class take `render_mode`, and hand it to the constructor of its base"
    if used and drawn is not None:
        return 'pass `render_mode="human"` to `make`, which opens a window, or `"rgb_array"`, which returns a frame'
    if used:
        return 'pass `render_mode="rgb_array"` to `make`: `render` then returns a frame'
    if printed:
        return 'pass `render_mode="ansi"` to `make`, and print what `render` returns'
    return 'pass `render_mode="human"` to `make`: it opens a window'


def _effect(env: Env) -> str:
    """What `render` does without a mode."""
    return "raises an error" if _raises(env) else "draws nothing"

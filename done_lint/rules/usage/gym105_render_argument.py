"""`render` is called with a mode, which belongs in `make`.

## What it does
Reports arguments of `env.render(...)`, where `env` speaks the Gymnasium API. `*args` and `**kwargs` may be
empty, and are not reported by themselves. An argument that no `render` of Gym's ever had (`env.render(loop=True)`)
shows that the class of the environment has a `render` of its own, and is right; beside a mode only where no wrapper
stands before it (`env.unwrapped`). Where a class of the project arrives that takes the mode, the call is right, unless
what `make` of Gymnasium gives arrives, too. In a program for Gym 0.25 it reports `env.render()[0]`, where `make` has
the mode `"rgb_array"`: that was a list of frames, and is one frame now.

## Why it matters
Since Gym 0.26 the mode is chosen once, by `make(..., render_mode=...)`. `render` takes no argument and raises
`TypeError` when it gets one.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
env.reset()
frame = env.render(mode="rgb_array")
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1", render_mode="rgb_array")
env.reset()
frame = env.render()
```

## Fix safety
The mode moves into `make`, if all renderings of that environment ask for one mode, but for a last look at its window
where frames are taken, which shows nothing then. A mode beside that of `make` goes where nothing takes what `render`
returns: Gym 0.25 ignored it. The mode moves into a `make` of another
file, which is then reported too, only if that mode is `"rgb_array"`. In the mode `"human"` the environment draws
every step by itself: the fix is safe where the program did so too, or did so under a condition that is settled
before `make`, and unsafe anywhere else.

## References
- [Gymnasium: Env.render](https://gymnasium.farama.org/api/env/#gymnasium.Env.render)
"""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.env_apis import GYMNASIUM
from done_lint.knowledge.rendering import FRAME_LISTS
from done_lint.rewrites.compatibility_code import expects, may_be_refused
from done_lint.rewrites.env_methods import parameters
from done_lint.rewrites.outcome import fixed, unfixed
from done_lint.rewrites.rendering.frame_lists import mode_of_lists
from done_lint.rewrites.rendering.render_modes import Rendering, RenderModes, maker
from done_lint.rules.base import Rule
from done_lint.syntax.shapes import string_value

_SHARED = "a class of the project that arrives here, too, has a `render` that takes it"


class RenderArgument(Rule):
    """GYM105."""

    code = "GYM105"
    incompatibility = "passes a mode to `render`"

    def visit_Module(self, node: cst.Module) -> None:
        """Look at every rendering of the file."""
        modes = RenderModes(self.tree, self.facts)
        for rendering in modes.renderings:
            self._look_at_list(modes, rendering)
            # `*args` and `**kwargs` may be empty
            if all(argument.star for argument in rendering.call.args) or rendering.env.mixed:
                continue
            if rendering.env.api == GYMNASIUM and expects(self.tree, rendering.call, "TypeError"):
                continue
            outcome = modes.move_mode(rendering)
            self.report(
                rendering.call,
                f"`{self.source(rendering.call.func)}` takes no argument and raises `TypeError`: the mode "
                f"belongs in `{maker(rendering.env)}`",
                help=self._help(rendering),
                outcome=outcome,
                related=modes.said_of_last_looks(rendering.env),
                env=rendering.env,
            )
        for rendering in modes.shared:
            self._look_at_shared(rendering)
        for make, env, rendered in modes.rendered_elsewhere:
            if not env.mixed:
                self.report(
                    make,
                    f"what `{self.source(make.func)}` makes is rendered in the mode that `render` asks for, and "
                    "Gymnasium takes it here",
                    help=f'pass `render_mode="{rendered.mode}"`',
                    outcome=modes.for_frames(make),
                    related=self.elsewhere(make, rendered.at),
                    env=env,
                )

    def _look_at_shared(self, rendering: Rendering) -> None:
        """A class of the project takes the mode, and what `make` of Gymnasium gives arrives as well."""
        call, env = rendering.call, rendering.env
        plain = all(argument.star for argument in call.args)
        ready = expects(self.tree, call, "TypeError") or may_be_refused(self.tree, call)
        if plain or env.mixed or env.api != GYMNASIUM or ready:
            return
        self.report(
            call,
            f"`{self.source(call.func)}` raises `TypeError` of what `make` gives: the mode belongs in `make`",
            help=f"let the class take `render_mode`, as `make` does, and call `{self.source(call.func)}()`",
            outcome=unfixed(_SHARED),
            related=self.elsewhere(call, env.made[0].place),
            env=env,
        )

    def _help(self, rendering: Rendering) -> str:
        plain = f"call `{self.source(rendering.call.func)}()`"
        if rendering.env.made and all("render_mode" in made.keywords for made in rendering.env.made):
            return f"{plain}: `{maker(rendering.env)}` decides on the mode"
        mode = rendering.mode or self._by_default(rendering.call)
        given = f'`render_mode="{mode}"`' if mode else "the mode"
        return f"pass {given} to `{maker(rendering.env)}`, and {plain}"

    def _by_default(self, call: cst.Call) -> str:
        """The mode that the function around a call takes by default, and hands on; empty: it does not show."""
        value, function = call.args[0].value, self.tree.scope(call)
        if not isinstance(value, cst.Name) or not isinstance(function, cst.FunctionDef):
            return ""
        named = (one for one in parameters(function) if one.name.value == value.value and one.default is not None)
        return next((string_value(one.default) for one in named), "")

    def _look_at_list(self, modes: RenderModes, rendering: Rendering) -> None:
        """`env.render()[0]` of a program for Gym 0.25."""
        if edits := mode_of_lists(self.context, modes, rendering):
            self.report(
                rendering.call,
                f"`{self.source(rendering.call)}` returns one frame, and a list of frames in Gym 0.25 alone: the index "
                "takes a row of pixels",
                help=f'pass `render_mode="{FRAME_LISTS}"` to `make`',
                outcome=fixed("ask for lists of frames", edits),
                env=rendering.env,
                incompatibility="takes a frame out of a list",
            )

"""How a file renders its environments, and how the mode moves from `render` into `make`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from done_lint.core.findings import Related
from done_lint.facts.facts import Facts
from done_lint.facts.kinds.environments import Env, Made, RenderedAs
from done_lint.knowledge.env_apis import BARE, GYM, GYMNASIUM, OF_LIBRARIES
from done_lint.knowledge.gymnasium_changes import below_root
from done_lint.knowledge.rendering import FRAMES, GYM_RENDER_ARGUMENTS, HUMAN, MODES, TAKING_FRAMES, TEXT
from done_lint.knowledge.wrapper_attributes import TABLES
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.rendering.drawn_texts import read_later, reading
from done_lint.syntax.arguments import keyword
from done_lint.syntax.edits import Edits, argument_added, argument_removed, replaced
from done_lint.syntax.shapes import method_called, string_value
from done_lint.syntax.tree import Tree

_TITLE = "pass the mode to `make`"
_NOT_HERE = "the call that makes the environment is not in this file, or not the only one"
_CLASS_FIRST = "the environment's own `render` has to give up its mode first"
_NO_MODE = "the class of the environment takes no render mode"
#: Classes that are given no mode by `make`, because they take none or do not ask for one.
_WITHOUT = ("own", "inherited")
_EITHER = "a class that the project registers takes no render mode, and the id may be its own"
#: Why the class behind an id keeps the mode out of `make`, by what is known of it (see `Made.drawing`).
_CLASS_REFUSES = {"old": _CLASS_FIRST, "either": _EITHER, "withheld": _NO_MODE}
_SEVERAL = "the environment is rendered in more than one mode"
_NO_STATE = "the environment is drawn before its first reset, and has nothing to draw then"
_EVERY_STEP = "human mode draws every step, and the code does not show that `render` did so too"
_TWO_MODES = "`render` asks for another mode than `make` here, and which of the two is meant does not show"
_NO_SPACE = cst.SimpleWhitespace("")
_NOT_CONSTANT = "its arguments are not one constant mode"


@dataclass(frozen=True)
class Rendering:
    """One call of `render` on an environment whose mode is decided by `make` today."""

    call: cst.Call
    env: Env
    #: The mode that all callers hand to the function around it.
    handed: str = ""

    @property
    def mode(self) -> str:
        """The mode that the call asks for, as in old Gym; empty where it asks for more, or for what is not known."""
        if not self.call.args:
            return HUMAN
        (first, *others) = self.call.args
        named = first.keyword is None or first.keyword.value == "mode"
        return string_value(first.value) or self.handed if named and not others and not first.star else ""


def takes_its_own(call: cst.Call) -> bool:
    """Whether no `render` of Gym's can be meant, as in `env.render(loop=True)`: the class that arrives has its own."""
    if _has_foreign_arguments(call):
        return not any(keyword(one) == "mode" for one in call.args)
    first = call.args[0] if call.args else None
    # a mode is a text
    return first is not None and not keyword(first) and isinstance(first.value, cst.BaseNumber)


def _has_foreign_arguments(call: cst.Call) -> bool:
    """Whether a call names an argument that no `render` of Gym's had."""
    return any(keyword(one) and keyword(one) not in GYM_RENDER_ARGUMENTS for one in call.args)


def _printed(call: cst.Call) -> cst.Call:
    """The text of a rendering on the terminal."""
    return cst.Call(cst.Name("print"), [cst.Arg(call.with_changes(args=[], whitespace_before_args=_NO_SPACE))])


def is_make(made: Made) -> bool:
    """Whether what made an environment is the library's own `make`: that of another package may take no mode."""
    return made.function.endswith(".make") and bool(below_root(made.function))


def maker(env: Env) -> str:
    """What is given the mode of an environment: a class that the program calls itself, or `make`."""
    called = {made.function.rpartition(".")[2] for made in env.made}
    return called.pop() if len(called) == 1 and not any(map(is_make, env.made)) else "make"


def _takes_mode(made: Made) -> bool:
    """Whether a call of `make` can be given a mode."""
    mine = made.drawing in ("", "unknown", "raises", "default")
    return is_make(made) and mine and not made.hidden and "render_mode" not in made.keywords


class RenderModes:
    """Every rendering of a file."""

    def __init__(self, tree: Tree, facts: Facts) -> None:
        """Find them; a class of the project that renders by itself is not asked."""
        self.tree, self.facts = tree, facts
        calls = tree.of_type(cst.Call) if facts.members else []
        found = [
            Rendering(call, env, self._handed(call))
            for call in calls
            if method_called(call) == "render"
            and (env := facts.members.get(tree.span(call.func))) is not None
            and env.api in OF_LIBRARIES
            and not takes_its_own(call)
        ]
        self.renderings = [one for one in found if not one.env.shared and not self._meets_own(one)]
        #: Those of what the library has made, and of a class of the project whose `render` takes arguments.
        self.shared = [one for one in found if one.env.shared and one.env.is_task and one.mode in ("", *MODES)]

    def _handed(self, call: cst.Call) -> str:
        """The mode of frames, where all callers of a function ask for it by a parameter: `return env.render(mode)`.

        One that has a default may be called without, and the method of an environment by the library.
        """
        value, function = call.args[0].value if call.args else None, self.tree.scope(call)
        if not isinstance(value, cst.Name) or not isinstance(function, cst.FunctionDef):
            return ""
        owner = self.tree.scope(function)
        if isinstance(owner, cst.ClassDef) and self.tree.span(owner).row in self.facts.classes:
            return ""
        taken = any(one.name.value == value.value and one.default is None for one in function.params.params)
        if not taken or len(self.tree.scopes.bindings(function, value.value)) > 1:
            return ""
        here = self.tree.span(call.func)
        modes = {one.mode for one in self.facts.renderings if (one.at.path, one.at.span) == (self.facts.path, here)}
        return FRAMES if modes == {FRAMES} else ""

    def _meets_own(self, rendering: Rendering) -> bool:
        """Whether no wrapper stands before the `render` of a class that is not Gym's, which may take a mode."""
        made = rendering.env.made
        if rendering.env.layers != BARE or (made and all(one.task for one in made)):
            return False
        named = rendering.mode not in {"", *MODES} or _has_foreign_arguments(rendering.call)
        make = self.make(rendering.env)
        used = self.facts.ids.get(self.tree.span(make.args[0].value)) if make is not None and make.args else None
        return named or (used is not None and used.own)

    def make(self, env: Env) -> cst.Call | None:
        """The one call in this file that makes the environment, with all its arguments visible."""
        if len(env.made) != 1 or env.made[0].place.path != self.facts.path or env.made[0].hidden:
            return None
        call = self.tree.expressions.get(env.made[0].place.span)
        return call if isinstance(call, cst.Call) else None

    @cached_property
    def taking_frames(self) -> list[tuple[cst.Call, Env]]:
        """Wrappers that need frames, `RecordVideo(env, "videos")`, and what they wrap."""
        return [
            (call, env)
            for call in (self.tree.of_type(cst.Call) if self.facts.envs else [])
            if below_root(self.facts.names.get(self.tree.span(call.func), "")) in TAKING_FRAMES
            and call.args
            and keyword(call.args[0]) in ("", "env")
            and (env := self.facts.envs.get(self.tree.span(call.args[0].value))) is not None
            and env.api in (GYM, GYMNASIUM)
        ]

    def give_frames(self, env: Env) -> Outcome:
        """Make the environment with the mode of frames, for what wraps it."""
        make = self.make(env)
        if make is None:
            return unfixed(_NOT_HERE)
        if any(one.drawing in (*_WITHOUT, "withheld") for one in env.made):
            return unfixed(_NO_MODE)
        if any(one.drawing == "either" for one in env.made):
            return unfixed(_EITHER)
        if {one.mode for one in self._deciding(self._family(env))} - {FRAMES}:
            return unfixed(_SEVERAL)
        return fixed(_TITLE, self._given(make, FRAMES))

    def frames_for(self, make: cst.Call, wrapper: cst.Call) -> Edits:
        """The mode of frames in `make`, under the condition that the wrapper stands under, if that is known there."""
        return self._given(make, FRAMES, self._test(make, wrapper) or "")

    def _family(self, env: Env) -> list[Rendering]:
        """The renderings of one environment."""
        return [one for one in self.renderings if one.env.made == env.made]

    def move_mode(self, rendering: Rendering) -> Outcome:
        """Move the mode of all renderings of one environment into its `make`."""
        make = self.make(rendering.env)
        family = self._family(rendering.env)
        if make is None:
            return self._from_elsewhere(rendering.env, family, self._modes(rendering.env, family))
        (drawing,) = {one.drawing for one in rendering.env.made}
        given = next((a.value for a in make.args if keyword(a) == "render_mode"), None)
        if given is not None and drawing not in ("old", *_WITHOUT):
            return self._beside(given, family)
        modes = self._modes(rendering.env, self._deciding(family))
        if self._is_recorded(rendering.env):
            modes.add(FRAMES)
        if self.prints_text(rendering.env):
            return self._printing(make, family)
        if len(modes) > 1:
            return unfixed(_SEVERAL)
        (mode,) = modes
        if refusal := _CLASS_REFUSES.get(drawing, "") if mode else _NOT_CONSTANT:
            return unfixed(refusal)
        if drawing == "inherited" and mode != HUMAN:
            return unfixed(_NO_MODE)
        # a class of the project or of a package may give a stream as before
        text = mode == TEXT and rendering.env.is_task
        if text and (later := self._read_later(family)):
            return later
        edits = [self._without_mode(one.call, text=text) for one in family if one.call.args]
        if drawing in _WITHOUT:
            return fixed("call `render` without arguments", *edits)
        condition = self._condition(make, family) if mode == HUMAN else ""
        unsure = _EVERY_STEP if condition is None else ""
        return fixed(_TITLE, *edits, self._given(make, mode, condition or ""), unsure=unsure)

    def _read_later(self, family: list[Rendering]) -> Outcome | None:
        """What keeps the mode of texts out of `make`: a stream that is read later, and would be a text."""
        later = next((one for call in family if (one := read_later(self.tree, call.call))), None)
        return unfixed(f"`{self.tree.source(later)}` reads a stream, and Gymnasium gives the text") if later else None

    def _printing(self, make: cst.Call, family: list[Rendering]) -> Outcome:
        """The mode of texts in `make`, and `print` around what stood on the terminal."""
        shown = [replaced(self.tree, one.call, _printed(one.call)) for one in family if one.mode == HUMAN]
        taken = [self._without_mode(one.call, text=True) for one in family if one.mode == TEXT]
        if not all(map(self._has_state, family)):
            return unfixed(_NO_STATE)
        return self._read_later(family) or fixed(_TITLE, *shown, *taken, self._given(make, TEXT))

    def _has_state(self, rendering: Rendering) -> bool:
        """Whether a table was reset before it is drawn, as far as is seen; behind wrappers, they ask for it themselves.

        Old Gym's tables had a state from the beginning.
        """
        if rendering.env.layers != BARE:
            return True
        place = self.tree.span(rendering.call)
        scope = self.tree.scope(rendering.call)
        resets = (span for span, reset in self.facts.resets.items() if reset.env.made == rendering.env.made)
        return any(
            span < place or self.tree.scope(call) is not scope
            for span in resets
            if (call := self.tree.expressions.get(span)) is not None
        )

    def prints_text(self, env: Env) -> bool:
        """Whether a program for old Gym has it print a table: its window was the terminal, which any mode may share."""
        make, family = self.make(env), self._family(env)
        if env.api != GYM or make is None or not env.is_made_as(TABLES) or self._is_recorded(env):
            return False
        shown = [one for one in family if one.mode == HUMAN]
        plain = all(map(_takes_mode, env.made)) and all(map(self._is_dropped, shown))
        return plain and bool(shown) and {one.mode for one in family} <= {HUMAN, TEXT} and not self._elsewhere(env)

    def _elsewhere(self, env: Env) -> set[str]:
        """The modes that other files ask for, of what the same calls make."""
        return {one.mode for made in env.made for one in self._of(made) if one.at.path != self.facts.path}

    def _modes(self, env: Env, family: list[Rendering]) -> set[str]:
        """The modes that renderings ask for, here and of what the same calls make in other files."""
        return {one.mode for one in family} | self._elsewhere(env)

    def _beside(self, given: cst.BaseExpression, family: list[Rendering]) -> Outcome:
        """Call `render` without a mode where `make` has one, which counted alone in Gym 0.25 as well."""
        mode = string_value(given)
        others = [one for one in family if one.call.args and one.mode != mode]
        if not mode or not all(map(self._is_dropped, others)):
            return unfixed(f"`make` already has the render mode `{self.tree.source(given)}`")
        if any(not one.mode for one in others):
            return unfixed(_NOT_CONSTANT)
        unsure = "" if all(one.env.api == GYM or self._is_last_look(one) for one in others) else _TWO_MODES
        edits = [self._without_mode(one.call, text=False) for one in family if one.call.args]
        return fixed("call `render` without a mode: `make` has one", *edits, unsure=unsure)

    def _deciding(self, family: list[Rendering]) -> list[Rendering]:
        """The renderings that decide on a mode: where frames are taken, no last look at a window does."""
        taken = any(one.mode == FRAMES and not self._is_dropped(one) for one in family)
        if not taken and not any(self._is_recorded(one.env) for one in family):
            return family
        return [one for one in family if one.mode != HUMAN or not self._is_last_look(one)]

    def last_looks(self, env: Env) -> list[cst.Call]:
        """The last looks at a window that give way to frames, as an environment has one mode."""
        family = self._family(env)
        deciding = self._deciding(family)
        return [one.call for one in family if one not in deciding]

    def said_of_last_looks(self, env: Env) -> tuple[Related, ...]:
        """What a finding about the mode says of them."""
        places = map(self.tree.span, self.last_looks(env))
        return tuple(Related(self.facts.path, span, "draws nothing, since frames are taken") for span in places)

    def _is_recorded(self, env: Env) -> bool:
        """Whether a wrapper takes frames of what the same call made."""
        return any(wrapped.made == env.made for _, wrapped in self.taking_frames)

    def _is_last_look(self, rendering: Rendering) -> bool:
        """Whether it only shows, and its function steps the environment before it alone, in no loop around it."""
        function = self.tree.scope(rendering.call)
        steps = [one for one in self._steps(rendering.env) if self.tree.scope(one) is function]
        loops = [one for one in self.tree.ancestors(rendering.call) if isinstance(one, (cst.For, cst.While))]
        return (
            bool(steps)
            and self._is_dropped(rendering)
            and all(self.tree.span(one) < self.tree.span(rendering.call) for one in steps)
            and not any(self.tree.within(step, loop) for step in steps for loop in loops)
        )

    def _is_dropped(self, rendering: Rendering) -> bool:
        """Whether nothing takes what `render` returns."""
        return isinstance(self.tree.parents[rendering.call], cst.Expr)

    def _without_mode(self, call: cst.Call, *, text: bool) -> Edits:
        """A rendering without its argument, and without what takes the text out of the stream that it gave."""
        read = reading(self.tree, call) if text else None
        if read is not None:
            return replaced(self.tree, read, call.with_changes(args=[]))
        return argument_removed(self.tree, call, call.args[0])

    def _of(self, made: Made) -> list[RenderedAs]:
        """The renderings of what a call made, in all files."""
        return [one for one in self.facts.renderings if one.make == made.place]

    def _from_elsewhere(self, env: Env, family: list[Rendering], modes: set[str]) -> Outcome:
        """Leave the mode of frames to calls of `make` in other files, which get it at the same time."""
        if modes != {FRAMES} or not env.made or not all(map(_takes_mode, env.made)):
            return unfixed(_NOT_HERE if modes == {FRAMES} or len(modes) == 1 else _SEVERAL)
        edits = [argument_removed(self.tree, one.call, one.call.args[0]) for one in family if one.call.args]
        return fixed(_TITLE, *edits)

    @cached_property
    def rendered_elsewhere(self) -> list[tuple[cst.Call, Env, RenderedAs]]:
        """Calls of `make` without a mode, and a place in another file where frames are asked for."""
        found: list[tuple[cst.Call, Env, RenderedAs]] = []
        here = {made.place for one in self.renderings if self.make(one.env) is not None for made in one.env.made}
        for place in sorted({one.make for one in self.facts.renderings} - here, key=lambda one: (one.path, one.span)):
            call = self.tree.expressions.get(place.span) if place.path == self.facts.path else None
            env = self.facts.envs.get(place.span)
            made = [one for one in env.made if one.place == place] if env is not None else []
            renderings = [one for one in self.facts.renderings if one.make == place]
            frames = all(one.mode == FRAMES for one in renderings)
            if env is None or env.api not in OF_LIBRARIES:
                continue
            if isinstance(call, cst.Call) and made and frames and all(map(_takes_mode, made)):
                found.append((call, env, renderings[0]))
        return found

    def for_frames(self, make: cst.Call) -> Outcome:
        """The mode of frames in a call of `make`."""
        return fixed(_TITLE, self._given(make, FRAMES))

    def _given(self, make: cst.Call, mode: str, condition: str = "") -> Edits:
        """The mode as one more argument of `make`."""
        quote = "'" if make.args and self.tree.source(make.args[0].value).startswith("'") else '"'
        text = f"render_mode={quote}{mode}{quote}" + (f" if {condition} else None" if condition else "")
        return argument_added(self.tree, make, text)

    def _condition(self, make: cst.Call, family: list[Rendering]) -> str | None:
        """The condition of all renderings; None where human mode, which draws every step, may draw more than they."""
        tests = {self._test(make, one.call) for one in family}
        return tests.pop() if len(tests) == 1 and self._every_step(family) else None

    def _test(self, make: cst.Call, call: cst.Call) -> str | None:
        """The plain condition that a rendering stands under ("": none), or None where it is not so simple."""
        found = ""
        below: cst.CSTNode = call
        for ancestor in self.tree.ancestors(call):
            if isinstance(ancestor, (cst.FunctionDef, cst.Module)):
                return found if ancestor is self.tree.scope(make) else None
            if isinstance(ancestor, (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.ExceptHandler, cst.Else)):
                return None
            if isinstance(ancestor, cst.If):
                if found or ancestor.body is not below or not self._known(make, call, ancestor.test):
                    return None
                found = self.tree.source(ancestor.test)
            below = ancestor
        return None

    def _known(self, make: cst.Call, call: cst.Call, test: cst.BaseExpression) -> bool:
        """Whether a condition is a plain name or attribute that is settled before the environment is made."""
        text, root = self.tree.source(test), test
        while isinstance(root, cst.Attribute):
            root = root.value
        if not isinstance(root, cst.Name):
            return False
        scopes, scope = self.tree.scopes, self.tree.scope(make)
        bound = scopes.bindings(scope, root.value) or scopes.bindings(self.tree.module, root.value)
        if len(bound) != 1 or (self.tree.scope(bound[0]) is scope and self.tree.span(bound[0]) > self.tree.span(make)):
            return False
        return not any(self.tree.source(target.target) == text for target in self._changes(test))

    def _changes(self, test: cst.BaseExpression) -> Sequence[cst.AssignTarget]:
        """Assignments to attributes, where the condition is one."""
        return self.tree.of_type(cst.AssignTarget) if isinstance(test, cst.Attribute) else []

    def _every_step(self, family: list[Rendering]) -> bool:
        """Whether every loop that steps the environment renders it too."""
        loops = {self._loop(one.call) for one in family}
        return all(self._loop(call) in loops for call in self._steps(family[0].env))

    def _steps(self, env: Env) -> list[cst.Call]:
        """The calls that step an environment."""
        spans = [span for span, step in self.facts.steps.items() if step.env.made == env.made]
        return [node for span in spans if isinstance(node := self.tree.expressions.get(span), cst.Call)]

    def _loop(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The innermost loop around a node."""
        return next((one for one in self.tree.ancestors(node) if isinstance(one, (cst.For, cst.While))), None)

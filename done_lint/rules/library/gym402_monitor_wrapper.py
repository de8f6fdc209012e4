"""`wrappers.Monitor`, which recorded videos and statistics, is gone.

## What it does
Reports imports and uses of `Monitor`, and of the modules `wrappers.monitor` and `wrappers.monitoring` behind it.

## Why it matters
Since Gym 0.26 the import raises `ImportError`, so that the program does not start, even where the recording is an
option that is off. `RecordVideo` took the place of its videos, `RecordEpisodeStatistics` that of its statistics.

## Example
```python
import gymnasium as gym

env = gym.make("CartPole-v1")
env = gym.wrappers.Monitor(env, "videos", force=True)
env.reset()
```

## Use instead
```python
import gymnasium as gym

env = gym.make("CartPole-v1", render_mode="rgb_array")
env = gym.wrappers.RecordVideo(env, "videos")
env.reset()
env.close()
```

## Fix safety
The fix of an import is safe: it imports the module `wrappers` instead, and `Monitor` becomes `wrappers.Monitor`, so
that the program starts. The fix of a use is safe where no video was recorded (`video_callable=False`), and where one
task of Gymnasium's is recorded and not rendered otherwise. Statistics are kept where no video was recorded, and where
the file reads them: `RecordEpisodeStatistics` cannot stand around another one, as a second `Monitor` could around the
first, so that beside another one, or in another round of a loop, it is offered as an unsafe fix.

`RecordVideo` needs the package `moviepy`, as `Monitor` needed `ffmpeg`, and `render_mode="rgb_array"`, which the fix
adds to the `make`. It writes its last video when it is closed, so that the fix adds `close()` at the end of the code
that records, where nothing closes the environment. Where that end is not visible, the fix is unsafe, and where the
environment is rendered: the mode opens no window for `render()`, and a program that does both stays as it is. In a
file that needs Gym for something else all are unsafe. Where `Monitor` stands under a condition that is known before
the `make`, the mode does too. Where the `make` stands in another file, GYM111 says afterwards what it has to be given.
There is no fix where that `make` is not visible, or has another `render_mode`.

While a use that every run reaches has no safe fix, the program stays with Gym. Where `Monitor` stands behind a test of
an option, a parameter or a setting that is off by default, or in a function that is called behind such tests only, the
rest is fixed: the program then runs, but where the recording is asked for it stops with an `AttributeError`, and this
finding stays until that place is changed.

## References
- [Gymnasium: Recording agents](https://gymnasium.farama.org/introduction/record_agent/)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import libcst as cst

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.gymnasium_changes import below_root, current, is_monitor
from done_lint.knowledge.old_arguments import MONITOR, MONITOR_LOST, MONITOR_PARAMETERS
from done_lint.knowledge.rendering import RECORDED
from done_lint.knowledge.wrapper_attributes import LOST
from done_lint.rewrites.compatibility_code import asks_first, chooses_import
from done_lint.rewrites.imports import (
    Imported,
    bound_once,
    imported_modules,
    imports_from,
    readers,
    renamed_readers,
    with_names,
)
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.rendering.recording_end import closing
from done_lint.rewrites.rendering.render_modes import RenderModes
from done_lint.rewrites.requests import is_on_request
from done_lint.rules.base import Rule
from done_lint.syntax.arguments import keyword, keyword_argument, with_argument
from done_lint.syntax.dotted import attribute, dotted, name_node
from done_lint.syntax.edits import Edits, added_before, exchanged, removed, replaced

_HELP = "use `gymnasium.wrappers.RecordVideo`, and `gymnasium.wrappers.RecordEpisodeStatistics` for its statistics"
#: What keeps statistics.
_COUNTING = ("Monitor", "RecordEpisodeStatistics")
_COUNTED = "something else may count its episodes too, and `RecordEpisodeStatistics` cannot stand around another one"
_MODE_ELSEWHERE = 'the `make` in another file has to be given `render_mode="rgb_array"` as well'
_NO_WINDOW = "the program renders it too, and the mode of frames opens no window"
_NO_TASK = "nothing shows that what is recorded is one of Gymnasium's own tasks, which take the mode of frames"
_NOT_CLOSED = "where the recording ends does not show, and `RecordVideo` writes its last video when it is closed"
_UNDERNEATH = "Gymnasium 1.0 does not have it; `RecordVideo` does without it"


class MonitorWrapper(Rule):
    """GYM402."""

    code = "GYM402"
    incompatibility = "uses `Monitor`"

    def visit_Import(self, node: cst.Import) -> None:
        """`import gym.wrappers.monitoring.video_recorder`."""
        found = [name for name in imported_modules(node) if is_monitor(name, self.context.target)]
        if found and not chooses_import(self.tree, node):
            self._tell(node, found[0], unfixed(_UNDERNEATH))

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        """`from gym.wrappers import Monitor`."""
        names = imports_from(node)
        found = [name for name in names if is_monitor(name.path, self.context.target)]
        if found and not chooses_import(self.tree, node):
            self._tell(node, found[0].path, self._without(node, names, found))

    def visit_Attribute(self, node: cst.Attribute) -> None:
        """`gym.wrappers.Monitor`."""
        name = below_root(self.facts.names.get(self.span(node), ""))
        if not _is_class(name) or not is_monitor(name, self.context.target) or asks_first(self.tree, node):
            return
        call = self.tree.parents[node]
        if isinstance(call, cst.Call) and call.func is node:
            self._tell(call, name, self._recorded(call, node))
        else:
            self._tell(node, name, unfixed("it is not called here"))

    def _tell(self, node: cst.CSTNode, name: str, outcome: Outcome) -> None:
        asked = isinstance(node, cst.Call) and is_on_request(self.tree, self.facts, node)
        self.report(node, f"Gymnasium has no `{name}`", help=_HELP, outcome=outcome, stops_alone=asked)

    def _modes(self, env: Env) -> set[str]:
        """The modes that the program renders an environment in; "": one that is not known."""
        made = {one.place for one in env.made}
        return {one.mode for one in self.facts.renderings if one.make in made}

    # --- the import -------------------------------------------------------------------------------------

    def _without(self, node: cst.ImportFrom, names: Sequence[Imported], found: Sequence[Imported]) -> Outcome:
        """The statement without `Monitor`, whose readers find it in its module, and only when they are run."""
        if any(not _is_class(one.path) for one in found):
            return unfixed(_UNDERNEATH)
        if not all(bound_once(self.tree, node, one) for one in found):
            return unfixed(f"another statement binds `{found[0].local}` too")
        edits: list[Edits] = []
        read = any(readers(self.tree, node, one.local) for one in found)
        scope = self.tree.scope(node)
        bound = self._binds_module(scope)
        if read and not bound and self.tree.scopes.mentions(scope, "wrappers"):
            return unfixed("the name `wrappers` is taken")
        kept = [one for one in names if one not in found]
        module = cst.ImportFrom(cst.Name("gymnasium"), [cst.ImportAlias(cst.Name("wrappers"))])
        if not kept:
            edits.append(replaced(self.tree, node, module) if read and not bound else removed(self.tree, node))
        else:
            assert node.module is not None
            whole = all(current(one.path, self.context.target) == one.path for one in kept)
            package = dotted(node.module)
            if whole:
                package = package.replace("gym", "gymnasium", 1) if package.partition(".")[0] == "gym" else package
            new = with_names(node, {one.alias: None for one in found}).with_changes(module=name_node(package))
            edits.append(replaced(self.tree, node, new))
            if read and not bound:
                line = self.tree.parents[node]
                if not isinstance(line, cst.SimpleStatementLine) or line.body[0] is not node:
                    return unfixed("the import shares its line with another statement")
                edits.append(added_before(self.tree, line, module))
        for one in found:
            edits += renamed_readers(self.tree, node, one.local, attribute(cst.Name("wrappers"), "Monitor"))
        return fixed("import `wrappers` instead of `Monitor`", *edits, unsure=self.context.stays_in_part)

    def _binds_module(self, scope: cst.CSTNode) -> bool:
        """Whether the scope imports the module `wrappers` of the library."""
        return any(
            one.local == "wrappers" and one.path == "wrappers" and self.tree.scope(statement) is scope
            for statement in self.tree.of_type(cst.ImportFrom)
            for one in imports_from(statement)
        )

    # --- the use ----------------------------------------------------------------------------------------

    def _recorded(self, call: cst.Call, func: cst.Attribute) -> Outcome:
        """The two wrappers in the place of one."""
        given = _arguments(call)
        if given is None or "env" not in given:
            return unfixed("its arguments are not visible")
        wrappers, env = func.value, given["env"]
        trigger = dotted(given["video_callable"].value) if "video_callable" in given else ""
        if trigger == "False" or ("video_callable" in given and _is_never(given["video_callable"].value)):
            new = _call(wrappers, "RecordEpisodeStatistics", [env])
            unsure = self.context.stays_in_part or ("" if self._counts_once(call, env.value) else _COUNTED)
            return fixed("keep the statistics", replaced(self.tree, call, new), unsure=unsure)
        if trigger == "None":
            del given["video_callable"]
        if "directory" not in given:
            return unfixed("it names no folder for the videos")
        arguments = [
            argument.with_changes(keyword=cst.Name(MONITOR[name])) if argument.keyword is not None else argument
            for name, argument in given.items()
        ]
        new = _call(wrappers, "RecordVideo", arguments)
        if self._reads_statistics:
            new = _call(wrappers, "RecordEpisodeStatistics", [cst.Arg(new)])
        once = not self._reads_statistics or self._counts_once(call, env.value)
        return self._with_frames(call, new, env.value, once)

    @cached_property
    def _reads_statistics(self) -> bool:
        """Whether the file asks for what `Monitor` counted."""
        return any(one.attr.value in LOST["RecordEpisodeStatistics"] for one in self.tree.of_type(cst.Attribute))

    def _counts_once(self, call: cst.Call, inside: cst.BaseExpression) -> bool:
        """Whether nothing else in the file counts the same environment's episodes, nor this call, in another round."""
        names = (below_root(name).rpartition(".")[2] for name in self.facts.names.values())
        env = self.facts.envs.get(self.span(inside))
        made = [one.place for one in env.made] if env is not None else []
        loops = [self.span(one) for one in self.tree.ancestors(call) if isinstance(one, (cst.For, cst.While))]
        fresh = bool(made) and all(one.path == self.facts.path and one.span.within(loops[0]) for one in made if loops)
        return sum(name in _COUNTING for name in names) == 1 and (fresh or not loops)

    def _with_frames(self, call: cst.Call, new: cst.Call, inside: cst.BaseExpression, once: bool) -> Outcome:
        """The new wrappers, and the mode that they need in the `make` of their environment."""
        modes = RenderModes(self.tree, self.facts)
        env = self.facts.envs.get(self.span(inside))
        make = modes.make(env) if env is not None else None
        if make is None and env is not None and env.made and env.made[0].place.path != self.facts.path:
            # GYM111 says of the new wrappers what `make` in the other file has to be given
            return fixed("record with `RecordVideo`", replaced(self.tree, call, new), unsure=_MODE_ELSEWHERE)
        if make is None:
            return unfixed('the `make` that needs `render_mode="rgb_array"` is not visible here')
        given = next((one.value for one in make.args if keyword(one) == "render_mode"), None)
        mode = "" if given is None else dotted(given) or self.tree.source(given)
        if mode and mode.strip("\"'") not in RECORDED:
            return unfixed(f"its environment is made with `render_mode={mode}`")
        if any(one.star == "**" for one in make.args):
            return unfixed("the arguments of its `make` are not visible")
        if mode:
            edits = replaced(self.tree, call, new)
        elif self.tree.within(make, call):
            edits = replaced(self.tree, call, exchanged(new, {make: _with_mode(make)}))
        else:
            edits = (*replaced(self.tree, call, new), *modes.frames_for(make, call))
        unsure = self._not_only_recorded(env)
        end = closing(self.context.path, self.tree, self.facts, call, env) if env is not None and not unsure else None
        unsure = unsure or (_NOT_CLOSED if end is None else "" if once else _COUNTED)
        return fixed("record with `RecordVideo`", edits, end or (), unsure=unsure)

    def _not_only_recorded(self, env: Env | None) -> str:
        """Why it may be no task of Gymnasium's, or more than recorded, in one clause; or empty."""
        if env is None or env.certainty != "proven" or env.mixed:
            return _NO_TASK
        if self.context.stays_in_part:
            return self.context.stays_in_part
        if not all(one.ids and one.drawing in ("", "raises") for one in env.made):
            return _NO_TASK
        return _NO_WINDOW if self._modes(env) else ""


def _is_class(name: str) -> bool:
    return name in ("wrappers.Monitor", "wrappers.monitor.Monitor")


def _arguments(call: cst.Call) -> dict[str, cst.Arg] | None:
    """The arguments that live on, by their old name; None where not all of them can be seen."""
    given: dict[str, cst.Arg] = {}
    for place, argument in enumerate(call.args):
        name = keyword(argument) or (MONITOR_PARAMETERS[place] if place < len(MONITOR_PARAMETERS) else "")
        if argument.star or (name not in MONITOR and name not in MONITOR_LOST):
            return None
        if name in MONITOR:
            given[name] = argument
    return given


def _call(module: cst.BaseExpression, name: str, arguments: Sequence[cst.Arg]) -> cst.Call:
    """`module.name(arguments)`, its last argument without a comma."""
    last = len(arguments) - 1
    return cst.Call(
        cst.Attribute(module, cst.Name(name)),
        [
            argument.with_changes(
                comma=cst.MaybeSentinel.DEFAULT if place == last else _comma(argument),
                whitespace_after_arg=cst.SimpleWhitespace(""),
            )
            for place, argument in enumerate(arguments)
        ],
    )


def _comma(argument: cst.Arg) -> cst.Comma:
    """The comma behind an argument, with the line break that it may have."""
    if isinstance(argument.comma, cst.Comma):
        return argument.comma
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _with_mode(make: cst.Call) -> cst.Call:
    """The call of `make` with a mode whose pictures can be recorded."""
    mode = keyword_argument("render_mode", cst.SimpleString('"rgb_array"'))
    return make.with_changes(args=with_argument(make.args, mode))


def _is_never(trigger: cst.BaseExpression) -> bool:
    """`lambda episode: False`."""
    return isinstance(trigger, cst.Lambda) and dotted(trigger.body) == "False"

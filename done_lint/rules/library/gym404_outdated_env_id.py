"""An id of an environment for which `make` raises an error.

## What it does
Reports ids of Gym's own environments that the target release of Gymnasium cannot make, where they are written:
in the call of `make` itself, or in the constant or the default of a parameter or command line option whose value
reaches that call. So it does, once in a file, ids that a package registers which nothing imports, `ale_py` for Atari
since Gymnasium 1.0; not where the program imports a package that no table knows. Where the code has no id for a `make`,
the configuration files (YAML, TOML, INI, JSON) count that a
string of the program names, or a folder that it names: an id that is a value there is reported at the call.

## Why it matters
`make` raises `DeprecatedEnv`, `NameNotFound`, or for MuJoCo an `ImportError`, sometimes hours after the program
was started. Which ids those are depends on the release: `target-version` sets it.

## Example
```python
import gymnasium as gym

env = gym.make("Pendulum-v0")
```

## Use instead
```python
import gymnasium as gym

env = gym.make("Pendulum-v1")
```

## Fix safety
Safe where the new version is the same task: Pendulum, Blackjack, FrozenLake, CliffWalking, Taxi-v3. Unsafe where
the task changed a little (LunarLander, BipedalWalker), and where the file contains the same id in another place, or
puts it into another text, such as the name of a file. Only shown, never applied, where results of old and new cannot
be compared: MuJoCo, CarRacing. No fix for environments
that are gone or live in packages of their own: Atari, Fetch. No fix either where a release that the project runs with
(`gymnasium>=0.28` in its dependencies) cannot make the new version. An import that is missing is written before the
first one of Gymnasium: safe where only ids that need it reach that call, and no older release has to run it.

A program with a `make` that can only be given an environment which was removed without a successor (`Copy-v0`) runs
with Gym alone: all of it stays as it is.

`CartPole-v0`, `MountainCar-v0`, `Acrobot-v1` and MuJoCo's version 4 can be made and are not reported, nor are ids
that the project registers itself, nor what Gym makes in a program that a package keeps on Gym.

## References
- [Gymnasium: Environments](https://gymnasium.farama.org/environments/classic_control/)
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, takewhile
from pathlib import PurePath

import libcst as cst

from done_lint.core.findings import Fix
from done_lint.core.gymnasium_release import shown
from done_lint.facts.kinds.ids import EnvId
from done_lint.knowledge.env_id_apis import REGISTERING_SINCE
from done_lint.knowledge.env_id_versions import Outdated, outdated
from done_lint.knowledge.gymnasium_changes import BEFORE_ONE, ONE
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.ids_in_names import text_with_id
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.registering_imports import registering_import
from done_lint.rules.base import Rule
from done_lint.syntax.edits import replaced

#: Statements that end a loop of attempts.
_LEAVING = (cst.Raise, cst.Return, cst.Break)


_NAMED = "the id is a part of `{}`: what is kept under that name would not be found again"


class OutdatedEnvId(Rule):
    """GYM404."""

    code = "GYM404"
    incompatibility = "makes an environment that is gone"
    stops_alone = True

    def visit_SimpleString(self, node: cst.SimpleString) -> None:
        """Look at every string that is known to arrive at `make`."""
        used = self.facts.ids.get(self.span(node))
        if used is None or used.own:
            return
        found = outdated(used.value, self.context.target, self.context.releases.lowest)
        if found is None and used.lacks:
            self._look_at_registration(node, used)
        if found is None or self._is_of_gym(used) or asks_first(self.tree, node) or self._is_tried(node, used):
            return
        new = found.successor
        what = f"`make` raises an error for `{used.value}` in Gymnasium {shown(self.context.target)}"
        needs = f"; it needs `pip install {found.needs}`" if found.needs else ""
        needs += f"; {found.asks}" if found.asks else ""
        self.report(
            node,
            what,
            help=f'write `"{new}"`{needs}' if new else found.advice,
            outcome=self._outcome(node, used, found),
            related=self.elsewhere(node, used.used),
            since_one=outdated(used.value, BEFORE_ONE) is None,
        )

    def _look_at_registration(self, node: cst.SimpleString, used: EnvId) -> None:
        """The first id of the file that the same package has to register."""
        first = min(span for span, one in self.facts.ids.items() if one.lacks == used.lacks and not one.own)
        if self.context.target < REGISTERING_SINCE or self.facts.unregistered or self.span(node) != first:
            return
        if asks_first(self.tree, node) or self._is_tried(node, used):
            return
        edits = registering_import(self.tree, used.lacks)
        self.report(
            node,
            f"`make` raises an error for `{used.value}` in Gymnasium {shown(self.context.target)}: nothing imports "
            f"`{used.lacks}`, which registers it",
            help=f"write `import {used.lacks}` before `make`",
            outcome=fixed(
                f"import `{used.lacks}`",
                edits,
                unsure=self._unneeded(used),
            )
            if edits
            else unfixed("the file imports nothing of Gymnasium's that the import could stand before"),
            related=self.elsewhere(node, used.used),
        )

    def _unneeded(self, used: EnvId) -> str:
        """Why the import may stand where nothing needs it, in one clause; or empty."""
        if any(one.used == used.used and not one.lacks for one in self.facts.ids.values()):
            return f"the same call is also given ids that do not need `{used.lacks}`"
        if (lowest := self.context.releases.lowest) < REGISTERING_SINCE:
            return f"the project also runs with Gymnasium {shown(lowest)}, which needs no such import"
        return ""

    def visit_Call(self, node: cst.Call) -> None:
        """Look at the first call that may be given each id of a configuration file, where the code has none."""
        calls = self.facts.unseen_ids
        if not calls or self.span(node) != calls[0].span or asks_first(self.tree, node):
            return
        if self.facts.keeper is not None and calls[0].taker.startswith("gym."):
            return
        for value, place in self.facts.configured_ids.items():
            found = outdated(value, self.context.target, self.context.releases.lowest)
            if found is not None:
                file = f"`{PurePath(place.path).name}`"
                self.report(
                    node,
                    f"{file} names `{value}`, for which `make` raises an error in Gymnasium "
                    f"{shown(self.context.target)}",
                    help=f"write `{found.successor}` there" if found.successor else found.advice,
                    outcome=unfixed(f"the id is written in {file}, row {place.span.row}"),
                    related=(place,),
                )

    def _is_of_gym(self, used: EnvId) -> bool:
        """Whether Gym makes it, in a program that a package keeps on Gym: its release has the ids of its time."""
        keeper = self.facts.keeper
        stays = keeper is not None and not (keeper.env_id or keeper.hidden_id)
        return stays and used.taker.startswith("gym.")

    def _is_tried(self, node: cst.SimpleString, used: EnvId) -> bool:
        """Whether the same `try` or choice makes another version of the task: the program takes what there is.

        So it does where a loop tries each id of a list.
        """
        task = used.value.rpartition("-v")[0]
        if _beside(self.context, node).get(task, set()) - {used.value} and self._is_in_loop_of_attempts(used):
            return True
        attempts = (one for one in self.tree.ancestors(node) if isinstance(one, (cst.Try, cst.If, cst.IfExp)))
        return any(_versions(self.context, attempt).get(task, set()) - {used.value} for attempt in attempts)

    def _is_in_loop_of_attempts(self, used: EnvId) -> bool:
        """Whether the call is in a `try` in a loop of this file, and a failure goes on with the next round."""
        call = self.tree.expressions.get(used.used.span) if used.used.path == self.context.path else None
        around = [] if call is None else [*takewhile(lambda one: not _is_function(one), self.tree.ancestors(call))]
        attempt = next((one for one in around if isinstance(one, (cst.Try, cst.For, cst.While))), None)
        if call is None or not isinstance(attempt, cst.Try) or not self.tree.within(call, attempt.body):
            return False
        ends = (one for handler in attempt.handlers for one in self.tree.descend(handler) if isinstance(one, _LEAVING))
        return any(isinstance(one, cst.For) for one in around) and bool(attempt.handlers) and not any(ends)

    def _outcome(self, node: cst.SimpleString, used: EnvId, found: Outdated) -> Outcome:
        if not found.successor or node.value.count(used.value) != 1:
            return unfixed(found.advice or "the id is not written in one piece")
        if reason := self.context.lacking(found.since):
            return unfixed(reason)
        if any(found.successor in ids for ids in _beside(self.context, node).values()):
            return unfixed(f"the same list has `{found.successor}` already")
        new = node.with_changes(value=node.value.replace(used.value, found.successor))
        edits = replaced(self.tree, node, new)
        if found.change == "other":
            return Outcome(Fix(f"use `{found.successor}`, another task", edits, "display"))
        outcome = fixed(f"use `{found.successor}`", edits, unsure=self._doubt(node, used, found))
        return outcome.only_since_one() if found.since >= ONE else outcome

    def _doubt(self, node: cst.SimpleString, used: EnvId, found: Outdated) -> str:
        """Why the new id may not do what the old one did, in one clause; or empty."""
        if found.change != "same":
            return f"`{found.successor}` may not be quite the same task, and give other results"
        if used.elsewhere:
            return "another file has the same id, to compare with or as a key, and stays as it is"
        if self._said_elsewhere(used.value):
            return "the file has the same id in another place, which stays as it is"
        whole = text_with_id(self.context, node)
        return _NAMED.format(whole) if whole else ""

    def _said_elsewhere(self, env_id: str) -> bool:
        """Whether the file has the id in a string that does not arrive at `make`, to compare or to look up."""
        return env_id in _other_texts(self.context)


def _is_function(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.FunctionDef, cst.Lambda))


def _beside(context: Context, node: cst.SimpleString) -> Mapping[str, set[str]]:
    """The ids in the list, tuple or set that a string stands in, by their task."""
    outer = next(islice(context.tree.ancestors(node), 1, None), None)
    return _versions(context, outer) if isinstance(outer, (cst.List, cst.Tuple, cst.Set)) else {}


@per_file
def _versions(context: Context, outer: cst.CSTNode) -> Mapping[str, set[str]]:
    """The ids that are looked up inside a statement, by their task."""
    found: dict[str, set[str]] = {}
    for text in context.tree.inside(cst.SimpleString, outer):
        if (used := context.facts.ids.get(context.tree.span(text))) is not None:
            found.setdefault(used.value.rpartition("-v")[0], set()).add(used.value)
    return found


@per_file
def _other_texts(context: Context) -> frozenset[str | bytes]:
    """The strings of the file that are looked up nowhere."""
    texts = context.tree.of_type(cst.SimpleString)
    return frozenset(text.evaluated_value for text in texts if context.tree.span(text) not in context.facts.ids)

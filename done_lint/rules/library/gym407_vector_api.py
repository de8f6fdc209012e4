"""The vector API of old Gym: `gym.vector.make`, the step that resets, infos as a list, and keys of another version.

## What it does
Reports calls of `gym.vector.make`; vector environments that are made for a release before 1.0 and do not say how they
reset; infos of a vector environment that are read as a list of dictionaries; the
keys of final observations and infos that Gymnasium 1.x does not set, or has under another name; and subclasses of
the library's vector environments that override `step_wait` and the like, or hand arguments to `VectorEnv`.

## Why it matters
`vector.make` is gone since Gymnasium 1.0. Infos are one dictionary of arrays since Gym 0.24: `for info in infos`
iterates over its keys, without an error. And since 1.0 a vector environment resets in the step *after* an episode's
end: a program of before stores one transition an episode that never happened, `final_observation` and `final_info` are
never set, and code that waits for them never runs. What a program was made for shows in an import of Gym, in the keys
that it asks for, in infos that it takes for a list, in names that 1.0 has renamed, in ids that it took away, and in the
releases that its project allows. A subclass of `VectorEnv` overrides `step` and `reset` since then: `step_wait` is
called by nobody, and the constructor takes nothing. So does a subclass of `VectorWrapper`, which has replaced
`VectorEnvWrapper`.

## Example
```python
import gymnasium as gym

envs = gym.vector.SyncVectorEnv(
    [lambda: gym.make("CartPole-v1")] * 3,
)
observations, infos = envs.reset()
observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
for info in infos:
    if "episode" in info:
        print(info["episode"]["r"])
```

## Use instead
```python
import gymnasium as gym

envs = gym.vector.SyncVectorEnv(
    [lambda: gym.make("CartPole-v1")] * 3,
    autoreset_mode=gym.vector.AutoresetMode.SAME_STEP,
)
observations, infos = envs.reset()
observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
for i, ended in enumerate(infos.get("final_info", {}).get("_episode", ())):
    if ended:
        print(infos["final_info"]["episode"]["r"][i])
```

## Fix safety
Safe for `vector.make` with arguments that have a counterpart, for `autoreset_mode=SAME_STEP` where an environment is
made for a release before 1.0, so that every step returns what it did (`make_vec` is then told to put environments side
by side too, where the id may have a vector environment of its own, which takes no mode), for loops that do nothing but
read episode statistics, and for the new name of a key where the environment resets in the same step. Unsafe for the
mode where only ids show the release: the environments of the new ids (GYM404) are other ones; where the project
asks for 1.0, but uses names that it has renamed: it may run all but these; and where the file reads in the infos
themselves what a wrapper of the project writes there. Everything else has no fix: the code does
not show what the loop needs of its entries. Gymnasium 1.0 has no modes, so that there the mode has no fix either; nor
has it where something reads `final_info` as a list that cannot be rewritten, or where `NormalizeObservation` of
`wrappers.vector` is around the environment, or where statistics of wrappers inside are read in the infos themselves:
with the mode they would stand under `final_info`. Where the project also runs with a release before 1.0, such as with
`gymnasium>=0.28` in its dependencies, loops have no fix either: there the statistics of wrappers inside of the vector
environment stand under `final_info`.

## References
- [Gymnasium: Vector environments](https://gymnasium.farama.org/api/vector/)
- [Gymnasium: Vector autoreset modes](https://farama.org/Vector-Autoreset-Mode)
"""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from done_lint.core.gymnasium_release import shown
from done_lint.facts.environments.autoreset_modes import autoreset_mode, knows_modes
from done_lint.facts.kinds.environments import Made
from done_lint.facts.kinds.results import Info
from done_lint.knowledge.array_functions import SHAPING
from done_lint.knowledge.gymnasium_changes import ONE, WITHOUT_ARGUMENTS
from done_lint.knowledge.old_arguments import MAKE_VEC, VECTOR_MAKE
from done_lint.knowledge.vector_info_keys import (
    MODE_ARGUMENT,
    MODES_SINCE,
    OF_INFOS,
    OF_OBSERVATIONS,
    final_keys,
)
from done_lint.rewrites.before_one import is_of_other_releases, runs_since_one
from done_lint.rewrites.compatibility_code import asks_first
from done_lint.rewrites.env_methods import calls_of, is_super, receiver
from done_lint.rewrites.env_methods import method as method_named
from done_lint.rewrites.outcome import Outcome, unfixed
from done_lint.rewrites.vectors.inherited_modes import inherited_mode, same_step_inherited
from done_lint.rewrites.vectors.listed_infos import MODE_FIRST, of_one, over_final_info, over_list, place_of_statistics
from done_lint.rewrites.vectors.made_by_make_vec import by_make_vec
from done_lint.rewrites.vectors.moved_keys import of_today, under_new_key, without_key
from done_lint.rewrites.vectors.same_step import (
    doubt,
    hindered,
    in_same_step,
    is_said,
    made_by_subclass,
    made_here,
    mode_expression,
    resets_later,
    vector_keywords,
    waits_for_mode,
)
from done_lint.rewrites.vectors.split_methods import Uncalled, library_base, not_called, uncalled_parts
from done_lint.rewrites.vectors.unasked_keys import in_no_mode, is_of_named, is_of_no_mode
from done_lint.rewrites.vectors.vector_infos import (
    enumerated,
    gone_over,
    is_number_of_env,
    own_infos,
    taken_for_dictionaries,
    taken_for_list,
    whole_infos,
)
from done_lint.rules.base import Rule
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import only_index


class VectorApi(Rule):
    """GYM407."""

    code = "GYM407"
    incompatibility = ""
    since_one = True

    def visit_Call(self, node: cst.Call) -> None:
        """`gym.vector.make(...)`, and `infos.get("final_info")`."""
        name = self.facts.names.get(self.span(node.func), "")
        made = name in VECTOR_MAKE
        if asks_first(self.tree, node) and (made or made_here(self.context, node) is not None):
            return
        if made and name.startswith("gym.") and self.facts.kept_by:
            return  # Gym, which has to stay, has it
        if made and self.context.target >= ONE:
            reason = self.context.lacking(MAKE_VEC)
            outcome = unfixed(reason) if reason else by_make_vec(self.context, node)
            self.report(
                node,
                f"`{self.source(node.func)}` does not exist any more: this raises `AttributeError`",
                help='write `gymnasium.make_vec(id, num_envs=..., vectorization_mode="async")`',
                outcome=outcome.only_since_one(),
            )
        elif (known := made_here(self.context, node)) is not None and resets_later(self.context, known):
            self._resets_later(node, known)
        elif (own := made_by_subclass(self.context, node)) is not None and is_said(self.context, own):
            self._subclass_resets_later(node, own)
        elif isinstance(node.func, cst.Attribute) and node.func.attr.value in ("get", "pop") and node.args:
            self._key(node, node.func.value, node.args[0].value)
        elif last_name(node.func) == SHAPING and node.args:
            info = taken_for_list(self.context, node.args[0].value)
            if info is not None and not info.shaped:
                self._say_list(node.args[0].value, info, _SHAPED, unfixed(_HANDED_ON))

    def _resets_later(self, node: cst.Call, made: Made) -> None:
        """A vector environment of before 1.0: what a program stores would be other rows without an error."""
        if self.span(node) in self.facts.unstepped:
            return
        outcome = in_same_step(self.context, node, made, unsure=doubt(self.context, made))
        chosen = _CHOSEN if made.own_beside or made.in_turn is not None else ""
        refused = _REFUSED if made.own_wrapper or made.either_wrapper else ""
        self.report(
            node,
            f"`{self.source(node.func)}` resets one step after an episode's end since Gymnasium 1.0, and here it was "
            "made to reset in the same step",
            help=f"pass `{self._wanted(node, made)}`",
            outcome=outcome.only_since_one(),
            env=self.facts.envs.get(self.span(node)),
            incompatibility="" if outcome.fix is not None else chosen or refused,
        )

    def _subclass_resets_later(self, node: cst.Call, made: Made) -> None:
        """The same of a class of the project that has neither a constructor nor a step of its own."""
        self.report(
            node,
            f"`{made.subclass}` resets one step after an episode's end since Gymnasium 1.0, as its base does, and here "
            "it was made to reset in the same step",
            help=f"pass `{MODE_ARGUMENT}={mode_expression(self.context, node)[0]}`",
            outcome=unfixed(hindered(self.context, made) or _OWN_CLASS),
            env=self.facts.envs.get(self.span(node)),
        )

    def _wanted(self, node: cst.Call, made: Made) -> str:
        """The argument that asks for the mode."""
        if self.facts.names.get(self.span(node.func), "").endswith("make_vec"):
            return vector_keywords(self.context, node, made)[0]
        return f"{MODE_ARGUMENT}={mode_expression(self.context, node)[0]}"

    def visit_For(self, node: cst.For) -> None:
        """`for info in infos`."""
        self._loop(node, node)

    def visit_CompFor(self, node: cst.CompFor) -> None:
        """`[... for info in infos]`."""
        self._loop(node, None)

    def visit_Subscript(self, node: cst.Subscript) -> None:
        """`infos[0]`, `infos[i]`, `infos["final_info"]`."""
        key = only_index(node)
        if key is None:
            return
        if isinstance(key, cst.SimpleString):
            if not self._goes_over(node):
                self._key(node, node.value, key)
        elif (info := taken_for_list(self.context, node.value)) is not None and is_number_of_env(self.tree, key):
            own = own_infos(self.context, node.value) is not None
            self._say_list(node, info, _ENTRIES, of_one(self.context, node, info) if own else unfixed(_HANDED))

    def visit_Comparison(self, node: cst.Comparison) -> None:
        """`"final_info" in infos`."""
        if len(node.comparisons) == 1 and isinstance(node.comparisons[0].operator, (cst.In, cst.NotIn)):
            self._key(node, _without_keys(node.comparisons[0].comparator), node.left)

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        """`class Pool(gym.vector.VectorEnv)` with a `step_wait`, or a constructor that hands arguments on."""
        self._inherits_mode(node)
        if self.context.target < ONE:
            return
        for one in uncalled_parts(self.context, node):
            self._say_uncalled(node.name.value, one)
        # `super().__init__(env)` goes to the first base
        base = library_base(self.context, node, first=True)
        constructor = method_named(node, "__init__")
        if constructor is not None and base in WITHOUT_ARGUMENTS:
            for call in calls_of(self.tree, constructor, "__init__"):
                if is_super(receiver(call)) and call.args:
                    self.report(
                        call,
                        f"`{base.rpartition('.')[2]}` takes no arguments in Gymnasium {shown(self.context.target)}: "
                        "this raises `TypeError`",
                        help="set `self.num_envs`, the two spaces and their `single_` forms instead",
                        outcome=unfixed("which of them the class sets itself is not known"),
                    )

    def _inherits_mode(self, node: cst.ClassDef) -> None:
        """A vector environment of before 1.0, with a constructor of its own."""
        if (found := inherited_mode(self.context, node)) is not None:
            self.report(
                found.call,
                f"`{self.source(found.base)}` resets one step after an episode's end since Gymnasium 1.0, and "
                f"`{node.name.value}` was made to reset in the same step",
                help=f"pass `{found.wanted}`",
                outcome=same_step_inherited(self.context, found).only_since_one(),
            )

    def _say_uncalled(self, owner: str, found: Uncalled) -> None:
        self.report(
            found.method.name,
            not_called(owner, found),
            help=f"override `{found.public}` itself",
            outcome=unfixed(f"`{found.public}` has to take over what is done in several methods"),
        )

    # --- infos -------------------------------------------------------------------------------------

    def _loop(self, node: cst.For | cst.CompFor, loop: cst.For | None) -> None:
        """A loop over the infos, or over what stands under one of their keys."""
        for inside, target in gone_over(node):
            info = taken_for_list(self.context, inside)
            if info is not None:
                if taken_for_dictionaries(self.tree, node, target):
                    whole = node.iter if enumerated(node.iter) is inside else inside
                    self._say_list(whole, info, _KEYS, self._over(loop, inside, info))
            elif isinstance(inside, cst.Subscript) and isinstance(inside.slice[0].slice, cst.Index):
                key = inside.slice[0].slice.value
                if isinstance(key, cst.SimpleString):
                    self._key(inside, inside.value, key)
                    self._listed(node, inside, target, key)

    def _over(self, loop: cst.For | None, inside: cst.BaseExpression, info: Info) -> Outcome:
        """What a loop over infos becomes, where all that is done with them is seen, and nothing is beside them."""
        if own_infos(self.context, inside) is None:
            return unfixed(_HANDED)
        alone = loop if loop is not None and enumerated(loop.iter) is inside else None
        return over_list(self.context, alone, inside, info)

    def _listed(
        self, node: cst.For | cst.CompFor, inside: cst.Subscript, target: cst.BaseExpression, key: cst.SimpleString
    ) -> None:
        """`for info in infos["final_info"]`, where that is a dictionary of arrays today."""
        info = own_infos(self.context, inside.value)
        mode = autoreset_mode(info.env, self.context.target) if info is not None else None
        if info is None or mode is None or info.unasked or not taken_for_dictionaries(self.tree, node, target):
            return
        if key.evaluated_value in info.own_keys:
            return
        keys = final_keys(mode, self.context.target)
        if key.evaluated_value == keys.info and not keys.listed:
            self._say_list(node.iter, info, _KEYS, over_final_info(self.context, node, inside, info))

    def _say_list(self, node: cst.BaseExpression, info: Info, what: str, outcome: Outcome) -> None:
        self.report(
            node,
            f"the infos of a vector environment are a dictionary of arrays: `{self.source(node)}` {what}",
            help=place_of_statistics(self.context, info),
            outcome=outcome.only_since_one(),
            env=info.env,
            incompatibility=_LISTED,
        )

    @cached_property
    def _is_for_later_release(self) -> bool:
        """Whether the file uses what the release that the project asks for does not have: that one does not run it."""
        target = self.context.target
        return (target < MODES_SINCE and knows_modes(self.facts)) or (target < ONE and runs_since_one(self.context))

    def _key(self, node: cst.BaseExpression, container: cst.BaseExpression, key: cst.BaseExpression) -> None:
        """A key of infos that the target release does not set."""
        name = key.evaluated_value if isinstance(key, cst.SimpleString) else None
        if not isinstance(name, str) or name not in OF_OBSERVATIONS | OF_INFOS:
            return
        info = whole_infos(self.context, container)
        if info is None and is_of_named(self.context, node, container, name):
            self._say_unasked(node, name, None)
        if info is not None and info.unasked:
            if is_of_no_mode(self.context, node, name, info):
                self._say_unasked(node, name, info)
            return
        mode = autoreset_mode(info.env, self.context.target) if info is not None else None
        if info is None or mode is None or name in info.own_keys or is_of_other_releases(self.context, node):
            return
        if self._is_for_later_release or (mode == "SameStep" and ONE <= self.context.target < MODES_SINCE):
            return
        keys = final_keys(mode, self.context.target)
        today = keys.observation if name in OF_OBSERVATIONS else keys.info
        if name.strip("_") == today:
            return
        advice = _OBSERVATION if name in OF_OBSERVATIONS else place_of_statistics(self.context, info)
        if waits_for_mode(self.context, info.env):
            outcome = unfixed(MODE_FIRST)
        elif today:
            outcome = under_new_key(self.tree, key, name, today)
        else:
            outcome = without_key(self.context, node, container, info)
        self.report(
            node,
            f"`{name}` is not set: the key is called `{of_today(name, today)}` now"
            if today
            else f"`{name}` is never set{self._where()}",
            help=f'write `"{of_today(name, today)}"`' if today else advice,
            outcome=outcome.only_since_one(),
            env=info.env,
        )

    def _say_unasked(self, node: cst.BaseExpression, name: str, info: Info | None) -> None:
        """A key that is wrong in every mode, of an environment that only an annotation shows, or its use."""
        message, advice = in_no_mode(name, self._where())
        env = info.env if info is not None else None
        self.report(node, message, help=advice, outcome=unfixed(_NOT_VISIBLE), env=env, certainty="by name")

    def _where(self) -> str:
        """The release that a finding is about, where the code runs with older ones for which it is not true."""
        return f" in Gymnasium {shown(self.context.target)}" if self.context.releases.lowest < ONE else ""

    def _goes_over(self, node: cst.Subscript) -> bool:
        """Whether a loop goes over the subscript, and so reports it."""
        loops = (one for one in self.tree.ancestors(node) if isinstance(one, (cst.For, cst.CompFor)))
        around = next(loops, None)
        return around is not None and any(inside is node for inside, _ in gone_over(around))


def _without_keys(node: cst.BaseExpression) -> cst.BaseExpression:
    """What is asked in `key in infos.keys()`."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "keys":
        return node.func.value
    return node


#: Lists are what Gym gave up to 0.23: there such code runs, and no longer once its family has moved.
_LISTED = "takes the infos of several environments for a list"
_ENTRIES = "is not a list with one entry for each environment"
_KEYS = "is not a list: this iterates over its keys"
#: Once the import has moved, nothing may show any more that the rows were others.
_CHOSEN = "makes a vector environment that resets one step later under Gymnasium"
_REFUSED = "puts a wrapper of single environments around several, which Gymnasium refuses"
_OWN_CLASS = "what a class of the project does in the mode is not known"
_SHAPED = "is not a list that can have another shape"
_HANDED_ON = "what reads it takes it for a list"
_HANDED = "other code that calls the function may hand a list over"
_NOT_VISIBLE = "the call that makes the vector environment is not visible"
_OBSERVATION = "the observation of the step that ends an episode is the final one"

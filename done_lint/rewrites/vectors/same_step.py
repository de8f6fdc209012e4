"""Vector environments that were made for releases which reset in the step that ends an episode.

Up to Gymnasium 0.29 the step that ended an episode returned the first observation of the next one. Since 1.0 the reset
takes a step of its own, unless the vector environment is asked for `SAME_STEP`, as can be done since 1.1.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

import libcst as cst

from done_lint.core.findings import Related
from done_lint.facts.environments.autoreset_modes import asks_for_one, autoreset_mode, knows_modes, made_before_one
from done_lint.facts.kinds.environments import Env, Made
from done_lint.knowledge.env_apis import GYM_VECTOR, GYMNASIUM_VECTOR, SB3_VEC_ENV
from done_lint.knowledge.old_arguments import (
    LEFT_TO_THE_ID,
    OWN_VECTORS,
    REGISTERED_VECTORS,
    VECTORIZATION,
    VECTORIZATION_PLACE,
)
from done_lint.knowledge.vector_info_keys import MODE_ARGUMENT, MODES_SINCE, ONLY_NEXT_STEP, TAKING_MODE, taking_mode
from done_lint.rewrites.before_one import has_names_of_before, is_before_one, runs_since_one
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.imports import imports_from, with_names
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.vectors.episode_statistics_loops import EpisodeLoop
from done_lint.rewrites.vectors.infos_of_today import is_read_as_today, own_key_at_top, statistics_at_top
from done_lint.rewrites.vectors.step_rows import left_out_at_once
from done_lint.rewrites.vectors.vector_infos import (
    asks_its_items,
    enumerated,
    gone_over,
    own_infos,
    taken_for_dictionaries,
    taken_for_list,
)
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits, argument_added, replaced
from done_lint.syntax.shapes import only_index, string_value

_MODE = "AutoresetMode"
_FAILS = "what reads `final_info` as a list ({}) would fail"
_MOVED = "the episode statistics that row {} reads in the infos themselves would stand under `final_info`"
_OWN_KEY = "what row {} reads in the infos of the step that ends an episode would stand under `final_info`"
_IN_TURN = "what is called at {} may make another one in its place, and cannot be asked for the mode"
_TITLE = "reset in the step that ends an episode, as before 1.0"
_MAY_RUN = "the project requires Gymnasium 1.0 or later, and may be written for a reset one step later"
_ONLY_IDS = "only environment ids show that it was made for a release before 1.0, and those of today may differ"


def made_here(context: Context, call: cst.Call) -> Made | None:
    """What is known of the vector environment that this call makes."""
    span = context.tree.span(call)
    env = context.facts.envs.get(span)
    if env is None or env.api not in (GYM_VECTOR, GYMNASIUM_VECTOR) or env.certainty != "proven":
        return None
    return next((one for one in env.made if one.place.span == span and one.place.path == context.path), None)


def made_by_subclass(context: Context, call: cst.Call) -> Made | None:
    """What is known of the vector environment that a call of a class of the project makes, as the library's would."""
    env = context.facts.envs.get(context.tree.span(call))
    made = env.made if env is not None and env.api in (GYM_VECTOR, GYMNASIUM_VECTOR) else ()
    return next((one for one in made if one.as_library and one.subclass == last_name(call.func)), None)


def resets_later(context: Context, made: Made) -> bool:
    """Whether a vector environment was made for an older release, and resets one step later than there."""
    known = _made_before_one(context, made)
    if known is None:
        if asks_for_one(context.releases):
            return has_names_of_before(context)  # they outrank what is asked for, and old keys do not
        return _has_sign(context, made) or _has_dead_ids(context, made)
    # what is old in a file that runs with 1.0 was left over there
    return known and not (made.function.startswith("gymnasium.") and runs_since_one(context))


def is_said(context: Context, made: Made) -> bool:
    """Whether that is reported at the call which makes it: in another file, what only this one shows is not known."""
    return resets_later(context, made) if made.place.path == context.path else bool(_made_before_one(context, made))


def doubt(context: Context, made: Made) -> str:
    """Why nobody can be sure of that: only the ids show it, or the project asks for 1.0; empty where it is known.

    With the mode, but without other ids, no release could run the program. Who asks for 1.0 may run all but what is
    gone.
    """
    if made.function.startswith("gymnasium.") and (row := own_key_at_top(context, made)) is not None:
        return _OWN_KEY.format(row)
    if _made_before_one(context, made) is not None:
        return ""
    if asks_for_one(context.releases):
        return _MAY_RUN
    return "" if _has_sign(context, made) else _ONLY_IDS


def _made_before_one(context: Context, made: Made) -> bool | None:
    """Whether it was made for a release before 1.0; old keys say nothing of that beside those of today.

    Then they are what the file falls back to.
    """
    if made.old_infos and is_read_as_today(context, made):
        made = replace(made, old_infos=False)
    return made_before_one(made, context.releases, knows_modes=_knows_modes(context))


def _has_sign(context: Context, made: Made) -> bool:
    """Whether something else in the file shows the release; what is old beside names of 1.0 was left over."""
    return (made in _listed(context) and not runs_since_one(context)) or is_before_one(context)


def _has_dead_ids(context: Context, made: Made) -> bool:
    return made.dead_ids and not runs_since_one(context)


def waits_for_mode(context: Context, env: Env) -> bool:
    """Whether the call that makes it has to be asked for a mode, before anything is said about its infos."""
    later = any(resets_later(context, made) for made in env.made)
    return later and context.target >= MODES_SINCE and not context.lacking(MODES_SINCE)


def resets_at_once(context: Context, env: Env) -> bool:
    """Whether a vector environment resets in the step that ends an episode, or did so where it was made for."""
    if env.api == SB3_VEC_ENV:
        return True
    if env.api not in (GYM_VECTOR, GYMNASIUM_VECTOR):
        return False
    return autoreset_mode(env, context.target) == "SameStep" or any(resets_later(context, made) for made in env.made)


def in_same_step(context: Context, call: cst.Call, made: Made, *, unsure: str) -> Outcome:
    """Ask for `SAME_STEP` in the call that makes a vector environment; unsafe for the reason that is given, if any."""
    if not taking_mode(made.function):
        return unfixed("it takes no other mode")
    if made.own_beside:
        return unfixed("what it calls may also be code of the project, which takes no mode")
    if made.mode != "default":
        hidden = made.mode == "probable"
        return unfixed(
            "some of its arguments are not visible" if hidden else "the call that makes it asks for another mode"
        )
    if reason := hindered(context, made):
        return unfixed(reason)
    if _is_left_to_the_id(context, call, made):
        return unfixed("the id's own vector environment takes no mode: make it with `vectorization_mode` first")
    edits = _mode_added(context, call, made)
    return (
        fixed(_TITLE, *edits, unsure=unsure)
        if edits is not None
        else unfixed("its arguments cannot be changed in one place")
    )


def hindered(context: Context, made: Made | None) -> str:
    """Why a vector environment cannot reset in the same step; empty where it can."""
    if context.target < MODES_SINCE:
        return "Gymnasium 1.0 resets in the next step only"
    if reason := context.lacking(MODES_SINCE):
        return reason
    if made is None:
        return ""
    around = {layer for env in context.facts.envs.values() if made in env.made for layer in env.layers}
    if refusing := sorted(around & ONLY_NEXT_STEP):
        return f"`{refusing[0]}` around it takes no environment that resets in the same step"
    if made.function.startswith("gymnasium.") and made in _left_out(context):
        return "the loop that steps it leaves the step that resets out already"
    if reason := _read_otherwise(context, made):
        return reason
    return _elsewhere(context, made)


def _elsewhere(context: Context, made: Made) -> str:
    """What other code would have to change with it, and does not; or empty."""
    if wrapper := made.own_wrapper or made.either_wrapper:
        return f"`{wrapper}` around it has to become a `gym.vector.VectorWrapper` with it"
    if made.beside:
        return f"`{made.beside}`, which is stepped in its place, would still answer as it does"
    if made.in_turn is not None:
        return _IN_TURN.format(_position(made.in_turn))
    if (read := _handed_on(context, made)) is not None:
        return _FAILS.format(_position(read))
    return ""


def _position(place: Related) -> str:
    return f"{PurePath(place.path).name}:{place.span.row}"


def _read_otherwise(context: Context, made: Made) -> str:
    """What the file reads of the infos that stands somewhere else, or in another form, in this mode; or empty."""
    if (row := _unreadable(context, made)) is not None:
        return _FAILS.format(f"row {row}")
    row = statistics_at_top(context, made)
    return "" if row is None else _MOVED.format(row)


@per_file
def stays_as_made(context: Context) -> str:
    """Why some vector environment that the file makes for a release before 1.0 cannot reset in the same step, or "".

    Until it does, nothing may be written there that only 1.0 has: the file would look as if it had been made for that
    release, and run with other rows.
    """
    made = {one for env in context.facts.envs.values() for one in env.made if one.place.path == context.path}
    later = (one for one in made if one.function.startswith("gymnasium.") and resets_later(context, one))
    return next((reason for one in later if (reason := hindered(context, one))), "")


def mode_expression(context: Context, call: cst.Call) -> tuple[str, Edits]:
    """`gym.vector.AutoresetMode.SAME_STEP`, as the file spells its imports, and what has to be imported for it."""
    func, name = call.func, context.facts.names.get(context.tree.span(call.func), "")
    package = name.partition(".")[0]
    if isinstance(func, cst.Attribute):
        module = context.tree.source(func.value)
        if name.endswith(".make_vec"):
            return f"{module}.vector.{_MODE}.SAME_STEP", ()
        if name.rpartition(".")[0] == f"{package}.vector" or name.endswith(".vector.make"):
            return f"{module}.{_MODE}.SAME_STEP", ()
    elif (imported := _imported_mode(context, func)) is not None:
        return f"{_MODE}.SAME_STEP", imported
    return '"SameStep"', ()


def vector_keywords(context: Context, call: cst.Call, made: Made) -> tuple[str, Edits]:
    """`vector_kwargs={"autoreset_mode": ...}` with what it needs beside it, and what has to be imported for it."""
    mode, imported = mode_expression(context, call)
    beside = _side_by_side(call, made)
    argument = f'vector_kwargs={{"{MODE_ARGUMENT}": {mode}}}'
    return f"{beside}, {argument}" if beside else argument, imported


def _mode_added(context: Context, call: cst.Call, made: Made) -> tuple[Edits, ...] | None:
    """The mode as one more argument, or as one more entry of `vector_kwargs`."""
    tree = context.tree
    if TAKING_MODE[taking_mode(made.function)] is not None:
        mode, imported = mode_expression(context, call)
        return argument_added(tree, call, f"{MODE_ARGUMENT}={mode}"), imported
    given = next((one.value for one in call.args if keyword(one) == "vector_kwargs"), None)
    if given is None:
        argument, imported = vector_keywords(context, call, made)
        return argument_added(tree, call, argument), imported
    if not isinstance(given, cst.Dict) or any(isinstance(one, cst.StarredDictElement) for one in given.elements):
        return None
    mode, imported = mode_expression(context, call)
    entry = cst.DictElement(cst.SimpleString(f'"{MODE_ARGUMENT}"'), cst.parse_expression(mode))
    # who gives `vector_kwargs` has an id without a vector environment of its own: that one takes none
    return replaced(tree, given, given.with_changes(elements=[*given.elements, entry])), imported


def _vectorization(call: cst.Call) -> cst.BaseExpression | None:
    """How a call of `make_vec` says to vectorize."""
    named = (one.value for one in call.args if keyword(one) == VECTORIZATION)
    by_place = call.args[VECTORIZATION_PLACE : VECTORIZATION_PLACE + 1]
    return next(named, next((one.value for one in by_place if one.keyword is None and not one.star), None))


def _is_left_to_the_id(context: Context, call: cst.Call, made: Made) -> bool:
    """Whether `make_vec` is told to make the vector environment that the id has."""
    said = _vectorization(call) if made.function in REGISTERED_VECTORS else None
    return said is not None and context.tree.source(said).rpartition(".registration.")[2] in LEFT_TO_THE_ID


def _side_by_side(call: cst.Call, made: Made) -> str:
    """What `make_vec` has to be told beside the mode, where the id may have a vector environment that takes none."""
    if made.function not in REGISTERED_VECTORS or _vectorization(call) is not None:
        return ""
    env_id = next((one.value for one in call.args if keyword(one) in ("", "id") and not one.star), None)
    written = string_value(env_id)
    return "" if written and written not in OWN_VECTORS else f'{VECTORIZATION}="sync"'


def _imported_mode(context: Context, func: cst.BaseExpression) -> Edits | None:
    """The mode imported beside the class, from the module that has both; None where that is not the case."""
    tree = context.tree
    if not isinstance(func, cst.Name) or tree.scopes.mentions(tree.module, _MODE):
        return None
    for statement in tree.of_type(cst.ImportFrom):
        names = imports_from(statement)
        beside = [one for one in names if one.path == f"vector.{one.local}" and one.local == func.value]
        if not beside or tree.scope(statement) is not tree.module or isinstance(statement.names, cst.ImportStar):
            continue
        first = statement.names[0]
        space = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        added = cst.ImportAlias(cst.Name(_MODE), comma=first.comma if len(statement.names) > 1 else space)
        return replaced(tree, statement, with_names(statement, {}).with_changes(names=[added, *statement.names]))
    return None


@per_file
def _knows_modes(context: Context) -> bool:
    return knows_modes(context.facts)


@per_file
def _listed(context: Context) -> frozenset[Made]:
    """The vector environments whose infos this file takes for a list of dictionaries, as up to Gym 0.23."""
    loops: list[cst.For | cst.CompFor] = [*context.tree.of_type(cst.For), *context.tree.of_type(cst.CompFor)]
    tree = context.tree
    listing = [
        inside
        for one in loops
        for inside, target in gone_over(one)
        if taken_for_dictionaries(tree, one, target) and not asks_its_items(tree, one)
    ]
    infos = (taken_for_list(context, one) for one in listing)
    return frozenset(made for info in infos if info is not None for made in info.env.made)


@per_file
def _left_out(context: Context) -> frozenset[Made]:
    """The vector environments with which this file is written for a reset that takes a step of its own."""
    return frozenset(made for row in context.facts.rows if left_out_at_once(context, row) for made in row.env.made)


def _unreadable(context: Context, made: Made) -> int | None:
    """The row of what takes `final_info` for a list and cannot be rewritten; None where there is nothing of that."""
    tree = context.tree
    for node in (*tree.of_type(cst.Subscript), *tree.of_type(cst.Call)):
        infos = _asked_for_final(node)
        # what a name holds besides is no reason to break its infos
        info = context.facts.infos.get(tree.span(infos)) if infos is not None else None
        if info is None or infos is None or made not in info.env.made:
            continue
        loop = next((one for one in tree.of_type(cst.For) if enumerated(one.iter) is node), None)
        named = infos if isinstance(infos, cst.Name) else None
        if loop is not None and named is not None and EpisodeLoop(tree, loop, named, key="final_info").edits():
            continue
        parent = tree.parents[node]
        if not (isinstance(parent, cst.Subscript) and parent.value is node and string_value(only_index(parent))):
            return tree.span(node).row
    return None


def _handed_on(context: Context, made: Made) -> Related | None:
    """Where a function that was handed the infos takes `final_info` for a list: nothing there is reported."""
    judged = {
        context.tree.span(node)
        for node in (*context.tree.of_type(cst.Subscript), *context.tree.of_type(cst.Call))
        if (infos := _asked_for_final(node)) is not None and own_infos(context, infos) is not None
    }
    return next((one for one in made.final_reads if one.path != context.path or one.span not in judged), None)


def _asked_for_final(node: cst.CSTNode) -> cst.BaseExpression | None:
    """What `final_info` is read of: `infos["final_info"]`, `infos.get("final_info")`."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "get":
        infos, key = node.func.value, node.args[0].value if node.args else None
    elif isinstance(node, cst.Subscript):
        infos, key = node.value, only_index(node)
    else:
        return None
    return infos if string_value(key) == "final_info" else None
